"""The bounds of the least error, by a search over the middle and the width of their range, and a rule of thumb.

`private_bounds` has the cost of a bound that is released, a quantile by the exponential mechanism, and its best share
of ε.
"""

from dataclasses import dataclass, fields
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from dpcore.checks import (
    BOUND_RANGE,
    POSITIVE_EPSILON_RANGE,
    RECORDS_RANGE,
    SIGNIFICANCE_RANGE,
    Array,
    interval_bounds,
    leave_out,
    number,
    option,
    or_default,
    refuse,
    scalar,
)
from dpcore.clipping._search import Sizes, better, error_sizes, least_on_grids
from dpcore.clipping.distributions import Data, Distribution, as_values
from dpcore.clipping.errors import BiasAndNoise, mean_error, sum_error
from dpcore.clipping.noise import CONTINUOUS_NOISES, NOISES, WHOLE_NOISES, noise_delta, noise_of
from dpcore.quantiles.intervals import Range, log_widths, weights
from dpcore.quantiles.release import QUANTILE_RANGE
from dpcore.roots import multisect
from dpcore.sensitivity import NEIGHBOURS

_MOST_VALUE = 1e15


def rule_of_thumb(values: ArrayLike | Distribution | Data, epsilon: ArrayLike) -> Array:
    """Return U such that about 1/ε values lie above it: the bound of the least |B| + E|noise|, for L = 0 and U > 0.

    With Laplace noise of scale U/ε the derivative of |B| + U/ε is 1/ε − n_above (compare [AKMV19], who bound the
    contribution of users by such a quantile). Since max(|B|, E|noise|) ≤ E|B + noise| ≤ |B| + E|noise|, its mean
    absolute error is at most twice the least one (own).

    Parameters
    ----------
    values : data in [0, 1e15], or a `Distribution`.
    epsilon : in [1e-12, 1e6].

    Returns
    -------
    U in query units, of the shape of `epsilon`: the least bound with at most 1/ε values above it, at least 1e-9 of the
    greatest value.

    Examples
    --------
    >>> rule_of_thumb(np.arange(1, 1001), [0.01, 0.1, 1]).tolist()
    [900.0, 990.0, 999.0]
    """
    known, epsilon = as_values(values), number("epsilon", epsilon, POSITIVE_EPSILON_RANGE)
    greatest = min(max(known.extremes()[1], 1e-9), _MOST_VALUE)
    if isinstance(known, Data):
        place = known.n - np.floor(np.minimum(1 / epsilon, known.n)).astype(int)
        bound = np.where(place > 0, known.sorted[np.maximum(place - 1, 0)], 0.0)
        return np.maximum(bound, 1e-9 * greatest)[()]
    shape = np.broadcast_to(0.0, epsilon.shape)
    most = np.minimum(greatest * np.maximum(1.0, epsilon) + greatest, _MOST_VALUE)
    while np.any((known.n_above(most) > 1 / epsilon) & (most < _MOST_VALUE)):
        most = np.minimum(2 * most, _MOST_VALUE)
    return multisect(lambda bound: known.n_above(bound) <= 1 / epsilon, shape + 1e-9 * greatest, most, 32, 12)[1][()]


_LEAST_BOUND, _MOST_BOUND = interval_bounds(BOUND_RANGE)
_N_MIDDLES = 33
_LOG_WIDTHS = np.arange(-14.0, 2.0, 0.6)  # of the width over the distance of the extremes
_ROUNDS = 8  # in which the steps halve: to 1/8192 of the distance of the extremes, and 0.3 % of the width
_AROUND = [axis.ravel() for axis in np.meshgrid(np.arange(-2, 3), np.arange(-2, 3))]


def least_by_width(sizes: Sizes, n_epsilons: int, extremes: tuple[float, float], is_whole: bool) -> tuple[Array, Array]:
    """Return the best ranges by their middle and their width: on a grid of both, then on smaller ones about the best.

    They are found also where they are narrow, as that of few values beside much noise, or far from both ends.
    """
    span, rows = extremes[1] - extremes[0], np.arange(n_epsilons)
    grid = np.meshgrid(np.linspace(*extremes, _N_MIDDLES), _LOG_WIDTHS)
    middle, log_width = (np.broadcast_to(axis.ravel(), (n_epsilons, axis.size)) for axis in grid)
    steps = np.array([span / (_N_MIDDLES - 1), _LOG_WIDTHS[1] - _LOG_WIDTHS[0]])
    lower, upper = middle[:, 0], middle[:, 0]
    for _ in range(_ROUNDS):
        ranges = _ranges(middle, span * np.exp(log_width), is_whole)
        place = rows, np.argmin(sizes(*ranges), axis=1)
        (lower, upper), steps = (edge[place] for edge in ranges), steps / 2
        middle = middle[place][:, np.newaxis] + _AROUND[0] * steps[0]
        log_width = log_width[place][:, np.newaxis] + _AROUND[1] * steps[1]
    return lower, upper


def _ranges(middle: Array, width: Array, is_whole: bool) -> tuple[Array, Array]:
    """Return lower and upper bounds within the domain, the upper ones above the lower ones."""
    lower = np.clip(middle - width / 2, _LEAST_BOUND, 0.999 * _MOST_BOUND)
    upper = np.minimum(middle + width / 2, _MOST_BOUND)
    if is_whole:
        lower = np.rint(lower)
        return lower, np.maximum(np.rint(upper), lower + 1)
    return lower, np.maximum(upper, np.nextafter(lower, np.inf))


ERRORS = ("root_mean_square", "mean_absolute", "half_width")
_FIELDS = {
    "root_mean_square": "root_mean_square_error",
    "mean_absolute": "mean_absolute_error",
    "half_width": "half_width",
}
_MOST_EPSILONS = 32  # that are searched for at once


@dataclass(frozen=True)
class BestBounds(BiasAndNoise):
    """The `BiasAndNoise` of the bounds of the least error, in query units; arrays of the shape of ε.

    Attributes
    ----------
    extreme_low, extreme_high : the least and the greatest value, where they are not fixed: nothing is cut by them.
    extreme_error : the error at these bounds, by the measure that was chosen.
    gain : `extreme_error` over the least error; 1 means that nothing is won by clipping;
        infinite where the least error is 0 and this one is not, as of geometric noise at huge ε.
    """

    extreme_low: float
    extreme_high: float
    extreme_error: Array
    gain: Array


def best_bounds(
    values: ArrayLike | Distribution | Data,
    epsilon: ArrayLike,
    low: float | None = None,
    high: float | None = None,
    noise: str = "laplace",
    neighbours: str = "add_remove",
    error: str = "root_mean_square",
    delta: float | None = None,
    significance: float | None = None,
    count_share: float | None = None,
) -> BestBounds:
    """Return the bounds at which the error of a clipped sum is least; those of a mean of a public number are the same.

    A bound is sought on a grid between the extreme values and refined on ever closer grids; of two, the upper one with
    the best lower one of each, and by the middle and the width of the range. All that is cut counts in full,
    Σ|clip(x) − x| (the "gross" bias): that the cuts of both sides cancel is an accident of these values, by which the
    two bounds would meet at their mean.
    With Laplace noise, L = 0 and nothing cut below, the derivative in U of B² + 2U²/ε² vanishes where
    n_above · |B| = 2U/ε² (own). The bounds depend on the values: for confidential data they are not private.

    Parameters
    ----------
    values : data in [−1e15, 1e15], or a `Distribution`, whose extreme values are those beyond which one is expected.
    epsilon : in [1e-12, 1e6], with a `count_share` in [1e-9, 1e6]; of several ε, bounds for each.
    low, high : a bound that is given stays; None to seek it.
    noise, neighbours, delta : as in `dpcore.clipping.sum_error`; whole bounds for whole noise.
    error : the measure: one of `ERRORS`.
    significance : of error "half_width", in [1e-300, 1), 0.05 by default; the others leave it out.
    count_share : None, or the share of ε for the count of a mean whose n is not public, as in `mean_error`.

    Raises
    ------
    ValueError
        also where a fixed bound leaves no room: `high must be in (low, inf), got 0`.

    Examples
    --------
    >>> best = best_bounds(np.arange(1, 1001), epsilon=0.1, low=0)
    >>> f"{best.high:.3f}, {best.root_mean_square_error:.4f}, {best.n_clipped:.0f} values cut, {best.gain:.3f}"
    '928.672, 13384.3474, 72 values cut, 1.057'
    """
    known = as_values(values)
    option("noise", noise, NOISES if count_share is None else CONTINUOUS_NOISES)
    option("neighbours", neighbours, NEIGHBOURS if count_share is None else ("add_remove",))
    option("error", error, ERRORS)
    if error != "half_width":
        leave_out(f"error {error}", significance=significance)
    alpha = scalar("significance", or_default(significance, 0.05), SIGNIFICANCE_RANGE)
    epsilon = number("epsilon", epsilon, POSITIVE_EPSILON_RANGE)
    least, greatest = known.extremes()
    first = least if low is None else scalar("low", low, BOUND_RANGE)
    last = greatest if high is None else scalar("high", high, BOUND_RANGE)
    is_whole, free = noise in WHOLE_NOISES, (low is None, high is None)
    if is_whole:
        first, last = float(np.floor(first)), float(np.ceil(last))
    if not last > first:  # all values are beyond the fixed bound, or equal
        room = 1.0 if is_whole else max(1e-9 * max(abs(first), abs(last)), 1e-9)
        refuse("high", np.asarray(last), np.asarray(not any(free)), "(low, inf)")
        first, last = (min(first, last) - room, last) if free[0] else (first, first + room)
    options = noise, neighbours, delta, alpha, "gross"

    def clipped_error(lower: ArrayLike, upper: ArrayLike) -> BiasAndNoise:
        if count_share is None:
            return sum_error(known, lower, upper, epsilon, *options)
        return mean_error(known, lower, upper, epsilon, *options, count_share)

    at_extremes = clipped_error(first, last)
    wider = 9 * (last - first) * isinstance(known, Distribution)  # more may be kept than n values reach on average
    ends = first - wider * free[0], last + wider * free[1]
    ends = (np.rint(ends[0]), np.rint(ends[1])) if is_whole else ends
    number("low", ends[0], BOUND_RANGE)
    number("high", ends[1], BOUND_RANGE)
    is_moved_from_0 = neighbours == "add_remove" and count_share is None
    inner = (min(first, 0.0), max(last, 0.0)) if is_moved_from_0 else (first, last)

    def search(own: Array) -> tuple[Array, Array]:
        sizes = error_sizes(known, own, noise, neighbours, error, noise_delta(noise, delta), alpha, count_share)
        best = least_on_grids(sizes, own.size, ends, free, is_whole)
        return better(sizes, best, least_by_width(sizes, own.size, inner, is_whole)) if all(free) else best

    parts = [
        search(epsilon.ravel()[place : place + _MOST_EPSILONS]) for place in range(0, epsilon.size, _MOST_EPSILONS)
    ]
    bounds = (np.concatenate(part).reshape(epsilon.shape) for part in zip(*parts, strict=True))
    best, extreme = clipped_error(*bounds), np.asarray(getattr(at_extremes, _FIELDS[error]))
    size = np.asarray(getattr(best, _FIELDS[error]))
    gain = np.where(size > 0, extreme / np.where(size > 0, size, 1.0), np.where(extreme == 0, 1.0, np.inf))
    parts_of_best = {part.name: getattr(best, part.name) for part in fields(best)}
    return BestBounds(**parts_of_best, extreme_low=first, extreme_high=last, extreme_error=extreme, gain=gain)


EPSILON_RANGE = "[1e-9, 1e6]"
_MOST_WEIGHTS = 20_000  # that are computed at once, so that they stay in the cache of the processor


def _people(values: ArrayLike, weight: ArrayLike) -> Array:
    """Return how many people each of the values stands for, in the order of the sorted values."""
    order, people = np.argsort(np.ravel(values), kind="stable"), number("weight", weight, RECORDS_RANGE)
    if people.ndim and people.shape != np.shape(values):
        raise ValueError(f"weight must be one number, or one for each value, got {people.size} for {order.size}")
    return np.broadcast_to(people.ravel(), order.shape)[order]


def _mean_squares(data: Data, people: Array, quantile: Array, epsilon: Array, high: float) -> tuple[Array, Array]:
    """Return the means of B(U)² and of U² over U, a private quantile, for each quantile and its ε.

    B(U)² and U² are quadratic on each interval, so that Simpson's rule gives their means there.
    """
    ends = Range(0.0, high).edges(data.sorted)
    n_below = np.concatenate([[0.0], np.cumsum(people)])
    width, above = np.diff(ends), np.concatenate([np.cumsum((people * data.sorted)[::-1])[::-1], [0.0]])
    n_above = n_below[-1] - n_below
    points = np.stack([ends[:-1], ends[:-1] + width / 2, ends[:-1] + width])
    simpson = np.array([1, 4, 1]) / 6
    bias_square, bound_square = simpson @ (above - n_above * points) ** 2, simpson @ points**2
    log_width, averaged = log_widths(width), np.stack([bias_square, bound_square, np.ones_like(width)], axis=1)
    sums = np.empty((quantile.size, 3))
    rows = max(_MOST_WEIGHTS // width.size, 1)
    for first in range(0, quantile.size, rows):
        part = slice(first, first + rows)
        sums[part] = weights(log_width, n_below, quantile[part] * n_below[-1], epsilon[part] / 2) @ averaged
    return sums[:, 0] / sums[:, 2], sums[:, 1] / sums[:, 2]


_SHARES = np.linspace(0.02, 0.98, 49)
_LEFT = 2.0 ** np.arange(-1, 11)  # values above the bound, in units of 1/((1 − s)ε)


@dataclass(frozen=True)
class PrivateBounds:
    """Private upper bounds from 0 on with each of 49 shares of ε, whatever noise the rest of ε buys.

    Attributes
    ----------
    epsilon : of the bound and of the noise together.
    share : s, along the last axis.
    quantile : q at which the bound aims; a row for each number of values that it leaves above, in 1/((1 − s)ε).
    bias_square : the mean of B(U)², in squared query units.
    bound_square : the mean of U², in squared query units.
    """

    epsilon: float
    share: Array
    quantile: Array
    bias_square: Array
    bound_square: Array

    def sum_errors(self, noise: str = "laplace", delta: float | None = None) -> Array:
        """Return the root mean square errors of the sum, in query units, in the shape of `quantile`.

        The rest of ε and δ buy noise for the sensitivity U of the sum, whose variance is U² times that for 1:
        2U²/((1 − s)ε)² of Laplace noise. The mean of B(U)² + Var(U) is taken over the exact distribution of U. That
        holds if a person is added or removed, and if one is replaced.

        Parameters
        ----------
        noise : "laplace", "gaussian" or "truncated_laplace"; noise on the whole numbers has no such variance.
        delta : of Gaussian and truncated Laplace noise, in [1e-300, 1), 1e-6 by default; Laplace noise leaves it out.

        Examples
        --------
        >>> bounds = private_bounds(np.arange(1, 1001), epsilon=1.0, high=10_000, quantile=0.95)
        >>> bounds.sum_errors()[0, [4, 24]].round(0).tolist()  # with .1 and .5 of ε for the bound
        [9340.0, 3179.0]
        """
        option("noise", noise, CONTINUOUS_NOISES)
        rest = (1 - self.share) * self.epsilon
        unit = noise_of(noise, rest, noise_delta(noise, delta), np.ones_like(self.share)).deviation
        return np.sqrt(self.bias_square + unit**2 * self.bound_square)

    def best(self, noise: str = "laplace", delta: float | None = None) -> "PrivateBound":
        """Return the private bound of the least of the `sum_errors`.

        Examples
        --------
        >>> bounds = private_bounds(np.arange(1, 1001), epsilon=1.0, high=10_000)
        >>> bounds.best().share, bounds.best("gaussian", delta=1e-9).share
        (0.44, 0.28)
        """
        errors = self.sum_errors(noise, delta)
        row, column = np.unravel_index(int(np.argmin(errors)), errors.shape)
        return PrivateBound(float(self.share[column]), float(self.quantile[row, column]), float(errors[row, column]))


class PrivateBound(NamedTuple):
    """A private upper bound: its share of ε, the quantile at which it aims, and the error of the sum with it."""

    share: float
    quantile: float
    error: float


def private_bounds(
    values: ArrayLike, epsilon: float, high: float, quantile: float | None = None, weight: ArrayLike = 1.0
) -> PrivateBounds:
    """Return what private bounds with 49 shares of ε from .02 to .98 cut, and how large they are.

    The bounds do not depend on the noise, so that those of an ε serve all noises and δ.

    Parameters
    ----------
    values : data in [0, 1e15].
    epsilon : of the bound and of the noise together, in [1e-9, 1e6]. The bound is that of `dpcore.quantiles.sample`
        from [0, high] for neighbours "replace", which holds for both kinds.
    high : the public upper end, in (0, 1e15].
    quantile : q in [0, 1], or None for quantiles that leave a half, 1, 2, 4, … or 1024 times 1/((1 − s)ε) values above
        the bound.
    weight : how many people each value stands for, in [1, 1e12], where the values are a sample of all; one number, or
        one for each value. Large values that stand for few people keep the bias right.

    Examples
    --------
    >>> bounds = private_bounds(np.arange(1, 1001), epsilon=1.0, high=10_000)
    >>> bounds.quantile.shape, f"{bounds.best().error:.0f}"
    ((12, 49), '3054')
    """
    data = as_values(values)
    if not isinstance(data, Data):
        raise ValueError(f"values must be data, got {data.name}")
    epsilon, people = scalar("epsilon", epsilon, EPSILON_RANGE), _people(values, weight)
    refuse("values", data.sorted, data.sorted < 0, "[0, 1e15]")
    if quantile is None:
        left = np.multiply.outer(_LEFT, 1 / ((1 - _SHARES) * epsilon * people.sum()))
        quantiles = np.clip(1 - left, 0, 1)
    else:
        quantiles = np.full((1, _SHARES.size), scalar("quantile", quantile, QUANTILE_RANGE))
    own = np.broadcast_to(_SHARES * epsilon, quantiles.shape)
    means = _mean_squares(data, people, quantiles.ravel(), own.ravel(), high)
    return PrivateBounds(epsilon, _SHARES, quantiles, *(mean.reshape(quantiles.shape) for mean in means))
