"""The quantile of a population, of which the people are a sample: the errors of sample and release together."""

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import binom

from dpcore.checks import SIGNIFICANCE_RANGE, Array, number
from dpcore.clipping.distributions import Data, Distribution
from dpcore.quantiles._intervals import Intervals
from dpcore.quantiles.half_widths import least_distance
from dpcore.quantiles.released import each_release

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


def _both(known: Intervals, significance: float) -> float:
    """Return the least sum of the distances of both errors."""
    sums = []
    for share in _SHARES:
        tail = (1 - share) * significance / 2 * (1 - _ROUNDING)
        first, last = (float(end(tail, known.n, known.quantile)) for end in (binom.ppf, binom.isf))
        distance = max(known.truth - _order_statistic(known, first), _order_statistic(known, last + 1) - known.truth)
        sums.append(distance + least_distance(known, share * significance))
    return min(sums)


def _order_statistic(known: Intervals, rank: float) -> float:
    """Return the value of a rank, counted from 1 on: below that the lower end of the range, beyond n the upper end."""
    return float(known.edges[np.searchsorted(known.n_below, rank)])
