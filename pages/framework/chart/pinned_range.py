"""The ranges of the axes in a chart that has curves of a pinned setting: they are widened until these are inside."""

import math
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pages.framework.parameters.number_format import format_nearest

_MAX_DECADES = 3.0  # by which a log axis is widened, beyond the nearer end of the curves: they may reach 1e-300
_MAX_SPANS = 10.0  # by which a linear axis is widened, beyond the nearer end of the curves, in its own lengths

Values = NDArray[np.float64]


def with_pinned_inside(figure: dict[str, Any]) -> dict[str, Any]:
    """Return a figure with axes so wide that its pinned curves are inside, within limits that leave others readable.

    An axis without a fixed range, which includes all traces, stays as it is; so does an end of an x axis beyond which
    curves of the current setting go as well.
    """
    if not any(map(_is_pinned, figure["data"])):
        return figure
    layout = figure["layout"]
    layout = layout | {name: dict(layout[name]) for name in (*_by_axis(figure, "x"), *_by_axis(figure, "y"))}
    for name, traces in _by_axis(figure, "x").items():
        axis = layout[name]
        pinned = _joined(_on_axis(trace["x"], axis) for trace in traces if _is_pinned(trace))
        others = _joined(_on_axis(trace["x"], axis) for trace in traces if not _is_pinned(trace))
        low, high = sorted(axis["range"])
        if others.size:
            margin = 0.01 * (high - low)  # a curve may end between two steps
            pinned = pinned[(others.min() >= low - margin) | (pinned >= low)]
            pinned = pinned[(others.max() <= high + margin) | (pinned <= high)]
        _widen(axis, pinned)
    for name, traces in _by_axis(figure, "y").items():
        axis = layout[name]
        _widen(axis, _joined(_visible_values(trace, layout, axis) for trace in traces if _is_pinned(trace)))
    return figure | {"layout": layout}


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
    return y[(x >= low) & (x <= high)]


def _widen(axis: dict[str, Any], values: Values) -> None:
    """Widen the range of an axis to include values, and extend the labels of a log axis."""
    if not values.size:
        return
    first, last = axis["range"]
    low, high, lowest, highest = min(first, last), max(first, last), float(values.min()), float(values.max())
    limit = _MAX_DECADES if axis.get("type") == "log" else _MAX_SPANS * (high - low)
    new_low = min(low, max(lowest, min(low, highest) - limit))
    new_high = max(high, min(highest, max(high, lowest) + limit))
    if (new_low, new_high) == (low, high):
        return
    axis["range"] = [new_low, new_high] if first <= last else [new_high, new_low]
    if axis.get("type") == "log" and "tickvals" in axis:
        decades = [
            decade for decade in range(math.ceil(new_low), math.floor(new_high) + 1) if not low <= decade <= high
        ]
        axis["tickvals"] = [*axis["tickvals"], *(10.0**decade for decade in decades)]
        axis["ticktext"] = [*axis["ticktext"], *(format_nearest(10.0**decade) for decade in decades)]
