"""The parts that all formulas of the Gaussian share: domains, query units and rounding."""

import numpy as np
from numpy.typing import ArrayLike

from dpcore.checks import EPSILON_RANGE, Array, number, refuse
from dpcore.rounding import TINY, round_up

LEAST_EPSILON_RANGE = "[1e-300, 1e6]"  # where a formula divides by ε
SENSITIVITY_RANGE = "[1e-300, inf)"
SIGMA_RANGE = "(0, inf)"


def mu_of(sigma: ArrayLike, l2_sensitivity: ArrayLike) -> Array:
    """Δ₂/σ, refused beyond 1e150."""
    sigma = number("sigma", sigma, SIGMA_RANGE)
    sensitivity = number("l2_sensitivity", l2_sensitivity, SENSITIVITY_RANGE)
    with np.errstate(over="ignore"):
        mu = sensitivity / sigma
    if np.any(mu > 1e150):  # whose square, and so ε, would overflow
        refuse("sigma", sigma, mu > 1e150, f"[{1e-150 * np.max(sensitivity):.4g}, inf)")
    return mu


def mechanism(epsilon: ArrayLike, sigma: ArrayLike, l2_sensitivity: ArrayLike) -> tuple[Array, Array, Array]:
    return (
        number("epsilon", epsilon, EPSILON_RANGE),
        number("sigma", sigma, SIGMA_RANGE),
        number("l2_sensitivity", l2_sensitivity, SENSITIVITY_RANGE),
    )


def in_query_units(unit_sigma: Array, l2_sensitivity: ArrayLike) -> Array:
    """Scale the σ of Δ₂ = 1 to the sensitivity and round it up; refuse a sensitivity that overflows it."""
    sensitivity = number("l2_sensitivity", l2_sensitivity, SENSITIVITY_RANGE)
    with np.errstate(over="ignore"):
        sigma = round_up(unit_sigma * sensitivity, 10)  # 8 was unsafe at 2 of 200,000 points in intervals
    refuse_overflow(sigma, sensitivity, unit_sigma)
    return sigma


def refuse_overflow(sigma: Array, sensitivity: Array, unit_sigma: Array) -> None:
    lost = np.isinf(sigma)
    if np.any(lost):
        most = 1.7e308 / np.max(unit_sigma)
        refuse("l2_sensitivity", sensitivity, lost, f"[1e-300, {most:.4g}] at this epsilon and delta")


def as_probability(delta: Array) -> Array:
    """Round a probability up, into (0, 1]."""
    return np.minimum(round_up(delta, 10) + TINY, 1.0)
