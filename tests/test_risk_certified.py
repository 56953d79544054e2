"""Noise multipliers of DP-SGD and factors of lists: never less noise than the contour integral needs, hardly more."""

import re

import numpy as np
import pytest

from dpcore import risk, tradeoff
from dpcore.composition import (
    certified_delta,
    certified_profile,
    discrete_gaussian_release,
    exact_delta,
    exponential_release,
    gaussian_release,
    geometric_release,
    guarantee_release,
    laplace_release,
    sampled_release,
    zcdp_release,
)
from dpcore.risk import _least_scale

TRAINING = 0.002, 10_000


def inverse(prefix, kind, limit, *arguments):
    """Return an inverse of dpcore.risk: its arguments are the conditions of the kind, and then what else it takes."""
    n_conditions = len(risk.CONDITIONS[kind])
    return getattr(risk, f"{prefix}_from_risk")(kind, limit, arguments[:n_conditions], *arguments[n_conditions:])


def power_by_contour(releases, alpha, power):
    """Return the power at α of the curve below both directions, by the contour integral at many losses: an estimate."""
    losses = np.linspace(0, np.log1p((power - alpha) / min(alpha, 1 - power)), 301)
    delta, grown = exact_delta(releases, losses).value, np.exp(losses)
    return min(np.min(delta + grown * alpha), np.min(1 - (1 - delta - alpha) / grown))


def gain_by_contour(releases, kind, limit, conditions):
    """Return what the exact risk exceeds its limit by, relative, at a power or at a point of the profile."""
    if kind in ("advantage", "success"):
        prior = min(*conditions, 1 - conditions[0]) if conditions else 0.5
        allowed = (limit - (1 - prior)) / prior if conditions else limit
        return exact_delta(releases, np.log((1 - prior) / prior)).value / allowed - 1
    *priors, alpha = conditions
    power = limit * (1 - priors[0]) * alpha / (priors[0] * (1 - limit)) if priors else limit
    return power_by_contour(releases, alpha, power) / power - 1


def test_the_advantage_of_a_training_gives_the_published_noise_multiplier():
    """Kulynych et al. 2024 (riskcal 1.5.1): z = 1.02497 at q = .002, T = 10⁴, η = .1."""
    noise = float(inverse("dp_sgd_noise_multiplier", "advantage", 0.1, *TRAINING))
    assert noise == pytest.approx(1.02497, rel=5e-4)
    assert gain_by_contour([sampled_release(noise, *TRAINING)], "advantage", 0.1, ()) <= 1e-9
    assert gain_by_contour([sampled_release(noise / 1.001, *TRAINING)], "advantage", 0.1, ()) > 0
    assert inverse("dp_sgd_noise_multiplier", "success", 0.55, 0.5, *TRAINING) == pytest.approx(noise, rel=1e-9)


def test_the_power_of_a_training_needs_more_noise_than_riskcal_says():
    """riskcal 1.5.1 says z = .63368 at TPR .05, FPR .01.

    There an attack reaches a TPR of .0511, by the contour integral and by the loss distribution of dp-accounting 0.6.
    """
    assert power_by_contour([sampled_release(0.63368, *TRAINING)], 0.01, 0.05) == pytest.approx(0.051135, abs=1e-5)
    noise = float(inverse("dp_sgd_noise_multiplier", "power", 0.05, 0.01, *TRAINING))
    assert gain_by_contour([sampled_release(noise, *TRAINING)], "power", 0.05, (0.01,)) <= 1e-6
    assert gain_by_contour([sampled_release(noise / 1.001, *TRAINING)], "power", 0.05, (0.01,)) > 0


@pytest.mark.parametrize(
    ("kind", "limit", "conditions", "training"),
    [
        ("power", 0.9, (0.4,), (0.01, 500)),
        ("power", 0.02, (1e-3,), (0.05, 100)),
        ("posterior", 0.3, (0.1, 0.05), (0.01, 500)),
        ("success", 0.92, (0.1,), (0.02, 300)),
        ("success", 0.85, (0.8,), (0.02, 300)),
        ("reconstruction", 0.2, (0.05,), (0.001, 2000)),
        ("advantage", 0.01, (), (1.0, 10)),
    ],
)
def test_the_noise_of_a_training_meets_the_limit_and_is_near_the_exact_one(kind, limit, conditions, training):
    noise = float(inverse("dp_sgd_noise_multiplier", kind, limit, *conditions, *training))
    assert (
        risk.Risk(kind, limit, conditions).reached(tradeoff.subsampled_gaussian_curve(noise, *training))
        <= limit * 1.003
    )
    assert gain_by_contour([sampled_release(noise, *training)], kind, limit, conditions) <= 1e-6
    assert gain_by_contour([sampled_release(noise / 1.005, *training)], kind, limit, conditions) > 0


def test_rare_steps_that_the_contour_integral_does_not_resolve_have_certified_noise():
    noise = float(inverse("dp_sgd_noise_multiplier", "advantage", 0.001, 1e-3, 2))
    assert not exact_delta([sampled_release(noise, 1e-3, 2)], 0.0).converged
    assert certified_delta([sampled_release(noise, 1e-3, 2)], 0.0, 4e-4).value <= 0.001
    assert certified_delta([sampled_release(noise / 1.005, 1e-3, 2)], 0.0, 4e-4).value > 0.001


def test_no_profile_of_rare_large_losses_is_computed_twice_for_the_same_noise(monkeypatch):
    settings, profile = [], _least_scale.certified_profile

    def recorded(releases, epsilon, *options):
        settings.append((*releases[0].numbers, epsilon.size))
        return profile(releases, epsilon, *options)

    monkeypatch.setattr(_least_scale, "certified_profile", recorded)
    assert inverse("dp_sgd_noise_multiplier", "power", 0.02, 0.01, 1e-5, 5000) == pytest.approx(0.3, rel=1e-12)
    assert inverse("dp_sgd_noise_multiplier", "power", 0.02, 0.01, 3e-5, 5000) == pytest.approx(0.3222, rel=5e-3)
    assert 1 < len(settings) == len(set(settings))


def test_sparse_training_needs_little_noise_for_a_power_next_to_that_of_a_blind_guess():
    """It was 1.11, from profiles on too few cells for losses so rare, after 2.7 s."""
    noise = float(inverse("dp_sgd_noise_multiplier", "power", 1.01 * 4.2e-4, 4.2e-4, 7.23e-6, 9627))
    assert 0.675 < noise < 0.705


@pytest.mark.parametrize(
    ("alpha", "excess", "taken_in", "steps", "most"),
    [
        (1.68e-6, 0.0475, 1.235e-4, 541, 0.39),  # it was 0.55, after 6 s
        (6.36e-10, 0.0129, 5.44e-4, 81, 0.86),  # 2.93
        (1e-8, 0.03, 0.0587, 241_038, 0.63),  # 3.18, after 10 s
        (1e-50, 0.046, 8.9e-4, 2, 3.9),  # 5.47
    ],
)
def test_the_noise_of_trainings_that_hardly_ever_take_a_record_in_is_certified(alpha, excess, taken_in, steps, most):
    power, rate = alpha * (1 + excess), taken_in / steps
    noise = float(inverse("dp_sgd_noise_multiplier", "power", power, alpha, rate, steps))
    assert noise < most
    losses = np.log1p(excess) * np.geomspace(1e-4, 1, 64)[:-1]
    release = sampled_release(noise, rate, steps)
    by_profile = certified_profile([release], losses, 0.02, 2**15).value
    by_steps = steps * certified_delta([sampled_release(noise, rate)], losses / steps).value
    allowed = (power - alpha) - alpha * np.expm1(losses)
    assert np.any(np.minimum(by_profile, by_steps) <= allowed * (1 + 1e-9))


def test_a_sparse_training_has_infinite_noise_only_where_none_is_enough():
    assert inverse("dp_sgd_noise_multiplier", "power", 1.05e-298, 1e-298, 1e-6, 50) < 10
    assert inverse("dp_sgd_noise_multiplier", "power", 1e-250 * (1 + 1e-12), 1e-250, 1e-8, 50) == np.inf


def test_the_ends_of_the_noise_multipliers_stand_for_less_and_for_more():
    assert inverse("dp_sgd_noise_multiplier", "advantage", 0.99, 0.1, 1) == pytest.approx(0.3, rel=1e-12)
    assert inverse("dp_sgd_noise_multiplier", "power", 0.995, 0.01, *TRAINING) == pytest.approx(0.3, rel=1e-12)
    assert inverse("dp_sgd_noise_multiplier", "advantage", 1e-12, 0.1, 1) == np.inf
    assert inverse("dp_sgd_noise_multiplier", "advantage", [0.0, 1e-310], 0.1, 1).tolist() == [np.inf, np.inf]
    assert inverse("dp_sgd_noise_multiplier", "power", 0.01, 0.01, 0.1, 1) == np.inf


MIXED = [
    gaussian_release(4, 3),
    laplace_release(0.2),
    geometric_release(0.3, 3),
    discrete_gaussian_release(6, 2),
    sampled_release(1, 0.01, 50),
]


def test_a_list_of_gaussians_has_the_factor_of_their_common_mu():
    releases = [gaussian_release(2), gaussian_release(1, 4)]
    own = np.hypot(0.5, 2)
    assert inverse("noise_factor", "power", 0.05, 0.01, releases) == pytest.approx(own / 0.681494247089, rel=5e-4)
    assert inverse("noise_factor", "advantage", [0.1, 0.3], releases) == pytest.approx(
        own / np.array([0.25132269371, 0.770640932815]), rel=5e-4
    )
    sigma = 1 / inverse("mu", "success", 0.92, 0.1)
    assert inverse("noise_factor", "success", 0.92, 0.1, releases) == pytest.approx(own * sigma, rel=5e-4)
    sigma = 1 / inverse("mu", "posterior", 0.2, 0.1, 0.05)
    assert inverse("noise_factor", "posterior", 0.2, 0.1, 0.05, releases) == pytest.approx(own * sigma, rel=5e-4)


def test_a_single_release_has_the_factor_of_its_closed_form():
    theta = inverse("laplace_theta", "advantage", 0.1)
    assert inverse("noise_factor", "advantage", 0.1, [laplace_release(1)]) == pytest.approx(1 / theta, rel=3e-3)
    theta = inverse("geometric_theta", "power", 0.8, 0.3, 4)
    factor = inverse("noise_factor", "power", 0.8, 0.3, [geometric_release(1, 4)])
    assert 1 / theta * (1 - 1e-9) <= factor <= 1.003 / theta
    epsilon = inverse("epsilon", "reconstruction", 0.2, 0.05)
    factor = inverse("noise_factor", "reconstruction", 0.2, 0.05, [guarantee_release(1)])
    assert 1 / epsilon * (1 - 1e-9) <= factor <= 1.003 / epsilon


@pytest.mark.parametrize("target", [("power", 0.2, 0.05), ("advantage", 0.15), ("posterior", 0.3, 0.1, 0.05)], ids=str)
def test_the_factor_of_a_mixed_list_meets_the_limit_and_hardly_any_less_would(target):
    kind, limit, *conditions = target
    factor = inverse("noise_factor", kind, limit, *conditions, MIXED)

    exact = gain_by_contour(risk.scaled_releases(MIXED, factor), kind, limit, conditions)
    less = gain_by_contour(risk.scaled_releases(MIXED, factor / 1.005), kind, limit, conditions)
    assert exact <= 1e-6 < less


def test_few_outcomes_whose_risk_falls_by_steps_have_hardly_more_noise_than_they_need():
    """The curve has corners, so that its power at α falls steeply with the factor and near the sum of the ε jumps."""
    releases, limit, alpha = [guarantee_release(0.124, count=2), laplace_release(0.119)], 0.6427, 1.4e-4
    factor = float(inverse("noise_factor", "power", limit, alpha, releases))
    losses = np.linspace(0, np.log(limit / alpha), 201)
    for less, is_met in ((1, True), (1.005, False)):
        scaled = risk.scaled_releases(releases, factor / less)
        power = np.min(certified_profile(scaled, losses, 1e-4).value + np.exp(losses) * alpha)
        assert (power <= limit * (1 + 4e-4)) == is_met


def test_the_sum_of_pure_guarantees_is_enough_where_no_delta_is_left():
    pure = [laplace_release(1), geometric_release(0.5, 3, 2)]
    assert inverse("noise_factor", "success", 0.75, 0.25, pure) == pytest.approx(2 / np.log(3), rel=1e-12)
    assert inverse("noise_factor", "success", 0.75, 0.25, [gaussian_release(1)]) == np.inf
    assert inverse("noise_factor", "power", 0.05, 0.01, [laplace_release(1)]) == pytest.approx(1 / np.log(5), rel=1e-12)
    assert inverse("noise_factor", "advantage", 0.0, pure) == np.inf


def test_a_factor_of_a_guarantee_gives_the_noise_of_that_guarantee():
    factor = risk.noise_factor_from_epsilon(1, 1e-6, [gaussian_release(1)])
    assert factor == pytest.approx(4.224679, rel=5e-4)
    assert risk.noise_factor_from_epsilon([1.0], 1e-6, MIXED).shape == (1,)


def test_every_scale_grows_in_proportion_and_stays_in_its_range():
    scaled = risk.scaled_releases([*MIXED, exponential_release(0.5)], 2.0)
    assert [release.numbers for release in scaled] == [(8,), (0.1,), (0.15, 3), (12, 2), (2, 0.01), (0.25,)]
    assert [release.count for release in scaled] == [3, 1, 1, 1, 50, 1]
    assert inverse("noise_factor", "advantage", 0.99, [sampled_release(0.002, 0.1)]) == pytest.approx(0.5, rel=1e-9)
    assert inverse("noise_factor", "advantage", 1e-9, [gaussian_release(100)]) == np.inf
    assert inverse("noise_factor", "advantage", 0.9999, [laplace_release(1e3)]) == pytest.approx(1e3 / 18.42, rel=3e-3)


@pytest.mark.parametrize(
    ("releases", "sentence"),
    [
        (
            [zcdp_release(0.5)],
            "releases must have a pair of distributions to compose, which zCDP alone does not give, got 0.5-zCDP",
        ),
        ([guarantee_release(0.5, 1e-6)], "releases must be noise with a scale, got guarantee (0.5, 1e-06)"),
        ([], "releases must be from 1 to 400, got 0"),
    ],
)
def test_a_list_without_scales_is_refused(releases, sentence):
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        inverse("noise_factor", "advantage", 0.1, releases)


def test_rho_zcdp_has_no_scale():
    with pytest.raises(ValueError, match=r"^releases must be noise with a scale, got zcdp \(0\.5,\)$"):
        risk.scaled_releases([zcdp_release(0.5)], 2.0)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((0.1, 0, 10), "sampling_rate must be in (0, 1], got 0"),
        ((0.1, 0.1, 1.5), "steps must be in the whole numbers of [1, 1e6], got 1.5"),
        ((1, 0.1, 10), "advantage must be in [0, 1), got 1"),
    ],
)
def test_a_training_out_of_its_range_is_refused(arguments, sentence):
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        inverse("dp_sgd_noise_multiplier", "advantage", *arguments)
