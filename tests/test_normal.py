import re
from collections.abc import Callable

import mpmath
import numpy as np
import pytest

from dpcore.normal import crossing, legendre_rule, loss_window, mills_gap, mills_ratio
from tests.oracle import ULP, Numbers, mpmath_mills_ratio, mpmath_upper_tail

mpf = mpmath.mpf


def excess(value: Numbers, true: Callable[..., mpmath.mpf], *arguments: Numbers, precision: int = 400) -> list[float]:
    """(value − true)/true, entry by entry, with every argument an exact number."""
    with mpmath.workprec(precision):
        exact = [true(*(mpf(float(x)) for x in row)) for row in zip(*arguments, strict=True)]
        return [float(mpf(float(v)) / t - 1) for v, t in zip(value, exact, strict=True)]


def test_mills_ratio_is_the_tail_over_the_density():
    t = np.concatenate([np.linspace(-36, 40, 200), [1e-300, 0, 1e3, 1e6]])
    error = np.abs(excess(mills_ratio(t), mpmath_mills_ratio, t))
    assert np.max(error / (8 + np.where(t < 0, t * t, 0))) < ULP  # a rounding of t itself moves R(t) by t² roundings


def test_mills_ratio_obeys_its_differential_equation():
    t, h = np.linspace(-3, 10, 50), 1e-5
    slope = (mills_ratio(t + h) - mills_ratio(t - h)) / (2 * h)
    assert slope == pytest.approx(t * mills_ratio(t) - 1, rel=1e-6, abs=0)


def test_mills_gap_is_right_to_a_few_roundings_wide_or_narrow():
    rng = np.random.default_rng(1)
    t = np.concatenate([rng.uniform(-1, 5, 150), 10 ** rng.uniform(0, 6, 150), np.repeat([-1, 0, 1, 30.0], 8)])
    width = 10 ** rng.uniform(-12, 3, len(t))
    width[:100] = rng.uniform(0, 6, 100)
    width[-32:] = np.tile([1e-300, 1e-16, 0.1, 2, 2.5, 3, 50, 1e10], 4)

    def true(t: mpmath.mpf, width: mpmath.mpf) -> mpmath.mpf:
        return mpmath_mills_ratio(t) - mpmath_mills_ratio(t + width)

    assert np.abs(excess(mills_gap(t, width), true, t, width, precision=1200)).max() < 8 * ULP


def test_mills_gap_of_no_width_is_0():
    assert np.all(mills_gap(np.array([-1.0, 0, 10]), np.zeros(3)) == 0)


def test_mills_gap_is_continuous_where_its_forms_meet():
    t = np.linspace(-1, 20, 200)
    seam = 0.5 * t + 2.5
    below, above = mills_gap(t, np.nextafter(seam, 0)), mills_gap(t, seam)
    assert below == pytest.approx(above, rel=18 * ULP, abs=0)  # each is right to 8, and the widths differ


def test_loss_window_is_right_to_a_few_roundings_wide_or_narrow():
    rng = np.random.default_rng(2)
    h = 10 ** rng.uniform(-8, 1.5, 300)
    m = h * 10 ** rng.uniform(-12, 0, 300)
    m[:80] = np.minimum(rng.uniform(0.8, 1.2, 80) / (2 * h[:80]), h[:80])
    m[80:90] = h[80:90]

    def true(m: mpmath.mpf, h: mpmath.mpf) -> mpmath.mpf:
        mass = mpmath_upper_tail(h - m) - mpmath_upper_tail(h + m)
        return mass * mpmath.sqrt(2 * mpmath.pi) * mpmath.exp((m - h) ** 2 / 2)

    assert np.abs(excess(loss_window(m, h), true, m, h)).max() < 8 * ULP


@pytest.mark.parametrize("n_nodes", [2, 5, 28])
def test_quadrature_rule_is_the_legendre_rule_to_a_few_roundings_of_1(n_nodes):
    nodes, weights = legendre_rule(n_nodes)
    with mpmath.workdps(50):
        for node, weight in zip(nodes, weights, strict=True):
            root = mpmath.findroot(lambda x: mpmath.legendre(n_nodes, 2 * x - 1), mpf(float(node)))
            slope = mpmath.diff(lambda x: mpmath.legendre(n_nodes, x), 2 * root - 1)
            assert abs(node - root) < 2 * ULP
            assert abs(weight - 1 / ((1 - (2 * root - 1) ** 2) * slope**2)) < 3 * ULP
    assert np.all(np.diff(nodes) > 0)


def test_quadrature_rule_integrates_powers_exactly():
    nodes, weights = legendre_rule(28)
    for power in range(56):
        assert weights @ nodes**power == pytest.approx(1 / (power + 1), rel=2 * (8 + power) * ULP, abs=0)


def test_crossing_rounds_t_correctly_and_its_density_to_a_few_roundings():
    rng = np.random.default_rng(3)
    sensitivity = 10 ** rng.uniform(-100, 100, 400)
    mu = 10 ** rng.uniform(-10, 2, 400)
    sigma = sensitivity / mu
    epsilon = mu * np.maximum(mu / 2 + rng.uniform(-30, 30, 400), 1e-6)
    epsilon[:100] = mu[:100] ** 2 / 2 * (1 + rng.uniform(-1e-9, 1e-9, 100))
    m, h, t, density = crossing(epsilon, sigma, sensitivity)

    def true_t(e: mpmath.mpf, s: mpmath.mpf, d: mpmath.mpf) -> mpmath.mpf:
        return e * s / d - d / (2 * s)

    rows = (epsilon, sigma, sensitivity)
    assert np.abs(excess(m, lambda e, s, d: e * s / d, *rows)).max() < 2 * ULP
    assert np.abs(excess(h, lambda e, s, d: d / (2 * s), *rows)).max() < 2 * ULP
    assert np.abs(excess(t, true_t, *rows)).max() < 0.6 * ULP
    assert np.abs(excess(density, lambda e, s, d: mpmath.exp(-(true_t(e, s, d) ** 2) / 2), *rows)).max() < 5 * ULP


def test_crossing_clips_t_where_the_density_vanishes():
    epsilon, sigma = np.array([1e6, 0.0]), np.array([1e3, 1e-3])
    _, _, t, density = crossing(epsilon, sigma, np.ones(2))
    assert list(t) == [60, -60]
    assert np.all(density == 0)


@pytest.mark.parametrize(
    ("function", "arguments", "message"),
    [
        (legendre_rule, (0,), "n_nodes must be in [1, 1000], got 0"),
        (legendre_rule, (2.5,), "n_nodes must be in the whole numbers of [1, 1000], got 2.5"),
    ],
)
def test_an_argument_outside_its_domain_is_refused_by_name(function, arguments, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        function(*arguments)
