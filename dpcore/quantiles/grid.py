"""Quantiles on a grid of values that is public: permute-and-flip instead of a density.

The score of a candidate v is how few people would have to be added or removed, or replaced, until it is the quantile,
but for a factor: −max(0, n_below − qn, qn − n_at_or_below). It is 0 for each value that is the quantile, however many
people share it. OpenDP's score |(1 − q) n_below − q n_above| counts neither side of the people at v, so that of 1000
people at 0 and 600 above, it takes an empty value above 0 for the median; its sensitivity is the same.

"binary_search" is there for comparison, as it is often programmed: the search of [DGMSS22] without their δ. Of m
candidates, ⌈log₂ m⌉ are asked one after the other whether the quantile lies above them. A step keeps the candidates up
to their middle one, c, if n_at_or_below(c) − qn + noise ≥ 0, and else those above c. The Laplace noise has the scale
⌈log₂ m⌉Δ/ε, so that all steps together are ε-DP by basic composition: it grows with the number of candidates. One that
is repeated counts once, at its first place.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore.checks import BOUND_RANGE, Array, number, option, scalar_integer
from dpcore.quantiles.release import ReleasedQuantile, least_reached, rank_sensitivity
from dpcore.selection.probabilities import CANDIDATES_RANGE
from dpcore.selection.winners import MECHANISMS, chosen

_ROUNDING = 1e-11  # of the probabilities, and of their sums


@dataclass(frozen=True, eq=False)
class Grid:
    """Candidates that are public, such as ages from 0 to 120, of which a mechanism chooses one.

    Attributes
    ----------
    candidates : at most 1e5 in [−1e15, 1e15], in any order.
    mechanism : one of `selection.MECHANISMS`, of the last at most 500 candidates, or "binary_search".

    Raises
    ------
    ValueError
        `the number of candidates must be in [1, 1e5], got 0`.

    Examples
    --------
    >>> Grid([20, 30, 40])
    Grid(candidates=array([20., 30., 40.]), mechanism='permute_and_flip')
    """

    candidates: ArrayLike
    mechanism: str = "permute_and_flip"

    def __post_init__(self) -> None:
        candidates = np.atleast_1d(number("candidates", self.candidates, BOUND_RANGE)).ravel()
        scalar_integer("the number of candidates", candidates.size, CANDIDATES_RANGE)
        option("mechanism", self.mechanism, (*MECHANISMS, "binary_search"))
        object.__setattr__(self, "candidates", candidates)

    @property
    def arrays(self) -> tuple[ArrayLike, ...]:
        """What broadcasts with the other arguments of a function: nothing."""
        return ()

    def release_of(self, ordered: Array, quantile: float, epsilon: float, neighbours: str) -> "Candidates":
        """Return the release of a quantile of sorted values."""
        points = np.asarray(self.candidates)
        below, at_or_below = (np.searchsorted(ordered, points, side) for side in ("left", "right"))
        truth, sensitivity = float(np.quantile(ordered, quantile)), rank_sensitivity(quantile, neighbours)
        known = ordered.size, quantile, truth, sensitivity, epsilon, self.mechanism
        return Candidates(points, below, at_or_below, *known)

    def typical_release(
        self, value_at: Callable[[Array], Array], n: int, quantile: float, epsilon: float, neighbours: str
    ) -> "Candidates":
        """Return the release of a quantile of the n quantiles at (i − ½)/n, each at the nearest candidate.

        `value_at` returns the quantiles of shares.
        """
        points = np.unique(self.candidates)
        below = _counts_below(value_at, n, (points[1:] + points[:-1]) / 2)
        place = quantile * (n - 1)
        first = int(place)
        low, high = points[np.searchsorted(below, [first, min(first + 1, n - 1)], side="right")].tolist()
        truth, sensitivity = low + (high - low) * (place - first), rank_sensitivity(quantile, neighbours)
        known = n, quantile, truth, sensitivity, epsilon, self.mechanism
        return Candidates(points, np.append(0, below), np.append(below, n), *known)


@dataclass(frozen=True)
class Candidates(ReleasedQuantile):
    """A release from a grid, whose points are the candidates, in any order."""

    mechanism: str

    @cached_property
    def probabilities(self) -> Array:
        """The probability of each candidate."""
        if self.mechanism != "binary_search":
            return chosen(self.mechanism, -self.rank_errors, self.epsilon, self.sensitivity)
        _, first = np.unique(self.points, return_index=True)
        chance = 0 * self.points
        chance[first] = _searched((self.n_at_or_below - self.aim)[first], self.epsilon / self.sensitivity)
        return chance

    @cached_property
    def rounding(self) -> float:
        """The relative error that a sum of probabilities has at most."""
        return _ROUNDING

    @property
    def deviations(self) -> Array:
        """How far each candidate is above the truth."""
        return self.points - self.truth

    def counted(self, value: float) -> float:
        """Return a value as the release counts it: as it is."""
        return value

    def outside(self, distance: ArrayLike) -> Array:
        """Return the probability of a candidate farther than a distance from the truth, not too small."""
        return self.chances @ (abs(self.deviations) > np.asarray(distance)) * (1 + 2 * _ROUNDING)

    def half_width(self, significance: float) -> float:
        """Return the distance of a candidate from the truth beyond which there is a probability of at most α."""
        return least_reached(abs(self.deviations), self.chances, significance)


def _searched(excess: NDArray[np.floating[Any]], rate: float) -> Array:
    """Return the chance that a binary search ends at each place, by the n_at_or_below − qn of each, and ε by its Δ."""
    n = excess.size
    chance, first, last = np.ones(1), np.zeros(1, np.int64), np.array([n - 1])
    n_steps = (n - 1).bit_length()
    for _ in range(n_steps):
        middle = (first + last) // 2
        is_open, depth = first < last, excess[middle] * (rate / n_steps)
        tail = np.exp(-abs(depth)) / 2
        up = np.where(depth >= 0, tail, 1 - tail)
        chance = np.concatenate([np.where(is_open, chance * (1 - up), chance), (chance * up)[is_open]])
        first, last = np.append(first, middle[is_open] + 1), np.append(np.where(is_open, middle, last), last[is_open])
    chances = np.empty(n)
    chances[first] = chance
    return chances


def _counts_below(quantile: Callable[[Array], Array], n: int, limits: Array) -> NDArray[np.int64]:
    """Return how many of the n quantiles at (i − ½)/n lie below each limit, by halving."""
    low, high = np.zeros(limits.size, np.int64), np.full(limits.size, n)
    while np.any(low < high):
        middle = (low + high) // 2
        is_below = quantile(np.minimum(middle + 0.5, n - 0.5) / n) < limits
        low, high = np.where(is_below & (low < high), middle + 1, low), np.where(is_below, high, middle)
    return low
