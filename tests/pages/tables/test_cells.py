"""The cells of a table with their error bars, and the questions about them."""

from dataclasses import replace
from functools import lru_cache

import numpy as np
import pandas as pd
import pytest

from pages.framework.export.csv_file import csv_text
from pages.framework.export.exhibit import Exhibit
from pages.shared.counts.table import Counts
from pages.tables import text as tables_text
from pages.tables.cells import text as table_words
from pages.tables.cells.section import SECTION
from pages.tables.mechanisms import questions_text
from pages.tables.page import PAGE
from pages.tables.results import TablesResult
from tests.pages.conftest import (
    LIGHT,
    exhibits_by_name,
    expect_complete,
    figure_of,
    found_by,
    html_of,
    open_page,
    read_link,
    stage_of,
    text_of,
)

LINK = {"section": "table", "table": "own", "promise": "delta", "mechanism": "analytic", "error": "each"}


@lru_cache(32)
def result_at(**link: str) -> TablesResult:
    return found_by("tables", **({"own": "North=100;South=9;East=0;a<b=40"} | LINK | link))


def large(n_cells: int, **link: str) -> TablesResult:
    frame = pd.DataFrame({"cell": [f"c{place}" for place in range(n_cells)], "count": np.arange(n_cells) % 997.0})
    return replace(result_at(**link), table=Counts(frame, "Large (made)"))


def cells(result: TablesResult):
    return figure_of(exhibits_by_name(result, "tables")["cells"])


def test_the_names_of_few_cells_stand_on_the_axis_and_are_never_markup():
    axis = cells(result_at())["layout"]["xaxis"]
    assert axis["ticktext"] == ["North", "a&lt;b", "South", "East"]


def test_a_cell_of_9_stays_above_zero_but_differs_from_an_empty_one_in_57_percent_of_releases():
    result = result_at()
    assert result.stays_above_zero.tolist() == [True, True, False, True]
    assert result.visible_share[1] == pytest.approx(0.5677, abs=2e-3)
    assert result.mechanism is not None
    sentences = questions_text.cell_questions(result, result.mechanism)
    assert "a cell with a true count of 7 or more" in sentences
    assert "3 of the 4 cells are that large." in sentences
    assert "released at ±8.281 or" in sentences
    assert "3 of the 4 cells are released at or above it at least half of the time." in sentences


@pytest.mark.parametrize("axis", ["linear", "log", "relative"])
def test_a_bar_that_reaches_zero_is_distinguished_from_a_bar_that_ends_above_it(axis):
    result = result_at(own="North=100;South=7;West=3;a<b=40", axis=axis)
    assert result.counts[1] < result.half_width  # the bar of South reaches 0
    assert result.stays_above_zero.tolist() == [
        True,
        True,
        False,
        True,
    ]  # and yet it stays above 0: only errors downwards count
    traces = {trace["name"]: trace["customdata"].tolist() for trace in cells(result)["data"]}
    assert traces == {
        "error bar above 0": [100, 40],
        "error bar reaches 0, released as positive": [7],
        "may be released as 0 or below": [3],
    }
    exhibit = exhibits_by_name(result, "tables")["cells"]
    assert "2 of the error bars end above 0, and 3 of the cells are released as positive" in exhibit.alternative
    assert "stays_above_zero: only errors downwards count" in csv_text(exhibit)
    assert "yes, although its bar reaches 0" in html_of(exhibits_by_name(result, "tables")["cells_table"])
    assert result.mechanism is not None
    sentences = questions_text.cell_questions_with_bars(result, result.mechanism)
    assert sentences in list(SECTION.parts(result, LIGHT))
    assert (
        "The error bar, ±8.281, covers errors in both directions: for a cell from 7 to 8 it reaches 0, although"
        in sentences
    )


@pytest.mark.parametrize("mechanism", ["laplace", "geometric", "analytic", "discrete_gaussian"])
@pytest.mark.parametrize("epsilon", ["0.01", "1", "30"])
@pytest.mark.parametrize("error", ["each", "all"])
def test_a_cell_whose_bar_ends_above_zero_stays_above_zero(mechanism, epsilon, error):
    own = ";".join(f"c{count}={count}" for count in range(60))
    result = result_at(own=own, mechanism=mechanism, epsilon=epsilon, error=error)
    assert not (result.bar_is_above_zero & ~result.stays_above_zero).any()


def test_with_all_cells_together_the_bars_are_longer_and_the_words_say_so():
    per_cell, together = result_at(), result_at(error="all")
    assert together.half_width > per_cell.half_width
    assert "for all 4 cells at once in 95 % of releases" in table_words.subtitle(together)


def test_cells_that_count_nothing_have_no_relative_error_and_stand_at_the_foot_of_a_log_axis():
    relative, log = cells(result_at(axis="relative")), cells(result_at(axis="log"))
    assert sum(len(trace["x"]) for trace in relative["data"]) == 3
    heights = np.concatenate([trace["y"] for trace in log["data"]])
    assert heights.min() == 0.5
    for trace in log["data"]:
        assert (trace["y"] - trace["error_y"]["arrayminus"] >= 0.39).all()


@pytest.mark.parametrize("axis", ["linear", "log", "relative"])
def test_a_hundred_thousand_cells_are_drawn_as_lines_of_a_few_thousand_points(axis):
    figure = cells(large(100_000, axis=axis))
    assert sum(trace["x"].nbytes + trace["y"].nbytes for trace in figure["data"]) < 200_000
    assert {trace["mode"] for trace in figure["data"]} == {"lines"}


def test_the_table_lists_the_first_cells_and_its_file_has_all():
    result = large(20_000)
    listed = exhibits_by_name(result, "tables")["cells_table"]
    assert html_of(listed).count("<tr>") == 101
    assert len([line for line in csv_text(listed).splitlines() if not line.startswith("#")]) == 20_001


def test_a_table_that_cannot_be_read_draws_nothing_under_its_name():
    wrong = found_by("tables", **(LINK | {"own": "none"}))
    assert not {"cells", "cells_table", "release", "kept", "noisy_table"} & exhibits_by_name(wrong, "tables").keys()
    assert wrong.is_missing
    for section in PAGE.section_by_key.values():
        assert not [part for part in section.parts(wrong, LIGHT) if isinstance(part, Exhibit)]
    assert PAGE.answer_text(wrong) == tables_text.MISSING


def test_a_table_in_the_link_is_called_so_in_the_answer_and_only_yours_in_a_title():
    assert result_at().csv_header["table"] == "Your table (in the link)"
    assert table_words.subtitle(result_at()).startswith("Your table: ")


def test_a_noise_without_an_answer_draws_nothing_and_says_so():
    wrong = result_at(epsilon="0", mechanism="laplace")
    assert "cells" not in exhibits_by_name(wrong, "tables")
    assert table_words.answer_text(wrong)[0] == "Laplace noise is not available at this setting."
    assert (
        "satisfies pure ε-DP"
        in table_words.answer_text(result_at(epsilon="0", mechanism="recommended", promise="pure"))[0]
    )


def test_the_answer_counts_the_cells_that_are_distinguished_from_empty_ones():
    first, second = table_words.answer_text(result_at())
    assert first == (
        "With analytic Gaussian noise (±8.281), 3 of 4 cells are distinguishable from empty cells at least half of "
        "the time."
    )
    assert second.startswith(
        "In 95 % of releases a cell is within ±8.281 (ε = 1, δ = 1e-6, each person in one cell); the noise"
    )


def test_a_noise_that_violates_its_guarantee_is_drawn_with_a_warning():
    assert (
        "✗ the noise violates (ε, δ)-DP: its true δ is"
        in table_words.answer_text(result_at(mechanism="classical", epsilon="10", delta="1e-5"))[1]
    )
    assert (
        "satisfies (ε, δ)-DP, unproved here, if the conditions hold."
        in table_words.answer_text(result_at(mechanism="classical", epsilon="2"))[1]
    )
    assert "(ε, δ)-DP, if the conditions hold." in table_words.answer_text(result_at())[1]


def test_pure_noise_is_described_without_a_delta():
    meaning = table_words.answer_text(result_at(mechanism="laplace"))[1]
    assert "the noise satisfies ε-DP, if the conditions hold." in meaning
    assert "δ" not in meaning


def test_a_level_too_small_to_be_shared_by_all_cells_is_replaced_with_a_sentence():
    readings, _ = read_link("tables", significance="1e-300", error="all")
    assert readings["significance"].used == "1e-290"
    assert readings["significance"].problem == (
        "significance level (significance) must be at least 1e-290 where many cells share it; 1e-300 was given. 1e-290 "
        "is used instead."
    )


@pytest.mark.parametrize("epsilon", ["10", "1000", "1e6"])
def test_noise_that_reaches_nowhere_is_drawn_too(epsilon):
    for exhibit in exhibits_by_name(
        result_at(epsilon=epsilon, mechanism="recommended", repeated="on"), "tables"
    ).values():
        expect_complete(exhibit)


def test_noise_beyond_every_count_is_drawn_too():
    for mechanism in ("analytic", "laplace"):
        result = result_at(epsilon="1e-12", delta="1e-300", per_cell="1e9", repeated="on", mechanism=mechanism)
        for exhibit in exhibits_by_name(result, "tables").values():
            expect_complete(exhibit)


def test_the_words_name_the_neighbours_the_totals_and_no_more_cells_than_there_are():
    place = result_at(neighbours="replace", margins="1", per_person="9", per_cell="2").parameters_text
    assert (
        place == "ε = 1, δ = 1e-6, a person in all 4 cells with up to 2 in each, one person replaced, 1 set of totals"
    )


def test_a_pinned_setting_is_compared_by_the_noise_that_is_drawn():
    link = "epsilon=1&delta=1e-6&l2_sensitivity=1&significance=0.05&table=own&mechanism=classical&error=each"
    result = result_at(mechanism="laplace", pinned=link)
    assert table_words.comparison_text(result).startswith(
        "Compared with the pin (ε = 1): ±10.39 → ±2.996 for one cell; classical Gaussian → Laplace noise."
    )


def test_only_the_size_of_a_table_opens_which_noise_and_says_why():
    readings, _ = read_link("tables", section="table", table="size")
    assert readings["section"].used == "noise"
    assert readings["section"].problem.startswith("“My table” needs a table")


def test_names_that_are_cut_alike_are_left_out_of_the_axis():
    own = ";".join(f"a long name that ends in {place}={place}" for place in range(5))
    assert "ticktext" not in cells(result_at(own=own))["layout"]["xaxis"]


def test_a_sample_table_leads_to_the_box_for_ones_own_and_ones_own_does_not():
    for section in ("noise", "table"):
        assert "sample table" in text_of(open_page("pages/6_Tables.py", section=section))
        own = text_of(open_page("pages/6_Tables.py", section=section, table="own", own="North=12;South=40"))
        assert "sample table" not in own


@pytest.mark.parametrize(
    ("link", "has_delta"),
    [({}, False), ({"mechanism": "laplace", "promise": "delta"}, False), ({"promise": "delta"}, True)],
)
def test_delta_is_a_field_only_where_the_noise_may_depend_on_it(link, has_delta):
    assert ("delta" in stage_of(open_page("pages/6_Tables.py", section="table", **link))["controls"]) is has_delta
