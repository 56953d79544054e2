import math

import pytest
from scipy.stats import norm

from dpcore import gaussian
from dpcore.comparison import BOUNDS, classical_limit
from pages.framework.parameters.number_format import format_up
from pages.gaussian_bounds import text
from tests.pages.conftest import exhibits_by_name, figure_of, found_by, html_of
from tests.pages.gaussian_bounds.figure_checks import CHARTS


def result_at(**link):
    return found_by("gaussian_bounds", **link)


def answer(**link):
    result = result_at(**link)
    return " ".join(text.answer_text(result))


def test_the_answer_gives_sigma_accuracy_and_the_cost_of_the_classical_formula():
    assert answer() == (
        "At ε = 1, δ = 1e-6, sensitivity 1, the analytic Gaussian requires σ = 4.225. No smaller σ is "
        "enough: 95 % of releases fall within ±8.281 of the truth; the classical σ = 5.299 is 1.254 times as large, "
        "unproved at this ε."
    )


def test_the_answer_scales_with_the_sensitivity_and_follows_the_significance_level():
    sentence = answer(l2_sensitivity="10", significance="0.5")
    assert "σ = 42.25." in sentence
    assert "within ±28.5 of" in sentence


def test_a_share_of_nearly_all_releases_is_not_displayed_as_all():
    assert "all but 1e-298 % of releases fall within" in answer(significance="1e-300")


def test_at_epsilon_0_the_answer_says_that_only_the_analytic_bound_has_one():
    assert "the classical formula has no answer at so small an ε" in answer(epsilon="0", delta="0.001")


def test_the_statement_of_a_preset_on_the_classical_formula_is_true():
    assert "its σ = 0.4845 gives δ = 2.266e-5, not 1e-5" in answer(epsilon="10", delta="1e-5")


@pytest.mark.parametrize(
    ("epsilon", "second"),
    [
        ("0.5", "The δ of the classical σ is below the target δ = 1e-6: it adds more noise than required."),
        (
            "1",
            "The δ of the classical σ is below the target δ = 1e-6: it adds more noise than required, unproved",
        ),
        ("10", "The classical σ violates the guarantee: its δ is above the target δ = 1e-6; use the analytic σ."),
    ],
)
def test_the_true_deltas_of_the_analytic_and_the_classical_sigma_are_the_answer(epsilon, second):
    sigmas = [float(rule(float(epsilon), 1e-6)) for rule in (gaussian.analytic_sigma, gaussian.classical_sigma)]
    deltas = [format_up(float(gaussian.delta_from_sigma(float(epsilon), sigma))) for sigma in sigmas]
    result = result_at(epsilon=epsilon)
    first, meaning, pinned = text.true_delta_answer(result_at(epsilon=epsilon, pinned="epsilon=2"))
    assert first == (
        f"At ε = {epsilon}, the true δ is {deltas[0]} with the analytic σ = {format_up(sigmas[0])}, {deltas[1]} with"
        f" the classical σ = {format_up(sigmas[1])}."
    )
    assert meaning.startswith(second)
    assert pinned == text.answer_text(result_at(epsilon=epsilon, pinned="epsilon=2"))[2]
    alternative = exhibits_by_name(result, "gaussian_bounds")["profile"].alternative
    mark = ", above the target" if epsilon == "10" else ""
    assert f"{deltas[0]} for Analytic Gaussian; {deltas[1]} for Classical Gaussian{mark};" in alternative


def test_the_true_delta_at_epsilon_0_is_that_of_the_analytic_sigma_alone():
    first, second = text.true_delta_answer(result_at(epsilon="0"))
    assert first == "At ε = 0, the true δ is 1e-6 with the analytic σ = 399,000; no other bound has a σ."
    assert second == "With less noise it would exceed the target δ = 1e-6."


@pytest.mark.parametrize(
    ("entry", "displayed"),
    [
        ("0.9999999999999999", "0.9999999999999999"),
        ("0.30000000000000004", "0.3"),
        ("1/3", "0.3333334"),
        ("1.5e-300", "1.5e-300"),
    ],
)
def test_a_delta_of_many_digits_is_shown_as_no_smaller_one(entry, displayed):
    assert f"δ = {displayed}, sensitivity 1" in answer(delta=entry)


def test_a_sensitivity_of_many_digits_is_shown_as_no_larger_one():
    assert "sensitivity 1.73205," in answer(l2_sensitivity="√3")


def test_every_number_of_the_explanation_is_computed_from_the_setting():
    result = result_at(epsilon="0.5", delta="2e-5", l2_sensitivity="3")
    sentence = text.explanation_text(result)
    assert r"\frac{3\cdot\sqrt{2\ln(1.25/2\cdot10^{-5})}}{0.5}=28.2" in sentence
    for bound in BOUNDS:
        assert bound.theorem in sentence


def test_the_share_of_an_accuracy_near_1_is_that_of_the_decimal_that_was_given():
    assert "0.01 % of releases" in answer(significance="0.9999")


def test_the_true_delta_has_the_same_digits_in_the_table_and_its_verdict():
    html = html_of(exhibits_by_name(result_at(epsilon="10"), "gaussian_bounds")["bounds"])
    assert "<td>1.903e-6</td>" in html
    assert "✗ FAILS: true δ 1.903e-6 for a target of 1e-6" in html


def test_the_classical_formula_is_reported_to_fail_only_where_it_does():
    result = result_at()
    limit = classical_limit(1e-6)
    assert 8.782 < limit < 8.783
    assert "satisfies its guarantee up to ε = 8.782 and violates it from ε = 8.783 on" in text.explanation_text(result)
    subtitle = figure_of(exhibits_by_name(result, "gaussian_bounds")["ratio"])["layout"]["title"]["subtitle"]["text"]
    assert "The classical σ is enough up to ε = 8.782." in subtitle


def test_no_picture_shows_a_given_epsilon_or_delta_smaller_than_it_is():
    pictures = exhibits_by_name(result_at(epsilon="1/3", delta="2/3", l2_sensitivity="2/3"), "gaussian_bounds")
    for name in CHARTS:
        layout = figure_of(pictures[name])["layout"]
        displayed = layout["title"]["text"] + " ".join(note["text"] for note in layout["annotations"])
        assert "0.3333 " not in displayed.replace("<", " ").replace(",", " ") + " "
        assert "0.6667" not in displayed
        assert "0.3333334" in displayed or "0.6666667" in displayed


def test_the_lower_bound_is_a_necessary_condition_that_guarantees_nothing():
    result = result_at()
    lower = next(part for part in text.explanation_text(result).split("\n\n") if part.startswith("**Lower bound**"))
    assert "a necessary condition of (ε, δ)-DP, not a sufficient one" in lower
    assert "guaranteeing" not in lower
    sigma = float(gaussian.lower_bound_sigma(1, 1e-6))
    assert float(gaussian.delta_from_sigma(1, sigma)) > 1e-6
    limit = 0.5 - math.e * float(norm.cdf(-math.sqrt(2)))  # the largest δ for which it holds
    assert float(gaussian.delta_from_sigma(1, sigma)) == pytest.approx(limit, rel=1e-9)


def test_the_floor_requires_nothing():
    result = result_at()
    assert "Lower bound is at 0.1674 times the analytic noise" in text.alternative_text(result)


def test_the_value_of_a_setting_near_the_right_end_of_a_picture_is_not_cut():
    layout = figure_of(exhibits_by_name(result_at(delta="1/3"), "gaussian_bounds")["sigma_delta"])["layout"]
    assert [note["xanchor"] for note in layout["annotations"]] == ["right"]
    layout = figure_of(exhibits_by_name(result_at(), "gaussian_bounds")["sigma_delta"])["layout"]
    assert [note["xanchor"] for note in layout["annotations"]] == ["center"]


def test_no_formula_is_said_to_satisfy_a_guarantee_that_it_violates():
    for epsilon, words in (
        ("0.5", "satisfies (ε, δ)-DP"),
        ("3", "satisfies (ε, δ)-DP at this ε, without a proof"),
        ("10", "violates (ε, δ)-DP at this ε"),
    ):
        explanation = text.explanation_text(found_by("gaussian_bounds", epsilon=epsilon, delta="1e-5"))
        assert f"**Classical Gaussian**, {words}." in explanation
        assert "**Analytic Gaussian**, satisfies (ε, δ)-DP." in explanation
