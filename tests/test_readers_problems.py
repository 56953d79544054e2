"""Published tables with titles, empty entries, suppressed counts and totals: their problems, and the repairs."""

import pytest

from dpcore.readers import MOST_PROBLEMS, REPAIRS, read_table, table_problems
from dpcore.readers.notes import (
    EmptyAsZero,
    GrandTotal,
    LinesLeftOut,
    NamedAsTotal,
    NamedTotalsLeftOut,
    SuppressedCounts,
    Thousands,
    TotalLeftOut,
)

PUBLISHED = """Table 3: Visits by region and sex, 2025

Region,Men,Women,Total
North,112,<5,114
South,,31,31
East,–,7,7
Total,112,40,152

Source: Health survey, 2025; own calculations
"""
ALL = ("lines", "empty", "suppressed")


def reasons(text, **options):
    return [(problem.line, problem.column, problem.reason) for problem in table_problems(text.encode(), **options)]


def cells(text, repairs=ALL, **options):
    frame = read_table(text.encode(), repairs=repairs, **options).frame
    return dict(zip(frame["cell"], frame["count"], strict=True))


def notes_of(text, kind, repairs=ALL):
    return [note for note in read_table(text.encode(), repairs=repairs).notes if isinstance(note, kind)]


def test_all_problems_of_a_published_table_are_listed_with_line_and_column():
    assert reasons(PUBLISHED) == [
        (1, 0, "lines"),
        (4, 3, "suppressed"),
        (5, 2, "empty"),
        (6, 2, "empty"),
        (9, 0, "lines"),
    ]


def test_a_repair_removes_its_problems_and_no_others():
    assert reasons(PUBLISHED, repairs=("lines", "empty")) == [(4, 3, "suppressed")]
    assert reasons(PUBLISHED, repairs=ALL) == []


def test_a_problem_names_its_repair_and_one_that_only_the_user_can_mend_names_none():
    problems = table_problems(b"a,men,women\nx,1,2\ny,<5,n/a\nz,3,4,5\nw,1,1\n")
    assert [(problem.reason, problem.repairs) for problem in problems] == [
        ("suppressed", ("suppressed",)),
        ("entry", ()),
        ("width", ()),
    ]
    assert (problems[0].text, problems[0].largest, problems[1].name) == ("<5", 4, "women")
    assert problems[1].detail == "n/a is not a count; a count is a whole number from 0 to 1e15"
    assert (problems[2].text, problems[2].detail) == ("4", "3")


def test_a_column_of_counts_most_of_which_are_not_available_is_no_column_of_labels():
    file = "region,men,women\nA,12,n/a\nB,NA,3\nC,..,:\nD,5,n.a.\n"
    assert reasons(file) == [(2, 3, "entry"), (3, 2, "entry"), (4, 2, "entry"), (4, 3, "entry"), (5, 3, "entry")]


def test_only_the_first_problems_are_listed():
    assert len(reasons("a,n\n" + "x,<5\n" * 99)) == MOST_PROBLEMS


def test_the_repaired_table_has_the_counts_of_the_published_one():
    table = cells(PUBLISHED, (*ALL, "totals"))
    assert table == {
        "North × Men": 112,
        "North × Women": 4,
        "South × Men": 0,
        "South × Women": 31,
        "East × Men": 0,
        "East × Women": 7,
    }


def test_every_repair_is_noted():
    (lines,) = notes_of(PUBLISHED, LinesLeftOut)
    assert isinstance(lines, LinesLeftOut)
    assert [line for line, _ in lines.lines] == [1, 9]
    assert lines.lines[0][1] == "Table 3: Visits by region and sex 2025"
    assert notes_of(PUBLISHED, EmptyAsZero) == [EmptyAsZero(2, ("South × Men", "East × Men"))]
    assert notes_of(PUBLISHED, SuppressedCounts) == [SuppressedCounts(1, 4, has_zeros=True)]
    assert notes_of("a,n\nx,12\ny,≤5\n", SuppressedCounts) == [SuppressedCounts(1, 5, has_zeros=False)]


@pytest.mark.parametrize("mark", [".", ","])
def test_a_mark_that_may_separate_thousands_is_read_so_on_request_alone(mark):
    data = f"a;n\nx;1{mark}203\ny;+12{mark}000\nz;7\n"
    problems = table_problems(data.encode())
    assert [(problem.line, problem.repairs) for problem in problems] == [(2, ("thousands",)), (3, ("thousands",))]
    assert problems[0].detail == f"1{mark}203 can be read as 1203 or as 1.203; write 1203 or 1.203"
    assert cells(data, ("thousands",)) == {"x": 1203, "y": 12000, "z": 7}
    assert notes_of(data, Thousands, ("thousands",)) == [Thousands(f"1{mark}203", 1203.0)]
    with pytest.raises(ValueError, match=rf"1\{mark}203 can be read as 1203 or as 1\.203"):
        cells(data, ("lines",))


def test_the_problems_of_a_table_that_settles_its_decimal_mark_follow_it():
    fractions = table_problems(b"a,n\nx,1.203\nz,7\nw,0.125\n")
    assert [(problem.line, problem.reason) for problem in fractions] == [(2, "entry"), (4, "entry")]
    assert fractions[0].detail == "1.203 is not a whole number; give counts, not shares or means"
    other = table_problems(b"Table 1\na;n\nx;1.203\nz;1.234.567\nw;1,234,567\n", repairs=("lines",))
    assert [problem.detail for problem in other] == ["1,234,567 is no number with a decimal comma"]


def test_totals_that_do_not_add_up_stay_until_they_are_left_out():
    wrong = PUBLISHED.replace("114", "130").replace("Total,112,40", "Total,112,60")
    assert len(notes_of(wrong, NamedAsTotal)) == 2
    assert notes_of(wrong, NamedTotalsLeftOut, (*ALL, "totals")) == [NamedTotalsLeftOut(("Total",))] * 2
    assert notes_of(wrong, GrandTotal, (*ALL, "totals")) == [GrandTotal()]
    data = "a,n\nx,1\nTotal,3\ny,2\nTotal,9\n"
    assert notes_of(data, TotalLeftOut, ("totals",)) == []
    assert cells(data, ("totals",)) == {"x": 1, "y": 2}


def test_totals_are_left_out_if_they_add_up_as_far_as_suppressed_counts_can_be_known():
    assert notes_of(PUBLISHED, TotalLeftOut) == [
        TotalLeftOut("column", "Total", is_exact=False),
        TotalLeftOut("row", "Total", is_exact=False),
    ]
    assert notes_of("a,n\nx,<5\ny,2\nTotal,1\n", NamedAsTotal) == [NamedAsTotal(("Total",))]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Visits by region, sex and age\nRegion;Men;Women\nN;1;2\nS;3;4\nSource: A, B, C, D\n", {"N × Men": 1}),
        ("Visits by region, 2025\nregion,visits\nNorth,12\nSouth,3\n", {"North": 12, "South": 3}),
        ("Title,,\n,,\nRegion,Men,Women\nN,1,2\nS,3,4\nSource,,\n", {"N × Men": 1, "S × Women": 4}),
        ("Visits 2025\nregion\tvisits\nN\t12\nS\t3\n\nNote: provisional\n", {"N": 12, "S": 3}),
        ("a,n\nNorth,12\nSouth,3\nSource: survey,\n", {"North": 12, "South": 3}),
        ("12\n3\n<5\n", {"row 1": 12, "row 2": 3, "row 3": 4}),
    ],
)
def test_titles_and_sources_are_found_whatever_separates_the_columns(text, expected):
    assert expected.items() <= cells(text).items()


def test_a_label_without_a_count_is_no_note_on_a_table_of_two_columns():
    assert cells("a,n\nNorth,12\nSouth,\n") == {"North": 12, "South": 0}


def test_a_subheading_between_rows_is_part_of_the_table():
    assert reasons("Region,Men,Women\nEurope,,\nN,1,2\nS,3,4\n") == [(2, 2, "empty"), (2, 3, "empty")]


def test_an_empty_count_is_never_read_from_a_title_or_a_source():
    with pytest.raises(ValueError, match="line 9: a title, note or source"):
        cells(PUBLISHED.partition("\n\n")[2].join(("\n\n", "")), ("empty", "suppressed"))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a,n\nx,1\ny,1,2\nz,3\n", "line 3: 3 columns, unlike most lines"),
        ("a,b,n\nx,1,1\ny\nz,3,1\n", "line 3: 1 column, unlike most lines"),
    ],
)
def test_a_row_of_another_width_inside_the_table_is_refused(text, reason):
    with pytest.raises(ValueError, match=reason):
        cells(text)


def test_more_lines_than_notes_have_below_a_table_are_refused():
    with pytest.raises(ValueError, match="unlike most lines"):
        cells("a,n\n" + "x,1\n" * 99 + "note\n" * 60)


def test_raw_records_have_no_counts_to_repair():
    data = "People\nsex,region\nF,N\nM,S\nF,S\nF,S\n"
    assert reasons(data, columns=("sex",)) == [(1, 0, "lines")]
    assert cells(data, columns=("sex",)) == {"F": 3, "M": 1}


def test_a_column_without_a_header_has_its_problems_listed_by_line():
    assert reasons("12\n3\n<5\n") == [(3, 1, "suppressed")]


def test_a_table_that_can_be_read_has_no_problems():
    assert reasons("a,n\nx,1\ny,2\n") == []


@pytest.mark.parametrize("text", ["", "\n\n"])
def test_an_empty_file_has_no_list_of_problems(text):
    with pytest.raises(ValueError, match="line 1: the file is empty"):
        table_problems(text.encode())


def test_an_unknown_repair_is_refused():
    with pytest.raises(ValueError, match="repairs must be in"):
        read_table(b"a,n\nx,1\n", repairs=("all",))
    assert REPAIRS == ("lines", "columns", "shares", "header", "empty", "suppressed", "thousands", "totals")
