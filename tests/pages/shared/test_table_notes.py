"""What a reader notes on a table is said in a sentence, for every note that there is."""

import doctest
from typing import get_args

import pytest

from dpcore.readers.notes import (
    ChooseColumns,
    CommentLines,
    CountColumn,
    CrossTabulation,
    EqualsTotal,
    GrandTotal,
    HeaderRow,
    NamedAsTotal,
    NumberedNames,
    ObservedLevels,
    PersonPerRow,
    TableKind,
    TableNote,
    TableSize,
    TextFormat,
    Thousands,
    TotalLeftOut,
)
from pages.shared import file_notes
from pages.shared.counts import table_notes
from pages.shared.counts.table_notes import TABLE_SENTENCES, table_sentences

ONE_MORE_SET = (
    "If it is released with noise of its own, a person moves it too: count it as one more set of totals (margins)."
)
SENTENCES = [
    (TextFormat("UTF-16", "\t"), "The text is UTF-16; its columns are apart by tabs."),
    (TextFormat("UTF-8", ";"), "The text is UTF-8; its columns are apart by semicolons."),
    (TextFormat("UTF-8", "|"), "The text is UTF-8; its columns are apart by bars."),
    (TextFormat("UTF-8", ","), "The text is UTF-8; its columns are apart by commas."),
    (TextFormat("UTF-8", ""), "The text is UTF-8 and has one column."),
    (CommentLines(2), "Lines at the top that begin with # are left out: 2."),
    (TableKind("column", "count name", "freq"), "It is taken as a column of counts: a column is named freq."),
    (TableKind("cross_table", "requested"), "It is taken as a cross-table: as asked."),
    (TableKind("records", "numbered rows"), "as raw records, a row a person: the first column only numbers the rows."),
    (TableKind("records", "chosen columns"), ": columns to cross-tabulate were chosen."),
    (TableKind("records", "nothing else"), ": nothing in its first rows makes it a column of counts or a cross-table."),
    (TableKind("column", "one column"), ": there is one column."),
    (TableKind("column", "numeric column"), ": one column holds numbers and the others tell the rows apart."),
    (TableKind("column", "two columns"), ": the first column tells the rows apart and the second holds numbers."),
    (TableKind("column", "all combinations"), "holds numbers and the others list every combination once."),
    (TableKind("cross_table", "numeric columns"), "column tells the rows apart and the others hold numbers."),
    (HeaderRow(True), "The first row is the header."),
    (HeaderRow(False), "There is no header: the first row is read like the others."),
    (CountColumn(1, "n", ()), "The counts are in column 1, n; the cells are numbered."),
    (
        CountColumn(2, "", ("column 1",)),
        "The counts are in column 2; the cells are named by column 1. Combinations that the file does not list are not "
        "added.",
    ),
    (CountColumn(13, "n", tuple("abcdefghijkl")), "named by a, b, c, d, e, f, g, h, i, j, …. Combinations that the"),
    (Thousands("1,203", 1203.0), "Groups of three digits are thousands: 1,203 is 1203."),
    (TotalLeftOut("row", "Total:"), f"The row Total: is the sum of the others and is left out. {ONE_MORE_SET}"),
    (GrandTotal(), "The grand total, where they meet, is one more set if it is released with noise of its own."),
    (NamedAsTotal(("Total",)), "Named as a total, but not the sum of all others: Total. It is kept as any other; if"),
    (NamedAsTotal(("total", "sum", "all", "gesamt")), "not the sum of all others: total, sum, all, …. It is kept"),
    (EqualsTotal("cell", "East"), "The last cell, East, equals the sum of the others. It is kept; if it is a total, "),
    (TableSize(1, 1), "The table has 1 cell, 1 empty."),
    (TableSize(1200, 0), "The table has 1,200 cells, 0 empty."),
    (NumberedNames(2), "Cells that had the name of another and got a number in parentheses: 2."),
    (ChooseColumns(), "Choose the columns to cross-tabulate."),
    (
        CrossTabulation(4, ("sex", "region"), (2, 2), 1),
        "4 rows are counted by sex (2), region (2): 4 cells, 1 of them empty. Empty cells get noise too, since leaving "
        "them out tells who is there.",
    ),
    (ObservedLevels(), "The levels are those that the rows have. A level that no row has can't be known: if the table"),
    (
        PersonPerRow(),
        "Each row is taken for one person. Where a person can have several rows, the cells that one person",
    ),
]


@pytest.mark.parametrize(("note", "sentence"), SENTENCES)
def test_a_note_on_a_table_has_its_sentence(note, sentence):
    (written,) = table_sentences([note])
    assert sentence in written
    assert written.endswith(".")


def test_every_note_on_a_table_has_a_sentence_and_a_test():
    assert set(TABLE_SENTENCES) == set(get_args(TableNote)) == {type(note) for note, _ in SENTENCES}


def test_names_from_a_file_are_short_and_on_one_line():
    (sentence,) = table_sentences([TotalLeftOut("cell", "a\n" * 100)])
    assert f"The cell {'a ' * 20}… is" in sentence


@pytest.mark.parametrize("module", [file_notes, table_notes])
def test_the_examples_give_what_they_show(module):
    assert doctest.testmod(module).failed == 0
