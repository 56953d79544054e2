"""The picture of the section: the error of ranges by their length."""

from pages.framework.chart.theme import ghost, hairline, hover_head, layout, line, round_axis_end
from pages.framework.export.exhibit import Colours, Figure
from pages.series.over_time.figures import LOOKS
from pages.series.ranges.results import RangeMethod, column_of
from pages.series.ranges.text import METHOD_WORDS, cells_words
from pages.series.results import SeriesResult

_TREES = {4: ("purple", "dash"), 8: ("rose", "dot"), 16: ("ochre", "dot")}
_ROOM = 1.02  # beyond n, so that its line is no edge


def lengths_figure(result: SeriesResult, colours: Colours) -> Figure:
    """Draw the largest half-width over the length of a range, by method, with the limit of all methods."""
    found = result.ranges
    pinned = None if result.pinned is None else result.pinned.ranges
    highest = found.lengths.drop(columns="length").to_numpy().max()
    last = found.cells.n if pinned is None else max(found.cells.n, pinned.cells.n)
    x = {"range": [0, round_axis_end(last * _ROOM)], "title": {"text": "cells in a range"}} | hover_head("length")
    y = {
        "range": [0, round_axis_end(float(highest))],
        "title": {"text": result.setting.size_text("± at most,")},
    }
    figure = layout(colours, "Error of a range, by its length", cells_words(result), x, y)
    traces = []
    if pinned is not None:
        values = pinned.by_length(pinned.best_method)
        traces.append(line(range(1, values.size + 1), values, "pinned", "", "") | ghost(colours))
    for method in found.drawn:
        shade, dash = _look(method)
        name = column_of(method)
        trace = line(
            found.lengths["length"],
            found.lengths[name],
            METHOD_WORDS[name],
            colours[shade],
            dash,
            hovertemplate="±%{y:.4~g}",
        )
        traces.append(trace | {"line": trace["line"] | {"width": 4 if method == found.best_method else 2}})
    if found.lowest is not None:
        ends, lowest = [1, found.cells.n], [found.lowest] * 2
        limit = line(ends, lowest, "limit of the largest ±", colours["text"], "solid", hovertemplate="±%{y:.4~g}")
        traces.append(limit | {"line": limit["line"] | {"width": 1}})
    hairline(figure, colours, found.cells.n, f"n = {found.cells.n:,}", "n_cells")
    return {"data": traces, "layout": figure}


def _look(method: RangeMethod) -> tuple[str, str]:
    return _TREES.get(method.branching or 0, LOOKS[method.strategy])
