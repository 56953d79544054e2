"""What each trace of the page Plan must show: see `tests.pages.figure_checks`."""

from typing import Any

import numpy as np
import pandas as pd

from dpcore import plan
from dpcore.plan import Plan, Query
from pages.plan.queries import QueryItem
from tests.pages.figure_checks import POSITIONS, Chart, Numbers, Setting, Trace, linear, log

MIXED = (
    "!count:8=A;table:30,36,2,1*all=B;mean:1,0,100,800*hidden=C;sum:400,-3,50@gaussian_scale,150=D;"
    "own:9,2,1=E;histogram:12,6*A=F;histogram:15,9*A=G;proportion:0.02,2000=H;sum:1e-9,0,1e6=left out"
)
SETTINGS = {
    "": (
        {},
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
ARGUMENTS = {
    "sum": ("low", "high"),
    "mean": ("low", "high", "n_records"),
    "proportion": ("n_records",),
    "histogram": ("n_cells",),
    "table": ("n_cells", "cells_per_person", "per_cell"),
    "own": ("l1_sensitivity", "l2_sensitivity"),
}


def query_of(item: QueryItem, at: Setting, factor: float) -> Query:
    """Return the query of a row, written again from its numbers."""
    half_width, *numbers = (quantity.read(text) for quantity, text in item.fields)
    more: dict[str, Any] = dict(zip(ARGUMENTS.get(item.kind, ()), numbers, strict=False))
    if item.lock == "gaussian_scale":
        more |= {"mechanism": "gaussian", "scale": float(item.lock_number)}
    return plan.query(
        None if item.is_fixed else half_width * factor,
        at.significance,
        item.kind,
        **({} if item.kind == "own" and not item.group else {"neighbours": at.neighbours}),
        is_joint=True if item.is_joint else None,
        is_n_public=False if item.is_hidden else None,
        group=item.group,
        n_releases=int(at.periods),
        **more,
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


def rows_of(at: Setting) -> Numbers:
    """Return the rows that are planned."""
    return np.array([row for row, item in enumerate(at.queries) if item.name != "left out"])


def free_rows(at: Setting) -> Numbers:
    return np.array([row for row in rows_of(at) if at.queries[int(row)].lock == ""])


def costs(at: Setting) -> Numbers:
    return plan.Marginal(plan_of(at)).estimated_cost


def is_free(table: pd.DataFrame) -> Numbers:
    return table["wanted"].notna().to_numpy() & is_planned(table)


def is_planned(table: pd.DataFrame) -> Numbers:
    return (table["noise"] != "left out").to_numpy()


def plan_chart(setting: Setting) -> Chart:
    def target_errors(at: Setting, place: Numbers) -> Numbers:
        return np.array(
            [at.queries[int(row)].fields[0][0].read(at.queries[int(row)].half_width) for row in free_rows(at)]
        )[place.astype(int)]

    bars = {"value": "x", "by_place": True}
    traces = {
        "± wanted": Trace(
            target_errors, "wanted", is_free, positions=lambda at, place: free_rows(at)[place.astype(int)], **bars
        ),
        "± reached": Trace(
            lambda at, place: plan_of(at).half_widths[place.astype(int)],
            "reached",
            is_planned,
            positions=lambda at, place: rows_of(at)[place.astype(int)],
            **bars,
        ),
        "ε that a query adds": Trace(
            lambda at, place: costs(at)[place.astype(int)],
            "epsilon_added",
            is_planned,
            positions=lambda at, place: rows_of(at)[place.astype(int)],
            rtol=1e-7,
            **bars,
        ),
        "total ε": Trace(
            lambda at, place: np.full(place.shape, float(plan_of(at).total.value)),
            positions=lambda at, place: place + len(at.queries),
            **bars,
        ),
    }
    return Chart(log("± (unit"), POSITIONS, traces, more_axes={"xaxis2": linear("ε (nats)")})


def total_along(at: Setting, factor: Numbers) -> Numbers:
    def total(by: float) -> float:
        return float(plan.total_epsilon([query_of(item, at, by) for item in at.queries], delta_of(at)).value)

    return np.array([total(float(by)) for by in np.atleast_1d(factor)])


def factor_chart(_: Setting) -> Chart:
    traces = {"total ε": Trace(total_along, "epsilon", x="factor", rtol=1e-6)}
    return Chart(log("factor"), log("total ε (nats)"), traces, "factor")


CHARTS = {"plan": plan_chart, "factor": factor_chart}
