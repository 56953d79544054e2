"""Pictures of the shape p with the least noise: over ε and δ, over ε alone, and what it saves."""

import math
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpcore.checks import Array
from dpcore.generalized_gaussian.choices import MOST_P
from pages.generalized_gaussian.figures import DASHES, MAP_DELTA, MAP_EPSILON, head, kept_inside, mixed, shape_axis
from pages.shared import text
from pages.shared.export import Colours, Figure
from pages.shared.theme import COLOURS, compact, hairline, layout, line, log_axis

_LEVELS = (1.05, 1.25, 1.5, 2.0, 3.0, 5.0, 10.0, 20.0, 40.0)  # contours of the map
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


def map_figure(frame: pd.DataFrame, here: tuple[float, float], title: str, subtitle: str, colour: Colours) -> Figure:
    """The best p over (ε, δ) of a `choices.best_frame` on `map_grid`, as filled contours, with the current setting."""
    n = math.isqrt(len(frame))
    epsilon, delta = frame["epsilon"].to_numpy()[::n], frame["delta"].to_numpy()[:n]
    p = frame["p"].to_numpy().reshape(n, n).T  # a row for each δ
    # Next to 1, p − 1 is nearly a power of δ ÷ ε: on its logarithm the contours between grid points are straight.
    band = np.interp(
        np.log(np.maximum(p - 1, 1e-9)),
        np.log([0.01, *(level - 1 for level in _LEVELS), MOST_P - 1]),
        np.arange(-1, len(_LEVELS) + 1),
    )
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
    saved = [(100 - 100 * frame[key].to_numpy()).reshape(n, n).T for key in ("of_laplace", "of_gaussian")]
    hovered = compact(np.stack([p, *saved], axis=-1))
    figure["annotations"] += [*_contour_notes(epsilon, delta, band, colour), *_region_notes(band, colour)]
    star = _star(here, colour, figure)
    return {"data": [_fill(field, hovered, colour), _gaussian_line(field, band, colour), star], "layout": figure}


def _fill(field: dict[str, Any], hovered: NDArray[np.floating], colour: Colours) -> dict[str, Any]:
    """The bands of p, each in its shade."""
    ramp = _RAMPS[colour["purple"]]
    return field | {
        "name": "best p",
        "customdata": hovered,
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


def _gaussian_line(field: dict[str, Any], band: Array, colour: Colours) -> dict[str, Any]:
    """Where the best p is 2; where p jumps over 2 no noise there is Gaussian."""
    gauss = _LEVELS.index(2.0)
    steep = np.maximum(abs(np.gradient(band, axis=0)), abs(np.gradient(band, axis=1))) > 1.5
    return field | {
        "z": compact(np.where(steep, np.nan, band)),
        "contours": {"start": gauss, "end": gauss, "size": 1, "coloring": "none"},
        "line": {"width": 3, "color": colour["analytic"]},
        "showscale": False,
        "showlegend": False,
        "hoverinfo": "skip",
    }


def _region_notes(band: Array, colour: Colours) -> list[dict[str, Any]]:
    """The names of the regions at both ends of p, where the map has them."""
    note, notes = {"showarrow": False, "xref": "x domain", "yref": "y domain"}, []
    if band[0, -1] <= 0:
        at = {"x": 0.98, "y": 0.13, "xanchor": "right", "yanchor": "bottom", "align": "right"}
        sharp = {"text": "<b>Laplace<br>is best</b><br>(p ≤ 1.05)", "font": {"size": 14, "color": colour["laplace"]}}
        notes.append(note | at | sharp)
    if band[-1, 0] >= len(_LEVELS) - 1:
        at = {"x": 0.03, "y": 0.97, "xanchor": "left", "yanchor": "top", "align": "left"}
        shade = _RAMPS[colour["purple"]][1]
        notes.append(note | at | {"text": "<b>nearly uniform</b><br>(p ≥ 40)", "font": {"size": 14, "color": shade}})
    return notes


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
    jump = len(places) > 4 and 2.0 in places and max(places.values()) - min(places.values()) < 0.3
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
    beyond = f"you, beyond the map: ε = {text.given_up(here[0])}, δ = {text.given_up(here[1])}"
    words = "you" if symbol == "star" else beyond
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
        shape_axis("best p", MOST_P) | {"range": [-0.05, math.log10(MOST_P) + 0.05]},
    )
    figure["height"] = 360
    deltas = sorted(set(frame["delta"]))
    traces = []
    for place, delta in enumerate(deltas):
        part = frame[frame["delta"] == delta]
        name, shade = f"δ = {text.given_up(delta)}", mixed(place / max(len(deltas) - 1, 1), colour)
        traces.append(line(part["epsilon"], part["p"], name, shade, DASHES[place], hovertemplate="p ≈ %{y:.3g}"))
    for p, shade in ((1.0, "laplace"), (2.0, "analytic")):
        level = {"type": "line", "x0": 0, "x1": 1, "xref": "paper", "y0": p, "y1": p, "layer": "below"}
        figure["shapes"].append(level | {"line": {"color": colour[shade], "width": 1, "dash": "dot"}})
    hairline(figure, colour, epsilon, f"ε = {text.given_up(epsilon)}")
    figure["annotations"][-1] |= kept_inside(epsilon, places)
    return {"data": traces, "layout": figure}


def saving_figure(frame: pd.DataFrame, epsilon: float, title: str, subtitle: str, colour: Colours) -> Figure:
    """What the best p saves against Laplace and Gaussian noise of the same promise, over ε, in percent."""
    places = frame["epsilon"].to_numpy()
    figure = layout(
        colour,
        title,
        subtitle,
        _epsilon_axis(places),
        {"range": [-3, 103], "ticksuffix": " %", "dtick": 25, "title": head("saved by the best p")},
    )
    figure["height"] = 360
    traces = [
        line(places, 100 - 100 * frame[key], name, colour[shade], dash, hovertemplate="%{y:.3g} %")
        for key, name, shade, dash in (
            ("of_laplace", "against Laplace", "laplace", "solid"),
            ("of_gaussian", "against Gaussian", "analytic", "dash"),
        )
    ]
    hairline(figure, colour, epsilon, f"ε = {text.given_up(epsilon)}")
    figure["annotations"][-1] |= kept_inside(epsilon, places)
    return {"data": traces, "layout": figure}


def _epsilon_axis(places: Array) -> dict[str, Any]:
    ends = math.floor(math.log10(places[0]) + 1e-9), math.ceil(math.log10(places[-1]) - 1e-9)
    return log_axis("privacy loss bound ε (nats)", *ends)
