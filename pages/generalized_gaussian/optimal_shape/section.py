"""The section on the shape p with the least noise: p over ε, and what it saves."""

import math
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from dpcore.generalized_gaussian.optimal_shape import MOST_P
from pages.framework.chart.theme import bands, compact, hairline, layout, line, pinned_curve
from pages.framework.export.exhibit import Colours, Exhibit, Figure
from pages.framework.layout.section import Field, Fields, Part, Section
from pages.framework.parameters.number_format import format_input_up, format_up
from pages.framework.parameters.parameter import Parameter
from pages.framework.rendering.uploaded_files import kept
from pages.generalized_gaussian import code, parameters
from pages.generalized_gaussian.grids import DASHES, SYMBOLS, mixed_shade, parameter_axis, shape_axis
from pages.generalized_gaussian.optimal_shape import map_figures, text
from pages.generalized_gaussian.optimal_shape.map_figures import RAMPS, MapPoint, figure_of_map
from pages.generalized_gaussian.results import GeneralizedGaussianResult, remaining_map
from pages.generalized_gaussian.text import GUARANTEE_HELP, csv_header, explanation_text
from pages.shared.formulas import BASIS, SAMPLER, THEORY
from pages.shared.shared_parameters import DELTA, DELTAS, DELTAS_HELP, EPSILON, MEASURE, SIGNIFICANCE

LEVELS = (25, 50, 70, 75, 80, 85, 90, 95, 99)  # percent of the size of the best p, the contours of the map


def _places(result: GeneralizedGaussianResult) -> tuple[MapPoint, MapPoint | None]:
    """Return the setting and the pinned one as points of a map."""
    setting, pinned = result.setting, result.pinned and result.pinned.setting
    return MapPoint(setting.epsilon, setting.delta), pinned and MapPoint(pinned.epsilon, pinned.delta)


def best_map(result: GeneralizedGaussianResult, colours: Colours) -> Exhibit:
    """Return the map of the best p over ε and δ."""
    setting, frame = result.setting, result.best_map
    titles = f"The shape p with the least {text.measure_name(setting)}", text.subtitle(setting)
    figure = map_figures.map_figure(frame, *_places(result), titles, colours)
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
