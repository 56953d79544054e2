"""The distribution of geometric noise: its density, tail, half-width, moments and samples."""

import numpy as np
from numpy.typing import ArrayLike

from dpcore.checks import SIGNIFICANCE_RANGE, Array, generator, integer, number, shape
from dpcore.rounding import TINY, round_down, round_up

SCALE_RANGE = "[1e-7, 1e150]"


def pmf(k: ArrayLike, scale: ArrayLike) -> Array:
    """Pr(noise = k) = (1 − r)/(1 + r) r^|k| = tanh(1/(2s)) e^{−|k|/s} for a whole number k of [−1e15, 1e15].

    Examples
    --------
    >>> print(f"{pmf(1, scale=2):.6f}")
    0.148551
    """
    k, scale = integer("k", k, "[-1e15, 1e15]"), number("scale", scale, SCALE_RANGE)
    with np.errstate(under="ignore"):
        return np.tanh(0.5 / scale) * np.exp(-abs(k) / scale)


def cdf(x: ArrayLike, scale: ArrayLike) -> Array:
    """Pr(noise ≤ x): r^{−⌊x⌋}/(1 + r) for x < 0, else 1 − r^{⌊x⌋+1}/(1 + r); x is any real.

    Examples
    --------
    >>> print(f"{cdf(1, scale=2):.6f}")
    0.771010
    """
    x, scale = np.floor(number("x", x, "(-inf, inf)")), number("scale", scale, SCALE_RANGE)
    with np.errstate(over="ignore", under="ignore"):
        tail = np.exp(-np.where(x < 0, -x, x + 1) / scale) / (1 + np.exp(-1 / scale))
    return np.where(x < 0, tail, 1 - tail)[()]


def tail(t: ArrayLike, scale: ArrayLike) -> Array:
    """Pr(|noise| > t) = 2r^{⌊t⌋+1}/(1 + r), rounded up in its last bits.

    Parameters
    ----------
    t : distance from the truth, at least 0.
    scale : s in [1e-7, 1e150].

    Examples
    --------
    >>> print(f"{tail(3, scale=1):.6f}")
    0.026780
    """
    t, scale = number("t", t, "[0, inf)"), number("scale", scale, SCALE_RANGE)
    with np.errstate(over="ignore", under="ignore"):
        reach = np.minimum((np.floor(t) + 1) / scale, 1e4)  # where nothing is left, and the margin still finite
        share = 2 * np.exp(-reach) / (1 + np.exp(-1 / scale))
        return np.minimum(round_up(share, 6 + 3 * reach) + TINY, 1)[()]


def half_width(significance: ArrayLike, scale: ArrayLike) -> Array:
    """Return the least whole a ≥ 0 with Pr(|noise| > a) = 2r^{a+1}/(1 + r) ≤ α (own).

    Parameters
    ----------
    significance : α in [1e-300, 1).
    scale : s in [1e-7, 1e150].

    Returns
    -------
    a, a whole number; where α is within a relative 1e-15 (1 + a/s) of a step of the tail, the larger one.

    Examples
    --------
    >>> print(half_width(0.01, scale=1))
    4.0
    """
    significance = number("significance", significance, SIGNIFICANCE_RANGE)
    scale = number("scale", scale, SCALE_RANGE)
    with np.errstate(under="ignore"):
        reach = scale * (-np.log1p((np.exp(-1 / scale) - 1) / 2) - np.log(significance))
    near = np.maximum(np.ceil(round_down(reach, 8)) - 1, 0)
    beyond = np.maximum(near + 1, np.ceil(round_up(reach, 8)) - 1)  # from 1e15 on, roundings are more than a step
    return np.where(tail(near, scale) <= significance, near, beyond)[()]


def variance(scale: ArrayLike) -> Array:
    """2r/(1 − r)², in squared query units; below 5e-324 it is 0.

    Examples
    --------
    >>> print(f"{variance(3):.4f}")
    17.8343
    """
    step = 1 / number("scale", scale, SCALE_RANGE)
    with np.errstate(under="ignore"):
        return 2 * np.exp(-step) / np.expm1(-step) ** 2


def mean_absolute_error(scale: ArrayLike) -> Array:
    """E|noise| = 2r/(1 − r²), in query units; below 5e-324 it is 0.

    Examples
    --------
    >>> print(f"{mean_absolute_error(2):.4f}")
    1.9190
    """
    step = 1 / number("scale", scale, SCALE_RANGE)
    with np.errstate(under="ignore"):
        return -2 * np.exp(-step) / np.expm1(-2 * step)


def sample(rng: np.random.Generator, scale: ArrayLike, size: int | tuple[int, ...] | None = None) -> Array:
    """Draws of the noise, for pictures and trials: the difference of two geometric numbers ⌊s E⌋, E exponential.

    Parameters
    ----------
    rng : the source of randomness.
    scale : s in [1e-7, 1e150].
    size : shape of the result, to which that of `scale` broadcasts; by default the shape of `scale`.

    Examples
    --------
    >>> draws = sample(np.random.default_rng(seed=1), scale=2, size=1000)
    >>> print(draws.shape, all(draws == draws.round()))
    (1000,) True
    """
    generator("rng", rng)
    scale = number("scale", scale, SCALE_RANGE)
    draws = shape("size", size, scale.shape)
    return np.floor(scale * rng.standard_exponential(draws)) - np.floor(scale * rng.standard_exponential(draws))
