"""The errors of sums of clipped values."""

import numpy as np
import pytest
from scipy import stats
from scipy.integrate import quad

from dpcore.clipping import (
    NOISES,
    exponential,
    lognormal,
    normal,
    pareto,
    sum_error,
    uniform,
)
from tests.clipping_cases import SKEWED, delta_of, noise_samples

DISTRIBUTIONS = [
    (lognormal(1, 0.8, 50), stats.lognorm(0.8, scale=np.exp(1))),
    (normal(3, 2, 50), stats.norm(3, 2)),
    (exponential(2, 50), stats.expon(scale=2)),
    (pareto(2.5, 1.5, 50), stats.pareto(2.5, scale=1.5)),
    (uniform(-1, 6, 50), stats.uniform(-1, 7)),
]


@pytest.mark.parametrize(("known", "law"), DISTRIBUTIONS, ids=lambda value: getattr(value, "name", ""))
@pytest.mark.parametrize("bound", [-2.0, 1.4, 9.0])
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
    rng, n = np.random.default_rng(7), 20_000
    error = sum_error(SKEWED, low, high, 0.8, noise, delta=delta_of(noise, 0.01), significance=0.1)
    clipped = np.clip(SKEWED, low, high).sum() - SKEWED.sum()
    assert error.bias == pytest.approx(clipped)
    assert error.n_clipped == np.sum((low > SKEWED) | (high < SKEWED))
    assert error.sensitivity == max(abs(low), high)
    draws = noise_samples(noise, rng, error, n)
    errors = abs(clipped + draws)
    spread = 4 / np.sqrt(n)
    assert np.mean(errors) == pytest.approx(error.mean_absolute_error, abs=spread * errors.std())
    assert np.sqrt(np.mean(errors**2)) == pytest.approx(
        error.root_mean_square_error, abs=spread * (errors**2).std() / error.root_mean_square_error
    )
    assert np.mean(errors > error.half_width * (1 + 1e-9)) <= 0.1 + spread
    assert np.mean(errors > error.half_width * (1 - 1e-9) - 1) >= 0.1 - spread


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


def test_one_entry_of_errors_at_many_bounds_is_the_error_at_that_bound():
    errors, single = sum_error(SKEWED, 0, [50, 60, 70], 1.0), sum_error(SKEWED, 0, 60, 1.0)
    entry = errors.at(1)
    for name in ("high", "bias", "noise_scale", "root_mean_square_error", "half_width", "n_clipped"):
        assert getattr(entry, name) == pytest.approx(float(getattr(single, name)), rel=1e-12), name
