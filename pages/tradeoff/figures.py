"""Pictures of trade-off curves: the curves, what a quotation concedes, an attack beside its bounds."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpcore.audit import Band
from dpcore.checks import Array
from pages.shared import text
from pages.shared.export import Colours, Figure
from pages.shared.theme import compact, hairline, layout, line, log_axis

DASHES = ("solid", "dash", "dashdot", "longdash", "3px,3px", "8px,3px,2px,3px,2px,3px", "12px,4px", "5px,2px")
_HANDLES = 90
LOWEST = -10  # decade at which the log–log view begins
_DECADES = tuple(10.0**decade for decade in range(LOWEST + 2, 1, 2))  # the lowest would touch that of the other axis
_LABELS = {
    "errors": ("type I error α: false alarms", "type II error β: true cases missed"),
    "power": ("false alarms α", "power 1 − β: true cases caught"),
    "log": ("false alarms α", "power 1 − β: true cases caught"),
}


@dataclass(frozen=True)
class Drawn:
    """A curve as drawn: its name, colour, dash, points (`readings.along`) with their words, its errors at an α."""

    name: str
    colour: str
    dash: str
    points: pd.DataFrame
    hints: list[str]
    beta: float
    power: float


def curves_figure(drawn: Sequence[Drawn], alpha: float, view: str, subtitle: str, colour: Colours) -> Figure:
    """β or power against α on a square with equal axes, what guessing reaches as a dashed line, and the chosen α."""
    title = "The least errors that any attack can reach" if view == "errors" else "The most that any attack can catch"
    figure = _square(colour, title, subtitle, view)
    hairline(figure, colour, alpha, f"α = {text.given_down(alpha)}")
    traces = [_guessing(view, colour)]
    traces += [_curve(each, view) for each in drawn]
    traces += [_handles(each, view) for each in drawn]
    heights = np.array([each.beta if view == "errors" else each.power for each in drawn])
    looks = {"color": [each.colour for each in drawn], "size": 9}
    dots = _markers(np.full(heights.size, alpha), _positive(heights, view), "", looks)
    more = {"unselected": {"marker": {"opacity": 1}}, "cliponaxis": False, "showlegend": False, "hoverinfo": "skip"}
    return {"data": [*traces, dots | more], "layout": figure}


def hints(points: pd.DataFrame) -> list[str]:
    """What each point of a curve says under the pointer; what it implies at least is rounded down."""
    return [
        f"false alarms α ≈ {text.nearest(alpha)}<br>missed β ≈ {text.nearest(beta)}<br>power ≈ {text.nearest(power)}"
        f"<br>this point implies ε ≥ {text.down(epsilon)}, μ ≥ {text.down(mu)}"
        for alpha, beta, power, epsilon, mu in points.itertuples(index=False)
    ]


def _square(colour: Colours, title: str, subtitle: str, view: str) -> dict[str, Any]:
    x_label, y_label = _LABELS[view]
    if view == "log":
        x, y = log_axis(x_label, LOWEST, 0), log_axis(y_label, LOWEST, 0, marks=_DECADES)
    else:
        marks = (0, 0.2, 0.4, 0.6, 0.8, 1)
        ticks = {"range": [0, 1], "tickvals": list(marks), "ticktext": [text.nearest(mark) for mark in marks]}
        style = {"font": {"size": 13}, "standoff": 8}
        x, y = (ticks | {"title": style | {"text": label}} for label in (x_label, y_label))
    square = {"scaleanchor": "x", "constrain": "domain"}
    figure = layout(colour, title, subtitle, x | {"constrain": "domain"}, y | square)
    return figure | {"height": 560, "hovermode": "closest", "clickmode": "event+select", "dragmode": False}


def _guessing(view: str, colour: Colours) -> dict[str, Any]:
    ends = np.array([10.0**LOWEST if view == "log" else 0.0, 1.0])
    y = 1 - ends if view == "errors" else ends
    name = "guessing, 1 − α" if view == "errors" else "guessing, power = α"
    return line(ends, y, name, colour["quiet"], "dash", hoverinfo="skip") | {
        "line": {"color": colour["quiet"], "dash": "4px,4px", "width": 1.5}
    }


def _curve(each: Drawn, view: str) -> dict[str, Any]:
    x, y = _places(each, view)
    return line(x, y, escape(each.name), each.colour, each.dash, hoverinfo="skip", legendgroup=each.name)


def _handles(each: Drawn, view: str) -> dict[str, Any]:
    """Unseen points along a curve, evenly apart on the screen, which answer the pointer: Plotly selects no lines."""
    x, y = _places(each, view)
    span = -LOWEST if view == "log" else 1
    inside = np.flatnonzero(np.isfinite(y) & (x > 10.0**LOWEST) if view == "log" else np.isfinite(y))
    across, along = (np.log10(part[inside]) if view == "log" else part[inside] for part in (x, y))
    path = np.append(0, np.cumsum(abs(np.diff(across)) + abs(np.diff(along)))) / span
    chosen = inside[np.unique(np.searchsorted(path, np.linspace(0, path[-1], _HANDLES)))]
    return {
        "type": "scatter",
        "mode": "markers",
        "name": escape(each.name),
        "legendgroup": each.name,
        "showlegend": False,
        "x": compact(x[chosen]),
        "y": compact(y[chosen]),
        "marker": {"opacity": 0, "size": 12, "color": each.colour},
        "selected": {"marker": {"opacity": 0}},
        "unselected": {"marker": {"opacity": 0}},
        "text": [each.hints[place] for place in chosen],
        "hoverinfo": "text+name",
    }


def _places(each: Drawn, view: str) -> tuple[Array, Array]:
    height = each.points["beta" if view == "errors" else "power"]
    return _positive(each.points["alpha"].to_numpy(), view), _positive(height.to_numpy(), view)


def _positive(values: Array, view: str) -> Array:
    return np.where(values > 0, values, np.nan) if view == "log" else values


def quotation_figure(
    frame: pd.DataFrame,
    drawn: Drawn,
    names: tuple[str, str],
    touches: float,
    view: str,
    subtitle: str,
    colour: Colours,
) -> Figure:
    """A curve above its (ε, δ) and its μ, and, below on the same α, the extra power that each of them concedes."""
    view = "log" if touches < 0.01 else view  # where it touches must be seen
    height = "beta" if view == "errors" else "power"
    figure = _with_extra_power(_square(colour, "One (ε, δ) instead of the curve", subtitle, view), frame)
    if 0 < touches < 10.0**LOWEST:
        figure["xaxis"] |= log_axis(_LABELS["log"][0], LOWEST - 2, 0)
    alpha = _positive(frame["alpha"].to_numpy(), view)
    ghosts = (("epsilon_delta", names[0], colour["quiet"], "longdash"), ("mu", names[1], colour["text"], "3px,3px"))
    label = "β ≈ %{y:.4g}" if view == "errors" else "power ≈ %{y:.4g}"
    own = _positive(frame[height].to_numpy(), view)
    traces = [line(alpha, own, escape(drawn.name), drawn.colour, "solid", hovertemplate=label)]
    for key, name, shade, dash in ghosts:
        conceded = _positive(frame[f"{height}_{key}"].to_numpy(), view)
        traces.append(line(alpha, conceded, name, shade, dash, hovertemplate=label))
        extra = line(alpha, frame[f"extra_power_{key}"], name, shade, dash, hovertemplate="extra power ≈ %{y:.4g}")
        traces.append(extra | {"yaxis": "y2", "showlegend": False})
    place = np.array([touches]), np.array([np.interp(touches, frame["alpha"], frame[height])])
    ring = {"color": drawn.colour, "size": 10, "symbol": "circle-open", "line": {"width": 2.5}}
    return {"data": [*traces, _markers(*place, "they touch here", ring) | {"hoverinfo": "skip"}], "layout": figure}


def _with_extra_power(figure: dict[str, Any], frame: pd.DataFrame) -> dict[str, Any]:
    """The layout of a square picture made room in for a lower one of the extra power."""
    for axis in ("xaxis", "yaxis"):
        figure[axis] = {key: value for key, value in figure[axis].items() if key not in ("scaleanchor", "constrain")}
    figure["xaxis"]["anchor"] = "y2"
    figure["yaxis"]["domain"] = [0.42, 1]
    most = max(float(np.max(frame[["extra_power_epsilon_delta", "extra_power_mu"]].to_numpy())), 1e-3)
    figure["yaxis2"] = {key: figure["yaxis"][key] for key in ("gridcolor", "zeroline", "automargin", "tickfont")} | {
        "domain": [0, 0.32],
        "range": [0, _round_end(most)],
        "title": {"text": "extra power", "font": {"size": 13}, "standoff": 8},
        "nticks": 4,
    }
    return figure | {"height": 620, "hovermode": "x unified"}


def _round_end(most: float) -> float:
    """The next of 1, 2, 5 times a power of ten."""
    unit = 10.0 ** math.floor(math.log10(most))
    return next(end * unit for end in (1, 2, 5, 10) if end * unit >= most * 1.05 or end == 10)


def _markers(x: Array, y: Array, name: str, marker: dict[str, Any]) -> dict[str, Any]:
    return {"type": "scatter", "mode": "markers", "name": name, "x": compact(x), "y": compact(y), "marker": marker}


def attack_figure(
    drawn: Sequence[Drawn],
    claim: str,
    reached: Sequence[tuple[Array, Array]],
    band: Band,
    broken: NDArray[np.bool_],
    view: str,
    subtitle: str,
    colour: Colours,
) -> Figure:
    """The measured points of an attack, their hull (`reached`), and bounds on their true errors beside the claims."""
    figure = _square(colour, "What the attack reached, and what it proves", subtitle, view)
    traces = [_guessing(view, colour)]
    traces += [_curve(each, view) | {"opacity": 1.0 if each.name == claim else 0.4} for each in drawn]
    looks = (("measured", colour["quiet"], "solid"), ("hull of the measured points", colour["text"], "3px,3px"))
    for (alpha, beta), (name, shade, dash) in zip(reached, looks, strict=True):
        some = _thinned(alpha.size)
        style = {"line": {"color": shade, "dash": dash, "width": 1.5}, "hoverinfo": "skip"}
        traces.append(line(*_errors(alpha[some], beta[some], view), name, shade, dash) | style)
    return {"data": [*traces, *_bounds(band, broken, view, colour)], "layout": figure}


def _bounds(band: Band, broken: NDArray[np.bool_], view: str, colour: Colours) -> list[dict[str, Any]]:
    """The bounds on the true errors, joined by a line, those that contradict the claim as red crosses."""
    x, y = _errors(band.alpha_high, band.beta_high, view)
    order = np.argsort(x)
    joined = line(x[order], y[order], "bounds", colour["text"], "solid", hoverinfo="skip", showlegend=False)
    traces = [joined | {"line": {"color": colour["text"], "width": 1}}]
    for part, name, shade, symbol in (
        (~broken, "worst true errors at this confidence", colour["text"], "diamond"),
        (broken, "✗ contradicts the chosen claim", colour["fails"], "x"),
    ):
        if part.any():
            looks = {"color": shade, "size": 9, "symbol": symbol}
            hover = {"hovertemplate": "at most α ≈ %{x:.4g}, %{y:.4g}"}
            traces.append(_markers(x[part], y[part], name, looks) | hover)
    return traces


def _errors(alpha: Array, beta: Array, view: str) -> tuple[Array, Array]:
    """Measured errors where a view has them."""
    return _positive(alpha, view), _positive(beta if view == "errors" else 1 - beta, view)


def _thinned(size: int) -> NDArray[np.intp]:
    """Places of at most some 2,000 of so many points, all of them at both ends."""
    ends = np.minimum(500, size)
    return np.unique(
        np.concatenate([np.arange(ends), np.linspace(0, size - 1, 1000).astype(int), size - 1 - np.arange(ends)])
    )
