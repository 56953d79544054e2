"""Who wins where: both noises against the number of counts, and a map over ε and δ."""

import math
from typing import Any

import numpy as np
import pandas as pd

from dpcore.calibrations import Calibration
from pages.framework.chart.theme import compact, decades, hairline, layout, line, log_axis, pinned_line
from pages.framework.export.exhibit import Colours, Figure
from pages.framework.parameters import number_format
from pages.laplace_gaussian.chart_style import noise_looks, tint
from pages.laplace_gaussian.chart_style import pinned_look as ghost
from pages.laplace_gaussian.grids import MAP_DELTA, MAP_EPSILON

_MEASURE_DASHES = {"variance": "solid", "mean_error": "dash", "accuracy": "dot"}
_NOISES = ("laplace", "gaussian")


def statistics_figure(
    frame: pd.DataFrame,
    measure: tuple[str, str],
    crossing: int,
    k: float,
    kept: tuple[float, pd.DataFrame] | None,
    subtitle: str,
    gaussian: Calibration,
    colour: Colours,
) -> Figure:
    """A measure (key and name) of both noises against the number of counts, with the crossover and the current k.

    `kept` are the k of a kept setting and what it has of the measure.
    """
    key, name = measure
    values = frame[[f"laplace_{key}", f"gaussian_{key}"]].to_numpy()
    along = log_axis("counts of one person, k", *decades(0, 3, k, crossing))
    low, high = math.floor(math.log10(values.min())), math.ceil(math.log10(values.max()))
    sizes = log_axis(f"{name} ({'squared ' if key == 'variance' else ''}query units)", low, high)
    along["unifiedhovertitle"] = {"text": "k = %{x:,.0f}"}
    figure = layout(colour, f"{name[0].upper()}{name[1:]} against the number of counts", subtitle, along, sizes)
    traces = []
    if kept is not None:
        olds = [line(kept[1]["k"], kept[1][f"{noise}_{key}"], "pinned", "", "solid") for noise in _NOISES]
        traces += [old | ghost(colour) | {"showlegend": old is olds[0]} for old in olds]
    traces += [
        line(frame["k"], frame[f"{noise}_{key}"], label, shade[0], shade[1], hovertemplate="≈ %{y:.4~g}")
        for noise, label, shade in noise_looks(gaussian, colour)
    ]
    _mark_crossing(figure, crossing, colour)
    if kept is not None and kept[0] != k:
        pinned_line(figure, colour, kept[0])
    hairline(figure, colour, k, f"k = {k:,.0f}", "k")
    return {"data": traces, "layout": figure}


def _mark_crossing(figure: dict[str, Any], crossing: int, colour: Colours) -> None:
    """A dotted line from where on the Gaussian is the smaller, said at its foot."""
    place = {"type": "line", "x0": crossing, "x1": crossing, "y0": 0, "y1": 1, "yref": "y domain"}
    figure["shapes"].append(place | {"line": {"color": colour["text"], "width": 1, "dash": "dot"}})
    note = {"text": f"Gaussian smaller from k = {crossing:,}", "showarrow": False, "x": math.log10(crossing)}
    side = "right" if crossing > 30 else "left"
    figure["annotations"].append(note | {"y": 0.02, "yref": "y domain", "xanchor": side, "yanchor": "bottom"})


def map_figure(
    frontiers: pd.DataFrame,
    measure: str,
    names: dict[str, str],
    here: tuple[float, float],
    kept: tuple[float, float] | None,
    subtitle: str,
    gaussian: Calibration,
    colour: Colours,
) -> Figure:
    """Which noise is smaller over (ε, δ): the chosen measure's regions in colour, all three frontiers as lines.

    `here` and `kept` are the ε and δ of the setting and of a kept one.
    """
    low, high = decades(*MAP_DELTA, here[1])
    along = log_axis("privacy loss parameter ε (nats)", *decades(*MAP_EPSILON, here[0]))
    title = f"Where each noise is smaller: {names[measure]}"
    figure = layout(colour, title, subtitle, along, log_axis("δ", low, high))
    figure["hovermode"] = "closest"
    epsilon, shade = frontiers["epsilon"].to_numpy(), colour[gaussian.key]
    chosen = np.clip(frontiers[measure].to_numpy(), 10.0**low, 1)
    edge = {"mode": "lines", "type": "scatter", "line": {"width": 0}, "hoverinfo": "skip", "showlegend": False}
    x = compact(epsilon)
    traces = [
        edge | {"x": x, "y": compact(np.full(epsilon.size, 10.0**low))},
        edge | {"x": x, "y": compact(chosen), "fill": "tonexty", "fillcolor": tint(colour["laplace"])},
        edge | {"x": x, "y": compact(np.ones(epsilon.size)), "fill": "tonexty", "fillcolor": tint(shade)},
    ]
    for key, label in names.items():
        frontier = np.where(frontiers[key] < 10.0**low, np.nan, frontiers[key])
        look = (colour["text"], 3) if key == measure else (colour["quiet"], 1.5)
        drawn = {"line": {"color": look[0], "dash": _MEASURE_DASHES[key], "width": look[1]}}
        traces.append(line(epsilon, frontier, label, look[0], "solid", hovertemplate="δ ≈ %{y:.4~g}", **drawn))
    if kept is not None and kept[0] > 0:
        traces.append(_star(kept, "pinned", colour["quiet"], "star-open"))
    if here[0] > 0:
        traces.append(_star(here, "your ε and δ", colour["text"], "star"))
    share = (math.log10(chosen[0]) - low) / (high - low)  # of the height, below the frontier at its left end
    figure["annotations"] += _regions(share, colour["laplace"], shade)
    hairline(figure, colour, here[0], f"ε = {number_format.format_input_up(here[0])}", "epsilon")
    return {"data": traces, "layout": figure}


def _star(place: tuple[float, float], name: str, shade: str, symbol: str) -> dict[str, Any]:
    """A setting on the map."""
    hover = "ε = %{x:.4~g}, δ = %{y:.4~g}<extra></extra>"
    point = line([place[0]], [place[1]], name, shade, "solid", hovertemplate=hover)
    return point | {"mode": "markers", "marker": {"symbol": symbol, "size": 14, "color": shade}}


def _regions(share: float, laplace_shade: str, gaussian_shade: str) -> list[dict[str, Any]]:
    """The names of the regions of the map, where there is room for them; `share` of its height is Laplace's."""
    note = {"showarrow": False, "xref": "x domain", "yref": "y domain"}
    below = {"x": 0.97, "y": 0.04, "xanchor": "right", "yanchor": "bottom"}
    above = {"x": 0.03, "y": 0.97, "xanchor": "left", "yanchor": "top"}
    notes = []
    if share > 0.12:
        font = {"size": 14, "color": laplace_shade}
        notes.append(note | below | {"text": "<b>Laplace smaller</b>", "font": font})
    words, place = "Gaussian smaller", above
    if share >= 0.88:
        words, place = "↑ Gaussian smaller", above | {"y": share - 0.03}
    notes.append(note | place | {"text": f"<b>{words}</b>", "font": {"size": 14, "color": gaussian_shade}})
    return notes
