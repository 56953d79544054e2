"""Sums of e^{−t²/(2τ²)} over whole numbers t, all digits kept: directly where few terms count, else Euler–Maclaurin.

With z = x/τ and the Mills ratio R, Σ_{j≥0} e^{−(x+j)²/(2τ²)} = e^{−z²/2} M(x), and for wide noise
M(x) = τR(z) + 1/2 + Σ_n B₂ₙ/(2n)! He₂ₙ₋₁(z)/τ^{2n−1}: to rounding with eight terms where z/τ ≤ 1/2 and τ ≥ 16.
"""

import numpy as np

from dpcore.checks import Array
from dpcore.normal import ROOT_TWO_PI, mills_gap, mills_ratio

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


def square_share(tau: Array) -> Array:
    """Σ t² e^{−t²/(2τ²)}/θ(τ) over all whole t; from τ = 1 on as τ² (1 − 8π²τ² e^{−2π²τ²}/(1 + 2e^{−2π²τ²}) + …)."""
    with np.errstate(under="ignore", over="ignore"):
        direct = 2 * sum(y * y * np.exp(-((y / tau) ** 2) / 2) for y in range(9, 0, -1)) / theta(tau)
        decay = np.exp(-2 * (np.pi * tau) ** 2)
        loss = np.where(decay > 0, 8 * (np.pi * tau) ** 2 * decay, 0)  # an infinite square times 0 is no number
        return np.where(tau < 1, direct, tau * tau * (1 - loss / (1 + 2 * decay)))


def absolute_sum(tau: Array) -> Array:
    """Σ |t| e^{−t²/(2τ²)}/θ(τ): directly below τ = 16, else by Euler–Maclaurin, 2(τ² − 1/12 − 1/(240τ²) − …)/θ(τ)."""
    wide = np.maximum(tau, _WIDE)
    odd, series = -np.ones_like(wide), np.ones_like(wide)
    for n, bernoulli in enumerate(_BERNOULLI, start=1):
        odd = odd * -(2 * n - 1) / wide / wide  # −(−1)ⁿ(2n − 1)!!/τ^{2n}
        series = series - bernoulli * odd
    y = np.arange(1.0, _MOST_TERMS)
    narrow = np.minimum(tau, _WIDE)[..., None]
    with np.errstate(under="ignore", over="ignore"):
        direct = 2 * (y * np.exp(-((y / narrow) ** 2) / 2)).sum(-1) / theta(narrow[..., 0])
    return np.where(tau < _WIDE, direct, 2 * series * wide / (theta(wide) / wide))


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
