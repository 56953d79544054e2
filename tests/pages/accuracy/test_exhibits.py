from itertools import product

import numpy as np
import pytest

from dpcore.accuracy import RULES
from pages.accuracy import exhibits
from tests.pages.conftest import drawn, expect_complete, figure_of, found_by, html_of

TOPIC = "accuracy"
STRANGE = "<img src=x onerror=alert(1)> **b**"[:30]
SETTINGS = (
    {},
    {"query": "mean", "known": "accuracy"},
    {"epsilon": "1e6", "delta": "0.99", "significance": "1e-300", "query": "own", "l1_sensitivity": "1e100"},
    {"epsilon": "1e-12", "delta": "1e-300", "significance": "0.999", "query": "histogram"},
    {"epsilon": "0", "delta": "1e-300", "significance": "0.9999999999999999", "query": "mean"},
    {"l2_sensitivity": "1e100", "query": "own", "known": "accuracy", "accuracy": "1e-100"},
    {"l2_sensitivity": "1e-100", "l1_sensitivity": "1e-100", "query": "own", "known": "accuracy", "accuracy": "1e100"},
    {"query": "proportion", "n_records": "1e12", "known": "accuracy", "accuracy": "1e100"},
    {"query": "sum", "low": "-1e15", "high": "1e15", "neighbours": "replace", "significance": "1e-17"},
    {"epsilon": "1e6", "budget": ";".join(["1,1,1e6"] * 8)},
    {"budget": "1e-100,1e-6=A;1e100,1e6=B;1,1,1e-12=C", "delta": "0.999", "significance": "0.999"},
    {"epsilon": "1e-300", "budget": ";".join(f"1,1e{power}=" for power in range(-6, 2)), "delta": "1e-299"},
)


def shown(**link):
    return drawn(found_by(TOPIC, **link), TOPIC)


def chart(name="accuracy", **link):
    return figure_of(shown(**link)[name])


def trace(figure, name):
    return next(each for each in figure["data"] if each["name"] == name)


@pytest.mark.parametrize("link", SETTINGS)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_exhibit_has_a_picture_words_and_numbers_at_every_setting(link, scheme):
    found = found_by(TOPIC, **link)
    made = drawn(found, TOPIC, scheme)
    few = ["accuracy", "mechanisms"]
    records = ["records"] if link.get("query") in ("mean", "proportion") else []
    assert list(made) == few + records + ([] if found.too_much else ["budget", "budget_table"])
    for exhibit in made.values():
        expect_complete(exhibit)
    said = (*found.answer, found.setting.reason, found.readings, found.records_said, found.shares_said)
    for sentence in (*said, found.explanation, html_of(made["mechanisms"])):
        assert "nan" not in sentence


def test_a_strangers_unit_is_only_text():
    made = shown(unit=STRANGE, query="mean", known="accuracy")
    assert "\\<img src=x onerror=alert(1)\\> \\* of" in found_by(TOPIC, unit=STRANGE, known="accuracy").answer[0]
    for exhibit in made.values():
        assert "<img" not in str(exhibit.picture)
    assert "&lt;img" in html_of(made["mechanisms"])
    assert "<b>" not in str(chart("budget", budget="!1,1=<b>x;1,1=")["layout"]["yaxis"])


def test_the_unit_is_used_everywhere():
    made = shown(unit="dollars", query="sum")
    assert "±299.6 dollars of the truth" in found_by(TOPIC, unit="dollars", query="sum").answer[0]
    assert "dollars" in html_of(made["mechanisms"])
    assert figure_of(made["accuracy"])["layout"]["yaxis"]["title"]["text"] == "± (dollars)"
    assert "dollars" in made["accuracy"].alternative
    assert made["accuracy"].header["unit"] == "dollars"


def test_the_picture_has_every_suited_mechanism_the_wanted_accuracy_and_its_crossings():
    plain = chart()
    assert {rule.name for rule in RULES} <= {each["name"] for each in plain["data"]}
    assert len(plain["layout"]["shapes"]) == 2
    drawn_mean = chart(known="accuracy", query="mean", accuracy="0.5")
    assert "Laplace: ε = 0.5992" in trace(drawn_mean, "ε that reaches it")["text"]
    assert not {"Geometric, exact"} & {each["name"] for each in drawn_mean["data"]}
    assert any(shape["y0"] == shape.get("y1") == 0.5 for shape in drawn_mean["layout"]["shapes"])


def test_the_classical_curves_are_dotted_where_unproved_and_red_where_they_fail():
    for name in ("accuracy", "records"):
        figure = chart(name, delta="1e-5", query="mean")
        failing = trace(figure, "Classical Gaussian: FAILS")
        assert failing["marker"]["symbol"] == "x"
        assert failing["line"]["color"] == "#C1121F"
        assert trace(figure, "Classical Gaussian: unproved")["line"]["dash"] == "dot"


def test_the_curves_fail_where_the_calibration_says_so():
    failing = trace(chart(delta="1e-5"), "Classical Gaussian: FAILS")
    words = next(rule for rule in RULES if rule.key == "classical").status(exhibits.EPSILONS, 1e-5).word
    first = failing["x"][np.isfinite(failing["y"])].min()
    assert first == pytest.approx(exhibits.EPSILONS[words == "fails"].min(), rel=0.04)


def test_an_epsilon_that_breaks_its_promise_or_misses_the_accuracy_is_crossed_out():
    marks = trace(chart(delta="1e-5", known="accuracy", accuracy="0.9"), "ε that reaches it")
    symbols = dict(zip(marks["text"], marks["marker"]["symbol"], strict=True))
    assert symbols["Classical Gaussian: FAILS: ε = 10.56"] == "x"
    marks = trace(chart(significance="0.5", known="accuracy", accuracy="2.999"), "ε that reaches it")
    symbols = dict(zip(marks["text"], marks["marker"]["symbol"], strict=True))
    assert symbols["Geometric, as published: falls short: ε = 0.2312"] == "x"
    assert list(symbols.values()).count("x") == 1


def test_charts_have_fixed_axes_while_epsilon_moves():
    for known in ("epsilon", "accuracy"):
        frames = [shown(epsilon=epsilon, query="mean", known=known) for epsilon in ("0.001", "1", "100")]
        for name, axis in product(("accuracy", "records"), ("xaxis", "yaxis")):
            ranges = [figure_of(frame[name])["layout"][axis]["range"] for frame in frames]
            assert ranges[0] == ranges[1] == ranges[2]


def test_every_chart_carries_its_parameters():
    for exhibit in shown(query="mean", known="accuracy").values():
        if not isinstance(exhibit.picture, str):
            assert "δ = 1e-6" in figure_of(exhibit)["layout"]["title"]["text"], exhibit.name


def test_the_numbers_of_a_csv_carry_unit_and_parameters():
    made = shown()
    header = made["mechanisms"].header
    assert header["unit"] == "people"
    assert "accuracy and sensitivities in people" in header["units"]
    assert header["query"] == "count"
    assert [line.split(",")[0].strip('"') for line in made["mechanisms"].csv().splitlines()[-len(RULES) :]] == [
        rule.name.split(",")[0] for rule in RULES
    ]
    rows = [line for line in made["accuracy"].csv().splitlines() if not line.startswith("#")]
    assert len(rows) == 1 + len(RULES) * exhibits.EPSILONS.size
    assert "# budget in the link: !1,2=People;" in made["budget"].csv()
    assert float(made["budget"].header["total epsilon, basic composition"]) == pytest.approx(1)


def test_the_bars_show_the_shares_with_the_locked_ones_apart():
    figure = chart("budget", budget="!1,1,0.4=A;1,1=<b>x")
    assert figure["data"][0]["text"] == ["0.4 (locked)", "0.6"]
    assert len(set(figure["data"][0]["marker"]["color"])) == 2
    assert figure["layout"]["yaxis"]["ticktext"] == ["A", "&lt;b&gt;x"]
    assert figure["layout"]["xaxis"]["range"] == [0, 1.18]
