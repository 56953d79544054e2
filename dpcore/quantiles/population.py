"""The quantile of a population, of which the people are a sample: the errors of sample and release together."""

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import binom

from dpcore.checks import POSITIVE_EPSILON_RANGE, SIGNIFICANCE_RANGE, Array, number
from dpcore.clipping.distributions import Data, Distribution
from dpcore.quantiles._intervals import Intervals, rank_sensitivity
from dpcore.quantiles.grid import ROUNDING, grid_setting, rank_scores
from dpcore.quantiles.half_widths import least_distance, least_reached
from dpcore.quantiles.released import each_release
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
    known, share, grid = grid_setting(values, quantile, candidates)
    losses, alpha = np.broadcast_arrays(
        number("epsilon", epsilon, POSITIVE_EPSILON_RANGE), number("significance", significance, SIGNIFICANCE_RANGE)
    )
    ends, truth = np.concatenate([[grid.min()], known, [grid.max()]]), float(np.quantile(known, share))
    score, sensitivity = rank_scores(known, share * known.size, grid), rank_sensitivity(share, neighbours)
    distance, found = abs(grid - truth), []
    for loss, level in zip(losses.ravel(), alpha.ravel(), strict=True):
        chance = chosen(mechanism, score, loss, sensitivity) * (1 + ROUNDING)
        reached = [least_reached(distance, chance, level * spent) for spent in _SHARES]
        ranks = (_ranks(level * (1 - spent), known.size, share) for spent in _SHARES)
        sampled = np.array([max(truth - ends[first], ends[last] - truth) for first, last in ranks])
        found.append(float(np.min(sampled + np.array(reached))))
    return np.reshape(found, losses.shape)[()]


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
    return int(binom.ppf(tail, n, quantile)), int(binom.isf(tail, n, quantile)) + 1


def _order_statistic(known: Intervals, rank: int) -> float:
    """Return the value of a rank, counted from 1 on: below that the lower end of the range, beyond n the upper end."""
    return float(known.edges[np.searchsorted(known.n_below, rank)])
