"""Figures of a release: true counts beside released ones, and what repeated releases preserve."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore.checks import Array
from pages.framework.chart import theme
from pages.framework.chart.theme import compact, layout
from pages.framework.export.exhibit import Colours, Figure
from pages.tables.cells.figures import cell_names, cells_axis, mechanism_colour
from pages.tables.results import ReleaseStatistics, TablesResult

MOST_BARS = 200  # more bars are not distinguishable in the figure
_STATISTICS = (("order", "text", "circle"), ("sign", "quiet", "diamond"), ("significance", "purple", "square"))
STATISTIC_NAMES = {
    "order": "rank",
    "sign": "above 0 or not",
    "significance": "classified correctly",
}


def largest_cells(result: TablesResult) -> NDArray[np.intp]:
    """Return the positions of the cells that have bars, the largest first."""
    return np.argsort(-result.counts, kind="stable")[:MOST_BARS]


def release_figure(result: TablesResult, subtitle: str, colours: Colours) -> Figure:
    """Draw each cell's true count beside the released one."""
    order = largest_cells(result)
    count, released = result.counts[order], result.released[order]
    names = cell_names(result, order)
    half_width = result.half_width
    top = theme.round_axis_end(max(float(result.counts.max(initial=0)) + half_width, 1.0))
    x_axis = cells_axis(result, order)
    low = 0.0 if result.values["clipped"] == "on" else -theme.round_axis_end(half_width)
    figure = layout(
        colours,
        "True counts and one release",
        subtitle,
        x_axis | theme.hover_head("cell"),
        {"range": [low, top], "title": {"text": "count"}},
    )
    figure |= {"barmode": "group", "bargap": 0.25, "bargroupgap": 0}
    places = np.arange(1, len(order) + 1)
    bars = [
        _count_bars(places, count, "true count", colours["quiet"], names),
        _count_bars(places, released, "released", mechanism_colour(result, colours), names),
    ]
    return {"data": bars, "layout": figure}


def _count_bars(places: NDArray[np.integer], height: Array, name: str, shade: str, names: list[str]) -> dict[str, Any]:
    return {
        "type": "bar",
        "name": name,
        "x": compact(places),
        "y": compact(height),
        "marker": {"color": shade},
        "text": "",
        "hovertext": names,
        "hovertemplate": "%{hovertext}: %{y:,.4g}",
    }


def repeated_releases_figure(
    result: TablesResult, statistics: ReleaseStatistics, subtitle: str, colours: Colours
) -> Figure:
    """Draw for each cell the share of releases that preserve its order, its sign and its significance."""
    order = np.argsort(-result.counts, kind="stable")
    places = np.arange(1, order.size + 1)
    if order.size > 2000:
        sample = np.unique(np.linspace(0, order.size - 1, 2000).astype(np.intp))
        order, places = order[sample], places[sample]
    figure = layout(
        colours,
        "How often each cell keeps its rank and sign",
        subtitle,
        cells_axis(result, order),
        {
            "range": [-0.03, 1.03],
            "tickvals": [0, 0.2, 0.4, 0.6, 0.8, 1],
            "ticktext": [f"{part} %" for part in range(0, 101, 20)],
            "title": {"text": "share of releases"},
        },
    )
    traces = []
    for measure, shade, symbol in _STATISTICS:
        marker = {"color": colours[shade], "symbol": symbol, "size": 7}
        share = getattr(statistics, measure)[order]
        more = {"mode": "markers", "marker": marker, "hovertemplate": "%{y:.1%}"}
        traces.append(theme.line(places, share, STATISTIC_NAMES[measure], colours[shade], "solid", **more))
    return {"data": traces, "layout": figure}
