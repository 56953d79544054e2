"""Pictures of noise within bounds: densities with their end masses, errors over the true value, and every scale b."""

import math
from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd

from dpcore.checks import Array
from dpcore.generalized_gaussian.bounded_comparison import MECHANISMS
from pages.framework.chart.theme import (
    TYPE,
    compact,
    decades,
    ghost,
    hairline,
    hover_head,
    layout,
    line,
    log_axis,
    round_axis_end,
)
from pages.framework.export.exhibit import Colours, Figure
from pages.framework.parameters import number_format
from pages.generalized_gaussian.figures import head

LOOKS = {  # one colour a noise, a dash for each way to its scale
    "truncated": ("purple", "solid"),
    "published": ("purple", "dash"),
    "bit": ("rose", "solid"),
    "clipped": ("grey", "dot"),
    "exponential": ("teal", "dashdot"),
    "lemma": ("teal", "longdash"),
}
_SEEN = {"ratio": "b ÷ what truncated noise needs", "scale": "Scale b of each mechanism"}
_IN_ERRORS = ("truncated", "published", "bit", "clipped")
MEASURES = {"rmse": "root mean squared error", "bias": "bias"}
_SHORT = {"rmse": "RMS error", "bias": "bias"}
SHAPES = np.concatenate(  # straight lines between them leave the curves by 4 % at most
    [
        [1, 1.01],
        np.linspace(1.02, 1.3, 15),
        np.linspace(1.4, 2, 7),
        np.linspace(2.2, 3, 5),
        np.linspace(3.5, 5, 4),
        [6, 7, 8, 9, 10, 11, 12, 14, 16, 20, 24, 32, 40, 48, 56, 64],
    ]
)
_BELOW, _ABOVE = (1, 2, 5), (2, 5, 10)
_SHAPE_MARKS = (1, 2, 3, 4, 6, 10, 20, 40, 64)


def width_grid(sensitivity: float, width: float) -> Array:
    """The widths of the picture: three decades from that of the sensitivity on, or as far as the current width."""
    low, high = _width_decades(sensitivity, width)
    return np.logspace(low, high, 10 * (high - low) + 1)


def place_grid(scale: dict[str, float], value: float, low: float, high: float) -> Array:
    """The places of the picture of densities: between the bounds, closer around the true value if noise is small."""
    near = np.linspace(-4, 4, 65)
    around = [value + min(b, high - low) * near for b in scale.values()]
    return np.unique(np.clip(np.concatenate([np.linspace(low, high, 161), *around]), low, high))


def density_figure(
    frame: pd.DataFrame,
    masses: dict[str, tuple[float, float]],
    value: float,
    subtitle: str,
    colour: Colours,
    kept: pd.DataFrame | None = None,
) -> Figure:
    """What each mechanism releases at one true value: densities, and stems for the probabilities of the bounds.

    The densities of a kept setting are grey.
    """
    places = frame["x"].to_numpy()
    low, high = places[0], places[-1]
    pad = 0.03 * (high - low)
    highest = max(float(np.max(frame[key])) for key in _drawn(frame, masses))
    figure = layout(
        colour,
        f"What is released when the truth is {number_format.format_input_up(value)}",
        subtitle,
        {"range": [low - pad, high + pad], "title": head("release (query units)")} | hover_head("release"),
        {"range": [0, round_axis_end(highest)], "title": head("density (per query unit)")},
    )
    figure["yaxis2"] = {
        "overlaying": "y",
        "side": "right",
        "range": [0, 1],
        "tickvals": [0, 0.25, 0.5, 0.75, 1],
        "ticktext": ["0", "25 %", "50 %", "75 %", "100 %"],
        "tickfont": {"size": TYPE},
        "showgrid": False,
        "zeroline": False,
        "automargin": True,
        "title": head("probability of a bound (stems)"),
    }
    traces = _ghosts(kept, "x", _drawn(kept, masses) if kept is not None else (), colour)
    for key in _drawn(frame, masses):
        shade, dash = colour[LOOKS[key][0]], LOOKS[key][1]
        name = _NAMES[key]
        if key in masses:
            ends = [float(mass) for mass in masses[key]]
            at = np.array([low, high]) + (0.5 * pad if key == "clipped" else 0) * np.array([-1, 1])
            traces.append(_stems(at, ends, name, shade, key))
        traces.append(_line(places, frame[key].to_numpy(), name, shade, dash, hovertemplate="%{y:.4g}"))
    hairline(figure, colour, value, f"s = {number_format.format_input_up(value)}", "true_value")
    return {"data": traces, "layout": figure}


def _ghosts(kept: pd.DataFrame | None, x: str, columns: Iterable[str], colour: Colours) -> list[dict[str, Any]]:
    """The curves of a kept setting, if there is one."""
    if kept is None:
        return []
    at = kept[x].to_numpy()
    return [_line(at, kept[key].to_numpy(), "pinned", "", "") | ghost(colour) for key in columns]


def error_figure(
    frame: pd.DataFrame,
    measure: str,
    value: float,
    subtitle: str,
    colour: Colours,
    kept: pd.DataFrame | None = None,
) -> Figure:
    """The bias or the root mean squared error of each mechanism over the true value, of all but the exponential one."""
    places = frame["value"].to_numpy()
    name = MEASURES[measure]
    columns = [f"{key}_{measure}" for key in _IN_ERRORS]
    most = max(float(np.max(abs(frame[column]))) for column in columns)
    reach = round_axis_end(most) if most > 0 else 1.0
    figure = layout(
        colour,
        f"{name[0].upper()}{name[1:]} over the true value",
        subtitle,
        {
            "range": [places[0], places[-1]],
            "title": head("true value s of the statistic (query units)"),
        }
        | hover_head("s"),
        {"range": [0 if measure == "rmse" else -reach, reach], "title": head(f"{_SHORT[measure]} (query units)")}
        | ({} if measure == "rmse" else {"zeroline": True, "zerolinecolor": colour["quiet"]}),
    )
    traces = _ghosts(kept, "value", columns, colour) + [
        _line(
            places,
            frame[f"{key}_{measure}"].to_numpy(),
            _NAMES[key],
            colour[LOOKS[key][0]],
            LOOKS[key][1],
            hovertemplate="%{y:.4g}",
        )
        for key in _IN_ERRORS
    ]
    hairline(figure, colour, value, f"s = {number_format.format_input_up(value)}", "true_value")
    return {"data": traces, "layout": figure}


def shape_figure(
    frame: pd.DataFrame, p: float, shown: str, subtitle: str, colour: Colours, kept: pd.DataFrame | None = None
) -> Figure:
    """The scale b over p, or its ratio to what truncated noise needs; Lemma 10's are points at whole p."""
    axis = log_axis("shape p", 0, 2, marks=_SHAPE_MARKS) | {"range": [0, math.log10(64) + 0.02]} | hover_head("p")
    figure = _scales_figure(frame, "p", axis, shown, f"{_SEEN[shown]}, over p", subtitle, colour, kept)
    hairline(figure["layout"], colour, p, f"p = {number_format.format_input_up(p)}", "p")
    return figure


def width_figure(
    frame: pd.DataFrame,
    sensitivity: float,
    width: float,
    shown: str,
    subtitle: str,
    colour: Colours,
    kept: pd.DataFrame | None = None,
) -> Figure:
    """The scale b over the width of the bounds, or its ratio to what truncated noise needs."""
    axis = log_axis("width of the bounds c₁ − c₀ (query units)", *_width_decades(sensitivity, width))
    axis |= hover_head("c₁ − c₀")
    figure = _scales_figure(frame, "width", axis, shown, f"{_SEEN[shown]}, over the width", subtitle, colour, kept)
    hairline(figure["layout"], colour, width, f"c₁ − c₀ = {number_format.format_input_down(width)}")
    return figure


_NAMES = {mechanism.key: mechanism.name for mechanism in MECHANISMS}


def _scales_figure(
    frame: pd.DataFrame,
    along: str,
    axis: dict[str, Any],
    shown: str,
    title: str,
    subtitle: str,
    colour: Colours,
    kept: pd.DataFrame | None,
) -> Figure:
    x, columns = frame[along].to_numpy(), _columns(frame, shown)
    figure = layout(colour, title, subtitle, axis, _scale_axis(columns, shown))
    traces = []
    if kept is not None:
        before = pd.DataFrame({along: kept[along], **_columns(kept, shown)})
        traces = _ghosts(before, along, [key for key in columns if key in before], colour)
    for key, b in columns.items():
        known = np.isfinite(b)
        shade, dash = colour[LOOKS[key][0]], LOOKS[key][1]
        more = {"hovertemplate": "%{y:.4g}"}
        if not known.all():
            more |= {"mode": "markers", "marker": {"color": shade, "size": 7, "symbol": "diamond"}}
        traces.append(line(x[known], b[known], _NAMES[key], shade, dash, **more))
    return {"data": traces, "layout": figure}


def _columns(frame: pd.DataFrame, shown: str) -> dict[str, Array]:
    """Every mechanism's b, or its ratio to what truncated noise needs."""
    unit = frame["truncated"].to_numpy() if shown == "ratio" else 1.0
    return {key: frame[key].to_numpy() / unit for key in _NAMES if np.isfinite(frame[key].to_numpy()).any()}


def _scale_axis(columns: dict[str, Array], shown: str) -> dict[str, Any]:
    """A log axis that ends at 1, 2 or 5 times a power of ten; ratios of the clipped noise may leave it."""
    parts = [b for key, b in columns.items() if shown == "scale" or key != "clipped"]
    low, high = (float(end(np.concatenate(parts))) for end in (np.nanmin, np.nanmax))
    if shown == "ratio":
        low, high = min(low, 0.2), max(high, 5.0)
    first, last = _step(low, _BELOW), _step(high, _ABOVE)
    name = "scale b (query units)" if shown == "scale" else "b ÷ exact truncated b"
    decade = math.floor(math.log10(first))
    marks = [float(f"{mantissa}e{decade + n}") for n in range(5) for mantissa in (1, 2, 5)]
    fitting = tuple(mark for mark in marks if first * 0.99 < mark < last * 1.01)
    ends = [math.log10(first), math.log10(last)]
    axis = log_axis(name, decade, math.ceil(ends[1]), marks=fitting if last / first < 2000 else ())
    return axis | {"range": ends}


def _step(value: float, mantissas: tuple[int, int, int]) -> float:
    """The 1, 2 or 5 times a power of ten next to a value, below or above by the mantissas given.

    >>> _step(3, _BELOW), _step(3, _ABOVE), _step(0.2, _BELOW), _step(5, _ABOVE)
    (2.0, 5.0, 0.2, 5.0)
    """
    decade = math.floor(math.log10(value) + 1e-9)
    size = value / 10.0**decade
    place = 0 if size < 2 - 1e-6 else 1 if size < 5 - 1e-6 else 2
    exact = min(abs(size - step) for step in (1, 2, 5)) < 1e-6
    return float(f"{(_BELOW if exact else mantissas)[place]}e{decade}")


def _width_decades(sensitivity: float, width: float) -> tuple[int, int]:
    first = math.floor(math.log10(sensitivity))
    return decades(first, first + 3, width)


def _drawn(frame: pd.DataFrame, masses: dict[str, tuple[float, float]]) -> list[str]:
    """The mechanisms of a frame, those with stems last."""
    return sorted((key for key in _NAMES if key in frame), key=lambda key: key in masses)


def _stems(at: Array, masses: list[float], name: str, shade: str, key: str) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "name": f"{name}: a bound",
        "x": np.repeat(at, 3),
        "y": compact([0, masses[0], np.nan, 0, masses[1], np.nan]),
        "yaxis": "y2",
        "line": {"color": shade, "width": 2, "dash": LOOKS[key][1]},
        "marker": {
            "color": shade,
            "symbol": "circle" if key == "bit" else "diamond",
            "size": [0, 10, 0, 0, 10, 0],
        },
        "customdata": [number_format.percent(masses[place // 3], 3) for place in range(6)],
        "hovertemplate": "%{customdata}",
        "showlegend": False,
    }


def _line(x: Array, y: Array, name: str, shade: str, dash: str, **more: Any) -> dict[str, Any]:
    """A line whose places keep their digits where the bounds are close for their size."""
    trace = line(x, y, name, shade, dash, **more)
    return trace | {"x": x} if np.ptp(x) < 1e-4 * np.max(np.abs(x)) else trace
