"""The bounds of the least error, and a rule of thumb for them."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from dpcore.checks import BOUND_RANGE, POSITIVE_EPSILON_RANGE, Array, option, refuse, scalar
from dpcore.clipping._by_width import least_by_width
from dpcore.clipping.distributions import Data, Distribution, as_values
from dpcore.clipping.errors import ClippingError, sum_error
from dpcore.clipping.means import error_size, mean_error
from dpcore.clipping.noise import NOISES, WHOLE_NOISES
from dpcore.sensitivity import NEIGHBOURS

ERRORS = ("root_mean_square", "mean_absolute", "half_width")
_FIELDS = {
    "root_mean_square": "root_mean_square_error",
    "mean_absolute": "mean_absolute_error",
    "half_width": "half_width",
}
_NEAREST = 1e-24  # relative: from so near to a fixed lower bound on an upper one is sought
_N_PLACES = 65
_ROUNDS = 14
_PAIR_ROUNDS = 9  # of both bounds: to 4e-6 of the distance of the neighbours on the grid
_N_WHOLE = 400


@dataclass(frozen=True)
class BestBounds:
    """The bounds of the least error, in query units.

    Attributes
    ----------
    low, high : the bounds.
    bias, noise_scale, root_mean_square_error, mean_absolute_error, half_width, n_clipped : as in `ClippingError`.
    extreme_low, extreme_high : the least and the greatest value, where they are not fixed: nothing is cut by them.
    extreme_error : the error at these bounds, by the measure that was chosen.
    gain : `extreme_error` over the least error; 1 means that nothing is won by clipping;
        infinite where the least error is 0 and this one is not, as of geometric noise at huge ε.
    """

    low: float
    high: float
    bias: float
    noise_scale: float
    root_mean_square_error: float
    mean_absolute_error: float
    half_width: float
    n_clipped: float
    extreme_low: float
    extreme_high: float
    extreme_error: float
    gain: float


def best_bounds(
    values: ArrayLike | Distribution | Data,
    epsilon: float,
    low: float | None = None,
    high: float | None = None,
    noise: str = "laplace",
    neighbours: str = "add_remove",
    error: str = "root_mean_square",
    delta: float = 1e-6,
    significance: float = 0.05,
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
    epsilon : in [1e-12, 1e6].
    low, high : a bound that is given stays; None to seek it.
    noise, neighbours, delta, significance : as in `dpcore.clipping.sum_error`; whole bounds for whole noise.
    error : the measure: one of `ERRORS`.
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
    option("noise", noise, NOISES)
    option("neighbours", neighbours, NEIGHBOURS)
    option("error", error, ERRORS)
    epsilon = scalar("epsilon", epsilon, POSITIVE_EPSILON_RANGE)
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
    options = epsilon, noise, neighbours, delta, significance, "gross"

    def size(lower: ArrayLike, upper: ArrayLike) -> Array:
        return error_size(error, known, lower, upper, *options, count_share)

    wider = 9 * (last - first) * isinstance(known, Distribution)  # more may be kept than n values reach on average
    ends = first - wider * free[0], last + wider * free[1]
    best = _least(size, (np.rint(ends[0]), np.rint(ends[1])) if is_whole else ends, free, is_whole)
    if all(free):
        is_moved_from_0 = neighbours == "add_remove" and count_share is None
        inner = (min(first, 0.0), max(last, 0.0)) if is_moved_from_0 else (first, last)
        best = min(best, least_by_width(size, inner, is_whole), key=lambda pair: float(size(*pair)))
    if count_share is None:
        chosen = sum_error(known, *best, *options)
    else:
        chosen = mean_error(known, *best, *options, count_share)
    return _record(chosen, error, (first, last), float(size(first, last)))


def _record(chosen: ClippingError, error: str, extremes: tuple[float, float], extreme: float) -> BestBounds:
    least = float(getattr(chosen, _FIELDS[error]))
    return BestBounds(
        low=float(chosen.low),
        high=float(chosen.high),
        bias=float(chosen.bias),
        noise_scale=float(chosen.noise_scale),
        root_mean_square_error=float(chosen.root_mean_square_error),
        mean_absolute_error=float(chosen.mean_absolute_error),
        half_width=float(chosen.half_width),
        n_clipped=float(chosen.n_clipped),
        extreme_low=extremes[0],
        extreme_high=extremes[1],
        extreme_error=extreme,
        gain=extreme / least if least > 0 else 1.0 if extreme == 0 else np.inf,
    )


def _least(
    size: Callable[[ArrayLike, ArrayLike], Array], ends: tuple[float, float], free: tuple[bool, bool], is_whole: bool
) -> tuple[float, float]:
    """Return the bounds of the least error that is met."""
    low, high = ends
    if not any(free):
        return ends
    grid = _grid(ends, is_whole)
    if not free[1]:
        return _least_place(lambda lower: size(lower, high), grid[grid < high], is_whole), high
    if not free[0]:
        near = low + (high - low) * np.geomspace(_NEAREST, 1e-6, _N_PLACES)  # where ε is next to 0
        grid = grid if is_whole else np.union1d(grid, near)
        return low, _least_place(partial(size, low), grid[grid > low], is_whole)
    return _least_pair(size, grid, is_whole)


def _least_pair(size: Callable[[ArrayLike, ArrayLike], Array], grid: Array, is_whole: bool) -> tuple[float, float]:
    """Return the best upper bound with its best lower one: on a grid of both, then between the neighbours of its best.

    The lower bound of each refined upper one is sought between those that are best beside it on the grid.
    """

    def sizes(lower: Array, upper: Array) -> Array:
        values = np.full(np.broadcast_shapes(lower.shape, upper.shape), np.inf)
        lower, upper = np.broadcast_arrays(lower, upper)
        is_range = lower < upper
        values[is_range] = size(lower[is_range], upper[is_range])
        return values

    uppers = np.unique(np.append(grid[1:][::-3], grid[1]))
    values = sizes(grid, uppers[:, np.newaxis])
    place = int(np.argmin(values.min(axis=1)))
    beside = slice(max(place - 1, 0), place + 2)
    near = np.argmin(values[beside], axis=1)
    lowest, highest = grid[max(near.min() - 1, 0)], grid[min(near.max() + 1, grid.size - 1)]

    def best_lower(upper: Array) -> Array:
        low, high = np.full(upper.shape, lowest), np.full(upper.shape, highest)
        return _refined(lambda lower: sizes(lower, upper[..., np.newaxis]), low, high, _PAIR_ROUNDS, is_whole)

    def of_upper(upper: Array) -> Array:
        return sizes(best_lower(upper), upper)

    refined = _refined(of_upper, uppers[beside][0], uppers[beside][-1], _PAIR_ROUNDS, is_whole)
    pairs = (best_lower(refined), refined), (grid[np.argmin(values[place])], uppers[place])
    low, high = min(pairs, key=lambda pair: float(sizes(*pair)))
    return float(low), float(high)


def _grid(ends: tuple[float, float], is_whole: bool) -> Array:
    """Return places between two ends, in proportion and in logarithms from either end."""
    first, last = ends
    inside = (last - first) * np.concatenate([np.linspace(0, 1, _N_PLACES), np.geomspace(1e-6, 1, _N_PLACES)])
    grid = np.concatenate([first + inside, last - inside])
    grid = np.unique(np.rint(grid) if is_whole else grid)
    return grid[np.append(True, np.diff(grid) > 1e-9 * (last - first))]  # equal places differ by rounding


def _least_place(size: Callable[[ArrayLike], Array], grid: Array, is_whole: bool) -> float:
    """Return the place of the least value that is met between the neighbours of the best place of a grid."""
    values = size(grid)
    place = int(np.argmin(values))
    low, high = float(grid[max(place - 1, 0)]), float(grid[min(place + 1, grid.size - 1)])
    if is_whole:
        return _least_whole(size, low, high)
    refined = float(_refined(size, np.array(low), np.array(high), _ROUNDS))
    return refined if float(size(refined)) < float(values[place]) else float(grid[place])


def _least_whole(size: Callable[[ArrayLike], Array], low: float, high: float) -> float:
    """Return the whole number of the least value: of 400 or all, and then between the neighbours of the best."""
    while True:
        whole = np.unique(np.rint(np.linspace(low, high, _N_WHOLE)))
        place = int(np.argmin(size(whole)))
        if whole.size < _N_WHOLE:
            return float(whole[place])
        low, high = float(whole[max(place - 1, 0)]), float(whole[min(place + 1, whole.size - 1)])


def _refined(size: Callable[[Array], Array], low: Array, high: Array, rounds: int, is_whole: bool = False) -> Array:
    """Return the places of the least values on grids of nine places, each between neighbours of the last one's best.

    The width falls to a quarter in each round: in 14 to 4e-9 of the first. `size` has an axis of places added.
    """
    least = low
    for _ in range(rounds):
        places = np.linspace(low, high, 9, axis=-1)
        places = np.rint(places) if is_whole else places
        best = np.argmin(size(places), axis=-1)[..., np.newaxis]
        near = np.maximum(best - 1, 0), best, np.minimum(best + 1, 8)
        low, least, high = (np.take_along_axis(places, place, axis=-1)[..., 0] for place in near)
        if is_whole and np.all(high - low <= 2):
            break
    return least
