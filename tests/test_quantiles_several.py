"""Several quantiles, and the quantile of a population: budgets by definition, errors by simulation."""

import re
from math import comb

import numpy as np
import pytest

from dpcore import quantiles
from dpcore.clipping import lognormal
from dpcore.composition import epsilon, exponential_release
from dpcore.quantiles import Grid, Range
from dpcore.quantiles.several import _draw

NUMBERS = np.arange(1.0, 1001)
QUARTILES = [0.25, 0.5, 0.75]


def bounded_range_delta(total, own, k):
    """Return δ of k mechanisms of a range of ε, over the offsets t of their losses (Dong, Durfee & Rogers 2020)."""
    greatest = 0.0
    for t in np.linspace(0, own, 400):
        p = (np.exp(-t) - np.exp(-own)) / -np.expm1(-own)
        terms = [
            comb(k, i) * p ** (k - i) * (1 - p) ** i * max(np.exp(k * t - i * own) - np.exp(total), 0)
            for i in range(k + 1)
        ]
        greatest = max(greatest, sum(terms))
    return greatest


@pytest.mark.parametrize("m", [2, 3, 9])
def test_composed_quantiles_spend_their_budget_by_the_published_formula(m):
    own = quantiles.single_epsilon(1.0, m, 1e-6)
    assert bounded_range_delta(1.0, own, m) <= 1e-6 * (1 + 1e-9)
    assert bounded_range_delta(1.0, own * 1.03, m) > 1e-6
    assert own > quantiles.single_epsilon(1.0, m)
    assert quantiles.single_epsilon(1.0, m) * m <= 1
    assert epsilon([exponential_release(own, m)], 1e-6).value <= 1.0 + 1e-9


@pytest.mark.parametrize(("m", "n_levels"), [(1, 1), (2, 2), (3, 2), (7, 3), (9, 4), (1000, 10)])
def test_the_recursive_method_has_a_share_for_each_of_its_levels(m, n_levels):
    assert quantiles.recursive_epsilon(1.0, m) == pytest.approx(1 / n_levels)
    assert quantiles.recursive_epsilon(1.0, m) * n_levels <= 1


def test_one_recursive_quantile_is_the_single_one():
    rng, n = np.random.default_rng(2), 5000
    draws = quantiles.sample_recursive(rng, [1, 3, 4, 9], 0.8, 0.9, Range(0, 10), n)
    edges, chance = quantiles.released_distribution([1, 3, 4, 9], 0.8, 0.9, Range(0, 10))
    counts = np.histogram(draws, edges)[0]
    assert np.all(abs(counts - n * chance) < 4 * np.sqrt(n * chance))


def test_recursive_draws_satisfy_the_guarantee_for_a_person_removed():
    """Of two quantiles on small data: the density of both, by the definition of both steps."""
    points = np.linspace(0.3, 9.7, 12)

    def log_density(values):
        values, own = np.array(values), quantiles.recursive_epsilon(0.8, 2)
        rows = []
        for first in points:
            parts = quantiles.released_distribution(values, 0.4, own, Range(0, 10))
            above = values[values >= first]
            second = points[points > first]
            rest = quantiles.released_distribution(above, 0.5, own, Range(first, 10)) if above.size else None
            for point in second:
                place = np.searchsorted(parts.points, first, side="right") - 1
                one = parts.probabilities[place] / np.diff(parts.points)[place]
                if rest is None:
                    rows.append(np.log(one / (10 - first)))
                else:
                    at = np.searchsorted(rest.points, point, side="right") - 1
                    rows.append(np.log(one * rest.probabilities[at] / np.diff(rest.points)[at]))
        return np.array(rows)

    values = [1.0, 3.0, 4.5, 7.0]
    for place in range(4):
        loss = log_density(values) - log_density(np.delete(values, place))
        assert abs(loss).max() <= 0.8 * (1 + 1e-12)


def test_recursive_quantiles_increase_and_keep_within_the_range():
    rng = np.random.default_rng(3)
    for values in (NUMBERS, [5.0], np.full(50, 7.0), [-100.0, 2000.0]):
        draws = quantiles.sample_recursive(rng, values, np.arange(1, 10) / 10, 0.5, Range(0, 1001), (4, 5))
        assert draws.shape == (4, 5, 9)
        assert np.all(np.diff(draws) >= 0)
        assert draws.min() >= 0
        assert draws.max() <= 1001


def test_a_range_that_a_release_used_up_has_its_end_as_every_other_quantile():
    assert _draw(np.random.default_rng(1), np.array([2.0]), 0.5, 1.0, 3.0, 3.0) == 3.0


def test_estimated_half_widths_hold_in_other_draws_and_beat_composed_ones():
    rng = np.random.default_rng(4)
    known = quantiles.sample_recursive(rng, NUMBERS, QUARTILES, 1.0, Range(0, 1001), 1000)
    half = quantiles.drawn_half_widths(known, NUMBERS, QUARTILES, Range(0, 1001), 0.1)
    draws = quantiles.sample_recursive(rng, NUMBERS, QUARTILES, 1.0, Range(0, 1001), 4000)
    beyond = np.mean(abs(draws - np.quantile(NUMBERS, QUARTILES)) > half, axis=0)
    assert np.all(beyond < 0.1 + 4 * np.sqrt(0.1 * 0.9 / 4000))
    assert np.all(beyond > 0.05)
    own = quantiles.single_epsilon(1.0, 3)
    assert np.all(half < quantiles.half_width(NUMBERS, QUARTILES, own, Range(0, 1001), 0.1))
    few = quantiles.sample_recursive(np.random.default_rng(5), NUMBERS, 0.5, 1.0, Range(0, 1001), 100)
    assert quantiles.drawn_half_widths(few, NUMBERS, 0.5, Range(0, 1001), 1e-9) == abs(few - 500.5).max()


@pytest.mark.parametrize(("quantile", "loss", "n"), [(0.5, 0.5, 200), (0.9, 2.0, 300), (0.5, 0.05, 50)])
def test_the_quantile_of_the_population_is_within_the_half_width_often_enough(quantile, loss, n):
    rng, truth = np.random.default_rng(6), float(lognormal(3, 0.8, 1).quantile(quantile))
    missed, n_samples = 0, 150
    for _ in range(n_samples):
        values = rng.lognormal(3, 0.8, n)
        half = quantiles.population_half_width(values, quantile, loss, Range(0, 600), 0.1)
        edges, probabilities = quantiles.released_distribution(values, quantile, loss, Range(0, 600))
        place = rng.choice(probabilities.size, p=probabilities)
        missed += abs(rng.uniform(edges[place], edges[place + 1]) - truth) > half
        assert half > quantiles.half_width(values, quantile, loss, Range(0, 600), 0.1)
    assert missed / n_samples < 0.1 + 4 * np.sqrt(0.1 * 0.9 / n_samples)
    typical = quantiles.population_half_width(lognormal(3, 0.8, 10**5), 0.5, 1.0, Range(0, 600))
    sampling = 1.96 / (2 * np.sqrt(10**5)) * np.exp(3) * 0.8 * np.sqrt(2 * np.pi)
    assert sampling < typical < 1.1 * sampling


@pytest.mark.parametrize(("quantile", "loss", "n"), [(0.5, 0.5, 60), (0.9, 1.0, 200)])
def test_the_quantile_of_a_population_of_whole_numbers_is_within_the_half_width_of_a_grid(quantile, loss, n):
    rng, grid = np.random.default_rng(4), np.arange(0.0, 601, 2)
    truth = round(float(lognormal(3, 0.8, 1).quantile(quantile)))
    missed, n_samples = 0, 150
    for _ in range(n_samples):
        values = np.rint(rng.lognormal(3, 0.8, n))
        half = quantiles.population_half_width(values, quantile, loss, Grid(grid), 0.1)
        released = rng.choice(grid, p=quantiles.released_distribution(values, quantile, loss, Grid(grid)).probabilities)
        missed += abs(released - truth) > half
        assert half >= quantiles.half_width(values, quantile, loss, Grid(grid), 0.1)
    assert missed / n_samples < 0.1 + 4 * np.sqrt(0.1 * 0.9 / n_samples)


def test_both_errors_on_a_fine_grid_are_those_on_the_range():
    grid = np.linspace(0, 600, 60_001)
    for loss in (0.1, 1.0):
        both = (
            quantiles.population_half_width(
                lognormal(3, 0.8, 400), 0.5, [loss, loss], Grid(grid, "exponential"), 0.1, "replace"
            ),
            quantiles.population_half_width(lognormal(3, 0.8, 400), 0.5, [loss, loss], Range(0, 600), 0.1, "replace"),
        )
        assert both[0] == pytest.approx(both[1], rel=0.01)


def test_a_sample_too_small_for_its_quantile_is_as_wide_as_the_range():
    half = quantiles.population_half_width([5.0, 6.0], [0.5, 0.99], 1.0, Range(0, 10), 1e-9)
    assert np.all(half > 10)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: quantiles.single_epsilon(1, 0), "n_quantiles must be in [1, 1000], got 0"),
        (lambda: quantiles.single_epsilon(1, 2, 1), "delta must be in [0, 1), got 1"),
        (
            lambda: quantiles.sample_recursive(np.random.default_rng(1), [1], [], 1, Range(0, 1)),
            "the number of quantiles must be in [1, 1000], got 0",
        ),
        (
            lambda: quantiles.sample_recursive(np.random.default_rng(1), [1], [0.5, 0.5], 1, Range(0, 1)),
            "quantiles must be in (the one before, 1)",
        ),
        (
            lambda: quantiles.sample_recursive(np.random.default_rng(1), [1], [0.5, 1], 1, Range(0, 1)),
            "quantiles must be in",
        ),
        (
            lambda: quantiles.sample_recursive(np.random.default_rng(1), [1], 0.5, 1, Range(1, 1)),
            "high must be in (low, 1e15]",
        ),
        (
            lambda: quantiles.drawn_half_widths(np.ones((99, 1)), [1], 0.5, Range(0, 1)),
            "the number of draws must be in [100, 1e6], got 99",
        ),
    ],
)
def test_bad_input_is_named(call, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}"):
        call()
