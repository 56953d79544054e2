"""What a picture or a sentence reads off a curve, and points as somebody writes them."""

import math

import numpy as np
import pytest
from scipy.special import expit
from scipy.stats import norm

from dpcore import tradeoff
from dpcore.tradeoff import readings

CURVES = {
    "Gaussian": tradeoff.gaussian_curve(1.3),
    "(ε, δ)": tradeoff.epsilon_delta_curve(1.0, 1e-3),
    "Laplace": tradeoff.laplace_curve(0.7),
    "geometric": tradeoff.geometric_curve(2.0, 5),
    "points": tradeoff.points_curve([0.05, 0.3], [0.7, 0.2]),
}
ALPHA = np.concatenate([[0.0], np.geomspace(1e-9, 0.5, 40), 1 - np.geomspace(0.4, 1e-9, 20), [1.0]])
each_curve = pytest.mark.parametrize("curve", CURVES.values(), ids=CURVES)


def test_a_point_of_a_gaussian_curve_implies_its_mu_and_one_of_a_pure_curve_its_epsilon():
    alpha = np.array([1e-200, 1e-9, 0.01, 0.3, 0.9])
    _, mu = readings.required_epsilon_and_mu(alpha, tradeoff.gaussian(alpha, 1.7), tradeoff.gaussian_power(alpha, 1.7))
    np.testing.assert_allclose(mu, 1.7, rtol=1e-11)
    epsilon, _ = readings.required_epsilon_and_mu(
        alpha, tradeoff.epsilon_delta(alpha, 0.8, 0), tradeoff.epsilon_delta_power(alpha, 0.8, 0)
    )
    np.testing.assert_allclose(epsilon, 0.8, rtol=1e-12)


def test_the_quantities_implied_by_a_point_are_the_least_that_allow_it():
    alpha, beta = 0.07, 0.55
    epsilon, mu = readings.required_epsilon_and_mu(alpha, beta, 1 - beta)
    assert tradeoff.epsilon_delta(alpha, epsilon, 0) == pytest.approx(beta, rel=1e-12)
    assert norm.cdf(norm.isf(alpha) - mu) == pytest.approx(beta, rel=1e-12)


def test_guessing_implies_nothing_and_a_test_without_errors_implies_infinity():
    assert readings.required_epsilon_and_mu([0.0, 0.3, 1.0], [1.0, 0.7, 0.0], [0.0, 0.3, 1.0])[0].tolist() == [0, 0, 0]
    epsilon, mu = readings.required_epsilon_and_mu([0.0, 0.2], [0.5, 0.0], [0.5, 1.0])
    assert np.isinf([*epsilon, *mu]).all()


@each_curve
def test_the_points_to_draw_lie_on_the_curve_reach_down_to_the_low_end_and_hold_its_corners(curve):
    points = readings.along(curve)
    alpha = points["alpha"].to_numpy()
    np.testing.assert_allclose(points["beta"], curve(alpha), rtol=1e-11, atol=1e-15)
    np.testing.assert_allclose(points["power"], curve.power(alpha), rtol=1e-11)
    assert (alpha[0], alpha[-1]) == (0, 1)
    assert np.all(np.diff(alpha) > 0)
    assert np.count_nonzero((alpha > 0) & (alpha < 1e-10)) >= 5
    if curve.lines is not None:
        corners = curve.lines.vertices()[0][:, None]
        assert np.all(np.min(abs(corners - alpha) - 1e-14 * corners, axis=1) <= 0)


def test_a_curve_of_very_many_corners_is_drawn_at_as_many_points_as_any_other():
    assert len(readings.along(tradeoff.geometric_curve(1.0, 5000))) == len(readings.along(tradeoff.gaussian_curve(1)))


@each_curve
@pytest.mark.parametrize("epsilon", [0.0, 0.3, 1.0, 2.5])
def test_the_supporting_line_touches_the_curve_at_the_stated_point(curve, epsilon):
    alpha = readings.touching_alpha(curve, epsilon)
    line = 1 - float(tradeoff.profile(curve, epsilon)) - math.exp(epsilon) * alpha
    assert float(curve(alpha)) == pytest.approx(line, abs=1e-9)


def test_a_curve_is_quoted_at_delta_by_the_least_epsilon_and_at_epsilon_by_the_least_delta():
    curve = CURVES["Gaussian"]
    at_delta = readings.quotation_at_delta(curve, 1e-5)
    assert at_delta is not None
    assert at_delta.epsilon == pytest.approx(float(tradeoff.smallest_epsilon(curve, 1e-5)), rel=1e-13)
    at_epsilon = readings.quotation_at_epsilon(curve, at_delta.epsilon)
    assert at_epsilon.delta == pytest.approx(1e-5, rel=1e-9)
    assert at_epsilon.mu.mu == at_epsilon.limited_mu.mu == pytest.approx(1.3, rel=1e-12)


def test_there_is_no_quotation_at_a_delta_below_what_an_attack_without_false_positives_reaches():
    assert readings.quotation_at_delta(CURVES["(ε, δ)"], 1e-4) is None


def test_a_mu_limited_to_larger_errors_is_quoted_if_no_finite_mu_exists():
    quoted = readings.quotation_at_epsilon(CURVES["(ε, δ)"], 1.0)
    assert math.isinf(quoted.mu.mu)
    alpha = np.geomspace(readings.SMALLEST_ERROR, 0.5, 200)
    assert np.all(tradeoff.gaussian(alpha, quoted.limited_mu.mu) <= CURVES["(ε, δ)"](alpha) + 1e-12)


@each_curve
def test_a_quotation_lies_beneath_the_curve_and_what_it_concedes_is_the_difference_of_powers(curve):
    quoted = readings.quotation_at_epsilon(curve, 0.5)
    frame = readings.concessions(curve, quoted)
    assert np.all(frame["beta_epsilon_delta"] <= frame["beta"] + 1e-12)
    gap = quoted.guarantee.power(frame["alpha"].to_numpy()) - curve.power(frame["alpha"].to_numpy())
    np.testing.assert_allclose(frame["extra_power_epsilon_delta"], np.maximum(gap, 0), atol=1e-15)
    assert np.min(frame["extra_power_mu"]) >= 0
    inside = (frame["alpha"] >= 1e-9) & (frame["beta"] >= 1e-9)
    assert np.all(frame["beta_mu"][inside] <= frame["beta"][inside] + 1e-12)


def test_the_curve_of_measured_tests_is_their_lower_hull_with_guessing():
    corners = readings.point_readings([0.2, 0.1, 0.5, 0.7], [0.5, 0.6, 0.49, 0.9])
    assert corners.to_numpy().tolist() == [[0, 1], [0.1, 0.6], [0.2, 0.5], [1, 0]]
    assert readings.point_readings([[0.1], [0.3]], [0.6, 0.5]).to_numpy().tolist() == [[0, 1], [0.1, 0.5], [1, 0]]
    assert readings.point_readings([0.3], [0.9]).to_numpy().tolist() == [[0, 1], [1, 0]]


def test_logit_spacing_is_even_in_the_logarithm_of_alpha_at_the_low_end():
    alpha = readings.along(tradeoff.gaussian_curve(1), 1e-12)["alpha"].to_numpy()
    low = alpha[(alpha > 0) & (alpha < 1e-6)]
    np.testing.assert_allclose(np.diff(np.log(low)), np.log(low[1] / low[0]), rtol=1e-3)
    assert low[0] == pytest.approx(expit(math.log(1e-12)), rel=1e-9)
