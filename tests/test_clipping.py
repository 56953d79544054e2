"""Clipping bounds and contribution limits: biases, noise, errors beside simulation and quadrature, the best choice."""

import re

import numpy as np
import pytest
from scipy import stats
from scipy.integrate import quad

from dpcore.clipping import (
    NOISES,
    best_bounds,
    best_limit,
    best_share,
    contribution_error,
    exponential,
    geometric_records,
    lognormal,
    mean_error,
    normal,
    pareto,
    private_quantile,
    quantile_bound_error,
    rule_of_thumb,
    sum_error,
    uniform,
    zipf_records,
)
from dpcore.clipping.distributions import Data
from dpcore.clipping.means import error_size
from dpcore.clipping.noise import noise_of

NUMBERS = np.arange(1, 1001)
RNG = np.random.default_rng(0)
SKEWED = np.round(np.random.default_rng(4).lognormal(3, 1, 400))
DISTRIBUTIONS = [
    (lognormal(1, 0.8, 50), stats.lognorm(0.8, scale=np.exp(1))),
    (normal(3, 2, 50), stats.norm(3, 2)),
    (exponential(2, 50), stats.expon(scale=2)),
    (pareto(2.5, 1.5, 50), stats.pareto(2.5, scale=1.5)),
    (uniform(-1, 6, 50), stats.uniform(-1, 7)),
]


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


@pytest.mark.parametrize(("known", "law"), DISTRIBUTIONS, ids=lambda value: getattr(value, "name", ""))
@pytest.mark.parametrize("bound", [-2.0, 0.0, 1.4, 3.0, 9.0])
def test_clipped_moments_are_integrals_of_the_density(known, law, bound):
    above = quad(lambda x: law.sf(x), bound, np.inf, epsabs=1e-11, limit=400)[0]
    below = quad(lambda x: law.cdf(x), -np.inf, bound, epsabs=1e-11, limit=400)[0]
    assert known.cut_above(bound) == pytest.approx(known.n * above, rel=1e-6, abs=1e-7)
    assert known.cut_below(bound) == pytest.approx(known.n * below, rel=1e-6, abs=1e-7)
    assert known.n_above(bound) == pytest.approx(known.n * law.sf(bound), abs=1e-9)
    assert known.n_below(bound) == pytest.approx(known.n * law.cdf(bound), abs=1e-9)
    assert known.mean == pytest.approx(law.mean())


@pytest.mark.parametrize(("known", "law"), DISTRIBUTIONS, ids=lambda value: getattr(value, "name", ""))
def test_one_value_is_expected_beyond_each_extreme(known, law):
    low, high = known.extremes()
    assert (law.cdf(low), law.sf(high)) == pytest.approx((1 / 50, 1 / 50))
    single = type(known)(known.name, known.parameters, 1).extremes()
    assert np.all(np.isfinite(single))


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize(("low", "high"), [(0, 60), (10, 1000), (-5, 2)])
def test_errors_are_those_of_simulated_releases(noise, low, high):
    rng, n = np.random.default_rng(7), 60_000
    error = sum_error(SKEWED, low, high, 0.8, noise, delta=0.01, significance=0.1)
    clipped = np.clip(SKEWED, low, high).sum() - SKEWED.sum()
    assert error.bias == pytest.approx(clipped)
    assert error.n_clipped == np.sum((low > SKEWED) | (high < SKEWED))
    assert error.sensitivity == max(abs(low), high)
    draws = _draws(noise, rng, error, n)
    errors = abs(clipped + draws)
    spread = 4 / np.sqrt(n)
    assert np.mean(errors) == pytest.approx(error.mean_absolute_error, abs=spread * errors.std())
    assert np.sqrt(np.mean(errors**2)) == pytest.approx(
        error.root_mean_square_error, abs=spread * (errors**2).std() / error.root_mean_square_error
    )
    assert np.mean(errors > error.half_width * (1 + 1e-9)) <= 0.1 + spread
    assert np.mean(errors > error.half_width * (1 - 1e-9) - 1) >= 0.1 - spread


def _draws(noise, rng, error, n, epsilon=0.8, delta=0.01):
    from dpcore import discrete_gaussian, gaussian, geometric, laplace, truncated_laplace

    scale = float(error.noise_scale)
    if noise == "truncated_laplace":
        bound = truncated_laplace.bound_from_epsilon(epsilon, delta, error.sensitivity)
        return truncated_laplace.sample(rng, bound, scale, n)
    family = {
        "laplace": laplace,
        "geometric": geometric,
        "gaussian": gaussian,
        "discrete_gaussian": discrete_gaussian,
    }[noise]
    return family.sample(rng, scale, size=n)


def test_a_half_width_below_the_bias_is_right_too():
    error = sum_error(SKEWED, 0, 1, 0.01, "laplace", significance=0.5)
    b, size = float(error.noise_scale), abs(float(error.bias))
    assert (
        error.half_width == pytest.approx(b * np.arcsinh(0.5 * np.exp(size / b)), rel=1e-9) or error.half_width > size
    )
    lattice = sum_error([5, 5, 5], 0, 1, 2.0, "geometric", significance=0.9)
    assert lattice.half_width <= abs(lattice.bias)


def test_wide_discrete_noise_has_the_mean_of_continuous_noise():
    wide, continuous = (sum_error([1.0], 0, 100_000, 1.0, noise) for noise in ("discrete_gaussian", "gaussian"))
    assert wide.mean_absolute_error == pytest.approx(continuous.mean_absolute_error, rel=1e-4)


def test_arrays_of_bounds_and_epsilon_broadcast():
    error = sum_error(SKEWED, [[0], [1]], [50, 60, 70], 1.0)
    assert error.bias.shape == error.half_width.shape == (2, 3)
    single = sum_error(SKEWED, 1, 60, 1.0)
    assert error.half_width[1, 1] == pytest.approx(single.half_width)


def test_under_replacement_the_sensitivity_is_the_width():
    assert sum_error(SKEWED, -10, 60, 1.0, neighbours="replace").sensitivity == 70


def test_a_mean_of_a_public_number_is_the_sum_over_it():
    total, mean = sum_error(SKEWED, 0, 60, 1.0), mean_error(SKEWED, 0, 60, 1.0)
    assert mean.half_width * 400 == pytest.approx(total.half_width)
    assert mean.root_mean_square_error * 400 == pytest.approx(total.root_mean_square_error)
    assert mean.n_clipped == total.n_clipped


@pytest.mark.parametrize("noise", ["laplace", "gaussian"])
def test_a_mean_whose_number_is_counted_has_the_simulated_error(noise):
    rng, draws = np.random.default_rng(2), 50_000
    error = mean_error(NUMBERS, 0, 900, 2.0, noise, delta=1e-3, count_share=0.3)
    sums = noise_of(noise, np.array(1.4), 7e-4, np.array(450.0))
    counts = noise_of(noise, np.array(0.6), 3e-4, np.array(1.0))
    sample = rng.laplace if noise == "laplace" else rng.normal
    centred = np.sum(np.clip(NUMBERS, 0, 900) - 450) + sample(0, sums.scale, draws)
    release = 450 + centred / (1000 + sample(0, counts.scale, draws))
    errors = release - NUMBERS.mean()
    assert np.sqrt(np.mean(errors**2)) == pytest.approx(error.root_mean_square_error, rel=0.02)
    assert np.mean(abs(errors)) <= error.mean_absolute_error * 1.01
    assert np.mean(abs(errors) > error.half_width) <= 0.051


@pytest.mark.parametrize("error", ["root_mean_square", "mean_absolute", "half_width"])
def test_no_bound_of_a_fine_grid_is_better_for_a_mean_whose_number_is_counted(error):
    best = best_bounds(SKEWED, 1.0, low=0, error=error, count_share=0.2)
    name = error if error == "half_width" else f"{error}_error"
    grid = mean_error(SKEWED, 0, np.arange(1.0, 500), 1.0, count_share=0.2)
    assert getattr(best, name) <= getattr(grid, name).min() * (1 + 1e-9)
    assert getattr(best, name) == pytest.approx(
        float(getattr(mean_error(SKEWED, 0, best.high, 1.0, count_share=0.2), name))
    )
    assert best.extreme_error / getattr(best, name) == pytest.approx(best.gain)


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
    grid = sum_error(SKEWED, 0, np.arange(1.0, 500), 1.0, noise, neighbours)
    assert best.root_mean_square_error <= grid.root_mean_square_error.min() * (1 + 1e-9)
    assert best.gain >= 1


@pytest.mark.parametrize("error", ["root_mean_square", "mean_absolute", "half_width"])
def test_both_bounds_and_the_lower_one_alone_are_found(error):
    both = best_bounds(SKEWED, 1.0, error=error)
    lower, upper = np.meshgrid(np.linspace(1, 60, 15), np.linspace(61, 400, 15))

    def size(low, high):
        return error_size(error, Data(SKEWED), low, high, 1.0, "laplace", "add_remove", 1e-6, 0.05, "gross")

    assert size(both.low, both.high) <= size(lower, upper).min() * (1 + 1e-9)
    assert both.low < 5 < 60 < both.high
    low = best_bounds(-SKEWED, 1.0, high=0, error=error)
    mirrored = best_bounds(SKEWED, 1.0, low=0, error=error)
    assert low.low == pytest.approx(-mirrored.high, rel=1e-6)
    assert low.high == 0


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


def test_a_private_quantile_has_the_density_of_the_exponential_mechanism():
    rng, values = np.random.default_rng(5), np.array([1.0, 3.0, 4.0, 9.0])
    draws = np.array([private_quantile(rng, values, 0.5, 1.0, 0, 10) for _ in range(5000)])
    widths, ranks = np.array([1, 2, 1, 5, 1]), np.arange(5)
    chance = widths * np.exp(-abs(ranks - 2) / 2)
    counts = np.histogram(draws, [0, 1, 3, 4, 9, 10])[0]
    assert counts / 5000 == pytest.approx(chance / chance.sum(), abs=4 * 0.5 / np.sqrt(5000))


def test_a_private_quantile_satisfies_its_guarantee_for_a_person_removed_or_replaced():
    from dpcore.clipping.quantile import _intervals

    values, points = np.array([1.0, 3.0, 4.0, 9.0]), np.linspace(0.05, 9.95, 100)

    def density(data):
        parts = _intervals(Data(data), 0.8, 0.7, 0.0, 10.0)
        place = np.searchsorted(parts.start, points, side="right") - 1
        return parts.chance[place] / parts.width[place]

    for place in range(4):
        others = np.delete(values, place), *(np.append(np.delete(values, place), new) for new in (0.0, 5.0, 10.0))
        for neighbour in others:
            assert np.max(abs(np.log(density(values) / density(neighbour)))) <= 0.7 * (1 + 1e-12)


@pytest.mark.parametrize("noise", ["laplace", "gaussian", "truncated_laplace"])
def test_the_error_of_a_private_bound_is_that_of_simulated_releases(noise):
    rng, n = np.random.default_rng(9), 4000
    expected = float(quantile_bound_error(SKEWED, 0.95, 1.0, 1000, 0.3, noise, 1e-4))
    bounds = np.array([private_quantile(rng, SKEWED, 0.95, 0.3, 0, 1000) for _ in range(n)])
    unit = sum_error([0.0], 0, 1, 0.7, noise, delta=1e-4)
    draws = _draws(noise, rng, unit, n, 0.7, 1e-4)
    sums = np.minimum(SKEWED[:, None], bounds).sum(axis=0) + bounds * draws
    squares = (sums - SKEWED.sum()) ** 2
    assert np.mean(squares) == pytest.approx(expected**2, abs=4 * squares.std() / np.sqrt(n))


def test_the_best_share_is_the_best_of_its_grid():
    share, quantile = best_share(NUMBERS, 1.0, 10_000)
    least = float(quantile_bound_error(NUMBERS, quantile, 1.0, 10_000, share))
    assert least <= quantile_bound_error(NUMBERS, [0.94, 0.95, 0.96], 1.0, 10_000, [[0.1], [0.3], [0.5]]).min()
    gaussian = best_share(NUMBERS, 1.0, 10_000, noise="gaussian", delta=1e-5)
    assert quantile_bound_error(NUMBERS, gaussian[1], 1.0, 10_000, gaussian[0], "gaussian", 1e-5) > least
    fixed, aim = best_share(NUMBERS, 1.0, 10_000, quantile=0.9)
    assert aim == 0.9
    assert 0 < fixed < 1


@pytest.mark.parametrize("noise", NOISES)
def test_a_contribution_limit_drops_records_and_costs_noise(noise):
    records, limits = [1, 1, 2, 5, 20], np.array([1, 2, 5, 20])
    error = contribution_error(records, limits, 1.0, noise, n_cells=30)
    assert error.dropped.tolist() == [24, 21, 15, 0]
    assert error.dropped_share[0] == pytest.approx(24 / 29)
    assert np.all(np.diff(error.noise_scale) > 0)
    assert error.total_error == pytest.approx(np.hypot(error.dropped, error.total_deviation))
    assert error.cell_bias == pytest.approx(-error.dropped / 30)
    assert np.all(error.all_half_width > error.cell_half_width)


def test_noise_of_a_contribution_limit_is_for_all_cells_of_a_person():
    limits = np.array([1, 4, 9])
    laplace, gaussian = (contribution_error([9], limits, 0.5, noise, n_cells=20) for noise in ("laplace", "gaussian"))
    assert laplace.noise_scale == pytest.approx(limits / 0.5)
    assert gaussian.noise_scale / gaussian.noise_scale[0] == pytest.approx(np.sqrt(limits))
    same_cell = contribution_error([9], limits, 0.5, "gaussian", n_cells=20, spread="one_cell")
    assert same_cell.noise_scale / same_cell.noise_scale[0] == pytest.approx(limits)
    assert contribution_error([9], 9, 0.5, "gaussian", n_cells=4).noise_scale == same_cell.noise_scale[2]


def test_weights_lose_as_much_as_random_dropping_and_add_no_variance():
    random, weighted = (contribution_error([5, 20], 5, 1.0, n_cells=30, dropping=way) for way in ("random", "weight"))
    assert random.dropped == weighted.dropped == 15
    assert random.cell_deviation**2 - weighted.cell_deviation**2 == pytest.approx(20 * 0.25 * 0.75 / 30)


@pytest.mark.parametrize(
    "records", [[1, 1, 2, 5, 20], np.random.default_rng(1).geometric(0.002, 300), zipf_records(1.5, 3000, 900)]
)
@pytest.mark.parametrize("error", ["total_error", "cell_half_width"])
def test_the_best_limit_is_the_best_of_all(records, error):
    best = best_limit(records, 1.0, n_cells=50, error=error)
    limits = np.arange(1, 5001)
    sizes = getattr(contribution_error(records, limits, 1.0, n_cells=50), error)
    assert sizes[best - 1] <= sizes.min() * (1 + 1e-9)


def test_distributions_of_records_have_their_people_and_means():
    assert zipf_records(1.2, 500, 1000).n_people.sum() == pytest.approx(1000)
    many = geometric_records(3, 1000)
    assert (many.n_people.sum(), many.records @ many.n_people) == pytest.approx((1000, 3000), rel=1e-5)
    assert geometric_records(1, 7).n_people.tolist() == [7]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: sum_error([1], 0, 1, 0), "epsilon must be in [1e-12, 1e6], got 0"),
        (lambda: sum_error([np.nan], 0, 1, 1), "values must be in [-1e15, 1e15], got nan"),
        (lambda: sum_error([], 0, 1, 1), "the number of values must be in [1, 1e12], got 0"),
        (lambda: sum_error([1], 1, 0, 1), "high must be in (low, 1e15], got 0"),
        (
            lambda: sum_error([1], 0, 1.5, 1, "geometric"),
            "high must be in the whole numbers, as low, for noise on the whole numbers, got 1.5",
        ),
        (lambda: sum_error([1], 0, 1, 1, "staircase"), f"noise must be in {', '.join(NOISES)}, got 'staircase'"),
        (lambda: mean_error([1], 0, 1, 1, count_share=1), "count_share must be in (0, 1), got 1"),
        (
            lambda: mean_error([1], 0, 1, 1, "geometric", count_share=0.5),
            "noise must be in laplace, gaussian, truncated_laplace, got 'geometric'",
        ),
        (lambda: sum_error([1], 0, 1, 1, bias="none"), "bias must be in net, gross, got 'none'"),
        (
            lambda: quantile_bound_error([1], 0.5, 1, 1, 0.5, "geometric"),
            "noise must be in laplace, gaussian, truncated_laplace, got 'geometric'",
        ),
        (lambda: best_bounds([1], 1, low=2, high=1), "high must be in (low, inf), got 1"),
        (
            lambda: private_quantile(np.random.default_rng(), normal(0, 1, 5), 0.5, 1, 0, 1),
            "values must be data, got normal",
        ),
        (lambda: private_quantile(np.random.default_rng(), [1], 0.5, 1, 1, 1), "high must be in (low, 1e15], got 1"),
        (lambda: quantile_bound_error([-1], 0.5, 1, 1, 0.5), "values must be in [0, 1e15], got -1"),
        (lambda: uniform(1, 1, 5), "high − low must be in [1e-9, 2e12], got 0"),
        (lambda: contribution_error([1], 0, 1), "limit must be in [1, 1e6], got 0"),
        (
            lambda: contribution_error([1], 1, 1, "geometric", dropping="weight"),
            "noise must be in laplace, gaussian, truncated_laplace, got 'geometric'",
        ),
        (
            lambda: best_limit([1], 1, error="dropped"),
            "error must be in total_error, cell_error, cell_half_width, all_half_width, got 'dropped'",
        ),
    ],
)
def test_what_cannot_be_clipped_is_refused_in_a_sentence(call, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        call()


@pytest.mark.parametrize("neighbours", ["add_remove", "replace"])
def test_both_whole_bounds_are_the_best_of_all_pairs_and_huge_epsilon_leaves_no_error(neighbours):
    values = np.array([-9, -3, -2, 0, 1, 1, 2, 2, 3, 5, 30])
    best = best_bounds(values, 1.0, noise="geometric", neighbours=neighbours)
    low, high = (axis.ravel() for axis in np.meshgrid(np.arange(-9, 30), np.arange(-8, 31)))
    pairs = sum_error(values, low[low < high], high[low < high], 1.0, "geometric", neighbours, bias="gross")
    assert best.root_mean_square_error == pytest.approx(pairs.root_mean_square_error.min())
    exact = best_bounds([5, 5], 1e6, noise="geometric", neighbours=neighbours)
    assert (exact.root_mean_square_error, exact.gain) == (0, 1)


def test_values_that_stand_for_several_people_have_the_error_of_all_of_them():
    sample, people = SKEWED[:40], np.repeat(SKEWED[:40], 50)
    for noise in ("laplace", "gaussian"):
        sampled = quantile_bound_error(sample, 0.97, 0.5, 500, 0.3, noise, weight=50)
        assert sampled == pytest.approx(quantile_bound_error(people, 0.97, 0.5, 500, 0.3, noise), rel=0.05)
