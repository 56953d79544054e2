"""The layout of a table, guessed from its first rows: a column of counts, a cross-table, or raw records."""

import math
import re
from collections.abc import Collection
from dataclasses import dataclass, replace

from dpcore.readers.csv_file import Row
from dpcore.readers.notes import TableKind
from dpcore.readers.number_columns import looks_numeric, mostly_numeric, numbers_rows, place_in_file, unique_names
from dpcore.readers.people import identifies_people
from dpcore.readers.table_repairs import plain_entry

TABLE_KINDS = ("column", "cross_table", "records")
FIRST_ROWS = 1000
"""The number of rows from which the layout is guessed."""
_FRACTION = re.compile(r"[.,][0-9]{1,2}\s*%?$|[.,][0-9]{4,}|%$")  # three digits can be thousands
_UNCOUNTABLE = re.compile(r"^[-−]|[.,](?!0+$)(?:[0-9]{1,2}|[0-9]{4,})$|%$")
_SHARE_NAME = re.compile(
    r"%|\b(?:per ?cent(?:ages?)?|pct|shares?|proportions?|rates?|prozent\w*|anteile?|quote|pourcentages?|taux)\b",
    re.IGNORECASE,
)
_MOST_NUMBERED = 100  # A table may have so many labels 0, 1, 2, …, such as numbers of children; more number persons.
_ROW_NUMBERS = (0, 1, 2)  # The numbers of rows begin with 2 where the first row was read as the header.
_COUNT_NAMES = ("count", "counts", "freq", "frequency", "n", "anzahl", "häufigkeit", "fälle", "effectif", "effectifs")
"""The names of columns of counts; all but the first two only over a column of numbers."""


@dataclass(frozen=True)
class Layout:
    """The layout of a table: its kind with the reason, the names of its columns, and whether its first row has them.

    `count_columns` are the indices of the columns of counts, one for the kind "column" and none of raw records, and
    `labels` those of the columns that name cells. Of the columns of numbers, `countable` can be counts, and
    `uncountable` can't: shares, means and changes; `shares` are those of them that are named so. Where `is_unclear`,
    the first row has a label and no count: it is read as data, and may be a header. Columns that are `empty` under the
    first row are left out.
    """

    kind: TableKind
    names: tuple[str, ...]
    has_header: bool
    count_columns: tuple[int, ...]
    labels: tuple[int, ...]
    countable: tuple[int, ...]
    uncountable: tuple[int, ...]
    shares: tuple[int, ...] = ()
    is_unclear: bool = False
    empty: tuple[int, ...] = ()

    @property
    def left_out(self) -> tuple[str, ...]:
        """The names of the columns that are no counts and name no cells."""
        used = {*self.count_columns, *self.labels, *self.empty}
        return tuple(name for column, name in enumerate(self.names) if column not in used)

    def where(self, line: int, column: int) -> str:
        """Return the place of an entry, for the sentence on what is wrong with it."""
        return place_in_file(line, column, self.names[column] if self.has_header else "")


def table_layout(first: list[Row], kind: str, counts: str = "", repairs: Collection[str] = ()) -> Layout:
    """Return the layout of a file from its first rows; a `kind` that is not empty is not checked.

    `counts` is the column of counts for the kind "column", where it is the name of one that can be. Of the repairs of
    `read_table`, "columns", "shares" and "header" change the layout.

    >>> table_layout([(1, ["area", "count"]), (2, ["North", "12"])], "").names
    ('area', 'count')
    >>> table = [(1, ["area", "visits", "share"]), (2, ["North", "12", "37.5"]), (3, ["South", "20", "62.5"])]
    >>> layout = table_layout(table, "", repairs=("columns",))
    >>> layout.kind.kind, layout.count_columns, layout.left_out
    ('column', (1,), ('share',))
    """
    if empty := _empty_columns(first):
        kept = [column for column in range(len(first[0][1])) if column not in empty]
        part = table_layout(_rows_of_columns(first, kept), kind, counts, repairs)
        is_headed = part.has_header or not any(first[0][1][column].strip() for column in empty)
        if part.kind.kind != "records" and is_headed and {*part.countable} - ({0} if len(kept) > 1 else set()):
            return replace(_among_all(part, kept, first), empty=empty)
    layout = _layout_of(first, kind, counts, repairs)
    kept = [column for column in range(len(layout.names)) if column not in layout.uncountable]
    if "columns" not in repairs or layout.kind.kind != "cross_table" or not {*layout.countable} - {0}:
        return layout
    part = _layout_of(_rows_of_columns(first, kept), kind, "", repairs)
    return replace(_among_all(part, kept, first), uncountable=layout.uncountable, shares=layout.shares)


def _empty_columns(first: list[Row]) -> tuple[int, ...]:
    """Return the columns that have no entry under the first row, where they are not named as counts."""
    top, *body = ([entry.strip() for entry in row] for _, row in first)
    if not body:
        return ()
    named = _named_as_counts(top, [])
    columns = zip(*body, strict=True)
    return tuple(column for column, own in enumerate(columns) if not any(own) and column not in named)


def _rows_of_columns(rows: list[Row], kept: list[int]) -> list[Row]:
    return [(line, [row[column] for column in kept]) for line, row in rows]


def _among_all(part: Layout, kept: list[int], first: list[Row]) -> Layout:
    """Return the layout of a file that has these columns among others."""
    keys = ("count_columns", "labels", "countable", "uncountable", "shares")
    columns = {key: tuple(kept[place] for place in getattr(part, key)) for key in keys}
    return replace(part, names=_column_names([entry.strip() for entry in first[0][1]], part.has_header), **columns)


def _layout_of(first: list[Row], kind: str, counts: str, repairs: Collection[str]) -> Layout:
    entries = [[entry.strip() for entry in row] for _, row in first]
    top, body = entries[0], entries[1:] or entries
    n_columns = len(top)
    numeric = [column for column in range(n_columns) if mostly_numeric([row[column] for row in body])]
    can_be_counts = [column for column in numeric if column or n_columns == 1]  # the first one has labels
    fractions = {column for column in can_be_counts if _is_mostly(_UNCOUNTABLE, body, column)}
    shares = tuple(
        column
        for column in can_be_counts
        if column not in fractions and "shares" not in repairs and _is_named_as_shares(top[column])
    )
    uncountable = tuple(column for column in can_be_counts if column in shares or (column and column in fractions))
    countable = tuple(column for column in numeric if column not in uncountable)
    named = _named_as_counts(top, numeric)
    count_column = (named or countable or numeric or [n_columns - 1])[-1]
    table_kind = TableKind(kind, "requested") if kind else _guess(first, entries, numeric, named)
    columns = {"records": (), "cross_table": tuple(range(1, n_columns))}.get(table_kind.kind, (count_column,))
    heads = _has_header(table_kind.kind, entries, columns, numeric)
    has_header = "header" in repairs if heads is None else heads
    names = _column_names(top, has_header)
    labels: tuple[int, ...] = tuple(range(n_columns)) if table_kind.kind == "records" else (0,)
    if table_kind.kind == "column":
        chosen = tuple(column for column in countable if names[column] == counts)
        columns = chosen or columns
        labels = _label_columns(body, numeric, columns[0], bool(chosen), shares)
    is_unclear = heads is None and not has_header
    return Layout(table_kind, names, has_header, columns, labels, countable, uncountable, shares, is_unclear)


def _is_named_as_shares(name: str) -> bool:
    """Return whether the name of a column says that it has shares, even where they are whole numbers.

    >>> [_is_named_as_shares(name) for name in ("Anteil in %", "percent", "visits", "12 %")]
    [True, True, False, False]
    """
    return not looks_numeric(name) and _SHARE_NAME.search(name) is not None


def _column_names(top: list[str], has_header: bool) -> tuple[str, ...]:
    names = [name if has_header and name else f"column {number}" for number, name in enumerate(top, 1)]
    return tuple(unique_names(names)[0])


def _is_mostly(pattern: re.Pattern[str], body: list[list[str]], column: int) -> bool:
    """Return whether a pattern occurs in at least half of the entries of a column."""
    return 2 * sum(pattern.search(row[column]) is not None for row in body) >= len(body)


def _label_columns(
    body: list[list[str]], numeric: list[int], count_column: int, is_chosen: bool, shares: tuple[int, ...]
) -> tuple[int, ...]:
    """Return the columns beside that of counts which name cells.

    Shares and fractions beside other labels name none: the counts could be computed from them, as from means. Beside
    a column of counts that was chosen of several, texts that differ in each row are the only names.
    """
    others = [column for column in range(len(body[0])) if column != count_column]
    texts = [column for column in others if column not in numeric]
    if is_chosen and texts and len({tuple(row[column] for column in texts) for row in body}) == len(body):
        return tuple(texts)
    fractions = {*shares, *(column for column in numeric if _is_mostly(_FRACTION, body, column))}
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


def _has_header(kind: str, entries: list[list[str]], columns: Collection[int], numeric: list[int]) -> bool | None:
    """Return whether the first row is a header: over counts, if an entry is no number; or if its corner is empty.

    It is None where the row has no entry over the counts, and over no other numbers: nobody can tell.
    """
    top = entries[0]
    if kind == "records":
        return _heads_records(top, entries[1:])
    if kind == "cross_table" and not top[0]:
        return True
    over = [plain_entry(top[column]) for column in columns]
    if not all(over):
        over += [plain_entry(top[column]) for column in numeric if column not in columns]
    known = [looks_numeric(entry) for entry in over if entry]
    return not all(known) if known else None


def _heads_records(top: list[str], body: list[list[str]]) -> bool:
    """Return whether a first row is a header over records: different texts, not all of which occur again beneath."""
    if len(set(top)) < len(top) or any(not entry or looks_numeric(entry) for entry in top):
        return False
    return not body or any(all(row[column] != entry for row in body) for column, entry in enumerate(top))


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
    people = [column for column, name in enumerate(top) if identifies_people(name, column in numeric)]
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
