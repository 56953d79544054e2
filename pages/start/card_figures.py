"""The pictures of the cards: few lines, little text, no hover, for a space of a few centimetres."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dpcore.checks import Array
from dpcore.families import FAMILIES
from pages.framework.chart.theme import TYPE, compact, decades, layout, line, log_axis, round_axis_end
from pages.framework.export.exhibit import Colours, Figure
from pages.framework.parameters import number_format

HEIGHT = 118  # px


def accuracy_card_figure(
    epsilon: Array, half_widths: dict[str, Array], target: float, required: float, colours: Colours
) -> Figure:
    """Draw ± over ε of two kinds of noise, by key, with the target ± and the ε that the first requires for it."""
    level = int(np.floor(np.log10(target)))
    figure = _small(colours, "± over ε", _epsilon_axis(required), _log("±", level - 1, level + 3))
    traces = [line(epsilon, y, key, colours[key], "solid") for key, y in half_widths.items()]
    _add_level_line(figure, target, f"±{number_format.format_input_up(target)}", colours)
    _label(figure, 0.52, 1, "Gaussian", colours["analytic"])
    first = next(iter(half_widths))
    _label(figure, 0.02, 0.06, FAMILIES[first].name, colours[first])
    return {"data": [*traces, _point(required, target, colours)], "layout": figure}


def cells_card_figure(count: Array, half_width: float, shade: str, colours: Colours) -> Figure:
    """Draw the counts of a table, largest first, each with the half-width of its noise, if there is any."""
    half_width = half_width if half_width > 0 else 0.0
    x = {"range": [0.3, count.size + 0.7], "tickvals": [1, count.size], "title": {"text": "cells, largest first"}}
    y = {"range": [-round_axis_end(half_width), round_axis_end(float(count.max()) + half_width)], "nticks": 4}
    figure = _small(colours, "Counts and the error interval of their noise", x, y | {"title": {"text": "count"}})
    dots = _dots(np.arange(1, count.size + 1), -np.sort(-count), "counts", colours["text"], 3)
    bars = {"type": "constant", "value": half_width, "color": shade, "thickness": 2, "width": 0}
    return {"data": [dots | ({"error_y": bars} if half_width else {})], "layout": figure}


def training_card_figure(epochs: Array, rdp: Array, at: tuple[float, float], target: float, colours: Colours) -> Figure:
    """Draw ε over epochs by RDP, the training as a point, and the ε of the page."""
    top = round_axis_end(max(1.3 * at[1], float(rdp[-1])))
    x = {"range": [0, float(epochs[-1])], "nticks": 4, "title": {"text": "epochs"}}
    figure = _small(colours, "ε over epochs", x, {"range": [0, top], "nticks": 4, "title": {"text": "ε"}})
    if target <= top:
        _add_level_line(figure, target, f"your ε = {number_format.format_input_up(target)}", colours)
    _label(figure, 0.02, 1, "by RDP, an upper bound", colours["purple"])
    return {"data": [line(epochs, rdp, "RDP", colours["purple"], "solid"), _point(*at, colours)], "layout": figure}


def plan_card_figure(costs: Array, families: list[str], colours: Colours) -> Figure:
    """Draw what each query of a plan adds to ε, in the colour of its noise."""
    x = {"range": [-0.7, max(costs.size, 1) - 0.3], "tickvals": [], "title": {"text": "five statistics"}}
    y = {"range": [0, round_axis_end(float(costs.max(initial=0.0)) * 1.05)], "nticks": 4, "title": {"text": "ε"}}
    figure = _small(colours, "What each statistic adds to ε", x, y)
    shades = [colours[family] for family in families]
    bars = {"type": "bar", "name": "cost", "x": np.arange(costs.size), "y": compact(costs), "width": 0.6}
    return {"data": [bars | {"marker": {"color": shades}}], "layout": figure}


def beliefs_card_figure(prior: ArrayLike, at_least: ArrayLike, at_most: ArrayLike, colours: Colours) -> Figure:
    """Draw the most and the least that anybody believes after a release over the belief before."""
    marks = (0, 0.5, 1)
    axis = {"range": [0, 1], "tickvals": list(marks), "ticktext": [number_format.percent(mark) for mark in marks]}
    x, y = (axis | {"title": {"text": name}} for name in ("belief before", "after"))
    figure = _small(colours, "Belief that you are in the data, after over before", x, y)
    none = line(prior, prior, "without a release", colours["quiet"], "dot")
    least = line(prior, at_least, "at least", colours["analytic"], "dash")
    most = line(prior, at_most, "at most", colours["analytic"], "solid", fill="tonexty", fillcolor=colours["band"])
    return {"data": [none, least, most], "layout": figure}


def releases_card_figure(number: ArrayLike, epsilon: Array, colours: Colours) -> Figure:
    """Draw the ε of so many releases together."""
    last = int(np.max(number))
    x = {"range": [0, last + 1], "tickvals": [1, last], "title": {"text": "weekly releases"}}
    y = {"range": [0, round_axis_end(float(epsilon[-1]) * 1.05)], "nticks": 4, "title": {"text": "ε"}}
    figure = _small(colours, "ε of all releases together", x, y)
    return {"data": [line(number, epsilon, "together", colours["analytic"], "solid")], "layout": figure}


def _small(colours: Colours, title: str, x: dict[str, Any], y: dict[str, Any]) -> dict[str, Any]:
    figure = layout(colours, title, "", x, y)
    for axis in (figure["xaxis"], figure["yaxis"]):
        axis["title"]["standoff"] = 9
        axis["ticklen"] = 3
    margin = {"l": 54, "r": 14, "t": 20, "b": 2}
    return figure | {"height": HEIGHT, "hovermode": False, "showlegend": False, "margin": margin}


def _epsilon_axis(current: float) -> dict[str, Any]:
    return log_axis("ε", *decades(-3, 2, current if np.isfinite(current) else 1))


def _log(label: str, low: int, high: int) -> dict[str, Any]:
    """Return a log axis with room for a few labels."""
    step = max(2, (high - low) // 2)
    return log_axis(label, low, high, marks=tuple(10.0**decade for decade in range(low, high + 1, step)))


def _label(figure: dict[str, Any], x: float, y: float, name: str, shade: str, side: str = "left") -> None:
    """Add a word in the colour of its line, where no line runs."""
    place = {"x": x, "y": y, "xref": "x domain", "yref": "y domain", "xanchor": side}
    place["yanchor"] = "top" if y > 0.5 else "bottom"
    figure["annotations"].append(place | {"text": name, "showarrow": False, "font": {"color": shade, "size": TYPE}})


def _add_level_line(figure: dict[str, Any], y: float, label: str, colours: Colours) -> None:
    """Add a dashed horizontal line with its name at the right."""
    style = {"color": colours["quiet"], "dash": "dash", "width": 1}
    span = {"type": "line", "x0": 0, "x1": 1, "xref": "x domain", "y0": y, "y1": y, "line": style}
    figure["shapes"].append(span)
    place = float(np.log10(y)) if figure["yaxis"].get("type") == "log" else y
    note = {"text": label, "showarrow": False, "x": 1, "xref": "x domain", "xanchor": "right", "yanchor": "bottom"}
    figure["annotations"].append(note | {"y": place})


def _point(x: float, y: float, colours: Colours) -> dict[str, Any]:
    return _dots([x] if x > 0 else [], [y] if x > 0 else [], "here", colours["text"], 9)


def _dots(x: ArrayLike, y: ArrayLike, name: str, shade: str, size: int) -> dict[str, Any]:
    looks = {"mode": "markers", "marker": {"color": shade, "size": size}}
    return {"type": "scatter", "name": name, "x": compact(x), "y": compact(y)} | looks
