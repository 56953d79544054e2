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
    """The name of each trace, with its number where the same name came before."""
    names: list[str] = []
    for trace in traces:
        name = trace.get("name") or "unnamed"
        before = sum(each == name or each.startswith(f"{name} #") for each in names)
        names.append(f"{name} #{before + 1}" if before else name)
    return names


def check_of(name: str, traces: Mapping[str, Trace]) -> tuple[str, Trace] | None:
    """The entry that describes a trace, with the name under which it stands, or None if no entry does."""
    if name in traces:
        return name, traces[name]
    return next(((key, each) for key, each in traces.items() if key[-1] == "…" and name.startswith(key[:-1])), None)


def check_exhibit(exhibit: Exhibit, chart: Chart, setting: Setting) -> set[str]:
    """Check an exhibit that is a chart; return the entries that were used."""
    figure, table = figure_of(exhibit), exhibit.table
    check_axes(exhibit.name, figure["layout"], chart, setting)
    used = set()
    for name, trace in zip(names_of(figure["data"]), figure["data"], strict=True):
        found = check_of(name, chart.traces)
        assert found is not None, f"trace {name} of exhibit {exhibit.name} has no check: add one in figure_checks.py"
        used.add(found[0])
        check_trace(f"trace {name} of exhibit {exhibit.name}", trace, found[1], chart, table, setting)
    return used


def check_axes(name: str, layout: dict[str, Any], chart: Chart, setting: Setting) -> None:
    """Check the type and the title of every axis, and that a line that marks a parameter stands at its value."""
    axes = {"xaxis": chart.x, "yaxis": chart.y, **chart.more_axes}
    drawn = {key: each for key, each in layout.items() if key.startswith(("xaxis", "yaxis"))}
    assert drawn.keys() == axes.keys(), f"exhibit {name} has the axes {sorted(drawn)}"
    for key, axis in axes.items():
        label = drawn[key].get("title", {}).get("text", "")
        assert drawn[key].get("type", "-") == axis.type, f"{key} of exhibit {name} is of another type"
        assert axis.label in label, f"{key} of exhibit {name} is titled {label!r}, without {axis.label!r}"
        assert axis.label or not label, f"{key} of exhibit {name} is titled {label!r}"
    for shape in layout["shapes"]:
        if "name" in shape:
            value = chart.marks.get(shape["name"]) or marked_value(setting, shape["name"])
            assert _close(shape["x0"], value) or _close(shape["y0"], value), f"{shape['name']} is marked elsewhere"


def marked_value(setting: Setting, name: str) -> float:
    """The value of a parameter, or of a number of an entry of a list: `key.position.number`."""
    listing, _, rest = name.partition(".")
    if not rest:
        return getattr(setting, name)
    place, _, key = rest.partition(".")
    fields = {quantity.key: quantity.read(text) for quantity, text in getattr(setting, listing)[int(place)].fields}
    return fields[key]


def check_trace(
    said: str, trace: dict[str, Any], check: Trace, chart: Chart, table: pd.DataFrame, setting: Setting
) -> None:
    """Check one trace against its CSV and against dpcore."""
    if check.hover:
        rows = rows_of(table, check)
        hover = numbers(trace["customdata"]).ravel()
        assert np.allclose(hover, column_of(rows, check.hover).ravel(), SINGLE_PRECISION, 1e-300, equal_nan=True), (
            f"the hover of {said} is not its CSV column"
        )
    if check.back is not None:
        half = len(trace["x"]) // 2
        there = {key: numbers(trace[key])[:half] for key in ("x", "y")}
        back = {key: numbers(trace[key])[half:][::-1] for key in ("x", "y")}
        check_trace(f"{said}, on its way out,", there, replace(check, back=None), chart, table, setting)
        check_trace(
            f"{said}, on its way back,", back, replace(check, truth=check.back, back=None), chart, table, setting
        )
        return
    values = numbers(trace["z" if "z" in trace else check.value])
    if "z" in trace:
        _check_map(said, trace, values, check, table, setting)
        return
    places = numbers(trace["y" if check.value == "x" else "x"])
    values = np.where(np.isfinite(places), values, np.nan)
    known = np.flatnonzero(np.isfinite(values))
    rtol = max(check.rtol, SINGLE_PRECISION)
    if check.positions is not None:
        where = check.positions(setting, np.arange(places.size, dtype=float))
        assert np.allclose(places[known], np.asarray(where)[known], 1e-5, 1e-9), (
            f"{said} stands at {places}, not {where}"
        )
    if check.column:
        places, known, values = _in_csv(said, places, values, check, chart, table)
        rtol = check.rtol
    if not known.size:
        assert check.column, f"{said} is empty"  # else its CSV has no value that it should show either
        return
    few = _some(known, 3 if check.column else check.n_points)
    places = np.arange(values.size, dtype=float) if check.by_place else places
    truth = expected(check, setting, places[few])
    assert np.allclose(values[few], truth, rtol, check.atol), f"{said} is {values[few]}, dpcore gives {truth}"
    if check.error is not None or "error_y" in trace or "error_x" in trace:
        _check_errors(said, trace, check, places, few, table, setting)


def _in_csv(
    said: str, places: Numbers, values: Numbers, check: Trace, chart: Chart, table: pd.DataFrame
) -> tuple[Numbers, NDArray[np.intp], Numbers]:
    """The x of a trace, the points that have a value, and the values, in the full digits of the CSV."""
    rows = rows_of(table, check)
    column = column_of(rows, check.column)
    shown = np.isfinite(column) if check.shown is None else np.asarray(check.shown(rows)) & np.isfinite(column)
    x_column = chart.x_column if check.x is None else check.x
    along = column_of(rows, x_column) if x_column else None
    if values.size != column.size:
        keep = np.isfinite(values)
        assert keep.sum() == shown.sum(), f"{said} has {keep.sum()} points, its CSV {shown.sum()}"
        places, values, column = places[keep], values[keep], column[shown]
        along, shown = None if along is None else along[shown], np.ones(column.size, bool)
    drawn = np.isfinite(values)
    if check.may is not None:
        joined = shown | np.asarray(check.may(rows))
    else:
        joined = shown if check.shown is None else shown | np.roll(shown, -1) | np.roll(shown, 1)
    assert (drawn >= shown).all(), f"{said} leaves rows of its CSV out"
    assert (drawn <= joined).all(), f"{said} has a value where it should have none"
    assert np.allclose(values[drawn], column[drawn], SINGLE_PRECISION, 1e-300), f"{said} is not its CSV column"
    if along is not None:
        assert np.allclose(places[drawn], along[drawn], SINGLE_PRECISION, 1e-300), f"{said} has an x not of its CSV"
        places = along
    return places, np.flatnonzero(drawn), column


def _check_map(
    said: str, trace: dict[str, Any], values: Numbers, check: Trace, table: pd.DataFrame, setting: Setting
) -> None:
    """Check a heat map or contours at the corners, in the middle and at two points between."""
    x, y = numbers(trace["x"]), numbers(trace["y"])
    for side, column in ((x, check.x), (y, check.y)):
        along = np.unique(column_of(table, column)) if column else np.unique(side)
        assert np.allclose(np.sort(side), along, SINGLE_PRECISION, 1e-300), f"a side of {said} is not its CSV column"
    if check.column:
        rows = rows_of(table, check)
        column = column_of(rows, check.column)
        assert column.size == values.size, f"{said} has {values.size} places, its CSV {column.size}"
        drawn, shown = np.isfinite(values), np.isfinite(column.reshape(values.shape))
        assert drawn.any(), f"{said} is empty"
        assert (drawn <= shown).all(), f"{said} has a value where it should have none"
        assert (drawn >= shown).all() or check.shown is not None, f"{said} leaves places of its CSV out"
        assert np.allclose(values[drawn], column.reshape(values.shape)[drawn], SINGLE_PRECISION, 1e-12), (
            f"{said} is not its CSV column"
        )
    known = np.argwhere(np.isfinite(values))
    largest = np.unravel_index(np.nanargmax(np.abs(values)), values.shape)
    few = np.vstack([known[_some(np.arange(len(known)), 7)], [largest]])
    truth = expected(check, setting, x[few[:, 1]], y[few[:, 0]])
    found = values[few[:, 0], few[:, 1]]
    assert np.allclose(found, truth, max(check.rtol, SINGLE_PRECISION), check.atol), (
        f"{said} is {found}, dpcore gives {truth}"
    )


def _check_errors(
    said: str,
    trace: dict[str, Any],
    check: Trace,
    places: Numbers,
    few: NDArray[np.intp],
    table: pd.DataFrame,
    setting: Setting,
) -> None:
    """Check the error bars of a trace."""
    assert check.error is not None, f"the error bars of {said} have no check: add one in figure_checks.py"
    bars = trace.get("error_y") or trace.get("error_x")
    assert bars is not None, f"{said} has lost its error bars"
    lengths = numbers(bars["array"]) if "array" in bars else np.full(places.size, float(bars["value"]))
    if check.error_column:
        rows = rows_of(table, check)
        column = column_of(rows, check.error_column)
        assert np.allclose(lengths, column, SINGLE_PRECISION, 1e-300, equal_nan=True), (
            f"the error bars of {said} are not their CSV column"
        )
    truth = np.asarray(check.error(setting, places[few]))
    assert np.allclose(lengths[few], truth, max(check.rtol, SINGLE_PRECISION), check.atol), (
        f"the error bars of {said} are {lengths[few]}, dpcore gives {truth}"
    )


_KNOWN: dict[Any, Any] = {}


def expected(check: Trace, setting: Setting, *places: Numbers) -> Numbers:
    """What dpcore gives, asked once for the same points of the same setting: a mutation run asks often."""
    key = (id(check.truth), id(setting), *(each.tobytes() for each in places))
    if key not in _KNOWN:
        _KNOWN[key] = check.truth, setting, np.asarray(check.truth(setting, *places), np.float64)
    return _KNOWN[key][2]


def numbers(values: ArrayLike) -> Numbers:
    """An array of a trace in double precision."""
    return np.asarray(values).astype(np.float64)


def rows_of(table: pd.DataFrame, check: Trace) -> pd.DataFrame:
    """The rows of a CSV that belong to a trace."""
    return table if check.rows is None else pd.DataFrame(table[check.rows(table)])


def column_of(rows: pd.DataFrame, column: Column) -> Numbers:
    """A column of a CSV, or what is made of its columns, in double precision."""
    return numbers(rows[column] if isinstance(column, str) else column(rows))


def _some(places: NDArray[np.intp], n: int) -> NDArray[np.intp]:
    """At most n of some places, from the first to the last."""
    return places[np.unique(np.linspace(0, places.size - 1, n).round().astype(int))]


def _close(value: float, other: float) -> bool:
    return bool(np.isclose(float(value), float(other), SINGLE_PRECISION, 0))
