"""The charts of the half-width over ε and of its ratio to that of Laplace noise, and what charts over ε share."""

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from dpcore.calibrations import FAILS, FLOOR, GEOMETRIC, GEOMETRIC_PUBLISHED, LAPLACE, WITHIN
from dpcore.checks import Array
from pages.accuracy.error import text
from pages.accuracy.parameters import AccuracySetting
from pages.accuracy.results import (
    AccuracyResult,
    Curve,
    MechanismRow,
    curves_frame,
    half_width_curves,
    least_half_widths,
)
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
from pages.framework.export.exhibit import Colours, Exhibit, Figure
from pages.framework.parameters import number_format
from pages.shared.looks import LOOKS
from pages.shared.status_lines import status_lines

FLOOR_NAME = "any noise: at least"
_DOTTED = "Dotted: outside the theorem. Red ×: guarantee violated."
_BROAD = ("laplace", "analytic", "pdp", "classical")
_RATIOS = (0.1, 0.2, 0.5, 1, 2, 5, 10, 20)


def epsilon_layout(
    setting: AccuracySetting, title: str, subtitle: str, y: dict[str, Any], curves: Sequence[Curve], colours: Colours
) -> dict[str, Any]:
    """Return a layout over ε, with a handle at it where it is known; the subtitle says what dots and crosses mean."""
    is_outside = any(((curve.status == WITHIN) | (curve.status == FAILS)).any() for curve in curves)
    subtitle = number_format.chart_text(f"{subtitle}. {_DOTTED}" if is_outside else subtitle)
    x_axis = log_axis("privacy loss ε", *decades(-3, 2, setting.epsilon)) | hover_head("ε")
    figure = layout(colours, title, subtitle, x_axis, y)
    if setting.target is None:
        label = f"ε = {number_format.format_input_up(setting.epsilon)}"
        hairline(figure, colours, setting.epsilon, label, "epsilon")
    return figure


def mark_pinned_epsilon(figure: dict[str, Any], epsilon: float, colours: Colours) -> None:
    """Mark the ε of a pinned setting."""
    if epsilon > 0:
        span = {"type": "line", "x0": epsilon, "x1": epsilon, "y0": 0, "y1": 1, "yref": "y domain", "layer": "below"}
        figure["shapes"].append(span | {"line": {"color": colours["ghost"], "width": 2}})


def curve_shape(curve: Curve) -> str:
    """Return the shape of the line of an error: of whole noise it is, up to the next ε, that of the smaller one."""
    return "hv" if curve.rule.whole else "linear"


def curve_traces(curve: Curve, values: Array, hover: str, colours: Colours, shape: str) -> list[dict[str, Any]]:
    """Return a mechanism's line in the looks of its verdicts."""
    rule = curve.rule
    style = {"color": colours[rule.key], "dash": LOOKS[rule.key].dash, "width": 4 if rule is LAPLACE else 2.5}
    style |= {"shape": shape}
    return status_lines(curve.epsilon, values, curve.status, rule.name, style, colours, hovertemplate=hover)


def mark_value(figure: dict[str, Any], value: float, label: str, style: dict[str, Any]) -> None:
    """Mark a value of a log y axis with a line across the plot."""
    span = {"type": "line", "x0": 0, "x1": 1, "xref": "x domain", "y0": value, "y1": value, "line": style}
    figure["shapes"].append(span)
    note = {"text": label, "showarrow": False, "x": 1, "xref": "x domain", "xanchor": "right", "yanchor": "bottom"}
    figure["annotations"].append(note | {"y": math.log10(value), "font": {"size": TYPE}})


def accuracy(result: AccuracyResult, colours: Colours) -> Exhibit:
    """Return the half-widths against ε on log axes; a target is a line, with the ε that it takes as points.

    Laplace noise has no line where geometric noise has the same half-widths.
    """
    setting, target = result.setting, result.setting.target
    curves = _without_laplace(setting)
    broad = np.concatenate([curve.value for curve in curves if curve.rule.key in _BROAD])  # others fall without end
    low, high = math.floor(math.log10(broad.min())), math.ceil(math.log10(broad.max()))
    low, high = decades(low, high, *(() if target is None else (target,)))
    measure = number_format.chart_text(setting.facts.measure)
    y_axis = log_axis(f"± ({measure})" if measure else "±", low, high)
    title = "Error against ε: lower is better"
    figure = epsilon_layout(setting, title, text.subtitle(setting), y_axis, curves, colours)

    def above(values: Array) -> Array:  # NaN where they are far below the axis
        return np.where(values > 10.0 ** (low - 1), values, np.nan)

    pinned_curves = [] if result.pinned is None else _without_laplace(result.pinned.setting)
    traces = [pinned_curve(curve.epsilon, above(curve.value), colours, curve_shape(curve)) for curve in pinned_curves]
    for curve in curves:
        traces += curve_traces(curve, above(curve.value), "± ≈ %{y:.4~g}", colours, curve_shape(curve))
        if setting.mechanisms != "all":  # whose lines cross there
            _mark_exact_end(figure, curve, low, colours)
    traces += _floor_traces(setting, above, "± ≥ %{y:.4~g}", colours)
    if result.pinned is not None:
        mark_pinned_epsilon(figure, result.pinned.setting.epsilon, colours)
    if target is not None:
        style = {"color": colours["text"], "width": 1.5}
        mark_value(figure, target, f"±{number_format.format_input_up(target)}", style)
        keys = {curve.rule.key for curve in curves}
        rows = (row for row in result.rows.values() if row.calibration.key in keys)
        traces.append(_target_points(rows, target, colours))
    picks = ("epsilon", "") if target is None else ("", "accuracy")
    return _exhibit(result, "accuracy", {"data": traces, "layout": figure}, curves, picks)


def _mark_exact_end(figure: dict[str, Any], curve: Curve, low: int, colours: Colours) -> None:
    """Say where the line of whole noise ends that it is ±0 from there on; its name is then below, with the others."""
    exact = np.flatnonzero(curve.value == 0)
    if not exact.size or not exact[0] or (last := float(curve.value[exact[0] - 1])) <= 10.0**low:
        return
    note = {"text": "±0 →", "showarrow": False, "x": math.log10(curve.epsilon[exact[0]]), "y": math.log10(last)}
    note |= {"xanchor": "left", "yanchor": "top", "xshift": 3}
    figure["annotations"].append(note | {"font": {"size": TYPE, "color": colours[curve.rule.key]}})
    figure["meta"] = figure.get("meta", {}) | {"namesBelow": True}


def _without_laplace(setting: AccuracySetting) -> list[Curve]:
    curves = half_width_curves(setting)
    has_steps = any(curve.rule is GEOMETRIC for curve in curves) and setting.mechanisms != "all"
    return [curve for curve in curves if curve.rule is not LAPLACE or not has_steps]


def ratios(result: AccuracyResult, colours: Colours) -> Exhibit:
    """Return the half-widths over Laplace's against ε; those above 40 times it or below a twentieth are left out."""
    setting, curves = result.setting, half_width_curves(result.setting)
    axis = log_axis("± ÷ Laplace’s ±", -1, 1, marks=_RATIOS) | {"range": [-1.08, math.log10(_RATIOS[-1])]}
    title = "Error relative to Laplace noise: lower is better"
    figure = epsilon_layout(setting, title, text.subtitle(setting), axis, curves, colours)
    pinned_curves = [] if result.pinned is None else half_width_curves(result.pinned.setting)
    traces = [
        pinned_curve(curve.epsilon, ratio, colours, curve_shape(curve))
        for curve, ratio in _ratios_to_laplace(pinned_curves)
    ]
    for curve, ratio in _ratios_to_laplace(curves):
        traces += curve_traces(curve, ratio, "%{y:.4~g} ×", colours, curve_shape(curve))
    laplace = next(curve.value for curve in curves if curve.rule is LAPLACE)
    traces += _floor_traces(setting, lambda floor: _near_axis(floor / laplace), "at least %{y:.4~g} ×", colours)
    if result.pinned is not None:
        mark_pinned_epsilon(figure, result.pinned.setting.epsilon, colours)
    picks = ("epsilon", "") if setting.target is None else ("", "")
    return _exhibit(result, "ratio", {"data": traces, "layout": figure}, curves, picks)


def _exhibit(
    result: AccuracyResult, name: str, figure: Figure, curves: Sequence[Curve], picks: tuple[str, str]
) -> Exhibit:
    def numbers() -> pd.DataFrame:
        floor, frame = least_half_widths(result.setting), curves_frame(curves, "accuracy")
        if floor is None:
            return frame
        columns = {"mechanism": "any noise", "epsilon": floor[0], "accuracy": floor[1], "status": FLOOR}
        return pd.concat([frame, pd.DataFrame(columns)], ignore_index=True)

    alternative = text.alternative_text(result.rows, result.setting)
    return Exhibit(name, figure, alternative, numbers, result.csv_header, picks)


def _ratios_to_laplace(curves: Sequence[Curve]) -> list[tuple[Curve, Array]]:
    """Return curves, each with its half-widths over those of Laplace noise, NaN where they are far off the axis."""
    laplace = [curve.value for curve in curves if curve.rule is LAPLACE]
    return [(curve, _near_axis(curve.value / laplace[0])) for curve in curves]


def _near_axis(ratio: Array) -> Array:
    """Return ratios, NaN where they are far off the axis."""
    return np.where((ratio > _RATIOS[0] / 2) & (ratio < 2 * _RATIOS[-1]), ratio, np.nan)


def _floor_traces(
    setting: AccuracySetting, height: Callable[[Array], Array], hover: str, colours: Colours
) -> list[dict[str, Any]]:
    """Return the thin line below which no noise is, where it is drawn; `height` of a half-width is drawn."""
    floor = least_half_widths(setting)
    style = {"line": {"color": colours["text"], "width": 1, "shape": "vh"}, "hovertemplate": hover}
    name, shade = FLOOR_NAME, colours["text"]
    return [] if floor is None else [line(floor[0], height(floor[1]), name, shade, "solid", **style)]


def _target_points(rows: Iterable[MechanismRow], target: float, colours: Colours) -> dict[str, Any]:
    """Return the ε that each mechanism needs for the target as points; a cross where it breaks its guarantee or ±."""
    crossed = [row for row in rows if np.isfinite(row.epsilon)]
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
    if row.chosen.status == FAILS:
        return ": FAILS"
    return ": falls short" if row.calibration is GEOMETRIC_PUBLISHED and row.sufficient_half_width > target else ""
