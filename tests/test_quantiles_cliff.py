"""From which ε or n on a release beyond the data is rare."""

import re
from functools import partial

import numpy as np
import pytest

from dpcore import quantiles
from dpcore.clipping import lognormal, uniform
from dpcore.quantiles import Grid, Range
from dpcore.quantiles.half_widths import least_count

NUMBERS = np.arange(1.0, 1001)


def beyond(values, quantile, epsilon, high, neighbours="add_remove"):
    """Return the probability of a release outside the values, from its distribution."""
    edges, probabilities = quantiles.released_distribution(values, quantile, epsilon, Range(0, high), neighbours)
    return probabilities[(edges[1:] <= np.min(values)) | (edges[:-1] >= np.max(values))].sum()


@pytest.mark.parametrize("neighbours", ["add_remove", "replace"])
@pytest.mark.parametrize(("quantile", "high", "limit"), [(0.5, 2000, 0.05), (0.9, 10_000, 1e-3), (0.1, 1e6, 1e-12)])
def test_the_cliff_is_rare_from_the_returned_epsilon_on_and_not_below_it(quantile, high, limit, neighbours):
    epsilon = quantiles.epsilon_without_cliff(NUMBERS, quantile, Range(0, high), limit, neighbours)
    assert beyond(NUMBERS, quantile, epsilon, high, neighbours) <= limit
    assert beyond(NUMBERS, quantile, epsilon * (1 - 1e-7), high, neighbours) > limit
    larger = [beyond(NUMBERS, quantile, epsilon * factor, high, neighbours) for factor in (1.01, 1.5, 3, 100)]
    assert max(larger) <= limit


def test_a_cliff_that_grows_at_first_is_rare_only_where_it_has_fallen_again():
    """Most of the values are farther from the .97 quantile, in ranks, than the empty range above them."""
    values = np.linspace(1, 60, 1000)
    early, middle = (beyond(values, 0.97, epsilon, 100) for epsilon in (1e-9, 0.02))
    assert early < 0.5 < middle
    epsilon = quantiles.epsilon_without_cliff(values, 0.97, Range(0, 100), 0.5)
    assert epsilon > 0.02
    assert max(beyond(values, 0.97, later, 100) for later in np.geomspace(epsilon, 1e3, 300)) <= 0.5


def test_the_search_ends_at_the_least_epsilon_that_matters():
    sought = quantiles.epsilon_without_cliff(NUMBERS, 0.9, Range(0, 10_000))
    assert quantiles.epsilon_without_cliff(NUMBERS, 0.9, Range(0, 10_000), least_epsilon=2.0) == 2
    assert quantiles.epsilon_without_cliff(NUMBERS, 0.9, Range(0, 10_000), least_epsilon=0.1) == pytest.approx(sought)
    assert quantiles.epsilon_without_cliff(NUMBERS, 0.9, Grid(NUMBERS * 10), least_epsilon=2.0) == 2


def test_no_cliff_is_rare_at_any_epsilon():
    assert quantiles.epsilon_without_cliff([0, 10], 0.5, Range(0, 10)) == pytest.approx(1e-12)


@pytest.mark.parametrize("known", [NUMBERS, lognormal(3, 0.8, 5)])
def test_the_least_n_is_enough_and_one_fewer_is_not(known):
    n = quantiles.records_without_cliff(known, 0.9, 0.3, Range(0, 10_000), 0.01)

    def sample(size):
        shares = (np.arange(size) + 0.5) / size
        return np.quantile(known, shares) if isinstance(known, np.ndarray) else known.quantile(shares)

    assert beyond(sample(n), 0.9, 0.3, 10_000) <= 0.01
    assert beyond(sample(n - 1), 0.9, 0.3, 10_000) > 0.01


@pytest.mark.parametrize(
    ("known", "quantile", "epsilon", "high"),
    [
        (lognormal(3, 0.8, 5), 0.9, 3.0, 600),
        (lognormal(3, 0.8, 5), 1.0, 50.0, 600),
        (NUMBERS, 0.5, 0.01, 2000),
        (np.append(np.full(5000, 7.0), [1.0, 9]), 0.5, 40.0, 10),
        (np.append(np.full(5000, 7.0), [1.0, 9]), 0.5, 1e6, 10),
        (np.full(9, 7.0), 0.0, 200.0, 10),
        (uniform(0, 1e-9, 5), 0.5, 10.0, 1e15),
    ],
)
def test_a_typical_sample_without_what_underflows_has_the_same_release(known, quantile, epsilon, high):
    n = 20_000
    value_at = partial(np.quantile, known) if isinstance(known, np.ndarray) else known.quantile
    some = Range(0, high).typical_release(value_at, n, quantile, epsilon, "replace")
    every = Range(0, high).release_of(value_at((np.arange(n) + 0.5) / n), quantile, epsilon, "replace")
    assert some.truth == pytest.approx(every.truth, rel=1e-12)
    assert (some.n, some.rate, some.aim) == (every.n, every.rate, every.aim)
    assert some.points.size <= every.points.size
    for distance in (0.0, 1e-15, 0.1, 3.0, high / 2):
        own, exact = (float(known.outside(distance)) for known in (some, every))
        assert own == pytest.approx(exact, rel=1e-9, abs=1e-300)
    assert some.beyond == pytest.approx(every.beyond, rel=1e-9, abs=1e-300)


def test_the_search_for_n_ends_where_the_probability_is_0_and_where_it_is_not_smooth():
    assert least_count(lambda n: 0.0 if n >= 700 else 1.0, 1e-3) == 700
    assert least_count(lambda n: float(np.exp(-n / 50)), 0.01) == 231
    steps = [least_count(lambda n, step=step: 1.0 / (n // step + 1), 0.01) for step in (1, 7, 1000)]
    assert steps == [99, 693, 99_000]
    assert least_count(lambda n: 0.5, 0.1) == 0
    assert least_count(lambda n: 0.05, 0.1) == 1


@pytest.mark.parametrize("mechanism", ["permute_and_flip", "exponential"])
@pytest.mark.parametrize(("quantile", "limit"), [(0.5, 0.05), (0.9, 1e-3), (0.1, 1e-9)])
def test_the_cliff_of_a_grid_is_that_of_its_candidates_beyond_all_values(quantile, limit, mechanism):
    values, grid = np.append(NUMBERS[::4], 41.5), np.append(np.arange(-60.0, 4000, 7), [1.0, 997])
    outputs = Grid(grid, mechanism)
    below, above = quantiles.cliff_probability(values, quantile, [[0.01], [0.3]], outputs, "replace")
    for place, epsilon in enumerate((0.01, 0.3)):
        chance = quantiles.released_distribution(values, quantile, epsilon, outputs, "replace").probabilities
        assert below[place] == pytest.approx([chance[grid < 1].sum()], rel=1e-10)
        assert above[place] == pytest.approx([chance[grid > 997].sum()], rel=1e-10)
        assert above[place] >= chance[grid > 997].sum()
    epsilon = quantiles.epsilon_without_cliff(values, quantile, outputs, limit, "replace")
    around = quantiles.cliff_probability(values, quantile, np.array([1 - 1e-7, 1, 2]) * epsilon, outputs, "replace")
    total = around.below + around.above
    assert total[0] > limit >= max(total[1:])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: quantiles.epsilon_without_cliff(NUMBERS, 1.0, Range(0, 2000)), "probability must be in ["),
        (
            lambda: quantiles.epsilon_without_cliff(NUMBERS, 0.5, Range(0, 2000), 0),
            "probability must be in (0, 1), got 0",
        ),
        (
            lambda: quantiles.epsilon_without_cliff(NUMBERS, 1.0, Grid(NUMBERS * 2)),
            "probability must be in [",
        ),
        (
            lambda: quantiles.epsilon_without_cliff(NUMBERS, 0.5, Grid(NUMBERS), 1),
            "probability must be in (0, 1), got 1",
        ),
        (lambda: quantiles.cliff_probability(NUMBERS, 0.5, 0, Grid(NUMBERS)), "epsilon must be in"),
        (
            lambda: quantiles.records_without_cliff(NUMBERS, 1.0, 1, Range(0, 2000)),
            "probability must be in [",
        ),
    ],
)
def test_bad_input_is_named(call, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}"):
        call()
