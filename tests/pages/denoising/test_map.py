"""The section on maps: its words, its picture, and the places that a user brings."""

import re
from dataclasses import replace
from pathlib import Path
from time import sleep
from typing import Any

import numpy as np
import pytest

from dpcore import places
from pages.denoising.comparison import ESTIMATOR_PHRASES
from pages.denoising.map import section, text, widgets
from pages.denoising.map.places import PlaceSource, carshare, grid_shape
from pages.denoising.map.results import MOST_NODES_AT_ONCE, MapRelease, map_release
from pages.denoising.map.section import PANEL_NAMES, explanation_text, maps_figure
from pages.denoising.results import compute_result
from pages.framework import link as links
from pages.framework.export.exhibit import Exhibit
from pages.framework.rendering.render_jobs import BackgroundTask
from pages.framework.rendering.workers.jobs import Progress
from pages.framework.session.data_files import DataFiles
from tests.pages.conftest import (
    LIGHT,
    answer_conditions,
    expect_complete,
    field,
    figure_of,
    found_by,
    html_of,
    open_page,
    read_link,
    stage_of,
    text_of,
)

PAGE = "pages/7_Denoising.py"
DATA = Path(__file__).parents[3] / "../shared/data"
POINTS = b"lat,lon,driver,fare\n" + b"".join(b"40.%d,-74.0%d,%d,2.5\n" % (70 + k % 9, k % 7, k % 4) for k in range(60))
NODES = b"id,lat,lon\n" + b"".join(b"n%d,40.%d,-74.0\n" % (k, 70 + k) for k in range(9))
EDGES = b"u,v\n" + b"".join(b"n%d,n%d\n" % (k, k + 1) for k in range(8))
COUNTS = b"node,starts\nn0,50\nn1,40\nn8,3\n"


def map_result(source=None, **link):
    values = links.values(read_link("denoising", section="map", **link)[0])
    return compute_result(values, places=source)


def release_of(source=None, **link) -> MapRelease:
    release = map_release(map_result(source, **link))
    assert release is not None
    return release


def own_source(**files: Any) -> PlaceSource:
    uploads = {kind: (f"{kind}.csv", data) for kind, data in files.items() if isinstance(data, bytes)}
    choices = widgets.CHOICES | {name: choice for name, choice in files.items() if name not in uploads}
    return widgets.read_upload(DataFiles(uploads, choices), Progress(lambda _: None)).content


def test_the_choice_of_sure_does_not_look_at_the_truth():
    release = release_of(seed="3")
    assert release.best_by_sure != release.best
    assert release.comparison.estimator == release.best_by_sure
    assert f"{ESTIMATOR_PHRASES[release.best]} has the least RMSE, " in text.truth_text(release)
    assert release.best_by_sure == min(release.estimates, key=lambda key: float(release.estimates[key].sure))
    for key, estimate in release.estimates.items():
        assert release.rmse_by_sure[key] == pytest.approx(np.sqrt(max(float(estimate.sure), 0) / release.count.size))


def test_a_sentence_says_when_the_errors_are_within_the_spread_of_sure():
    release = release_of(epsilon="0.02", grid="50")
    assert release.best_by_sure != release.best
    assert "SURE cannot distinguish RMSEs below about " in text.truth_text(release)
    rng = np.random.default_rng(1)
    squares = release.sigma**2 * (rng.standard_normal((400, release.count.size)) ** 2).mean(axis=1)
    # At y = 0, SURE/d of the estimate 0 is mean(ŷ²) − σ², and its error 0. Its s.d. is found to within 4 of 3.5 %.
    assert np.std(squares) == pytest.approx(release.sure_resolution**2, rel=4 * 0.035)
    assert "it cannot find the least of RMSEs" in explanation_text(map_result(epsilon="0.02", grid="50"))


def test_the_sample_keeps_all_its_car_days():
    days = carshare().points
    assert days is not None
    assert release_of().count.sum() == pytest.approx(days.weight.sum())
    assert days.weight.sum() == pytest.approx(272039.6667 / 24, rel=1e-6)


def test_a_cap_at_one_place_and_a_replaced_person_change_the_noise_as_they_should():
    link = {"trips": "7", "at_place": "2", "neighbours": "replace"}
    release = release_of(**link)
    assert release.sensitivity == pytest.approx(np.sqrt(2 * (3 * 4 + 1)))
    assert "at most 7 car-days per person, 2 per place" in text.release_answer_text(release)[1]
    assert r"\Delta_2 = \sqrt{2}\cdot\sqrt{c^2" in explanation_text(
        map_result(trips="7", at_place="2", neighbours="replace")
    )
    assert release_of(trips="7").sensitivity == pytest.approx(7)


def test_the_file_of_numbers_has_each_count_at_its_place():
    numbers = section.place_frame(release_of(grid="50"))
    lowest = numbers[["lat", "lon"]].to_numpy()[numbers["true"].to_numpy() > 0][0]
    assert tuple(lowest) == pytest.approx((45.4489, -73.593), abs=0.0027)
    assert float(numbers["true"].to_numpy().sum()) == pytest.approx(272039.6667 / 24, rel=1e-6)


@pytest.mark.parametrize(
    ("link", "sentence"), [({"epsilon": "0"}, "a map of zeros has RMSE"), ({"grid": "2"}, "4 cells")]
)
def test_a_sentence_says_when_nothing_is_left_or_gained(link, sentence):
    assert sentence in " ".join(text.answer_text(map_result(**link)))


def test_noise_beyond_every_estimator_draws_nothing_and_says_so():
    result = map_result(epsilon="0", delta="1e-300")
    assert list(section.parts(result, LIGHT)) == []
    assert [exhibit(result, LIGHT) for exhibit in section.SECTION.exhibits] == [None, None]
    assert text.answer_text(result)[1].startswith("This page does not denoise so much noise")


def test_every_estimator_has_a_panel_with_its_error_and_the_least_is_bold():
    release = release_of(seed="3")  # where SURE chooses another one
    figure = maps_figure(release, LIGHT)
    titles = [note["text"] for note in figure["layout"]["annotations"]]
    assert [re.sub("<[^>]*>.*", "", re.sub("</?b>", "", title)) for title in titles] == [
        "True counts",
        "Released",
        *(PANEL_NAMES[key] for key in release.panel_keys.values()),
    ]
    assert "Same total" in " ".join(titles)
    names = [re.sub("<[^>]*>", "", title.partition("<br>")[0]) for title in titles]
    assert max(map(len, names)) <= 14  # on a phone a longer one lies on its neighbour
    assert [title for title in titles if "<b>" in title] == [
        title for title in titles if f"{release.rmse[release.best]:.3f}"[:5] in title
    ]
    scales = {(trace["zmin"], trace["zmax"]) for trace in figure["data"]}
    assert len(scales) == 1
    assert sum(trace["showscale"] for trace in figure["data"]) == 1
    np.testing.assert_allclose(figure["data"][0]["z"], release.count, rtol=1e-6)


def test_the_colours_and_the_places_of_panels_stay_while_epsilon_moves():
    first, other = (maps_figure(release_of(epsilon=epsilon), LIGHT) for epsilon in ("1", "0.1"))
    assert first["data"][0]["zmax"] == other["data"][0]["zmax"]
    assert first["layout"]["xaxis5"] == other["layout"]["xaxis5"]


@pytest.mark.parametrize("link", [{}, {"epsilon": "1e6"}, {"trips": "1e6"}, {"grid": "3"}])
def test_what_is_shown_is_complete_at_every_setting(link):
    exhibits = [part for part in section.parts(map_result(**link), LIGHT) if isinstance(part, Exhibit)]
    assert [shown_exhibit.name for shown_exhibit in exhibits] == ["maps", "map_errors"]
    for exhibit in exhibits:
        expect_complete(exhibit)
    release = release_of(**link)
    assert html_of(exhibits[1]).count("least in truth") == 1
    noted = {key for key, error in release.rmse.items() if error > release.rmse["none"]}
    assert html_of(exhibits[1]).count("worse than the release") == len(noted)
    assert "Theorem" in explanation_text(map_result(**link))


def test_the_grid_has_square_cells_and_no_more_than_ten_thousand():
    assert grid_shape((45.44, -73.76, 45.62, -73.50), 24) == (24, 24)
    for box in ((0, 0, 80, 0.001), (0, 0, 0.001, 100), (-90, -180, 90, 180)):
        rows, columns = grid_shape(box, 100)
        assert 1 <= rows * columns <= 10_000


def test_a_pinned_setting_is_compared():
    pinned = "epsilon=0.5&delta=1e-6&l2_sensitivity=1&significance=0.05&grid=12"
    last = text.answer_text(map_result(pinned=pinned))[2]
    assert re.match(
        r"Compared with the pin \(ε = 0\.5\): σ 40\.29 → 21\.13, the least RMSE .* → .*, with 144 cells → 576 cells",
        last,
    )


def test_noise_from_the_seed_in_the_link_is_not_called_a_release_to_publish():
    release = release_of()
    redrawn = np.random.default_rng(release.setting.seed).standard_normal(release.count.shape)
    np.testing.assert_allclose(
        release.noisy_counts - release.sigma * redrawn, release.count, atol=1e-9
    )  # whoever has the link can
    sentence = text.meaning_text(release)
    assert sentence.index("This is a trial, not a release") < sentence.index("What you may publish")
    assert "the range of the colours are computed from the data" in sentence
    assert section.csv_header(release)["warning"].startswith("a trial, not a release")
    assert "not for this trial" in explanation_text(map_result())


def test_a_box_computed_from_the_own_points_is_declared_not_private():
    source = own_source(points=POINTS)
    release = release_of(source, places="own", grid="5")
    assert release.count.sum() == 60
    assert release.setting.grid == 5
    assert "not private" in text.meaning_text(release)
    typed = own_source(points=POINTS, box="40.6; -74.1; 40.9; -73.9")
    assert typed.box == (40.6, -74.1, 40.9, -73.9)
    assert "not private" not in text.meaning_text(release_of(typed, places="own"))
    assert "you must have enforced the limit before" in text.meaning_text(release)


def test_a_column_of_persons_is_capped_before_counting():
    source = own_source(points=POINTS, person="driver")
    release = release_of(source, places="own", trips="5")
    assert release.count.sum() == 4 * 5
    assert "was left out before counting" in text.meaning_text(release)
    assert "The cap leaves out 40 of 60 points" in text.meaning_text(release)
    assert "leaves out" not in text.meaning_text(release_of(source, places="own", trips="15"))
    nameless = own_source(points=POINTS + b"40.7,-74.0,,2.5\n", person="driver")
    sentence = text.meaning_text(release_of(nameless, places="own", trips="15"))
    assert "The cap, with the rows without a person, leaves out 1 of 61 points" in sentence
    assert release_of(source, places="own", trips="5", at_place="1").count.max() <= 4


def test_a_row_is_cut_to_the_cap_even_where_nobody_is_named():
    release = release_of(
        own_source(points=b"lat,lon,n\n40.7,-74,100\n40.8,-74,2\n", weight="n"), places="own", trips="3"
    )
    assert release.count.sum() == 5
    assert release.source.unit == "“n”"


def test_the_name_of_a_column_is_shown_letter_by_letter():
    source = own_source(points=b"lat,lon,<b>*n*\n40.7,-74,1\n40.8,-74,2\n", weight="<b>*n*")
    parts = list(section.parts(map_result(source, places="own", grid="9"), LIGHT))
    words = "\n".join(part for part in parts if isinstance(part, str))
    assert r"if nobody has more than 5 of “\<b\>\*n\*”" in words
    figure = figure_of(next(part for part in parts if isinstance(part, Exhibit)))
    assert "colours: “&lt;b&gt;*n*”" in figure["layout"]["title"]["subtitle"]["text"]
    assert "<b>*n*" not in figure["data"][0]["hovertemplate"]


def test_points_are_counted_at_the_nearest_junction_or_counts_are_taken_from_a_file():
    source = own_source(points=POINTS, nodes=NODES, edges=EDGES)
    points, roads = source.points, source.roads
    assert points is not None
    assert roads is not None
    near = places.nearest_places(points.lat, points.lon, roads.lat, roads.lon)
    release = release_of(source, places="own")
    np.testing.assert_allclose(release.count, places.place_counts(near, 9))
    assert "more than 250 m from every junction" in text.meaning_text(release)
    assert "graph_wavelet" in release.estimates
    node_counts = release_of(own_source(points=POINTS, nodes=NODES, edges=EDGES, counts=COUNTS), places="own")
    assert node_counts.count.tolist() == [50, 40, 0, 0, 0, 0, 0, 0, 3]
    for part in section.parts(map_result(node_counts.source, places="own"), LIGHT):
        if isinstance(part, Exhibit):
            expect_complete(part)


def test_each_point_of_the_picture_of_a_graph_has_the_number_of_its_nearest_junction():
    release = release_of(own_source(nodes=NODES, edges=EDGES, counts=COUNTS), places="own")
    counted, roads = release.place_counts, release.source.roads
    assert roads is not None
    for node in (0, 8):
        row = np.abs(counted.lat - roads.lat[node]).argmin()
        column = np.abs(counted.lon - roads.lon[node]).argmin()
        assert counted.pixels[row, column] == node


BAD = [
    ({"points": b"a,b\n1,2\n"}, "points.csv can’t be read: line 1: no columns are named as latitude"),
    ({"points": b"lat,lon\n1,x\n"}, "points.csv can’t be read: line 2"),
    ({"points": b""}, "points.csv can’t be read: line 1: the file is empty"),
    ({"nodes": NODES}, "The file of edges is missing"),
    ({"counts": COUNTS}, "The file of nodes is missing"),
    ({"nodes": NODES, "edges": EDGES}, "Bring points to count at their junctions"),
    ({"nodes": b"id,lat,lon\na,95,0\n", "edges": EDGES, "points": POINTS}, "nodes.csv can’t be read: nodes: line 2"),
    ({"nodes": NODES, "edges": b"u,v\nn0,zz\n", "points": POINTS}, "edges.csv can’t be read: edges: line 2"),
    ({"nodes": NODES, "edges": EDGES, "counts": b"node,n\nzz,1\n"}, "counts.csv can’t be read: line 2"),
    ({"points": POINTS, "box": "1;2;3"}, "The box must be four numbers"),
    ({"points": POINTS, "box": "41;-74;40;-73"}, "North must be above south"),
    ({"points": POINTS, "box": "40;-74;95;-73"}, "Latitudes are from −90 to 90"),
    ({"points": POINTS, "nodes": NODES, "edges": EDGES, "within": "far"}, "Metres to a junction must be above 0"),
]


@pytest.mark.parametrize(("files", "sentence"), BAD)
def test_what_cannot_be_used_gets_one_sentence_and_nothing_is_drawn(files, sentence):
    source = own_source(**files)
    assert sentence in source.problem
    result = map_result(source, places="own")
    assert text.answer_text(result)[1] == text.REMEDY
    assert list(section.parts(result, LIGHT)) == []
    assert [exhibit for exhibit in section.SECTION.exhibits if exhibit(result, LIGHT)] == []


def test_a_file_that_is_taken_away_leaves_nothing_chosen_in_it():
    app = open_page(PAGE, section="map")
    app.session_state.own_places_box = True
    app.run()
    for kind, data in (("points", POINTS), ("nodes", NODES), ("edges", EDGES)):
        field(app, f"places_{kind}").upload(f"{kind}.csv", data, "text/csv").run()
    app.selectbox(key="places_person").set_value(3).run()
    assert app.session_state["dp_session"].uploads["places"].files.choices["person"] == "driver"
    app.button(key="places_points_remove").click().run()
    assert app.session_state["dp_session"].uploads["places"].files.choices["person"] == ""
    assert "Bring points to count at their junctions" in text_of(app)
    for kind in ("nodes", "edges"):
        app.button(key=f"places_{kind}_remove").click().run()
    assert not app.exception
    assert "places" not in app.session_state["dp_session"].uploads
    assert "Car sharing in Montréal: one release" in text_of(app)


def test_a_link_to_places_that_are_not_there_requests_them():
    result = found_by("denoising", section="map", places="own")
    assert text.answer_text(result) == text.MISSING
    assert list(section.parts(result, LIGHT)) == []


def test_the_slow_estimators_of_a_large_graph_wait_for_a_request():
    n = MOST_NODES_AT_ONCE + 1
    nodes = b"id,lat,lon\n" + b"".join(b"%d,%.4f,2\n" % (k, 40 + k * 1e-4) for k in range(n))
    edges = b"u,v\n" + b"".join(b"%d,%d\n" % (k, k + 1) for k in range(n - 1))
    source = own_source(nodes=nodes, edges=edges, counts=b"node,n\n0,9\n")
    release = release_of(source, places="own")
    assert release.pending == ("laplacian", "trend_filtering")
    assert not {"laplacian", "trend_filtering"} & release.estimates.keys()
    assert "computed on request only" in text.meaning_text(release)
    after = replace(source, slow_estimates=(release.setting, release.estimate("laplacian")))
    assert release_of(after, places="own").pending == ("trend_filtering",)
    assert "laplacian" in release_of(after, places="own").rmse
    assert release_of(after, places="own", epsilon="2").pending == ("laplacian", "trend_filtering")


@pytest.mark.skipif(not DATA.is_dir(), reason="the shared data is not here")
def test_denoising_manhattan_by_its_roads_removes_most_of_the_error():
    files = {"nodes": "manhattan_nodes.csv", "edges": "manhattan_edges.csv", "points": "taxi_pickups.csv.gz"}
    source = own_source(**{kind: (DATA / name).read_bytes() for kind, name in files.items()})
    release = release_of(source, places="own")
    assert release.count.size == 3874
    assert release.rmse["trend_filtering"] < release.rmse["graph_wavelet"] < release.rmse["none"] / 2


def test_a_file_is_read_in_the_page_drawn_and_released():
    app = open_page(PAGE, section="map")
    app.session_state.own_places_box = True
    app.run()
    field(app, "places_points").upload("taxi.csv", POINTS, "text/csv").run()
    assert not app.exception
    assert "Two questions before the answer." in text_of(app)
    answer_conditions(app)
    assert "Your places: one release" in text_of(app)
    assert "no cap on a person can be enforced" in text_of(app)
    assert "held" in stage_of(app)["view"]
    assert "Files: taxi.csv." in text_of(app)
    app.text_input(key="places_box").set_value("somewhere").run()
    assert "The box must be four numbers" in text_of(app)
    app.selectbox(key="places_person").set_value(3).run()
    app.button(key="places_away").click().run()
    assert not app.exception
    assert "Car sharing in Montréal: one release" in text_of(app)


def test_a_background_task_can_be_stopped():
    app = open_page(PAGE, section="map")

    def endless(progress: Progress) -> None:
        while True:
            progress.report(0.5)
            sleep(0.01)

    app.session_state["dp_session"].uploads["map_task"] = task = BackgroundTask("map", endless)
    app.run()
    app.button(key="map_stop").click().run()
    task.thread.join(10)
    assert task.is_finished
    assert "Stop" not in [button.label for button in app.run().run().button]


def test_the_picture_of_the_map_is_small_enough_to_travel():
    figure = figure_of(next(part for part in section.parts(map_result(grid="50"), LIGHT) if isinstance(part, Exhibit)))
    assert sum(trace["z"].nbytes for trace in figure["data"]) < 50**2 * 40
