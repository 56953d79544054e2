from functools import lru_cache

import numpy as np
import pytest

from dpcore.generalized_gaussian import adp_scale, pdp_scale_disjoint
from dpcore.generalized_gaussian.optimal_shape import ADP, best_frame
from pages.framework.export.exhibit import Exhibit
from pages.framework.layout.section import Field
from pages.framework.parameters.number_format import format_down, format_up
from pages.generalized_gaussian import results
from pages.generalized_gaussian.bounded.section import true_value_parameter
from pages.generalized_gaussian.densities import section as densities_section
from pages.generalized_gaussian.optimal_shape import section as optimal_section
from pages.generalized_gaussian.page import PAGE as RECORD
from pages.generalized_gaussian.scale import section as scale_section
from tests.pages.conftest import LIGHT, exhibits_by_name, expect_complete, figure_of, found_by, html_of, read_link

PAGE = "generalized_gaussian"
SIZES = ("size_p", "size_epsilon", "size_delta")
BEST = ("best_map", "best_p", "saving")
BOUNDED = ("bounded_errors", "bounded_densities", "bounded")
ACCURACY = {"measure": "accuracy", "size": "accuracy"}
FEW_DRAWS = {"statistics": "three", "monte_carlo": "on", "draws": "1e4"}
SETTINGS = (
    {"epsilon": "0", "delta": "1e-300", "l2_sensitivity": "2e7"},
    {"guarantee": "exact_pdp", "epsilon": "1e-12", "delta": "1e-300", "l2_sensitivity": "1e100", "p": "64"},
    {"guarantee": "disjoint", "epsilon": "1e6", "delta": "0.99", "l2_sensitivity": "1e-100", "match": "variance"},
    {"guarantee": "exact_pdp", "epsilon": "1e-200", "p": "1", "match": "scale", "significance": "1e-300"} | ACCURACY,
    {"epsilon": "1e6", "delta": "1e-300", "shapes": "1,64", "significance": "0.9999999", "measure": "accuracy"},
    {"statistics": "three", "epsilon": "1e-200", "p": "1", "match": "scale", "delta": "0.9999999999999"},
    {"statistics": "own", "sensitivities": "1e100, 1e-100", "epsilon": "0", "delta": "1e-300"},
)
BETWEEN = (
    {"epsilon": "1e6", "delta": "0.99"},
    {"epsilon": "1e-30", "delta": "1e-300"},
    {"l2_sensitivity": "1e100", "bound_low": "-1e15", "bound_high": "1e15"},
    {"l2_sensitivity": "1e-100", "bound_low": "1e15", "bound_high": "-1e15"},
    {"bound_low": "999999999999999", "bound_high": "1e15", "true_value": "1e15", "significance": "1e-300"},
    {"bound_low": "0", "bound_high": "1e-30", "bounded_error": "bias"},
)


@lru_cache(8)
def exhibits_of(scheme="light", **link):
    return exhibits_by_name(found_by(PAGE, **link), PAGE, scheme)


def chart(name, **link):
    return figure_of(exhibits_of(**link)[name])


def names(figure):
    return [trace.get("name", "") for trace in figure["data"]]


def title(figure):
    return figure["layout"]["title"]["text"]


@pytest.mark.parametrize("link", SETTINGS)
def test_every_exhibit_has_a_picture_words_and_numbers_at_every_setting(link):
    exhibits = exhibits_of("dark", **link)
    assert set(exhibits) >= set(BEST)
    for exhibit in exhibits.values():
        expect_complete(exhibit)


def test_a_curve_whose_points_see_too_few_draws_has_no_simulated_points():
    exhibits = exhibits_of(**FEW_DRAWS)
    for name in SIZES:
        expect_complete(exhibits[name])
    assert [len(figure_of(exhibits[name])["data"]) for name in SIZES] == [1, 1, 2]


@pytest.mark.parametrize("p", ["1.5", "64"])
@pytest.mark.parametrize("link", BETWEEN)
def test_every_exhibit_within_bounds_is_there_at_the_ends_of_its_parameters(p, link):
    exhibits = exhibits_of(p=p, **link)
    for name in BOUNDED:
        expect_complete(exhibits[name])


def test_noises_without_an_answer_at_a_small_epsilon_are_left_out():
    exhibits = exhibits_of(epsilon="0")
    assert not set(exhibits) & set(BOUNDED)
    assert [names(figure_of(exhibits[name])) for name in SIZES] == [["(ε, δ)-DP"]] * 3
    assert not set(exhibits_of(epsilon="0", guarantee="exact_pdp")) & {"densities", "profiles", "shapes"}
    assert "profiles" not in exhibits_of(epsilon="0", delta="1e-300")  # b is too large for its δ to be known


def test_the_table_has_every_p_with_the_papers_scale_beside():
    table = html_of(exhibits_of(shapes="1, 5", p="5", epsilon="0.5", delta="0.001")["shapes"])
    assert table.count("<th scope='row'>") == 2
    assert "p = 1, Laplace" in table
    for scale in (adp_scale, pdp_scale_disjoint):
        assert f">{format_up(float(scale(0.5, 0.001, 5)))}<" in table
    ratio = float(pdp_scale_disjoint(0.5, 0.001, 5) / adp_scale(0.5, 0.001, 5)) ** 2
    assert f"{100 * ratio - 100:.1f} % more" in table
    assert "times" in html_of(exhibits_of(epsilon="0.05", delta="0.01")["shapes"])
    assert "<td>–</td>" in html_of(exhibits_of(epsilon="0")["shapes"])


@pytest.mark.parametrize(
    ("epsilon", "delta", "symbol"),
    [
        ("0.1", "0.01", "star"),
        ("1", "1e-6", "star"),
        ("10", "1e-12", "star"),
        ("1", "1e-13", "triangle-down"),
        ("0.1", "0.9", "triangle-up"),
        ("0", "0.01", "triangle-left"),
        ("50", "0.01", "triangle-right"),
    ],
)
def test_a_setting_beyond_the_map_is_marked_at_its_edge(epsilon, delta, symbol):
    for guarantee in ("adp", "disjoint"):
        name = "best_map" if guarantee == "adp" else "floor_map"
        figure = chart(name, epsilon=epsilon, delta=delta, guarantee=guarantee)
        assert figure["data"][-1]["marker"]["symbol"] == symbol
        notes = " ".join(note["text"] for note in figure["layout"]["annotations"])
        assert ("beyond the map" in notes) == (symbol != "star")


@pytest.mark.parametrize("epsilon", ["0.001", "0.1", "1", "10"])
@pytest.mark.parametrize("delta", ["1e-12", "1e-6", "0.01", "0.3"])
@pytest.mark.parametrize("guarantee", ["adp", "disjoint"])
def test_the_star_of_the_map_lies_on_no_words(guarantee, epsilon, delta):
    layout = chart("best_map", guarantee=guarantee, epsilon=epsilon, delta=delta)["layout"]
    x, y = (np.log10(float(number)) for number in (epsilon, delta))
    (left, right), (low, high) = layout["xaxis"]["range"], layout["yaxis"]["range"]
    for note in layout["annotations"]:
        if note.get("yref") == "y domain" and note["y"] == 1:
            continue  # the value of ε, above the map
        at = note["x"], note["y"]
        if note.get("xref") == "x domain":
            share = note["x"] + (0.25 if note.get("xanchor") == "left" else 0)
            at = left + share * (right - left), low + note["y"] * (high - low)
        # a phone's map is 300 px wide and 250 px high, words are at most 170 px wide
        assert abs(at[0] - x) / (right - left) > 0.2 or abs(at[1] - y) / (high - low) > 0.08


def test_a_click_on_the_map_sets_epsilon_and_delta_and_the_lines_of_parameters_are_handles():
    exhibits = exhibits_of()
    assert figure_of(exhibits["profiles"])["layout"]["meta"] == {"point": True}
    assert (
        exhibits["profiles"].picks == exhibits["best_map"].picks == exhibits["floor_map"].picks == ("epsilon", "delta")
    )
    handles = {
        "profiles": "epsilon",
        "size_p": "p",
        "size_epsilon": "epsilon",
        "size_delta": "delta",
        "best_map": "epsilon",
        "floor_map": "epsilon",
        "best_p": "epsilon",
        "saving": "epsilon",
        "bounded_errors": "true_value",
    }
    for name, key in handles.items():
        shapes = figure_of(exhibits[name])["layout"]["shapes"]
        assert [shape["name"] for shape in shapes if "name" in shape] == [key]


def map_of(shapes):
    """Return the map of one p for each δ, whatever ε."""
    grid = np.logspace(-3, 1, 5)[:, None], np.append(np.logspace(-12, -1, 4), (0.11, 0.5))
    frame = best_frame(ADP, "variance", *grid).assign(p=np.tile([shapes[0], *shapes], 5))
    return optimal_section.map_figure(frame, optimal_section.MapPoint(1.0, 0.1), None, ("", ""), LIGHT)


def test_the_colour_bands_of_the_map_begin_at_the_shapes_that_they_are_labelled_with():
    fill = map_of([1.05, 2.0, 3.0, 40.0, 64.0])["data"][0]
    marks = [fill["colorbar"]["ticktext"].index(text) for text in ("1.05", "2", "3", "40")]
    np.testing.assert_allclose(fill["z"][1:5, 0], marks, atol=1e-5)
    np.testing.assert_allclose(fill["customdata"][1:, 0], [1.05, 2, 3, 40, 64])
    assert len(fill["colorscale"]) == len(fill["colorbar"]["ticktext"]) + 1


def test_a_region_or_a_jump_of_the_map_is_named_only_where_it_is():
    def notes(shapes):
        return " ".join(note["text"] for note in map_of(shapes)["layout"]["annotations"])

    assert "Laplace is best" in notes([1.0, 1.0, 1.0, 3.0, 3.0])
    assert "Laplace is best" not in notes([2.0, 2.5, 3.0, 50.0, 64.0])
    jumps = notes([1.0, 1.0, 1.0, 64.0, 64.0])
    assert "nearly uniform" in jumps
    assert "p jumps from 1 to 64" in jumps
    assert "Gaussian, p = 2" not in jumps
    assert "jumps" not in notes([1.0, 1.5, 3.0, 50.0, 64.0])


def test_axes_stay_while_the_sensitivity_keeps_its_decade_and_epsilon_moves():
    exhibits = [exhibits_of(epsilon=epsilon) for epsilon in ("0.02", "1", "90")]
    for name in ("size_epsilon", *BEST[:1]):
        axes = [figure_of(exhibits_at[name])["layout"]["xaxis"]["range"] for exhibits_at in exhibits]
        assert axes[0] == axes[1] == axes[2]


def test_the_header_of_a_curves_numbers_has_the_sensitivities_that_were_used():
    assert scale_section.csv_header_of_curves(found_by(PAGE))["l2_sensitivity"] == "1.0"
    result = found_by(PAGE, statistics="own", sensitivities="2, 2", monte_carlo="on")
    header = scale_section.csv_header_of_curves(result)
    assert header["l2_sensitivity"] == "one for each statistic: 2.0, 2.0"
    assert (header["draws"], header["seed"]) == (30_000, 1)


@pytest.mark.parametrize("sensitivity", ["1.76", "1.78", "2.4", "2.6"])
def test_a_sensitivity_whose_noise_of_some_shape_is_beyond_1e300_is_corrected(sensitivity):
    link = {"epsilon": "0", "delta": "1e-300", "l2_sensitivity": sensitivity}
    read = read_link(PAGE, **link)[0]["l2_sensitivity"]
    assert ("needs noise beyond 1e300" in read.problem) == (float(sensitivity) > 1.77)
    assert exhibits_by_name(found_by(PAGE, **link), PAGE)


PIN = "epsilon=2&delta=1e-5&p=4&bound_high=8&true_value=3"
LEADS = {
    "shapes": "densities",
    "size": "size_p",
    "best": "best_map",
    "bounded": "bounded_errors",
}
VIEWS = (
    *(("size", "against", key, f"size_{key}") for key in ("p", "epsilon", "delta")),
    *(("best", "best_view", *name) for name in (("map", "best_map"), ("curves", "best_p"), ("saving", "saving"))),
    ("best", "best_view", "floor_map", "floor_map"),
    *(("bounded", "bounded_view", *name) for name in (("errors", "bounded_errors"), ("release", "bounded_densities"))),
)


def parts(section, **link):
    result = found_by(PAGE, section=section, **link)
    return list(RECORD.open_section(result).parts(result, LIGHT))


def lead(section, **link):
    first = parts(section, **link)[0]
    assert isinstance(first, Exhibit)
    return first


def test_every_section_begins_with_its_lead_picture_and_each_view_is_one():
    assert set(RECORD.keys_of_links) == set(LEADS)
    for section, name in LEADS.items():
        assert lead(section).name == name
    for section, key, option, name in VIEWS:
        assert lead(section, **{key: option}).name == name


def test_every_section_draws_one_chart_and_shapes_the_privacy_profiles_too():
    for section, name in LEADS.items():
        charts = [part.name for part in parts(section) if isinstance(part, Exhibit) and isinstance(part.picture, dict)]
        assert charts == [name, "profiles"][: 2 if section == "shapes" else 1]


@pytest.mark.parametrize("link", [{}, {"statistics": "own"}, {"measure": "accuracy"}, {"statistics": "three"}])
def test_a_strip_has_few_parameters_and_each_once(link):
    for section in RECORD.keys_of_links:
        result = found_by(PAGE, section=section, **link)
        fields = RECORD.open_section(result).controls(result)
        controls = [field.parameter if isinstance(field, Field) else field for field in fields]
        assert len({field.key for field in controls}) == len(controls) <= 6


def test_the_true_value_has_steps_from_bound_to_bound():
    value = true_value_parameter(found_by(PAGE, bound_low="-1", bound_high="3"))
    assert (value.scale[0], value.scale[-1], len(value.scale)) == ("-1", "3", 41)
    assert np.all(np.diff([float(step) for step in value.scale]) > 0)


def test_a_pinned_setting_is_grey_in_every_picture_a_column_of_the_tables_and_in_the_header():
    exhibits, plain = exhibits_of(pinned=PIN), exhibits_of()
    for name in {*LEADS.values(), *(name for *_, name in VIEWS)}:
        grey = [trace for trace in figure_of(exhibits[name])["data"] if trace.get("name") == "pinned"]
        assert grey, name
        assert all(not trace["showlegend"] for trace in grey)
        assert "pinned" not in names(figure_of(plain[name]))
        assert exhibits[name].header["pinned"].startswith("ε = 2")
    assert "÷ pinned" in html_of(exhibits["shapes"])
    assert "÷ pinned" in html_of(exhibits["bounded"])
    assert "pinned" not in html_of(plain["shapes"]) + html_of(plain["bounded"])


def test_a_pinned_setting_without_an_answer_leaves_the_pictures_as_they_are():
    exhibits = exhibits_of(pinned="epsilon=0&guarantee=exact_pdp")
    for name in ("densities", "profiles", "bounded_errors"):
        assert "pinned" not in names(figure_of(exhibits[name]))


def test_the_optimal_density_is_drawn_beside_that_of_the_shapes_with_the_same_guarantee_only():
    names = [trace["name"] for trace in chart("densities", delta="0.01", shapes="1, 2")["data"]]
    assert names[-2:] == ["least variance", "truncated Laplace"]
    assert "least variance" not in [trace["name"] for trace in chart("densities")["data"]]  # beside five shapes
    tiny = {"epsilon": "0", "delta": "1e-300"}
    for link in ({"match": "scale"}, {"guarantee": "disjoint"}, {"epsilon": "20"}, {"delta": "0.7"}, tiny):
        drawn = chart("densities", shapes="1, 2", **link)["data"]
        assert "least variance" not in [trace["name"] for trace in drawn]


def test_the_profiles_meet_at_the_guarantee_or_pass_where_the_words_say():
    for link, least, most, words in (
        ({"delta": "0.01"}, 0.99, 1, "All noises meet at the point"),
        ({"guarantee": "exact_pdp", "shapes": "1.5, 4"}, 0.99, 1, "All noises meet at the point"),
        ({"guarantee": "disjoint", "shapes": "1.5, 4"}, 0, 0.999, "pass below the point"),
        (
            {"match": "variance", "p": "2", "shapes": "3, 4"},
            0.99,
            np.inf,
            "with the same variance another p has another δ",
        ),
    ):
        result = found_by(PAGE, section="shapes", **link)
        at_epsilon = result.profile_epsilons == result.setting.epsilon
        delta = result.profiles[:, at_epsilon] / result.setting.delta
        assert len(delta) == len(result.setting.all_shapes)
        assert least <= np.min(delta)
        assert np.max(delta) <= most * (1 + 1e-9)
        assert words in densities_section.profile_text(result)
    assert densities_section.profile_text(found_by(PAGE, epsilon="0", delta="1e-300")) == ""


def test_the_words_on_what_the_best_shape_leaves_are_those_of_its_map():
    exhibit = exhibits_of(delta="0.01")["floor_map"]
    frame = results.remaining_map("variance")
    least = float(np.min(frame["share"].to_numpy()[frame["epsilon"].to_numpy() <= 1]))
    assert f"down to {format_down(least, 3)} %" in exhibit.alternative
    assert 73 < least < 75
    assert np.all(frame["lower"] <= frame["upper"])
    assert np.all(frame["upper"] <= np.minimum(frame["truncated"], frame["staircase"]) * 1.0001)
    assert np.all(frame["lower"] > 0.9 * frame["upper"])
    (text_below,) = (part for part in parts("best", best_view="floor_map") if isinstance(part, str) and "star" in part)
    assert "No noise of (ε, δ)-DP has a smaller variance" in text_below
    assert f"at each of {len(frame):,} points" in text_below
