"""What the first rows of a file show of its layout: counts in a column, a cross-table, or a row for each person."""

import math
from dataclasses import dataclass

from dpcore.readers.csv_file import Row, looks_numeric, mostly_numeric, numbers_rows, place_in_file, unique_names

TABLE_KINDS = ("column", "cross_table", "records")
FIRST = 1000  # rows that settle the layout
_MOST_NUMBERED = 100  # rows of a table whose labels are the numbers from 0 or 1 on, as of children; more are of persons
_ROW_NUMBERS = (0, 1, 2)  # 2 where the first row was taken for the header
_COUNT_NAMES = ("count", "counts", "freq", "frequency", "n")  # of the last three a column of numbers only


@dataclass(frozen=True)
class Layout:
    """How a file is read: its kind and why, the names of its columns, and whether its first row holds them.

    `place` is the column of counts, for the kind "column".
    """

    kind: str
    reason: str
    names: tuple[str, ...]
    has_header: bool
    place: int = 0

    def where(self, line: int, place: int) -> str:
        """A place of the file, for the sentence on what stands there."""
        return place_in_file(line, place, self.names[place] if self.has_header else "")

    @property
    def header_said(self) -> str:
        """What was taken for the header."""
        if self.has_header:
            return "The first row is the header."
        return "There is no header: the first row is read like the others."


def layout(first: list[Row], kind: str) -> Layout:
    """The layout of a file whose first rows are given; a `kind` that is not empty is taken for granted."""
    entries = [[entry.strip() for entry in row] for _, row in first]
    top, body = entries[0], entries[1:] or entries
    numeric = [place for place in range(len(top)) if mostly_numeric([row[place] for row in body])]
    named = _named(top, numeric)
    place = (named or numeric or [len(top) - 1])[-1]
    kind, reason = (kind, "as asked") if kind else _guess(first, entries, numeric, named)
    has_header = _has_header(kind, entries, place)
    names = [name or f"column {i}" for i, name in enumerate(top, 1)] if has_header else []
    names = names or [f"column {i}" for i in range(1, len(top) + 1)]
    return Layout(kind, reason, tuple(unique_names(names)[0]), has_header, place)


def _is_complete(rows: list[list[str]]) -> bool:
    """Whether rows list every combination of the levels of their columns, each once."""
    combinations = math.prod(len(set(column)) for column in zip(*rows, strict=True))
    return len(rows) == combinations == len({tuple(row) for row in rows})


def _named(top: list[str], numeric: list[int]) -> list[int]:
    """The columns whose header says that they are counts: those with the first of the usual names that occurs."""
    names = {place: name.lower() for place, name in enumerate(top)}
    usual = [name for name in _COUNT_NAMES if name in names.values()]
    found = [[place for place in names if names[place] == name] for name in usual]
    return next((each for each in found if names[each[0]] in _COUNT_NAMES[:2] or set(each) <= set(numeric)), [])


def _has_header(kind: str, entries: list[list[str]], place: int) -> bool:
    """Whether a first row is a header: over counts, if what stands there is no number; or an empty corner says so."""
    top = entries[0]
    if kind == "column":
        return not looks_numeric(top[place])
    if kind == "cross_table":
        return not top[0] or not all(map(looks_numeric, top[1:]))
    return _heads_records(top, entries[1:])


def _heads_records(top: list[str], body: list[list[str]]) -> bool:
    """Whether a first row is a header over records: different texts, not all of them found again beneath."""
    if len(set(top)) < len(top) or any(not entry or looks_numeric(entry) for entry in top):
        return False
    return not body or any(all(row[place] != entry for row in body) for place, entry in enumerate(top))


def _guess(first: list[Row], entries: list[list[str]], numeric: list[int], named: list[int]) -> tuple[str, str]:
    """The kind of a file, and why."""
    top, body = entries[0], entries[1:] or entries
    if len(named) > 1:
        raise ValueError(f"line {first[0][0]}: {len(named)} columns are named {top[named[0]]}; only one can be")
    if named:
        return "column", f"a column is named {top[named[0]]}"
    if len(top) == 1 and not numeric:
        why = "the one column holds text, so no counts; if each row is a person, choose raw records"
        raise ValueError(f"line {first[len(first) > 1][0]}: {why}")
    if len(top) == 1:
        return "column", "there is one column"
    if numbers_rows([row[0] for row in body], _ROW_NUMBERS) and (numeric == [0] or len(body) > _MOST_NUMBERED):
        return "records", "the first column only numbers the rows"
    labels = [place for place in range(len(top)) if place not in numeric]
    tell_apart = len({row[0] for row in body}) == len(body)
    if len(numeric) >= 2 and tell_apart and set(labels) <= {0} and len(top) > 2:
        return "cross_table", "the first column tells the rows apart and the others hold numbers"
    if len(numeric) == 1 and len({tuple(row[place] for place in labels) for row in body}) == len(body):
        return "column", "one column holds numbers and the others tell the rows apart"
    if len(numeric) == len(top) == 2 and tell_apart:
        return "column", "the first column tells the rows apart and the second holds numbers"
    if len(top) - 1 in numeric and _is_complete([row[:-1] for row in body]):
        return "column", "the last column holds numbers and the others list every combination once"
    return "records", "nothing in its first rows makes it a column of counts or a cross-table"
