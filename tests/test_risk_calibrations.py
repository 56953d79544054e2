"""Risks as records, and what the noise that meets one implies beside the detour over a guarantee."""

import math
import re

import numpy as np
import pytest

from dpcore import composition, gaussian, geometric, laplace, risk, tradeoff

FIVE_PERCENT = risk.Risk("power", 0.05, (0.01,))
SIXTY_PERCENT = risk.Risk("outcome", 0.6, (0.5,))


def test_gaussian_noise_for_a_power_is_1_468_and_the_detour_needs_65_percent_more():
    noise = risk.gaussian_calibration(FIVE_PERCENT, 1e-5, l2_sensitivity=2.0)
    assert noise.scale == pytest.approx(2 * 1.46736381748, rel=1e-11)
    assert noise.detour_scale == pytest.approx(2 * 2.423865417, rel=1e-9)
    assert noise.detour_ratio == pytest.approx(1.65185, rel=1e-5)
    assert noise.mu == noise.loss == pytest.approx(0.681494247089, rel=1e-11)
    assert noise.rho == pytest.approx(0.681494247089**2 / 2, rel=1e-11)
    assert noise.epsilon == pytest.approx(gaussian.epsilon_from_sigma(1e-5, noise.scale, 2.0), rel=1e-14)
    assert noise.half_width == pytest.approx(1.959963984540054 * noise.scale, rel=1e-12)


def test_laplace_noise_implies_a_pure_epsilon_a_mu_and_a_rho():
    noise = risk.laplace_calibration(risk.Risk("advantage", 0.1), 1e-5, l1_sensitivity=3.0, significance=0.1)
    theta = -2 * math.log(0.9)
    assert noise.scale == pytest.approx(3 / theta, rel=1e-13)
    assert noise.loss == pytest.approx(theta, rel=1e-13)
    assert noise.mu == pytest.approx(tradeoff.mu_from_laplace(theta), rel=1e-12)
    assert noise.rho == pytest.approx(theta - 1 + math.exp(-theta), rel=1e-10)
    assert noise.epsilon == pytest.approx(laplace.epsilon_from_scale(1e-5, 3 / theta, 3.0), rel=1e-12)
    assert noise.half_width == pytest.approx(3 / theta * math.log(10), rel=1e-12)
    assert noise.detour_scale == pytest.approx(laplace.scale_from_epsilon(noise.detour_epsilon, 1e-5, 3.0), rel=1e-13)
    assert noise.detour_ratio > 1


def test_geometric_noise_implies_the_guarantees_of_its_curve():
    noise = risk.geometric_calibration(FIVE_PERCENT, 1e-5, l1_sensitivity=3)
    assert noise.scale == pytest.approx(3 / math.log(5), rel=1e-12)
    assert noise.mu == pytest.approx(tradeoff.smallest_mu(tradeoff.geometric_curve(noise.loss, 3)).mu, rel=1e-12)
    assert noise.rho == composition.rho([composition.geometric_release(noise.loss, 3)])
    assert noise.half_width == geometric.half_width(0.05, noise.scale)
    assert noise.epsilon == pytest.approx(geometric.epsilon_from_scale(1e-5, noise.scale, 3), rel=1e-12)
    assert noise.detour_scale == pytest.approx(geometric.scale_from_epsilon(noise.detour_epsilon, 1e-5, 3), rel=1e-12)


def test_a_training_and_a_list_state_their_certified_epsilon_and_have_no_half_width():
    training = risk.dp_sgd_calibration(risk.Risk("advantage", 0.1), 1e-5, 0.01, 500)
    assert training.epsilon == composition.dp_sgd_epsilon(1e-5, training.scale, 0.01, 500)
    assert composition.dp_sgd_epsilon(1e-5, training.detour_scale, 0.01, 500) <= training.detour_epsilon
    releases = [composition.gaussian_release(1), composition.laplace_release(0.5)]
    listed = risk.releases_calibration(FIVE_PERCENT, 1e-5, releases)
    scaled = risk.scaled_releases(releases, listed.scale)
    assert listed.epsilon == composition.epsilon(scaled, 1e-5, "certified").value
    assert listed.rho == composition.rho(scaled)
    assert all(math.isnan(noise.half_width) and math.isnan(noise.loss) for noise in (training, listed))
    assert training.mu == listed.mu == training.rho == math.inf
    assert training.detour_ratio > 1 < listed.detour_ratio


def test_a_limit_below_delta_has_no_detour():
    noise = risk.gaussian_calibration(risk.Risk("advantage", 1e-6), 1e-5)
    assert math.isnan(noise.detour_epsilon)
    assert noise.detour_scale == noise.detour_ratio == math.inf


def test_the_five_risks_of_a_curve_are_read_from_it():
    curve = tradeoff.gaussian_curve(1)
    power = tradeoff.gaussian_power(0.05, 1)
    assert risk.Risk("advantage", 0.5).reached(curve) == tradeoff.advantage(curve)
    assert risk.Risk("power", 0.5, (0.05,)).reached(curve) == power
    assert risk.Risk("reconstruction", 0.5, (0.05,)).reached(curve) == power
    assert risk.Risk("success", 0.95, (0.1,)).reached(curve) == tradeoff.bayes_accuracy(curve, 0.1)
    reached = risk.Risk("posterior", 0.5, (0.1, 0.05)).reached(curve)
    assert reached == pytest.approx(tradeoff.posterior(0.05, power, 0.1), rel=1e-13)
    assert reached >= tradeoff.posterior(0.05, power, 0.1)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (
            lambda: risk.Risk("harm", 0.1),
            "kind must be in outcome, advantage, power, posterior, success, reconstruction, got 'harm'",
        ),
        (lambda: risk.Risk("outcome", 0.4, (0.5,)), "posterior must be in [prior, 1), got 0.4"),
        (lambda: risk.Risk("outcome", 0.4), "conditions must be prior, got ()"),
        (
            lambda: risk.epsilon_from_risk("harm", 0.1),
            "kind must be in outcome, advantage, power, posterior, success, reconstruction, got 'harm'",
        ),
        (
            lambda: risk.gaussian_calibration(SIXTY_PERCENT, 1e-5),
            "risk must be one that this noise limits, got kind 'outcome', which pure ε-DP alone limits",
        ),
        (
            lambda: risk.dp_sgd_calibration(SIXTY_PERCENT, 1e-5, 0.01, 5),
            "risk must be one that this noise limits, got kind 'outcome', which pure ε-DP alone limits",
        ),
        (
            lambda: risk.releases_calibration(SIXTY_PERCENT, 1e-5, [composition.gaussian_release(4)]),
            "limit must be one that noise within its range meets, got 0.6",
        ),
        (
            lambda: risk.geometric_calibration(risk.Risk("outcome", 0.5, (0.5,)), 1e-5),
            "limit must be one that noise within its range meets, got 0.5",
        ),
        (
            lambda: risk.laplace_calibration(SIXTY_PERCENT, 1e-5, most_epsilon=0),
            "most_epsilon must be in (0, inf], got 0",
        ),
        (lambda: risk.Risk("power", 0.1), "conditions must be alpha, got ()"),
        (lambda: risk.Risk("advantage", 0.1, (0.2,)), "conditions must be empty, got (0.2,)"),
        (lambda: risk.Risk("posterior", 0.1, (0.2, 0)), "alpha must be in (0, 1), got 0"),
        (lambda: risk.Risk("power", 0.1, (0.2,)), "power must be in [alpha, 1), got 0.1"),
        (lambda: risk.Risk("power", 1, (0.2,)), "limit must be in (0, 1), got 1"),
        (
            lambda: risk.gaussian_calibration(risk.Risk("power", 0.2, (0.2,)), 1e-5),
            "limit must be one that noise within its range meets, got 0.2",
        ),
        (
            lambda: risk.dp_sgd_calibration(risk.Risk("advantage", 1e-12), 1e-13, 0.01, 5),
            "limit must be one that noise within its range meets, got 1e-12",
        ),
        (
            lambda: risk.releases_calibration(risk.Risk("advantage", 1e-12), 1e-13, [composition.gaussian_release(1)]),
            "limit must be one that noise within its range meets, got 1e-12",
        ),
        (lambda: risk.gaussian_calibration(FIVE_PERCENT, 0), "delta must be in [1e-300, 1), got 0"),
        (lambda: risk.laplace_calibration(FIVE_PERCENT, 1e-5, 0), "l1_sensitivity must be in [1e-100, 1e100], got 0"),
        (
            lambda: risk.geometric_calibration(FIVE_PERCENT, 1e-5, 1.5),
            "l1_sensitivity must be in the whole numbers of [1, 1e4], got 1.5",
        ),
    ],
)
def test_an_impossible_risk_or_setting_is_refused(call, sentence):
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        call()


def test_more_acceptable_risk_needs_less_noise():
    limits = np.linspace(0.02, 0.9, 12)
    scales = [risk.gaussian_calibration(risk.Risk("power", limit, (0.01,)), 1e-5).scale for limit in limits]
    assert np.all(np.diff(scales) < 0)


def largest_posterior(probability, other, prior):
    """Return the largest posterior by Bayes' rule over outcomes with these probabilities under both hypotheses."""
    return np.max(prior * probability / (prior * probability + (1 - prior) * other))


@pytest.mark.parametrize("steps", [1, 3])
@pytest.mark.parametrize(("prior", "limit"), [(0.5, 0.6), (0.01, 0.05), (0.01, 0.0101), (0.9, 0.95), (0.2, 0.999)])
def test_no_outcome_of_the_noise_raises_the_prior_above_the_limit_and_some_outcome_reaches_it(prior, limit, steps):
    every = risk.Risk("outcome", limit, (prior,))
    noise = risk.geometric_calibration(every, 1e-5, steps)
    outcome = np.arange(-50, 51)
    geometric_ratio = np.exp((np.abs(outcome) - np.abs(outcome - steps)) / noise.scale)
    assert largest_posterior(geometric_ratio, 1.0, prior) == pytest.approx(limit, rel=1e-12)
    assert largest_posterior(geometric_ratio, 1.0, prior) <= limit * (1 + 1e-15)
    noise = risk.laplace_calibration(every, 1e-5, steps)
    outcome = np.linspace(-9, 9, 1001)
    laplace_ratio = np.exp((np.abs(outcome) - np.abs(outcome - steps)) / noise.scale)
    assert largest_posterior(laplace_ratio, 1.0, prior) == pytest.approx(limit, rel=1e-12)
    assert every.reached(tradeoff.laplace_curve(noise.loss)) == pytest.approx(limit, rel=1e-13)
    assert math.log(limit / (1 - limit)) - math.log(prior / (1 - prior)) == pytest.approx(noise.loss, rel=1e-12)


def test_sixty_percent_after_every_outcome_is_epsilon_0_4054_and_geometric_noise_of_2_467():
    assert risk.epsilon_from_risk("outcome", 0.6, [0.5]) == pytest.approx(math.log(1.5), rel=1e-14)
    noise = risk.geometric_calibration(SIXTY_PERCENT, 1e-6, most_epsilon=0.4054)
    assert noise.scale == pytest.approx(1 / 0.4054, rel=1e-14)
    assert noise.loss == pytest.approx(0.4054, rel=1e-14)
    assert risk.geometric_calibration(SIXTY_PERCENT, 1e-6).scale == pytest.approx(1 / math.log(1.5), rel=1e-14)
    assert math.isnan(noise.detour_epsilon)
    assert math.isinf(noise.detour_scale)
    assert risk.epsilon_from_risk("posterior", 0.6, (0.5, 0.0)) == SIXTY_PERCENT.inverse(risk.epsilon_from_risk)


def test_a_list_of_pure_releases_limits_every_outcome_by_the_sum_of_their_epsilons():
    releases = [composition.laplace_release(0.2, count=5), composition.guarantee_release(0.5)]
    noise = risk.releases_calibration(SIXTY_PERCENT, 1e-6, releases)
    assert noise.scale == pytest.approx(1.5 / math.log(1.5), rel=1e-13)
    assert risk.releases_calibration(SIXTY_PERCENT, 1e-6, releases, 0.4).scale == pytest.approx(1.5 / 0.4, rel=1e-13)
    curve = tradeoff.releases_curve(risk.scaled_releases(releases, noise.scale))
    assert 0.6 * (1 - 1e-13) <= SIXTY_PERCENT.reached(curve) <= 0.6 * (1 + 1e-6)  # its losses are rounded up
    assert risk.noise_factor_from_risk("posterior", 0.6, (0.5, [0, 0]), releases).tolist() == [noise.scale] * 2
    assert risk.noise_factor_from_risk("posterior", 0.6, (0.5, 0), [composition.gaussian_release(4)]) == math.inf
    assert risk.noise_factor_from_pure([0, 1e-12, 0.5, 1e6], releases).tolist() == [
        math.inf,
        math.inf,
        pytest.approx(3, rel=1e-14),
        pytest.approx(0.5 / 1000, rel=1e-12),  # an ε of a release is at most 1000
    ]


def test_no_number_below_one_bounds_every_outcome_unless_the_guarantee_is_pure():
    """Truncated noise identifies a person with probability δ, and rare outcomes of Gaussian noise leave no doubt."""
    for curve in (
        tradeoff.gaussian_curve(0.01),
        tradeoff.epsilon_delta_curve(0.1, 1e-9),
        tradeoff.truncated_geometric_curve(0.1, 400, 1),
        tradeoff.truncated_laplace_curve(0.1, 1e-9),
        tradeoff.zcdp_curve(1e-4),
    ):
        assert risk.reached_risk("outcome", curve, 0.5) == 1
        assert risk.reached_risk("outcome", curve, 0.0) == 0
    assert risk.reached_risk("outcome", tradeoff.epsilon_delta_curve(math.log(1.5), 0), 0.5) == pytest.approx(0.6)
    assert risk.reached_risk("outcome", tradeoff.geometric_curve(1, 3), 0.01) == pytest.approx(
        0.01 * math.e / (0.99 + 0.01 * math.e), rel=1e-13
    )


def test_a_rarer_test_of_gaussian_noise_leaves_more_than_its_limit():
    at_five_percent = risk.gaussian_calibration(risk.Risk("posterior", 0.6, (0.5, 0.05)), 1e-6)
    at_one_percent = risk.gaussian_calibration(risk.Risk("posterior", 0.6, (0.5, 0.01)), 1e-6)
    assert at_five_percent.scale == pytest.approx(4.871, abs=1e-3)
    assert at_one_percent.scale == pytest.approx(6.4, abs=0.05)
    curve = tradeoff.sigma_curve(at_five_percent.scale, 1.0)
    after = [risk.reached_risk("posterior", curve, 0.5, rate) for rate in (0.05, 0.01, 1e-3, 1e-6, 1e-100)]
    assert after == sorted(after)
    assert after[0] == pytest.approx(0.6, rel=1e-13)
    assert after[2] == pytest.approx(0.66187, abs=1e-4)
    assert after[-1] > 0.98


GEOMETRIC = [tradeoff.geometric_curve(0.4 * steps, steps) for steps in (1, 2, 3, 4)]
LAPLACE = [tradeoff.laplace_curve(moved) for moved in (0.1, 0.3, 1.7, 2.0)]


@pytest.mark.parametrize(
    ("parts", "whole"),
    [
        ([GEOMETRIC[0], GEOMETRIC[1]], tradeoff.geometric_curve(1.2, 3)),
        ([GEOMETRIC[2], GEOMETRIC[2]], tradeoff.geometric_curve(2.4, 6)),
        ([GEOMETRIC[0]] * 4, GEOMETRIC[3]),
        ([LAPLACE[0], LAPLACE[3]], tradeoff.laplace_curve(2.1)),
        ([LAPLACE[1], LAPLACE[2]], LAPLACE[3]),
    ],
)
def test_several_numbers_reveal_no_more_than_one_that_changes_by_the_sum(parts, whole):
    """The noise of several cells takes Δ₁: its profile is nowhere above that of one number with this sensitivity."""
    epsilon = np.linspace(0, whole.pure_epsilon, 30)
    together, alone = tradeoff.composed_curve(parts).delta(epsilon), whole.delta(epsilon)
    assert np.all(together <= alone * (1 + 1e-3) + 1e-9)
    assert np.all(together[:15] < alone[:15])
