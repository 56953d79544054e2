"""Repairs of a table as it was published, where they are requested.

Titles and sources around a table, empty entries, suppressed counts, and thousands.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice

from dpcore.readers.csv_file import Row
from dpcore.readers.notes import EmptyAsZero, LinesLeftOut, SuppressedCounts, TableNote, Thousands
from dpcore.readers.number_columns import looks_numeric, n_columns_text, short_text, without_thousands_mark

REPAIRS = ("lines", "columns", "shares", "header", "empty", "suppressed", "thousands", "totals")
"""The repairs that `read_table` makes on request."""
SHARES = "it is named as shares, not as counts"
"""Why a column of whole numbers is not read as counts without "shares"."""
_HEAD_ROWS = 1000
_MOST_REMARKS = 50  # More lines below a table are no notes on it.
_DASHES = frozenset("-–—−")
_UNAVAILABLE = frozenset({"n/a", "n.a.", "na", "..", "…", ":"})  # marks of statistical offices, none of which means 0
_SUPPRESSED = re.compile(r"(<=?|≤)\s*([0-9]{1,6})")
_TABLE, _REMARK, _WIDTH = "table", "remark", "width"


@dataclass
class RepairTally:
    """The repairs in a file: the lines that were left out, and the number of replaced entries.

    `empty_labels` are those of the empty counts. `thousands` is the first entry with two readings whose mark
    was read as a thousands separator.
    """

    lines: list[Row] = field(default_factory=list)
    n_empty: int = 0
    empty_labels: dict[str, None] = field(default_factory=dict)
    n_suppressed: int = 0
    largest: int = 0
    thousands: str = ""

    @property
    def slack(self) -> int:
        """Return the most by which the suppressed counts together can be overstated."""
        return self.n_suppressed * self.largest

    def notes(self, has_zeros: bool) -> list[TableNote]:
        """Return a note for each kind of repair that was made; `has_zeros` says whether the table has counts of 0."""
        notes: list[TableNote] = []
        if self.lines:
            notes.append(LinesLeftOut(tuple((line, _remark_text(row)) for line, row in self.lines)))
        if self.n_empty:
            notes.append(EmptyAsZero(self.n_empty, tuple(self.empty_labels)))
        if self.n_suppressed:
            notes.append(SuppressedCounts(self.n_suppressed, self.largest, has_zeros))
        if self.thousands:
            notes.append(Thousands(self.thousands, float(without_thousands_mark(self.thousands) or 0)))
        return notes


def is_empty(entry: str) -> bool:
    """Return whether an entry is blank or a dash, as published tables have it where nobody is.

    >>> is_empty(" "), is_empty("–"), is_empty("0")
    (True, True, False)
    """
    text = entry.strip()
    return not text or text in _DASHES


def largest_suppressed(entry: str) -> int | None:
    """Return the largest count that a suppressed count stands for, None for another entry.

    >>> largest_suppressed("<5"), largest_suppressed("≤ 5"), largest_suppressed("5")
    (4, 5, None)
    """
    match = _SUPPRESSED.fullmatch(entry.strip())
    return None if match is None else max(0, int(match[2]) - (match[1] == "<"))


def plain_rows(rows: list[Row]) -> list[Row]:
    """Return rows in which a dash or "n/a" is blank and a suppressed count is a number, to guess the layout from.

    >>> plain_rows([(2, ["North", "<5", "–", "n/a"])])
    [(2, ['North', '4', '', ''])]
    """
    return [(line, [plain_entry(entry) for entry in row]) for line, row in rows]


def plain_entry(entry: str) -> str:
    """Return an entry as `plain_rows` has it: blank for a dash or "n/a", and a number for a suppressed count.

    >>> plain_entry(" – "), plain_entry("n/a"), plain_entry("<5"), plain_entry("12")
    ('', '', '4', '12')
    """
    text = entry.strip()
    if text in _DASHES or text.casefold() in _UNAVAILABLE:
        return ""
    largest = largest_suppressed(entry)
    return entry if largest is None else str(largest)


def classified_rows(rows: Iterable[Row]) -> Iterator[tuple[Row, str]]:
    """Yield rows with what each is: "table", "remark" (a title, note or source), or "width" (too many or few entries).

    The width of the table is that of most of its first rows. Remarks stand above or below the table; they have another
    width, or one entry at the beginning of a row that is blank otherwise.

    >>> [kind for _, kind in classified_rows([(1, ["T"]), (2, ["a", "n"]), (3, ["x", "1"]), (4, ["y", "2"])])]
    ['remark', 'table', 'table', 'table']
    """
    left = iter(rows)
    head = list(islice(left, _HEAD_ROWS))
    width = _usual_width(head)
    start = _first_table_row(head, width)
    yield from ((row, _REMARK) for row in head[:start])
    pending: list[Row] = []
    for row in chain(head[start:], left):
        if _is_remark(row, width) and len(pending) < _MOST_REMARKS:
            pending.append(row)
            continue
        yield from ((other, _TABLE if len(other[1]) == width else _WIDTH) for other in pending)
        pending.clear()
        yield row, _TABLE if len(row[1]) == width else _WIDTH
    yield from ((row, _REMARK) for row in pending)


def _usual_width(rows: Sequence[Row]) -> int:
    """Return the number of entries that most of the rows with several entries have; 1 if no row has several.

    >>> _usual_width([(1, ["Title"]), (2, ["a", "n"]), (3, ["x", "1"])])
    2
    """
    widths = Counter(len(row) for _, row in rows if len(row) > 1)
    return max(widths, key=lambda width: (widths[width], width)) if widths else 1


def _first_table_row(head: list[Row], width: int) -> int:
    start = 0
    while start < len(head) and _is_remark(head[start], width):
        start += 1
    start = _row_after_titles(head, start)
    if start + 2 < len(head):
        title, header, body = (head[start + offset][1] for offset in range(3))
        if _has_count(title) and not _has_count(header) and _has_count(body) and all(map(str.strip, header[1:])):
            return start + 1
    return start


def _row_after_titles(head: list[Row], start: int) -> int:
    """Return the place of the first row, from `start` on, that is no title with empty entries after it.

    Lines with one entry are titles above a blank line, or above a row of several entries without a count, the header.

    >>> _row_after_titles([(1, ["Visits", ""]), (2, ["area", "n"]), (3, ["North", "12"])], 0)
    1
    >>> _row_after_titles([(1, ["North", ""]), (2, ["South", "12"])], 0)
    0
    """
    for place, (last, row) in enumerate(zip(head[start:], head[start + 1 :], strict=False), start + 1):
        if not _has_one_entry(last[1]):
            return start
        is_header = not _has_one_entry(row[1]) and not _has_count(row[1])
        if is_header or (_is_below_blank_line(last, row) and not _has_one_entry(row[1])):
            return place
    return start


def _has_one_entry(row: list[str]) -> bool:
    """Return whether the first of several entries of a row is the only one that is not blank."""
    return len(row) > 1 and bool(row[0].strip()) and not any(map(str.strip, row[1:]))


def _is_below_blank_line(row: Row, below: Row) -> bool:
    return below[0] > row[0] + 1 + "".join(row[1]).count("\n")


def _has_count(row: list[str]) -> bool:
    return _n_counts(row) > 0


def _n_counts(row: list[str]) -> int:
    return sum(looks_numeric(entry) or largest_suppressed(entry) is not None for entry in row[1:])


def _is_remark(row: Row, width: int) -> bool:
    _, entries = row
    if len(entries) != width:
        n_most = any(mark in entries[0].strip() for mark in " :")  # a title may have one number, such as a year
        return width > 1 and _n_counts(entries) <= n_most
    if width == 1 or any(map(str.strip, entries[1:])):
        return False
    return width > 2 or ":" in entries[0]  # of two entries, the second may be an empty count


def repaired_lines(rows: Iterable[Row], repairs: Sequence[str], tally: RepairTally) -> Iterator[Row]:
    """Yield the rows of the table alone; ValueError for a row of another width, and for a remark that is not skipped.

    >>> tally = RepairTally()
    >>> list(repaired_lines([(1, ["T"]), (2, ["a", "n"]), (3, ["x", "1"])], ("lines",), tally)), tally.lines
    ([(2, ['a', 'n']), (3, ['x', '1'])], [(1, ['T'])])
    """
    for row, kind in classified_rows(rows):
        if kind == _TABLE:
            yield row
        elif kind == _REMARK and "lines" in repairs:
            tally.lines.append(row)
        else:
            reason = (
                "a title, note or source" if kind == _REMARK else f"{n_columns_text(len(row[1]))}, unlike most lines"
            )
            raise ValueError(f"line {row[0]}: {reason}")


def repaired_entries(
    rows: Iterable[Row], columns: Sequence[int], repairs: Sequence[str], tally: RepairTally, names: Sequence[str] = ()
) -> Iterator[Row]:
    """Yield rows whose empty, suppressed and ambiguous counts are replaced, where that was requested, in some columns.

    The cells of empty counts have the label of their row and, where several columns are counts, one of `names`.

    >>> list(repaired_entries([(2, ["x", "<5", ""])], (1, 2), ("empty", "suppressed"), RepairTally()))
    [(2, ['x', '4', '0'])]
    """
    for line, row in rows:
        for column in columns:
            entry = row[column]
            if "empty" in repairs and is_empty(entry):
                row[column] = "0"
                tally.n_empty += 1
                labels = (text.strip() for other, text in enumerate(row) if other not in columns)
                label = ", ".join(filter(None, labels)) or f"line {line}"
                tally.empty_labels[f"{label} × {names[column]}" if names and len(columns) > 1 else label] = None
            elif "suppressed" in repairs and (largest := largest_suppressed(entry)) is not None:
                row[column] = str(largest)
                tally.n_suppressed += 1
                tally.largest = max(tally.largest, largest)
            elif "thousands" in repairs and (count := without_thousands_mark(entry)) is not None:
                row[column] = count
                tally.thousands = tally.thousands or entry.strip()
        yield line, row


def _remark_text(row: list[str]) -> str:
    return short_text(" ".join(entry.strip() for entry in row if entry.strip()))
