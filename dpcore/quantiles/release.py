"""The release of a quantile, from a range or from a grid: how probable each output is, and how far off."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore.checks import Array, option
from dpcore.sensitivity import NEIGHBOURS

QUANTILE_RANGE = "[0, 1]"


def rank_sensitivity(quantile: float, neighbours: str) -> float:
    """Return how far n_below − qn moves with one person: max(q, 1 − q) with one more or less, 1 with another value.

    A person below v adds 1 − q, one at or above it −q. Another value changes n_below by at most 1 and n not at all.
    """
    option("neighbours", neighbours, NEIGHBOURS)
    return max(quantile, 1 - quantile) if neighbours == "add_remove" else 1.0


@dataclass(frozen=True)
class ReleasedQuantile(ABC):
    """One release of a quantile: its outputs are intervals of a range, or candidates.

    Attributes
    ----------
    points : the ends of the intervals, increasing; or the candidates.
    n_below, n_at_or_below : how many values are below each output, and how many are at it or below.
    n : how many values there are.
    quantile : q.
    truth : the quantile of the values, between two of them linear, as NumPy has it.
    sensitivity : Δ of the ranks.
    epsilon : ε.
    """

    points: Array
    n_below: NDArray[Any]
    n_at_or_below: NDArray[Any]
    n: int
    quantile: float
    truth: float
    sensitivity: float
    epsilon: float

    @cached_property
    @abstractmethod
    def probabilities(self) -> Array:
        """The probability of each output."""

    @cached_property
    @abstractmethod
    def rounding(self) -> float:
        """The relative error that a sum of probabilities has at most."""

    @property
    @abstractmethod
    def deviations(self) -> Array:
        """How far each output is above the truth, on average."""

    @abstractmethod
    def counted(self, value: float) -> float:
        """Return a value as the release counts it."""

    @abstractmethod
    def outside(self, distance: ArrayLike) -> Array:
        """Return the probability of a release farther than a distance from the truth, not too small."""

    @abstractmethod
    def half_width(self, significance: float) -> float:
        """Return the least distance from the truth beyond which there is a probability of at most α."""

    @property
    def aim(self) -> float:
        """The rank of the quantile, qn."""
        return self.quantile * self.n

    @property
    def chances(self) -> Array:
        """The probability of each output, not too small."""
        return self.probabilities * (1 + self.rounding)

    @property
    def rank_errors(self) -> Array:
        """How many values each output is off: max(0, n_below − qn, qn − n_at_or_below)."""
        return np.maximum(np.maximum(self.n_below - self.aim, self.aim - self.n_at_or_below), 0)

    @property
    def beyond(self) -> tuple[float, float]:
        """The probability of a release below all values, and of one above them, not too small."""
        sides = self.n_at_or_below == 0, self.n_below == self.n
        below, above = (float(self.probabilities[side].sum() * (1 + self.rounding)) for side in sides)
        return below, above

    def at(self, epsilon: float) -> Self:
        """Return the release with another ε."""
        return replace(self, epsilon=epsilon)


def least_reached(distance: Array, chance: Array, significance: float) -> float:
    """Return the least of some distances beyond which there is a probability of at most α.

    They are taken in falling order, until the probability of those before is too much.
    """
    falling = np.argsort(-distance, kind="stable")
    place = int(np.searchsorted(np.cumsum(chance[falling]), significance, side="right"))
    return float(distance[falling[min(place, falling.size - 1)]])
