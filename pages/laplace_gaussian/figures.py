"""The pictures of the section "Errors", and the colours, lines and axes that the pictures of all sections share."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from dpcore.calibrations import TRUNCATED_LAPLACE
from dpcore.checks import Array
from pages.framework.chart.theme import TYPE, compact, layout, line, log_axis, round_axis_end, transparent
from pages.framework.export.exhibit import Colours, Figure
from pages.framework.parameters import number_format
from pages.laplace_gaussian.results import NOISES, Draws, LaplaceGaussianResult
from pages.shared.looks import LOOKS
from pages.shared.shared_parameters import EPSILON, N_DRAWS
from pages.shared.status_lines import distance_axis, mark_distance


def pinned_look(colours: Colours) -> dict[str, Any]:
    """Return the style of a pinned setting's line."""
    style = {"color": colours["ghost"], "dash": "solid", "width": 2.5}
    return {"line": style, "hoverinfo": "skip", "hovertemplate": None}


def pinned_lines(pinned: pd.DataFrame, x: str, columns: Sequence[str], colours: Colours) -> list[dict[str, Any]]:
    """Return the lines of a pinned setting, which share one entry of the legend."""
    lines = [line(pinned[x], pinned[column], "pinned", "", "solid") | pinned_look(colours) for column in columns]
    return [trace | {"showlegend": place == 0} for place, trace in enumerate(lines)]


def axis_title(words: str) -> dict[str, Any]:
    """Return the title of a linear axis, in the font size of a log axis."""
    return {"text": words, "font": {"size": TYPE}, "standoff": 8}


def noise_looks(result: LaplaceGaussianResult, colours: Colours) -> tuple[tuple[str, str, str, str], ...]:
    """Return the key, the name, the colour and the dash of both noises."""
    gaussian = result.setting.calibration
    return (
        ("laplace", "Laplace", colours["laplace"], LOOKS["laplace"].dash),
        ("gaussian", gaussian.name, colours[gaussian.key], LOOKS[gaussian.key].dash),
    )


def truncated_line(x: Array, y: Array, colours: Colours) -> dict[str, Any]:
    """Return the line of truncated Laplace noise."""
    shade, dash = colours["truncated_laplace"], LOOKS["truncated_laplace"].dash
    style = {"hovertemplate": "%{y:.4~g}", "line": {"color": shade, "dash": dash, "width": 2.5}}
    return line(x, y, TRUNCATED_LAPLACE.name, shade, dash, **style)


def draws_figure(result: LaplaceGaussianResult, subtitle: str, colours: Colours) -> Figure:
    """Draw histograms on one scale below their densities, so that areas are equal: Laplace above the axis.

    Dashed lines show the half-width of each. Truncated Laplace noise, where there is some, is an outline above the
    axis. The scale is that of all draws, which may not all have fallen yet.
    """
    draws, densities, half_widths = result.draws, result.densities, result.half_widths
    pinned = result.answered_pinned and result.answered_pinned.draws
    places = {EPSILON.key: {"at": result.setting.epsilon, "x": result.half_widths_of_steps.tolist()}}
    end, beyond = float(draws.edges[-1]), draws.beyond
    axis = {"range": [-end, end], "title": axis_title("noise (query units)")}
    width = float(draws.edges[1] - draws.edges[0])
    highest = {key: float(densities[f"{key}_pdf"].to_numpy().max()) for key in draws.most}
    tops = {key: max(number / (N_DRAWS * width), highest[key]) for key, number in draws.most.items()}
    up = round_axis_end(1.05 * max(tops.values()))
    down = up * next(share for share in (0.25, 0.5, 1) if 1.05 * tops["gaussian"] <= share * up * (1 + 1e-9))
    title = f"{'' if draws.drawn == N_DRAWS else f'{draws.drawn:,} of '}{N_DRAWS:,} draws of each noise"
    figure = layout(colours, title, subtitle, axis, _density_axis(-down, up))
    figure |= {"hovermode": "closest", "meta": {"namesBelow": True, "places": places}}  # they change while draws fall
    traces = []
    for (key, name, shade, _), side in zip(noise_looks(result, colours), (1, -1), strict=True):
        if pinned is not None:
            look = pinned_look(colours) | {"name": "pinned", "showlegend": side > 0}
            traces.append(_histogram(pinned, key, side) | look | {"line": look["line"] | {"shape": "hvh"}})
        look = {"name": _beyond_label(name, beyond[key], draws.drawn, half_widths[key]), "legendgroup": key}
        look |= {"line": {"color": shade, "width": 1.5, "shape": "hvh"}}
        traces.append(_histogram(draws, key, side) | look | {"fill": "tozeroy", "fillcolor": transparent(shade, 0.25)})
        exact = {"showlegend": False, "legendgroup": key, "line": {"color": shade, "width": 1.5}}
        hover = {"hovertemplate": "density around %{x:.4~g}<extra></extra>"}
        pdf = side * densities[f"{key}_pdf"].to_numpy()
        traces.append(line(densities["x"], pdf, f"density of {name}", shade, "solid") | exact | hover)
        key_of_handle = EPSILON.key if key == "laplace" else ""
        _mark_half_width(figure, half_widths[key], up if side > 0 else -down, shade, end, key_of_handle)
    if "truncated" in draws.counts:
        label = _beyond_label(TRUNCATED_LAPLACE.name, beyond["truncated"], draws.drawn, result.truncated_half_width)
        outline = {"color": colours["truncated_laplace"], "dash": LOOKS["truncated_laplace"].dash, "width": 2}
        traces.append(_histogram(draws, "truncated", 1) | {"name": label, "line": outline | {"shape": "hvh"}})
    ground = {"type": "line", "x0": 0, "x1": 1, "xref": "paper", "y0": 0, "y1": 0}
    figure["shapes"].append(ground | {"line": {"color": colours["quiet"], "width": 1}})
    return {"data": traces, "layout": figure}


def _beyond_label(name: str, n_beyond: int, drawn: int, half_width: float) -> str:
    """Return the label of a histogram: how many draws are beyond the half-width."""
    return f"{name}: {n_beyond:,} of {drawn:,} beyond ±{number_format.format_up(half_width)}"


def _density_axis(low: float, high: float) -> dict[str, Any]:
    """Return an axis of densities, which are positive to both sides of 0."""
    step = round_axis_end(max(high, -low) / 4)
    places = step * np.arange(math.ceil(low / step), math.floor(high / step) + 1)
    ticks = {"tickvals": places.tolist(), "ticktext": [number_format.format_nearest(abs(place)) for place in places]}
    return {"range": [low, high], "fixedrange": True, "title": {"text": "share of draws per query unit"}} | ticks


def _histogram(draws: Draws, key: str, side: int) -> dict[str, Any]:
    """Return the density of the draws in bins, above the axis or below it (`side` −1)."""
    return {
        "type": "scatter",
        "mode": "lines",
        "x": compact((draws.edges[:-1] + draws.edges[1:]) / 2),
        "y": compact(side * draws.counts[key] / (N_DRAWS * np.diff(draws.edges))),  # of all draws
        "customdata": compact(draws.counts[key]),
        "hovertemplate": "%{customdata} draws around %{x:.4~g}<extra></extra>",
    }


def _mark_half_width(
    figure: dict[str, Any], half_width: float, top: float, shade: str, axis_end: float, key: str = ""
) -> None:
    """Draw dashed lines at both ends of the half-width of a noise, from 0 to `top`, with its value.

    With the `key` of a parameter, the right one is the handle by which the parameter is dragged.
    """
    for end in (-half_width, half_width):
        mark = {"type": "line", "x0": end, "x1": end, "y0": 0, "y1": 0.97 * top}
        name = {"name": key} if key and end > 0 else {}
        figure["shapes"].append(mark | {"line": {"color": shade, "width": 1.5, "dash": "dash"}} | name)
    if half_width <= axis_end:
        note: dict[str, Any] = {"name": key} if key else {}
        note |= {"text": _half_width_label(half_width), "showarrow": False, "x": half_width, "y": 0.97 * top}
        is_near_edge = half_width > 0.8 * axis_end  # a note to the right of its line would be cut off
        anchors = {"xanchor": "right" if is_near_edge else "left", "yanchor": "top" if top > 0 else "bottom"}
        figure["annotations"].append(note | anchors | {"xshift": -5 if is_near_edge else 5, "font": {"color": shade}})


_EDGE = 0.2
"""A share of the axis: to the left of a point within it there is no room for a label."""


def tails_figure(result: LaplaceGaussianResult, frame: pd.DataFrame, subtitle: str, colours: Colours) -> Figure:
    """Draw both tails over the distance |t| on a log axis, and mark the half-width of each at the significance level.

    The distance is marked at which both are equal, if they were made so there.
    """
    setting, half_widths = result.setting, result.half_widths
    significance, pinned = setting.significance, result.answered_pinned
    bottom = min(-6, math.floor(math.log10(significance)) - 1)
    axis = distance_axis(float(frame["t"].to_numpy()[-1]))
    share = log_axis("probability of a larger |noise|", bottom, 0)
    figure = layout(colours, "How often the noise goes beyond |t|", subtitle, axis, share)
    traces = []
    if pinned is not None:
        keys = list(NOISES)
        pinned_tails = pinned.tails(frame["t"].to_numpy())
        pinned_tails[keys] = _without_tiny(pinned_tails[keys].to_numpy(), bottom)
        traces += pinned_lines(pinned_tails, "t", keys, colours)
    for key, name, shade, dash in noise_looks(result, colours):
        tail = _without_tiny(frame[key].to_numpy(), bottom)
        traces.append(line(frame["t"], tail, name, shade, dash, hovertemplate="%{y:.4~g}"))
        is_larger = half_widths[key] == max(half_widths.values())
        is_at_edge = not is_larger and half_widths[key] < _EDGE * axis["range"][1]
        side = "top right" if is_larger else "" if is_at_edge else "bottom left"
        traces.append(_half_width_point(half_widths[key], significance, side, shade))
        if is_at_edge:  # its label stands beside the axis, below the point
            at = {"x": 0, "xanchor": "left", "xshift": 4}
            at |= {"y": math.log10(significance), "yanchor": "top", "yshift": -18}
            words = {"text": _half_width_label(half_widths[key]), "showarrow": False, "font": {"color": shade}}
            figure["annotations"].append(at | words)
    if "truncated" in frame:
        truncated, least = (_without_tiny(frame[key].to_numpy(), bottom) for key in ("truncated", "least"))
        traces.append(truncated_line(frame["t"].to_numpy(), truncated, colours))
        style: dict[str, Any] = {"line": {"color": colours["text"], "width": 1, "shape": "vh"}}
        style |= {"hovertemplate": "at least %{y:.4~g}"}
        traces.append(line(frame["t"], least, "any noise: at least", colours["text"], "solid", **style))
    level = {"type": "line", "x0": 0, "x1": 1, "xref": "paper", "y0": significance, "y1": significance}
    figure["shapes"].append(level | {"line": {"color": colours["quiet"], "dash": "dash", "width": 1}})
    if setting.hold == "tail":
        mark_distance(figure, colours, setting.t)
    return {"data": traces, "layout": figure}


def _half_width_point(end: float, significance: float, side: str, shade: str) -> dict[str, Any]:
    """Return the point of a tail at the significance level, with its distance."""
    return {
        "type": "scatter",
        "mode": "markers+text" if side else "markers",
        "x": compact([end]),
        "y": compact([significance]),
        "text": [_half_width_label(end)],
        "textposition": side or "middle center",
        "textfont": {"color": shade},
        "marker": {"color": shade, "size": 10, "line": {"color": shade, "width": 1}},
        "showlegend": False,
        "hoverinfo": "skip",
        "cliponaxis": False,
    }


def _half_width_label(end: float) -> str:
    return f"±{number_format.format_up(end)}"


def _without_tiny(share: Array, bottom: int) -> Array:
    """Return the values without those far below the axis, which single precision could not represent."""
    return np.where(share > 10.0 ** (bottom - 2), share, np.nan)
