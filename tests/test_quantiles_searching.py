"""Noisy binary search: its probabilities by definition and by draws, its guarantee by brute force, its error."""

import math
import re
from itertools import product

import numpy as np
import pytest

from dpcore import quantiles
from dpcore.quantiles import Grid
from tests.statistics_of_samples import assert_frequencies


def search(candidates):
    return Grid(candidates, "binary_search")


def search_distribution(values, quantile, epsilon, candidates, neighbours="add_remove"):
    return quantiles.released_distribution(values, quantile, epsilon, search(candidates), neighbours).probabilities


NEIGHBOURS = ("add_remove", "replace")
AGES = np.array([23, 31, 31, 34, 40, 52, 60, 60.5])


def searched(answers, n):
    """Return the place that a search ends at, with a function of a place that says whether the quantile is above it."""
    first, last, steps = 0, n - 1, 0
    while first < last:
        middle, steps = (first + last) // 2, steps + 1
        first, last = (middle + 1, last) if answers(middle) else (first, middle)
    assert steps <= math.ceil(math.log2(n))
    return first


@pytest.mark.parametrize("n", [1, 2, 3, 7, 16, 25])
def test_probabilities_are_those_of_the_paths_to_each_candidate(n):
    grid, quantile, epsilon = np.linspace(20, 70, n), 0.4, 0.9
    scale = math.ceil(math.log2(n)) * 0.6 / epsilon

    def path_chance(place):
        first, last, chance = 0, n - 1, 1.0
        while first < last:
            middle = (first + last) // 2
            excess = sum(age <= grid[middle] for age in AGES) - quantile * AGES.size
            up = 0.5 * math.exp(-excess / scale) if excess >= 0 else 1 - 0.5 * math.exp(excess / scale)
            first, last, chance = (
                (middle + 1, last, chance * up) if place > middle else (first, middle, chance * (1 - up))
            )
        return chance

    own = search_distribution(AGES, quantile, epsilon, grid)
    assert own == pytest.approx([path_chance(place) for place in range(n)], rel=1e-12)
    assert own.sum() == pytest.approx(1)


def test_draws_of_the_search_have_these_frequencies():
    grid, rng, n = np.arange(20.0, 70, 4), np.random.default_rng(5), 20_000
    scale = math.ceil(math.log2(grid.size)) * 1.0 / 2.0
    excess = np.searchsorted(AGES, grid, side="right") - 0.25 * AGES.size
    drawn = [searched(lambda place: excess[place] + rng.laplace(0, scale) < 0, grid.size) for _ in range(n)]
    assert_frequencies(np.array(drawn), search_distribution(AGES, 0.25, 2.0, grid, "replace"))


@pytest.mark.parametrize("neighbours", NEIGHBOURS)
@pytest.mark.parametrize("quantile", [0.0, 0.5, 0.8])
def test_neighbouring_data_have_probabilities_within_e_to_the_epsilon(quantile, neighbours):
    """Over all data of up to 4 values among 3, and all their neighbours."""
    grid, epsilon, greatest = [0.5, 1, 2, 2.5, 3], 0.7, 0.0
    for n in (1, 2, 4):
        for values in product((1, 2, 3), repeat=n):
            own = search_distribution(values, quantile, epsilon, grid, neighbours)
            for new in (1, 2, 3):
                neighbour = (*values, new) if neighbours == "add_remove" else (*values[1:], new)
                other = search_distribution(neighbour, quantile, epsilon, grid, neighbours)
                greatest = max(greatest, float(abs(np.log(own / other)).max()))
    assert greatest <= epsilon * (1 + 1e-12)
    assert greatest > 0.3 * epsilon


def test_candidates_may_come_in_any_order_and_more_than_once():
    grid = [52.0, 30, 30, 23, 60]
    own = search_distribution(AGES, 0.5, 1.0, grid)
    in_order = search_distribution(AGES, 0.5, 1.0, [23, 30, 52, 60])
    assert own.tolist() == [in_order[2], in_order[1], 0, in_order[0], in_order[3]]
    assert quantiles.half_width(AGES, 0.5, 1.0, search(grid)) == quantiles.half_width(AGES, 0.5, 1.0, search(grid[1:]))


@pytest.mark.parametrize("neighbours", NEIGHBOURS)
def test_the_half_width_is_the_least_distance_that_holds(neighbours):
    values, grid = np.random.default_rng(2).normal(50, 9, 400), np.arange(0.0, 101)
    for quantile, epsilon, alpha in product((0.1, 0.5), (0.05, 0.5, 2), (0.05, 0.3)):
        own = float(quantiles.half_width(values, quantile, epsilon, search(grid), alpha, neighbours))
        chance = search_distribution(values, quantile, epsilon, grid, neighbours)
        distance = abs(grid - np.quantile(values, quantile))
        assert chance[distance > own].sum() <= alpha
        assert chance[distance >= own].sum() > alpha


def test_the_error_broadcasts_falls_with_epsilon_and_exceeds_that_of_one_choice():
    values, grid = np.arange(1, 1001), np.arange(1001)
    errors = quantiles.half_width(values, 0.5, [[0.1], [1], [1e6]], search(grid), [0.05, 0.5])
    assert errors.shape == (3, 2)
    assert (np.diff(errors, axis=0) < 0).all()
    assert errors[2] == pytest.approx([0.5, 0.5])
    assert (errors[:2] > 2 * quantiles.half_width(values, 0.5, [[0.1], [1]], Grid(grid), [0.05, 0.5])).all()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (([1], 1.5, 1, [1]), "quantile must be in [0, 1], got 1.5"),
        (([1], 0.5, 0, [1]), "epsilon must be in [1e-12, 1e6], got 0"),
        (([1], 0.5, 1, [1], "other"), "neighbours must be in add_remove, replace, got 'other'"),
        (([1], 0.5, 1, [1e16]), "candidates must be in [-1e15, 1e15], got 1e+16"),
    ],
)
def test_bad_input_is_refused(arguments, sentence):
    with pytest.raises(ValueError, match=re.escape(sentence)):
        search_distribution(*arguments)


def test_no_least_epsilon_of_a_search_is_looked_for():
    with pytest.raises(ValueError, match="mechanism must be in permute_and_flip, exponential, report_noisy_max, got"):
        quantiles.least_epsilon(AGES, 0.5, 1, Grid([20, 30, 40], "binary_search"))
