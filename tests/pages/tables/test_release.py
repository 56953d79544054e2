"""One release of a table for trial, and what repeated releases keep."""

import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from dpcore import tables
from pages.shared.counts.table import Counts
from pages.tables.release import text
from pages.tables.results import MOST_DRAWS, TablesResult
from tests.pages.conftest import drawn, figure_of, found_by, html_of

LINK = {"section": "release", "table": "own", "own": "North=100;South=9;East=0", "mechanism": "laplace"}


def found(**link: str) -> TablesResult:
    return found_by("tables", **(LINK | link))


def test_the_file_of_the_release_has_no_true_count_and_says_that_it_is_for_trial_only():
    shown = found()
    lines = drawn(shown, "tables")["noisy_table"].csv().splitlines()
    assert any(line.startswith("# warning: For trial only: this is no release.") for line in lines)
    assert any("OpenDP" in line for line in lines if line.startswith("#"))
    rows = [line for line in lines if not line.startswith("#")]
    assert rows[0] == "cell,released"
    assert len(rows) == 4
    assert not any(row.endswith(",100.0") for row in rows)


def test_clipping_and_rounding_are_done_where_they_are_asked_for():
    plain = np.concatenate([found(seed=str(seed)).released for seed in range(1, 9)])
    assert plain.min() < 0
    shown = found(seed="3", clipped="on", rounded="on").released
    assert shown.min() >= 0
    assert (shown == np.rint(shown)).all()


def test_the_words_on_clipping_give_the_lift_of_an_empty_cell():
    said = text.post_processing_text(found(clipped="on"))
    assert "an empty one by 0.5 on average" in said
    assert "No cell has a bias" in text.post_processing_text(found())


@pytest.mark.parametrize("mechanism", ["geometric", "discrete_gaussian", "analytic"])
def test_the_lift_of_clipping_is_found_for_every_noise(mechanism):
    shown = found(clipped="on", mechanism=mechanism)
    assert "Clipping at 0 lifts small cells" in text.post_processing_text(shown)


def test_whole_noise_is_not_changed_by_rounding():
    assert "Rounding to whole numbers changes nothing here" in text.post_processing_text(
        found(mechanism="geometric", rounded="on")
    )
    assert "by at most 0.5" in text.post_processing_text(found(rounded="on"))


def test_repeated_releases_keep_a_large_cell_and_lose_the_sign_of_an_empty_one():
    shown = found(repeated="on")
    assert shown.release_statistics is not None
    assert shown.release_statistics.n_repeats == 500
    assert shown.release_statistics.sign[0] == 1
    assert shown.release_statistics.sign[2] == pytest.approx(0.5, abs=0.1)
    first, second = text.answer_text(shown)
    assert first.startswith("Over 500 releases with Laplace noise, a cell keeps its place in the order in ")
    assert "Means over the 3 cells" in second


def test_a_large_table_is_released_fewer_times_and_the_words_say_so():
    frame = pd.DataFrame({"cell": [f"c{n}" for n in range(20_000)], "count": np.arange(20_000.0)})
    shown = replace(found(repeated="on"), table=Counts(frame, "Large (made)"))
    assert shown.n_repeats == MOST_DRAWS // 20_000
    assert "is released 15 times, not 500" in text.answer_text(shown)[1]
    assert len(figure_of(drawn(shown, "tables")["kept"])["data"][0]["x"]) == 2000


def test_of_many_cells_the_largest_are_drawn_and_the_subtitle_says_so():
    frame = pd.DataFrame({"cell": [f"c{n}" for n in range(1000)], "count": np.arange(1000.0)})
    shown = replace(found(), table=Counts(frame, "Large (made)"))
    assert len(figure_of(drawn(shown, "tables")["release"])["data"][0]["x"]) == 200
    assert text.subtitle(shown).endswith("The 200 largest of 1,000 cells.")


def test_names_of_cells_are_shown_as_text():
    shown = found(own="<b>x</b>=5;y=3")
    assert "&lt;b&gt;x&lt;/b&gt;" in html_of(drawn(shown, "tables")["noisy_table"])
    assert "<b>" not in figure_of(drawn(shown, "tables")["release"])["layout"]["xaxis"]["ticktext"][0]


def test_without_a_noise_or_a_table_nothing_is_drawn_and_a_sentence_says_so():
    for wrong in (found(epsilon="0"), found(own="none")):
        assert not {"release", "kept", "noisy_table"} & drawn(wrong, "tables").keys()
        assert text.post_processing_text(wrong) == ""
    first, second = text.answer_text(found(epsilon="0"))
    assert first == "Laplace noise has no answer here."
    assert second == "It takes an ε of at least 1e-12. Choose another noise."


@pytest.mark.parametrize("mechanism", ["geometric", "laplace"])
def test_a_cell_is_told_from_an_empty_one_as_often_over_many_releases_as_the_table_says(mechanism):
    shown = found(mechanism=mechanism, own="North=100;South=4;East=0", error="each")
    assert shown.mechanism is not None
    many = tables.kept(
        np.random.default_rng(1), shown.counts, shown.mechanism.sample, shown.detection_threshold, 20_000
    )
    assert many.significance[1] == pytest.approx(shown.visible_share[1], abs=0.02)


def test_rounding_after_clipping_is_in_the_lift_and_in_the_reach():
    shown = found(clipped="on", rounded="on", mechanism="laplace", epsilon="2")
    noisy = np.maximum(np.rint(np.random.default_rng(5).laplace(0, 0.5, 200_000)), 0).mean()
    said = re.search(r"an empty one by ([0-9.]+) on average", text.post_processing_text(shown))
    assert said is not None
    assert float(said[1]) == pytest.approx(noisy, abs=0.02)
    assert shown.half_width == pytest.approx(2.04, abs=0.01)
    assert "±2 holds" in text.answer_text(shown)[1]
