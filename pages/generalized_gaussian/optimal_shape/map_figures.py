"""The map of the shape p with the least noise over ε and δ."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpcore.checks import Array
from dpcore.generalized_gaussian.optimal_shape import MOST_P
from pages.framework.chart.theme import TYPE, bands, compact, hairline, layout, log_axis, markers
from pages.framework.export.exhibit import Colours, Figure
from pages.framework.parameters import number_format
from pages.generalized_gaussian.grids import MAP_DELTA, MAP_EPSILON
from pages.shared.looks import COLOURS

_LEVELS = (1.05, 1.25, 1.5, 2.0, 3.0, 5.0, 10.0, 20.0, 40.0)  # the contours of the map
_LABELLED_LEVELS = (2.0, 1.05, 40.0, 1.25, 10.0, 5.0, 1.5)  # the first ones get their place first
_LABEL_DISTANCE = 1.2  # in decades of δ, so that labels do not overlap on a phone
_LABEL_COLUMNS = (0.17, 0.6)  # the x of the labels, as a share of the width
# One sequential scale for p, from a long tail to a flat one, by the theme's purple; the first is where Laplace wins.
RAMPS = {
    "#8A3C9E": (
        *("#F8E3D6", "#F4ECF8", "#E6D2EE", "#D5B3E2", "#BF90D2"),
        *("#A76CBF", "#8E4CA8", "#74358C", "#59226E", "#3D1150"),
    ),
    "#D79BEA": (
        *("#48291A", "#241B2B", "#362643", "#4A335C", "#604277"),
        *("#785393", "#9268AE", "#AE82C8", "#CBA4DF", "#E8CCF5"),
    ),
}


@dataclass(frozen=True)
class MapPoint:
    """A setting on the map: its ε and δ, and where it stands; a setting beyond the map stands at the nearest edge."""

    epsilon: float
    delta: float

    @property
    def position(self) -> tuple[float, float]:
        """The decimal logarithms of ε and δ at which the point stands."""
        return _clipped_log(self.epsilon, *MAP_EPSILON), _clipped_log(self.delta, *MAP_DELTA)

    @property
    def symbol(self) -> str:
        """A star or, for a setting beyond the map, an arrow towards it."""
        if not 10 ** MAP_DELTA[0] <= self.delta <= 10 ** MAP_DELTA[1] * (1 + 1e-12):
            return "triangle-down" if self.delta < 0.1 else "triangle-up"
        if not 10 ** MAP_EPSILON[0] <= self.epsilon <= 10 ** MAP_EPSILON[1]:
            return "triangle-left" if self.epsilon < 1 else "triangle-right"
        return "star"

    @property
    def share(self) -> tuple[float, float]:
        """The position as a share of the map's width and height."""
        (x, y), (left, right), (low, high) = self.position, MAP_EPSILON, MAP_DELTA
        return (x - left) / (right - left), (y - low) / (high - low)


def _clipped_log(value: float, low: float, high: float) -> float:
    return min(max(math.log10(value) if value > 0 else -math.inf, low), high)


def map_figure(
    frame: pd.DataFrame, point: MapPoint, pinned: MapPoint | None, titles: tuple[str, str], colours: Colours
) -> Figure:
    """Draw the best p over (ε, δ) of an `optimal_shape.best_map` as filled contours, with the current setting."""
    epsilon, delta = np.unique(frame["epsilon"]), np.unique(frame["delta"])
    shape = len(epsilon), len(delta)
    p = frame["p"].to_numpy().reshape(shape).T  # a row for each δ
    # Next to 1, p − 1 is nearly a power of δ ÷ ε: on its logarithm the contours between grid points are straight.
    band = np.interp(
        np.log(np.maximum(p - 1, 1e-9)),
        np.log([0.01, *(level - 1 for level in _LEVELS), MOST_P - 1]),
        np.arange(-1, len(_LEVELS) + 1),
    )
    field = {"type": "contour", "x": compact(epsilon), "y": compact(delta), "z": compact(band)}
    traces = [_contour_fill(field, compact(p), colours), _gaussian_line(field, band, colours)]
    notes = _map_notes(epsilon, delta, band, point, colours)
    return figure_of_map(traces, notes, point, pinned, titles, colours)


def figure_of_map(
    traces: list[dict[str, Any]],
    notes: list[dict[str, Any]],
    point: MapPoint,
    pinned: MapPoint | None,
    titles: tuple[str, str],
    colours: Colours,
) -> Figure:
    """Return a map over ε and δ with its traces and notes, and stars at the current and the pinned setting."""
    figure = layout(
        colours,
        *titles,
        log_axis("privacy loss parameter ε (nats)", *MAP_EPSILON),
        log_axis("δ", -12, 0) | {"range": list(MAP_DELTA)},
    )
    figure |= {"hovermode": "closest", "margin": figure["margin"] | {"b": 70}}
    hairline(figure, colours, point.epsilon, f"ε = {number_format.format_input_up(point.epsilon)}", "epsilon")
    figure["annotations"] += [*notes, *([_outside_note(point, colours)] if point.symbol != "star" else [])]
    stars = [_setting_mark(point, "ε, δ of the setting", colours["text"])]
    stars += [] if pinned is None else [_setting_mark(pinned, "pinned", colours["ghost"])]
    return {"data": [*traces, *stars], "layout": figure}


def _contour_fill(field: dict[str, Any], p: NDArray[np.floating], colours: Colours) -> dict[str, Any]:
    """Return the bands of p, each in its shade."""
    look = field | bands(_LEVELS, RAMPS[colours["purple"]], colours)
    return look | {
        "name": "best p",
        "showlegend": False,
        "customdata": p,
        "hovertemplate": "ε ≈ %{x:.3~g}, δ ≈ %{y:.3~g}<br>best p ≈ %{customdata:.3~g}<br>"
        "click to set both<extra></extra>",
    }


def _gaussian_line(field: dict[str, Any], band: Array, colours: Colours) -> dict[str, Any]:
    """Return the line on which the best p is 2, without parts where p jumps over 2, as no noise there is Gaussian."""
    gauss = _LEVELS.index(2.0)
    steep = np.maximum(abs(np.gradient(band, axis=0)), abs(np.gradient(band, axis=1))) > 1.5
    return field | {
        "z": compact(np.where(steep, np.nan, band)),
        "contours": {"start": gauss, "end": gauss, "size": 1, "coloring": "none"},
        "line": {"width": 3, "color": colours["analytic"]},
        "showscale": False,
        "showlegend": False,
        "hoverinfo": "skip",
    }


def _map_notes(epsilon: Array, delta: Array, band: Array, point: MapPoint, colours: Colours) -> list[dict[str, Any]]:
    """Return the labels of contours, at one ε far from the setting's, and of the regions at both ends of p."""
    share = max(_LABEL_COLUMNS, key=lambda column_share: abs(column_share - point.share[0]))
    crossings = _contour_crossings(delta, band[:, round(share * (len(epsilon) - 1))])
    if len(crossings) > 4 and 2.0 in crossings and max(crossings.values()) - min(crossings.values()) < 0.3:
        uniform = {"text": "<b>nearly uniform</b> (p ≥ 40)", "x": 0.02, "y": 0.99, "xanchor": "left", "yanchor": "top"}
        look = {"xref": "x domain", "yref": "y domain", "font": {"size": TYPE, "color": RAMPS[colours["purple"]][1]}}
        notes = [] if point.share[0] < 0.6 and point.share[1] > 0.85 else [uniform | look]
        crossings, labels = {2.0: crossings[2.0]}, {2.0: ("p jumps from 1 to 64", colours["text"], -20)}
    else:
        notes = []
        labels = {p: (f"p = {number_format.format_nearest(p)}", colours["text"], 0) for p in _LABELLED_LEVELS}
        labels[2.0] = ("<b>Gaussian, p = 2</b>", colours["analytic"], 0)
    places: list[float] = []
    for p, (label, shade, shift) in labels.items():
        if p in crossings and all(abs(crossings[p] - place) >= _LABEL_DISTANCE for place in places):
            places.append(crossings[p])
            at = {"x": MAP_EPSILON[0] + share * (MAP_EPSILON[1] - MAP_EPSILON[0]), "y": crossings[p], "yshift": shift}
            look = {"font": {"size": TYPE, "color": shade}, "bgcolor": _label_background(colours), "borderpad": 1}
            notes.append({"text": label} | at | look)
    return [note | {"showarrow": False} for note in (*notes, *_laplace_note(delta, band, point, colours))]


def _contour_crossings(delta: Array, band: Array) -> dict[float, float]:
    """Return where a column of the map crosses each contour, as the decimal logarithm of δ, by its p."""
    y, places = np.log10(delta), {}
    for level, p in enumerate(_LEVELS):
        at = np.flatnonzero((band[:-1] < level) & (band[1:] >= level))
        if at.size:
            part = (level - band[at[0]]) / (band[at[0] + 1] - band[at[0]])
            places[p] = float(y[at[0]] + part * (y[at[0] + 1] - y[at[0]]))
    return places


def _laplace_note(delta: Array, band: Array, point: MapPoint, colours: Colours) -> list[dict[str, Any]]:
    """Return the name of the region where Laplace noise is the best, at the first free place within it."""
    for x, y in ((0.7, 0.42), (0.4, 0.2), (0.7, 0.7)):
        row = int(np.argmin(abs(np.log10(delta) - (MAP_DELTA[0] + y * (MAP_DELTA[1] - MAP_DELTA[0])))))
        near = abs(point.share[0] - x) < 0.25 and abs(point.share[1] - y) < 0.12
        if band[row, round(x * (band.shape[1] - 1))] <= 0 and not near:
            note = {"text": "<b>Laplace is best</b><br>(p ≤ 1.05)", "x": x, "y": y, "xref": "x domain"}
            return [note | {"yref": "y domain", "font": {"size": TYPE + 1, "color": colours["laplace"]}}]
    return []


def _label_background(colours: Colours) -> str:
    """Return the background of labels, on which they can be read over every shade."""
    is_light = colours["text"] == COLOURS["light"]["text"]
    return "rgba(255,255,255,.8)" if is_light else "rgba(17,21,26,.8)"


def _setting_mark(place: MapPoint, name: str, shade: str) -> dict[str, Any]:
    """Return the mark of a setting, at the edge for a setting beyond the map."""
    marker = {"symbol": place.symbol, "size": 17, "color": shade, "line": {"width": 1}}
    x, y = (10.0**decade for decade in place.position)
    return markers([x], [y], name, marker, showlegend=False, cliponaxis=False, hoverinfo="skip")


def _outside_note(point: MapPoint, colours: Colours) -> dict[str, Any]:
    """Return the label beside a mark at the edge."""
    x, y = point.share
    return {
        "text": f"<b>beyond the map:</b> ε = {number_format.format_input_up(point.epsilon)}, "
        f"δ = {number_format.format_input_up(point.delta)}",
        "x": point.position[0],
        "y": point.position[1],
        "showarrow": False,
        "xanchor": "left" if x < 0.4 else "right",
        "yanchor": "top" if y > 0.9 else "bottom",
        "yshift": -14 if y > 0.9 else 14,
        "font": {"size": TYPE, "color": colours["text"]},
        "bgcolor": _label_background(colours),
        "borderpad": 1,
    }
