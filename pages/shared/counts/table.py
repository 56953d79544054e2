"""A table of counts: a shipped one, or the user's own in the session or the link; and its sensitivity."""

import math
from dataclasses import dataclass, replace
from functools import lru_cache

import pandas as pd

from dpcore import sensitivity, tables
from dpcore.readers.people_notes import PersonRows
from dpcore.sensitivity import Sensitivity
from pages.framework.layout.section import Conditions, Field
from pages.framework.parameters.kinds import Quantity
from pages.framework.parameters.number_format import format_input_down
from pages.framework.parameters.parameter import Parameter, Values
from pages.shared.conditions import CONTRIBUTION, ONCE, Subject, release_conditions
from pages.shared.counts import link_format
from pages.shared.counts.link_format import LinkedTable
from pages.shared.counts.parameters import N_PERIODS, PER_CELL, PER_PERSON, PER_TOTAL


@dataclass(frozen=True)
class Counts:
    """A table of counts, columns `cell` and `count`, what it is called, and the least c that its counts require.

    One person can change a cell from 0 to the largest count that was suppressed in a file, which is then the least c.
    `people` is how often the same person occurs in the raw records that were counted, None where nobody checked;
    `is_from_records` says that the cells are the combinations that occur in records.
    One of the user's own has no name of its own, since files and titles carry the name: the file's is confidential too.
    """

    frame: pd.DataFrame
    source: str
    least_per_cell: int = 1
    people: PersonRows | None = None
    is_from_records: bool = False


@dataclass(frozen=True)
class Upload:
    """The result of the user's file or pasted text: a table, or the sentence why there is none."""

    counts: Counts | None
    problem: str = ""


YOURS = "Your table"
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
    return Counts(link_format.cells_frame(linked.cells), f"{YOURS} (in the link)", linked.least_per_cell)


def with_contribution(values: Values) -> Values:
    """Return the values of a page with what one person contributes: 1 to one cell where each person counts once.

    Periods have an effect only with a limit in all, which they split.
    """
    if values[CONTRIBUTION.key] == "once":
        return values | {PER_PERSON.key: 1.0, PER_CELL.key: 1.0, PER_TOTAL.key: math.nan, N_PERIODS.key: 1.0}
    return values | ({N_PERIODS.key: 1.0} if math.isnan(values[PER_TOTAL.key]) else {})


def limit_text(values: Values) -> str:
    """Return what one person contributes to a table, as a part of a sentence.

    A limit in all adds nothing for people who count once: the noise is for one count, whatever the limit is.
    """
    limit = contribution_text(values[PER_PERSON.key], values[PER_CELL.key])
    return ONCE if limit == ONCE else f"{limit}{cap_text(values[PER_TOTAL.key], values[N_PERIODS.key])}"


def contribution_text(per_person: float, per_cell: float) -> str:
    """Return in how many cells a person is, and how much a person adds to each, as a part of a sentence.

    >>> contribution_text(1, 1), contribution_text(1, 4)
    ('each person counts once', 'each person is in one cell and adds at most 4 to it')
    """
    cells, most = format_input_down(per_person), format_input_down(per_cell)
    if per_cell == 1:
        return ONCE if per_person == 1 else f"each person is in at most {cells} cells"
    if per_person == 1:
        return f"each person is in one cell and adds at most {most} to it"
    return f"each person is in at most {cells} cells and adds at most {most} to each"


def cap_text(cap: float, n_periods: float) -> str:
    """Return the limit on what one person adds in all, after a comma; empty where there is none (NaN).

    >>> cap_text(4.0, 3.0), cap_text(math.nan, 1.0)
    (', at most 4 in all in each of 3 periods', '')
    """
    if math.isnan(cap):
        return ""
    periods = "" if n_periods == 1 else f" in each of {format_input_down(n_periods)} periods"
    return f", at most {format_input_down(cap)} in all{periods}"


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
    subject = replace(subject, **subject_changes)
    return release_conditions(values, subject, limits=limit_fields(values), data=data, is_own=is_own)


def limit_fields(values: Values) -> tuple[Quantity, ...]:
    """Return the fields of the limit on one person: that of the periods where there is a limit in all."""
    return (PER_PERSON, PER_CELL, PER_TOTAL, *(() if math.isnan(values[PER_TOTAL.key]) else (N_PERIODS,)))


def contribution_fields(values: Values) -> tuple[Quantity, ...]:
    """Return the fields of what one person contributes: none where each counts once, all where a limit is stated."""
    choice = values[CONTRIBUTION.key]
    return () if choice == "once" else limit_fields(values) if choice == "limited" else (PER_PERSON,)


def _is_exceeded(values: Values, counts: Counts | None) -> bool:
    """Return whether a person of the records is in more cells, more often in one, or in all, than the limit allows."""
    if counts is None or counts.people is None:
        return False
    most = counts.people.most_cells, counts.people.most_per_cell, counts.people.most_rows
    limits = values[PER_PERSON.key], values[PER_CELL.key], values[PER_TOTAL.key] * values[N_PERIODS.key]
    return any(number > limit for number, limit in zip(most, limits, strict=True))  # NaN is no limit in all


@lru_cache(256)
def table_sensitivity(
    k: float, c: float, neighbours: str, margins: float, n_cells: int, cap: float = math.nan, n_periods: float = 1.0
) -> Sensitivity:
    """Return `dpcore.sensitivity.table_sensitivity` of one setting, and compute each setting once.

    A cap of NaN is none.
    """
    limit = None if math.isnan(cap) else cap
    return sensitivity.table_sensitivity(k, c, neighbours, margins, n_cells, limit, n_periods)
