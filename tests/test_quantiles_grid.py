"""Quantiles on a grid: the guarantee by brute force, the probabilities by definition, and exact draws."""

import re
from itertools import product
from typing import Any

import numpy as np
import pytest

from dpcore import quantiles, selection
from dpcore.clipping import lognormal
from dpcore.quantiles import Grid, Range
from tests.statistics_of_samples import assert_frequencies

NEIGHBOURS = ("add_remove", "replace")
AGES = np.array([23, 31, 31, 34, 40, 52, 60, 60.5])
GRID = np.arange(20.0, 70, 2)
NO_OUTPUTS: Any = (0, 9)


def flipped_by_definition(values, quantile, epsilon, candidates, neighbours):
    """Return the probabilities of permute-and-flip with scores counted one by one."""
    sensitivity = max(quantile, 1 - quantile) if neighbours == "add_remove" else 1.0
    aim, score = quantile * len(values), []
    for candidate in candidates:
        below, at_or_below = (sum(1 for v in values if test(v)) for test in (candidate.__gt__, candidate.__ge__))
        score.append(0 if below <= aim <= at_or_below else -min(abs(below - aim), abs(at_or_below - aim)))
    return selection.permute_and_flip(score, epsilon, sensitivity)


@pytest.mark.parametrize("neighbours", NEIGHBOURS)
@pytest.mark.parametrize("quantile", [0.0, 0.3, 0.5, 1.0])
def test_probabilities_are_those_of_the_definition(quantile, neighbours):
    for candidates in (GRID, GRID[::-1], np.array([31.0, 31, 60])):
        own = quantiles.released_distribution(AGES, quantile, 0.8, Grid(candidates), neighbours).probabilities
        exact = flipped_by_definition(AGES.tolist(), quantile, 0.8, candidates.tolist(), neighbours)
        assert own == pytest.approx(exact, rel=1e-12)


@pytest.mark.parametrize("mechanism", selection.MECHANISMS)
@pytest.mark.parametrize("neighbours", NEIGHBOURS)
@pytest.mark.parametrize("quantile", [0.0, 0.5, 0.8])
def test_neighbouring_data_have_probabilities_within_e_to_the_epsilon(quantile, neighbours, mechanism):
    """Over all data of up to 4 values among 3, and all their neighbours."""
    grid, epsilon, greatest = [0.5, 1, 2, 2.5, 3], 0.7, 0.0
    for n in (1, 2, 4):
        for values in product((1, 2, 3), repeat=n):
            own = quantiles.released_distribution(
                values, quantile, epsilon, Grid(grid, mechanism), neighbours
            ).probabilities
            for new in (1, 2, 3):
                neighbour = (*values, new) if neighbours == "add_remove" else (*values[1:], new)
                other = quantiles.released_distribution(
                    neighbour, quantile, epsilon, Grid(grid, mechanism), neighbours
                ).probabilities
                greatest = max(greatest, float(abs(np.log(own / other)).max()))
    assert greatest <= epsilon * (1 + 1e-12)
    assert greatest > 0.3 * epsilon


def test_a_value_that_most_people_share_is_the_median():
    """Of 1000 people at 0 and 600 above; the score of OpenDP takes an empty value above 0."""
    values, grid = np.append(np.zeros(1000), np.linspace(10, 100, 600)), np.arange(101.0)
    chance = quantiles.released_distribution(values, 0.5, 0.1, Grid(grid)).probabilities
    assert chance[0] > 0.999
    below, above = np.searchsorted(values, grid), values.size - np.searchsorted(values, grid, side="right")
    assert np.argmin(abs(below / 2 - above / 2)) == 1


@pytest.mark.parametrize("mechanism", ["permute_and_flip", "exponential"])
@pytest.mark.parametrize("neighbours", NEIGHBOURS)
def test_exact_draws_have_the_probabilities(mechanism, neighbours):
    rng = np.random.default_rng(4)
    for quantile in (0.5, 0.9):
        drawn = quantiles.sample(rng, AGES, quantile, 0.8, Grid(GRID, mechanism), neighbours, size=(100, 150))
        assert drawn.shape == (100, 150)
        chance = quantiles.released_distribution(AGES, quantile, 0.8, Grid(GRID, mechanism), neighbours).probabilities
        assert_frequencies(np.searchsorted(GRID, drawn), chance)
    assert 34 <= quantiles.sample(rng, AGES, 0.5, 1e6, Grid(GRID)) <= 40


@pytest.mark.parametrize("mechanism", selection.MECHANISMS)
def test_the_half_width_is_the_least_distance_of_a_candidate(mechanism):
    values, grid = np.random.default_rng(5).lognormal(3, 0.8, 400), np.arange(0, 101, 2.5)
    half = quantiles.half_width(values, 0.5, [[0.02], [0.5]], Grid(grid, mechanism), [0.5, 0.05, 1e-6])
    truth = np.quantile(values, 0.5)
    for place, (epsilon, significance) in enumerate(product([0.02, 0.5], [0.5, 0.05, 1e-6])):
        chance = quantiles.released_distribution(values, 0.5, epsilon, Grid(grid, mechanism)).probabilities
        distance = sorted(abs(grid - truth))
        enough = [d for d in distance if chance[abs(grid - truth) > d].sum() <= significance]
        assert half.ravel()[place] == min(enough)


def test_a_fine_grid_costs_nothing_and_permute_and_flip_beats_the_exponential_mechanism():
    known, steps = lognormal(np.log(33.3), 0.8, 2000), (10, 0.1, 0.02)
    half = [quantiles.half_width(known, 0.5, 0.1, Grid(np.arange(0, 600 + step, step))) for step in steps]
    assert half[0] > 3
    assert half[1] == pytest.approx(half[2], abs=0.1)
    exponential = quantiles.half_width(known, 0.5, 0.1, Grid(np.arange(0, 600.1, 0.1), "exponential"))
    assert half[1] < exponential


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: quantiles.released_distribution([1], 0.5, 1, Grid([])).probabilities,
            "the number of candidates must be in [1, 1e5], got 0",
        ),
        (
            lambda: quantiles.released_distribution([1], 0.5, 1, Grid([1]), "swap").probabilities,
            "neighbours must be in add_remove, replace",
        ),
        (
            lambda: quantiles.half_width([1], 0.5, 1, Grid([1]), 0),
            "significance must be in [1e-300, 1), got 0",
        ),
        (lambda: quantiles.half_width([1], 2, 1, Grid([1])), "quantile must be in [0, 1], got 2"),
        (
            lambda: quantiles.sample(np.random.default_rng(1), [1], 0.5, 1, Grid([1], "report_noisy_max")),
            "mechanism must be in permute_and_flip, exponential, got 'report_noisy_max'",
        ),
    ],
)
def test_bad_input_is_named(call, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}"):
        call()


@pytest.mark.parametrize("mechanism", ["permute_and_flip", "exponential"])
@pytest.mark.parametrize(("quantile", "error", "significance"), [(0.5, 2, 0.05), (0.9, 30, 0.3), (0.1, 1.5, 1e-6)])
def test_the_least_epsilon_of_a_grid_is_just_enough(mechanism, quantile, error, significance):
    values = np.random.default_rng(4).integers(0, 100, 500)
    options = Grid(np.arange(121), mechanism), significance, "replace"
    epsilon = quantiles.least_epsilon(values, quantile, error, *options)
    halves = quantiles.half_width(values, quantile, [epsilon, 0.999 * epsilon], *options)
    assert halves[0] <= error < halves[1]


def test_an_error_below_every_candidate_or_of_the_whole_range_has_an_answer():
    with pytest.raises(ValueError, match=r"error must be in \[0.5, 1e16\], got 0.1"):
        quantiles.least_epsilon([1, 2], 0.5, 0.1, Grid([1, 2]))
    assert quantiles.least_epsilon([1, 2], 0.5, 5, Grid([1, 2])) == 1e-12


@pytest.mark.parametrize("neighbours", NEIGHBOURS)
def test_bias_and_rank_errors_of_a_grid_are_those_of_its_candidates(neighbours):
    grid, quantile, epsilon = Grid(GRID[::-1]), 0.3, 0.8
    chance = quantiles.released_distribution(AGES, quantile, epsilon, grid, neighbours).probabilities
    truth, aim = np.quantile(AGES, quantile), quantile * AGES.size
    assert quantiles.bias(AGES, quantile, epsilon, grid, neighbours) == pytest.approx(chance @ (GRID[::-1] - truth))
    counts = [(sum(age < point for age in AGES), sum(age <= point for age in AGES)) for point in GRID[::-1]]
    off = [max(0.0, below - aim, aim - at_or_below) for below, at_or_below in counts]
    for significance in (0.5, 0.2, 0.01):
        enough = [a for a in sorted(off) if chance[np.array(off) > a].sum() <= significance]
        found = quantiles.rank_half_width(AGES, quantile, epsilon, grid, significance, neighbours)
        assert found == pytest.approx(min(enough), rel=1e-12)


def test_quantiles_of_a_grid_broadcast_as_those_of_a_range_do():
    half = quantiles.half_width(AGES, [[0.5], [0.9]], [0.1, 1, 2], Grid(GRID), 0.1)
    assert half.shape == (2, 3)
    assert half[1, 2] == quantiles.half_width(AGES, 0.9, 2, Grid(GRID), 0.1)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: quantiles.half_width([1], 0.5, 1, NO_OUTPUTS), "outputs must be a Range or a Grid, got (0, 9)"),
        (lambda: quantiles.least_records([1], 0.5, 1, 1, NO_OUTPUTS), "outputs must be a Range or a Grid, got (0, 9)"),
        (
            lambda: quantiles.sample(np.random.default_rng(1), [1], 0.5, 1, NO_OUTPUTS),
            "outputs must be a Range or a Grid, got (0, 9)",
        ),
        (lambda: quantiles.least_epsilon([1], 0.5, 1, Range(0, [1, 2])), "high must be one number in [-1e15, 1e15]"),
        (lambda: Range(0, [1, 0]), "high must be in (low, 1e15], got 0"),
        (lambda: Range(np.nan, 1), "low must be in [-1e15, 1e15], got nan"),
        (lambda: Grid([1], "laplace"), "mechanism must be in permute_and_flip, exponential, report_noisy_max, binary_"),
        (
            lambda: quantiles.records_without_cliff([1], 0.5, 1, Grid([1], "binary_search")),
            "mechanism must be in permute_and_flip, exponential, report_noisy_max, got 'binary_search'",
        ),
        (
            lambda: quantiles.epsilon_without_cliff([1], 0.5, Grid([1], "binary_search")),
            "mechanism must be in permute_and_flip, exponential, report_noisy_max, got 'binary_search'",
        ),
    ],
)
def test_what_can_be_released_is_a_range_or_a_grid(call, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}"):
        call()
