"""Truncated Laplace noise: the Laplace density between −A and A, and no error beyond ±A, for (ε, δ)-DP.

The density is e^{−|x|/b}/(2b(1 − e^{−A/b})) for |x| ≤ A; neighbouring data sets move the one released number by at most
Δ (`sensitivity`). A (`bound`), b (`scale`) and Δ are in query units. With b = Δ/ε and A = b ln(1 + (e^ε − 1)/(2δ)) the
noise satisfies (ε, δ)-DP ([GDGK20] Thm 1); b = ∞, at ε = 0, is the uniform noise on ±A. What δ is spent for: with
probability δ the release lies where the noise of the other data set does not reach, and then it identifies the person.

The noise is log-concave, so of all moves of at most Δ the one of Δ is the worst. Arguments broadcast; the result has
their common shape. A, ε and δ are rounded up. Bad input raises `ValueError`: `name must be in RANGE, got VALUE`.

References
----------
[GDGK20] Geng, Ding, Guo & Kumar 2020, Tight analysis of privacy and utility tradeoff in approximate differential
privacy, AISTATS, arXiv:1810.00877.
"""

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import exprel, gammainc

from dpcore.checks import (
    DELTA_RANGE,
    EPSILON_RANGE,
    SENSITIVITY_RANGE,
    SIGNIFICANCE_RANGE,
    Array,
    generator,
    number,
    refuse,
    shape,
)
from dpcore.rounding import TINY, quotient_excess, round_down, round_sum_down, round_up

__all__ = [
    "SCALE_RANGE",
    "TRUNCATION_RANGE",
    "bound_from_epsilon",
    "cdf",
    "delta_from_bound",
    "epsilon_from_bound",
    "half_width",
    "mean_absolute_error",
    "pdf",
    "sample",
    "scale_from_epsilon",
    "tail",
    "variance",
]


TRUNCATION_RANGE = "[1e-150, 1e304]"
SCALE_RANGE = "[1e-150, inf]"
_MOST_DELTA = 0.5  # at which A = Δ; less noise than that would identify the person most of the time


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


def bound_from_epsilon(epsilon: ArrayLike, delta: ArrayLike, sensitivity: ArrayLike = 1.0) -> Array:
    """Return A = (Δ/ε) ln(1 + (e^ε − 1)/(2δ)), the least bound of (ε, δ)-DP with scale b = Δ/ε ([GDGK20] Thm 1).

    At ε = 0 it is Δ/(2δ), of uniform noise.

    Parameters
    ----------
    epsilon : in [0, 1e6].
    delta : in [1e-300, 1); from ½ on A is that of ½, which is Δ.
    sensitivity : Δ in [1e-100, 1e100], in query units, such that A is at most 1e304.

    Returns
    -------
    A ≥ Δ in query units: never below the true value, above it by a relative 5e-15 at most.

    Examples
    --------
    >>> print(f"{bound_from_epsilon(epsilon=1, delta=1e-6):.4f} {bound_from_epsilon(epsilon=0, delta=0.01):.1f}")
    13.6637 50.0
    """
    epsilon = number("epsilon", epsilon, EPSILON_RANGE)
    delta = np.minimum(number("delta", delta, DELTA_RANGE), _MOST_DELTA)
    sensitivity = number("sensitivity", sensitivity, SENSITIVITY_RANGE)
    small, large = np.minimum(epsilon, 1.0), np.maximum(epsilon, 1.0)
    excess = np.expm1(small) / (2 * delta)
    # ln(1 + z)/ε with z = (e^ε − 1)/(2δ) keeps its digits down to ε = 0, where z/ε is 1/(2δ).
    near = exprel(small) / (2 * delta) * np.where(excess > 0, np.log1p(excess) / np.where(excess > 0, excess, 1), 1)
    with np.errstate(under="ignore", over="ignore"):
        far = 1 + (np.log1p(-(1 - 2 * delta) * np.exp(-large)) - np.log(2 * delta)) / large
        bound = round_up(sensitivity * np.where(epsilon <= 1, near, far), 16)
    refuse("sensitivity", sensitivity, bound > 1e304, "the values with a bound of at most 1e304 at this epsilon")
    return np.maximum(bound, sensitivity)[()]


def scale_from_epsilon(epsilon: ArrayLike, sensitivity: ArrayLike = 1.0) -> Array:
    """b = Δ/ε of the noise whose bound is `bound_from_epsilon`, rounded up in its last bits; ∞ where ε is 0.

    Parameters
    ----------
    epsilon : in [0, 1e6]; below 1e-130 it is taken as 0.
    sensitivity : Δ in [1e-100, 1e100], in query units.

    Examples
    --------
    >>> print(scale_from_epsilon(epsilon=[0, 0.5], sensitivity=2).round(3))
    [inf  4.]
    """
    epsilon = number("epsilon", epsilon, EPSILON_RANGE)
    sensitivity = number("sensitivity", sensitivity, SENSITIVITY_RANGE)
    some = epsilon >= 1e-130
    return np.where(some, round_up(sensitivity / np.where(some, epsilon, 1.0), 2), np.inf)[()]


def delta_from_bound(epsilon: ArrayLike, bound: ArrayLike, scale: ArrayLike, sensitivity: ArrayLike = 1.0) -> Array:
    """Return the privacy profile δ(ε) = δ₀ + [(1 − e^θ q)(1 − u²) + (1 − u)²]/(2(1 − q)), u = e^{(ε − θ)/2} (own).

    θ = Δ/b, q = e^{−A/b}, and δ₀ = q(e^θ − 1)/(2(1 − q)) is the probability that the release lies where the noise of
    the other data set does not reach. From ε = θ on δ is δ₀.

    Parameters
    ----------
    epsilon : in [0, 1e6].
    bound : A in [1e-150, 1e304], in query units, and at least Δ.
    scale : b in [1e-150, ∞], in query units; ∞ is uniform noise.
    sensitivity : Δ in [1e-100, 1e100], in query units.

    Returns
    -------
    δ in [0, 1]: never below the true value, above it by a relative 1e-14 (1 + A/b) at most.

    Examples
    --------
    >>> print(delta_from_bound(epsilon=[0.5, 1, 2], bound=4.46492, scale=1).round(6))
    [0.227549 0.01     0.01    ]
    """
    epsilon = number("epsilon", epsilon, EPSILON_RANGE)
    _, broken, share, whole, ulps = _losses(bound, scale, sensitivity)
    finite = np.where(np.isfinite(scale), scale, 1.0)
    with np.errstate(under="ignore", over="ignore", invalid="ignore"):
        gap = np.where(np.isfinite(scale), np.maximum(quotient_excess(epsilon, finite, sensitivity), 0), 0)
        spread = share * -np.expm1(-gap) + np.expm1(-gap / 2) ** 2
        inside = np.where(gap > 0, spread / (2 * np.where(gap > 0, whole, 1)), 0)
        return np.minimum(round_up(broken + inside, ulps) + TINY, 1)[()]


def _losses(bound: ArrayLike, scale: ArrayLike, sensitivity: ArrayLike) -> tuple[Array, Array, Array, Array, Array]:
    """θ rounded up, δ₀, 1 − e^θ q, 1 − q, and the roundings by which these, relative to themselves, may be off."""
    bound, scale = checked_noise(bound, scale)
    sensitivity = number("sensitivity", sensitivity, SENSITIVITY_RANGE)
    refuse("bound", bound, bound < sensitivity, "[sensitivity, 1e304]")
    with np.errstate(under="ignore", over="ignore"):
        theta, reach = np.minimum(sensitivity / scale, 1e300), np.minimum(bound / scale, 1e300)
        left = np.minimum((bound - sensitivity) / scale, 1e300)
        broken = np.exp(-left) * (sensitivity / bound) * exprel(-theta) / exprel(-reach) / 2
    return round_up(theta, 2), broken, -np.expm1(-left), -np.expm1(-reach), 24 + 8 * np.minimum(left, 1e4)


def epsilon_from_bound(delta: ArrayLike, bound: ArrayLike, scale: ArrayLike, sensitivity: ArrayLike = 1.0) -> Array:
    """Return the least ε of (ε, δ)-DP of a noise: `delta_from_bound` solved for ε, a quadratic equation in 1 − u (own).

    Parameters
    ----------
    delta : in [1e-300, 1).
    bound : A in [1e-150, 1e304], in query units, and at least Δ.
    scale : b in [1e-150, ∞], in query units; ∞ is uniform noise.
    sensitivity : Δ in [1e-100, 1e100], in query units.

    Returns
    -------
    ε ≥ 0 in nats: ∞ where δ is below δ₀, which no ε makes up for; else never below the true value, above it by a few
    roundings of θ and by what moving δ by a relative 1e-14 (1 + A/b) does.

    Examples
    --------
    >>> print(f"{epsilon_from_bound(delta=0.2, bound=4.46492, scale=1):.4f}")
    0.5705
    >>> print(epsilon_from_bound(delta=0.001, bound=4.46492, scale=1))
    inf
    """
    delta = number("delta", delta, DELTA_RANGE)
    theta, broken, share, whole, ulps = _losses(bound, scale, sensitivity)
    broken = round_up(broken, ulps) + TINY
    with np.errstate(under="ignore"):
        room = 2 * whole * np.maximum(round_sum_down(delta - broken, delta, 2), 0)
        root = np.sqrt(share**2 + (1 - share) * room)  # of (1 − s)v² + 2sv = room, s = 1 − e^θ q and v = 1 − u
        v = np.minimum(round_down(room / np.where(room > 0, share + root, 1), ulps), 1 - 1e-16)
        epsilon = np.maximum(theta - round_down(-2 * np.log1p(-v), 8), 0)
    free = delta >= delta_from_bound(0.0, bound, scale, sensitivity)
    return np.where(free, 0.0, np.where(delta < broken, np.inf, epsilon))[()]
