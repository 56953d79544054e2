"""Figures of the cells of a table, each with its error bar."""

from collections.abc import Sequence
from itertools import takewhile
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
_MOST_ON_AXIS, _MOST_IN_HOVER = 22, 80  # characters of a name
_ROW = 17  # px, of a cell with its name
USABLE, LIKE_EMPTY = "usable", "looks like an empty cell"


def cells_figure(result: TablesResult, subtitle: str, colours: Colours) -> Figure:
    """Draw cells under one another, each as a point with its interval, or its half-width over its count."""
    axis, relative, order = result.values["axis"], result.values["axis"] == "relative", result.drawn_order
    order = order[result.counts[order] > 0] if relative else order
    places, count, half_width = np.arange(1, len(order) + 1), result.counts[order], result.half_width
    reach = half_width / count if relative else np.maximum(count, 0.5) if axis == "log" else count
    common = axis_names(result, order)[1]
    subtitle += f"; cells by {common}" if common else ""
    figure = layout(
        colours, _figure_title(axis), subtitle, _count_axis(axis, result) | {"side": "top"}, _names_axis(result, order)
    )
    least = 60 + _ROW * len(order)
    figure |= {"hovermode": "closest", "height": max(figure["height"], least), "meta": {"leastHeight": least}}
    traces, is_usable = [], result.is_usable[order]
    classes = (
        (is_usable, USABLE, mechanism_colour(result, colours), "circle"),
        (~is_usable, LIKE_EMPTY, colours["quiet"], "diamond-open"),
    )
    for in_class, name, shade, symbol in classes:
        if in_class.any():
            trace = _cell_points(reach[in_class], places[in_class], name, shade, symbol)
            trace |= {"text": cell_names(result, order[in_class]), "customdata": compact(count[in_class])}
            trace |= {"hovertemplate": "%{text}<br>count %{customdata:,}<extra></extra>"}
            trace |= {} if relative else {"error_x": _error_bars(reach[in_class], half_width, axis, shade)}
            traces.append(trace)
    if axis == "linear":
        zero = {"type": "line", "x0": 0, "x1": 0, "yref": "paper", "y0": 0, "y1": 1}
        figure["shapes"].append(zero | {"line": {"color": colours["quiet"], "width": 1}})
    if relative:
        _mark_accepted_share(figure, result.values["share"], colours)
    return {"data": traces, "layout": figure}


def _figure_title(axis: str) -> str:
    return "Error as a share of the count" if axis == "relative" else "Your cells, and where a release falls"


def _names_axis(result: TablesResult, order: NDArray[np.intp]) -> dict[str, Any]:
    """Return the axis of cells, the first one on top, with their names."""
    n, names = max(len(order), 1), axis_names(result, order)[0]
    ticks = {"tickvals": [*range(1, len(names) + 1)], "ticktext": names}
    return {"range": [n + 0.7, 0.3], "showgrid": False, "fixedrange": True} | ticks


def mechanism_colour(result: TablesResult, colours: Colours) -> str:
    """Return the colour of the mechanism, as on every page."""
    return colours["quiet" if result.mechanism is None else result.mechanism.key]


def cells_axis(result: TablesResult, order: NDArray[np.intp]) -> dict[str, Any]:
    """Return the axis of cells: their short names if they are few and differ, else their places alone."""
    n_cells, (names, common) = result.counts.size, axis_names(result, order)
    axis: dict[str, Any] = {"range": [0.3, max(n_cells, 1) + 0.7]}
    if n_cells > _MOST_NAMES or len({*names}) < len(names):
        return axis | {"title": {"text": "cells, largest first"}}
    title = {"title": {"text": common}} if common else {}
    return axis | {"tickvals": [*range(1, len(names) + 1)], "ticktext": names, "autotickangles": [0, -60, 90]} | title


def cell_names(result: TablesResult, order: NDArray[np.intp]) -> list[str]:
    """Return the names of cells as text of a chart."""
    return [number_format.chart_text(name, _MOST_IN_HOVER) for name in _names(result, order)]


def axis_names(result: TablesResult, order: NDArray[np.intp]) -> tuple[list[str], str]:
    """Return the names of cells for an axis, and the words that all of them have in common, if they were left out.

    They are left out where the names, cut to the length that the axis has room for, are not different.
    """
    names = _names(result, order)
    parts = [name.split(", ") for name in names]
    common = [""]
    if len({name[: _MOST_ON_AXIS - 1] for name in names}) < len(names) and len({*map(len, parts)}) == 1:
        common = [_common_words(column) for column in zip(*parts, strict=True)]
        rests = ([part.removeprefix(f"{word} ") for part, word in zip(each, common, strict=True)] for each in parts)
        names = [", ".join(rest) for rest in rests]
    short = [number_format.chart_text(name, _MOST_ON_AXIS) for name in names]
    return short, number_format.chart_text(", ".join(filter(None, common)), _MOST_IN_HOVER)


def _common_words(names: Sequence[str]) -> str:
    """Return the words with which all names begin, without the last word of any."""
    words = zip(*(name.split(" ")[:-1] for name in names), strict=False)
    return " ".join(alike[0] for alike in takewhile(lambda each: len({*each}) == 1, words))


def _names(result: TablesResult, order: NDArray[np.intp]) -> list[str]:
    return [] if result.table is None else [*map(str, result.table.frame["cell"].to_numpy()[order])]


def _count_axis(axis: str, result: TablesResult) -> dict[str, Any]:
    """Return the axis of counts, over a range that seldom changes."""
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


def _error_bars(reach: Array, half_width: float, axis: str, shade: str) -> dict[str, Any]:
    if axis == "linear":
        return {"type": "constant", "value": half_width, "color": shade, "thickness": 1.5, "width": 3}
    down = np.minimum(half_width, reach - 0.4)  # a log axis has no place for 0
    shape = {"type": "data", "symmetric": False, "color": shade, "thickness": 1.5, "width": 3}
    return shape | {"array": compact(np.full(reach.size, half_width)), "arrayminus": compact(np.maximum(down, 0))}


def _cell_points(reach: Array, places: NDArray[np.integer], name: str, shade: str, symbol: str) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "markers",
        "name": name,
        "x": compact(reach),
        "y": compact(places),
        "marker": {"color": shade, "symbol": symbol, "size": 7},
    }


def _mark_accepted_share(figure: Figure, share: float, colours: Colours) -> None:
    """Mark the share of the count that the error may be."""
    style = {"color": colours["quiet"], "dash": "dash", "width": 1}
    figure["shapes"].append(
        {"type": "line", "x0": share, "x1": share, "yref": "paper", "y0": 0, "y1": 1, "line": style}
    )
    note = {"text": "accepted", "showarrow": False, "yref": "paper", "y": 1, "xanchor": "left", "yanchor": "bottom"}
    figure["annotations"].append(note | {"x": float(np.log10(share)), "font": {"size": theme.TYPE}})
