"""The noise itself: Pr(Y = y) = e^{−y²/(2σ²)}/θ(σ) for whole y, θ the sum of the numerators."""

import math

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtri

from dpcore.checks import SIGNIFICANCE_RANGE, Array, integer, number
from dpcore.discrete_gaussian._lattice import absolute_sum, lattice_mills, square_share, theta
from dpcore.roots import bisect
from dpcore.rounding import TINY, ULP, round_up

SIGMA_RANGE = "[1e-4, 1e150]"
_FAR = 60.0


def pmf(k: ArrayLike, sigma: ArrayLike) -> Array:
    """Pr(Y = k) = e^{−k²/(2σ²)}/θ(σ) for a whole number k of [−1e15, 1e15].

    Examples
    --------
    >>> print(f"{pmf(1, sigma=2):.6f}")
    0.176033
    """
    k, sigma = integer("k", k, "[-1e15, 1e15]"), number("sigma", sigma, SIGMA_RANGE)
    with np.errstate(under="ignore", over="ignore"):
        return (np.exp(-((k / sigma) ** 2) / 2) / theta(sigma))[()]


def cdf(x: ArrayLike, sigma: ArrayLike) -> Array:
    """Pr(Y ≤ x), for any real x: half the tail beyond −⌊x⌋ − 1 for x < 0, else 1 less half the tail beyond ⌊x⌋.

    Examples
    --------
    >>> print(f"{cdf(1, sigma=2):.6f}")
    0.775768
    """
    x, sigma = np.floor(number("x", x, "(-inf, inf)")), number("sigma", sigma, SIGMA_RANGE)
    with np.errstate(under="ignore"):
        beyond = _both_tails(np.where(x < 0, -x, x + 1), sigma) / 2
    return np.where(x < 0, beyond, 1 - beyond)[()]


def tail(t: ArrayLike, sigma: ArrayLike) -> Array:
    """Pr(|Y| > t) = 2 Σ_{y > t} e^{−y²/(2σ²)}/θ(σ), rounded up in its last bits.

    Parameters
    ----------
    t : distance from the truth, at least 0.
    sigma : in [1e-4, 1e150].

    Returns
    -------
    Never below the true value; with z = t/σ, above it by a relative (24 + 4z²) 2⁻⁵² or so.

    Examples
    --------
    >>> print(f"{tail(3, sigma=1):.6f}")
    0.000271
    """
    t, sigma = number("t", t, "[0, inf)"), number("sigma", sigma, SIGMA_RANGE)
    return _safe_tail(t, sigma)[()]


def half_width(significance: ArrayLike, sigma: ArrayLike) -> Array:
    """Return the least whole a ≥ 0 with Pr(|Y| > a) ≤ α (from the definition, by the exact tail).

    Parameters
    ----------
    significance : α in [1e-300, 1).
    sigma : in [1e-4, 1e150].

    Returns
    -------
    a, a whole number; where α is within the rounding of `tail` of a step of the tail, the larger one; from 2⁵² on
    above the true value by a few roundings.

    Examples
    --------
    >>> print(half_width(0.05, sigma=4.225))
    8.0
    """
    significance, sigma = number("significance", significance, SIGNIFICANCE_RANGE), number("sigma", sigma, SIGMA_RANGE)
    significance, sigma = np.broadcast_arrays(significance, sigma)
    # The lattice's answer is never below the continuous one's whole part, less 1: so the least is looked for upwards.
    high = np.maximum(np.floor(-sigma * ndtri(significance / 2) - 0.5) - 1, 0)
    low, step = high - 1, np.maximum(1, high * 2 * ULP)  # of a whole number beyond 2⁵², the next double but one
    while np.any(short := _safe_tail(high, sigma) > significance):
        low, step = np.where(short, high, low), np.where(short, 2 * step, step)
        high = np.where(short, high + step / 2, high)
    n_apart = float(np.max((high - low) / np.maximum(1, high * 2 * ULP), initial=1))
    if n_apart > 1:
        n_halvings = math.ceil(math.log2(n_apart))
        _, high = bisect(lambda a: _safe_tail(a, sigma) <= significance, low, high, n_halvings, _whole_mean)
    return high[()]


def _whole_mean(low: Array, high: Array) -> Array:
    return np.floor(low + (high - low) / 2)


def variance(sigma: ArrayLike) -> Array:
    """E Y², in squared query units: below σ², by 1 % at σ = 0.64 and by less than a rounding from σ = 1.6 on.

    Parameters
    ----------
    sigma : in [1e-4, 1e150].

    Examples
    --------
    >>> print(f"{variance(0.5):.6f} {variance(4):.6f}")
    0.215013 16.000000
    """
    return square_share(number("sigma", sigma, SIGMA_RANGE))[()]


def mean_absolute_error(sigma: ArrayLike) -> Array:
    """E|Y| = 2 Σ_{y ≥ 1} y e^{−y²/(2σ²)}/θ(σ), in query units.

    Parameters
    ----------
    sigma : in [1e-4, 1e150].

    Examples
    --------
    >>> print(f"{mean_absolute_error(2):.4f}")
    1.5621
    """
    sigma = number("sigma", sigma, SIGMA_RANGE)
    return absolute_sum(sigma)[()]


def _safe_tail(t: Array, sigma: Array) -> Array:
    with np.errstate(under="ignore", over="ignore"):
        z = np.minimum((np.floor(t) + 1) / sigma, _FAR)
        return np.minimum(round_up(_both_tails(np.floor(t) + 1, sigma), 24 + 4 * z * z) + 2 * TINY, 1)


def _both_tails(first: Array, sigma: Array) -> Array:
    """Pr(|Y| ≥ first) for first ≥ 1; beyond 60 σ, nothing."""
    first, sigma = np.broadcast_arrays(first, sigma)
    with np.errstate(under="ignore", over="ignore"):
        z = np.minimum(first / sigma, _FAR)
        sums = lattice_mills((z * sigma).ravel(), sigma.ravel()).reshape(z.shape)
        return 2 * np.exp(-z * z / 2) * (sums / theta(sigma))
