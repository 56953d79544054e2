"""The charts of the half-widths of the mechanisms: at the setting, over the number of cells per person, and over ε."""

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from dpcore.calibrations import FAILS, WITHIN
from dpcore.checks import Array
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
from pages.framework.export.exhibit import Colours, Exhibit
from pages.framework.parameters.number_format import format_input_down, format_input_up, format_nearest, format_up
from pages.shared.conditions import CONTRIBUTION
from pages.shared.looks import LOOKS
from pages.shared.status_lines import status_lines
from pages.tables.mechanisms import text
from pages.tables.mechanisms.results import (
    CURVE_RULES,
    Curve,
    RankedNoise,
    curves_over_epsilon,
    curves_over_persons,
    drawn_keys,
    persons_axis_end,
    ranked_noises,
)
from pages.tables.mechanisms.text import contribution_text, error_text
from pages.tables.results import TablesResult

_LABELS = {WITHIN: "Dotted: outside the theorem", FAILS: "Red ×: guarantee violated"}
_STEPS = tuple(float(f"{mantissa}e{decade}") for decade in range(-30, 30) for mantissa in (1, 2, 5))
_ROW_HEIGHT = 42  # px, of a noise: a line of text above its point
_MARKS = (1, 2, 3, 5, 10, 20, 30, 50, 100, 200, 500, 1000)


def ranked_half_widths(result: TablesResult, colours: Colours) -> Exhibit | None:
    """Return the ± of each noise as a point in its row, grey with the reason where it cannot be used."""
    noises = ranked_noises(result)
    if not noises:
        return None
    best = result.recommendation and result.recommendation.mechanism
    rows = range(len(noises))
    pinned = [] if result.pinned is None else ranked_noises(result.pinned)
    pins = {noise.mechanism.key: noise.half_width for noise in pinned}
    row_of = {noise.mechanism.key: row for row, noise in enumerate(noises) if noise.mechanism.key in pins}
    old = [pins[key] for key in row_of]
    end = round_axis_end(1.05 * max([noise.half_width for noise in noises] + old))
    x_axis = {"range": [0, end], "title": {"text": "± (counts)"}, "nticks": 6, "rangemode": "tozero"}
    y_axis = {"range": [len(noises) - 0.6, -0.8], "tickvals": [*rows], "showticklabels": False, "fixedrange": True}
    title = "Error of each noise" if best is None else "Error of each noise: the one to use first"
    values = f"k = {format_input_down(result.setting.per_person)}, {result.setting.guarantee_text}"
    note = "" if result.pinned is None else "; grey points: the pin"
    subtitle = f"For {error_text(result)}; {values}{contribution_text(result)}{note}"
    figure = layout(colours, title, subtitle, x_axis, y_axis)
    least = 70 + _ROW_HEIGHT * len(noises)
    figure |= {"hovermode": "closest", "showlegend": False, "meta": {"leastHeight": least}, "height": max(least, 300)}
    traces = []
    if old:
        marker, hover = {"color": colours["ghost"], "size": 10}, "pinned: ±%{x:.4~g}<extra></extra>"
        traces.append(markers(old, [*row_of.values()], "pinned", marker, hovertemplate=hover))
    for row, noise in enumerate(noises):
        traces.append(_ranked_point(row, noise, noise.mechanism == best, colours))
        advice = _advice(result) if noise.mechanism == best else ""
        figure["annotations"] += _row_notes(row, noise, advice, end, colours)
    picture, alternative = {"data": traces, "layout": figure}, text.ranked_alternative(result)
    table = [(noise.mechanism.name, noise.half_width, noise.obstacle) for noise in noises]
    numbers = partial(pd.DataFrame, table, columns=["noise", "half_width", "obstacle"])
    return Exhibit("noise_ranked", picture, alternative, numbers, result.csv_header)


def _ranked_point(row: int, noise: RankedNoise, is_recommended: bool, colours: Colours) -> dict[str, Any]:
    key, name = noise.mechanism.key, noise.mechanism.name
    symbol = LOOKS[key].marker
    look = {"color": colours["quiet"], "symbol": f"{symbol}-open"} if noise.obstacle else {"color": colours[key]}
    look = {"symbol": symbol, "size": 15 if is_recommended else 11} | look
    return markers([noise.half_width], [row], name, look, hovertemplate=f"{name}: ±%{{x:.4~g}}<extra></extra>")


def _advice(result: TablesResult) -> str:
    """Return what stands beside the recommended noise: why it is first where another one has a little less error."""
    is_whole = result.recommendation is not None and result.recommendation.reason == "whole"
    return "use this: whole numbers" if is_whole else "use this"


def _row_notes(row: int, noise: RankedNoise, advice: str, end: float, colours: Colours) -> list[dict[str, Any]]:
    """Return the name of a noise above its row, with `advice` or what keeps it from use, and its ± beside its point."""
    words = advice or noise.obstacle
    name = f"<b>{noise.mechanism.name}</b>" if advice else noise.mechanism.name
    shade = colours["quiet" if noise.obstacle else noise.mechanism.key]
    note = {"showarrow": False, "font": {"size": TYPE, "color": shade}, "y": row}
    head = {"text": f"{name} · {words}" if words else name, "x": 0, "xref": "x domain", "xanchor": "left", "xshift": -3}
    is_far = noise.half_width > 0.75 * end
    side = {"xanchor": "right", "xshift": -12} if is_far else {"xanchor": "left", "xshift": 12}
    value = {
        "text": f"±{format_up(noise.half_width)}",
        "x": noise.half_width,
        "bgcolor": colours["paper"],
    }
    return [note | head | {"yanchor": "bottom", "yshift": 7}, note | value | side]


def half_widths(result: TablesResult, colours: Colours) -> Exhibit | None:
    """Return the half-widths over k or ε, as the user chose."""
    over_epsilon = result.values["against"] == "epsilon"
    return half_widths_over_epsilon(result, colours) if over_epsilon else half_widths_over_persons(result, colours)


def half_widths_over_persons(result: TablesResult, colours: Colours) -> Exhibit | None:
    """Return half-widths over k, on log axes: that of Laplace noise grows like k, a Gaussian's like √k."""
    curves, end, persons = curves_over_persons(result), persons_axis_end(result), result.setting.per_person
    if not curves:
        return None
    marks = tuple(mark for mark in _MARKS if mark <= end) if end <= _MARKS[-1] else ()
    x_axis = log_axis("cells per person k", 0, math.ceil(math.log10(end)), marks=marks)
    x_axis |= {"range": [-0.02, math.log10(end) + 0.02]} | hover_head("k")
    points = _single_points(result, persons, 1.0, colours)
    y_axis = log_axis("± (counts)", *_decades_of_curves(curves))
    narrower, unusable = text.narrower_text(result), text.unusable_text(result)
    subtitle = f"For {error_text(result)}; {result.setting.guarantee_text}{contribution_text(result)}{unusable}"
    subtitle = _subtitle_with_legend(f"{subtitle}. {narrower}".rstrip(". "), curves, points, y_axis)
    figure = layout(colours, "Error against cells per person", subtitle, x_axis, y_axis)
    handle = "" if result.values[CONTRIBUTION.key] == "once" else "per_person"
    hairline(figure, colours, persons, f"k = {format_nearest(persons)}", handle)
    pinned_curves: list[Curve] = []
    if result.pinned is not None:
        pinned_curves = curves_over_persons(result.pinned)
        pinned_line(figure, colours, result.pinned.setting.per_person)
    picture = {"data": [*_curve_traces(curves, pinned_curves, colours, "hvh"), *points], "layout": figure}
    alternative = f"{text.alternative_text(result)} {narrower}".rstrip()
    numbers = partial(curves_frame, "cells_per_person", curves)
    return Exhibit("noise_persons", picture, alternative, numbers, result.csv_header)


def half_widths_over_epsilon(result: TablesResult, colours: Colours) -> Exhibit:
    """Return half-widths over that of Laplace noise against ε: by themselves they fall like 1/ε, in parallel lines."""
    setting, significance, curves = result.setting, result.significance, curves_over_epsilon(result)
    x_axis = log_axis("privacy loss ε", *decades(-3, 2, setting.epsilon)) | hover_head("ε")
    laplace = next((mechanism for mechanism in result.mechanisms if mechanism.key == "laplace"), None)
    unit = None if laplace is None else laplace.half_width(significance)
    points = [] if unit is None else _single_points(result, setting.epsilon, unit, colours)
    ratio_curves = _ratios_to_laplace(curves)
    y_axis = _ratio_axis(ratio_curves)
    values = f"δ = {format_input_up(setting.delta)}, k = {format_input_down(setting.per_person)}"
    unusable = text.unusable_text(result)
    subtitle = f"For {error_text(result)}; {values}{contribution_text(result)}{unusable}"
    subtitle = _subtitle_with_legend(subtitle, ratio_curves, points, y_axis)
    figure = layout(colours, "Error relative to Laplace noise", subtitle, x_axis, y_axis)
    hairline(figure, colours, setting.epsilon, f"ε = {format_input_up(setting.epsilon)}", "epsilon")
    pinned_curves: list[Curve] = []
    if result.pinned is not None:
        pinned_curves = _ratios_to_laplace(curves_over_epsilon(result.pinned))
        pinned_line(figure, colours, result.pinned.setting.epsilon)
    traces = _curve_traces(ratio_curves, pinned_curves, colours, "hv", "%{y:.4~g} ×")
    picture, alternative = {"data": [*traces, *points], "layout": figure}, text.alternative_text(result)
    return Exhibit("noise_epsilon", picture, alternative, partial(curves_frame, "epsilon", curves), result.csv_header)


def curves_frame(x: str, curves: Sequence[Curve]) -> pd.DataFrame:
    """Return the half-widths of every mechanism over k or ε, called `x`, as a data frame."""
    frames = [
        pd.DataFrame({x: curve.x, "noise": curve.rule.key, "half_width": curve.half_width, "status": curve.status})
        for curve in curves
    ]
    return pd.concat(frames, ignore_index=True)


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
    """Return the points of the mechanisms that are computed at the current setting only."""
    points, keys = [], drawn_keys(result) - {rule.key for rule in CURVE_RULES}
    for mechanism in (mechanism for mechanism in result.mechanisms if mechanism.key in keys):
        height = positive_or_nan([mechanism.half_width(result.significance) / unit])
        marker = {"color": colours[mechanism.key], "symbol": LOOKS[mechanism.key].marker, "size": 10}
        points.append(markers([x], height, f"{mechanism.name} (point)", marker, hovertemplate="%{y:.4~g}"))
    return points


def _curve_traces(
    curves: Sequence[Curve],
    pinned_curves: Sequence[Curve],
    colours: Colours,
    steps: str,
    hover: str = "± ≈ %{y:.4~g}",
) -> list[dict[str, Any]]:
    """Return the lines of mechanisms and of pinned ones; `steps` is the shape of those of whole noise."""

    def shape(curve: Curve) -> str:
        return steps if curve.rule.whole else "linear"

    ghosts = [
        pinned_curve(curve.x, positive_or_nan(curve.half_width), colours, shape(curve)) for curve in pinned_curves
    ]
    return [*ghosts, *(trace for curve in curves for trace in _status_traces(curve, colours, hover, shape(curve)))]


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
            off_axis.append(f"{point['name'].removesuffix(' (point)')} at {format_up(half_width)}")
    parts += [f"Off the axis: {'; '.join(off_axis)}"] if off_axis else []
    return ". ".join(parts)


def _status_traces(curve: Curve, colours: Colours, hover: str, shape: str) -> list[dict[str, Any]]:
    """Return a mechanism's line in the looks of its verdicts."""
    rule, visible = curve.rule, positive_or_nan(curve.half_width)
    style = {"color": colours[rule.key], "dash": LOOKS[rule.key].dash, "width": 2.5, "shape": shape}
    name = rule.name.partition(",")[0]
    return status_lines(curve.x, visible, curve.status, name, style, colours, hovertemplate=hover)
