"""The noise itself: Pr(Y = y) = e^{−y²/(2σ²)}/θ(σ) for whole y, θ the sum of the numerators.

Sums of e^{−t²/(2τ²)} over whole t keep all digits: directly where few terms count, else by Euler and Maclaurin.

With z = x/τ and the Mills ratio R, Σ_{j≥0} e^{−(x+j)²/(2τ²)} = e^{−z²/2} M(x), and for wide noise
M(x) = τR(z) + 1/2 + Σ_n B₂ₙ/(2n)! He₂ₙ₋₁(z)/τ^{2n−1}: to rounding with eight terms where z/τ ≤ 1/2 and τ ≥ 16.
"""

import math

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtri

from dpcore.checks import SIGNIFICANCE_RANGE, Array, integer, number
from dpcore.normal import ROOT_TWO_PI, mills_gap, mills_ratio
from dpcore.roots import bisect, whole_mean
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
        _, high = bisect(lambda a: _safe_tail(a, sigma) <= significance, low, high, n_halvings, whole_mean)
    return high[()]


def variance(sigma: ArrayLike) -> Array:
    """E Y², in squared query units: below σ², by 1 % at σ = 0.64 and by less than a rounding from σ = 1.6 on.

    σ is in [1e-4, 1e150].

    Examples
    --------
    >>> print(f"{variance(0.5):.6f} {variance(4):.6f}")
    0.215013 16.000000
    """
    sigma = number("sigma", sigma, SIGMA_RANGE)
    with np.errstate(under="ignore", over="ignore"):
        direct = 2 * sum(y * y * np.exp(-((y / sigma) ** 2) / 2) for y in range(9, 0, -1)) / theta(sigma)
        decay = np.exp(-2 * (np.pi * sigma) ** 2)  # Poisson's σ²(1 − 8π²σ² e^{−2π²σ²}/(1 + 2e^{−2π²σ²}) + …) from 1 on
        loss = np.where(decay > 0, 8 * (np.pi * sigma) ** 2 * decay, 0)  # an infinite square times 0 is no number
        return np.where(sigma < 1, direct, sigma * sigma * (1 - loss / (1 + 2 * decay)))[()]


def mean_absolute_error(sigma: ArrayLike) -> Array:
    """E|Y| = 2 Σ_{y ≥ 1} y e^{−y²/(2σ²)}/θ(σ), in query units; σ in [1e-4, 1e150].

    Examples
    --------
    >>> print(f"{mean_absolute_error(2):.4f}")
    1.5621
    """
    sigma = number("sigma", sigma, SIGMA_RANGE)
    # From 16 on by Euler and Maclaurin: 2(σ² − 1/12 − 1/(240σ²) − …)/θ(σ).
    wide = np.maximum(sigma, _WIDE)
    odd, series = -np.ones_like(wide), np.ones_like(wide)
    for n, bernoulli in enumerate(_BERNOULLI, start=1):
        odd = odd * -(2 * n - 1) / wide / wide  # −(−1)ⁿ(2n − 1)!!/σ^{2n}
        series = series - bernoulli * odd
    y = np.arange(1.0, _MOST_TERMS)
    narrow = np.minimum(sigma, _WIDE)[..., None]
    with np.errstate(under="ignore", over="ignore"):
        direct = 2 * (y * np.exp(-((y / narrow) ** 2) / 2)).sum(-1) / theta(narrow[..., 0])
    return np.where(sigma < _WIDE, direct, 2 * series * wide / (theta(wide) / wide))[()]


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


_WIDE = 16.0
_STEEP = 0.3  # the terms fall by e^{−z/τ} from each to the next: where that is less than e^{−0.3}, few count
_TOO_STEEP = 0.5  # for the corrections to converge
_MOST_TERMS = 180
_ROWS = 20_000
_BERNOULLI = (1 / 12, -1 / 720, 1 / 30240, -1 / 1209600, 1 / 47900160)  # B₂ₙ/(2n)!, n = 1 … 8
_BERNOULLI += (-691 / 1307674368000, 1 / 74724249600, -3617 / 10670622842880000)


def theta(tau: Array) -> Array:
    """Σ e^{−t²/(2τ²)} over all whole t; from τ = 1 on as Poisson's √(2π) τ (1 + 2e^{−2π²τ²} + …)."""
    narrow = tau < 1
    with np.errstate(under="ignore", over="ignore"):
        smooth = ROOT_TWO_PI * tau * (1 + 2 * np.exp(-2 * (np.pi * tau) ** 2))
        if not np.any(narrow):
            return smooth
        direct = 1 + 2 * sum(np.exp(-((y / tau) ** 2) / 2) for y in range(9, 0, -1))
        return np.where(narrow, direct, smooth)


def lattice_mills(x: Array, tau: Array) -> Array:
    """M(x) = Σ_{j≥0} e^{−(xj + j²/2)/τ²} for x ≥ 0, arrays of one axis."""
    few = (tau < _WIDE) | (x / tau >= _STEEP * tau)
    total = np.empty_like(x)
    if few.any():
        total[few] = _direct(x[few], tau[few])
    if not few.all():
        z, width = x[~few] / tau[~few], tau[~few]
        total[~few] = width * mills_ratio(z) + (0.5 + z / width / 12 + _corrections(z, width))
    return total


def lattice_gap(x: Array, shift: Array, part: Array, tau: Array) -> Array:
    """Σ_{j≥0} e^{−(xj + j²/2)/τ²} (1 − e^{−(j + a)D/τ²}) for x ≥ −τ, D = `shift`, 0 ≤ a = `part`, without cancellation.

    It is M(x) − e^{−aD/τ²} M(x + D). Where M(x + D) takes few terms and M(x) many, the two are far apart.
    """
    few = (tau < _WIDE) | (x / tau >= _STEEP * tau)
    steep = ~few & ((x + shift) / tau >= _TOO_STEEP * tau)
    smooth = ~few & ~steep
    total = np.empty_like(x)
    if few.any():
        total[few] = _direct(x[few], tau[few], shift[few], part[few])
    for chosen, difference in ((steep, _mixed_gap), (smooth, _smooth_gap)):
        if np.any(chosen):
            total[chosen] = difference(x[chosen], shift[chosen], part[chosen], tau[chosen])
    return total


def _mixed_gap(x: Array, shift: Array, part: Array, tau: Array) -> Array:
    z = x / tau
    near = tau * mills_ratio(z) + (0.5 + z / tau / 12 + _corrections(z, tau))
    return near - np.exp(-part * (shift / tau) / tau) * _direct(x + shift, tau)


def _smooth_gap(x: Array, shift: Array, part: Array, tau: Array) -> Array:
    z, width = x / tau, shift / tau
    further = z + width
    corrections = _corrections(further, tau)
    gap = tau * mills_gap(z, width) - width / tau / 12 + (_corrections(z, tau) - corrections)
    beyond = tau * mills_ratio(further) + (0.5 + further / tau / 12 + corrections)
    return gap - np.expm1(-part * width / tau) * beyond


def _corrections(z: Array, tau: Array) -> Array:
    """Return the terms of Euler and Maclaurin's series from the second one on."""
    slope, bend = z / tau, 1 / tau / tau
    before, hermite = slope, slope * slope - bend  # He_m(z)/τ^m
    total = np.zeros_like(z)
    for n, bernoulli in enumerate(_BERNOULLI[1:], start=2):
        odd = slope * hermite - (2 * n - 2) * bend * before
        total = total + bernoulli * odd
        before, hermite = odd, slope * odd - (2 * n - 1) * bend * hermite
    return total


def _direct(x: Array, tau: Array, shift: Array | None = None, part: Array | None = None) -> Array:
    total = np.empty_like(x)
    n_terms = int(np.max(np.minimum(11 * tau + 2, _MOST_TERMS), initial=0))
    j = np.arange(n_terms, dtype=float)
    for start in range(0, len(x), _ROWS):
        rows = slice(start, start + _ROWS)
        width = tau[rows, None]
        with np.errstate(under="ignore", over="ignore"):
            terms = np.exp(-j / width * ((x[rows, None] + j / 2) / width))
            if shift is not None and part is not None:
                terms *= -np.expm1(-(j + part[rows, None]) / width * (shift[rows, None] / width))
        total[rows] = terms[:, ::-1].sum(1)
    return total
