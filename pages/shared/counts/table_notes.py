"""The sentences on how a table of counts was read."""

from collections.abc import Iterable
from math import prod
from types import MappingProxyType

from dpcore.readers.notes import (
    ChooseColumns,
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
    Thousands,
    TotalLeftOut,
)
from pages.framework.parameters.kinds import excerpt
from pages.shared.file_notes import FILE_SENTENCES, SentenceWriters, column_list, sentences

_KINDS = {"column": "a column of counts", "cross_table": "a cross-table", "records": "raw records, a row a person"}
_REASONS = {
    "requested": "as asked",
    "chosen columns": "columns to cross-tabulate were chosen",
    "count name": "a column is named {}",
    "one column": "there is one column",
    "numbered rows": "the first column only numbers the rows",
    "numeric columns": "the first column tells the rows apart and the others hold numbers",
    "numeric column": "one column holds numbers and the others tell the rows apart",
    "two columns": "the first column tells the rows apart and the second holds numbers",
    "all combinations": "the last column holds numbers and the others list every combination once",
    "nothing else": "nothing in its first rows makes it a column of counts or a cross-table",
}


def table_sentences(notes: Iterable[TableNote]) -> tuple[str, ...]:
    """Return a sentence for each note on a table.

    >>> table_sentences([HeaderRow(True), Thousands("1,203", 1203.0)])
    ('The first row is the header.', 'Groups of three digits are thousands: 1,203 is 1203.')
    """
    return sentences(notes, TABLE_SENTENCES)


def _table_kind(note: TableKind) -> str:
    return f"It is taken as {_KINDS[note.kind]}: {_REASONS[note.reason].format(note.column)}."


def _header_row(note: HeaderRow) -> str:
    if note.is_present:
        return "The first row is the header."
    return "There is no header: the first row is read like the others."


def _count_column(note: CountColumn) -> str:
    counts = f"The counts are in column {note.number}{f', {excerpt(note.name)}' if note.name else ''}"
    if not note.labels:
        return f"{counts}; the cells are numbered."
    labels = column_list(note.labels)
    return f"{counts}; the cells are named by {labels}. Combinations that the file does not list are not added."


def _thousands(note: Thousands) -> str:
    return f"Groups of three digits are thousands: {note.entry} is {note.count:.0f}."


def _total_left_out(note: TotalLeftOut) -> str:
    return (
        f"The {note.what} {excerpt(note.label)} is the sum of the others and is left out. If it is released with noise "
        "of its own, a person moves it too: count it as one more set of totals (margins)."
    )


def _grand_total(_: GrandTotal) -> str:
    return "The grand total, where they meet, is one more set if it is released with noise of its own."


def _named_as_total(note: NamedAsTotal) -> str:
    labels = ", ".join(map(excerpt, note.labels[:3])) + (", …" if len(note.labels) > 3 else "")
    return (
        f"Named as a total, but not the sum of all others: {labels}. It is kept as any other; if it is a total, take "
        "it out, or count it among the cells that a person is in."
    )


def _equals_total(note: EqualsTotal) -> str:
    return (
        f"The last {note.what}, {excerpt(note.label)}, equals the sum of the others. It is kept; if it is a total, take"
        " it out, or count it among the cells that a person is in."
    )


def _table_size(note: TableSize) -> str:
    return f"The table has {note.n_cells:,} {'cell' if note.n_cells == 1 else 'cells'}, {note.n_empty:,} empty."


def _numbered_names(note: NumberedNames) -> str:
    return f"Cells that had the name of another and got a number in parentheses: {note.n_cells:,}."


def _choose_columns(_: ChooseColumns) -> str:
    return "Choose the columns to cross-tabulate."


def _cross_tabulation(note: CrossTabulation) -> str:
    sizes = zip(note.columns, note.n_levels, strict=True)
    levels = ", ".join(f"{excerpt(name)} ({n_levels:,})" for name, n_levels in sizes)
    return (
        f"{note.n_rows:,} rows are counted by {levels}: {prod(note.n_levels):,} cells, {note.n_empty:,} of them empty. "
        "Empty cells get noise too, since leaving them out tells who is there."
    )


def _observed_levels(_: ObservedLevels) -> str:
    return (
        "The levels are those that the rows have. A level that no row has can't be known: if the table is to have it, "
        "its cells are missing here; and levels taken from the data tell that somebody has them."
    )


def _person_per_row(_: PersonPerRow) -> str:
    return (
        "Each row is taken for one person. Where a person can have several rows, the cells that one person can be in, "
        "and the most that one adds to a cell, are more than 1."
    )


TABLE_SENTENCES: SentenceWriters = MappingProxyType(
    {
        **FILE_SENTENCES,
        TableKind: _table_kind,
        HeaderRow: _header_row,
        CountColumn: _count_column,
        Thousands: _thousands,
        TotalLeftOut: _total_left_out,
        GrandTotal: _grand_total,
        NamedAsTotal: _named_as_total,
        EqualsTotal: _equals_total,
        TableSize: _table_size,
        NumberedNames: _numbered_names,
        ChooseColumns: _choose_columns,
        CrossTabulation: _cross_tabulation,
        ObservedLevels: _observed_levels,
        PersonPerRow: _person_per_row,
    }
)
