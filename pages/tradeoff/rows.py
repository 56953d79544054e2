"""A curve read at a setting: the numbers of one row of the table."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from dpcore import tradeoff
from dpcore.tradeoff import Curve
from pages.shared import common
from pages.tradeoff.curves import Item, Recipe, curve_of


@dataclass(frozen=True)
class Setting(common.Setting):
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
    """A curve under its name, and what it says at the false-alarm rate, the prior and the δ of a setting.

    `certain` is the power without a false alarm; `reached` tells that the curve is of points, which show what an attack
    reached, while all others bound what any attack can.
    """

    item: Item
    name: str
    curve: Curve
    beta: float
    power: float
    certain: float
    posterior: float
    odds: float
    risk: float
    advantage: float
    bayes_accuracy: float
    bayes_error: float
    epsilon: float
    mu: float

    @property
    def reached(self) -> bool:
        """Whether the curve is of points."""
        return self.item.kind == "points"

    @property
    def shown(self) -> str:
        """The name as the legend and the table have it."""
        return f"{self.name} (reached)" if self.reached else self.name


def row_of(item: Item, name: str, setting: Setting) -> Row:
    """Read a curve."""
    curve, alpha, prior = curve_of(item.recipe), setting.alpha, setting.prior
    power = float(curve.power(np.asarray(alpha)))
    return Row(
        item=item,
        name=name,
        curve=curve,
        beta=float(curve(alpha)),
        power=power,
        certain=float(curve.power(np.zeros(1))[0]),
        posterior=float(tradeoff.posterior(alpha, power, prior)),
        odds=float(tradeoff.posterior_odds(alpha, power, prior)),
        risk=float(tradeoff.relative_risk(alpha, power, prior)),
        advantage=float(tradeoff.advantage(curve)),
        bayes_accuracy=float(tradeoff.bayes_accuracy(curve, prior)),
        bayes_error=float(tradeoff.bayes_error(curve, prior)),
        epsilon=_epsilon(item.recipe, setting.delta),
        mu=_mu(item.recipe),
    )


@lru_cache(256)  # a curve without a closed form is searched for it
def _epsilon(recipe: Recipe, delta: float) -> float:
    return float(tradeoff.smallest_epsilon(curve_of(recipe), delta))


@lru_cache(256)
def _mu(recipe: Recipe) -> float:
    return tradeoff.smallest_mu(curve_of(recipe)).mu
