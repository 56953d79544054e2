"""The columns of a file: their names and types, who may be named in them, and what is refused."""

import gzip
import re

import numpy as np
import pytest

from dpcore import readers
from dpcore.readers import COLUMN_TYPES, FileColumn, csv_file, file_columns, read_columns

VISITS = b"""patient,district,cost,visit,hour,remark
A7,North,"1,200.50",2024-03-01,2024-03-01 09:30,
A7,South,12,2024-03-04,2024-03-04T10:00,late
B2,North,,2024-03-04,,
"""


def types(data: bytes) -> list[str]:
    return [column.type for column in read_columns(data).columns]


def test_a_file_has_its_columns_with_their_types_and_who_is_named_in_them():
    read = read_columns(VISITS)
    assert [column.name for column in read.columns] == ["patient", "district", "cost", "visit", "hour", "remark"]
    assert [column.type for column in read.columns] == ["text", "text", "number", "date", "date", "text"]
    assert {column.type for column in read.columns} == set(COLUMN_TYPES)
    assert [(person.name, person.reason) for person in read.people] == [("patient", "name")]
    assert read.notes[0] == readers.read_table(VISITS, kind="records").notes[0]


def test_nothing_of_what_the_rows_hold_is_returned():
    secret = repr(read_columns(VISITS))
    assert not [entry for entry in ("A7", "North", "1,200", "1200", "2024", "late", "3") if entry in secret]


@pytest.mark.parametrize("change", [gzip.compress, lambda data: data.decode().encode("utf-16")])
def test_a_packed_file_and_one_of_another_encoding_have_the_same_columns(change):
    assert read_columns(change(VISITS)).columns == read_columns(VISITS).columns


def test_people_are_found_by_many_different_values_too_and_after_names():
    rng = np.random.default_rng(5)
    rows = "".join(f"x{owner},{owner},{owner % 3},{owner / 7}\n" for owner in rng.integers(0, 300, 60).tolist())
    read = read_columns(f"code_a,id,ward,score\n{rows}".encode())
    assert [(person.name, person.reason) for person in read.people] == [("id", "name"), ("code_a", "values")]


@pytest.mark.parametrize(
    ("entries", "expected"),
    [
        (("2024-03-01", "2024-03-02"), "date"),
        (("2024-03", "2024/4"), "date"),
        (("1.3.2024", "31.12.24"), "date"),
        (("03/01/2024", "12/31/2024 10:15"), "date"),
        (("2024.3.1", "x"), "date"),
        (("2024-13-01", "2024-00-01"), "text"),
        (("32/01/2024", "13/13/2024"), "text"),
        (("2024", "2023"), "number"),
        (("1850.10", "2100.12"), "number"),
        (("12.5", "1.234.567"), "number"),
        (("1,5", "x"), "number"),
        (("1", "x", "y"), "text"),
        (("", " "), "text"),
    ],
)
def test_the_type_is_that_of_at_least_half_of_the_entries_that_are_there(entries, expected):
    rows = "".join(f'"{entry}";z\n' for entry in entries)
    assert types(f"a;b\n{rows}".encode())[0] == expected


def test_a_column_without_a_name_is_numbered_and_no_two_have_the_same_name():
    assert read_columns(b",age,age\n0,1,2\n").columns == tuple(
        FileColumn(name, "number") for name in ("column 1", "age", "age (2)")
    )


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "line 1: the file is empty"),
        (b"a,b\n", "line 2: there is no row under the names of the columns"),
        (b"1,2\n3,4\n", "line 1: the first row must name the columns, and it holds numbers"),
        (
            b"Ann,31,North\nBob,44,South\n",
            "line 1: the first row must name the columns, and column 2 holds a number or a date there",
        ),
        (
            b"# saved\nAnn,North,1.3.2024\nBob,South,1.4.2024\n",
            "line 2: the first row must name the columns, and column 3 holds a number or a date there",
        ),
        (
            b"F,North\nM,North\nF,South\n",
            "line 1: the first row must name the columns, and its entries occur again under it",
        ),
        (b"a,b\n1,2\n3\n", "line 3: 1 column, where line 1 has 2"),
        (b'a,b\n1,"2\n', "line 2: a quote that opens in this row is never closed"),
        (b"\x89PNG\0", "line 1: a zero byte, so the file is binary, or UTF-16 without its mark; save it as UTF-8"),
        (b"PK\x03\x04", "line 1: the file is a zip archive or a workbook (.xlsx), not text; save the sheet as CSV"),
    ],
)
def test_what_is_no_file_of_people_is_refused_in_a_sentence(data, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        read_columns(data)


def test_a_row_far_down_is_checked_too_and_there_are_not_more_rows_than_can_be_read(monkeypatch):
    rows = b"a,b\n" + b"1,2\n" * 1500
    assert read_columns(rows).columns == (FileColumn("a", "number"), FileColumn("b", "number"))
    with pytest.raises(ValueError, match=r"^line 1502: 3 columns, where line 1 has 2$"):
        read_columns(rows + b"1,2,3\n")
    monkeypatch.setattr(file_columns, "MOST_ROWS", 1400)
    with pytest.raises(ValueError, match=r"^line 1402: more than 1,400 rows$"):
        read_columns(rows)


def test_few_rows_of_a_wide_file_decide_on_its_types():
    names, numbers, texts = (",".join(part) for part in ([f"c{i}" for i in range(500)], ["7"] * 500, ["x"] * 500))
    rows = "\n".join([names, *[numbers] * 101, *[texts] * 300])
    assert set(types(rows.encode())) == {"number"}


def test_the_progress_of_a_long_file_is_reported(monkeypatch):
    monkeypatch.setattr(csv_file, "_LINES_PER_REPORT", 100)
    shares = list[float]()
    read_columns(b"a,b\n" + b"1,2\n" * 1500, shares.append)
    assert shares == sorted(shares)
    assert shares[-1] == 1


def test_rows_people_and_entries_that_cannot_be_used_are_counted_over_the_whole_file(monkeypatch):
    rows = "".join(f"p{place % 700},{place},2024-03-01,x\n" for place in range(2000))
    bad = "p1,EUR 80,2024-13-01,\np2,,March, \n,1e999,2024-03-02,y\np3,nan,2024-03,z\n"
    data = f"id,cost,day,code\n{rows}{bad}".encode()
    counts = readers.count_rows(data, read_columns(data).columns, ("id", "code"))
    assert counts is not None
    assert counts.n_rows == 2004
    assert counts.unusable == {"id": 1, "cost": 4, "day": 2, "code": 2}
    assert counts.people == {"id": 700, "code": 3}
    assert readers.count_rows(gzip.compress(data), read_columns(data).columns, ("id", "code")) == counts
    sums = readers.count_rows(b"id,cost\na,1\nb,nan\n", read_columns(b"id,cost\na,1\n").columns, ())
    assert sums is not None
    assert sums.unusable == {"id": 0, "cost": 1}
    monkeypatch.setattr(file_columns, "_MOST_COUNTED", 4 * 2003)
    assert readers.count_rows(data, read_columns(data).columns, ()) is None
