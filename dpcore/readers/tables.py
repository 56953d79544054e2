"""Tables of counts of the user's own, read from a file or from text that was pasted."""

from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice

import numpy as np
import pandas as pd

from dpcore.checks import Array, option
from dpcore.readers.count_entries import are_plain, count_of, grouped
from dpcore.readers.csv_file import Progress, Row, chunks, ignore_progress, open_csv, short_text, unique_names
from dpcore.readers.records import MOST_CELLS, tabulated, text_column
from dpcore.readers.table_layout import FIRST, TABLE_KINDS, Layout, layout
from dpcore.readers.totals import is_total, without_totals


@dataclass(frozen=True)
class ReadTable:
    """What was taken from a file.

    `frame` has the columns `cell`, a name of its own for each, and `count`; `kind` is one of `TABLE_KINDS`; `said`
    are the sentences on how the file was read; `columns` are those that can be
    cross-tabulated, in whatever kind the file is.
    """

    frame: pd.DataFrame
    kind: str
    said: tuple[str, ...]
    columns: tuple[str, ...]


def read_table(
    data: bytes, columns: tuple[str, ...] = (), kind: str = "", progress: Progress = ignore_progress
) -> ReadTable:
    r"""Return the cells of a table of counts in a text file, and sentences on what was taken for what.

    The text is UTF-8, or UTF-16 with its mark; its columns are apart by commas, semicolons, tabs or bars; the first row
    may be a header. A file is read as one of three kinds: "column" has a column of counts, the others name the cells;
    "cross_table" has labels in its first column and row, a cell is named row × column; "records" has a row for each
    person, and the cells are all combinations of the levels found in `columns`, those that nobody is in with count 0.
    Totals of rows and columns are left out, which `said` tells.

    Parameters
    ----------
    data : at most 40 MB.
    columns : those of raw records to cross-tabulate, by name; without any, records have no cell yet.
    kind : one of "column", "cross_table", "records"; if it is empty, the first 1,000 rows decide.
    progress : hears the share of the file that is read, a number of [0, 1], now and then.

    Raises
    ------
    ValueError
        One sentence with the line, the column and the reason: bytes that are no text, rows of different lengths, an
        entry that is no count (negative, fractional, missing, a formula, or one with two readings such as 1.203), more
        than 1,000 columns, more than 10⁶ rows, or more than 10⁶ cells.

    Examples
    --------
    >>> taken = read_table(b"region;men;women\nNorth;12;3\nSouth;4;1,203\n")
    >>> taken.kind, taken.frame["cell"].tolist(), taken.frame["count"].tolist()
    ('cross_table', ['North × men', 'North × women', 'South × men', 'South × women'], [12.0, 3.0, 4.0, 1203.0])
    >>> read_table(b"sex\nF\nM\nF\n", columns=("sex",)).frame.to_dict("list")
    {'cell': ['F', 'M'], 'count': [2.0, 1.0]}
    """
    option("kind", kind, ("", *TABLE_KINDS))
    if columns and kind not in ("", "records"):
        raise ValueError(f"columns must be in () for the kind {kind}, got {columns!r}")
    opened = open_csv(data, progress)
    first = list(islice(opened.rows, FIRST))
    if not first:
        raise ValueError("line 1: the file is empty")
    found = layout(first, "records" if columns else kind)
    rows = chain(first[found.has_header :], opened.rows)
    if len(first) == found.has_header:
        raise ValueError(f"line {first[0][0] + 1}: there is no row under the header")
    frame, said = _READERS[found.kind](rows, found) if found.kind != "records" else tabulated(rows, found, columns)
    kinds = {"column": "a column of counts", "cross_table": "a cross-table", "records": "raw records, a row a person"}
    reason = "columns to cross-tabulate were chosen" if columns and not kind else found.reason
    taken_as = f"It is taken as {kinds[found.kind]}: {reason}."
    return ReadTable(frame, found.kind, (*opened.said, taken_as, found.header_said, *said), found.names)


def _from_column(rows: Iterator[Row], found: Layout) -> tuple[pd.DataFrame, list[str]]:
    labels = [place for place in range(len(found.names)) if place != found.place]
    cells, counts, named, groups = [], array("d"), [], ""
    for chunk in chunks(rows):
        entries = [row[found.place] for _, row in chunk]
        counts.extend(_counts(entries, ((line, found.place) for line, _ in chunk), found))
        groups = groups or next(filter(grouped, entries), "")
        for _, row in chunk:
            texts = [row[place].strip() for place in labels]
            if any(map(is_total, texts)):
                named.append(len(cells))
            cells.append(_cell_name(texts, labels, found) or f"row {len(cells) + 1}")
        if len(cells) > MOST_CELLS:
            raise ValueError(f"line {chunk[MOST_CELLS - len(cells)][0]}: more than {MOST_CELLS:,} rows")
    values, cells, totals_said = without_totals(np.array(counts)[:, None], cells, named, "cell")
    said = [_columns_said(labels, found), *_groups_said(groups), *totals_said]
    return _frame(cells, values[:, 0], said)


def _from_cross_table(rows: Iterator[Row], found: Layout) -> tuple[pd.DataFrame, list[str]]:
    if len(found.names) < 2:
        raise ValueError("line 1: a cross-table needs labels in its first column and counts in others")
    labels, counts, groups = [], [], ""
    for line, (label, *entries) in rows:
        labels.append(" ".join(label.split()) or f"row {len(labels) + 1}")
        counts.append(_counts(entries, ((line, place) for place in range(1, len(entries) + 1)), found))
        groups = groups or next(filter(grouped, entries), "")
        if len(counts) * len(entries) > MOST_CELLS:
            raise ValueError(f"line {line}: more than {MOST_CELLS:,} cells")
    shape = len(labels), len(found.names) - 1
    values, columns, column_said = _without_named(np.array(counts).T, list(found.names[1:]), "column")
    values, labels, row_said = _without_named(values.T, labels, "row")
    if len(labels) < shape[0] and len(columns) < shape[1]:
        row_said.append("The grand total, where they meet, is one more set if it is released with noise of its own.")
    names = [f"{label} × {column}" for label in labels for column in columns]
    return _frame(names, values.ravel(), [*_groups_said(groups), *column_said, *row_said])


def _without_named(values: Array, labels: list[str], what: str) -> tuple[Array, list[str], list[str]]:
    named = [place for place, label in enumerate(labels) if is_total(label)]
    return without_totals(values, labels, named, what)


def _frame(cells: list[str], counts: Array, said: list[str]) -> tuple[pd.DataFrame, list[str]]:
    names, changed = unique_names(cells)
    said.append(
        f"The table has {len(names):,} {'cell' if len(names) == 1 else 'cells'}, {np.sum(counts == 0):,} empty."
    )
    if changed:
        said.append(f"Cells that had the name of another and got a number in parentheses: {changed:,}.")
    return pd.DataFrame({"cell": text_column(names), "count": counts}), said


def _groups_said(entry: str) -> list[str]:
    return [f"Groups of three digits are thousands: {entry.strip()} is {count_of(entry):.0f}."] if entry else []


_READERS = {"column": _from_column, "cross_table": _from_cross_table}


def _counts(entries: list[str], at: Iterable[tuple[int, int]], found: Layout) -> list[float]:
    """The counts of entries that stand at these lines and columns."""
    if are_plain(entries):  # as in most files
        return list(map(float, entries))
    return [_count(entry, line, place, found) for entry, (line, place) in zip(entries, at, strict=True)]


def _count(entry: str, line: int, place: int, found: Layout) -> float:
    try:
        return count_of(entry)
    except ValueError as error:
        raise ValueError(f"{found.where(line, place)}: {error}") from None


def _cell_name(entries: list[str], places: list[int], found: Layout) -> str:
    """The labels of a row: with the names of their columns where there are several."""
    if len(entries) == 1:
        return entries[0]
    if not found.has_header:
        return ", ".join(filter(None, entries))
    return ", ".join(f"{found.names[place]} {entry}" for place, entry in zip(places, entries, strict=True) if entry)


def _columns_said(labels: list[int], found: Layout) -> str:
    name = f", {short_text(found.names[found.place])}" if found.has_header else ""
    counts = f"The counts are in column {found.place + 1}{name}"
    if not labels:
        return f"{counts}; the cells are numbered."
    few = ", ".join(short_text(found.names[place]) for place in labels[:10]) + (", …" if len(labels) > 10 else "")
    return f"{counts}; the cells are named by {few}. Combinations that the file does not list are not added."
