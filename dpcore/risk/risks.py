"""A risk: its kind, the most of it that is acceptable, and the numbers at which it is read."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dpcore.checks import PROBABILITY_RANGE, Array, option, scalar
from dpcore.risk.guarantees import CONDITIONS, check_conditions, epsilon_from_risk
from dpcore.rounding import round_up
from dpcore.tradeoff import Curve, advantage, bayes_accuracy, posterior, pure_posterior

_TARGET = "(0, 1)"


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
