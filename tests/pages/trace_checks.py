"""The comparison of each trace of a chart with its entry: dpcore at some points, the CSV, the axes and the hover.

`tests.pages.figure_checks` describes the entries.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from pages.framework.export.exhibit import Exhibit
from tests.pages.conftest import figure_of
from tests.pages.figure_checks import SINGLE_PRECISION, Chart, Column, Numbers, Setting, Trace


def names_of(traces: list[dict[str, Any]]) -> list[str]:
    """Return the name of each trace, with its number where the same name came before."""
    names: list[str] = []
    for trace in traces:
        name = trace.get("name") or "unnamed"
        before = sum(pattern == name or pattern.startswith(f"{name} #") for pattern in names)
        names.append(f"{name} #{before + 1}" if before else name)
    return names


def check_of(name: str, traces: Mapping[str, Trace]) -> tuple[str, Trace] | None:
    """Return the entry that describes a trace, with the name under which it stands, or None if no entry does."""
    if name in traces:
        return name, traces[name]
    return next(((key, trace) for key, trace in traces.items() if key[-1] == "…" and name.startswith(key[:-1])), None)


def check_exhibit(exhibit: Exhibit, chart: Chart, setting: Setting) -> set[str]:
    """Check an exhibit that is a chart; return the entries that were used."""
    figure, table = figure_of(exhibit), exhibit.table
    check_axes(exhibit.name, figure["layout"], chart, setting)
    assert "" not in chart.jumps, f"the lines of exhibit {exhibit.name} that jump have no names"
    used = set()
    for name, trace in zip(names_of(figure["data"]), figure["data"], strict=True):
        check = check_of(name, chart.traces)
        assert check is not None, f"trace {name} of exhibit {exhibit.name} has no check: add one in figure_checks.py"
        used.add(check[0])
        trace_name = f"trace {name} of exhibit {exhibit.name}"
        check_trace(trace_name, trace, check[1], chart, table, setting)
        if not name.startswith(chart.jumps):
            _check_between(trace_name, trace, figure["layout"], check[1], setting)
    return used


def check_axes(name: str, layout: dict[str, Any], chart: Chart, setting: Setting) -> None:
    """Check the type and the title of every axis, and that a line that marks a parameter stands at its value."""
    axes = {"xaxis": chart.x, "yaxis": chart.y, **chart.more_axes}
    axis_layouts = {key: axis_layout for key, axis_layout in layout.items() if key.startswith(("xaxis", "yaxis"))}
    assert axis_layouts.keys() == axes.keys(), f"exhibit {name} has the axes {sorted(axis_layouts)}"
    for key, axis in axes.items():
        label = axis_layouts[key].get("title", {}).get("text", "")
        assert axis_layouts[key].get("type", "-") == axis.type, f"{key} of exhibit {name} is of another type"
        assert axis.label in label, f"{key} of exhibit {name} is titled {label!r}, without {axis.label!r}"
        assert axis.label or not label, f"{key} of exhibit {name} is titled {label!r}"
    for shape in layout["shapes"]:
        if "name" in shape:
            value = chart.marks.get(shape["name"]) or marked_value(setting, shape["name"])
            assert _close(shape["x0"], value) or _close(shape["y0"], value), f"{shape['name']} is marked elsewhere"


def marked_value(setting: Setting, name: str) -> float:
    """Return the value of a parameter, or of a number of an entry of a list: `key.position.number`."""
    listing, _, rest = name.partition(".")
    if not rest:
        return getattr(setting, name)
    place, _, key = rest.partition(".")
    fields = {quantity.key: quantity.read(text) for quantity, text in getattr(setting, listing)[int(place)].fields}
    return fields[key]


def check_trace(
    trace_name: str, trace: dict[str, Any], check: Trace, chart: Chart, table: pd.DataFrame, setting: Setting
) -> None:
    """Check one trace against its CSV and against dpcore."""
    if check.hover:
        rows = rows_of(table, check)
        hover = numbers(trace["customdata"]).ravel()
        assert np.allclose(hover, column_of(rows, check.hover).ravel(), SINGLE_PRECISION, 1e-300, equal_nan=True), (
            f"the hover of {trace_name} is not its CSV column"
        )
    if check.back is not None:
        half = len(trace["x"]) // 2
        there = {key: numbers(trace[key])[:half] for key in ("x", "y")}
        back = {key: numbers(trace[key])[half:][::-1] for key in ("x", "y")}
        check_trace(f"{trace_name}, on its way out,", there, replace(check, back=None), chart, table, setting)
        check_trace(
            f"{trace_name}, on its way back,", back, replace(check, truth=check.back, back=None), chart, table, setting
        )
        return
    values = numbers(trace["z" if "z" in trace else check.value])
    if "z" in trace:
        _check_map(trace_name, trace, values, check, table, setting)
        return
    places = numbers(trace["y" if check.value == "x" else "x"])
    values = np.where(np.isfinite(places), values, np.nan)
    known = np.flatnonzero(np.isfinite(values))
    rtol = max(check.rtol, SINGLE_PRECISION)
    if check.positions is not None:
        where = check.positions(setting, np.arange(places.size, dtype=float))
        assert np.allclose(places[known], np.asarray(where)[known], 1e-5, 1e-9), (
            f"{trace_name} stands at {places}, not {where}"
        )
    if check.column:
        places, known, values = _in_csv(trace_name, places, values, check, chart, table)
        rtol = check.rtol
    if not known.size:
        assert check.column, f"{trace_name} is empty"  # else its CSV has no value that it should show either
        return
    few = _some(known, min(check.n_points, 3) if check.column else check.n_points)
    places = np.arange(values.size, dtype=float) if check.by_place else places
    truth = expected(check, setting, places[few])
    assert np.allclose(values[few], truth, rtol, check.atol), f"{trace_name} is {values[few]}, dpcore gives {truth}"
    if check.error is not None or "error_y" in trace or "error_x" in trace:
        _check_errors(trace_name, trace, check, places, few, table, setting)


def _in_csv(
    trace_name: str, places: Numbers, values: Numbers, check: Trace, chart: Chart, table: pd.DataFrame
) -> tuple[Numbers, NDArray[np.intp], Numbers]:
    """Return the x of a trace, the points that have a value, and the values, in the full digits of the CSV."""
    rows = rows_of(table, check)
    column = column_of(rows, check.column)
    visible = np.isfinite(column) if check.visible is None else np.asarray(check.visible(rows)) & np.isfinite(column)
    x_column = chart.x_column if check.x is None else check.x
    along = column_of(rows, x_column) if x_column else None
    if values.size != column.size:
        keep = np.isfinite(values)
        assert keep.sum() == visible.sum(), f"{trace_name} has {keep.sum()} points, its CSV {visible.sum()}"
        places, values, column = places[keep], values[keep], column[visible]
        along, visible = None if along is None else along[visible], np.ones(column.size, bool)
    is_drawn = np.isfinite(values)
    if check.may is not None:
        joined = visible | np.asarray(check.may(rows))
    else:
        joined = visible if check.visible is None else visible | np.roll(visible, -1) | np.roll(visible, 1)
    assert (is_drawn >= visible).all(), f"{trace_name} leaves rows of its CSV out"
    assert (is_drawn <= joined).all(), f"{trace_name} has a value where it should have none"
    assert np.allclose(values[is_drawn], column[is_drawn], SINGLE_PRECISION, 1e-300), (
        f"{trace_name} is not its CSV column"
    )
    if along is not None:
        assert np.allclose(places[is_drawn], along[is_drawn], SINGLE_PRECISION, 1e-300), (
            f"{trace_name} has an x not of its CSV"
        )
        places = along
    return places, np.flatnonzero(is_drawn), column


def _check_map(
    trace_name: str, trace: dict[str, Any], values: Numbers, check: Trace, table: pd.DataFrame, setting: Setting
) -> None:
    """Check a heat map or contours at two corners, at two points between, and where it is largest."""
    x, y = numbers(trace["x"]), numbers(trace["y"])
    for side, column in ((x, check.x), (y, check.y)):
        along = np.unique(column_of(table, column)) if column else np.unique(side)
        assert np.allclose(np.sort(side), along, SINGLE_PRECISION, 1e-300), (
            f"a side of {trace_name} is not its CSV column"
        )
    if check.column:
        rows = rows_of(table, check)
        column = column_of(rows, check.column)
        assert column.size == values.size, f"{trace_name} has {values.size} places, its CSV {column.size}"
        is_drawn, is_visible = np.isfinite(values), np.isfinite(column.reshape(values.shape))
        assert is_drawn.any(), f"{trace_name} is empty"
        assert (is_drawn <= is_visible).all(), f"{trace_name} has a value where it should have none"
        assert (is_drawn >= is_visible).all() or check.visible is not None, f"{trace_name} leaves places of its CSV out"
        assert np.allclose(values[is_drawn], column.reshape(values.shape)[is_drawn], SINGLE_PRECISION, 1e-12), (
            f"{trace_name} is not its CSV column"
        )
    known = np.argwhere(np.isfinite(values))
    largest = np.unravel_index(np.nanargmax(np.abs(values)), values.shape)
    few = np.vstack([known[_some(np.arange(len(known)), 4)], [largest]])
    truth = expected(check, setting, x[few[:, 1]], y[few[:, 0]])
    computed = values[few[:, 0], few[:, 1]]
    assert np.allclose(computed, truth, max(check.rtol, SINGLE_PRECISION), check.atol), (
        f"{trace_name} is {computed}, dpcore gives {truth}"
    )


MOST_OFF = 0.01
"""By what share of its value, on a linear axis of the axis's height, a line may be off between two of its points."""


NARROWEST = 1e-4
"""The share of the axis below which a segment is a vertical stroke on every screen, as where a curve jumps."""


def _check_between(name: str, trace: dict[str, Any], figure: dict[str, Any], check: Trace, setting: Setting) -> None:
    """Check a line, or both sides of an area, at the middle of each of its segments that can be seen."""
    is_straight = "lines" in trace.get("mode", "") and trace.get("line", {}).get("shape", "linear") == "linear"
    if not is_straight or check.by_place or check.value == "x":
        return
    axes = tuple(figure[f"{key}axis{trace.get(f'{key}axis', key)[1:]}"] for key in "xy")
    x, y, half = numbers(trace["x"]), numbers(trace["y"]), len(trace["x"]) // 2
    sides = [(x, y, check)]
    if check.back is not None:
        sides = [(x[:half], y[:half], check), (x[half:], y[half:], replace(check, truth=check.back))]
    for along, values, side in sides:
        off, place = furthest_between(along, values, axes, side, setting)
        assert off <= MOST_OFF, f"{name} is off by {off:.1%} of its {_height(axes[1])} at {place}"


def furthest_between(
    x: Numbers, y: Numbers, axes: tuple[dict[str, Any], dict[str, Any]], check: Trace, setting: Setting
) -> tuple[float, float]:
    """Return by how much a line is off in the middle of a segment at most, and where."""
    one = check.one
    is_log = [axis.get("type") == "log" for axis in axes]
    with np.errstate(invalid="ignore", divide="ignore"):
        along, values = (np.log10(side) if log else side for side, log in zip((x, y), is_log, strict=True))
    known = np.isfinite(along) & np.isfinite(values)
    if not known.any():
        return 0.0, np.nan
    (left, right), (low, high) = (
        sorted(axis.get("range", (side[known].min(), side[known].max())))
        for axis, side in zip(axes, (along, values), strict=True)
    )
    starts = np.flatnonzero(known[1:] & known[:-1] & (x[1:] != x[:-1]))
    places = (along[starts] + along[starts + 1]) / 2
    counts = x[known & ((x >= one) | (one == 1))] / one  # a line may go on to the end of the axis below one person
    is_counted = np.allclose(counts, np.rint(counts), SINGLE_PRECISION, 0)  # such as people, of whom there is no half
    if is_counted:
        places = np.log10(one * np.maximum(np.rint(10**places / one), 1)) if is_log[0] else one * np.rint(places / one)
    weights = (places - along[starts]) / (along[starts + 1] - along[starts])
    drawn = values[starts] * (1 - weights) + values[starts + 1] * weights
    seen = along[starts + 1] - along[starts] > NARROWEST * (right - left)
    seen &= (places >= left) & (places <= right) & (weights > 0) & (weights < 1)
    seen &= (np.minimum(values[starts], values[starts + 1]) <= high) & (drawn >= low)
    if not seen.any():
        return 0.0, np.nan
    places = 10.0 ** places[seen] if is_log[0] else places[seen]
    places = one * np.rint(places / one) if is_counted else places
    truth = np.broadcast_to(expected(check, setting, places), places.shape)
    with np.errstate(invalid="ignore", divide="ignore"):
        truth = np.log10(truth) if is_log[1] else truth
    drawn, truth = np.clip(drawn[seen], low, high), np.clip(truth, low, high)
    off = np.abs(10 ** (drawn - truth) - 1) if is_log[1] else np.abs(drawn - truth) / (high - low)
    off = np.nan_to_num(off)  # dpcore gives nothing there
    return float(off.max()), float(places[off.argmax()])


def _height(axis: dict[str, Any]) -> str:
    return "value" if axis.get("type") == "log" else "axis"


def _check_errors(
    trace_name: str,
    trace: dict[str, Any],
    check: Trace,
    places: Numbers,
    few: NDArray[np.intp],
    table: pd.DataFrame,
    setting: Setting,
) -> None:
    """Check the error bars of a trace."""
    assert check.error is not None, f"the error bars of {trace_name} have no check: add one in figure_checks.py"
    bars = trace.get("error_y") or trace.get("error_x")
    assert bars is not None, f"{trace_name} has lost its error bars"
    lengths = numbers(bars["array"]) if "array" in bars else np.full(places.size, float(bars["value"]))
    if check.error_column:
        rows = rows_of(table, check)
        column = column_of(rows, check.error_column)
        assert np.allclose(lengths, column, SINGLE_PRECISION, 1e-300, equal_nan=True), (
            f"the error bars of {trace_name} are not their CSV column"
        )
    truth = np.asarray(check.error(setting, places[few]))
    assert np.allclose(lengths[few], truth, max(check.rtol, SINGLE_PRECISION), check.atol), (
        f"the error bars of {trace_name} are {lengths[few]}, dpcore gives {truth}"
    )


_KNOWN: dict[Any, Any] = {}


def expected(check: Trace, setting: Setting, *places: Numbers) -> Numbers:
    """Return what dpcore gives, asked once for the same points of the same setting: a mutation run asks often."""
    key = (id(check.truth), id(setting), *(place.tobytes() for place in places))
    if key not in _KNOWN:
        _KNOWN[key] = check.truth, setting, np.asarray(check.truth(setting, *places), np.float64)
    return _KNOWN[key][2]


def numbers(values: ArrayLike) -> Numbers:
    """Return an array of a trace in double precision."""
    return np.asarray(values).astype(np.float64)


def rows_of(table: pd.DataFrame, check: Trace) -> pd.DataFrame:
    """Return the rows of a CSV that belong to a trace."""
    return table if check.rows is None else pd.DataFrame(table[check.rows(table)])


def column_of(rows: pd.DataFrame, column: Column) -> Numbers:
    """Return a column of a CSV, or what is made of its columns, in double precision."""
    return numbers(rows[column] if isinstance(column, str) else column(rows))


def _some(places: NDArray[np.intp], n: int) -> NDArray[np.intp]:
    """At most n of some places, from the first to the last."""
    return places[np.unique(np.linspace(0, places.size - 1, n).round().astype(int))]


def _close(value: float, other: float) -> bool:
    return bool(np.isclose(float(value), float(other), SINGLE_PRECISION, 0))
