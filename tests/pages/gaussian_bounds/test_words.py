import pytest

from dpcore.comparison import BOUNDS
from pages.gaussian_bounds import words
from tests.pages.conftest import found_by


def found(**link):
    return found_by("gaussian_bounds", **link)


def answer(**link):
    now = found(**link)
    return " ".join(words.answer(now.rows, now.setting))


def test_the_answer_gives_sigma_accuracy_and_the_cost_of_the_classical_formula():
    assert answer() == (
        "At ε = 1, δ = 1e-6, sensitivity 1, the analytic Gaussian needs σ = 4.225. 95 % of releases fall within ±8.281 "
        "of the truth; the classical formula would add 57 % more variance, unproved at this ε."
    )


def test_the_answer_scales_with_the_sensitivity_and_follows_the_significance_level():
    said = answer(l2_sensitivity="10", significance="0.5")
    assert "sensitivity 10, the analytic Gaussian needs σ = 42.25." in said
    assert "50 % of releases fall within ±28.5 of the truth" in said


def test_what_the_answer_says_of_nearly_all_releases_is_not_that_it_is_all():
    assert "All but 1e-298 % of releases fall within" in answer(significance="1e-300")


def test_at_epsilon_0_the_answer_says_that_only_the_analytic_bound_has_one():
    assert "the classical formula has no answer at so small an ε" in answer(epsilon="0", delta="0.001")


def test_what_a_preset_says_of_the_classical_formula_is_true():
    assert "its σ = 0.4845 gives δ = 2.27e-5, not 1e-5" in answer(epsilon="10", delta="1e-5")


@pytest.mark.parametrize(
    ("entry", "shown"),
    [
        ("0.9999999999999999", "0.9999999999999999"),
        ("0.30000000000000004", "0.3"),
        ("1/3", "0.3333334"),
        ("1.5e-300", "1.5e-300"),
    ],
)
def test_a_delta_of_many_digits_is_shown_as_no_smaller_one(entry, shown):
    assert f"δ = {shown}, sensitivity 1" in answer(delta=entry)


def test_a_sensitivity_of_many_digits_is_shown_as_no_larger_one():
    assert "sensitivity 1.73205," in answer(l2_sensitivity="√3")


def test_every_number_of_the_explanation_is_computed_from_the_setting():
    now = found(epsilon="0.5", delta="2e-5", l2_sensitivity="3")
    said = words.explanation(now.rows, now.setting)
    assert r"\frac{3\cdot\sqrt{2\ln(1.25/2\cdot10^{-5})}}{0.5}=28.2" in said
    for bound in BOUNDS:
        assert bound.theorem in said


def test_a_chosen_bound_that_is_undefined_at_this_epsilon_gets_a_sentence():
    assert found(epsilon="0", bound="pdp").counts_said == (
        "pDP Gaussian: this bound is not defined at this ε, so it sets no σ."
    )


def test_the_words_on_the_counts_say_which_question_is_answered():
    said = found().counts_said
    assert "**43 of 64 cells stay above zero in at least 95 % of their releases**" in said
    assert "Whether one release tells a cell from an empty one is another question" in said


def test_a_bound_that_fails_is_not_shown_on_the_table_of_counts_without_a_warning():
    assert "✗ This σ breaks the promise" in found(epsilon="10", delta="1e-5", bound="classical").counts_said
    assert "breaks the promise" not in found(epsilon="10", delta="1e-5").counts_said
