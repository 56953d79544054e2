"""The pictures of the cards: few lines, little text, no hover, for a place of a few centimetres."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dpcore.checks import Array
from pages.framework.chart.theme import TYPE, compact, decades, hairline, layout, line, log_axis, round_axis_end
from pages.framework.export.exhibit import Colours, Figure
from pages.framework.parameters import number_format

HEIGHT = 118  # px


def sigma_figure(epsilon: Array, sigma: Array, now: float, needed: float, colour: Colours) -> Figure:
    """σ over ε, with the current ε and the σ that it needs."""
    level = int(np.ceil(np.log10(needed)))
    figure = _small(colour, "Noise σ over ε", _epsilon_axis(now), _log("σ", min(level - 2, -1), max(level, 3)))
    hairline(figure, colour, now, f"ε = {number_format.format_input_up(now)}")
    return {"data": [line(epsilon, sigma, "σ", colour["analytic"], "solid"), _point(now, needed, colour)]} | {
        "layout": figure
    }


def accuracy_figure(epsilon: Array, reach: dict[str, Array], wanted: float, needed: float, colour: Colours) -> Figure:
    """± over ε of the noises in `reach`, by key, with the ± that is wanted and the ε that Laplace noise needs."""
    level = int(np.floor(np.log10(wanted)))
    figure = _small(colour, "± over ε", _epsilon_axis(needed), _log("±", level - 1, level + 3))
    traces = [line(epsilon, y, key, colour[key], "solid") for key, y in reach.items()]
    _across(figure, wanted, f"±{number_format.format_input_up(wanted)}", colour)
    _named(figure, 0.52, 1, "Gaussian", colour["analytic"])
    _named(figure, 0.02, 0.06, "Laplace", colour["laplace"])
    return {"data": [*traces, _point(needed, wanted, colour)], "layout": figure}


def tradeoff_figure(alpha: Array, power: Array, allowed: Array, at: tuple[float, float], colour: Colours) -> Figure:
    """What is caught over false alarms: under the noise, under the promise alone, and by guessing."""
    marks = (0, 0.5, 1)
    axis = {"range": [0, 1], "tickvals": list(marks), "ticktext": [number_format.percent(each) for each in marks]}
    x, y = (axis | {"title": {"text": name}} for name in ("false alarms", "caught"))
    figure = _small(colour, "True cases caught over false alarms", x, y)
    promise = line(alpha, allowed, "the promise alone", colour["green"], "dash")
    guessing = line([0, 1], [0, 1], "guessing", colour["quiet"], "dot")
    noise = line(alpha, power, "Gaussian noise", colour["analytic"], "solid", fill="tonexty", fillcolor=colour["band"])
    _named(figure, 0.98, 0.3, "– – promise alone", colour["green"], "right")
    _named(figure, 0.98, 0.04, "— Gaussian noise", colour["analytic"], "right")
    return {"data": [promise, guessing, noise, _point(*at, colour)], "layout": figure}


def cells_figure(count: Array, reach: float, shade: str, colour: Colours) -> Figure:
    """The counts of a table, largest first, each with the reach of its noise; without noise the counts alone."""
    reach = reach if reach > 0 else 0.0
    x = {"range": [0.3, count.size + 0.7], "tickvals": [1, count.size], "title": {"text": "cells, largest first"}}
    y = {"range": [-round_axis_end(reach), round_axis_end(float(count.max()) + reach)], "nticks": 4}
    figure = _small(colour, "Counts and the reach of their noise", x, y | {"title": {"text": "count"}})
    dots = _dots(np.arange(1, count.size + 1), -np.sort(-count), "counts", colour["text"], 3)
    bars = {"type": "constant", "value": reach, "color": shade, "thickness": 2, "width": 0}
    return {"data": [dots | ({"error_y": bars} if reach else {})], "layout": figure}


def training_figure(epochs: Array, rdp: Array, at: tuple[float, float], target: float, colour: Colours) -> Figure:
    """ε over epochs by RDP, the training as a point, and the ε of the page."""
    top = round_axis_end(max(1.3 * at[1], float(rdp[-1])))
    x = {"range": [0, float(epochs[-1])], "nticks": 4, "title": {"text": "epochs"}}
    figure = _small(colour, "ε over epochs", x, {"range": [0, top], "nticks": 4, "title": {"text": "ε"}})
    if target <= top:
        _across(figure, target, f"your ε = {number_format.format_input_up(target)}", colour)
    _named(figure, 0.02, 1, "by RDP, an upper bound", colour["purple"])
    return {"data": [line(epochs, rdp, "RDP", colour["purple"], "solid"), _point(*at, colour)], "layout": figure}


def _small(colour: Colours, title: str, x: dict[str, Any], y: dict[str, Any]) -> dict[str, Any]:
    whole = layout(colour, title, "", x, y)
    for axis in (whole["xaxis"], whole["yaxis"]):
        axis["title"]["standoff"] = 2
        axis["ticklen"] = 3
    margin = {"l": 54, "r": 14, "t": 20, "b": 2}
    return whole | {"height": HEIGHT, "hovermode": False, "showlegend": False, "margin": margin}


def _epsilon_axis(now: float) -> dict[str, Any]:
    return log_axis("ε", *decades(-3, 2, now if np.isfinite(now) else 1))


def _log(label: str, low: int, high: int) -> dict[str, Any]:
    """A log axis with room for a few labels."""
    every = max(2, (high - low) // 2)
    return log_axis(label, low, high, marks=tuple(10.0**decade for decade in range(low, high + 1, every)))


def _named(figure: dict[str, Any], x: float, y: float, name: str, shade: str, side: str = "left") -> None:
    """A word in the colour of its line, at a place of the plot where no line runs."""
    place = {"x": x, "y": y, "xref": "x domain", "yref": "y domain", "xanchor": side}
    place["yanchor"] = "top" if y > 0.5 else "bottom"
    figure["annotations"].append(place | {"text": name, "showarrow": False, "font": {"color": shade, "size": TYPE}})


def _across(figure: dict[str, Any], y: float, label: str, colour: Colours) -> None:
    """A dashed line at a height, with its name at the right."""
    style = {"color": colour["quiet"], "dash": "dash", "width": 1}
    span = {"type": "line", "x0": 0, "x1": 1, "xref": "x domain", "y0": y, "y1": y, "line": style}
    figure["shapes"].append(span)
    place = float(np.log10(y)) if figure["yaxis"].get("type") == "log" else y
    note = {"text": label, "showarrow": False, "x": 1, "xref": "x domain", "xanchor": "right", "yanchor": "bottom"}
    figure["annotations"].append(note | {"y": place})


def _point(x: float, y: float, colour: Colours) -> dict[str, Any]:
    return _dots([x] if x > 0 else [], [y] if x > 0 else [], "here", colour["text"], 9)


def _dots(x: ArrayLike, y: ArrayLike, name: str, shade: str, size: int) -> dict[str, Any]:
    looks = {"mode": "markers", "marker": {"color": shade, "size": size}}
    return {"type": "scatter", "name": name, "x": compact(x), "y": compact(y)} | looks
