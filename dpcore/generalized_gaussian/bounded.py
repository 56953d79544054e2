"""The scale that generalized Gaussian noise on a statistic with bounds needs for pure ε, for every p ≥ 1.

One statistic has its true value s in [c₀, c₁], `low` and `high`, W = c₁ − c₀ (`width`); neighbours move it by at most
Δ ≤ W (`sensitivity`). Two mechanisms keep the release inside the bounds ([Liu19] Def. 5 and 7): the truncated one draws
from the density ∝ exp(−(|x − s|/b)^p) on [c₀, c₁]; the boundary-inflated truncated one (BIT) adds unbounded noise and
moves what falls outside to the nearer bound, which so carries a point mass. BIT is the distribution of any clipped
release: clipping a release of (ε, δ)-DP preserves it, and only pure ε needs the scale of
`exact_boundary_inflated_scale`.

ε (`epsilon`) is in nats, p in [1, 100] is real, lengths are in the unit of the query: widths in [1e-100, 1e100], Δ from
1e-9 W to W. Arguments broadcast; the result has their common shape. Scales and ε are rounded up.

The losses are functions of w = W/b, p and Δ/W, and come with their derivative by log w; all their lengths are in units
of b.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import gamma, gammainc

from dpcore.checks import SHAPE_RANGE, Array, number
from dpcore.generalized_gaussian._tails import half_norm, mills_ratio
from dpcore.generalized_gaussian.exponential import EPSILON_RANGE, FLAT, SCALE_RANGE, lengths
from dpcore.normal import legendre_rule
from dpcore.roots import Step, bisect, root_by_steps
from dpcore.rounding import BELOW_ONE, TINY, round_up

_DOUBT = 1e-12  # relative, of a loss: thirty times the greatest error that was seen


def truncated_scale(epsilon: ArrayLike, p: ArrayLike, l1_sensitivities: ArrayLike, widths: ArrayLike) -> Array:
    """b = (2/ε · Σ_k Σ_{j=1}^p C(p, j) W_k^{p−j} Δ_{1,k}^j)^{1/p}: the published scale of the truncated mechanism.

    This is [Liu19] Eq. 7–8 with Lemma 2. The inner sum is (W_k + Δ_k)^p − W_k^p, so real p have a value too.

    Parameters
    ----------
    epsilon : in [1e-30, 1e6].
    p : shape, in [1, 100].
    l1_sensitivities : Δ_{1,k}, in query units, the statistics along the last axis; each from 1e-9 W_k to W_k.
    widths : W_k in [1e-100, 1e100], in query units, the statistics along the last axis.

    Returns
    -------
    b in query units, above the formula by a relative 1e-14 at most.

    Examples
    --------
    >>> f"{truncated_scale(1, 2, [1.0], [10.0]):.4f}"
    '6.4807'
    """
    epsilon, p = number("epsilon", epsilon, EPSILON_RANGE), number("p", p, SHAPE_RANGE)
    sensitivity, width = lengths(np.atleast_1d(l1_sensitivities), np.atleast_1d(widths), "l1_sensitivities", "widths")
    reach = width + sensitivity
    unit = np.max(reach, axis=-1)
    shape = p[..., np.newaxis]
    with np.errstate(under="ignore"):
        terms = -((reach / unit[..., np.newaxis]) ** shape) * np.expm1(-shape * np.log1p(sensitivity / width))
    return round_up(unit * (2 * np.sum(terms, axis=-1) / epsilon) ** (1 / p), 20)[()]


def exact_truncated_scale(epsilon: ArrayLike, p: ArrayLike, width: ArrayLike, sensitivity: ArrayLike = 1.0) -> Array:
    """Return the least b of pure ε-DP by the truncated mechanism, for one statistic: inverts `truncated_loss` (own).

    Parameters
    ----------
    epsilon : in [1e-30, 1e6].
    p : shape, in [1, 100].
    width : W in [1e-100, 1e100], in query units.
    sensitivity : Δ from 1e-9 W to W, in query units.

    Returns
    -------
    b in query units: never below the true value, above it by a relative 4e-12 at most, for 1 < p < 2 by 1e-14 W/Δ more.

    Examples
    --------
    >>> f"{exact_truncated_scale(1, 2, 10):.4f}"
    '3.9008'
    """
    epsilon, p, width, share = _problem(number("epsilon", epsilon, EPSILON_RANGE), p, width, sensitivity)
    # The published b suffices; and the losses at the two ends have the sum below, so the larger is half of it at least.
    ends = -np.expm1(p * np.log1p(-np.minimum(share, BELOW_ONE))) + share**p
    least = (epsilon / (2 * np.expm1(p * np.log1p(share)))) ** (1 / p) * (1 - 1e-12)
    most = (2 * epsilon / ends) ** (1 / p) * (1 + 1e-12)
    scale = width / _root(truncated_ratio, epsilon, p, share, least, most) * (1 + 2 * _search_doubt(p, share))
    # Next to p = 1 the published scale is the exact one where ε and Δ/W are small, and the search is least sharp.
    return np.minimum(scale, width * truncated_scale(epsilon, p, share[..., np.newaxis], 1.0))


def exact_boundary_inflated_scale(
    epsilon: ArrayLike, p: ArrayLike, width: ArrayLike, sensitivity: ArrayLike = 1.0
) -> Array:
    """Return the least b of pure ε-DP by the BIT mechanism, for one statistic: inverse of `boundary_inflated_loss`.

    Arguments and units as in `exact_truncated_scale`; above the true value by a relative 4e-12 at most. At p = 1 it is
    Laplace's Δ/ε, whatever W.

    Examples
    --------
    >>> f"{exact_boundary_inflated_scale(1, 2, 10):.4f}"
    '4.5668'
    """
    epsilon, p, width, share = _problem(number("epsilon", epsilon, EPSILON_RANGE), p, width, sensitivity)
    # The hazard r of the noise increases and r(t) ≥ p t^{p−1}, so the loss lies between w^p − (w − d)^p and d r(w).
    most = (epsilon / -np.expm1(p * np.log1p(-np.minimum(share, BELOW_ONE)))) ** (1 / p) * (1 + 1e-12)
    ones = np.ones_like(p)
    least = np.where(_bit_ratio(ones, p, share)[0] < epsilon, 1, epsilon * _scaled_tail(ones, p) / share * (1 - 1e-12))
    return width / _root(_bit_ratio, epsilon, p, share, np.minimum(least, most), most) * (1 + 2 * _DOUBT)


def truncated_loss(scale: ArrayLike, p: ArrayLike, width: ArrayLike, sensitivity: ArrayLike = 1.0) -> Array:
    """Return the least ε that the truncated mechanism keeps: max over s of log f(c₀; s) − log f(c₀; s + Δ) (own).

    Parameters
    ----------
    scale : b in [1e-150, 1e150], in query units.
    p, width, sensitivity : as in `exact_truncated_scale`.

    Returns
    -------
    ε in nats: never below the true value, above it by a relative 2e-12 at most (for 1 < p < 2 by 4e-15 W/Δ more). About
    (W/b)^p where W is far above b, so it may exceed the 1e6 that other functions take as ε, and is infinite where a
    double can't hold it: no smaller number would be an upper bound.

    Notes
    -----
    For s < s' the ratio f(x; s)/f(x; s') falls in x, so it is largest at x = c₀; mirrored, that is the other order.
    It exceeds 1 there, as both densities integrate to 1, so −log f(c₀; s) grows in s and s' = s + Δ is the worst
    neighbour. What is left is the maximum over s ∈ [0, w − d] of h(s + d) − h(s), in units of b with c₀ = 0, w = W/b,
    d = Δ/b and h(s) = s^p + log Z(s), Z(s) = ∫_0^w exp(−|x − s|^p) dx. At p = 1 h is concave: s = 0 is the worst.
    At p = 2 it is convex (an exponential family): s = w − d is. On fine grids that was so for every p ≥ 2; for
    1 < p < 2 there were at most two local maxima, one towards each end, and both are searched. The loss falls with b.

    Examples
    --------
    >>> f"{truncated_loss(4.0, 2, 10):.4f}"
    '0.9443'
    """
    scale, p, width, share = _problem(number("scale", scale, SCALE_RANGE), p, width, sensitivity)
    value, _ = truncated_ratio(*(np.ravel(a) for a in (width / scale, p, share)))
    return value.reshape(p.shape)[()] * (1 + _search_doubt(p, share)) + TINY


def boundary_inflated_loss(scale: ArrayLike, p: ArrayLike, width: ArrayLike, sensitivity: ArrayLike = 1.0) -> Array:
    """Return the least ε that the BIT mechanism keeps: log Pr(e > (W − Δ)/b) − log Pr(e > W/b) (own).

    Here e is noise of scale 1.

    Arguments, units and what is infinite as in `truncated_loss`; above the true value by a relative 2e-12 at most.

    Notes
    -----
    The mass at c₀ is a log-concave function of s, so its ratio is largest for s = c₁ − Δ and s' = c₁. Inside, the
    loss is at most (W/b)^p − ((W − Δ)/b)^p, which is less, since the hazard of the noise at t is at least p t^{p−1}.

    Examples
    --------
    >>> f"{boundary_inflated_loss(4.0, 2, 10):.4f}"
    '1.2794'
    """
    scale, p, width, share = _problem(number("scale", scale, SCALE_RANGE), p, width, sensitivity)
    value, _ = _bit_ratio(width / scale, p, share)
    return value[()] * (1 + _DOUBT) + TINY


def _problem(first: Array, p: ArrayLike, width: ArrayLike, sensitivity: ArrayLike) -> tuple[Array, Array, Array, Array]:
    """Return the first argument, p, W and Δ/W, in their common shape."""
    p = number("p", p, SHAPE_RANGE)
    sensitivity, width = lengths(sensitivity, width, "sensitivity", "width")
    first, p, width, share = np.broadcast_arrays(first, p, width, sensitivity / width)
    return first, p, width, share


# A loss takes w = W/b, p and Δ/W and returns itself with its derivative by log w; the truncated one wants flat arrays.
Loss = Callable[[Array, Array, Array], tuple[Array, Array]]


def _search_doubt(p: Array, share: Array) -> Array:
    """Return the relative doubt of a maximum over s; its search between the ends weighs slopes that agree up to Δ/W."""
    return np.where((p > 1) & (p < 2), _DOUBT + 2e-15 / share, _DOUBT)


def _root(loss: Loss, epsilon: Array, p: Array, share: Array, low: Array, high: Array) -> Array:
    """Return the w in [low, high] whose loss is ε: Newton's method on log loss by log w, with bisection."""
    target, shape, part = (np.ravel(a) for a in (epsilon, p, share))
    below, above = np.log(low).ravel(), np.log(high).ravel()

    def method(x: Array) -> Step[tuple[Array, NDArray[np.bool_]]]:
        value, slope = loss(np.exp(x), shape, part)
        gap = np.log(value / target)
        step = gap * value / slope
        near = abs(step) < 1e-12
        return x - step, near, gap < 0, (x - step, near)

    root = root_by_steps(method, above, below, above)
    newton, near = root.state
    return np.exp(np.where(near, np.minimum(newton, root.high), root.low)).reshape(p.shape)[()]


_NODES, _WEIGHTS = legendre_rule(12)


def _bit_ratio(w: Array, p: Array, share: Array) -> tuple[Array, Array]:
    """Return the largest privacy loss with boundary-inflated truncation at Δ = share · W, and its derivative in w."""
    d = share * w
    a = (1 - share) * w
    with np.errstate(all="ignore"):
        tail, tail_before = _scaled_tail(w, p), _scaled_tail(a, p)
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
    """Return the largest privacy loss of truncated noise at Δ = share · W, and its derivative in w."""
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
    """Return whether quadrature over [a, a + d] is right to rounding; else a difference loses two digits at most."""
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


def _scaled_tail(t: Array, p: Array) -> Array:
    """Return e^{t^p} ∫_t^∞ e^{−u^p} du, 1 over the noise's hazard."""
    x, shape = t.ravel(), p.ravel()
    return mills_ratio(x, np.minimum(x**shape, 1e300), shape, half_norm(shape)).reshape(p.shape)
