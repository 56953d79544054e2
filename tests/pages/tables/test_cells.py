"""The cells of a table with their error bars, and the questions about them."""

from dataclasses import replace
from functools import lru_cache

import numpy as np
import pandas as pd
import pytest

from pages.framework.export.exhibit import Exhibit
from pages.framework.export.exhibit_files import csv_text
from pages.framework.layout.section import Field, Fold
from pages.framework.parameters.number_format import format_up
from pages.shared.counts.table import Counts
from pages.tables import text as tables_text
from pages.tables.cells import section as cells_section
from pages.tables.cells.section import SECTION, cells_named
from pages.tables.mechanisms import text
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
    axis = cells(result_at())["layout"]["yaxis"]
    assert axis["ticktext"] == ["North", "a&lt;b", "South", "East"]
    assert axis["range"][0] > axis["range"][1]  # the first one on top
    as_given = cells(result_at(cell_order="table"))["layout"]["yaxis"]
    assert as_given["ticktext"] == ["North", "South", "East", "a&lt;b"]


def test_a_cell_of_9_stays_above_zero_but_differs_from_an_empty_one_in_57_percent_of_releases():
    result = result_at()
    assert result.stays_above_zero.tolist() == [True, True, False, True]
    assert result.visible_share[1] == pytest.approx(0.5677, abs=2e-3)
    assert result.mechanism is not None
    sentences = text.cell_questions(result, result.mechanism)
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
    assert traces == {"can be told from an empty cell": [100, 40], "looks like an empty cell": [7, 3]}
    exhibit = exhibits_by_name(result, "tables")["cells"]
    assert "2 of the error bars end above 0, and 3 of the cells are released as positive" in exhibit.alternative
    assert "stays_above_zero: only errors downwards count" in csv_text(exhibit)
    assert "yes, although its bar reaches 0" in html_of(exhibits_by_name(result, "tables")["cells_table"])
    assert result.mechanism is not None
    sentences = text.cell_questions(result, result.mechanism, text.error_bar_note(result, result.mechanism))
    folds = [part for part in SECTION.parts(result, LIGHT) if isinstance(part, Fold)]
    assert (sentences,) in [fold.parts for fold in folds]
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
    assert "for all 4 cells at once in 95 % of releases" in cells_section.subtitle(together)


def test_cells_that_count_nothing_have_no_relative_error_and_stand_at_the_foot_of_a_log_axis():
    relative, log = cells(result_at(axis="relative")), cells(result_at(axis="log"))
    assert sum(len(trace["x"]) for trace in relative["data"]) == 3
    assert np.concatenate([trace["x"] for trace in log["data"]]).min() == 0.5
    for trace in log["data"]:
        assert (trace["x"] - trace["error_x"]["arrayminus"] >= 0.39).all()


def test_of_many_cells_forty_are_drawn_at_once_from_the_one_that_is_chosen():
    def drawn(**link):
        return cells(large(100_000, cell_order="table", **link))["layout"]["yaxis"]["ticktext"]

    assert drawn(first_cell="41") == [f"c{place}" for place in range(40, 80)]
    assert drawn(first_cell="99999") == ["c99998", "c99999"]
    assert drawn(first_cell="1000000") == ["c99999"]
    for n_cells, has_search in ((41, True), (40, False)):
        searches = [field.search for field in SECTION.controls(large(n_cells)) if isinstance(field, Field)]
        assert any(search is not None and search.n_shown == 40 for search in searches) == has_search


def test_a_cell_is_found_by_words_of_its_name_in_any_letters_at_the_place_where_it_is_drawn():
    own = "Bad Köln=5;Köln=9;Düsseldorf=100;Straße Köln=7"
    result = result_at(own=own)
    assert cells_named(result, "koln") == [("2", "Köln"), ("3", "Straße Köln"), ("4", "Bad Köln")]
    assert cells_named(result, "KÖLN  strasse") == [("3", "Straße Köln")]
    assert cells_named(result, "Bonn") == []
    for place, name in cells_named(result, "köln"):
        assert cells(result_at(own=own, first_cell=place))["layout"]["yaxis"]["ticktext"][0] == name


def test_the_cells_offer_the_program_that_makes_their_release_unless_its_noise_is_too_little():
    safe = found_by("tables", section="table")
    assert PAGE.open_section(safe).downloads(safe) is not None
    unsafe = found_by("tables", section="table", mechanism="classical", promise="delta", epsilon="10")
    assert PAGE.open_section(unsafe).downloads(unsafe) is None


def test_cells_that_look_like_empty_ones_are_said_with_twice_the_epsilon_and_a_merge():
    result = result_at(own="North=100;South=7;West=3;East=40")
    words = cells_section.ways_out_text(result)
    assert words.startswith(
        "**2 of 4 cells look like empty ones**: in most releases a count below 8.281 cannot be told from 0."
    )
    assert "The others are usable in this sense. 1 of 4 are within 10 % of their count." in words
    assert "**Twice the ε**, 2: 3 of 4 cells are usable, with ±4" in words
    assert "**Merge cells that follow each other in the table** into 3 categories, all of them usable" in words
    assert "must be decided before anybody looks at the counts" in words
    folds = {part.name: part for part in SECTION.parts(result, LIGHT) if isinstance(part, Fold)}
    assert "follows your counts" in str(folds[cells_section.MERGES_NAME].parts[0])
    assert "Let a person add no more" in cells_section.ways_out_text(result_at(own="North=100;South=7", per_person="2"))
    table = exhibits_by_name(result, "tables")["merges"]
    assert "South + West" in html_of(table)
    assert "South,7.0,2" in csv_text(table)
    several = exhibits_by_name(result_at(own="North=40;South=4;West=4;East=4;Sea=1"), "tables")["merges"]
    assert "South … Sea" in html_of(several)


def test_without_a_cell_that_looks_empty_or_a_merge_that_helps_there_is_no_way_out():
    usable = result_at(own="North=100;South=70")
    assert cells_section.ways_out_text(usable).startswith("**All 2 cells are usable**")
    assert "merges" not in exhibits_by_name(usable, "tables")
    hopeless = result_at(own="North=100;South=1")
    assert hopeless.visible_share[1] < 0.5
    assert "Twice" not in cells_section.ways_out_text(hopeless)
    tiny = result_at(own="North=1;South=2")
    assert "**Merging** does not help" in cells_section.ways_out_text(tiny)
    assert "merges" not in exhibits_by_name(tiny, "tables")
    failing = result_at(mechanism="classical", epsilon="8", own="North=1;South=2")
    assert "Twice" not in cells_section.ways_out_text(failing)
    assert cells_section.ways_out_text(result_at(epsilon="0", mechanism="laplace")) == ""


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
    assert cells_section.subtitle(result_at()).startswith("Your table: ")


def test_a_noise_without_an_answer_draws_nothing_and_says_so():
    wrong = result_at(epsilon="0", mechanism="laplace")
    assert "cells" not in exhibits_by_name(wrong, "tables")
    assert cells_section.answer_text(wrong)[0] == "Laplace noise is not available at this setting."
    assert (
        "satisfies pure ε-DP"
        in cells_section.answer_text(result_at(epsilon="0", mechanism="recommended", promise="pure"))[0]
    )


def test_the_answer_says_the_error_of_the_cells_before_how_many_are_usable():
    first, second = cells_section.answer_text(result_at())
    assert first == "Each cell by itself is within ±8.281 in 95 % of releases (ε = 1, δ = 1e-6)."
    assert second.startswith(
        "With analytic Gaussian noise, 3 of 4 cells are told from empty cells at least half of the time; if the "
        "conditions hold"
    )
    together = result_at(error="all")
    assert together.half_width > result_at().half_width
    assert cells_section.answer_text(together)[0].startswith(
        f"All 4 cells are within ±{format_up(together.half_width)} at once in 95 % of releases ("
    )


def test_a_noise_that_violates_its_guarantee_is_drawn_with_a_warning():
    assert (
        "✗ the noise violates (ε, δ)-DP: its true δ is"
        in cells_section.answer_text(result_at(mechanism="classical", epsilon="10", delta="1e-5"))[1]
    )
    assert (
        "if the conditions hold, this satisfies (ε, δ)-DP, unproved here."
        in cells_section.answer_text(result_at(mechanism="classical", epsilon="2"))[1]
    )
    assert "if the conditions hold, this satisfies (ε, δ)-DP." in cells_section.answer_text(result_at())[1]


def test_pure_noise_is_described_without_a_delta():
    meaning = cells_section.answer_text(result_at(mechanism="laplace"))[1]
    assert "if the conditions hold, this satisfies ε-DP." in meaning
    assert "δ" not in meaning


def test_a_level_too_small_to_be_shared_by_all_cells_is_replaced_with_a_sentence():
    readings, _ = read_link("tables", significance="1e-300", error="all")
    assert readings["significance"].used == "1e-290"
    assert readings["significance"].problem == (
        "significance level must be at least 1e-290 where many cells share it; 1e-300 was given. 1e-290 "
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
    assert tables_text.comparison_text(result).startswith(
        "Compared with the pin (ε = 1): ±10.39 → ±2.996 for one cell; classical Gaussian → Laplace noise."
    )


def test_only_the_size_of_a_table_opens_which_noise_as_nothing_is_wrong():
    readings, _ = read_link("tables", section="table", table="size")
    assert readings["section"].used == "noise"
    assert readings["section"].problem == ""


def test_each_cell_has_a_row_with_its_name_even_where_names_are_cut_alike():
    own = ";".join(f"a{place}long-name-that-ends-in-{place % 1}={place}" for place in (1, 10, 100, 1000))
    alike = ";".join(f"a-long-name-that-is-cut-before-{place}={place}" for place in range(5))
    assert len({*cells(result_at(own=own))["layout"]["yaxis"]["ticktext"]}) == 4
    figure = cells(result_at(own=alike))
    assert len({*figure["layout"]["yaxis"]["ticktext"]}) == 1
    assert len(figure["layout"]["yaxis"]["ticktext"]) == 5
    assert figure["data"][0]["text"][0] == "a-long-name-that-is-cut-before-4"


def test_names_that_would_be_cut_alike_have_what_is_common_to_all_in_the_subtitle():
    own = ";".join(
        f"district of residence {a} <b>, sex {b}, agegroup {c} to 90={a}" for a in (1, 2) for b in "MF" for c in (20, 3)
    )
    layout = cells(result_at(own=own, cell_order="table"))["layout"]
    axis, common = layout["yaxis"], "district of residence, sex, agegroup"
    assert axis["ticktext"][:3] == ["1 &lt;b&gt;, M, 20 to 90", "1 &lt;b&gt;, M, 3 to 90", "1 &lt;b&gt;, F, 20 to 90"]
    assert layout["title"]["subtitle"]["text"].endswith(f"; cells by {common}")
    assert "cells by" not in cells(result_at())["layout"]["title"]["subtitle"]["text"]
    released = figure_of(exhibits_by_name(result_at(own=own, section="release"), "tables")["release"])["layout"][
        "xaxis"
    ]
    assert (sorted(released["ticktext"]), released["title"]["text"]) == (sorted(axis["ticktext"]), common)


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
    more = stage_of(open_page("pages/6_Tables.py", section="table", **link))["moreSettings"]
    assert ("delta" in more["keys"]) is has_delta


@pytest.mark.parametrize("axis", ["linear", "log"])
def test_a_picture_says_where_its_intervals_are_narrower_than_the_points(axis):
    def subtitle(own: str) -> str:
        link = {"table": "own", "own": own, "contribution": "once", "fixed": "yes", "axis": axis}
        figure = figure_of(exhibits_by_name(found_by("tables", section="table", **link), "tables")["cells"])
        return figure["layout"]["title"]["subtitle"]["text"]

    assert "intervals narrower than the points" in subtitle("North=120000;South=90000;West=12000")
    assert "narrower" not in subtitle("North=120;South=90;West=12")


YEARLY = {"contribution": "limited", "fixed": "yes", "per_person": "12", "per_cell": "4", "per_total": "4"}


@pytest.mark.parametrize("section", ["table", "noise"])
def test_one_epsilon_for_several_years_is_said_with_that_of_each_and_the_error_of_one_year(section):
    yearly = found_by("tables", section=section, n_periods="3", **YEARLY)
    alone = found_by("tables", section=section, **YEARLY)
    words, one_year = (" ".join(PAGE.answer_text(result)) for result in (yearly, alone))
    assert "ε = 1 is for all 3 years together, 0.3334 for each;" in words
    assert f"a table of one year alone, P = 1, has ±{format_up(alone.half_width)}." in words
    assert "years" not in one_year
    for statement in vars(PAGE.statements_of(yearly)).values():
        assert "The guarantee is for all 3 years in the table together." in statement
        assert "in at most 12 cells of all 3 years together" in statement
        assert "at most 4 in each of 3 years" in statement


def test_the_statements_name_the_noise_and_from_which_count_on_a_cell_is_no_empty_one():
    result = found_by("tables", **YEARLY)
    statements = PAGE.statements_of(result)
    assert statements is not None
    threshold = format_up(result.detection_threshold)
    assert "geometric" not in statements.public
    assert "geometric noise, s = 4" in statements.paper
    for statement in (statements.public, statements.paper, statements.experts):
        assert f"; below {threshold} it does not tell whether its cell is empty." in statement


def test_no_cell_is_distinguishable_in_100_percent_of_releases():
    page = tables_text.cells_html(found_by("tables", section="table", epsilon="5"))
    assert "&gt; 99.9 % of releases" in page
    assert "100 % of releases" not in page
