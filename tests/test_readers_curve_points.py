import re

import pytest

from dpcore.readers import read_curve_points


def test_points_are_read_with_and_without_a_header_and_with_any_separator():
    for text in (
        "0.1,0.6\n0.5,0.1\n",
        "alpha;beta\n0.1;0.6\n\n0.5;0.1",
        "beta\talpha\n0.6\t0.1\n0.1\t0.5\n",
        "﻿Alpha, Beta\n0.1, 0.6\n0.5, 0.1",
        '"n" "alpha" "beta"\n1 0.1 0.6\n2 0.5 0.1',
        '"alpha","beta"\r\n"0.1","0.6"\r\n"0.5","0.1"\r\n',
    ):
        alpha, beta = read_curve_points(text.encode())
        assert (alpha.tolist(), beta.tolist()) == ([0.1, 0.5], [0.6, 0.1])


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "there must be at least 2 points, and 0 can be read"),
        ("0.1,0.6", "there must be at least 2 points, and 1 can be read"),
        (
            "0.1,0.95\n0.5,0.1",
            "line 1: beta is 0.95, above 1 − alpha = 0.9, worse than guessing; is it the power 1 − beta?",
        ),
        ("0.1,0.6\n1.5,0.1", "line 2: alpha is 1.5, not a number from 0 to 1"),
        ("0.1,0.6\n0.5,nan", "line 2: beta is nan, not a number from 0 to 1"),
        ("0.1,0.6\n0.5,x", "line 2: beta is x, not a number from 0 to 1"),
        ("0.1,0.6\n0.5", "line 2: two numbers, alpha and beta, are needed, not 1"),
        ('0.1,0.6\n"0.5,0.1\n', "line 2: a quote that opens in this row is never closed"),
        ("alpha,power\n0.1,0.6\n0.5,0.1", "line 1: the header must name alpha and beta once each; it says alpha power"),
        (
            "0.9,0\n0.5,0.2\n0,0.8",
            "line 1: the first column falls while the second rises, so the two may be swapped; name them alpha and "
            "beta in a first line",
        ),
    ],
)
def test_points_that_cannot_be_read_get_one_sentence_with_the_line(text, sentence):
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        read_curve_points(text.encode())


def test_bytes_that_are_no_text_are_named_with_their_line():
    with pytest.raises(ValueError, match="line 2: byte 0xff is not UTF-8 text"):
        read_curve_points(b"0.1,0.6\n\xff")


def test_a_million_points_are_read_and_one_more_is_refused(monkeypatch):
    monkeypatch.setattr("dpcore.readers.attack.MOST_POINTS", 3)
    assert read_curve_points(b"0.1,0.6\n0.2,0.5\n0.3,0.4")[0].size == 3
    with pytest.raises(ValueError, match="line 4: more than 3 points"):
        read_curve_points(b"0.1,0.6\n0.2,0.5\n0.3,0.4\n0.4,0.3")
    with pytest.raises(ValueError, match="line 5: more than 3 points"):  # What stands below it is not read.
        read_curve_points(b'alpha,beta\n0.1,0.6\n0.2,0.5\n0.3,0.4\n0.4,0.3\n0.5,0.2\n"')
