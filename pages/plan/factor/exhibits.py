"""The chart of the section "Total against error"."""

import numpy as np
import pandas as pd

from pages.framework.chart.theme import decades, hairline, hover_head, layout, line, log_axis, pinned_line
from pages.framework.export.exhibit import Colours, Exhibit, Figure
from pages.framework.parameters.number_format import format_nearest, format_up
from pages.plan.factor import text
from pages.plan.factor.results import FactorCurve, factor_curve
from pages.plan.results import PlanResult
from pages.plan.text import csv_header, subtitle

_MARKS = (0.25, 0.5, 1.0, 2.0, 4.0)


def factor_figure(result: PlanResult, curve: FactorCurve, subtitle: str, colours: Colours) -> Figure:
    """Draw the total along the factor, and the current factor as a handle where the errors are known."""
    finite = curve.epsilon[np.isfinite(curve.epsilon) & (curve.epsilon > 0)]
    low, high = decades(6, -6, *finite.tolist()) if finite.size else (-1, 1)
    x_axis = {"type": "log", "range": [np.log10(0.2), np.log10(5)], "tickvals": list(_MARKS)}
    x_axis |= {"ticktext": [format_nearest(mark) for mark in _MARKS], "title": {"text": "factor on all ±"}}
    y_axis = log_axis("total ε", low, high)
    figure = layout(
        colours, "Total ε against a common factor on the errors", subtitle, x_axis | hover_head("factor"), y_axis
    )
    trace = line(
        curve.factor, curve.epsilon, "total ε", colours["text"], "solid", mode="lines+markers", showlegend=False
    )
    trace |= {"hovertemplate": "ε = %{y:.4g}<extra></extra>"}
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
    return Exhibit("factor", figure, text.alternative_text(result), numbers, csv_header(result))
