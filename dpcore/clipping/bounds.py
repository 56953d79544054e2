"""The bounds of the least error, and a rule of thumb for them."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from dpcore.checks import BOUND_RANGE, POSITIVE_EPSILON_RANGE, Array, number, option, refuse, scalar
from dpcore.clipping.distributions import Data, Distribution, as_values
from dpcore.clipping.errors import NOISES, WHOLE_NOISES, ClippingError, error_size, sum_error
from dpcore.roots import bisect
from dpcore.sensitivity import NEIGHBOURS

ERRORS = ("root_mean_square", "mean_absolute", "half_width")
_FIELDS = {
    "root_mean_square": "root_mean_square_error",
    "mean_absolute": "mean_absolute_error",
    "half_width": "half_width",
}
_N_PLACES = 65
_ROUNDS = 14
_N_WHOLE = 400
_MOST_VALUE = 1e15


@dataclass(frozen=True)
class BestBounds:
    """The bounds of the least error, in query units.

    Attributes
    ----------
    low, high : the bounds.
    bias, noise_scale, root_mean_square_error, mean_absolute_error, half_width, n_clipped : as in `ClippingError`.
    extreme_low, extreme_high : the least and the greatest value, where they are not fixed: nothing is cut by them.
    extreme_error : the error at these bounds, by the measure that was chosen.
    gain : `extreme_error` over the least error; 1 means that nothing is won by clipping.
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
) -> BestBounds:
    """Return the bounds at which the error of a clipped sum is least.

    A bound is sought on a grid between the extreme values and refined on ever closer grids; of two, the upper one with
    the best lower one of each. Where both are sought, all that is cut counts in full, Σ|clip(x) − x|: that the cuts of
    both sides cancel is an accident of these values, by which the two bounds would meet at their mean.
    With Laplace noise, L = 0 and nothing cut below, the derivative in U of B² + 2U²/ε² vanishes where
    n_above · |B| = 2U/ε² (own). The bounds depend on the values: for confidential data they are not private.

    Parameters
    ----------
    values : data in [−1e15, 1e15], or a `Distribution`, whose extreme values are those beyond which one is expected.
    epsilon : in [1e-12, 1e6].
    low, high : a bound that is given stays; None to seek it.
    noise, neighbours, delta, significance : as in `dpcore.clipping.sum_error`; whole bounds for whole noise.
    error : the measure: one of `ERRORS`.

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
    options = (epsilon, noise, neighbours, delta, significance)

    def size(lower: ArrayLike, upper: ArrayLike) -> Array:
        return error_size(error, known, lower, upper, *options, both=all(free))

    wider = 9 * (last - first) * isinstance(known, Distribution)  # more may be kept than n values reach on average
    ends = first - wider * free[0], last + wider * free[1]
    best = _least(size, (np.rint(ends[0]), np.rint(ends[1])) if is_whole else ends, free, is_whole)
    return _record(sum_error(known, *best, *options), error, (first, last), float(size(first, last)))


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
        gain=extreme / least,
    )


def _least(
    size: Callable[[ArrayLike, ArrayLike], Array], ends: tuple[float, float], free: tuple[bool, bool], is_whole: bool
) -> tuple[float, float]:
    """Return the bounds of the least error that is met: the free one, or the best upper one with its best lower one."""
    low, high = ends
    if not any(free):
        return ends

    def lower(upper: float) -> float:
        grid = _grid((low, upper), is_whole)
        return _least_place(lambda bound: size(bound, upper), grid[grid < upper], is_whole)

    if not free[1]:
        return lower(high), high
    grid = _grid(ends, is_whole)
    if not free[0]:
        return low, _least_place(partial(size, low), grid[grid > low], is_whole)

    def of_upper(upper: ArrayLike) -> Array:
        return np.array([float(size(lower(bound), bound)) for bound in np.ravel(upper).tolist()]).reshape(
            np.shape(upper)
        )

    best = _least_place(of_upper, grid[grid > low][:: 1 if is_whole else 3], is_whole)
    return lower(best), best


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
    refined = _refined(size, low, high)
    return refined if float(size(refined)) < float(values[place]) else float(grid[place])


def _least_whole(size: Callable[[ArrayLike], Array], low: float, high: float) -> float:
    """Return the whole number of the least value: of 400 or all, and then between the neighbours of the best."""
    while True:
        whole = np.unique(np.rint(np.linspace(low, high, _N_WHOLE)))
        place = int(np.argmin(size(whole)))
        if whole.size < _N_WHOLE:
            return float(whole[place])
        low, high = float(whole[max(place - 1, 0)]), float(whole[min(place + 1, whole.size - 1)])


def _refined(size: Callable[[ArrayLike], Array], low: float, high: float) -> float:
    """Return the place of the least value on grids of nine places, of which each lies between neighbours of the last.

    The width falls to a quarter in each round, to 4e-9 of the first.
    """
    least = low
    for _ in range(_ROUNDS):
        places = np.linspace(low, high, 9)
        place = int(np.argmin(size(places)))
        low, least, high = (float(places[near]) for near in (max(place - 1, 0), place, min(place + 1, 8)))
    return least


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
    return bisect(lambda bound: known.n_above(bound) <= 1 / epsilon, shape + 1e-9 * greatest, shape + most, 60)[1][()]
