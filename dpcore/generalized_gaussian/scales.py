"""The scale b of generalized Gaussian noise that a guarantee requires, for one statistic, every real p in [1, 100].

The release is f(x) + X with X of density ∝ e^{−(|x|/b)^p}; neighbouring data sets move f by at most Δ (`sensitivity`).
(ε, δ) is of (ε, δ)-DP in `adp_scale`; in the pDP scales it is of probabilistic DP, Pr(|privacy loss| > ε) ≤ δ, whose δ
is another quantity. ε is in nats, b and Δ in query units. Arguments broadcast; results have their common shape. Every
scale is rounded up.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dpcore.checks import DELTA_RANGE, EPSILON_RANGE, POSITIVE_EPSILON_RANGE, SHAPE_RANGE, Array, number, refuse, scalar
from dpcore.generalized_gaussian._loss import crossing
from dpcore.generalized_gaussian._solver import shift
from dpcore.generalized_gaussian._tails import half_norm, point_step, upper_point
from dpcore.rounding import round_up

SENSITIVITY_RANGE = "[1e-300, 1e280]"
_LARGEST_SCALE = 1e300


def pdp_scale_disjoint(epsilon: ArrayLike, delta: ArrayLike, p: ArrayLike, sensitivity: ArrayLike = 1.0) -> Array:
    """b with (ub + Δ)^p − (ub)^p = b^p ε, u the upper δ-quantile of |X|/b: (ε, δ)-pDP ([Liu19] Cor. 9, own form).

    Cor. 9 requires Pr(Σ_j C(p, j) |X|^{p−j} Δ^j > b^p ε) < δ, for statistics of disjoint parts of the data, of which a
    neighbour moves one. The sum is (|X| + Δ)^p − |X|^p, which grows with |X| and makes sense for every real p ≥ 1.
    p = 1 gives Laplace's Δ/ε whatever δ, p = 2 gives √2 times `gaussian.pdp_sigma`.

    Parameters
    ----------
    epsilon : in [1e-12, 1e6].
    delta : in [1e-300, 1), of probabilistic DP.
    p : shape, in [1, 100].
    sensitivity : Δ in [1e-300, 1e280], in query units: the largest ℓ₁ sensitivity of the statistics.

    Returns
    -------
    b in query units: never below the true value, above it by a relative 5e-14 at most.

    Examples
    --------
    >>> f"{pdp_scale_disjoint(1, 1e-6, p=2):.4f}"
    '7.0595'
    """
    epsilon = number("epsilon", epsilon, POSITIVE_EPSILON_RANGE)
    delta = number("delta", delta, DELTA_RANGE)
    p = number("p", p, SHAPE_RANGE)
    with np.errstate(all="ignore"):
        epsilon, delta, p = np.broadcast_arrays(epsilon, delta, p)
        shape, epsilon, delta, p = p.shape, epsilon.ravel(), delta.ravel(), p.ravel()
        norm, log_tail = half_norm(p), np.log(delta)
        at = crossing(upper_point(log_tail, 1 - delta, p, norm), epsilon, p)
        s = at.s - at.fall * point_step(at.v, log_tail, 1 - delta, p, norm)
    return _in_query_units(s.reshape(shape), sensitivity)


def exact_pdp_scale(epsilon: ArrayLike, delta: ArrayLike, p: ArrayLike, sensitivity: ArrayLike = 1.0) -> Array:
    """Return the least b of (ε, δ)-pDP for one statistic: Pr(|privacy loss| > ε) = δ (from the definition of pDP).

    Domain and units as in `pdp_scale_disjoint`, whose answer it never exceeds: that one counts the larger tail twice.
    p = 1 gives Laplace's Δ/ε where δ < (1 + e^{−ε})/2, p = 2 gives √2 times `gaussian.exact_pdp_sigma`.

    Returns
    -------
    b in query units: never below the true value, above it by a relative 5e-14 and by what moving δ by 50 roundings
    does at most (of 1 − δ where δ is next to 1).

    Examples
    --------
    >>> f"{exact_pdp_scale(1, 1e-6, p=2):.4f}"
    '6.9523'
    """
    epsilon = number("epsilon", epsilon, POSITIVE_EPSILON_RANGE)
    return _solved_scale(epsilon, delta, p, sensitivity, dp=False)


def adp_scale(epsilon: ArrayLike, delta: ArrayLike, p: ArrayLike, sensitivity: ArrayLike = 1.0) -> Array:
    """Return the least b of (ε, δ)-DP for one statistic: Pr(X > u) − e^ε Pr(X > u + Δ) = δ where the loss is ε (own).

    p = 1 gives Laplace's Δ/(ε − 2 ln(1 − δ)), p = 2 gives √2 times `gaussian.analytic_sigma`.

    Parameters
    ----------
    epsilon : in [0, 1e6].
    delta : in [1e-300, 1).
    p : shape, in [1, 100].
    sensitivity : Δ in [1e-300, 1e280], in query units; where ε and δ are tiny, so that b is at most 1e300.

    Returns
    -------
    b in query units: never below the true value, above it by a relative 5e-14 at most.

    Examples
    --------
    >>> f"{adp_scale(1, 1e-6, p=2):.4f}"
    '5.9746'
    """
    epsilon = number("epsilon", epsilon, EPSILON_RANGE)
    return _solved_scale(epsilon, delta, p, sensitivity, dp=True)


@dataclass(frozen=True)
class PureScale:
    """The scale of pure ε-DP, and a sentence that says where it comes from or why there is none."""

    scale: float
    reason: str


def pure_scale(epsilon: float, p: float, l1_sensitivity: float = 1.0) -> PureScale:
    """b = Δ₁/ε for p = 1; infinite for every other p, with the reason ([Liu19] Claim 4).

    Examples
    --------
    >>> f"{pure_scale(0.5, 1).scale:.4f}, {pure_scale(0.5, 2).scale}"
    '2.0000, inf'
    """
    epsilon, p = scalar("epsilon", epsilon, POSITIVE_EPSILON_RANGE), scalar("p", p, SHAPE_RANGE)
    sensitivity = scalar("l1_sensitivity", l1_sensitivity, SENSITIVITY_RANGE)
    if p == 1:
        return PureScale(round_up(sensitivity / epsilon), "p = 1 is the Laplace mechanism, b = Δ₁/ε")
    return PureScale(
        np.inf,
        f"for p = {p:.4g} the privacy loss grows without bound as the noise does, so no scale gives pure ε-DP on an "
        "unbounded domain: bound the statistics (truncated or boundary-inflated noise), allow a δ > 0, or take p = 1",
    )


def _solved_scale(epsilon: Array, delta: ArrayLike, p: ArrayLike, sensitivity: ArrayLike, *, dp: bool) -> Array:
    delta, p = number("delta", delta, DELTA_RANGE), number("p", p, SHAPE_RANGE)
    epsilon, delta, p = np.broadcast_arrays(epsilon, delta, p)
    with np.errstate(all="ignore"):
        s = shift(epsilon.ravel(), delta.ravel(), p.ravel(), dp=dp).reshape(p.shape)
    return _in_query_units(s, sensitivity)


def _in_query_units(s: Array, sensitivity: ArrayLike) -> Array:
    sensitivity = number("sensitivity", sensitivity, SENSITIVITY_RANGE)
    with np.errstate(over="ignore"):
        scale = round_up(sensitivity / s, 64)  # no s was found more than 60 roundings too large
    refuse("sensitivity", sensitivity, scale > _LARGEST_SCALE, "a range that leaves the scale at most 1e300")
    return scale
