"""Trade-off curves of mechanisms and guarantees, each with its exact privacy profile and its smallest μ."""

import math
from dataclasses import replace

import numpy as np
from scipy.special import gammainc

from dpcore import gaussian as gaussian_mechanism
from dpcore import generalized_gaussian
from dpcore.checks import SHAPE_RANGE, Array, refuse, scalar
from dpcore.composition.conversions import delta_from_rho
from dpcore.generalized_gaussian._tails import half_norm, mills_ratio
from dpcore.rounding import BELOW_ONE, round_up
from dpcore.tradeoff import forms, generalized_forms
from dpcore.tradeoff.curve import Curve, SmallestMu
from dpcore.tradeoff.forms import MU_RANGE
from dpcore.tradeoff.profile_curves import profile_curve
from dpcore.tradeoff.pure_mechanisms import laplace_curve, mu_at_middle

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
        lambda alpha: generalized_forms.generalized_gaussian(alpha, 1.0, p, shift),
        lambda alpha: generalized_forms.generalized_gaussian_power(alpha, 1.0, p, shift),
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
