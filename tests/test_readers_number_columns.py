"""Whether a point or a comma is the decimal mark: a column settles it, or every reader asks alike."""

import pickle
import re

import numpy as np
import pytest

from dpcore.readers import (
    AmbiguousNumberError,
    read_attack,
    read_curve_points,
    read_node_counts,
    read_points,
    read_table,
    read_values,
)
from dpcore.readers.notes import DecimalMark
from dpcore.readers.number_columns import number_of

COUNTS = "false_positives;non_members;false_negatives;members"
READERS = {  # each reads two numbers, the second of them ambiguous or not
    "values": lambda first, second, **more: read_values(f"n\n{first}\n{second}\n".encode(), **more).values,
    "list": lambda first, second, **more: read_values(f"{first}; {second}".encode(), **more).values,
    "tabs": lambda first, second, **more: read_values(f"{first}\t{second}".encode(), **more).values,
    "sums": lambda first, second, **more: (
        read_values(f"who;n\nAnn;{first}\nBob;{second}\n".encode(), "n", "who", **more).values
    ),
    "junctions": lambda first, second, **more: (
        read_node_counts(f"node;n\na;{first}\nb;{second}\n".encode(), ("a", "b"), **more).count
    ),
    "weights": lambda first, second, **more: (
        read_points(f"lat;lon;w\n1;2;{first}\n1;2;{second}\n".encode(), weight="w", **more).weight
    ),
    "scores": lambda first, second, **more: (
        read_attack(f"member;score\n1;{first}\n0;{second}\n".encode(), **more).alpha
    ),
}
every_reader = pytest.mark.parametrize("read", READERS.values(), ids=READERS)
numbers_readers = pytest.mark.parametrize(
    "read", [read for name, read in READERS.items() if name != "scores"], ids=[*READERS][:-1]
)


@every_reader
@pytest.mark.parametrize("entry", ["1,200", "1.200", "12,345", "999.999"])
def test_every_reader_asks_what_a_mark_before_three_digits_means(read, entry):
    with pytest.raises(AmbiguousNumberError, match=re.escape(f"{entry} can be read as ")) as caught:
        read("800", entry)
    assert caught.value.entry == entry
    assert set(caught.value.readings) == {".", ","}
    for mark, number in caught.value.readings.items():
        assert len(read("800", entry, decimal=mark)) == len(read("800", f"{number:.15g}", decimal="."))


@numbers_readers
def test_the_given_mark_decides(read):
    assert read("800", "1,200", decimal=".").tolist() == [800, 1200]
    assert read("800", "1,200", decimal=",").tolist() == [800, 1.2]
    assert read("800", "1.200", decimal=",").tolist() == [800, 1200]
    with pytest.raises(ValueError, match=r"7,5 is no number with a decimal point$"):
        read("7,5", "1", decimal=".")
    with pytest.raises(ValueError, match=r"^decimal must be in , \., ,, got ';'$"):
        read("7", "1", decimal=";")


@numbers_readers
@pytest.mark.parametrize(
    ("settles", "value", "entry", "number"),
    [
        ("7.5", 7.5, "1,200", 1200),
        ("7,5", 7.5, "1,200", 1.2),
        ("7,5", 7.5, "1.200", 1200),
        ("1,000,000", 1_000_000, "1,200", 1200),
        ("1.000.000", 1_000_000, "1.200", 1200),
        ("1,200.50", 1200.5, "1,200", 1200),
        ("1.200,5", 1200.5, "1.200", 1200),
        ("0,200", 0.2, "1,200", 1.2),
        ("1200.0", 1200, "1,200", 1200),
        ("1 200,5", 1200.5, "1,200", 1.2),
        (".5", 0.5, "1.200", 1.2),
    ],
)
def test_another_entry_of_the_column_settles_it(read, settles, value, entry, number):
    assert read(settles, entry).tolist() == [value, number]
    assert read(entry, settles).tolist() == [number, value]


@every_reader
def test_entries_that_contradict_each_other_are_refused(read):
    with pytest.raises(ValueError, match=r"2\.5 is no number with a decimal comma, which 7,5 in line \d has$"):
        read("7,5", "2.5")


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("1,200\n800\n2,500\n", [1200, 800, 2500]),
        ("1,200\n2,500\n", [1200, 2500]),
        ("1,200", [1200]),
        ("income\n1,200\n2,500\n", [1200, 2500]),
        ("income\n-1,200\n+2,500\n3\n", [-1200, 2500, 3]),
        ("a;b\nx;1,200\ny;\n", [1200]),
    ],
)
def test_a_pasted_column_asks_also_where_commas_could_separate_columns(text, numbers):
    with pytest.raises(AmbiguousNumberError, match="1,200 can be read as"):
        read_values(text.encode())
    assert read_values(text.encode(), decimal=".").values.tolist() == numbers
    thousandths = [number / 1000 if number not in (3, 800) else number for number in numbers]
    assert read_values(text.encode(), decimal=",").values.tolist() == pytest.approx(thousandths)


def test_a_list_whose_commas_stand_between_numbers_and_in_them_is_refused():
    with pytest.raises(ValueError, match=r"^line 1: a comma stands both between numbers and before three digits"):
        read_values(b"1,200, 2,500, 800")
    assert read_values(b"120, 250, 800").values.tolist() == [120, 250, 800]
    assert read_values(b"1,200,800").values.tolist() == [1, 200, 800]


def test_a_note_says_how_an_entry_with_two_readings_is_read():
    data = b"n\n1,200\n7.5\n"
    assert read_values(data).notes == (DecimalMark(".", "1,200", 1200.0, "7.5 in line 3"),)
    assert read_values(b"n\n1,200\n", decimal=",").notes == (DecimalMark(",", "1,200", 1.2),)
    assert read_values(b"n\n7.5\n1200\n").notes == ()
    nodes = read_node_counts(b"node;n\na;1.200\nb;7,5\n", ("a", "b"))
    assert nodes.notes[0] == DecimalMark(",", "1.200", 1200.0, "7,5 in line 3")
    rows = read_points(b"lat;lon;w\n1;2;7.5\n1;2;1,200\n", weight="w")
    assert DecimalMark(".", "1,200", 1200.0, "7.5 in line 2") in rows.notes


def test_a_mark_that_shows_long_after_the_first_entries_is_found():
    rows = "".join(f"{row % 9 + 1},{row % 1000:03}\n" for row in range(9000))
    with pytest.raises(AmbiguousNumberError, match=r"^line 2, column 1"):
        read_values(f"n\n{rows}".encode())
    read = read_values(f"n\n{rows}7,5\n".encode())
    assert read.values[:3].tolist() == [1, 2.001, 3.002]
    assert np.all(read.values < 10)
    assert read_values(f"n\n{rows}1,234,567\n".encode()).values[1] == 2001


def test_each_count_of_an_attack_is_asked_for():
    data = f"{COUNTS}\n5;1.000;60;1.000\n".encode()
    with pytest.raises(AmbiguousNumberError, match=r"^line 2: 1\.000 can be read as 1000 or as 1;"):
        read_attack(data)
    assert read_attack(data, decimal=",").n_members.tolist() == [1000]
    with pytest.raises(ValueError, match=r"^line 2: false_positives is 5, above non_members, 1"):
        read_attack(data, decimal=".")
    assert read_attack(f"{COUNTS}\n5;1,234,567;6;10\n".encode()).n_non_members.tolist() == [1_234_567]


def test_degrees_and_error_rates_have_no_thousands():
    assert read_points(b"lat;lon\n40,712;-74,006\n").lat.tolist() == [40.712]
    assert read_points(b"lat,lon\n40.712,-74.006\n").lon.tolist() == [-74.006]
    assert [column.tolist() for column in read_curve_points(b"0.000 1.000\n1.000 0.000\n")] == [[0, 1], [1, 0]]


def test_a_table_asks_as_the_other_readers_do():
    for entry in ("1,203", "1.203"):
        data = f"area;men;women\nN;7;{entry}\nS;12;4\n".encode()
        with pytest.raises(AmbiguousNumberError, match=re.escape(f"line 2, column 3 (women): {entry} can be read as")):
            read_table(data)
        assert read_table(data, repairs=("thousands",)).frame["count"].tolist() == [7, 1203, 12, 4]
    assert read_table(b"area;men;women\nN;7;1,203\nS;1,234,567;4\n").frame["count"].tolist() == [7, 1203, 1234567, 4]
    with pytest.raises(ValueError, match=r"^line 2, column 2 \(n\): 1,203 is not a whole number"):
        read_table(b"a;n\nN;1,203\nS;12,0\n")


def test_a_question_passes_between_processes_as_it_is():
    error = AmbiguousNumberError("line 2", " 1,200 ")
    copy = pickle.loads(pickle.dumps(error))
    assert (str(copy), copy.entry, copy.readings) == (str(error), "1,200", {".": 1200.0, ",": 1.2})


@pytest.mark.parametrize("text", ["", ".", ",", "-", "e5", "1,2,3", "12,00,000", "1,234.567.8", "1.2.3", "x"])
def test_what_is_no_number_with_either_mark_is_none(text):
    assert [number_of(text, mark) for mark in ".,"] == [None, None]


def test_numbers_are_read_exactly():
    rng = np.random.default_rng(2)
    for value in (10.0 ** rng.uniform(-12, 14, 300) * rng.choice([-1, 1], 300)).tolist():
        for text in (repr(value), f"{value:.3e}", f"{value:,.2f}"):
            expected = float(text.replace(",", ""))
            assert number_of(text, ".") == expected
            swapped = text.translate(str.maketrans(".,", ",."))
            assert number_of(swapped, ",") == expected
    assert number_of("−inf", ".") == -np.inf
