"""Published closed forms that tie σ to (ε, δ), each solved for σ, for ε and for δ, and the lower bound on σ.

Units, rounding and references are those of `dpcore.gaussian`.
"""

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtri

from dpcore.checks import DELTA_RANGE, Array, number
from dpcore.gaussian.distribution import (
    LEAST_EPSILON_RANGE,
    SENSITIVITY_RANGE,
    as_probability,
    in_query_units,
    mechanism,
    mu_of,
    refuse_overflow,
)
from dpcore.normal import ROOT_TWO_PI, crossing, mills_gap, mills_ratio
from dpcore.rounding import TINY, round_down, round_up

_LOG_TIGHT = (np.log(2 / np.pi) + 8 / 9) / 2  # of c = √(2e^{8/9}/π)


def classical_sigma(epsilon: ArrayLike, delta: ArrayLike, l2_sensitivity: ArrayLike = 1.0) -> Array:
    """σ = Δ₂ √(2 ln(1.25/δ)) / ε, proved for ε < 1 only; it fails for large ε ([DR14] Thm A.1, [Liu19] Eq. 18).

    Parameters
    ----------
    epsilon : in [1e-300, 1e6]. At δ = 1e-5 the true δ of this σ exceeds the target from ε ≈ 8.42 on.
    delta : in [1e-300, 1).
    l2_sensitivity : Δ₂ > 0, in query units.

    Returns
    -------
    σ in query units.

    Examples
    --------
    >>> print(f"{classical_sigma(epsilon=1, delta=1e-5):.4f}")
    4.8448
    """
    return _classical(epsilon, delta, l2_sensitivity, np.log(1.25))


def classical_tight_sigma(epsilon: ArrayLike, delta: ArrayLike, l2_sensitivity: ArrayLike = 1.0) -> Array:
    """σ = Δ₂ √(2 ln(c/δ)) / ε, c = √(2e^{8/9}/π) ≈ 1.2444: the constant that the proof needs ([GA20]; [DR14] p. 264).

    Domain, units and the range of the proof (ε < 1) as in `classical_sigma`.

    Examples
    --------
    >>> print(f"{classical_tight_sigma(epsilon=1, delta=1e-5):.4f}")
    4.8439
    """
    return _classical(epsilon, delta, l2_sensitivity, _LOG_TIGHT)


def _classical(epsilon: ArrayLike, delta: ArrayLike, l2_sensitivity: ArrayLike, log_constant: float) -> Array:
    epsilon = number("epsilon", epsilon, LEAST_EPSILON_RANGE)
    delta = number("delta", delta, DELTA_RANGE)
    with np.errstate(over="ignore"):
        return in_query_units(np.sqrt(2 * (log_constant - np.log(delta))) / epsilon, l2_sensitivity)


def pdp_sigma(epsilon: ArrayLike, delta: ArrayLike, l2_sensitivity: ArrayLike = 1.0) -> Array:
    """σ = Δ₂ (√(q² + 2ε) + q) / (2ε), q = −Φ⁻¹(δ/2): a σ of (ε, δ)-pDP for every ε > 0 ([Liu19] Prop. 11, Eq. 17).

    It bounds the smaller tail of the loss by the larger one, so it is a little above `exact_pdp_sigma`.

    Parameters
    ----------
    epsilon : in [1e-300, 1e6].
    delta : in [1e-300, 1), of probabilistic DP.
    l2_sensitivity : Δ₂ > 0, in query units.

    Returns
    -------
    σ in query units.

    Examples
    --------
    >>> print(f"{pdp_sigma(epsilon=1, delta=1e-5):.4f}")
    4.5276
    """
    epsilon = number("epsilon", epsilon, LEAST_EPSILON_RANGE)
    tail = -ndtri(number("delta", delta, DELTA_RANGE) / 2)
    with np.errstate(over="ignore"):
        return in_query_units((np.sqrt(tail**2 + 2 * epsilon) + tail) / (2 * epsilon), l2_sensitivity)


def lower_bound_sigma(epsilon: ArrayLike, delta: ArrayLike, l2_sensitivity: ArrayLike = 1.0) -> Array:
    """σ ≥ Δ₂/√(2ε) for every (ε, δ)-DP Gaussian with δ ≤ ½ − e^ε Φ(−√(2ε)); 0, which says nothing, for larger δ.

    [BW18] Thm 4 prints the condition as δ < ½ − e^{−3ε}/√(4πε), which is too wide: at ε = 1 it admits δ = 0.4, where
    the analytic σ is 0.59 and this bound would be 0.71. The condition used here is exact: its right side is the true
    δ of σ = Δ₂/√(2ε).

    Parameters
    ----------
    epsilon, delta, l2_sensitivity : as in `classical_sigma`.

    Returns
    -------
    A σ in query units, rounded down: no Gaussian with less noise satisfies the guarantee.

    Examples
    --------
    >>> print(f"{lower_bound_sigma(epsilon=1, delta=1e-5):.4f}")
    0.7071
    """
    epsilon = number("epsilon", epsilon, LEAST_EPSILON_RANGE)
    delta = number("delta", delta, DELTA_RANGE)
    sensitivity = number("l2_sensitivity", l2_sensitivity, SENSITIVITY_RANGE)
    mu = np.sqrt(2 * epsilon)  # which makes t₁ = 0
    holds = delta <= mills_gap(np.zeros_like(mu), mu) / ROOT_TWO_PI
    with np.errstate(over="ignore"):
        sigma = np.where(holds, round_down(sensitivity / mu, 10), 0.0)[()]
    refuse_overflow(sigma, sensitivity, 1 / mu)
    return sigma


def pdp_epsilon(delta: ArrayLike, sigma: ArrayLike, l2_sensitivity: ArrayLike = 1.0) -> Array:
    """Return the ε at which Eq. 17 requires this σ: ε = μ(q + μ/2), q = −Φ⁻¹(δ/2), μ = Δ₂/σ; inverts `pdp_sigma`.

    Parameters
    ----------
    delta : in [1e-300, 1), of probabilistic DP.
    sigma : at least 1e-150 Δ₂, in query units.
    l2_sensitivity : Δ₂ in [1e-300, inf), in query units.

    Returns
    -------
    ε in nats: never below the true value, above it by a relative 5e-15 at most.

    Examples
    --------
    >>> print(f"{pdp_epsilon(delta=1e-5, sigma=4.5276):.4f}")
    1.0000
    """
    tail = -ndtri(number("delta", delta, DELTA_RANGE) / 2)
    mu = mu_of(sigma, l2_sensitivity)
    return round_up(mu * (tail + mu / 2), 16) + TINY


def classical_epsilon(delta: ArrayLike, sigma: ArrayLike, l2_sensitivity: ArrayLike = 1.0) -> Array:
    """Return the ε at which the classical formula requires this σ: ε = μ √(2 ln(1.25/δ)); inverts `classical_sigma`.

    It is a guarantee only where ε < 1, the range of the proof. Parameters and rounding as in `pdp_epsilon`.

    Examples
    --------
    >>> print(f"{classical_epsilon(delta=1e-5, sigma=4.8448):.4f}")
    1.0000
    """
    return _classical_epsilon(delta, sigma, l2_sensitivity, np.log(1.25))


def classical_tight_epsilon(delta: ArrayLike, sigma: ArrayLike, l2_sensitivity: ArrayLike = 1.0) -> Array:
    """ε = μ √(2 ln(c/δ)), c = √(2e^{8/9}/π): inverts `classical_tight_sigma`; else as `classical_epsilon`.

    Examples
    --------
    >>> print(f"{classical_tight_epsilon(delta=1e-5, sigma=4.8439):.4f}")
    1.0000
    """
    return _classical_epsilon(delta, sigma, l2_sensitivity, _LOG_TIGHT)


def _classical_epsilon(delta: ArrayLike, sigma: ArrayLike, l2_sensitivity: ArrayLike, log_constant: float) -> Array:
    delta = number("delta", delta, DELTA_RANGE)
    return round_up(mu_of(sigma, l2_sensitivity) * np.sqrt(2 * (log_constant - np.log(delta))), 16) + TINY


def pdp_delta(epsilon: ArrayLike, sigma: ArrayLike, l2_sensitivity: ArrayLike = 1.0) -> Array:
    """Return the δ at which Eq. 17 requires this σ: δ = 2Φ(μ/2 − ε/μ), at most 1, μ = Δ₂/σ; inverts `pdp_sigma`.

    Parameters
    ----------
    epsilon : in [0, 1e6].
    sigma : > 0, in query units.
    l2_sensitivity : Δ₂ in [1e-300, inf), in query units.

    Returns
    -------
    δ in (0, 1], of probabilistic DP: never below the true value, above it by a relative 5e-15 at most; a δ too small
    for a double is given as the smallest one, 5e-324.

    Examples
    --------
    >>> print(f"{pdp_delta(epsilon=1, sigma=4.5276):.3g}")
    1e-05
    """
    epsilon, sigma, sensitivity = mechanism(epsilon, sigma, l2_sensitivity)
    with np.errstate(all="ignore"):
        _, _, t, density = crossing(epsilon, sigma, sensitivity)
        tail = density / ROOT_TWO_PI * mills_ratio(np.maximum(t, 0))
        return as_probability(np.where(t < 0, 1.0, 2 * tail))


def classical_delta(epsilon: ArrayLike, sigma: ArrayLike, l2_sensitivity: ArrayLike = 1.0) -> Array:
    """δ = 1.25 e^{−(εσ/Δ₂)²/2}, at most 1, at which the classical formula requires this σ; inverts `classical_sigma`.

    It is a guarantee only where ε < 1, the range of the proof. Parameters as in `pdp_delta`.

    Returns
    -------
    δ in (0, 1]: never below the true value, above it by a relative (14 + 4(εσ/Δ₂)²)·2⁻⁵² at most; a δ too small for a
    double is given as the smallest one, 5e-324.

    Examples
    --------
    >>> print(f"{classical_delta(epsilon=1, sigma=4.8448):.3g}")
    1e-05
    """
    epsilon, sigma, sensitivity = mechanism(epsilon, sigma, l2_sensitivity)
    with np.errstate(all="ignore"):
        m, _, _, _ = crossing(epsilon, sigma, sensitivity)
        return as_probability(1.25 * np.exp(round_down(-m * m / 2, 4)))  # the square has a relative error of 3 ULP
