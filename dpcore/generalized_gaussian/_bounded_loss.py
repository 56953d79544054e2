"""The privacy loss of bounded noise as a function of w = W/b, p and Δ/W, and its derivative by log w.

`bounded` says which loss is which, and why its maximum lies where it is searched. All lengths are in units of b.
"""

import numpy as np
from numpy.typing import NDArray
from scipy.special import gamma, gammainc, gammaincc

from dpcore.checks import Array
from dpcore.generalized_gaussian._bounds import FLAT
from dpcore.normal import legendre_rule
from dpcore.roots import bisect

_NODES, _WEIGHTS = legendre_rule(12)


def bit_ratio(w: Array, p: Array, share: Array) -> tuple[Array, Array]:
    d = share * w
    a = (1 - share) * w
    with np.errstate(all="ignore"):
        tail, tail_before = scaled_tail(w, p), scaled_tail(a, p)
        grown = _power_gap(a, d, p)
        near = _is_short(a, d, p, grown)
        piece = np.zeros_like(w)
        for node, weight in zip(_NODES, _WEIGHTS, strict=True):
            piece += weight * np.exp(np.where(near, _power_gap(a + d * node, d * (1 - node), p), 0))
        low = w**p <= 1
        part = np.where(near, d * piece, np.exp(np.minimum(w**p, 1)) * (_lower(w, p) - _lower(a, p)))
        value = np.where(near | low, np.log1p(part / tail), grown + np.log(tail_before / tail))
    return value, w / tail - a / tail_before


def truncated_ratio(w: Array, p: Array, share: Array) -> tuple[Array, Array]:
    d, room = share * w, (1 - share) * w
    first = np.where(p < 2, 0, room)
    value, slope = gap(first, room - first, d, p)
    several = (p > 1) & (p < 2) & (room > 0)
    if np.any(several):
        n_several = np.count_nonzero(several)
        w, p, d, room = (np.tile(a[several], 2) for a in (w, p, d, room))
        mirror = np.arange(w.size) >= n_several
        x = _stationary_point(w, p, d, room, mirror)
        values, slopes = gap(np.where(mirror, room - x, x), np.where(mirror, x, room - x), d, p)
        for part in (slice(n_several), slice(n_several, None)):
            larger = values[part] > value[several]
            slope[several] = np.where(larger, slopes[part], slope[several])
            value[several] = np.where(larger, values[part], value[several])
    return value, slope


def _stationary_point(w: Array, p: Array, d: Array, room: Array, mirror: NDArray[np.bool_]) -> Array:
    """Return how far the nearest maximum of h(s + d) − h(s) is from s = 0, or from s = room if `mirror`."""

    def ascent(x: Array) -> Array:
        """Return the derivative on the way in."""
        after = np.where(mirror, room - x, x + d), np.where(mirror, x + d, room - x)
        before = np.where(mirror, w - x, x), np.where(mirror, x, w - x)
        return _slope(*after, p) - _slope(*before, p)

    # Beyond 1000 b the density is 0, so h is a mere power there.
    most = np.minimum(room / 2, 1000)
    grid = most * np.append(0, np.geomspace(1e-5, 1, 20))[:, np.newaxis]
    with np.errstate(all="ignore"):
        falls = ascent(grid) <= 0
        index = np.where(np.any(falls, axis=0), np.argmax(falls, axis=0), len(grid) - 1)
        high = np.take_along_axis(grid, index[np.newaxis], 0)[0]
        low = np.take_along_axis(grid, np.maximum(index - 1, 0)[np.newaxis], 0)[0]
        low, high = bisect(lambda x: ascent(x) <= 0, low, high, 24)
    return np.where(index > 0, (low + high) / 2, 0)


def gap(s: Array, t: Array, d: Array, p: Array) -> tuple[Array, Array]:
    """Return h(s + d) − h(s), and its derivative by log w when all lengths grow alike; t = w − d − s is left beyond."""
    with np.errstate(all="ignore"):
        small = (s + t + d) ** p <= 1
        risen = np.where(small, -1, 1) * (_piece(s, d, p, small) - _piece(t, d, p, small))
        before, after = _lower(s, p) + _lower(t + d, p), _lower(s + d, p) + _lower(t, p)
        rates = _edge(s + d, p, small) + _edge(t, p, small), _edge(s, p, small) + _edge(t + d, p, small)
        grown = _power_gap(s, d, p)
        return grown + np.log1p(risen / before), p * grown + rates[0] / after - rates[1] / before


def _slope(s: Array, t: Array, p: Array) -> Array:
    """Return h'(s) where the other bound is t away; `expm1` keeps the difference for wide noise."""
    return p * s ** (p - 1) + (np.expm1(-(s**p)) - np.expm1(-(t**p))) / (_lower(s, p) + _lower(t, p))


def _edge(t: Array, p: Array, small: NDArray[np.bool_]) -> Array:
    """Return one side's part of Z d(log Z)/d(log w), less its ∫ e^{−u^p} du where `small`: differences are used."""
    fall = np.expm1(-(t**p))
    return np.where(small, t * fall + _complement_integral(t, p), t * (1 + fall))


def _power_gap(a: Array, d: Array, p: Array) -> Array:
    """Return (a + d)^p − a^p to a few roundings."""
    return (a + d) ** p * -np.expm1(p * np.log1p(-d / (a + d)))


def _is_short(a: Array, d: Array, p: Array, grown: Array) -> NDArray[np.bool_]:
    """Return whether the quadrature over [a, a + d] is right to rounding;
    elsewhere a difference loses two digits at most.
    """
    return (p * d <= a) & (grown <= 1)


def _piece(a: Array, d: Array, p: Array, small: NDArray[np.bool_]) -> Array:
    """Return ∫ e^{−u^p} du over [a, a + d], or ∫ 1 − e^{−u^p} du where `small` says that (a + d)^p ≤ 1."""
    short = _is_short(a, d, p, _power_gap(a, d, p))
    total = np.zeros_like(a)
    for node, weight in zip(_NODES, _WEIGHTS, strict=True):
        missing = -np.expm1(-((a + d * node) ** p))
        total += weight * np.where(small, missing, 1 - missing)
    long = np.where(small, _complement_integral(a + d, p) - _complement_integral(a, p), _lower(a + d, p) - _lower(a, p))
    return np.where(short, d * total, long)


def _complement_integral(t: Array, p: Array) -> Array:
    """Return ∫_0^t 1 − e^{−u^p} du for t^p ≤ 1, by its power series."""
    v = np.minimum(t**p, 1)
    total = np.zeros_like(v)
    for j in range(18, 0, -1):
        total = v / j * (1 / (j * p + 1) - total)
    return t * total


def _lower(t: Array, p: Array) -> Array:
    """Return ∫_0^t e^{−u^p} du."""
    v = np.minimum(t**p, 1e300)
    return np.where(v < FLAT, t, gamma(1 + 1 / p) * gammainc(1 / p, v))


def _upper(t: Array, p: Array) -> Array:
    """Return ∫_t^∞ e^{−u^p} du."""
    v = np.minimum(t**p, 1e300)
    full = gamma(1 + 1 / p)
    return np.where(v < FLAT, full - t, full * gammaincc(1 / p, v))


def scaled_tail(t: Array, p: Array) -> Array:
    """Return e^{t^p} ∫_t^∞ e^{−u^p} du, 1 over the noise's hazard, beyond t^p = 20 by Legendre's continued fraction."""
    v = np.minimum(t**p, 1e300)
    fraction = v + 49 - 1 / p
    for k in range(24, 0, -1):
        fraction = v + (2 * k - 1) - 1 / p - k * (k - 1 / p) / fraction
    return np.where(v < 20, np.exp(np.minimum(v, 20)) * _upper(t, p), t / (p * fraction))
