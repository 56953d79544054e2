"""The bounds of the least error, by a search over the middle and the width of their range, and a rule of thumb."""

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import ArrayLike

from dpcore.checks import (
    BOUND_RANGE,
    POSITIVE_EPSILON_RANGE,
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
from dpcore.clipping.noise import CONTINUOUS_NOISES, NOISES, WHOLE_NOISES, noise_delta
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
