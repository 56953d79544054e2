"""From how many people on a quantile on a public grid has a wanted error, or no cliff."""

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore.checks import POSITIVE_EPSILON_RANGE, SIGNIFICANCE_RANGE, Array, refuse, scalar
from dpcore.clipping.distributions import Data, Distribution, as_values
from dpcore.quantiles._intervals import rank_sensitivity
from dpcore.quantiles.cliff import PROBABILITY_RANGE
from dpcore.quantiles.grid import ROUNDING, grid_setting
from dpcore.quantiles.half_widths import ERROR_RANGE, MOST_RECORDS, least_count, least_reached
from dpcore.quantiles.released import values_at
from dpcore.selection.winners import chosen


def grid_least_records(
    values: ArrayLike | Distribution | Data,
    quantile: float,
    error: float,
    epsilon: float,
    candidates: ArrayLike,
    significance: float = 0.05,
    neighbours: str = "add_remove",
    mechanism: str = "permute_and_flip",
) -> int:
    """Return the least n whose typical sample of the values has a `grid_half_width` of at most a wanted error.

    A typical sample has the quantiles at (i − ½)/n, each of them at the nearest candidate, as values that are recorded
    on the grid are. Of two neighbouring n, the larger may have the larger error.

    Parameters
    ----------
    values, quantile, candidates, neighbours, mechanism : as in `grid_distribution`; how many values there are has no
        effect.
    error : the wanted half-width in the unit of the values, in (0, 1e16].
    epsilon : in [1e-12, 1e6].
    significance : α in [1e-300, 1).

    Returns
    -------
    n in [1, 1e6]: its half-width was computed.

    Raises
    ------
    ValueError
        `error must be in [5, 1e16], got 0.1` where a million values are too few.

    Examples
    --------
    >>> from dpcore.clipping import lognormal
    >>> waiting_times = lognormal(np.log(30), 0.8, 1)
    >>> [grid_least_records(waiting_times, 0.5, 1.0, epsilon, np.arange(601)) for epsilon in (0.5, 1)]
    [228, 104]
    """
    wanted, alpha = scalar("error", error, ERROR_RANGE), scalar("significance", significance, SIGNIFICANCE_RANGE)
    release = _releases(values, quantile, epsilon, candidates, neighbours, mechanism)

    def far(n: int) -> float:
        chance, distance, _ = release(n)
        return float(chance @ (distance > wanted))

    enough = least_count(far, alpha)
    if not enough:
        chance, distance, _ = release(MOST_RECORDS)
        refuse("error", np.asarray(wanted), np.asarray(True), f"[{least_reached(distance, chance, alpha):.6g}, 1e16]")
    return enough


def grid_records_without_cliff(
    values: ArrayLike | Distribution | Data,
    quantile: float,
    epsilon: float,
    candidates: ArrayLike,
    probability: float = 1e-3,
    neighbours: str = "add_remove",
    mechanism: str = "permute_and_flip",
) -> int:
    """Return the least n of whose typical sample a release of a candidate beyond all values is at most so probable.

    Parameters
    ----------
    values, quantile, epsilon, candidates, neighbours, mechanism : as in `grid_least_records`.
    probability : of a release beyond the values, in (0, 1).

    Returns
    -------
    n in [1, 1e6].

    Raises
    ------
    ValueError
        `probability must be in [0.475, 1), got 0.001` where a million values are too few.

    Examples
    --------
    >>> [grid_records_without_cliff(range(1, 1001), 0.9, epsilon, np.arange(10_001)) for epsilon in (0.1, 1)]
    [2376, 238]
    """
    limit = scalar("probability", probability, PROBABILITY_RANGE)
    release = _releases(values, quantile, epsilon, candidates, neighbours, mechanism)

    def beyond(n: int) -> float:
        chance, _, is_beyond = release(n)
        return float(chance @ is_beyond)

    enough = least_count(beyond, limit)
    if not enough:
        refuse("probability", np.asarray(limit), np.asarray(True), f"[{beyond(MOST_RECORDS):.6g}, 1)")
    return enough


def _releases(
    values: ArrayLike | Distribution | Data,
    quantile: float,
    epsilon: float,
    candidates: ArrayLike,
    neighbours: str,
    mechanism: str,
) -> Callable[[int], tuple[Array, Array, Array]]:
    """Return for n the chance of each candidate, its distance from the truth, and whether it is beyond all values."""
    known, loss = as_values(values), scalar("epsilon", epsilon, POSITIVE_EPSILON_RANGE)
    _, share, grid = grid_setting(known, quantile, candidates)
    grid = np.unique(grid)
    placed = partial(values_at, known)
    between, sensitivity = (grid[1:] + grid[:-1]) / 2, rank_sensitivity(share, neighbours)

    def typical_release(n: int) -> tuple[Array, Array, Array]:
        n_below = _counts_below(placed, n, between)
        below, at_or_below = np.append(0, n_below), np.append(n_below, n)
        score = -np.maximum(np.maximum(below - share * n, share * n - at_or_below), 0)
        chance = chosen(mechanism, score, loss, sensitivity) * (1 + ROUNDING)
        place = share * (n - 1)
        first = int(place)
        ranks = np.array([first, min(first + 1, n - 1)])
        low, high = grid[np.searchsorted(n_below, ranks, side="right")]
        truth = low + (high - low) * (place - first)
        return chance, abs(grid - truth), ((at_or_below == 0) | (below == n)).astype(np.float64)

    return typical_release


def _counts_below(quantile: Callable[[Array], Array], n: int, limits: Array) -> NDArray[np.int64]:
    """Return how many of the n quantiles at (i − ½)/n lie below each limit, by halving."""
    low, high = np.zeros(limits.size, np.int64), np.full(limits.size, n)
    while np.any(low < high):
        middle = (low + high) // 2
        is_below = quantile(np.minimum(middle + 0.5, n - 0.5) / n) < limits
        low, high = np.where(is_below & (low < high), middle + 1, low), np.where(is_below, high, middle)
    return low
