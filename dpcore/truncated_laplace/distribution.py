"""The distribution of truncated Laplace noise: its density, tail, half-width, moments and samples."""

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import exprel, gammainc

from dpcore.checks import (
    SIGNIFICANCE_RANGE,
    Array,
    generator,
    number,
    shape,
)
from dpcore.rounding import TINY, round_up

TRUNCATION_RANGE = "[1e-150, 1e304]"


SCALE_RANGE = "[1e-150, inf]"


def pdf(x: ArrayLike, bound: ArrayLike, scale: ArrayLike) -> Array:
    """e^{−|x|/b}/(2b(1 − e^{−A/b})) for |x| ≤ A, else 0: the density of the noise at x (any real, in query units).

    Examples
    --------
    >>> print(pdf([1, 5], bound=4, scale=2).round(6))
    [0.175366 0.      ]
    """
    x, (bound, scale) = number("x", x, "(-inf, inf)"), checked_noise(bound, scale)
    with np.errstate(under="ignore", over="ignore"):
        height = np.exp(-abs(x) / scale) / (2 * bound * exprel(-np.minimum(bound / scale, 1e300)))
    return np.where(abs(x) <= bound, height, 0)[()]


def checked_noise(bound: ArrayLike, scale: ArrayLike) -> tuple[Array, Array]:
    """Return the limit and the scale, checked."""
    return number("bound", bound, TRUNCATION_RANGE), number("scale", scale, SCALE_RANGE)


def cdf(x: ArrayLike, bound: ArrayLike, scale: ArrayLike) -> Array:
    """Pr(noise ≤ x): Pr(|noise| > |x|)/2 for x ≤ 0, else 1 less that.

    Examples
    --------
    >>> print(cdf([-4, 0, 1], bound=4, scale=2).round(6))
    [0.       0.5      0.727527]
    """
    x, (bound, scale) = number("x", x, "(-inf, inf)"), checked_noise(bound, scale)
    half = _beyond(abs(x), bound, scale) / 2
    return np.where(x > 0, 1 - half, half)[()]


def _beyond(t: Array, bound: Array, scale: Array) -> Array:
    """Pr(|noise| > t)."""
    with np.errstate(under="ignore", over="ignore"):
        left = np.maximum(bound - t, 0)
        share = exprel(-np.minimum(left / scale, 1e300)) / exprel(-np.minimum(bound / scale, 1e300))
        return np.exp(-t / scale) * (left / bound) * share


def tail(t: ArrayLike, bound: ArrayLike, scale: ArrayLike) -> Array:
    """Pr(|noise| > t) = (e^{−t/b} − q)/(1 − q) with q = e^{−A/b}, rounded up in its last bits; exactly 0 from A on.

    Parameters
    ----------
    t : distance from the truth, at least 0, in query units.
    bound : A in [1e-150, 1e304], in query units.
    scale : b in [1e-150, ∞], in query units; ∞ is uniform noise.

    Examples
    --------
    >>> print(tail([0, 3, 4], bound=4, scale=2).round(6))
    [1.       0.101536 0.      ]
    """
    t, (bound, scale) = number("t", t, "[0, inf)"), checked_noise(bound, scale)
    with np.errstate(over="ignore"):
        share = round_up(_beyond(t, bound, scale), 24 + 4 * np.minimum(t / scale, 1e4)) + TINY
    return np.where(t < bound, np.minimum(share, 1), 0)[()]


def half_width(significance: ArrayLike, bound: ArrayLike, scale: ArrayLike) -> Array:
    """−b ln(1 − (1 − α)(1 − q)): the t with Pr(|noise| > t) = α, rounded up, and never above A.

    Parameters
    ----------
    significance : α in [1e-300, 1).
    bound : A in [1e-150, 1e304], in query units.
    scale : b in [1e-150, ∞], in query units; ∞ is uniform noise.

    Examples
    --------
    >>> print(f"{half_width(0.05, bound=4.46492, scale=1):.4f}")
    2.7980
    """
    significance = number("significance", significance, SIGNIFICANCE_RANGE)
    bound, scale = checked_noise(bound, scale)
    with np.errstate(under="ignore", over="ignore", invalid="ignore"):
        reach = np.minimum(bound / scale, 1e300)
        whole = -np.expm1(-reach)
        inside = (1 - significance) * whole
        small = np.minimum(inside, 0.5)
        # Near 0 by the logarithm of 1 + …, in units of A; far out by that of the probability itself, in units of b.
        near = bound * np.where(small > 0, -np.log1p(-small) / np.where(small > 0, small, 1), 1)
        near = near * (1 - significance) * exprel(-reach)
        far = -scale * np.log(np.exp(-reach) + significance * whole)
        t = round_up(np.where(inside < 0.5, near, far), 24)
    return np.minimum(t, bound)[()]


def variance(bound: ArrayLike, scale: ArrayLike) -> Array:
    """2b² P(3, A/b)/(1 − q), P the regularized incomplete gamma function: 2b²(1 − (1 + a + a²/2)q)/(1 − q), a = A/b.

    Parameters
    ----------
    bound : A in [1e-150, 1e150], in query units.
    scale : b in [1e-150, ∞], in query units; at ∞ the variance is A²/3.

    Examples
    --------
    >>> print(f"{variance(4.46492, 1):.5f} {variance(3, float('inf')):.5f}")
    1.66402 3.00000
    """
    return _moment(number("bound", bound, "[1e-150, 1e150]"), scale, 2)


def mean_absolute_error(bound: ArrayLike, scale: ArrayLike) -> Array:
    """E|noise| = b P(2, A/b)/(1 − q) = b(1 − (1 + a)q)/(1 − q), a = A/b, in query units; at b = ∞ it is A/2.

    Examples
    --------
    >>> print(f"{mean_absolute_error(4.46492, 1):.5f} {mean_absolute_error(3, float('inf')):.5f}")
    0.94803 1.50000
    """
    return _moment(bound, scale, 1)


def _moment(bound: ArrayLike, scale: ArrayLike, order: int) -> Array:
    """E|noise|^k = k! b^k P(k + 1, a)/(1 − e^{−a}), a = A/b; in units of A, A^k/(k + 1) at a = 0, where a is small."""
    bound, scale = checked_noise(bound, scale)
    with np.errstate(under="ignore", over="ignore"):
        reach = np.maximum(bound / scale, 1e-20)  # below it the noise is uniform but for a rounding
        share = order * gammainc(order + 1, reach)
        near, far = np.minimum(reach, 1.0), np.where(reach > 1, scale, 1.0)
        inside = bound**order * share / near ** (order + 1) / exprel(-near)
        return np.where(reach > 1, far**order * share / -np.expm1(-reach), inside)[()]


def sample(
    rng: np.random.Generator, bound: ArrayLike, scale: ArrayLike, size: int | tuple[int, ...] | None = None
) -> Array:
    """Draws of the noise, for pictures and trials: a release needs a sampler that floating point can't betray.

    Parameters
    ----------
    rng : the source of randomness.
    bound : A in [1e-150, 1e304], in query units.
    scale : b in [1e-150, ∞], in query units; ∞ is uniform noise.
    size : shape of the result, to which that of `bound` and `scale` broadcasts; by default that shape.

    Examples
    --------
    >>> draws = sample(np.random.default_rng(seed=1), bound=4, scale=2, size=(3, 5))
    >>> print(draws.shape, bool(np.all(abs(draws) <= 4)))
    (3, 5) True
    """
    generator("rng", rng)
    bound, scale = np.broadcast_arrays(*checked_noise(bound, scale))
    draws = shape("size", size, bound.shape)
    magnitude = half_width(np.maximum(rng.random(draws), 1e-300), bound, scale)
    return np.where(rng.integers(0, 2, draws) == 1, magnitude, -magnitude)[()]
