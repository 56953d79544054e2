"""The kinds of query that a row of the list may have: one record for each, with all that a page has to know of it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from operator import itemgetter
from typing import Any, Literal

from dpcore import plan
from dpcore.checks import DomainError
from pages.framework.parameters.kinds import Quantity
from pages.framework.site import PageEntry
from pages.plan import programs
from pages.plan.quantities import (
    CANDIDATES,
    CAP,
    CELLS,
    GROUPS_PER_PERSON,
    HALF_WIDTH,
    HIGH,
    IN_PERIODS,
    L1,
    L2,
    LENGTH,
    LEVEL,
    LOW,
    MEDIAN,
    MOST_IN_GROUPS,
    MOST_RECORDS,
    P90,
    PEOPLE,
    PER_CANDIDATE,
    PER_GROUP,
    PER_PERIOD,
    RECORDS,
    STEP,
    WINDOW,
)
from pages.shared.conditions import CONTRIBUTION
from pages.shared.counts.table import PER_CELL, PER_PERSON, PER_TOTAL
from pages.shared.release_program.program import Statistic
from pages.shared.site_map import ACCURACY, SERIES, TABLES
from pages.shared.site_map import MEDIAN as MEDIAN_PAGE
from pages.shared.values.parameters import distribution

_MOST_STEPS = 1000  # values of a quantile
_LEAST_RATIO, _MOST_RATIO = 1.02, 500.0  # of a 90th percentile to the median
Numbers = Mapping[str, float]
"""The numbers of a row, by the names that they have in its kind."""


@dataclass(frozen=True)
class OwnPage:
    """The page that answers a query of a kind alone, the entries that open it there, and the keys of its numbers there.

    `keys` are in the order of the numbers of the kind, and empty for one that the page does not have. Where
    `has_guarantee`, the page has the guarantee of the noise, and one number of the query has its error.
    """

    page: PageEntry
    entries: dict[str, str]
    keys: tuple[str, ...]
    has_guarantee: bool = False


@dataclass(frozen=True)
class Places:
    """In what one person can be: its `noun`, and the names of the numbers that limit in how many, and by how much each.

    `often` is empty where a person can be in all of them, and `most` where a person counts once in each.
    """

    noun: str
    often: str = ""
    most: str = ""


@dataclass(frozen=True)
class Column:
    """The column of a file that a query is of.

    Attributes
    ----------
    type : "number", "text" or "date", as `dpcore.readers` has it.
    phrase : what the query is called where such a column can become one; empty where that is not proposed.
    rows : the files of which it is proposed: those where a person has "one" row or "several", or "any".
    has_list : whether the program takes a public list of categories, or of a series the first month.
    is_joined : whether it has one value of a person, so that several are joined.
    """

    type: Literal["number", "text", "date"]
    phrase: str = ""
    rows: Literal["any", "one", "several"] = "any"
    has_list: bool = False
    is_joined: bool = False


@dataclass(frozen=True)
class Amount:
    """What one person adds to one number at most, below which ± makes no sense."""

    of: Callable[[Numbers], float]


@dataclass(frozen=True)
class Range:
    """The width of the range of the answer, of which ± must be less than half."""

    of: Callable[[Numbers], float]


@dataclass(frozen=True)
class Kind:
    """A kind of query. What has no default is to be decided for each; `tests/pages/plan/test_kinds.py` looks at it.

    Attributes
    ----------
    label : its name on the screen.
    record : the class of dpcore that it is.
    half_width : the wanted ± of a new row.
    numbers : its quantities, by the arguments of `record`, or of `arguments` where that makes those.
    words : a part of a sentence, with a place for each of its numbers.
    size : what ± is compared with.
    own_page : where it is answered alone, None where nowhere.
    program : the function that makes it a statistic of the program of a release, of its record, its noise and what
        else is released (`programs.Released`).
    column : the column of a file that it is of, None where it has none.
    places : in what one person can be several times, which the conditions say; None where that has no numbers.
    is_clipped : whether values beyond a range count as its end.
    records : "public" where the guarantee assumes that the number of records is no secret, "may_be_hidden" where it
        does unless a row hides that number (the record then has `is_n_public`), else "none".
    has_cells : whether the first number is that of its cells, which can have a joint error.
    cap : the limit on what a person adds in all, or in each of several years: `CAP` on amounts, `MOST_IN_GROUPS` or
        `MOST_RECORDS`; None where there is no such limit.
    most_in_list : how many a list may have, since a plan of more takes too long; None for any number.
    published : what a series publishes.
    error : what ± is where it is no half-width, and `error_words` the error that is reached.
    """

    label: str
    record: type[plan.Statistic]
    half_width: str
    numbers: Mapping[str, Quantity]
    words: str
    size: Amount | Range
    own_page: OwnPage | None
    program: Callable[[Any, Any, programs.Released], Statistic]
    column: Column | None
    places: Places | None
    is_clipped: bool
    records: Literal["none", "public", "may_be_hidden"]
    has_cells: bool = False
    cap: Quantity | None = None
    most_in_list: int | None = None
    published: str = ""
    error: str = ""
    error_words: str = "±{}"
    arguments: Callable[[Numbers], dict[str, Any]] = dict

    @property
    def quantities(self) -> tuple[Quantity, ...]:
        """Its quantities, in the order of a row."""
        return tuple(self.numbers.values())

    @property
    def may_hide_records(self) -> bool:
        """Whether a row may say that its number of records is not public."""
        return self.records == "may_be_hidden"

    @property
    def counts_records(self) -> bool:
        """Whether a limit in all is one on records, of each of which the statistic has one value."""
        return self.cap is MOST_RECORDS

    @property
    def has_years_of_records(self) -> bool:
        """Whether a record, and not the cell that it is in, says of which year it is."""
        return self.counts_records or self.record in (plan.Histogram, plan.UnknownGroups)

    @property
    def is_computed(self) -> bool:
        """Whether its numbers are those that the user computes, and not counted in a file."""
        return self.record is plan.Own

    @property
    def has_threshold(self) -> bool:
        """Whether a part of δ is for its threshold."""
        return hasattr(self.record, "threshold_delta")


def _one(_: Numbers) -> float:
    return 1.0


def _width(numbers: Numbers) -> float:
    return numbers["high"] - numbers["low"]


def _most_of_sum(numbers: Numbers) -> float:
    return max(abs(numbers["low"]), abs(numbers["high"]))


def _quantile_arguments(numbers: Numbers) -> dict[str, Any]:
    """Return the arguments of a quantile of values that are known by two of their quantiles."""
    low, high, step, median, p90 = (numbers[name] for name in ("low", "high", "step", "median", "p90"))
    if (high - low) / step > _MOST_STEPS:
        raise DomainError("step", f"[{(high - low) / _MOST_STEPS:.6g}, 1e13]", step)
    if not _LEAST_RATIO <= p90 / median <= _MOST_RATIO:
        raise DomainError("p90", f"[{_LEAST_RATIO * median:.6g}, {_MOST_RATIO * median:.6g}]", p90)
    values = distribution("lognormal", median, p90, numbers["n_records"])
    return {"values": values, "quantile": numbers["quantile"], "low": low, "high": high, "step": step}


def _accuracy(query: str, *keys: str) -> OwnPage:
    entries = {"section": "accuracy", "query": query, "known": "epsilon", PER_TOTAL.key: PER_TOTAL.default}
    return OwnPage(ACCURACY, entries, keys, has_guarantee=True)


def _series(published: str, *keys: str) -> OwnPage:
    return OwnPage(SERIES, {"section": "time", "totals": published}, ("length", "in_periods", PER_CELL.key, *keys))


_TABLE = {"section": "noise", "table": "size"}
_EACH = Kind(
    "Series: each month",
    plan.Series,
    "20",
    {"n_periods": LENGTH, "contributions": IN_PERIODS, "per_period": PER_PERIOD},
    "{} months, {} per person, {} in each",
    size=Amount(itemgetter("per_period")),
    own_page=_series("each"),
    program=programs.series,
    column=Column("date", "each period", has_list=True),
    places=Places("month", "contributions", "per_period"),
    is_clipped=False,
    records="none",
    cap=CAP,
    published="each",
)
KINDS = {
    "count": Kind(
        "Count",
        plan.Count,
        "5",
        {},
        "",
        size=Amount(_one),
        own_page=_accuracy("count"),
        program=programs.count,
        column=None,
        places=None,
        is_clipped=False,
        records="none",
        cap=MOST_RECORDS,
    ),
    "sum": Kind(
        "Sum",
        plan.Sum,
        "200",
        {"low": LOW, "high": HIGH},
        "values {} to {}",
        size=Amount(_most_of_sum),
        own_page=_accuracy("sum", "low", "high"),
        program=programs.total,
        column=Column("number", "the sum"),
        places=None,
        is_clipped=True,
        records="none",
        cap=MOST_RECORDS,
    ),
    "mean": Kind(
        "Mean",
        plan.Mean,
        "1",
        {"low": LOW, "high": HIGH, "n_records": RECORDS},
        "values {} to {}, n = {}",
        size=Range(_width),
        own_page=_accuracy("mean", "low", "high", "n_records"),
        program=programs.mean,
        column=Column("number", "the mean", is_joined=True),
        places=None,
        is_clipped=True,
        records="may_be_hidden",
        cap=MOST_RECORDS,
    ),
    "proportion": Kind(
        "Proportion",
        plan.Proportion,
        "0.02",
        {"n_records": RECORDS},
        "n = {}",
        size=Range(_one),
        own_page=_accuracy("proportion", "n_records"),
        program=programs.proportion,
        column=Column("number", is_joined=True),
        places=None,
        is_clipped=False,
        records="may_be_hidden",
        cap=MOST_RECORDS,
    ),
    "histogram": Kind(
        "Histogram",
        plan.Histogram,
        "10",
        {"n_cells": CELLS},
        "{} cells",
        size=Amount(_one),
        own_page=OwnPage(TABLES, _TABLE, (CELLS.key,), has_guarantee=True),
        program=programs.histogram,
        column=Column("text", "the table", "one", has_list=True),
        places=None,
        is_clipped=False,
        records="none",
        has_cells=True,
        cap=CAP,
    ),
    "table": Kind(
        "Table",
        plan.Table,
        "20",
        {"n_cells": CELLS, "cells_per_person": PER_PERSON, "per_cell": PER_CELL},
        "{} cells, {} per person, {} in each",
        size=Amount(itemgetter("per_cell")),
        own_page=OwnPage(TABLES, _TABLE, (CELLS.key, PER_PERSON.key, PER_CELL.key), has_guarantee=True),
        program=programs.table,
        column=Column("text", "the table", "several", has_list=True),
        places=Places("cell", "cells_per_person", "per_cell"),
        is_clipped=False,
        records="none",
        has_cells=True,
        cap=CAP,
    ),
    "quantile": Kind(
        "Median or quantile",
        plan.Quantile,
        "2",
        {
            "quantile": LEVEL,
            "low": LOW,
            "high": replace(HIGH, default="600"),
            "step": STEP,
            "median": MEDIAN,
            "p90": P90,
            "n_records": PEOPLE,
        },
        "q = {}, values {} to {} by {}, median about {}, 90th percentile about {}, n = {}",
        size=Range(_width),
        own_page=OwnPage(
            MEDIAN_PAGE,
            {"section": "quantile", PER_TOTAL.key: PER_TOTAL.default},
            ("quantile", "low", "high", "step", "median", "p90", "n_records"),
        ),
        program=programs.quantile,
        column=Column("number", "the median", is_joined=True),
        places=None,
        is_clipped=False,
        records="none",
        cap=MOST_RECORDS,
        most_in_list=4,
        arguments=_quantile_arguments,
    ),
    "largest": Kind(
        "Largest of several",
        plan.Largest,
        "15",
        {"n_candidates": CANDIDATES, "per_candidate": PER_CANDIDATE},
        "{} counts, at most {} per person in each",
        size=Amount(itemgetter("per_candidate")),
        own_page=OwnPage(MEDIAN_PAGE, {"section": "largest"}, ("", "")),
        program=programs.winner,
        column=Column("text", has_list=True),
        places=Places("count", most="per_candidate"),
        is_clipped=False,
        records="none",
        error="The one that is named has at most so many fewer than the largest, whatever the counts are.",
        error_words="at most {} fewer than the largest",
    ),
    "groups": Kind(
        "Unknown groups",
        plan.UnknownGroups,
        "60",
        {"groups_per_person": GROUPS_PER_PERSON, "per_group": PER_GROUP},
        "{} groups per person, {} in each",
        size=Amount(itemgetter("per_group")),
        own_page=OwnPage(TABLES, {"section": "appear", CONTRIBUTION.key: "limited"}, (PER_PERSON.key, PER_CELL.key)),
        program=programs.groups,
        column=Column("text", "unknown groups"),
        places=Places("group", "groups_per_person", "per_group"),
        is_clipped=False,
        records="none",
        cap=MOST_IN_GROUPS,
        error="A group of so many people appears with the confidence of the page; its count is closer than that.",
    ),
    "each": _EACH,
    "running": replace(
        _EACH,
        label="Series: running totals",
        half_width="40",
        own_page=_series("running_totals"),
        column=Column("date", "running totals", has_list=True),
        published="running_totals",
    ),
    "window": replace(
        _EACH,
        label="Series: totals of the last months",
        half_width="40",
        numbers={**_EACH.numbers, "window": WINDOW},
        words=f"{_EACH.words}, totals of {{}}",
        own_page=_series("window", "window"),
        column=Column("date", has_list=True),
        published="window",
    ),
    "own": Kind(
        "Own sensitivity",
        plan.Own,
        "5",
        {"l1_sensitivity": L1, "l2_sensitivity": L2},
        "Δ₁ = {}, Δ₂ = {}",
        size=Amount(itemgetter("l1_sensitivity")),
        own_page=_accuracy("own", "l1_sensitivity", "l2_sensitivity"),
        program=programs.own,
        column=None,
        places=None,
        is_clipped=False,
        records="none",
    ),
}
LABELS = {key: kind.label for key, kind in KINDS.items()}


def kind_with_numbers(kind: str) -> str:
    """Return the name of a kind in links with the symbols of its numbers.

    >>> kind_with_numbers("sum"), kind_with_numbers("count")
    ('sum (±, lo, hi)', 'count (±)')
    """
    return f"{kind} ({', '.join(quantity.symbol for quantity in (HALF_WIDTH, *KINDS[kind].quantities))})"
