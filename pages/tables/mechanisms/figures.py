"""Figures of the half-widths of the mechanisms over the number of cells per person, and over ε."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from dpcore.calibrations import FAILS, WITHIN
from dpcore.checks import Array
from dpcore.mechanism import Mechanism
from pages.framework.chart.theme import (
    compact,
    decades,
    ghost,
    hairline,
    hover_head,
    layout,
    line,
    log_axis,
    pinned_line,
    positive_or_nan,
)
from pages.framework.export.exhibit import Colours, Figure
from pages.framework.parameters import number_format
from pages.shared.conditions import CONTRIBUTION
from pages.shared.looks import LOOKS
from pages.shared.status_lines import status_lines
from pages.tables.mechanisms.results import CURVE_RULES, Curve
from pages.tables.results import TablesResult

_LABELS = {WITHIN: "Dotted: outside the theorem", FAILS: "Red ×: guarantee violated"}
_STEPS = tuple(float(f"{mantissa}e{decade}") for decade in range(-30, 30) for mantissa in (1, 2, 5))
_MARKS = (1, 2, 3, 5, 10, 20, 30, 50, 100, 200, 500, 1000)


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
    figure = layout(colours, "Error against cells per person: lower is better", subtitle, x_axis, y_axis)
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
    x_axis = log_axis("privacy loss parameter ε (nats)", *decades(-3, 2, epsilon)) | hover_head("ε")
    laplace = next((mechanism for mechanism in result.mechanisms if mechanism.key == "laplace"), None)
    points = [] if laplace is None else _single_points(result, epsilon, laplace.half_width(significance), colours)
    ratio_curves = _ratios_to_laplace(curves)
    y_axis = _ratio_axis(ratio_curves)
    subtitle = _subtitle_with_legend(subtitle, ratio_curves, points, y_axis)
    figure = layout(colours, "Error relative to Laplace noise: lower is better", subtitle, x_axis, y_axis)
    hairline(figure, colours, epsilon, f"ε = {number_format.format_input_up(epsilon)}", "epsilon")
    if result.pinned is not None:
        pinned_line(figure, colours, result.pinned.setting.epsilon)
    traces = _curve_traces(ratio_curves, _ratios_to_laplace(pinned_curves), colours, "%{y:.4g} ×", stepped=False)
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
        if mechanism.key not in {rule.key for rule in CURVE_RULES}
    ]


def _curve_traces(
    curves: Sequence[Curve],
    pinned_curves: Sequence[Curve],
    colours: Colours,
    hover: str = "± ≈ %{y:.4g}",
    *,
    stepped: bool = True,
) -> list[dict[str, Any]]:
    ghosts = [
        line(curve.x, positive_or_nan(curve.half_width), "pinned", "", "") | ghost(colours) for curve in pinned_curves
    ]
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
    half_width = mechanism.half_width(significance) / unit
    return {
        "type": "scatter",
        "mode": "markers",
        "name": f"{mechanism.name} (point)",
        "x": compact([x]),
        "y": compact([half_width if half_width > 0 else np.nan]),
        "marker": {"color": colours[mechanism.key], "symbol": LOOKS[mechanism.key].marker, "size": 10},
        "hovertemplate": "%{y:.4g}",
    }
