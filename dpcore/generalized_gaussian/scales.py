"""The scale b of generalized Gaussian noise that a guarantee requires for one statistic, and the guarantee of a scale.

The release is f(x) + X with X of density ∝ e^{−(|x|/b)^p}; neighbouring data sets move f by at most Δ (`sensitivity`);
p is real, in [1, 100]. (ε, δ) is of (ε, δ)-DP in `adp_scale`; in the pDP scales it is of probabilistic DP, Pr(|privacy
loss| > ε) ≤ δ, whose δ is another quantity. ε is in nats, b and Δ in query units. Arguments broadcast; results have
their common shape. Every scale, δ and ε is rounded up.

The privacy loss of two neighbours Δ apart is ε at one point, beyond which the masses are summed (own; see `_loss`).
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dpcore.checks import DELTA_RANGE, EPSILON_RANGE, POSITIVE_EPSILON_RANGE, SHAPE_RANGE, Array, number, refuse, scalar
from dpcore.generalized_gaussian._loss import Crossing, crossing, dp_mass, pdp_mass, shift, slope_of
from dpcore.generalized_gaussian._tails import half_norm, mills_ratio, point_step, rough_point, upper_point
from dpcore.generalized_gaussian.distribution import SCALE_RANGE, sf
from dpcore.roots import Step, root_by_steps
from dpcore.rounding import TINY, ULP, round_up

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


_DOUBT = 64 * ULP  # of the masses: three times the most that was seen, twenty roundings
_LARGEST_LOSS = 1e300


def delta_from_scale(epsilon: ArrayLike, scale: ArrayLike, p: ArrayLike, sensitivity: ArrayLike = 1.0) -> Array:
    """Return the least δ of (ε, δ)-DP: Pr(X > u) − e^ε Pr(X > u + Δ) at the u where the loss is ε (own).

    Parameters
    ----------
    epsilon : in [0, 1e6].
    scale : b in [1e-300, 1e300], in query units, with Δ/b in [1e-12, 1e6].
    p : shape, in [1, 100]. p = 1 gives Laplace's max(0, 1 − e^{(ε − Δ/b)/2}).
    sensitivity : Δ in [1e-300, 1e300], in query units.

    Returns
    -------
    δ in [0, 1]: never below the true value, and above it by no more than a change of b by a relative 1e-13 makes.

    Examples
    --------
    >>> f"{delta_from_scale(1, 4.0, p=3):.4e}"
    '1.1326e-02'
    """
    return _delta(epsilon, scale, p, sensitivity, dp=True)


def pdp_delta_from_scale(epsilon: ArrayLike, scale: ArrayLike, p: ArrayLike, sensitivity: ArrayLike = 1.0) -> Array:
    """Pr(|privacy loss| > ε) = Pr(X > u) + Pr(X > u + Δ): the least δ of (ε, δ)-pDP (from the definition of pDP).

    Arguments and rounding as in `delta_from_scale`. For p = 1 it is 0 where ε ≥ Δ/b.

    Examples
    --------
    >>> f"{pdp_delta_from_scale(1, 4.0, p=3):.4e}"
    '5.3877e-02'
    """
    return _delta(epsilon, scale, p, sensitivity, dp=False)


def _delta(epsilon: ArrayLike, scale: ArrayLike, p: ArrayLike, sensitivity: ArrayLike, *, dp: bool) -> Array:
    epsilon = number("epsilon", epsilon, EPSILON_RANGE)
    s, p = _shift(scale, p, sensitivity)
    epsilon, s, p = np.broadcast_arrays(epsilon, s, p)
    with np.errstate(all="ignore"):
        at = _crossing_of(epsilon.ravel(), s.ravel(), p.ravel())
        away = s.ravel() - at.s
        norm = half_norm(at.p)
        mass, rest = dp_mass(at, norm) if dp else pdp_mass(at, norm)
        per_shift = slope_of(at, dp=dp) / np.where(at.right, at.fall, 1 + at.ratio)
        doubt = _DOUBT * (at.s * (1 if dp else per_shift) + np.minimum(mass, rest))
        gain = (away if dp else per_shift * away) + doubt
        gain = np.where(np.isfinite(gain), gain, 0)  # where e^w overflows, the density is 0 and δ is 0 or 1
        density = np.exp(-at.power) / (2 * norm)
        delta = np.where(mass < rest, density * (mass + gain), 1 - density * (rest - gain) + ULP)
        delta = np.where(at.right | (at.power < 800), delta, 1)  # e^{−800} is 0 beside 1, but e^{800} infinite
        delta = np.where((at.p == 1) & (at.epsilon >= s.ravel()), 0, np.maximum(delta, 0) + 2 * TINY)
    return np.minimum(delta, 1).reshape(p.shape)[()]


def _crossing_of(epsilon: Array, s: Array, p: Array) -> Crossing:
    """Return the crossing whose shift is s as nearly as it matters: a change of s by f(u) ds changes δ exactly so."""
    reach = epsilon ** (1 / p)
    right = s < reach
    # (v + s)^p − v^p ≥ p s v^{p−1} for u ≥ 0; beyond v = 10⁴ e^{−v^p} is 0 for every p ≥ 1
    most = np.where(right, np.minimum((epsilon / (p * s)) ** (1 / (p - 1)), 1e4), s / 2)
    low, high = np.where(right, np.minimum(reach - s, most), 0), most
    v = np.where(right, most, high)

    def method(v: Array) -> Step[Crossing]:
        at = crossing(np.where(right, v, -v), epsilon, p)
        away = at.s - s
        step = np.where(right, away / at.fall, -away / (1 + at.ratio))
        steep = right & (at.rise < v)  # where t − v is nearly a power of v, Newton's method runs on the logarithms
        stepped = np.where(steep, v * np.exp(np.log(at.rise / s) * at.rise / (at.fall * v)), v + step)
        # what the next step would change, by the density's and its own bend, or what s itself is rounded by
        small = (abs(step) * np.fmin(abs(step) * (1 + p * (1 + at.power) / v), 1) < 1e-17 * s) | (
            abs(away) <= 2 * ULP * s
        )
        return stepped, small, right == (away > 0), at

    return root_by_steps(method, v, low, high).state


def epsilon_from_scale(delta: ArrayLike, scale: ArrayLike, p: ArrayLike, sensitivity: ArrayLike = 1.0) -> Array:
    """Return the least ε of (ε, δ)-DP at a given b: the inverse of `delta_from_scale` in ε.

    Parameters
    ----------
    delta : in [1e-300, 1).
    scale : b in [1e-300, 1e300], in query units, with Δ/b in [1e-12, 1e6] and (Δ/b)^p at most 1e300.
    p : shape, in [1, 100]. p = 1 gives Laplace's max(0, Δ/b + 2 ln(1 − δ)).
    sensitivity : Δ in [1e-300, 1e300], in query units.

    Returns
    -------
    ε ≥ 0 in nats; 0 where δ ≥ δ(0). Never below the true value, and above it by no more than a change of δ and b by a
    relative 1e-13 makes. It is near (Δ/b)^p where b is far below Δ, and so may exceed 1e6.

    Examples
    --------
    >>> f"{epsilon_from_scale(1e-6, 4.0, p=3):.4f}"
    '3.6370'
    """
    delta = number("delta", delta, DELTA_RANGE)
    s, p = _shift(scale, p, sensitivity)
    with np.errstate(over="ignore"):  # ε is near s^p where that is large
        refuse(
            "scale", np.asarray(scale), s**p > _LARGEST_LOSS, "the scales with (sensitivity/scale)^p of at most 1e300"
        )
    delta, s, p = np.broadcast_arrays(delta, s, p)
    shape, delta, s, p = p.shape, delta.ravel(), s.ravel(), p.ravel()
    with np.errstate(all="ignore"):
        solved = _solved_epsilon(delta, s, p)
        # δ(0) = Pr(|X| ≤ Δ/2) is known to a few roundings of 1: short of them ε is solved for, and is next to 0.
        free = delta >= (1 - 2 * sf(s / 2, 1.0, p)) + 1e-14
        laplace = round_up(np.maximum(s + 2 * np.log1p(-delta), 0), 8)
        return np.where(free, 0, np.where(p == 1, laplace, solved)).reshape(shape)[()]


def _solved_epsilon(delta: Array, s: Array, p: Array) -> Array:
    """Return ε by the u at which it is the loss: from −s/2, where ε = 0, to the upper δ-quantile, as δ ≤ Pr(X > u)."""
    low, high = -s / 2, _highest_point(delta, s, p)
    u = np.where(high > 0, high, low / 2)
    norm = half_norm(p)

    def method(u: Array) -> Step[tuple[Crossing, Array, Array, Array]]:
        at = crossing(u, _loss_at(u, s, p), p)
        mass, rest = dp_mass(at, norm)
        far = mills_ratio(at.t, at.power + at.epsilon, p, norm)
        lack = _remaining_delta(delta, mass, rest, np.log(2 * norm) + at.power)
        slope = far * p * (at.t ** (p - 1) - np.sign(u) * at.v ** (p - 1))
        step = np.where(u < 0, rest * -np.log1p(-lack / rest), mass * -np.log1p(lack / mass)) / slope
        change = -lack / far  # ∂δ/∂ε = −e^ε Pr(X > t), which is −M(t) in units of f(u)
        # What `change` leaves over is of the order of the step's square; the smaller mass, as the other may be infinite
        left = abs(lack) * np.fmin(abs(step) * (1 + p * (1 + at.power) / at.v), 1)
        smaller = np.minimum(mass, rest)
        too_low = ~(lack >= 0)  # where e^w overflows, u is far too low
        return u + step, left < 1e-16 * (s + smaller), too_low, (at, change, smaller, far)

    at, change, smaller, far = root_by_steps(method, u, low, high).state
    doubt = _DOUBT * (at.s + smaller) / far + 16 * p * ULP * at.epsilon
    return np.maximum(at.epsilon + change + doubt, 0)


def _highest_point(delta: Array, s: Array, p: Array) -> Array:
    """Return a u above the solution: the upper δ-quantile or, for δ ≥ 1/2, 0; but inside (−s/2, ∞)."""
    tail = 2 * np.minimum(delta, 0.5)
    # `rough_point` is at most 20 % of the Mills ratio too large, never 5 % too small
    high = np.where(delta < 0.5, rough_point(np.log(tail), 1 - tail, p) * 1.05, 0)
    return np.maximum(high, -s / 4)


def _remaining_delta(delta: Array, mass: Array, rest: Array, log_whole: Array) -> Array:
    """Return δ less the mass that is there, in its units, e^{−log_whole}; by 1 − δ where that is the smaller.

    The exponents are summed first: e^w alone overflows where δ is tiny.
    """
    more = rest - np.exp(np.log1p(-delta) + log_whole)
    return np.where(delta > 0.5, more, np.exp(np.log(delta) + log_whole) - mass)


def _loss_at(u: Array, s: Array, p: Array) -> Array:
    """Return (u + s)^p − |u|^p for u ≥ −s/2."""
    v = abs(u)
    gap = np.where(u < 0, s + 2 * u, s)
    return np.where(gap < v, v**p * np.expm1(p * np.log1p(gap / v)), (v + gap) ** p - v**p)


def _shift(scale: ArrayLike, p: ArrayLike, sensitivity: ArrayLike) -> tuple[Array, Array]:
    scale, p = number("scale", scale, SCALE_RANGE), number("p", p, SHAPE_RANGE)
    sensitivity = number("sensitivity", sensitivity, SCALE_RANGE)
    with np.errstate(over="ignore", under="ignore"):
        s = sensitivity / scale
    refuse("scale", scale, (s < 1e-12) | (s > 1e6), "[1e-6, 1e12] times the sensitivity")
    return s, p
