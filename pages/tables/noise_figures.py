"""Pictures of the noises of a table: the ± of each over the number of cells per person, and over ε."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from dpcore.calibrations import FAILS, PROVED, WITHIN
from dpcore.checks import Array
from dpcore.tables import Noise
from pages.shared import text
from pages.shared.export import Colours, Figure
from pages.shared.theme import (
    DASHES,
    TYPE,
    compact,
    decades,
    ghost,
    hairline,
    hover_head,
    kept_line,
    layout,
    line,
    log_axis,
)
from pages.tables.found import Found
from pages.tables.noise_along import Curve, reach

_DOTTED = "Dotted: outside the theorem. Red ×: promise broken."
_SHADES = {"discrete_gaussian": "rose", "generalized_gaussian": "purple", "staircase": "staircase"}
_SYMBOLS = {"discrete_gaussian": "diamond", "generalized_gaussian": "square", "staircase": "triangle-up"}
_RATIOS = (0.1, 0.2, 0.5, 1, 2, 5, 10, 20)
_MARKS = (1, 2, 3, 5, 10, 20, 30, 50, 100, 200, 500, 1000)


def persons_figure(
    found: Found,
    curves: Sequence[Curve],
    end: float,
    subtitle: str,
    colour: Colours,
    before: Sequence[Curve],
) -> Figure:
    """± of each noise over k up to `end`, on log axes: Laplace's grows like k, a Gaussian's like √k.

    `before` has the curves of a kept setting.
    """
    now = found.setting.per_person
    marks = tuple(mark for mark in _MARKS if mark <= end) if end <= _MARKS[-1] else ()
    across = log_axis("cells per person k", 0, math.ceil(math.log10(end)), marks=marks)
    across |= {"range": [-0.02, math.log10(end) + 0.02]} | hover_head("k")
    figure = _figure("± against cells per person: lower is better", subtitle, across, curves, colour)
    points = _points(found, now, 1.0, colour)
    hairline(figure, colour, now, f"k = {text.nearest(now)}", "per_person")
    if found.pinned is not None:
        kept_line(figure, colour, found.pinned.setting.per_person)
    return {"data": [*_all_traces(curves, before, colour), *points], "layout": figure}


def epsilon_figure(
    found: Found, curves: Sequence[Curve], subtitle: str, colour: Colours, before: Sequence[Curve]
) -> Figure:
    """± of each noise over Laplace's against ε; by itself ± falls like 1/ε for all, a bundle of parallel lines."""
    now, at = found.setting.epsilon, found.significance
    across = log_axis("privacy loss bound ε (nats)", *decades(-3, 2, now)) | hover_head("ε")
    up = log_axis("± ÷ Laplace’s ±", -1, 1, marks=_RATIOS) | {"range": [math.log10(0.08), math.log10(_RATIOS[-1])]}
    figure = layout(colour, "How many times Laplace’s ±: lower is better", _dotted(subtitle, curves), across, up)
    hairline(figure, colour, now, f"ε = {text.given_up(now)}", "epsilon")
    if found.pinned is not None:
        kept_line(figure, colour, found.pinned.setting.epsilon)
    laplace = next((noise for noise in found.noises if noise.key == "laplace"), None)
    points = [] if laplace is None else _points(found, now, reach(laplace, at), colour)
    traces = _all_traces(_over_laplace(curves), _over_laplace(before), colour, "%{y:.4g} ×", stepped=False)
    return {"data": [*traces, *points], "layout": figure}


def _over_laplace(curves: Sequence[Curve]) -> list[Curve]:
    laplace = next((curve.half_width for curve in curves if curve.rule.key == "laplace"), None)
    if laplace is None:
        return []
    over = [curve.half_width / laplace for curve in curves]
    shown = [np.where((each > _RATIOS[0] / 2) & (each < 2 * _RATIOS[-1]), each, np.nan) for each in over]
    return [replace(curve, half_width=each) for curve, each in zip(curves, shown, strict=True)]


def _points(found: Found, x: float, unit: float, colour: Colours) -> list[dict[str, Any]]:
    return [_point(noise, x, found.significance, unit, colour) for noise in found.noises if noise.key in _SYMBOLS]


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


def _figure(title: str, subtitle: str, across: dict[str, Any], curves: Sequence[Curve], colour: Colours) -> Figure:
    """A layout whose ± axis has whole decades, from a tenth of a count on where ± is as small as that."""
    reached = np.concatenate([curve.half_width for curve in curves] or [np.ones(1)])
    low = math.floor(math.log10(max(float(reached.min()), 0.1)))
    high = math.ceil(math.log10(max(float(reached.max()), 10.0 ** (low + 1))))
    return layout(colour, title, _dotted(subtitle, curves), across, log_axis("± (counts)", low, high))


def _dotted(subtitle: str, curves: Sequence[Curve]) -> str:
    """A subtitle that says what dots and crosses mean, where there are any."""
    outside = any(np.isin(curve.status, (WITHIN, FAILS)).any() for curve in curves)
    return f"{subtitle}. {_DOTTED}" if outside else subtitle


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


def _point(noise: Noise, x: float, significance: float, unit: float, colour: Colours) -> dict[str, Any]:
    """A noise that is found at the current setting only."""
    half_width = reach(noise, significance) / unit
    return {
        "type": "scatter",
        "mode": "markers",
        "name": f"{noise.name}, here",
        "x": compact([x]),
        "y": compact([half_width if half_width > 0 else np.nan]),
        "marker": {"color": colour[_SHADES[noise.key]], "symbol": _SYMBOLS[noise.key], "size": 10},
        "hovertemplate": "%{y:.4g}",
    }
