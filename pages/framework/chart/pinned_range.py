"""The range of an axis in a chart that has curves of a pinned setting: it is widened until they are inside."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pages.framework.parameters.number_format import format_nearest

_MAX_DECADES = 3.0  # by which a log axis is widened at either end: a curve may reach 1e-300
_MAX_SPANS = 3.0  # by which a linear axis is widened at either end, in its own lengths


def include_pinned(figure: dict[str, Any]) -> None:
    """Widen each y axis so far that the pinned curves are inside, within limits that leave the others readable.

    An axis without a fixed range, which includes all traces, stays as it is.
    """
    layout = figure["layout"]
    pinned_traces = [trace for trace in figure["data"] if "pinned" in str(trace.get("name")) and "y" in trace]
    for name in {trace.get("yaxis", "y") for trace in pinned_traces}:
        axis = layout.get(f"yaxis{name[1:]}", {})
        if axis.get("range") is None:
            continue
        traces = [trace for trace in pinned_traces if trace.get("yaxis", "y") == name]
        values = np.concatenate([_visible_values(trace, layout, axis) for trace in traces])
        if values.size:
            _widen(axis, float(values.min()), float(values.max()))


def _on_axis(values: Any, axis: dict[str, Any]) -> NDArray[np.float64]:
    """Return values in the unit of the range of an axis; NaN where they are no numbers or a log axis has no place."""
    values = np.asarray(values)
    values = values.astype(np.float64) if values.dtype.kind in "fiu" else np.full(values.shape, np.nan)
    if axis.get("type") != "log":
        return values
    return np.log10(values, out=np.full(values.shape, np.nan), where=values > 0)


def _visible_values(trace: dict[str, Any], layout: dict[str, Any], axis: dict[str, Any]) -> NDArray[np.float64]:
    """Return the finite values of a trace on its y axis, where its x axis shows them."""
    x_axis = layout.get(f"xaxis{trace.get('xaxis', 'x')[1:]}", {})
    x, y = _on_axis(trace["x"], x_axis), _on_axis(trace["y"], axis)
    low, high = sorted(x_axis["range"]) if x_axis.get("range") is not None else (-math.inf, math.inf)
    return y[np.isfinite(y) & (x >= low) & (x <= high)]


def _widen(axis: dict[str, Any], lowest: float, highest: float) -> None:
    """Widen the range of an axis to include two values, and extend the labels of a log axis."""
    first, last = axis["range"]
    low, high = min(first, last), max(first, last)
    limit = _MAX_DECADES if axis.get("type") == "log" else _MAX_SPANS * (high - low)
    new_low, new_high = min(low, max(lowest, low - limit)), max(high, min(highest, high + limit))
    if (new_low, new_high) == (low, high):
        return
    axis["range"] = [new_low, new_high] if first <= last else [new_high, new_low]
    if axis.get("type") == "log" and "tickvals" in axis:
        decades = [
            decade for decade in range(math.ceil(new_low), math.floor(new_high) + 1) if not low <= decade <= high
        ]
        axis["tickvals"] = [*axis["tickvals"], *(10.0**decade for decade in decades)]
        axis["ticktext"] = [*axis["ticktext"], *(format_nearest(10.0**decade) for decade in decades)]
