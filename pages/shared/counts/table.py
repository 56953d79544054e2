"""A table of counts, shipped or the user's own: its parameters, the limits on one person, and its sensitivity."""

import math
from dataclasses import dataclass, replace
from typing import NamedTuple

import pandas as pd

from dpcore import sensitivity, tables
from dpcore.readers.notes import PersonRows
from dpcore.sensitivity import Sensitivity
from pages.framework.layout.section import Conditions, Field, FieldLink
from pages.framework.parameters.kinds import AutomaticQuantity, Choice, Quantity, steps
from pages.framework.parameters.number_format import escape_markdown, format_input_down
from pages.framework.parameters.parameter import Correction, Parameter, Values
from pages.framework.rendering.uploaded_files import kept
from pages.framework.session.data_files import OWN, box_key
from pages.shared.conditions import CONTRIBUTION, LIMITED, ONCE, Subject, release_conditions
from pages.shared.counts.linked_table import LinkedTable, OwnTable, cells_frame
from pages.shared.shared_parameters import more_text

TABLE = Choice(
    "table",
    "table",
    {
        "czech": "Czech autoworkers",
        "mildew": "Barley mildew",
        "own": "My own table",
        "size": "Only the number of cells",
    },
    "czech",
)
OWN_TABLE = OwnTable()
PER_PERSON = Quantity(
    "per_person",
    "k",
    "Cells that one person can be in, k",
    "[1, 1e6]",
    "1",
    help="The most cells to which one person adds something: 1 in a histogram of people, more in a table of visits, "
    "diagnoses or trips. It must be a limit that is enforced, not a guess."
    + more_text("contribution_limit", "contribution limit"),
    whole=True,
    ends="← less noise · k · more noise →",
    scale=("1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "12", "15", "20", "25", "30", "40", "50", "70", "100"),
    caption="k · cells per person",
)
PER_CELL = Quantity(
    "per_cell",
    "c",
    "Most that one person adds to one cell, c",
    "[1e-9, 1e9]",
    "1",
    help="1 where people are counted; more where a person may count several times in one cell.",
    ends="← less noise · c · more noise →",
    scale=("1", "2", "3", "5", "10", "20", "50", "100"),
    caption="c · most per cell",
)
PER_TOTAL = AutomaticQuantity(
    "per_total",
    "N",
    "Most that one person adds in all, N",
    "[1, 1e9]",
    "none",
    help="The most that one person adds to all numbers together, where that is limited too: at most 4 visits in all. "
    "It must be a limit that is enforced, not a guess." + more_text("contribution_limit", "contribution limit"),
    ends="← less noise · N · more noise →",
    scale=("1", "2", "3", "4", "5", "10", "20", "50", "100"),
    caption="N · most in all",
    whole=True,
    word="none",
    button="No limit in all",
)
N_PERIODS = Quantity(
    "n_periods",
    "P",
    "Years in this table, P",
    sensitivity.PERIODS_RANGE,
    "1",
    help="1 where N is the limit for the whole table. 3 in one table of three years, each cell of one year, where N is "
    "the limit for each year. ε and the noise are for all years in the table together: for a new table every year, "
    "with an ε of its own, leave 1.",
    scale=("1", "2", "3", "4", "5", "6", "10", "12"),
    caption="P · years in this table",
    whole=True,
)
CELLS = Quantity(
    "cells",
    "m",
    "Number of cells m",
    "[1, 1e6]",
    "12",
    whole=True,
    ends="← fewer · m · more →",
    scale=steps(0, 6, ("1", "2", "3", "5")),
    caption="m · number of cells",
)
NEIGHBOURS = Choice(
    "neighbours",
    "neighbours",
    {"add_remove": "Add or remove one person", "replace": "Replace one person"},
    sensitivity.NEIGHBOURS[0],
)


SLOT = "table"
"""The slot of the user's own table in the tab of the browser."""
OWN_TABLE_BOX = box_key(SLOT)
"""The key of the fields for the user's own table."""
TABLE_LINK = FieldLink("Use my own table", OWN_TABLE_BOX, OWN, SLOT)
TABLE_FIELD = Field(TABLE, "Table", link=TABLE_LINK)


@dataclass(frozen=True)
class Counts:
    """A table of counts, columns `cell` and `count`, what it is called, and the least c that its counts require.

    One person can change a cell from 0 to the largest count that was suppressed in a file, which is then the least c.
    `people` is how often the same person occurs in the raw records that were counted, None where nobody checked;
    `is_from_records` says that the cells are the combinations that occur in records, and `changed` which empty counts
    of the file are 0, and which of its totals are no cells.
    One of the user's own has no name of its own, since files and titles carry the name: the file's is confidential too.
    """

    frame: pd.DataFrame
    source: str
    least_per_cell: int = 1
    people: PersonRows | None = None
    is_from_records: bool = False
    changed: str = ""


@dataclass(frozen=True)
class Upload:
    """The result of the user's file or pasted text: a table, or the sentence why there is none."""

    counts: Counts | None
    problem: str = ""


YOURS = "Your table"
_COUNTED = {
    "enforced": "that was enforced before these counts were made",
    "limit_remedy": "Counts can’t be limited any more once they are made. Keep at most a fixed number of records of "
    "each person, chosen at random, and count again. If {limit}:",
}
"""What conditions say of counts that were made before they came here, and not from the records of people."""
_RECORDS_QUESTION = (
    "Were these categories fixed before anybody looked at the data? They are those that occur in your records."
)
SHIPPED = {
    "czech": Counts(tables.czech_autoworkers(), "Czech autoworkers (64 cells, 1,841 men; Edwards & Havránek 1985)"),
    "mildew": Counts(tables.mildew(), "Barley powder mildew (64 cells, 70 offspring; Christiansen & Giese 1991)"),
}


def table_of(table: str, linked: LinkedTable | None, upload: Upload | None) -> Counts | None:
    """Return the chosen table; None where only its size is known, or the user's own is missing.

    A table that the link holds stands before the one of the session: going back may bring another one.
    """
    if table != "own":
        return SHIPPED.get(table)
    if linked is None:
        return upload and upload.counts
    return Counts(cells_frame(linked.cells), f"{YOURS} (in the link)", linked.least_per_cell)


def with_contribution(values: Values) -> Values:
    """Return the values of a page with what one person contributes: 1 to one cell where each person counts once.

    Years have an effect only with a limit in all, which they split.
    """
    if values[CONTRIBUTION.key] == "once":
        return values | {PER_PERSON.key: 1.0, PER_CELL.key: 1.0, PER_TOTAL.key: math.nan, N_PERIODS.key: 1.0}
    return values | ({N_PERIODS.key: 1.0} if math.isnan(values[PER_TOTAL.key]) else {})


def limit_text(values: Values) -> str:
    """Return what one person contributes to a table, as a part of a sentence.

    A limit in all adds nothing for people who count once: the noise is for one count, whatever the limit is.
    """
    years = 1.0 if math.isnan(values[PER_TOTAL.key]) else values[N_PERIODS.key]
    limit = contribution_text(values[PER_PERSON.key], values[PER_CELL.key], years)
    return ONCE if limit == ONCE else f"{limit}{cap_text(values[PER_TOTAL.key], values[N_PERIODS.key])}"


def contribution_text(per_person: float, per_cell: float, n_periods: float = 1.0) -> str:
    """Return in how many cells, of so many years, a person is, and how much a person adds to each, for a sentence.

    >>> contribution_text(1, 1), contribution_text(4, 1)
    ('each person counts once', 'each person is in at most 4 cells, at most once in each')
    >>> contribution_text(1, 4), contribution_text(12, 1, 3)
    ('each person is in one cell and adds at most 4 to it', \
'each person is in at most 12 cells of all 3 years together, at most once in each')
    """
    cells, most = format_input_down(per_person), format_input_down(per_cell)
    cells = f"{cells} cells{f' of all {format_input_down(n_periods)} years together' if n_periods > 1 else ''}"
    if per_cell == 1:
        return ONCE if per_person == 1 else f"each person is in at most {cells}, at most once in each"
    if per_person == 1:
        return f"each person is in one cell and adds at most {most} to it"
    return f"each person is in at most {cells} and adds at most {most} to each"


def cap_text(cap: float, n_periods: float) -> str:
    """Return the limit on what one person adds in all, or in each year, after a comma; empty without one (NaN)."""
    if math.isnan(cap):
        return ""
    where = "all" if n_periods == 1 else f"each of {format_input_down(n_periods)} years"
    return f", at most {format_input_down(cap)} in {where}"


def table_conditions(
    values: Values,
    data: tuple[Field | Parameter, ...] = (),
    *,
    is_own: bool = False,
    counts: Counts | None = None,
    **subject_changes: str,
) -> Conditions:
    """Return the conditions of an answer on a table, at the values of a page; see `release_conditions`.

    `counts` is the table: where it was counted from raw records, they may show that the limit does not hold.
    `subject_changes` are other fields of the `Subject`.
    """
    values = with_contribution(values)
    limit = limit_text(values)
    subject = Subject(limit=limit, has_limit=limit != ONCE, is_exceeded=_is_exceeded(values, counts))
    if counts is not None and counts.is_from_records:
        subject = replace(subject, question=_RECORDS_QUESTION)
    elif counts is not None and is_own:
        subject = replace(subject, **_COUNTED)
    if counts is not None:
        subject = replace(subject, note=escape_markdown(counts.changed))
    subject = replace(subject, **subject_changes)
    return release_conditions(values, subject, limits=_limit_questions(values), data=data, is_own=is_own)


def _limit_questions(values: Values) -> tuple[Field | Parameter, ...]:
    """Return the fields that ask for the limit on one person: first that in all, from which the others follow."""
    is_yearly = not math.isnan(values[PER_TOTAL.key]) and values[N_PERIODS.key] > 1
    periods = (Field(N_PERIODS, "P · years in this table, one ε for all"),) if is_yearly else ()
    return (
        Field(PER_TOTAL, f"N · at most how many in {'each year' if is_yearly else 'all'}"),
        *periods,
        Field(PER_PERSON, "k · in at most how many cells"),
        Field(PER_CELL, "c · at most how many in one cell"),
    )


def limit_corrections(values: Values, table: Choice) -> list[Correction]:
    """Return what makes k and c follow from N where only N is limited, and opens the questions where nothing is.

    While the limit is being entered, k and c are at most N, and as large as N until one of them is lowered. `table` is
    the parameter that chooses the user's own table, before whose answer the limit is asked for.
    """
    choice, total, periods = values[CONTRIBUTION.key], values[PER_TOTAL.key], values[N_PERIODS.key]
    cells, most = values[PER_PERSON.key], values[PER_CELL.key]
    is_once = cells == 1 and most == 1
    is_reopened = choice == "limited" and is_once and values[table.key] == "own"
    opened = [Correction(CONTRIBUTION.key, "entering", "", of_entry=True)] if is_reopened else []
    if math.isnan(total) or not (is_reopened or choice == "entering"):
        return opened
    follows = (
        is_once or cells == most or (most > 1 and cells == most * periods) or (most == total and cells % total == 0)
    )
    most_cells = min(total * periods, 1e6)
    new_cells, new_most = (most_cells, total) if follows else (min(cells, most_cells), min(most, total))
    corrected = (PER_PERSON, cells, new_cells), (PER_CELL, most, new_most)
    followed = [Correction(field.key, f"{new:.0f}", "", of_entry=True) for field, old, new in corrected if new != old]
    return [*opened, *followed]


def limit_fields(values: Values) -> tuple[Quantity, ...]:
    """Return the fields of the limit on one person: that of the periods where there is a limit in all."""
    return (PER_PERSON, PER_CELL, PER_TOTAL, *(() if math.isnan(values[PER_TOTAL.key]) else (N_PERIODS,)))


def contribution_fields(values: Values) -> tuple[Field | Parameter, ...]:
    """Return the fields of what one person contributes: none where each counts once, all where a limit is stated."""
    choice = values[CONTRIBUTION.key]
    if choice not in LIMITED:
        return () if choice == "once" else (PER_PERSON,)
    in_all = Field(PER_TOTAL, "N · most in each year") if values[N_PERIODS.key] > 1 else PER_TOTAL
    return tuple(in_all if field is PER_TOTAL else field for field in limit_fields(values))


def _is_exceeded(values: Values, counts: Counts | None) -> bool:
    """Return whether a person of the records is in more cells, more often in one, or in all, than the limit allows."""
    if counts is None or counts.people is None:
        return False
    most = counts.people.most_cells, counts.people.most_per_cell, counts.people.most_rows
    limits = values[PER_PERSON.key], values[PER_CELL.key], values[PER_TOTAL.key] * values[N_PERIODS.key]
    return any(number > limit for number, limit in zip(most, limits, strict=True))  # NaN is no limit in all


class PersonLimits(NamedTuple):
    """What one person changes in a table at most, as `dpcore.sensitivity.table_sensitivity` takes it; NaN is no cap."""

    cells_per_person: float
    per_cell: float
    neighbours: str
    margins: float
    n_cells: int
    cap: float
    n_periods: float

    @property
    def sensitivity(self) -> Sensitivity:
        """How far the table moves; each is computed once."""
        k, c, neighbours, margins, n_cells, cap, n_periods = self
        most = None if math.isnan(cap) else cap
        return kept(sensitivity.table_sensitivity, k, c, neighbours, margins, n_cells, most, n_periods)
