"""The kinds of query that a row of the list may have: one record for each."""

from dataclasses import replace
from operator import itemgetter
from typing import Any

from dpcore import plan
from dpcore.checks import DomainError
from pages.plan import programs
from pages.plan.kind_record import Amount, Column, Kind, Numbers, OwnPage, Places, Range
from pages.plan.quantities import (
    CANDIDATES,
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
from pages.shared.site_map import ACCURACY, SERIES, TABLES
from pages.shared.site_map import MEDIAN as MEDIAN_PAGE
from pages.shared.values.parameters import distribution

_MOST_STEPS = 1000  # values of a quantile
_LEAST_RATIO, _MOST_RATIO = 1.02, 500.0  # of a 90th percentile to the median


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
        error="A group of so many people appears with the confidence of the page; its count is closer than that. Both "
        "are of what is counted within the limits: what they cut is in no ±.",
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
    ),
}
LABELS = {key: kind.label for key, kind in KINDS.items()}


def kind_with_numbers(kind: str) -> str:
    """Return the name of a kind in links with the symbols of its numbers.

    >>> kind_with_numbers("sum"), kind_with_numbers("count")
    ('sum (±, lo, hi)', 'count (±)')
    """
    return f"{kind} ({', '.join(quantity.symbol for quantity in (HALF_WIDTH, *KINDS[kind].quantities))})"
