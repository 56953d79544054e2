"""The common style of all figures: layout, fonts, axes, traces and marks, and axes that include pinned curves."""

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pages.framework.export.exhibit import Colours
from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import format_nearest

_GRID = "rgba(128,138,150,.22)"
_AT_BOTTOM = {"orientation": "h", "yref": "container", "y": 0, "yanchor": "bottom"}  # of a legend or a colour bar
TYPE = 13  # px: the smallest font size in a chart
_ON_TOP = {"y": 1, "yref": "y domain"}  # of the plot
_LEAST_SEEN = 0.05  # of a curve on an axis of three decades: two or three pixels
_LOW = 0.33  # of the height of the plot, which a low line has
_MIN_AXIS_END = 1e-300  # the smallest end of an axis, near the smallest float


def layout(colours: Colours, title: str, subtitle: str, x: dict[str, Any], y: dict[str, Any]) -> dict[str, Any]:
    """Return the layout of a figure: title, parameters as subtitle, axes without frame, and the legend below.

    A page shows title and subtitle as text above the chart; a saved file has them inside the picture.
    """
    font = {"family": "Source Sans, Source Sans Pro, Arial, sans-serif", "color": colours["text"]}
    shared = {"gridcolor": _GRID, "zeroline": False, "automargin": True, "separatethousands": True}
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
        "legend": _AT_BOTTOM | {"x": 0, "font": {"size": TYPE}},
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
    marks_and_texts = {"tickvals": list(ticks), "ticktext": tick_texts(ticks)}
    return {"type": "log", "range": [low, high], **marks_and_texts, "title": {"text": label}}


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


def pinned_curve(x: ArrayLike, y: ArrayLike, colours: Colours, shape: str = "linear") -> dict[str, Any]:
    """Return a line trace of the pinned setting, of a shape of Plotly's: "hv" keeps a value up to the next x."""
    trace = line(x, y, "pinned", "", "") | ghost(colours)
    return trace | {"line": trace["line"] | {"shape": shape}}


def markers(x: ArrayLike, y: ArrayLike, name: str, marker: dict[str, Any], **attributes: Any) -> dict[str, Any]:
    """Return a trace of points without a line, of single-precision arrays."""
    trace = {"type": "scatter", "mode": "markers", "name": name, "x": compact(x), "y": compact(y), "marker": marker}
    return trace | attributes


def hover_head(symbol: str) -> dict[str, Any]:
    """Return the attributes of an x axis with which the head of the hover text names its quantity."""
    return {"unifiedhovertitle": {"text": f"{symbol} = %{{x:.4~g}}"}}


def transparent(colour: str, opacity: float = 0.16) -> str:
    """Return a transparent shade of a colour."""
    red, green, blue = (int(colour[place : place + 2], 16) for place in (1, 3, 5))
    return f"rgba({red},{green},{blue},{opacity})"


def coincide(values: ArrayLike, others: ArrayLike) -> bool:
    """Return whether two curves of several decades are nowhere far enough from each other for two lines."""
    is_close = np.shape(values) == np.shape(others)
    return is_close and np.allclose(values, others, rtol=_LEAST_SEEN, atol=0, equal_nan=True)


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
    bar = _AT_BOTTOM | {"thickness": 12, "len": 1, "outlinewidth": 0, "tickangle": 0, "tickfont": {"size": TYPE}}
    bar |= {"tickvals": list(range(len(levels))), "ticktext": [number_format.format_nearest(level) for level in levels]}
    return {
        "contours": {"start": 0, "end": len(levels) - 1, "size": 1, "coloring": "fill"},
        "colorscale": [[place / len(levels), shade] for place, shade in enumerate(ramp)],
        "line": {"width": 0.7, "color": colours["quiet"]},
        "colorbar": bar,
    }


def hairline(
    figure: dict[str, Any], colours: Colours, value: float, label: str, key: str = "", *, is_low: bool = False
) -> None:
    """Mark the current setting by a thin dashed line across the plot with its value on top.

    With the `key` of a parameter that has steps, the line is the handle by which the parameter is dragged. A log axis
    has no place for a value of 0: an arrow at its end stands for it. A second parameter of the same axis has a low
    line, in the lower third of the plot with its value beside its foot: the two can meet, and each is still dragged.
    """
    named = {"name": key} if key else {}
    note = {"text": label, "showarrow": False, "font": {"size": TYPE}, **_ON_TOP, "yanchor": "bottom"} | named
    is_log = figure["xaxis"].get("type") == "log"
    if is_log and value <= 0:
        figure["annotations"].append(note | {"text": f"← {label}", "x": 0, "xref": "paper", "xanchor": "left"})
        return
    style = {"color": colours["quiet"], "dash": "dash", "width": 1}
    height = _LOW if is_low else 1
    figure["shapes"].append(_upright(value, style) | {"y1": height} | named)
    place = math.log10(value) if is_log else value
    low, high = figure["xaxis"].get("range", (place, place))
    share = (place - low) / (high - low) if high > low else 0.5
    if is_low:
        side, shift = ("right", -6) if share > 0.5 else ("left", 6)
        note |= {"y": 0, "bgcolor": colours["paper"]}  # low curves pass behind it
        figure["annotations"].append(note | {"x": place, "xanchor": side, "xshift": shift})
        return
    side = "right" if share > 0.85 else "left" if share < 0.1 else "center"  # a centred label would be cut at the edge
    figure["annotations"].append(note | {"x": place, "xanchor": side})


def pinned_line(figure: dict[str, Any], colours: Colours, value: float) -> None:
    """Mark the pinned setting by a grey line; draw nothing if a log axis has no place for it."""
    is_log = figure["xaxis"].get("type") == "log"
    if is_log and value <= 0:
        return
    figure["shapes"].append(_upright(value, {"color": colours["ghost"], "dash": "dot", "width": 2}))
    note = {"text": "pinned", "showarrow": False, **_ON_TOP, "yanchor": "top", "xanchor": "left"}
    note |= {"x": math.log10(value) if is_log else value, "font": {"color": colours["quiet"]}}
    figure["annotations"].append(note)


def _upright(value: float, style: dict[str, Any]) -> dict[str, Any]:
    """Return a line across the whole plot."""
    return {"type": "line", "line": style, "x0": value, "x1": value, "y0": 0, "y1": 1, "yref": "y domain"}


def tick_texts(ticks: Sequence[float]) -> list[str]:
    """Return the numbers at the marks of a log axis, all large ones or small ones in one notation.

    >>> tick_texts([100, 1e5, 1e6]), tick_texts([1e-6, 1e-3, 1, 1000])
    (['100', '1e5', '1e6'], ['1e-6', '1e-3', '1', '1,000'])
    """
    texts = [format_nearest(tick) for tick in ticks]
    for group in ([tick >= 1e3 for tick in ticks], [tick < 1 for tick in ticks]):
        if any("e" in text for text, is_in in zip(texts, group, strict=True) if is_in):
            powers = [f"{tick:.3e}".split("e") for tick in ticks]
            in_powers = [f"{float(mantissa):g}e{int(exponent)}" for mantissa, exponent in powers]
            texts = [in_powers[n] if is_in else texts[n] for n, is_in in enumerate(group)]
    return texts


_MAX_DECADES = 3.0  # by which a log axis is widened where current curves go beyond it as well: they may reach 1e-300
_MAX_SPANS = 10.0  # by which a linear axis is widened there, in its own lengths
_MAX_TICKS = 16

Values = NDArray[np.float64]


def with_pinned_inside(figure: dict[str, Any]) -> dict[str, Any]:
    """Return a figure with axes so wide that its pinned curves are inside.

    An axis without a fixed range, which includes all traces, stays as it is. Where curves of the current setting go
    beyond an end of an x axis, pinned curves may do so too; such an end of a y axis is widened within a limit, and
    each pinned curve has a point inside. A mark of a pinned value outside becomes an arrow at the end of the axis.
    """
    layout = figure["layout"]
    notes = layout.get("annotations", ())
    if not any(map(_is_pinned, figure["data"])) and not any(note.get("text") == "pinned" for note in notes):
        return figure
    layout = layout | {name: dict(layout[name]) for name in (*_by_axis(figure, "x"), *_by_axis(figure, "y"))}
    for name, traces in _by_axis(figure, "x").items():
        axis = layout[name]
        _include(axis, traces, [_on_axis(trace["x"], axis) for trace in traces], 0)
    for name, traces in _by_axis(figure, "y").items():
        axis = layout[name]
        limit = _MAX_DECADES if axis.get("type") == "log" else _MAX_SPANS * float(np.ptp(axis["range"]))
        _include(axis, traces, [_visible_values(trace, layout, axis) for trace in traces], limit)
    if "annotations" in layout:
        layout["annotations"] = [_with_arrow(note, layout) for note in layout["annotations"]]
    return figure | {"layout": layout}


def _include(axis: dict[str, Any], traces: list[dict[str, Any]], values: list[Values], limit: float) -> None:
    """Widen an axis until the values of its pinned traces are inside; by a limit at an end that others go beyond."""
    low, high = sorted(axis["range"])
    parts = [(_is_pinned(trace), part[np.isfinite(part)]) for trace, part in zip(traces, values, strict=True)]
    others = _finite_values(part for is_pinned, part in parts if not is_pinned)
    margin = 0.01 * (high - low)  # a curve may end between two steps
    lowest = -math.inf if not others.size or others.min() >= low - margin else low - limit
    highest = math.inf if not others.size or others.max() <= high + margin else high + limit
    inside = []
    for is_pinned, part in parts:
        if is_pinned and not np.isin(part, others).all():  # a curve that is drawn already moves no axis
            nearest = part[np.argmin(np.abs(part - np.clip(part, low, high)))]
            inside += [part[(part >= lowest) & (part <= highest)], nearest]
    _widen(axis, _finite_values(inside))


def _with_arrow(note: dict[str, Any], layout: dict[str, Any]) -> dict[str, Any]:
    """Return the note of a pinned value, moved to the end of its x axis if it lies outside; others as they are."""
    axis = layout.get(f"xaxis{note.get('xref', 'x')[1:]}")
    if note.get("text") != "pinned" or axis is None or axis.get("range") is None:
        return note
    low, high = sorted(axis["range"])
    if low <= note["x"] <= high:
        return note
    is_left = note["x"] < low
    text, side = ("← pinned", "left") if is_left else ("pinned →", "right")
    return note | {"text": text, "x": low if is_left else high, "xanchor": side}


def _is_pinned(trace: dict[str, Any]) -> bool:
    return "pinned" in str(trace.get("name"))


def _by_axis(figure: dict[str, Any], letter: str) -> dict[str, list[dict[str, Any]]]:
    """Return the traces of each axis with a fixed range, by its name in the layout."""
    groups: dict[str, list[dict[str, Any]]] = {}
    for trace in figure["data"]:
        name = f"{letter}axis{trace.get(f'{letter}axis', letter)[1:]}"
        if {"x", "y"} <= trace.keys() and figure["layout"].get(name, {}).get("range") is not None:
            groups.setdefault(name, []).append(trace)
    return groups


def _finite_values(parts: Iterable[Values]) -> Values:
    """Return the finite values of several arrays."""
    values = np.concatenate([np.zeros(0), *(part.ravel() for part in parts)])
    return values[np.isfinite(values)]


def _on_axis(values: Any, axis: dict[str, Any]) -> Values:
    """Return values in the unit of the range of an axis; NaN where they are no numbers or a log axis has no place."""
    values = np.asarray(values)
    values = values.astype(np.float64) if values.dtype.kind in "fiu" else np.full(values.shape, np.nan)
    if axis.get("type") != "log":
        return values
    return np.log10(values, out=np.full(values.shape, np.nan), where=values > 0)


def _visible_values(trace: dict[str, Any], layout: dict[str, Any], axis: dict[str, Any]) -> Values:
    """Return the values of a trace on its y axis, where its x axis shows them."""
    x_axis = layout.get(f"xaxis{trace.get('xaxis', 'x')[1:]}", {})
    x, y = _on_axis(trace["x"], x_axis), _on_axis(trace["y"], axis)
    low, high = sorted(x_axis["range"]) if x_axis.get("range") is not None else (-math.inf, math.inf)
    return y[(x >= low) & (x <= high)] if x.shape == y.shape else y  # a map has a value for each pair of both


def _widen(axis: dict[str, Any], values: Values) -> None:
    """Widen the range of an axis to include values, and extend the labels of a log axis."""
    if not values.size:
        return
    first, last = axis["range"]
    low, high = sorted((first, last))
    new_low, new_high = min(low, float(values.min())), max(high, float(values.max()))
    if (new_low, new_high) == (low, high):
        return
    axis["range"] = [new_low, new_high] if first <= last else [new_high, new_low]
    if axis.get("type") == "log" and "tickvals" in axis:
        inside = range(math.ceil(new_low), math.floor(new_high) + 1)
        step = math.ceil(len(inside) / _MAX_TICKS)  # labels of hundreds of decades would lie on each other
        decades = [decade for decade in inside if not low <= decade <= high and decade % step == 0]
        old_ticks, ticks = axis["tickvals"], [*axis["tickvals"], *(10.0**decade for decade in decades)]
        texts = tick_texts(ticks)  # in one notation, where the axis has no names of its own
        is_plain = axis["ticktext"] == tick_texts(old_ticks)
        axis["ticktext"] = texts if is_plain else [*axis["ticktext"], *texts[len(old_ticks) :]]
        axis["tickvals"] = ticks
