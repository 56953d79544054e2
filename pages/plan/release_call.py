"""The call of the program of a list, for a file of the user's own, and the public lists that it reads."""

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dpcore.readers import FileColumn
from pages.plan.proposals import categories
from pages.plan.queries import QueryItem
from pages.plan.query_kinds import KINDS
from pages.shared.release_program.steps.options import DATES, FILE, calls_of

EACH_ROW = ""
"""The person of a file in which each row is one."""


@dataclass(frozen=True)
class PlanFile:
    """The columns of a file but the one that names the person, None as long as nobody has said which one does.

    `name` is that of the file, and `has_unusable` says whether some of its entries can't be used.
    """

    columns: tuple[FileColumn, ...]
    person: str | None
    name: str = FILE
    has_unusable: bool = False

    @property
    def is_row_person(self) -> bool:
        """Whether each row is one person."""
        return self.person == EACH_ROW


def program_calls(
    items: Sequence[QueryItem],
    names: Sequence[str],
    file: PlanFile,
    columns: Mapping[str, str],
    lists: Mapping[str, str],
    first_month: str = "",
) -> list[str]:
    """Return the calls of the program of a list, for a file that has the column of each query in `columns`.

    Without a column for the person, each row is one; with one, several values of a person are joined by their mean.
    `lists` are the columns whose public list is saved as `list_file`, and `first_month` is that of every series. If
    one column has dates, it is that of the rows.

    >>> from pages.plan.queries import new_item
    >>> names, columns = ["People", "age: mean"], {"age: mean": "age"}
    >>> print(*program_calls([new_item("count"), new_item("mean")], names, PlanFile((), "id"), columns, {}))
    python release.py FILE.csv --person id --column 'age: mean=age' --join 'age: mean=mean'
    """
    saved = {name: list_file(place) for place, name in enumerate(names, 1) if columns.get(name) in lists}
    months = {name: first_month for item, name in zip(items, names, strict=True) if KINDS[item.kind].published}
    outlines = [program_outline(item, name) for item, name in zip(items, names, strict=True)]
    dates = [column.name for column in file.columns if column.type == "date"]
    date = dates[0] if len(dates) == 1 else DATES
    more = ["--leave-out-bad-rows"] if file.has_unusable else []
    return calls_of(
        outlines, file.name, file.person or "", columns, saved | (months if first_month else {}), date, more
    )


def program_outline(item: QueryItem, name: str) -> dict[str, Any]:
    """Return what a call depends on of the statistic that a row is in the program, without its noise."""
    kind = KINDS[item.kind]
    if kind.is_computed:
        known = "own"
    elif kind.column is None:
        known = "count"
    elif kind.has_threshold:
        known = "groups"
    elif kind.published:
        known = "series"
    else:
        known = "table" if kind.column.has_list else "mean" if kind.column.is_joined else "sum"
    return {
        "name": name,
        "kind": known,
        "series": {"published": kind.published},
        "max_in_all": item.records_per_person,
        "n_periods": item.n_years,
        "has_periods_of_rows": kind.has_years_of_records,
        "n_releases": item.n_times,
        "n_totals": 0,
        "group": item.group,
    }


def list_file(place: int) -> str:
    """Return the name of the file with the public list of a query."""
    return f"list-{place}.csv"


def list_csv(column: str, listed: str) -> str:
    r"""Return a public list of categories as the program reads it, below the name of their column.

    >>> list_csv("ward", "East\nWest, inner")
    'ward\nEast\n"West, inner"\n'
    """
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([[column], *([category] for category in categories(listed))])
    return text.getvalue()
