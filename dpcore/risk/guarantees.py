"""What a risk is and asks of a trade-off curve, and ε of the weakest (ε, δ) guarantee that alone meets it.

The trade-off curve of the guarantee is f_{ε,δ}(α) = max(0, 1 − δ − e^ε α, e^{−ε}(1 − δ − α)) ([DRS22]). A pure
guarantee has δ = 0.

A bound on power, on a posterior or on reconstruction is a point (α, power): 1 − f(α) ≤ power. A bound on the advantage
or on the success at a prior is a point of the profile: δ(ε) ≤ δ. Both are rounded to the safe side, power and δ down.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from dpcore.checks import PRIOR_RANGE, PROBABILITY_RANGE, PURE_DELTA_RANGE, Array, number, option, refuse, scalar
from dpcore.rounding import round_down, round_sum_down, round_up
from dpcore.tradeoff import Curve, advantage, bayes_accuracy, posterior, pure_posterior

CONDITIONS = {
    "outcome": ("prior",),
    "advantage": (),
    "power": ("alpha",),
    "posterior": ("prior", "alpha"),
    "success": ("prior",),
    "reconstruction": ("baseline",),
}
_ALPHA_RANGE = "[1e-300, 1)"
_UNIT_RANGE = "[0, 1)"  # of an advantage, and of a rate α where 0 stands for any test
_TARGET = "(0, 1)"
_MOST_RATIO = 1e290  # beyond it π is negligible, and the ratio or its divisor may be too large or small for a double
_OF_POSTERIOR = "posterior", "[prior (alpha + delta) / (alpha + prior delta), 1)"
_LIMITS_ABOVE_DELTA = {
    "outcome": _OF_POSTERIOR,
    "advantage": ("advantage", "[delta, 1)"),
    "power": ("power", "[alpha + delta, 1)"),
    "posterior": _OF_POSTERIOR,
    "success": ("success", "[guess + delta (1 - guess), 1)"),
    "reconstruction": ("success", "[baseline + delta, 1)"),
}


class CurvePoint(NamedTuple):
    """A bound on the best test at a false positive rate, 1 − f(`alpha`) ≤ `power`.

    Where `loss` is a number, the bound is on every outcome instead, whose loss may be at most so large.
    """

    power: Array
    alpha: Array
    loss: Array

    def unless_every_outcome(self, at_point: Array) -> Array:
        """Return the losses of the noise at the point, and the bound on the loss where it is one on every outcome."""
        return np.where(np.isnan(self.loss), at_point, self.loss)[()]


class ProfilePoint(NamedTuple):
    """A bound on the profile: δ(`epsilon`) ≤ `delta`."""

    epsilon: Array
    delta: Array


def risk_bound(
    kind: str, limit: ArrayLike, conditions: Sequence[ArrayLike], limits_outcomes: bool = True
) -> CurvePoint | ProfilePoint:
    """Return what a risk asks of a curve, checked and broadcast; the arguments are those of `epsilon_from_risk`.

    `limits_outcomes` says whether the noise bounds the loss of every outcome; where it does not, α = 0 is refused.
    """
    check_conditions(kind, conditions)
    if kind == "advantage":
        return ProfilePoint(np.zeros(()), number("advantage", limit, _UNIT_RANGE))
    if kind == "success":
        return _success_point(limit, *conditions)
    if kind == "power":
        return _curve_point("power", limit, "alpha", *conditions)
    if kind == "reconstruction":
        return _curve_point("success", limit, "baseline", *conditions)
    if kind == "outcome" and not limits_outcomes:
        raise ValueError("risk must be one that this noise limits, got kind 'outcome', which pure ε-DP alone limits")
    prior, alpha = conditions if kind == "posterior" else (*conditions, 0.0)
    return _posterior_point(limit, prior, number("alpha", alpha, _UNIT_RANGE if limits_outcomes else _ALPHA_RANGE))


def check_conditions(kind: str, conditions: Sequence[ArrayLike]) -> None:
    """Raise unless there is such a kind of risk, and so many conditions as it has."""
    option("kind", kind, tuple(CONDITIONS))
    names = CONDITIONS[kind]
    if len(conditions) != len(names):
        raise ValueError(f"conditions must be {', '.join(names) or 'empty'}, got {conditions!r}")


def epsilon_from_risk(
    kind: str, limit: ArrayLike, conditions: Sequence[ArrayLike] = (), delta: ArrayLike = 0.0
) -> Array:
    """Return the largest ε at which (ε, δ)-DP alone keeps a risk within its limit, rounded down.

    ln((1 + η − 2δ)/(1 − η)) for an advantage η, ln(1 + (power − α − δ)/min(α, 1 − power)) for a power at α, and
    ln(τ/(1 − τ)) − ln(π/(1 − π)) for a posterior τ after every outcome, at δ = 0 ([LC11]).

    Parameters
    ----------
    kind : "outcome", "advantage", "power", "posterior", "success" or "reconstruction".
    limit : the most that the risk may be, in [0, 1) of an advantage, in (0, 1) of others. At least what a blind guess
        reaches: the prior π of a posterior, α of a power, max(π, 1 − π) of a success, κ of a reconstruction; and where
        δ is above 0 at least what δ alone allows. A posterior that no test at α exceeds, from π/(π + (1 − π)α) on, is
        refused.
    conditions : the numbers that `CONDITIONS` names: prior, α and κ in [1e-300, 1). α of a posterior may be 0, which
        stands for any test, as of "outcome"; under δ > 0 that has no answer.
    delta : in [0, 1).

    Returns
    -------
    ε ≥ 0, in nats. Of "success" at δ = 0 it is at least |ln((1 − π)/π)|: up to there a blind guess is the best attack.

    Examples
    --------
    >>> f"{epsilon_from_risk('advantage', 0.1):.6f} {epsilon_from_risk('advantage', 0.1, delta=1e-5):.6f}"
    '0.200671 0.200653'
    >>> print(f"{epsilon_from_risk('posterior', 0.2, (0.1, 0.05), delta=1e-5):.6f}")
    0.810841
    """
    bound, delta = risk_bound(kind, limit, conditions), number("delta", delta, PURE_DELTA_RANGE)
    name, interval = _LIMITS_ABOVE_DELTA[kind]
    if isinstance(bound, ProfilePoint):
        refuse(name, np.asarray(limit), bound.delta < delta, interval)
        return _epsilon_at_profile(*bound, delta)
    refuse("alpha", np.zeros(()), ~np.isnan(bound.loss) & (delta > 0), "[1e-300, 1) where delta is above 0")
    epsilon = epsilon_at_point(bound.power, bound.alpha, delta)
    refuse(name, np.asarray(limit), epsilon < 0, interval)
    return bound.unless_every_outcome(epsilon)


def epsilon_at_point(power: Array, alpha: Array, delta: Array | float = 0.0) -> Array:
    """ε of (ε, δ)-DP whose curve passes a point, rounded down; negative where δ alone exceeds it."""
    above = power - alpha
    gain = np.where(delta > 0, round_sum_down(above - delta, above, 2), above)
    return np.where(gain < 0, -1.0, round_down(np.log1p(np.maximum(gain, 0) / np.minimum(alpha, 1 - power)), 8))[()]


def _epsilon_at_profile(epsilon: Array, gain: Array, delta: Array) -> Array:
    """ε₁ of the (ε₁, δ)-DP whose profile at ε is `gain` ≥ δ: 1 + e^ε₁ = (1 − δ)(1 + e^ε)/(1 − gain), rounded down."""
    excess = (gain - delta) / (1 - gain)
    return round_down(epsilon + np.log1p((1 + np.exp(-epsilon)) * excess), 8)[()]


def _curve_point(name: str, power: ArrayLike, alpha_name: str, alpha: ArrayLike) -> CurvePoint:
    power, alpha = number(name, power, _TARGET), number(alpha_name, alpha, _ALPHA_RANGE)
    power, alpha = np.broadcast_arrays(power, alpha)
    refuse(name, power, power < alpha, f"[{alpha_name}, 1)")
    return CurvePoint(power, alpha, np.full(power.shape, np.nan))


def _posterior_point(posterior: ArrayLike, prior: ArrayLike, alpha: Array) -> CurvePoint:
    """Return the point of a bound on the posterior: power ≤ τ(1 − π)α/(π(1 − τ)); any point, and the loss, at α = 0."""
    posterior, prior = number("posterior", posterior, _TARGET), number("prior", prior, PRIOR_RANGE)
    posterior, prior, alpha = np.broadcast_arrays(posterior, prior, alpha)
    refuse("posterior", posterior, posterior < prior, "[prior, 1)")
    rate = np.where(alpha > 0, alpha, 0.5)
    with np.errstate(over="ignore"):
        ratio = round_down((posterior - prior) / (prior * (1 - posterior)), 8)  # the allowed likelihood ratio, less 1
        power = np.where(alpha > 0, np.maximum(round_down(rate * (1 + ratio), 4), rate), rate)
    refuse("posterior", posterior, power >= 1, "[prior, prior / (prior + (1 - prior) alpha))")
    return CurvePoint(power, rate, np.where(alpha > 0, np.nan, _most_loss(posterior, prior, ratio)))


def _most_loss(posterior: Array, prior: Array, ratio: Array) -> Array:
    """ln(τ/(1 − τ)) − ln(π/(1 − π)), rounded down: the largest loss that raises a prior π no further than to τ."""
    is_large = ratio > _MOST_RATIO
    sure = np.where(is_large, posterior, 0.5)
    apart = np.log(sure) - np.log1p(-sure) - np.log(np.where(is_large, prior, 1.0))
    return np.where(is_large, round_down(apart, 8), round_down(np.log1p(ratio), 4))


def _success_point(success: ArrayLike, prior: ArrayLike) -> ProfilePoint:
    """Return the point of a bound on the share of right guesses; both numbers are rounded down.

    With the smaller of π and 1 − π, ε = ln((1 − π)/π) and success = 1 − π + πδ(ε).
    """
    success, prior = number("success", success, _TARGET), number("prior", prior, PRIOR_RANGE)
    success, prior = np.broadcast_arrays(success, prior)
    small = np.minimum(prior, 1 - prior)
    refuse("success", success, success < np.maximum(prior, 1 - prior), "[max(prior, 1 - prior), 1)")
    gain = np.where(prior <= 0.5, (success - 1) + prior, success - prior)  # over blind guesses, with one rounding
    gain = np.maximum(gain, 0)  # 0.99 − 1 + 0.01 is −9e-18 in doubles
    log_small = np.log(small)
    epsilon = np.maximum(round_sum_down(np.log1p(-small) - log_small, -log_small, 4), 0)
    return ProfilePoint(epsilon, round_down(gain / small, 4))


@dataclass(frozen=True)
class Risk:
    """A kind of risk, the most of it that is acceptable, and the numbers at which it is read.

    Attributes
    ----------
    kind : "outcome", "advantage", "power", "posterior", "success" or "reconstruction" (see `dpcore.risk`).
    limit : the most that is acceptable, a probability.
    conditions : the prior of "outcome", the false positive rate α of "power", prior and α of "posterior", the prior of
        "success", the baseline of "reconstruction"; the names are in `CONDITIONS`.

    Raises
    ------
    ValueError
        also if no noise meets the limit, or if none is needed: in the words of the inverses.
    """

    kind: str
    limit: float
    conditions: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        check_conditions(self.kind, self.conditions)
        scalar("limit", self.limit, _TARGET)
        for name, value in zip(CONDITIONS[self.kind], self.conditions, strict=True):
            scalar(name, value, _TARGET)
        self.inverse(epsilon_from_risk)

    def reached(self, curve: Curve) -> float:
        """Return the risk of this kind that a trade-off curve leaves, rounded up."""
        return reached_risk(self.kind, curve, *self.conditions)

    def inverse(self, inverse: Callable[..., Array], *noise: object) -> float:
        """Return the answer for this risk of the inverse of a noise, such as `dpcore.risk.mu_from_risk`."""
        return float(inverse(self.kind, self.limit, self.conditions, *noise))

    def epsilon(self, delta: float) -> float:
        """ε of the weakest (ε, δ) guarantee that alone meets the risk, rounded down; NaN if none with this δ does."""
        try:
            return self.inverse(epsilon_from_risk, delta)
        except ValueError:  # δ alone exceeds the limit: all else was checked before
            return math.nan


def reached_risk(kind: str, curve: Curve, *conditions: float) -> float:
    """Return the risk of a kind that a trade-off curve leaves, rounded up.

    Parameters
    ----------
    kind : "outcome", "advantage", "power", "posterior", "success" or "reconstruction" (see `dpcore.risk`). Of "outcome"
        it is 1, no bound, unless the curve guarantees pure ε-DP.
    curve : of the mechanism, or of several together.
    *conditions : the numbers that `CONDITIONS` names, each in [0, 1].

    Examples
    --------
    >>> from dpcore.tradeoff import gaussian_curve
    >>> f"{reached_risk('power', gaussian_curve(0.5), 0.01):.4f}"
    '0.0339'
    >>> from dpcore.tradeoff import laplace_curve
    >>> [f"{reached_risk('outcome', curve, 0.5):.4f}" for curve in (laplace_curve(0.4), gaussian_curve(0.4))]
    ['0.5987', '1.0000']
    """
    option("kind", kind, tuple(CONDITIONS))
    numbers = [scalar(name, value, PROBABILITY_RANGE) for name, value in zip(CONDITIONS[kind], conditions, strict=True)]
    if kind == "advantage":
        return float(advantage(curve))
    if kind == "success":
        return float(bayes_accuracy(curve, *numbers))
    if kind == "outcome":
        epsilon = curve.pure_epsilon
        return float(numbers[0] > 0) if epsilon is None else float(pure_posterior(epsilon, *numbers))
    *prior, alpha = numbers
    power = float(curve.power(np.asarray(alpha)))
    return min(float(round_up(posterior(alpha, power, *prior), 8)), 1.0) if prior else power
