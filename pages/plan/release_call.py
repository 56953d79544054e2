"""The call of the program of a list, for a file of the user's own, and the public lists that it reads."""

import csv
import io
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dpcore.readers import FileColumn
from pages.plan.proposals import categories
from pages.plan.queries import QueryItem
from pages.plan.query_kinds import KINDS

EACH_ROW = ""
"""The person of a file in which each row is one."""
NO_MONTH = "FIRST-MONTH"
"""What the call of a program has for the first month of a series where that is not known."""
DATES = "DATE-COLUMN"
"""What it has for the column that says of which year a record is."""


@dataclass(frozen=True)
class PlanFile:
    """The columns of a file but the one that names the person, None as long as nobody has said which one does.

    `name` is that of the file, and `has_unusable` says whether some of its entries can't be used.
    """

    columns: tuple[FileColumn, ...]
    person: str | None
    name: str = "FILE.csv"
    has_unusable: bool = False

    @property
    def is_row_person(self) -> bool:
        """Whether each row is one person."""
        return self.person == EACH_ROW


def program_call(
    items: Sequence[QueryItem],
    names: Sequence[str],
    file: PlanFile,
    columns: Mapping[str, str],
    lists: Mapping[str, str],
    first_month: str = NO_MONTH,
) -> str:
    """Return the call of the program of a list, for a file that has the column of each query in `columns`.

    Without a column for the person, each row is one; with one, several values of a person are joined by their mean.
    `lists` are the columns whose public list is saved as `list_file`, and `first_month` is that of every series.

    >>> from pages.plan.queries import new_item
    >>> names, columns = ["People", "age: mean"], {"age: mean": "age"}
    >>> print(program_call([new_item("count"), new_item("mean")], names, PlanFile((), "id"), columns, {}))
    python release.py FILE.csv --person id --column 'age: mean=age' --join 'age: mean=mean'
    """
    words = [file.name, *(["--person", file.person] if file.person else ["--each-row-a-person"])]
    for place, (item, name) in enumerate(zip(items, names, strict=True), 1):
        known, column = KINDS[item.kind].column, columns.get(name, "COLUMN")
        if known is not None:
            words += ["--column", f"{name}={column}"]
            saved = list_file(place) if column in lists else "LIST.csv"
            own = first_month if KINDS[item.kind].published else saved
            words += ["--categories", f"{name}={own}"] if known.has_list else []
            is_joined = file.person and known.is_joined and item.records_per_person == 1
            words += ["--join", f"{name}=mean"] if is_joined else []
        words += ["--own", f"{name}=NUMBERS.csv"] if KINDS[item.kind].is_computed else []
        has_dates = item.n_years > 1 and KINDS[item.kind].has_years_of_records
        words += ["--period", f"{name}={DATES}"] if has_dates else []
        words += ["--where", f"{name}=COLUMN=VALUE"] if item.group else []
    words += ["--leave-out-bad-rows"] if file.has_unusable else []
    return f"python release.py {shlex.join(words)}"


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
