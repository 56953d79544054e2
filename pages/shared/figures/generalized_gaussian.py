"""Pictures of generalized Gaussian noise: densities, how much of it each promise needs, and which shape needs least."""

import math
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from pages.shared.figures.laplace_gaussian import round_reach
from pages.shared.figures.theme import COLOURS, Figure, compact, decades, hairline, layout, line, log_axis

from dpcore.calibrations import Calibration
from dpcore.checks import Array
from dpcore.generalized_gaussian.choices import MOST_P, size
from pages.shared import text

Colours = dict[str, str]
STYLES = {
    "adp": ("purple", "solid"),
    "exact_pdp": ("exact_pdp", "dashdot"),
    "disjoint": ("pdp", "dash"),
    "several": ("purple", "solid"),
}
EPSILON, DELTA = (-2, 2), (-12, 0)
_MOST_DELTA = math.log10(0.9)
MAP_EPSILON, MAP_DELTA = (-3, 1), (-4.0, math.log10(0.5))
_DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot", "6px,2px", "2px,4px")
_LEVELS = (1.05, 1.25, 1.5, 2.0, 3.0, 5.0, 10.0, 20.0, 40.0)  # contours of the map
_SHAPE_MARKS = (1, 2, 4, 8, 16, 32, 64)
# One sequential scale for p, from a long tail to a flat one, by the theme's purple; the first is where Laplace wins.
_RAMPS = {
    "#8A3C9E": (
        "#F8E3D6",
        "#F4ECF8",
        "#E6D2EE",
        "#D5B3E2",
        "#BF90D2",
        "#A76CBF",
        "#8E4CA8",
        "#74358C",
        "#59226E",
        "#3D1150",
    ),
    "#D79BEA": (
        "#48291A",
        "#241B2B",
        "#362643",
        "#4A335C",
        "#604277",
        "#785393",
        "#9268AE",
        "#AE82C8",
        "#CBA4DF",
        "#E8CCF5",
    ),
}
_LINES = {"#8A3C9E": ("#C58BD8", "#4A1259"), "#D79BEA": ("#8C5AA3", "#F6E3FD")}


def grids(epsilon: float, delta: float) -> dict[str, Array]:
    """The p, ε and δ of the curves of one statistic; p is dense next to 1."""
    return {
        "p": np.exp(np.linspace(0, math.sqrt(math.log(MOST_P)), 81) ** 2),
        "epsilon": np.logspace(*decades(*EPSILON, max(epsilon, 1e-12)), 81),
        "delta": np.logspace(decades(*DELTA, delta)[0], _MOST_DELTA, 81),
    }


def coarse_grids(epsilon: float, delta: float, p: float) -> dict[str, Array]:
    """The same for several statistics, whose every point takes some tens of ms."""
    return {
        "p": np.array(sorted({1.0, 1.25, 1.5, 2.0, 2.5, 3.0, 4.0, 6.0, 8.0, p})),
        "epsilon": np.logspace(*decades(*EPSILON, epsilon), 9),
        "delta": np.append(np.logspace(decades(*DELTA, delta)[0], -3, 5), (0.01, 0.05, 0.2, 0.5, 0.9)),
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
        {"range": [-reach, reach], "title": _head("noise (query units)")},
        {"rangemode": "tozero", "title": _head("density")},
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
    return f"p = {text.nearest(p)}", _mixed(place / max(n - 1, 1), colour), _DASHES[place]


def _mixed(share: float, colour: Colours) -> str:
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
        across = _shape_axis("shape p", float(places[-1]))
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
    hairline(figure, colour, here, f"{heading} = {text.nearest(here)}")
    figure["annotations"][-1] |= _kept_inside(here, places)
    return {"data": traces, "layout": figure}


def _kept_inside(here: float, places: Array) -> dict[str, str]:
    """Where the words of a hairline go so that no end of the axis cuts them."""
    if here <= 0:
        return {}
    share = math.log(here / places[0]) / math.log(places[-1] / places[0])
    return {"xanchor": "left" if share < 0.1 else "right" if share > 0.85 else "center"}


def _shape_axis(label: str, most: float) -> dict[str, Any]:
    marks = tuple(mark for mark in _SHAPE_MARKS if mark <= most * 1.001)
    return log_axis(label, 0, 2, marks=marks) | {"range": [0, math.log10(most)]}


def map_figure(frame: pd.DataFrame, here: tuple[float, float], title: str, subtitle: str, colour: Colours) -> Figure:
    """The best p over (ε, δ) of a `choices.best_frame` on `map_grid`, as filled contours, with the current setting."""
    n = math.isqrt(len(frame))
    epsilon, delta = frame["epsilon"].to_numpy()[::n], frame["delta"].to_numpy()[:n]
    p = frame["p"].to_numpy().reshape(n, n).T  # a row for each δ
    saved = [(100 - 100 * frame[key].to_numpy()).reshape(n, n).T for key in ("of_laplace", "of_gaussian")]
    # Next to 1, p − 1 is nearly a power of δ ÷ ε: on its logarithm the contours between grid points are straight.
    band = np.interp(
        np.log(np.maximum(p - 1, 1e-9)),
        np.log([0.01, *(level - 1 for level in _LEVELS), MOST_P - 1]),
        np.arange(-1, len(_LEVELS) + 1),
    )
    ramp, ink = _RAMPS[colour["purple"]], colour["text"]
    figure = layout(
        colour,
        title,
        subtitle,
        log_axis("privacy loss bound ε (nats)", *MAP_EPSILON),
        log_axis("failure probability δ", -4, 0) | {"range": list(MAP_DELTA)},
    )
    figure |= {"hovermode": "closest", "height": 640}
    figure["margin"] = figure["margin"] | {"t": 62}
    field = {"type": "contour", "x": compact(epsilon), "y": compact(delta), "z": compact(band)}
    fill = field | {
        "name": "best p",
        "customdata": compact(np.stack([p, *saved], axis=-1)),
        "contours": {"start": 0, "end": len(_LEVELS) - 1, "size": 1, "coloring": "fill"},
        "colorscale": [[place / len(_LEVELS), shade] for place, shade in enumerate(ramp)],
        "line": {"width": 0.7, "color": colour["quiet"]},
        "colorbar": {
            "orientation": "h",
            "y": -0.16,
            "yanchor": "top",
            "thickness": 14,
            "len": 1,
            "outlinewidth": 0,
            "tickvals": list(range(len(_LEVELS))),
            "ticktext": [text.nearest(level) for level in _LEVELS],
            "title": {"text": "best p", "side": "top", "font": {"size": 12}},
            "tickfont": {"size": 12},
        },
        "hovertemplate": "ε ≈ %{x:.3g}, δ ≈ %{y:.3g}<br>best p ≈ %{customdata[0]:.3g}<br>%{customdata[1]:.3g} % below "
        "Laplace<br>%{customdata[2]:.3g} % below Gaussian<extra></extra>",
    }
    gauss = _LEVELS.index(2.0)
    steep = np.maximum(abs(np.gradient(band, axis=0)), abs(np.gradient(band, axis=1))) > 1.5
    mark = field | {
        "z": compact(np.where(steep, np.nan, band)),  # where p jumps over 2 no noise there is Gaussian
        "contours": {"start": gauss, "end": gauss, "size": 1, "coloring": "none"},
        "line": {"width": 3, "color": colour["analytic"]},
        "showscale": False,
        "showlegend": False,
        "hoverinfo": "skip",
    }
    figure["annotations"] += _contour_notes(epsilon, delta, band, colour)
    note = {
        "showarrow": False,
        "xref": "x domain",
        "yref": "y domain",
        "font": {"size": 14, "color": colour["laplace"]},
    }
    at = {"x": 0.98, "y": 0.13, "xanchor": "right", "yanchor": "bottom", "align": "right"}
    figure["annotations"].append(note | at | {"text": "<b>Laplace<br>is best</b><br>(p ≤ 1.05)"})
    if band[-1, 0] >= len(_LEVELS) - 1:
        at = {"x": 0.03, "y": 0.97, "xanchor": "left", "yanchor": "top", "align": "left"}
        flat = {"text": "<b>nearly uniform</b><br>(p ≥ 40)", "font": {"size": 14, "color": ramp[1]}}
        figure["annotations"].append(note | at | flat)
    star = _star(here, colour, figure)
    paper = "#FFFFFF" if _is_light(colour) else "#11151A"
    star["marker"] |= {"color": ink, "line": {"color": paper, "width": 1.5}}
    return {"data": [fill, mark, star], "layout": figure}


def _contour_notes(epsilon: Array, delta: Array, band: Array, colour: Colours) -> list[dict[str, Any]]:
    """A label on each contour, at one ε on the left, unless it would touch the one below; one for all where p jumps."""
    column = len(epsilon) // 6
    y, z = np.log10(delta), band[:, column]
    places: dict[float, float] = {}
    for level, p in enumerate(_LEVELS):
        crossed = np.flatnonzero((z[:-1] < level) & (z[1:] >= level))
        if crossed.size:
            first = crossed[0]
            places[p] = float(y[first] + (level - z[first]) / (z[first + 1] - z[first]) * (y[first + 1] - y[first]))
    jump = len(places) > 4 and max(places.values()) - min(places.values()) < 0.3
    if jump:
        places = {2.0: places[2.0]}
    notes, last = [], -math.inf
    for p, place in places.items():
        if place - last < 0.15:
            continue
        last = place
        words, shade = (f"p = {text.nearest(p)}", colour["text"])
        if jump:
            words = "p jumps from 1 to 64"
        elif p == 2:
            words, shade = "<b>Gaussian, p = 2</b>", colour["analytic"]
        notes.append(
            {
                "text": words,
                "x": math.log10(epsilon[column]),
                "y": place,
                "showarrow": False,
                "font": {"size": 12, "color": shade},
                "bgcolor": _backing(colour),
                "borderpad": 1,
            }
        )
    return notes


def _backing(colour: Colours) -> str:
    """What lies behind words on the map, so that they can be read on every shade."""
    return "rgba(255,255,255,.8)" if _is_light(colour) else "rgba(17,21,26,.8)"


def _is_light(colour: Colours) -> bool:
    return colour["text"] == COLOURS["light"]["text"]


def _star(here: tuple[float, float], colour: Colours, figure: Figure) -> dict[str, Any]:
    """The current (ε, δ), or a mark on the edge beyond which it lies, with words."""
    ends = MAP_EPSILON, MAP_DELTA
    logs = [math.log10(value) if value > 0 else -math.inf for value in here]
    shown = [min(max(value, low + 0.01), high - 0.01) for value, (low, high) in zip(logs, ends, strict=True)]
    outside = [
        value - place if not low <= value <= high else 0
        for value, place, (low, high) in zip(logs, shown, ends, strict=True)
    ]
    symbol = "star"
    if outside[1]:
        symbol = "triangle-down" if outside[1] < 0 else "triangle-up"
    elif outside[0]:
        symbol = "triangle-left" if outside[0] < 0 else "triangle-right"
    words = (
        "you" if symbol == "star" else f"you, beyond the map: ε = {text.nearest(here[0])}, δ = {text.nearest(here[1])}"
    )
    share = (shown[0] - MAP_EPSILON[0]) / (MAP_EPSILON[1] - MAP_EPSILON[0])
    upper = (shown[1] - MAP_DELTA[0]) / (MAP_DELTA[1] - MAP_DELTA[0]) > 0.9
    figure["annotations"].append(
        {
            "text": f"<b>{words}</b>",
            "x": shown[0],
            "y": shown[1],
            "showarrow": False,
            "xanchor": "left" if share < 0.3 else "right" if share > 0.7 else "center",
            "yanchor": "top" if upper else "bottom",
            "yshift": -14 if upper else 14,
            "font": {"size": 12, "color": colour["text"]},
            "bgcolor": _backing(colour),
            "borderpad": 1,
        }
    )
    return {
        "type": "scatter",
        "mode": "markers",
        "name": "your ε and δ",
        "showlegend": False,
        "x": compact([10.0 ** shown[0]]),
        "y": compact([10.0 ** shown[1]]),
        "marker": {"symbol": symbol, "size": 17},
        "cliponaxis": False,
        "hoverinfo": "skip",
    }


def best_figure(frame: pd.DataFrame, epsilon: float, title: str, subtitle: str, colour: Colours) -> Figure:
    """The best p over ε, a curve for each δ of a `choices.best_frame`."""
    places = np.unique(frame["epsilon"])
    figure = layout(
        colour,
        title,
        subtitle,
        _epsilon_axis(places),
        _shape_axis("best p", MOST_P) | {"range": [-0.05, math.log10(MOST_P) + 0.05]},
    )
    figure["height"] = 360
    deltas = sorted(set(frame["delta"]))
    traces = []
    for place, delta in enumerate(deltas):
        part = frame[frame["delta"] == delta]
        name, shade = f"δ = {text.nearest(delta)}", _mixed(place / max(len(deltas) - 1, 1), colour)
        traces.append(line(part["epsilon"], part["p"], name, shade, _DASHES[place], hovertemplate="p ≈ %{y:.3g}"))
    for p, shade in ((1.0, "laplace"), (2.0, "analytic")):
        level = {"type": "line", "x0": 0, "x1": 1, "xref": "paper", "y0": p, "y1": p, "layer": "below"}
        figure["shapes"].append(level | {"line": {"color": colour[shade], "width": 1, "dash": "dot"}})
    hairline(figure, colour, epsilon, f"ε = {text.nearest(epsilon)}")
    figure["annotations"][-1] |= _kept_inside(epsilon, places)
    return {"data": traces, "layout": figure}


def saving_figure(frame: pd.DataFrame, epsilon: float, title: str, subtitle: str, colour: Colours) -> Figure:
    """What the best p saves against Laplace and Gaussian noise of the same promise, over ε, in percent."""
    places = frame["epsilon"].to_numpy()
    figure = layout(
        colour,
        title,
        subtitle,
        _epsilon_axis(places),
        {"range": [-3, 103], "ticksuffix": " %", "dtick": 25, "title": _head("saved by the best p")},
    )
    figure["height"] = 360
    traces = [
        line(places, 100 - 100 * frame[key], name, colour[shade], dash, hovertemplate="%{y:.3g} %")
        for key, name, shade, dash in (
            ("of_laplace", "against Laplace", "laplace", "solid"),
            ("of_gaussian", "against Gaussian", "analytic", "dash"),
        )
    ]
    hairline(figure, colour, epsilon, f"ε = {text.nearest(epsilon)}")
    figure["annotations"][-1] |= _kept_inside(epsilon, places)
    return {"data": traces, "layout": figure}


def _epsilon_axis(places: Array) -> dict[str, Any]:
    ends = math.floor(math.log10(places[0]) + 1e-9), math.ceil(math.log10(places[-1]) - 1e-9)
    return log_axis("privacy loss bound ε (nats)", *ends)


def guarantee_names(guarantees: tuple[Calibration, ...]) -> dict[str, str]:
    """The names of the curves."""
    return {each.key: each.name for each in guarantees} | {"several": "Proposition 8"}


def _head(label: str) -> dict[str, Any]:
    return {"text": label, "font": {"size": 13}}
