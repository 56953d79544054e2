"""The common style of all figures: layout, fonts, axes, and traces and marks that several figures have."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pages.framework.chart.pinned_range import tick_texts
from pages.framework.export.exhibit import Colours
from pages.framework.parameters import number_format

_GRID = "rgba(128,138,150,.22)"
TYPE = 13  # px: the smallest font size in a chart
_MIN_AXIS_END = 1e-300  # the smallest end of an axis, near the smallest float


def layout(colours: Colours, title: str, subtitle: str, x: dict[str, Any], y: dict[str, Any]) -> dict[str, Any]:
    """Return the layout of a figure: title, parameters as subtitle, axes without frame, and the legend below.

    A page shows title and subtitle as text above the chart; a saved file has them inside the picture.
    """
    font = {"family": "Source Sans, Source Sans Pro, Arial, sans-serif", "color": colours["text"]}
    shared = {"gridcolor": _GRID, "zeroline": False, "automargin": True}
    shared |= {"ticks": "outside", "ticklen": 6, "tickcolor": "rgba(0,0,0,0)"}  # separates the labels at the corner
    return {
        "template": "none",  # this layout is complete; Plotly's own template would only make the message longer
        "title": {"text": title, "subtitle": {"text": subtitle}},
        "font": font | {"size": TYPE},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "margin": {"l": 8, "r": 14, "t": 24, "b": 8},
        "height": 450,
        "hovermode": "x unified",
        "hoverlabel": {"namelength": -1, "bgcolor": colours["paper"], "font": font},
        "modebar": {"bgcolor": "rgba(0,0,0,0)", "color": colours["quiet"], "activecolor": colours["text"]},
        "legend": {
            "orientation": "h",
            "yref": "container",
            "y": 0,
            "yanchor": "bottom",
            "x": 0,
            "font": {"size": TYPE},
        },
        "xaxis": shared | _with_title_style(x),
        "yaxis": shared | _with_title_style(y),
        "shapes": [],
        "annotations": [],
    }


def _with_title_style(axis: dict[str, Any]) -> dict[str, Any]:
    """Return an axis whose title has the font size of the other texts."""
    return axis | {"title": {"font": {"size": TYPE}, "standoff": 8} | axis["title"]} if "title" in axis else axis


def log_axis(label: str, low: int, high: int, *, marks: tuple[float, ...] = ()) -> dict[str, Any]:
    """Return a log axis over whole decades, labelled at decades only, or at the given marks."""
    step = max(1, math.ceil((high - low) / 7))
    ticks = marks or tuple(10.0**decade for decade in range(low, high + 1) if (decade - high) % step == 0)
    return {
        "type": "log",
        "range": [low, high],
        "tickvals": list(ticks),
        "ticktext": tick_texts(ticks),
        "title": {"text": label},
    }


def decades(low: int, high: int, *values: float) -> tuple[int, int]:
    """Return a range of decades, widened only as far as needed for the given values to lie in it."""
    positive = [value for value in values if value > 0]
    return (
        min([low, *(math.floor(math.log10(value)) for value in positive)]),
        max([high, *(math.ceil(math.log10(value)) for value in positive)]),
    )


def round_axis_end(value: float) -> float:
    """Return an axis end that seldom moves: the least 1, 1.5, 2, 3, 5 or 7 times a power of ten not below a value.

    A value of 0, or one near the smallest float, gives 1.

    >>> round_axis_end(0.7), round_axis_end(11.5), round_axis_end(200), round_axis_end(0), round_axis_end(1e-320)
    (0.7, 15.0, 200.0, 1.0, 1.0)
    """
    if value < _MIN_AXIS_END:
        return 1.0
    power = 10.0 ** math.floor(math.log10(value))
    return float(f"{next(step for step in (1, 1.5, 2, 3, 5, 7, 10) if value <= step * power * (1 + 1e-9)) * power:.3g}")


def line(x: ArrayLike, y: ArrayLike, name: str, colour: str, dash: str, **attributes: Any) -> dict[str, Any]:
    """Return a line trace of single-precision arrays, which travel to the browser as raw bytes."""
    trace = {"type": "scatter", "mode": "lines", "name": name, "line": {"color": colour, "dash": dash, "width": 2.5}}
    return trace | {"x": compact(x), "y": compact(y)} | attributes


def ghost(colours: Colours) -> dict[str, Any]:
    """Return the attributes of a line trace of the pinned setting: thin and grey, without legend and hover text."""
    style = {"color": colours["ghost"], "dash": "solid", "width": 2}
    return {"line": style, "showlegend": False, "hoverinfo": "skip"}


def hover_head(symbol: str) -> dict[str, Any]:
    """Return the attributes of an x axis with which the head of the hover text names its quantity.

    >>> hover_head("ε")
    {'unifiedhovertitle': {'text': 'ε = %{x:.4g}'}}
    """
    return {"unifiedhovertitle": {"text": f"{symbol} = %{{x:.4g}}"}}


def transparent(colour: str, opacity: float = 0.16) -> str:
    """Return a transparent shade of a colour.

    >>> transparent("#0060a0")
    'rgba(0,96,160,0.16)'
    """
    red, green, blue = (int(colour[place : place + 2], 16) for place in (1, 3, 5))
    return f"rgba({red},{green},{blue},{opacity})"


def positive_or_nan(values: ArrayLike) -> NDArray[np.float64]:
    """Return values for a log axis: NaN where they are 0 or less, for which it has no place."""
    values = np.asarray(values, np.float64)
    return np.where(values > 0, values, np.nan)


def compact(values: ArrayLike) -> NDArray[np.floating]:
    """Return values in single precision where its range allows."""
    values = np.asarray(values, np.float64)
    size = np.abs(values[np.isfinite(values) & (values != 0)])
    return values.astype(np.float32) if size.size == 0 or (size.max() < 1e38 and size.min() > 1e-37) else values


def bands(levels: Sequence[float], ramp: Sequence[str], colours: Colours) -> dict[str, Any]:
    """Return the style of filled contours whose value i stands for `levels[i]`: shades and a colour bar."""
    bar = {"orientation": "h", "yref": "container", "y": 0, "yanchor": "bottom", "thickness": 12, "len": 1}
    bar |= {"outlinewidth": 0, "tickangle": 0, "tickfont": {"size": TYPE}}
    bar |= {"tickvals": list(range(len(levels))), "ticktext": [number_format.format_nearest(level) for level in levels]}
    return {
        "contours": {"start": 0, "end": len(levels) - 1, "size": 1, "coloring": "fill"},
        "colorscale": [[place / len(levels), shade] for place, shade in enumerate(ramp)],
        "line": {"width": 0.7, "color": colours["quiet"]},
        "colorbar": bar,
    }


def hairline(figure: dict[str, Any], colours: Colours, value: float, label: str, key: str = "") -> None:
    """Mark the current setting by a thin dashed line across the plot with its value on top.

    With the `key` of a parameter that has steps, the line is the handle by which the parameter is dragged. A log axis
    has no place for a value of 0: an arrow at its end stands for it.
    """
    note = {"text": label, "showarrow": False, "font": {"size": TYPE}, "y": 1, "yref": "y domain", "yanchor": "bottom"}
    note |= {"name": key} if key else {}
    is_log = figure["xaxis"].get("type") == "log"
    if is_log and value <= 0:
        figure["annotations"].append(note | {"text": f"← {label}", "x": 0, "xref": "paper", "xanchor": "left"})
        return
    style = {"color": colours["quiet"], "dash": "dash", "width": 1}
    span = {"x0": value, "x1": value, "y0": 0, "y1": 1, "yref": "y domain"}
    figure["shapes"].append({"type": "line", "line": style} | span | ({"name": key} if key else {}))
    place = math.log10(value) if is_log else value
    low, high = figure["xaxis"].get("range", (place, place))
    share = (place - low) / (high - low) if high > low else 0.5
    side = "right" if share > 0.85 else "left" if share < 0.1 else "center"  # a centred label would be cut at the edge
    figure["annotations"].append(note | {"x": place, "xanchor": side})


def pinned_line(figure: dict[str, Any], colours: Colours, value: float) -> None:
    """Mark the pinned setting by a grey line; draw nothing if a log axis has no place for it."""
    is_log = figure["xaxis"].get("type") == "log"
    if is_log and value <= 0:
        return
    style = {"color": colours["ghost"], "dash": "dot", "width": 2}
    span = {"x0": value, "x1": value, "y0": 0, "y1": 1, "yref": "y domain"}
    figure["shapes"].append({"type": "line", "line": style} | span)
    note = {"text": "pinned", "showarrow": False, "y": 1, "yref": "y domain", "yanchor": "top", "xanchor": "left"}
    figure["annotations"].append(
        note | {"x": math.log10(value) if is_log else value, "font": {"color": colours["quiet"]}}
    )
