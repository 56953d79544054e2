"""The layout of a table, guessed from its first rows: a column of counts, a cross-table, or raw records."""

import math
import re
from dataclasses import dataclass

from dpcore.readers.csv_file import Row
from dpcore.readers.entries import looks_numeric, mostly_numeric, numbers_rows, place_in_file, unique_names
from dpcore.readers.notes import TableKind
from dpcore.readers.person_names import name_rank, numbers_people

TABLE_KINDS = ("column", "cross_table", "records")
FIRST_ROWS = 1000
"""The number of rows from which the layout is guessed."""
_FRACTION = re.compile(r"[.,][0-9]{1,2}\s*%?$|[.,][0-9]{4,}|%$")  # three digits can be thousands
_MOST_NUMBERED = 100  # A table may have so many labels 0, 1, 2, …, such as numbers of children; more number persons.
_ROW_NUMBERS = (0, 1, 2)  # The numbers of rows begin with 2 where the first row was read as the header.
_COUNT_NAMES = ("count", "counts", "freq", "frequency", "n", "anzahl", "häufigkeit", "fälle", "effectif", "effectifs")
"""The names of columns of counts; all but the first two only over a column of numbers."""


@dataclass(frozen=True)
class Layout:
    """The layout of a table: its kind with the reason, the names of its columns, and whether its first row has them.

    `count_column` is the index of the column of counts, for the kind "column", and `labels` are those of the columns
    that name its cells.
    """

    kind: TableKind
    names: tuple[str, ...]
    has_header: bool
    count_column: int = 0
    labels: tuple[int, ...] = ()

    @property
    def count_columns(self) -> range:
        """The columns of counts; none of raw records."""
        if self.kind.kind == "records":
            return range(0)
        is_column = self.kind.kind == "column"
        return range(self.count_column, self.count_column + 1) if is_column else range(1, len(self.names))

    def where(self, line: int, column: int) -> str:
        """Return the place of an entry, for the sentence on what is wrong with it."""
        return place_in_file(line, column, self.names[column] if self.has_header else "")


def table_layout(first: list[Row], kind: str) -> Layout:
    """Return the layout of a file from its first rows; a `kind` that is not empty is not checked.

    >>> table_layout([(1, ["area", "count"]), (2, ["North", "12"])], "").names
    ('area', 'count')
    """
    entries = [[entry.strip() for entry in row] for _, row in first]
    top, body = entries[0], entries[1:] or entries
    numeric = [column for column in range(len(top)) if mostly_numeric([row[column] for row in body])]
    named = _named_as_counts(top, numeric)
    count_column = (named or numeric or [len(top) - 1])[-1]
    table_kind = TableKind(kind, "requested") if kind else _guess(first, entries, numeric, named)
    has_header = _has_header(table_kind.kind, entries, count_column)
    names = [name if has_header and name else f"column {number}" for number, name in enumerate(top, 1)]
    labels = _label_columns(body, numeric, count_column)
    return Layout(table_kind, tuple(unique_names(names)[0]), has_header, count_column, labels)


def _label_columns(body: list[list[str]], numeric: list[int], count_column: int) -> tuple[int, ...]:
    """Return the columns beside that of counts which name cells.

    Fractions beside other labels name none: they are shares or means, from which the counts could be computed.
    """
    others = [column for column in range(len(body[0])) if column != count_column]
    fractions = {
        column for column in numeric if 2 * sum(_FRACTION.search(row[column]) is not None for row in body) >= len(body)
    }
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
