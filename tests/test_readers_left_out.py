"""Columns beside the counts of a file: shares that are left out, the column of counts that is chosen, titles above."""

import pytest

from dpcore.readers import REPAIRS, countable_columns, read_table, table_problems
from dpcore.readers.notes import AddUpToHundred, ColumnsLeftOut, CountColumn, EmptyColumns, LinesLeftOut

OFFICE = (
    "Besuche der Bürgerämter 2025;;\n\nBezirk;Besuche;Anteil %\nMitte;6.172;40,6\nPankow;5.310;34,9\n\n"
    "Spandau;3.720;24,5\nGesamt;15.202;100,0\nQuelle: Amt für Statistik;;\n"
)
STAFF = "area;year;visits;staff\nN;2024;12;x3\nS;2024;20;5\nW;2024;7;2\n"
DISTRICTS = {"Mitte": 6172.0, "Pankow": 5310.0, "Spandau": 3720.0}


def repairs_of(text, **options):
    needed = {repair for problem in table_problems(text.encode(), **options) for repair in problem.repairs}
    return tuple(repair for repair in REPAIRS if repair in needed)


def cells(text, **options):
    frame = read_table(text.encode(), **options).frame
    return dict(zip(frame["cell"], frame["count"], strict=True))


def test_a_column_of_shares_is_one_problem_with_a_repair_that_leaves_it_out():
    problems = [problem for problem in table_problems(OFFICE.encode()) if problem.reason == "columns"]
    assert [(problem.line, problem.column, problem.name, problem.text) for problem in problems] == [
        (4, 3, "Anteil %", "40,6")
    ]
    assert repairs_of(OFFICE) == ("lines", "columns", "thousands")


def test_the_repairs_of_a_table_with_shares_and_titles_make_it_a_table():
    assert table_problems(OFFICE.encode(), repairs=repairs_of(OFFICE)) == ()
    assert cells(OFFICE, repairs=repairs_of(OFFICE)) == DISTRICTS
    table = read_table(OFFICE.encode(), repairs=repairs_of(OFFICE))
    assert ColumnsLeftOut(("Anteil %",)) in table.notes


def test_without_the_repair_shares_are_refused_and_never_taken_for_counts():
    with pytest.raises(ValueError, match=r"line 4, column 3 \(Anteil %\)"):
        read_table(OFFICE.encode(), repairs=("lines", "thousands"))


@pytest.mark.parametrize(
    "share", [("1.5", "2.5", "8.1"), ("", "2.5", "8.1"), ("10%", "60 %", "30%"), ("-3", "−4", "-12")]
)
def test_shares_means_and_changes_are_left_out_of_a_cross_table_with_other_counts(share):
    first, second, third = share
    text = f"area;men;women;more\nN;1;2;{first}\nS;3;4;{second}\nW;5;6;{third}\n"
    assert repairs_of(text) == ("columns",)
    counts = cells(text, repairs=("columns",))
    assert [*counts] == ["N × men", "N × women", "S × men", "S × women", "W × men", "W × women"]
    assert [*counts.values()] == [1, 2, 3, 4, 5, 6]


def test_whole_numbers_with_a_zero_after_the_point_are_counts_and_stay():
    text = "area,men,women\nN,1.0,2.0\nS,3.0,4.0\n"
    assert repairs_of(text) == ()
    assert [*cells(text, repairs=("columns",)).values()] == [1, 2, 3, 4]


def test_a_file_of_shares_alone_has_no_column_to_leave_out():
    text = "area;men;women\nN;1,5;2,5\nS;3,5;4,5\n"
    assert {problem.reason for problem in table_problems(text.encode())} == {"entry"}
    with pytest.raises(ValueError, match="1,5 is not a whole number"):
        read_table(text.encode(), repairs=("columns",))


def test_the_column_of_counts_can_be_chosen_and_other_numbers_then_name_no_cell():
    assert countable_columns(STAFF.encode()) == ("year", "visits", "staff")
    assert cells(STAFF, kind="column", counts="visits") == {"N": 12, "S": 20, "W": 7}
    table = read_table(STAFF.encode(), kind="column", counts="visits")
    assert table.count_columns == ("year", "visits", "staff")
    assert table.notes[3:5] == (CountColumn(3, "visits", ("area",)), ColumnsLeftOut(("year", "staff")))
    assert [problem.text for problem in table_problems(STAFF.encode(), kind="column")] == ["x3"]
    assert table_problems(STAFF.encode(), kind="column", counts="visits") == ()


def test_numbers_name_cells_where_the_texts_beside_the_chosen_counts_do_not_differ():
    text = "area;year;visits\nN;2023;12\nN;2024;20\nS;2024;7\n"
    counts = cells(text, kind="column", counts="visits")
    assert [*counts] == ["area N, year 2023", "area N, year 2024", "area S, year 2024"]


@pytest.mark.parametrize(("kind", "counts"), [("column", "area"), ("column", "none"), ("cross_table", "visits")])
def test_a_column_that_cannot_be_the_counts_is_refused(kind, counts):
    with pytest.raises(ValueError, match="counts must be in"):
        read_table(STAFF.encode(), kind=kind, counts=counts)


@pytest.mark.parametrize(
    ("titles", "n_titles"),
    [("Visits 2025;\n\n", 1), ("Visits 2025;\n", 1), ("Visits;\nof 2025;\n\n", 2), ('"Visits\n2025";\n\n', 1)],
)
def test_a_line_with_one_entry_above_the_header_or_a_blank_line_is_a_title(titles, n_titles):
    text = f"{titles}area;visits\nN;12\nS;20\n"
    assert repairs_of(text) == ("lines",)
    table = read_table(text.encode(), repairs=("lines",))
    assert dict(zip(table.frame["cell"], table.frame["count"], strict=True)) == {"N": 12, "S": 20}
    (left_out,) = [note for note in table.notes if isinstance(note, LinesLeftOut)]
    assert len(left_out.lines) == n_titles


def test_a_first_cell_without_a_count_is_no_title():
    assert repairs_of("North;\nSouth;12\nWest;4\n") == ("header", "empty")
    assert repairs_of("n;\nNorth;\nSouth;12\n", kind="column") == ("header", "empty")


FIRST_EMPTY = "North,{}\nSouth,12\nEast,7\n"


@pytest.mark.parametrize("entry", ["", "–", "n/a"])
def test_a_first_row_without_a_count_is_never_left_out_silently(entry):
    text = FIRST_EMPTY.format(entry)
    with pytest.raises(ValueError, match="line 1, column 2: "):
        cells(text)
    assert [(found.line, found.reason, found.repairs) for found in table_problems(text.encode())] == [
        (1, "header", ("header", "empty"))
    ]
    assert cells(text, repairs=("header",)) == {"South": 12, "East": 7}
    if entry != "n/a":
        assert cells(text, repairs=("empty",)) == {"North": 0, "South": 12, "East": 7}
    for repair in ("header", "empty"):
        assert table_problems(text.encode(), repairs=(repair,)) == ()


def test_other_numbers_and_names_of_the_first_row_say_whether_it_is_a_header():
    assert repairs_of("area,year,\nNorth,2024,12\nSouth,2025,7\n", kind="column") == ()
    assert repairs_of("North,,5\nSouth,12,4\nEast,7,6\n") == ("empty",)
    assert cells(FIRST_EMPTY.format("<5"), repairs=("suppressed",)) == {"North": 4, "South": 12, "East": 7}
    with pytest.raises(ValueError, match="line 1, column 2: <5 is not a count"):
        cells(FIRST_EMPTY.format("<5"))


@pytest.mark.parametrize("name", ["percent", "share (%)", "Anteil", "Rate"])
def test_a_column_of_whole_numbers_that_is_named_as_shares_is_asked_about(name):
    text = f"area,{name}\nNorth,21\nSouth,30\nEast,40\n"
    with pytest.raises(ValueError, match=r"line 1, column 2 .* it is named as shares, not as counts"):
        cells(text)
    assert repairs_of(text) == ("shares",)
    assert cells(text, repairs=("shares",)) == {"North": 21, "South": 30, "East": 40}
    beside = f"area,men,{name}\nNorth,210,21\nSouth,300,30\nEast,490,49\n"
    with pytest.raises(ValueError, match="it is named as shares"):
        cells(beside)
    assert repairs_of(beside) == ("columns", "shares")
    assert cells(beside, repairs=("columns",)) == {"North": 210, "South": 300, "East": 490}
    assert cells(beside, repairs=("shares",))[f"South × {name}"] == 30
    assert cells(f"area,count,{name}\nNorth,210,21\nSouth,300,30\n") == {"North": 210, "South": 300}


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("North,20\nSouth,30\nEast,50\n", "table"),
        ("North,20\nSouth,30\nEast,52\n", None),
        ("area,men,women\nNorth,40,60\nSouth,27,72\n", "row"),
        ("area,men,women\nNorth,20,30\nSouth,30,30\nEast,50,41\n", "column"),
    ],
)
def test_counts_that_add_up_like_percentages_get_a_note(text, part):
    notes = [note for note in read_table(text.encode()).notes if isinstance(note, AddUpToHundred)]
    assert notes == ([AddUpToHundred(part)] if part else [])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("District,Remark,Visits\nHarbour,,12\nOld town,,7\n", {"Harbour": 12, "Old town": 7}),
        ("District;Visits;Remark\nHarbour;12;\nOld town;7; \n", {"Harbour": 12, "Old town": 7}),
        ("Remark,area,men,women\n,N,1,2\n,S,3,5\n", {"N × men": 1, "N × women": 2, "S × men": 3, "S × women": 5}),
    ],
)
def test_an_empty_column_is_left_out_with_a_note_and_names_no_cell(text, expected):
    assert cells(text) == expected
    assert EmptyColumns(("Remark",)) in read_table(text.encode()).notes
    assert table_problems(text.encode()) == ()


def test_a_column_that_is_empty_in_the_first_rows_alone_is_not_left_out_silently():
    rows = "".join(f"place {number},,7\n" for number in range(1200))
    with pytest.raises(ValueError, match=r"line 1202, column 2 \(Remark\): an entry of a column that is empty in"):
        cells(f"place,Remark,visits\n{rows}last,seen,7\n")


def test_no_column_that_holds_data_or_the_only_counts_is_taken_for_an_empty_one():
    assert cells("Harbour,note,12\nOld town,,7\n")["Old town"] == 7
    with pytest.raises(ValueError, match="the count is missing"):
        cells("area,count\nNorth,\nSouth,\n")
