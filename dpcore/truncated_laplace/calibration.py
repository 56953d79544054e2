"""The limit of truncated Laplace noise that satisfies (ε, δ)-DP, and the guarantee of a limit."""

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import exprel

from dpcore.checks import (
    DELTA_RANGE,
    EPSILON_RANGE,
    SENSITIVITY_RANGE,
    Array,
    number,
    refuse,
)
from dpcore.rounding import TINY, quotient_excess, round_down, round_sum_down, round_up
from dpcore.truncated_laplace.distribution import (
    checked_noise,
)

_MOST_DELTA = 0.5  # at which A = Δ; less noise than that would identify the person most of the time


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
