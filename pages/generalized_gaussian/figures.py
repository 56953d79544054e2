"""The sizes of the noise over p, ε and δ, and the shades, dashes and axes that pictures of several sections share."""

import math
from typing import Any

import numpy as np
import pandas as pd

from dpcore.checks import Array
from pages.framework.chart.theme import compact, hairline, hover_head, layout, line, log_axis, markers, pinned_curve
from pages.framework.export.exhibit import Colours, Figure
from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import capitalized

DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot", "6px,2px", "2px,4px")
_SHAPE_MARKS = (1, 2, 4, 8, 16, 32, 64)


# The ends of one scale for p or δ, by the theme's purple, from light to dark or, on a dark page, from dark to light.
_SHADE_ENDS = {"#8A3C9E": ("#C58BD8", "#4A1259"), "#D79BEA": ("#8C5AA3", "#F6E3FD")}


def mixed_shade(share: float, colours: Colours) -> str:
    """Return a shade between the two ends of the scale of p."""
    ends = [[int(end[place : place + 2], 16) for place in (1, 3, 5)] for end in _SHADE_ENDS[colours["purple"]]]
    return "#" + "".join(f"{round(first + share * (last - first)):02x}" for first, last in zip(*ends, strict=True))


def shape_axis(label: str, most: float) -> dict[str, Any]:
    """Return a log axis of shapes from 1 on."""
    marks = tuple(mark for mark in _SHAPE_MARKS if mark <= most * 1.001)
    return log_axis(label, 0, 2, marks=marks) | {"range": [0, math.log10(most)]} | hover_head("p")


STYLES = {
    "adp": ("purple", "solid"),
    "exact_pdp": ("exact_pdp", "dashdot"),
    "disjoint": ("pdp", "dash"),
    "several": ("purple", "solid"),
}
SYMBOLS = {"p": "p", "epsilon": "ε", "delta": "δ"}


def size_figure(
    frames: dict[str, pd.DataFrame],
    names: dict[str, str],
    x: str,
    measure: tuple[str, str],
    value: float,
    subtitle: str,
    colours: Colours,
    simulated: pd.DataFrame | None = None,
    pinned: dict[str, pd.DataFrame] | None = None,
) -> Figure:
    """Draw a size of the noise (its column and name) over p, ε or δ, a curve for each guarantee, and simulated points.

    The curves of a pinned setting are grey. Corollary 9 has no curve of its own where none could be seen.
    """
    key, name = measure
    values = np.concatenate([frame[key].to_numpy() for frame in frames.values()])
    values = values[np.isfinite(values) & (values > 0)]
    ends = math.floor(math.log10(values.min())), math.ceil(math.log10(values.max()))
    upwards = log_axis(f"{name} (query units)", ends[0], max(ends[1], ends[0] + 1))
    title = f"{capitalized(name)} against {SYMBOLS[x]}"
    figure = layout(colours, title, subtitle, parameter_axis(x, next(iter(frames.values()))[x].to_numpy()), upwards)
    traces = [
        pinned_curve(frame[x], np.where(np.isfinite(frame[key]), frame[key], np.nan), colours)
        for frame in (pinned or {}).values()
    ]
    if {"disjoint", "exact_pdp"} <= frames.keys() and _coincide(
        *(frames[rule][key].to_numpy() for rule in ("disjoint", "exact_pdp"))
    ):
        names = names | {"exact_pdp": f"{names['exact_pdp']}, {names['disjoint']}"}
        frames = {guarantee: frame for guarantee, frame in frames.items() if guarantee != "disjoint"}
    for guarantee, frame in frames.items():
        shade, dash = STYLES[guarantee]
        y = np.where(np.isfinite(frame[key]), frame[key], np.nan)
        traces.append(line(frame[x], y, names[guarantee], colours[shade], dash, hovertemplate="%{y:.4~g}"))
        if guarantee == "several":
            traces[-1] |= {"mode": "lines+markers", "marker": {"size": 5, "color": colours[shade]}}
            traces[-1]["line"]["shape"] = "spline"
    if simulated is not None and len(simulated):
        traces.append(_simulated_points(simulated, x, key, colours))
    hairline(figure, colours, value, f"{SYMBOLS[x]} = {number_format.format_input_up(value)}", x)
    return {"data": traces, "layout": figure}


_LEAST_SEEN = 0.05  # of a curve on an axis of three decades: two or three pixels


def _coincide(values: Array, others: Array) -> bool:
    """Return whether two curves are nowhere far enough from each other for two lines."""
    return values.size == others.size and np.allclose(values, others, rtol=_LEAST_SEEN, atol=0, equal_nan=True)


def parameter_axis(x: str, places: Array) -> dict[str, Any]:
    """Return the axis of p, ε or δ."""
    if x == "p":
        return shape_axis("shape p", float(places[-1]))
    label = "privacy loss parameter ε (nats)" if x == "epsilon" else "δ"
    low, high = math.floor(math.log10(places[0]) + 1e-9), math.ceil(math.log10(places[-1]) - 1e-9)
    return log_axis(label, low, high) | hover_head(SYMBOLS[x])


def _simulated_points(points: pd.DataFrame, x: str, key: str, colours: Colours) -> dict[str, Any]:
    """Return the points of the paper's Monte Carlo with two standard errors."""
    bars = {"type": "data", "array": compact(2 * points[f"{key}_error"]), "thickness": 1.5, "width": 5}
    marker, more = {"color": colours["text"], "size": 7, "symbol": "diamond"}, {"hovertemplate": "%{y:.4~g}"}
    return markers(points[x], points[key], "Monte Carlo ± 2 s.e.", marker, error_y=bars, **more)
