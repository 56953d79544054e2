"""One release of a table for trial, and what repeated releases keep."""

import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from dpcore import tables
from pages.framework.export.exhibit_files import csv_text
from pages.shared.counts.table import Counts
from pages.tables.release import section
from pages.tables.results import MOST_DRAWS, TablesResult
from tests.pages.conftest import exhibits_by_name, figure_of, found_by, html_of

LINK = {"section": "release", "table": "own", "own": "North=100;South=9;East=0", "mechanism": "laplace"}


def result_at(**link: str) -> TablesResult:
    return found_by("tables", **(LINK | link))


def test_the_file_of_the_release_has_no_true_count_and_says_that_it_is_for_trial_only():
    result = result_at()
    lines = csv_text(exhibits_by_name(result, "tables")["noisy_table"]).splitlines()
    assert any(line.startswith("# warning: For trial only: do not publish this.") for line in lines)
    assert any("OpenDP" in line for line in lines if line.startswith("#"))
    rows = [line for line in lines if not line.startswith("#")]
    assert rows[0] == "cell,released"
    assert len(rows) == 4
    assert not any(row.endswith(",100.0") for row in rows)


def test_clipping_and_rounding_are_done_on_request_only():
    plain = np.concatenate([result_at(seed=str(seed)).released for seed in range(1, 9)])
    assert plain.min() < 0
    result = result_at(seed="3", clipped="on", rounded="on").released
    assert result.min() >= 0
    assert (result == np.rint(result)).all()


def test_the_words_on_clipping_give_the_lift_of_an_empty_cell():
    sentences = section.post_processing_text(result_at(clipped="on"))
    assert "an empty cell by 0.5 on average" in sentences
    assert "The release is unbiased" in section.post_processing_text(result_at())


@pytest.mark.parametrize("mechanism", ["geometric", "discrete_gaussian", "analytic"])
def test_the_lift_of_clipping_is_found_for_every_noise(mechanism):
    result = result_at(clipped="on", mechanism=mechanism)
    assert "Clipping at 0 biases small cells upwards" in section.post_processing_text(result)


def test_whole_noise_is_not_changed_by_rounding():
    assert "Rounding to whole numbers changes nothing here" in section.post_processing_text(
        result_at(mechanism="geometric", rounded="on")
    )
    assert "by at most 0.5" in section.post_processing_text(result_at(rounded="on"))


def test_repeated_releases_keep_a_large_cell_and_lose_the_sign_of_an_empty_one():
    result = result_at(repeated="on")
    assert result.release_statistics is not None
    assert result.release_statistics.n_repeats == 500
    assert result.release_statistics.sign[0] == 1
    assert result.release_statistics.sign[2] == pytest.approx(0.5, abs=0.1)
    first, second = section.answer_text(result)
    assert first.startswith("With Laplace noise, about ")
    assert "500 releases and the 3 cells" in second


def test_a_large_table_is_released_fewer_times_and_the_words_say_so():
    frame = pd.DataFrame({"cell": [f"c{n}" for n in range(20_000)], "count": np.arange(20_000.0)})
    result = replace(result_at(repeated="on"), table=Counts(frame, "Large (made)"))
    assert result.n_repeats == MOST_DRAWS // 20_000
    assert "15 releases (fewer than 500" in section.answer_text(result)[1]
    assert len(figure_of(exhibits_by_name(result, "tables")["kept"])["data"][0]["x"]) == 2000


def test_the_chart_of_many_cells_draws_the_largest_and_says_so():
    frame = pd.DataFrame({"cell": [f"c{n}" for n in range(1000)], "count": np.arange(1000.0)})
    result = replace(result_at(), table=Counts(frame, "Large (made)"))
    assert len(figure_of(exhibits_by_name(result, "tables")["release"])["data"][0]["x"]) == 200
    assert section.subtitle(result).endswith("The 200 largest of 1,000 cells.")


def test_names_of_cells_are_shown_as_text():
    result = result_at(own="<b>x</b>=5;y=3")
    assert "&lt;b&gt;x&lt;/b&gt;" in html_of(exhibits_by_name(result, "tables")["noisy_table"])
    assert "<b>" not in figure_of(exhibits_by_name(result, "tables")["release"])["layout"]["xaxis"]["ticktext"][0]


def test_a_sentence_replaces_the_chart_without_a_noise_or_a_table():
    for wrong in (result_at(epsilon="0"), result_at(own="none")):
        assert not {"release", "kept", "noisy_table"} & exhibits_by_name(wrong, "tables").keys()
        assert section.post_processing_text(wrong) == ""
    assert "at least 1e-12:" in section.answer_text(result_at(epsilon="0"))[1]


@pytest.mark.parametrize("mechanism", ["geometric", "laplace"])
def test_the_share_of_releases_that_distinguish_a_cell_from_an_empty_one_is_that_of_the_table(mechanism):
    result = result_at(mechanism=mechanism, own="North=100;South=4;East=0", error="each")
    assert result.mechanism is not None
    many = tables.simulate_releases(
        np.random.default_rng(1), result.counts, result.mechanism.sample, result.detection_threshold, 20_000
    )
    assert many.significance[1] == pytest.approx(result.visible_share[1], abs=0.02)


def test_rounding_after_clipping_is_in_the_lift_and_in_the_reach():
    result = result_at(clipped="on", rounded="on", mechanism="laplace", epsilon="2")
    noisy = np.maximum(np.rint(np.random.default_rng(5).laplace(0, 0.5, 200_000)), 0).mean()
    sentences = re.search(r"an empty cell by ([0-9.]+) on average", section.post_processing_text(result))
    assert sentences is not None
    assert float(sentences[1]) == pytest.approx(noisy, abs=0.02)
    assert result.half_width == pytest.approx(2.04, abs=0.01)
    assert "±2 holds" in section.answer_text(result)[1]


@pytest.mark.parametrize(
    ("seed", "error", "is_beyond"), [("1", "all", True), ("2", "all", False), ("1", "each", False)]
)
def test_a_release_beyond_the_joint_half_width_says_so_and_in_how_many_cells(seed, error, is_beyond):
    first, second = section.answer_text(found_by("tables", section="release", seed=seed, error=error))
    assert ("% of releases, not for 1 cell of this one (" in second) == is_beyond
    assert ("this one" in second) == is_beyond
    assert (float(first.rstrip(".").split()[-1]) > 7) == (seed == "1")
