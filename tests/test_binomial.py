"""The binomial distribution against sums of fractions, and of many trials against SciPy's."""

from fractions import Fraction
from math import comb

import numpy as np
import pytest
from scipy.stats import binom

from dpcore._binomial import least_with_tail, masses

CHANCES = [0.0, 1e-12, 0.1, 0.5, 0.7, 1 - 2**-40, 1.0]


def exact_masses(n, p):
    """Return Pr(Bin(n, p) = k) of all k in fractions."""
    return [comb(n, k) * Fraction(p) ** k * (1 - Fraction(p)) ** (n - k) for k in range(n + 1)]


@pytest.mark.parametrize("n", [0, 1, 7, 200])
@pytest.mark.parametrize("p", CHANCES)
def test_masses_are_right_in_all_but_the_last_digits(n, p):
    exact = [float(mass) for mass in exact_masses(n, p)]
    np.testing.assert_allclose(masses(n, p), exact, rtol=1e-13, atol=1e-300)


@pytest.mark.parametrize("p", [1e-9, 0.2, 0.731])
def test_masses_of_many_trials_agree_with_scipy(p):
    np.testing.assert_allclose(masses(10_000, p), binom.pmf(np.arange(10_001), 10_000, p), rtol=1e-10, atol=1e-290)


@pytest.mark.parametrize("n", [1, 7, 90])
@pytest.mark.parametrize("p", CHANCES)
@pytest.mark.parametrize("tail", [1e-100, 1e-30, 0.025, 0.4, 0.999])
def test_the_least_count_with_a_tail_is_that_of_fractions(n, p, tail):
    exact = exact_masses(n, p)
    assert least_with_tail(n, p, tail) == next(k for k in range(n + 1) if sum(exact[k + 1 :]) <= Fraction(tail))


@pytest.mark.parametrize("tail", [1e-9, 0.03, 0.7])
def test_the_least_count_of_many_trials_agrees_with_scipy(tail):
    for n, p in ((1_000_000, 0.5), (10**9, 0.013), (123_456, 0.999)):
        assert least_with_tail(n, p, tail) == binom.isf(tail, n, p)
