"""Quantiles that are read off a noisy histogram: by cases, by the variance of its sums, and without noise."""

import re

import numpy as np
import pytest

from dpcore import linear_queries, quantiles
from dpcore.quantiles import Grid, Range

QUARTILES = [0.25, 0.5, 0.75]
EVEN = (np.arange(20_000) + 0.5) / 20  # twenty people to the unit, from 0 to 1000


def test_two_bins_have_the_quantiles_of_each_case():
    """1 and 3 people in the bins 0 … 5 and 5 … 10, by the definition of the noise and of the reading."""
    draws = quantiles.sample_histogram(np.random.default_rng(1), [2, 6, 7, 9], 0.4, 0.9, Range(0, 10), 2, size=6000)
    first, second = np.random.default_rng(2).laplace([1, 3], 1 / 0.9, (6000, 2)).T
    both = first + second
    first, both = np.where(both < first, [(first + both) / 2] * 2, [first, both])
    first, both = np.maximum(first, 0), np.maximum(both, 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        below, above = 5 * 0.4 * both / first, 5 + 5 * (0.4 * both - first) / (both - first)
    expected = np.where(both == 0, 10.0, np.where(0.4 * both < first, below, above))
    both_sorted = np.sort(draws[:, 0]), np.sort(expected)
    places = np.concatenate(both_sorted)
    shares = [np.searchsorted(part, places, side="right") / 6000 for part in both_sorted]
    assert abs(shares[0] - shares[1]).max() < 2.2 * np.sqrt(2 / 6000)  # Kolmogorov and Smirnov, 1e-4


@pytest.mark.parametrize(("neighbours", "sensitivity"), [("add_remove", 1), ("replace", 2)])
def test_the_error_is_that_of_the_sums_over_the_density(neighbours, sensitivity):
    """Of ten bins with their own noise, y₅ − y₁₀/2 has the variance of ten quarters."""
    options = {"n_bins": 10, "neighbours": neighbours, "size": 4000}
    draws = quantiles.sample_histogram(np.random.default_rng(3), EVEN, 0.5, 0.2, Range(0, 1000), **options)
    own = np.sqrt(10 / 4 * 2) * sensitivity / 0.2 / 20
    assert draws.std() == pytest.approx(own, rel=0.06)
    assert draws.mean() == pytest.approx(500, abs=4 * own / np.sqrt(4000))


def test_gaussian_noise_is_that_of_the_best_strategy():
    rng, errors = np.random.default_rng(4), linear_queries.error("running_totals", "best", 40)
    counts = np.full(40, 500)
    sums = linear_queries.sample(rng, errors, counts, 0.2, 1e-6, 2000)
    own = (sums[:, 19] - sums[:, 39] / 2).std() / 20
    draws = quantiles.sample_histogram(rng, EVEN, 0.5, 0.2, Range(0, 1000), 40, 1e-6, size=2000)
    assert draws.std() == pytest.approx(own, rel=0.1)


def test_without_noise_the_quantiles_lie_linearly_in_their_bins():
    values = [-5.0, 1.0, 2.0, 2.5, 9.0, 40.0]  # 4 in 0 … 5, of which one is clipped, and 2 in 5 … 10
    read = quantiles.sample_histogram(np.random.default_rng(5), values, [0.2, 0.6, 0.9], 1e6, Range(0, 10), 2)
    assert read == pytest.approx([5 * 1.2 / 4, 5 * 3.6 / 4, 5 + 5 * 1.4 / 2], abs=1e-3)
    (middle,) = quantiles.sample_histogram(np.random.default_rng(5), values, 0.3, 1e-3, Range(0, 10), 1)
    assert middle == pytest.approx(3.0) or middle == 10.0


def test_the_quantiles_increase_and_keep_within_the_range():
    rng = np.random.default_rng(6)
    for values in (EVEN, [5.0], np.full(50, 7.0), [-100.0, 2000.0]):
        for delta in (0.0, 1e-6):
            draws = quantiles.sample_histogram(
                rng, values, np.arange(1, 10) / 10, 0.5, Range(0, 1001), 64, delta, size=(4, 5)
            )
            assert draws.shape == (4, 5, 9)
            assert np.all(np.diff(draws) >= 0)
            assert draws.min() >= 0
            assert draws.max() <= 1001


def test_estimated_half_widths_hold_in_other_draws_whatever_the_number_of_quantiles():
    rng = np.random.default_rng(7)
    known = quantiles.sample_histogram(rng, EVEN, QUARTILES, 0.1, Range(0, 1000), 50, size=1000)
    half = quantiles.drawn_half_widths(known, EVEN, QUARTILES, Range(0, 1000), 0.1)
    draws = quantiles.sample_histogram(rng, EVEN, QUARTILES, 0.1, Range(0, 1000), 50, size=4000)
    beyond = np.mean(abs(draws - np.quantile(EVEN, QUARTILES)) > half, axis=0)
    assert np.all(beyond < 0.1 + 4 * np.sqrt(0.1 * 0.9 / 4000))
    assert np.all(beyond > 0.05)
    many = np.arange(1, 100) / 100
    known = quantiles.sample_histogram(np.random.default_rng(8), EVEN, many, 0.1, Range(0, 1000), 50, size=1000)
    alike = quantiles.drawn_half_widths(known, EVEN, many, Range(0, 1000), 0.1)
    single = quantiles.half_width(EVEN, many, quantiles.single_epsilon(0.1, 99), Range(0, 1000), 0.1)
    assert alike.max() < 1.5 * half.max() < single.max()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"n_bins": 0}, "n_bins must be in [1, 1000], got 0"),
        ({"n_bins": 2.5}, "n_bins must be in the whole numbers of [1, 1000], got 2.5"),
        ({"delta": 1}, "delta must be in [0, 1), got 1"),
        ({"quantiles": [0.5, 0.5]}, "quantiles must be in (the one before, 1), got 0.5"),
        ({"outputs": Grid([1, 2])}, "outputs must be a Range, got Grid(candidates=array([1., 2.])"),
    ],
)
def test_input_out_of_range_is_refused_by_name(changes, message):
    known = {"values": [1, 2], "quantiles": 0.5, "epsilon": 1, "outputs": Range(0, 9)} | changes
    with pytest.raises(ValueError, match=f"^{re.escape(message)}"):
        quantiles.sample_histogram(np.random.default_rng(1), **known)
