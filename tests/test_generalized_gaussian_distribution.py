"""The generalized Gaussian distribution and ℓ_p sensitivities against their definitions in mpmath."""

import re

import mpmath
import numpy as np
import pytest
from mpmath import mpf
from scipy import stats
from scipy.special import gammaincc, gammainccinv, ndtri

from dpcore.generalized_gaussian import (
    cdf,
    half_width,
    isf,
    mean_absolute_error,
    pdf,
    sample,
    sf,
    tail,
    variance,
)
from dpcore.generalized_gaussian._tails import central_mass, half_norm, mills_ratio

ULP = 2.0**-52


@pytest.fixture(autouse=True)
def forty_digits():
    with mpmath.workdps(40):
        yield


def tail_truth(x, p):
    """Pr(X > x) for x ≥ 0 and b = 1."""
    x, p = mpf(float(x)), mpf(float(p))
    return mpmath.gammainc(1 / p, x**p) / mpmath.gamma(1 / p) / 2


def shapes(n, rng):
    near = 1 + 10 ** rng.uniform(-12, 0, n)
    return np.choose(rng.integers(0, 3, n), [near, rng.uniform(1, 5, n), rng.uniform(5, 100, n)])


def test_density_integrates_to_its_tail_and_the_moments_by_quadrature():
    for p, b in ((1.0, 2.0), (1.3, 0.7), (2.0, 1.0), (4.5, 3.0), (20.0, 1.0)):
        top = 60 ** (1 / p) * b
        cuts = [0, b / 2, 0.9 * b, b, 1.1 * b, 1.5 * b] + [1.5 * b + (top - 1.5 * b) * k / 4 for k in range(1, 5)]
        x, weight = np.polynomial.legendre.leggauss(40)
        cuts = np.sort(np.minimum(cuts, max(top, 1.6 * b)))
        widths = np.diff(cuts)[:, None] / 2
        nodes, weights = (cuts[:-1, None] + widths * (1 + x)).ravel(), (widths * weight).ravel()
        density = pdf(nodes, b, p)
        assert 2 * np.sum(weights * density) == pytest.approx(1, rel=1e-8)
        assert 2 * np.sum(weights * density * nodes**2) == pytest.approx(variance(b, p), rel=1e-8)
        assert 2 * np.sum(weights * density * nodes) == pytest.approx(mean_absolute_error(b, p), rel=1e-8)
        beyond = nodes > 0.9 * b
        assert np.sum((weights * density)[beyond]) == pytest.approx(sf(0.9 * b, b, p), rel=1e-8)


def test_density_is_its_formula():
    for x, p, b in ((0.3, 1.7, 2.0), (-5.0, 3.0, 1.5), (1e-200, 1.0, 1e-200)):
        true = mpf(p) / (2 * b * mpmath.gamma(1 / mpf(p))) * mpmath.exp(-((abs(mpf(x)) / b) ** p))
        assert float(pdf(x, b, p) / true) == pytest.approx(1, rel=1e-14)


def test_tail_is_right_into_the_far_tail_and_near_the_centre():
    rng = np.random.default_rng(1)
    p = shapes(400, rng)
    x = np.where(rng.random(400) < 0.7, 10 ** rng.uniform(-3, np.log10(680), 400), 10 ** rng.uniform(-8, 2, 400)) ** (
        1 / p
    )
    for row in zip(x, p, sf(x, 1.0, p), strict=True):
        true = tail_truth(*row[:2])
        assert abs(row[2] / true - 1) <= ULP * (120 + 3 * row[0] ** row[1])


@pytest.mark.parametrize("p", [1.0, 1.0000001, 1.5, 2.0, 7.9, 8.1, 40.0, 100.0])
def test_mills_ratio_and_central_mass_are_right_on_both_sides_of_every_branch(p):
    for w in (1e-250, 1e-9, 0.3, 0.99, 1.0999, 1.1001, 3.0, 11.99, 12.01, 60.0, 1e5):
        x = float(mpf(w) ** (1 / mpf(p)))
        a, places, powers, shape = 1 / mpf(p), np.array([x]), np.array([w]), np.array([p])
        whole = mpmath.gamma(1 + a)
        true = whole * mpmath.exp(mpf(w)) * mpmath.gammainc(a, w) / mpmath.gamma(a)
        assert abs(float(mills_ratio(places, powers, shape, half_norm(shape))[0] / true - 1)) < 20 * ULP
        if w < 1:
            inner = whole * mpmath.gammainc(a, 0, w) / mpmath.gamma(a)
            assert abs(float(central_mass(places, powers, shape)[0] / inner - 1)) < 20 * ULP


def test_tails_of_both_sides_mirror_each_other():
    x = np.array([-np.inf, -3.0, -1e-9, 0.0, 0.2, 5.0, np.inf])
    for p in (1.0, 1.4, 2.0, 30.0):
        assert cdf(x, 2.0, p) == pytest.approx(sf(-x, 2.0, p), rel=140 * ULP, abs=0)
        assert cdf(x, 2.0, p) + sf(x, 2.0, p) == pytest.approx(1, rel=70 * ULP)
    assert sf(0.0, 1, 3) == 0.5
    assert (sf(np.inf, 1, 3), sf(-np.inf, 1, 3), pdf(np.inf, 1, 3)) == (0, 1, 0)


def test_isf_inverts_the_tail_everywhere():
    rng = np.random.default_rng(2)
    p = shapes(150, rng)
    alpha = np.choose(
        rng.integers(0, 3, 150),
        [10 ** rng.uniform(-300, -3, 150), rng.uniform(1e-3, 0.4, 150), 0.5 - 10 ** rng.uniform(-12, -1, 150)],
    )
    for quantile, level, shape in zip(isf(alpha, 1.0, p), alpha, p, strict=True):
        true = tail_truth(quantile, shape)
        slope = mpmath.exp(-(mpf(float(quantile)) ** mpf(float(shape)))) / (2 * mpmath.gamma(1 + 1 / mpf(float(shape))))
        assert abs(float((true - mpf(float(level))) / slope / quantile)) < 2e-14


def test_isf_is_the_closed_form_at_p_1_and_p_2_and_antisymmetric():
    alpha = np.array([1e-300, 1e-20, 0.01, 0.3, 0.49999, 0.5])
    assert isf(alpha, 3.0, 1) == pytest.approx(-3 * np.log(2 * alpha), rel=1e-14, abs=1e-300)
    assert isf(alpha, 3.0, 2) == pytest.approx(-3 / np.sqrt(2) * ndtri(alpha), rel=1e-14, abs=1e-300)
    assert isf(0.75, 1, 3) == pytest.approx(-isf(0.25, 1, 3), rel=4e-14)
    assert isf(0.5, 1, 3) == 0
    assert isf(1 - 2.0**-53, 1, 5) == pytest.approx(-isf(2.0**-53, 1, 5), rel=4e-14)
    assert isf(1e-9, 1, 1 + 1e-13) == pytest.approx(isf(1e-9, 1, 1), rel=1e-8)


def test_quantiles_agree_with_scipys_where_those_are_good():
    alpha, p = np.array([1e-12, 1e-3, 0.2])[:, None], np.array([1.5, 3, 10.0])
    assert isf(alpha, 2.0, p) == pytest.approx(2 * gammainccinv(1 / p, 2 * alpha) ** (1 / p), rel=1e-12)
    assert sf(1.5, 2.0, p) == pytest.approx(gammaincc(1 / p, 0.75**p) / 2, rel=1e-13)


def test_tail_is_never_below_its_definition_and_hardly_above():
    rng = np.random.default_rng(9)
    p = np.append(shapes(300, rng), 1.9939947641050493)  # where SciPy's gammaincc is wrong by 340 roundings
    w = np.append(10 ** np.where(rng.random(300) < 0.8, rng.uniform(-6, 2.8, 300), rng.uniform(-200, 0, 300)), 1.077)
    scale = 10 ** rng.uniform(-3, 3, 301)
    t = scale * w ** (1 / p)
    for row in zip(t, p, scale, tail(t, scale, p), strict=True):
        distance, shape, computed = mpf(float(row[0])) / mpf(float(row[2])), mpf(float(row[1])), mpf(float(row[3]))
        power = distance**shape
        true = mpmath.gammainc(1 / shape, power, regularized=True)
        assert 0 <= computed - true <= true * ULP * float(100 + 20 * shape * power) + mpf(10) ** -320


def test_half_width_is_never_below_the_point_whose_tail_is_the_significance_and_hardly_above():
    rng = np.random.default_rng(10)
    p, scale = shapes(150, rng), 10 ** rng.uniform(-3, 3, 150)
    level = np.where(rng.random(150) < 0.5, 10 ** rng.uniform(-300, -0.01, 150), 1 - 10 ** rng.uniform(-12, -0.1, 150))
    for row in zip(half_width(level, scale, p), level, p, scale, strict=True):
        computed, target, shape, b = (mpf(float(number)) for number in row)
        power = (computed / b) ** shape
        beyond = mpmath.gammainc(1 / shape, power, regularized=True)
        slope = computed / b * mpmath.exp(-power) / mpmath.gamma(1 + 1 / shape)
        assert 0 <= float((target - beyond) / slope) < 5e-14


def test_tail_and_half_width_invert_each_other_at_every_end_of_their_domain():
    assert tail(0.0, 1.0, 3) == 1
    assert 0 <= tail(1e300, 1e-300, 3) <= 1e-320
    level, p = np.array([1e-300, 1e-9, 0.3, 1 - 1e-9])[:, None], np.array([1.0, 1.5, 2, 100])
    for scale in (1e-300, 1.0, 1e300):
        assert tail(half_width(level, scale, p), scale, p) == pytest.approx(level + 0 * p, rel=1e-8)


@pytest.mark.parametrize("p", [1.0, 1.5, 2.0, 9.0, 100.0])
def test_samples_have_the_distribution(p):
    draws = sample(np.random.default_rng(3), 2.0, p, 20_000)
    assert stats.kstest(draws, lambda x: cdf(x, 2.0, p)).pvalue > 1e-3
    assert np.all(draws != 0)


def test_samples_take_their_shape_from_the_arguments_or_from_size():
    rng = np.random.default_rng(4)
    assert np.shape(sample(rng, 1.0, 3)) == ()
    assert sample(rng, [[1.0], [2.0]], [1, 2, 3]).shape == (2, 3)
    assert sample(rng, 1.0, [1, 2], (5, 2)).shape == (5, 2)


def test_laplace_and_gaussian_moments():
    assert variance(3, 1) == pytest.approx(18, rel=1e-14)
    assert variance(3, 2) == pytest.approx(4.5, rel=1e-14)
    assert mean_absolute_error(3, 1) == pytest.approx(3, rel=1e-14)


@pytest.mark.parametrize(
    ("function", "arguments", "message"),
    [
        (tail, (-1, 1, 2), "t must be in [0, inf), got -1"),
        (half_width, (1, 1, 2), "significance must be in [1e-300, 1), got 1"),
        (sample, (None, 1, 2), "rng must be a numpy.random.Generator, got None"),
        (pdf, (np.nan, 1, 2), "x must be in [-inf, inf], got nan"),
        (sf, (0, 1, 0.9), "p must be in [1, 100], got 0.9"),
        (cdf, (0, 0, 2), "scale must be in [1e-300, 1e300], got 0"),
        (isf, (1, 1, 2), "probability must be in [1e-300, 1), got 1"),
        (variance, (1e200, 2), "scale must be in [1e-150, 1e150], got 1e+200"),
        (mean_absolute_error, (1, 101), "p must be in [1, 100], got 101"),
    ],
)
def test_bad_input_is_refused_in_one_sentence(function, arguments, message):
    with pytest.raises(ValueError, match="^" + re.escape(message) + "$"):
        function(*arguments)
