import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from dpcore import tables

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"


def test_the_czech_table_has_the_published_64_counts_of_1841_men_and_one_empty_cell():
    frame = tables.czech_autoworkers()
    assert len(frame) == 64
    assert sum(frame["count"]) == 1841
    assert frame["count"].tolist().count(0) == 1
    assert len(set(frame["cell"])) == 64
    assert frame["cell"].tolist()[1] == "smoke 1, mental 0, phys 0, systol 0, protein 0, family 0"


@pytest.mark.skipif(not DATA.is_dir(), reason="the shared data sets are not beside this clone")
def test_the_czech_table_is_that_of_the_data_set_cell_by_cell():
    published = pd.read_csv(DATA / "czech.csv")
    frame = tables.czech_autoworkers()
    assert frame["count"].tolist() == published["count"].tolist()
    factors = published.columns[:-1]
    cells = [", ".join(f"{name} {row[name]}" for name in factors) for _, row in published.iterrows()]
    assert frame["cell"].tolist() == cells


@pytest.mark.skipif(not DATA.is_dir(), reason="the shared data sets are not beside this clone")
def test_published_files_with_a_count_column_can_be_read():
    assert sum(tables.counts_from_csv((DATA / "mildew.csv").read_bytes())["count"]) == 70


def test_a_csv_is_read_whatever_its_other_columns_quotes_and_byte_order_mark():
    data = '\ufeffarea, Count ,note\r\nNorth,12,"a, b"\r\n\r\nSouth,3.5,x\r\n'.encode()
    frame = tables.counts_from_csv(data)
    assert frame["cell"].tolist() == ["North, a, b", "South, x"]
    assert frame["count"].tolist() == [12.0, 3.5]


def test_a_csv_of_counts_alone_numbers_its_rows():
    assert tables.counts_from_csv(b"count\n4\n0\n")["cell"].tolist() == ["row 1", "row 2"]


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "line 1: the header has no column named count, only one is allowed; it says nothing"),
        (b"a,b\n1,2\n", "line 1: the header has no column named count, only one is allowed; it says a, b"),
        (
            b"count,Count\n1,2\n",
            "line 1: the header has 2 columns named count, only one is allowed; it says count, Count",
        ),
        (b"count\n", "line 2: there is no row under the header"),
        (b"a,count\nx,1\ny,1,2\n", "line 3: 3 entries under a header of 2"),
        (b"count\n1\nx\n", "line 3: the count is x, not a number from 0 to 1e15"),
        (b"a,count\nx,\n", "line 2: the count is empty, not a number from 0 to 1e15"),
        (b"count\n-1\n", "line 2: the count is -1, not a number from 0 to 1e15"),
        (b"count\nnan\n", "line 2: the count is nan, not a number from 0 to 1e15"),
        (b"count\n1e400\n", "line 2: the count is 1e400, not a number from 0 to 1e15"),
        (b"count\n1\n\xff\n", "line 3: byte 0xff is no UTF-8 text"),
        (b'count\n"1"x\n', "line 2: ',' expected after '\"'"),
    ],
)
def test_a_csv_that_cannot_be_read_says_which_line_and_why(data, sentence):
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        tables.counts_from_csv(data)


def test_a_csv_of_too_many_rows_is_refused_at_the_first_one_too_many():
    data = b"count\n" + b"1\n" * (tables.MOST_CELLS + 1)
    with pytest.raises(ValueError, match="line 100002: more than 100,000 rows"):
        tables.counts_from_csv(data)


def test_a_count_is_distinguishable_where_its_band_leaves_out_zero():
    assert tables.distinguishable([0, 8, 8.280218, 9], 8.280218).tolist() == [False, False, False, True]


def test_a_cell_that_is_empty_passes_for_one_no_more_often_than_the_significance_level():
    rng = np.random.default_rng(20261121)
    noise = rng.normal(scale=4.224679, size=200_000)
    share = np.mean(tables.distinguishable(np.maximum(noise, 0), 8.280218))
    assert share == pytest.approx(0.025, abs=0.0015)
