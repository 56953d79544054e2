"""The parts that the charts of trade-off curves share: the plane of the two errors, and the curves in it."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from dpcore.checks import Array
from dpcore.tradeoff import readings
from pages.framework.chart.theme import TYPE, compact, hairline, layout, line, log_axis, positive_or_nan
from pages.framework.export.exhibit import Colours
from pages.framework.parameters import number_format
from pages.tradeoff.curve_kinds import Recipe, curve_of
from pages.tradeoff.results import TradeoffResult

DASHES = ("solid", "dash", "dashdot", "longdash", "3px,3px", "8px,3px,2px,3px,2px,3px", "12px,4px", "5px,2px")
LOWEST_DECADE = -10  # at which the log–log view begins
_Y_MARKS = tuple(
    10.0**decade for decade in range(LOWEST_DECADE + 2, 1, 2)
)  # the lowest mark would touch that of the other axis
AXIS_LABELS = {
    "errors": ("false positive rate α (type I error)", "false negative rate β (type II error)"),
    "power": ("false positive rate α", "true positive rate 1 − β (power)"),
    "log": ("false positive rate α", "true positive rate 1 − β (power)"),
}


@dataclass(frozen=True)
class CurveTrace:
    """A curve in a picture: its name, colour, dash, points (`readings.along`), and its errors at α.

    `chosen` says that the page speaks of this curve.
    """

    name: str
    colour: str
    dash: str
    points: dict[str, Array]
    beta: float
    power: float
    chosen: bool


def curve_trace(result: TradeoffResult, position: int, colours: Colours) -> CurveTrace:
    """Return the curve at a position of the list."""
    row = result.rows[position]
    of_its_colour = sum(other.item.colour == row.item.colour for other in result.rows[:position])
    return CurveTrace(
        row.display_name,
        colours[row.item.colour],
        DASHES[of_its_colour],
        _points_along(row.item.recipe),
        row.beta,
        row.power,
        position == result.chosen_position,
    )


def curve_traces(result: TradeoffResult, colours: Colours) -> list[CurveTrace]:
    """Return the curves of the list."""
    return [curve_trace(result, position, colours) for position in range(len(result.rows))]


@lru_cache(64)  # the points of a curve depend on nothing else on the page
def _points_along(recipe: Recipe) -> dict[str, Array]:
    points = readings.along(curve_of(recipe))
    return dict(zip(points.columns, np.ascontiguousarray(points.to_numpy().T), strict=True))


def plane(colours: Colours, alpha: float, title: str, subtitle: str, view: str) -> dict[str, Any]:
    """Return the layout of one error against the other, with α as a handle."""
    figure = plane_layout(colours, title, subtitle, view)
    hairline(figure, colours, alpha, f"α = {number_format.format_input_down(alpha)}", "alpha")
    return figure


def plane_layout(colours: Colours, title: str, subtitle: str, view: str) -> dict[str, Any]:
    """Return the layout of one error against the other."""
    x_label, y_label = AXIS_LABELS[view]
    if view == "log":
        x, y = log_axis(x_label, LOWEST_DECADE, 0), log_axis(y_label, LOWEST_DECADE, 0, marks=_Y_MARKS)
    else:
        marks = (0, 0.2, 0.4, 0.6, 0.8, 1)
        labels = [number_format.format_nearest(mark) for mark in marks]
        ticks = {"range": [0, 1], "tickvals": list(marks), "ticktext": labels}
        style = {"font": {"size": TYPE}, "standoff": 8}
        x, y = (ticks | {"title": style | {"text": label}} for label in (x_label, y_label))
    x["unifiedhovertitle"] = {"text": "α = %{x:.4~g}"}
    return layout(colours, title, subtitle, x, y) | {"hovermode": "closest"}


def guessing_line(view: str, colours: Colours) -> dict[str, Any]:
    """Return the line of guessing."""
    ends = np.array([10.0**LOWEST_DECADE if view == "log" else 0.0, 1.0])
    trace = line(
        ends, 1 - ends if view == "errors" else ends, "random guessing", colours["quiet"], "dash", hoverinfo="skip"
    )
    return trace | {"line": {"color": colours["quiet"], "dash": "4px,4px", "width": 1.5}}


def pinned_lines(result: TradeoffResult, colours: Colours) -> list[dict[str, Any]]:
    """Return the chosen curve of the pinned setting in grey, with its α; nothing without a pinned setting."""
    if result.pinned is None:
        return []
    view, shade = result.setting.view, colours["ghost"]
    curve = curve_trace(result.pinned, result.pinned.chosen_position, colours)
    trace = line(*coordinates(curve, view), "pinned", shade, "solid", hoverinfo="skip")
    height = curve.beta if view == "errors" else curve.power
    point = positive(np.array([result.pinned.setting.alpha, height]), view)
    dot = markers(point[:1], point[1:], "pinned", {"color": shade, "size": 9})
    return [trace, dot | {"cliponaxis": False, "showlegend": False, "hoverinfo": "skip"}]


def curve_line(curve: CurveTrace, view: str) -> dict[str, Any]:
    """Return a curve, thicker if it is the chosen one."""
    name, style = number_format.chart_text(curve.name), {"hoverinfo": "skip", "legendgroup": curve.name}
    look = {"color": curve.colour, "dash": curve.dash, "width": 3.5 if curve.chosen else 2.5}
    return line(*coordinates(curve, view), name, curve.colour, curve.dash, **style, line=look)


def coordinates(curve: CurveTrace, view: str) -> tuple[Array, Array]:
    """Return x and y of the points of a curve."""
    height = curve.points["beta" if view == "errors" else "power"]
    return positive(curve.points["alpha"], view), positive(height, view)


def positive(values: Array, view: str) -> Array:
    """Return the values that are on the axes of a view, NaN for the others."""
    return positive_or_nan(values) if view == "log" else values


def markers(x: Array, y: Array, name: str, marker: dict[str, Any]) -> dict[str, Any]:
    """Return points without a line."""
    return {"type": "scatter", "mode": "markers", "name": name, "x": compact(x), "y": compact(y), "marker": marker}
