"""The ranges of the axes in a chart that has curves of a pinned setting: they are widened until these are inside."""

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pages.framework.parameters.number_format import format_nearest

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
    if not any(map(_is_pinned, figure["data"])) and not any(map(_is_pinned_note, layout.get("annotations", ()))):
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
    others = _joined(part for is_pinned, part in parts if not is_pinned)
    margin = 0.01 * (high - low)  # a curve may end between two steps
    lowest = -math.inf if not others.size or others.min() >= low - margin else low - limit
    highest = math.inf if not others.size or others.max() <= high + margin else high + limit
    inside = []
    for is_pinned, part in parts:
        if is_pinned and not np.isin(part, others).all():  # a curve that is drawn already moves no axis
            nearest = part[np.argmin(np.abs(part - np.clip(part, low, high)))]
            inside += [part[(part >= lowest) & (part <= highest)], nearest]
    _widen(axis, _joined(inside))


def _with_arrow(note: dict[str, Any], layout: dict[str, Any]) -> dict[str, Any]:
    """Return the note of a pinned value, moved to the end of its x axis if it lies outside; others as they are."""
    axis = layout.get(f"xaxis{note.get('xref', 'x')[1:]}")
    if not _is_pinned_note(note) or axis is None or axis.get("range") is None:
        return note
    low, high = sorted(axis["range"])
    if low <= note["x"] <= high:
        return note
    is_left = note["x"] < low
    text, side = ("← pinned", "left") if is_left else ("pinned →", "right")
    return note | {"text": text, "x": low if is_left else high, "xanchor": side}


def _is_pinned(trace: dict[str, Any]) -> bool:
    return "pinned" in str(trace.get("name"))


def _is_pinned_note(note: dict[str, Any]) -> bool:
    return note.get("text") == "pinned"


def _by_axis(figure: dict[str, Any], letter: str) -> dict[str, list[dict[str, Any]]]:
    """Return the traces of each axis with a fixed range, by its name in the layout."""
    groups: dict[str, list[dict[str, Any]]] = {}
    for trace in figure["data"]:
        name = f"{letter}axis{trace.get(f'{letter}axis', letter)[1:]}"
        if {"x", "y"} <= trace.keys() and figure["layout"].get(name, {}).get("range") is not None:
            groups.setdefault(name, []).append(trace)
    return groups


def _joined(parts: Iterable[Values]) -> Values:
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
    low, high = min(first, last), max(first, last)
    new_low, new_high = min(low, float(values.min())), max(high, float(values.max()))
    if (new_low, new_high) == (low, high):
        return
    axis["range"] = [new_low, new_high] if first <= last else [new_high, new_low]
    if axis.get("type") == "log" and "tickvals" in axis:
        inside = range(math.ceil(new_low), math.floor(new_high) + 1)
        step = math.ceil(len(inside) / _MAX_TICKS)  # labels of hundreds of decades would lie on each other
        decades = [decade for decade in inside if not low <= decade <= high and decade % step == 0]
        shown, ticks = axis["tickvals"], [*axis["tickvals"], *(10.0**decade for decade in decades)]
        texts = tick_texts(ticks)  # in one notation, where the axis has no names of its own
        is_plain = axis["ticktext"] == tick_texts(shown)
        axis["ticktext"] = texts if is_plain else [*axis["ticktext"], *texts[len(shown) :]]
        axis["tickvals"] = ticks


def tick_texts(ticks: Sequence[float]) -> list[str]:
    """Return the numbers at the marks of a log axis, all large ones or small ones in one notation.

    >>> tick_texts([100, 1e5, 1e6]), tick_texts([1e-6, 1e-3, 1, 1000])
    (['100', '1e5', '1e6'], ['1e-6', '1e-3', '1', '1,000'])
    """
    texts = [format_nearest(tick) for tick in ticks]
    for group in ([tick >= 1e3 for tick in ticks], [tick < 1e-2 for tick in ticks]):
        if any("e" in text for text, is_in in zip(texts, group, strict=True) if is_in):
            texts = [_power_text(ticks[n]) if is_in else texts[n] for n, is_in in enumerate(group)]
    return texts


def _power_text(value: float) -> str:
    mantissa, exponent = f"{value:.3e}".split("e")
    return f"{float(mantissa):g}e{int(exponent)}"
