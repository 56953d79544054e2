"""The two-sided geometric mechanism: whole-numbered noise, Pr(k) = (1 − r)/(1 + r) r^|k| with r = e^{−1/s}.

The scale s plays the part of Laplace's b: neighbouring data sets move a whole-numbered query by at most Δ₁
(`l1_sensitivity`, a whole number), and with s = Δ₁/ε, so r = e^{−ε/Δ₁}, any number of statistics together is ε-DP
([GRS12]). The profile δ(ε) and the (ε, δ) scale are those of one statistic.

ε (`epsilon`) is in nats. Arguments broadcast; the result has their common shape. Every s, ε and δ is rounded up in its
last bits, so that no guarantee is overstated. Bad input raises `ValueError`: `name must be in RANGE, got VALUE`.

References
----------
[GRS12] Ghosh, Roughgarden & Sundararajan 2012, SIAM J. Comput. 41(6). [GE20] Geometric Mechanism Accuracy, 2020.
"""

import numpy as np
from numpy.typing import ArrayLike

from dpcore.checks import EPSILON_RANGE, PURE_DELTA_RANGE, SIGNIFICANCE_RANGE, Array, generator, integer, number, shape
from dpcore.laplace import guaranteed_loss
from dpcore.roots import Rows, safe_root
from dpcore.rounding import TINY, quotient_excess, round_down, round_sum_up, round_up

__all__ = [
    "SCALE_RANGE",
    "SENSITIVITY_RANGE",
    "cdf",
    "delta_from_scale",
    "epsilon_from_scale",
    "half_width",
    "mean_absolute_error",
    "pmf",
    "sample",
    "scale_from_epsilon",
    "tail",
    "variance",
]

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


SENSITIVITY_RANGE = "[1, 1e15]"


def scale_from_epsilon(epsilon: ArrayLike, delta: ArrayLike = 0.0, l1_sensitivity: ArrayLike = 1.0) -> Array:
    """Return the least s with δ(ε) ≤ δ, see `delta_from_scale` (own).

    It is Δ₁/ε at δ = 0, and Δ₁/ln((e^ε + δ)/(1 − δ)) at Δ₁ = 1.

    Parameters
    ----------
    epsilon : in [0, 1e6]; at least 1e-130 where δ = 0.
    delta : in [0, 1).
    l1_sensitivity : Δ₁, a whole number in [1, 1e15]; of one statistic where δ > 0.

    Returns
    -------
    s in steps of the query: never below the true value, above it by a relative 5e-15 at most.

    Examples
    --------
    >>> print(f"{scale_from_epsilon(epsilon=0.5):.4f} {scale_from_epsilon(epsilon=0.5, delta=0.1):.4f}")
    2.0000 1.5055
    """
    epsilon, most = guaranteed_loss(epsilon, delta)
    delta, steps = (
        number("delta", delta, PURE_DELTA_RANGE),
        integer("l1_sensitivity", l1_sensitivity, SENSITIVITY_RANGE),
    )
    least = epsilon + np.log1p(delta * np.exp(-epsilon)) - np.log1p(-delta)  # the Δ₁ = 1 case: the worst that is θ-DP
    shape = np.broadcast_shapes(epsilon.shape, delta.shape, steps.shape)
    epsilon, delta, steps, least, most = (
        np.broadcast_to(values, shape).ravel() for values in (epsilon, delta, steps, least, most)
    )
    scale = steps / least  # the answer where δ = 0, but for its rounding
    scale = np.where(quotient_excess(least, scale, steps) > 0, np.nextafter(scale, np.inf), scale)
    has_closed_form = (steps == 1) & (delta > 0)
    scale[has_closed_form] = round_up(steps / least, 8)[has_closed_form]
    rows = np.flatnonzero((steps > 1) & (delta > 0))

    def excess(places: Rows, tested: Array) -> Array:
        at = rows[places]
        return _delta(epsilon[at], tested, steps[at]) - delta[at]

    if rows.size:
        low, high = round_down(steps / most, 4)[rows], round_up(steps / least, 8)[rows]
        scale[rows] = np.minimum(safe_root(excess, high, low), high)
    return scale.reshape(shape)[()]


def delta_from_scale(epsilon: ArrayLike, scale: ArrayLike, l1_sensitivity: ArrayLike = 1.0) -> Array:
    """Return the privacy profile of one statistic, 1 − min over m of (r^{m+1} + e^ε r^{Δ₁−m})/(1 + r) (own).

    Here m is 0 … Δ₁ − 1.

    It is Pr(k ≤ m) − e^ε Pr(k ≤ m − Δ₁) at the last m whose loss exceeds ε; with Δ₁ = 1 and θ = 1/s it is
    (1 − e^{ε−θ})/(1 + e^{−θ}).

    Parameters
    ----------
    epsilon : in [0, 1e6].
    scale : s in [1e-7, 1e150].
    l1_sensitivity : Δ₁, a whole number in [1, 1e15].

    Returns
    -------
    δ in [0, 1]: exactly 0 where ε ≥ Δ₁/s; else never below the true value, above it by a relative 8e-15 at most.

    Examples
    --------
    >>> print(f"{delta_from_scale(epsilon=0.5, scale=1):.6f}")
    0.287649
    """
    return _delta(
        number("epsilon", epsilon, EPSILON_RANGE),
        number("scale", scale, SCALE_RANGE),
        integer("l1_sensitivity", l1_sensitivity, SENSITIVITY_RANGE),
    )


def _delta(epsilon: Array, scale: Array, steps: Array) -> Array:
    with np.errstate(over="ignore", under="ignore"):
        gap = quotient_excess(epsilon, scale, steps)
        step, r = 1 / scale, np.exp(-1 / scale)
        last = np.clip(np.ceil(gap * scale / 2) - 1, 0, steps - 1)  # at a tie of losses its neighbour is as good
        beyond = np.minimum(np.expm1((last + 1) * step - gap), 1e300)
        both = -np.expm1(-(last + 1) * step) - r * beyond
        delta = round_up(np.where(last == 0, -np.expm1(-gap), both) / (1 + r), 24) + TINY
    return np.where(gap > 0, np.minimum(delta, 1), 0.0)[()]


def epsilon_from_scale(delta: ArrayLike, scale: ArrayLike, l1_sensitivity: ArrayLike = 1.0) -> Array:
    """Return the least ε of (ε, δ)-DP at a given scale: max over m of (Δ₁ − m)/s + ln((1 + r)(1 − δ) − r^{m+1}) (own).

    Parameters
    ----------
    delta : in [0, 1); at δ = 0 the pure ε = Δ₁/s, which holds for any number of statistics.
    scale : s in [1e-7, 1e150].
    l1_sensitivity : Δ₁, a whole number in [1, 1e15].

    Returns
    -------
    ε ≥ 0 in nats, never below the true value; above it by 16 roundings of 1 + Δ₁/s at most, and by what moving 1 − δ
    by as many does.

    Examples
    --------
    >>> print(f"{epsilon_from_scale(delta=0.1, scale=1):.6f}")
    0.852905
    """
    delta, scale = number("delta", delta, PURE_DELTA_RANGE), number("scale", scale, SCALE_RANGE)
    steps = integer("l1_sensitivity", l1_sensitivity, SENSITIVITY_RANGE)
    step, r = 1 / scale, np.exp(-1 / scale)
    theta = steps / scale
    free = delta >= delta_from_scale(0.0, scale, steps)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        peak = -(np.log1p(r) + np.log1p(-delta) - np.log(2)) * scale - 1  # where r^{m+1} is half of the rest
        best = np.zeros(np.broadcast_shapes(delta.shape, theta.shape))
        for m in (np.floor(peak), np.floor(peak) + 1):
            m = np.clip(m, 0, steps - 1)
            room, spent = (1 + r) * (1 - delta), np.exp(-(m + 1) * step)
            # Where r is small, even the best m may leave little of the room: then its last digits decide.
            near_one = np.log(round_sum_up(room - spent, 3 * room + (2 + (m + 1) * step) * spent))
            rest = r * -np.expm1(-m * step) - delta * (1 + r)
            best = np.fmax(best, theta - m * step + np.where(delta > 0.5, near_one, np.log1p(rest)))
        pure = np.where(delta == 0, round_up(theta), round_sum_up(best, 1 + theta, 8))
    return np.where(free, 0.0, np.minimum(pure, round_up(theta)))[()]
