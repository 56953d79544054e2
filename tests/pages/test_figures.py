"""Every trace of every chart shows what dpcore gives, what stands in its CSV, on an axis of the right kind and unit."""

import re
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest

from dpcore.families import FAMILIES
from pages.framework.export.exhibit import Exhibit
from pages.shared.looks import COLOURS, LOOKS
from tests.hostile.holds import texts_in
from tests.pages import figure_checks, trace_checks
from tests.pages.conftest import Drawn, exhibits_by_name, expect_complete, figure_of, found_by
from tests.pages.figure_checks import Axis, Chart, Setting, Trace, linear, log

CASES = list(figure_checks.cases())


@pytest.mark.parametrize(("topic", "name", "place"), CASES)
def test_every_trace_shows_what_dpcore_gives_and_its_csv_says(topic: str, name: str, place: int):
    entries = figure_checks.settings_of(topic, name)[place]
    setting = figure_checks.setting_of(topic, entries)
    chart = figure_checks.chart_of(topic, name, setting)
    trace_checks.check_exhibit(figure_checks.exhibit_at(topic, entries, name), chart, setting)


@pytest.mark.parametrize(("topic", "name"), dict.fromkeys(case[:2] for case in CASES))
def test_every_entry_of_a_table_is_that_of_a_trace_at_one_of_its_settings(topic: str, name: str):
    known, used = set(), set()
    for entries in figure_checks.settings_of(topic, name):
        chart = figure_checks.chart_of(topic, name, figure_checks.setting_of(topic, entries))
        known |= set(chart.traces)
        traces = figure_of(figure_checks.exhibit_at(topic, entries, name))["data"]
        entry_names = (trace_checks.check_of(trace, chart.traces) for trace in trace_checks.names_of(traces))
        used |= {entry[0] for entry in entry_names if entry is not None}
    assert known == used


@pytest.mark.parametrize("topic", figure_checks.TOPICS)
def test_every_chart_of_a_page_has_a_table_of_its_traces(topic: str):
    charts = figure_checks.tables_of(topic).CHARTS
    names = figure_checks.chart_names(topic, {})
    for name in charts.keys() - names:  # such as what an attack shows, at a setting that has one
        names |= figure_checks.chart_names(topic, figure_checks.settings_of(topic, name)[0])
    missing = sorted(names - charts.keys())
    assert not missing, f"exhibit {missing[0]} has no check: add one in tests/pages/{topic}/figure_checks.py"


@pytest.mark.parametrize("topic", figure_checks.TOPICS)
def test_every_exhibit_of_a_page_has_a_picture_words_and_numbers(topic: str):
    exhibits = exhibits_by_name(found_by(topic), topic, "dark")
    for exhibit in exhibits.values():
        expect_complete(exhibit)
    assert exhibits or topic == "start"


@cache
def light_exhibits(topic: str) -> Drawn:
    """Return the exhibits of a page at its defaults, in light colours."""
    return exhibits_by_name(found_by(topic), topic, "light")


@pytest.mark.parametrize("topic", figure_checks.TOPICS)
def test_a_number_in_a_hover_text_has_no_zeros_at_its_end(topic: str):
    for exhibit in light_exhibits(topic).values():
        if isinstance(exhibit.picture, dict):
            texts = "\n".join(texts_in(figure_of(exhibit)))
            assert re.findall(r"%\{\w+:,?\.\d+[g%]\}", texts) == [], exhibit.name


NOISES = {
    family.words.lower(): family.calibration.key for family in FAMILIES.values() if family.calibration.key in LOOKS
}
NOISES |= {"gaussian": "analytic", "analytic gaussian": "analytic", "classical gaussian": "classical"}


@pytest.mark.parametrize("topic", figure_checks.TOPICS)
def test_the_line_of_a_noise_has_its_colour_and_its_dash_on_every_page(topic: str):
    for exhibit in light_exhibits(topic).values():
        for trace in figure_of(exhibit)["data"] if isinstance(exhibit.picture, dict) else ():
            name = re.split(r" noise\b|, exact|:| at ", str(trace.get("name")).lower())[0]
            if name in NOISES and trace.get("mode") == "lines" and trace.get("showlegend", True):
                look, drawn = LOOKS[NOISES[name]], trace["line"]
                expected = COLOURS["light"][look.colour], look.dash
                assert (drawn["color"], drawn.get("dash", "solid")) == expected, (exhibit.name, name)


EPSILON = linear("ε (nats)")
LINE = {"type": "scatter", "name": "σ", "x": np.array([1.0, 2.0, 3.0]), "y": np.array([2.0, 4.0, 6.0])}
NUMBERS = pd.DataFrame({"epsilon": [1.0, 2.0, 3.0], "sigma": [2.0, 4.0, 6.0]})
DOUBLE = Trace(lambda _, x: 2 * x, "sigma")


def check(*traces: dict[str, Any], entries: Trace | dict[str, Trace] = DOUBLE, x: Axis = EPSILON) -> set[str]:
    """Check a chart of these traces; `entries` is that of "σ", or all entries."""
    axes = {"xaxis": {"title": {"text": "ε (nats)"}}, "yaxis": {"title": {"text": "σ (query units)"}}}
    figure = {"data": list(traces), "layout": axes | {"shapes": []}}
    entries = entries if isinstance(entries, dict) else {"σ": entries}
    chart = Chart(x, linear("query units"), entries, "epsilon")
    return trace_checks.check_exhibit(Exhibit("noise", figure, "", NUMBERS), chart, Setting())


def test_a_chart_that_shows_what_it_should_is_passed():
    assert check(LINE) == {"σ"}
    assert check(LINE, LINE, entries={"σ": DOUBLE, "σ #2": Trace(lambda _, x: 2 * x)}) == {"σ", "σ #2"}
    assert check(LINE | {"name": "σ = 3"}, entries={"σ…": DOUBLE}) == {"σ…"}


def test_a_trace_without_an_entry_fails_by_its_name_and_that_of_its_exhibit():
    with pytest.raises(AssertionError, match=r"^trace σ #2 of exhibit noise has no check: add one in figure_checks.py"):
        check(LINE, LINE)


@pytest.mark.parametrize(
    ("trace", "words"),
    [
        ({"y": np.array([2.0, 4.0, 6.1])}, "is not its CSV column"),
        ({"x": np.array([1.0, 2.0, 3.1])}, "has an x not of its CSV"),
        ({"y": np.array([2.0, np.nan, 6.0])}, "leaves rows of its CSV out"),
        ({"x": np.array([1.0, 2.0]), "y": np.array([2.0, 4.0])}, "has 2 points, its CSV 3"),
        ({"error_y": {"array": np.ones(3)}}, "the error bars of trace σ of exhibit noise have no check"),
    ],
)
def test_a_trace_that_is_not_its_csv_fails(trace, words):
    with pytest.raises(AssertionError, match=words):
        check(LINE | trace)


def test_a_trace_that_is_its_csv_fails_where_dpcore_gives_something_else():
    with pytest.raises(AssertionError, match=r"trace σ of exhibit noise is \[2. 4. 6.\], dpcore gives \[3. 6. 9.\]"):
        check(LINE, entries=Trace(lambda _, x: 3 * x, "sigma"))
    with pytest.raises(AssertionError, match="dpcore gives"):
        check(LINE, entries=Trace(lambda _, x: 3 * x))


def test_an_axis_of_another_type_or_unit_fails():
    with pytest.raises(AssertionError, match="xaxis of exhibit noise is of another type"):
        check(LINE, x=log("ε (nats)"))
    with pytest.raises(AssertionError, match=r"titled 'ε \(nats\)', without 'ε \(bits\)'"):
        check(LINE, x=linear("ε (bits)"))


def test_a_line_fails_that_is_off_between_its_points_unless_it_jumps():
    x = np.array([0.5, 1.5, 2.5, 3.5])
    bent = {"type": "scatter", "mode": "lines", "name": "σ", "x": x, "y": x**2}
    entry = Trace(lambda _, x: x**2)
    figure = {
        "data": [bent],
        "layout": {"xaxis": {"title": {"text": "ε"}}, "yaxis": {"range": [0, 12.5]}, "shapes": []},
    }
    exhibit = Exhibit("noise", figure, "", NUMBERS)
    with pytest.raises(AssertionError, match=r"trace σ of exhibit noise is off by 2.0% of its axis"):
        trace_checks.check_exhibit(exhibit, Chart(linear("ε"), linear(""), {"σ": entry}), Setting())
    trace_checks.check_exhibit(exhibit, Chart(linear("ε"), linear(""), {"σ": entry}, jumps=("σ",)), Setting())
