"""Trade-off curves of mechanisms and guarantees, each with its exact privacy profile; those of truncated noise."""

import math
from dataclasses import replace

import numpy as np
from scipy.special import gammainc

from dpcore import gaussian as gaussian_mechanism
from dpcore import generalized_gaussian, truncated_geometric, truncated_laplace
from dpcore.checks import EPSILON_RANGE, SHAPE_RANGE, Array, refuse, scalar, scalar_integer
from dpcore.composition.conversions import delta_from_rho
from dpcore.generalized_gaussian._tails import half_norm, mills_ratio
from dpcore.rounding import BELOW_ONE, TINY, ULP, round_up
from dpcore.tradeoff import forms
from dpcore.tradeoff.curve import Curve, SmallestMu, no_mu
from dpcore.tradeoff.forms import MU_RANGE, grown, lower, upper
from dpcore.tradeoff.pure_mechanisms import laplace_curve, mu_at_middle, profile_curve

SCALE_RANGE = "[1e-300, 1e300]"
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
    """Return the curve of Gaussian noise: G_μ with μ = Δ₂/σ, rounded up ([DRS22] Thm 1).

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


def generalized_gaussian_curve(scale: float, p: float, sensitivity: float = 1.0, name: str | None = None) -> Curve:
    """Return the curve of noise with density ∝ exp(−|x/b|^p) for one statistic ([Liu19]; log-concave, [DRS22]).

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
            reason = "no finite μ exists: for p > 2 the tails are lighter than any Gaussian’s"
            return SmallestMu(math.inf, 0.0, reason)
        x, shape = np.array([shift / 2]), np.array([p])
        power, norm = x**p, half_norm(shape)
        half = gammainc(1 / p, power)  # 1 − 2α where α = β
        log_tail = np.log(mills_ratio(x, power, shape, norm) / (2 * norm)) - power
        mu = mu_at_middle(half, log_tail) * (1 + 1e-12)
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


def zcdp_curve(rho: float, name: str | None = None) -> Curve:
    """Return what ρ-zCDP guarantees as a curve: δ(ε) = inf over orders a > 1 of e^{(a−1)(aρ−ε)} (1 − 1/a)^a/(a − 1).

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


_STEPS_RANGE = "[1, 10000]"


def truncated_laplace_curve(epsilon: float, delta: float, name: str | None = None) -> Curve:
    """Return the curve of truncated Laplace noise of (ε, δ)-DP: a hyperbola between two lines (own).

    The lines are 1 − δ − e^ε α and e^{−ε}(1 − δ − α).

    With g = δ/(e^ε − 1) the middle is (½ + g)² e^{−ε}/(α + g) − g, from α = e^{−ε}(½ − δ) to ½. f(0) = 1 − δ: without a
    false positive an attack finds the person with probability δ.

    Parameters
    ----------
    epsilon : in [0, 1e6].
    delta : in [1e-300, 0.5].

    Examples
    --------
    >>> curve = truncated_laplace_curve(1, 0.01)
    >>> f"{curve(0):.4f} {curve(0.05):.4f} {curve(0.3):.4f}"
    '0.9900 0.8541 0.3020'
    """
    epsilon, delta = scalar("epsilon", epsilon, EPSILON_RANGE), scalar("delta", delta, "[1e-300, 0.5]")
    bound, scale = truncated_laplace.bound_from_epsilon(epsilon, delta), truncated_laplace.scale_from_epsilon(epsilon)

    def miss(alpha: Array) -> tuple[Array, Array]:
        """β, and an error that its rounding does not exceed."""
        with np.errstate(over="ignore", under="ignore"):
            risen, shrunk, growth = (
                grown(alpha, np.asarray(epsilon)),
                np.exp(-epsilon),
                np.expm1(epsilon) / delta,
            )  # 1/g
            # Divided by g, or not, whichever is the smaller number: g is infinite at ε = 0 and may be below any double.
            g = 1 / max(growth, 1.0)
            first = shrunk / 4 if growth > 1 else -np.expm1(-epsilon) / (4 * delta)
            whole = np.maximum(alpha + g if growth > 1 else 1 + alpha * growth, TINY)
            middle = (first + g * (shrunk * (1 - delta) - alpha)) / whole
            doubt = 8 * ULP * (first + g * (shrunk * (1 - delta) + alpha)) / whole + TINY
        steep, flat = 1 - delta - risen, shrunk * np.maximum(1 - delta - alpha, 0)
        value = np.where(risen <= 0.5 - delta, steep, np.where(alpha >= 0.5, flat, middle))
        return np.maximum(value, 0), np.where(risen <= 0.5 - delta, 8 * ULP, doubt)

    def beta(alpha: Array) -> Array:
        value, doubt = miss(alpha)
        return lower(np.maximum(value - doubt, 0), np.asarray(8.0))

    def power(alpha: Array) -> Array:
        value, doubt = miss(alpha)
        risen = grown(alpha, np.asarray(epsilon))
        return upper(np.where(risen <= 0.5 - delta, delta + risen, 1 - value + doubt), np.asarray(8.0))

    def epsilon_at(target: Array) -> Array:
        inner = np.clip(target, 1e-300, 1 - ULP)
        value = truncated_laplace.epsilon_from_bound(inner, bound, scale)
        return np.where(target < delta, np.inf, np.where(target == 1, 0.0, np.minimum(value, epsilon)))[()]

    curve = Curve(
        name or f"truncated Laplace ε = {epsilon:.4g}, δ = {delta:.4g}",
        beta,
        power,
        lambda at: truncated_laplace.delta_from_bound(at, bound, scale),
        lambda: curve,
        lambda: no_mu(delta, 0.0),
        epsilon_at,
    )
    return curve


def truncated_geometric_curve(epsilon: float, bound: float, sensitivity: float = 1.0, name: str | None = None) -> Curve:
    """Return the curve of truncated geometric noise of scale Δ/ε up to ±N: lines of the slopes e^{±ε(1 − 2m/Δ)}.

    At Δ = 1 it is f_{ε,δ} with δ = Pr(noise = N), the curve of the worst mechanism of (ε, δ)-DP.

    Parameters
    ----------
    epsilon : in [0, 1e6].
    bound : N, a whole number in [1, 1e6], and at least Δ.
    sensitivity : Δ, a whole number in [1, 10,000].

    Examples
    --------
    >>> f"{truncated_geometric_curve(1, 4)(0.05):.4f}"
    '0.8555'
    """
    epsilon, steps = scalar("epsilon", epsilon, EPSILON_RANGE), scalar_integer("sensitivity", sensitivity, _STEPS_RANGE)
    bound = scalar_integer("bound", bound, truncated_geometric.TRUNCATION_RANGE)
    loss = epsilon * (1 - 2 * np.arange(steps // 2 + 1) / steps)
    scale = truncated_geometric.scale_from_epsilon(epsilon, steps)
    delta = truncated_geometric.delta_from_bound(loss, bound, scale, steps)
    words = name or f"truncated geometric ε = {epsilon:.4g}, N = {bound:.0f}"
    places = np.unique(loss, return_index=True)[1]
    return profile_curve(loss[places], delta[places], words)
