"""From a curve to ε, δ and μ."""

import re

import mpmath
import numpy as np
import pytest

from dpcore.tradeoff import (
    composed_curve,
    epsilon_delta_curve,
    function_curve,
    gaussian,
    gaussian_curve,
    generalized_gaussian,
    generalized_gaussian_curve,
    geometric_curve,
    laplace,
    laplace_curve,
    laplace_power,
    mu_from_epsilon,
    mu_from_laplace,
    points_curve,
    profile,
    rounded_up,
    sigma_curve,
    smallest_delta,
    smallest_epsilon,
    smallest_mu,
    zcdp_curve,
)
from dpcore.tradeoff.forms import generalized_gaussian_power

POINTS = points_curve([0, 0.05, 0.1, 0.25, 0.5, 1], [1, 0.93, 0.87, 0.72, 0.43, 0], hull=True)
CURVES = {
    "gaussian": gaussian_curve(1.2),
    "laplace": laplace_curve(1.5),
    "generalized gaussian": generalized_gaussian_curve(1.0, 1.5),
    "geometric": geometric_curve(2.0, 5),
    "pure": epsilon_delta_curve(1.0),
    "points": POINTS,
    "function": function_curve(lambda a: laplace(a, 1.0), "F", lambda a: laplace_power(a, 1.0)),
}
ALPHA = np.unique(np.concatenate([np.geomspace(1e-12, 0.5, 3000), 1 - np.geomspace(1e-12, 0.5, 3000)]))


# Published values


def test_g1_has_the_published_profile():
    g1 = gaussian_curve(1)
    assert smallest_delta(g1, 1) == pytest.approx(0.126936737506644, rel=1e-14)
    assert smallest_epsilon(g1, 1e-5) == pytest.approx(4.377178095681225, rel=1e-14)  # R fdp::est_epsdelta says 3.13


def test_the_smallest_mu_is_the_published_one():
    assert smallest_mu(laplace_curve(1)).mu == pytest.approx(1.030063997624434, rel=2e-14)
    assert smallest_mu(epsilon_delta_curve(1)).mu == pytest.approx(1.232035385344901, rel=3e-14)
    mu = smallest_mu(POINTS).mu
    assert mu == pytest.approx(0.17637416478086135, rel=2e-13)
    assert mu >= 0.17637416478086135
    assert rounded_up(mu, 2) == 0.18


# ε and δ


@pytest.mark.parametrize("name", CURVES)
def test_the_smallest_epsilon_is_safe_and_the_inverse_of_the_smallest_delta(name):
    curve = CURVES[name]
    delta = np.array([1e-7, 1e-3, 0.02, 0.05])
    epsilon = smallest_epsilon(curve, delta)
    assert np.all(smallest_delta(curve, epsilon) <= delta * (1 + 1e-14) + 1e-15)  # a curve of 1 − f has no more digits
    epsilon, delta = epsilon[epsilon > 0], delta[epsilon > 0]
    assert epsilon.size >= 2
    assert np.all(smallest_delta(curve, epsilon * (1 - 1e-6)) > delta * (1 - 1e-9))
    lower = 0.9 * epsilon[::2]
    assert smallest_epsilon(curve, smallest_delta(curve, lower)) == pytest.approx(lower, rel=1e-6)


def test_epsilon_is_0_where_delta_is_the_advantage_and_infinite_where_no_epsilon_will_do():
    assert smallest_epsilon(gaussian_curve(1), [0, 0.39, 1]).tolist() == [np.inf, 0, 0]
    assert smallest_epsilon(epsilon_delta_curve(1, 0.1), [0, 0.05, 0.1, 1]).tolist() == [np.inf, np.inf, 1, 0]
    assert smallest_epsilon(laplace_curve(2), [0, 1]).tolist() == [2, 0]
    assert smallest_epsilon(generalized_gaussian_curve(1e-3, 3), 1e-9) == np.inf
    assert smallest_epsilon(gaussian_curve(0), [0, 1]).tolist() == [0, 0]
    assert smallest_delta(gaussian_curve(0), [0, 1]).tolist() == [0, 0]


def test_large_delta_and_extreme_mu_have_an_epsilon():
    for mu in (1.5, 4.0, 30.0):
        curve, delta = gaussian_curve(mu), np.array([0.5, 0.53, 0.9, 0.99, 1 - 1e-9])
        epsilon = smallest_epsilon(curve, delta)
        assert np.all(smallest_delta(curve, epsilon) <= delta * (1 + 1e-14))
        inner = epsilon > 1e-3
        assert np.all(smallest_delta(curve, epsilon[inner] * (1 - 1e-6)) > delta[inner] * (1 - 1e-12))
    assert smallest_delta(gaussian_curve(5e-324), 0) <= 1e-300
    assert smallest_epsilon(gaussian_curve(1e6), [1e-300, 0.5, 1]).tolist() == [np.inf, np.inf, 0]


def test_epsilon_delta_is_its_own_answer():
    curve = epsilon_delta_curve(0.7, 0.03)
    assert smallest_delta(curve, [0.7, 5]) == pytest.approx(0.03, rel=1e-14)
    assert profile(curve, 0) == pytest.approx(1 - 0.97 * 2 / (1 + np.exp(0.7)), rel=1e-13)
    assert smallest_epsilon(curve, 0.03) == pytest.approx(0.7, rel=1e-14)


def generalized_gaussian_delta(epsilon, p, shift):
    """δ(ε) as the integral of the positive part of f(x − Δ) − e^ε f(x), at 40 digits."""
    with mpmath.workdps(40):
        p, shift, epsilon = mpmath.mpf(p), mpmath.mpf(shift), mpmath.mpf(epsilon)

        def loss(t):
            return abs(t) ** p - abs(t - shift) ** p - epsilon

        low, high = shift / 2, shift / 2 + 1
        while loss(high) < 0:
            high *= 2
        for _ in range(140):
            middle = (low + high) / 2
            low, high = (middle, high) if loss(middle) < 0 else (low, middle)

        def tail(t):
            small = mpmath.gammainc(1 / p, abs(t) ** p, mpmath.inf) / (2 * mpmath.gamma(1 / p))
            return small if t >= 0 else 1 - small

        return tail(low - shift) - mpmath.exp(epsilon) * tail(low)


@pytest.mark.parametrize(
    ("p", "shift", "epsilon"),
    [
        (1.0001, 1.0, 0.5),
        (1.01, 1e-3, 1e-4),
        (1.5, 1.0, 0),
        (1.5, 1.0, 3.0),
        (1.5, 20.0, 60.0),
        (2, 1e-6, 1e-9),
        (3, 1.0, 10.0),
        (3, 1e-3, 0.01),
        (3, 10.0, 900.0),
        (20, 0.5, 2.0),
        (100, 1e-3, 0),
        (100, 0.9, 1.0),
    ],
)
def test_the_profile_of_generalized_gaussian_noise_is_its_definition_rounded_up(p, shift, epsilon):
    true = generalized_gaussian_delta(epsilon, p, shift)
    delta = float(profile(generalized_gaussian_curve(1.0, p, shift), epsilon))
    assert mpmath.mpf(delta) >= true
    assert delta == pytest.approx(float(true), rel=1e-7, abs=1e-12)


def test_the_profile_of_generalized_gaussian_noise_never_rises():
    """Found by edges: at p = 100 and ε = 0 a power underflowed and δ was half of what it is."""
    epsilon = np.concatenate([[0], np.geomspace(1e-12, 1e6, 200)])
    for p, shift in ((100, 1e-3), (1 + 1e-12, 1), (1.001, 1e6), (3, 1e6), (2, 1e-12)):
        delta = profile(generalized_gaussian_curve(1.0, p, shift), epsilon)
        assert np.all(np.diff(delta) <= 1e-13)
        assert np.all((delta > 0) & (delta <= 1))


def test_generalized_gaussian_noise_at_p_1_and_2_is_laplace_and_gaussian():
    epsilon = np.array([0, 0.1, 1, 1.4])
    laplacian = generalized_gaussian_curve(2.0, 1, 3.0)
    assert laplacian.delta(epsilon) == pytest.approx(laplace_curve(1.5).delta(epsilon), rel=1e-13)
    assert generalized_gaussian_curve(1.0, 1, 1e6).delta(np.array([0.0])) == 1
    bell = generalized_gaussian_curve(2.0, 2, 3.0)
    assert bell.delta(epsilon) == pytest.approx(gaussian_curve(np.sqrt(4.5)).delta(epsilon), rel=1e-11)
    assert bell.delta(epsilon[:1] + 60) == pytest.approx(gaussian_curve(np.sqrt(4.5)).delta(np.array([60.0])), rel=1e-9)
    for shift in (1e-12, 1.0, 40.0, 1e6):
        mu = smallest_mu(generalized_gaussian_curve(1.0, 2, shift)).mu
        assert mu == pytest.approx(np.sqrt(2) * shift, rel=1e-10)
        assert mu >= np.sqrt(2) * shift * (1 - 1e-15)


# μ


@pytest.mark.parametrize("name", CURVES)
def test_the_bell_of_the_smallest_mu_lies_beneath_the_curve_and_touches_it(name):
    curve = CURVES[name]
    bound = smallest_mu(curve)
    alpha = np.append(ALPHA, bound.alpha)
    assert np.all(gaussian(alpha, bound.mu) <= curve(alpha) + 1e-12)
    assert gaussian(bound.alpha, bound.mu) == pytest.approx(float(curve(bound.alpha)), rel=1e-9)
    assert np.isfinite(bound.mu)


def test_the_smallest_mu_of_closed_forms_keeps_its_digits_over_the_whole_range():
    with mpmath.workdps(60):
        for size in (1e-12, 1e-3, 0.7, 3.0, 30.0, 600.0):
            for computed, error in (
                (mu_from_laplace(size), mpmath.exp(-mpmath.mpf(size) / 2) / 2),
                (mu_from_epsilon(size), 1 / (1 + mpmath.exp(mpmath.mpf(size)))),
            ):
                tail = mpmath.erfc(mpmath.mpf(float(computed)) / (2 * mpmath.sqrt(2))) / 2
                slope = mpmath.exp(-(mpmath.mpf(float(computed)) ** 2) / 8) / mpmath.sqrt(2 * mpmath.pi) / 2
                excess = (error - tail) / slope / mpmath.mpf(float(computed))  # by one Newton step
                assert 0 <= excess < 2e-14
    assert (mu_from_laplace(0), mu_from_epsilon(0)) == (0, 0)
    assert mu_from_epsilon([1e6]) == pytest.approx(np.sqrt(8e6), rel=1e-4)


def test_the_smallest_mu_is_finite_for_huge_pure_guarantees():
    for curve in (epsilon_delta_curve(1e6), geometric_curve(1e6, 1)):
        assert smallest_mu(curve).mu == pytest.approx(float(mu_from_epsilon(1e6)), rel=1e-12)
    assert smallest_mu(geometric_curve(700, 2)).mu == pytest.approx(63.59375269, rel=1e-6)
    assert smallest_mu(epsilon_delta_curve(0)).mu < 1e-13
    assert smallest_mu(geometric_curve(0, 3)).mu < 1e-13
    assert smallest_mu(points_curve([0, 1], [1, 0])).mu == 0


def test_the_smallest_mu_of_generalized_gaussian_noise_is_the_largest_over_alpha():
    for p, shift in ((1.2, 0.5), (1.7, 3.0)):
        mu = smallest_mu(generalized_gaussian_curve(1.0, p, shift)).mu
        assert np.all(gaussian(ALPHA, mu * (1 + 1e-11)) <= generalized_gaussian(ALPHA, 1.0, p, shift) + 1e-12)


def test_no_finite_mu_is_said_with_its_reason():
    for curve, words, alpha in (
        (epsilon_delta_curve(1, 0.01), "f(0) is 1 − 0.01, below 1: an attack without a false positive", 0),
        (
            points_curve([0, 0.3], [1, 0]),
            "the inverse curve at 0 is 1 − 0.7, below 1: an attack without a false negative",
            0.3,
        ),
        (function_curve(lambda a: (1 - a) ** 2), "grows without end towards α = 1", 1),
        (function_curve(lambda a: 1 - np.sqrt(a)), "grows without end towards α = 0", 0),
        (function_curve(lambda a: 0.9 * (1 - a)), "f(0) is 1 − 0.1", 0),
        (function_curve(lambda a: np.maximum(1 - 2 * a, 0)), "the inverse curve at 0 is 1 − 0.4", 0.5),
        (generalized_gaussian_curve(1, 3), "for p > 2 the tails are lighter than any Gaussian’s", 0),
        (zcdp_curve(0.5), "not tight enough in the far tail", 0),
        (composed_curve([gaussian_curve(0.5), laplace_curve(0.1)]), "no finite μ can be proved", 0),
    ):
        bound = smallest_mu(curve)
        assert bound.mu == np.inf
        assert words in bound.reason
        assert bound.alpha == pytest.approx(alpha, abs=1e-2)


@pytest.mark.parametrize(
    "curve",
    [
        epsilon_delta_curve(1, 0.01),
        epsilon_delta_curve(1, 0.5),
        generalized_gaussian_curve(1, 3),
        laplace_curve(2),
        laplace_curve(1e6),
        points_curve([0, 0.3], [1, 0]),
        zcdp_curve(0.5),
        gaussian_curve(2),
        function_curve(lambda a: (1 - a) ** 2),
    ],
)
def test_a_mu_limited_to_larger_errors_is_the_largest_that_a_grid_of_those_needs(curve):
    """Found by edges: with f(α) < `smallest_error` at every α ≥ `smallest_error`, μ was 0 instead of 6.18."""
    least = 1e-3
    bound = smallest_mu(curve, least)
    corners = [] if curve.lines is None else curve.lines.vertices()[0]
    alpha = np.concatenate([np.geomspace(least, 0.5, 4000), 1 - np.geomspace(least, 0.5, 4000), corners])
    alpha = alpha[(alpha >= least) & (alpha <= 1 - least)]
    beta = np.maximum(curve(alpha), least)  # a test with fewer false negatives does not count, one with as many does
    assert np.all(gaussian(alpha, bound.mu) <= beta + 1e-12)
    needed = gaussian_needs(alpha, beta)
    assert bound.mu == pytest.approx(needed.max(), rel=1e-3)
    assert bound.mu >= needed.max() - 1e-12
    assert "α and β are at least 0.001" in bound.reason


def gaussian_needs(alpha, beta):
    """Return the μ with G_μ(α) = β, by bisection of `gaussian`."""
    low, high = np.zeros(alpha.shape), np.full(alpha.shape, 100.0)
    for _ in range(60):
        middle = (low + high) / 2
        above = gaussian(alpha, middle) > beta
        low, high = np.where(above, middle, low), np.where(above, high, middle)
    return low


def test_numbers_are_published_rounded_up():
    assert rounded_up([0.17637, 0.18, 0.1800001, 0, np.inf, 3], 2).tolist() == [0.18, 0.18, 0.19, 0, np.inf, 3]
    assert rounded_up(1e300, 2) == 1e300
    assert rounded_up(5e-324, 300) == 1e-300
    assert rounded_up(4.377178095681225, 0) == 5
    values = 10 ** np.random.default_rng(7).uniform(-6, 3, 300)
    up = rounded_up(values, 3)
    assert np.all((up >= values) & (up - values < 1e-3 + 1e-12))
    assert np.all(up == np.round(up, 3))


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: profile(POINTS, -1), "epsilon must be in [0, 1e6], got -1"),
        (lambda: smallest_delta(POINTS, np.nan), "epsilon must be in [0, 1e6], got nan"),
        (lambda: smallest_epsilon(POINTS, 2), "delta must be in [0, 1], got 2"),
        (lambda: smallest_mu(POINTS, 0.1), "smallest_error must be in [0, 1e-2], got 0.1"),
        (lambda: rounded_up(-1, 2), "value must be in [0, inf], got -1"),
        (lambda: rounded_up(1, -2), "decimals must be in [0, 300], got -2"),
        (lambda: mu_from_laplace(-1), "theta must be in [0, 1e6], got -1"),
        (lambda: mu_from_epsilon(2e6), "epsilon must be in [0, 1e6], got 2000000"),
    ],
)
def test_an_argument_out_of_its_range_is_refused(call, sentence):
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        call()


def test_the_curve_of_a_noise_is_that_of_its_mu():
    curve = sigma_curve(4.0, 2.0)
    assert curve.mu == pytest.approx(0.5, rel=1e-15)
    assert curve.mu is not None
    assert curve.mu >= 0.5
    assert curve.name == "Gaussian σ = 4"
    assert generalized_gaussian_power(0.1, 1, 2, 0.5) == pytest.approx(
        float(generalized_gaussian_curve(1, 2, 0.5).power(np.asarray(0.1))), rel=1e-12
    )


def test_no_epsilon_is_given_for_a_gaussian_at_a_delta_too_small_to_solve_for():
    bound = smallest_epsilon(gaussian_curve(1), [0.0, 5e-324, 1e-301, 1e-300, 0.7, 1.0])
    assert np.isinf(bound[:3]).all()
    assert bound[3] == pytest.approx(37.547, rel=1e-2)
    assert bound[4:].tolist() == [0, 0]


@pytest.mark.parametrize(
    "curve",
    [
        laplace_curve(1e6),
        epsilon_delta_curve(1e6),
        epsilon_delta_curve(1e6, 1e-5),
        geometric_curve(1e6, 3),
        geometric_curve(1e6, 9973),
        gaussian_curve(1e6),
        composed_curve([laplace_curve(10)], [100_000]),
    ],
)
def test_no_epsilon_is_read_above_a_million_and_each_can_be_fed_back(curve):
    """Found by random search: rounding up lifted the ε of a guarantee at the end of the range above it."""
    epsilon = smallest_epsilon(curve, [0, 1e-300, 1e-9, 0.3, 1])
    assert np.all((epsilon <= 1e6) | np.isinf(epsilon))
    assert epsilon[-1] == 0
    assert np.all(smallest_delta(curve, epsilon[np.isfinite(epsilon)]) <= 1)


def test_the_pure_epsilon_of_a_curve_is_the_least_that_bounds_every_outcome():
    for curve in (
        laplace_curve(0.7),
        epsilon_delta_curve(0.7),
        geometric_curve(0.7, 9),
        generalized_gaussian_curve(2, 1),
    ):
        assert curve.pure_epsilon == smallest_epsilon(curve, 0)
    assert gaussian_curve(0).pure_epsilon == 0
    for curve in (gaussian_curve(1), epsilon_delta_curve(1, 1e-9), zcdp_curve(1), generalized_gaussian_curve(2, 2)):
        assert curve.pure_epsilon is None
    points = points_curve([0, 0.25], [1, 0.25]).pure_epsilon
    assert points is not None
    assert np.log(3) <= points == pytest.approx(np.log(3), rel=1e-14)
