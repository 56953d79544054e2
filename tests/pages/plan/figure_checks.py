"""What each trace of the page Plan must show: see `tests.pages.figure_checks`."""

from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from dpcore import plan
from dpcore.plan import Plan, Query
from pages.plan.quantities import noise_words
from pages.plan.queries import QueryItem
from pages.plan.results import compute_result
from pages.shared.values.parameters import distribution
from tests.pages.figure_checks import POSITIONS, Chart, Numbers, Setting, Trace, linear, log

MIXED = (
    "!count:8=A;table:30,36,2,1*all=B;mean:1,0,100,800*hidden=C;sum:400,-3,50@gaussian_scale,150=D;"
    "own:9,2,1=E;histogram:12,6*A=F;histogram:15,9*A=G;proportion:0.02,2000=H;sum:1e-9,0,1e6=left out"
)
STATISTICS = (
    "!quantile:2,0.5,0,600,1,30,84,2000=Median;largest:15,23,1=Largest;groups:60,3,1*times:2=Groups;"
    "running:60,24,4,1=Totals;window:40,24,4,1,6=Windows;each:30,24,4,1=Months;count:9*times:12=Count"
)
SETTINGS = {
    "": (
        {},
        {"queries": STATISTICS, "promise": "delta"},
        {
            "queries": MIXED,
            "promise": "delta",
            "pinned": "epsilon=2&queries=count:5&direction=errors",
            "significance": "0.01",
        },
        {"queries": "!count:20=A;sum:300,0,50=B", "direction": "total", "epsilon": "2", "periods": "12"}
        | {"promise": "delta"},
        {"promise": "pure", "neighbours": "replace", "factor": "2"},
    ),
    "factor": (
        {"queries": "!count:20=A;sum:300,0,50=B", "promise": "delta"},
        {"queries": "!count:20=A;sum:300,0,50=B", "promise": "pure", "factor": "1.5", "pinned": "epsilon=1"},
        {"queries": "!mean:1,0,10,100=A", "direction": "total"},
    ),
}
RECORDS: dict[str, Any] = {
    "count": plan.Count,
    "sum": plan.Sum,
    "mean": plan.Mean,
    "proportion": plan.Proportion,
    "histogram": plan.Histogram,
    "table": plan.Table,
    "own": plan.Own,
    "quantile": plan.Quantile,
    "largest": plan.Largest,
    "groups": plan.UnknownGroups,
    "running": partial(plan.Series, published="running_totals"),
    "window": partial(plan.Series, published="window"),
    "each": partial(plan.Series, published="each"),
}
ARGUMENTS = {
    "sum": ("low", "high"),
    "mean": ("low", "high", "n_records"),
    "proportion": ("n_records",),
    "histogram": ("n_cells",),
    "table": ("n_cells", "cells_per_person", "per_cell"),
    "own": ("l1_sensitivity", "l2_sensitivity"),
    "quantile": ("quantile", "low", "high", "step"),
    "largest": ("n_candidates", "per_candidate"),
    "groups": ("groups_per_person", "per_group"),
    "running": ("n_periods", "contributions", "per_period"),
    "window": ("n_periods", "contributions", "per_period", "window"),
    "each": ("n_periods", "contributions", "per_period"),
}


def query_of(item: QueryItem, at: Setting, factor: float) -> Query:
    """Return the query of a row, written again from its numbers."""
    half_width, *numbers = (quantity.read(text) for quantity, text in item.fields)
    more: dict[str, Any] = dict(zip(ARGUMENTS.get(item.kind, ()), numbers, strict=False))
    if item.kind == "quantile":
        median, p90, n = numbers[-3:]
        more |= {"values": distribution("lognormal", median, p90, n)}
    if item.kind == "groups":
        more |= {"threshold_delta": at.delta / 10 / item.n_times}
    joint = {"is_joint": True} if item.is_joint else {}
    hidden = {"is_n_public": False} if item.is_hidden else {}
    fixed: dict[str, Any] = {}
    if item.lock == "gaussian_scale":
        fixed = {"mechanism": "gaussian", "scale": float(item.lock_number)}
    return plan.query(
        None if item.is_fixed else half_width * factor,
        RECORDS[item.kind](**more, **joint, **hidden),
        at.significance,
        **({} if item.kind == "own" and not item.group else {"neighbours": at.neighbours}),
        group=item.group,
        n_releases=int(at.periods) * item.n_times,
        **fixed,
    )


def delta_of(at: Setting) -> float:
    return 0.0 if at.promise == "pure" else at.delta


def plan_of(at: Setting) -> Plan:
    """Return the plan of the rows that have noise, from dpcore."""
    by = 1.0 if at.direction == "total" else at.factor
    queries = [query_of(item, at, by) for item in at.queries if item.name != "left out"]
    if at.direction == "total":
        return plan.scaled_to(queries, at.epsilon, delta_of(at)).plan
    return plan.choose(queries, delta_of(at))


def order_of(at: Setting) -> list[int]:
    """Return the rows of the list in the order in which the page shows them, which `test_kinds.py` tests."""
    return [row.place for row in compute_result(vars(at) | {"pinned": None}).shown_rows]


def rows_of(at: Setting) -> Numbers:
    """Return where the rows that are planned are shown."""
    return np.array([place for place, row in enumerate(order_of(at)) if at.queries[row].name != "left out"])


def planned_of(at: Setting) -> Numbers:
    """Return the places in the plan of the rows that are planned, in the order in which they are shown."""
    listed = [row for row, item in enumerate(at.queries) if item.name != "left out"]
    return np.array([listed.index(row) for row in order_of(at) if row in listed])


def costs(at: Setting) -> Numbers:
    return plan.Marginal(plan_of(at)).estimated_cost


def is_planned(table: pd.DataFrame) -> Numbers:
    return (table["noise"] != "left out").to_numpy()


def plan_chart(setting: Setting) -> Chart:
    """Return the errors and the costs of the queries of each noise, and the total."""
    families = [plan_of(setting).noises[place].family for place in planned_of(setting)]
    shown = [setting.queries[row] for row in order_of(setting)]

    def traces_of(family: str) -> tuple[dict[str, Trace], Trace | None]:
        own = np.array([place for place, other in enumerate(families) if other == family])
        free = own[[not shown[row].is_fixed for row in rows_of(setting)[own]]]

        def is_own(table: pd.DataFrame) -> Numbers:
            return np.isin(np.arange(len(table)), rows_of(setting)[own]) & is_planned(table)

        def is_free(table: pd.DataFrame) -> Numbers:
            return is_own(table) & np.isfinite(table["wanted"].to_numpy())

        def at_rows(at: Setting, place: Numbers) -> Numbers:
            return rows_of(at)[own[place.astype(int)]]

        def at_free_rows(at: Setting, place: Numbers) -> Numbers:
            return rows_of(at)[free[place.astype(int)]]

        def reached(at: Setting, place: Numbers) -> Numbers:
            wanted = [shown[row].target for row in at_free_rows(at, place)]
            return plan_of(at).half_widths[planned_of(at)[free[place.astype(int)]]] / np.array(wanted)

        def share_of_wanted(table: pd.DataFrame) -> Numbers:
            return (table["reached"] / table["wanted"]).to_numpy(np.float64)

        def shares(at: Setting, place: Numbers) -> Numbers:
            whole = float(plan_of(at).total.value)
            return (costs(at) * (whole / costs(at).sum()))[planned_of(at)[own[place.astype(int)]]]

        bars = {"rows": is_own, "value": "x", "by_place": True, "positions": at_rows}
        name = noise_words(family)
        errors = bars | {"rows": is_free, "positions": at_free_rows}
        cost = {name: Trace(shares, "epsilon_added", rtol=1e-7, **bars)}
        return cost, Trace(reached, share_of_wanted, **errors) if free.size else None

    traces = {}
    number = 0
    for family in dict.fromkeys(families):
        cost, reached = traces_of(family)
        traces |= cost
        if reached is not None:
            number += 1
            traces[f"± reached #{number}" if number > 1 else "± reached"] = reached
    traces["total ε"] = Trace(
        lambda at, place: np.full(place.shape, float(plan_of(at).total.value)),
        positions=lambda at, place: place + len(at.queries),
        value="x",
        by_place=True,
    )
    traces["ends"] = Trace(ends_of, value="x", rtol=1e-7, by_place=True)
    units = {f"queries.{row}.half_width": 1.0 for row in range(len(setting.queries))}
    more_axes = {"xaxis2": linear("ε")}
    return Chart(linear("± reached ÷ ± wanted"), POSITIONS, traces, more_axes=more_axes, marks=units)


def ends_of(at: Setting, place: Numbers) -> Numbers:
    """Return where the steps of the costs end, and the total, at which their numbers stand."""
    own = costs(at)[planned_of(at)]
    ends = np.cumsum(own * (float(plan_of(at).total.value) / own.sum()))
    return np.append(ends, ends[-1])[place.astype(int)]


def total_along(at: Setting, factor: Numbers) -> Numbers:
    def total(by: float) -> float:
        return float(plan.total_epsilon([query_of(item, at, by) for item in at.queries], delta_of(at)).value)

    return np.array([total(float(by)) for by in np.atleast_1d(factor)])


def factor_chart(_: Setting) -> Chart:
    traces = {"total ε": Trace(total_along, "epsilon", x="factor", rtol=1e-6)}
    return Chart(log("factor"), log("total ε"), traces, "factor")


CHARTS = {"plan": plan_chart, "factor": factor_chart}
