"""Everything that keeps a file from being read as a table of counts, line by line, with the repair that mends it."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from itertools import chain, islice

from dpcore.checks import option
from dpcore.readers.csv_file import Row, open_csv
from dpcore.readers.number_columns import ambiguity_text, is_ambiguous, parse_count, settled_mark, short_text
from dpcore.readers.table_layout import FIRST_ROWS, TABLE_KINDS, Layout, table_layout
from dpcore.readers.table_repairs import (
    REPAIRS,
    SHARES,
    classified_rows,
    is_empty,
    largest_suppressed,
    plain_rows,
)

MOST_PROBLEMS = 20
"""The number of problems after which `table_problems` stops."""


@dataclass(frozen=True)
class TableProblem:
    """One thing that keeps a file from being read as a table.

    Attributes
    ----------
    line : the line of the file, from 1 on.
    reason : "lines" (a title, note or source), "width" (another number of columns than the table), "empty" (no count),
        "suppressed" (a count such as <5), "thousands" (1,203 may be 1203 or 1.203), "entry" (a text that is no count),
        "columns" (a column beside counts that holds shares, means or changes; it is listed once), "shares" (a column of
        whole numbers that is named as shares), or "header" (a first row without a count, which may be a header).
    column : the column of the entry, from 1 on, 0 where the whole line is meant; `name` is its name in the header.
    text : the entry, or the text of the line; for "width" the number of columns that the line has.
    largest : for "suppressed" the largest count that the entry stands for.
    detail : for "entry", "columns", "shares" and "thousands" the sentence that says why it is no count; for "width" the
        number of columns of the table.
    is_beside_counts : for "shares" whether other columns can be counts.
    """

    line: int
    reason: str
    column: int = 0
    name: str = ""
    text: str = ""
    largest: int = 0
    detail: str = ""
    is_beside_counts: bool = False

    @property
    def repairs(self) -> tuple[str, ...]:
        """The repairs of `read_table` of which each mends it; none where the file itself must be changed."""
        if self.reason == "header":
            return "header", "empty"
        if self.reason == "shares":
            return ("columns", "shares") if self.is_beside_counts else ("shares",)
        return (self.reason,) if self.reason in REPAIRS else ()


def table_problems(
    data: bytes, columns: tuple[str, ...] = (), kind: str = "", repairs: tuple[str, ...] = (), counts: str = ""
) -> tuple[TableProblem, ...]:
    r"""Return what keeps a file from being read by `read_table` with the same arguments: the first 20 problems.

    The result is empty where there is no such problem.

    Parameters
    ----------
    data, columns, kind, repairs, counts : as those of `read_table`. Problems that the repairs mend are not listed.

    Raises
    ------
    ValueError
        One sentence where the file cannot be read at all: no text, empty, or without a column of counts.

    Examples
    --------
    >>> data = b"Table 1\narea,men,women\nNorth,12,<5\nSouth,,x\n"
    >>> [(problem.line, problem.column, problem.reason) for problem in table_problems(data)]
    [(1, 0, 'lines'), (3, 3, 'suppressed'), (4, 2, 'empty'), (4, 3, 'entry')]
    >>> [problem.reason for problem in table_problems(data, repairs=("lines", "empty", "suppressed"))]
    ['entry']
    """
    option("kind", kind, ("", *TABLE_KINDS))
    kind = "records" if columns else kind
    problems = _problems(data, kind, repairs, counts, "")
    if any(problem.reason == "thousands" for problem in problems):
        layout, _, _, rows = _layout_and_rows(data, kind, counts, repairs)
        entries = (row[column] for (_, row), row_kind in rows if row_kind == "table" for column in layout.count_columns)
        mark = next(filter(None, map(settled_mark, entries)), "")
        return _problems(data, kind, repairs, counts, mark) if mark else problems
    return problems


def countable_columns(data: bytes) -> tuple[str, ...]:
    r"""Return the names of the columns of numbers that can be the `counts` of `read_table`, in any kind of file.

    Parameters
    ----------
    data : as that of `read_table`.

    Raises
    ------
    ValueError
        As for `table_problems`.

    Examples
    --------
    >>> countable_columns(b"Visits 2025\narea,visits,share,staff\nNorth,12,37.5,3\nSouth,20,62.5,x\n")
    ('visits', 'staff')
    """
    layout, *_ = _layout_and_rows(data, "column", "")
    return tuple(layout.names[column] for column in layout.countable)


_UNCLEAR = "unclear"  # a first row without a count


def _layout_and_rows(
    data: bytes, kind: str, counts: str, repairs: Collection[str] = ()
) -> tuple[Layout, list[TableProblem], set[int], Iterator[tuple[Row, str]]]:
    """Return the layout of a file without columns that can't be counts, those that are named as shares as problems.

    With them are the other such columns, and the rows under the header, each with what it is.
    """
    rows = classified_rows(open_csv(data, same_width=False).rows)
    head = list(islice(rows, FIRST_ROWS))
    table = [row for row, row_kind in head if row_kind == "table"]
    if not table:
        raise ValueError("line 1: the file is empty")
    plain, top = plain_rows(table), table[0]
    layout = table_layout(plain, kind, counts, {*repairs, "columns"})
    used = {*table_layout(plain, kind, counts, {*repairs} - {"columns"}).count_columns, *layout.count_columns}
    beside = bool({*layout.countable} - {0}) and len(used) > 1
    named = sorted(used & {*layout.shares})
    problems = [
        TableProblem(top[0], "shares", column + 1, layout.names[column], detail=SHARES, is_beside_counts=beside)
        for column in named
    ]
    left = used & {*layout.uncountable} - {*layout.count_columns, *named}
    kinds = {id(top): _UNCLEAR} if layout.is_unclear else {}
    under = (item for item in chain(head, rows) if not (layout.has_header and item[0] is top))
    return layout, problems, left, ((row, kinds.get(id(row), row_kind)) for row, row_kind in under)


def _problems(data: bytes, kind: str, repairs: tuple[str, ...], counts: str, mark: str) -> tuple[TableProblem, ...]:
    """Return the first problems of a file whose decimal mark is known, or empty where it is not."""
    layout, named, left, rows = _layout_and_rows(data, kind, counts, repairs)
    others = chain.from_iterable(_row_problems(row, row_kind, layout, left, mark) for row, row_kind in rows)
    left_over = (problem for problem in chain(named, others) if not {*problem.repairs} & {*repairs})
    return tuple(islice(left_over, MOST_PROBLEMS))


def _row_problems(row: Row, row_kind: str, layout: Layout, uncountable: set[int], mark: str) -> Iterator[TableProblem]:
    """Yield the problems of a row; a column that can't be counts is taken out of `uncountable` where it is listed."""
    line, entries = row
    if row_kind == "remark":
        text = short_text(" ".join(filter(None, map(str.strip, entries))))
        yield TableProblem(line, "lines", text=text)
    elif row_kind == "width":
        yield TableProblem(line, "width", text=str(len(entries)), detail=str(len(layout.names)))
    elif row_kind == _UNCLEAR:
        text = short_text(" ".join(filter(None, map(str.strip, entries))))
        yield TableProblem(line, "header", layout.count_columns[0] + 1, text=text)
    else:
        for column in layout.count_columns:
            yield from _entry_problems(line, column, entries[column], layout, mark)
        for column in sorted(uncountable):
            for problem in _entry_problems(line, column, entries[column], layout, mark):
                if problem.reason == "entry":
                    uncountable.remove(column)
                    yield replace(problem, reason="columns")


def _entry_problems(line: int, column: int, entry: str, layout: Layout, mark: str) -> Iterator[TableProblem]:
    name = layout.names[column] if layout.has_header else ""
    if is_empty(entry):
        yield TableProblem(line, "empty", column + 1, name, entry.strip())
    elif (largest := largest_suppressed(entry)) is not None:
        yield TableProblem(line, "suppressed", column + 1, name, entry.strip(), largest)
    elif not mark and is_ambiguous(entry):
        yield TableProblem(line, "thousands", column + 1, name, short_text(entry), detail=ambiguity_text(entry))
    else:
        try:
            parse_count(entry, mark or settled_mark(entry) or ".")
        except ValueError as error:
            yield TableProblem(line, "entry", column + 1, name, short_text(entry), detail=str(error))
