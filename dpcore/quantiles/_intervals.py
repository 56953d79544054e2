"""The exponential mechanism on a range: intervals between neighbouring values, and their weights without underflow."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from dpcore.checks import BOUND_RANGE, Array, option, refuse, scalar
from dpcore.rounding import ULP
from dpcore.sensitivity import NEIGHBOURS

_DEEPEST = 745.0  # e^−745 is the smallest double
_FIRST_REACH = 800.0  # ranks times the rate, from the aim: enough unless the intervals next to it are very narrow


def range_ends(low: float, high: float) -> tuple[float, float]:
    """Return the ends of a range, or raise unless low < high."""
    low, high = scalar("low", low, BOUND_RANGE), scalar("high", high, BOUND_RANGE)
    refuse("high", np.asarray(high), np.asarray(high <= low), "(low, 1e15]")
    return low, high


def interval_ends(ordered: Array, low: float, high: float) -> Array:
    """Return the ends of the intervals between neighbouring values within a range."""
    low, high = range_ends(low, high)
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
    low, high = range_ends(low, high)
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
