"""The scale of Laplace noise that satisfies (ε, δ)-DP, and the guarantee of a scale."""

import numpy as np
from numpy.typing import ArrayLike

from dpcore.checks import (
    EPSILON_RANGE,
    PURE_DELTA_RANGE,
    SENSITIVITY_RANGE,
    Array,
    number,
    refuse,
)
from dpcore.laplace.distribution import SCALE_RANGE
from dpcore.rounding import TINY, quotient_excess, round_down, round_up

LEAST_LOSS = 1e-130  # of a guarantee, so that every scale fits a double


def scale_from_epsilon(epsilon: ArrayLike, delta: ArrayLike = 0.0, l1_sensitivity: ArrayLike = 1.0) -> Array:
    """b = Δ₁/(ε − 2 ln(1 − δ)): the least scale of (ε, δ)-DP, which at δ = 0 is pure ε-DP (own; at δ = 0 [DR14]).

    Parameters
    ----------
    epsilon : in [0, 1e6]; at least 1e-130 where δ = 0.
    delta : in [0, 1).
    l1_sensitivity : Δ₁ in [1e-100, 1e100], in query units; of one statistic where δ > 0.

    Returns
    -------
    b in query units: never below the true value, above it by a relative 2e-15 at most.

    Examples
    --------
    >>> print(f"{scale_from_epsilon(epsilon=0.5):.3f} {scale_from_epsilon(epsilon=0.5, delta=0.1):.3f}")
    2.000 1.407
    """
    epsilon, loss = guaranteed_loss(epsilon, delta)
    sensitivity = number("l1_sensitivity", l1_sensitivity, SENSITIVITY_RANGE)
    return round_up(sensitivity / loss, 6)


def guaranteed_loss(epsilon: ArrayLike, delta: ArrayLike = 0.0) -> tuple[Array, Array]:
    """ε, and ε − 2 ln(1 − δ), which is at least 1e-130.

    Examples
    --------
    >>> epsilon, loss = guaranteed_loss(epsilon=0.5, delta=0.1)
    >>> print(f"{loss:.6f}")
    0.710721
    """
    epsilon, delta = number("epsilon", epsilon, EPSILON_RANGE), number("delta", delta, PURE_DELTA_RANGE)
    loss = epsilon - 2 * np.log1p(-delta)
    refuse("epsilon", epsilon, loss < LEAST_LOSS, f"[{LEAST_LOSS}, 1e6] at this delta")
    return epsilon, loss


def delta_from_scale(epsilon: ArrayLike, scale: ArrayLike, l1_sensitivity: ArrayLike = 1.0) -> Array:
    """Return the privacy profile of one statistic, δ(ε) = max(0, 1 − e^{(ε − θ)/2}) with θ = Δ₁/b (own).

    Parameters
    ----------
    epsilon : in [0, 1e6].
    scale : b in [1e-150, 1e250], in query units.
    l1_sensitivity : Δ₁ in [1e-100, 1e100], in query units.

    Returns
    -------
    δ in [0, 1]: exactly 0 where ε ≥ θ; else never below the true value, above it by a relative 2e-15 at most.

    Examples
    --------
    >>> print(f"{delta_from_scale(epsilon=0.5, scale=1):.6f}")
    0.221199
    """
    epsilon, scale, sensitivity = _mechanism(epsilon, scale, l1_sensitivity)
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        gap = quotient_excess(epsilon, scale, sensitivity)
        delta = round_up(-np.expm1(-np.maximum(gap, 0) / 2), 6) + TINY
    return np.where((gap > 0) | (epsilon == 0), np.minimum(delta, 1), 0.0)[()]


def _mechanism(epsilon: ArrayLike, scale: ArrayLike, l1_sensitivity: ArrayLike) -> tuple[Array, Array, Array]:
    """Return the arguments of a profile, checked."""
    return (
        number("epsilon", epsilon, EPSILON_RANGE),
        number("scale", scale, SCALE_RANGE),
        number("l1_sensitivity", l1_sensitivity, SENSITIVITY_RANGE),
    )


def epsilon_from_scale(delta: ArrayLike, scale: ArrayLike, l1_sensitivity: ArrayLike = 1.0) -> Array:
    """Return the least ε of (ε, δ)-DP at a given scale: max(0, θ + 2 ln(1 − δ)), θ = Δ₁/b; inverts `delta_from_scale`.

    Parameters
    ----------
    delta : in [0, 1); at δ = 0 the pure ε, which holds for any number of statistics.
    scale : b in [1e-150, 1e250], in query units.
    l1_sensitivity : Δ₁ in [1e-100, 1e100], in query units.

    Returns
    -------
    ε in nats: never below the true value, above it by a relative 2e-15 of θ at most.

    Examples
    --------
    >>> print(f"{epsilon_from_scale(delta=0.1, scale=1):.6f}")
    0.789279
    """
    delta = number("delta", delta, PURE_DELTA_RANGE)
    _, scale, sensitivity = _mechanism(0.0, scale, l1_sensitivity)
    with np.errstate(under="ignore"):
        theta = sensitivity / scale
        free = delta >= round_up(-np.expm1(-theta / 2), 4) + TINY
        epsilon = round_up(theta, 4) + round_down(2 * np.log1p(-delta), 4) + TINY
    return np.where(free, 0.0, np.maximum(epsilon, 0))[()]
