"""The charts of contribution limits: the error over the limit, and the share of the records that is dropped."""

from typing import Any

import numpy as np

from dpcore.families import FAMILIES
from pages.clipping.bounds.figures import LEAD_HEIGHT
from pages.clipping.contributions.results import ContributionsResult
from pages.framework.chart.theme import (
    compact,
    decades,
    ghost,
    hairline,
    hover_head,
    layout,
    line,
    log_axis,
    positive_or_nan,
)
from pages.framework.export.exhibit import Colours, Figure

ERROR_NAMES = {
    "cell_error": "error of one cell (records)",
    "total_error": "error of the total (records)",
    "all_half_width": "± of all cells at once (records)",
}


def error_figure(
    result: ContributionsResult, pinned: ContributionsResult | None, subtitle: str, colours: Colours
) -> Figure:
    """Draw the error over the limit, its bias and its noise as thin lines, the least, and the user's limit."""
    frame, setting = result.curve, result.setting
    errors = frame["error"].to_numpy()
    first, last = decades(99, -99, float(errors.min()), float(errors.max()))
    y = log_axis(ERROR_NAMES[setting.error], first - 1, min(last, first + 3))
    figure = layout(colours, "Error over the limit", subtitle, _limit_axis(result), y)
    figure["height"] = LEAD_HEIGHT
    hairline(figure, colours, setting.limit, f"r = {setting.limit:,}", "limit")
    shade = colours[FAMILIES[setting.noise].calibration.key]
    traces = []
    if pinned is not None:
        traces.append(line(pinned.curve["limit"], pinned.curve["error"], "pinned", "", "solid", **ghost(colours)))
    thin = {"bias": ("bias: what is dropped", "fails", "dot"), "noise": ("noise", "quiet", "dash")}
    for column, (name, colour, dash) in thin.items():
        height = positive_or_nan(np.abs(frame[column].to_numpy()))
        trace = line(frame["limit"], height, name, colours[colour], dash, hovertemplate="%{y:.4~g}")
        traces.append(trace | {"line": {"color": colours[colour], "dash": dash, "width": 1.5}})
    traces.append(line(frame["limit"], frame["error"], "error", shade, "solid", hovertemplate="%{y:.4~g}"))
    ring = {"color": shade, "size": 12, "symbol": "circle-open", "line": {"width": 3}}
    best = {"x": compact([result.best_limit]), "y": compact([float(result.chosen_error(result.best))]), "marker": ring}
    traces.append({"type": "scatter", "mode": "markers", "name": "least error", "hoverinfo": "skip"} | best)
    return {"data": traces, "layout": figure}


def dropped_figure(result: ContributionsResult, subtitle: str, colours: Colours) -> Figure:
    """Draw the share of the records that each limit drops, with that of the best limit."""
    frame, setting = result.curve, result.setting
    y = {"range": [0, 1.03], "tickformat": ".0%", "title": {"text": "share of the records"}}
    figure = layout(colours, "Records that the limit drops", subtitle, _limit_axis(result), y)
    figure["height"] = LEAD_HEIGHT
    hairline(figure, colours, setting.limit, f"r = {setting.limit:,}", "limit")
    shade = colours[FAMILIES[setting.noise].calibration.key]
    share = line(frame["limit"], frame["dropped_share"], "dropped", colours["quiet"], "solid")
    share |= {"fill": "tozeroy", "fillcolor": colours["floor"], "hovertemplate": "%{y:.2%}"}
    ring = {"color": shade, "size": 12, "symbol": "circle-open", "line": {"width": 3}}
    best = {"x": compact([result.best_limit]), "y": compact([float(result.best.dropped_share)]), "marker": ring}
    mark = {"type": "scatter", "mode": "markers", "name": "least error", "hoverinfo": "skip", "cliponaxis": False}
    return {"data": [share, mark | best], "layout": figure}


def _limit_axis(result: ContributionsResult) -> dict[str, Any]:
    last = float(result.curve["limit"].iloc[-1])
    axis = log_axis("limit r of records per person", 0, decades(0, 1, last)[1]) | hover_head("r")
    return axis | {"range": [-0.03, np.log10(last) + 0.03]}
