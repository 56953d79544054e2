from functools import lru_cache

import numpy as np
import pytest

from dpcore.generalized_gaussian import adp_scale
from dpcore.generalized_gaussian.bounded import exact_boundary_inflated_scale, exact_truncated_scale, truncated_scale
from dpcore.generalized_gaussian.bounded_comparison import BIT, CLIPPED, TRUNCATED
from pages.framework.parameters.number_format import format_nearest, format_up
from pages.generalized_gaussian import grids
from pages.generalized_gaussian.bounded import section, text
from pages.generalized_gaussian.page import PAGE as RECORD
from pages.generalized_gaussian.parameters import VALUE
from pages.shared.bounded_noise import BOUNDED_LOOKS, HIGH, LOW, no_answer_text, sensitivity_text
from pages.shared.looks import COLOURS
from tests.pages.conftest import found_by, read_link

PAGE = "generalized_gaussian"


@lru_cache(32)
def result_of(**link):
    return found_by(PAGE, **link)


def problems(**link):
    readings, wrong = read_link(PAGE, **link)
    return " ".join([*wrong, *(reading.problem for reading in readings.values())])


def said_of(**link):
    return text.scales_text(result_of(**link).bounded)


def test_the_section_answers_with_the_exact_scales_and_which_errs_least():
    sentence, meaning = text.answer_text(result_of(p="3"))
    assert sentence == (
        "At p = 3 between 0 and 10, pure ε = 1 requires b = 6.154 (truncated noise) or 6.877 (clipped, BIT)."
    )
    bounded = result_of(p="3").bounded
    errors = (format_nearest(bounded.errors(key).max()) for key in (BIT.key, TRUNCATED.key))
    assert meaning.endswith(f"use **BIT ({next(errors)} against {next(errors)})**.")


def test_the_published_scale_and_clipped_noise_are_compared_with_what_is_needed():
    sentences = said_of(p="3")
    assert "The published truncated b = 8.716 (Liu’s Eq. 7–8) means 100 % more variance before truncation" in sentences
    assert "43 % more squared error at s = 2 than needed, and actually satisfies ε = 0.3161." in sentences
    assert (
        "b = 12.49: more than BIT’s, for a weaker guarantee; between bounds wider than 25.03 it would be less."
        in sentences
    )


def test_clipped_noise_of_the_same_scale_as_bit_is_not_called_smaller():
    assert "as much as BIT’s, for a weaker guarantee" in said_of(p="1", delta="1e-300")
    assert "less than BIT’s, for a weaker guarantee" in said_of(p="1", delta="0.5")


@pytest.mark.parametrize(("p", "epsilon", "low", "high"), [("1", "0.5", "0", "10"), ("2", "2", "-3", "4.5")])
def test_the_table_has_every_mechanism_with_its_guarantee(p, epsilon, low, high):
    table = section.table_html(result_of(p=p, epsilon=epsilon, bound_low=low, bound_high=high).bounded)
    width = float(high) - float(low)
    for scale in (
        truncated_scale(float(epsilon), float(p), 1.0, width),
        exact_truncated_scale(float(epsilon), float(p), width),
        exact_boundary_inflated_scale(float(epsilon), float(p), width),
    ):
        assert f"<td>{format_up(float(scale))}</td>" in table
    assert table.count("<td>pure ε-DP</td>") == 5
    assert table.count("(ε, δ)-DP, δ = 1e-6") == 1


@pytest.mark.parametrize("epsilon", ["1e-30", "0.1", "1e6"])
@pytest.mark.parametrize("p", ["1.0000000001", "1.5", "64"])
def test_no_mechanism_has_a_displayed_epsilon_below_its_proved_pure_epsilon(p, epsilon):
    for sensitivity in ("1e-12", "1", "20"):
        pure_epsilon = result_of(p=p, epsilon=epsilon, l2_sensitivity=sensitivity).bounded.certified.pure_epsilon
        assert all(at_most <= float(epsilon) for key, at_most in pure_epsilon.items() if key != CLIPPED.key)


def test_a_pure_epsilon_beyond_the_range_is_displayed_as_above_it():
    bounded = result_of(p="64", delta="0.9", bound_low="-1e15", bound_high="1e15").bounded
    assert bounded.certified.pure_epsilon[CLIPPED.key] > 1e6
    assert text.pure_epsilon_text(bounded, CLIPPED.key) == "above 1e6"
    assert "above 1e6." in text.explanation_text(result_of(p="64", delta="0.9", bound_low="-1e15", bound_high="1e15"))


def test_two_errors_that_are_shown_alike_have_no_winner():
    sentences = text.errors_text(result_of(epsilon="1e-30").bounded)
    assert "in the middle of the bounds is that of truncated noise (2.887 against 5)" in sentences
    tight = text.errors_text(result_of(p="1", epsilon="1e6").bounded)
    assert "in the middle of the bounds is that of either (1.414e-6)" in tight


def test_a_sensitivity_wider_than_the_bounds_is_cut_to_them_and_a_tiny_one_is_raised():
    def text_at(sensitivity):
        return sensitivity_text(result_of(l2_sensitivity=sensitivity).setting)

    assert text_at("20") == (
        "The sensitivity Δ₂ = 20 is more than c₁ − c₀ = 10: between the bounds the statistic cannot "
        "change by more than that, so Δ = 10 here."
    )
    assert "is less than 1e-9 of c₁ − c₀ = 10: Δ = 1e-8 is used here, which adds more noise than required." in text_at(
        "1e-12"
    )
    assert "Δ = 0.5, the sensitivity Δ₂" in text_at("0.5")


def test_a_sensitivity_wider_than_the_bounds_still_sets_the_noise_without_bounds():
    result = result_of(l2_sensitivity="20")
    assert result.noise.scale == pytest.approx(float(adp_scale(1, 1e-6, 3, 20)))
    assert result.setting.bounded_sensitivity == 10


def test_bounds_in_the_wrong_order_are_corrected_before_the_link_is_written():
    readings, _ = read_link(PAGE, bound_low="12", bound_high="11", true_value="11.5")
    assert [readings[scales.key].used for scales in (LOW, HIGH, VALUE)] == ["0", "10", "10"]
    assert readings["bound_low"].problem == ("c₀ must be below c₁; 12 and 11 were given. 0 and 10 are used instead.")
    assert "12 and 10 were given. 0 and 10 are used instead." in problems(bound_low="12", bound_high="10")


def test_a_value_outside_the_bounds_is_corrected_before_the_link_is_written():
    readings, _ = read_link(PAGE, bound_low="5", true_value="2")
    assert readings["true_value"].used == "5"
    assert "s must be from c₀ to c₁; 2 was given. 5 is used instead." in problems(bound_low="5")
    readings, _ = read_link(PAGE, bound_low="-1/3", bound_high="sqrt(2)", true_value="1e10")
    assert readings["true_value"].value == readings["bound_high"].value == 2**0.5
    assert VALUE.read(readings["true_value"].used) == 2**0.5


def test_a_parameter_of_the_bounds_that_cant_be_used_is_named():
    wrong = problems(bound_high="1e16", bounded_error="variance")
    assert f"c₁ must be {HIGH.allowed}; 1e16 was given. 10 is used instead." in wrong
    assert "error must be one of rmse, bias; variance was given." in wrong


def test_an_epsilon_of_0_gets_a_sentence_without_an_answer():
    for epsilon in ("0", "1e-31"):
        result = result_of(epsilon=epsilon, section="bounded")
        assert result.bounded is None
        assert text.answer_text(result) == no_answer_text(result.setting)
        assert "pure DP within bounds has no answer" in " ".join(RECORD.answer_text(result))
        assert "choose an ε of at least 1e-30." in text.explanation_text(result)


def test_the_explanation_has_the_users_numbers_the_sources_and_the_slips():
    sentences = text.explanation_text(result_of(p="3", epsilon="0.5"))
    for part in ("Definition 5, Eq. 7–8", "Definition 7, whose Eq. 9 lacks a minus sign", "Eq. 15–16", "Lemma 10"):
        assert part in sentences
    assert f"b={format_up(float(exact_boundary_inflated_scale(0.5, 3, 10)))}$" in sentences
    assert "it covers whole p only." in text.explanation_text(result_of(p="2.5"))


def test_the_densities_have_many_points_around_the_true_value():
    assert result_of().setting.width == 10
    places = grids.place_grid({BIT.key: 1e-6, TRUNCATED.key: 1e9}, 2.0, 0.0, 10.0)
    assert np.all(np.diff(places) > 0)
    assert np.sum(abs(places - 2) < 5e-6) > 50
    for theme in COLOURS.values():
        assert all(theme[colour] for colour, _ in BOUNDED_LOOKS.values())
