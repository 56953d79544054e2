import csv
import doctest
from io import StringIO

import pandas as pd
import pytest

from pages.framework.export import exhibit_files
from pages.framework.export.exhibit import Exhibit
from pages.framework.export.exhibit_files import csv_text, escape_csv_formula


def saved(numbers, header=None):
    """Return the CSV of an exhibit: the lines of its header, and the rows under them."""
    lines = csv_text(Exhibit("x", "", "", numbers, header or {}), "/?a=1", "2026-11-22").splitlines(keepends=True)
    head = [line.removesuffix("\n") for line in lines if line.startswith("# ")]
    return head, list(csv.reader(StringIO("".join(lines[len(head) :]))))


@pytest.mark.parametrize("first", ["=", "+", "-", "−", "@", "＝", "\t", "\r", "\n"])
def test_a_text_that_a_spreadsheet_would_run_leaves_with_an_apostrophe_before_it(first):
    text = f"{first}SUM(A1:A3)"
    _, rows = saved(pd.DataFrame({"cell": [text, "North"], f"{first}x": [1.0, 2.0]}))
    first = first.replace("\r", "\n")
    assert rows == [["cell", f"'{first}x"], [f"'{first}SUM(A1:A3)", "1.0"], ["North", "2.0"]]


def test_a_text_that_a_spreadsheet_would_cut_has_no_part_that_is_run():
    _, rows = saved(pd.DataFrame({"cell": ["a;=1+1", "a; @x\t+y", "a;b;-5", "a\r=1", "a\r\n=1"]}))
    assert rows[1:] == [["a;'=1+1"], ["a; '@x\t'+y"], ["a;b;-5"], ["a\n=1"], ["a\n=1"]]


def test_numbers_stay_numbers_whether_they_are_texts_or_not():
    numbers = pd.DataFrame({"a": [-1.5, float("inf")], "b": ["-5", "−1e-6"], "c": [True, False], "d": ["+3", None]})
    _, rows = saved(numbers)
    assert rows[1:] == [["-1.5", "-5", "True", "+3"], ["inf", "−1e-6", "False", ""]]


def test_the_numbers_of_an_exhibit_are_not_changed_by_saving_them():
    numbers = pd.DataFrame({"=a": pd.Categorical(["=x", "y"])})
    assert saved(numbers)[1] == [["'=a"], ["'=x"], ["y"]]
    assert numbers["=a"].tolist() == ["=x", "y"]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\u2028", "\n\n"])
def test_a_parameter_of_several_lines_stays_on_its_line(end):
    head, rows = saved(pd.DataFrame({"a": [1]}), {"cells": f"North{end}=1+1", f"k{end}ey": 2})
    assert head[3:] == ["# cells: North =1+1", "# k ey: 2"]
    assert rows == [["a"], ["1"]]


def test_a_parameter_is_neither_run_nor_opens_a_quote_where_a_spreadsheet_cuts_its_line():
    head, _ = saved(pd.DataFrame({"a": [1]}), {"table": 'x,=1+1; @y;"North, −2,-3|+z', "plain": "a=b; 1, 2"})
    assert head[3:] == ["# table: x,'=1+1; '@y;'\"North, −2,-3|'+z", "# plain: a=b; 1, 2"]


def test_a_file_has_the_words_of_the_screen():
    """One word for one thing: ± is a half-width, and its level a confidence, whatever dpcore and links call them."""
    head, rows = saved(pd.DataFrame({"accuracy": [1.5], "bayes_accuracy": [0.7]}), {"significance": "0.05"})
    assert head[-1] == "# confidence: 0.95"
    assert rows[0] == ["half_width", "bayes_accuracy"]
    assert saved(pd.DataFrame({"a": [1]}), {"significance": 2**-20})[0][-1] == "# confidence: 1 − (9.5367431640625e-07)"


def test_texts_that_are_no_spreadsheet_formula_stay_unchanged():
    for text in ("", "North", "a=b", "12", "'=1", " =1"):
        assert escape_csv_formula(text) == text


def test_the_examples_give_what_they_show():
    assert doctest.testmod(exhibit_files).failed == 0
