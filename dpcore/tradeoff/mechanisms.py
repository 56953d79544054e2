"""Trade-off curves of mechanisms and promises, each with its exact privacy profile and its smallest μ."""

import math
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import erfinv, gammainc, ndtri_exp

from dpcore import gaussian as gaussian_mechanism
from dpcore import generalized_gaussian
from dpcore.checks import SHAPE_RANGE, Array, number, refuse, scalar, scalar_integer
from dpcore.composition.conversions import delta_from_rho
from dpcore.generalized_gaussian._tails import half_norm, mills_ratio
from dpcore.rounding import BELOW_ONE, round_sum_up, round_up
from dpcore.tradeoff import forms
from dpcore.tradeoff.curve import TOUCHES, Curve, Lines, SmallestMu, lines_curve, mu_up, profile_curve
from dpcore.tradeoff.forms import EPSILON_RANGE, MU_RANGE, upper

SCALE_RANGE = "[1e-300, 1e300]"
MOST_STEPS = 10_000
_LEAST_STEP = 1e-300  # Below this θ/Δ, where doubles lose relative precision, the pure promise stands for the curve.
RHO_RANGE = "[1e-12, 1e5]"


def gaussian_curve(mu: float, name: str | None = None) -> Curve:
    """G_μ, the curve of μ-GDP ([DRS22]), for μ in [0, 1e6].

    Examples
    --------
    >>> f"{gaussian_curve(1)(0.05):.4f}"
    '0.7405'
    """
    mu = scalar("mu", mu, MU_RANGE)
    shift = max(mu, 1e-300)

    def delta(epsilon: Array) -> Array:
        return np.zeros(epsilon.shape)[()] if mu == 0 else gaussian_mechanism.delta_from_sigma(epsilon, 1.0, shift)

    def epsilon(delta: Array) -> Array:
        if mu == 0:
            return np.zeros(delta.shape)[()]
        value = gaussian_mechanism.epsilon_from_sigma(np.clip(delta, 1e-300, BELOW_ONE), 1.0, shift)
        lost = (delta < 1e-300) | (value > 1e6)
        return np.where(delta == 1, 0.0, np.where(lost, np.inf, value))[()]

    curve = Curve(
        name or f"{mu:.4g}-GDP",
        lambda alpha: forms.gaussian(alpha, mu),
        lambda alpha: forms.gaussian_power(alpha, mu),
        delta,
        lambda: curve,
        lambda: SmallestMu(mu, 0.5, "the curve is G_μ itself"),
        epsilon,
        mu=mu,
        pure_epsilon=0.0 if mu == 0 else None,
    )
    return curve


def sigma_curve(sigma: float, l2_sensitivity: float = 1.0, name: str | None = None) -> Curve:
    """The curve of Gaussian noise: G_μ with μ = Δ₂/σ, rounded up ([DRS22] Thm 1).

    Parameters
    ----------
    sigma : > 0, in query units.
    l2_sensitivity : Δ₂ ≥ 1e-300, in query units, at most 10⁶ σ.

    Examples
    --------
    >>> f"{sigma_curve(4, l2_sensitivity=2).mu:.4f}"
    '0.5000'
    """
    sigma = scalar("sigma", sigma, "(0, inf)")
    sensitivity = scalar("l2_sensitivity", l2_sensitivity, SCALE_RANGE)
    with np.errstate(over="ignore"):
        mu = round_up(np.float64(sensitivity) / sigma)
    refuse("sigma", np.asarray(sigma), np.asarray(mu > 1e6), f"[{1e-6 * sensitivity:.4g}, inf)")
    return gaussian_curve(float(mu), name or f"Gaussian σ = {sigma:.4g}")


def epsilon_delta_curve(epsilon: float, delta: float = 0.0, name: str | None = None) -> Curve:
    """f_{ε,δ}, the curve of (ε, δ)-DP ([DRS22]), for ε in [0, 1e6] and δ in [0, 1]; pure ε-DP at δ = 0.

    Examples
    --------
    >>> f"{epsilon_delta_curve(1, 1e-5)(0.05):.4f}"
    '0.8641'
    """
    epsilon, delta = scalar("epsilon", epsilon, EPSILON_RANGE), scalar("delta", delta, forms.PROBABILITY)
    words = f"({epsilon:.4g}, {delta:.4g})-DP" if delta else f"{epsilon:.4g}-DP"
    curve = profile_curve([epsilon], [delta], name or words)
    if delta > 0:
        return curve
    corner = 1 / (1 + math.exp(min(epsilon, 700)))
    return replace(curve, find_mu=lambda: SmallestMu(float(mu_from_epsilon(epsilon)), corner, TOUCHES))


def laplace_curve(theta: float, name: str | None = None) -> Curve:
    """The curve of Laplace noise with Δ₁/b = θ in [0, 1e6]; δ(ε) = 1 − e^{(ε−θ)/2} below θ, 0 from there on.

    Examples
    --------
    >>> f"{laplace_curve(1)(0.05):.4f}"
    '0.8641'
    """
    theta = scalar("theta", theta, EPSILON_RANGE)

    def delta(epsilon: Array) -> Array:
        gap = np.minimum((epsilon - theta) / 2, 0)
        return upper(-np.expm1(gap), np.where(gap < 0, 4.0, 0.0))

    def epsilon(delta: Array) -> Array:
        with np.errstate(divide="ignore"):
            value = np.maximum(theta + 2 * np.log1p(-delta), 0)
        rounded = np.minimum(round_sum_up(value, np.asarray(theta + 1), 8), theta)  # θ itself is promised
        return np.where((value > 0) & (delta > 0), rounded, value)[()]

    curve = Curve(
        name or f"Laplace θ = {theta:.4g}",
        lambda alpha: forms.laplace(alpha, theta),
        lambda alpha: forms.laplace_power(alpha, theta),
        delta,
        lambda: curve,
        lambda: SmallestMu(
            float(mu_from_laplace(theta)), math.exp(-theta / 2) / 2, "μ = 2Φ⁻¹(1 − ½e^{−θ/2}), where α = β"
        ),
        epsilon,
        pure_epsilon=theta,
    )
    return curve


def geometric_curve(theta: float, sensitivity: float = 1.0, name: str | None = None) -> Curve:
    """The curve of two-sided geometric noise, θ = Δ/scale in [0, 1e6], Δ a whole number in [1, 10,000]: Δ + 1 lines.

    Its pure ε is θ itself. No δ(ε) that is read from it is too small, and a relative 1e-12 is the most by which one is
    too large beyond what moving ε by a few roundings does, which is much where ε is next to θ.

    Examples
    --------
    >>> f"{geometric_curve(1, 5)(0.05):.4f}"
    '0.8641'
    """
    theta = scalar("theta", theta, EPSILON_RANGE)
    steps = scalar_integer("sensitivity", sensitivity, f"[1, {MOST_STEPS}]")
    step = theta / steps
    words = name or f"geometric θ = {theta:.4g}"
    if step < _LEAST_STEP:
        return epsilon_delta_curve(theta, 0.0, words)
    lines = _geometric_lines(theta, steps)
    k = np.arange(float(steps), -1, -1)

    def find_mu() -> SmallestMu:
        rest = np.log1p(np.exp(-step))
        alpha, beta = -k[:-1] * step - rest, -(steps - k[:-1] + 1) * step - rest  # logarithms, at the corners
        mu = -ndtri_exp(alpha) - ndtri_exp(beta)
        best = int(np.argmax(mu))
        return SmallestMu(mu_up(float(mu[best])), math.exp(alpha[best]), TOUCHES)

    curve = replace(
        lines_curve(lines, words),
        beta=lambda alpha: forms.geometric(alpha, theta, steps),
        power=lambda alpha: forms.geometric_power(alpha, theta, steps),
        inverse=lambda: curve,
        find_mu=find_mu,
    )
    return curve


def _geometric_lines(theta: float, steps: int) -> Lines:
    """The lines of `geometric_curve`: for k = Δ … 0 the loss (2k − Δ)θ/Δ, where δ = 1 − e^{−(Δ − k)θ/Δ}.

    Every loss is computed from θ and Δ, not from a rounded θ/Δ, and rounded away from 0. So the two outermost lines
    stand at ±θ exactly, and no line stands nearer to 0 than its loss. Both intercepts are rounded up, by more than the
    rounding of the loss can change the larger one of the two; the outermost ones are 0 exactly.
    """
    k = np.arange(float(steps), -1, -1)
    size = np.minimum(round_up(abs(2 * k - steps) * theta / steps, 2), theta)
    intercept = np.minimum(round_up(-np.expm1(-k * theta / steps), 8), 1)
    return Lines(np.copysign(size, 2 * k - steps), intercept[::-1], intercept)


def generalized_gaussian_curve(scale: float, p: float, sensitivity: float = 1.0, name: str | None = None) -> Curve:
    """The curve of noise with density ∝ exp(−|x/b|^p) for one statistic ([Liu19]; log-concave, [DRS22]).

    δ(ε) = Pr(X > t − Δ) − e^ε Pr(X > t) at the t where the loss |t/b|^p − |(t − Δ)/b|^p is ε.

    Parameters
    ----------
    p : shape, in [1, 100].
    scale, sensitivity : b and Δ in [1e-300, 1e300], in query units, with Δ/b in [1e-12, 1e6].

    Examples
    --------
    >>> f"{generalized_gaussian_curve(2, 3)(0.05):.4f}"
    '0.7664'
    """
    p = scalar("p", p, SHAPE_RANGE)
    scale, sensitivity = scalar("scale", scale, SCALE_RANGE), scalar("sensitivity", sensitivity, SCALE_RANGE)
    shift = scalar("sensitivity / scale", sensitivity / scale, "[1e-12, 1e6]")
    words = name or f"GG p = {p:.4g}, b = {scale:.4g}"
    if p == 1:
        return laplace_curve(min(round_up(shift), 1e6), words)

    def find_mu() -> SmallestMu:
        if p > 2:
            reason = "no finite μ exists: for p > 2 the tails are lighter than any Gaussian's"
            return SmallestMu(math.inf, 0.0, reason)
        x, shape = np.array([shift / 2]), np.array([p])
        power, norm = x**p, half_norm(shape)
        half = gammainc(1 / p, power)  # 1 − 2α where α = β
        log_tail = np.log(mills_ratio(x, power, shape, norm) / (2 * norm)) - power
        mu = _mu_at_middle(half, log_tail) * (1 + 1e-12)
        return SmallestMu(float(mu[0]), math.exp(log_tail[0]), "at α = β, for p ≤ 2")

    curve = Curve(
        words,
        lambda alpha: forms.generalized_gaussian(alpha, 1.0, p, shift),
        lambda alpha: forms.generalized_gaussian_power(alpha, 1.0, p, shift),
        lambda epsilon: generalized_gaussian.delta_from_scale(epsilon, 1.0, p, shift),
        lambda: curve,
        find_mu,
    )
    return curve


def mu_from_laplace(theta: ArrayLike) -> Array:
    """The smallest μ of Laplace noise, 2Φ⁻¹(1 − ½e^{−θ/2}), rounded up (own; mathematics of R `fdp::est_gdp`).

    Parameters
    ----------
    theta : Δ₁/b in [0, 1e6].

    Examples
    --------
    >>> f"{mu_from_laplace(1):.4f}"
    '1.0301'
    """
    theta = number("theta", theta, EPSILON_RANGE)
    return _mu_at_middle(-np.expm1(-theta / 2), -theta / 2 - np.log(2))


def mu_from_epsilon(epsilon: ArrayLike) -> Array:
    """The smallest μ of pure ε-DP, −2Φ⁻¹(1/(1 + e^ε)), rounded up (own).

    Parameters
    ----------
    epsilon : in [0, 1e6], in nats.

    Examples
    --------
    >>> f"{mu_from_epsilon(1):.4f}"
    '1.2320'
    """
    epsilon = number("epsilon", epsilon, EPSILON_RANGE)
    return _mu_at_middle(np.tanh(epsilon / 2), -np.logaddexp(0, epsilon))


def _mu_at_middle(advantage: Array, log_error: Array | float) -> Array:
    """−2Φ⁻¹(α) where α = β: from 1 − 2α, or from log α where α is small; rounded up."""
    near = np.sqrt(8) * erfinv(np.minimum(advantage, 0.5))
    return round_up(np.where(advantage < 0.5, near, -2 * ndtri_exp(log_error)), 32)[()]


def zcdp_curve(rho: float, name: str | None = None) -> Curve:
    """What ρ-zCDP promises as a curve: δ(ε) = inf over orders a > 1 of e^{(a−1)(aρ−ε)} (1 − 1/a)^a/(a − 1).

    The conversion is Canonne, Kamath & Steinke 2020, Prop. 12, for Rényi divergence aρ of order a ([BS16]
    Def. 1.1); the curve follows by duality. Gaussian noise with μ = √(2ρ) is ρ-zCDP, but not all that is ρ-zCDP is
    so good.

    Parameters
    ----------
    rho : in [1e-12, 1e5].

    Examples
    --------
    >>> f"{zcdp_curve(0.5)(0.05):.4f}"
    '0.6494'
    """
    rho = scalar("rho", rho, RHO_RANGE)
    root = math.sqrt(rho)
    # Between two ε about (step²/8)(slope² + slope) of δ is lost, slope = (ε/ρ − 1)/2: the steps are even in that.
    place = np.concatenate([np.linspace(-root, 17, 20_000), np.linspace(17, 54, 2_000)[1:]])  # (ε − ρ)/√ρ
    slope = np.maximum(place, 0) / 2
    steps = np.cumsum(np.append(0, np.diff(place) * np.sqrt(slope[1:] ** 2 + slope[1:] * root + 0.25)))
    inner = np.interp(np.linspace(0, steps[19_999], 2500), steps, place)
    epsilon = np.maximum(rho + root * np.append(inner, np.linspace(17, 54, 300)[1:]), 0)
    delta = np.maximum(delta_from_rho(epsilon, rho), 1e-300)
    curve = profile_curve(epsilon, delta, name or f"{rho:.4g}-zCDP")
    reason = "no finite μ is claimed: the conversion is not tight enough in the far tail"
    return replace(curve, find_mu=lambda: SmallestMu(math.inf, 0.0, reason), rho=rho)
