"""The charts of the groups that appear: over their size; how many, and with which share of the cases, over k and ε."""

from typing import Any

import numpy as np
import pandas as pd

from pages.framework.chart.theme import decades, hairline, hover_head, layout, line, log_axis
from pages.framework.export.exhibit import Colours, Figure
from pages.framework.parameters.number_format import format_input_up, format_up
from pages.tables.appearance.results import ONLY_NAMES, Appearance

_HEIGHT = 400
_TICKS_AT = -0.04  # below the probabilities
NAMES = {
    "truncated_geometric": "truncated geometric noise",
    "gaussian": "Gaussian noise",
    "laplace": "Laplace noise",
    ONLY_NAMES: "names only",
}
LOOKS = {
    "truncated_geometric": ("truncated_geometric", "dashdot", "square"),
    "gaussian": ("analytic", "solid", "circle"),
    "laplace": ("laplace", "solid", "diamond"),
    ONLY_NAMES: ("green", "dot", "triangle-up"),
}
GROUPS_NAME = "your groups"


def size_figure(appearance: Appearance, subtitle: str, colours: Colours) -> Figure:
    """Draw the probability over the size, with the groups as ticks below, and mark the threshold."""
    frame = appearance.over_size
    sizes = frame["size"].to_numpy()
    x = {"range": [0, sizes[-1]], "title": {"text": "people in the group"}} | hover_head("people")
    y = {"range": [-0.08, 1.03], "title": {"text": "probability of appearing"}, "tickformat": ",~%"}
    y |= {"tickvals": [0, 0.25, 0.5, 0.75, 1]}
    figure: dict[str, Any] = layout(colours, "Which groups appear, by their size", subtitle, x, y) | {"height": _HEIGHT}
    traces = [
        line(sizes, frame[key], NAMES[key], colours[LOOKS[key][0]], LOOKS[key][1], hovertemplate="%{y:.4~%}")
        for key in appearance.ways
    ]
    threshold = float(appearance.shown_release.threshold)
    hairline(figure, colours, threshold, f"threshold {format_up(threshold)}", "threshold")
    ticks = appearance.groups[0]
    ticks = ticks[ticks <= sizes[-1]]
    if ticks.size:
        marker = {"symbol": "line-ns-open", "size": 10, "color": colours["quiet"]}
        style = {"mode": "markers", "marker": marker, "hoverinfo": "skip"}
        traces.append(line(ticks, np.full(ticks.size, _TICKS_AT), GROUPS_NAME, colours["quiet"], "solid", **style))
    return {"data": traces, "layout": figure}


def over_k_figure(appearance: Appearance, column: str, subtitle: str, colours: Colours) -> Figure:
    """Draw how many groups appear by each way, or their share of the cases, over the number of groups of a person."""
    frame, k = appearance.over_groups, appearance.groups_per_person
    last = int(np.ceil(np.log10(frame["groups_per_person"].max()) + 0.1))
    x = log_axis("groups per person k", 0, last) | {"range": [-0.08, last]} | hover_head("k")
    figure, traces = _ways_drawn(frame, ("groups_per_person", "k"), column, subtitle, x, colours)
    hairline(figure, colours, k, f"k = {k:,.0f}", "per_person")
    return {"data": traces, "layout": figure}


def over_epsilon_figure(appearance: Appearance, column: str, subtitle: str, colours: Colours) -> Figure:
    """Draw how many groups appear by each way, or their share of the cases, over ε."""
    frame = appearance.over_epsilon
    x = log_axis("ε (nats)", *decades(-1, 1, *frame["epsilon"])) | hover_head("ε")
    figure, traces = _ways_drawn(frame, ("epsilon", "ε"), column, subtitle, x, colours)
    hairline(figure, colours, appearance.epsilon, f"ε = {format_input_up(appearance.epsilon)}", "epsilon")
    return {"data": traces, "layout": figure}


def _ways_drawn(
    frame: pd.DataFrame, along: tuple[str, str], column: str, subtitle: str, x: dict[str, Any], colours: Colours
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    is_share = column == "share"
    y: dict[str, Any] = {"title": {"text": "cases in groups that appear" if is_share else "groups that appear"}}
    y |= {"range": [0, 1.03], "tickformat": ",~%"} if is_share else {"rangemode": "tozero"}
    title = f"{'Share of the cases in these groups' if is_share else 'Groups that appear'}, over {along[1]}"
    figure, traces = layout(colours, title, subtitle, x, y) | {"height": _HEIGHT}, []
    for key in dict.fromkeys(frame["way"]):
        rows, (shade, dash, symbol) = frame[frame["way"] == key], LOOKS[key]
        marker = {"color": colours[shade], "symbol": symbol, "size": 9}
        style = {"mode": "markers", "marker": marker}
        style |= {"hovertemplate": "%{y:.1~%} of the total" if is_share else "%{y:,.4~g} groups"}
        traces.append(line(rows[along[0]], rows[column], NAMES[key], colours[shade], dash, **style))
    return figure, traces
