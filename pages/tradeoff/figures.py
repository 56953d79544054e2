"""Pictures of trade-off curves: the curves, what a quotation concedes, an attack beside its bounds."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from dpcore.checks import Array
from pages.framework.chart.theme import TYPE, compact, hairline, layout, line, log_axis
from pages.framework.export.exhibit import Colours, Figure
from pages.framework.parameters import number_format

DASHES = ("solid", "dash", "dashdot", "longdash", "3px,3px", "8px,3px,2px,3px,2px,3px", "12px,4px", "5px,2px")
_HANDLES = 90
_AXIS = ("gridcolor", "zeroline", "automargin", "ticks", "ticklen", "tickcolor")  # what an axis below another has of it
LOWEST = -10  # decade at which the log–log view begins
_DECADES = tuple(10.0**decade for decade in range(LOWEST + 2, 1, 2))  # the lowest would touch that of the other axis
_LABELS = {
    "errors": ("false alarms α (type I error)", "missed β (type II error)"),
    "power": ("false alarms α", "caught 1 − β (power)"),
    "log": ("false alarms α", "caught 1 − β (power)"),
}
_HINT = (
    "%{fullData.name}<br>false alarms α ≈ %{x:.4~g}<br>"
    "missed β ≈ %{customdata[0]:.4~g}<br>power ≈ %{customdata[1]:.4~g}<br>"
    "this point implies ε ≥ %{customdata[2]:.4~g}, μ ≥ %{customdata[3]:.4~g}<extra></extra>"
)


@dataclass(frozen=True)
class Drawn:
    """A curve as drawn: its name, colour, dash, points (`readings.along`), its errors at the chosen α.

    `chosen` is the one that the page speaks of.
    """

    name: str
    colour: str
    dash: str
    points: dict[str, Array]
    beta: float
    power: float
    chosen: bool


def curves_figure(
    drawn: Sequence[Drawn], ghost: tuple[float, Drawn] | None, alpha: float, view: str, subtitle: str, colour: Colours
) -> Figure:
    """β or power against α, with what guessing reaches as a dashed line, and the chosen α.

    What the chosen curve gains over guessing is shaded. `ghost` is a kept α and the curve that was chosen there.
    """
    seen = "missed" if view == "errors" else "caught"
    figure = plane(colour, alpha, f"True cases {seen} against false alarms", subtitle, view)
    traces = [_gain(next(each for each in drawn if each.chosen), view), guessing(view, colour)]
    traces += [] if ghost is None else ghost_lines(*ghost, view, colour)
    traces += [curve_line(each, view) for each in drawn]
    traces += [_handles(each, view) for each in drawn]
    heights = np.array([each.beta if view == "errors" else each.power for each in drawn])
    looks = {"color": [each.colour for each in drawn], "size": 9}
    dots = markers(np.full(heights.size, alpha), positive(heights, view), "", looks)
    return {"data": [*traces, dots | {"cliponaxis": False, "showlegend": False, "hoverinfo": "skip"}], "layout": figure}


def plane(colour: Colours, alpha: float, title: str, subtitle: str, view: str) -> dict[str, Any]:
    """The layout of one error against the other, with the chosen α as a handle."""
    x_label, y_label = _LABELS[view]
    if view == "log":
        x, y = log_axis(x_label, LOWEST, 0), log_axis(y_label, LOWEST, 0, marks=_DECADES)
    else:
        marks = (0, 0.2, 0.4, 0.6, 0.8, 1)
        ticks = {
            "range": [0, 1],
            "tickvals": list(marks),
            "ticktext": [number_format.format_nearest(mark) for mark in marks],
        }
        style = {"font": {"size": TYPE}, "standoff": 8}
        x, y = (ticks | {"title": style | {"text": label}} for label in (x_label, y_label))
    x["unifiedhovertitle"] = {"text": "α = %{x:.4~g}"}
    figure = layout(colour, title, subtitle, x, y) | {"hovermode": "closest"}
    hairline(figure, colour, alpha, f"α = {number_format.format_input_down(alpha)}", "alpha")
    return figure


def guessing(view: str, colour: Colours) -> dict[str, Any]:
    """What guessing reaches."""
    ends = np.array([10.0**LOWEST if view == "log" else 0.0, 1.0])
    trace = line(ends, 1 - ends if view == "errors" else ends, "guessing", colour["quiet"], "dash", hoverinfo="skip")
    return trace | {"line": {"color": colour["quiet"], "dash": "4px,4px", "width": 1.5}}


def _gain(each: Drawn, view: str) -> dict[str, Any]:
    """The area between a curve and guessing."""
    x, y = _places(each, view)
    inside = np.isfinite(x) & np.isfinite(y) & (x >= (10.0**LOWEST if view == "log" else 0))
    along, height = x[inside], y[inside]
    guessed = 1 - along if view == "errors" else along
    return {
        "type": "scatter",
        "mode": "lines",
        "name": "gain over guessing",
        "x": compact(np.concatenate([along, along[::-1]])),
        "y": compact(np.concatenate([height, guessed[::-1]])),
        "line": {"width": 0},
        "fill": "toself",
        "fillcolor": _tint(each.colour),
        "hoverinfo": "skip",
    }


def _tint(shade: str) -> str:
    red, green, blue = (int(shade[place : place + 2], 16) for place in (1, 3, 5))
    return f"rgba({red},{green},{blue},.16)"


def ghost_lines(alpha: float, each: Drawn, view: str, colour: Colours) -> list[dict[str, Any]]:
    """The curve of a kept setting in grey, with its α."""
    shade, height = colour["ghost"], each.beta if view == "errors" else each.power
    curve = line(*_places(each, view), "pinned", shade, "solid", hoverinfo="skip")
    point = positive(np.array([alpha, height]), view)
    dot = markers(point[:1], point[1:], "pinned", {"color": shade, "size": 9})
    return [curve, dot | {"cliponaxis": False, "showlegend": False, "hoverinfo": "skip"}]


def curve_line(each: Drawn, view: str) -> dict[str, Any]:
    """A curve, thicker if it is the chosen one."""
    x, y = _places(each, view)
    look = {"color": each.colour, "dash": each.dash, "width": 3.5 if each.chosen else 2.5}
    return line(
        x,
        y,
        number_format.chart_text(each.name),
        each.colour,
        each.dash,
        hoverinfo="skip",
        legendgroup=each.name,
        line=look,
    )


def _handles(each: Drawn, view: str) -> dict[str, Any]:
    """Unseen points along a curve, evenly apart on the screen, which answer the pointer: Plotly selects no lines."""
    x, y = _places(each, view)
    span = -LOWEST if view == "log" else 1
    inside = np.flatnonzero(np.isfinite(y) & (x > 10.0**LOWEST) if view == "log" else np.isfinite(y))
    across, along = (np.log10(part[inside]) if view == "log" else part[inside] for part in (x, y))
    path = np.append(0, np.cumsum(abs(np.diff(across)) + abs(np.diff(along)))) / span
    chosen = inside[np.unique(np.searchsorted(path, np.linspace(0, path[-1], _HANDLES)).clip(max=inside.size - 1))]
    said = [each.points[name][chosen] for name in ("beta", "power")]
    said += [_down(each.points[name][chosen]) for name in ("epsilon", "mu")]
    return {
        "type": "scatter",
        "mode": "markers",
        "name": number_format.chart_text(each.name),
        "legendgroup": each.name,
        "showlegend": False,
        "x": compact(x[chosen]),
        "y": compact(y[chosen]),
        "marker": {"opacity": 0, "size": 12, "color": each.colour},
        "customdata": compact(np.column_stack(said)),
        "hovertemplate": _HINT,
    }


def _down(values: Array) -> Array:
    """Numbers to four digits, rounded down; the largest that is sent for those without an end."""
    values = np.minimum(values, 1e30)
    unit = 10.0 ** (np.floor(np.log10(np.where(values > 0, values, 1.0))) - 3)
    return np.floor(values / unit * (1 + 1e-14)) * unit


def _places(each: Drawn, view: str) -> tuple[Array, Array]:
    height = each.points["beta" if view == "errors" else "power"]
    return positive(each.points["alpha"], view), positive(height, view)


def positive(values: Array, view: str) -> Array:
    """Values that the axes of a view have a place for."""
    return np.where(values > 0, values, np.nan) if view == "log" else values


def quotation_figure(
    frame: pd.DataFrame,
    drawn: Drawn,
    ghost: tuple[float, Drawn] | None,
    names: tuple[str, str],
    touches: float,
    alpha: float,
    view: str,
    subtitle: str,
    colour: Colours,
) -> Figure:
    """A curve above its (ε, δ) and its μ, and, below on the same α, the extra power that each of them concedes.

    `names` are the legend's words for these two; `ghost` is a kept α and the curve that was chosen there.
    """
    height = "beta" if view == "errors" else "power"
    figure = _with_extra_power(plane(colour, alpha, "One (ε, δ) or one μ instead of the curve", subtitle, view), frame)
    if view == "log" and 0 < touches < 10.0**LOWEST:
        figure["xaxis"] |= log_axis(_LABELS["log"][0], LOWEST - 2, 0)
    along = positive(frame["alpha"].to_numpy(), view)
    ghosts = (("epsilon_delta", names[0], colour["quiet"], "longdash"), ("mu", names[1], colour["text"], "3px,3px"))
    label = "β ≈ %{y:.4~g}" if view == "errors" else "power ≈ %{y:.4~g}"
    own = positive(frame[height].to_numpy(), view)
    traces = [] if ghost is None else ghost_lines(*ghost, view, colour)
    traces.append(line(along, own, number_format.chart_text(drawn.name), drawn.colour, "solid", hovertemplate=label))
    for key, name, shade, dash in ghosts:
        conceded = positive(frame[f"{height}_{key}"].to_numpy(), view)
        traces.append(line(along, conceded, name, shade, dash, hovertemplate=label))
        extra = line(along, frame[f"extra_power_{key}"], name, shade, dash, hovertemplate="extra power ≈ %{y:.4~g}")
        traces.append(extra | {"yaxis": "y2", "showlegend": False})
    place = np.array([touches]), np.array([np.interp(touches, frame["alpha"], frame[height])])
    ring = {"color": drawn.colour, "size": 10, "symbol": "circle-open", "line": {"width": 2.5}}
    return {"data": [*traces, markers(*place, "they touch here", ring) | {"hoverinfo": "skip"}], "layout": figure}


def _with_extra_power(figure: dict[str, Any], frame: pd.DataFrame) -> dict[str, Any]:
    """The layout with room for a lower picture of the extra power."""
    figure["xaxis"]["anchor"] = "y2"
    figure["yaxis"]["title"] = figure["yaxis"]["title"] | {"text": figure["yaxis"]["title"]["text"].split(" ")[0]}
    figure["yaxis"]["domain"] = [0.42, 1]
    most = max(float(np.max(frame[["extra_power_epsilon_delta", "extra_power_mu"]].to_numpy())), 1e-3)
    figure["yaxis2"] = {key: figure["yaxis"][key] for key in _AXIS} | {
        "domain": [0, 0.32],
        "range": [0, _round_end(most)],
        "title": {"text": "extra", "font": {"size": TYPE}, "standoff": 8},
        "nticks": 4,
    }
    return figure | {"hovermode": "x unified"}


def _round_end(most: float) -> float:
    """The next of 1, 2, 5 times a power of ten."""
    unit = 10.0 ** math.floor(math.log10(most))
    return next(end * unit for end in (1, 2, 5, 10) if end * unit >= most * 1.05 or end == 10)


def markers(x: Array, y: Array, name: str, marker: dict[str, Any]) -> dict[str, Any]:
    """Points without a line."""
    return {"type": "scatter", "mode": "markers", "name": name, "x": compact(x), "y": compact(y), "marker": marker}
