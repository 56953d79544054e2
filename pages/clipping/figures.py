"""The charts of clipped sums, over the bound and over ε, and of contribution limits: the errors, and what is cut."""

from typing import Any

import numpy as np
import pandas as pd

from dpcore.checks import Array
from dpcore.families import FAMILIES
from pages.clipping.bounds.results import BoundsResult
from pages.clipping.results import ContributionsResult
from pages.framework.chart.theme import (
    compact,
    decades,
    hairline,
    hover_head,
    layout,
    line,
    log_axis,
    markers,
    pinned_curve,
    positive_or_nan,
)
from pages.framework.export.exhibit import Colours, Figure
from pages.framework.parameters.number_format import chart_text, format_nearest
from pages.shared.values.parameters import entered_amount

LEAD_HEIGHT = 380
"""The height of a lead chart beside another one, in pixels."""
LEAST_DENSITY = 0.1
"""The least number of values a decade that is drawn."""
_HEIGHT = 305  # of the pictures that stand in one row


def error_figure(
    result: BoundsResult, pinned: BoundsResult | None, words: tuple[str, str], subtitle: str, colours: Colours
) -> Figure:
    """Draw the error over the upper bound, its bias and its noise as thin lines, the least, and the chosen bound."""
    query, unit = words
    frame, errors = result.curve, result.curve["error"].to_numpy()
    low, top = float(errors.min()), decades(0, 1, float(errors.max()))[1]
    first = int(np.floor(np.log10(low))) - 1
    y = log_axis(f"error of the {query} ({chart_text(unit)})", first, min(top, first + 4))
    x = log_axis(f"upper bound ({chart_text(unit)})", *result.axis_decades) | hover_head("U")
    figure = layout(colours, f"Error of the {query} over the upper bound", subtitle, x, y)
    figure["height"] = LEAD_HEIGHT
    hairline(figure, colours, result.high, f"U = {entered_amount(result.high)}", "bound")
    shade = colours[FAMILIES[result.setting.noise].calibration.key]
    traces = [] if pinned is None else [pinned_curve(pinned.curve["bound"], pinned.curve["error"], colours)]
    traces += _error_lines(frame, "bound", "bias: what is cut", shade, colours)
    traces.append(_marker(result.best_high, float(result.chosen_error(result.best)), "least error", shade))
    if result.has_maximum:
        largest = float(result.chosen_error(result.at_maximum))
        traces.append(_marker(result.setting.high, largest, "maximum of your range", colours["quiet"], "diamond-open"))
    return {"data": traces, "layout": figure}


def _error_lines(frame: pd.DataFrame, along: str, bias: str, shade: str, colours: Colours) -> list[dict[str, Any]]:
    """Return the error along a column, and its bias and noise as thin lines; `bias` is the name of the bias."""
    traces, thin = [], {"bias": (bias, "fails", "dot"), "noise": ("noise", "quiet", "dash")}
    for column, (name, colour, dash) in thin.items():
        height = positive_or_nan(np.abs(frame[column].to_numpy()))
        trace = line(frame[along], height, name, colours[colour], dash, hovertemplate="%{y:.4~g}")
        traces.append(trace | {"line": {"color": colours[colour], "dash": dash, "width": 1.5}})
    return [*traces, line(frame[along], frame["error"], "error", shade, "solid", hovertemplate="%{y:.4~g}")]


def _marker(x: float, y: float, name: str, shade: str, symbol: str = "circle-open") -> dict[str, Any]:
    ring = {"color": shade, "size": 12, "symbol": symbol, "line": {"width": 3}}
    return markers([x], [y], name, ring, cliponaxis=False, hoverinfo="skip")


def density_figure(result: BoundsResult, frame: pd.DataFrame, unit: str, subtitle: str, colours: Colours) -> Figure:
    """Draw how many values a decade or a bin has, by a `density_frame`, with what the bounds cut shaded."""
    columns = {str(name): column.to_numpy() for name, column in frame.items()}
    per_bin = columns["per_bin"]
    title = f"value ({chart_text(unit)})"
    if result.is_signed:
        x = {"range": [float(columns["from"][0]), float(columns["to"][-1])], "title": {"text": title}}
    else:
        x = log_axis(title, *result.axis_decades)
    name = "values in a bin" if result.is_signed else "values in a decade"
    y = log_axis(name, int(np.log10(LEAST_DENSITY)), decades(0, 1, float(per_bin.max()))[1])
    figure = layout(colours, "The values, and what the bounds cut", subtitle, x | hover_head("value"), y)
    hairline(figure, colours, result.high, f"U = {entered_amount(result.high)}", "bound")
    traces = [_bars(columns, name, "values", colours["quiet"], 0.35)]
    shade = colours[FAMILIES[result.setting.noise].calibration.key]
    for column, words in (("is_cut", "lowered to U"), ("is_raised", "raised to lo")):
        cut = {key: values[columns[column]] for key, values in columns.items()}
        if np.any(cut["per_bin"] >= LEAST_DENSITY):
            traces.append(_bars(cut, name, words, shade, 1))
    return {"data": traces, "layout": figure | {"height": LEAD_HEIGHT, "barmode": "overlay", "bargap": 0}}


def _bars(rows: dict[str, Array], count: str, name: str, shade: str, opacity: float) -> dict[str, Any]:
    """Return a bar for each bin, from its one edge to the other."""
    height = np.where(rows["per_bin"] >= LEAST_DENSITY, rows["per_bin"], np.nan)
    ends = {"offset": compact(rows["from"] - rows["middle"]), "width": compact(rows["to"] - rows["from"])}
    trace = {"type": "bar", "name": name, "x": compact(rows["middle"]), "y": compact(height), "text": ""} | ends
    hover = "%{y:.4~g} " + count.partition(" ")[2]
    return trace | {"marker": {"color": shade, "opacity": opacity, "line": {"width": 0}}, "hovertemplate": hover}


def bound_figure(result: BoundsResult, unit: str, subtitle: str, colours: Colours) -> Figure:
    """Draw the best bound over ε, and that of the rule of thumb."""
    frame, setting = result.over_epsilon, result.setting
    columns = [column for column in ("best", "thumb") if column in frame]
    values = frame[columns].to_numpy()
    y = log_axis(f"upper bound ({chart_text(unit)})", *decades(0, 1, float(values.min()), float(values.max())))
    y |= {"range": [np.log10(values.min()) - 0.3, np.log10(values.max()) + 0.3]}
    figure = layout(colours, "The best bound over ε", subtitle, _epsilon_axis(frame), y)
    _epsilon_line(figure, setting.epsilon, colours)
    names = {"best": "least error", "thumb": "rule of thumb: 1/ε values above"}
    return {"data": _lines(frame, names, setting.noise, colours), "layout": figure | {"height": _HEIGHT}}


def epsilon_figure(result: BoundsResult, words: tuple[str, str], subtitle: str, colours: Colours) -> Figure:
    """Draw the errors at the best bound, at the others that one may choose, and at the maximum of the range over ε."""
    frame, (query, unit) = result.over_epsilon, words
    names = {"error": "best bound", "thumb_error": "rule of thumb", "yours": "your bound"}
    names |= {"maximum": "maximum of your range"}
    values = frame[[column for column in names if column in frame]].to_numpy()
    y = log_axis(f"error of the {query} ({chart_text(unit)})", *decades(99, -99, values.min(), values.max()))
    figure = layout(colours, "The error over ε", subtitle, _epsilon_axis(frame), y)
    _epsilon_line(figure, result.setting.epsilon, colours)
    return {"data": _lines(frame, names, result.setting.noise, colours), "layout": figure | {"height": _HEIGHT}}


def _lines(frame: pd.DataFrame, names: dict[str, str], noise: str, colours: Colours) -> list[dict[str, Any]]:
    best, thumb = (FAMILIES[noise].calibration.key, "solid"), ("green", "dash")
    looks = {"best": best, "error": best, "thumb": thumb, "thumb_error": thumb}
    looks |= {"yours": ("purple", "dashdot"), "maximum": ("quiet", "dot")}
    return [
        line(frame["epsilon"], frame[column], name, colours[shade], dash, hovertemplate="%{y:.4~g}")
        for column, name in names.items()
        if column in frame
        for shade, dash in [looks[column]]
    ]


def _epsilon_axis(frame: pd.DataFrame) -> dict[str, Any]:
    low, high = np.log10(frame["epsilon"].iloc[[0, -1]].to_numpy())
    return log_axis("ε", round(low), round(high)) | hover_head("ε")


def _epsilon_line(figure: Figure, epsilon: float, colours: Colours) -> None:
    hairline(figure, colours, epsilon, f"ε = {format_nearest(epsilon)}", "epsilon")


ERROR_NAMES = {
    "cell_error": "error of one cell (records)",
    "total_error": "error of the total (records)",
    "all_half_width": "± of all cells at once (records)",
}


def limit_figure(
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
    traces = [] if pinned is None else [pinned_curve(pinned.curve["limit"], pinned.curve["error"], colours)]
    traces += _error_lines(frame, "limit", "bias: what is dropped", shade, colours)
    traces.append(_marker(result.best_limit, float(result.chosen_error(result.best)), "least error", shade))
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
    share |= {"fill": "tozeroy", "fillcolor": colours["floor"], "hovertemplate": "%{y:.2~%}"}
    best = _marker(result.best_limit, float(result.best.dropped_share), "least error", shade)
    return {"data": [share, best], "layout": figure}


def _limit_axis(result: ContributionsResult) -> dict[str, Any]:
    last = float(result.curve["limit"].iloc[-1])
    axis = log_axis("limit r of records per person", 0, decades(0, 1, last)[1]) | hover_head("r")
    return axis | {"range": [-0.03, np.log10(last) + 0.03]}
