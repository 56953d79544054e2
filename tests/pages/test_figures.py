"""Every trace of every chart shows what dpcore gives, what stands in its CSV, on an axis of the right kind and unit."""

import pytest

from tests.pages import figure_checks

CASES = list(figure_checks.cases())


@pytest.mark.parametrize(("topic", "name", "place"), CASES)
def test_every_trace_shows_what_dpcore_gives_and_its_csv_says(topic: str, name: str, place: int):
    entries = figure_checks.settings_of(topic, name)[place]
    setting = figure_checks.setting_of(topic, entries)
    chart = figure_checks.chart_of(topic, name, setting)
    figure_checks.check_exhibit(figure_checks.exhibit_at(topic, entries, name), chart, setting)


@pytest.mark.parametrize(("topic", "name"), dict.fromkeys(case[:2] for case in CASES))
def test_every_entry_of_a_table_is_that_of_a_trace_at_one_of_its_settings(topic: str, name: str):
    known, used = set(), set()
    for entries in figure_checks.settings_of(topic, name):
        chart = figure_checks.chart_of(topic, name, figure_checks.setting_of(topic, entries))
        known |= set(chart.traces)
        drawn = figure_checks.figure_of(figure_checks.exhibit_at(topic, entries, name))["data"]
        entry_names = (figure_checks.check_of(trace, chart.traces) for trace in figure_checks.names_of(drawn))
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
