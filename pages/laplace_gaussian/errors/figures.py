"""The pictures of the draws and the tails of both noises."""

import math
from typing import Any

import numpy as np
import pandas as pd

from dpcore.calibrations import TRUNCATED_LAPLACE, Calibration
from dpcore.checks import Array
from pages.framework.chart.theme import compact, layout, line, log_axis, transparent
from pages.framework.export.exhibit import Colours, Figure
from pages.framework.parameters import number_format
from pages.laplace_gaussian.chart_style import axis_title, noise_looks, pinned_look, truncated_line
from pages.laplace_gaussian.results import N_DRAWS, Draws
from pages.shared.distance_axis import distance_axis, mark_distance
from pages.shared.looks import LOOKS


def draws_figure(
    draws: Draws,
    half_widths: dict[str, float],
    pinned: Draws | None,
    subtitle: str,
    gaussian: Calibration,
    colours: Colours,
) -> Figure:
    """Draw histograms, Laplace above the axis and Gaussian below, each scaled to its own height.

    Dashed lines show the half-width of each. Truncated Laplace noise, where there is some, is an outline above the
    axis. `pinned` are the draws of a pinned setting.
    """
    end, beyond = float(draws.edges[-1]), draws.beyond
    axis = {"range": [-end, end], "title": axis_title("noise (query units)")}
    figure = layout(
        colours, f"{N_DRAWS:,} draws of each noise", subtitle, axis, {"showticklabels": False, "showgrid": False}
    )
    figure |= {"hovermode": "closest"}
    figure["yaxis"] |= {"range": [-1.12, 1.12], "fixedrange": True}
    traces = []
    for (key, name, shade), side in zip(noise_looks(gaussian, colours), (1, -1), strict=True):
        if pinned is not None:
            traces.append(
                _histogram(pinned, key, side) | pinned_look(colours) | {"name": "pinned", "showlegend": side > 0}
            )
        look = {
            "name": _beyond_label(name, beyond[key], half_widths[key]),
            "line": {"color": shade[0], "width": 2, "shape": "hvh"},
        }
        fill = {"fill": "tozeroy", "fillcolor": transparent(shade[0], 0.25)}
        traces.append(_histogram(draws, key, side) | look | fill)
        _mark_half_width(figure, half_widths[key], side, shade[0], end)
    if "truncated" in draws.counts:
        label = _beyond_label(TRUNCATED_LAPLACE.name, beyond["truncated"], half_widths["truncated"])
        outline = {"color": colours["truncated_laplace"], "dash": LOOKS["truncated_laplace"].dash, "width": 2}
        traces.append(_histogram(draws, "truncated", 1) | {"name": label, "line": outline | {"shape": "hvh"}})
    ground = {"type": "line", "x0": 0, "x1": 1, "xref": "paper", "y0": 0, "y1": 0}
    figure["shapes"].append(ground | {"line": {"color": colours["quiet"], "width": 1}})
    return {"data": traces, "layout": figure}


def _beyond_label(name: str, n_beyond: int, half_width: float) -> str:
    """Return the label of a histogram: how many draws are beyond the half-width."""
    return f"{name}: {n_beyond:,} of {N_DRAWS:,} beyond ±{number_format.format_up(half_width)}"


def _histogram(draws: Draws, key: str, side: int) -> dict[str, Any]:
    """Return the shares of the draws in bins, scaled to a height of 1, above the axis or below it (`side` −1)."""
    counts = draws.counts[key]
    return {
        "type": "scatter",
        "mode": "lines",
        "x": compact((draws.edges[:-1] + draws.edges[1:]) / 2),
        "y": compact(side * counts / max(counts.max(), 1)),
        "customdata": compact(counts),
        "hovertemplate": "%{customdata} draws around %{x:.4~g}<extra></extra>",
    }


def _mark_half_width(figure: dict[str, Any], half_width: float, side: int, shade: str, axis_end: float) -> None:
    """Draw dashed lines at both ends of the half-width of a noise, with its value."""
    for end in (-half_width, half_width):
        mark = {"type": "line", "x0": end, "x1": end, "y0": 0, "y1": side * 1.08}
        figure["shapes"].append(mark | {"line": {"color": shade, "width": 1.5, "dash": "dash"}})
    if half_width <= axis_end:
        note = {
            "text": f"±{number_format.format_up(half_width)}",
            "showarrow": False,
            "x": half_width,
            "y": side * 1.08,
        }
        is_near_edge = half_width > 0.8 * axis_end  # a note to the right of its line would be cut off
        anchors = {"xanchor": "right" if is_near_edge else "left", "yanchor": "top" if side > 0 else "bottom"}
        figure["annotations"].append(note | anchors | {"xshift": -5 if is_near_edge else 5, "font": {"color": shade}})


def tails_figure(
    frame: pd.DataFrame,
    half_widths: dict[str, float],
    significance: float,
    t: float | None,
    pinned: pd.DataFrame | None,
    subtitle: str,
    gaussian: Calibration,
    colours: Colours,
) -> Figure:
    """Draw both tails over the distance |t| on a log axis, and mark the half-width of each at the significance level.

    `t` is the distance at which both are equal, if there is one; `pinned` are the tails of a pinned setting.
    """
    bottom = min(-6, math.floor(math.log10(significance)) - 1)
    axis = distance_axis(float(frame["t"].to_numpy()[-1]))
    share = log_axis("probability of a larger |noise|", bottom, 0)
    figure = layout(colours, "How often the noise goes beyond |t|", subtitle, axis, share)
    traces = []
    if pinned is not None:
        for key in ("laplace", "gaussian"):
            trace = line(pinned["t"], _without_tiny(pinned[key].to_numpy(), bottom), "pinned", "", "solid")
            traces.append(trace | pinned_look(colours) | {"showlegend": key == "laplace"})
    for key, name, shade in noise_looks(gaussian, colours):
        tail = _without_tiny(frame[key].to_numpy(), bottom)
        traces.append(line(frame["t"], tail, name, shade[0], shade[1], hovertemplate="%{y:.4~g}"))
        side = "top right" if half_widths[key] == max(half_widths.values()) else "bottom left"
        traces.append(_half_width_point(half_widths[key], significance, side, shade[0]))
    if "truncated" in frame:
        truncated, least = (_without_tiny(frame[key].to_numpy(), bottom) for key in ("truncated", "least"))
        traces.append(truncated_line(frame["t"].to_numpy(), truncated, colours))
        style = {
            "line": {"color": colours["text"], "width": 1, "shape": "vh"},
            "hovertemplate": "at least %{y:.4~g}",
        }
        traces.append(line(frame["t"], least, "any noise: at least", colours["text"], "solid", **style))
    level = {"type": "line", "x0": 0, "x1": 1, "xref": "paper", "y0": significance, "y1": significance}
    figure["shapes"].append(level | {"line": {"color": colours["quiet"], "dash": "dash", "width": 1}})
    if t is not None:
        mark_distance(figure, colours, t)
    return {"data": traces, "layout": figure}


def _half_width_point(end: float, significance: float, side: str, shade: str) -> dict[str, Any]:
    """Return the point of a tail at the significance level, with its distance."""
    return {
        "type": "scatter",
        "mode": "markers+text",
        "x": compact([end]),
        "y": compact([significance]),
        "text": [f"±{number_format.format_up(end)}"],
        "textposition": side,
        "textfont": {"color": shade},
        "marker": {"color": shade, "size": 10, "line": {"color": shade, "width": 1}},
        "showlegend": False,
        "hoverinfo": "skip",
        "cliponaxis": False,
    }


def _without_tiny(share: Array, bottom: int) -> Array:
    """Return the values without those far below the axis, which single precision could not represent."""
    return np.where(share > 10.0 ** (bottom - 2), share, np.nan)
