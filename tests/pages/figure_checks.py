"""How a chart is checked: each named trace against the dpcore function that it claims to show, its CSV and its axes.

The tables that say what each trace claims to show stand in `tests/pages/<topic>/figure_checks.py`. Such a table holds

- `SETTINGS`: the links (a dict of parameters each) at which the charts are drawn. The key "" is for all charts of the
  topic that have no entry of their own.
- `CHARTS`: for each exhibit a `Chart`, or a function that makes one from the setting. Its `traces` map the name of each
  trace to a `Trace`: the value that dpcore gives, and the column of the CSV in which the same value stands.

A name ending in "…" stands for every name that begins so. The second trace of the same name is "name #2". A trace
without a name is called "unnamed". A trace that no entry describes fails the test by its name.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import import_module
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from pages.framework import link
from pages.framework.export.exhibit import Exhibit
from pages.framework.layout.section import exhibits_in
from pages.shared import mechanism_colours, site_map
from tests.pages.conftest import figure_of, read_link, topic_named

Link = Mapping[str, str]
Numbers = NDArray[Any]
Setting = SimpleNamespace
"""The values of a link's parameters, each under its key in the link; `pinned` is a Setting itself, or None."""

SINGLE_PRECISION = 1e-6  # a trace travels to the browser in single precision


@dataclass(frozen=True)
class Axis:
    """An axis: its type in Plotly's words ("-" where Plotly's default, linear, is meant) and a part of its title.

    The part of the title should have the quantity and its unit, such as "ε (nats)"; "" is an axis without a title.
    """

    type: str
    label: str


def log(label: str) -> Axis:
    """A logarithmic axis with this text in its title."""
    return Axis("log", label)


def linear(label: str) -> Axis:
    """A linear axis with this text in its title."""
    return Axis("-", label)


POSITIONS = linear("")
"""An axis without a title, on which bars or marks stand below or beside each other."""


Truth = Callable[..., ArrayLike]
"""dpcore's values, of the setting and the x, or the x and y, of some points."""


Column = str | Callable[[pd.DataFrame], ArrayLike]
"""A column of the CSV, or what is made of some."""
Rows = Callable[[pd.DataFrame], Any]
"""Which rows of a CSV are meant, as a mask."""


@dataclass(frozen=True)
class Trace:
    """What one trace must show.

    `truth(setting, x)` is what dpcore gives at these x; of a map, `truth(setting, x, y)` is called with the x and y of
    a few of its points. It must call public functions of dpcore, and nothing of `pages`. A shaded area runs along
    `truth` and back along `back`. `column` is the column of the CSV in which the trace's values stand, or a function
    that makes them of the rows of the CSV; "" where the CSV does not hold them. `rows` selects the rows of the CSV
    that belong to the trace, and `shown` those of them at which the trace must have a value. It may also have one at
    those of `may`; without that, beside those of `shown`, where a line meets the next. `x` is the column of the x, if
    not the chart's. `value` names the array of the trace that holds the values: bars that lie have theirs in "x".
    `positions(setting, place)` is where the points 0, 1, … stand on the other axis, if the CSV does not say it; of a
    map, `x` and `y` are the columns that have its sides. `error(setting, x)` is the half length of its error bars,
    which stand in the CSV as `error_column`. `hover` is what the numbers that its hover shows, its customdata, are in
    the CSV. With `by_place`, truth and error are called with the places 0, 1, … of the points, in place of their x. Of
    a trace that the CSV holds three points are asked of dpcore, of another one at most `n_points`. `rtol` and `atol`
    are how near the CSV, or the trace where there is none, must come to the truth.
    """

    truth: Truth
    column: Column = ""
    rows: Rows | None = None
    shown: Rows | None = None
    may: Rows | None = None
    x: Column | None = None
    value: str = "y"
    error: Truth | None = None
    error_column: Column = ""
    hover: Column = ""
    back: Truth | None = None
    by_place: bool = False
    positions: Truth | None = None
    y: str = ""
    n_points: int = 25
    rtol: float = 1e-9
    atol: float = 0.0


@dataclass(frozen=True)
class Chart:
    """What a chart must show: its axes, the column of the CSV that has the x of its traces, and its traces by name."""

    x: Axis
    y: Axis
    traces: Mapping[str, Trace]
    x_column: Column = ""
    more_axes: Mapping[str, Axis] = field(default_factory=dict)
    marks: Mapping[str, float] = field(default_factory=dict)  # the places of lines whose number the page chooses


def pinned(*truths: Truth, atol: float = 0.0) -> dict[str, Trace]:
    """The grey lines of a pinned setting, in their order: the same functions at that setting, which no CSV holds."""

    def at_pinned(truth: Truth) -> Trace:
        return Trace(lambda setting, *places: truth(setting.pinned, *places), rtol=1e-4, atol=atol)

    return {f"pinned #{place}" if place > 1 else "pinned": at_pinned(each) for place, each in enumerate(truths, 1)}


def point(place: Callable[[Setting], tuple[float, float]], rtol: float = SINGLE_PRECISION) -> Trace:
    """A single mark that no CSV holds, with its x and its y."""

    def truth(setting: Setting, x: Numbers) -> Numbers:
        at, value = place(setting)
        return where(np.isclose(x, at, SINGLE_PRECISION, 1e-300), value)

    return Trace(truth, rtol=rtol)


def from_0(_: Setting, place: Numbers) -> Numbers:
    """Bars that stand at 0, 1, …."""
    return place


def from_1(_: Setting, place: Numbers) -> Numbers:
    """Cells that stand at 1, 2, …."""
    return place + 1


def where(is_right: Any, values: ArrayLike) -> Numbers:
    """Values where something is right, such as the x of a mark that no CSV holds, and NaN elsewhere."""
    return np.where(is_right, values, np.nan)


def legend_entry() -> Trace:
    """A trace that has nothing but its entry in the legend."""
    return Trace(lambda *_: [], lambda _: np.array([np.nan]), x="")


def spelled(number: float) -> str:
    """A number of few digits as the pages write it.

    >>> spelled(1e-6), spelled(0.05), spelled(3.0)
    ('1e-6', '0.05', '3')
    """
    return f"{number:g}".replace("e-0", "e-")


def of(column: str, value: Any) -> Rows:
    """Select the rows of a CSV with this value in a column."""
    return lambda table: (table[column] == value).to_numpy()


# The tables of the topics


@cache
def tables_of(topic: str) -> Any:
    """The module that has a topic's table."""
    return import_module(f"tests.pages.{topic}.figure_checks")


TOPICS = tuple(page.topic or "start" for page in site_map.PAGES if page.topic != "report")
"""Every page but the report, whose pictures are those of the other pages."""


def cases() -> Iterator[tuple[str, str, int]]:
    """Topic, exhibit and the number of the setting, of all that is checked."""
    for topic in TOPICS:
        for name in tables_of(topic).CHARTS:
            for place in range(len(settings_of(topic, name))):
                yield topic, name, place


def settings_of(topic: str, name: str) -> tuple[Link, ...]:
    """The links at which an exhibit is drawn."""
    settings = tables_of(topic).SETTINGS
    return settings[name] if name in settings else settings[""]


@cache
def _page_at(topic: str, items: tuple[tuple[str, str], ...]) -> tuple[Setting, Any]:
    readings, problems = read_link(topic, **dict(items))
    assert not problems, problems
    assert not [reading.problem for reading in readings.values() if reading.problem]
    values = link.values(readings)
    kept = values.get("pinned")
    pinned = Setting(**(values | kept | {"pinned": None})) if kept else None
    return Setting(**(values | {"pinned": pinned})), topic_named(topic).compute(values)


def setting_of(topic: str, entries: Link) -> Setting:
    """The values of all parameters at a link."""
    return _page_at(topic, tuple(entries.items()))[0]


@cache
def _named_at_defaults(topic: str) -> dict[str, Callable[..., Exhibit | None]]:
    """The functions that draw a page's exhibits, by the name of the exhibit where it is drawn at the defaults."""
    result, colours = _page_at(topic, ())[1], mechanism_colours.COLOURS["light"]
    drawn = ((draw, draw(result, colours)) for draw in topic_named(topic).all_exhibits())
    return {f"not drawn {place}" if each is None else each.name: draw for place, (draw, each) in enumerate(drawn)}


def chart_names(topic: str, entries: Link) -> set[str]:
    """The names of all charts of a page at a link: those that can be exported, and those of its sections."""
    result, colours = _page_at(topic, tuple(entries.items()))[1], mechanism_colours.COLOURS["light"]
    page = topic_named(topic)
    in_sections = (
        each for section in page.section_by_key.values() for each in exhibits_in(section.parts(result, colours))
    )
    exported = (exhibit for draw in page.all_exhibits() if (exhibit := draw(result, colours)) is not None)
    return {each.name for each in (*in_sections, *exported) if not isinstance(each.picture, str)}


def exhibit_anew(topic: str, entries: Link, name: str) -> Exhibit:
    """An exhibit of a page at a link, drawn now."""
    result, colours = _page_at(topic, tuple(entries.items()))[1], mechanism_colours.COLOURS["light"]
    functions = _named_at_defaults(topic)
    likely = [functions[name]] if name in functions else list(functions.values())
    for draw in likely:
        exhibit = draw(result, colours)
        if exhibit is not None and exhibit.name == name:
            return exhibit
    for section in topic_named(topic).section_by_key.values():
        for exhibit in exhibits_in(section.parts(result, colours)):
            if exhibit.name == name:
                return exhibit
    raise AssertionError(f"The page {topic} has no exhibit {name} at {dict(entries)}.")


@cache
def _exhibit_at(topic: str, items: tuple[tuple[str, str], ...], name: str) -> Exhibit:
    return exhibit_anew(topic, dict(items), name)


def exhibit_at(topic: str, entries: Link, name: str) -> Exhibit:
    """An exhibit of a page at a link."""
    return _exhibit_at(topic, tuple(entries.items()), name)


def chart_of(topic: str, name: str, setting: Setting) -> Chart:
    """What an exhibit must show at a setting."""
    chart = tables_of(topic).CHARTS[name]
    return chart if isinstance(chart, Chart) else chart(setting)


# The checks


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
