"""The pictures of the shape p with the least noise over ε, and of what it saves."""

import math
from typing import Any

import numpy as np
import pandas as pd

from dpcore.checks import Array
from dpcore.generalized_gaussian.optimal_shape import MOST_P
from pages.framework.chart.theme import ghost, hairline, hover_head, layout, line, log_axis
from pages.framework.export.exhibit import Colours, Figure
from pages.framework.parameters import number_format
from pages.generalized_gaussian.chart_style import DASHES, mixed_shade, shape_axis


def best_figure(
    frame: pd.DataFrame,
    epsilon: float,
    chosen: float,
    title: str,
    subtitle: str,
    colours: Colours,
    pinned: pd.DataFrame | None = None,
) -> Figure:
    """Draw the best p over ε, a curve for each δ of an `optimal_shape.best_frame`; that of the chosen δ is thicker."""
    figure = layout(
        colours,
        title,
        subtitle,
        _epsilon_axis(np.unique(frame["epsilon"])),
        shape_axis("best p", MOST_P) | {"range": [-0.05, math.log10(MOST_P) + 0.05]},
    )
    deltas = sorted(set(frame["delta"]))
    traces = [] if pinned is None else [line(pinned["epsilon"], pinned["p"], "pinned", "", "") | ghost(colours)]
    for place, delta in enumerate(deltas):
        part = frame[frame["delta"] == delta]
        name, shade = (
            f"δ = {number_format.format_input_up(delta)}",
            mixed_shade(place / max(len(deltas) - 1, 1), colours),
        )
        width = {"line": {"color": shade, "dash": DASHES[place], "width": 4 if delta == chosen else 2}}
        traces.append(
            line(part["epsilon"], part["p"], name, shade, DASHES[place], hovertemplate="p ≈ %{y:.3g}", **width)
        )
    for p, shade in ((1.0, "laplace"), (2.0, "analytic")):
        level = {"type": "line", "x0": 0, "x1": 1, "xref": "paper", "y0": p, "y1": p, "layer": "below"}
        figure["shapes"].append(level | {"line": {"color": colours[shade], "width": 1, "dash": "dot"}})
    hairline(figure, colours, epsilon, f"ε = {number_format.format_input_up(epsilon)}", "epsilon")
    return {"data": traces, "layout": figure}


def saving_figure(
    frame: pd.DataFrame,
    epsilon: float,
    title: str,
    subtitle: str,
    colours: Colours,
    pinned: pd.DataFrame | None = None,
) -> Figure:
    """Draw what the best p saves of Laplace and Gaussian noise of the same guarantee, over ε, in percent."""
    figure = layout(
        colours,
        title,
        subtitle,
        _epsilon_axis(frame["epsilon"].to_numpy()),
        {"range": [-3, 103], "ticksuffix": " %", "dtick": 25, "title": {"text": "saved by the best p"}},
    )
    columns = (
        ("of_laplace", "against Laplace", "laplace", "solid"),
        ("of_gaussian", "against Gaussian", "analytic", "dash"),
    )
    traces = []
    for key, name, shade, dash in columns:
        if pinned is not None:
            traces.append(line(pinned["epsilon"], 100 - 100 * pinned[key], "pinned", "", "") | ghost(colours))
        style = {"hovertemplate": "%{y:.3g} %"}
        traces.append(line(frame["epsilon"], 100 - 100 * frame[key], name, colours[shade], dash, **style))
    hairline(figure, colours, epsilon, f"ε = {number_format.format_input_up(epsilon)}", "epsilon")
    return {"data": traces, "layout": figure}


def floor_figure(
    frame: pd.DataFrame, varied: str, value: float, measure: str, title: str, subtitle: str, colours: Colours
) -> Figure:
    """Draw what truncated Laplace noise and the best noise of any shape have of the size of the best p, in percent."""
    axis = _epsilon_axis(frame["epsilon"].to_numpy()) if varied == "epsilon" else _delta_axis(frame["delta"].to_numpy())
    label = {"text": f"{measure}, % of that of the best p"}
    figure = layout(
        colours, title, subtitle, axis, {"range": [-3, 123], "ticksuffix": " %", "dtick": 25, "title": label}
    )
    columns = (
        ("truncated", "truncated Laplace", "laplace", "dash", 2.5),
        ("upper", "any noise: at most", "text", "dot", 1.5),
        ("lower", "any noise: at least", "text", "solid", 1.5),
    )
    traces = []
    for key, name, shade, dash, width in columns:
        style = {"hovertemplate": "%{y:.3g} %", "line": {"color": colours[shade], "dash": dash, "width": width}}
        traces.append(line(frame[varied], 100 * frame[key] / frame["best"], name, colours[shade], dash, **style))
    level = {"type": "line", "x0": 0, "x1": 1, "xref": "paper", "y0": 100, "y1": 100, "layer": "below"}
    figure["shapes"].append(level | {"line": {"color": colours["purple"], "width": 2}})
    symbol = "ε" if varied == "epsilon" else "δ"
    hairline(figure, colours, value, f"{symbol} = {number_format.format_input_up(value)}", varied)
    return {"data": traces, "layout": figure}


def _delta_axis(places: Array) -> dict[str, Any]:
    return log_axis("δ", math.floor(math.log10(places[0]) + 1e-9), 0) | hover_head("δ")


def _epsilon_axis(places: Array) -> dict[str, Any]:
    ends = math.floor(math.log10(places[0]) + 1e-9), math.ceil(math.log10(places[-1]) - 1e-9)
    return log_axis("privacy loss parameter ε (nats)", *ends) | hover_head("ε")
