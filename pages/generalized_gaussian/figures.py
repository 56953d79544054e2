"""Pictures of generalized Gaussian noise: densities, and how much of it each promise needs."""

import math
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from dpcore.checks import Array
from dpcore.generalized_gaussian.choices import MOST_P, size
from pages.shared import text
from pages.shared.export import Colours, Figure
from pages.shared.theme import compact, decades, hairline, layout, line, log_axis, round_reach

STYLES = {
    "adp": ("purple", "solid"),
    "exact_pdp": ("exact_pdp", "dashdot"),
    "disjoint": ("pdp", "dash"),
    "several": ("purple", "solid"),
}
EPSILON, DELTA = (-2, 2), (-12, 0)
_MOST_DELTA = math.log10(0.9)
MAP_EPSILON, MAP_DELTA = (-3, 1), (-4.0, math.log10(0.5))
DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot", "6px,2px", "2px,4px")
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


def map_grid(n: int) -> tuple[Array, Array]:
    """The ε and δ of the map."""
    return np.logspace(*MAP_EPSILON, n)[:, None], np.logspace(*MAP_DELTA, n)


def best_grid(epsilon: float) -> tuple[float, ...]:
    """The ε of the curves of the best p."""
    return tuple(np.logspace(*decades(*MAP_EPSILON, max(epsilon, 1e-12)), 81))


def density_reach(shapes: ArrayLike, scales: ArrayLike) -> float:
    """How far the picture of densities goes: to where all but 2 in 1000 of the widest noise is."""
    return round_reach(min(float(np.max(size("accuracy", shapes, scales, 2e-3))), 1e307))


def density_figure(frame: pd.DataFrame, subtitle: str, colour: Colours) -> Figure:
    """The densities of `choices.densities`, a line for each p."""
    reach = float(frame["x"].iloc[-1])
    figure = layout(
        colour,
        "Density of the noise",
        subtitle,
        {"range": [-reach, reach], "title": head("noise (query units)")},
        {"rangemode": "tozero", "title": head("density")},
    )
    shapes = list(dict.fromkeys(frame["p"]))
    x, density = (frame[key].to_numpy().reshape(len(shapes), -1) for key in ("x", "pdf"))
    traces = [
        line(x[place], density[place], *_shape_style(p, place, len(shapes), colour), hovertemplate="%{y:.4g}")
        for place, p in enumerate(shapes)
    ]
    return {"data": traces, "layout": figure}


def _shape_style(p: float, place: int, n: int, colour: Colours) -> tuple[str, str, str]:
    """Name, colour and dash of a shape; Laplace and Gaussian noise keep their own."""
    if p == 1:
        return "p = 1, Laplace", colour["laplace"], "solid"
    if p == 2:
        return "p = 2, Gaussian", colour["analytic"], "solid"
    return f"p = {text.given_up(p)}", mixed(place / max(n - 1, 1), colour), DASHES[place]


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
) -> Figure:
    """A size of the noise (its column and name) over p, ε or δ, a curve for each guarantee, and simulated points."""
    key, name = measure
    values = np.concatenate([frame[key].to_numpy() for frame in frames.values()])
    values = values[np.isfinite(values) & (values > 0)]
    heading = {"p": "p", "epsilon": "ε", "delta": "δ"}[x]
    places = next(iter(frames.values()))[x].to_numpy()
    if x == "p":
        across = shape_axis("shape p", float(places[-1]))
    else:
        label = "privacy loss bound ε (nats)" if x == "epsilon" else "failure probability δ"
        low, high = math.floor(math.log10(places[0]) + 1e-9), math.ceil(math.log10(places[-1]) - 1e-9)
        across = log_axis(label, low, high)
    ends = math.floor(math.log10(values.min())), math.ceil(math.log10(values.max()))
    upwards = log_axis(f"{name} (query units)", ends[0], max(ends[1], ends[0] + 1))
    figure = layout(colour, f"{name[0].upper()}{name[1:]} against {heading}", subtitle, across, upwards)
    traces = []
    for which, frame in frames.items():
        shade, dash = STYLES[which]
        y = np.where(np.isfinite(frame[key]), frame[key], np.nan)
        traces.append(line(frame[x], y, names[which], colour[shade], dash, hovertemplate="%{y:.4g}"))
        if which == "several":
            traces[-1] |= {"mode": "lines+markers", "marker": {"size": 5, "color": colour[shade]}}
            traces[-1]["line"]["shape"] = "spline"
    if simulated is not None and len(simulated):
        bars = {
            "type": "data",
            "array": compact(2 * simulated[f"{key}_error"].to_numpy()),
            "thickness": 1.5,
            "width": 5,
        }
        traces.append(
            {
                "type": "scatter",
                "mode": "markers",
                "name": "Monte Carlo ± 2 s.e.",
                "x": compact(simulated[x]),
                "y": compact(simulated[key]),
                "error_y": bars,
                "marker": {"color": colour["text"], "size": 7, "symbol": "diamond"},
                "hovertemplate": "%{y:.4g}",
            }
        )
    hairline(figure, colour, here, f"{heading} = {text.given_up(here)}")
    figure["annotations"][-1] |= kept_inside(here, places)
    return {"data": traces, "layout": figure}


def kept_inside(here: float, places: Array) -> dict[str, str]:
    """Where the words of a hairline go so that no end of the axis cuts them."""
    if here <= 0:
        return {}
    share = math.log(here / places[0]) / math.log(places[-1] / places[0])
    return {"xanchor": "left" if share < 0.1 else "right" if share > 0.85 else "center"}


def shape_axis(label: str, most: float) -> dict[str, Any]:
    """A log axis of shapes from 1 on."""
    marks = tuple(mark for mark in _SHAPE_MARKS if mark <= most * 1.001)
    return log_axis(label, 0, 2, marks=marks) | {"range": [0, math.log10(most)]}


def head(label: str) -> dict[str, Any]:
    """The title of an axis."""
    return {"text": label, "font": {"size": 13}}
