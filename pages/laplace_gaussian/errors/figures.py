"""The pictures of the draws and the tails of both noises."""

import math
from typing import Any

import numpy as np
import pandas as pd

from dpcore.calibrations import Calibration
from dpcore.checks import Array
from pages.framework.chart.theme import compact, layout, line, log_axis
from pages.framework.export.exhibit import Colours, Figure
from pages.framework.parameters import number_format
from pages.laplace_gaussian.chart_style import axis_title, distance_axis, mark_distance, noise_looks, pinned_look, tint
from pages.laplace_gaussian.results import N_DRAWS


def draws_figure(
    counts: pd.DataFrame,
    beyond: dict[str, int],
    accuracy: dict[str, float],
    ghosts: pd.DataFrame | None,
    subtitle: str,
    gaussian: Calibration,
    colour: Colours,
) -> Figure:
    """How often draws fall where, Laplace above the axis and Gaussian below, each to its own height.

    Dashed lines stand where the accuracy of each ends. `ghosts` are the draws of a kept setting.
    """
    reach = float(counts["high"].to_numpy()[-1])
    axis = {"range": [-reach, reach], "title": axis_title("noise (query units)")}
    figure = layout(
        colour, f"{N_DRAWS:,} draws of each noise", subtitle, axis, {"showticklabels": False, "showgrid": False}
    )
    figure |= {"hovermode": "closest"}
    figure["yaxis"] |= {"range": [-1.12, 1.12], "fixedrange": True}
    traces = []
    for (key, name, shade), side in zip(noise_looks(gaussian, colour), (1, -1), strict=True):
        if ghosts is not None:
            traces.append(
                _histogram(ghosts, key, side) | pinned_look(colour) | {"name": "pinned", "showlegend": side > 0}
            )
        far = f"{name}: {beyond[key]:,} of {N_DRAWS:,} beyond ±{number_format.format_up(accuracy[key])}"
        look = {"name": far, "line": {"color": shade[0], "width": 2, "shape": "hvh"}}
        fill = {"fill": "tozeroy", "fillcolor": tint(shade[0], 0.25)}
        traces.append(_histogram(counts, key, side) | look | fill)
        _mark_half_width(figure, accuracy[key], side, shade[0], reach)
    ground = {"type": "line", "x0": 0, "x1": 1, "xref": "paper", "y0": 0, "y1": 0}
    figure["shapes"].append(ground | {"line": {"color": colour["quiet"], "width": 1}})
    return {"data": traces, "layout": figure}


def _histogram(counts: pd.DataFrame, key: str, side: int) -> dict[str, Any]:
    """The shares of the draws in bins, above the axis or (side −1) below it, the highest as high as 1."""
    many = counts[key].to_numpy()
    return {
        "type": "scatter",
        "mode": "lines",
        "x": compact((counts["low"].to_numpy() + counts["high"].to_numpy()) / 2),
        "y": compact(side * many / max(many.max(), 1)),
        "customdata": compact(many),
        "hovertemplate": "%{customdata} draws around %{x:.4~g}<extra></extra>",
    }


def _mark_half_width(figure: dict[str, Any], accuracy: float, side: int, shade: str, reach: float) -> None:
    """Dashed lines on both sides where the accuracy of a noise ends, with its value."""
    for end in (-accuracy, accuracy):
        mark = {"type": "line", "x0": end, "x1": end, "y0": 0, "y1": side * 1.08}
        figure["shapes"].append(mark | {"line": {"color": shade, "width": 1.5, "dash": "dash"}})
    if accuracy <= reach:
        note = {"text": f"±{number_format.format_up(accuracy)}", "showarrow": False, "x": accuracy, "y": side * 1.08}
        far = accuracy > 0.8 * reach  # to the right of its line it would be cut
        anchors = {"xanchor": "right" if far else "left", "yanchor": "top" if side > 0 else "bottom"}
        figure["annotations"].append(note | anchors | {"xshift": -5 if far else 5, "font": {"color": shade}})


def tails_figure(
    frame: pd.DataFrame,
    accuracy: dict[str, float],
    significance: float,
    t: float | None,
    ghosts: pd.DataFrame | None,
    subtitle: str,
    gaussian: Calibration,
    colour: Colours,
) -> Figure:
    """Both tails over the distance |t| on a log axis, with the reach of each at the significance level marked.

    `t` is the distance at which they are made equal, if they are; `ghosts` are the tails of a kept setting.
    """
    bottom = min(-6, math.floor(math.log10(significance)) - 1)
    axis = distance_axis(frame["t"].to_numpy()[-1])
    share = log_axis("probability of a larger |noise|", bottom, 0)
    figure = layout(colour, "How often the noise goes beyond |t|", subtitle, axis, share)
    traces = []
    if ghosts is not None:
        for key in ("laplace", "gaussian"):
            old = line(ghosts["t"], _without_tiny(ghosts[key].to_numpy(), bottom), "pinned", "", "solid")
            traces.append(old | pinned_look(colour) | {"showlegend": key == "laplace"})
    for key, name, shade in noise_looks(gaussian, colour):
        tail = _without_tiny(frame[key].to_numpy(), bottom)
        traces.append(line(frame["t"], tail, name, shade[0], shade[1], hovertemplate="%{y:.4~g}"))
        side = "top right" if accuracy[key] == max(accuracy.values()) else "bottom left"
        traces.append(_half_width_point(accuracy[key], significance, side, shade[0]))
    level = {"type": "line", "x0": 0, "x1": 1, "xref": "paper", "y0": significance, "y1": significance}
    figure["shapes"].append(level | {"line": {"color": colour["quiet"], "dash": "dash", "width": 1}})
    if t is not None:
        mark_distance(figure, colour, t)
    return {"data": traces, "layout": figure}


def _half_width_point(reach: float, significance: float, side: str, shade: str) -> dict[str, Any]:
    """The point of a tail at the significance level, with its distance."""
    return {
        "type": "scatter",
        "mode": "markers+text",
        "x": compact([reach]),
        "y": compact([significance]),
        "text": [f"±{number_format.format_up(reach)}"],
        "textposition": side,
        "textfont": {"color": shade},
        "marker": {"color": shade, "size": 10, "line": {"color": shade, "width": 1}},
        "showlegend": False,
        "hoverinfo": "skip",
        "cliponaxis": False,
    }


def _without_tiny(share: Array, bottom: int) -> Array:
    """Values far below the axis left out: single precision could not hold them."""
    return np.where(share > 10.0 ** (bottom - 2), share, np.nan)
