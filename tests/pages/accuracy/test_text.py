import doctest
import math
import re

import numpy as np
import pytest

from dpcore import accuracy as core
from dpcore import staircase, truncated_geometric, verify
from dpcore.accuracy import RULES
from dpcore.calibrations import ANALYTIC
from pages.accuracy import text as accuracy_text
from pages.accuracy.page import PAGE as PAGE_RECORD
from pages.framework.parameters.number_format import format_nearest
from pages.shared import formulas
from pages.shared.formulas import beyond, within
from tests.pages.accuracy.answers import PAGE, answer, readings, recommended, records, result_at, row_of
from tests.pages.conftest import exhibits_by_name, html_of


def test_the_examples_of_the_docstrings_hold():
    failed, tried = doctest.testmod(accuracy_text)
    assert (failed, tried) == (0, 2)


def test_the_answer_comes_first_with_both_shares_of_releases_and_both_guarantees():
    assert answer() == (
        "At ε = 1, at least 95 of 100 releases fall within ±3 people of the truth with geometric noise, if each "
        "person counts once. "
        "If the conditions hold, this satisfies pure ε-DP; "
        "analytic Gaussian noise has ±8.281 people under (ε, δ)-DP with δ = 1e-6."
    )


def test_the_answer_for_a_target_error_is_the_epsilon_that_meets_it():
    assert answer(known="accuracy", accuracy="3") == (
        "An error within ±3 people in 95 of 100 releases requires ε = 0.8319 with geometric noise, if each "
        "person counts once. "
        "If the conditions hold, this satisfies pure ε-DP; "
        "analytic Gaussian noise requires ε = 3.029 under (ε, δ)-DP with δ = 1e-6."
    )
    assert core.geometric_accuracy(0.8319, 0.05) <= 3 < core.geometric_accuracy(0.8318, 0.05)
    assert core.half_width(ANALYTIC, 3.029, 0.05, 1, 1e-6) <= 3 < core.half_width(ANALYTIC, 3.028, 0.05, 1, 1e-6)


def test_the_answer_names_the_pure_noise_that_can_be_added_safely():
    assert "±0 people of the truth with geometric noise" in answer(epsilon="5")
    assert "±0.005992 of the mean cut at the bounds with Laplace noise" in answer(query="mean", epsilon="5", high="10")


def test_an_error_that_only_an_epsilon_above_a_million_reaches_is_answered_in_words():
    sentences = answer(known="accuracy", accuracy="1e-9", query="own", l1_sensitivity="√3", l2_sensitivity="1/3")
    assert "ε above 1e6 with Laplace" in sentences
    assert "Gaussian noise requires ε above 1e6 under" in sentences


def test_entered_numbers_are_displayed_exactly_or_in_seven_safe_digits():
    sentences = answer(epsilon="√3", delta="1/3")
    assert "At ε = 1.732051," in sentences
    assert "δ = 0.3333334." in sentences
    assert "±1.732051 people" in answer(known="accuracy", accuracy="√3")


@pytest.mark.parametrize(
    ("significance", "sentences"),
    [
        ("1e-6", "all but at most 1 of 1,000,000 releases fall within"),
        ("1e-300", "all but at most 1 of 1e300 releases fall within"),
        ("0.999", "at least 1 of 1,000 releases falls within"),
        ("0.33333333", "at least 66.66 % of releases fall within"),
    ],
)
def test_the_words_for_the_share_of_releases_are_right_at_any_significance(significance, sentences):
    assert sentences in answer(significance=significance)


def test_a_share_in_words_never_flatters():
    for significance in (*np.random.default_rng(1).uniform(0, 1, 300), 1e-5, 0.12345, 1.23456e-7, 1 - 2**-53):
        inside, outside_text = within(float(significance)), beyond(float(significance))
        if "%" in inside and inside.startswith("at least"):
            assert float(inside.split()[2]) / 100 <= 1 - significance + 1e-16
        if "%" in outside_text:
            assert float(outside_text.split()[2]) / 100 >= significance * (1 - 1e-13)


def test_the_table_gives_every_mechanism_at_epsilon_rounded_up():
    cells = {rule.key: row_of(rule.name) for rule in RULES if rule.key != "classical_tight"}  # it shares a row
    assert cells["laplace"] == ["ε-DP", "2.996", "✓ proved"]
    assert cells["geometric"][1] == cells["geometric_published"][1] == "3"
    assert cells["analytic"][:2] == ["(ε, δ)-DP", "8.281"]
    assert cells["pdp"] == ["(ε, δ)-pDP", "9.784", "✓ proved, for probabilistic DP, which implies DP"]
    assert cells["classical"][1] == "10.39"


def test_with_the_error_known_the_table_gives_the_epsilon_too_and_judges_it():
    link = {"known": "accuracy", "accuracy": "3"}
    assert row_of("Laplace", **link) == ["ε-DP", "0.9986", "✓ proved"]
    assert row_of("Classical Gaussian", **link)[1] == "3.462"
    assert "outside its theorem" in row_of("Classical Gaussian", **link)[-1]
    assert row_of("Classical Gaussian", known="accuracy", accuracy="50")[-1] == "✓ proved"


@pytest.mark.parametrize(
    ("link", "verdict"),
    [
        ({"epsilon": "0.5"}, "✓ proved"),
        ({"epsilon": "1"}, "! outside its theorem; true δ here 3.2e-9, within target"),
        ({"epsilon": "10", "delta": "1e-5"}, "✗ FAILS: true δ 2.266e-5 for a target of 1e-5"),
        ({"epsilon": "0"}, "not defined at ε = 0"),
        ({"known": "accuracy", "accuracy": "1e-9"}, "requires ε above 1e6, which protects nobody"),
        ({"known": "accuracy", "accuracy": "0.9", "delta": "1e-5"}, "✗ FAILS: true δ 2.977e-5 for a target of 1e-5"),
    ],
)
def test_the_classical_formula_gets_a_verdict_in_words(link, verdict):
    assert row_of("Classical Gaussian", **link)[-1] == verdict


def test_the_published_geometric_inverse_is_reported_where_it_falls_short():
    link = {"known": "accuracy", "accuracy": "2.999", "significance": "0.5"}
    assert row_of("Geometric, as published", **link)[-1] == "! falls short: at this ε its ± is 3, not 2.999"
    assert row_of("Geometric, exact", **link)[-1] == "✓ proved"


def test_the_three_geometric_readings_are_given_with_why_they_differ():
    sentences = readings(significance="0.01")
    assert "4.606 before the ceiling, which is Laplace’s value, 5 as published, 4 exactly" in sentences
    assert "3.02 is published as 4" in sentences
    assert "§0.1" in sentences
    assert "ε = 1.536 as published" in readings(significance="0.01", known="accuracy", accuracy="3")
    assert "is not available at ε = 0." in readings(epsilon="0")


def test_truncated_laplace_noise_has_its_hard_limit_in_the_table():
    verdict = row_of("Truncated Laplace")[-1]
    assert verdict == f"✓ proved; the error never exceeds ±13.67; {formulas.NO_SAMPLER}"
    assert row_of("Truncated Laplace", query="own", l1_sensitivity="2")[-1].startswith("for one number only")
    mean = recommended(query="mean", promise="delta", delta="0.05")
    assert f"Truncated Laplace noise would have ±0.2281, but has {formulas.NO_SAMPLER}." in mean


def test_the_meaning_of_delta_for_truncated_geometric_noise_is_stated_and_verified():
    link = {"promise": "delta", "delta": "0.05"}
    advice = recommended(**link)
    assert "Add truncated geometric noise with N = 3 and s = 1, Pr(k) ∝ e^(−|k|/s) for |k| ≤ N" in advice
    assert "The error never exceeds ±3 people." in advice
    assert "with probability at most 0.05 a release proves that the person is in the data, or is not." in advice
    target = {"known": "accuracy", "accuracy": "3", "delta": "0.01"}
    sentences = recommended(**link | target)
    bound, scale = (float(number) for number in re.findall(r"with N = (\d+) and s = ([\d.]+),", sentences)[0])
    assert "for ε = 0.7703." in sentences
    assert truncated_geometric.tail(3, bound, scale) <= 0.05
    assert truncated_geometric.delta_from_bound(0.7703, bound, scale) <= 0.01
    for query in ({}, {"query": "histogram", "neighbours": "replace", "epsilon": "0.05"}, target):
        claims = list(PAGE_RECORD.section_by_key["accuracy"].claims(result_at(**link | query)))
        enclosed_by = verify.truncated_geometric_delta, verify.truncated_geometric_tail
        truncated = [(claim, claim.function) for claim in claims if claim.function and claim.function in enclosed_by]
        assert len(truncated) == 3
        for claim, enclose in truncated:
            assert verify.proved(enclose(**claim.arguments), claim.upper_bound)


@pytest.mark.parametrize("epsilon", ["0", "9e-13", "1e-300"])
def test_at_epsilon_0_only_noise_with_a_delta_answers(epsilon):
    link = {"epsilon": epsilon, "delta": "0.001"}
    assert "at least 95 of 100 releases fall within ±782 people" in answer(**link)
    verdicts = [row_of(rule.name, **link)[-1] for rule in RULES]
    assert verdicts.count(f"not defined at ε = {epsilon}") == len(RULES) - 2
    assert row_of("Truncated Laplace", **link)[1] == "475"  # 0.95 of the 500 of uniform noise


def test_the_page_says_when_the_noise_is_too_large_to_compute():
    assert "the noise that the guarantee requires is too large to compute" in answer(
        epsilon="0", delta="1e-300", query="sum", high="1e15"
    )
    link = {"known": "accuracy", "accuracy": "1e-100", "query": "own"}
    link |= {"l1_sensitivity": "1e100", "l2_sensitivity": "1e100"}
    assert "analytic Gaussian noise is not available here" in answer(**link)
    assert row_of("pDP Gaussian", **link)[-1] == "not available: too large to compute"


def test_a_proportion_has_no_unit_but_is_a_share_of_1():
    assert "±0.002996 of the truth" in answer(query="proportion")
    assert "share of 1" in html_of(exhibits_by_name(result_at(query="proportion"), PAGE)["mechanisms"])


def test_the_explanation_has_formulas_with_the_users_numbers_and_their_sources():
    sentences = PAGE_RECORD.explanation_text(
        result_at(epsilon="0.5", delta="2e-5", query="sum", neighbours="replace", high="40")
    )
    assert r"\frac{40}{0.5}\ln\frac1{0.05}=239.7" in sentences
    for rule in RULES:
        assert rule.theorem in sentences
    assert "Neighbours: replace one person" in sentences
    sentences = PAGE_RECORD.explanation_text(result_at(query="own", epsilon="0", l1_sensitivity="3"))
    assert "Here: needs whole-numbered answers" in sentences
    assert "Here: not available at this ε" in sentences


def test_integer_noise_that_misses_less_often_than_the_level_says_at_most():
    assert core.geometric_accuracy(10, 2e-4) == 0  # so far fewer than 5 of 100 releases miss
    assert "within ±0 people" in answer(epsilon="10")
    assert "at least 95 of 100 releases fall" in answer(epsilon="10")
    assert "at least 66.66 % of releases fall" in answer(significance="0.33333333")
    rare = answer(epsilon="10", significance="1e-5", query="histogram")
    assert "within ±1 person" in rare
    assert "all but at most 1 of 100,000 releases fall" in rare


def test_an_epsilon_above_a_million_reads_well_in_each_reading_of_geometric_noise():
    sentences = readings(known="accuracy", accuracy="1e-100")
    assert "**Geometric noise for ±1e-100**: ε above 1e6 as published, ε = 3.664 exactly." in sentences


def test_the_formula_of_staircase_noise_has_the_gamma_that_it_is_added_with():
    result = result_at(query="mean", epsilon="5", high="10")
    for key, gamma in (
        ("staircase", staircase.variance_gamma(5.0)),
        ("staircase_mean", staircase.mean_error_gamma(5.0)),
    ):
        (rule,) = (row for row in RULES if row.key == key)
        formula = formulas.half_width(rule, result.setting, "0.01", result.rows[key].half_width)
        assert rf"\gamma={format_nearest(float(gamma), 6)}" in formula
    assert float(staircase.mean_error_gamma(5.0)) == pytest.approx(1 / (1 + math.exp(2.5)), rel=1e-12)


def test_every_answer_with_a_pin_says_what_has_changed():
    pin = "epsilon=2&query=mean&accuracy=0.5"
    stated = answer(query="mean", epsilon="1", pinned=pin)
    assert (
        "Compared with the pin (mean, ε = 2, δ = 1e-6, 95 % of releases): "
        "ε = 2 → ε = 1, ±0.1498 → ±0.2996, "
        "Laplace noise."
    ) in stated
    changes = "n 300 → 300 with Laplace noise, n 875 → 829 with the analytic Gaussian."
    assert records(query="mean", accuracy="1", pinned=pin).endswith(changes)
    changes = "ε = 2 → ε = 0.8319, ±1 person → ±3 people, geometric noise."
    assert answer(known="accuracy", pinned="epsilon=2").endswith(changes)
