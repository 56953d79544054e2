"""The parts that the charts of trade-off curves share, and the charts of the noise that meets a risk."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from dpcore.checks import Array
from dpcore.families import FAMILIES
from dpcore.tradeoff import readings
from pages.framework.chart.theme import TYPE, hairline, layout, line, log_axis, markers, positive_or_nan, transparent
from pages.framework.export.exhibit import Colours, Figure
from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import format_down, format_input_down
from pages.framework.rendering.uploaded_files import kept
from pages.tradeoff.curve_kinds import Recipe, curve_of
from pages.tradeoff.noise_from_risk.results import OF_NUMBERS, OUTCOME, Columns, RiskNoise, RiskSetting
from pages.tradeoff.results import TradeoffResult

DASHES = ("solid", "dash", "dashdot", "longdash", "3px,3px", "8px,3px,2px,3px,2px,3px", "12px,4px", "5px,2px")
LOWEST_DECADE = -10  # at which the log–log view begins
_Y_MARKS = tuple(10.0**decade for decade in range(LOWEST_DECADE + 2, 1, 2))  # the lowest would touch the x axis
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
        kept(_points_along, row.item.recipe),
        row.beta,
        row.power,
        position == result.chosen_position,
    )


def curve_traces(result: TradeoffResult, colours: Colours) -> list[CurveTrace]:
    """Return the curves of the list."""
    return [curve_trace(result, position, colours) for position in range(len(result.rows))]


def _points_along(recipe: Recipe) -> dict[str, Array]:
    points = readings.along(kept(curve_of, recipe))
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


def point_note(alpha: float, beta: float, words: str, view: str, colours: Colours) -> dict[str, Any]:
    """Return words to the right of a point of a view, or to its left in the right half of the picture."""
    x, y = alpha, beta if view == "errors" else 1 - beta
    if view == "log":
        x, y = (float(np.log10(max(value, 10.0**LOWEST_DECADE))) for value in (x, y))
    is_left = x < (LOWEST_DECADE / 2 if view == "log" else 0.5)
    note = {"text": words, "x": x, "y": y, "showarrow": False, "xshift": 10 if is_left else -10}
    return note | {
        "xanchor": "left" if is_left else "right",
        "font": {"size": TYPE},
        "bgcolor": transparent(colours["paper"], 0.8),
    }


def guessing_line(view: str, colours: Colours) -> dict[str, Any]:
    """Return the line of guessing."""
    ends = np.array([10.0**LOWEST_DECADE if view == "log" else 0.0, 1.0])
    heights = 1 - ends if view == "errors" else ends
    trace = line(ends, heights, "random guessing", colours["quiet"], "dash", hoverinfo="skip")
    return trace | {"line": {"color": colours["quiet"], "dash": "4px,4px", "width": 1.5}}


def pinned_lines(result: TradeoffResult, colours: Colours) -> list[dict[str, Any]]:
    """Return the chosen curve of the pinned setting in grey, with its α; nothing without a pinned setting."""
    if result.pinned is None:
        return []
    view, shade = result.setting.view, colours["ghost"]
    curve = curve_trace(result.pinned, result.pinned.chosen_position, colours)
    trace = line(*coordinates(curve, view), "pinned", shade, "solid", hoverinfo="skip")
    height = curve.beta if view == "errors" else curve.power
    x, y = positive(np.array([result.pinned.setting.alpha, height]), view).tolist()
    more = {"cliponaxis": False, "showlegend": False, "hoverinfo": "skip"}
    return [trace, markers([x], [y], "pinned", {"color": shade, "size": 9}, **more)]


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


NOISE_COLOURS = {key: FAMILIES[key].calibration.key for key in OF_NUMBERS} | {"dp_sgd": "teal", "releases": "teal"}
NOISE_NAMES = {key: f"{FAMILIES[key].words} noise" for key in OF_NUMBERS}
NOISE_NAMES |= {"dp_sgd": "DP-SGD noise", "releases": "my releases"}
SYMBOLS = {key: FAMILIES[key].symbol for key in OF_NUMBERS} | {"dp_sgd": "z", "releases": "factor"}
_UNITS = {"dp_sgd": "noise multiplier z", "releases": "factor on all noise scales"}
HANDLES = {"power": "alpha", "posterior": "alpha", "reconstruction": "baseline"}
_READINGS = {"power": "power", "log": "power", "errors": "missed"}
_LABELS = {"alpha": "α", "baseline": "baseline"}


def curve_figure(noise: RiskNoise, view: str, pinned: RiskNoise | None, subtitle: str, colours: Colours) -> Figure:
    """Draw the curve of the noise, the limit that it touches, and in grey what the detour leaves an attacker."""
    setting, points = noise.setting, noise.points
    figure = plane_layout(colours, "What the best attack reaches under this noise", subtitle, view)
    key = HANDLES.get(setting.kind, "")
    if key:
        at = setting.conditions[-1]
        hairline(figure, colours, at, f"{_LABELS[key]} = {format_input_down(at)}", key)
    if is_height(setting.kind, view):
        figure["meta"] = {"point": True}  # the browser lays a handle over it
    traces = [guessing_line(view, colours)]
    if pinned is not None:
        traces.append(_curve(pinned.points, "power", "pinned", (colours["ghost"], "solid", 2.5), view))
    if noise.has_detour:
        alone, detour = detour_names(noise)
        traces.append(_curve(points, "guarantee_power", alone, (colours["quiet"], "longdash", 2.5), view))
        traces.append(_curve(points, "detour_power", detour, (colours["quiet"], "solid", 2.5), view))
    y = positive(height(limit_power(setting, points["alpha"]), view), view)
    trace = line(positive(points["alpha"], view), y, "limit", colours["fails"], "3px,3px", hoverinfo="skip")
    traces.append(trace | {"line": {"color": colours["fails"], "dash": "3px,3px", "width": 1.5}})
    look = colours[NOISE_COLOURS[setting.noise]], "solid", 3.5
    traces.append(_curve(points, "power", NOISE_NAMES[setting.noise], look, view))
    x, power = noise.touching_point
    ring = {"color": colours["fails"], "size": 12, "symbol": "circle-open", "line": {"width": 3}}
    y = height(np.array([power]), view)
    dot = markers([x], y, "limit reached", ring, cliponaxis=False, hoverinfo="skip")
    return {"data": [*traces, dot], "layout": figure}


def detour_names(noise: RiskNoise) -> tuple[str, str]:
    """Return the names of the weakest (ε, δ) guarantee that ensures the limit, and of the noise for it."""
    epsilon = f"ε = {format_down(noise.calibration.detour_epsilon)}"
    return f"guarantee {epsilon} alone", f"noise for {epsilon}"


def _curve(points: Columns, column: str, name: str, look: tuple[str, str, float], view: str) -> dict[str, Any]:
    """Return a line through a column; `look` has its colour, dash and width."""
    shade, dash, width = look
    x, y = positive(points["alpha"], view), positive(height(points[column], view), view)
    hover = f"{name}: {_READINGS[view]} ≈ %{{y:.4~g}}<extra></extra>"
    style = {"color": shade, "dash": dash, "width": width}
    return line(x, y, name, shade, dash, line=style, hovertemplate=hover)


def is_height(kind: str, view: str) -> bool:
    """Return whether the limit is a height of the picture, so that it can be dragged there."""
    return kind in ("power", "reconstruction") and view != "errors"


def height(power: Array, view: str) -> Array:
    """Return what a view shows of a power: itself, or the missed rest."""
    return 1 - power if view == "errors" else power


def limit_power(setting: RiskSetting, alpha: Array) -> Array:
    """Return the power at every α at which the risk is at its limit; NaN beyond 1."""
    limit = setting.limit
    if setting.kind == "advantage":
        power = alpha + limit
    elif setting.kind == "success":
        prior = setting.conditions[0]
        power = (limit - (1 - prior) * (1 - alpha)) / prior
    elif setting.kind in ("posterior", OUTCOME):
        prior = setting.conditions[0]
        power = limit * (1 - prior) / (prior * (1 - limit)) * alpha
    else:
        power = np.full(alpha.shape, limit)
    return np.where((power >= 0) & (power <= 1), power, np.nan)


def scale_figure(noise: RiskNoise, columns: Columns, limit: tuple[str, str], subtitle: str, colours: Colours) -> Figure:
    """Draw the noise against the limit, calibrated directly and by the detour; the current limit is a handle."""
    setting, (key, label) = noise.setting, limit
    limits, direct, detour = (columns[name] for name in ("limit", "scale", "detour_scale"))
    has_direct, has_detour = np.isfinite(direct), np.isfinite(detour)
    scales = np.concatenate([direct[has_direct], detour[has_detour]])
    low, high = np.log10(scales.min()), np.log10(scales.max())
    ends = min(float(limits[0]), setting.limit), max(float(limits[-1]), setting.limit)
    x = {"range": list(ends), "title": {"text": label}}
    symbol = SYMBOLS[setting.noise]
    y = log_axis(_UNITS.get(setting.noise, f"{symbol} (query units)"), int(np.floor(low)), int(np.ceil(high)))
    figure = layout(colours, "The noise that each limit requires", subtitle, x, y) | {"hovermode": "x unified"}
    hairline(figure, colours, setting.limit, format_input_down(setting.limit), key)
    shade = colours[NOISE_COLOURS[setting.noise]]
    # rough curves are right to some percent, each to another: nothing is drawn between them
    hover = {"hovertemplate": f"{symbol} ≈ %{{y:.4~g}}", "mode": "markers" if setting.is_composed else "lines"}
    traces = [line(limits[has_direct], direct[has_direct], "calibrated to the risk", shade, "solid", **hover)]
    if noise.has_detour:
        x, y = limits[has_detour], detour[has_detour]
        traces.append(line(x, y, "calibrated via (ε, δ)", colours["quiet"], "longdash", **hover))
    return {"data": traces, "layout": figure}
