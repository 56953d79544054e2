"""Pictures of a release: true counts beside their noisy twins, and what repeated releases keep."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore.checks import Array
from pages.framework.chart import theme
from pages.framework.chart.theme import compact, layout
from pages.framework.export.exhibit import Colours, Figure
from pages.tables.cells.figures import MOST_ON_AXIS, cell_names, cells_axis, drawn_shade
from pages.tables.results import Kept, TablesResult

MOST_SHOWN = 200  # cells whose bars can be told apart
_MEASURES = (("order", "text", "circle"), ("sign", "quiet", "diamond"), ("significance", "purple", "square"))
NAMES = {
    "order": "its place in the order",
    "sign": "above 0 or not",
    "significance": "told from empty or not, as it should",
}


def shown_cells(result: TablesResult) -> NDArray[np.intp]:
    """The places of the cells that are drawn, the largest first."""
    return np.argsort(-result.count, kind="stable")[:MOST_SHOWN]


def release_figure(result: TablesResult, subtitle: str, colour: Colours) -> Figure:
    """Each cell's true count beside the one that one release gives."""
    order = shown_cells(result)
    count, released = result.count[order], result.released[order]
    names = cell_names(result, order)
    reach = result.half_width
    top = theme.round_axis_end(max(float(result.count.max(initial=0)) + reach, 1.0))
    across = cells_axis(len(order), cell_names(result, order, MOST_ON_AXIS))
    low = 0.0 if result.values["clipped"] == "on" else -theme.round_axis_end(reach)
    figure = layout(
        colour,
        "True counts beside one release",
        subtitle,
        across | theme.hover_head("cell"),
        {"range": [low, top], "title": {"text": "count"}},
    )
    figure |= {"barmode": "group", "bargap": 0.25, "bargroupgap": 0}
    places = np.arange(1, len(order) + 1)
    bars = [
        _bars(places, count, "true count", colour["quiet"], names),
        _bars(places, released, "released", drawn_shade(result, colour), names),
    ]
    return {"data": bars, "layout": figure}


def _bars(places: NDArray[np.integer], height: Array, name: str, shade: str, names: list[str]) -> dict[str, Any]:
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


def kept_figure(result: TablesResult, kept: Kept, subtitle: str, colour: Colours) -> Figure:
    """Of each cell, the share of releases that keep its order, its sign and its significance."""
    order = np.argsort(-result.count, kind="stable")
    places = np.arange(1, order.size + 1)
    if order.size > 2000:
        chosen = np.unique(np.linspace(0, order.size - 1, 2000).astype(np.intp))
        order, places = order[chosen], places[chosen]
    figure = layout(
        colour,
        "What releases keep of each cell",
        subtitle,
        cells_axis(result.count.size, cell_names(result, order, MOST_ON_AXIS)),
        {
            "range": [-0.03, 1.03],
            "tickvals": [0, 0.2, 0.4, 0.6, 0.8, 1],
            "ticktext": [f"{part} %" for part in range(0, 101, 20)],
            "title": {"text": "share of releases"},
        },
    )
    traces = []
    for measure, shade, symbol in _MEASURES:
        marker = {"color": colour[shade], "symbol": symbol, "size": 7}
        share = getattr(kept, measure)[order]
        more = {"mode": "markers", "marker": marker, "hovertemplate": "%{y:.1%}"}
        traces.append(theme.line(places, share, NAMES[measure], colour[shade], "solid", **more))
    return {"data": traces, "layout": figure}
