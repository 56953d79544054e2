"""The figures over ε: what they have in common, the half-width, and its ratio to that of Laplace noise."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpcore.calibrations import FAILS, GEOMETRIC_PUBLISHED, LAPLACE, WITHIN
from dpcore.checks import Array
from pages.accuracy.results import Curve, MechanismRow, PinnedCurves
from pages.framework.chart.theme import (
    TYPE,
    decades,
    hairline,
    hover_head,
    layout,
    line,
    log_axis,
    markers,
    pinned_curve,
)
from pages.framework.export.exhibit import Colours, Figure
from pages.framework.parameters import number_format
from pages.shared.looks import LOOKS
from pages.shared.status_lines import status_lines

_EPSILON = "privacy loss ε"
_DOTTED = "Dotted: outside the theorem. Red ×: guarantee violated."


@dataclass(frozen=True)
class Mark:
    """The setting in a figure: its ε or, where ε is the answer, the target half-width and the rows that answer it."""

    epsilon: float
    target: float | None
    rows: Sequence[MechanismRow]
    unit: str


def epsilon_layout(
    title: str, subtitle: str, y_axis: dict[str, Any], epsilon: float, colours: Colours, *, is_known: bool = True
) -> dict[str, Any]:
    """Return a layout over ε, with a handle at the current ε where that is known."""
    x_axis = log_axis(_EPSILON, *decades(-3, 2, epsilon)) | hover_head("ε")
    figure = layout(colours, title, number_format.chart_text(subtitle), x_axis, y_axis)
    if is_known:
        hairline(figure, colours, epsilon, f"ε = {number_format.format_input_up(epsilon)}", "epsilon")
    return figure


def with_line_styles(subtitle: str, curves: Sequence[Curve]) -> str:
    """Return a subtitle that says what dots and crosses mean, where there are any."""
    outside = any(((curve.status == WITHIN) | (curve.status == FAILS)).any() for curve in curves)
    return f"{subtitle}. {_DOTTED}" if outside else subtitle


def mark_pinned_epsilon(figure: dict[str, Any], epsilon: float, colours: Colours) -> None:
    """Mark the ε of a pinned setting."""
    if epsilon > 0:
        span = {"type": "line", "x0": epsilon, "x1": epsilon, "y0": 0, "y1": 1, "yref": "y domain", "layer": "below"}
        figure["shapes"].append(span | {"line": {"color": colours["ghost"], "width": 2}})


def curve_traces(curve: Curve, values: Array, hover: str, colours: Colours) -> list[dict[str, Any]]:
    """Return a mechanism's line in the looks of its verdicts, stepped for whole-numbered noise."""
    rule = curve.rule
    style = {"color": colours[rule.key], "dash": LOOKS[rule.key].dash, "width": 4 if rule is LAPLACE else 2.5}
    style |= {"shape": "hv"} if rule.whole else {}
    return status_lines(curve.epsilon, values, curve.status, rule.name, style, colours, hovertemplate=hover)


def mark_value(figure: dict[str, Any], value: float, label: str, style: dict[str, Any]) -> None:
    """Mark a value of a log y axis with a line across the plot."""
    span = {"type": "line", "x0": 0, "x1": 1, "xref": "x domain", "y0": value, "y1": value, "line": style}
    figure["shapes"].append(span)
    note = {"text": label, "showarrow": False, "x": 1, "xref": "x domain", "xanchor": "right", "yanchor": "bottom"}
    figure["annotations"].append(note | {"y": math.log10(value), "font": {"size": TYPE}})


_BROAD = ("laplace", "analytic", "pdp", "classical")
FLOOR_NAME = "any noise: at least"
_RATIOS = (0.1, 0.2, 0.5, 1, 2, 5, 10, 20)


def accuracy_figure(
    curves: Sequence[Curve],
    floor: tuple[Array, Array] | None,
    mark: Mark,
    subtitle: str,
    colours: Colours,
    pinned: PinnedCurves | None,
) -> Figure:
    """Draw half-widths against ε on log axes; a target is a line, with the ε that it takes as points."""
    broad = np.concatenate([curve.value for curve in curves if curve.rule.key in _BROAD])  # others fall without end
    low, high = math.floor(math.log10(broad.min())), math.ceil(math.log10(broad.max()))
    low, high = decades(low, high, *(() if mark.target is None else (mark.target,)))
    y_axis = log_axis(f"± ({number_format.chart_text(mark.unit or 'share of 1')})", low, high)
    title, is_known = "Error against ε: lower is better", mark.target is None
    subtitle = with_line_styles(subtitle, curves)
    figure = epsilon_layout(title, subtitle, y_axis, mark.epsilon, colours, is_known=is_known)
    least = 10.0 ** (low - 1)
    traces = [
        pinned_curve(curve.epsilon, _values_above(curve.value, least), colours)
        for curve in ([] if pinned is None else pinned.curves)
    ]
    for curve in curves:
        traces += curve_traces(curve, _values_above(curve.value, least), "± ≈ %{y:.4~g}", colours)
    if floor is not None:
        traces.append(_floor_trace(floor[0], _values_above(floor[1], least), "± ≥ %{y:.4~g}", colours))
    if pinned is not None:
        mark_pinned_epsilon(figure, pinned.epsilon, colours)
    if mark.target is not None:
        label, style = f"±{number_format.format_input_up(mark.target)}", {"color": colours["text"], "width": 1.5}
        mark_value(figure, mark.target, label, style)
        traces.append(_target_points(mark.target, mark.rows, {curve.rule.key for curve in curves}, colours))
    return {"data": traces, "layout": figure}


def ratio_figure(
    curves: Sequence[Curve],
    floor: tuple[Array, Array] | None,
    mark: Mark,
    subtitle: str,
    colours: Colours,
    pinned: PinnedCurves | None,
) -> Figure:
    """Draw half-widths over Laplace's against ε; those above 40 times it or below a twentieth are left out."""
    axis = log_axis("± ÷ Laplace’s ±", -1, 1, marks=_RATIOS) | {"range": [-1.08, math.log10(_RATIOS[-1])]}
    title = "Error relative to Laplace noise: lower is better"
    subtitle, is_known = with_line_styles(subtitle, curves), mark.target is None
    figure = epsilon_layout(title, subtitle, axis, mark.epsilon, colours, is_known=is_known)
    pinned_curves = () if pinned is None else pinned.curves
    traces = [pinned_curve(curve.epsilon, ratio, colours) for curve, ratio in _ratios_to_laplace(pinned_curves)]
    for curve, ratio in _ratios_to_laplace(curves):
        traces += curve_traces(curve, ratio, "%{y:.4~g} ×", colours)
    if floor is not None:
        laplace = next(curve.value for curve in curves if curve.rule is LAPLACE)
        traces.append(_floor_trace(floor[0], _near_axis(floor[1] / laplace), "at least %{y:.4~g} ×", colours))
    if pinned is not None:
        mark_pinned_epsilon(figure, pinned.epsilon, colours)
    return {"data": traces, "layout": figure}


def _values_above(values: Array, least: float) -> Array:
    """Return values, NaN where they are far below the axis."""
    return np.where(values > least, values, np.nan)


def _ratios_to_laplace(curves: Sequence[Curve]) -> list[tuple[Curve, Array]]:
    """Return curves, each with its half-widths over those of Laplace noise, NaN where they are far off the axis."""
    laplace = [curve.value for curve in curves if curve.rule is LAPLACE]
    return [(curve, _near_axis(curve.value / laplace[0])) for curve in curves]


def _near_axis(ratio: Array) -> Array:
    """Return ratios, NaN where they are far off the axis."""
    return np.where((ratio > _RATIOS[0] / 2) & (ratio < 2 * _RATIOS[-1]), ratio, np.nan)


def _floor_trace(epsilon: Array, values: Array, hover: str, colours: Colours) -> dict[str, Any]:
    """Return the thin line below which no noise is."""
    style = {"line": {"color": colours["text"], "width": 1, "shape": "vh"}, "hovertemplate": hover}
    return line(epsilon, values, FLOOR_NAME, colours["text"], "solid", **style)


def _target_points(
    target: float, rows: Sequence[MechanismRow], drawn_keys: set[str], colours: Colours
) -> dict[str, Any]:
    """Return the ε that each mechanism needs for the target as points; a cross where it breaks its guarantee or ±."""
    crossed = [row for row in rows if np.isfinite(row.epsilon) and row.calibration.key in drawn_keys]
    faults = [_fault_of_row(row, target) for row in crossed]
    both = list(zip(crossed, faults, strict=True))
    marker = {
        "color": [colours["fails" if fault else row.calibration.key] for row, fault in both],
        "symbol": ["x" if fault else "circle" for fault in faults],
        "size": 10,
        "line": {"width": 1},
    }
    text = [f"{row.calibration.name}{fault}: ε = {number_format.format_up(row.epsilon)}" for row, fault in both]
    x, y = [row.epsilon for row in crossed], [target] * len(crossed)
    return markers(x, y, "ε that is sufficient", marker, text=text, hovertemplate="%{text}<extra></extra>")


def _fault_of_row(row: MechanismRow, target: float) -> str:
    """Return the words on a broken guarantee or a half-width above the target, empty where there is none."""
    if row.status == FAILS:
        return ": FAILS"
    return ": falls short" if row.calibration is GEOMETRIC_PUBLISHED and row.sufficient_half_width > target else ""
