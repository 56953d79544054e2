"""Pictures of the noises of a table: the ± of each over the number of cells per person, and over ε."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from dpcore.calibrations import FAILS, PROVED, WITHIN
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
)
from pages.framework.export.exhibit import Colours, Figure
from pages.framework.parameters import number_format
from pages.shared.mechanism_colours import DASHES
from pages.tables.mechanisms.results import Curve
from pages.tables.results import TablesResult

_LABELS = {WITHIN: "Dotted: outside the theorem", FAILS: "Red ×: promise broken"}
_SYMBOLS = {"discrete_gaussian": "diamond", "generalized_gaussian": "square", "staircase": "triangle-up"}
_STEPS = tuple(float(f"{mantissa}e{decade}") for decade in range(-30, 30) for mantissa in (1, 2, 5))
_MARKS = (1, 2, 3, 5, 10, 20, 30, 50, 100, 200, 500, 1000)


def persons_figure(
    result: TablesResult,
    curves: Sequence[Curve],
    end: float,
    subtitle: str,
    colour: Colours,
    before: Sequence[Curve],
) -> Figure:
    """± of each noise over k up to `end`, on log axes: Laplace's grows like k, a Gaussian's like √k.

    `before` has the curves of a kept setting.
    """
    now = result.setting.per_person
    marks = tuple(mark for mark in _MARKS if mark <= end) if end <= _MARKS[-1] else ()
    across = log_axis("cells per person k", 0, math.ceil(math.log10(end)), marks=marks)
    across |= {"range": [-0.02, math.log10(end) + 0.02]} | hover_head("k")
    points = _points(result, now, 1.0, colour)
    up = log_axis("± (counts)", *_reached(curves))
    title, said = "± against cells per person: lower is better", _explained(subtitle, curves, points, up)
    figure = layout(colour, title, said, across, up)
    hairline(figure, colour, now, f"k = {number_format.format_nearest(now)}", "per_person")
    if result.pinned is not None:
        pinned_line(figure, colour, result.pinned.setting.per_person)
    return {"data": [*_all_traces(curves, before, colour), *points], "layout": figure}


def epsilon_figure(
    result: TablesResult, curves: Sequence[Curve], subtitle: str, colour: Colours, before: Sequence[Curve]
) -> Figure:
    """± of each noise over Laplace's against ε; by itself ± falls like 1/ε for all, a bundle of parallel lines."""
    now, at = result.setting.epsilon, result.significance
    across = log_axis("privacy loss parameter ε (nats)", *decades(-3, 2, now)) | hover_head("ε")
    laplace = next((noise for noise in result.noises if noise.key == "laplace"), None)
    points = [] if laplace is None else _points(result, now, laplace.half_width(at), colour)
    over = _over_laplace(curves)
    up = _ratio_axis(over)
    title, said = "How many times Laplace’s ±: lower is better", _explained(subtitle, over, points, up)
    figure = layout(colour, title, said, across, up)
    hairline(figure, colour, now, f"ε = {number_format.format_input_up(now)}", "epsilon")
    if result.pinned is not None:
        pinned_line(figure, colour, result.pinned.setting.epsilon)
    traces = _all_traces(over, _over_laplace(before), colour, "%{y:.4g} ×", stepped=False)
    return {"data": [*traces, *points], "layout": figure}


def _over_laplace(curves: Sequence[Curve]) -> list[Curve]:
    laplace = next((curve.half_width for curve in curves if curve.rule.key == "laplace"), None)
    if laplace is None:
        return []
    return [replace(curve, half_width=curve.half_width / laplace) for curve in curves]


def _ratio_axis(over: Sequence[Curve]) -> dict[str, Any]:
    """From 1, 2 or 5 times a power of ten to another: round all lines at every ε, so that ε moves on a still axis."""
    ratios = np.concatenate([_drawn(curve) for curve in over] or [np.ones(1)])
    low = next(step for step in reversed(_STEPS) if step <= min(ratios.min(), 0.5))
    high = next(step for step in _STEPS if step >= max(ratios.max(), 2))
    marks = tuple(step for step in _STEPS if low <= step <= high)
    ends = [math.log10(low), math.log10(high)]
    few = marks if ends[1] - ends[0] < 3 else ()
    return log_axis("± ÷ Laplace’s ±", math.floor(ends[0]), math.ceil(ends[1]), marks=few) | {"range": ends}


def _points(result: TablesResult, x: float, unit: float, colour: Colours) -> list[dict[str, Any]]:
    return [_point(noise, x, result.significance, unit, colour) for noise in result.noises if noise.key in _SYMBOLS]


def _all_traces(
    curves: Sequence[Curve],
    before: Sequence[Curve],
    colour: Colours,
    hover: str = "± ≈ %{y:.4g}",
    *,
    stepped: bool = True,
) -> list[dict[str, Any]]:
    ghosts = [line(curve.x, _positive(curve.half_width), "pinned", "", "") | ghost(colour) for curve in before]
    return [*ghosts, *(trace for curve in curves for trace in _traces(curve, colour, hover, stepped))]


def _reached(curves: Sequence[Curve]) -> tuple[int, int]:
    """Whole decades, from a tenth of a count on, or from where every line has come into sight if that is lower."""
    drawn = [each for curve in curves if (each := _drawn(curve)).size]
    if not drawn:
        return -1, 1
    least, in_sight = min(each.min() for each in drawn), min(each.max() for each in drawn)
    low = math.floor(math.log10(min(max(least, 0.1), in_sight)))
    return low, max(low + 1, math.ceil(math.log10(max(each.max() for each in drawn))))


def _drawn(curve: Curve) -> Array:
    """The half-widths that a log axis has a place for."""
    return curve.half_width[curve.half_width > 0]


def _explained(subtitle: str, curves: Sequence[Curve], points: Sequence[dict[str, Any]], up: dict[str, Any]) -> str:
    """A subtitle that says what dots and crosses mean, where there are any, and what a log axis can't show."""
    low, high = (10.0**end for end in up["range"])
    drawn = {str(word) for curve in curves for word in curve.status[curve.half_width > 0]}
    parts = [subtitle, *(label for word, label in _LABELS.items() if word in drawn)]
    if any(curve.rule.whole and np.any(curve.half_width == 0) for curve in curves):
        parts.append("Where Geometric has no line, its ± is 0")
    off = []
    for point in points:
        reached = float(np.nan_to_num(point["y"][0]))
        if not low * (1 - 1e-6) <= reached <= high * (1 + 1e-6):  # points are in single precision
            off.append(f"{point['name'].removesuffix(', here')} at {number_format.format_up(reached)}")
    parts += [f"Off the axis: {'; '.join(off)}"] if off else []
    return ". ".join(parts)


def _positive(half_width: Array) -> Array:
    """Half-widths where a log axis has a place for them."""
    return np.where(half_width > 0, half_width, np.nan)


def _traces(curve: Curve, colour: Colours, hover: str, stepped: bool) -> list[dict[str, Any]]:
    """A noise's line: stepped for whole numbers; dotted where it is unproved, with red crosses where it fails."""
    rule, shade, shown, traces = curve.rule, colour[curve.rule.key], _positive(curve.half_width), []
    style: dict[str, Any] = {"width": 2.5, **({"shape": "hvh"} if rule.whole and stepped else {})}
    for word, label in ((PROVED, ""), (WITHIN, ": unproved"), (FAILS, ": FAILS")):
        part = curve.status == word
        if not part.any():
            continue
        shown_at = part | np.roll(part, -1) & (curve.x < curve.x[-1])  # begins where the part before ends
        tint, dash = colour["fails"] if word == FAILS else shade, "dot" if label else DASHES[rule.key]
        more: dict[str, Any] = {"hovertemplate": hover, "showlegend": not label or bool(part.all())}
        more["line"] = style | {"color": tint, "dash": dash}
        if word == FAILS:
            more |= {"mode": "lines+markers", "marker": {"symbol": "x", "size": 7, "maxdisplayed": 7, "color": tint}}
        name = f"{rule.name.partition(',')[0]}{label}"
        traces.append(line(curve.x, np.where(shown_at, shown, np.nan), name, tint, dash, **more))
    return traces


def _point(noise: Mechanism, x: float, significance: float, unit: float, colour: Colours) -> dict[str, Any]:
    """A noise that is found at the current setting only."""
    half_width = noise.half_width(significance) / unit
    return {
        "type": "scatter",
        "mode": "markers",
        "name": f"{noise.name}, here",
        "x": compact([x]),
        "y": compact([half_width if half_width > 0 else np.nan]),
        "marker": {"color": colour[noise.key], "symbol": _SYMBOLS[noise.key], "size": 10},
        "hovertemplate": "%{y:.4g}",
    }
