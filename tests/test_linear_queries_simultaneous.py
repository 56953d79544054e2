"""Half-widths of all numbers at once beside independent simulations, closed forms, and the bounds that they replace."""

from itertools import product

import numpy as np
import pytest
from scipy.stats import binom, norm

from dpcore.accuracy import each_significance
from dpcore.families import FAMILIES
from dpcore.linear_queries import (
    NOISES,
    Errors,
    best_errors,
    error,
    half_widths,
    half_widths_of_scale,
    largest_half_width,
    least_epsilon,
    noise_scale,
    simultaneous_half_widths,
    simultaneous_half_widths_of_scale,
)
from dpcore.linear_queries.errors import noise_weights
from dpcore.linear_queries.simultaneous import _order_statistic, sampler
from tests.linear_factors import factors

WHOLE = "discrete_gaussian", "geometric"


def strategies(noise: str) -> tuple[str, ...]:
    """Return strategies with errors that are correlated."""
    sums = "per_period", "tree", "binary_tree"
    return sums if noise in WHOLE else (*sums, "square_root", "normalized_square_root")


def draws(noise: str, scale: float, size: tuple[int, int], rng: np.random.Generator) -> np.ndarray:
    """Return noise by other samplers than those of the half-widths."""
    if noise == "gaussian":
        return rng.normal(0, scale, size)
    if noise == "laplace":
        return rng.laplace(0, scale, size)
    if noise == "geometric":
        return rng.geometric(-np.expm1(-1 / scale), size) - rng.geometric(-np.expm1(-1 / scale), size).astype(float)
    values = np.arange(-int(15 * scale) - 1, int(15 * scale) + 2)
    mass = np.exp(-((values / scale) ** 2) / 2)
    return rng.choice(values, size, p=mass / mass.sum()).astype(float)


def inside_of(noise: str, widths: np.ndarray) -> np.ndarray:
    """Return the probability that noise of scale 4 is within a half-width."""
    if noise == "gaussian":
        return 1 - 2 * norm.sf(widths / 4)
    if noise == "laplace":
        return 1 - np.exp(-widths / 4)
    values = np.arange(-80, 81)
    mass = np.exp(-abs(values) / 4) if noise == "geometric" else np.exp(-((values / 4) ** 2) / 2)
    return np.array([mass[abs(values) <= width].sum() for width in widths]) / mass.sum()


def share_outside(errors: Errors, scale: float, widths: np.ndarray, n_releases: int = 40_000) -> float:
    """Return the share of simulated releases with a number beyond its half-width."""
    rng, sums = np.random.default_rng(8), factors(errors.workload, errors.strategy, *errors.options)
    outside = 0
    for _ in range(0, n_releases, 4000):
        added = draws(errors.noise, scale, (4000, len(sums[0])), rng) @ sums[1].T
        outside += int((abs(added) > widths * (1 + 1e-9)).any(axis=1).sum())
    return outside / n_releases


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize(("name", "n"), [("running_totals", 12), ("window", 30), ("ranges", 9), ("year_to_date", 24)])
def test_all_numbers_are_inside_as_often_as_stated(noise, name, n):
    """Never less but for the errors of both simulations; and nearly so, but for steps of whole noise and few draws."""
    window = 5 if name in ("window", "year_to_date") else None
    for strategy, alpha in product(strategies(noise), (0.05, 0.3)):
        errors = error(name, strategy, n, noise=noise, window=window)
        found = simultaneous_half_widths_of_scale(errors, 3.0, alpha)
        assert not found.is_exact
        assert (found.doubt > 0) == (found.n_draws > 0)
        assert found.n_draws or (noise == "laplace" and strategy.endswith("square_root"))  # of which a bound is less
        share, spread = share_outside(errors, 3.0, found.half_widths), np.sqrt(alpha * (1 - alpha) / 40_000)
        assert share <= alpha + 4 * spread
        low = binom.ppf(1e-9, found.n_draws, alpha) / max(found.n_draws, 1)
        assert noise in WHOLE or not found.n_draws or share >= low - 4 * spread  # 1e-3 and 4.9 standard errors


@pytest.mark.parametrize("noise", NOISES)
def test_independent_numbers_are_inside_exactly(noise):
    for name, strategy in (("each", "per_period"), ("running_totals", "per_number"), ("ranges", "per_number")):
        errors = error(name, strategy, 7, noise=noise)
        found, m = simultaneous_half_widths_of_scale(errors, 4.0, 0.1), errors.workload.first.size
        assert (found.is_exact, found.n_draws) == (True, 0)
        inside = inside_of(noise, found.half_widths)
        assert np.prod(inside) >= 0.9 * (1 - 1e-9)
        assert noise in WHOLE or np.prod(inside) == pytest.approx(0.9, rel=1e-9)
        assert found.half_widths == pytest.approx(half_widths_of_scale(errors, 4.0, float(each_significance(0.1, m))))
    alone = error("running_totals", "tree", 1, noise=noise)
    assert simultaneous_half_widths_of_scale(alone, 4.0).half_widths == half_widths_of_scale(alone, 4.0)


@pytest.mark.parametrize("noise", NOISES)
def test_the_largest_lies_between_that_of_one_number_and_that_of_a_bound(noise):
    delta = 1e-6 if "gaussian" in noise else 0.0
    for strategy, n in product(strategies(noise), (12, 36)):
        months = error("running_totals", strategy, n, 2, noise=noise)
        found = simultaneous_half_widths(months, 0.7, delta).half_widths
        bound = float(each_significance(0.05, n)) if noise == "gaussian" else 0.05 / n
        highest = largest_half_width(months, 0.7, delta, bound) * (1 + 1e-12)
        assert largest_half_width(months, 0.7, delta) < found.max() <= highest
        if noise == "laplace" and strategy.endswith("square_root"):
            continue  # a bound is less
        steps = 1 / found.max() if noise in WHOLE else 1e-9
        assert found / found.max() == pytest.approx(np.sqrt(months.each / months.largest), abs=steps)


def test_the_largest_of_running_totals_are_the_check_values():
    """By 20,000 draws each of all errors; the half-widths in proportion to √‖L‖, in σ of a person's σ."""
    for strategy, n, low, high in (
        ("per_period", 36, 13.4, 14.4),
        ("normalized_square_root", 36, 6.13, 6.27),
        ("per_period", 365, 44, 49),
        ("normalized_square_root", 365, 9.95, 10.4),
    ):
        months = error("running_totals", strategy, n)
        assert low < simultaneous_half_widths_of_scale(months, months.sensitivity).half_widths.max() < high


@pytest.mark.parametrize(
    ("noise", "name", "n", "alpha"),
    [("laplace", "running_totals", 36, 1e-3), ("gaussian", "ranges", 120, 0.05), ("geometric", "each", 700, 0.2)],
)
def test_where_a_simulation_would_take_too_long_it_is_a_bound(noise, name, n, alpha):
    errors = error(name, "tree", n, noise=noise)
    found, m = simultaneous_half_widths_of_scale(errors, 2.0, alpha), errors.workload.first.size
    each = float(each_significance(alpha, m)) if noise == "gaussian" else alpha / m
    assert (found.is_exact, found.n_draws, found.doubt) == (False, 0, 0.0)
    assert found.half_widths.tolist() == half_widths_of_scale(errors, 2.0, each).tolist()


def test_normal_errors_are_simulated_at_small_significances_too():
    months = error("running_totals", "normalized_square_root", 24)
    widths = [simultaneous_half_widths_of_scale(months, 1.0, alpha).half_widths.max() for alpha in (1e-3, 1e-6)]
    bounds = [half_widths_of_scale(months, 1.0, float(each_significance(alpha, 24))).max() for alpha in (1e-3, 1e-6)]
    assert all(0.95 * bound < width < bound for width, bound in zip(widths, bounds, strict=True))


@pytest.mark.parametrize("scale", [0.3, 1.0, 7.0, 2_000.0])
def test_the_noise_of_simulations_has_the_moments_of_the_noise(scale):
    for noise in NOISES:
        drawn = sampler(noise, scale, np.random.default_rng(3))(400_000).astype(np.float64)
        variance = {"gaussian": 1.0, "laplace": 2.0}.get(noise) or FAMILIES[noise].functions.variance(scale) / scale**2
        spread = np.sqrt((np.mean(drawn**4) - variance**2) / 400_000)
        assert np.mean(drawn**2) == pytest.approx(variance, abs=4 * spread + 1e-6)
        assert abs(np.mean(drawn)) <= 5 * np.sqrt(variance / 400_000) + 1e-9
        steps = drawn * scale
        assert noise not in WHOLE or abs(steps - np.rint(steps)).max() <= 1e-6 * np.abs(steps).max() + 1e-6


def test_an_order_statistic_is_too_small_as_seldom_as_stated():
    sizes = np.random.default_rng(4).normal(size=(20_000, 400))
    found = np.array([_order_statistic(row, 400, 0.2) for row in sizes])
    too_small = (2 * norm.sf(found) > 2 * 0.2).mean()
    assert too_small <= 1e-3 + 4 * np.sqrt(1e-3 / 20_000)
    assert _order_statistic(sizes[0, :3], 400, 0.2) <= 0


@pytest.mark.parametrize("noise", NOISES)
def test_the_least_epsilon_and_the_best_strategy_of_all_at_once(noise):
    delta = 1e-6 if "gaussian" in noise else 0.0
    every = [error("running_totals", name, 12, 2, noise=noise) for name in ("per_number", *strategies(noise))]
    largest = [simultaneous_half_widths(errors, 0.8, delta).half_widths.max() for errors in every]
    assert best_errors(every, 0.8, delta, simultaneous=True) is every[int(np.argmin(largest))]
    for errors, width in product(every, (9.5, 41.0)):
        least = least_epsilon(errors, width, delta, simultaneous=True)
        assert simultaneous_half_widths(errors, least, delta).half_widths.max() <= width
        less = least * (1 - (1.5 / width if noise in WHOLE else 1e-8))  # a step, or rounding
        assert simultaneous_half_widths(errors, less, delta).half_widths.max() > width
    with pytest.raises(ValueError, match=r"half_width must be in \["):
        least_epsilon(every[1], 1e99, delta, simultaneous=True)


def test_whole_noise_that_is_almost_always_0_has_half_widths_of_0():
    for noise, strategy in product(WHOLE, ("per_period", "binary_tree")):
        months = error("running_totals", strategy, 6, noise=noise)
        assert simultaneous_half_widths_of_scale(months, 0.05).half_widths.tolist() == [0.0] * 6
        assert noise_scale(months, 1, 1e-6) > 0.05
        assert (half_widths(months, 1, 1e-6) > 0).all()
        assert noise_weights(*months.asked).any()
