"""What a curve means for a person: by hand, and by brute force."""

import re

import numpy as np
import pytest
from scipy.special import erf

from dpcore.tradeoff import (
    advantage,
    bayes_accuracy,
    bayes_error,
    epsilon_delta_curve,
    gaussian_curve,
    laplace_curve,
    likelihood_ratio,
    points_curve,
    posterior,
    posterior_odds,
    pure_posterior,
    relative_risk,
)

ASYMMETRIC = points_curve([0, 0.05, 0.4, 0.7, 1], [0.9, 0.6, 0.1, 0.02, 0])
GRID = np.linspace(0, 1, 20_001)


def test_the_advantage_is_the_largest_gap_between_power_and_false_positives():
    mu = np.array([0, 1e-9, 0.3, 1, 5, 100.0])
    advantages = [float(advantage(gaussian_curve(shift))) for shift in mu]
    assert advantages == pytest.approx(erf(mu / np.sqrt(8)), rel=1e-14)
    assert advantage(epsilon_delta_curve(1)) == pytest.approx(np.tanh(0.5), rel=1e-14)
    assert advantage(laplace_curve(1)) == pytest.approx(1 - np.exp(-0.5), rel=1e-14)
    assert advantage(ASYMMETRIC) == pytest.approx(0.5, rel=1e-13)


def test_a_posterior_is_bayes_rule():
    assert posterior(0.05, 0.5, 0.1) == pytest.approx(0.05 / (0.05 + 0.045), rel=1e-15)
    assert posterior([[0.01], [0.2]], 0.4, [0.1, 0.5, 0.9]).shape == (2, 3)
    assert posterior([0, 0, 0.3, 0], [0, 1, 0, 0.5], [0.3, 0.3, 0.3, 0]).tolist() == [0.3, 1, 0, 0]
    assert posterior([0.1, 0.1], 0.5, [0, 1]).tolist() == [0, 1]


def test_a_posterior_of_tiny_numbers_does_not_vanish():
    """Found by edges: the product of two small numbers underflowed to 0 and the posterior with it."""
    assert posterior(1e-300, 1e-200, 1e-200) == pytest.approx(1e-100, rel=1e-14)
    assert posterior(5e-324, 5e-324, 0.25) == 0.25


def test_odds_ratio_and_relative_risk_agree_with_the_posterior():
    alpha, power, prior = np.array([0.01, 0.2, 0.5]), np.array([0.3, 0.2, 0.9]), np.array([0.1, 0.01, 0.7])
    after = posterior(alpha, power, prior)
    assert posterior_odds(alpha, power, prior) == pytest.approx(after / (1 - after), rel=1e-13)
    assert likelihood_ratio(alpha, power) == pytest.approx([30, 1, 1.8], rel=1e-14)
    assert relative_risk(alpha, power, prior) == pytest.approx(after / prior, rel=1e-15)


def test_a_test_without_false_positives_is_conclusive_and_one_without_positives_says_nothing():
    assert likelihood_ratio([0, 0, 1e-320], [0, 0.1, 1]).tolist() == [1, np.inf, np.inf]
    assert posterior_odds(0, 0.1, 0.2) == np.inf
    assert posterior_odds(0, 0, 0.2) == pytest.approx(0.25)
    assert relative_risk(0, [0, 0.1], 0.2).tolist() == [1, 5]
    assert relative_risk(0, 1, 1e-300) == pytest.approx(1e300)


def test_a_pure_guarantee_raises_a_prior_of_10_percent_to_11_949():
    assert round(float(pure_posterior(0.2, 0.1)) * 100, 3) == 11.949
    odds = np.exp(0.2) / 9
    assert pure_posterior(0.2, 0.1) == pytest.approx(odds / (1 + odds), rel=1e-14)
    assert pure_posterior(0.2, 0.1) >= odds / (1 + odds) * (1 - 1e-16)
    assert pure_posterior([0, 1, 1e6, 5], [0.3, 1, 1e-300, 0]).tolist() == [0.3, 1, 1, 0]
    line = laplace_curve(0.2)
    alpha = np.geomspace(1e-9, 1, 50)
    assert np.all(posterior(alpha, line.power(alpha), 0.1) <= pure_posterior(0.2, 0.1) * (1 + 1e-13))
    assert posterior(1e-9, float(line.power(np.array(1e-9))), 0.1) == pytest.approx(pure_posterior(0.2, 0.1), rel=1e-12)


@pytest.mark.parametrize("curve", [gaussian_curve(1.1), laplace_curve(0.8), epsilon_delta_curve(1, 0.1), ASYMMETRIC])
@pytest.mark.parametrize("prior", [0.02, 0.3, 0.5, 0.6, 0.95])
def test_the_bayes_error_is_the_least_over_a_grid_of_tests(curve, prior):
    alpha = GRID if curve.lines is None else np.append(GRID, curve.lines.vertices()[0])
    brute = np.min((1 - prior) * alpha + prior * curve(alpha))
    assert bayes_error(curve, prior) <= brute + 1e-13
    assert bayes_error(curve, prior) == pytest.approx(brute, abs=1e-5)
    assert bayes_accuracy(curve, prior) == pytest.approx(1 - brute, abs=1e-5)
    assert bayes_accuracy(curve, prior) >= 1 - brute - 1e-13


def test_the_bayes_error_at_one_half_is_half_of_what_the_advantage_leaves():
    for curve in (gaussian_curve(1), laplace_curve(2), ASYMMETRIC):
        assert bayes_error(curve, 0.5) == pytest.approx((1 - advantage(curve)) / 2, rel=1e-13)


def test_a_certain_prior_needs_no_attack_and_a_tiny_one_keeps_its_digits():
    for curve in (gaussian_curve(1), ASYMMETRIC):
        assert bayes_error(curve, [0, 1]).tolist() == [0, 0]
        assert bayes_accuracy(curve, [0, 1]).tolist() == [1, 1]
    assert bayes_error(gaussian_curve(1), [1e-20, 1e-300]) == pytest.approx([1e-20, 1e-300], rel=1e-9, abs=0)
    assert bayes_error(gaussian_curve(1), [1e-20])[0] <= 1e-20
    assert bayes_error(gaussian_curve(0), [0.3, 0.8]) == pytest.approx([0.3, 0.2], rel=1e-14)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: posterior(-1, 0.5, 0.5), "alpha must be in [0, 1], got -1"),
        (lambda: posterior(0.5, 2, 0.5), "power must be in [0, 1], got 2"),
        (lambda: posterior(0.5, 0.5, np.nan), "prior must be in [0, 1], got nan"),
        (lambda: likelihood_ratio(2, 1), "alpha must be in [0, 1], got 2"),
        (lambda: posterior_odds(0.5, 0.5, 1), "prior must be in [1e-300, 1), got 1"),
        (lambda: relative_risk(0.5, 0.5, 0), "prior must be in [1e-300, 1), got 0"),
        (lambda: pure_posterior(-1, 0.5), "epsilon must be in [0, 1e6], got -1"),
        (lambda: bayes_error(ASYMMETRIC, 2), "prior must be in [0, 1], got 2"),
        (lambda: bayes_accuracy(ASYMMETRIC, -1), "prior must be in [0, 1], got -1"),
    ],
)
def test_an_argument_out_of_its_range_is_refused(call, sentence):
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        call()
