"""A table of counts: a shipped one, or the user's own in the session or the link; and its sensitivity."""

from dataclasses import dataclass
from functools import lru_cache

import pandas as pd

from dpcore import sensitivity, tables
from dpcore.sensitivity import Sensitivity
from pages.framework.layout.section import Conditions, Field
from pages.framework.parameters.number_format import format_input_down
from pages.framework.parameters.parameter import Parameter, Values
from pages.shared.conditions import CONTRIBUTION, ONCE, Subject, release_conditions
from pages.shared.counts import link_format
from pages.shared.counts.link_format import LinkedTable
from pages.shared.counts.parameters import PER_CELL, PER_PERSON


@dataclass(frozen=True)
class Counts:
    """A table of counts, columns `cell` and `count`, what it is called, and the least c that its counts require.

    One person can change a cell from 0 to the largest count that was suppressed in a file, which is then the least c.
    One of the user's own has no name of its own, since files and titles carry the name: the file's is confidential too.
    """

    frame: pd.DataFrame
    source: str
    least_per_cell: int = 1


@dataclass(frozen=True)
class Upload:
    """The result of the user's file or pasted text: a table, or the sentence why there is none."""

    counts: Counts | None
    problem: str = ""


YOURS = "Your table"
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
    """Return the values of a page with what one person contributes: 1 to one cell where each person counts once."""
    return values | {PER_PERSON.key: 1.0, PER_CELL.key: 1.0} if values[CONTRIBUTION.key] == "once" else values


def limit_text(values: Values) -> str:
    """Return what one person contributes to a table, as a part of a sentence."""
    cells, most = (format_input_down(values[parameter.key]) for parameter in (PER_PERSON, PER_CELL))
    if values[PER_CELL.key] == 1:
        return ONCE if values[PER_PERSON.key] == 1 else f"each person is in at most {cells} cells"
    if values[PER_PERSON.key] == 1:
        return f"each person is in one cell and adds at most {most} to it"
    return f"each person is in at most {cells} cells and adds at most {most} to each"


def table_conditions(values: Values, data: tuple[Field | Parameter, ...] = (), *, is_own: bool = False) -> Conditions:
    """Return the conditions of an answer on a table, at the values of a page; see `release_conditions`."""
    limit = limit_text(with_contribution(values))
    subject = Subject(limit=limit, has_limit=limit != ONCE)
    return release_conditions(values, subject, limits=(PER_PERSON, PER_CELL), data=data, is_own=is_own)


@lru_cache(256)
def table_sensitivity(k: float, c: float, neighbours: str, margins: float, n_cells: int) -> Sensitivity:
    """Return `dpcore.sensitivity.table_sensitivity` of one setting, and compute each setting once."""
    return sensitivity.table_sensitivity(k, c, neighbours, margins, n_cells)
