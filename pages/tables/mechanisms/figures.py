"""Figures of the half-widths of the mechanisms: at the setting, over the number of cells per person, and over ε."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from dpcore.calibrations import FAILS, WITHIN
from dpcore.checks import Array
from dpcore.mechanism import Mechanism
from pages.framework.chart.theme import (
    TYPE,
    decades,
    hairline,
    hover_head,
    layout,
    log_axis,
    markers,
    pinned_curve,
    pinned_line,
    positive_or_nan,
    round_axis_end,
)
from pages.framework.export.exhibit import Colours, Figure
from pages.framework.parameters import number_format
from pages.shared.conditions import CONTRIBUTION
from pages.shared.looks import LOOKS
from pages.shared.status_lines import status_lines
from pages.tables.mechanisms.results import CURVE_RULES, Curve, RankedNoise, drawn_keys
from pages.tables.results import TablesResult

_LABELS = {WITHIN: "Dotted: outside the theorem", FAILS: "Red ×: guarantee violated"}
_STEPS = tuple(float(f"{mantissa}e{decade}") for decade in range(-30, 30) for mantissa in (1, 2, 5))
_ROW_HEIGHT = 42  # px, of a noise: a line of text above its point
_MARKS = (1, 2, 3, 5, 10, 20, 30, 50, 100, 200, 500, 1000)


def ranked_figure(
    noises: Sequence[RankedNoise],
    recommended: Mechanism | None,
    subtitle: str,
    colours: Colours,
    pins: dict[str, float],
) -> Figure:
    """Draw the ± of each noise as a point in its row, grey with the reason where it cannot be used.

    `pins` are those of a pinned setting, by key.
    """
    rows = range(len(noises))
    old = [
        (pins[noise.mechanism.key], row) for row, noise in zip(rows, noises, strict=True) if noise.mechanism.key in pins
    ]
    end = round_axis_end(1.05 * max([noise.half_width for noise in noises] + [half_width for half_width, _ in old]))
    x_axis = {"range": [0, end], "title": {"text": "± (counts)"}, "nticks": 6, "rangemode": "tozero"}
    y_axis = {"range": [len(noises) - 0.6, -0.8], "tickvals": [*rows], "showticklabels": False, "fixedrange": True}
    title = "Error of each noise" if recommended is None else "Error of each noise: the one to use first"
    figure = layout(colours, title, subtitle, x_axis, y_axis)
    least = 70 + _ROW_HEIGHT * len(noises)
    figure |= {"hovermode": "closest", "showlegend": False, "meta": {"leastHeight": least}}
    figure["height"] = max(least, 300)
    traces = []
    if old:
        x, y = zip(*old, strict=True)
        marker, hover = {"color": colours["ghost"], "size": 10}, "pinned: ±%{x:.4~g}<extra></extra>"
        traces.append(markers(x, y, "pinned", marker, hovertemplate=hover))
    for row, noise in zip(rows, noises, strict=True):
        traces.append(_ranked_point(row, noise, noise.mechanism == recommended, colours))
        figure["annotations"] += _row_notes(row, noise, noise.mechanism == recommended, end, colours)
    return {"data": traces, "layout": figure}


def _ranked_point(row: int, noise: RankedNoise, is_recommended: bool, colours: Colours) -> dict[str, Any]:
    key, name = noise.mechanism.key, noise.mechanism.name
    symbol = LOOKS[key].marker
    look = {"color": colours["quiet"], "symbol": f"{symbol}-open"} if noise.obstacle else {"color": colours[key]}
    look = {"symbol": symbol, "size": 15 if is_recommended else 11} | look
    return markers([noise.half_width], [row], name, look, hovertemplate=f"{name}: ±%{{x:.4~g}}<extra></extra>")


def _row_notes(
    row: int, noise: RankedNoise, is_recommended: bool, end: float, colours: Colours
) -> list[dict[str, Any]]:
    """Return the name of a noise above its row, with what keeps it from use, and its ± beside its point."""
    words = "use this" if is_recommended else noise.obstacle
    name = f"<b>{noise.mechanism.name}</b>" if is_recommended else noise.mechanism.name
    shade = colours["quiet" if noise.obstacle else noise.mechanism.key]
    note = {"showarrow": False, "font": {"size": TYPE, "color": shade}, "y": row}
    head = {"text": f"{name} · {words}" if words else name, "x": 0, "xref": "x domain", "xanchor": "left", "xshift": -3}
    is_far = noise.half_width > 0.75 * end
    side = {"xanchor": "right", "xshift": -12} if is_far else {"xanchor": "left", "xshift": 12}
    value = {
        "text": f"±{number_format.format_up(noise.half_width)}",
        "x": noise.half_width,
        "bgcolor": colours["paper"],
    }
    return [note | head | {"yanchor": "bottom", "yshift": 7}, note | value | side]


def persons_figure(
    result: TablesResult,
    curves: Sequence[Curve],
    end: float,
    subtitle: str,
    colours: Colours,
    pinned_curves: Sequence[Curve],
) -> Figure:
    """Draw half-widths over k up to `end`, on log axes: that of Laplace noise grows like k, a Gaussian's like √k.

    `pinned_curves` are those of a pinned setting.
    """
    persons = result.setting.per_person
    marks = tuple(mark for mark in _MARKS if mark <= end) if end <= _MARKS[-1] else ()
    x_axis = log_axis("cells per person k", 0, math.ceil(math.log10(end)), marks=marks)
    x_axis |= {"range": [-0.02, math.log10(end) + 0.02]} | hover_head("k")
    points = _single_points(result, persons, 1.0, colours)
    y_axis = log_axis("± (counts)", *_decades_of_curves(curves))
    subtitle = _subtitle_with_legend(subtitle, curves, points, y_axis)
    figure = layout(colours, "Error against cells per person", subtitle, x_axis, y_axis)
    handle = "" if result.values[CONTRIBUTION.key] == "once" else "per_person"
    hairline(figure, colours, persons, f"k = {number_format.format_nearest(persons)}", handle)
    if result.pinned is not None:
        pinned_line(figure, colours, result.pinned.setting.per_person)
    return {"data": [*_curve_traces(curves, pinned_curves, colours), *points], "layout": figure}


def epsilon_figure(
    result: TablesResult, curves: Sequence[Curve], subtitle: str, colours: Colours, pinned_curves: Sequence[Curve]
) -> Figure:
    """Draw half-widths over that of Laplace noise against ε: by themselves they fall like 1/ε, in parallel lines."""
    epsilon, significance = result.setting.epsilon, result.significance
    x_axis = log_axis("privacy loss ε", *decades(-3, 2, epsilon)) | hover_head("ε")
    laplace = next((mechanism for mechanism in result.mechanisms if mechanism.key == "laplace"), None)
    points = [] if laplace is None else _single_points(result, epsilon, laplace.half_width(significance), colours)
    ratio_curves = _ratios_to_laplace(curves)
    y_axis = _ratio_axis(ratio_curves)
    subtitle = _subtitle_with_legend(subtitle, ratio_curves, points, y_axis)
    figure = layout(colours, "Error relative to Laplace noise", subtitle, x_axis, y_axis)
    hairline(figure, colours, epsilon, f"ε = {number_format.format_input_up(epsilon)}", "epsilon")
    if result.pinned is not None:
        pinned_line(figure, colours, result.pinned.setting.epsilon)
    traces = _curve_traces(ratio_curves, _ratios_to_laplace(pinned_curves), colours, "%{y:.4~g} ×", stepped=False)
    return {"data": [*traces, *points], "layout": figure}


def _ratios_to_laplace(curves: Sequence[Curve]) -> list[Curve]:
    laplace = next((curve.half_width for curve in curves if curve.rule.key == "laplace"), None)
    if laplace is None:
        return []
    return [replace(curve, half_width=curve.half_width / laplace) for curve in curves]


def _ratio_axis(curves: Sequence[Curve]) -> dict[str, Any]:
    """Return a y axis between round numbers that holds all lines at every ε, so that it does not change with ε."""
    ratios = np.concatenate([_positive_half_widths(curve) for curve in curves] or [np.ones(1)])
    low = next(step for step in reversed(_STEPS) if step <= min(ratios.min(), 0.5))
    high = next(step for step in _STEPS if step >= max(ratios.max(), 2))
    marks = tuple(step for step in _STEPS if low <= step <= high)
    ends = [math.log10(low), math.log10(high)]
    few = marks if ends[1] - ends[0] < 3 else ()
    return log_axis("± ÷ Laplace’s ±", math.floor(ends[0]), math.ceil(ends[1]), marks=few) | {"range": ends}


def _single_points(result: TablesResult, x: float, unit: float, colours: Colours) -> list[dict[str, Any]]:
    return [
        _single_point(mechanism, x, result.significance, unit, colours)
        for mechanism in result.mechanisms
        if mechanism.key in drawn_keys(result) - {rule.key for rule in CURVE_RULES}
    ]


def _curve_traces(
    curves: Sequence[Curve],
    pinned_curves: Sequence[Curve],
    colours: Colours,
    hover: str = "± ≈ %{y:.4~g}",
    *,
    stepped: bool = True,
) -> list[dict[str, Any]]:
    ghosts = [pinned_curve(curve.x, positive_or_nan(curve.half_width), colours) for curve in pinned_curves]
    return [*ghosts, *(trace for curve in curves for trace in _status_traces(curve, colours, hover, stepped))]


def _decades_of_curves(curves: Sequence[Curve]) -> tuple[int, int]:
    """Return whole decades from a tenth of a count on, or lower where a line would otherwise be out of sight."""
    positive = [half_widths for curve in curves if (half_widths := _positive_half_widths(curve)).size]
    if not positive:
        return -1, 1
    least = min(half_widths.min() for half_widths in positive)
    in_sight = min(half_widths.max() for half_widths in positive)
    low = math.floor(math.log10(min(max(least, 0.1), in_sight)))
    return low, max(low + 1, math.ceil(math.log10(max(half_widths.max() for half_widths in positive))))


def _positive_half_widths(curve: Curve) -> Array:
    """Return the half-widths above 0, which a log axis can show."""
    return curve.half_width[curve.half_width > 0]


def _subtitle_with_legend(
    subtitle: str, curves: Sequence[Curve], points: Sequence[dict[str, Any]], y_axis: dict[str, Any]
) -> str:
    """Return a subtitle that says what dots and crosses mean, where there are any, and what is off the axis."""
    low, high = (10.0**end for end in y_axis["range"])
    statuses = {str(status) for curve in curves for status in curve.status[curve.half_width > 0]}
    parts = [subtitle, *(label for status, label in _LABELS.items() if status in statuses)]
    if any(curve.rule.whole and np.any(curve.half_width == 0) for curve in curves):
        parts.append("Where Geometric has no line, its ± is 0")
    off_axis = []
    for point in points:
        half_width = float(np.nan_to_num(point["y"][0]))
        if not low * (1 - 1e-6) <= half_width <= high * (1 + 1e-6):  # points are in single precision
            off_axis.append(f"{point['name'].removesuffix(' (point)')} at {number_format.format_up(half_width)}")
    parts += [f"Off the axis: {'; '.join(off_axis)}"] if off_axis else []
    return ". ".join(parts)


def _status_traces(curve: Curve, colours: Colours, hover: str, stepped: bool) -> list[dict[str, Any]]:
    """Return a mechanism's line in the looks of its verdicts, stepped for whole noise."""
    rule, visible = curve.rule, positive_or_nan(curve.half_width)
    style = {"color": colours[rule.key], "dash": LOOKS[rule.key].dash, "width": 2.5}
    style |= {"shape": "hvh"} if rule.whole and stepped else {}
    name = rule.name.partition(",")[0]
    return status_lines(curve.x, visible, curve.status, name, style, colours, hovertemplate=hover)


def _single_point(mechanism: Mechanism, x: float, significance: float, unit: float, colours: Colours) -> dict[str, Any]:
    """Return the point of a mechanism that is computed at the current setting only."""
    height = positive_or_nan([mechanism.half_width(significance) / unit])
    marker = {"color": colours[mechanism.key], "symbol": LOOKS[mechanism.key].marker, "size": 10}
    return markers([x], height, f"{mechanism.name} (point)", marker, hovertemplate="%{y:.4~g}")
