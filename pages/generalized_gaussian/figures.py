"""Pictures of generalized Gaussian noise: densities, and how much of it each promise needs."""

import math
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from dpcore.checks import Array
from dpcore.generalized_gaussian.optimal_shape import MOST_P, size
from pages.framework.chart.theme import (
    TYPE,
    compact,
    decades,
    ghost,
    hairline,
    hover_head,
    layout,
    line,
    log_axis,
    round_axis_end,
)
from pages.framework.export.exhibit import Colours, Figure
from pages.framework.parameters import number_format

STYLES = {
    "adp": ("purple", "solid"),
    "exact_pdp": ("exact_pdp", "dashdot"),
    "disjoint": ("pdp", "dash"),
    "several": ("purple", "solid"),
}
EPSILON, DELTA = (-2, 2), (-12, 0)
_MOST_DELTA = math.log10(0.9)
MAP_EPSILON, MAP_DELTA = (-3, 1), (-12.0, math.log10(0.5))
DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot", "6px,2px", "2px,4px")
SYMBOLS = {"p": "p", "epsilon": "ε", "delta": "δ"}
_SHAPE_MARKS = (1, 2, 4, 8, 16, 32, 64)
# The ends of one scale for p or δ, by the theme's purple, from light to dark or, on a dark page, from dark to light.
_LINES = {"#8A3C9E": ("#C58BD8", "#4A1259"), "#D79BEA": ("#8C5AA3", "#F6E3FD")}


def grids(epsilon: float, delta: float) -> dict[str, Array]:
    """The p, ε and δ of the curves of one statistic; p is dense next to 1."""
    return {
        "p": np.exp(np.linspace(0, math.sqrt(math.log(MOST_P)), 81) ** 2),
        "epsilon": np.logspace(*decades(*EPSILON, max(epsilon, 1e-12)), 81),
        "delta": np.logspace(decades(*DELTA, delta)[0], _MOST_DELTA, 81),
    }


def coarse_grids(epsilon: float, delta: float, p: float) -> dict[str, Array]:
    """The same for several statistics, whose every point takes some tens of ms or more."""
    return {
        "p": np.array(sorted({1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 6.0, 8.0, p})),
        "epsilon": np.logspace(*decades(*EPSILON, epsilon), 9),
        "delta": np.append(np.logspace(decades(*DELTA, delta)[0], -3, 4), (0.01, 0.05, 0.2, 0.9)),
    }


def map_grid() -> tuple[Array, Array]:
    """The ε and δ of the map; δ is dense where the best p may be another than 1."""
    delta = np.append(np.logspace(MAP_DELTA[0], -6, 12)[:-1], np.logspace(-6, MAP_DELTA[1], 110))
    return np.logspace(*MAP_EPSILON, 61), delta


def best_grid(epsilon: float) -> tuple[float, ...]:
    """The ε of the curves of the best p."""
    return tuple(np.logspace(*decades(*MAP_EPSILON, max(epsilon, 1e-12)), 81))


def density_reach(shapes: ArrayLike, scales: ArrayLike) -> float:
    """How far the picture of densities goes: to where all but 2 in 1000 of the widest noise is."""
    return round_axis_end(min(float(np.max(size("accuracy", shapes, scales, 2e-3))), 1e307))


def density_figure(
    frame: pd.DataFrame, chosen: float, subtitle: str, colour: Colours, kept: pd.DataFrame | None = None
) -> Figure:
    """The densities of `choices.densities`, a line for each p: the chosen one thicker, a kept setting's grey."""
    reach, highest = (float(np.max(frame[key].to_numpy())) for key in ("x", "pdf"))
    figure = layout(
        colour,
        "Density of the noise",
        subtitle,
        {"range": [-reach, reach], "title": head("noise (query units)")} | hover_head("noise"),
        {"range": [0, round_axis_end(highest) if highest > 0 else 1], "title": head("density (per query unit)")},
    )
    shapes = list(dict.fromkeys(frame["p"]))
    x, density = (frame[key].to_numpy().reshape(len(shapes), -1) for key in ("x", "pdf"))
    traces = [] if kept is None else [line(kept["x"], kept["pdf"], "pinned", "", "") | ghost(colour)]
    for place, p in enumerate(shapes):
        name, shade, dash = _shape_style(p, place, len(shapes), colour)
        width = {"line": {"color": shade, "dash": dash, "width": 4 if p == chosen else 2}}
        traces.append(line(x[place], density[place], name, shade, dash, hovertemplate="%{y:.4g}", **width))
    return {"data": traces, "layout": figure}


def _shape_style(p: float, place: int, n: int, colour: Colours) -> tuple[str, str, str]:
    """Name, colour and dash of a shape; Laplace and Gaussian noise keep their own."""
    if p == 1:
        return "p = 1, Laplace", colour["laplace"], "solid"
    if p == 2:
        return "p = 2, Gaussian", colour["analytic"], "solid"
    return f"p = {number_format.format_input_up(p)}", mixed(place / max(n - 1, 1), colour), DASHES[place % len(DASHES)]


def mixed(share: float, colour: Colours) -> str:
    """A shade between the two ends of the scale of p."""
    ends = [[int(end[place : place + 2], 16) for place in (1, 3, 5)] for end in _LINES[colour["purple"]]]
    return "#" + "".join(f"{round(first + share * (last - first)):02x}" for first, last in zip(*ends, strict=True))


def size_figure(
    frames: dict[str, pd.DataFrame],
    names: dict[str, str],
    x: str,
    measure: tuple[str, str],
    here: float,
    subtitle: str,
    colour: Colours,
    simulated: pd.DataFrame | None = None,
    kept: dict[str, pd.DataFrame] | None = None,
) -> Figure:
    """A size of the noise (its column and name) over p, ε or δ, a curve for each guarantee, and simulated points.

    Those of a kept setting are grey.
    """
    key, name = measure
    values = np.concatenate([frame[key].to_numpy() for frame in frames.values()])
    values = values[np.isfinite(values) & (values > 0)]
    ends = math.floor(math.log10(values.min())), math.ceil(math.log10(values.max()))
    upwards = log_axis(f"{name} (query units)", ends[0], max(ends[1], ends[0] + 1))
    title = f"{name[0].upper()}{name[1:]} against {SYMBOLS[x]}"
    figure = layout(colour, title, subtitle, _across(x, next(iter(frames.values()))[x].to_numpy()), upwards)
    traces = [
        line(frame[x], np.where(np.isfinite(frame[key]), frame[key], np.nan), "pinned", "", "") | ghost(colour)
        for frame in (kept or {}).values()
    ]
    for which, frame in frames.items():
        shade, dash = STYLES[which]
        y = np.where(np.isfinite(frame[key]), frame[key], np.nan)
        traces.append(line(frame[x], y, names[which], colour[shade], dash, hovertemplate="%{y:.4g}"))
        if which == "several":
            traces[-1] |= {"mode": "lines+markers", "marker": {"size": 5, "color": colour[shade]}}
            traces[-1]["line"]["shape"] = "spline"
    if simulated is not None and len(simulated):
        traces.append(_simulated(simulated, x, key, colour))
    hairline(figure, colour, here, f"{SYMBOLS[x]} = {number_format.format_input_up(here)}", x)
    return {"data": traces, "layout": figure}


def _across(x: str, places: Array) -> dict[str, Any]:
    """The axis of p, ε or δ."""
    if x == "p":
        return shape_axis("shape p", float(places[-1]))
    label = "privacy loss parameter ε (nats)" if x == "epsilon" else "δ"
    low, high = math.floor(math.log10(places[0]) + 1e-9), math.ceil(math.log10(places[-1]) - 1e-9)
    return log_axis(label, low, high) | hover_head(SYMBOLS[x])


def _simulated(points: pd.DataFrame, x: str, key: str, colour: Colours) -> dict[str, Any]:
    """The points of the paper's Monte Carlo with two standard errors."""
    return {
        "type": "scatter",
        "mode": "markers",
        "name": "Monte Carlo ± 2 s.e.",
        "x": compact(points[x]),
        "y": compact(points[key]),
        "error_y": {"type": "data", "array": compact(2 * points[f"{key}_error"]), "thickness": 1.5, "width": 5},
        "marker": {"color": colour["text"], "size": 7, "symbol": "diamond"},
        "hovertemplate": "%{y:.4g}",
    }


def shape_axis(label: str, most: float) -> dict[str, Any]:
    """A log axis of shapes from 1 on."""
    marks = tuple(mark for mark in _SHAPE_MARKS if mark <= most * 1.001)
    return log_axis(label, 0, 2, marks=marks) | {"range": [0, math.log10(most)]} | hover_head("p")


def head(label: str) -> dict[str, Any]:
    """The title of an axis."""
    return {"text": label, "font": {"size": TYPE}, "standoff": 8}
