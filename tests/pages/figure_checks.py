"""How a chart is checked: each named trace against the dpcore function that it claims to show, its CSV and its axes.

The tables that say what each trace claims to show stand in `tests/pages/<topic>/figure_checks.py`. A large topic has a
folder of that name with a module for each section. `tests.pages.trace_checks` makes the comparison. A table holds

- `SETTINGS`: the links (a dict of parameters each) at which the charts are drawn. The key "" is for all charts of the
  topic that have no entry of their own.
- `CHARTS`: for each exhibit a `Chart`, or a function that makes one from the setting. Its `traces` map the name of each
  trace to a `Trace`: the value that dpcore gives, and the column of the CSV in which the same value stands.

A name ending in "…" stands for every name that begins so. The second trace of the same name is "name #2". A trace
without a name is called "unnamed". A trace that no entry describes fails the test by its name.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from pages.framework import link
from pages.framework.export.exhibit import Exhibit
from pages.framework.layout.section import exhibits_in
from pages.shared import site_map
from tests.pages.conftest import LIGHT, read_link, topic_named

Link = Mapping[str, str]
Numbers = NDArray[Any]


class Setting:
    """The values of a link's parameters, each under its key in the link; `pinned` is a Setting itself, or None.

    It is equal to nothing but itself, so that what a table computes of it can be cached.
    """

    def __init__(self, **values: Any) -> None:
        self.__dict__.update(values)

    def __getattr__(self, key: str) -> Any:
        raise AttributeError(key)


SINGLE_PRECISION = 1e-6  # a trace travels to the browser in single precision


@dataclass(frozen=True)
class Axis:
    """An axis: its type in Plotly's words ("-" where Plotly's default, linear, is meant) and a part of its title.

    The part of the title should have the quantity and its unit, such as "ε (nats)"; "" is an axis without a title.
    """

    type: str
    label: str


def log(label: str) -> Axis:
    """Return a logarithmic axis with this text in its title."""
    return Axis("log", label)


def linear(label: str) -> Axis:
    """Return a linear axis with this text in its title."""
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
    that belong to the trace, and `visible` those of them at which the trace must have a value. It may also have one at
    those of `may`; without that, beside those of `visible`, where a line meets the next. `x` is the column of the x, if
    not the chart's. `value` names the array of the trace that holds the values: bars that lie have theirs in "x".
    `positions(setting, place)` is where the points 0, 1, … stand on the other axis, if the CSV does not say it; of a
    map, `x` and `y` are the columns that have its sides. `error(setting, x)` is the half length of its error bars,
    which stand in the CSV as `error_column`. `hover` is what the numbers that its hover shows, its customdata, are in
    the CSV. With `by_place`, truth and error are called with the places 0, 1, … of the points, in place of their x. Of
    a trace at most `n_points` points are asked of dpcore, and at most three if the CSV holds it. `rtol` and `atol` are
    how near the CSV, or the trace where there is none, must come to the truth.
    """

    truth: Truth
    column: Column = ""
    rows: Rows | None = None
    visible: Rows | None = None
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
    n_points: int = 5
    rtol: float = 1e-9
    atol: float = 0.0
    one: float = 1.0


@dataclass(frozen=True)
class Chart:
    """What a chart must show: its axes, the column of the CSV that has the x of its traces, and its traces by name.

    `jumps` are the beginnings of the names of lines that have jumps, where no line between two points is right.
    """

    x: Axis
    y: Axis
    traces: Mapping[str, Trace]
    x_column: Column = ""
    more_axes: Mapping[str, Axis] = field(default_factory=dict)
    jumps: tuple[str, ...] = ()
    marks: Mapping[str, float] = field(default_factory=dict)  # the places of lines whose number the page chooses


def has_status(word: str) -> Rows:
    """Return which rows of a CSV have this status."""
    return lambda rows: (rows["status"] == word).to_numpy()


def pinned(*truths: Truth, atol: float = 0.0) -> dict[str, Trace]:
    """Return the grey lines of a pinned setting, in their order:
    the same functions at that setting, which no CSV holds.
    """

    def at_pinned(truth: Truth) -> Trace:
        return Trace(lambda setting, *places: truth(setting.pinned, *places), rtol=1e-4, atol=atol)

    return {
        f"pinned #{place}" if place > 1 else "pinned": at_pinned(truth_of_name)
        for place, truth_of_name in enumerate(truths, 1)
    }


def point(place: Callable[[Setting], tuple[float, float]], rtol: float = SINGLE_PRECISION) -> Trace:
    """Return a single mark that no CSV holds, with its x and its y."""

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
    """Return a trace that has nothing but its entry in the legend."""
    return Trace(lambda *_: [], lambda _: np.array([np.nan]), x="")


def spelled(number: float) -> str:
    """Return a number of few digits as the pages write it.

    >>> spelled(1e-6), spelled(0.05), spelled(3.0)
    ('1e-6', '0.05', '3')
    """
    return f"{number:g}".replace("e-0", "e-")


def of(column: str, value: Any) -> Rows:
    """Select the rows of a CSV with this value in a column."""
    return lambda table: (table[column] == value).to_numpy()


# The tables of the topics


def joined(*sections: ModuleType) -> tuple[dict[str, tuple[Link, ...]], dict[str, Any]]:
    """Return the SETTINGS and the CHARTS of all sections of a topic."""
    settings = {name: links for section in sections for name, links in section.SETTINGS.items()}
    charts = {name: chart for section in sections for name, chart in section.CHARTS.items()}
    return settings, charts


@cache
def tables_of(topic: str) -> Any:
    """Return the module that has a topic's table."""
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
    """Return the links at which an exhibit is drawn."""
    settings = tables_of(topic).SETTINGS
    return settings[name] if name in settings else settings[""]


@cache
def _page_at(topic: str, items: tuple[tuple[str, str], ...]) -> tuple[Setting, Any]:
    readings, problems = read_link(topic, **dict(items))
    assert not problems, problems
    assert not [reading.problem for reading in readings.values() if reading.problem]
    values = link.values(readings)
    pinned_values = values.get("pinned")
    pinned = Setting(**(values | pinned_values | {"pinned": None})) if pinned_values else None
    return Setting(**(values | {"pinned": pinned})), topic_named(topic).compute(values)


def setting_of(topic: str, entries: Link) -> Setting:
    """Return the values of all parameters at a link."""
    return _page_at(topic, tuple(entries.items()))[0]


@cache
def _named_at_defaults(topic: str) -> dict[str, Callable[..., Exhibit | None]]:
    """Return the functions that draw a page's exhibits,
    by the name of the exhibit where it is drawn at the defaults.
    """
    result, colours = _page_at(topic, ())[1], LIGHT
    exhibits = ((draw, draw(result, colours)) for draw in topic_named(topic).all_exhibits())
    return {
        f"not drawn {place}" if exhibit is None else exhibit.name: draw
        for place, (draw, exhibit) in enumerate(exhibits)
    }


def chart_names(topic: str, entries: Link) -> set[str]:
    """Return the names of all charts of a page at a link: those that can be exported, and those of its sections."""
    result, colours = _page_at(topic, tuple(entries.items()))[1], LIGHT
    page = topic_named(topic)
    in_sections = (
        listed for section in page.section_by_key.values() for listed in exhibits_in(section.parts(result, colours))
    )
    exported = (exhibit for draw in page.all_exhibits() if (exhibit := draw(result, colours)) is not None)
    return {listed.name for listed in (*in_sections, *exported) if not isinstance(listed.picture, str)}


def exhibit_anew(topic: str, entries: Link, name: str) -> Exhibit:
    """Return an exhibit of a page at a link, drawn now."""
    result, colours = _page_at(topic, tuple(entries.items()))[1], LIGHT
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
    """Return an exhibit of a page at a link."""
    return _exhibit_at(topic, tuple(entries.items()), name)


@cache
def chart_of(topic: str, name: str, setting: Setting) -> Chart:
    """Return what an exhibit must show at a setting."""
    chart = tables_of(topic).CHARTS[name]
    return chart if isinstance(chart, Chart) else chart(setting)
