"""Pictures of the shape p with the least noise over ε, and of what it saves."""

import math
from typing import Any

import numpy as np
import pandas as pd

from dpcore.checks import Array
from dpcore.generalized_gaussian.optimal_shape import MOST_P
from pages.framework.chart.theme import ghost, hairline, hover_head, layout, line, log_axis
from pages.framework.export.exhibit import Colours, Figure
from pages.framework.parameters import number_format
from pages.generalized_gaussian.chart_style import DASHES, shape_axis
from pages.generalized_gaussian.chart_style import axis_title as head
from pages.generalized_gaussian.chart_style import mixed_shade as mixed


def best_figure(
    frame: pd.DataFrame,
    epsilon: float,
    chosen: float,
    title: str,
    subtitle: str,
    colour: Colours,
    kept: pd.DataFrame | None = None,
) -> Figure:
    """The best p over ε, a curve for each δ of a `optimal_shape.best_frame`, that of the chosen δ thicker."""
    figure = layout(
        colour,
        title,
        subtitle,
        _epsilon_axis(np.unique(frame["epsilon"])),
        shape_axis("best p", MOST_P) | {"range": [-0.05, math.log10(MOST_P) + 0.05]},
    )
    deltas = sorted(set(frame["delta"]))
    traces = [] if kept is None else [line(kept["epsilon"], kept["p"], "pinned", "", "") | ghost(colour)]
    for place, delta in enumerate(deltas):
        part = frame[frame["delta"] == delta]
        name, shade = f"δ = {number_format.format_input_up(delta)}", mixed(place / max(len(deltas) - 1, 1), colour)
        width = {"line": {"color": shade, "dash": DASHES[place], "width": 4 if delta == chosen else 2}}
        traces.append(
            line(part["epsilon"], part["p"], name, shade, DASHES[place], hovertemplate="p ≈ %{y:.3g}", **width)
        )
    for p, shade in ((1.0, "laplace"), (2.0, "analytic")):
        level = {"type": "line", "x0": 0, "x1": 1, "xref": "paper", "y0": p, "y1": p, "layer": "below"}
        figure["shapes"].append(level | {"line": {"color": colour[shade], "width": 1, "dash": "dot"}})
    hairline(figure, colour, epsilon, f"ε = {number_format.format_input_up(epsilon)}", "epsilon")
    return {"data": traces, "layout": figure}


def saving_figure(
    frame: pd.DataFrame,
    epsilon: float,
    title: str,
    subtitle: str,
    colour: Colours,
    kept: pd.DataFrame | None = None,
) -> Figure:
    """What the best p saves against Laplace and Gaussian noise of the same promise, over ε, in percent."""
    figure = layout(
        colour,
        title,
        subtitle,
        _epsilon_axis(frame["epsilon"].to_numpy()),
        {"range": [-3, 103], "ticksuffix": " %", "dtick": 25, "title": head("saved by the best p")},
    )
    columns = (
        ("of_laplace", "against Laplace", "laplace", "solid"),
        ("of_gaussian", "against Gaussian", "analytic", "dash"),
    )
    traces = []
    for key, name, shade, dash in columns:
        if kept is not None:
            traces.append(line(kept["epsilon"], 100 - 100 * kept[key], "pinned", "", "") | ghost(colour))
        style = {"hovertemplate": "%{y:.3g} %"}
        traces.append(line(frame["epsilon"], 100 - 100 * frame[key], name, colour[shade], dash, **style))
    hairline(figure, colour, epsilon, f"ε = {number_format.format_input_up(epsilon)}", "epsilon")
    return {"data": traces, "layout": figure}


def _epsilon_axis(places: Array) -> dict[str, Any]:
    ends = math.floor(math.log10(places[0]) + 1e-9), math.ceil(math.log10(places[-1]) - 1e-9)
    return log_axis("privacy loss parameter ε (nats)", *ends) | hover_head("ε")
