"""Densities, masses, moments and draws of bounded releases against mpmath, quadrature and chi-square tests."""

from itertools import pairwise

import mpmath
import numpy as np
import pytest
from mpmath import mpf
from scipy.integrate import fixed_quad
from scipy.stats import chi2

from dpcore.generalized_gaussian.bounded_distributions import (
    boundary_inflated_cdf,
    boundary_inflated_masses,
    boundary_inflated_moments,
    boundary_inflated_pdf,
    boundary_inflated_sample,
    truncated_cdf,
    truncated_moments,
    truncated_pdf,
    truncated_sample,
)

DISTRIBUTIONS = [
    (truncated_pdf, truncated_cdf, truncated_moments),
    (boundary_inflated_pdf, boundary_inflated_cdf, boundary_inflated_moments),
]


DIGITS = 50
pytestmark = pytest.mark.usefixtures("many_digits")


def lower(t, p, k=0):
    """∫_0^t u^k e^{−u^p} du."""
    return mpmath.gammainc(mpf(k + 1) / p, 0, t**p) / p if t > 0 else mpf(0)


def upper(t, p, k=0):
    return mpmath.gammainc(mpf(k + 1) / p, t**p) / p


def some_releases(n, seed):
    rng = np.random.default_rng(seed)
    p = np.where(rng.random(n) < 0.3, rng.integers(1, 4, n), 10 ** rng.uniform(0, 2, n))
    scale = np.where(rng.random(n) < 0.6, 10 ** rng.uniform(-1.5, 1, n), 10 ** rng.uniform(-12, 12, n))
    high = 10 ** rng.uniform(-2, 2, n)
    part = rng.choice([0, 0.5, 1, -1], n)
    return np.where(part < 0, rng.random(n), part) * high, high, p, scale


def true_moments(s, high, p, b, bit):
    """Bias, mean square and variance of the truncated or BIT release on [0, high]."""
    p, b = mpf(p), mpf(b)
    below, above = mpf(s) / b, (mpf(high) - mpf(s)) / b
    first, square = lower(above, p, 1) - lower(below, p, 1), lower(above, p, 2) + lower(below, p, 2)
    total = 2 * upper(mpf(0), p) if bit else lower(above, p) + lower(below, p)
    if bit:
        first += above * upper(above, p) - below * upper(below, p)
        square += above**2 * upper(above, p) + below**2 * upper(below, p)
    bias, mse = b * first / total, b**2 * square / total
    return bias, mse, mse - bias**2


@pytest.mark.parametrize("bit", [False, True])
def test_moments_are_their_integrals_for_noise_from_1e_14_to_1e_14_widths(bit):
    value, high, p, scale = some_releases(40, seed=10)
    moments = (boundary_inflated_moments if bit else truncated_moments)(value, scale, p, 0.0, high)
    for i in range(value.size):
        bias, mse, variance = true_moments(value[i], high[i], p[i], scale[i], bit)
        assert abs(moments.bias[i] - bias) <= 1e-13 * min(scale[i], high[i])
        assert float(moments.mse[i] / mse) == pytest.approx(1, abs=1e-12)
        assert float(moments.variance[i] / variance) == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize(("pdf", "cdf", "moments"), DISTRIBUTIONS)
@pytest.mark.parametrize("p", [1, 1.5, 2, 6])
@pytest.mark.parametrize("value", [-1.0, -0.3, 0.5, 2.0])
def test_density_and_masses_integrate_to_1_and_to_the_cdf_and_the_moments(pdf, cdf, moments, p, value):
    low, high, scale = -1.0, 2.0, 0.7
    arguments = value, scale, p, low, high
    masses = boundary_inflated_masses(*arguments) if pdf is boundary_inflated_pdf else (0.0, 0.0)

    def integral(power, end):
        points = sorted({low, *(x for x in (value, end) if low < x < high and x <= end), end})
        moment = (
            fixed_quad(lambda x: (x - value) ** power * pdf(x, *arguments), *span, n=200) for span in pairwise(points)
        )
        return sum(part for part, _ in moment)

    assert abs(integral(0, high) + sum(masses) - 1) < 1e-9
    for x in (-0.9, 0.6, 1.9):
        assert abs(integral(0, x) + masses[0] - cdf(x, *arguments)) < 1e-9
    mean = integral(1, high) + masses[0] * (low - value) + masses[1] * (high - value)
    square = integral(2, high) + masses[0] * (low - value) ** 2 + masses[1] * (high - value) ** 2
    computed = moments(*arguments)
    pairs = (computed.bias, mean), (computed.mse, square), (computed.variance, square - mean**2)
    assert all(abs(number - true) < 1e-9 for number, true in pairs)


def test_densities_and_masses_are_their_formulas():
    value, high, p, scale = some_releases(100, seed=11)
    x = np.random.default_rng(12).uniform(0, 1, value.size) * high
    truncated, inside = (
        truncated_pdf(x, value, scale, p, 0.0, high),
        boundary_inflated_pdf(x, value, scale, p, 0.0, high),
    )
    masses = boundary_inflated_masses(value, scale, p, 0.0, high)
    for i in range(value.size):
        shape, b = mpf(p[i]), mpf(scale[i])
        below, above = mpf(value[i]) / b, (mpf(high[i]) - mpf(value[i])) / b
        kernel = mpmath.exp(-((abs(mpf(x[i]) - mpf(value[i])) / b) ** shape))
        pairs = [
            (truncated[i], kernel / b / (lower(below, shape) + lower(above, shape))),
            (inside[i], kernel / b / (2 * upper(mpf(0), shape))),
            (masses[0][i], upper(below, shape) / (2 * upper(mpf(0), shape))),
            (masses[1][i], upper(above, shape) / (2 * upper(mpf(0), shape))),
        ]
        assert all(true < 1e-290 or abs(float(computed / true - 1)) < 1e-10 for computed, true in pairs)


def test_cdfs_run_from_0_to_1_and_jump_by_the_masses_at_the_bounds():
    arguments = 0.3, 0.6, 2.0, 0.0, 1.0
    low_mass, high_mass = boundary_inflated_masses(*arguments)
    outside = [-1, -1e-12, 1, 2]
    assert truncated_cdf(outside, *arguments).tolist() == [0, 0, 1, 1]
    assert boundary_inflated_cdf(outside, *arguments).tolist() == [0, 0, 1, 1]
    assert boundary_inflated_cdf(0.0, *arguments) == pytest.approx(low_mass, rel=1e-13)
    assert 1 - boundary_inflated_cdf(np.nextafter(1, 0), *arguments) == pytest.approx(high_mass, abs=1e-14)
    assert truncated_pdf(outside, *arguments).tolist()[:2] == [0, 0]
    assert boundary_inflated_pdf([*outside, 0.0], *arguments).tolist() == [0, 0, 0, 0, 0]


def test_a_value_in_the_middle_of_its_bounds_has_no_bias_and_others_are_pulled_inwards():
    p, scale = np.array([1, 1.5, 2, 100]), np.array([[1e-120], [1e-3], [0.3], [10], [1e120]])
    for moments in (truncated_moments, boundary_inflated_moments):
        noise = 1e-13 * np.minimum(scale, 1)
        assert np.all(abs(moments(0.5, scale, p, 0.0, 1.0).bias) <= noise)
        upwards, downwards = moments(0.25, scale, p, 0.0, 1.0), moments(0.75, scale, p, 0.0, 1.0)
        assert np.all(upwards.bias >= 0)
        assert np.all(abs(upwards.bias + downwards.bias) <= 2 * noise)
        assert np.all(upwards.bias[2:] > 0)
        assert np.all((upwards.variance > 0) & (upwards.variance <= upwards.mse))


def test_moments_reach_their_limits_for_vast_and_for_vanishing_noise():
    uniform, coin = truncated_moments(0.2, 1e120, 2.0, 0.0, 1.0), boundary_inflated_moments(0.2, 1e120, 2.0, 0.0, 1.0)
    assert (uniform.bias, uniform.variance) == pytest.approx((0.3, 1 / 12), rel=1e-12)
    assert (coin.bias, coin.variance) == pytest.approx((0.3, 1 / 4), rel=1e-12)
    for moments in (
        truncated_moments(0.2, 1e-120, 2.0, 0.0, 1.0),
        boundary_inflated_moments(0.2, 1e-120, 2.0, 0.0, 1.0),
    ):
        assert moments.bias == 0
        assert moments.mse == pytest.approx(5e-241, rel=1e-12)


@pytest.mark.parametrize("p", [1, 1.5, 2, 40])
@pytest.mark.parametrize(("value", "scale"), [(0.3, 0.2), (0.0, 0.5), (1.0, 3.0), (0.6, 1e9)])
@pytest.mark.parametrize(
    ("sample", "cdf"), [(truncated_sample, truncated_cdf), (boundary_inflated_sample, boundary_inflated_cdf)]
)
def test_samples_stay_inside_the_bounds_and_pass_a_chi_square_test(sample, cdf, value, scale, p):
    n, edges = 20_000, np.linspace(0, 1, 21)
    arguments = value, scale, p, 0.0, 1.0
    x = sample(np.random.default_rng(20), *arguments, size=n)
    assert np.all((x >= 0) & (x <= 1))
    expected = np.diff(cdf(edges, *arguments))
    observed = np.histogram(x[(x > 0) & (x < 1)], edges)[0]
    if cdf is boundary_inflated_cdf:
        masses = boundary_inflated_masses(*arguments)
        expected[-1] -= masses[1]
        expected, observed = np.append(expected, masses), np.append(observed, [np.sum(x == 0), np.sum(x == 1)])
    frequent = expected * n > 5
    statistic = np.sum((observed - n * expected)[frequent] ** 2 / (n * expected[frequent]))
    assert statistic < chi2.isf(1e-4, np.sum(frequent))
    assert np.sum(observed[~frequent]) < 40


@pytest.mark.parametrize("sample", [truncated_sample, boundary_inflated_sample])
def test_samples_broadcast_and_repeat_with_their_seed(sample):
    value, p = np.array([0.0, 0.5, 1.0]), np.array([[1.0], [100.0]])
    first = sample(np.random.default_rng(1), value, 1e-3, p, 0.0, 1.0)
    assert first.shape == (2, 3)
    again = sample(np.random.default_rng(1), value, 1e-3, p, 0.0, 1.0)
    assert again == pytest.approx(first, rel=1e-12, abs=0)
    assert sample(np.random.default_rng(1), 0.5, 1e-3, 2, 0.0, 1.0).shape == ()
    tiny = sample(np.random.default_rng(2), 0.0, 1e-150, 100, -1.0, 1.0, size=(500,))
    assert np.all((abs(tiny) > 0) & (abs(tiny) < 1.2e-150))


def test_clipping_an_unbounded_release_is_the_bit_distribution():
    rng, arguments = np.random.default_rng(3), (0.2, 0.5, 2.0, 0.0, 1.0)
    clipped = np.clip(0.2 + rng.normal(0, 0.5 / np.sqrt(2), 40_000), 0, 1)
    grid = np.linspace(0, 0.99, 12)
    assert np.mean(clipped[:, np.newaxis] <= grid, axis=0) == pytest.approx(
        boundary_inflated_cdf(grid, *arguments), abs=0.01
    )


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: truncated_pdf(0, 2, 1, 2, 0, 1), r"value must be in \[low, high\], got 2"),
        (
            lambda: boundary_inflated_cdf(0, 0, 1, 2, 0, 0),
            r"high must be in \(low, 1e100\], 1e-100 above low or more, got 0",
        ),
        (lambda: boundary_inflated_pdf(np.inf, 0, 1, 2, 0, 1), r"x must be in \(-inf, inf\), got inf"),
    ],
)
def test_bad_input_is_refused_in_one_sentence(call, sentence):
    with pytest.raises(ValueError, match=f"^{sentence}$"):
        call()


@pytest.mark.parametrize("sample", [truncated_sample, boundary_inflated_sample])
@pytest.mark.parametrize(("rng", "value"), [(None, "None"), (1, "1"), ([], r"\[\]"), ("a", "'a'")])
def test_a_source_of_randomness_that_is_none_is_refused_in_one_sentence(sample, rng, value):
    with pytest.raises(ValueError, match=f"^rng must be a numpy.random.Generator, got {value}$"):
        sample(rng, 0, 1, 2, 0, 1)
