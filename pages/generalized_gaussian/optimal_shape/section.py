"""The section on the shape p with the least noise: p over ε, and over ε and δ as a map, and what it saves."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpcore.checks import Array
from dpcore.generalized_gaussian.optimal_shape import MOST_P
from pages.framework.chart.theme import TYPE, bands, compact, hairline, layout, line, log_axis, markers, pinned_curve
from pages.framework.export.exhibit import Colours, Exhibit, Figure
from pages.framework.layout.section import Field, Fields, Part, Section
from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import format_input_up, format_up
from pages.framework.parameters.parameter import Parameter
from pages.framework.rendering.uploaded_files import kept
from pages.generalized_gaussian import code, parameters
from pages.generalized_gaussian.grids import (
    DASHES,
    MAP_DELTA,
    MAP_EPSILON,
    SYMBOLS,
    mixed_shade,
    parameter_axis,
    shape_axis,
)
from pages.generalized_gaussian.optimal_shape import text
from pages.generalized_gaussian.results import GeneralizedGaussianResult, remaining_map
from pages.generalized_gaussian.text import GUARANTEE_HELP, csv_header, explanation_text
from pages.shared.formulas import BASIS, SAMPLER, THEORY
from pages.shared.looks import COLOURS
from pages.shared.shared_parameters import DELTA, DELTAS, DELTAS_HELP, EPSILON, MEASURE, SIGNIFICANCE

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


LEVELS = (25, 50, 70, 75, 80, 85, 90, 95, 99)  # percent of the size of the best p, the contours of the map


def _places(result: GeneralizedGaussianResult) -> tuple[MapPoint, MapPoint | None]:
    """Return the setting and the pinned one as points of a map."""
    setting, pinned = result.setting, result.pinned and result.pinned.setting
    return MapPoint(setting.epsilon, setting.delta), pinned and MapPoint(pinned.epsilon, pinned.delta)


def best_map(result: GeneralizedGaussianResult, colours: Colours) -> Exhibit:
    """Return the map of the best p over ε and δ."""
    setting, frame = result.setting, result.best_map
    titles = f"The shape p with the least {text.measure_name(setting)}", text.subtitle(setting)
    figure = map_figure(frame, *_places(result), titles, colours)
    alternative, header = text.alternative_text(result, frame), csv_header(result, least=setting.measure)
    return Exhibit("best_map", figure, alternative, frame, header, ("epsilon", "delta"))


def best_p(result: GeneralizedGaussianResult, colours: Colours) -> Exhibit:
    """Return the curves of the best p over ε for several δ; that of the chosen δ is thicker."""
    setting, title = result.setting, f"Best p: least {text.measure_name(result.setting)}"
    deltas = sorted({*setting.deltas, setting.delta})
    frame, pinned = result.best_shapes(*deltas), result.pinned
    y_axis = shape_axis("best p", MOST_P) | {"range": [-0.05, math.log10(MOST_P) + 0.05]}
    figure = _layout_over("epsilon", result, frame, (title, text.subtitle(setting)), y_axis, colours)
    old = None if pinned is None else pinned.best_shapes(pinned.setting.delta)
    traces = [] if old is None else [pinned_curve(old["epsilon"], old["p"], colours)]
    for place, delta in enumerate(deltas):
        part = frame[frame["delta"] == delta]
        shade, dash = mixed_shade(place / max(len(deltas) - 1, 1), colours), DASHES[place]
        look = {"line": {"color": shade, "dash": dash, "width": 4 if delta == setting.delta else 2}}
        name = f"δ = {format_input_up(delta)}"
        traces.append(line(part["epsilon"], part["p"], name, shade, dash, hovertemplate="p ≈ %{y:.3~g}", **look))
    for p, shade in ((2.0, "analytic"), (1.0, "laplace")):
        level = {"type": "line", "x0": 0, "x1": 1, "xref": "paper", "y0": p, "y1": p, "layer": "below"}
        figure["shapes"].insert(0, level | {"line": {"color": colours[shade], "width": 1, "dash": "dot"}})
    picture, alternative = {"data": traces, "layout": figure}, text.alternative_text(result, frame)
    header = csv_header(result, least=setting.measure)
    return Exhibit("best_p", picture, alternative, frame, header, ("epsilon", ""))


def saving(result: GeneralizedGaussianResult, colours: Colours) -> Exhibit:
    """Return the curves of what the best p saves against Laplace and Gaussian noise, over ε."""
    setting, pinned = result.setting, result.pinned
    frame, old = result.best_shapes(setting.delta), pinned and pinned.best_shapes(pinned.setting.delta)
    title = f"What the best p saves: {text.measure_name(setting)}"
    subtitle = f"δ = {format_input_up(setting.delta)}, {text.subtitle(setting)}"
    y_axis = {"range": [-3, 103], "ticksuffix": " %", "dtick": 25, "title": {"text": "saved by the best p"}}
    figure = _layout_over("epsilon", result, frame, (title, subtitle), y_axis, colours)
    columns = (("of_laplace", "against Laplace", "laplace"), ("of_gaussian", "against Gaussian", "analytic"))
    traces = []
    for key, name, shade in columns:
        if old is not None:
            traces.append(pinned_curve(old["epsilon"], 100 - 100 * old[key], colours))
        style = {"hovertemplate": "%{y:.3~g} %"}
        traces.append(line(frame["epsilon"], 100 - 100 * frame[key], name, colours[shade], "solid", **style))
    picture, header = {"data": traces, "layout": figure}, csv_header(result, least=setting.measure)
    return Exhibit("saving", picture, text.SAVING_ALTERNATIVE_TEXT, frame, header, ("epsilon", ""))


def _layout_over(
    varied: str,
    result: GeneralizedGaussianResult,
    frame: pd.DataFrame,
    titles: tuple[str, str],
    y: dict[str, Any],
    colours: Colours,
) -> Figure:
    """Return the layout of a chart over ε or δ, with a handle at that of the setting."""
    figure = layout(colours, *titles, parameter_axis(varied, np.unique(frame[varied])), y)
    value = getattr(result.setting, varied)
    hairline(figure, colours, value, f"{SYMBOLS[varied]} = {format_input_up(value)}", varied)
    return figure


def _floor(result: GeneralizedGaussianResult, colours: Colours, *, varied: str, fixed: str) -> Exhibit:
    """Return what truncated Laplace noise and the best noise of any shape have of the size of the best p, in %."""
    frame, measure = result.floor_over(varied), text.floor_measure_name(result)
    title = f"What noise of any shape leaves of the best p: {measure}"
    subtitle = f"{SYMBOLS[fixed]} = {format_input_up(getattr(result.setting, fixed))}, one statistic, (ε, δ)-DP"
    y = {"range": [-3, 123], "ticksuffix": " %", "dtick": 25, "title": {"text": f"{measure}, % of that of the best p"}}
    figure = _layout_over(varied, result, frame, (title, subtitle), y, colours)
    columns = (
        ("truncated", "truncated Laplace", "laplace", "dash", 2.5),
        ("upper", "any noise: at most", "text", "dot", 1.5),
        ("lower", "any noise: at least", "text", "solid", 1.5),
    )
    traces = []
    for key, name, shade, dash, width in columns:
        style = {"hovertemplate": "%{y:.3~g} %", "line": {"color": colours[shade], "dash": dash, "width": width}}
        traces.append(line(frame[varied], 100 * frame[key] / frame["best"], name, colours[shade], dash, **style))
    level = {"type": "line", "x0": 0, "x1": 1, "xref": "paper", "y0": 100, "y1": 100, "layer": "below"}
    figure["shapes"].insert(0, level | {"line": {"color": colours["purple"], "width": 2}})
    name, alternative = "floor" if varied == "epsilon" else "floor_delta", text.floor_alternative_text(frame, measure)
    header = csv_header(result, least=result.floor_measure, size_unit="at sensitivity 1")
    return Exhibit(name, {"data": traces, "layout": figure}, alternative, frame, header, (varied, ""))


floor = partial(_floor, varied="epsilon", fixed="delta")
floor_delta = partial(_floor, varied="delta", fixed="epsilon")


def floor_map(result: GeneralizedGaussianResult, colours: Colours) -> Exhibit:
    """Return the map of the least size of noise of any shape, in percent of that of the best p, over ε and δ."""
    measure, frame = text.floor_measure_name(result), kept(remaining_map, result.floor_measure)
    epsilon, delta = np.unique(frame["epsilon"]), np.unique(frame["delta"])
    share, reached = (  # a row for each δ
        frame[key].to_numpy().reshape(len(epsilon), len(delta)).T for key in ("share", "reached")
    )
    band = np.interp(share, [0, *LEVELS, 100], np.arange(-1, len(LEVELS) + 1))
    field = {"type": "contour", "x": compact(epsilon), "y": compact(delta), "z": compact(band)}
    field |= bands(LEVELS, tuple(reversed(RAMPS[colours["purple"]])), colours)
    field |= {
        "name": "share of the best p",
        "showlegend": False,
        "customdata": compact(share),
        "text": [[f"{format_up(most, 3)} %" for most in row] for row in reached],
        "hovertemplate": "ε ≈ %{x:.3~g}, δ ≈ %{y:.3~g}<br>any noise: at least %{customdata:.3~g} % of the best p<br>"
        "reached: %{text}<br>click to set both<extra></extra>",
    }
    subtitle = f"% of the {measure} of the best p, one statistic, (ε, δ)-DP"
    titles = f"What the best p leaves: least {measure} of any noise", subtitle
    figure = figure_of_map([field], [], *_places(result), titles, colours)
    header = csv_header(result, least=result.floor_measure, size_unit="at sensitivity 1")
    alternative = text.remaining_alternative_text(frame, measure)
    return Exhibit("floor_map", figure, alternative, frame, header, ("epsilon", "delta"))


_EXHIBITS = {
    "map": best_map,
    "curves": best_p,
    "saving": saving,
    "floor": floor,
    "floor_delta": floor_delta,
    "floor_map": floor_map,
}


def controls(result: GeneralizedGaussianResult) -> Sequence[Field | Parameter]:
    """Return the parameters of the map and the curves of the best p."""
    level = (SIGNIFICANCE,) if result.setting.measure == "accuracy" else ()
    guarantee = Field(parameters.GUARANTEE, "Guarantee", GUARANTEE_HELP)
    measure, view = Field(MEASURE, "Minimised error"), Field(parameters.BEST_VIEW, "Show")
    return EPSILON, DELTA, *level, guarantee, measure, view


def parts(result: GeneralizedGaussianResult, colours: Colours) -> Iterator[Part]:
    """Yield the map or the curves of the best p."""
    view = result.setting.best_view
    yield _EXHIBITS[view](result, colours)
    if view == "curves":
        yield Fields((Field(DELTAS, "δ of the curves, comma-separated", DELTAS_HELP),))
    if view == "map":
        yield text.map_text(result.setting)
    if view in ("floor", "floor_delta"):
        yield text.FLOOR_TEXT
    if view == "floor_map":
        yield text.remaining_map_text(result)
    yield f"{text.floor_text(result)}\n\n{BASIS}\n\n{SAMPLER}".strip()


SECTION = Section(
    controls=controls,
    parts=parts,
    key="best",
    name="Which p",
    answer_text=text.answer_text,
    aim=THEORY,
    explanation=explanation_text,
    exhibits=tuple(_EXHIBITS.values()),
    claims=code.optimal_shape_claims,
    snippets=code.optimal_shape_snippets,
)
