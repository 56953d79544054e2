"""The layout of a table, guessed from its first rows, and repairs of a table as it was published.

A file has a column of counts, a cross-table, or raw records. Titles and sources around a table, empty entries and
suppressed counts are repaired where that is requested.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice

from dpcore.readers.csv_file import Row
from dpcore.readers.notes import EmptyAsZero, LinesLeftOut, SuppressedCounts, TableKind, TableNote, Thousands
from dpcore.readers.number_columns import (
    looks_numeric,
    mostly_numeric,
    n_columns_text,
    numbers_rows,
    place_in_file,
    short_text,
    unique_names,
    without_thousands_mark,
)
from dpcore.readers.people import name_rank, numbers_people

TABLE_KINDS = ("column", "cross_table", "records")
FIRST_ROWS = 1000
"""The number of rows from which the layout is guessed."""
_FRACTION = re.compile(r"[.,][0-9]{1,2}\s*%?$|[.,][0-9]{4,}|%$")  # three digits can be thousands
_UNCOUNTABLE = re.compile(r"^[-−]|[.,](?!0+$)(?:[0-9]{1,2}|[0-9]{4,})$|%$")
_MOST_NUMBERED = 100  # A table may have so many labels 0, 1, 2, …, such as numbers of children; more number persons.
_ROW_NUMBERS = (0, 1, 2)  # The numbers of rows begin with 2 where the first row was read as the header.
_COUNT_NAMES = ("count", "counts", "freq", "frequency", "n", "anzahl", "häufigkeit", "fälle", "effectif", "effectifs")
"""The names of columns of counts; all but the first two only over a column of numbers."""


@dataclass(frozen=True)
class Layout:
    """The layout of a table: its kind with the reason, the names of its columns, and whether its first row has them.

    `count_columns` are the indices of the columns of counts, one for the kind "column" and none of raw records, and
    `labels` those of the columns that name cells. Of the columns of numbers, `countable` can be counts, and
    `uncountable` can't: shares, means and changes.
    """

    kind: TableKind
    names: tuple[str, ...]
    has_header: bool
    count_columns: tuple[int, ...]
    labels: tuple[int, ...]
    countable: tuple[int, ...]
    uncountable: tuple[int, ...]

    @property
    def left_out(self) -> tuple[str, ...]:
        """The names of the columns that are no counts and name no cells."""
        used = {*self.count_columns, *self.labels}
        return tuple(name for column, name in enumerate(self.names) if column not in used)

    def where(self, line: int, column: int) -> str:
        """Return the place of an entry, for the sentence on what is wrong with it."""
        return place_in_file(line, column, self.names[column] if self.has_header else "")


def table_layout(first: list[Row], kind: str, counts: str = "", leaves_out: bool = False) -> Layout:
    """Return the layout of a file from its first rows; a `kind` that is not empty is not checked.

    `counts` is the column of counts for the kind "column", where it is the name of one that can be. With `leaves_out`,
    a cross-table has no columns that can't be counts: shares, means, changes.

    >>> table_layout([(1, ["area", "count"]), (2, ["North", "12"])], "").names
    ('area', 'count')
    >>> table = [(1, ["area", "visits", "share"]), (2, ["North", "12", "37.5"]), (3, ["South", "20", "62.5"])]
    >>> layout = table_layout(table, "", leaves_out=True)
    >>> layout.kind.kind, layout.count_columns, layout.left_out
    ('column', (1,), ('share',))
    """
    layout = _layout_of(first, kind, counts)
    kept = [column for column in range(len(layout.names)) if column not in layout.uncountable]
    if not leaves_out or layout.kind.kind != "cross_table" or not {*layout.countable} - {0}:
        return layout
    part = _layout_of([(line, [row[column] for column in kept]) for line, row in first], kind, "")
    names = _column_names([entry.strip() for entry in first[0][1]], part.has_header)
    used = ([kept[place] for place in places] for places in (part.count_columns, part.labels, part.countable))
    count_columns, labels, countable = map(tuple, used)
    return Layout(part.kind, names, part.has_header, count_columns, labels, countable, layout.uncountable)


def _layout_of(first: list[Row], kind: str, counts: str) -> Layout:
    entries = [[entry.strip() for entry in row] for _, row in first]
    top, body = entries[0], entries[1:] or entries
    n_columns = len(top)
    numeric = [column for column in range(n_columns) if mostly_numeric([row[column] for row in body])]
    uncountable = tuple(column for column in numeric if column and _is_mostly(_UNCOUNTABLE, body, column))
    countable = tuple(column for column in numeric if column not in uncountable)
    named = _named_as_counts(top, numeric)
    count_column = (named or countable or numeric or [n_columns - 1])[-1]
    table_kind = TableKind(kind, "requested") if kind else _guess(first, entries, numeric, named)
    has_header = _has_header(table_kind.kind, entries, count_column)
    names = _column_names(top, has_header)
    chosen = [column for column in countable if names[column] == counts]
    columns, labels = range(1, n_columns), (0,)
    if table_kind.kind == "records":
        columns, labels = (), tuple(range(n_columns))
    elif table_kind.kind == "column":
        columns = chosen or (count_column,)
        labels = _label_columns(body, numeric, columns[0], bool(chosen))
    return Layout(table_kind, names, has_header, tuple(columns), labels, countable, uncountable)


def _column_names(top: list[str], has_header: bool) -> tuple[str, ...]:
    names = [name if has_header and name else f"column {number}" for number, name in enumerate(top, 1)]
    return tuple(unique_names(names)[0])


def _is_mostly(pattern: re.Pattern[str], body: list[list[str]], column: int) -> bool:
    """Return whether a pattern occurs in at least half of the entries of a column."""
    return 2 * sum(pattern.search(row[column]) is not None for row in body) >= len(body)


def _label_columns(body: list[list[str]], numeric: list[int], count_column: int, is_chosen: bool) -> tuple[int, ...]:
    """Return the columns beside that of counts which name cells.

    Fractions beside other labels name none: they are shares or means, from which the counts could be computed. Beside
    a column of counts that was chosen of several, texts that differ in each row are the only names.
    """
    others = [column for column in range(len(body[0])) if column != count_column]
    texts = [column for column in others if column not in numeric]
    if is_chosen and texts and len({tuple(row[column] for column in texts) for row in body}) == len(body):
        return tuple(texts)
    fractions = {column for column in numeric if _is_mostly(_FRACTION, body, column)}
    return tuple(column for column in others if column not in fractions) or tuple(others)


def _is_complete(rows: list[list[str]]) -> bool:
    """Return whether rows list every combination of the levels of their columns, each once."""
    combinations = math.prod(len(set(column)) for column in zip(*rows, strict=True))
    return len(rows) == combinations == len({tuple(row) for row in rows})


def _named_as_counts(top: list[str], numeric: list[int]) -> list[int]:
    """Return the columns whose header says that they are counts: those with the first usual name that occurs."""
    names = [name.lower() for name in top]
    for usual in _COUNT_NAMES:
        columns = [column for column, name in enumerate(names) if name == usual]
        if columns and (usual in _COUNT_NAMES[:2] or set(columns) <= set(numeric)):
            return columns
    return []


def _has_header(kind: str, entries: list[list[str]], count_column: int) -> bool:
    """Return whether the first row is a header: over counts, if its entry is no number; or if its corner is empty."""
    top = entries[0]
    if kind == "column":
        return not looks_numeric(top[count_column])
    if kind == "cross_table":
        return not top[0] or not all(map(looks_numeric, top[1:]))
    return _heads_records(top, entries[1:])


def _heads_records(top: list[str], body: list[list[str]]) -> bool:
    """Return whether a first row is a header over records: different texts, not all of which occur again beneath."""
    if len(set(top)) < len(top) or any(not entry or looks_numeric(entry) for entry in top):
        return False
    return not body or any(all(row[column] != entry for row in body) for column, entry in enumerate(top))


def _is_of_people(name: str, is_numeric: bool) -> bool:
    """Return whether a column identifies people by its name; one of numbers may count them: patients, customers."""
    return numbers_people(name) if is_numeric else name_rank(name) == 0


def _guess(first: list[Row], entries: list[list[str]], numeric: list[int], named: list[int]) -> TableKind:
    """Return the kind of a file, and the reason."""
    top, body = entries[0], entries[1:] or entries
    if len(named) > 1:
        raise ValueError(f"line {first[0][0]}: {len(named)} columns are named {top[named[0]]}; only one can be")
    if named:
        return TableKind("column", "count name", top[named[0]])
    if len(top) == 1 and not numeric:
        reason = "the one column holds text, so no counts; if each row is a person, choose raw records"
        raise ValueError(f"line {first[len(first) > 1][0]}: {reason}")
    if len(top) == 1:
        return TableKind("column", "one column")
    if numbers_rows([row[0] for row in body], _ROW_NUMBERS) and (numeric == [0] or len(body) > _MOST_NUMBERED):
        return TableKind("records", "numbered rows")
    labels = [column for column in range(len(top)) if column not in numeric]
    people = [column for column, name in enumerate(top) if _is_of_people(name, column in numeric)]
    if people and not any(map(looks_numeric, top)):
        return TableKind("records", "people", top[people[0]])
    first_is_unique = len({row[0] for row in body}) == len(body)
    if len(numeric) >= 2 and first_is_unique and set(labels) <= {0} and len(top) > 2:
        return TableKind("cross_table", "numeric columns")
    if len(numeric) == 1 and len({tuple(row[column] for column in labels) for row in body}) == len(body):
        return TableKind("column", "numeric column")
    if len(numeric) == len(top) == 2 and first_is_unique:
        return TableKind("column", "two columns")
    if len(top) - 1 in numeric and _is_complete([row[:-1] for row in body]):
        return TableKind("column", "all combinations")
    return TableKind("records", "nothing else")


REPAIRS = ("lines", "columns", "empty", "suppressed", "thousands", "totals")
"""The repairs that `read_table` makes on request."""
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
    return [(line, [_plain_entry(entry) for entry in row]) for line, row in rows]


def _plain_entry(entry: str) -> str:
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
