"""The errors of a sample of people and of its release together, and how many people a wanted error needs on a grid."""

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore._binomial import least_with_tail
from dpcore.checks import POSITIVE_EPSILON_RANGE, SIGNIFICANCE_RANGE, Array, number, refuse, scalar
from dpcore.clipping.distributions import Data, Distribution, as_values
from dpcore.composition.bounds import elementwise
from dpcore.quantiles.cliff import PROBABILITY_RANGE
from dpcore.quantiles.grid import ROUNDING, grid_release, grid_setting, rank_scores
from dpcore.quantiles.half_widths import ERROR_RANGE, MOST_RECORDS, least_count, least_distance, least_reached
from dpcore.quantiles.released import Intervals, each_release, rank_sensitivity, values_at
from dpcore.selection.winners import chosen

_SHARES = (0.9, 0.5, 0.2, 0.05, 0.01)  # of α, for the release
_ROUNDING = 1e-9  # of a share of α, for the binomial distribution


def population_half_width(
    values: ArrayLike | Distribution | Data,
    quantile: ArrayLike,
    epsilon: ArrayLike,
    low: ArrayLike,
    high: ArrayLike,
    significance: ArrayLike = 0.05,
    neighbours: str = "add_remove",
) -> Array:
    """Return an a with Pr(|release − quantile of the population| > a) ≤ α, over random samples and releases.

    A part β of α is spent on the sample: the population's quantile lies between the order statistics a and b with
    Pr(Bin(n, q) < a) + Pr(Bin(n, q) ≥ b) ≤ β, whatever the distribution is. The rest is spent on the release
    (`half_width`); the sum of both distances is the least over several parts. No independence is used, so it is on the
    safe side. Like the half-width of a release, it is read off the values, and so is itself confidential.

    Parameters
    ----------
    values, quantile, epsilon, low, high, neighbours : as in `half_width`; the population lies within the range.
    significance : α in [1e-300, 1), broadcasts too.

    Returns
    -------
    a in the unit of the values, rounded up.

    Examples
    --------
    >>> from dpcore.clipping import lognormal
    >>> waiting_times = lognormal(np.log(30), 0.8, 12_400)
    >>> population_half_width(waiting_times, 0.5, [0.1, 0.5], 0, 600).round(3).tolist()
    [0.784, 0.599]
    """
    alpha = number("significance", significance, SIGNIFICANCE_RANGE)
    return each_release(_both, values, quantile, epsilon, low, high, neighbours, alpha)


def grid_population_half_width(
    values: ArrayLike | Distribution | Data,
    quantile: float,
    epsilon: ArrayLike,
    candidates: ArrayLike,
    significance: ArrayLike = 0.05,
    neighbours: str = "add_remove",
    mechanism: str = "permute_and_flip",
) -> Array:
    """Return an a with Pr(|release − quantile of the population| > a) ≤ α on a grid, over random samples and releases.

    As `population_half_width`, with the half-width of the release on a grid.

    Parameters
    ----------
    values, quantile, epsilon, candidates, neighbours, mechanism : as in `grid_half_width`; the population lies between
        the ends of the grid.
    significance : α in [1e-300, 1); it broadcasts with ε.

    Examples
    --------
    >>> ages = np.random.default_rng(1).integers(18, 90, 1000)
    >>> grid_population_half_width(ages, 0.5, [0.1, 0.5, 1], np.arange(121)).tolist()
    [5.0, 3.0, 3.0]
    """
    release = grid_release(values, quantile, candidates, neighbours, mechanism)
    known, grid, truth = release.known, release.grid, release.truth
    losses, alpha = (
        number("epsilon", epsilon, POSITIVE_EPSILON_RANGE),
        number("significance", significance, SIGNIFICANCE_RANGE),
    )
    ends, distance = np.concatenate([[grid.min()], known, [grid.max()]]), abs(grid - truth)

    def width(loss: float, level: float) -> float:
        chance = release.chances(loss)
        reached = [least_reached(distance, chance, level * spent) for spent in _SHARES]
        ranks = (_ranks(level * (1 - spent), known.size, release.quantile) for spent in _SHARES)
        sampled = np.array([max(truth - ends[first], ends[last] - truth) for first, last in ranks])
        return float(np.min(sampled + np.array(reached)))

    return elementwise(width, losses, alpha)


def _both(known: Intervals, significance: float) -> float:
    """Return the least sum of the distances of both errors."""
    sums = []
    for share in _SHARES:
        first, last = _ranks((1 - share) * significance, known.n, known.quantile)
        distance = max(known.truth - _order_statistic(known, first), _order_statistic(known, last) - known.truth)
        sums.append(distance + least_distance(known, share * significance))
    return min(sums)


def _ranks(level: float, n: int, quantile: float) -> tuple[int, int]:
    """Return the ranks, 0 to n + 1, of the order statistics between which the population's quantile lies but for β."""
    tail = level / 2 * (1 - _ROUNDING)
    return n - least_with_tail(n, 1 - quantile, tail), least_with_tail(n, quantile, tail) + 1


def _order_statistic(known: Intervals, rank: int) -> float:
    """Return the value of a rank, counted from 1 on: below that the lower end of the range, beyond n the upper end."""
    return float(known.edges[np.searchsorted(known.n_below, rank)])


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

    It is `least_records` on a grid. Each value of the sample is at the nearest candidate, as values that are recorded
    on the grid are.

    Parameters
    ----------
    values, quantile, candidates, neighbours, mechanism : as in `grid_least_epsilon`.
    error, epsilon, significance : as in `least_records`.

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

    It is `records_without_cliff` on a grid.

    Parameters
    ----------
    values, quantile, epsilon, candidates, neighbours, mechanism : as in `grid_least_records`.
    probability : as in `records_without_cliff`.

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
        score = rank_scores(below, at_or_below, share * n)
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
