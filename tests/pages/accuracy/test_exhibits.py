import re
from functools import lru_cache
from itertools import product

import numpy as np
import pytest

from dpcore.accuracy import RULES
from dpcore.comparison import classical_limit
from pages.accuracy.page import PAGE as PAGE_RECORD
from pages.accuracy.parameters import sensitivity_text
from pages.accuracy.results import EPSILONS, EXTRA_RULES
from pages.framework.export.exhibit import Exhibit
from pages.framework.export.exhibit_files import csv_text
from pages.framework.layout.section import Field
from pages.shared.looks import COLOURS
from tests.pages.conftest import LIGHT, exhibits_by_name, expect_complete, figure_of, found_by, html_of, read_link

PAGE = "accuracy"
STRANGE = "<img src=x onerror=alert(1)> **b**"[:30]
SETTINGS = (
    {"query": "mean", "known": "accuracy"},
    {"epsilon": "1e6", "delta": "0.99", "significance": "1e-300", "query": "own", "l1_sensitivity": "1e100"},
    {"epsilon": "1e-12", "delta": "1e-300", "significance": "0.999", "query": "histogram"},
    {"epsilon": "0", "delta": "1e-300", "significance": "0.9999999999999999", "query": "mean"},
    {"l2_sensitivity": "1e100", "query": "own", "known": "accuracy", "accuracy": "1e-100"},
    {"l2_sensitivity": "1e-100", "l1_sensitivity": "1e-100", "query": "own", "known": "accuracy", "accuracy": "1e100"},
    {"query": "proportion", "n_records": "1e12", "known": "accuracy", "accuracy": "1e100"},
    {"query": "sum", "low": "-1e15", "high": "1e15", "neighbours": "replace", "significance": "1e-17"},
)


@lru_cache(8)
def exhibits_at(**link):
    return exhibits_by_name(found_by(PAGE, **link), PAGE)


def chart(name="accuracy", **link):
    return figure_of(exhibits_at(**link)[name])


def trace(figure, name):
    return next(trace for trace in figure["data"] if trace["name"] == name)


@pytest.mark.parametrize("link", SETTINGS)
def test_every_exhibit_has_a_picture_words_and_numbers_at_every_setting(link):
    setting_result = found_by(PAGE, **link)
    exhibits = exhibits_by_name(setting_result, PAGE, "dark")
    records = ["records"] if link.get("query") in ("mean", "proportion") else []
    assert list(exhibits) == ["accuracy", "ratio", "mechanisms", *records]
    for exhibit in exhibits.values():
        expect_complete(exhibit)
    for section in PAGE_RECORD.section_by_key:
        result = found_by(PAGE, **(link | {"section": section}))
        parts = PAGE_RECORD.section_by_key[result.setting.section].parts(result, COLOURS["dark"])
        for sentence in (*PAGE_RECORD.answer_text(result), *(part for part in parts if isinstance(part, str))):
            assert "nan" not in sentence
    assert "nan" not in PAGE_RECORD.explanation_text(setting_result) + html_of(exhibits["mechanisms"])


def test_a_strangers_unit_is_only_text():
    exhibits = exhibits_at(unit=STRANGE, query="mean", known="accuracy")
    assert (
        "\\<img src=x onerror=alert(1)\\> \\* in 95"
        in PAGE_RECORD.answer_text(found_by(PAGE, unit=STRANGE, known="accuracy"))[0]
    )
    for exhibit in exhibits.values():
        assert "<img" not in str(exhibit.picture)
    assert "&lt;img" in html_of(exhibits["mechanisms"])


def test_the_unit_of_a_link_is_that_of_the_answer_and_of_the_words_for_the_picture():
    assert "±299.6 dollars" in PAGE_RECORD.answer_text(found_by(PAGE, unit="dollars", query="sum"))[0]
    assert "dollars" in exhibits_at(unit="dollars", query="sum")["accuracy"].alternative


@pytest.mark.parametrize(
    ("query", "unit"),
    [
        ("count", "people"),
        ("histogram", "people"),
        ("sum", ""),
        ("mean", ""),
        ("own", ""),
        ("proportion", "share of 1"),
    ],
)
@pytest.mark.parametrize("link", [{}, {"unit": "people"}, {"unit": "units"}, {"unit": "dollars"}])
def test_the_unit_follows_the_query(query, unit, link):
    """The link of an older setting has the unit "people" for every query, and nobody typed it.

    The unit of values is named only where somebody entered one.
    """
    known = "epsilon" if (query in ("count", "sum", "own")) == (link in ({}, {"unit": "units"})) else "accuracy"
    unit = "dollars" if link == {"unit": "dollars"} and query != "proportion" else unit
    result, exhibits = found_by(PAGE, query=query, known=known, **link), exhibits_at(query=query, known=known, **link)
    sentences = PAGE_RECORD.answer_text(result)
    parts = PAGE_RECORD.section_by_key["accuracy"].parts(result, LIGHT)
    texts = " ".join((*sentences, sensitivity_text(result.setting), *(part for part in parts if isinstance(part, str))))
    named = f" ({unit}|{unit[:-1]})" if unit and query != "proportion" else ""  # within ±1 dollar
    assert re.search(rf"±[\d.,]+{named} (of the truth|of the (sum|mean) cut at the bounds|in 95)", sentences[0])
    for other in {"people", "units", "dollars"} - {unit}:
        assert not re.search(rf"(±|= )[\d.,]+ {other}", texts)
        assert other not in html_of(exhibits["mechanisms"])
    assert re.search(rf"\b{unit}\b", html_of(exhibits["mechanisms"]))
    assert figure_of(exhibits["accuracy"])["layout"]["yaxis"]["title"]["text"] == (f"± ({unit})" if unit else "±")
    measure = unit or "the unit of the values"
    assert exhibits["mechanisms"].header["unit"] == exhibits["accuracy"].header["unit"] == measure
    assert f"accuracy and sensitivities in {measure};" in csv_text(exhibits["accuracy"])
    fields = {
        part.parameter.key: part for part in PAGE_RECORD.sections[0].all_controls(result) if isinstance(part, Field)
    }
    assert ("unit" in fields) == (query != "proportion")
    if "unit" in fields:
        assert read_link(PAGE, query=query, **link)[0]["unit"].used == (unit or "units")
        assert ("people, trips" in fields["unit"].help) == (query in ("count", "histogram"))


def test_a_pinned_setting_has_the_unit_of_its_own_query():
    compared = PAGE_RECORD.answer_text(found_by(PAGE, query="count", pinned="query=mean"))[2]
    assert "±0.2996 → ±3 people" in compared


def names(figure):
    return [trace["name"] for trace in figure["data"]]


def test_the_relevant_curves_are_drawn_and_the_others_on_request():
    """At a small δ the line of truncated noise lies on that of the same noise without an end, and is not drawn."""
    pure, floor = ["Geometric, exact", "Analytic Gaussian"], "any noise: at least"
    assert names(chart()) == names(chart(promise="delta")) == pure
    assert names(figure_of(exhibits_at()["ratio"])) == ["Laplace", *pure]
    assert names(chart(promise="delta", delta="0.01")) == [*pure, "Truncated geometric"]
    assert floor in names(chart(promise="delta", mechanisms="all"))
    assert names(chart(query="mean")) == names(chart(query="mean", promise="delta")) == ["Laplace", "Analytic Gaussian"]
    assert names(chart(query="mean", promise="delta", delta="0.01")) == ["Laplace", *pure[1:], "Truncated Laplace"]
    assert names(chart(query="own", l1_sensitivity="2")) == ["Laplace", "Analytic Gaussian"]
    assert {rule.name for rule in RULES} <= set(names(chart(mechanisms="all")))
    assert html_of(exhibits_at()["mechanisms"]).count("<th scope='row'>") == 5
    every = html_of(exhibits_at(mechanisms="all")["mechanisms"])
    assert every.count("<th scope='row'>") == len(RULES) + len(EXTRA_RULES) - 1  # one row for both classical formulas
    assert "Truncated geometric" in html_of(exhibits_at()["mechanisms"])
    none = html_of(exhibits_at(query="sum", high="1e7")["mechanisms"])
    assert none.count("<th scope='row'>") == 5
    assert "not available: too large to compute" in none


def test_a_wanted_accuracy_is_a_line_with_the_epsilon_of_each_curve_as_points():
    drawn_mean = chart(known="accuracy", query="mean", accuracy="0.5")
    assert trace(drawn_mean, "ε that is sufficient")["text"][0] == "Laplace: ε = 0.5992"
    assert len(trace(drawn_mean, "ε that is sufficient")["text"]) == 2
    assert any(shape["y0"] == shape.get("y1") == 0.5 for shape in drawn_mean["layout"]["shapes"])
    assert not any(shape.get("name") for shape in drawn_mean["layout"]["shapes"])
    assert exhibits_at(known="accuracy")["accuracy"].picks == ("", "accuracy")


def test_epsilon_is_a_handle_in_every_picture_over_it():
    exhibits = exhibits_at(query="mean")
    for name in ("accuracy", "ratio", "records"):
        assert figure_of(exhibits[name])["layout"]["shapes"][0]["name"] == "epsilon"
        assert exhibits[name].picks == ("epsilon", "")


def test_the_classical_curves_are_dotted_where_unproved_and_red_where_they_fail():
    for name in ("accuracy", "records"):
        figure = chart(name, delta="1e-5", query="mean", mechanisms="all")
        failing = trace(figure, "Classical Gaussian: FAILS")
        assert failing["marker"]["symbol"] == "x"
        assert failing["line"]["color"] == "#C1121F"
        assert trace(figure, "Classical Gaussian: unproved")["line"]["dash"] == "dot"
        assert "Red ×" in figure["layout"]["title"]["subtitle"]["text"]
        assert "Red ×" not in chart(name, query="mean")["layout"]["title"]["subtitle"]["text"]


def test_the_curves_fail_where_the_calibration_says_so():
    failing = trace(chart(delta="1e-5", mechanisms="all"), "Classical Gaussian: FAILS")
    first = failing["x"][np.isfinite(failing["y"])].min()
    assert first == pytest.approx(classical_limit(1e-5), rel=1e-6)


def test_an_epsilon_that_violates_its_guarantee_or_misses_the_accuracy_is_crossed_out():
    marks = trace(chart(delta="1e-5", known="accuracy", accuracy="0.9", mechanisms="all"), "ε that is sufficient")
    symbols = dict(zip(marks["text"], marks["marker"]["symbol"], strict=True))
    assert symbols["Classical Gaussian: FAILS: ε = 10.56"] == "x"
    marks = trace(
        chart(significance="0.5", known="accuracy", accuracy="2.999", mechanisms="all"), "ε that is sufficient"
    )
    symbols = dict(zip(marks["text"], marks["marker"]["symbol"], strict=True))
    assert symbols["Geometric, as published: falls short: ε = 0.2312"] == "x"
    assert list(symbols.values()).count("x") == 1


def test_charts_have_fixed_axes_while_epsilon_moves():
    for known in ("epsilon", "accuracy"):
        frames = [exhibits_at(epsilon=epsilon, query="mean", known=known) for epsilon in ("0.001", "1", "100")]
        for name, axis in product(("accuracy", "ratio", "records"), ("xaxis", "yaxis")):
            ranges = [figure_of(frame[name])["layout"][axis]["range"] for frame in frames]
            assert ranges[0] == ranges[1] == ranges[2]


def test_every_chart_carries_its_parameters():
    for exhibit in exhibits_at(query="mean", known="accuracy").values():
        if not isinstance(exhibit.picture, str):
            assert "δ = 1e-6" in figure_of(exhibit)["layout"]["title"]["subtitle"]["text"], exhibit.name


def test_the_numbers_of_a_csv_carry_unit_and_parameters():
    exhibits = exhibits_at()
    header = exhibits["mechanisms"].header
    assert header["query"] == "count"
    every = (*RULES, *EXTRA_RULES.values())
    assert [line.split(",")[0].strip('"') for line in csv_text(exhibits["mechanisms"]).splitlines()[-len(every) :]] == [
        rule.name.split(",")[0] for rule in every
    ]
    rows = [line for line in csv_text(exhibits["accuracy"]).splitlines() if not line.startswith("#")]
    assert len(rows) == 1 + 2 * EPSILONS.size


def parts(section, **link):
    return list(PAGE_RECORD.section_by_key[section].parts(found_by(PAGE, section=section, **link), LIGHT))


def lead(section, **link):
    first = parts(section, **link)[0]
    assert isinstance(first, Exhibit)
    return first


def test_every_section_begins_with_its_lead_picture_and_ends_in_what_to_do():
    for section, name in (("accuracy", "accuracy"), ("records", "records")):
        shown_parts = parts(section, query="mean")
        assert lead(section, query="mean").name == name
        assert len([part for part in shown_parts if isinstance(part, str) and "**What to do" in part]) == 1
    assert lead("accuracy", shown="ratio").name == "ratio"


def test_the_fields_are_those_of_the_query():
    def keys(**link):
        section, result = PAGE_RECORD.section_by_key["accuracy"], found_by(PAGE, **link)
        sides = section.controls(result), section.more_settings(result)
        return tuple(
            [(field.parameter if isinstance(field, Field) else field).key for field in fields] for fields in sides
        )

    terms, last = ["delta", "significance"], ["promise", "shown", "mechanisms"]
    more = [*terms, "unit", "neighbours", *last]
    assert keys() == (["query", "known", "epsilon"], more)
    assert keys(known="accuracy") == (["query", "known", "accuracy"], more)
    assert keys(query="mean") == (["query", "low", "high", "n_records", "known", "epsilon"], more)
    assert keys(query="proportion") == (["query", "n_records", "known", "epsilon"], [*terms, "neighbours", *last])
    own = ["query", "l1_sensitivity", "l2_sensitivity", "known", "epsilon"]
    assert keys(query="own") == (own, [*terms, "unit", *last])
    limited = ["query", "per_total", "low", "high", "n_records", "epsilon"]
    assert keys(query="mean", contribution="limited") == (limited, ["known", *more])


def test_a_pinned_setting_is_a_grey_line_a_column_of_the_tables_and_a_line_of_the_header():
    pin = "epsilon=2&query=mean&accuracy=0.5"
    exhibits, plain = exhibits_at(query="mean", pinned=pin), exhibits_at(query="mean")
    for name, n_curves in (("accuracy", 2), ("ratio", 2), ("records", 3)):
        grey = [trace for trace in figure_of(exhibits[name])["data"] if trace["name"] == "pinned"]
        assert len(grey) == n_curves
        assert not any(pinned_trace["showlegend"] for pinned_trace in grey)
        assert "pinned" not in names(figure_of(plain[name]))
        assert exhibits[name].header["pinned"] == "mean, ε = 2, δ = 1e-6, 95 % of releases"
    assert "<td>±0.1498</td>" in html_of(exhibits["mechanisms"])
    assert "inned" not in html_of(plain["mechanisms"])
    pinned_exhibits = exhibits_at(query="mean", pinned="known=accuracy&query=mean&accuracy=0.5")
    assert "<td>ε = 0.5992</td>" in html_of(pinned_exhibits["mechanisms"])


def test_the_line_of_whole_noise_ends_with_the_error_that_it_has_from_there_on():
    layout = figure_of(exhibits_by_name(found_by(PAGE, query="count"), PAGE)["accuracy"])["layout"]
    (note,) = (note for note in layout["annotations"] if note["text"] == "±0 →")
    # Pr(|noise| ≥ 1) = 2/(e^ε + 1) is 5 % at ε = ln 39
    assert np.log(39) <= 10 ** note["x"] <= 1.05 * np.log(39)
    assert note["y"] == 0
    assert layout["meta"]["namesBelow"]
    layout = figure_of(exhibits_by_name(found_by(PAGE, query="mean"), PAGE)["accuracy"])["layout"]
    assert "±0 →" not in [note["text"] for note in layout["annotations"]]
    assert "namesBelow" not in layout.get("meta", {})
