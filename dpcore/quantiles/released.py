"""The exact distribution of a released quantile and its bias, by intervals whose weights do not underflow."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from dpcore.checks import BOUND_RANGE, POSITIVE_EPSILON_RANGE, Array, number, option, refuse, scalar, scalar_integer
from dpcore.clipping.distributions import Data, Distribution, as_values
from dpcore.rounding import ULP
from dpcore.sensitivity import NEIGHBOURS

_DEEPEST = 745.0  # e^−745 is the smallest double
_FIRST_REACH = 800.0  # ranks times the rate, from the aim: enough unless the intervals next to it are very narrow


def _range_ends(low: float, high: float) -> tuple[float, float]:
    """Return the ends of a range, or raise unless low < high."""
    low, high = scalar("low", low, BOUND_RANGE), scalar("high", high, BOUND_RANGE)
    refuse("high", np.asarray(high), np.asarray(high <= low), "(low, 1e15]")
    return low, high


def interval_ends(ordered: Array, low: float, high: float) -> Array:
    """Return the ends of the intervals between neighbouring values within a range."""
    low, high = _range_ends(low, high)
    return np.concatenate([[low], np.clip(ordered, low, high), [high]])


def weights(log_width: Array, n_below: Array, aim: Array, rate: Array) -> Array:
    """Return the weights w e^{−rate |n_below − aim|} of intervals, at most 1, with a row for each aim and its rate.

    The distance of the nearest interval that is not empty is taken off before it is multiplied, so that ties about the
    quantile, however many, cost no digits.
    """
    weight = n_below - aim[:, np.newaxis]
    np.abs(weight, out=weight)
    weight -= weight.min(axis=1, keepdims=True, where=np.isfinite(log_width), initial=np.inf)
    weight *= -rate[:, np.newaxis]
    weight += log_width
    weight -= weight.max(axis=1, keepdims=True)
    return np.exp(weight, out=weight)


def log_widths(width: Array) -> Array:
    """Return the logarithms of widths, −∞ of empty intervals."""
    with np.errstate(divide="ignore"):
        return np.log(width)


def rank_sensitivity(quantile: float, neighbours: str) -> float:
    """Return how far n_below − qn moves with one person: max(q, 1 − q) with one more or less, 1 with another value.

    A person below v adds 1 − q, one at or above it −q. Another value changes n_below by at most 1 and n not at all.
    """
    option("neighbours", neighbours, NEIGHBOURS)
    return max(quantile, 1 - quantile) if neighbours == "add_remove" else 1.0


@dataclass(frozen=True)
class Intervals:
    """The intervals of a range that are not empty, of which values lie at the ends, and what is known of the release.

    Attributes
    ----------
    edges : their ends, increasing.
    n_below : how many values are below each interval.
    n : how many values there are.
    quantile : q.
    truth : the quantile of the values within the range, between two of them linear, as NumPy has it.
    rate : ε/(2Δ).
    """

    edges: Array
    n_below: Array
    n: int
    quantile: float
    truth: float
    rate: float

    @property
    def aim(self) -> float:
        """The rank of the quantile, qn."""
        return self.quantile * self.n

    @cached_property
    def _window(self) -> slice:
        """The intervals whose weight does not underflow: their ranks are next to the aim."""
        place = int(np.searchsorted(self.n_below, self.aim))
        about = np.arange(max(place - 1, 0), min(place + 1, self.n_below.size))
        distance = np.abs(self.n_below[about] - self.aim)
        width = (self.edges[about + 1] - self.edges[about])[np.argmin(distance)]
        steepest = _DEEPEST + np.log(self.edges[-1] - self.edges[0]) - np.log(width)
        reach = distance.min() + (steepest + 1) / self.rate
        return slice(*np.searchsorted(self.n_below, [self.aim - reach, self.aim + reach]).tolist())

    @cached_property
    def weights(self) -> Array:
        """The weight of each interval; the largest is 1."""
        window = self._window
        width = np.diff(self.edges[window.start : window.stop + 1])
        known = np.zeros(self.n_below.size)
        rows = weights(np.log(width), self.n_below[window], np.array([self.aim]), np.array([self.rate]))
        known[window] = rows[0]
        return known

    @cached_property
    def total(self) -> float:
        """The sum of all weights."""
        return float(self.below[-1])

    @cached_property
    def below(self) -> Array:
        """The weight below each edge."""
        window, cumulated = self._window, np.zeros(self.edges.size)
        np.cumsum(self.weights[window], out=cumulated[window.start + 1 : window.stop + 1])
        cumulated[window.stop + 1 :] = cumulated[window.stop]
        return cumulated

    @cached_property
    def above(self) -> Array:
        """The weight above each edge."""
        window, cumulated = self._window, np.zeros(self.edges.size)
        np.cumsum(self.weights[window][::-1], out=cumulated[window][::-1])
        cumulated[: window.start] = cumulated[window.start]
        return cumulated

    @cached_property
    def rounding(self) -> float:
        """Return the relative error that a share of the weights has at most.

        That of a weight is the error of its exponent: one unit of rate · n, and of the exponent itself. A sum of k
        weights has k units more.
        """
        return ULP * (2 * self.rate * self.n + 2 * _DEEPEST + self.weights.size + 8) * 2

    def outside(self, distance: Array) -> Array:
        """Return the probability of a release farther than a distance from the truth, not too small."""
        below = np.interp(self.truth - distance, self.edges, self.below)
        above = np.interp(self.truth + distance, self.edges, self.above)
        return (below + above) / self.total * (1 + self.rounding)


def intervals(ordered: Array, quantile: float, epsilon: float, low: float, high: float, neighbours: str) -> Intervals:
    """Return the intervals of sorted values for one quantile and one ε."""
    rate = epsilon / (2 * rank_sensitivity(quantile, neighbours))
    return _between(interval_ends(ordered, low, high), 0, ordered.size, quantile, rate)


def typical_intervals(
    value_at: Callable[[Array], Array],
    n: int,
    quantile: float,
    epsilon: float,
    low: float,
    high: float,
    neighbours: str,
) -> Intervals:
    """Return the intervals of the n quantiles at (i − ½)/n of a distribution, but for those whose weights underflow.

    Their ranks are far from qn: where n is large, few of the quantiles are computed. `value_at` returns the quantiles
    of shares.
    """
    rate = epsilon / (2 * rank_sensitivity(quantile, neighbours))
    low, high = _range_ends(low, high)
    aim, reach = quantile * n, _FIRST_REACH / rate + 2
    while True:
        first, last = max(int(aim - reach) - 1, 0), int(min(aim + reach + 2, n))
        values = np.clip(value_at((np.arange(first, last) + 0.5) / n), low, high)
        before, after = [low] * (first == 0), [high] * (last == n)
        ends, offset = np.concatenate([before, values, after]), first + (first > 0)
        (full,) = np.nonzero(ends[1:] > ends[:-1])
        if full.size:
            distance = abs(full + offset - aim)
            nearest = int(np.argmin(distance))
            width = ends[full[nearest] + 1] - ends[full[nearest]]
            enough = distance[nearest] + (_DEEPEST + 1 + np.log(high - low) - np.log(width)) / rate + 2
        else:
            enough = 4.0 * reach
        if enough <= reach or (first == 0 and last == n):
            return _between(ends, offset, n, quantile, rate)
        reach = enough


def _between(ends: Array, offset: int, n: int, quantile: float, rate: float) -> Intervals:
    """Return the intervals between ends, before the first of which `offset` of all n values are."""
    (full,) = np.nonzero(ends[1:] > ends[:-1])
    place = (n - 1) * quantile
    before = min(int(place), n - 1)
    own = before + 1 - offset
    first, second = ends[own], ends[min(own + 1, n - offset)]
    return Intervals(
        np.append(ends[full], ends[-1]),
        (full + offset).astype(np.float64),
        n,
        quantile,
        float(first + (place - before) * (second - first)),
        rate,
    )


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
    results = np.array(
        [
            measure(intervals(ordered, share, loss, start, stop, neighbours), *rest)
            for share, loss, start, stop, *rest in (map(float, entries) for entries in broadcast)
        ],
        np.float64,
    )
    return results.reshape(broadcast.shape + results.shape[1:])[()]
