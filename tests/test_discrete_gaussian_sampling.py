"""The exact sampler of discrete Gaussian noise: its draws beside the distribution, and a coin decided by digits."""

import math

import numpy as np
import pytest
from scipy.stats import chisquare

from dpcore import discrete_gaussian
from dpcore.discrete_gaussian.sampling import less_by_digits


@pytest.mark.parametrize("sigma", [0.6, 1.7, 10, 1 / 3])
def test_forty_thousand_draws_follow_the_distribution(sigma):
    draws = discrete_gaussian.sample(np.random.default_rng(11), sigma, 40_000)
    k = np.arange(-math.ceil(3 * sigma), math.ceil(3 * sigma) + 1)
    counts = np.array([np.count_nonzero(draws == place) for place in k])
    expected = discrete_gaussian.pmf(k, sigma) * len(draws)
    chosen = expected > 5
    counts, expected = counts[chosen], expected[chosen]
    counts, expected = np.append(counts, len(draws) - counts.sum()), np.append(expected, len(draws) - expected.sum())
    assert chisquare(counts, expected).pvalue > 1e-3


def test_each_sigma_of_an_array_has_its_own_draws():
    sigma = np.array([1e-4, 0.5, 40, 1e14])
    draws = discrete_gaussian.sample(np.random.default_rng(12), sigma, (20_000, 4))
    assert np.all(draws[:, 0] == 0)
    assert np.all(draws == np.round(draws))
    expected = discrete_gaussian.variance(sigma[1:])
    assert (draws[:, 1:] ** 2).mean(0) / expected == pytest.approx(np.ones(3), abs=0.05)
    assert abs(draws[:, 1:].mean(0) / np.sqrt(expected)).max() < 0.03


def test_a_coin_whose_first_digits_are_equal_is_decided_by_the_next():
    """Of probability 0.9 · 2⁻¹⁶, whose first digit of 16 bits is 0: heads are possible after a tie only."""
    n = 500_000
    numerator, denominator = np.full(n, 9 << 70, dtype=object), np.full(n, 10 << 86, dtype=object)
    heads = less_by_digits(np.random.default_rng(14), numerator, denominator).sum()
    assert 1 <= heads <= 20  # 6.9 on average
