"""Small functions for words and numbers that pages share, each at examples."""

import math
from decimal import Decimal

import pytest

from dpcore import calibrations
from dpcore.readers import TableProblem
from dpcore.readers.notes import CommentLines, DecimalMark
from pages.framework.chart import theme
from pages.framework.classroom import demonstrations
from pages.framework.layout import offers, own_data, panels
from pages.framework.parameters import kinds, list_parameter, number_format
from pages.framework.session import data_files
from pages.framework.site import PageEntry, Tabs
from pages.live_class import results
from pages.report import text, word
from pages.shared import file_notes, formulas, guarantee_claims, page_links, releases, shared_parameters, statements
from pages.shared.counts import linked_table, table, table_notes
from pages.shared.site_map import START, TABLES
from pages.shared.values import parameters as values
from pages.start.glossary import guarantee_data
from pages.start.results import index_name

MARK = DecimalMark(".", "1,200", 1200.0)


@pytest.mark.parametrize(
    ("word", "given", "expected"),
    [
        (number_format.rounded_up, (1.23401,), 1.235),
        (number_format.rounded_up, (1234.01,), 1235.0),
        (number_format.percent, (0.95,), "95 %"),
        (number_format.percent, (1 - 1e-9, 12), "99.9999999 %"),
        (number_format.percent_down, (0.25951102,), "25.95 %"),
        (number_format.percent_down, (1,), "100 %"),
        (number_format.listed, (["1"],), "1"),
        (number_format.listed, (["1", "2", "3"],), "1, 2 and 3"),
        (number_format.capitalized, ("by RDP",), "By RDP"),
        (number_format.capitalized, ("",), ""),
        (number_format.uncapitalized, ("By RDP",), "by RDP"),
        (number_format.without_markdown, (r"**±3** of a\*b",), "±3 of a*b"),
        (number_format.exact_text, (1000,), "1000"),
        (number_format.exact_text, (1e100,), "1e100"),
        (number_format.exact_text, (-0.5,), "-0.5"),
        (number_format.plain_exponents, ("from 1e-06 to 2e+03",), "from 1e-6 to 2e3"),
        (number_format.interval_ends, ("[1e-300, 1)",), ("1e-300", "1")),
        (panels.number, (3**0.5,), "1.7320508075688772"),
        (panels.number, (1e-6,), "1e-06"),
        (panels.number, (5,), "5.0"),
        (guarantee_claims.number, ("1,234",), Decimal(1234)),
        (guarantee_claims.number, ("1e-6",), Decimal("0.000001")),
        (guarantee_claims.number, ("−0.5",), Decimal("-0.5")),
        (statements.public_size, (1234567.0,), "1,240,000"),
        (statements.public_size, (28.0,), "28"),
        (statements.in_full, ("1.235e6",), "1,235,000"),
        (statements.in_full, ("28",), "28"),
        (statements.in_full, ("1e-3",), "0.001"),
        (statements.in_full, ("1e300",), "1e300"),
        (values.amount, (2_804_454.7,), "2,804,000"),
        (values.amount, (-0.25,), "−0.25"),
        (values.amount, (3e16,), "3e16"),
        (values.amount_up, (2_804_454.7,), "2,805,000"),
        (values.amount_up, (12.34567,), "12.35"),
        (values.entered_amount, (1e6,), "1,000,000"),
        (values.entered_amount, (0.125,), "0.125"),
        (values.in_unit, ("value", "days"), "value (days)"),
        (values.in_unit, ("value", ""), "value"),
        (values.with_unit, ("1", "days"), "1 day"),
        (values.with_unit, ("2", ""), "2"),
        (values.unit_after, ("1", "people"), "person"),
        (values.unit_after, ("1", "ms"), "ms"),
        (values.unit_after, ("2", "people"), "people"),
        (results.epsilon_text, (1,), "ε = 1"),
        (results.epsilon_text, (math.inf,), "no noise"),
        (results.points, (0.1234,), "12.34"),
        (shared_parameters.and_delta, (1e-6,), ", δ = 1e-6"),
        (shared_parameters.and_delta, (None,), ""),
        (shared_parameters.guarantee_words, (0.5, 1e-6), " (ε = 0.5, δ = 1e-6)"),
        (shared_parameters.guarantee_words, (1.0, None), " (ε = 1)"),
        (formulas.short_name, (calibrations.CLASSICAL_TIGHT,), "Classical, tight constant"),
        (theme.hover_head, ("ε",), {"unifiedhovertitle": {"text": "ε = %{x:.4~g}"}}),
        (theme.transparent, ("#0060a0",), "rgba(0,96,160,0.16)"),
        (word._accent, ("^",), chr(0x302)),
        (word._accent, ("?",), "?"),
    ],
)
def test_a_number_or_a_word_is_written_as_its_page_says(word, given, expected):
    assert word(*given) == expected


@pytest.mark.parametrize(
    ("sentence", "given", "expected"),
    [
        (own_data.these, ("table",), "this table"),
        (own_data.these, ("values",), "these values"),
        (own_data.link_text, ("values",), "The values are in the link: whoever gets it can read them."),
        (own_data.unlinkable_text, ("table", "it is long"), "This table can’t be included: it is long."),
        (own_data.unlinkable_text, ("table", ""), ""),
        (kinds.replacement, ("0.05",), "0.05 is used instead."),
        (kinds.replacement, ("A text" + 9 * " of several lines",), "The last usable text is used instead."),
        (list_parameter.wrong_count_note, ("pure", 1, 2), "pure needs 1 number; 2 were given."),
        (list_parameter.wrong_count_note, ("here", 0, 1), "here needs no numbers; 1 was given."),
        (
            data_files.unreadable_text,
            ("a", "it is empty"),
            "a can’t be read: it is empty. Nothing is drawn in its place.",
        ),
        (text.numbered, ([True, False, True], "is", "are"), "Items 1 and 3 are"),
        (text.numbered, ([False, True], "is", "are"), "Item 2 is"),
        (table.cap_text, (4.0, 3.0), ", at most 4 in each of 3 years"),
        (table.cap_text, (4.0, 1.0), ", at most 4 in all"),
        (table.cap_text, (math.nan, 1.0), ""),
        (linked_table.OwnTable().data_in, ("North=12;South=3",), "a table of 2 cells"),
        (linked_table.OwnTable().data_in, ("none",), ""),
        (values.LinkedValues().data_in, ("12;15",), "2 values"),
        (values.LinkedValues().data_in, ("none",), ""),
        (file_notes.column_list, (tuple("abcdefghijkl"),), "a, b, c, d, e, f, g, h, i, j, …"),
        (file_notes.chosen_entry, ([MARK],), "1,200"),
        (file_notes.chosen_entry, ([DecimalMark(".", "1,200", 1200.0, "7.5")],), ""),
        (releases._line_text, (releases.Item("pure", ("0.5",), "3", name="Counts"),), "Counts: 0.5-DP, 3 ×"),
        (releases._line_text, (releases.Item("pure", ("0.5",)),), "0.5-DP"),
        (shared_parameters.glossary_link, ("median", "medians"), "[medians](./?section=glossary&term=median)"),
        (index_name, (guarantee_data.ENTRIES["epsilon"],), "epsilon, the privacy loss parameter"),
        (index_name, (guarantee_data.ENTRIES["approximate_dp"],), "epsilon, delta)-dp"),
        (demonstrations.address, ("classical-3",), "./Gaussian_bounds?demo=classical-3"),
    ],
)
def test_a_sentence_or_a_link_is_written_as_its_page_says(sentence, given, expected):
    assert sentence(*given) == expected


def test_the_help_of_a_field_ends_in_a_link_to_the_glossary():
    expected = " More in the glossary: [δ](./?section=glossary&term=delta)."
    assert shared_parameters.more_text("delta", "δ") == expected


def test_a_link_to_a_page_sets_its_parameters():
    link = page_links.Link(TABLES, "A table", {"epsilon": "2", "section": "table"})
    assert link.address == "./Tables?epsilon=2&section=table"


def test_only_statements_have_the_name_of_one():
    assert offers.is_statement("statement_public")
    assert not offers.is_statement("answer")


def test_tabs_have_the_sections_that_they_name():
    assert Tabs(START, ("pages",)).has(START, "pages")
    assert not Tabs(START, ("pages",)).has(START, "class")
    assert not Tabs(PageEntry("app.py", "Other", "?")).has(START, "pages")


def test_html_is_read_as_elements_and_a_table_without_its_links():
    assert [child.tag for child in word.read_html("<h1>A</h1> <p>B <b>C</b></p>").elements] == ["h1", "p"]
    linked = "<table><tbody><tr><td><a href='#'>1</a></td></tr></tbody></table>"
    assert text.shortened(linked) == ("<table><tbody><tr><td>1</td></tr></tbody></table>", 1)


def test_the_notes_and_the_repairs_of_a_file_are_those_that_it_needs():
    sentences = file_notes.sentences([CommentLines(2)], file_notes.FILE_SENTENCES)
    assert sentences == ("Lines at the top that begin with # are skipped: 2.",)
    problems = [TableProblem(5, "suppressed"), TableProblem(1, "lines"), TableProblem(3, "entry")]
    assert table_notes.offered_repairs(problems) == ("lines", "suppressed")
    assert linked_table.cells_frame((("North", 12),)).to_dict("list") == {"cell": ["North"], "count": [12.0]}
