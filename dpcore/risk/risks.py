"""A risk: its kind, the most of it that is acceptable, and the numbers at which it is read."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from dpcore.checks import PROBABILITY_RANGE, Array, option, scalar
from dpcore.risk.guarantees import INVERSES as EPSILON_INVERSES
from dpcore.rounding import round_up
from dpcore.tradeoff import Curve, advantage, bayes_accuracy, posterior, pure_posterior

CONDITIONS = {
    "outcome": ("prior",),
    "advantage": (),
    "power": ("alpha",),
    "posterior": ("prior", "alpha"),
    "success": ("prior",),
    "reconstruction": ("baseline",),
}
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
        option("kind", self.kind, tuple(CONDITIONS))
        names = CONDITIONS[self.kind]
        if len(self.conditions) != len(names):
            raise ValueError(f"conditions must be {', '.join(names) or 'empty'}, got {self.conditions!r}")
        scalar("limit", self.limit, _TARGET)
        for name, value in zip(names, self.conditions, strict=True):
            scalar(name, value, _TARGET)
        self.inverse(EPSILON_INVERSES)

    def reached(self, curve: Curve) -> float:
        """Return the risk of this kind that a trade-off curve leaves, rounded up."""
        return reached_risk(self.kind, curve, *self.conditions)

    def inverse(self, inverses: Mapping[str, Callable[..., Array]], *noise: object) -> float:
        """Return the answer for this risk of the inverses of a noise, an entry of `dpcore.risk.INVERSES`."""
        kind, conditions = inverse_kind(self.kind, self.conditions)
        return float(inverses[kind](self.limit, *conditions, *noise))

    def epsilon(self, delta: float) -> float:
        """ε of the weakest (ε, δ) guarantee that alone meets the risk, rounded down; NaN if none with this δ does."""
        try:
            return self.inverse(EPSILON_INVERSES, delta)
        except ValueError:  # δ alone exceeds the limit: all else was checked before
            return math.nan


def inverse_kind(kind: str, conditions: Sequence[float]) -> tuple[str, tuple[float, ...]]:
    """Return the kind and the conditions that the inverses have for a risk: "outcome" is a posterior at α = 0.

    Parameters
    ----------
    kind : a key of `CONDITIONS`.
    conditions : the numbers that it names.

    Raises
    ------
    ValueError
        if there is no such kind.

    Examples
    --------
    >>> inverse_kind("outcome", (0.5,)), inverse_kind("power", (0.05,))
    (('posterior', (0.5, 0.0)), ('power', (0.05,)))
    """
    option("kind", kind, tuple(CONDITIONS))
    return ("posterior", (*conditions, 0.0)) if kind == "outcome" else (kind, tuple(conditions))


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
