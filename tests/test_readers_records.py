import re
from itertools import product

import numpy as np
import pandas as pd
import pytest

from dpcore.readers import read_table
from dpcore.readers.notes import ChooseColumns, CrossTabulation, ObservedLevels, TableKind, UncheckedPeople

PEOPLE = b"sex,region,age\nF,North,30\nM,South,9\nF,South,30\nF,North,30\n"


def cells(data, *columns):
    frame = read_table(data, columns=columns).frame
    return dict(zip(frame["cell"], frame["count"], strict=True))


def test_records_are_counted_by_every_combination_of_the_levels_found_empty_ones_too():
    assert cells(PEOPLE, "sex", "region") == {
        "sex F, region North": 2,
        "sex F, region South": 1,
        "sex M, region North": 0,
        "sex M, region South": 1,
    }


def test_the_last_combination_is_a_cell_even_if_nobody_is_in_it():
    assert cells(b"a,b\n1,1\n1,2\n2,1\n", "a", "b") == {"a 1, b 1": 1, "a 1, b 2": 1, "a 2, b 1": 1, "a 2, b 2": 0}


def test_numeric_levels_stand_in_their_order_and_one_column_names_its_cells_by_its_levels():
    assert list(cells(PEOPLE, "age").items()) == [("9", 1), ("30", 3)]
    assert list(cells(b"a\n2\nnan\n10\n1\n", "a")) == ["1", "2", "10", "nan"]


def test_a_column_that_is_named_twice_is_counted_once():
    assert cells(PEOPLE, "sex", "sex") == {"F": 3, "M": 1}


def test_a_missing_entry_is_a_level_and_spaces_around_entries_are_none():
    assert cells(b"sex,a\nF,1\n F ,1\n,2\n", "sex") == {"F": 2, "(empty)": 1}


def test_records_without_chosen_columns_offer_theirs_and_have_no_cell():
    table = read_table(PEOPLE)
    assert (table.kind, table.columns, len(table.frame)) == ("records", ("sex", "region", "age"), 0)
    assert list(table.frame.columns) == ["cell", "count"]
    assert table.notes[-1] == ChooseColumns()


def test_the_notes_say_what_was_counted_and_what_the_data_cannot_show():
    size = CrossTabulation(4, ("sex", "region"), (2, 2), 1)
    assert read_table(PEOPLE, columns=("sex", "region")).notes[-3:] == (size, ObservedLevels(), UncheckedPeople())


@pytest.mark.parametrize(
    ("data", "columns"),
    [
        (b"sex,region\nF,North\nM,South\n", ("sex", "region")),
        (b"F,North\nM,South\nF,North\nM,South\n", ("column 1", "column 2")),
        (b"0,1\n0,1\n1,0\n", ("column 1", "column 2")),
        (b"yes,yes\nno,no\n", ("column 1", "column 2")),
        (b"smoke,mental\n0,1\n0,1\n1,0\n", ("smoke", "mental")),
        (b"sex\nF\nM\n", ("sex",)),
    ],
)
def test_a_header_of_records_is_distinguished_from_the_first_person(data, columns):
    assert read_table(data, kind="records").columns == columns


def test_a_column_that_only_numbers_the_rows_is_no_label_and_no_count():
    many = b"id,age,children\n" + b"".join(b"%d,%d,%d\n" % (i, 20 + i % 50, i % 3) for i in range(101))
    for data in (b"id,name\n1,Ann\n2,Bob\n", b"id,name\n0,Ann\n1,Bob\n", b"1,Ann\n2,Bob\n", many):
        table = read_table(data)
        assert table.kind == "records"
        assert table.notes[1] == TableKind("records", "numbered rows")
    assert read_table(b"children,men,women\n0,12,3\n1,4,5\n").kind == "cross_table"
    assert read_table(b"number,name\n1,Ann\n3,Bob\n").kind == "column"


def test_a_single_line_of_records_is_taken_for_a_header():
    with pytest.raises(ValueError, match=r"^line 2: there is no row under the header$"):
        read_table(b"sex,region\n")


def test_many_records_are_counted_as_pandas_counts_them():
    rng = np.random.default_rng(5)
    frame = pd.DataFrame({name: rng.integers(0, most, 80_000) for name, most in (("a", 3), ("b", 40), ("c", 7))})
    shares = []
    table = read_table(frame.to_csv(index=False).encode(), columns=("b", "a", "c"), progress=shares.append)
    counted = frame.groupby(["b", "a", "c"]).size()
    expected = [counted.get(key, 0) for key in product(range(40), range(3), range(7))]
    assert table.frame["count"].tolist() == expected
    assert table.frame["cell"].tolist()[1] == "b 0, a 0, c 1"
    assert len(shares) == 3


def test_too_many_rows_are_refused_at_the_first_one_too_many(monkeypatch):
    monkeypatch.setattr("dpcore.readers.csv_file.MOST_ROWS", 3)
    with pytest.raises(ValueError, match=r"^line 5: more than 3 rows$"):
        read_table(b"sex\nF\nF\nF\nF\nM\n", columns=("sex",))


def test_too_many_cells_are_refused_with_the_levels_that_make_them():
    data = b"id,name\n" + b"".join(b"%d,x%d\n" % (i, i) for i in range(1100))
    sentence = "line 1025: the levels up to here make more than 1,000,000 cells (id 1,024 × name 1,024)"
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        read_table(data, columns=("id", "name"))


def test_names_that_would_be_too_long_are_without_those_of_the_columns_and_then_refused(monkeypatch):
    monkeypatch.setattr("dpcore.readers.records._MOST_CHARACTERS", 60)
    assert list(cells(PEOPLE, "sex", "region")) == ["F, North", "F, South", "M, North", "M, South"]
    monkeypatch.setattr("dpcore.readers.records._MOST_CHARACTERS", 31)
    with pytest.raises(ValueError, match=r"^the names of the cells are too long to be kept; choose fewer columns"):
        cells(PEOPLE, "sex", "region")
