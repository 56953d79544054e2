import re

import mpmath
import numpy as np
import pytest
from flint import arb, ctx
from scipy.stats import chisquare, norm

from dpcore import gaussian
from dpcore.verify import formulas
from tests import oracle
from tests.oracle import ULP, Numbers


def some_places(n: int, seed: int) -> tuple[Numbers, Numbers]:
    """Distances and σ, from the centre to where a tail is about 1e-307."""
    rng = np.random.default_rng(seed)
    sigma = 10 ** rng.uniform(-140, 140, n)
    return sigma * np.append(rng.uniform(0, 37.4, n // 2), 10 ** rng.uniform(-20, 1, n - n // 2)), sigma


def test_density_is_right_by_mpmath_from_the_centre_to_1e_307():
    distance, sigma = some_places(3000, seed=1)
    for x, s, density in zip(distance, sigma, gaussian.pdf(-distance, sigma), strict=True):
        place = mpmath.mpf(x) / mpmath.mpf(s)
        true = mpmath.npdf(place) / mpmath.mpf(s)
        assert density < 1e-307 or abs(density / true - 1) <= (6 + 2 * place**2) * ULP


def test_distribution_function_is_right_by_mpmath_from_one_tail_to_the_other():
    distance, sigma = some_places(3000, seed=2)
    for x, s, left, right in zip(
        distance, sigma, gaussian.cdf(-distance, sigma), gaussian.cdf(distance, sigma), strict=True
    ):
        place = mpmath.mpf(x) / mpmath.mpf(s)
        tail = mpmath.erfc(place / mpmath.sqrt(2)) / 2
        assert left < 1e-307 or abs(left / tail - 1) <= (10 + 2 * place**2) * ULP
        assert abs(right - (1 - tail)) <= 4 * ULP


def test_tail_is_never_below_the_true_value_and_close_to_it_by_interval_arithmetic():
    t, sigma = some_places(4000, seed=3)
    for reach, s, probability in zip(t, sigma, gaussian.tail(t, sigma), strict=True):
        with ctx.workprec(256):
            true = 2 * formulas.upper_tail(arb(float(reach)) / arb(float(s)))
        assert oracle.is_at_least(probability, true)
        assert oracle.relative_excess(probability, true) <= (20 + 2 * (reach / s) ** 2) * ULP


def test_tail_is_1_without_a_distance_and_the_smallest_double_far_out():
    assert gaussian.tail(0, [5e-324, 1, 1e300]).tolist() == [1, 1, 1]
    assert gaussian.tail(5e-324, [1, 1e300]).tolist() == [1, 1]
    assert gaussian.tail([40, 1e300], [1, 5e-324]).tolist() == [5e-324, 5e-324]
    with mpmath.workdps(400):
        for t in (38.0, 38.4):
            assert 2 * mpmath.ncdf(-t) <= float(gaussian.tail(t, 1)) <= 2 * mpmath.ncdf(-t) * (1 + 1e-9) + 1e-323


def test_tail_of_the_half_width_is_at_most_the_significance_up_to_its_rounding():
    significance = np.append(np.geomspace(1e-300, 0.9, 400), 1 - np.geomspace(1e-16, 0.1, 50))
    t = gaussian.half_width(significance, 2.5)
    assert np.all(gaussian.tail(t, 2.5) <= significance * (1 + (20 + 8 * (t / 2.5) ** 2) * ULP))
    assert gaussian.tail(t, 2.5) == pytest.approx(significance, rel=1e-11, abs=0)


def test_half_width_grows_with_sigma_and_keeps_to_the_order_of_its_arguments():
    assert gaussian.half_width(0.05, 2) == pytest.approx(2 * 1.959963984540054, rel=1e-15)
    assert gaussian.half_width(0.05, [1e-300, 1e300]) == pytest.approx([1.959963984540054e-300, 1.959963984540054e300])


def test_the_distribution_is_that_of_scipy():
    x, sigma = np.linspace(-30, 30, 121), np.array([[0.9], [1.7], [7]])
    assert gaussian.pdf(x, sigma) == pytest.approx(norm.pdf(x, scale=sigma), rel=1e-12)
    assert gaussian.cdf(x, sigma) == pytest.approx(norm.cdf(x, scale=sigma), rel=1e-12)
    assert gaussian.tail(abs(x), sigma) == pytest.approx(2 * norm.sf(abs(x), scale=sigma), rel=1e-12)
    assert gaussian.variance(sigma) == pytest.approx(norm.var(scale=sigma))
    assert gaussian.mean_absolute_error(sigma) == pytest.approx(sigma * norm.expect(abs))


def test_moments_are_those_of_the_tail():
    with mpmath.workdps(30):
        ends = [0, 2, 10, 60]
        mean = mpmath.quad(lambda t: mpmath.erfc(t / 2 / mpmath.sqrt(2)), ends)
        square = mpmath.quad(lambda t: 2 * t * mpmath.erfc(t / 2 / mpmath.sqrt(2)), ends)
    moments = [gaussian.mean_absolute_error(2), gaussian.variance(2)]
    assert moments == pytest.approx(np.array([mean, square], dtype=np.float64), rel=1e-15)


def test_a_million_draws_follow_the_distribution():
    draws = gaussian.sample(np.random.default_rng(5), 2.5, 10**6)
    edges = norm.ppf(np.linspace(0, 1, 101)[1:-1], scale=2.5)
    counts = np.bincount(np.searchsorted(edges, draws), minlength=100)
    assert chisquare(counts).pvalue > 1e-3


def test_the_ends_of_the_domain_give_finite_numbers():
    ends = np.array([1e-300, 1.0, 1e300])
    for x in (-1.7e308, -5e-324, 0.0, 1.7e308):
        for value in (gaussian.pdf(x, ends), gaussian.cdf(x, ends), gaussian.tail(abs(x), ends)):
            assert np.all(np.isfinite(value) & (value >= 0))
    assert np.all(np.isfinite(gaussian.half_width(1e-300, ends)))
    assert np.all(np.isfinite(gaussian.mean_absolute_error(ends)))
    assert np.all(np.isfinite(gaussian.variance([1e-150, 1e150])))
    assert np.all(np.isfinite(gaussian.sample(np.random.default_rng(1), ends, (100, 3))))


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: gaussian.pdf(np.inf, 1), "x must be in (-inf, inf), got inf"),
        (lambda: gaussian.pdf(1, 1e-301), "sigma must be in [1e-300, 1e300], got 1e-301"),
        (lambda: gaussian.cdf(0, 0), "sigma must be in (0, 1e300], got 0"),
        (lambda: gaussian.tail(-1, 1), "t must be in [0, inf), got -1"),
        (lambda: gaussian.half_width(0, 1), "significance must be in [1e-300, 1), got 0"),
        (lambda: gaussian.half_width(0.5, 2e300), "sigma must be in (0, 1e300], got 2e+300"),
        (lambda: gaussian.variance(1e200), "sigma must be in [1e-150, 1e150], got 1e+200"),
        (lambda: gaussian.mean_absolute_error("1"), "sigma must be in (0, 1e300], got '1'"),
        (lambda: gaussian.sample(np.random.default_rng(1), -1), "sigma must be in (0, 1e300], got -1"),
    ],
)
def test_bad_input_is_refused_in_one_sentence(call, sentence):
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        call()
