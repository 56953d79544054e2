"""Quantiles on a grid of values that is public: permute-and-flip instead of a density, and exact draws.

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

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore.checks import (
    BOUND_RANGE,
    POSITIVE_EPSILON_RANGE,
    SIGNIFICANCE_RANGE,
    Array,
    generator,
    number,
    option,
    scalar,
    scalar_integer,
)
from dpcore.clipping.distributions import Data, Distribution
from dpcore.composition.bounds import elementwise
from dpcore.quantiles.half_widths import ERROR_RANGE, least_loss, least_reached
from dpcore.quantiles.released import QUANTILE_RANGE, ordered_values, rank_sensitivity
from dpcore.selection.probabilities import CANDIDATES_RANGE, exponents, flipped_places, proposed_places
from dpcore.selection.winners import MECHANISMS, chosen

_DRAWN = {"permute_and_flip": flipped_places, "exponential": proposed_places}
ROUNDING = 1e-11  # of the probabilities, and of their sums


def grid_distribution(
    values: ArrayLike | Distribution | Data,
    quantile: float,
    epsilon: float,
    candidates: ArrayLike,
    neighbours: str = "add_remove",
    mechanism: str = "permute_and_flip",
) -> Array:
    """Return the probability with which each candidate value is released as the quantile.

    Parameters
    ----------
    values : data in [−1e15, 1e15] or a distribution, at most 1e7 values.
    quantile : q in [0, 1].
    epsilon : in [1e-12, 1e6].
    candidates : the public values, such as ages from 0 to 120: at most 1e5 in [−1e15, 1e15], in any order.
    neighbours : "add_remove", Δ = max(q, 1 − q), or "replace", Δ = 1.
    mechanism : one of `selection.MECHANISMS`, of the last at most 500 candidates, or "binary_search".

    Returns
    -------
    Probabilities in the order of the candidates.

    Examples
    --------
    >>> ages = [23, 31, 31, 34, 40, 52, 60]
    >>> grid_distribution(ages, 0.5, 1.0, [20, 30, 34, 40, 50]).round(4).tolist()
    [0.011, 0.0304, 0.6018, 0.2707, 0.0861]
    >>> grid_distribution(ages, 0.5, 1.0, [20, 30, 34, 40, 50], mechanism="binary_search").round(4).tolist()
    [0.0029, 0.0577, 0.5811, 0.2924, 0.0659]
    """
    release = grid_release(values, quantile, candidates, neighbours, mechanism)
    return release.distribution(scalar("epsilon", epsilon, POSITIVE_EPSILON_RANGE))


def grid_half_width(
    values: ArrayLike | Distribution | Data,
    quantile: float,
    epsilon: ArrayLike,
    candidates: ArrayLike,
    significance: ArrayLike = 0.05,
    neighbours: str = "add_remove",
    mechanism: str = "permute_and_flip",
) -> Array:
    """Return the least a with Pr(|release − quantile of the values| > a) ≤ α on a grid, whose step is in it.

    Parameters
    ----------
    values, quantile, candidates, neighbours, mechanism : as in `grid_distribution`.
    epsilon : in [1e-12, 1e6].
    significance : α in [1e-300, 1); it broadcasts with ε.

    Returns
    -------
    a in the unit of the values: the distance of a candidate from the truth, which is linear between two values.

    Examples
    --------
    >>> ages = np.random.default_rng(1).integers(18, 90, 1000)
    >>> grid_half_width(ages, 0.5, [0.1, 0.5, 1], np.arange(121)).tolist()
    [2.0, 0.0, 0.0]
    >>> grid_half_width(ages, 0.5, [0.1, 0.5, 1], np.arange(121), mechanism="binary_search").tolist()
    [6.0, 1.0, 1.0]
    """
    release = grid_release(values, quantile, candidates, neighbours, mechanism)
    losses, alpha = (
        number("epsilon", epsilon, POSITIVE_EPSILON_RANGE),
        number("significance", significance, SIGNIFICANCE_RANGE),
    )
    distance = abs(release.grid - release.truth)
    return elementwise(lambda loss, level: least_reached(distance, release.chances(loss), level), losses, alpha)


def grid_least_epsilon(
    values: ArrayLike | Distribution | Data,
    quantile: float,
    error: float,
    candidates: ArrayLike,
    significance: float = 0.05,
    neighbours: str = "add_remove",
    mechanism: str = "permute_and_flip",
) -> float:
    """Return the least ε whose `grid_half_width` is at most a wanted error, as `least_epsilon` does for a range.

    Parameters
    ----------
    values, quantile, candidates, neighbours, mechanism : as in `grid_distribution`; no binary search, whose error may
        rise with ε.
    error, significance : as in `least_epsilon`; an error is refused where no candidate is so near to the quantile.

    Examples
    --------
    >>> ages = np.random.default_rng(1).integers(18, 90, 1000)
    >>> losses = [grid_least_epsilon(ages, 0.5, a, np.arange(121)) for a in (1, 2)]
    >>> np.round(losses, 4).tolist()
    [0.1382, 0.0832]
    """
    option("mechanism", mechanism, MECHANISMS)
    release = grid_release(values, quantile, candidates, neighbours, mechanism)
    wanted, alpha = scalar("error", error, ERROR_RANGE), scalar("significance", significance, SIGNIFICANCE_RANGE)
    distance = abs(release.grid - release.truth)

    def outside(epsilon: float) -> float:
        return float((distance > wanted) @ release.chances(epsilon) * (1 + 2 * ROUNDING))

    def reached(epsilon: float) -> float:
        return least_reached(distance, release.chances(epsilon), alpha)

    return least_loss(outside, reached, release.known, release.truth, wanted, alpha)


def sample_grid(
    rng: np.random.Generator,
    values: ArrayLike | Data,
    quantile: float,
    epsilon: float,
    candidates: ArrayLike,
    neighbours: str = "add_remove",
    mechanism: str = "permute_and_flip",
    size: int | tuple[int, ...] | None = None,
) -> Array:
    """Draws of the quantile on a grid, exact: scores and exponents are fractions, coins are tossed in whole numbers.

    Parameters
    ----------
    rng : the source of randomness. With a seed that others may know it is a trial.
    values, quantile, epsilon, candidates, neighbours : as in `grid_distribution`.
    mechanism : "permute_and_flip" or "exponential".
    size : shape of the result; by default one draw.

    Examples
    --------
    >>> ages = [23, 31, 31, 34, 40, 52, 60]
    >>> sample_grid(np.random.default_rng(1), ages, 0.5, 1.0, np.arange(121), size=5).tolist()
    [68.0, 34.0, 3.0, 34.0, 51.0]
    """
    generator("rng", rng)
    option("mechanism", mechanism, tuple(_DRAWN))
    known, share, grid = grid_setting(values, quantile, candidates)
    exact = Fraction(share)
    rank_sensitivity(share, neighbours)
    sensitivity = max(exact, 1 - exact) if neighbours == "add_remove" else Fraction(1)
    below, at_or_below = (np.searchsorted(known, grid, side).tolist() for side in ("left", "right"))
    aim = exact * known.size
    score = [-max(Fraction(0), low - aim, aim - high) for low, high in zip(below, at_or_below, strict=True)]
    rate = Fraction(scalar("epsilon", epsilon, POSITIVE_EPSILON_RANGE)) / (2 * sensitivity)
    return grid[_DRAWN[mechanism](rng, *exponents(score, rate), size)]


def grid_setting(
    values: ArrayLike | Distribution | Data, quantile: float, candidates: ArrayLike
) -> tuple[Array, float, Array]:
    """Return the sorted values, q, and the candidates as one list."""
    grid = np.atleast_1d(number("candidates", candidates, BOUND_RANGE)).ravel()
    scalar_integer("the number of candidates", grid.size, CANDIDATES_RANGE)
    return ordered_values(values), scalar("quantile", quantile, QUANTILE_RANGE), grid


@dataclass(frozen=True)
class GridRelease:
    """A quantile on a grid: the sorted values, q, the candidates with their scores, and how a person moves a score."""

    known: Array
    quantile: float
    grid: Array
    score: Array
    sensitivity: float
    mechanism: str

    @property
    def truth(self) -> float:
        """The quantile of the values."""
        return float(np.quantile(self.known, self.quantile))

    @property
    def is_beyond(self) -> NDArray[np.bool_]:
        """Whether each candidate is below all values, and whether it is above them: two rows."""
        return np.array([self.grid < self.known[0], self.grid > self.known[-1]])

    def distribution(self, epsilon: float) -> Array:
        """Return the probability of each candidate."""
        if self.mechanism != "binary_search":
            return chosen(self.mechanism, self.score, epsilon, self.sensitivity)
        grid, first = np.unique(self.grid, return_index=True)
        excess, chance = (
            np.searchsorted(self.known, grid, side="right") - self.quantile * self.known.size,
            0 * self.grid,
        )
        chance[first] = _searched(excess, epsilon / self.sensitivity)
        return chance

    def chances(self, epsilon: float) -> Array:
        """Return the probability of each candidate, not too small."""
        return self.distribution(epsilon) * (1 + ROUNDING)


def grid_release(
    values: ArrayLike | Distribution | Data, quantile: float, candidates: ArrayLike, neighbours: str, mechanism: str
) -> GridRelease:
    """Return the release of a quantile on a grid, with the scores −max(0, n_below − qn, qn − n_at_or_below)."""
    known, share, grid = grid_setting(values, quantile, candidates)
    below, at_or_below = np.searchsorted(known, grid), np.searchsorted(known, grid, side="right")
    score = rank_scores(below, at_or_below, share * known.size)
    return GridRelease(known, share, grid, score, rank_sensitivity(share, neighbours), mechanism)


def rank_scores(below: NDArray[np.integer[Any]], at_or_below: NDArray[np.integer[Any]], aim: float) -> Array:
    """Return −max(0, n_below − qn, qn − n_at_or_below) of each candidate."""
    return -np.maximum(np.maximum(below - aim, aim - at_or_below), 0)


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
