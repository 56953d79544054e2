"""What a reader notes on a table is said in a sentence, for every note that there is."""

import doctest
from typing import get_args

import pytest

from dpcore.readers.notes import (
    AddUpToHundred,
    ChooseColumns,
    ColumnsLeftOut,
    CommentLines,
    CountColumn,
    CrossTabulation,
    DecimalMark,
    EmptyAsZero,
    EmptyColumns,
    EqualsTotal,
    GrandTotal,
    HeaderRow,
    LinesLeftOut,
    NamedAsTotal,
    NamedTotalsLeftOut,
    NumberedNames,
    ObservedLevels,
    PersonRows,
    SuppressedCounts,
    TableKind,
    TableNote,
    TableSize,
    TextFormat,
    Thousands,
    TotalLeftOut,
    UncheckedPeople,
)
from pages.shared import file_notes
from pages.shared.counts import table_notes
from pages.shared.counts.table_notes import table_sentences

ONE_MORE_SET = "To release it with noise of its own, count it under “sets of totals”."
SENTENCES = [
    (EmptyColumns(("Remark",)), "Remark is empty and left out."),
    (EmptyColumns(("Remark", "column 4")), "are empty and left out."),
    (AddUpToHundred("table"), "The counts add up to about 100. If they are percentages, give the counts instead."),
    (AddUpToHundred("row"), "The counts of each row add up to about 100."),
    (TextFormat("UTF-16", "\t"), "The text is UTF-16; its columns are separated by tabs."),
    (TextFormat("UTF-8", ";"), "The text is UTF-8; its columns are separated by semicolons."),
    (TextFormat("UTF-8", "|"), "The text is UTF-8; its columns are separated by bars."),
    (TextFormat("UTF-8", ","), "The text is UTF-8; its columns are separated by commas."),
    (TextFormat("UTF-8", ""), "The text is UTF-8 and has one column."),
    (CommentLines(2), "Lines at the top that begin with # are skipped: 2."),
    (TableKind("column", "count name", "freq"), "The file is read as a column of counts: a column is named freq."),
    (TableKind("cross_table", "requested"), "The file is read as a cross-table: you chose that."),
    (
        TableKind("records", "numbered rows"),
        "as raw records: the first column only numbers the rows.",
    ),
    (TableKind("records", "chosen columns"), ": you chose columns to cross-tabulate."),
    (TableKind("records", "nothing else"), ": its first rows are neither a column of counts nor a cross-table."),
    (TableKind("records", "people", "patient"), "raw records: the column patient identifies people."),
    (TableKind("column", "one column"), ": it has one column."),
    (TableKind("column", "numeric column"), ": one column is numbers and the labels in the others differ in each row."),
    (
        TableKind("column", "two columns"),
        ": the first column has a different label in each row and the second is numbers.",
    ),
    (TableKind("column", "all combinations"), "is numbers and the others list every combination once."),
    (TableKind("cross_table", "numeric columns"), "has a different label in each row and the others are numbers."),
    (HeaderRow(True), "The first row is the header."),
    (HeaderRow(False), "The file has no header: the first row is data."),
    (CountColumn(1, "n", ()), "The counts are in column 1, n; the cells are numbered."),
    (
        CountColumn(2, "", ("column 1",)),
        "The counts are in column 2; the cells are named by column 1. Combinations that the file omits are not cells.",
    ),
    (
        ColumnsLeftOut(("share",)),
        "share is left out: exact numbers beside the noisy counts could reveal them.",
    ),
    (CountColumn(13, "n", tuple("abcdefghijkl")), "named by a, b, c, d, e, f, g, h, i, j, …. Combinations that the"),
    (
        DecimalMark(".", "1,200", 1200.0, "7.5 in line 3"),
        "The decimal mark is a point, as 7.5 in line 3 shows: 1,200 is 1200.",
    ),
    (DecimalMark(",", "1,200", 1.2), "The decimal mark is a comma, as you chose: 1,200 is 1.2."),
    (Thousands("1,203", 1203.0), "A separator before three digits separates thousands: 1,203 is 1203."),
    (TotalLeftOut("row", "Total:"), f"The row “Total:” is the sum of the others and is left out. {ONE_MORE_SET}"),
    (TotalLeftOut("row", "Total", is_exact=False), "The row “Total” can be the sum of the others before suppression"),
    (GrandTotal(), "The grand total is left out too. Released with noise of its own, it is one more set of totals."),
    (
        NamedAsTotal(("Total",)),
        "Named as a total, but not the sum of the others: Total. It counts as a cell of the table.",
    ),
    (NamedAsTotal(("total", "sum", "all", "gesamt")), "not the sum of the others: total, sum, all, …. It counts"),
    (
        EqualsTotal("cell", "East"),
        "The last cell, East, equals the sum of the others. It counts as a cell of the table. ",
    ),
    (TableSize(1, 1), "The table has 1 cell, 1 empty."),
    (TableSize(1200, 0), "The table has 1,200 cells, 0 empty."),
    (NumberedNames(2), "2 cells have the name of another cell, and a number in parentheses to distinguish them."),
    (ChooseColumns(), "Choose the columns to cross-tabulate."),
    (
        CrossTabulation(4, ("sex", "region"), (2, 2), 1),
        "4 rows are counted by sex (2), region (2): 4 cells, 1 of them empty. Empty cells get noise too: leaving them "
        "out would reveal that nobody is in them.",
    ),
    (ObservedLevels(), "Categories are taken from the data: those that nobody has are missing, and listing the others"),
    (UncheckedPeople(), "Each row is counted; nobody checked whether a person has several rows. If a person can"),
    (
        PersonRows("id", 400, 7, 3, 4),
        "In this file a person has up to 7 rows, in up to 3 cells, up to 4 in one cell. These numbers are confidential "
        "themselves: do not publish them, and set the limit from what you know, not from them.",
    ),
    (PersonRows("id", 400, 1200, 1, 1200), "up to 1,200 rows, in up to 1 cell, up to 1,200 in one cell. These"),
    (
        PersonRows("id", 9, 1, 1, 1),
        "No entry of id occurs in two rows: a row for each person in this file, if it numbers people and not rows.",
    ),
    (
        PersonRows("id", 9, 1, 1, 1, 2, True),
        "No entry of id occurs in two rows. 2 rows have no entry in id: nobody knows whose they are. Entries that "
        "differ only in spaces, upper case or leading zeros are one person.",
    ),
    (PersonRows("id", 9, 1, 1, 1, 1), "No entry of id occurs in two rows. 1 row has no entry in id: nobody knows"),
    (PersonRows("id", 0, 0, 0, 0, 5), "No row has an entry in id, so nobody checked whether a person has several"),
    (LinesLeftOut(((1, "Table 3"), (9, "Source"))), "and notes are left out: line 1 (Table 3); line 9 (Source)."),
    (LinesLeftOut(tuple((line, "x") for line in range(9))), "line 3 (x); line 4 (x); …."),
    (EmptyAsZero(2), "2 empty counts or dashes are read as 0."),
    (EmptyAsZero(2, ("North", "South")), "2 empty counts or dashes are read as 0: North, South."),
    (EmptyAsZero(1), "1 count that is empty or a dash is read as 0."),
    (SuppressedCounts(3, 4, True), "one person can change a cell from 0 to 4: set c to at least 4. Better: use the"),
    (
        SuppressedCounts(1, 4, False),
        "1 suppressed count is read as the largest possible value, at most 4. If the rule leaves zeros visible, set",
    ),
    (NamedTotalsLeftOut(("Total",)), "Totals are left out although they are not the sum of the others: Total. To"),
]


@pytest.mark.parametrize(("note", "sentence"), SENTENCES)
def test_a_note_on_a_table_has_its_sentence(note, sentence):
    (text_of_note,) = table_sentences([note])
    assert sentence in text_of_note
    assert text_of_note.endswith(".")


def test_every_note_on_a_table_has_a_sentence_and_a_test():
    assert set(get_args(TableNote)) == {type(note) for note, _ in SENTENCES}


def test_names_from_a_file_are_short_and_on_one_line():
    (sentence,) = table_sentences([TotalLeftOut("cell", "a\n" * 100)])
    assert f"The cell “{'a ' * 20}…” is" in sentence


@pytest.mark.parametrize("module", [file_notes, table_notes])
def test_the_examples_give_what_they_show(module):
    assert doctest.testmod(module).failed == 0
