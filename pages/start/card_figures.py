"""The pictures of the cards: few lines, little text, no hover, for a space of a few centimetres."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dpcore.checks import Array
from dpcore.families import FAMILIES
from pages.framework.chart.theme import TYPE, compact, decades, layout, line, log_axis, positive_or_nan, round_axis_end
from pages.framework.export.exhibit import Colours, Figure
from pages.framework.parameters import number_format

HEIGHT = 156  # px


def accuracy_card_figure(
    epsilon: Array, half_widths: dict[str, Array], at: tuple[float, float], colours: Colours
) -> Figure:
    """Draw ± over ε of two kinds of noise, by key, and that of the first at the ε of the page."""
    first = next(iter(half_widths))
    level = int(np.floor(np.log10(half_widths[first][epsilon.size // 2])))
    figure = _small(colours, "± over ε", _epsilon_axis(at[0]), _log("±", level - 1, level + 3))
    traces = [line(epsilon, y, key, colours[key], "solid") for key, y in half_widths.items()]
    _label(figure, 0.52, 1, "Gaussian", colours["analytic"])
    _label(figure, 0.02, 0.06, FAMILIES[first].name, colours[first])
    return {"data": [*traces, _point(*at, colours)], "layout": figure}


def cells_card_figure(count: Array, half_width: float, shade: str, colours: Colours) -> Figure:
    """Draw the counts of a table, largest first, each with the half-width of its noise, if there is any."""
    half_width = half_width if half_width > 0 else 0.0
    x = {"range": [0.3, count.size + 0.7], "tickvals": [1, count.size], "title": {"text": "cells, largest first"}}
    y = {"range": [-round_axis_end(half_width), round_axis_end(float(count.max()) + half_width)], "nticks": 4}
    figure = _small(colours, "Counts and the error interval of their noise", x, y | {"title": {"text": "count"}})
    dots = _dots(np.arange(1, count.size + 1), -np.sort(-count), "counts", colours["text"], 3)
    bars = {"type": "constant", "value": half_width, "color": shade, "thickness": 2, "width": 0}
    return {"data": [dots | ({"error_y": bars} if half_width else {})], "layout": figure}


def training_card_figure(
    epochs: Array, epsilon: Array, at: tuple[float, float], target: float, colours: Colours
) -> Figure:
    """Draw the certified ε over epochs, the training as a point on it, and the ε of the page."""
    top = round_axis_end(1.05 * max(at[1], float(epsilon[-1])))
    x = {"range": [0, float(epochs[-1])], "nticks": 4, "title": {"text": "epochs"}}
    figure = _small(colours, "ε over epochs", x, {"range": [0, top], "nticks": 4, "title": {"text": "ε"}})
    _add_page_epsilon(figure, target, top, colours, 1, ("right", "top" if target > epsilon[-1] / 2 else "bottom"))
    return {"data": [line(epochs, epsilon, "ε", colours["text"], "solid"), _point(*at, colours)], "layout": figure}


def plan_card_figure(costs: Array, families: list[str], total: float, target: float, colours: Colours) -> Figure:
    """Draw what each query of a plan adds to ε as steps up to the total, in the colour of its noise.

    The ε of the page is a dashed line.
    """
    before = np.cumsum(costs) - costs
    x = {"range": [-0.7, costs.size + 0.7], "tickvals": [], "title": {"text": "five statistics, and all together"}}
    top = round_axis_end(1.05 * max(total, float(costs.sum())))
    y = {"range": [0, top], "nticks": 4, "title": {"text": "ε"}}
    figure = _small(colours, "What each statistic adds to ε", x, y)
    shades = [colours["analytic" if family == "gaussian" else family] for family in families]
    bars = {"type": "bar", "name": "cost", "x": np.arange(costs.size), "y": compact(costs), "width": 0.6}
    bars |= {"base": compact(before), "marker": {"color": shades}}
    whole = {"type": "bar", "name": "total", "x": np.array([costs.size]), "y": compact([total]), "width": 0.6}
    is_low = costs.size > 2 and target < before[2]  # then it is free under the later steps
    _add_page_epsilon(figure, target, top, colours, *((0.6, ("center", "top")) if is_low else (0, ("left", "bottom"))))
    return {"data": [bars, whole | {"marker": {"color": colours["text"]}}], "layout": figure | {"barmode": "overlay"}}


def median_card_figure(epsilon: ArrayLike, half_width: ArrayLike, at: tuple[float, float], colours: Colours) -> Figure:
    """Draw the ± of a median over ε, and that at the ε of the page."""
    ends = decades(-1, 2, float(np.max(half_width)))
    figure = _small(colours, "± over ε", _epsilon_axis(at[0]), _log("± days", *ends))
    figure["xaxis"]["range"] = [float(np.log10(np.min(epsilon))), float(np.log10(np.max(epsilon)))]
    curve = line(epsilon, positive_or_nan(half_width), "median", colours["purple"], "solid")
    curve["line"] |= {"shape": "vh"}
    return {"data": [curve, _point(*at, colours)], "layout": figure}


def series_card_figure(month: Array, best: Array, months: Array, colours: Colours) -> Figure:
    """Draw the ± of each running total: by the chosen method, and by adding up noisy months."""
    x = {"range": [0, float(month[-1]) + 1], "tickvals": [1, int(month[-1])], "title": {"text": "month"}}
    y = {"range": [0, round_axis_end(1.05 * float(max(months.max(), best.max())))], "nticks": 4, "title": {"text": "±"}}
    figure = _small(colours, "± of each running total", x, y)
    _label(figure, 0.02, 1, "noisy months added up", colours["laplace"])
    added = line(month, months, "months", colours["laplace"], "dash")
    return {"data": [line(month, best, "best", colours["analytic"], "solid"), added], "layout": figure}


def survey_card_figure(epsilon: Array, half_width: Array, at: tuple[float, float], colours: Colours) -> Figure:
    """Draw the ± of a survey over ε, and that at the ε of the page."""
    ends = decades(-2, 2, float(np.max(half_width)))
    figure = _small(colours, "± of a survey over ε", _epsilon_axis(at[0]), _log("± points", *ends))
    figure["xaxis"]["range"] = [float(np.log10(epsilon[0])), float(np.log10(epsilon[-1]))]
    curve = line(epsilon, positive_or_nan(half_width), "survey", colours["purple"], "solid")
    return {"data": [curve, _point(*at, colours)], "layout": figure}


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
        axis["title"]["standoff"] = 4
        axis["ticklen"] = 3
    margin = {"l": 54, "r": 14, "t": 12, "b": 2}
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


def _add_page_epsilon(
    figure: dict[str, Any], epsilon: float, top: float, colours: Colours, x: float, anchor: tuple[str, str]
) -> None:
    """Add the ε of the page as a dashed horizontal line, with its name at `x`; where it is above the axis, its name."""
    label = f"your ε = {number_format.format_input_up(epsilon)}"
    if epsilon > top:
        _label(figure, 0.02, 1, f"↑ {label}", colours["text"])
        return
    style = {"color": colours["quiet"], "dash": "dash", "width": 1}
    span = {"type": "line", "x0": 0, "x1": 1, "xref": "x domain", "y0": epsilon, "y1": epsilon, "line": style}
    figure["shapes"].append(span)
    note = {"text": label, "showarrow": False, "x": x, "xref": "x domain", "y": epsilon}
    figure["annotations"].append(note | {"xanchor": anchor[0], "yanchor": anchor[1]})


def _point(x: float, y: float, colours: Colours) -> dict[str, Any]:
    is_shown = x > 0 and y > 0
    return _dots([x] if is_shown else [], [y] if is_shown else [], "here", colours["text"], 9)


def _dots(x: ArrayLike, y: ArrayLike, name: str, shade: str, size: int) -> dict[str, Any]:
    looks = {"mode": "markers", "marker": {"color": shade, "size": size}}
    return {"type": "scatter", "name": name, "x": compact(x), "y": compact(y)} | looks
