"""The pictures of the scale b of every mechanism within bounds."""

import math
from typing import Any

import numpy as np
import pandas as pd

from dpcore.checks import Array
from pages.framework.chart.theme import (
    hairline,
    hover_head,
    layout,
    line,
    log_axis,
)
from pages.framework.export.exhibit import Colours, Figure
from pages.framework.parameters import number_format
from pages.generalized_gaussian.bounded.figures import LOOKS, NAMES, pinned_lines
from pages.generalized_gaussian.grids import width_decades


def shape_figure(
    frame: pd.DataFrame, p: float, shown: str, subtitle: str, colour: Colours, kept: pd.DataFrame | None = None
) -> Figure:
    """The scale b over p, or its ratio to what truncated noise needs; Lemma 10's are points at whole p."""
    axis = log_axis("shape p", 0, 2, marks=_SHAPE_MARKS) | {"range": [0, math.log10(64) + 0.02]} | hover_head("p")
    figure = _scales_figure(frame, "p", axis, shown, f"{_TITLES[shown]}, over p", subtitle, colour, kept)
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
    axis = log_axis("width of the bounds c₁ − c₀ (query units)", *width_decades(sensitivity, width))
    axis |= hover_head("c₁ − c₀")
    figure = _scales_figure(frame, "width", axis, shown, f"{_TITLES[shown]}, over the width", subtitle, colour, kept)
    hairline(figure["layout"], colour, width, f"c₁ − c₀ = {number_format.format_input_down(width)}")
    return figure


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
    x, columns = frame[along].to_numpy(), _scale_columns(frame, shown)
    figure = layout(colour, title, subtitle, axis, _scale_axis(columns, shown))
    traces = []
    if kept is not None:
        before = pd.DataFrame({along: kept[along], **_scale_columns(kept, shown)})
        traces = pinned_lines(before, along, [key for key in columns if key in before], colour)
    for key, b in columns.items():
        known = np.isfinite(b)
        shade, dash = colour[LOOKS[key][0]], LOOKS[key][1]
        more = {"hovertemplate": "%{y:.4g}"}
        if not known.all():
            more |= {"mode": "markers", "marker": {"color": shade, "size": 7, "symbol": "diamond"}}
        traces.append(line(x[known], b[known], NAMES[key], shade, dash, **more))
    return {"data": traces, "layout": figure}


def _scale_columns(frame: pd.DataFrame, shown: str) -> dict[str, Array]:
    """Every mechanism's b, or its ratio to what truncated noise needs."""
    unit = frame["truncated"].to_numpy() if shown == "ratio" else 1.0
    return {key: frame[key].to_numpy() / unit for key in NAMES if np.isfinite(frame[key].to_numpy()).any()}


def _scale_axis(columns: dict[str, Array], shown: str) -> dict[str, Any]:
    """A log axis that ends at 1, 2 or 5 times a power of ten; ratios of the clipped noise may leave it."""
    parts = [b for key, b in columns.items() if shown == "scale" or key != "clipped"]
    low, high = (float(end(np.concatenate(parts))) for end in (np.nanmin, np.nanmax))
    if shown == "ratio":
        low, high = min(low, 0.2), max(high, 5.0)
    first, last = rounded_axis_end(low, BELOW), rounded_axis_end(high, ABOVE)
    name = "scale b (query units)" if shown == "scale" else "b ÷ exact truncated b"
    decade = math.floor(math.log10(first))
    marks = [float(f"{mantissa}e{decade + n}") for n in range(5) for mantissa in (1, 2, 5)]
    fitting = tuple(mark for mark in marks if first * 0.99 < mark < last * 1.01)
    ends = [math.log10(first), math.log10(last)]
    axis = log_axis(name, decade, math.ceil(ends[1]), marks=fitting if last / first < 2000 else ())
    return axis | {"range": ends}


def rounded_axis_end(value: float, mantissas: tuple[int, int, int]) -> float:
    """The 1, 2 or 5 times a power of ten next to a value, below or above by the mantissas given.

    >>> rounded_axis_end(3, BELOW), rounded_axis_end(3, ABOVE), rounded_axis_end(0.2, BELOW), rounded_axis_end(5, ABOVE)
    (2.0, 5.0, 0.2, 5.0)
    """
    decade = math.floor(math.log10(value) + 1e-9)
    size = value / 10.0**decade
    place = 0 if size < 2 - 1e-6 else 1 if size < 5 - 1e-6 else 2
    exact = min(abs(size - step) for step in (1, 2, 5)) < 1e-6
    return float(f"{(BELOW if exact else mantissas)[place]}e{decade}")


BELOW, ABOVE = (1, 2, 5), (2, 5, 10)


_SHAPE_MARKS = (1, 2, 3, 4, 6, 10, 20, 40, 64)


_TITLES = {"ratio": "b ÷ what truncated noise needs", "scale": "Scale b of each mechanism"}
