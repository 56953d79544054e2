import codecs
import re

import numpy as np
import pytest

from dpcore import readers
from dpcore.readers import read_table
from dpcore.readers.notes import (
    ColumnsLeftOut,
    CommentLines,
    CountColumn,
    EqualsTotal,
    GrandTotal,
    HeaderRow,
    NamedAsTotal,
    NumberedNames,
    TableKind,
    TableSize,
    TextFormat,
    Thousands,
    TotalLeftOut,
)

ZIPPED = "the file is a zip archive or a workbook (.xlsx), not text; save the sheet as CSV"


def cells(data, **options):
    """Return a table as a dict, from text or bytes."""
    table = read_table(data.encode() if isinstance(data, str) else data, **options)
    assert len(set(table.frame["cell"])) == len(table.frame)
    return dict(zip(table.frame["cell"], table.frame["count"], strict=True))


def notes(data, **options):
    return list(read_table(data.encode() if isinstance(data, str) else data, **options).notes)


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_column_of_counts_is_read_whatever_separates_its_entries_and_lines(separator, end):
    rows = (("region", "count"), ("North", "12"), ("South", "3"))
    assert cells(end.join(separator.join(row) for row in rows)) == {"North": 12, "South": 3}


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        (b"region,count\nS\xc3\xbcd,3\n", "UTF-8"),
        (codecs.BOM_UTF8 + b"region,count\nS\xc3\xbcd,3\n", "UTF-8"),
        (codecs.BOM_UTF16_LE + "region,count\nSüd,3\n".encode("utf-16-le"), "UTF-16"),
        (codecs.BOM_UTF16_BE + "region,count\nSüd,3\n".encode("utf-16-be"), "UTF-16"),
    ],
)
def test_a_text_is_read_in_utf_8_and_utf_16_and_the_encoding_is_noted(data, encoding):
    assert cells(data) == {"Süd": 3}
    assert notes(data)[0] == TextFormat(encoding, ",")


@pytest.mark.parametrize(
    ("data", "expected_cells"),
    [
        ("12\n3\n", {"row 1": 12, "row 2": 3}),
        ("count\n4\n0\n", {"row 1": 4, "row 2": 0}),
        ("North,12\nSouth,3\n", {"North": 12, "South": 3}),
        ("region,people\nNorth,12\nSouth,3\n", {"North": 12, "South": 3}),
        ("count,region\n12,North\n3,South\n", {"North": 12, "South": 3}),
        ('region,count\n"North, by the sea",12\n"a ""b""",3\n', {"North, by the sea": 12, 'a "b"': 3}),
        ("area, Count\n\nNorth, 12\n , \nSouth,3", {"North": 12, "South": 3}),
        ("sex,area,n\nF,N,2\nF,S,3\n", {"sex F, area N": 2, "sex F, area S": 3}),
        ("F,N,2\nF,S,3\n", {"F, N": 2, "F, S": 3}),
        ("sex,area,n\nF,N,2\n,S,3\n,,1\n", {"sex F, area N": 2, "area S": 3, "row 3": 1}),
        ("year,births\n1990,7\n1991,8\n", {"1990": 7, "1991": 8}),
        ("a,b,x\n1,1,7\n2,1,8\n1,2,0\n2,2,9\n", {"a 1, b 1": 7, "a 2, b 1": 8, "a 1, b 2": 0, "a 2, b 2": 9}),
        ("=1+1,count\nx,1\n+y,2\n", {"x": 1, "+y": 2}),
    ],
)
def test_a_column_of_counts_is_found_with_or_without_labels_and_a_header(data, expected_cells):
    assert cells(data) == expected_cells
    assert read_table(data.encode()).kind == "column"


@pytest.mark.parametrize(
    ("data", "expected_cells"),
    [
        ("area,men,women\nN,1,2\nS,3,0\n", {"N × men": 1, "N × women": 2, "S × men": 3, "S × women": 0}),
        (",2001,2002\nN,1,2\nS,3,0\n", {"N × 2001": 1, "N × 2002": 2, "S × 2001": 3, "S × 2002": 0}),
        ("N,1,2\nS,3,0\n", {"N × column 2": 1, "N × column 3": 2, "S × column 2": 3, "S × column 3": 0}),
        (
            "year;men;women\n1990;1;2\n;3;0\n",
            {"1990 × men": 1, "1990 × women": 2, "row 2 × men": 3, "row 2 × women": 0},
        ),
    ],
)
def test_a_cross_table_names_its_cells_by_row_and_column(data, expected_cells):
    assert cells(data) == expected_cells
    assert read_table(data.encode()).kind == "cross_table"


def test_totals_of_a_cross_table_are_left_out_with_a_note():
    data = "area,men,women,Total\nN,1,2,3\nS,3,0,3\nTotal:,4,2,6\n"
    assert cells(data) == {"N × men": 1, "N × women": 2, "S × men": 3, "S × women": 0}
    column, row = TotalLeftOut("column", "Total"), TotalLeftOut("row", "Total:")
    assert notes(data)[3:] == [column, row, GrandTotal(), TableSize(4, 1)]
    assert notes("area,men,women,Total\nN,1,2,3\nS,3,0,3\n")[3:] == [column, TableSize(4, 1)]
    assert notes("area,men,women\nN,1,2\nS,3,0\nTotal:,4,2\n")[3:] == [row, TableSize(4, 1)]


def test_a_total_of_a_column_of_counts_is_left_out_with_a_note():
    assert cells("area,count\nN,1\nS,3\nTotal,4\n") == {"N": 1, "S": 3}
    assert notes("area,count\nN,1\nS,3\nTotal,4\n")[4:] == [TotalLeftOut("cell", "Total"), TableSize(2, 0)]


def test_a_row_that_is_a_total_only_by_its_name_or_value_stays_with_a_note():
    assert cells("area,count\nN,1\nS,3\nTotal,5\n") == {"N": 1, "S": 3, "Total": 5}
    assert notes("area,count\nN,1\nS,3\nTotal,5\n")[4:] == [NamedAsTotal(("Total",)), TableSize(3, 0)]
    assert cells("area,count\nN,1\nS,3\nEast,4\n") == {"N": 1, "S": 3, "East": 4}
    assert notes("area,count\nN,1\nS,3\nEast,4\n")[4:] == [EqualsTotal("cell", "East"), TableSize(3, 0)]
    assert notes("area,count\nN,0\nS,0\nEast,0\n")[4:] == [TableSize(3, 3)]
    assert NamedAsTotal(("total", "sum")) in notes("a,count\nN,1\nS,3\ntotal,5\nsum,5\n")


@pytest.mark.parametrize(
    ("entry", "count"),
    [
        ("1203", 1203),
        ("+12", 12),
        ('"12,345,678"', 12345678),
        ('"1,203.00"', 1203),
        ("12.0", 12),
        ('"12,0"', 12),
        ("1 203", 1203),
        ("1’203", 1203),
        ("1\u202f203", 1203),
        ("1.203.400", 1203400),
        ('"1.203,00"', 1203),
        ("1e+05", 100000),
        ("1E15", 1e15),
        ("000000000000000000012", 12),
        ("1234.000", 1234),
    ],
)
def test_a_count_is_read_as_people_and_programs_write_it(entry, count):
    assert cells(f"area,count\nN,7\nS,{entry}\n") == {"N": 7, "S": count}


def test_the_first_count_with_groups_of_three_digits_is_noted():
    assert Thousands("1,203", 1203) in notes("area;count\nN;7\nS;1,203\nE;4,100,000\n")
    assert Thousands("1,203", 1203) in notes("area\tmen\twomen\nN\t7\t1,203\nS\t7.0\t1\n")
    assert Thousands("1.203", 1203) in notes("area;count\nN;7\nS;1.203\nE;12,0\n")
    assert Thousands("1 203", 1203) in notes("area;count\nN;7\nS;1 203\n")
    assert not any(isinstance(note, Thousands) for note in notes("area,count\nN,12.0\nS,1203\n"))
    assert cells("count\n1,203\n4,100,000\n") == {"row 1": 1203, "row 2": 4_100_000}


def test_names_of_cells_that_occur_again_are_made_different_with_a_note():
    data = "area,count\nN,1\nN (2),2\nN,4\nN,8\nS,9\n"
    assert cells(data) == {"N": 1, "N (2)": 2, "N (3)": 4, "N (4)": 8, "S": 9}
    assert notes(data)[-1] == NumberedNames(2)


def test_shares_beside_counts_name_no_cell_as_they_would_reveal_the_counts():
    data = "Gemeinde;Alter;Anzahl;Anteil\nKöln;0–17;1234;12,3\nKöln;18–64;4567;45,65\nBonn;0–17;987;9,8\n"
    assert [*cells(data)] == [
        "Gemeinde Köln, Alter 0–17",
        "Gemeinde Köln, Alter 18–64",
        "Gemeinde Bonn, Alter 0–17",
    ]
    assert {CountColumn(3, "Anzahl", ("Gemeinde", "Alter")), ColumnsLeftOut(("Anteil",))} <= {*notes(data)}
    assert [*cells("dose,count\n0.5,3\n2.5,4\n")] == ["0.5", "2.5"]  # the only labels
    assert [*cells("area,share,count\nN,50%,3\nS,50%,3\n")] == ["N", "S"]


def test_the_notes_say_how_a_table_was_read():
    assert notes("count\n0\n") == [
        TextFormat("UTF-8", ""),
        TableKind("column", "count name", "count"),
        HeaderRow(True),
        CountColumn(1, "count", ()),
        TableSize(1, 1),
    ]
    assert notes("North,2021\nSouth,3\n") == [
        TextFormat("UTF-8", ","),
        TableKind("column", "numeric column"),
        HeaderRow(False),
        CountColumn(2, "", ("column 1",)),
        TableSize(2, 0),
    ]


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        ("a,b,n\nN,1,2\n", TableKind("cross_table", "requested")),
        ("n\n3\n", TableKind("column", "count name", "n")),
        ("Count\n3\n", TableKind("column", "count name", "Count")),
        ("people\n3\n", TableKind("column", "one column")),
        ("id,name\n1,Ann\n2,Bob\n", TableKind("records", "numbered rows")),
        ("area,men,women\nN,1,2\nS,3,0\n", TableKind("cross_table", "numeric columns")),
        ("area,people\nN,1\nS,3\n", TableKind("column", "numeric column")),
        ("year,births\n1990,7\n1991,8\n", TableKind("column", "two columns")),
        ("a,b,x\n1,1,7\n2,1,8\n1,2,0\n2,2,9\n", TableKind("column", "all combinations")),
        ("sex,area\nF,N\nF,S\n", TableKind("records", "nothing else")),
    ],
)
def test_the_kind_of_a_table_is_noted_with_its_reason(data, kind):
    options = {"kind": kind.kind} if kind.reason == "requested" else {}
    assert notes(data, **options)[1] == kind


def test_a_file_whose_columns_are_chosen_is_one_of_records_for_that_reason():
    assert notes("a,b\nN,1\n", columns=("a",), kind="records")[1] == TableKind("records", "requested")
    assert notes("a,b\nN,1\n", columns=("a",))[1] == TableKind("records", "chosen columns")


def test_the_lines_at_the_top_of_a_file_of_ours_are_left_out_and_keep_their_numbers():
    data = "# link: /x\n# seed: 1\ncell,count\n# a,2\nb,3\n"
    assert cells(data) == {"# a": 2, "b": 3}
    assert notes(data)[:2] == [TextFormat("UTF-8", ","), CommentLines(2)]
    with pytest.raises(ValueError, match=r"^line 4, column 2"):
        read_table(b"# link: /x\n# seed: 1\ncell,count\na,x\n")


def test_the_user_can_choose_another_kind_than_the_guessed_one():
    data = "area,age,children\nN,34,2\nS,27,0\n"
    assert read_table(data.encode()).kind == "cross_table"
    assert cells(data, kind="column") == {"area N, age 34": 2, "area S, age 27": 0}
    assert cells(data, columns=("children",)) == {"0": 1, "2": 1}
    assert cells("a,b\nx,1\ny,2\n", kind="cross_table") == {"x × b": 1, "y × b": 2}


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "line 1: the file is empty"),
        (b" \n\n", "line 1: the file is empty"),
        (
            b"animal\ncat\ndog\n",
            "line 2: the one column holds text, so no counts; if each row is a person, choose raw records",
        ),
        (b"cat", "line 1: the one column holds text, so no counts; if each row is a person, choose raw records"),
        (b"count\n", "line 2: there is no row under the header"),
        (b"count,Count\n1,2\n", "line 1: 2 columns are named count; only one can be"),
        (b"a,count\nx,-1\n", "line 2, column 2 (count): -1 is negative; a count is a whole number from 0 to 1e15"),
        (b"a,b\nx,3\ny,2.5\n", "line 3, column 2 (b): 2.5 is not a whole number; give counts, not shares or means"),
        (b"a,b\nx,3\ny,1.5e0\n", "line 3, column 2 (b): 1.5e0 is not a whole number; give counts, not shares or means"),
        (b"North,12%\nSouth,88%\n", "line 1, column 2: 12% is a share, not a count; give counts"),
        (b"a;b\nN;12,5 %\nS;8 %\n", "line 2, column 2 (b): 12,5 % is a share, not a count; give counts"),
        (b"share\n-12%\n88%\n", "line 2, column 1 (share): -12% is a share, not a count; give counts"),
        (b"a,m,f\nx,1%,2%\ny,3,4\n", "line 2, column 2 (m): 1% is a share, not a count; give counts"),
        (b"a,b\nx,3\ny,\n", "line 3, column 2 (b): the count is missing; write 0 where nobody is"),
        (b"a,b\nx,3\ny,<5\n", "line 3, column 2 (b): <5 is not a count; a count is a whole number from 0 to 1e15"),
        (
            b"a,count\nx,3\ny,*\n",
            "line 3, column 2 (count): * is not a count; if it stands for a suppressed one, write the number "
            "that it is below, such as <5",
        ),
        (b"a,count\nx,nan\n", "line 2, column 2 (count): nan is not a count; a count is a whole number from 0 to 1e15"),
        (b"a,count\nx,inf\n", "line 2, column 2 (count): inf is not a count; a count is a whole number from 0 to 1e15"),
        (b"a,b\nx,=SUM(A1:A3)\ny,3\n", "line 2, column 2 (b): =SUM(A1:A3) is a formula; put its value there"),
        (b"a;b\nx;3\ny;1.203\n", "line 3, column 2 (b): 1.203 can be read as 1203 or as 1.203; write 1203 or 1.203"),
        (b"a,count\nx,1e16\n", "line 2, column 2 (count): 1e16 is above 1e15"),
        (b"a,count\nx,1000000000000001\n", "line 2, column 2 (count): 1000000000000001 is above 1e15"),
        (b"n\n" + b"9" * 400, f"line 2, column 1 (n): {'9' * 40}… is above 1e15"),
        (b",m,f\nx,1,2\ny,1,z\n", "line 3, column 3 (f): z is not a count; a count is a whole number from 0 to 1e15"),
        (b"x,1\ny,2\nz,-3\n", "line 3, column 2: -3 is negative; a count is a whole number from 0 to 1e15"),
        (b"a,n\nx,1\ny,1,2\n", "line 3: 3 columns, where line 1 has 2"),
        (b"My table\na,n\nx,1\n", "line 2: 2 columns, where line 1 has 1"),
        (b'a,n\nx,1\n"y,2\nz,3\n', "line 3: a quote that opens in this row is never closed"),
        (b'"', "line 1: a quote that opens in this row is never closed"),
        (b'a,n\n"x"y,1\n', "line 2: after a quote that closes there must be a separator or the end of the line"),
        (
            b'a,n\n"' + b"x" * 200_000 + b'",1\n',
            "line 2: an entry has more than 131,072 characters; a quote may not be closed",
        ),
        (b"1," * 600_000, "line 1: more than 1,000,000 characters, so it is not a row of a table"),
        (b",".join([b"1"] * 5000), "line 1: 5,000 columns, more than 1,000"),
        (b"PK\x03\x04\x14\0", f"line 1: {ZIPPED}"),
        (b"\x1f\x8b\x08", "line 1: the file is compressed by gzip, not text; unpack it"),
        (b"%PDF-1.7", "line 1: the file is a PDF, not text; copy the table into a CSV"),
        (b"\xd0\xcf\x11\xe0", "line 1: the file is a workbook (.xls), not text; save the sheet as CSV"),
        ("a,n\nx,1\n".encode("utf-32"), "line 1: the file is UTF-32 text; save it as UTF-8"),
        (
            "a,n\nx,1\n".encode("utf-16-le"),
            "line 1: a zero byte, so the file is binary, or UTF-16 without its mark; save it as UTF-8",
        ),
        ("a,n\nx\0,1\n".encode("utf-16"), "line 2: a zero character, so the file is binary; save it as UTF-8 text"),
        (b"a,n\nx,1\n\xfc,1\n", "line 3: byte 0xfc is not UTF-8 text; save the file as UTF-8"),
        (codecs.BOM_UTF16_LE + b"a\0\n\0\x00\xdc\n\0", "line 2: byte 0x00 is not UTF-16 text; save the file as UTF-8"),
        (b"1" * (40 * 2**20 + 2**19), "the file has 40.5 MB, more than 40 MB"),
    ],
    ids=lambda value: value[:40] if isinstance(value, str) else "",
)
def test_what_cannot_be_read_gets_one_sentence_with_its_place_and_reason(data, sentence):
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        read_table(data)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"kind": "list"}, "kind must be in , column, cross_table, records, got 'list'"),
        ({"kind": "column", "columns": ("a",)}, "columns must be in () for the kind column, got ('a',)"),
        ({"columns": ("c",)}, "columns must be in a, n, got 'c'"),
    ],
)
def test_options_that_do_not_fit_the_table_are_refused(options, sentence):
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        read_table(b"a,n\nx,1\n", **options)


def test_a_cross_table_needs_two_columns():
    with pytest.raises(
        ValueError, match=r"^line 1: a cross-table needs labels in its first column and counts in others$"
    ):
        read_table(b"n\n1\n", kind="cross_table")


def test_too_many_cells_are_refused_at_the_first_one_too_many(monkeypatch):
    monkeypatch.setattr("dpcore.readers.tables.MOST_CELLS", 3)
    monkeypatch.setattr("dpcore.readers.csv_file.MOST_ROWS", 3)
    with pytest.raises(ValueError, match=r"^line 5: more than 3 rows$"):
        read_table(b"count\n1\n1\n1\n1\n1\n")
    with pytest.raises(ValueError, match=r"^line 3: more than 3 cells$"):
        read_table(b",a,b\nx,1,1\ny,1,1\nz,1,1\n")


def test_too_many_lines_are_refused_though_they_are_blank(monkeypatch):
    monkeypatch.setattr("dpcore.readers.csv_file._MOST_LINES", 5)
    assert cells("count\n\n\n\n1\n") == {"row 1": 1}
    with pytest.raises(ValueError, match=r"^line 6: more than 5 lines$"):
        read_table(b"count\n\n\n\n1\n\n")


def test_a_table_of_many_rows_is_read_to_its_end_and_reports_its_progress():
    shares = []
    data = b"name,count\n" + b"".join(b"%d,%d\n" % (i, i % 7) for i in range(70_000))
    table = read_table(data, progress=shares.append)
    assert table.frame["count"].tolist() == [i % 7 for i in range(70_000)]
    assert shares == sorted(shares)
    assert len(shares) == 3
    assert 0 < shares[0] < 0.6
    assert shares[-1] == 1
    with pytest.raises(ValueError, match=r"^line 70002, column 2 \(count\): x is not a count"):
        read_table(data + b"a,x\n")


def test_random_tables_are_read_as_they_were_written():
    rng = np.random.default_rng(20261122)
    for _ in range(50):
        rows, columns = rng.integers(2, 9, 2)
        counts = rng.integers(0, 2000, (rows, columns))
        lines = [f"r{i}," + ",".join(map(str, row)) for i, row in enumerate(counts)]
        text = "," + ",".join(f"c{i}" for i in range(columns)) + "\n" + "\n".join(lines)
        expected = {f"r{i} × c{j}": counts[i, j] for i in range(rows) for j in range(columns)}
        assert cells(text) == expected


def test_the_limits_are_public():
    assert (readers.MOST_BYTES, readers.MOST_CELLS, readers.MOST_ROWS) == (40 * 2**20, 10**6, 10**6)
    assert readers.TABLE_KINDS == ("column", "cross_table", "records")
