"""The charts of groups and of shuffled reports."""

import numpy as np

from pages.composition.groups.results import GroupsResult
from pages.composition.groups.tables import groups_frame, reports_frame
from pages.framework.chart.theme import decades, ghost, hairline, hover_head, layout, line, log_axis, round_axis_end
from pages.framework.export.exhibit import Colours, Figure
from pages.framework.parameters.number_format import format_nearest

HEIGHT = 380
"""The height of a chart beside another one, in pixels."""


def group_figure(result: GroupsResult, pinned: GroupsResult | None, subtitle: str, colours: Colours) -> Figure:
    """Draw ε of a group at δ over its size: g times ε, of Gaussian noise, and of any mechanism with its profile."""
    frame, setting = groups_frame(result), result.setting
    top = round_axis_end(float(frame[["pure", "gaussian"]].to_numpy().max()))
    x = {"range": [1, float(frame["size"].iloc[-1])], "title": {"text": "people g together"}} | hover_head("g")
    y = {"range": [0, top], "title": {"text": "ε of the group (nats)"}}
    figure = layout(colours, "What the guarantee becomes for a group", subtitle, x, y) | {"height": HEIGHT}
    hairline(figure, colours, setting.size, f"g = {setting.size}", "group")
    traces = []
    if pinned is not None:
        before = groups_frame(pinned)
        traces.append(line(before["size"], before["gaussian"], "pinned", "", "solid", **ghost(colours)))
    looks = {
        "profile": ("any mechanism with its profile", "purple", "dashdot"),
        "pure": ("pure ε-DP: g times ε", "laplace", "dash"),
        "gaussian": ("Gaussian noise: g times μ", "analytic", "solid"),
    }
    for column, (name, colour, dash) in looks.items():
        height = frame[column].where(np.isfinite(frame[column]))
        traces.append(line(frame["size"], height, name, colours[colour], dash, hovertemplate="%{y:.4~g}"))
    return {"data": traces, "layout": figure}


def shuffle_figure(result: GroupsResult, subtitle: str, colours: Colours) -> Figure:
    """Draw ε of shuffled reports over their number, by both published bounds and numerically."""
    frame, setting = reports_frame(result), result.setting
    columns = ["clones_2021", "clones_2023", "numerical"]
    values = frame[columns].to_numpy()
    low, high = decades(-1, 0, float(values[values > 0].min(initial=1.0)), float(values.max()))
    x = log_axis("shuffled reports n", 1, 6) | hover_head("n")
    figure = layout(colours, "Local reports through a shuffler", subtitle, x, log_axis("ε (nats)", max(low, -6), high))
    figure["height"] = HEIGHT
    hairline(figure, colours, setting.reports, f"n = {format_nearest(setting.reports)}", "reports")
    looks = {
        "clones_2021": ("published 2021", "quiet", "dash"),
        "clones_2023": ("published 2023", "green", "longdash"),
        "numerical": ("numerical", "analytic", "solid"),
    }
    traces = []
    for column, (name, colour, dash) in looks.items():
        height = frame[column].where(frame[column] > 0)
        traces.append(line(frame["reports"], height, name, colours[colour], dash, hovertemplate="%{y:.4~g}"))
    return {"data": traces, "layout": figure}
