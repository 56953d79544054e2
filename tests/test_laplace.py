import re

import mpmath
import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import chisquare
from scipy.stats import laplace as twin

from dpcore import laplace
from tests.oracle import ULP


def true_delta(epsilon, scale, sensitivity):
    """1 − e^{(ε − θ)/2}, θ = Δ/b, for the doubles as they are."""
    gap = mpmath.mpf(float(sensitivity)) / mpmath.mpf(float(scale)) - mpmath.mpf(float(epsilon))
    return -mpmath.expm1(-gap / 2) if gap > 0 else mpmath.mpf(0)


def some_mechanisms(n, seed):
    """ε, b and Δ with ε above, below and next to Δ/b."""
    rng = np.random.default_rng(seed)
    epsilon, sensitivity = 10 ** rng.uniform(-8, 4, n), 10 ** rng.uniform(-50, 50, n)
    ratio = 1 + rng.choice([1e-15, 1e-12, 1e-3, 1, -1e-3], n) * rng.uniform(0, 1, n)
    return epsilon, sensitivity / (epsilon * ratio), sensitivity


@pytest.mark.parametrize(("epsilon", "scale", "sensitivity"), [(1, 0.5, 1), (0.1, 4, 2), (0, 3, 1), (2, 0.7, 1.3)])
def test_delta_is_the_integral_of_its_definition(epsilon, scale, sensitivity):
    def excess(x):
        return max(0.0, twin.pdf(x, scale=scale) - np.exp(epsilon) * twin.pdf(x - sensitivity, scale=scale))

    corner = (sensitivity - epsilon * scale) / 2
    integral = quad(excess, -80 * scale, 0)[0] + quad(excess, 0, corner)[0]
    assert laplace.delta_from_scale(epsilon, scale, sensitivity) == pytest.approx(integral, rel=1e-9)


def test_delta_is_never_below_the_true_value_and_at_most_9_roundings_above():
    epsilon, scale, sensitivity = some_mechanisms(3000, seed=1)
    delta = laplace.delta_from_scale(epsilon, scale, sensitivity)
    true = [true_delta(*row) for row in zip(epsilon, scale, sensitivity, strict=True)]
    assert all(value == 0 for value, exact in zip(delta, true, strict=True) if exact == 0)
    excess = [float(mpmath.mpf(value) / exact - 1) for value, exact in zip(delta, true, strict=True) if exact > 0]
    assert len(excess) > 1000
    assert min(excess) >= 0
    assert max(excess) <= 9 * ULP


def test_scale_satisfies_its_guarantee_and_is_the_least_to_9_roundings():
    rng = np.random.default_rng(2)
    epsilon, delta = 10 ** rng.uniform(-8, 6, 2000), 10 ** rng.uniform(-100, 0, 2000)
    epsilon[:100], delta[100:400] = 0, 0
    sensitivity = 10 ** rng.uniform(-50, 50, 2000)
    scale = laplace.scale_from_epsilon(epsilon, delta, sensitivity)
    for e, d, s, b in zip(epsilon, delta, sensitivity, scale, strict=True):
        least = mpmath.mpf(s) / (mpmath.mpf(e) - 2 * mpmath.log1p(-mpmath.mpf(d)))
        assert 0 <= mpmath.mpf(b) / least - 1 <= 9 * ULP
    assert np.all(laplace.delta_from_scale(epsilon, scale, sensitivity)[100:400] == 0)


def test_epsilon_is_never_below_the_true_value_and_close_to_it():
    rng = np.random.default_rng(3)
    scale, delta = 10 ** rng.uniform(-6, 6, 2000), 10 ** rng.uniform(-20, 0, 2000)
    delta[:50] = 0
    epsilon = laplace.epsilon_from_scale(delta, scale)
    for d, b, e in zip(delta, scale, epsilon, strict=True):
        theta = 1 / mpmath.mpf(b)
        true = max(theta + 2 * mpmath.log1p(-mpmath.mpf(d)), 0)
        assert true <= e <= true + 12 * ULP * theta
    assert np.count_nonzero(epsilon == 0) > 100


def test_an_enormous_loss_and_a_vanishing_one_have_their_answers():
    assert laplace.delta_from_scale(0, 1e-150, 1e100) == 1
    assert 0 < laplace.delta_from_scale(0, 1e250, 1e-100) <= 1e-320
    assert laplace.delta_from_scale(1e-300, 1e250, 1e-100) == 0
    assert laplace.epsilon_from_scale(0, 1e250, 1e-100) > 0
    assert laplace.epsilon_from_scale(0.5, 1e-150, 1e100) >= 1e250


def test_the_distribution_is_that_of_scipy():
    x, scale = np.linspace(-30, 30, 121), np.array([[0.3], [1], [7]])
    assert laplace.pdf(x, scale) == pytest.approx(twin.pdf(x, scale=scale), rel=1e-13)
    assert laplace.cdf(x, scale) == pytest.approx(twin.cdf(x, scale=scale), rel=1e-13)
    assert laplace.tail(abs(x), scale) == pytest.approx(2 * twin.sf(abs(x), scale=scale), rel=1e-13)
    assert laplace.variance(scale) == pytest.approx(twin.var(scale=scale))
    assert laplace.mean_absolute_error(scale) == pytest.approx(twin.expect(abs, scale=1) * scale)


def test_tail_and_half_width_are_rounded_up_right_into_the_far_tail():
    rng = np.random.default_rng(4)
    significance, scale = 10 ** rng.uniform(-300, 0, 2000), 10 ** rng.uniform(-100, 100, 2000)
    t = laplace.half_width(significance, scale)
    share = laplace.tail(t, scale)
    for a, b, reach, beyond in zip(significance, scale, t, share, strict=True):
        true = -mpmath.log(mpmath.mpf(a)) * mpmath.mpf(b)
        assert 0 <= mpmath.mpf(reach) / true - 1 <= 8 * ULP
        exact = mpmath.exp(-mpmath.mpf(reach) / mpmath.mpf(b))
        assert 0 <= mpmath.mpf(beyond) / exact - 1 <= (6 + 4 * reach / b) * ULP
    assert laplace.tail(0, 1) == 1
    assert laplace.tail(1e300, 1e-150) == 5e-324


def test_a_million_draws_follow_the_distribution():
    draws = laplace.sample(np.random.default_rng(5), 2.5, 10**6)
    edges = twin.ppf(np.linspace(0, 1, 101)[1:-1], scale=2.5)
    counts = np.bincount(np.searchsorted(edges, draws), minlength=100)
    assert chisquare(counts).pvalue > 1e-3
    assert laplace.sample(np.random.default_rng(5), [1.0, 2.0]).shape == (2,)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: laplace.scale_from_epsilon(0), "epsilon must be in [1e-130, 1e6] at this delta, got 0"),
        (lambda: laplace.scale_from_epsilon(-1), "epsilon must be in [0, 1e6], got -1"),
        (lambda: laplace.scale_from_epsilon(1, 1), "delta must be in [0, 1), got 1"),
        (lambda: laplace.scale_from_epsilon(1, 0, 0), "l1_sensitivity must be in [1e-100, 1e100], got 0"),
        (lambda: laplace.delta_from_scale(1, 0), "scale must be in [1e-150, 1e250], got 0"),
        (lambda: laplace.epsilon_from_scale(np.nan, 1), "delta must be in [0, 1), got nan"),
        (lambda: laplace.pdf(np.inf, 1), "x must be in (-inf, inf), got inf"),
        (lambda: laplace.tail(-1, 1), "t must be in [0, inf), got -1"),
        (lambda: laplace.half_width(0, 1), "significance must be in [1e-300, 1), got 0"),
        (lambda: laplace.variance(1e200), "scale must be in [1e-150, 1e150], got 1e+200"),
    ],
)
def test_bad_input_is_refused_in_one_sentence(call, sentence):
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        call()
