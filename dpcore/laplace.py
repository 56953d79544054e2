"""The Laplace mechanism: noise of density e^{−|x|/b}/(2b), whose scale b is the sensitivity over the privacy loss.

Neighbouring data sets move the query by at most Δ₁ (`l1_sensitivity`) in ℓ₁ norm; b and Δ₁ are in query units. With
b = Δ₁/ε any number of statistics together is ε-DP ([DR14] Thm 3.6). The profile δ(ε) and the (ε, δ) scale are those of
one statistic.

ε (`epsilon`) is in nats. Arguments broadcast; the result has their common shape. Every b, ε and δ is rounded up in its
last bits, so that no guarantee is overstated. Bad input raises `ValueError`: `name must be in RANGE, got VALUE`.
"""

import numpy as np
from numpy.typing import ArrayLike

from dpcore.checks import (
    EPSILON_RANGE,
    PURE_DELTA_RANGE,
    SENSITIVITY_RANGE,
    SIGNIFICANCE_RANGE,
    Array,
    generator,
    number,
    refuse,
    shape,
)
from dpcore.rounding import TINY, quotient_excess, round_down, round_up

__all__ = [
    "LEAST_LOSS",
    "SCALE_RANGE",
    "cdf",
    "delta_from_scale",
    "epsilon_from_scale",
    "guaranteed_loss",
    "half_width",
    "mean_absolute_error",
    "pdf",
    "sample",
    "scale_from_epsilon",
    "tail",
    "variance",
]

SCALE_RANGE = "[1e-150, 1e250]"


def pdf(x: ArrayLike, scale: ArrayLike) -> Array:
    """e^{−|x|/b}/(2b), the density of the noise at x (any real, in query units).

    Examples
    --------
    >>> print(f"{pdf(1, scale=2):.6f}")
    0.151633
    """
    x, scale = _checked_noise(x, scale)
    with np.errstate(over="ignore", under="ignore"):
        return np.exp(-abs(x) / scale) / (2 * scale)


def cdf(x: ArrayLike, scale: ArrayLike) -> Array:
    """Pr(noise ≤ x): e^{x/b}/2 for x ≤ 0, else 1 − e^{−x/b}/2.

    Examples
    --------
    >>> print(f"{cdf(1, scale=2):.6f}")
    0.696735
    """
    x, scale = _checked_noise(x, scale)
    with np.errstate(over="ignore", under="ignore"):
        tail = np.exp(-abs(x) / scale) / 2
    return np.where(x > 0, 1 - tail, tail)[()]


def _checked_noise(x: ArrayLike, scale: ArrayLike) -> tuple[Array, Array]:
    return number("x", x, "(-inf, inf)"), number("scale", scale, SCALE_RANGE)


def tail(t: ArrayLike, scale: ArrayLike) -> Array:
    """Pr(|noise| > t) = e^{−t/b}, rounded up in its last bits.

    Parameters
    ----------
    t : distance from the truth, at least 0, in query units.
    scale : b in [1e-150, 1e250], in query units.

    Examples
    --------
    >>> print(f"{tail(3, scale=1):.6f}")
    0.049787
    """
    t, scale = number("t", t, "[0, inf)"), number("scale", scale, SCALE_RANGE)
    with np.errstate(over="ignore", under="ignore"):
        reach = np.minimum(t / scale, 1e4)  # where nothing is left, and the margin below still finite
        return np.minimum(round_up(np.exp(-reach), (2 + 2 * reach) * (t > 0)) + TINY * (t > 0), 1)[()]


def half_width(significance: ArrayLike, scale: ArrayLike) -> Array:
    """b ln(1/α): the t with Pr(|noise| > t) = α, rounded up by a relative 2e-15 at most.

    Parameters
    ----------
    significance : α in [1e-300, 1).
    scale : b in [1e-150, 1e250], in query units.

    Examples
    --------
    >>> print(f"{half_width(0.05, scale=1):.4f}")
    2.9957
    """
    significance = number("significance", significance, SIGNIFICANCE_RANGE)
    return round_up(-np.log(significance) * number("scale", scale, SCALE_RANGE), 4)


def variance(scale: ArrayLike) -> Array:
    """2b², in squared query units; b in [1e-150, 1e150].

    Examples
    --------
    >>> print(variance(3))
    18.0
    """
    return 2 * number("scale", scale, "[1e-150, 1e150]") ** 2


def mean_absolute_error(scale: ArrayLike) -> Array:
    """E|noise| = b, in query units.

    Examples
    --------
    >>> print(mean_absolute_error(2))
    2.0
    """
    return number("scale", scale, SCALE_RANGE) * 1.0


def sample(rng: np.random.Generator, scale: ArrayLike, size: int | tuple[int, ...] | None = None) -> Array:
    """Draws of the noise, for pictures and trials: a release needs a sampler that floating point can't betray.

    Parameters
    ----------
    rng : the source of randomness.
    scale : b in [1e-150, 1e250], in query units.
    size : shape of the result, to which that of `scale` broadcasts; by default the shape of `scale`.

    Examples
    --------
    >>> sample(np.random.default_rng(seed=1), scale=2, size=(3, 5)).shape
    (3, 5)
    """
    generator("rng", rng)
    scale = number("scale", scale, SCALE_RANGE)
    return np.asarray(rng.laplace(0.0, scale, shape("size", size, scale.shape)))[()]


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
