"""The charts of a class: the estimate over the number of answers, and the shares of all options."""

from typing import Any

import numpy as np

from pages.framework.chart.theme import compact, hover_head, layout, line, transparent
from pages.framework.export.exhibit import Colours, Figure
from pages.framework.parameters.number_format import chart_text
from pages.live_class.results import LiveResult

_HEIGHT = 380
_LOWEST, _HIGHEST = -30.0, 130.0  # percent: what lies beyond is not drawn
_LABEL = 18  # characters of an option below its bar


def answers_figure(result: LiveResult, title: str, subtitle: str, colours: Colours) -> Figure:
    """Draw the estimate of the first option after so many answers, with its band."""
    frame = result.over_answers
    places, estimate = frame["answers"].to_numpy(), 100 * frame["estimate"].to_numpy()
    size = 100 * frame["half_width"].to_numpy()
    edge = {"line": {"width": 0, "shape": "hv"}, "hoverinfo": "skip", "showlegend": False}
    lower = line(places, estimate - size, "lower end", colours["analytic"], "solid") | edge
    upper = line(places, estimate + size, "with its ±", colours["analytic"], "solid") | edge
    upper |= {"fill": "tonexty", "fillcolor": transparent(colours["analytic"]), "showlegend": True}
    middle = line(places, estimate, "the estimate", colours["analytic"], "solid", hovertemplate="%{y:.3~g} %")
    middle |= {"mode": "lines+markers", "marker": {"size": 6, "color": colours["analytic"]}}
    middle["line"] |= {"shape": "hv"}  # between two marks nothing is known but the first
    traces = [lower, upper, middle]
    if result.truth is not None:
        truth = np.full(places.size, 100 * result.truth[0])
        traces.append(line(places, truth, "the truth, simulated", colours["text"], "dash", hovertemplate="%{y:.3~g} %"))
    x = {"title": {"text": "number of answers"}, "range": [0, max(10, result.n_reports) * 1.03], "tickformat": "d"}
    y = {"title": {"text": "share (%)"}, "range": [_LOWEST, _HIGHEST], "nticks": 9}
    figure = layout(colours, title, subtitle, x | hover_head("n"), y) | {"height": _HEIGHT}
    return {"data": traces, "layout": figure}


def options_figure(result: LiveResult, title: str, subtitle: str, colours: Colours) -> Figure:
    """Draw of each option the share of the reports, and the estimated share of the answers with its ±."""
    frame = result.options
    places = np.arange(1, result.n_options + 1)
    bars = _bars(places, 100 * frame["reported"].to_numpy(), "reported", colours["floor"])
    reach = {"type": "data", "array": compact(100 * frame["half_width"]), "thickness": 1.4, "width": 5}
    dots: dict[str, Any] = {"type": "scatter", "mode": "markers", "name": "the estimate, with its ±", "x": places}
    dots |= {"y": compact(100 * frame["estimate"]), "error_y": reach | {"color": colours["analytic"]}}
    dots |= {"marker": {"color": colours["analytic"], "size": 9}, "hovertemplate": "%{y:.3~g} %<extra></extra>"}
    traces = [bars, dots]
    if result.truth is not None:
        mark = {"symbol": "line-ew-open", "size": 26, "color": colours["text"], "line": {"width": 2}}
        truth = {"type": "scatter", "mode": "markers", "name": "the truth, simulated", "x": places, "marker": mark}
        truth |= {"y": compact(100 * result.truth), "hovertemplate": "%{y:.3~g} %<extra></extra>"}
        traces.append(truth)
    labels = [chart_text(option, _LABEL) for option in result.question.options]
    x = {"range": [0.4, result.n_options + 0.6], "tickvals": places, "ticktext": labels, "title": {"text": "option"}}
    y = {"title": {"text": "share (%)"}, "range": [_LOWEST, _HIGHEST], "nticks": 9}
    return {"data": traces, "layout": layout(colours, title, subtitle, x, y) | {"height": _HEIGHT}}


def _bars(x: np.ndarray, y: np.ndarray, name: str, shade: str) -> dict[str, Any]:
    bars = {"type": "bar", "name": name, "x": x, "y": compact(y), "width": 0.6, "marker": {"color": shade}}
    return bars | {"hovertemplate": "reported %{y:.3~g} %<extra></extra>"}
