import doctest
import random

import pandas as pd
import pytest

from pages.framework.parameters.kinds import problem
from pages.shared.counts import linked_table
from pages.shared.counts import table as counts_table
from pages.shared.counts.linked_table import MOST_CHARACTERS, OwnTable, cells_frame, parse_table, table_text

OWN = OwnTable()


def frame(*cells):
    return pd.DataFrame(cells, columns=["cell", "count"])


def test_a_small_table_goes_into_the_link_and_comes_back_whatever_its_names_hold():
    table = frame(("North", 12.0), ("a=b;c%3B", 0.0), ("Süd × ♀", 1e15), ("line\nend\u202e", 7.0), ("'\"&+#?/ |", 3.0))
    text = table_text(table)
    assert text == "North=12;a%3Db%3Bc%253B=0;Süd × ♀=1000000000000000;line%0Aend%E2%80%AE=7;'\"&+#?/ |=3"
    assert OWN.read(text) == (tuple((name, int(count)) for name, count in table.itertuples(index=False)), 1)
    pd.testing.assert_frame_equal(cells_frame(parse_table(text).cells), table)


def test_cells_without_a_name_are_numbered_by_their_place():
    assert table_text(frame(("row 1", 4.0), ("row 3", 5.0), ("row 3 ", 1.0))) == "4;row 3=5;row 3 =1"
    assert OWN.read("4; 5 ;x=6") == ((("row 1", 4), ("row 2", 5), ("x", 6)), 1)


def test_the_least_contribution_that_suppressed_counts_require_is_in_the_link():
    table = frame(("North", 4.0), ("South", 12.0))
    text = table_text(table, 4)
    assert OWN.read(text) == ((("North", 4), ("South", 12)), 4)
    assert OWN.read("c4=4;c5=12") == ((("c4", 4), ("c5", 12)), 1)  # cells of these names


def test_random_names_come_back():
    rng = random.Random(12)
    for _ in range(200):
        names = {"".join(rng.choices("ab%;=2Bé\t\x00✓ ", k=6)).strip() for _ in range(5)} - {""}
        table = frame(*((name, float(rng.randrange(100))) for name in sorted(names)))
        pd.testing.assert_frame_equal(cells_frame(parse_table(table_text(table)).cells), table)


def test_a_table_of_64_cells_has_its_place_in_the_link_and_a_larger_one_has_none():
    table = frame(*((f"cell {i}", float(i)) for i in range(64)))
    pd.testing.assert_frame_equal(cells_frame(parse_table(table_text(table)).cells), table)
    with pytest.raises(ValueError, match=r"^a link holds tables of at most 64 cells, and this one has 65$"):
        table_text(frame(*((f"cell {i}", 1.0) for i in range(65))))
    with pytest.raises(ValueError, match=r"^a link holds tables of at most 64 cells, and this one has 0$"):
        table_text(frame())
    assert len(table_text(frame(("x" * (MOST_CHARACTERS - 2), 1.0)))) == MOST_CHARACTERS
    with pytest.raises(ValueError, match=r"^a link holds tables of at most 2,000 characters, and this one has 2,001$"):
        table_text(frame(("x" * (MOST_CHARACTERS - 1), 1.0)))


@pytest.mark.parametrize(
    "entry",
    ["", "North", "North=", "=3", " =3", "North=-1", "North=1.5", "North=1e3", "North=²", "x=1000000000000001",
     "%ff=1", "c4", "x" * 1999 + "=1", ";".join(["1"] * 65), "None"],
)  # fmt: skip
def test_a_text_that_is_no_table_is_refused_in_one_sentence(entry):
    sentence = problem(OWN, entry)
    assert sentence is not None
    assert sentence.startswith("own table must be none, or 1 to 64 different cells with whole counts up to 1e15, as")


@pytest.mark.parametrize(
    ("entry", "sentence"),
    [
        (";", "cell 1 must be a name, = and a whole count up to 1e15; nothing was given."),
        ("a=1;", "cell 2 must be a name, = and a whole count up to 1e15; nothing was given."),
        ("a=1;b=2;c=-3", "cell 3 must be a name, = and a whole count up to 1e15; c=-3 was given."),
        ("a=1;%ff=2", "cell 2 must be a name, = and a whole count up to 1e15; %ff=2 was given."),
        ("a=1;a=2", "cell 2 must have another name than those before it; a was given."),
        ("c0;4", "cell 1 must be a name, = and a whole count up to 1e15; c0 was given."),
        ("c4;4;x", "cell 2 must be a name, = and a whole count up to 1e15; x was given."),
        ("row 2=1;2", "cell 2 must have another name than those before it; row 2 was given."),
    ],
)
def test_of_several_cells_the_sentence_names_the_one_that_cant_be_used(entry, sentence):
    assert problem(OWN, entry) == f"own table: {sentence}"


def test_no_table_is_none():
    assert OWN.read("none") is None
    assert OWN.read(OWN.default) is None


def test_the_examples_give_what_they_show():
    assert [doctest.testmod(module).failed for module in (counts_table, linked_table)] == [0, 0]
