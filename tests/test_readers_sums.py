"""Sums of cells from a table of zeros and ones, with and without names, and what is no such table."""

import re

import pytest

from dpcore.readers import read_sums

ROWS = [[1, 1, 0], [0, 0, 1]]


def test_sums_are_read_with_and_without_names_and_with_any_separator():
    for text in (
        "1,1,0\n0,0,1\n",
        "x;x;\n;;X\n",
        "1\t1\t0\n0\t0\t1",
        ",a,b,c\nfirst, 1,1,0\nsecond,0,0 ,1\n",
        "a,b,c\n1,1,0\n0,0,1\n",
        "first,1,1,0\nsecond,0,0,1\n",
        "\ufeffsum|2020|2021|2022\nfirst|1|1|0\nsecond|0|0|1\n",
    ):
        sums = read_sums(text.encode())
        assert sums.matrix.tolist() == ROWS
        assert sums.names == (("first", "second") if "first" in text else ("sum 1", "sum 2"))
        named = ("2020", "2021", "2022") if "2020" in text else ("a", "b", "c")
        assert sums.cells == (named if "a,b" in text or "2020" in text else ("cell 1", "cell 2", "cell 3"))


def test_equal_names_are_numbered():
    sums = read_sums(b",a,a\nx1,1,0\nx1,0,1\n")
    assert (sums.names, sums.cells) == (("x1", "x1 (2)"), ("a", "a (2)"))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "there is no row of zeros and ones"),
        ("a,b\n", "there is no row of zeros and ones"),
        ("1,1\n0,0\n", "line 2: the sum adds up no cell"),
        ("1,1\n0,2\n", "line 2, column 2: 2 is neither 1 or x nor 0 or nothing"),
        ("name\nfirst\n", "there must be 1 to 1,000 cells, and there are 0"),
        ("1,0\n" * 1001, "line 1001: more than 1,000 sums"),
    ],
)
def test_what_is_no_table_of_sums_gets_one_sentence(text, sentence):
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        read_sums(text.encode())
