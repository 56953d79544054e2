"""Any number of a public range: the exact distribution of the release, by intervals whose weights do not underflow."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from dpcore.checks import BOUND_RANGE, Array, number, plain, refuse, scalar
from dpcore.quantiles.release import ReleasedQuantile, rank_sensitivity
from dpcore.roots import bisect, positive_mean
from dpcore.rounding import ULP, round_sum_up

_DEEPEST = 745.0  # e^−745 is the smallest double
_FIRST_REACH = 800.0  # ranks times the rate, from the aim: enough unless the intervals next to it are very narrow
_HALVINGS = 100
_FEW_EDGES = 5000  # of which all distances are tried at once
_TRIED = 1 + np.append(0.0, ULP * 2.0 ** np.arange(40))  # times a distance that may be too small by rounding


@dataclass(frozen=True)
class Range:
    """Any number of a public range, which the exponential mechanism draws ([Smi11]).

    Attributes
    ----------
    low, high : its ends, low < high in [−1e15, 1e15]. Values outside count at the end next to them. Functions whose
        other arguments broadcast take arrays of both.

    Raises
    ------
    ValueError
        `high must be in (low, 1e15], got 0`.

    Examples
    --------
    >>> Range(0, 600)
    Range(low=0.0, high=600.0)
    """

    low: ArrayLike
    high: ArrayLike
    mechanism: ClassVar[str] = "exponential"

    def __post_init__(self) -> None:
        low, high = number("low", self.low, BOUND_RANGE), number("high", self.high, BOUND_RANGE)
        refuse("high", high, high <= low, "(low, 1e15]")
        object.__setattr__(self, "low", plain(low))
        object.__setattr__(self, "high", plain(high))

    @property
    def arrays(self) -> tuple[ArrayLike, ...]:
        """What broadcasts with the other arguments of a function: the ends."""
        return self.low, self.high

    @property
    def ends(self) -> tuple[float, float]:
        """The ends of a single range, or raise for arrays."""
        return scalar("low", self.low, BOUND_RANGE), scalar("high", self.high, BOUND_RANGE)

    def edges(self, ordered: Array) -> Array:
        """Return the ends of the intervals between neighbouring values within the range."""
        low, high = self.ends
        return np.concatenate([[low], np.clip(ordered, low, high), [high]])

    def release_of(self, ordered: Array, quantile: float, epsilon: float, neighbours: str) -> "Intervals":
        """Return the release of a quantile of sorted values."""
        return _between(self.edges(ordered), 0, ordered.size, quantile, epsilon, neighbours)

    def typical_release(
        self, value_at: Callable[[Array], Array], n: int, quantile: float, epsilon: float, neighbours: str
    ) -> "Intervals":
        """Return the release of a quantile of the n quantiles at (i − ½)/n, but for intervals whose weights underflow.

        Their ranks are far from qn: where n is large, few of the quantiles are computed. `value_at` returns the
        quantiles of shares.
        """
        rate = epsilon / (2 * rank_sensitivity(quantile, neighbours))
        low, high = self.ends
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
                return _between(ends, offset, n, quantile, epsilon, neighbours)
            reach = enough


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


@dataclass(frozen=True)
class Intervals(ReleasedQuantile):
    """A release from a range: uniform within each interval between neighbouring values; empty intervals are left out.

    An interval of width w with k values below it has a probability ∝ w e^{−ε|k − qn|/(2Δ)}. The points are the ends of
    the intervals, one more than these.
    """

    @property
    def rate(self) -> float:
        """ε/(2Δ)."""
        return self.epsilon / (2 * self.sensitivity)

    @cached_property
    def _window(self) -> slice:
        """The intervals whose weight does not underflow: their ranks are next to the aim."""
        place = int(np.searchsorted(self.n_below, self.aim))
        about = np.arange(max(place - 1, 0), min(place + 1, self.n_below.size))
        distance = np.abs(self.n_below[about] - self.aim)
        width = (self.points[about + 1] - self.points[about])[np.argmin(distance)]
        steepest = _DEEPEST + np.log(self.points[-1] - self.points[0]) - np.log(width)
        reach = distance.min() + (steepest + 1) / self.rate
        return slice(*np.searchsorted(self.n_below, [self.aim - reach, self.aim + reach]).tolist())

    @cached_property
    def weights(self) -> Array:
        """The weight of each interval; the largest is 1."""
        window = self._window
        width = np.diff(self.points[window.start : window.stop + 1])
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
        """The weight below each point."""
        window, cumulated = self._window, np.zeros(self.points.size)
        np.cumsum(self.weights[window], out=cumulated[window.start + 1 : window.stop + 1])
        cumulated[window.stop + 1 :] = cumulated[window.stop]
        return cumulated

    @cached_property
    def above(self) -> Array:
        """The weight above each point."""
        window, cumulated = self._window, np.zeros(self.points.size)
        np.cumsum(self.weights[window][::-1], out=cumulated[window][::-1])
        cumulated[: window.start] = cumulated[window.start]
        return cumulated

    @cached_property
    def probabilities(self) -> Array:
        """The probability of each interval."""
        return self.weights / self.total

    @cached_property
    def rounding(self) -> float:
        """Return the relative error that a share of the weights has at most.

        That of a weight is the error of its exponent: one unit of rate · n, and of the exponent itself. A sum of k
        weights has k units more.
        """
        return ULP * (2 * self.rate * self.n + 2 * _DEEPEST + self.weights.size + 8) * 2

    @property
    def deviations(self) -> Array:
        """How far the middle of each interval is above the truth."""
        return (self.points[1:] - self.truth) / 2 + (self.points[:-1] - self.truth) / 2

    def counted(self, value: float) -> float:
        """Return a value as the release counts it: one outside the range at its end."""
        return min(max(value, self.points[0]), self.points[-1])

    def sample(self, rng: np.random.Generator, size: tuple[int, ...] = ()) -> Array:
        """Return draws of the release: of an interval, and uniformly within it."""
        place = np.searchsorted(self.below, rng.random(size) * self.total, side="right") - 1
        place = np.minimum(place, self.weights.size - 1)
        return self.points[place] + (self.points[place + 1] - self.points[place]) * rng.random(size)

    def outside(self, distance: ArrayLike) -> Array:
        """Return the probability of a release farther than a distance from the truth, not too small."""
        far = np.asarray(distance)
        below = np.interp(self.truth - far, self.points, self.below)
        above = np.interp(self.truth + far, self.points, self.above)
        return (below + above) / self.total * (1 + self.rounding)

    def half_width(self, significance: float) -> float:
        """Return the half-width in the unit of the values; c ± a and the truth c are rounded too."""
        if self.points.size <= _FEW_EDGES:
            distance = self._distance_between_points(significance)
        else:
            farthest = max(self.truth - self.points[0], self.points[-1] - self.truth)
            _, enough = bisect(lambda a: self.outside(a) <= significance, 0.0, farthest, _HALVINGS, positive_mean)
            distance = float(enough)
        return float(round_sum_up(distance, abs(self.truth) + distance, 4))

    def _distance_between_points(self, significance: float) -> float:
        """Return the least distance beyond which there is a probability of at most α, from those at all points at once.

        Between two distances of points the probability is linear; as much more as its rounding may need is tried too.
        """
        distances = np.unique(np.append(abs(self.points - self.truth), 0.0))
        chances = self.outside(distances)
        far = int(np.count_nonzero(chances > significance))  # at distance 0 it is 1, and at the farthest point 0
        near = far - 1
        share = (chances[near] - significance) / (chances[near] - chances[far])
        tried = distances[near] + share * (distances[far] - distances[near]) * _TRIED
        tried = np.append(np.minimum(tried, distances[far]), distances[far])
        return float(tried[self.outside(tried) <= significance][0])


def _between(ends: Array, offset: int, n: int, quantile: float, epsilon: float, neighbours: str) -> Intervals:
    """Return the intervals between ends, before the first of which `offset` of all n values are."""
    (full,) = np.nonzero(ends[1:] > ends[:-1])
    place = (n - 1) * quantile
    before = min(int(place), n - 1)
    own = before + 1 - offset
    first, second = ends[own], ends[min(own + 1, n - offset)]
    truth = float(first + (place - before) * (second - first))
    points, n_below = np.append(ends[full], ends[-1]), (full + offset).astype(np.float64)
    return Intervals(points, n_below, n_below, n, quantile, truth, rank_sensitivity(quantile, neighbours), epsilon)
