"""The limit of truncated geometric noise that satisfies (ε, δ)-DP, and the guarantee of a limit."""

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import exprel

from dpcore.checks import DELTA_RANGE, EPSILON_RANGE, Array, integer, number, refuse
from dpcore.discrete_gaussian._coins import Bits
from dpcore.roots import bisect
from dpcore.rounding import TINY, quotient_excess, round_down, round_up
from dpcore.truncated_geometric.distribution import checked_noise, normalizer, sum_of_powers

SENSITIVITY_RANGE = "[1, 1e6]"


_MOST_DELTA = 0.5


def bound_from_epsilon(epsilon: ArrayLike, delta: ArrayLike, sensitivity: ArrayLike = 1.0) -> Array:
    """Return the least N ≥ Δ at which noise of scale s = Δ/ε is (ε, δ)-DP:
    r^N (e^ε − 1 + 2δ) r ≤ δ(1 + r), rounded up (own).

    Parameters
    ----------
    epsilon : in [0, 1e6].
    delta : in [1e-300, 1); from ½ on N is that of ½, which is Δ.
    sensitivity : Δ, a whole number in [1, 1e6], such that N is at most 1e6.

    Returns
    -------
    N, a whole number; one more than the least where δ is within a relative 1e-13 of the δ of the least.

    Examples
    --------
    >>> print(bound_from_epsilon(epsilon=[0, 0.1, 1], delta=0.01))
    [50. 18.  4.]
    """
    epsilon = number("epsilon", epsilon, EPSILON_RANGE)
    delta = np.minimum(number("delta", delta, DELTA_RANGE), _MOST_DELTA)
    sensitivity = integer("sensitivity", sensitivity, SENSITIVITY_RANGE)
    step, small, large = epsilon / sensitivity, np.minimum(epsilon, 1.0), np.maximum(epsilon, 1.0)
    with np.errstate(under="ignore"):
        r = np.exp(-step)
        # ln(1 + z)/step, z = [r(e^ε − 1) − δ(1 − r)]/(δ(1 + r)), keeps its digits down to ε = 0.
        per_step = r * sensitivity * exprel(small) - delta * exprel(-np.minimum(step, 1.0))
        slope = np.maximum(per_step, 0) / (delta * (1 + r))
        excess = slope * np.minimum(step, 1.0)
        near = slope * np.where(excess > 0, np.log1p(excess) / np.where(excess > 0, excess, 1), 1)
        log_rest = np.log1p(-(1 - 2 * delta) * np.exp(-large)) - np.log(delta) - np.log1p(r)
        far = sensitivity - 1 + log_rest / np.where(epsilon <= 1, 1.0, step)
    real = np.where(epsilon <= 1, near, far)
    limit = "the whole numbers with a bound of at most 1e6 at this epsilon and delta"
    refuse("sensitivity", sensitivity, real > 1e6 - 1, limit)
    least, more = (np.maximum(np.ceil(value), sensitivity) for value in (round_down(real, 64), round_up(real, 64)))
    scale = scale_from_epsilon(epsilon, sensitivity)
    return np.where(delta_from_bound(epsilon, least, scale, sensitivity) <= delta, least, more)[()]


def scale_from_epsilon(epsilon: ArrayLike, sensitivity: ArrayLike = 1.0) -> Array:
    """s = Δ/ε of the noise whose bound is `bound_from_epsilon`, rounded up in its last bits; ∞ where ε is 0.

    Parameters
    ----------
    epsilon : in [0, 1e6]; below 1e-130 it is taken as 0.
    sensitivity : Δ, a whole number in [1, 1e6].

    Examples
    --------
    >>> print(scale_from_epsilon(epsilon=[0, 0.5], sensitivity=2).round(3))
    [inf  4.]
    """
    epsilon = number("epsilon", epsilon, EPSILON_RANGE)
    sensitivity = integer("sensitivity", sensitivity, SENSITIVITY_RANGE)
    some = epsilon >= 1e-130
    return np.where(some, round_up(sensitivity / np.where(some, epsilon, 1.0), 2), np.inf)[()]


def delta_from_bound(epsilon: ArrayLike, bound: ArrayLike, scale: ArrayLike, sensitivity: ArrayLike = 1.0) -> Array:
    """Return the privacy profile: δ₀ + Σ (Pr(k) − e^ε Pr(k − Δ)) over the k ≥ Δ − N whose loss is above ε (own).

    δ₀ = Pr(k > N − Δ) is the probability that the release lies where the noise of the other data set does not reach.
    From ε = Δ/s on δ is δ₀.

    Parameters
    ----------
    epsilon : in [0, 1e6].
    bound : N, a whole number in [1, 1e6], and at least Δ.
    scale : s in [1e-7, ∞]; ∞ is uniform noise.
    sensitivity : Δ, a whole number in [1, 1e6].

    Returns
    -------
    δ in [0, 1]: never below the true value, above it by a relative 1e-14 (1 + N/s) at most.

    Examples
    --------
    >>> print(delta_from_bound(epsilon=[0.5, 1, 2], bound=4, scale=1).round(6))
    [0.293738 0.008548 0.008548]
    """
    epsilon = number("epsilon", epsilon, EPSILON_RANGE)
    bound, scale = checked_noise(bound, scale)
    sensitivity = integer("sensitivity", sensitivity, SENSITIVITY_RANGE)
    refuse("bound", bound, bound < sensitivity, "[sensitivity, 1e6]")
    finite = np.where(np.isfinite(scale), scale, 1.0)
    with np.errstate(under="ignore"):
        step, left = 1 / scale, bound - sensitivity + 1
        broken = np.exp(-left * step) * sum_of_powers(sensitivity, step)
        gap = np.where(np.isfinite(scale), np.maximum(quotient_excess(epsilon, finite, sensitivity), 0), 0)
        last = np.clip(np.ceil(gap * finite / 2) - 1, 0, sensitivity - 1)
        inner = (
            np.exp(-step) * sum_of_powers(last, step) * np.maximum(-np.expm1(np.minimum((last + 1) * step - gap, 0)), 0)
        )
        inside = np.where(gap > 0, sum_of_powers(left, step) * -np.expm1(-gap) + inner, 0)
        delta = (broken + inside) / normalizer(bound, step)
        return np.minimum(round_up(delta, 32 + 8 * np.minimum(left * step, 1e4)) + TINY, 1)[()]


def epsilon_from_bound(delta: ArrayLike, bound: ArrayLike, scale: ArrayLike, sensitivity: ArrayLike = 1.0) -> Array:
    """Return the least ε of (ε, δ)-DP of a noise, in [0, Δ/s]: `delta_from_bound` solved for ε by bisection.

    Parameters
    ----------
    delta : in [1e-300, 1).
    bound : N, a whole number in [1, 1e6], and at least Δ.
    scale : s in [1e-7, ∞]; ∞ is uniform noise.
    sensitivity : Δ, a whole number in [1, 1e6].

    Returns
    -------
    ε ≥ 0 in nats: ∞ where δ is below δ₀, which no ε makes up for; else never below the true value, above it by a few
    roundings of Δ/s and by what moving δ by a relative 1e-14 (1 + N/s) does.

    Examples
    --------
    >>> print(epsilon_from_bound(delta=[0.001, 0.2], bound=4, scale=1).round(4))
    [   inf 0.6933]
    """
    delta = number("delta", delta, DELTA_RANGE)
    bound, scale = checked_noise(bound, scale)
    sensitivity = integer("sensitivity", sensitivity, SENSITIVITY_RANGE)
    theta = np.minimum(round_up(sensitivity / scale, 2), 1e6)
    none = delta_from_bound(theta, bound, scale, sensitivity) > delta
    free = delta_from_bound(0.0, bound, scale, sensitivity) <= delta

    def is_enough(epsilon: Array) -> Bits:
        return delta_from_bound(epsilon, bound, scale, sensitivity) <= delta

    low, high = np.broadcast_arrays(np.zeros_like(delta), np.where(free, 0.0, theta))
    return np.where(none, np.inf, bisect(is_enough, low, high, 60)[1])[()]
