"""Figures of the cells of a table, each with its error bar."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore.checks import Array
from pages.framework.chart import theme
from pages.framework.chart.theme import compact, layout
from pages.framework.export.exhibit import Colours, Figure
from pages.framework.parameters import number_format
from pages.tables.results import TablesResult

_MOST_NAMES = 24  # names of more cells have no room on the axis
MOST_ON_AXIS = 22  # characters of a name on the axis
_MOST_MARKERS = 2000  # each is a node of the page; more cells are drawn as lines
_MOST_POINTS = 4000  # points of a line


def cells_figure(result: TablesResult, subtitle: str, colours: Colours) -> Figure:
    """Draw counts as points with error bars, or the half-width over the count, by the chosen axis."""
    axis, relative = result.values["axis"], result.values["axis"] == "relative"
    order = np.argsort(-result.counts, kind="stable")
    order = order[result.counts[order] > 0] if relative else order
    n_drawn = len(order)
    places = np.arange(1, len(order) + 1)
    if len(order) > _MOST_POINTS:
        sample = np.unique(np.linspace(0, len(order) - 1, _MOST_POINTS).astype(np.intp))
        order, places = order[sample], places[sample]
    count, half_width = result.counts[order], result.half_width
    height = half_width / count if relative else np.maximum(count, 0.5) if axis == "log" else count
    figure = layout(
        colours,
        _figure_title(axis),
        subtitle,
        cells_axis(n_drawn, cell_names(result, order, MOST_ON_AXIS)),
        _count_axis(axis, result),
    )
    figure["hovermode"] = "closest"
    is_small = len(order) <= _MOST_MARKERS
    traces = [] if is_small or relative else _error_band(places, height, half_width, axis, colours)
    mechanism_shade, clear, stays = (
        mechanism_colour(result, colours),
        result.bar_is_above_zero[order],
        result.stays_above_zero[order],
    )
    classes = (
        (clear, "error bar above 0", mechanism_shade, "circle"),
        (stays & ~clear, "error bar reaches 0, released as positive", mechanism_shade, "circle-open"),
        (~stays, "may be released as 0 or below", colours["quiet"], "diamond"),
    )
    for in_class, name, shade, symbol in classes:
        if in_class.any():
            trace = _cell_points(places[in_class], height[in_class], name, shade, symbol, is_small)
            if is_small:
                trace |= {"text": cell_names(result, order[in_class]), "customdata": compact(count[in_class])}
                trace |= {"hovertemplate": "%{text}<br>count %{customdata:,}<extra></extra>"}
                trace |= {} if relative else {"error_y": _error_bars(height[in_class], half_width, axis, shade)}
            traces.append(trace)
    if axis == "linear":
        zero = {"type": "line", "x0": 0, "x1": 1, "xref": "paper", "y0": 0, "y1": 0}
        figure["shapes"].append(zero | {"line": {"color": colours["quiet"], "width": 1}})
    if relative:
        _mark_accepted_share(figure, result.values["share"], colours)
    return {"data": traces, "layout": figure}


def _figure_title(axis: str) -> str:
    return "Error as a share of the count" if axis == "relative" else "Counts with the error of the noise"


def mechanism_colour(result: TablesResult, colours: Colours) -> str:
    """Return the colour of the mechanism, as on every page."""
    return colours["quiet" if result.mechanism is None else result.mechanism.key]


def cells_axis(n_cells: int, names: list[str]) -> dict[str, Any]:
    """Return the axis of cells: their short names if they are few and differ, else their places alone."""
    axis: dict[str, Any] = {"range": [0.3, max(n_cells, 1) + 0.7]}
    if n_cells > _MOST_NAMES or len({*names}) < len(names):
        return axis | {"title": {"text": "cells, largest first"}}
    return axis | {"tickvals": [*range(1, len(names) + 1)], "ticktext": names, "autotickangles": [0, -60, 90]}


def cell_names(result: TablesResult, order: NDArray[np.intp], most: int = 80) -> list[str]:
    """Return the names of cells as text of a chart, of at most so many characters."""
    cells = [] if result.table is None else result.table.frame["cell"].to_numpy()[order]
    return [number_format.chart_text(str(cell), most) for cell in cells]


def _count_axis(axis: str, result: TablesResult) -> dict[str, Any]:
    """Return the y axis, over a range that seldom changes."""
    half_width, top = result.half_width, max(float(result.counts.max(initial=0)), 1.0)
    if axis == "linear":
        low, high = theme.round_axis_end(half_width), theme.round_axis_end(top + half_width)
        pad = 0.02 * (low + high)  # so that the end of a bar is visible
        return {"range": [-low - pad, high + pad], "title": {"text": "count"}}
    if axis == "log":
        low, high = theme.decades(0, 1, top + half_width)
        return theme.log_axis("count; an empty cell at 0.5", low, high) | {"range": [np.log10(0.4), high]}
    least = float(result.counts[result.counts > 0].min(initial=top))
    low, high = theme.decades(-1, 0, half_width / top, half_width / least)
    return theme.log_axis("± ÷ count", low, high)


def _error_bars(height: Array, half_width: float, axis: str, shade: str) -> dict[str, Any]:
    if axis == "linear":
        return {"type": "constant", "value": half_width, "color": shade, "thickness": 1.5, "width": 3}
    down = np.minimum(half_width, height - 0.4)  # a log axis has no place for 0
    shape = {"type": "data", "symmetric": False, "color": shade, "thickness": 1.5, "width": 3}
    return shape | {"array": compact(np.full(height.size, half_width)), "arrayminus": compact(np.maximum(down, 0))}


def _error_band(
    places: NDArray[np.integer], height: Array, half_width: float, axis: str, colours: Colours
) -> list[dict[str, Any]]:
    low = np.maximum(height - half_width, 0.4) if axis == "log" else height - half_width
    edge = {"mode": "lines", "line": {"width": 0}, "hoverinfo": "skip", "type": "scatter", "x": compact(places)}
    filled = {"fill": "tonexty", "fillcolor": colours["band"], "name": "± of each cell"}
    return [edge | {"y": compact(low), "showlegend": False}, edge | {"y": compact(height + half_width)} | filled]


def _cell_points(
    places: NDArray[np.integer], height: Array, name: str, shade: str, symbol: str, is_small: bool
) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "markers" if is_small else "lines",
        "name": name,
        "x": compact(places),
        "y": compact(height),
        "marker": {"color": shade, "symbol": symbol, "size": 7},
        "line": {"color": shade, "width": 2.5},
    }


def _mark_accepted_share(figure: Figure, share: float, colours: Colours) -> None:
    """Mark the share of the count that the error may be."""
    style = {"color": colours["quiet"], "dash": "dash", "width": 1}
    figure["shapes"].append(
        {"type": "line", "x0": 0, "x1": 1, "xref": "paper", "y0": share, "y1": share, "line": style}
    )
    note = {"text": "accepted", "showarrow": False, "xref": "paper", "x": 1, "xanchor": "right", "yanchor": "bottom"}
    figure["annotations"].append(note | {"y": float(np.log10(share)), "font": {"size": theme.TYPE}})
