"""Figures of the half-width, and of its ratio to that of Laplace noise, against ε."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from dpcore.calibrations import FAILS, GEOMETRIC_PUBLISHED, LAPLACE
from dpcore.checks import Array
from pages.accuracy.figures import (
    Mark,
    curve_traces,
    epsilon_layout,
    mark_pinned_epsilon,
    mark_value,
    pinned_trace,
    with_line_styles,
)
from pages.accuracy.recommendation import MechanismRow
from pages.accuracy.results import Curve, PinnedCurves
from pages.framework.chart.theme import compact, decades, line, log_axis
from pages.framework.export.exhibit import Colours, Figure
from pages.framework.parameters import number_format

_BROAD = ("laplace", "analytic", "pdp", "classical")
FLOOR_NAME = "any noise: at least"
_RATIOS = (0.1, 0.2, 0.5, 1, 2, 5, 10, 20)


def accuracy_figure(
    curves: Sequence[Curve],
    floor: tuple[Array, Array] | None,
    mark: Mark,
    subtitle: str,
    colours: Colours,
    pinned: PinnedCurves | None = None,
) -> Figure:
    """Draw half-widths against ε on log axes; a target is a line, with the ε that it takes as points."""
    broad = np.concatenate(
        [curve.value for curve in curves if curve.rule.key in _BROAD]
    )  # the half-widths of others fall without end
    low, high = math.floor(math.log10(broad.min())), math.ceil(math.log10(broad.max()))
    low, high = decades(low, high, *(() if mark.target is None else (mark.target,)))
    y_axis = log_axis(f"± ({number_format.chart_text(mark.unit or 'share of 1')})", low, high)
    figure = epsilon_layout(
        "Error against ε: lower is better", with_line_styles(subtitle, curves), y_axis, mark, colours
    )
    least = 10.0 ** (low - 1)
    traces = [
        pinned_trace(curve.epsilon, _values_above(curve.value, least), colours)
        for curve in ([] if pinned is None else pinned.curves)
    ]
    for curve in curves:
        traces += curve_traces(curve, _values_above(curve.value, least), "± ≈ %{y:.4g}", colours)
    if floor is not None:
        traces.append(_floor_trace(floor[0], _values_above(floor[1], least), "± ≥ %{y:.4g}", colours))
    if pinned is not None:
        mark_pinned_epsilon(figure, pinned.epsilon, colours)
    if mark.target is not None:
        mark_value(
            figure,
            mark.target,
            f"±{number_format.format_input_up(mark.target)}",
            {"color": colours["text"], "width": 1.5},
        )
        traces.append(_target_points(mark.target, mark.rows, {curve.rule.key for curve in curves}, colours))
    return {"data": traces, "layout": figure}


def ratio_figure(
    curves: Sequence[Curve],
    floor: tuple[Array, Array] | None,
    mark: Mark,
    subtitle: str,
    colours: Colours,
    pinned: PinnedCurves | None = None,
) -> Figure:
    """Draw half-widths over Laplace's against ε; those above 40 times it or below a twentieth are left out."""
    axis = log_axis("± ÷ Laplace’s ±", -1, 1, marks=_RATIOS) | {"range": [-1.08, math.log10(_RATIOS[-1])]}
    title = "Error relative to Laplace noise: lower is better"
    figure = epsilon_layout(title, with_line_styles(subtitle, curves), axis, mark, colours)
    pinned_curves = () if pinned is None else pinned.curves
    traces = [pinned_trace(curve.epsilon, ratio, colours) for curve, ratio in _ratios_to_laplace(pinned_curves)]
    for curve, ratio in _ratios_to_laplace(curves):
        traces += curve_traces(curve, ratio, "%{y:.4g} ×", colours)
    if floor is not None:
        laplace = next(curve.value for curve in curves if curve.rule is LAPLACE)
        traces.append(_floor_trace(floor[0], _near_axis(floor[1] / laplace), "at least %{y:.4g} ×", colours))
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
    return {
        "type": "scatter",
        "mode": "markers",
        "name": "ε that is sufficient",
        "x": compact([row.epsilon for row in crossed]),
        "y": compact([target] * len(crossed)),
        "marker": {
            "color": [
                colours["fails" if fault else row.calibration.key] for row, fault in zip(crossed, faults, strict=True)
            ],
            "symbol": ["x" if fault else "circle" for fault in faults],
            "size": 10,
            "line": {"width": 1},
        },
        "text": [
            f"{row.calibration.name}{fault}: ε = {number_format.format_up(row.epsilon)}"
            for row, fault in zip(crossed, faults, strict=True)
        ],
        "hovertemplate": "%{text}<extra></extra>",
    }


def _fault_of_row(row: MechanismRow, target: float) -> str:
    """Return the words on a broken guarantee or a half-width above the target, empty where there is none."""
    if row.status == FAILS:
        return ": FAILS"
    return ": falls short" if row.calibration is GEOMETRIC_PUBLISHED and row.sufficient_half_width > target else ""
