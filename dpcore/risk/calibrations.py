"""The noise that meets a risk, what this noise implies in other terms, and what the detour over a guarantee needs.

The detour calibrates the same noise to the weakest (ε, δ) guarantee that alone ensures the risk, as one does who knows
the risk of a guarantee but not that of the mechanism. It needs more noise.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from dpcore import gaussian, geometric, laplace
from dpcore.checks import DELTA_RANGE, SENSITIVITY_RANGE, SIGNIFICANCE_RANGE, scalar, scalar_integer
from dpcore.composition import Release, dp_sgd_epsilon, dp_sgd_noise_multiplier, geometric_release, laplace_release, rho
from dpcore.composition import epsilon as epsilon_of
from dpcore.composition.releases import MOVED_RANGE
from dpcore.risk.guarantees import Risk
from dpcore.risk.noises import geometric_theta_from_risk, laplace_theta_from_risk, mu_from_risk
from dpcore.risk.releases import (
    dp_sgd_noise_multiplier_from_risk,
    noise_factor_from_epsilon,
    noise_factor_from_pure,
    noise_factor_from_risk,
    scaled_releases,
)
from dpcore.rounding import round_up
from dpcore.tradeoff import geometric_curve, mu_from_laplace, smallest_mu


@dataclass(frozen=True)
class RiskCalibration:
    """Noise that meets a risk, what it implies, and the detour.

    Attributes
    ----------
    scale : the noise, rounded up: σ, b or s in query units; of DP-SGD the noise multiplier, of a list the factor.
    loss : μ of Gaussian noise, θ of Laplace and geometric noise; NaN of others.
    epsilon : the ε of this noise at `delta`, rounded up.
    delta : the δ of `epsilon` and of the detour.
    mu : the smallest μ of the noise's trade-off curve, rounded up; ∞ where none is proved.
    rho : ρ of zCDP, rounded up; ∞ where the noise has none.
    half_width : the half-width of the error interval in query units; NaN of DP-SGD and of a list.
    detour_epsilon : ε of the weakest guarantee with this δ that alone ensures the risk; NaN if none does.
    detour_scale : the noise that satisfies it, in the unit of `scale`; ∞ if there is none.
    """

    scale: float
    loss: float
    epsilon: float
    delta: float
    mu: float
    rho: float
    half_width: float
    detour_epsilon: float
    detour_scale: float

    @property
    def detour_ratio(self) -> float:
        """The factor by which the noise is larger with the detour."""
        return self.detour_scale / self.scale


_LEAST_LOSS = 1e-30
_MOST_EPSILON_RANGE = "(0, inf]"


def gaussian_calibration(
    risk: Risk, delta: float, l2_sensitivity: float = 1.0, significance: float = 0.05
) -> RiskCalibration:
    """Return the Gaussian noise that meets a risk.

    Parameters
    ----------
    risk : the risk that the noise has to meet.
    delta : δ of the ε that is stated, and of the detour; in [1e-300, 1).
    l2_sensitivity : Δ₂ in [1e-100, 1e100], in query units.
    significance : of the half-width, in [1e-300, 1).

    Raises
    ------
    ValueError
        `limit must be one that noise within its range meets, got 0.2`: what a blind guess reaches, or next to it; and
        for a risk of every outcome, which no Gaussian noise limits.

    Examples
    --------
    >>> noise = gaussian_calibration(Risk("power", 0.05, (0.01,)), 1e-5)
    >>> f"σ = {noise.scale:.4f}, ε = {noise.epsilon:.4f}, detour σ = {noise.detour_scale:.4f}"
    'σ = 1.4674, ε = 2.8228, detour σ = 2.4239'
    """
    sensitivity = scalar("l2_sensitivity", l2_sensitivity, SENSITIVITY_RANGE)
    alpha = scalar("significance", significance, SIGNIFICANCE_RANGE)
    scale = _scale(risk, sensitivity, risk.inverse(mu_from_risk))
    mu = round_up(sensitivity / scale)
    return _calibration(
        risk,
        delta,
        _Noise(scale, mu, mu, round_up(mu * mu / 2, 4), float(gaussian.half_width(alpha, scale))),
        lambda delta: float(gaussian.epsilon_from_sigma(delta, scale, sensitivity)),
        lambda epsilon: float(gaussian.analytic_sigma(epsilon, delta, sensitivity)),
    )


def laplace_calibration(
    risk: Risk,
    delta: float,
    l1_sensitivity: float = 1.0,
    significance: float = 0.05,
    most_epsilon: float = math.inf,
) -> RiskCalibration:
    """Return the Laplace noise that meets a risk; arguments as in `gaussian_calibration`.

    Parameters
    ----------
    l1_sensitivity : Δ₁ in [1e-100, 1e100], the sum over all numbers of a release: the curve of one number that changes
        by Δ₁ lies nowhere above that of several numbers that change by Δ₁ together (own).
    most_epsilon : the most that the pure ε of the noise may be, such as one rounded down to the digits that are
        published; above 0.

    Examples
    --------
    >>> f"b = {laplace_calibration(Risk('advantage', 0.1), 1e-5).scale:.4f}"
    'b = 4.7456'
    >>> f"b = {laplace_calibration(Risk('outcome', 0.6, (0.5,)), 1e-5, most_epsilon=0.4054).scale:.4f}"
    'b = 2.4667'
    """
    sensitivity = scalar("l1_sensitivity", l1_sensitivity, SENSITIVITY_RANGE)
    most = scalar("most_epsilon", most_epsilon, _MOST_EPSILON_RANGE)
    scale = _scale(risk, sensitivity, min(risk.inverse(laplace_theta_from_risk), most))
    alpha, theta = scalar("significance", significance, SIGNIFICANCE_RANGE), round_up(sensitivity / scale)
    mu = float(mu_from_laplace(theta))
    return _calibration(
        risk,
        delta,
        _Noise(scale, theta, mu, rho([laplace_release(theta)]), float(laplace.half_width(alpha, scale))),
        lambda delta: float(laplace.epsilon_from_scale(delta, scale, sensitivity)),
        lambda epsilon: float(laplace.scale_from_epsilon(epsilon, delta, sensitivity)),
    )


def geometric_calibration(
    risk: Risk,
    delta: float,
    l1_sensitivity: float = 1.0,
    significance: float = 0.05,
    most_epsilon: float = math.inf,
) -> RiskCalibration:
    """Return the geometric noise that meets a risk; arguments as in `laplace_calibration`.

    Parameters
    ----------
    l1_sensitivity : Δ₁, a whole number in [1, 10,000].

    Examples
    --------
    >>> f"s = {geometric_calibration(Risk('advantage', 0.1), 1e-5).scale:.4f}"
    's = 4.9833'
    """
    steps = scalar_integer("l1_sensitivity", l1_sensitivity, MOVED_RANGE)
    most = scalar("most_epsilon", most_epsilon, _MOST_EPSILON_RANGE)
    scale = _scale(risk, steps, min(risk.inverse(geometric_theta_from_risk, steps), most))
    alpha, theta = scalar("significance", significance, SIGNIFICANCE_RANGE), round_up(steps / scale)
    mu = smallest_mu(geometric_curve(theta, steps)).mu
    return _calibration(
        risk,
        delta,
        _Noise(scale, theta, mu, rho([geometric_release(theta, steps)]), float(geometric.half_width(alpha, scale))),
        lambda delta: float(geometric.epsilon_from_scale(delta, scale, steps)),
        lambda epsilon: float(geometric.scale_from_epsilon(epsilon, delta, steps)),
    )


def dp_sgd_calibration(risk: Risk, delta: float, sampling_rate: float, steps: float) -> RiskCalibration:
    """Return the noise multiplier of DP-SGD that meets a risk.

    Parameters
    ----------
    risk, delta : as in `gaussian_calibration`.
    sampling_rate, steps : as in `dpcore.composition.dp_sgd_epsilon`.

    Examples
    --------
    >>> training = dp_sgd_calibration(Risk("advantage", 0.1), 1e-5, 0.002, 10_000)
    >>> f"z = {training.scale:.3f}, ε = {training.epsilon:.2f}, detour z = {training.detour_scale:.2f}"
    'z = 1.025, ε = 0.97, detour z = 3.34'
    """
    noise = _required(risk, risk.inverse(dp_sgd_noise_multiplier_from_risk, sampling_rate, steps))
    return _calibration(
        risk,
        delta,
        _Noise(noise, rho=math.inf),
        lambda delta: float(dp_sgd_epsilon(delta, noise, sampling_rate, steps)),
        lambda epsilon: float(dp_sgd_noise_multiplier(epsilon, delta, sampling_rate, steps)),
    )


def releases_calibration(
    risk: Risk, delta: float, releases: Sequence[Release], most_epsilon: float = math.inf
) -> RiskCalibration:
    """Return the factor on all noise scales of a list of releases that meets a risk; its scale is the factor.

    Parameters
    ----------
    risk, delta : as in `gaussian_calibration`.
    releases : as in `dpcore.risk.noise_factor_from_risk`.
    most_epsilon : the most that their pure ε may be together, as in `laplace_calibration`.

    Examples
    --------
    >>> from dpcore.composition import gaussian_release
    >>> releases = releases_calibration(Risk("power", 0.05, (0.01,)), 1e-5, [gaussian_release(1, count=4)])
    >>> f"{releases.scale:.3f} {releases.detour_scale:.3f}"
    '2.935 4.848'
    """
    most = scalar("most_epsilon", most_epsilon, _MOST_EPSILON_RANGE)
    least = float(noise_factor_from_pure(most, releases)) if most < math.inf else 0.0
    factor = _required(risk, max(risk.inverse(noise_factor_from_risk, releases), least))
    scaled = scaled_releases(releases, factor)
    return _calibration(
        risk,
        delta,
        _Noise(factor, rho=rho(scaled)),
        lambda delta: float(epsilon_of(scaled, delta, "certified").value),
        lambda epsilon: float(noise_factor_from_epsilon(epsilon, delta, releases)),
    )


def _scale(risk: Risk, sensitivity: float, loss: float) -> float:
    """Return Δ divided by the loss, rounded up; raise where no noise within its range meets the limit."""
    return _required(risk, round_up(sensitivity / loss, 2) if loss >= _LEAST_LOSS else math.inf)


def _required(risk: Risk, scale: float) -> float:
    """Return a scale; a limit that no scale within its range meets is refused."""
    if math.isinf(scale):
        raise ValueError(f"limit must be one that noise within its range meets, got {risk.limit!r}")
    return scale


class _Noise(NamedTuple):
    """Noise, and what it satisfies: its loss, μ and ρ. Of one that is not added to a number, there is no ±."""

    scale: float
    loss: float = math.nan
    mu: float = math.inf
    rho: float = math.inf
    half_width: float = math.nan


def _calibration(
    risk: Risk, delta: float, noise: _Noise, epsilon_at: Callable[[float], float], detour: Callable[[float], float]
) -> RiskCalibration:
    """Return the calibration of noise; `detour` is the scale of an (ε, δ) guarantee."""
    delta = scalar("delta", delta, DELTA_RANGE)
    detour_epsilon = risk.epsilon(delta)
    detour_scale = math.inf if math.isnan(detour_epsilon) else detour(detour_epsilon)
    return RiskCalibration(
        **noise._asdict(),
        epsilon=epsilon_at(delta),
        delta=delta,
        detour_epsilon=detour_epsilon,
        detour_scale=detour_scale,
    )
