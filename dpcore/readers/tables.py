"""Tables of counts, read from a file or from text that was pasted; totals are no cells like the others."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, islice

import numpy as np
import pandas as pd

from dpcore.checks import Array, option
from dpcore.readers.csv_file import Progress, Row, chunks, ignore_progress, open_csv
from dpcore.readers.notes import (
    AddUpToHundred,
    ColumnsLeftOut,
    CountColumn,
    EmptyColumns,
    EqualsTotal,
    GrandTotal,
    HeaderRow,
    NamedAsTotal,
    NamedTotalsLeftOut,
    NumberedNames,
    TableNote,
    TableSize,
    Thousands,
    TotalLeftOut,
)
from dpcore.readers.number_columns import (
    DECIMAL_MARKS,
    NumberColumn,
    are_plain,
    has_groups,
    one_line,
    parse_count,
    plain_counts,
    unique_names,
)
from dpcore.readers.people import PersonCandidate, person_columns
from dpcore.readers.records import MOST_CELLS, cross_tabulate, text_column
from dpcore.readers.table_layout import FIRST_ROWS, TABLE_KINDS, Layout, table_layout
from dpcore.readers.table_repairs import REPAIRS, SHARES, RepairTally, plain_rows, repaired_entries, repaired_lines

_TOTALS = {
    *("total", "totals", "grand total", "subtotal", "sub-total", "sum", "all", "overall", "altogether"),
    *("gesamt", "insgesamt", "summe", "celkem", "razem", "totale", "ensemble"),
}


def is_total(label: str) -> bool:
    """Return whether a label names a total, as in a published table.

    >>> is_total("Grand total"), is_total("Totnes")
    (True, False)
    """
    return label.strip().rstrip(":.").lower() in _TOTALS


def _without_totals(
    values: Array, labels: list[str], named: list[int], part: str, drop_named: bool, slack: float
) -> tuple[Array, list[str], list[TableNote]]:
    """Return an array and its labels without the row that is named as a total and is the sum of the others, and notes.

    `named` are the indices of the rows with such a name, and `part` says what a row is. A row that only has the name of
    a total, or a last row that only equals the sum of the others, is kept, with a note. With `drop_named`, every row
    with the name of a total is left out.

    >>> _without_totals(np.array([[1], [3], [4]]), ["N", "S", "Total"], [2], "cell", False, 0)[1:]
    (['N', 'S'], [TotalLeftOut(part='cell', label='Total', is_exact=True)])
    """
    sums = values.sum(axis=0)
    excess = np.max(np.abs(2 * values - sums), axis=1)
    totals = [row for row in named if len(values) > 2 and excess[row] <= slack][:1]
    notes: list[TableNote] = [TotalLeftOut(part, labels[row], bool(excess[row] == 0)) for row in totals]
    others = [row for row in named if row not in totals]
    if others:
        other_labels = tuple(labels[row] for row in others)
        notes.append(NamedTotalsLeftOut(other_labels) if drop_named else NamedAsTotal(other_labels))
    last = len(values) - 1
    if not named and last >= 2 and np.all(2 * values[last] == sums) and sums.any():
        notes.append(EqualsTotal(part, labels[last]))
    left_out = {*totals, *(others if drop_named else ())}
    if not left_out:
        return values, labels, notes
    rows = [row for row in range(len(values)) if row not in left_out]
    return values[rows], [labels[row] for row in rows], notes


@dataclass(frozen=True)
class ReadTable:
    """A table as it was read from a file.

    `frame` has the columns `cell`, a name of its own for each, and `count`; `kind` is one of `TABLE_KINDS`; `notes` say
    how the file was read; `columns` are those that can be cross-tabulated, in whatever kind the file is.
    `count_columns` are those of numbers that can be the counts, for the kind "column".
    `person_columns` are those of raw records that may identify people, the best first, judged by the first 1,000 rows.
    """

    frame: pd.DataFrame
    kind: str
    notes: tuple[TableNote, ...]
    columns: tuple[str, ...]
    person_columns: tuple[PersonCandidate, ...] = ()
    count_columns: tuple[str, ...] = ()


def read_table(
    data: bytes,
    columns: tuple[str, ...] = (),
    kind: str = "",
    progress: Progress = ignore_progress,
    repairs: tuple[str, ...] = (),
    person: str = "",
    counts: str = "",
) -> ReadTable:
    r"""Return the cells of a table of counts in a text file, with notes on how it was read.

    The text is UTF-8, or UTF-16 with its mark; commas, semicolons, tabs or bars separate its columns; the first row may
    be a header. A file is read as one of three kinds. A "column" file has a column of counts, and its other columns
    name the cells. A "cross_table" file has labels in its first column and row, and a cell is named row × column. A
    "records" file has rows that are counted, and the cells are all combinations of the levels found in `columns`; a
    combination that does not occur has the count 0. A person may have several rows: the note `PersonRows` says how
    often the same one occurs. Totals of rows and columns are left out, with a note.

    Parameters
    ----------
    data : at most 40 MB.
    columns : those of raw records to cross-tabulate, by name; without any, records have no cell yet.
    kind : one of "column", "cross_table", "records"; if it is empty, the first 1,000 rows decide.
    progress : is called now and then with the share of the file that is read, a number in [0, 1].
    repairs : what to mend in a published table, some of `REPAIRS`: "lines" leaves out titles above the table and notes
        below it, "columns" leaves out the columns of a cross-table that can't be counts (shares, means, changes) where
        others can, "shares" reads a column of whole numbers as counts although it is named as shares, "header" takes a
        first row that has no count as the header, "empty" reads empty counts and dashes as 0, "suppressed" reads a
        suppressed count such as <5 as the largest count that it can be (4), "thousands" reads 1,203 and 1.203 as 1203,
        and "totals" leaves out rows and columns that are named as totals although they are not the sum of the others.
        `table_problems` says which of them a file needs.
    person : the column that identifies people, for raw records with `columns`; without it, nobody checks whether a
        person has several rows, and a note says so.
    counts : the column of counts, one of the `count_columns`, for the kind "column"; if it is empty, the last of them.

    Raises
    ------
    ValueError
        One sentence with the line, the column and the reason: bytes that are no text, rows of different lengths, an
        entry that is no count (negative, fractional, missing, or a formula), more than 1,000 columns, more than 10⁶
        rows, or more than 10⁶ cells. An `AmbiguousNumberError` where all entries with a comma or point have two
        readings, as 1,203 has: the repair "thousands" settles them.

    Examples
    --------
    >>> table = read_table(b"region;men;women\nNorth;12;3\nSouth;4;1,203\n", repairs=("thousands",))
    >>> table.kind, table.frame["cell"].tolist(), table.frame["count"].tolist()
    ('cross_table', ['North × men', 'North × women', 'South × men', 'South × women'], [12.0, 3.0, 4.0, 1203.0])
    >>> table.notes[0]
    TextFormat(encoding='UTF-8', separator=';')
    >>> read_table(b"sex\nF\nM\nF\n", columns=("sex",)).frame.to_dict("list")
    {'cell': ['F', 'M'], 'count': [2.0, 1.0]}
    >>> visits = read_table(b"patient,ward\nA7,1\nA7,1\nB2,1\nA7,2\n", columns=("ward",), person="patient")
    >>> visits.person_columns, visits.notes[-1].most_cells, visits.notes[-1].most_per_cell
    ((PersonCandidate(name='patient', reason='name'),), 2, 2)
    """
    option("kind", kind, ("", *TABLE_KINDS))
    for repair in repairs:
        option("repairs", repair, REPAIRS)
    if columns and kind not in ("", "records"):
        raise ValueError(f"columns must be in () for the kind {kind}, got {columns!r}")
    if person and (not columns or person in columns):
        raise ValueError(f"person must be a column beside those that are cross-tabulated, got {person!r}")
    file, tally = open_csv(data, progress, same_width=not repairs), RepairTally()
    table_rows = repaired_lines(file.rows, repairs, tally) if repairs else file.rows
    first = list(islice(table_rows, FIRST_ROWS))
    if not first:
        raise ValueError("line 1: the file is empty")
    plain = plain_rows(first) if repairs else first
    layout = table_layout(plain, "records" if columns else kind, counts, repairs)
    if named_as_shares := [column for column in layout.count_columns if column in layout.shares]:
        raise ValueError(f"{layout.where(first[0][0], named_as_shares[0])}: {SHARES}")
    count_columns = tuple(layout.names[column] for column in layout.countable)
    if counts and (layout.kind.kind != "column" or counts not in count_columns):
        allowed = count_columns if layout.kind.kind == "column" else ()
        raise ValueError(f"counts must be in {allowed} for the kind {layout.kind.kind}, got {counts!r}")
    rows = chain(first[layout.has_header :], table_rows)
    rows = _without_entries(rows, layout) if layout.empty else rows
    if repairs:
        rows = repaired_entries(rows, layout.count_columns, repairs, tally, layout.names)
    if len(first) == layout.has_header:
        raise ValueError(f"line {first[0][0] + 1}: there is no row under the header")
    candidates = ()
    if layout.kind.kind == "records":
        option("person", person, ("", *layout.names))
        candidates = person_columns(first[layout.has_header :], layout.names, layout.has_header)
        frame, notes = cross_tabulate(rows, layout, columns, person)
    else:
        frame, notes = _FRAME_READERS[layout.kind.kind](rows, layout, "totals" in repairs, tally)
    table_kind = replace(layout.kind, reason="chosen columns") if columns and not kind else layout.kind
    repair_notes = tally.notes(bool(np.any(frame["count"] == 0)))
    all_notes = (*file.notes, *repair_notes, table_kind, HeaderRow(layout.has_header), *notes)
    return ReadTable(frame, table_kind.kind, all_notes, layout.names, candidates, count_columns)


def _from_column(
    rows: Iterator[Row], layout: Layout, drop_named: bool, tally: RepairTally
) -> tuple[pd.DataFrame, list[TableNote]]:
    labels, (count_column,) = layout.labels, layout.count_columns
    cells, named, counts = list[str](), list[int](), _Counts(layout)
    for chunk in chunks(rows):
        counts.add([row[count_column] for _, row in chunk], [(line, count_column) for line, _ in chunk])
        for _, row in chunk:
            texts = [row[column].strip() for column in labels]
            if any(map(is_total, texts)):
                named.append(len(cells))
            cells.append(_cell_name(texts, labels, layout) or f"row {len(cells) + 1}")
    column = counts.numbers()[:, None]
    values, cells, total_notes = _without_totals(column, cells, named, "cell", drop_named, tally.slack)
    name = layout.names[count_column] if layout.has_header else ""
    columns = CountColumn(count_column + 1, name, tuple(layout.names[column] for column in labels))
    frame, notes = _frame(cells, values)
    return frame, [columns, *_left_out_notes(layout), *counts.thousands_notes(), *total_notes, *notes]


def _left_out_notes(layout: Layout) -> list[TableNote]:
    empty = tuple(layout.names[column] for column in layout.empty)
    return [*([EmptyColumns(empty)] if empty else []), *([ColumnsLeftOut(layout.left_out)] if layout.left_out else [])]


def _without_entries(rows: Iterable[Row], layout: Layout) -> Iterator[Row]:
    """Yield rows whose entries in columns that are left out as empty are blank; ValueError for another one."""
    for line, row in rows:
        filled = next((column for column in layout.empty if row[column].strip()), None)
        if filled is not None:
            reason = f"an entry of a column that is empty in the first {FIRST_ROWS:,} rows; delete it, or the column"
            raise ValueError(f"{layout.where(line, filled)}: {reason}")
        yield line, row


def _from_cross_table(
    rows: Iterator[Row], layout: Layout, drop_named: bool, tally: RepairTally
) -> tuple[pd.DataFrame, list[TableNote]]:
    if len(layout.names) < 2:
        raise ValueError("line 1: a cross-table needs labels in its first column and counts in others")
    labels, counts, columns = list[str](), _Counts(layout), layout.count_columns
    for chunk in chunks(rows):
        for line, row in chunk:
            labels.append(one_line(row[layout.labels[0]]) or f"row {len(labels) + 1}")
            if len(labels) * len(columns) > MOST_CELLS:
                raise ValueError(f"line {line}: more than {MOST_CELLS:,} cells")
        entries = [row[column] for _, row in chunk for column in columns]
        counts.add(entries, [(line, column) for line, _ in chunk for column in columns])
    shape, names = (len(labels), len(columns)), [layout.names[column] for column in columns]
    reader = partial(_without_named, drop_named=drop_named, slack=tally.slack)
    values, names, column_notes = reader(counts.numbers().reshape(shape).T, names, "column")
    values, labels, row_notes = reader(values.T, labels, "row")
    if len(labels) < shape[0] and len(names) < shape[1]:
        row_notes.append(GrandTotal())
    frame, notes = _frame([f"{label} × {column}" for label in labels for column in names], values)
    return frame, [*_left_out_notes(layout), *counts.thousands_notes(), *column_notes, *row_notes, *notes]


_FRAME_READERS = {"column": _from_column, "cross_table": _from_cross_table}


def _without_named(
    values: Array, labels: list[str], part: str, drop_named: bool, slack: float
) -> tuple[Array, list[str], list[TableNote]]:
    named = [index for index, label in enumerate(labels) if is_total(label)]
    return _without_totals(values, labels, named, part, drop_named, slack)


def _hundred_notes(values: Array) -> list[TableNote]:
    """Return a note where the counts of a table, of each of its columns, or of each row could be percentages.

    >>> _hundred_notes(np.array([[20.0], [30], [50]])), _hundred_notes(np.array([[20.0], [30], [60]]))
    ([AddUpToHundred(part='table')], [])
    >>> _hundred_notes(np.array([[40.0, 60], [27, 72]]))
    [AddUpToHundred(part='row')]
    """
    ways = ((values, "column" if values.shape[1] > 1 else "table", 3), (values.T, "row", 2))
    found = (part for counts, part, n in ways if len(counts) >= n and np.all(abs(counts.sum(axis=0) - 100) <= 1))
    return [AddUpToHundred(part) for part in islice(found, 1)]


def _frame(cells: list[str], values: Array) -> tuple[pd.DataFrame, list[TableNote]]:
    counts = values.ravel()
    names, n_numbered = unique_names(cells)
    notes: list[TableNote] = [TableSize(len(names), int(np.sum(counts == 0)))]
    if n_numbered:
        notes.append(NumberedNames(n_numbered))
    return pd.DataFrame({"cell": text_column(names), "count": counts}), [*_hundred_notes(values), *notes]


class _Counts(NumberColumn):
    """The counts of a table, and the first entry whose digits stand in groups, by the decimal mark that it has then."""

    def __init__(self, layout: Layout) -> None:
        super().__init__(parse_count, plain_counts, layout.where)
        self._groups: dict[str, str] = {}

    def add(self, entries: list[str], places: Sequence[tuple[int, int]]) -> None:
        super().add(entries, places)
        for mark in DECIMAL_MARKS if len(self._groups) < 2 and not are_plain(entries) else ():
            grouped = next((entry for entry in entries if has_groups(entry, mark)), "")
            if grouped:
                self._groups.setdefault(mark, grouped.strip())

    def thousands_notes(self) -> list[TableNote]:
        mark = self.mark or "."
        entry = self._groups.get(mark)
        return [] if entry is None else [Thousands(entry, parse_count(entry, mark))]


def _cell_name(entries: list[str], columns: Sequence[int], layout: Layout) -> str:
    """Return the labels of a row, with the names of their columns where there are several."""
    if len(entries) == 1:
        return entries[0]
    if not layout.has_header:
        return ", ".join(filter(None, entries))
    return ", ".join(f"{layout.names[column]} {entry}" for column, entry in zip(columns, entries, strict=True) if entry)
