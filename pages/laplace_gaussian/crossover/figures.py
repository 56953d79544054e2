"""The pictures of where each noise is smaller: over the number of counts, and over ε and δ."""

import math
from typing import Any

import numpy as np
import pandas as pd

from dpcore.calibrations import Calibration
from dpcore.checks import Array
from pages.framework.chart.theme import compact, decades, hairline, layout, line, log_axis, pinned_line, transparent
from pages.framework.export.exhibit import Colours, Figure
from pages.framework.parameters import number_format
from pages.laplace_gaussian.chart_style import noise_looks, pinned_look
from pages.laplace_gaussian.grids import MAP_DELTA, MAP_EPSILON

_MEASURE_DASHES = {"variance": "solid", "mean_error": "dash", "accuracy": "dot"}
_NOISES = ("laplace", "gaussian")


def statistics_figure(
    frame: pd.DataFrame,
    measure: tuple[str, str],
    crossing: int,
    k: float,
    pinned: tuple[float, pd.DataFrame] | None,
    subtitle: str,
    gaussian: Calibration,
    colours: Colours,
) -> Figure:
    """Draw a measure (key and name) of both noises over the number of counts, with the crossover and the current k.

    `pinned` are the k of a pinned setting and its frame.
    """
    key, name = measure
    values = frame[[f"laplace_{key}", f"gaussian_{key}"]].to_numpy()
    along = log_axis("counts of one person, k", *decades(0, 3, k, crossing))
    low, high = math.floor(math.log10(values.min())), math.ceil(math.log10(values.max()))
    sizes = log_axis(f"{name} ({'squared ' if key == 'variance' else ''}query units)", low, high)
    along["unifiedhovertitle"] = {"text": "k = %{x:,.0f}"}
    figure = layout(colours, f"{name[0].upper()}{name[1:]} against the number of counts", subtitle, along, sizes)
    traces = []
    if pinned is not None:
        pinned_lines = [line(pinned[1]["k"], pinned[1][f"{noise}_{key}"], "pinned", "", "solid") for noise in _NOISES]
        traces += [trace | pinned_look(colours) | {"showlegend": trace is pinned_lines[0]} for trace in pinned_lines]
    traces += [
        line(frame["k"], frame[f"{noise}_{key}"], label, shade[0], shade[1], hovertemplate="≈ %{y:.4~g}")
        for noise, label, shade in noise_looks(gaussian, colours)
    ]
    _mark_crossing(figure, crossing, colours)
    if pinned is not None and pinned[0] != k:
        pinned_line(figure, colours, pinned[0])
    hairline(figure, colours, k, f"k = {k:,.0f}", "k")
    return {"data": traces, "layout": figure}


def _mark_crossing(figure: dict[str, Any], crossing: int, colours: Colours) -> None:
    """Draw a dotted line at the number of counts from which on the Gaussian is smaller, with a label at its foot."""
    position = {"type": "line", "x0": crossing, "x1": crossing, "y0": 0, "y1": 1, "yref": "y domain"}
    figure["shapes"].append(position | {"line": {"color": colours["text"], "width": 1, "dash": "dot"}})
    note = {"text": f"Gaussian smaller from k = {crossing:,}", "showarrow": False, "x": math.log10(crossing)}
    side = "right" if crossing > 30 else "left"
    figure["annotations"].append(note | {"y": 0.02, "yref": "y domain", "xanchor": side, "yanchor": "bottom"})


def map_figure(
    frontiers: pd.DataFrame,
    failures: tuple[Array, Array],
    measure: str,
    names: dict[str, str],
    point: tuple[float, float],
    pinned: tuple[float, float] | None,
    subtitle: str,
    gaussian: Calibration,
    colours: Colours,
) -> Figure:
    """Draw which noise is smaller over (ε, δ): the regions by the chosen measure in colour, all frontiers as lines.

    `failures` are the ε from which on the Gaussian's σ violates its guarantee, and their δ: the area beyond is hatched.
    `point` and `pinned` are the ε and δ of the setting and of a pinned one.
    """
    low, high = decades(*MAP_DELTA, point[1])
    along = log_axis("privacy loss parameter ε (nats)", *decades(*MAP_EPSILON, point[0]))
    title = f"Where each noise is smaller: {names[measure]}"
    figure = layout(colours, title, subtitle, along, log_axis("δ", low, high))
    figure["hovermode"] = "closest"
    epsilon, shade = frontiers["epsilon"].to_numpy(), colours[gaussian.key]
    fill = {"fill": "tonexty", "fillcolor": transparent(shade)}
    frontier_of_measure = np.clip(frontiers[measure].to_numpy(), 10.0**low, 1)
    edge = {"mode": "lines", "type": "scatter", "line": {"width": 0}, "hoverinfo": "skip", "showlegend": False}
    x = compact(epsilon)
    traces = [
        edge | {"x": x, "y": compact(np.full(epsilon.size, 10.0**low))},
        edge | fill | {"x": x, "y": compact(frontier_of_measure), "fillcolor": transparent(colours["laplace"])},
        edge | fill | {"x": x, "y": compact(np.ones(epsilon.size))},
    ]
    traces += _failing_area(failures, 10.0 ** along["range"][1], gaussian, colours)
    for key, label in names.items():
        frontier = np.where(frontiers[key] < 10.0**low, np.nan, frontiers[key])
        look = (colours["text"], 3) if key == measure else (colours["quiet"], 1.5)
        style = {"line": {"color": look[0], "dash": _MEASURE_DASHES[key], "width": look[1]}}
        traces.append(line(epsilon, frontier, label, look[0], "solid", hovertemplate="δ ≈ %{y:.4~g}", **style))
    if pinned is not None and pinned[0] > 0:
        traces.append(_setting_star(pinned, "pinned", colours["quiet"], "star-open"))
    if point[0] > 0:
        traces.append(_setting_star(point, "your ε and δ", colours["text"], "star"))
    share = (math.log10(frontier_of_measure[0]) - low) / (
        high - low
    )  # of the height, below the frontier at its left end
    figure["annotations"] += _region_notes(share, colours["laplace"], shade, is_hatched=failures[0].size > 0)
    hairline(figure, colours, point[0], f"ε = {number_format.format_input_up(point[0])}", "epsilon")
    return {"data": traces, "layout": figure}


def _failing_area(
    failures: tuple[Array, Array], end: float, gaussian: Calibration, colours: Colours
) -> list[dict[str, Any]]:
    """Return red hatching from the first ε of a failure to the end of the axis, nothing where there is no failure."""
    if not failures[0].size:
        return []
    epsilon, delta = (compact(values) for values in failures)
    hidden = {"mode": "lines", "type": "scatter", "line": {"width": 0}, "hoverinfo": "skip", "showlegend": False}
    pattern = {"shape": "/", "fgcolor": colours["fails"], "bgcolor": "rgba(0,0,0,0)", "size": 9, "solidity": 0.2}
    edge = line(
        epsilon, delta, f"{gaussian.name}: FAILS", colours["fails"], "dot", hovertemplate="from ε ≈ %{x:.4~g} on"
    )
    return [
        hidden | {"x": compact(np.full(epsilon.size, end)), "y": delta},
        edge | {"fill": "tonextx", "fillpattern": pattern, "fillcolor": "rgba(0,0,0,0)"},
    ]


def _setting_star(position: tuple[float, float], name: str, shade: str, symbol: str) -> dict[str, Any]:
    """Return the mark of a setting on the map."""
    hover = "ε = %{x:.4~g}, δ = %{y:.4~g}<extra></extra>"
    point = line([position[0]], [position[1]], name, shade, "solid", hovertemplate=hover)
    return point | {"mode": "markers", "marker": {"symbol": symbol, "size": 14, "color": shade}}


def _region_notes(share: float, laplace_shade: str, gaussian_shade: str, is_hatched: bool) -> list[dict[str, Any]]:
    """Return the names of the regions where there is room; `share` is the share of the height below the frontier.

    Where the right side `is_hatched`, both names stand on the left.
    """
    note = {"showarrow": False, "xref": "x domain", "yref": "y domain"}
    below = {"x": 0.97, "y": 0.12, "xanchor": "right", "yanchor": "bottom"}
    below |= {"x": 0.03, "xanchor": "left"} if is_hatched else {}
    above = {"x": 0.03, "y": 0.97, "xanchor": "left", "yanchor": "top"}
    notes = []
    if share > 0.12:
        font = {"size": 14, "color": laplace_shade}
        notes.append(note | below | {"text": "<b>Laplace smaller</b>", "font": font})
    label, position = "Gaussian smaller", above
    if share >= 0.88:
        label, position = "↑ Gaussian smaller", above | {"y": share - 0.03}
    notes.append(note | position | {"text": f"<b>{label}</b>", "font": {"size": 14, "color": gaussian_shade}})
    return notes
