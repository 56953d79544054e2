"""A quantile by noisy binary search on a public grid, as it is often programmed: for comparison with one choice.

Of m candidates, ⌈log₂ m⌉ are asked one after the other whether the quantile lies above them. Each answer is a noisy
count that has its part of ε, so that the noise grows with the number of candidates.
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore.checks import POSITIVE_EPSILON_RANGE, SIGNIFICANCE_RANGE, Array, number, scalar
from dpcore.clipping.distributions import Data, Distribution
from dpcore.quantiles._intervals import rank_sensitivity
from dpcore.quantiles.grid import ROUNDING, grid_setting
from dpcore.quantiles.half_widths import least_reached


def search_distribution(
    values: ArrayLike | Distribution | Data,
    quantile: float,
    epsilon: float,
    candidates: ArrayLike,
    neighbours: str = "add_remove",
) -> Array:
    """Return the probability with which a noisy binary search releases each candidate value as the quantile.

    A step keeps the candidates up to their middle one, c, if n_at_or_below(c) − qn + noise ≥ 0, and else those above c.
    The noise is Laplace noise of scale ⌈log₂ m⌉Δ/ε for m candidates, so that all steps together are ε-DP by basic
    composition: the search of [DGMSS22] without their δ.

    Parameters
    ----------
    values, quantile, epsilon, neighbours : as in `grid_distribution`.
    candidates : the public values, at most 1e5 in [−1e15, 1e15], in any order; a repeated one counts once.

    Returns
    -------
    Probabilities in the order of the candidates; of a repeated one, its first place has all of it.

    Examples
    --------
    >>> ages = [23, 31, 31, 34, 40, 52, 60]
    >>> search_distribution(ages, 0.5, 1.0, [20, 30, 34, 40, 50]).round(4).tolist()
    [0.0029, 0.0577, 0.5811, 0.2924, 0.0659]
    """
    known, share, grid = grid_setting(values, quantile, candidates)
    loss, sensitivity = scalar("epsilon", epsilon, POSITIVE_EPSILON_RANGE), rank_sensitivity(share, neighbours)
    sorted_grid, first = np.unique(grid, return_index=True)
    chance = np.zeros(grid.size)
    chance[first] = _chances(np.searchsorted(known, sorted_grid, side="right") - share * known.size, loss / sensitivity)
    return chance


def search_half_width(
    values: ArrayLike | Distribution | Data,
    quantile: float,
    epsilon: ArrayLike,
    candidates: ArrayLike,
    significance: ArrayLike = 0.05,
    neighbours: str = "add_remove",
) -> Array:
    """Return the least a with Pr(|release − quantile of the values| > a) ≤ α for a noisy binary search on a grid.

    Parameters
    ----------
    values, quantile, candidates, neighbours : as in `search_distribution`.
    epsilon : in [1e-12, 1e6].
    significance : α in [1e-300, 1); it broadcasts with ε.

    Returns
    -------
    a in the unit of the values, as `grid_half_width` has it for one choice.

    Examples
    --------
    >>> ages = np.random.default_rng(1).integers(18, 90, 1000)
    >>> search_half_width(ages, 0.5, [0.1, 0.5, 1], np.arange(121)).tolist()
    [6.0, 1.0, 1.0]
    """
    known, share, grid = grid_setting(values, quantile, candidates)
    losses, alpha = np.broadcast_arrays(
        number("epsilon", epsilon, POSITIVE_EPSILON_RANGE), number("significance", significance, SIGNIFICANCE_RANGE)
    )
    grid, sensitivity = np.unique(grid), rank_sensitivity(share, neighbours)
    excess = np.searchsorted(known, grid, side="right") - share * known.size
    distance = abs(grid - np.quantile(known, share))
    reached = [
        least_reached(distance, _chances(excess, loss / sensitivity) * (1 + ROUNDING), level)
        for loss, level in zip(losses.ravel(), alpha.ravel(), strict=True)
    ]
    return np.reshape(reached, losses.shape)[()]


def _chances(excess: NDArray[np.floating[Any]], rate: float) -> Array:
    """Return the chance of each candidate by n_at_or_below − qn of each, and ε by the sensitivity of that."""
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
    found = np.empty(n)
    found[first] = chance
    return found
