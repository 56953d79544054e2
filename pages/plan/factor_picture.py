"""The total ε against a common factor on all wanted errors: its curve, its sentences, and its chart."""

import math
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from dpcore.checks import Array
from dpcore.plan import possible_mechanisms, total_epsilon
from pages.framework.chart.theme import decades, hairline, hover_head, layout, line, log_axis, pinned_line
from pages.framework.export.exhibit import Colours, Exhibit, Figure
from pages.framework.parameters.number_format import format_nearest, format_up
from pages.plan import text
from pages.plan.quantities import NOISE_NAMES
from pages.plan.results import PlanResult
from pages.plan.text import csv_header, subtitle
from pages.shared import statements

_FACTORS = (0.25, 0.5, 1.0, 2.0, 4.0)


@dataclass(frozen=True)
class FactorCurve:
    """Factors, and the total ε of the best plan at each; NaN where a query has no noise."""

    factor: Array
    epsilon: Array


def factor_curve(result: PlanResult) -> FactorCurve:
    """Return the total along the factor, at the errors of the list."""
    factors = np.array(_FACTORS)
    return FactorCurve(factors, np.array([total_at(result, factor) for factor in factors.tolist()]))


def total_at(result: PlanResult, factor: float) -> float:
    """Return the total of the best plan where all wanted errors of the list are `factor` times as large."""
    delta = result.setting.plan_delta
    queries = [
        replace(row.query, half_width=row.item.target * factor) for row in result.planned_rows if row.query is not None
    ]
    if not queries or not all(possible_mechanisms(query, delta) for query in queries):
        return float("nan")
    return float(total_epsilon(queries, delta).value)


def answer_text(result: PlanResult) -> tuple[str, ...]:
    """Return the totals at half and twice the errors, then that of the plan or its factor, with its assumption."""
    sentences = text.answer_text(result)
    if result.plan is None:
        return sentences
    halved, doubled = (_total_text(total_at(result, result.factor * by)) for by in (0.5, 2))
    first = f"Errors twice as large require {doubled}, and errors half as large {halved}."
    return first, *sentences[::2]


def _total_text(epsilon: float) -> str:
    return f"ε = {format_up(epsilon)}" if math.isfinite(epsilon) else "noise outside the limits of the plan"


def factor_steps_text(result: PlanResult) -> str:
    """Return what to do with the factor of the plan, in three steps; empty without a plan."""
    if result.plan is None:
        return ""
    return statements.steps_text(
        f"Decide, without the data, how large errors may be: here {format_nearest(result.factor)} times those wanted.",
        f"**Add the noise of each query**, for a total of ε = {format_up(result.epsilon)}: Show, *Each query* has it.",
        "Publish the answers once, with the total ε, its δ if it has one, the unit of privacy and the conditions.",
    )


def alternative_text(result: PlanResult) -> str:
    """Return what the figure shows, in a sentence."""
    curve = factor_curve(result)
    first, last = (f"ε = {format_up(value)}" for value in (curve.epsilon[0], curve.epsilon[-1]))
    ends = f"from {first} at {format_nearest(curve.factor[0])} to {last} at {format_nearest(curve.factor[-1])} times"
    return f"The total ε falls as all wanted errors grow, {ends} the wanted errors."


def uniform_text(result: PlanResult) -> str:
    """Return the totals of the plans that have one mechanism for all."""
    if result.plan is None:
        return ""
    totals = {key: float(bound.value) for key, bound in result.plan.uniform.items()}
    parts = [f"{NOISE_NAMES[key]} ε = {format_up(value)}" for key, value in totals.items()]
    return (
        f"**One mechanism for all** would require, at the errors of the plan: {', '.join(parts)}. Where answers are "
        f"not whole numbers, geometric stands for Laplace and discrete Gaussian for Gaussian noise. The plan requires "
        f"ε = {format_up(result.epsilon)}."
    )


def factor_figure(result: PlanResult, curve: FactorCurve, subtitle: str, colours: Colours) -> Figure:
    """Draw the total along the factor, and the current factor as a handle where the errors are known."""
    finite = curve.epsilon[np.isfinite(curve.epsilon) & (curve.epsilon > 0)]
    low, high = decades(6, -6, *finite.tolist()) if finite.size else (-1, 1)
    x_axis = {"type": "log", "range": [np.log10(0.2), np.log10(5)], "tickvals": list(_FACTORS)}
    x_axis |= {"ticktext": [format_nearest(mark) for mark in _FACTORS], "title": {"text": "factor on all ±"}}
    y_axis = log_axis("total ε", low, high)
    figure = layout(
        colours, "Total ε against a common factor on the errors", subtitle, x_axis | hover_head("factor"), y_axis
    )
    trace = line(
        curve.factor, curve.epsilon, "total ε", colours["text"], "solid", mode="lines+markers", showlegend=False
    )
    trace |= {"hovertemplate": "ε = %{y:.4~g}<extra></extra>"}
    label = f"factor = {format_nearest(result.factor) if not result.is_epsilon_set else format_up(result.factor)}"
    hairline(figure, colours, result.factor, label, "" if result.is_epsilon_set else "factor")
    if result.pinned is not None and result.pinned.plan is not None:
        pinned_line(figure, colours, result.pinned.factor)
    return {"data": [trace], "layout": figure}


def factor_chart(result: PlanResult, colours: Colours) -> Exhibit | None:
    """Return the chart of the total along the factor; nothing without a plan."""
    if result.plan is None:
        return None
    curve = factor_curve(result)
    figure = factor_figure(result, curve, subtitle(result), colours)
    numbers = pd.DataFrame({"factor": curve.factor, "epsilon": curve.epsilon})
    return Exhibit("factor", figure, alternative_text(result), numbers, csv_header(result))
