"""What rounds to the safe side, against exact rational arithmetic."""

import re
from fractions import Fraction

import numpy as np
import pytest

from dpcore.rounding import (
    BELOW_ONE,
    TINY,
    ULP,
    product_error,
    quotient_excess,
    round_down,
    round_sum_down,
    round_sum_up,
    round_up,
)


def random_numbers(seed: int, n: int = 2000) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return rng.uniform(1, 2, n) * 2.0 ** rng.integers(-200, 200, n)


def test_ulp_and_tiny_are_the_units_in_the_last_place():
    assert np.nextafter(1.0, 2) - 1 == ULP
    assert np.nextafter(0.0, 1) == TINY


@pytest.mark.parametrize("ulps", [1, 4, 64, 1000])
def test_rounding_moves_by_the_units_given_to_within_one_rounding(ulps):
    for value in random_numbers(ulps):
        exact = Fraction(value) * ulps * Fraction(ULP)
        assert abs(Fraction(float(round_up(value, ulps))) - Fraction(value) - exact) <= Fraction(value) * Fraction(ULP)
        assert abs(Fraction(value) - Fraction(float(round_down(value, ulps))) - exact) <= Fraction(value) * Fraction(
            ULP
        )


def test_rounding_by_one_unit_always_moves_a_normal_number():
    value = random_numbers(7)
    assert np.all(round_up(value) > value)
    assert np.all(round_down(value) < value)


def test_a_sum_that_cancels_moves_by_units_of_its_terms():
    a = random_numbers(8)
    value, size = a - a * (1 - 1e-12), 2 * a
    for ulps in (1, 8):
        moved = ulps * ULP * size
        assert round_sum_up(value, size, ulps) - value == pytest.approx(moved, rel=1e-3)
        assert value - round_sum_down(value, size, ulps) == pytest.approx(moved, rel=1e-3)
        assert np.all(round_sum_up(-value, size, ulps) > -value)


def test_below_one_is_a_probability_whose_complement_is_one_unit():
    assert BELOW_ONE < 1
    assert 1 - BELOW_ONE == ULP


def test_rounding_takes_a_number_of_units_for_each_entry():
    value, ulps = np.ones(3), np.array([0, 1, 8])
    assert list(round_up(value, ulps) - 1) == [0, ULP, 8 * ULP]
    assert list(1 - round_down(value, ulps)) == [0, ULP, 8 * ULP]
    assert isinstance(round_up(1.0, 2), float)


def test_product_error_is_exactly_what_rounding_added():
    a, b = random_numbers(1), random_numbers(2)
    error = product_error(a, b, a * b)
    for i in range(a.size):
        assert Fraction(error[i]) == Fraction(a[i] * b[i]) - Fraction(a[i]) * Fraction(b[i])


def test_quotient_excess_keeps_its_digits_where_the_difference_cancels():
    rng = np.random.default_rng(3)
    scale, sensitivity = random_numbers(4), random_numbers(5)
    epsilon = sensitivity / scale * (1 - rng.integers(0, 9, scale.size) * ULP)
    excess = quotient_excess(epsilon, scale, sensitivity)
    for i in range(scale.size):
        exact = Fraction(sensitivity[i]) / Fraction(scale[i]) - Fraction(epsilon[i])
        assert abs(Fraction(excess[i]) - exact) <= 4 * Fraction(ULP) * abs(exact)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((np.inf, 1, 1), "epsilon must be in (-inf, inf), got inf"),
        ((1, 0, 1), "scale must be in (0, inf), got 0"),
        ((1, 1, [1, -1]), "sensitivity must be in (0, inf), got -1"),
    ],
)
def test_quotient_excess_refuses_what_is_no_privacy_loss(arguments, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        quotient_excess(*arguments)
