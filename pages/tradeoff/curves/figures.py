"""The chart of the curves."""

from typing import Any

import numpy as np

from dpcore.checks import Array
from pages.framework.chart.theme import compact, transparent
from pages.framework.export.exhibit import Colours, Figure
from pages.framework.parameters import number_format
from pages.tradeoff.figures import (
    LOWEST_DECADE,
    CurveTrace,
    coordinates,
    curve_line,
    curve_traces,
    guessing_line,
    markers,
    pinned_lines,
    plane,
    positive,
)
from pages.tradeoff.results import TradeoffResult

_N_HOVER_POINTS = 90
_HOVER_TEMPLATE = (
    "%{fullData.name}<br>false positive rate α ≈ %{x:.4~g}<br>"
    "false negative rate β ≈ %{customdata[0]:.4~g}<br>true positive rate ≈ %{customdata[1]:.4~g}<br>"
    "this point implies ε ≥ %{customdata[2]:.4~g}, μ ≥ %{customdata[3]:.4~g}<extra></extra>"
)


def curves_figure(result: TradeoffResult, subtitle: str, colours: Colours) -> Figure:
    """Draw β or power against α, with guessing as a dashed line, and the chosen α.

    The gain of the chosen curve over guessing is shaded.
    """
    alpha, view = result.setting.alpha, result.setting.view
    curves = curve_traces(result, colours)
    outcome = "False negative rate" if view == "errors" else "True positive rate"
    figure = plane(colours, alpha, f"{outcome} against false positive rate", subtitle, view)
    traces = [_gain_area(curves[result.chosen_position], view), guessing_line(view, colours)]
    traces += pinned_lines(result, colours)
    traces += [curve_line(curve, view) for curve in curves]
    traces += [_hover_points(curve, view) for curve in curves]
    heights = np.array([curve.beta if view == "errors" else curve.power for curve in curves])
    looks = {"color": [curve.colour for curve in curves], "size": 9}
    dots = markers(np.full(heights.size, alpha), positive(heights, view), "", looks)
    return {"data": [*traces, dots | {"cliponaxis": False, "showlegend": False, "hoverinfo": "skip"}], "layout": figure}


def _gain_area(curve: CurveTrace, view: str) -> dict[str, Any]:
    """Return the area between a curve and guessing."""
    x, y = coordinates(curve, view)
    inside = np.isfinite(x) & np.isfinite(y) & (x >= (10.0**LOWEST_DECADE if view == "log" else 0))
    along, height = x[inside], y[inside]
    guessing = 1 - along if view == "errors" else along
    return {
        "type": "scatter",
        "mode": "lines",
        "name": "advantage over guessing",
        "x": compact(np.concatenate([along, along[::-1]])),
        "y": compact(np.concatenate([height, guessing[::-1]])),
        "line": {"width": 0},
        "fill": "toself",
        "fillcolor": transparent(curve.colour),
        "hoverinfo": "skip",
    }


def _hover_points(curve: CurveTrace, view: str) -> dict[str, Any]:
    """Return invisible points along a curve, evenly spaced on the screen, for hovering: Plotly selects no lines."""
    x, y = coordinates(curve, view)
    span = -LOWEST_DECADE if view == "log" else 1
    inside = np.flatnonzero(np.isfinite(y) & (x > 10.0**LOWEST_DECADE) if view == "log" else np.isfinite(y))
    across, along = (np.log10(part[inside]) if view == "log" else part[inside] for part in (x, y))
    path = np.append(0, np.cumsum(abs(np.diff(across)) + abs(np.diff(along)))) / span
    chosen = inside[
        np.unique(np.searchsorted(path, np.linspace(0, path[-1], _N_HOVER_POINTS)).clip(max=inside.size - 1))
    ]
    values = [curve.points[name][chosen] for name in ("beta", "power")]
    values += [_round_down(curve.points[name][chosen]) for name in ("epsilon", "mu")]
    return {
        "type": "scatter",
        "mode": "markers",
        "name": number_format.chart_text(curve.name),
        "legendgroup": curve.name,
        "showlegend": False,
        "x": compact(x[chosen]),
        "y": compact(y[chosen]),
        "marker": {"opacity": 0, "size": 12, "color": curve.colour},
        "customdata": compact(np.column_stack(values)),
        "hovertemplate": _HOVER_TEMPLATE,
    }


def _round_down(values: Array) -> Array:
    """Return numbers to four digits, rounded down, at most 1e30."""
    values = np.minimum(values, 1e30)
    unit = 10.0 ** (np.floor(np.log10(np.where(values > 0, values, 1.0))) - 3)
    return np.floor(values / unit * (1 + 1e-14)) * unit
