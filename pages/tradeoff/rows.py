"""A curve read at a setting: the numbers of one row of the table."""

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from dpcore import tradeoff
from dpcore.tradeoff import Curve
from pages.shared import shared_parameters
from pages.tradeoff.curves import Item, Recipe, curve_of


@dataclass(frozen=True)
class TradeoffSetting(shared_parameters.SharedSetting):
    """The parameters of the page as numbers, with the list of curves."""

    curves: tuple[Item, ...]
    alpha: float
    prior: float
    view: str
    quote: str
    confidence: float
    seed: float


@dataclass(frozen=True)
class Row:
    """A curve under its name, and what it says at a false-alarm rate, a prior and a δ, each computed once.

    `reached` tells that the curve is of points which an attack reached, while all others bound what any attack can;
    `claimed` that it is of points which somebody promises.
    """

    item: Item
    name: str
    alpha: float
    prior: float
    delta: float

    @property
    def reached(self) -> bool:
        """Whether the curve is of points that an attack reached."""
        return self.item.kind == "points"

    @property
    def claimed(self) -> bool:
        """Whether the curve is of points that are promised."""
        return self.item.kind == "claim"

    @property
    def shown(self) -> str:
        """The name as the legend and the table have it."""
        return f"{self.name}{' (reached)' if self.reached else ' (claimed)' if self.claimed else ''}"

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
        """The most that is caught at α."""
        return float(self.curve.power(np.asarray(self.alpha)))

    @cached_property
    def certain(self) -> float:
        """The power without a false alarm."""
        return float(self.curve.power(np.zeros(1))[0])

    @cached_property
    def posterior(self) -> float:
        """How sure a positive test makes."""
        return float(tradeoff.posterior(self.alpha, self.power, self.prior))

    @cached_property
    def odds(self) -> float:
        """The odds after a positive test."""
        return float(tradeoff.posterior_odds(self.alpha, self.power, self.prior))

    @cached_property
    def risk(self) -> float:
        """The posterior over the prior."""
        return float(tradeoff.relative_risk(self.alpha, self.power, self.prior))

    @cached_property
    def advantage(self) -> float:
        """The largest power minus false alarms."""
        return float(tradeoff.advantage(self.curve))

    @cached_property
    def bayes_accuracy(self) -> float:
        """The right calls of the best guess with this prior."""
        return float(tradeoff.bayes_accuracy(self.curve, self.prior))

    @cached_property
    def bayes_error(self) -> float:
        """The wrong calls of the best guess with this prior."""
        return float(tradeoff.bayes_error(self.curve, self.prior))

    @property
    def epsilon(self) -> float:
        """The least ε that goes with δ."""
        return _epsilon(self.item.recipe, self.delta)

    @property
    def mu(self) -> float:
        """The smallest μ."""
        return _mu(self.item.recipe)


@lru_cache(256)  # a curve without a closed form is searched for it
def _epsilon(recipe: Recipe, delta: float) -> float:
    return float(tradeoff.smallest_epsilon(curve_of(recipe), delta))


@lru_cache(256)
def _mu(recipe: Recipe) -> float:
    return tradeoff.smallest_mu(curve_of(recipe)).mu
