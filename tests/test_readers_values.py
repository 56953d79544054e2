"""Numbers of people, read from files and pasted texts: what is read, what is left out, and what is refused."""

import gzip
import re

import numpy as np
import pytest

from dpcore.readers import csv_file, read_values


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"12000\n250000\n31000\n", [12000, 250000, 31000]),
        (b"1, 2,3 ,400\n", [1, 2, 3, 400]),
        (b"name;income\nAnn;1,5\nBob;2\n", [1.5, 2]),
        (b"# saved by a page\nincome\n-3\n1e3\n", [-3, 1000]),
        ("income\n−4\n".encode("utf-16"), [-4]),
        (gzip.compress(b"income\n7\n", mtime=0), [7]),
        (b"7\n", [7]),
        (b"a,\n1,2\n", [1]),
    ],
)
def test_a_column_a_list_and_a_table_are_read(data, expected):
    assert read_values(data).values.tolist() == expected


def test_the_columns_to_choose_from_and_what_is_missing_are_stated():
    read = read_values(b"who,age,income\nAnn,30,5\nBob,,7\n,20,9\n", column="income", person="who")
    assert (read.columns, read.numbers) == (("who", "age", "income"), ("age", "income"))
    assert (read.values.tolist(), read.records.tolist(), read.n_missing) == ([5, 7], [1, 1], 1)
    assert read_values(b"who,age,income\nAnn,30,5\nBob,,7\n").n_missing == 1


def test_the_rows_of_a_person_are_summed_wherever_they_stand():
    rng = np.random.default_rng(1)
    owners, numbers = rng.integers(0, 40, 500), rng.integers(0, 100, 500)
    rows = "".join(f"p{owner},{number}\n" for owner, number in zip(owners, numbers, strict=True))
    read = read_values(f"who,n\n{rows}".encode(), person="who")
    assert sorted(read.values.tolist()) == sorted(float(numbers[owners == owner].sum()) for owner in np.unique(owners))
    assert read.records.sum() == 500


@pytest.mark.parametrize(
    ("data", "choice", "message"),
    [
        (b"", {}, "line 1: the file is empty"),
        (b"a\nx\n", {}, "no column holds numbers"),
        (b"income\n", {}, "no column holds numbers"),
        (b"income\n1\nabc\n2\n", {}, "line 3, column 1 (income): abc is not a number"),
        (b"1\nabc\n2\n", {}, "line 2, column 1: abc is not a number"),
        (b"income\n1e16\n", {}, "line 2, column 1 (income): 1e16 is not between −1e15 and 1e15"),
        (b"income\ninf\n2\n", {}, "line 2, column 1 (income): inf is not between −1e15 and 1e15"),
        (b"income\n1\n", {"column": "age"}, "there is no column age"),
        (b"income\n1\n", {"person": "who"}, "there is no column who"),
        (b"who,n\n,1\n", {"person": "who"}, "column n has no number"),
    ],
)
def test_what_cannot_be_read_is_refused_in_a_sentence(data, choice, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        read_values(data, **choice)


@pytest.mark.parametrize(
    "text",
    ["1,5\n2,75\n", "-1,5\n-2,5\n", "$1,200\n$3,400\n", "1,200.50\n3,400\n", "1,200,000\n3,400,000\n", "7,12\n8,13\n"],
)
def test_rows_that_may_be_one_number_with_a_comma_or_two_columns_are_refused(text):
    first = re.escape(text.partition("\n")[0])
    with pytest.raises(ValueError, match=f"^line 1: {first} may be one number or several columns; write decimals with"):
        read_values(text.encode())


def test_a_comma_separates_columns_where_no_row_can_be_one_number():
    assert read_values(b"id,n\n1,5\n2,75\n", column="n").values.tolist() == [5, 75]
    assert read_values(b"1.5,5\n2,75\n").values.tolist() == [1.5, 2]
    assert read_values(b"1;5\n2;75\n").values.tolist() == [1, 2]


def test_too_many_rows_are_refused_at_their_line(monkeypatch):
    monkeypatch.setattr(csv_file, "MOST_ROWS", 3)
    with pytest.raises(ValueError, match=r"^line 4: more than 3 rows$"):
        read_values(b"1\n2\n3\n4\n")
