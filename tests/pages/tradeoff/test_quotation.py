"""One (ε, δ) and one μ instead of a trade-off curve: the answer, and what each of them concedes."""

import re
from functools import lru_cache

import pytest

from dpcore import tradeoff
from pages.framework.parameters.number_format import percent_up
from pages.tradeoff import answer_text as tradeoff_answer_text
from pages.tradeoff.answer_text import answer_text, quotation_answer_text
from tests.pages.conftest import found_by

THREE = "!gdp:1@blue=;approx:1,1e-6@green=;laplace:1@orange="


@lru_cache(32)
def result_at(**link):
    return found_by("tradeoff", **{"curves": THREE} | link)


def quotation(**link):
    return "\n".join(tradeoff_answer_text.quotation_sentences(result_at(**link)))


def test_the_answer_is_the_pair_and_the_mu_with_what_each_allows_at_the_false_positive_rate():
    powers = (
        tradeoff.gaussian_power(0.05, 1),
        tradeoff.gaussian_power(0.05, 1),
        tradeoff.epsilon_delta_power(0.05, 4.886, 1e-6),
    )
    curve, mu, pair = (percent_up(float(power)) for power in powers)
    assert quotation_answer_text(result_at(alpha="0.05")) == (
        "μ = 1 satisfies ε = 4.887 at δ = 1e-6; its smallest μ is 1.",
        f"At a false positive rate of 5 % the curve allows {curve} true positives, this μ alone {mu}, "
        f"this (ε, δ) alone {pair}.",
    )


@pytest.mark.parametrize(
    ("curve", "first", "second"),
    [
        ("claim:0.05_0.8~0.5_0.2", "If the claim holds, Points satisfies ε = 1.387 at", "this (ε, δ) alone 20 %."),
        (
            "points:0.05_0.8~0.5_0.2",
            "Points imply at least ε = 1.386 at δ = 1e-6, and μ ≥ 0.8416.",
            "never as a guarantee",
        ),
        ("gg:3,1,1", "no finite μ is proved for it.", "true positives, this (ε, δ) alone "),
        (
            "approx:1,1e-3",
            r"(1, 0.001)-DP has no ε at δ = 1e-6.",
            "Choose a larger δ, or report the curve at ε instead.",
        ),
    ],
)
def test_the_answer_says_which_of_the_numbers_do_not_hold(curve, first, second):
    answer = quotation_answer_text(result_at(curves=f"!{curve}@blue="))
    assert first in answer[0]
    assert second in answer[1]


def test_the_answer_compares_with_the_pin_and_yields_to_a_contradiction():
    assert quotation_answer_text(result_at(pinned="alpha=0.1"))[2].startswith("Compared with the pin")
    contradicted = result_at(attack="3_1000_300_1000")
    assert quotation_answer_text(contradicted) == answer_text(contradicted)


def test_of_the_two_numbers_the_one_that_concedes_less_is_recommended():
    def advised(**link):
        return tradeoff_answer_text.advice_text(result_at(**link))

    assert "report μ: it is closer to this curve" in advised()
    assert "report (ε, δ): it is closer to this curve" in advised(curves="laplace:1")
    assert "(ε, δ): it describes this curve completely" in advised(curves="approx:1,1e-6")
    assert "never as a guarantee" in advised(curves="points:0.05_0.8~0.5_0.2")
    assert "at a larger δ" in advised(curves="approx:1,1e-3")


def test_the_loss_of_a_quotation_is_stated_in_percentage_points():
    sentence = quotation()
    assert "**μ = 1 satisfies ε = 4.887 at δ = 1e-6.**" in sentence
    assert "up to 91.66 percentage points higher than the curve allows" in sentence


def test_the_target_of_a_quotation_is_displayed_as_entered():
    assert "at δ = 0.3333334.**" in quotation(delta="1/3")
    assert "satisfies ε = 1.732051 at δ = " in quotation(quote="epsilon", epsilon="√3")


def test_a_curve_without_a_finite_mu_says_why_and_gives_one_for_larger_errors():
    sentence = quotation(curves="approx:1,1e-6@blue=")
    assert "No finite μ exists: f(0) is 1 − 1e-6, below 1" in sentence
    assert "For attacks with both errors at least 1e-9, μ = 1.245 is enough" in sentence


def test_no_epsilon_goes_with_a_delta_below_that_of_the_guarantee():
    sentence = quotation(curves="approx:1,1e-3@blue=", delta="1e-6")
    assert "(1, 0.001)-DP has no ε at δ = 1e-6" in sentence
    assert "an attack without false positives can succeed with probability 0.001" in sentence


def test_an_epsilon_beyond_the_range_is_not_blamed_on_an_attack_without_false_positives():
    sentence = quotation(curves="gg:50,2,1@blue=")
    assert "ε would be above 1e6." in sentence
    assert "false positives" not in sentence


def test_the_error_of_a_numerical_composition_is_not_called_an_attack():
    sentence = quotation(curves="sgm:1,0.01,1000", delta="1e-300")
    assert "would be above" not in sentence
    assert re.search(r"its numerical composition has an error of up to [1-9]\.\d+e-1[4-9]\.", sentence)
    assert "attack without" not in sentence
    reached = quotation(curves="points:0_0.9~0.5_0.2")
    assert "an attack without false positives succeeds with probability 0.1." in reached
