"""A survey with a trusted office: its errors, and the least ε and number of people for a wanted one."""

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.special import ndtri

from dpcore import local


def test_the_epsilon_of_the_office_is_enough_for_the_wanted_error_and_no_smaller_one_is():
    wanted, d, n = (
        np.array([1e-12, 1e-4, 0.03, 1]),
        np.array([[2], [3], [1e9]]),
        np.array([[[10]], [[50_000]], [[1e12]]]),
    )
    for alpha in (1e-300, 0.05, 0.9):
        epsilon = local.curator_epsilon(wanted, d, n, alpha)
        found = np.isfinite(epsilon)
        filled = np.where(found, epsilon, 1.0)
        assert (local.curator_half_width(filled, d, n, alpha) <= wanted)[found].all()
        searched = found & (epsilon > 1e-12)
        fewer = np.where(searched, filled * (1 - 1e-14), 1.0)
        assert (local.curator_half_width(fewer, d, n, alpha) > wanted)[searched].all()
        assert (local.curator_half_width(1e6, d, n, alpha) > np.broadcast_to(wanted, found.shape))[~found].all()
    assert np.isnan(local.curator_epsilon(1e-12, 2, 10))
    with pytest.raises(ValueError, match=r"half_width must be in \[1e-12, 1\], got 0"):
        local.curator_epsilon(0, 2, 10)


@pytest.mark.parametrize(("epsilon", "share"), [(0.05, 0.3), (1.0, 0.3), (0.02, 0.01)])
def test_of_a_population_the_office_misses_its_error_as_often_as_stated(epsilon, share):
    rng, n, draws, alpha = np.random.default_rng(5), 2000, 40_000, 0.1
    size = local.curator_population_half_width(epsilon, 2, n, share, alpha)
    published = (
        rng.normal(n * share, np.sqrt(n * share * (1 - share)), draws) + rng.laplace(scale=1 / epsilon, size=draws)
    ) / n
    missed = np.mean(abs(published - share) > size)
    assert abs(missed - alpha) <= 4 * np.sqrt(alpha / draws)
    assert size >= local.curator_half_width(epsilon, 2, n, alpha)
    assert local.curator_population_half_width(epsilon, 2, n, 0, alpha) == local.curator_half_width(
        epsilon, 2, n, alpha
    )
    tiny = local.curator_population_half_width(epsilon, 2, n, share, [1e-280, 1e-10, 1e-9, 1e-8])
    assert (np.diff(tiny) < 0).all()
    with pytest.raises(ValueError, match=r"share must be in \[0, 1\], got 2"):
        local.curator_population_half_width(1, 2, 10, 2)


@pytest.mark.parametrize("alpha", [0.3, 0.05, 1e-12])
@pytest.mark.parametrize("share", [0.0, 0.12, 0.5])
def test_so_many_people_of_a_population_are_enough_for_the_office_and_one_fewer_is_not(share, alpha):
    for wanted, epsilon, d in ((0.03, 1.0, 2), (0.002, 0.1, 20), (0.3, 3.0, 5)):
        n = float(local.curator_population_people(wanted, epsilon, d, share, alpha))
        assert local.curator_population_half_width(epsilon, d, n, share, alpha) <= wanted
        fewer = local.curator_population_half_width(epsilon, d, max(n - 1, 1), share, alpha)
        assert n == 1 or fewer > wanted * (1 - 1e-7)
    with pytest.raises(ValueError, match=r"half_width must be in \[1e-12, 1\], got 0"):
        local.curator_population_people(0, 1, 2, share)


def _missed(size: float, epsilon: float, d: int, n: int, share: float) -> float:
    """Return Pr(|X + L| > size) by the trapezoidal rule over the noise of the sampling."""
    deviation, scale = np.sqrt(share * (1 - share) / n), (1 if d == 2 else 2) / (epsilon * n)
    places = np.linspace(-9, 9, 40_001)
    density = np.exp(-(places**2) / 2) / np.sqrt(2 * np.pi)
    above, below = size - deviation * places, size + deviation * places
    tails = sum(np.where(x > 0, np.exp(-abs(x) / scale) / 2, 1 - np.exp(-abs(x) / scale) / 2) for x in (above, below))
    return float(np.trapezoid(density * tails, places))


@pytest.mark.parametrize("alpha", [0.3, 0.05])
@pytest.mark.parametrize(("share", "d", "n"), [(0.12, 2, 2000), (0.05, 20, 50_000), (0.5, 5, 300)])
def test_the_epsilon_of_the_office_for_a_population_is_that_of_an_integral(share, d, n, alpha):
    by_sampling = ndtri(1 - alpha / 2) * np.sqrt(share * (1 - share) / n)
    for wanted in (1.05 * by_sampling, 3 * by_sampling):
        epsilon = float(local.curator_population_epsilon(wanted, d, n, share, alpha))
        exact = brentq(lambda e, h=wanted: _missed(h, e, d, n, share) - alpha, 1e-4, 1e3, xtol=1e-12)
        assert epsilon == pytest.approx(exact, rel=1e-5)
        assert local.curator_population_half_width(epsilon, d, n, share, alpha) <= wanted
        assert local.curator_population_half_width(epsilon * 0.9999, d, n, share, alpha) > wanted
    assert np.isnan(local.curator_population_epsilon(0.99 * by_sampling, d, n, share, alpha))


def test_the_epsilon_for_a_population_without_sampling_or_at_a_tiny_significance_is_enough():
    known = 0.03, 2, 2000
    alone = local.curator_population_epsilon(*known, [0.0, 1.0])
    assert alone == pytest.approx(local.curator_epsilon(*known), rel=2e-8)
    rare = float(local.curator_population_epsilon(*known, 0.02, 1e-12))
    assert local.curator_population_half_width(rare, 2, 2000, 0.02, 1e-12) <= 0.03
    assert local.curator_population_half_width(0.999 * rare, 2, 2000, 0.02, 1e-12) > 0.03
    with pytest.raises(ValueError, match=r"n_people must be a whole number|n_people must be in"):
        local.curator_population_epsilon(0.1, 2, 0, 0.5)
