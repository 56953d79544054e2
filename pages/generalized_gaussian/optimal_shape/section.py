"""The section on the shape p with the least noise: p over ε, and what it saves."""

import math
from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd

from dpcore.generalized_gaussian.optimal_shape import MOST_P
from pages.framework.chart.theme import (
    bands,
    compact,
    hairline,
    layout,
    line,
    pinned_curve,
)
from pages.framework.export.exhibit import Colours, Exhibit, Figure
from pages.framework.layout.section import Field, Fields, Part, Section
from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import format_input_up, format_up
from pages.framework.parameters.parameter import Parameter
from pages.framework.rendering.uploaded_files import kept
from pages.generalized_gaussian import code, parameters
from pages.generalized_gaussian.figures import DASHES, mixed_shade, parameter_axis, shape_axis
from pages.generalized_gaussian.optimal_shape import map_figures, text
from pages.generalized_gaussian.optimal_shape.map_figures import RAMPS, MapPoint, figure_of_map
from pages.generalized_gaussian.results import GeneralizedGaussianResult, remaining_map
from pages.generalized_gaussian.text import GUARANTEE_HELP, csv_header, explanation_text
from pages.shared.formulas import BASIS, SAMPLER, THEORY
from pages.shared.shared_parameters import DELTA, DELTAS, DELTAS_HELP, EPSILON, MEASURE, SIGNIFICANCE


def best_figure(
    frame: pd.DataFrame,
    epsilon: float,
    chosen: float,
    title: str,
    subtitle: str,
    colours: Colours,
    pinned: pd.DataFrame | None,
) -> Figure:
    """Draw the best p over ε, a curve for each δ of an `optimal_shape.best_frame`; that of the chosen δ is thicker."""
    figure = layout(
        colours,
        title,
        subtitle,
        parameter_axis("epsilon", np.unique(frame["epsilon"])),
        shape_axis("best p", MOST_P) | {"range": [-0.05, math.log10(MOST_P) + 0.05]},
    )
    deltas = sorted(set(frame["delta"]))
    traces = [] if pinned is None else [pinned_curve(pinned["epsilon"], pinned["p"], colours)]
    for place, delta in enumerate(deltas):
        part = frame[frame["delta"] == delta]
        shade, dash = mixed_shade(place / max(len(deltas) - 1, 1), colours), DASHES[place]
        look = {"line": {"color": shade, "dash": dash, "width": 4 if delta == chosen else 2}}
        name = f"δ = {number_format.format_input_up(delta)}"
        traces.append(line(part["epsilon"], part["p"], name, shade, dash, hovertemplate="p ≈ %{y:.3~g}", **look))
    for p, shade in ((1.0, "laplace"), (2.0, "analytic")):
        level = {"type": "line", "x0": 0, "x1": 1, "xref": "paper", "y0": p, "y1": p, "layer": "below"}
        figure["shapes"].append(level | {"line": {"color": colours[shade], "width": 1, "dash": "dot"}})
    hairline(figure, colours, epsilon, f"ε = {number_format.format_input_up(epsilon)}", "epsilon")
    return {"data": traces, "layout": figure}


def saving_figure(
    frame: pd.DataFrame, epsilon: float, title: str, subtitle: str, colours: Colours, pinned: pd.DataFrame | None
) -> Figure:
    """Draw what the best p saves of Laplace and Gaussian noise of the same guarantee, over ε, in percent."""
    figure = layout(
        colours,
        title,
        subtitle,
        parameter_axis("epsilon", frame["epsilon"].to_numpy()),
        {"range": [-3, 103], "ticksuffix": " %", "dtick": 25, "title": {"text": "saved by the best p"}},
    )
    columns = (("of_laplace", "against Laplace", "laplace"), ("of_gaussian", "against Gaussian", "analytic"))
    traces = []
    for key, name, shade in columns:
        if pinned is not None:
            traces.append(pinned_curve(pinned["epsilon"], 100 - 100 * pinned[key], colours))
        style = {"hovertemplate": "%{y:.3~g} %"}
        traces.append(line(frame["epsilon"], 100 - 100 * frame[key], name, colours[shade], "solid", **style))
    hairline(figure, colours, epsilon, f"ε = {number_format.format_input_up(epsilon)}", "epsilon")
    return {"data": traces, "layout": figure}


def floor_figure(
    frame: pd.DataFrame, varied: str, value: float, measure: str, title: str, subtitle: str, colours: Colours
) -> Figure:
    """Draw what truncated Laplace noise and the best noise of any shape have of the size of the best p, in percent."""
    y = {"range": [-3, 123], "ticksuffix": " %", "dtick": 25, "title": {"text": f"{measure}, % of that of the best p"}}
    figure = layout(colours, title, subtitle, parameter_axis(varied, frame[varied].to_numpy()), y)
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
    figure["shapes"].append(level | {"line": {"color": colours["purple"], "width": 2}})
    symbol = "ε" if varied == "epsilon" else "δ"
    hairline(figure, colours, value, f"{symbol} = {number_format.format_input_up(value)}", varied)
    return {"data": traces, "layout": figure}


LEVELS = (25, 50, 70, 75, 80, 85, 90, 95, 99)  # percent of the size of the best p, the contours of the map


def remaining_map_figure(
    frame: pd.DataFrame, point: MapPoint, pinned: MapPoint | None, title: str, subtitle: str, colours: Colours
) -> Figure:
    """Draw the share of a frame of (ε, δ) as filled contours, with the current setting."""
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
    return figure_of_map([field], [], point, pinned, (title, subtitle), colours)


def best_map(result: GeneralizedGaussianResult, colours: Colours) -> Exhibit:
    """Return the map of the best p over ε and δ."""
    setting, pinned = result.setting, result.pinned
    title = f"The shape p with the least {text.measure_name(setting)}"
    pinned_frame = pinned and MapPoint(pinned.setting.epsilon, pinned.setting.delta)
    point = MapPoint(setting.epsilon, setting.delta)
    figure = map_figures.map_figure(result.best_map, point, pinned_frame, title, text.subtitle(setting), colours)
    alternative = text.alternative_text(result, result.best_map)
    return _exhibit(result, "best_map", figure, alternative, result.best_map, ("epsilon", "delta"))


def best_p(result: GeneralizedGaussianResult, colours: Colours) -> Exhibit:
    """Return the curves of the best p over ε for several δ."""
    setting, title = result.setting, f"Best p: least {text.measure_name(result.setting)}"
    frame = result.best_shapes(*sorted({*setting.deltas, setting.delta}))
    pinned_frame = result.pinned and result.pinned.best_shapes(result.pinned.setting.delta)
    subtitle = text.subtitle(setting)
    figure = best_figure(frame, setting.epsilon, setting.delta, title, subtitle, colours, pinned_frame)
    return _exhibit(result, "best_p", figure, text.alternative_text(result, frame), frame, ("epsilon", ""))


def saving(result: GeneralizedGaussianResult, colours: Colours) -> Exhibit:
    """Return the curves of what the best p saves against Laplace and Gaussian noise, over ε."""
    setting, pinned_frame = result.setting, result.pinned and result.pinned.best_shapes(result.pinned.setting.delta)
    frame = result.best_shapes(setting.delta)
    title = f"What the best p saves: {text.measure_name(setting)}"
    subtitle = f"δ = {format_input_up(setting.delta)}, {text.subtitle(setting)}"
    figure = saving_figure(frame, setting.epsilon, title, subtitle, colours, pinned_frame)
    return _exhibit(result, "saving", figure, text.SAVING_ALTERNATIVE_TEXT, frame, ("epsilon", ""))


def floor(result: GeneralizedGaussianResult, colours: Colours) -> Exhibit:
    """Return the curves of the least noise of any shape beside the best p, over ε."""
    return _floor(result, colours, "epsilon", f"δ = {format_input_up(result.setting.delta)}")


def floor_delta(result: GeneralizedGaussianResult, colours: Colours) -> Exhibit:
    """Return the curves of the least noise of any shape beside the best p, over δ."""
    return _floor(result, colours, "delta", f"ε = {format_input_up(result.setting.epsilon)}")


def _floor(result: GeneralizedGaussianResult, colours: Colours, varied: str, at: str) -> Exhibit:
    frame, measure = result.floor_over(varied), text.floor_measure_name(result)
    title, value = f"What noise of any shape leaves of the best p: {measure}", getattr(result.setting, varied)
    subtitle = f"{at}, one statistic, (ε, δ)-DP"
    figure = floor_figure(frame, varied, value, measure, title, subtitle, colours)
    name = "floor" if varied == "epsilon" else "floor_delta"
    alternative = text.floor_alternative_text(frame, measure)
    header = csv_header(result, least=result.floor_measure, size_unit="at sensitivity 1")
    return Exhibit(name, figure, alternative, frame, header, (varied, ""))


def floor_map(result: GeneralizedGaussianResult, colours: Colours) -> Exhibit:
    """Return the map of the least size of noise of any shape, in percent of that of the best p, over ε and δ."""
    setting, pinned, measure = result.setting, result.pinned, text.floor_measure_name(result)
    title = f"What the best p leaves: least {measure} of any noise"
    subtitle = f"% of the {measure} of the best p, one statistic, (ε, δ)-DP"
    point = MapPoint(setting.epsilon, setting.delta)
    pinned_point = pinned and MapPoint(pinned.setting.epsilon, pinned.setting.delta)
    frame = kept(remaining_map, result.floor_measure)
    figure = remaining_map_figure(frame, point, pinned_point, title, subtitle, colours)
    header = csv_header(result, least=result.floor_measure, size_unit="at sensitivity 1")
    return Exhibit(
        "floor_map", figure, text.remaining_alternative_text(frame, measure), frame, header, ("epsilon", "delta")
    )


def _exhibit(
    result: GeneralizedGaussianResult,
    name: str,
    figure: Figure,
    alternative: str,
    numbers: pd.DataFrame,
    picks: tuple[str, str],
) -> Exhibit:
    header = csv_header(result, least=result.setting.measure)
    return Exhibit(name, figure, alternative, numbers, header, picks)


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
