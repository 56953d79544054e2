"""The best bounds of values, the rule of thumb, and private bounds."""

import numpy as np
import pytest

from dpcore.clipping import (
    NOISES,
    best_bounds,
    exponential,
    lognormal,
    mean_error,
    normal,
    pareto,
    private_bounds,
    rule_of_thumb,
    sum_error,
    uniform,
)
from dpcore.quantiles import Range, sample
from tests.clipping_cases import NUMBERS, SKEWED, delta_of, noise_samples

THIRTY_PERCENT = 14  # place of this share of ε among those of private bounds


@pytest.mark.parametrize(
    ("epsilon", "error", "bound", "least", "clipped"),
    [
        (0.1, "root_mean_square", 928.67162, 13_384.3474, 72),
        (1, "root_mean_square", 984.80620, 1_398.15604, 16),
        (0.01, "root_mean_square", 697.13387, 108_799.509, 303),
        (0.1, "mean_absolute", 941.83453, 9_566.38826, 59),
    ],
)
def test_the_best_upper_bound_of_a_thousand_numbers_is_the_published_one(epsilon, error, bound, least, clipped):
    best = best_bounds(NUMBERS, epsilon, low=0, error=error)
    assert best.high == pytest.approx(bound, rel=1e-6)
    reached = best.root_mean_square_error if error == "root_mean_square" else best.mean_absolute_error
    assert reached == pytest.approx(least, rel=1e-8)
    assert (best.low, best.n_clipped, best.extreme_high) == (0, clipped, 1000)
    assert best.gain == pytest.approx(best.extreme_error / reached)
    assert best.extreme_error == pytest.approx(
        {"root_mean_square": np.sqrt(2), "mean_absolute": 1}[error] * 1000 / epsilon
    )


@pytest.mark.parametrize(
    ("epsilon", "bound", "clipped", "share"), [(0.1, 378_608.739, 22.26, 0.017468), (1, 718_587.081, 2.46, 0.0032277)]
)
def test_the_best_upper_bound_of_lognormal_values_is_the_published_one(epsilon, bound, clipped, share):
    values = lognormal(10, 1, 10_000)
    best = best_bounds(values, epsilon, low=0)
    assert best.high == pytest.approx(bound, rel=1e-6)
    assert best.n_clipped == pytest.approx(clipped, abs=0.01)
    assert best.root_mean_square_error / (values.n * values.mean) == pytest.approx(share, rel=1e-4)
    assert best.n_clipped * abs(best.bias) == pytest.approx(2 * best.high / epsilon**2, rel=1e-4)


def test_a_gross_bias_is_all_that_is_cut_and_gives_no_smaller_error():
    values = normal(0, 1, 1000)
    net, gross = (sum_error(values, -1, [1, 2], 1.0, bias=bias) for bias in ("net", "gross"))
    assert net.bias[0] == pytest.approx(0, abs=1e-9)
    assert gross.bias == pytest.approx(values.cut_below(-1) + values.cut_above([1, 2]))
    for name in ("root_mean_square_error", "mean_absolute_error", "half_width"):
        assert np.all(getattr(gross, name) > getattr(net, name))
    best = best_bounds(values, 1.0)
    assert (
        best.root_mean_square_error == sum_error(values, best.low, best.high, 1.0, bias="gross").root_mean_square_error
    )
    mean = mean_error(values, -1, 2, 1.0, bias="gross", count_share=0.3)
    assert mean.bias == pytest.approx(gross.bias[1] / 1000)


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize("neighbours", ["add_remove", "replace"])
def test_no_bound_of_a_fine_grid_is_better_than_the_best_one(noise, neighbours):
    best = best_bounds(SKEWED, 1.0, low=0, noise=noise, neighbours=neighbours)
    grid = sum_error(SKEWED, 0, np.arange(1.0, 500, 3), 1.0, noise, neighbours)
    assert best.root_mean_square_error <= grid.root_mean_square_error.min() * (1 + 1e-9)
    assert best.gain >= 1


@pytest.mark.parametrize("error", ["root_mean_square", "mean_absolute", "half_width"])
def test_both_bounds_and_the_lower_one_alone_are_found(error):
    both = best_bounds(SKEWED, 1.0, error=error)
    lower, upper = np.meshgrid(np.linspace(1, 60, 10), np.linspace(61, 400, 12))

    def size(low, high):
        name = error if error == "half_width" else f"{error}_error"
        return getattr(sum_error(SKEWED, low, high, 1.0, bias="gross"), name)

    assert size(both.low, both.high) <= size(lower, upper).min() * (1 + 1e-9)
    assert both.low < 5 < 60 < both.high
    low = best_bounds(-SKEWED, 1.0, high=0, error=error)
    mirrored = best_bounds(SKEWED, 1.0, low=0, error=error)
    assert low.low == pytest.approx(-mirrored.high, rel=1e-6)
    assert low.high == 0


@pytest.mark.parametrize(
    ("values", "epsilon", "noise", "neighbours", "low", "high", "error"),
    [
        (np.array([25.0, 38.0]), 0.0145, "truncated_laplace", "add_remove", 0, 1e-3, "mean_absolute"),
        (lognormal(3, 1, 10), 0.0119, "laplace", "replace", 19.7, 20.4, "mean_absolute"),
        (lognormal(3, 1, 204), 0.00687, "gaussian", "replace", 19.5, 19.77, "half_width"),
    ],
)
def test_two_bounds_close_together_far_from_both_ends_are_found(values, epsilon, noise, neighbours, low, high, error):
    field = error if error == "half_width" else f"{error}_error"
    best = best_bounds(values, epsilon, noise=noise, neighbours=neighbours, error=error)
    trial = sum_error(values, low, high, epsilon, noise, neighbours, bias="gross")
    assert getattr(best, field) <= getattr(trial, field) * (1 + 1e-9)


@pytest.mark.parametrize("noise", ["gaussian", "geometric"])
@pytest.mark.parametrize("low", [0, None])
def test_the_best_bounds_of_many_epsilons_are_those_of_each(noise, low):
    epsilons = np.geomspace(0.01, 10, 35).reshape(7, 5)
    together = best_bounds(SKEWED, epsilons, low, noise=noise)
    assert together.high.shape == together.half_width.shape == together.gain.shape == (7, 5)
    for place in ((0, 0), (3, 2), (6, 4)):
        alone = best_bounds(SKEWED, epsilons[place], low, noise=noise)
        assert together.root_mean_square_error[place] == pytest.approx(alone.root_mean_square_error, rel=1e-9)
        assert (together.low[place], together.high[place]) == pytest.approx((alone.low, alone.high), rel=1e-4)


def test_values_that_are_equal_or_beyond_a_fixed_bound_have_bounds_too():
    for best in (
        best_bounds([5.0, 5.0], 1.0),
        best_bounds([5.0, 5.0], 1.0, low=5),
        best_bounds([5.0, 5.0], 1.0, low=7),
        best_bounds([5.0], 1.0, high=5, noise="geometric"),
        best_bounds([0.0], 1.0, low=0, noise="geometric"),
        best_bounds(uniform(2, 5, 1), 1.0, low=6),
    ):
        assert best.low < best.high
        assert np.isfinite(best.half_width)


def test_both_bounds_that_are_fixed_stay():
    best = best_bounds(SKEWED, 1.0, low=0, high=30)
    assert (best.low, best.high, best.gain) == (0, 30, 1)


@pytest.mark.parametrize("values", [NUMBERS, SKEWED, lognormal(3, 1, 5000), exponential(4, 2000), pareto(2, 1, 2000)])
@pytest.mark.parametrize("epsilon", [0.01, 0.1, 1.0, 5.0])
def test_the_rule_of_thumb_has_at_most_twice_the_least_mean_absolute_error(values, epsilon):
    thumb = float(rule_of_thumb(values, epsilon))
    best = best_bounds(values, epsilon, low=0, error="mean_absolute")
    reached = sum_error(values, 0, thumb, epsilon).mean_absolute_error
    assert best.mean_absolute_error * (1 - 1e-9) <= reached <= 2 * best.mean_absolute_error


def test_the_rule_of_thumb_leaves_one_over_epsilon_values_above():
    assert rule_of_thumb(NUMBERS, [0.01, 0.1, 1e-9]).tolist() == pytest.approx([900, 990, 1e-6])
    skewed = lognormal(3, 1, 5000)
    assert skewed.n_above(rule_of_thumb(skewed, 0.01)) == pytest.approx(100, rel=1e-6)
    heavy = lognormal(0, 5, 10)
    assert heavy.n_above(rule_of_thumb(heavy, 100)) == pytest.approx(0.01, rel=1e-6)
    assert rule_of_thumb(lognormal(30, 5, 10**6), 1e6) == 1e15


def test_the_error_of_a_private_bound_is_that_of_simulated_releases():
    rng, n = np.random.default_rng(9), 2500
    bounds = sample(rng, SKEWED, 0.95, 0.3, Range(0, 1000), "replace", n)
    clipped_sums = np.minimum(SKEWED[:, None], bounds).sum(axis=0)
    bounds_of_95_percent = private_bounds(SKEWED, 1.0, 1000, quantile=0.95)
    for noise in ("laplace", "gaussian", "truncated_laplace"):
        expected = bounds_of_95_percent.sum_errors(noise, delta_of(noise, 1e-4))[0, THIRTY_PERCENT]
        unit = sum_error([0.0], 0, 1, 0.7, noise, delta=delta_of(noise, 1e-4))
        draws = noise_samples(noise, rng, unit, n, 0.7, 1e-4)
        squares = (clipped_sums + bounds * draws - SKEWED.sum()) ** 2
        assert np.mean(squares) == pytest.approx(expected**2, abs=4 * squares.std() / np.sqrt(n)), noise


@pytest.mark.parametrize("epsilon", [1e-6, 1e-9])
def test_the_best_bound_of_next_to_no_epsilon_cuts_nearly_everything(epsilon):
    """At ε = 1e-9 it was 10.8, with 21 times the error of a bound next to 0."""
    known = lognormal(10.84, 0.82, 10_000)
    best = best_bounds(known, epsilon, 0)
    # The least (B − nU)² + 2(U/ε)², where every value is cut.
    expected = known.n * known.n * known.mean / (known.n**2 + 2 / epsilon**2)
    assert best.high == pytest.approx(expected, rel=0.01)
    assert best.root_mean_square_error < known.n * known.mean


def test_the_best_share_is_the_best_of_its_grid():
    best = private_bounds(NUMBERS, 1.0, 10_000).best()
    for quantile in (0.94, 0.95, 0.96):
        errors = private_bounds(NUMBERS, 1.0, 10_000, quantile).sum_errors()[0, [4, THIRTY_PERCENT, 24]]
        assert best.error <= errors.min()
    gaussian = private_bounds(NUMBERS, 1.0, 10_000).best("gaussian", 1e-5)
    at_its_quantile = private_bounds(NUMBERS, 1.0, 10_000, gaussian.quantile)
    reached = at_its_quantile.sum_errors("gaussian", 1e-5)[0, at_its_quantile.share == gaussian.share]
    assert reached == pytest.approx([gaussian.error], rel=1e-12)
    assert gaussian.error > best.error
    fixed = private_bounds(NUMBERS, 1.0, 10_000, quantile=0.9).best()
    assert fixed.quantile == 0.9
    assert 0 < fixed.share < 1


@pytest.mark.parametrize("neighbours", ["add_remove", "replace"])
def test_both_whole_bounds_are_the_best_of_all_pairs_and_huge_epsilon_leaves_no_error(neighbours):
    values = np.array([-9, -3, -2, 0, 1, 1, 2, 2, 3, 5, 30])
    best = best_bounds(values, 1.0, noise="geometric", neighbours=neighbours)
    low, high = (axis.ravel() for axis in np.meshgrid(np.arange(-9, 30), np.arange(-8, 31)))
    pairs = sum_error(values, low[low < high], high[low < high], 1.0, "geometric", neighbours, bias="gross")
    assert best.root_mean_square_error == pytest.approx(pairs.root_mean_square_error.min())
    exact = best_bounds([5, 5], 1e6, noise="geometric", neighbours=neighbours)
    assert (exact.root_mean_square_error, exact.gain) == (0, 1)


def test_the_best_whole_bound_of_a_wide_range_is_the_best_of_all():
    """Of more than 400 whole numbers some are tried, and then those between the neighbours of the best one."""
    values = 1000 * SKEWED
    best = best_bounds(values, [0.5, 1.0], low=0, noise="geometric")
    for place, epsilon in enumerate((0.5, 1.0)):
        near = best.high[place] + np.arange(-3000, 3001)
        errors = sum_error(values, 0, near, epsilon, "geometric").root_mean_square_error
        assert best.root_mean_square_error[place] <= errors.min() * (1 + 1e-12)


def test_values_that_stand_for_several_people_have_the_error_of_all_of_them():
    sample, people = SKEWED[:40], np.repeat(SKEWED[:40], 50)
    for noise in ("laplace", "gaussian"):
        sampled = private_bounds(sample, 0.5, 500, 0.97, weight=50).sum_errors(noise)[0, THIRTY_PERCENT]
        of_all = private_bounds(people, 0.5, 500, 0.97).sum_errors(noise)[0, THIRTY_PERCENT]
        assert sampled == pytest.approx(of_all, rel=0.05)


def test_values_with_weights_of_their_own_have_the_error_of_all_that_they_stand_for():
    weight = np.array([3, 1, 7, 1])
    errors = [
        private_bounds(values, 2.0, 50, 0.8, weight=own).sum_errors()
        for values, own in (([9, 40, 2, 30], weight), (np.repeat([9, 40, 2, 30], weight), 1.0))
    ]
    assert errors[0] == pytest.approx(errors[1], rel=1e-12)
    weighted = private_bounds([9, 40, 2, 30], 2.0, 50, weight=weight).best()
    assert weighted[:2] == private_bounds(np.repeat([9, 40, 2, 30], weight), 2.0, 50).best()[:2]
    with pytest.raises(ValueError, match="weight must be one number, or one for each value, got 2 for 4"):
        private_bounds([9, 40, 2, 30], 2.0, 50, weight=[1, 2])
