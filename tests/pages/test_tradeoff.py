import json
import re

import pytest

from dpcore import tradeoff
from pages.shared import curves
from pages.shared.inputs import MendedError
from tests.pages.conftest import opened, text_of

PAGE = "pages/3_Trade-off_curves.py"
ONE_OF_EACH = (
    "!gdp:1@blue=;approx:1,1e-6@green=;pure:0.5@orange=;laplace:1@purple=;geometric:1,5@ochre=;gg:3,2,1@grey=;"
    "sigma:2,1@rose=;zcdp:0.1@teal="
)


def charts(app):
    return [json.loads(chart.proto.spec) for chart in app.get("plotly_chart")]


def table_of(app):
    return next(html.proto.body for html in app.get("html") if "<table>" in html.proto.body)


def row_of(app, name):
    row = re.search(rf"<tr><th scope='row'>{re.escape(name)}</th>(.*?)</tr>", table_of(app))
    assert row is not None
    return re.findall(r"<td>(.*?)</td>", row[1])


def field(app, key):
    return next(widget for widget in (*app.text_input, *app.selectbox, *app.text_area, *app.radio) if widget.key == key)


def test_the_answer_comes_first_with_the_power_and_what_a_positive_test_then_means():
    words = text_of(opened(PAGE))
    assert "An attacker who accepts 5 % false alarms catches at most 25.96 % of the true cases (μ = 1)." in words
    assert "Someone 10 % sure beforehand (odds 1 to 9) is at most 36.58 % sure after a positive test" in words


def test_the_power_is_shown_rounded_up_so_that_no_attack_exceeds_what_is_read():
    assert 0.2595 < float(tradeoff.gaussian_power(0.05, 1)) < 0.2596
    assert "25.95 %" not in text_of(opened(PAGE))


@pytest.mark.parametrize(
    ("curve", "words"),
    [
        ("pure:0.2@blue=", "No outcome makes them more than 11.95 % sure: the promise is pure, ε = 0.2."),
        ("laplace:0.2@blue=", "11.95 % sure: the promise is pure, ε = 0.2."),
        ("geometric:0.2,3@blue=", "11.95 % sure: the promise is pure, ε = 0.2."),
        ("approx:0.2,0@blue=", "11.95 % sure: the promise is pure, ε = 0.2."),
        ("pure:0.1*2@blue=", "11.95 % sure: the promise is pure, ε = 0.2."),
    ],
)
def test_the_odds_of_the_worst_outcome_are_shown_for_a_pure_promise(curve, words):
    assert words in text_of(opened(PAGE, curves=curve))


@pytest.mark.parametrize(
    "curve", ["approx:0.2,1e-9@blue=", "gdp:0.2@blue=", "zcdp:0.1@blue=", "approx:0.2,1e-6*3@blue=", "gg:3,2,1@blue="]
)
def test_the_odds_of_a_pure_promise_are_never_shown_for_another_one(curve):
    words = text_of(opened(PAGE, curves=curve))
    assert "the promise is pure" not in words
    assert "no odds hold for every outcome" in words or "only pure ε-DP bounds every single one" in words


def test_every_kind_of_curve_is_drawn_read_quoted_and_explained():
    for curve in (*ONE_OF_EACH.replace("!", "").split(";"), "sgm:1,0.01,100@blue=", "points:0.1_0.6~0.5_0.1@blue="):
        app = opened(PAGE, curves=curve, view="log")
        assert len(charts(app)) == 2
        app.session_state.explanation = True
        app.run()
        assert not app.exception
        assert "$$" in text_of(app)
        assert "catches at most" in text_of(app)


def test_eight_curves_have_a_row_each_and_short_names():
    app = opened(PAGE, curves=ONE_OF_EACH)
    names = re.findall(r"<tr><th scope='row'>(.*?)</th>", table_of(app))
    assert names == [
        "μ = 1", "(1, 1e-6)-DP", "0.5-DP", "Laplace θ = 1", "Geometric θ = 1, Δ = 5", "GG p = 3, b = 2",
        "Gaussian σ = 2", "0.1-zCDP",
    ]  # fmt: skip
    assert max(map(len, names)) <= 22


def test_equal_names_are_told_apart_and_a_long_number_is_short_in_a_name():
    app = opened(PAGE, curves="gdp:1@blue=;gdp:1@green=;gdp:0.333333333@rose=;gdp:2@teal=%CE%BC%20%3D%201")
    names = re.findall(r"<tr><th scope='row'>(.*?)</th>", table_of(app))
    assert names == ["μ = 1", "μ = 1 (2)", "μ = 0.3333", "μ = 1 (3)"]


def test_the_table_reads_each_curve_to_the_safe_side():
    cells = row_of(opened(PAGE), "μ = 1")
    assert cells[:2] == ["25.96 %", "36.58 %, 1 to 1.733"] or cells[:2] == ["25.96 %", "36.58 %, 1 to 1.734"]
    assert cells[2:5] == ["4.887", "1", "38.3 %"]  # advantage erf(1/2√2) = 0.38292…
    assert row_of(opened(PAGE), "(1, 1e-6)-DP")[3] == "none"


def test_the_bayes_accuracy_and_the_bayes_error_are_named_apart_and_sum_to_one():
    app = opened(PAGE, curves="gdp:1@blue=", prior="0.5")
    accuracy, error = (float(cell.removesuffix(" %")) for cell in row_of(app, "μ = 1")[5:7])
    assert accuracy + error == pytest.approx(100, abs=0.02)
    assert accuracy > 69.14
    assert "Bayes accuracy" in table_of(app)
    assert "Bayes error" in table_of(app)


def test_a_curve_without_a_finite_mu_says_why_and_gives_one_for_larger_errors():
    words = text_of(opened(PAGE, curves="approx:1,1e-6@blue="))
    assert "No finite μ exists: f(0) is 1 − 1e-6, below 1" in words
    assert "For attacks with both errors at least 1e-9, μ = 1.245 is enough" in words


def test_no_epsilon_goes_with_a_delta_below_that_of_the_promise():
    app = opened(PAGE, curves="approx:1,1e-3@blue=", delta="1e-6")
    assert "No ε goes with δ = 1e-6 for (1, 0.001)-DP" in text_of(app)
    assert len(charts(app)) == 1
    assert len(charts(opened(PAGE, curves="approx:1,1e-3@blue=", delta="1e-6", quote="epsilon"))) == 2


@pytest.mark.parametrize("alpha", ["0", "1e-300", "1e-10", "0.5", "1"])
@pytest.mark.parametrize("view", ["errors", "power", "log"])
def test_every_alpha_has_an_answer_in_every_view(alpha, view):
    app = opened(PAGE, curves=ONE_OF_EACH, alpha=alpha, view=view)
    assert "catches at most" in text_of(app)
    assert "nan" not in table_of(app).lower().replace("finance", "")


def test_an_attack_is_held_against_the_chosen_curve_and_says_what_it_does_not_prove():
    weak = text_of(opened(PAGE, attack="25_1000_760_1000"))
    assert "With 95 % confidence, this attack proves ε ≥ " in weak
    assert "The claim μ = 1 is not contradicted." in weak
    assert "It does not prove privacy" in weak
    strong = opened(PAGE, attack="3_1000_300_1000")
    assert "✗ The claim μ = 1 is contradicted" in text_of(strong)
    names = [trace.get("name") for trace in charts(strong)[2]["data"]]
    assert "✗ contradicts the chosen claim" in names


def test_counts_of_an_attack_are_typed_and_a_bad_line_gets_its_sentence_and_is_kept():
    app = opened(PAGE)
    app.session_state.attack_box = True
    app.run()
    field(app, "attack_counts").input("5, 100, 60, 100\n5; 4; 1; 9").run()
    assert "The counts can't be read: line 2: false_alarms is 5, above non_members, 4" in text_of(app)
    assert field(app, "attack_counts").value == "5, 100, 60, 100\n5; 4; 1; 9"
    field(app, "attack_counts").input("5, 100, 60, 100\n20; 100; 30; 100").run()
    assert app.session_state.used["attack"] == "5_100_60_100~20_100_30_100"
    assert "2 measured points" in text_of(app)


def test_two_numbers_that_only_work_together_are_taken_together():
    app = opened(PAGE, curves="sigma:1,1@blue=")
    field(app, "curve_sensitivity").input("1e9").run()
    assert "sigma must be" in text_of(app)
    assert app.session_state.used["curves"] == "!sigma:1,1@blue="
    field(app, "curve_sigma").input("1e9").run()
    assert app.session_state.used["curves"] == "!sigma:1e9,1e9@blue="
    assert "sigma must be" not in text_of(app)


def test_a_refused_number_of_one_kind_does_not_stand_in_the_field_of_another():
    app = opened(PAGE, curves="geometric:1,5@blue=")
    field(app, "curve_sensitivity").input("1.5").run()
    assert "Δ (sensitivity) must be a whole number" in text_of(app)
    field(app, "curve_kind").select("sigma").run()
    assert field(app, "curve_sensitivity").value == "1"
    assert "whole number" not in text_of(app)
    field(app, "curve_kind").select("geometric").run()
    assert field(app, "curve_sensitivity").value == "1.5"


def test_the_numbers_of_a_kind_come_back_with_the_kind():
    app = opened(PAGE, curves="laplace:0.37@blue=")
    field(app, "curve_kind").select("gdp").run()
    assert app.session_state.used["curves"] == "!gdp:1@blue="
    field(app, "curve_kind").select("laplace").run()
    assert app.session_state.used["curves"] == "!laplace:0.37@blue="


def test_releases_compose_the_curve():
    app = opened(PAGE, curves="gdp:0.5*4@blue=")
    assert "catches at most 25.96 % of the true cases (μ = 0.5, 4 ×)" in text_of(app)


def test_points_count_in_both_orders_of_the_data_sets():
    one = opened(PAGE, curves="points:0.05_0.8~0.3_0.3@blue=")
    other = opened(PAGE, curves="points:0.8_0.05~0.3_0.3@blue=")
    assert row_of(one, "Points") == row_of(other, "Points")


def test_a_curve_of_a_link_that_cannot_be_made_is_left_out_and_never_shown_with_other_numbers():
    app = opened(PAGE, curves="gdp:1@blue=;sgm:0.2,0.9,200000@teal=Ours;gg:1,1e-3,1*2000@rose=Theirs;gdp:x@grey=Mine")
    assert app.session_state.used["curves"] == "!gdp:1@blue="
    words = text_of(app)
    for sentence in (
        "Curve 2: steps must be from 1 to",
        "Curve 3: releases must be from 1 to",
        "Curve 4: μ (mu) must be",
    ):
        assert sentence in words
    assert "Ours" not in words.replace("Curve", "")


def test_a_composed_pure_promise_stays_pure():
    words = text_of(opened(PAGE, curves="laplace:0.1*100@blue=", alpha="1e-6", delta="1e-300"))
    assert "the promise is pure, ε = 10." in words
    assert "keeps ε = 10 at δ = 1e-300" in words
    assert "The smallest μ is" in words


def test_at_an_alpha_at_which_no_test_is_positive_nothing_is_claimed_of_one():
    words = text_of(opened(PAGE, alpha="0"))
    assert "catches at most 0 % of the true cases" in words
    assert "No test is ever positive at this α" in words
    assert "sure after a positive test" not in words


def test_an_epsilon_beyond_the_range_is_not_blamed_on_an_attack_without_false_alarms():
    words = text_of(opened(PAGE, curves="gg:50,2,1@blue="))
    assert "No ε goes with δ = 1e-6 for GG p = 50, b = 2**: it would be above 1e6." in words


def test_guessing_is_shown_without_the_last_bits_of_the_computation():
    words = text_of(opened(PAGE, curves="gdp:0@blue="))
    assert "catches at most 5 % of the true cases" in words
    assert "is at most 10 % sure after a positive test" in words


def test_what_a_point_implies_is_shown_rounded_down():
    app = opened(PAGE, curves="gdp:1@blue=")
    hints = [hint for trace in charts(app)[0]["data"] for hint in trace.get("text", [])]
    assert any(hint.endswith(("μ ≥ 1", "μ ≥ 0.9999")) for hint in hints)
    assert not any("1.001" in hint.split("μ ≥")[-1] for hint in hints)


def test_the_names_of_curves_that_differ_in_sensitivity_differ():
    app = opened(PAGE, curves="sigma:1,1@blue=;sigma:1,2@green=;gg:3,2,5@rose=")
    names = re.findall(r"<tr><th scope='row'>(.*?)</th>", table_of(app))
    assert names == ["Gaussian σ = 1", "Gaussian σ = 1, Δ = 2", "GG p = 3, b = 2, Δ = 5"]


def test_counts_may_be_apart_by_spaces_and_under_a_header():
    app = opened(PAGE)
    app.session_state.attack_box = True
    app.run()
    field(app, "attack_counts").input("false_alarms, non_members, misses, members\n5 100 60 100").run()
    assert app.session_state.used["attack"] == "5_100_60_100"
    field(app, "attack_counts").input("5 100 60").run()
    assert "The counts can't be read: line 1: four numbers are needed, and 3 were given" in text_of(app)


@pytest.mark.parametrize(
    ("link", "words"),
    [
        ({"curves": "gdp:abc@blue="}, ("Curve 1", "μ (mu) must be from 0 to 1e6", "abc was given", "left out")),
        ({"curves": "approx:1@blue="}, ("Curve 1 (approx) needs 2 numbers; 1 were given", "left out")),
        ({"curves": "points:0.1_0.6@blue="}, ("Curve 1", "at least 2 points", "left out")),
        ({"curves": "points:0.1-0.6@blue="}, ("Curve 1", "alpha_beta~alpha_beta; 0.1-0.6 was given", "left out")),
        ({"curves": "points:0.5_0.9~0.6_0.2@blue="}, ("Curve 1", "beta of", "got 0.9", "left out")),
        ({"curves": "points:0.1_nan~0.6_0.2@blue="}, ("Curve 1", "must be from 0 to 1, got nan", "left out")),
        ({"curves": "points:file3@blue="}, ("Curve 1", "too large for a link", "left out")),
        ({"curves": "laplace:1*0@blue="}, ("Curve 1", "releases (releases) must be a whole number from 1", "0 was")),
        ({"curves": "sgm:0.2,0.9,1000000@blue="}, ("Curve 1", "steps must be from 1 to", "left out")),
        ({"curves": "nonsense:1"}, ("Curve 1 must be one of gdp", "nonsense:1 was given", "left out")),
        ({"curves": "gdp:1@pink="}, ("Curve 1", "colour", "pink was given", "blue is used instead")),
        ({"curves": ";".join(["gdp:1"] * 9)}, ("9 curves", "first 8")),
        ({"curves": ""}, ("curves (curves) must be entries", "nothing was given")),
        ({"alpha": "1.5"}, ("α (alpha) must be from 0 to 1; 1.5 was given. 0.05 is used instead.",)),
        ({"alpha": "nan"}, ("α (alpha) must be from 0 to 1; nan was given. 0.05 is used instead.",)),
        ({"prior": "0"}, ("prior (prior) must be above 0 and below 1; 0 was given. 0.1 is used instead.",)),
        ({"view": "3d"}, ("view (view) must be one of errors, power, log; 3d was given.",)),
        ({"quote": "mu"}, ("quoted (quote) must be one of delta, epsilon; mu was given.",)),
        ({"confidence": "1"}, ("confidence (confidence) must be from 0.5 to below 1; 1 was given.",)),
        ({"seed": "1.5"}, ("seed (seed) must be a whole number from 0 to 1e9; 1.5 was given.",)),
        ({"attack": "5_1_2_3"}, ("attack (attack) must be none, or at most 20 points", "5_1_2_3 was given")),
    ],
    ids=lambda value: str(value)[:40],
)
def test_what_a_link_holds_and_cannot_be_used_is_named_in_one_sentence_and_the_page_works(link, words):
    app = opened(PAGE, **link)
    (sentence,) = app.session_state.link_problems
    assert [word for word in words if word not in sentence] == []
    assert len(sentence) < 250
    assert sentence in text_of(app)
    assert "catches at most" in text_of(app)
    if "left out" in sentence or "nothing was given" in sentence:
        assert sentence.endswith("The default curves are used instead.")


def test_a_list_of_curves_survives_being_written_and_read():
    items = curves.Curves().read(ONE_OF_EACH)
    assert curves.written(items) == ONE_OF_EACH
    with pytest.raises(MendedError) as mended:
        curves.Curves().read("gdp:1@blue=;nonsense:1")
    assert mended.value.entry == "!gdp:1@blue="
    assert curves.Curves().read(mended.value.entry)[0].kind == "gdp"
