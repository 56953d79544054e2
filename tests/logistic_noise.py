"""Logistic noise: noise of density e^{−x/s}/(s(1 + e^{−x/s})²), whose logarithm changes by less than 1/s per unit.

Neighbouring data sets move the query by at most Δ₁ (`l1_sensitivity`) in ℓ₁ norm; s and Δ₁ are in query units. With
s = Δ₁/ε any number of statistics together is ε-DP. Arguments broadcast; probabilities, half-widths and δ are rounded up
in their last bits. Bad input raises `ValueError`: `name must be in RANGE, got VALUE`.
"""

import numpy as np
from numpy.typing import ArrayLike

from dpcore.checks import EPSILON_RANGE, SENSITIVITY_RANGE, SIGNIFICANCE_RANGE, Array, generator, number, shape
from dpcore.laplace import SCALE_RANGE
from dpcore.rounding import TINY, quotient_excess, round_down, round_up

__all__ = ["delta_from_scale", "half_width", "mean_absolute_error", "pdf", "sample", "tail", "variance"]


def pdf(x: ArrayLike, scale: ArrayLike) -> Array:
    """e^{−|x|/s}/(s(1 + e^{−|x|/s})²), the density of the noise at x (any real, in query units).

    Examples
    --------
    >>> print(f"{pdf(1, scale=2):.6f}")
    0.117502
    """
    x, scale = number("x", x, "(-inf, inf)"), number("scale", scale, SCALE_RANGE)
    with np.errstate(over="ignore", under="ignore"):
        inner = np.exp(-abs(x) / scale)
    return inner / (scale * (1 + inner) ** 2)


def tail(t: ArrayLike, scale: ArrayLike) -> Array:
    """Pr(|noise| > t) = 2e^{−t/s}/(1 + e^{−t/s}), rounded up; t is at least 0, in query units.

    Examples
    --------
    >>> print(f"{tail(3, scale=1):.6f}")
    0.094852
    """
    t, scale = number("t", t, "[0, inf)"), number("scale", scale, SCALE_RANGE)
    with np.errstate(over="ignore", under="ignore"):
        reach = np.minimum(t / scale, 1e4)  # where nothing is left, and the margin below still finite
        inner = np.exp(-reach)
    return np.minimum(round_up(2 * inner / (1 + inner), 6 + 2 * reach) + TINY, 1)[()]


def half_width(significance: ArrayLike, scale: ArrayLike) -> Array:
    """s ln(2/α − 1): the t with Pr(|noise| > t) = α in [1e-300, 1), rounded up.

    Examples
    --------
    >>> print(f"{half_width(0.05, scale=1):.4f}")
    3.6636
    """
    alpha = number("significance", significance, SIGNIFICANCE_RANGE)
    return round_up(np.log1p(2 * (1 - alpha) / alpha) * number("scale", scale, SCALE_RANGE), 8)


def variance(scale: ArrayLike) -> Array:
    """π²s²/3, in squared query units; s in [1e-150, 1e150].

    Examples
    --------
    >>> print(f"{variance(3):.4f}")
    29.6088
    """
    return np.pi**2 / 3 * number("scale", scale, "[1e-150, 1e150]") ** 2


def mean_absolute_error(scale: ArrayLike) -> Array:
    """E|noise| = 2s ln 2, in query units.

    Examples
    --------
    >>> print(f"{mean_absolute_error(2):.4f}")
    2.7726
    """
    return 2 * np.log(2) * number("scale", scale, SCALE_RANGE)


def sample(rng: np.random.Generator, scale: ArrayLike, size: int | tuple[int, ...] | None = None) -> Array:
    """Draws of the noise, for pictures and trials: a release needs a sampler that floating point can't betray.

    Examples
    --------
    >>> sample(np.random.default_rng(seed=1), scale=2, size=(3, 5)).shape
    (3, 5)
    """
    generator("rng", rng)
    scale = number("scale", scale, SCALE_RANGE)
    return np.asarray(rng.logistic(0.0, scale, shape("size", size, scale.shape)))[()]


def delta_from_scale(epsilon: ArrayLike, scale: ArrayLike, l1_sensitivity: ArrayLike = 1.0) -> Array:
    """δ = (e^{θ/2} − e^{ε/2})²/(e^θ − 1) of one statistic, θ = Δ₁/s: 0 where ε ≥ θ, else rounded up (own).

    Examples
    --------
    >>> print(f"{delta_from_scale(epsilon=0.5, scale=1):.6f}")
    0.077405
    """
    epsilon, scale = number("epsilon", epsilon, EPSILON_RANGE), number("scale", scale, SCALE_RANGE)
    sensitivity = number("l1_sensitivity", l1_sensitivity, SENSITIVITY_RANGE)
    with np.errstate(over="ignore", under="ignore"):
        gap = np.maximum(quotient_excess(epsilon, scale, sensitivity), 0)
        whole = -np.expm1(-round_down(sensitivity / scale, 2))
        delta = round_up(np.expm1(-gap / 2) * (np.expm1(-gap / 2) / whole), 16) + TINY
    return np.where(gap > 0, np.minimum(delta, 1), 0.0)[()]
