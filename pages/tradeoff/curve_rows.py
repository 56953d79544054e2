"""A curve at a setting: the numbers of one row of the table."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from dpcore import tradeoff
from dpcore.tradeoff import Curve
from pages.tradeoff.curve_kinds import curve_of
from pages.tradeoff.curve_list import CurveItem


@dataclass(frozen=True)
class CurveRow:
    """A curve under its name, and its readings at a false positive rate, a prior and a δ, each computed once.

    `is_reached` says that the curve has points that an attack reached, while all others bound every attack;
    `is_claimed` that it has points that somebody guarantees.
    """

    item: CurveItem
    name: str
    alpha: float
    prior: float
    delta: float

    @property
    def is_reached(self) -> bool:
        """Whether the curve has points that an attack reached."""
        return self.item.kind == "points"

    @property
    def is_claimed(self) -> bool:
        """Whether the curve has points that somebody guarantees."""
        return self.item.kind == "claim"

    @property
    def display_name(self) -> str:
        """The name in the legend and in the table."""
        return f"{self.name}{' (reached)' if self.is_reached else ' (claimed)' if self.is_claimed else ''}"

    @property
    def curve(self) -> Curve:
        """The curve."""
        return curve_of(self.item.recipe)

    @cached_property
    def beta(self) -> float:
        """The least type II error at α."""
        return float(self.curve(self.alpha))

    @cached_property
    def power(self) -> float:
        """The largest true positive rate at α."""
        return float(self.curve.power(np.asarray(self.alpha)))

    @cached_property
    def power_at_zero(self) -> float:
        """The power at α = 0."""
        return float(self.curve.power(np.zeros(1))[0])

    @cached_property
    def posterior(self) -> float:
        """The probability of membership after a positive test."""
        return float(tradeoff.posterior(self.alpha, self.power, self.prior))

    @cached_property
    def odds(self) -> float:
        """The odds after a positive test."""
        return float(tradeoff.posterior_odds(self.alpha, self.power, self.prior))

    @cached_property
    def risk(self) -> float:
        """The posterior over the prior."""
        return float(tradeoff.relative_risk(self.alpha, self.power, self.prior))

    @property
    def advantage(self) -> float:
        """The largest difference of power and false positive rate."""
        return float(tradeoff.advantage(self.curve))

    @property
    def bayes_accuracy(self) -> float:
        """The share of right decisions of the best test with this prior."""
        return float(tradeoff.bayes_accuracy(self.curve, self.prior))

    @property
    def bayes_error(self) -> float:
        """The share of wrong decisions of the best test with this prior."""
        return float(tradeoff.bayes_error(self.curve, self.prior))

    @cached_property
    def epsilon(self) -> float:
        """The least ε that goes with δ."""
        return float(tradeoff.smallest_epsilon(self.curve, self.delta))

    @cached_property
    def mu(self) -> float:
        """The smallest μ."""
        return tradeoff.smallest_mu(self.curve).mu
