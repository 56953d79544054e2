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
    dots = [each.beta if view == "errors" else each.power for each in drawn]
    traces.append(
        {
            "type": "scatter",
            "mode": "markers",
            "x": compact([alpha] * len(dots)),
            "y": compact(_positive(np.array(dots), view)),
            "marker": {"color": [each.colour for each in drawn], "size": 9},
            "unselected": {"marker": {"opacity": 1}},
            "cliponaxis": False,
            "showlegend": False,
            "hoverinfo": "skip",
        }
    )
    return {"data": traces, "layout": figure}


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
    figure = _square(colour, "One (ε, δ) instead of the curve", subtitle, view)
    for axis in ("xaxis", "yaxis"):
        figure[axis] = {key: value for key, value in figure[axis].items() if key not in ("scaleanchor", "constrain")}
    figure["xaxis"]["anchor"] = "y2"
    if 0 < touches < 10.0**LOWEST:
        figure["xaxis"] |= log_axis(_LABELS["log"][0], LOWEST - 2, 0)
    figure["yaxis"]["domain"] = [0.42, 1]
    most = max(float(np.max(frame[["extra_power_epsilon_delta", "extra_power_mu"]].to_numpy())), 1e-3)
    figure["yaxis2"] = {key: figure["yaxis"][key] for key in ("gridcolor", "zeroline", "automargin", "tickfont")} | {
        "domain": [0, 0.32],
        "range": [0, _round_end(most)],
        "title": {"text": "extra power", "font": {"size": 13}, "standoff": 8},
        "nticks": 4,
    }
    figure |= {"height": 620, "hovermode": "x unified"}
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
    touched = {
        "type": "scatter",
        "mode": "markers",
        "name": "they touch here",
        "x": compact([touches]),
        "y": compact([np.interp(touches, frame["alpha"], frame[height])]),
        "marker": {"color": drawn.colour, "size": 10, "symbol": "circle-open", "line": {"width": 2.5}},
        "hoverinfo": "skip",
    }
    return {"data": [*traces, touched], "layout": figure}


def _round_end(most: float) -> float:
    """The next of 1, 2, 5 times a power of ten."""
    unit = 10.0 ** math.floor(math.log10(most))
    return next(end * unit for end in (1, 2, 5, 10) if end * unit >= most * 1.05 or end == 10)


def attack_figure(
    drawn: Sequence[Drawn],
    claim: str,
    measured: Sequence[Array],
    hull: pd.DataFrame,
    band: Band,
    broken: NDArray[np.bool_],
    view: str,
    subtitle: str,
    colour: Colours,
) -> Figure:
    """The measured points of an attack, their hull, and the upper bounds on their true errors beside the claims."""
    figure = _square(colour, "What the attack reached, and what it proves", subtitle, view)
    measured = [part[_thinned(part.size)] for part in measured]
    traces = [_guessing(view, colour)]
    traces += [_curve(each, view) | {"opacity": 1.0 if each.name == claim else 0.4} for each in drawn]
    for (alpha, beta), name, shade, dash in (
        (measured, "measured", colour["quiet"], "solid"),
        ((hull["alpha"].to_numpy(), hull["beta"].to_numpy()), "hull of the measured points", colour["text"], "3px,3px"),
    ):
        height = beta if view == "errors" else 1 - beta
        style = {"line": {"color": shade, "dash": dash, "width": 1.5}, "hoverinfo": "skip"}
        traces.append(line(_positive(alpha, view), _positive(height, view), name, shade, dash) | style)
    proved = band.beta_high if view == "errors" else 1 - band.beta_high
    x, y = _positive(band.alpha_high, view), _positive(proved, view)
    order = np.argsort(x)
    bounds = line(x[order], y[order], "bounds", colour["text"], "solid", hoverinfo="skip", showlegend=False)
    traces.append(bounds | {"line": {"color": colour["text"], "width": 1}})
    for part, name, shade, symbol in (
        (~broken, "worst true errors at this confidence", colour["text"], "diamond"),
        (broken, "✗ contradicts the chosen claim", colour["fails"], "x"),
    ):
        if part.any():
            traces.append(
                {
                    "type": "scatter",
                    "mode": "markers",
                    "name": name,
                    "x": compact(x[part]),
                    "y": compact(y[part]),
                    "marker": {"color": shade, "size": 9, "symbol": symbol},
                    "hovertemplate": "at most α ≈ %{x:.4g}, %{y:.4g}",
                }
            )
    return {"data": traces, "layout": figure}


def _thinned(size: int) -> NDArray[np.intp]:
    """Places of at most some 2,000 of so many points, all of them at both ends."""
    ends = np.minimum(500, size)
    return np.unique(
        np.concatenate([np.arange(ends), np.linspace(0, size - 1, 1000).astype(int), size - 1 - np.arange(ends)])
    )
