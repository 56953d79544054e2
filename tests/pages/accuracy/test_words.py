import doctest
import json
import re
from itertools import product

import numpy as np
import pytest

from dpcore import accuracy as core
from dpcore import queries
from dpcore.accuracy import RULES
from pages.shared import accuracy, budget, query
from pages.shared.parameters import MendedError
from tests.pages.conftest import ROOT, opened, text_of

PAGE = "pages/5_Accuracy.py"
UNITS_TRAP = "<img src=x onerror=alert(1)> **b**"[:30]


def charts(app):
    """The figures by name."""
    specs = [json.loads(chart.proto.spec) for chart in app.get("plotly_chart")]
    known = {"Accuracy": "accuracy", "Records": "records", "Who": "budget"}
    return {known[re.split(r"[ <>]+", spec["layout"]["title"]["text"])[2]]: spec for spec in specs}


def tables(app):
    return [html.proto.body for html in app.get("html") if "<table>" in html.proto.body]


def row_of(app, name, table=0):
    row = re.search(rf"<tr><th scope='row'>{re.escape(name)}</th>(.*?)</tr>", tables(app)[table])
    assert row is not None
    return re.findall(r"<td>(.*?)</td>", row[1])


def editing(**link):
    """The page with the fields of the budget."""
    app = opened(PAGE, **link)
    app.session_state.budget_box = True
    return app.run()


def budget_row(app, name):
    return row_of(app, name, table=1)


@pytest.mark.parametrize("module", [accuracy, budget])
def test_the_examples_of_the_docstrings_hold(module):
    failed, _ = doctest.testmod(module)
    assert failed == 0


def test_the_answer_comes_first_with_both_shares_of_releases_and_both_promises():
    app = opened(PAGE)
    assert app.markdown[0].value == (
        "At ε = 1, 95 of 100 releases fall within ±2.996 people of the truth with Laplace noise.\n\n"
        "5 of 100 releases miss by more. That is pure ε-DP; the analytic Gaussian reaches ±8.281 people at ε = 1, "
        "δ = 1e-6, for (ε, δ)-DP: two different promises, so neither number alone decides."
    )


def test_with_the_error_known_the_answer_is_the_epsilon_that_reaches_it():
    app = opened(PAGE, known="accuracy", accuracy="3")
    assert app.markdown[0].value == (
        "To have 95 of 100 releases within ±3 people of the truth you need ε = 0.8319 with geometric noise.\n\n"
        "5 of 100 releases miss by more. That is pure ε-DP; the analytic Gaussian needs ε = 3.029 at δ = 1e-6, for "
        "(ε, δ)-DP: two different promises, so neither number alone decides."
    )
    assert core.geometric_accuracy(0.8319, 0.05) <= 3 < core.geometric_accuracy(0.8318, 0.05)
    assert (
        core.half_width(core.ANALYTIC, 3.029, 0.05, 1, 1e-6) <= 3 < core.half_width(core.ANALYTIC, 3.028, 0.05, 1, 1e-6)
    )


def test_the_answer_names_the_most_accurate_pure_noise_and_the_plainest_of_equal_ones():
    assert "±0 people of the truth with geometric noise" in text_of(opened(PAGE, epsilon="5"))
    assert "±0.001438 people of the truth with staircase noise" in text_of(
        opened(PAGE, query="mean", epsilon="5", high="10")
    )
    assert "with Laplace noise" in text_of(opened(PAGE, query="mean"))


@pytest.mark.parametrize(
    ("significance", "words"),
    [
        ("1e-6", "all but 1 of 1,000,000 releases fall within"),
        ("1e-300", "all but 1 of 1e300 releases fall within"),
        ("0.999", "1 of 1,000 releases falls within"),
        ("0.33333333", "at least 66.66 % of releases fall within"),
    ],
)
def test_the_share_of_releases_is_said_in_words_that_are_right_for_any_significance(significance, words):
    assert words in text_of(opened(PAGE, significance=significance))


def test_a_share_in_words_never_flatters():
    for significance in (*np.random.default_rng(1).uniform(0, 1, 300), 1e-5, 0.12345, 1.23456e-7, 1 - 2**-53):
        kept, missed = accuracy.within(float(significance)), accuracy.beyond(float(significance))
        if "%" in kept and kept.startswith("at least"):
            assert float(kept.split()[2]) / 100 <= 1 - significance + 1e-16
        if "%" in missed:
            assert float(missed.split()[2]) / 100 >= significance * (1 - 1e-13)


@pytest.mark.parametrize(
    ("link", "reason"),
    [
        ({"query": "count"}, "**Δ₁ = Δ₂ = 1 people**: adding or removing one record moves the number"),
        ({"query": "count", "neighbours": "replace"}, "**Δ₁ = Δ₂ = 1 people**: replacing one record moves the number"),
        ({"query": "sum", "low": "-200"}, "**Δ₁ = Δ₂ = 200 people** = the larger of |lo| and |hi|, of (−200) and 100"),
        ({"query": "sum", "low": "−5", "neighbours": "replace"}, "**Δ₁ = Δ₂ = 105 people** = hi − lo = 100 − (−5)"),
        ({"query": "mean"}, "so the number of records itself is not protected"),
        (
            {"query": "mean", "neighbours": "replace"},
            "**Δ₁ = Δ₂ = 0.1 people** = (hi − lo) ÷ n = (100 − 0) ÷ 1,000: replacing one record moves the mean by at "
            "most that. n is taken as public.",
        ),
        ({"query": "proportion", "n_records": "50"}, "**Δ₁ = Δ₂ = 0.02** = 1 ÷ 50: adding or removing one record"),
        ({"query": "histogram"}, "**Δ₁ = Δ₂ = 1 people**: a record is in one cell"),
        ({"query": "histogram", "neighbours": "replace"}, "**Δ₁ = 2 people, Δ₂ = √2**: the record leaves one cell"),
        ({"query": "own", "l1_sensitivity": "5", "l2_sensitivity": "2"}, "**Δ₁ = 5 people, Δ₂ = 2 people**, your own"),
    ],
)
def test_the_sensitivity_follows_from_the_query_and_is_shown_with_its_reason(link, reason):
    words = text_of(opened(PAGE, **link))
    assert reason in words
    assert ("at the side is not used for this query" in words) == (link["query"] != "own")


def test_sampling_error_is_named_for_a_mean_and_a_proportion_only():
    for name in query.QUERY.options:
        assert ("not of sampling" in text_of(opened(PAGE, query=name))) == (name in ("mean", "proportion"))


def test_an_own_l2_sensitivity_above_the_l1_one_gets_a_calm_sentence_and_both_are_then_equal():
    app = opened(PAGE, query="own", l1_sensitivity="1", l2_sensitivity="2")
    assert "Δ₂ = 2 can't be above the ℓ₁ sensitivity Δ₁ = 1" in text_of(app)
    assert "Δ₁ = 2 is used instead" in text_of(app)
    assert row_of(app, "Laplace")[1] == "5.992"


@pytest.mark.parametrize(
    ("low", "high", "sentence"),
    [
        ("5", "5", "lo must be below hi: lo = 5 and hi = 5 were given. 0 and 100 are used instead."),
        ("9", "-3", "lo must be below hi: lo = 9 and hi = −3 were given. 0 and 100 are used instead."),
        ("0", "1e-40", "high − low must be from 1e-30 to 2e15, got 1e-40: lo = 0 and hi = 1e-40 were given."),
    ],
)
def test_bounds_that_are_no_range_get_a_calm_sentence_and_stay_in_their_fields(low, high, sentence):
    app = opened(PAGE, query="sum", low=low, high=high)
    assert sentence in text_of(app)
    assert app.text_input(key="high_text").value == high
    assert "**Δ₁ = Δ₂ = 100 people**" in text_of(app)
    assert "must be below" not in text_of(opened(PAGE, query="count", low=low, high=high))


def test_negative_bounds_can_be_typed():
    app = opened(PAGE, query="sum")
    app.text_input(key="low_text").set_value("-250.5").run()
    assert "**Δ₁ = Δ₂ = 250.5 people**" in text_of(app)


@pytest.mark.parametrize(
    ("link", "whole"),
    [
        ({"query": "count"}, True),
        ({"query": "histogram", "neighbours": "replace"}, True),
        ({"query": "sum"}, True),
        ({"query": "sum", "high": "99.5"}, False),
        ({"query": "mean"}, False),
        ({"query": "proportion"}, False),
        ({"query": "own"}, False),
    ],
)
def test_geometric_noise_is_offered_only_where_answers_are_whole(link, whole):
    app = opened(PAGE, **link)
    for name in ("Geometric, exact", "Geometric, as published"):
        assert (row_of(app, name)[-1] == "needs whole-numbered answers") != whole
    words = text_of(app)
    assert ("in three readings" in words) == whole
    assert ("the values themselves must be whole numbers" in words) == (whole and link["query"] == "sum")


@pytest.mark.parametrize(
    ("link", "single"),
    [
        ({"query": "histogram", "neighbours": "replace"}, False),
        ({"query": "histogram"}, True),
        ({"query": "own", "l1_sensitivity": "2"}, False),
        ({"query": "own", "l1_sensitivity": "1"}, True),
    ],
)
def test_staircase_noise_is_offered_for_a_single_number_only(link, single):
    verdict = row_of(opened(PAGE, **link), "Staircase, least variance")[-1]
    assert verdict == ("✓ proved" if single else "for one number only: with several, each may spend ε")


def test_the_table_gives_every_mechanism_at_epsilon_rounded_up():
    app = opened(PAGE)
    shown = {rule.key: row_of(app, rule.name) for rule in RULES}
    assert shown["laplace"] == ["ε-DP", "2.996", "✓ proved"]
    assert shown["geometric"][1] == shown["geometric_published"][1] == "3"
    assert shown["analytic"][:2] == ["(ε, δ)-DP", "8.281"]
    assert shown["pdp"] == ["(ε, δ)-pDP", "9.784", "✓ proved, for probabilistic DP, which implies DP"]
    assert shown["classical"][1] == "10.39"


def test_with_the_error_known_the_table_gives_the_epsilon_too_and_judges_it():
    app = opened(PAGE, known="accuracy", accuracy="3")
    assert row_of(app, "Laplace") == ["ε-DP", "0.9986", "2.996", "✓ proved"]
    assert row_of(app, "Classical Gaussian")[1:3] == ["3.462", "10.39"]
    assert "outside its theorem" in row_of(app, "Classical Gaussian")[-1]
    assert row_of(opened(PAGE, known="accuracy", accuracy="50"), "Classical Gaussian")[-1] == "✓ proved"


@pytest.mark.parametrize(
    ("link", "verdict"),
    [
        ({"epsilon": "0.5"}, "✓ proved"),
        ({"epsilon": "1"}, "! outside its theorem (ε &lt; 1); true δ here 3.2e-9, within target"),
        ({"epsilon": "10", "delta": "1e-5"}, "✗ FAILS: true δ 2.27e-5 for a target of 1e-5"),
        ({"epsilon": "0"}, "no answer at ε = 0"),
        ({"known": "accuracy", "accuracy": "1e-9"}, "ε above 1e6: no privacy worth the name"),
    ],
)
def test_the_classical_formula_gets_a_verdict_in_words(link, verdict):
    assert row_of(opened(PAGE, **link), "Classical Gaussian")[-1] == verdict


def test_the_published_geometric_inverse_is_caught_where_it_falls_short():
    app = opened(PAGE, known="accuracy", accuracy="2.999", significance="0.5")
    assert row_of(app, "Geometric, as published")[-1] == "! falls short: at this ε its ± is 3, not 2.999"
    assert row_of(app, "Geometric, exact")[-1] == "✓ proved"


def test_the_three_geometric_readings_are_given_with_why_they_differ():
    words = text_of(opened(PAGE, significance="0.01"))
    assert "4.606 before the ceiling, which is Laplace's value, 5 as published, 4 exactly" in words
    assert "3.02 is published as 4" in words
    assert "§0.1" in words
    words = text_of(opened(PAGE, significance="0.01", known="accuracy"))
    assert "ε = 1.536 as published" in words


def test_at_epsilon_0_only_the_analytic_gaussian_answers():
    for epsilon in ("0", "9e-13", "1e-300"):
        app = opened(PAGE, epsilon=epsilon, delta="0.001")
        assert "only the analytic Gaussian has an answer: 95 of 100 releases fall within ±782" in text_of(app)
        assert sum(row_of(app, rule.name)[-1] == f"no answer at ε = {epsilon}" for rule in RULES) == len(RULES) - 1
    assert "Raise ε" in text_of(opened(PAGE, epsilon="0", query="mean"))


def test_where_no_noise_can_be_held_by_numbers_the_page_says_so():
    app = opened(PAGE, epsilon="0", delta="1e-300", query="sum", high="1e15")
    assert "no noise that numbers can hold keeps the promise" in text_of(app)
    app = opened(PAGE, known="accuracy", accuracy="1e-100", query="own", l1_sensitivity="1e100", l2_sensitivity="1e100")
    assert "The analytic Gaussian has no answer here" in text_of(app)
    assert row_of(app, "pDP Gaussian")[-1] == "no answer: outside what numbers can hold"


def test_the_unit_is_used_everywhere_and_a_strangers_unit_is_only_text():
    app = opened(PAGE, unit=UNITS_TRAP, query="mean", known="accuracy")
    assert "\\<img src=x onerror=alert(1)\\> \\* of" in app.markdown[0].value
    spoken = "\n".join(str(each.value) for each in app.markdown)
    assert "<img" not in re.sub(r"\\<", "", spoken)
    for body in tables(app):
        assert "<img" not in body
    assert "&lt;img" in tables(app)[0]
    for spec in charts(app).values():
        assert "<img" not in json.dumps(spec)
    app = opened(PAGE, unit="dollars", query="sum")
    assert "±299.6 dollars of the truth" in text_of(app)
    assert "dollars" in tables(app)[0]
    assert charts(app)["accuracy"]["layout"]["yaxis"]["title"]["text"] == "± (dollars)"
    assert "dollars" in app.get("plotly_chart")[0].proto.alt


def test_a_proportion_has_no_unit_but_is_a_share_of_1():
    app = opened(PAGE, query="proportion")
    assert "±0.002996 of the truth" in text_of(app)
    assert not [field for field in app.text_input if field.key == "unit_text"]
    assert "share of 1" in tables(app)[0]


def test_the_picture_has_every_suited_mechanism_the_wanted_accuracy_and_its_crossings():
    plain = charts(opened(PAGE))["accuracy"]
    names = {trace["name"] for trace in plain["data"]}
    assert {rule.name for rule in RULES} <= names
    assert len(plain["layout"]["shapes"]) == 2
    drawn = charts(opened(PAGE, known="accuracy", query="mean", accuracy="0.5"))["accuracy"]
    marks = next(trace for trace in drawn["data"] if trace["name"] == "ε that reaches it")
    assert "Laplace: ε = 0.5992" in marks["text"]
    assert not {"Geometric, exact"} & {trace["name"] for trace in drawn["data"]}
    assert any(shape["y0"] == shape.get("y1") == 0.5 for shape in drawn["layout"]["shapes"])


def test_the_classical_curves_are_dotted_where_unproved_and_red_where_they_fail():
    parts = [trace for trace in charts(opened(PAGE, delta="1e-5"))["accuracy"]["data"] if "y" in trace]
    failing = next(trace for trace in parts if trace["name"] == "Classical Gaussian: FAILS")
    assert failing["marker"]["symbol"] == "x"
    assert failing["line"]["color"] in ("#C1121F", "#FF6B6B")
    assert next(t for t in parts if t["name"] == "Classical Gaussian: unproved")["line"]["dash"] == "dot"
    app = opened(PAGE, delta="1e-5", known="accuracy", accuracy="0.9")
    assert "✗ FAILS" in row_of(app, "Classical Gaussian")[-1]
    marks = next(t for t in charts(app)["accuracy"]["data"] if t["name"] == "ε that reaches it")
    assert (
        dict(zip(marks["text"], marks["marker"]["symbol"], strict=True))["Classical Gaussian: FAILS: ε = 10.56"] == "x"
    )


def test_charts_have_fixed_axes_while_epsilon_moves():
    for known in ("epsilon", "accuracy"):
        frames = [charts(opened(PAGE, epsilon=e, query="mean", known=known)) for e in ("0.001", "1", "100")]
        for name, axis in product(("accuracy", "records"), ("xaxis", "yaxis")):
            ranges = [frame[name]["layout"][axis]["range"] for frame in frames]
            assert ranges[0] == ranges[1] == ranges[2]


def test_the_sample_size_is_the_least_n_that_reaches_the_accuracy():
    app = opened(PAGE, query="mean", accuracy="0.5")
    assert "±0.5 people for 95 of 100 releases at ε = 1 takes n = 600 records with Laplace noise" in text_of(app)
    for n, kept in ((600, True), (599, False)):
        size = queries.sensitivities("mean", "replace", 0, 100, n).l1
        assert (core.laplace_accuracy(1, 0.05, size) <= 0.5) == kept
    assert app.text_input(key="accuracy_text").value == "0.5"
    assert set(charts(app)) == {"accuracy", "records", "budget"}


def test_without_a_sample_size_one_sentence_says_why():
    for name in ("count", "sum", "histogram", "own"):
        app = opened(PAGE, query=name)
        assert "**No sample size**" in text_of(app)
        assert set(charts(app)) == {"accuracy", "budget"}
    assert "is as wide as the whole range" in text_of(opened(PAGE, query="proportion", accuracy="1"))


def test_switching_what_is_known_and_the_query_keeps_what_was_typed():
    app = opened(PAGE)
    app.segmented_control(key="known_option").set_value("accuracy").run()
    app.text_input(key="accuracy_text").set_value("0.25").run()
    app.selectbox(key="query_option").set_value("mean").run()
    app.text_input(key="n_records_text").set_value("5000").run()
    app.segmented_control(key="known_option").set_value("epsilon").run()
    assert not app.exception
    assert app.text_input(key="accuracy_text").value == "0.25"
    used = app.session_state.used
    assert (used["known"], used["query"], used["n_records"], used["accuracy"]) == ("epsilon", "mean", "5000", "0.25")
    assert app.query_params["n_records"] == "5000"


def test_the_explanation_has_formulas_with_the_users_numbers_and_their_sources():
    app = opened(PAGE, epsilon="0.5", delta="2e-5", query="sum", neighbours="replace", high="40")
    app.session_state.explanation = True
    app.run()
    words = text_of(app)
    assert r"\frac{40}{0.5}\ln\frac1{0.05}=239.7" in words
    for rule in RULES:
        assert rule.theorem in words
    assert "Neighbours: replace one record" in words
    assert "5 of 100 releases miss by more" in words
    app = opened(PAGE, query="own", epsilon="0", l1_sensitivity="3")
    app.session_state.explanation = True
    app.run()
    assert not app.exception
    assert "Here: needs whole-numbered answers" in text_of(app)


def test_every_chart_has_parameters_an_alternative_and_numbers():
    app = opened(PAGE, query="mean", known="accuracy")
    assert len(app.get("plotly_chart")) == 3
    for chart in app.get("plotly_chart"):
        assert len(chart.proto.alt) > 60
    for name, spec in charts(app).items():
        assert "δ = 1e-6" in spec["layout"]["title"]["text"], name
    assert len(app.get("download_button")) == 4


def test_the_numbers_of_a_csv_carry_unit_and_parameters():
    values = {q.key: q.read(q.default) for q in (*query.OWN[1:2], *query.OWN[5:8])} | {
        "epsilon": 1.0, "delta": 1e-6, "significance": 0.05, "l2_sensitivity": 1.0, "l1_sensitivity": 1.0,
        "query": "count", "neighbours": "replace", "unit": "people",
    }  # fmt: skip
    asked = query.asked(values)
    header = accuracy.csv_header(asked, values)
    assert header["unit"] == "people"
    assert "accuracy and sensitivities in people" in header["units"]
    assert header["query"] == "count"
    made = query.rows(asked, 1.0, 1e-6, 0.05, None)
    assert list(accuracy.rows_frame(made)["mechanism"]) == [rule.name for rule in RULES]
    found = query.curves(asked, 1e-6, 0.05)
    assert len(accuracy.curves_frame(found, "accuracy")) == len(RULES) * query.EPSILONS.size


@pytest.mark.parametrize(
    "link",
    [
        {"epsilon": "1e6", "delta": "0.99", "significance": "1e-300", "query": "own", "l1_sensitivity": "1e100"},
        {"epsilon": "1e-12", "delta": "1e-300", "significance": "0.999", "query": "histogram"},
        {"epsilon": "0", "delta": "1e-300", "significance": "0.9999999999999999", "query": "mean"},
        {"l2_sensitivity": "1e100", "query": "own", "known": "accuracy", "accuracy": "1e-100"},
        {"query": "proportion", "n_records": "1e12", "known": "accuracy", "accuracy": "1e100"},
        {"query": "sum", "low": "-1e15", "high": "1e15", "neighbours": "replace", "significance": "1e-17"},
    ],
)
def test_extreme_parameters_are_answered_without_an_error(link):
    app = opened(PAGE, **link)
    app.session_state.explanation = True
    app.run()
    assert not app.exception
    assert "nan" not in "".join(tables(app))


@pytest.mark.parametrize(
    ("link", "sentence"),
    [
        ({"known": "delta"}, "what you know (known) must be one of epsilon, accuracy; delta was given."),
        ({"accuracy": "0"}, "accuracy (accuracy) must be from 1e-100 to 1e100; 0 was given. 3 is used instead."),
        ({"unit": "  "}, "unit of the query (unit) must be a text of 1 to 30 printable characters; nothing was given."),
        ({"query": "median"}, "query (query) must be one of count, sum, mean, proportion, histogram, own;"),
        ({"neighbours": "both"}, "neighbours (neighbours) must be one of add_remove, replace; both was given."),
        ({"low": "-1e16"}, "lo (low) must be from −1e15 to 1e15; -1e16 was given. 0 is used instead."),
        ({"high": "inf"}, "hi (high) must be from −1e15 to 1e15; inf was given. 100 is used instead."),
        ({"n_records": "2.5"}, "n (n_records) must be a whole number from 1 to 1e12; 2.5 was given."),
        ({"l1_sensitivity": "0"}, "ℓ₁ sensitivity (l1_sensitivity) must be from 1e-100 to 1e100; 0 was given."),
        ({"budget": ""}, "budget (budget) must be entries sensitivity,weight=name"),
        ({"budget": "1,1;x"}, "Query 2 of the budget: it must be sensitivity,weight or sensitivity,weight,epsilon; x"),
        (
            {"budget": "1,0=A;1,1"},
            "Query 1 of the budget: weight (weight) must be from 1e-6 to 1e6; 0 was given. It is",
        ),
        ({"budget": "1,1,-1"}, "ε (locked) must be from 1e-12 to 1e6; -1 was given. It is left out. The default"),
        ({"budget": ";".join(["1,1"] * 9)}, "The link lists 9 queries; only the first 8 are read."),
    ],
)
def test_a_link_value_that_cannot_be_used_is_named_with_what_is_used_instead(link, sentence):
    app = opened(PAGE, **link)
    assert sentence in text_of(app)
    assert {"accuracy", "budget"} <= set(charts(app))


def test_a_link_holds_every_parameter_of_the_page():
    app = opened(PAGE)
    keys = {"epsilon", "delta", "l2_sensitivity", "significance", "picture", "known", "accuracy", "unit", "query"}
    keys |= {"neighbours", "low", "high", "n_records", "l1_sensitivity", "budget"}
    assert set(app.query_params) == keys


def test_the_budget_is_shared_by_weight_and_totals_are_basic_and_exact():
    app = opened(PAGE)
    assert budget_row(app, "People")[:3] == ["1", "0.5", "5e-7"]
    assert budget_row(app, "Sum of ages")[:3] == ["100", "0.25", "2.5e-7"]
    assert budget_row(app, "People")[3] == "5.992"
    assert budget_row(app, "Total, basic composition")[1:3] == ["1", "1e-6"]
    exact = queries.budget(1, 1e-6, 0.05, [1, 100, 1], [2, 1, 1]).exact_epsilon
    shown = float(budget_row(app, "Total of the Gaussians, exact")[1])
    assert exact <= shown <= exact + 1e-4
    assert "Together the queries spend ε = 1, δ = 1e-6 by basic composition" in text_of(app)


def test_a_budget_round_trips_through_its_text():
    for entry in ("!1,2=A%3Bb%3D%2C;1e-3,1,0.25=x", "1,1=;!2,3=Caf%C3%A9"):
        items = budget.Queries().read(entry)
        again = ";".join(item.written() for item in items)
        assert budget.Queries().read(again) == items
        assert sum(item.chosen for item in items) == 1
    with pytest.raises(MendedError):
        budget.Queries().read("1;2")


def test_queries_are_added_named_changed_locked_and_removed():
    app = editing()
    app.button(key="budget_add").click().run()
    app.text_input(key="budget_name").set_value("Deaths; *per* year").run()
    app.text_input(key="budget_query_sensitivity").set_value("4").run()
    app.text_input(key="budget_weight").set_value("4").run()
    assert app.session_state.used["budget"].endswith(";!4,4=Deaths%3B%20%2Aper%2A%20year")
    assert budget_row(app, "Deaths; *per* year")[:2] == ["4", "0.5"]
    app.checkbox(key="budget_lock").check().run()
    assert app.text_input(key="budget_locked").value == "0.5"
    app.text_input(key="budget_locked").set_value("0.8").run()
    assert budget_row(app, "Deaths; *per* year")[1] == "0.8 locked"
    assert budget_row(app, "People")[1] == "0.1"
    app.checkbox(key="budget_lock").uncheck().run()
    assert app.text_input(key="budget_weight").value == "4"
    app.button(key="budget_remove").click().run()
    assert "Deaths" not in app.session_state.used["budget"]
    assert not app.exception


def test_another_query_is_chosen_and_edited():
    app = editing()
    app.radio[0].set_value(1).run()
    assert app.text_input(key="budget_name").value == "Sum of ages"
    app.text_input(key="budget_name").set_value("").run()
    assert budget_row(app, "Query 2")[0] == "100"
    assert app.session_state.used["budget"] == "1,2=People;!100,1=;1,1=Histogram%20of%20regions"


def test_a_bad_entry_of_the_budget_stays_with_its_query_while_the_rest_works():
    app = editing()
    app.text_input(key="budget_weight").set_value("heavy").run()
    assert "weight (weight) must be from 1e-6 to 1e6; heavy was given. 2 is used instead." in text_of(app)
    assert budget_row(app, "People")[1] == "0.5"
    app.radio[0].set_value(2).run()
    assert "heavy" not in text_of(app)
    app.text_input(key="budget_query_sensitivity").set_value("-1").run()
    app.radio[0].set_value(0).run()
    assert app.text_input(key="budget_weight").value == "heavy"
    app.text_input(key="budget_weight").set_value("3").run()
    assert "heavy" not in text_of(app)
    app.button(key="budget_remove").click().run()
    app.radio[0].set_value(1).run()
    assert app.text_input(key="budget_query_sensitivity").value == "-1"
    assert "Δ (query_sensitivity) must be from 1e-100 to 1e100; -1 was given. 1 is used instead." in text_of(app)


def test_locks_beyond_the_budget_get_a_calm_sentence_and_no_negative_epsilon():
    app = editing(budget="!1,1,0.9=A;1,1,0.3=B;1,1=C")
    assert "The locked queries ask for ε = 1.2 together, and the budget is ε = 1." in text_of(app)
    assert len(tables(app)) == 1
    app.text_input(key="budget_locked").set_value("0.7").run()
    assert budget_row(app, "B")[1] == "0.3 locked"
    assert "–" not in budget_row(app, "B")
    assert "A query whose ε is 0 has no Laplace noise" in text_of(app)
    assert budget_row(app, "C")[1] == "0"
    app.radio[0].set_value(2).run()
    app.checkbox(key="budget_lock").check().run()
    assert app.text_input(key="budget_locked").value == "0.1"


def test_a_delta_too_small_to_share_leaves_laplace_its_answer():
    app = opened(PAGE, delta="1e-300")
    assert "No Gaussian keeps so small a δ once it is shared" in text_of(app)
    assert budget_row(app, "People")[3:] == ["5.992", "–", "–"]


def test_one_query_alone_has_the_same_total_under_both_compositions():
    app = editing(budget="!1,1=A")
    assert budget_row(app, "Total of the Gaussians, exact")[1] == "1"
    assert [button.disabled for button in app.button if button.key == "budget_remove"] == [True]
    app = editing(budget=";".join(["1,1"] * 8))
    assert [button.disabled for button in app.button if button.key == "budget_add"] == [True]


def test_the_bars_show_the_shares_with_the_locked_ones_apart():
    spec = charts(opened(PAGE, budget="!1,1,0.4=A;1,1=<b>x"))["budget"]
    assert spec["data"][0]["text"] == ["0.4 (locked)", "0.6"]
    assert len(set(spec["data"][0]["marker"]["color"])) == 2
    assert spec["layout"]["yaxis"]["ticktext"] == ["A", "&lt;b&gt;x"]


def test_a_bad_entry_of_the_budget_is_seen_again_when_the_page_is_opened_again():
    app = editing()
    app.text_input(key="budget_weight").set_value("heavy").run()
    app.switch_page(str(ROOT / "pages/1_Gaussian_bounds.py")).run()
    app.switch_page(str(ROOT / PAGE)).run()
    assert app.text_input(key="budget_weight").value == "heavy"
    assert "heavy was given. 2 is used instead." in text_of(app)


def test_editing_the_budget_takes_the_notice_for_a_bad_link_away():
    app = editing(epsilon="nan")
    assert "nan was given" in text_of(app)
    app.text_input(key="budget_weight").set_value("5").run()
    assert "nan was given" not in text_of(app)
