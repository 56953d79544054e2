"""The exact distribution of a released quantile: its intervals and its bias."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from dpcore.checks import BOUND_RANGE, POSITIVE_EPSILON_RANGE, Array, number, scalar, scalar_integer
from dpcore.clipping.distributions import Data, Distribution, as_values
from dpcore.quantiles._intervals import Intervals, intervals

QUANTILE_RANGE = "[0, 1]"
_MOST_VALUES = "[1, 1e7]"


class ReleasedDistribution(NamedTuple):
    """The distribution of a released quantile, which is uniform within each interval.

    Attributes
    ----------
    edges : the ends of the intervals, increasing: the range's, and each value between them.
    probabilities : of each interval, one fewer than there are edges.
    """

    edges: Array
    probabilities: Array


def released_distribution(
    values: ArrayLike | Distribution | Data,
    quantile: float,
    epsilon: float,
    low: float,
    high: float,
    neighbours: str = "add_remove",
) -> ReleasedDistribution:
    """Return the distribution of the exponential mechanism on a range ([Smi11]), exactly.

    An interval of width w with k values below it has a probability ∝ w e^{−ε|k − qn|/(2Δ)}. Equal values leave no
    interval between them. It is ε-DP, and its losses have a range of ε: `composition.exponential_release`.

    Parameters
    ----------
    values : data in [−1e15, 1e15], those outside the range count at its ends; or a distribution. At most 1e7 values.
    quantile : q in [0, 1].
    epsilon : in [1e-12, 1e6].
    low, high : the public range, low < high in [−1e15, 1e15].
    neighbours : "add_remove", Δ = max(q, 1 − q), or "replace", Δ = 1.

    Examples
    --------
    >>> edges, probabilities = released_distribution([2, 3, 3, 7], 0.5, 1.0, 0, 10)
    >>> edges.tolist(), probabilities.round(4).tolist()
    ([0.0, 2.0, 3.0, 7.0, 10.0], [0.1076, 0.1462, 0.5848, 0.1614])
    """
    share, epsilon = scalar("quantile", quantile, QUANTILE_RANGE), scalar("epsilon", epsilon, POSITIVE_EPSILON_RANGE)
    known = intervals(ordered_values(values), share, epsilon, low, high, neighbours)
    return ReleasedDistribution(known.edges, known.weights / known.total)


def bias(
    values: ArrayLike | Distribution | Data,
    quantile: ArrayLike,
    epsilon: ArrayLike,
    low: ArrayLike,
    high: ArrayLike,
    neighbours: str = "add_remove",
) -> Array:
    """E[release] − quantile of the values: the sum of each interval's probability times its middle, less the truth.

    The truth lies between two values linearly, as in `numpy.quantile`.

    Parameters
    ----------
    values, neighbours : as in `released_distribution`.
    quantile, epsilon, low, high : as there; they broadcast.

    Returns
    -------
    The bias in the unit of the values.

    Examples
    --------
    >>> bias(range(1, 1001), 0.5, [0.01, 0.1], 0, 10_000).round(3).tolist()
    [1169.221, 0.0]
    """

    def mean_excess(known: Intervals) -> float:
        middle = (known.edges[1:] - known.truth) / 2 + (known.edges[:-1] - known.truth) / 2
        return float(known.weights @ middle / known.total)

    return each_release(mean_excess, values, quantile, epsilon, low, high, neighbours)


def ordered_values(values: ArrayLike | Distribution | Data) -> Array:
    """Return sorted values: data as they are, or of a distribution its quantiles at (i − ½)/n."""
    known = as_values(values)
    n_values = scalar_integer("the number of values", known.n, _MOST_VALUES)
    return known.sorted if isinstance(known, Data) else known.quantile((np.arange(n_values) + 0.5) / n_values)


def values_at(known: Distribution | Data, shares: Array) -> Array:
    """Return the values below which these shares lie; of data, those between two values linearly."""
    return np.quantile(known.sorted, shares) if isinstance(known, Data) else known.quantile(shares)


def each_release(
    measure: Callable[..., object],
    values: ArrayLike | Distribution | Data,
    quantile: ArrayLike,
    epsilon: ArrayLike,
    low: ArrayLike,
    high: ArrayLike,
    neighbours: str,
    *others: Array,
) -> Array:
    """Return a measure of the release at each entry of arrays that broadcast; several measures have an axis more.

    The measure gets the intervals of the release, and the entries of the other arrays.
    """
    ordered = ordered_values(values)
    broadcast = np.broadcast(
        number("quantile", quantile, QUANTILE_RANGE),
        number("epsilon", epsilon, POSITIVE_EPSILON_RANGE),
        number("low", low, BOUND_RANGE),
        number("high", high, BOUND_RANGE),
        *others,
    )
    found = np.array(
        [
            measure(intervals(ordered, share, loss, start, stop, neighbours), *rest)
            for share, loss, start, stop, *rest in (map(float, entries) for entries in broadcast)
        ],
        np.float64,
    )
    return found.reshape(broadcast.shape + found.shape[1:])[()]
