"""Risks as records, and what the noise that meets one implies beside the detour over a guarantee."""

import math
import re

import numpy as np
import pytest

from dpcore import composition, gaussian, geometric, laplace, risk, tradeoff

FIVE_PERCENT = risk.Risk("power", 0.05, (0.01,))


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
            "kind must be in advantage, power, posterior, success, reconstruction, got 'harm'",
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
