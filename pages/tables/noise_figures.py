"""Pictures of the noises of a table: the ± of each over the number of cells per person, and over ε."""

import math
from collections.abc import Sequence
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
_MARKS = (1, 2, 3, 5, 10, 20, 30, 50, 100, 200, 500, 1000)


def persons_figure(
    found: Found,
    curves: Sequence[Curve],
    end: float,
    crossing: float | None,
    subtitle: str,
    colour: Colours,
    before: Sequence[Curve],
) -> Figure:
    """± of each noise over k up to `end`, on log axes: Laplace's grows like k, a Gaussian's like √k.

    `crossing` is the k from which the Gaussian is narrower; `before` has the curves of a kept setting.
    """
    now = found.setting.per_person
    marks = tuple(mark for mark in _MARKS if mark <= end) if end <= _MARKS[-1] else ()
    across = log_axis("cells per person k", 0, math.ceil(math.log10(end)), marks=marks)
    across |= {"range": [-0.02, math.log10(end) + 0.02]} | hover_head("k")
    figure = _figure("± against cells per person: lower is better", subtitle, across, curves, colour)
    points = [_point(noise, now, found.significance, colour) for noise in found.noises if noise.key in _SYMBOLS]
    hairline(figure, colour, now, f"k = {text.nearest(now)}", "per_person")
    if found.pinned is not None:
        kept_line(figure, colour, found.pinned.setting.per_person)
    if crossing is not None and crossing <= end:
        laplace = next(curve for curve in curves if curve.rule.key == "laplace")
        _crossing_note(figure, crossing, float(np.interp(crossing, laplace.x, laplace.half_width)), colour)
    return {"data": [*_all_traces(curves, before, colour), *points], "layout": figure}


def epsilon_figure(
    found: Found, curves: Sequence[Curve], subtitle: str, colour: Colours, before: Sequence[Curve]
) -> Figure:
    """± of each noise over ε on log axes."""
    now = found.setting.epsilon
    across = log_axis("privacy loss bound ε (nats)", *decades(-3, 2, now)) | hover_head("ε")
    figure = _figure("± against ε: lower is better", subtitle, across, curves, colour)
    points = [_point(noise, now, found.significance, colour) for noise in found.noises if noise.key in _SYMBOLS]
    hairline(figure, colour, now, f"ε = {text.given_up(now)}", "epsilon")
    if found.pinned is not None:
        kept_line(figure, colour, found.pinned.setting.epsilon)
    return {"data": [*_all_traces(curves, before, colour), *(points if now > 0 else [])], "layout": figure}


def _all_traces(curves: Sequence[Curve], before: Sequence[Curve], colour: Colours) -> list[dict[str, Any]]:
    ghosts = [line(curve.x, _positive(curve.half_width), "pinned", "", "") | ghost(colour) for curve in before]
    return [*ghosts, *(trace for curve in curves for trace in _traces(curve, colour))]


def _figure(title: str, subtitle: str, across: dict[str, Any], curves: Sequence[Curve], colour: Colours) -> Figure:
    """A layout whose ± axis has whole decades, from a tenth of a count on where ± is as small as that."""
    reached = np.concatenate([curve.half_width for curve in curves] or [np.ones(1)])
    low = math.floor(math.log10(max(float(reached.min()), 0.1)))
    high = math.ceil(math.log10(max(float(reached.max()), 10.0 ** (low + 1))))
    outside = any(np.isin(curve.status, (WITHIN, FAILS)).any() for curve in curves)
    said = f"{subtitle}. {_DOTTED}" if outside else subtitle
    return layout(colour, title, said, across, log_axis("± (counts)", low, high))


def _positive(half_width: Array) -> Array:
    """Half-widths where a log axis has a place for them."""
    return np.where(half_width > 0, half_width, np.nan)


def _traces(curve: Curve, colour: Colours) -> list[dict[str, Any]]:
    """A noise's line: stepped for whole numbers; dotted where it is unproved, with red crosses where it fails."""
    rule, shade, shown, traces = curve.rule, colour[curve.rule.key], _positive(curve.half_width), []
    style: dict[str, Any] = {"width": 2.5, **({"shape": "hvh"} if rule.whole else {})}
    for word, label in ((PROVED, ""), (WITHIN, ": unproved"), (FAILS, ": FAILS")):
        part = curve.status == word
        if not part.any():
            continue
        shown_at = part | np.roll(part, -1) & (curve.x < curve.x[-1])  # begins where the part before ends
        tint, dash = colour["fails"] if word == FAILS else shade, "dot" if label else DASHES[rule.key]
        more: dict[str, Any] = {"hovertemplate": "± ≈ %{y:.4g}", "showlegend": not label or bool(part.all())}
        more["line"] = style | {"color": tint, "dash": dash}
        if word == FAILS:
            more |= {"mode": "lines+markers", "marker": {"symbol": "x", "size": 7, "maxdisplayed": 7, "color": tint}}
        name = f"{rule.name.partition(',')[0]}{label}"
        traces.append(line(curve.x, np.where(shown_at, shown, np.nan), name, tint, dash, **more))
    return traces


def _point(noise: Noise, x: float, significance: float, colour: Colours) -> dict[str, Any]:
    """A noise that is found at the current setting only."""
    half_width = reach(noise, significance)
    return {
        "type": "scatter",
        "mode": "markers",
        "name": f"{noise.name}, here",
        "x": compact([x]),
        "y": compact([half_width if half_width > 0 else np.nan]),
        "marker": {"color": colour[_SHADES[noise.key]], "symbol": _SYMBOLS[noise.key], "size": 10},
        "hovertemplate": "± ≈ %{y:.4g}",
    }


def _crossing_note(figure: Figure, crossing: float, half_width: float, colour: Colours) -> None:
    """Say at which k the analytic Gaussian's ± falls below Laplace's."""
    note = {"text": f"Gaussian narrower from k = {text.nearest(crossing)}", "showarrow": True, "arrowhead": 0}
    note |= {
        "x": math.log10(crossing),
        "y": math.log10(half_width),
        "ax": 14,
        "ay": 50,
        "xanchor": "left",
        "arrowcolor": colour["quiet"],
    }
    figure["annotations"].append(note | {"font": {"size": TYPE, "color": colour["quiet"]}})
