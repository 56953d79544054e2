"""The pictures of the scale b of every mechanism within bounds."""

import math
from typing import Any

import numpy as np
import pandas as pd

from dpcore.checks import Array
from pages.framework.chart.theme import hairline, hover_head, layout, line, log_axis
from pages.framework.export.exhibit import Colours, Figure
from pages.framework.parameters import number_format
from pages.papers.results import width_decades
from pages.shared.bounded_noise import BOUNDED_LOOKS, BOUNDED_NAMES, pinned_lines


def shape_figure(
    frame: pd.DataFrame, p: float, quantity: str, subtitle: str, colours: Colours, pinned: pd.DataFrame | None = None
) -> Figure:
    """Draw the scale b over p, or its ratio to exact truncated noise; Lemma 10's are points at whole p."""
    axis = log_axis("shape p", 0, 2, marks=_SHAPE_MARKS) | {"range": [0, math.log10(64) + 0.02]} | hover_head("p")
    figure = _scales_figure(
        frame, "p", axis, quantity, f"{_TITLES[quantity]}, over p (Liu 2019, Lemma 10)", subtitle, colours, pinned
    )
    hairline(figure["layout"], colours, p, f"p = {number_format.format_input_up(p)}", "p")
    return figure


def width_figure(
    frame: pd.DataFrame,
    sensitivity: float,
    width: float,
    quantity: str,
    subtitle: str,
    colours: Colours,
    pinned: pd.DataFrame | None = None,
) -> Figure:
    """Draw the scale b over the width of the bounds, or its ratio to exact truncated noise."""
    axis = log_axis("width of the bounds c₁ − c₀ (query units)", *width_decades(sensitivity, width))
    axis |= hover_head("c₁ − c₀")
    figure = _scales_figure(
        frame, "width", axis, quantity, f"{_TITLES[quantity]}, over the width", subtitle, colours, pinned
    )
    hairline(figure["layout"], colours, width, f"c₁ − c₀ = {number_format.format_input_down(width)}")
    return figure


def _scales_figure(
    frame: pd.DataFrame,
    along: str,
    axis: dict[str, Any],
    quantity: str,
    title: str,
    subtitle: str,
    colours: Colours,
    pinned: pd.DataFrame | None,
) -> Figure:
    x, columns = frame[along].to_numpy(), _scale_columns(frame, quantity)
    figure = layout(colours, title, subtitle, axis, _scale_axis(columns, quantity))
    traces = []
    if pinned is not None:
        pinned_frame = pd.DataFrame({along: pinned[along], **_scale_columns(pinned, quantity)})
        traces = pinned_lines(pinned_frame, along, [key for key in columns if key in pinned_frame], colours)
    for key, b in columns.items():
        is_known = np.isfinite(b)
        shade, dash = colours[BOUNDED_LOOKS[key][0]], BOUNDED_LOOKS[key][1]
        style = {"hovertemplate": "%{y:.4g}"}
        if not is_known.all():
            style |= {"mode": "markers", "marker": {"color": shade, "size": 7, "symbol": "diamond"}}
        traces.append(line(x[is_known], b[is_known], BOUNDED_NAMES[key], shade, dash, **style))
    return {"data": traces, "layout": figure}


def _scale_columns(frame: pd.DataFrame, quantity: str) -> dict[str, Array]:
    """Return every mechanism's b, or its ratio to exact truncated noise."""
    unit = frame["truncated"].to_numpy() if quantity == "ratio" else 1.0
    return {key: frame[key].to_numpy() / unit for key in BOUNDED_NAMES if np.isfinite(frame[key].to_numpy()).any()}


def _scale_axis(columns: dict[str, Array], quantity: str) -> dict[str, Any]:
    """Return a log axis that ends at 1, 2 or 5 times a power of ten; ratios of the clipped noise may exceed it."""
    parts = [b for key, b in columns.items() if quantity == "scale" or key != "clipped"]
    low, high = (float(end(np.concatenate(parts))) for end in (np.nanmin, np.nanmax))
    if quantity == "ratio":
        low, high = min(low, 0.2), max(high, 5.0)
    first, last = rounded_axis_end(low, BELOW), rounded_axis_end(high, ABOVE)
    name = "scale b (query units)" if quantity == "scale" else "b ÷ exact truncated b"
    decade = math.floor(math.log10(first))
    marks = [float(f"{mantissa}e{decade + n}") for n in range(5) for mantissa in (1, 2, 5)]
    fitting = tuple(mark for mark in marks if first * 0.99 < mark < last * 1.01)
    ends = [math.log10(first), math.log10(last)]
    axis = log_axis(name, decade, math.ceil(ends[1]), marks=fitting if last / first < 2000 else ())
    return axis | {"range": ends}


def rounded_axis_end(value: float, mantissas: tuple[int, int, int]) -> float:
    """Return 1, 2 or 5 times a power of ten next to a value, below or above it by the mantissas.

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
_TITLES = {"ratio": "Scale b relative to exact truncated noise", "scale": "Scale b of each mechanism"}
