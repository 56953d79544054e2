"""Truncated Laplace noise against its definition with 330 digits, published values and simulation."""

import re

import mpmath
import numpy as np
import pytest
from scipy.stats import chisquare, kstest

from dpcore import laplace, truncated_laplace
from tests.oracle import ULP

INF = np.inf
PUBLISHED = [  # epsilon, delta, A, variance, mean: computed with mpmath at 30 digits
    (1.0, 0.01, 4.464920, 1.664021, 0.948030),
    (0.5, 0.05, 4.026393, 3.018290, 1.379334),
    (0.1, 0.01, 18.339479, 66.288881, 6.512443),
    (1.0, 1e-6, 13.663689, 1.999751, 0.999984),
    (2.0, 0.001, 4.034754, 0.493641, 0.498737),
    (0.1, 1e-6, 108.702139, 199.733953, 9.997933),
]


DIGITS = 330
pytestmark = pytest.mark.usefixtures("many_digits")


def true_bound(epsilon, delta, sensitivity):
    epsilon, delta, sensitivity = (mpmath.mpf(float(value)) for value in (epsilon, min(delta, 0.5), sensitivity))
    if epsilon == 0:
        return sensitivity / (2 * delta)
    return sensitivity / epsilon * mpmath.log1p(mpmath.expm1(epsilon) / (2 * delta))


def true_cdf(x, bound, scale):
    if abs(x) >= bound:
        return mpmath.mpf(int(x > 0))
    if scale == mpmath.inf:
        return (x + bound) / (2 * bound)
    rest = mpmath.exp(-bound / scale)
    half = (mpmath.exp(-abs(x) / scale) - rest) / (2 * (1 - rest))
    return half if x < 0 else 1 - half


def true_delta(epsilon, bound, scale, sensitivity):
    """F(t) − e^ε F(t − Δ) at the last t whose loss is above ε."""
    epsilon, bound, scale, sensitivity = (mpmath.mpf(float(value)) for value in (epsilon, bound, scale, sensitivity))
    t = sensitivity - bound
    if scale != mpmath.inf and epsilon < sensitivity / scale:
        t = max(t, (sensitivity - epsilon * scale) / 2)
    return true_cdf(t, bound, scale) - mpmath.exp(epsilon) * true_cdf(t - sensitivity, bound, scale)


def some_noise(n, seed):
    """Noise of (ε, δ)-DP with other bounds among it, and ε at, below and above Δ/b."""
    rng = np.random.default_rng(seed)
    epsilon, delta = 10 ** rng.uniform(-12, 5, n), 10 ** rng.uniform(-12, 0, n)
    epsilon[: n // 20], delta[: n // 2] = 0, 10 ** rng.uniform(-250, 0, n // 2)
    sensitivity = 10 ** rng.uniform(-20, 20, n)
    scale = truncated_laplace.scale_from_epsilon(epsilon, sensitivity)
    bound = truncated_laplace.bound_from_epsilon(epsilon, delta, sensitivity)
    bound = np.where(rng.random(n) < 0.5, bound, sensitivity * (1 + 10 ** rng.uniform(-6, 3, n)))
    return epsilon * rng.choice([0, 0.3, 0.9, 1 - 1e-9, 1, 1.1], n), bound, scale, sensitivity


@pytest.mark.parametrize(("epsilon", "delta", "bound", "variance", "mean"), PUBLISHED)
def test_the_published_values_are_met(epsilon, delta, bound, variance, mean):
    computed, scale = truncated_laplace.bound_from_epsilon(epsilon, delta), 1 / epsilon
    assert computed == pytest.approx(bound, abs=1e-6)
    assert truncated_laplace.variance(computed, scale) == pytest.approx(variance, abs=1e-6)
    assert truncated_laplace.mean_absolute_error(computed, scale) == pytest.approx(mean, abs=1e-6)


def test_the_bound_is_never_below_the_true_value_and_at_most_20_roundings_above():
    rng = np.random.default_rng(1)
    epsilon, delta = 10 ** rng.uniform(-12, 6, 500), 10 ** rng.uniform(-250, 0, 500)
    epsilon[:20], sensitivity = 0, 10 ** rng.uniform(-20, 20, 500)
    bound = truncated_laplace.bound_from_epsilon(epsilon, delta, sensitivity)
    rows = zip(bound, epsilon, delta, sensitivity, strict=True)
    excess = [float(mpmath.mpf(float(computed)) / true_bound(*row) - 1) for computed, *row in rows]
    assert 0 <= min(excess) <= max(excess) <= 20 * ULP
    assert truncated_laplace.bound_from_epsilon(1, 0.9) == truncated_laplace.bound_from_epsilon(1, 0.5)
    assert truncated_laplace.bound_from_epsilon(1, 0.5, 3) == pytest.approx(3, rel=1e-14)


def test_delta_is_that_of_the_definition_rounded_up():
    noise = some_noise(500, seed=2)
    delta = truncated_laplace.delta_from_bound(*noise)
    for value, epsilon, bound, scale, sensitivity in zip(delta, *noise, strict=True):
        true = true_delta(epsilon, bound, scale, sensitivity)
        assert true <= value <= true * (1 + 40 * ULP * (1 + bound / scale)) + 1e-320


def test_the_calibrated_noise_satisfies_its_delta_and_a_smaller_bound_does_not():
    rng = np.random.default_rng(3)
    epsilon, delta = 10 ** rng.uniform(-8, 3, 200), 10 ** rng.uniform(-200, -0.31, 200)
    epsilon[:10] = 0
    bound, scale = truncated_laplace.bound_from_epsilon(epsilon, delta), truncated_laplace.scale_from_epsilon(epsilon)
    for row in zip(epsilon, delta, bound, scale, strict=True):
        assert true_delta(row[0], row[2], row[3], 1) <= row[1]
        assert true_delta(row[0], row[2] * (1 - 1e-9), row[3], 1) > row[1]


def test_every_smaller_move_has_a_smaller_delta():
    moves = np.linspace(0.05, 1, 20)
    for epsilon in (0.0, 0.3, 0.999, 1.0):
        delta = truncated_laplace.delta_from_bound(epsilon, 4.46492, 1.0, moves)
        assert np.all(np.diff(delta) > 0)


def test_epsilon_inverts_delta_on_the_safe_side():
    epsilon, bound, scale, sensitivity = some_noise(400, seed=4)
    delta = truncated_laplace.delta_from_bound(epsilon, bound, scale, sensitivity)
    delta = np.clip(delta * 10 ** np.random.default_rng(5).uniform(-1, 1, 400), 1e-300, 0.9999)
    computed = truncated_laplace.epsilon_from_bound(delta, bound, scale, sensitivity)
    assert np.count_nonzero(np.isinf(computed)) > 50
    assert np.count_nonzero(computed == 0) > 50
    for value, target, *noise in zip(computed, delta, bound, scale, sensitivity, strict=True):
        if np.isinf(value):
            assert true_delta(1e9, *noise) > target * (1 - 1e-9)
            continue
        assert true_delta(value, *noise) <= target
        less = value - 1e-9 * (1 + noise[2] / noise[1])
        assert less <= 0 or true_delta(less, *noise) > target * (1 - 1e-9)


@pytest.mark.parametrize("scale", [0.02, 0.5, 3.0, 1e4, 1e12, INF])
def test_the_distribution_is_that_of_the_definition(scale):
    bound, x = 2.0, np.array([-3, -2, -1.3, -1e-9, 0, 0.4, 1.999, 2, 5.0])
    large, wide = mpmath.mpf(bound), mpmath.mpf(scale)
    true = [float(true_cdf(mpmath.mpf(float(value)), large, wide)) for value in x]
    assert truncated_laplace.cdf(x, bound, scale) == pytest.approx(true, rel=1e-12, abs=1e-300)
    beyond = [float(2 * true_cdf(-abs(mpmath.mpf(float(value))), large, wide)) for value in x]
    tail = truncated_laplace.tail(abs(x), bound, scale)
    assert np.all(tail >= beyond)
    assert tail == pytest.approx(beyond, rel=1e-12, abs=1e-300)
    height = np.diff(truncated_laplace.cdf([0.4, 0.4 + 1e-6], bound, scale)) / 1e-6
    assert truncated_laplace.pdf(0.4, bound, scale) == pytest.approx(height[0], rel=1e-4, abs=1e-8)
    assert truncated_laplace.pdf([-2.1, 2.1], bound, scale).tolist() == [0, 0]


@pytest.mark.parametrize("reach", [1e-30, 1e-8, 1e-3, 1.0, 30.0, 90.0])
def test_half_width_and_moments_are_those_of_the_definition(reach):
    bound, scale = 2.0, 2.0 / reach
    with mpmath.workdps(60):
        rest = mpmath.exp(-mpmath.mpf(bound) / mpmath.mpf(scale))
        for significance in (1e-300, 1e-9, 0.3, 0.999999):
            true = -mpmath.mpf(scale) * mpmath.log(1 - (1 - mpmath.mpf(significance)) * (1 - rest))
            t = truncated_laplace.half_width(significance, bound, scale)
            assert true * (1 - ULP) <= t <= bound
            assert t <= true * (1 + 30 * ULP)
        pieces = [0, mpmath.mpf(bound) / 100, mpmath.mpf(bound)]

        def weighted(power):
            return mpmath.mpf(mpmath.quad(lambda x: x**power * mpmath.exp(-x / mpmath.mpf(scale)), pieces))

        whole = weighted(0)
        variance, mean = weighted(2) / whole, weighted(1) / whole
    assert truncated_laplace.variance(bound, scale) == pytest.approx(float(variance), rel=1e-12)
    assert truncated_laplace.mean_absolute_error(bound, scale) == pytest.approx(float(mean), rel=1e-12)


def test_without_a_bound_in_sight_it_is_laplace_noise_and_without_a_scale_it_is_uniform():
    assert truncated_laplace.variance(1e5, 3.0) == pytest.approx(laplace.variance(3.0))
    assert truncated_laplace.mean_absolute_error(1e300, 3.0) == pytest.approx(3.0)
    assert truncated_laplace.variance(1e150, 1e-150) == pytest.approx(2e-300)
    assert truncated_laplace.half_width(0.05, 1e5, 3.0) == pytest.approx(laplace.half_width(0.05, 3.0))
    assert truncated_laplace.delta_from_bound(0.2, 1e5, 3.0) == pytest.approx(laplace.delta_from_scale(0.2, 3.0))
    assert truncated_laplace.variance(3, INF) == pytest.approx(3)
    assert truncated_laplace.mean_absolute_error(3, INF) == pytest.approx(1.5)
    assert truncated_laplace.half_width(0.05, 3, INF) == pytest.approx(2.85)
    assert truncated_laplace.delta_from_bound([0, 1], 50, INF) == pytest.approx(0.01)


@pytest.mark.parametrize("scale", [0.7, 30.0, INF])
def test_a_hundred_thousand_draws_follow_the_distribution(scale):
    draws = truncated_laplace.sample(np.random.default_rng(6), 4.0, scale, 10**5)
    assert np.max(abs(draws)) <= 4
    assert kstest(draws, lambda x: truncated_laplace.cdf(x, 4.0, scale)).pvalue > 1e-3
    assert chisquare(np.bincount(draws > 0)).pvalue > 1e-3


def test_simulated_releases_identify_the_person_with_probability_delta():
    bound = truncated_laplace.bound_from_epsilon(0.5, 0.05)
    releases = truncated_laplace.sample(np.random.default_rng(7), bound, 2.0, 10**6)
    outside = np.count_nonzero(releases < 1 - bound)  # where the noise around 1 cannot lead
    assert outside / 10**6 == pytest.approx(0.05, abs=5 * np.sqrt(0.05 * 0.95 / 10**6))


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: truncated_laplace.bound_from_epsilon(-1, 0.1), "epsilon must be in [0, 1e6], got -1"),
        (lambda: truncated_laplace.bound_from_epsilon(1, 0), "delta must be in [1e-300, 1), got 0"),
        (
            lambda: truncated_laplace.bound_from_epsilon(0, 1e-300, 1e9),
            "sensitivity must be in the values with a bound of at most 1e304 at this epsilon, got 1000000000",
        ),
        (lambda: truncated_laplace.scale_from_epsilon(1, 0), "sensitivity must be in [1e-100, 1e100], got 0"),
        (lambda: truncated_laplace.delta_from_bound(1, 0.5, 1), "bound must be in [sensitivity, 1e304], got 0.5"),
        (lambda: truncated_laplace.epsilon_from_bound(0, 2, 1), "delta must be in [1e-300, 1), got 0"),
        (lambda: truncated_laplace.pdf(0, 2, 0), "scale must be in [1e-150, inf], got 0"),
        (lambda: truncated_laplace.tail(-1, 2, 1), "t must be in [0, inf), got -1"),
        (lambda: truncated_laplace.half_width(1, 2, 1), "significance must be in [1e-300, 1), got 1"),
        (lambda: truncated_laplace.variance(1e200, 1), "bound must be in [1e-150, 1e150], got 1e+200"),
    ],
)
def test_bad_input_is_refused_in_one_sentence(call, sentence):
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        call()
