"""The charts of one quantile: the release over the values, the same in detail, and the error over ε."""

from typing import Any

import numpy as np
import pandas as pd

from dpcore.checks import Array
from pages.framework.chart.theme import (
    compact,
    decades,
    hairline,
    hover_head,
    layout,
    line,
    log_axis,
    positive_or_nan,
    transparent,
)
from pages.framework.export.exhibit import Colours, Figure
from pages.framework.parameters.number_format import chart_text, format_nearest
from pages.median.quantile.results import QuantileResult
from pages.shared.values.amounts import amount, amount_up, entered_amount

_HEIGHT = 380  # of the two charts beside each other
PEOPLE, RELEASES = "share of the people", "share of the releases"
METHODS = {
    "permute_and_flip": "on the steps: permute-and-flip",
    "exponential": "on the steps: exponential mechanism",
    "binary_search": "on the steps: noisy binary search",
    "any_number": "any number of the range",
}


def release_figure(result: QuantileResult, words: tuple[str, str], subtitle: str, colours: Colours) -> Figure:
    """Draw the shares of the people and of the releases over the whole range; its upper end is a handle."""
    name, unit = words
    release = result.release
    traces, figure = _bars(result.whole, f"The released {name} among all values", subtitle, unit, colours)
    hairline(figure, colours, release.high, f"hi = {entered_amount(release.high)}", "high")
    hairline(figure, colours, release.low, f"lo = {entered_amount(release.low)}")
    return {"data": traces, "layout": figure}


def near_figure(result: QuantileResult, words: tuple[str, str], subtitle: str, colours: Colours) -> Figure:
    """Draw the same about the true quantile, which is marked, with ± to either side."""
    name, unit = words
    traces, figure = _bars(result.near, f"The released {name} in detail", subtitle, unit, colours)
    ends = result.truth - result.error, result.truth + result.error
    band = {"type": "rect", "x0": ends[0], "x1": ends[1], "y0": 0, "y1": 1, "yref": "y domain", "layer": "below"}
    figure["shapes"].append(band | {"fillcolor": transparent(colours["quiet"]), "line": {"width": 0}})
    hairline(figure, colours, result.truth, f"true {amount(result.truth)} ± {amount_up(result.error)}")
    return {"data": traces, "layout": figure}


def _bars(
    frame: pd.DataFrame, title: str, subtitle: str, unit: str, colours: Colours
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Return the shares of each bin as bars, those of the people behind those of the releases, and their layout."""
    ends = float(frame["from"].iloc[0]), float(frame["to"].iloc[-1])
    x = {"range": list(ends), "title": {"text": f"value ({chart_text(unit)})"}} | hover_head("value")
    y = {"title": {"text": "share in a bar"}, "rangemode": "tozero", "tickformat": ",~%"}
    figure = layout(colours, title, subtitle, x, y) | {"height": _HEIGHT, "barmode": "overlay", "bargap": 0}
    traces = [
        _bar(frame, "people", PEOPLE, colours["quiet"], 0.4),
        _bar(frame, "releases", RELEASES, colours["analytic"], 0.85),
    ]
    return traces, figure


def _bar(frame: pd.DataFrame, column: str, name: str, shade: str, opacity: float) -> dict[str, Any]:
    width = (frame["to"] - frame["from"]).to_numpy()
    trace = {"type": "bar", "name": name, "x": compact(frame["middle"]), "y": compact(frame[column])}
    marker = {"color": shade, "opacity": opacity, "line": {"width": 0}}
    return trace | {"width": compact(width), "marker": marker, "hovertemplate": "%{y:.4~%}"}


def epsilon_figure(result: QuantileResult, words: tuple[str, str], subtitle: str, colours: Colours) -> Figure:
    """Draw the ± over ε of the release and of other ways, with the ε at which it may be on the cliff shaded."""
    name, unit = words
    frame, release = result.over_epsilon, result.release
    columns = [column for column in METHODS if column in frame]
    values = frame[columns].to_numpy()
    first, last = decades(99, -99, *values[values > 0])
    y = log_axis(f"± ({chart_text(unit)})", first, last)
    ends = np.log10(frame["epsilon"].to_numpy()[[0, -1]])
    x = log_axis("ε (nats)", *map(round, ends)) | hover_head("ε")
    figure = layout(colours, f"The error of the {name} over ε", subtitle, x, y)
    edge = result.epsilon_without_cliff
    until = frame["epsilon"].iloc[-1] if edge is None else edge
    if until > frame["epsilon"].iloc[0]:
        cliff = {"type": "rect", "x0": frame["epsilon"].iloc[0], "x1": min(until, frame["epsilon"].iloc[-1])}
        cliff |= {"y0": 0, "y1": 1, "yref": "y domain", "layer": "below", "line": {"width": 0}}
        figure["shapes"].append(cliff | {"fillcolor": transparent(colours["fails"])})
        note = {"text": "cliff", "x": ends[0], "xanchor": "left", "y": 0, "yref": "y domain", "yanchor": "bottom"}
        figure["annotations"].append(note | {"showarrow": False, "font": {"color": colours["fails"]}})
    hairline(figure, colours, release.epsilon, f"ε = {format_nearest(release.epsilon)}", "epsilon")
    looks = {
        "permute_and_flip": ("analytic", "solid"),
        "exponential": ("orange", "dash"),
        "binary_search": ("green", "dashdot"),
        "any_number": ("quiet", "dot"),
    }
    if release.step is None:
        looks["any_number"] = ("analytic", "solid")
    traces = [
        _falling(frame["epsilon"].to_numpy(), frame[column].to_numpy(), METHODS[column], *looks[column], colours)
        for column in columns
    ]
    return {"data": traces, "layout": figure}


def _falling(x: Array, y: Array, name: str, colour: str, dash: str, colours: Colours) -> dict[str, Any]:
    """Return a line in steps, which are on the safe side: between two ε, the error of the smaller one is drawn."""
    trace = line(x, positive_or_nan(y), name, colours[colour], dash, hovertemplate="±%{y:.4~g}")
    return trace | {"line": trace["line"] | {"shape": "hv"}}
