"""The search for the bounds of the least error, at several ε at once: on a grid, then on ever closer ones.

Bounds and errors have an axis of ε first; a grid of bounds that serves every ε has one entry there.
"""

from collections.abc import Callable

import numpy as np

from dpcore.checks import Array
from dpcore.clipping.distributions import Data, Distribution
from dpcore.clipping.errors import count_noises, counted_of, cut_bias
from dpcore.clipping.noise import WHOLE_NOISES, Noise, half_width_about, noise_of

Sizes = Callable[[Array, Array], Array]
"""A function of lower and upper bounds; their first axis is that of ε, or has one entry."""
_HALVINGS = 40  # by which a half-width is right to 1e-12, and computed a third faster than to the last bit


def error_sizes(
    known: Distribution | Data,
    epsilon: Array,
    noise: str,
    neighbours: str,
    error: str,
    delta: float,
    significance: float,
    count_share: float | None,
) -> Sizes:
    """Return a function that gives one measure of the error of a sum, of gross bias, to 1e-12; ∞ where U ≤ L.

    With a `count_share` it is that of a mean whose n is counted. ε has one axis, and all arguments were checked before.
    Continuous noise is computed once, for a sensitivity of 1, and scaled to that of each pair of bounds.
    """
    noises: dict[int, tuple[Noise, ...]] = {}

    def unit_noises(n_axes: int) -> tuple[Noise, ...]:
        """Return the noise of the sum for a sensitivity of 1, and that of the count if there is one, computed once."""
        if n_axes not in noises:
            own = first_of(epsilon, n_axes)
            ones = np.ones_like(own)
            if count_share is not None:
                noises[n_axes] = count_noises(noise, own, delta, count_share, ones, own)
            else:
                noises[n_axes] = (noise_of(noise, own, delta, ones),)
        return noises[n_axes]

    def noise_at(step: Array) -> Noise:
        if noise in WHOLE_NOISES:
            return noise_of(noise, first_of(epsilon, step.ndim), delta, step)
        return unit_noises(step.ndim)[0].times(step)

    def size_of_sum(step: Array, cut: Array) -> Array:
        if error == "root_mean_square":
            return np.hypot(cut, noise_at(step).deviation)
        if error == "mean_absolute":
            return noise_at(step).mean_about(cut)
        return half_width_about(noise_at(step), cut, significance, _HALVINGS)

    def size_of_mean(low: Array, high: Array, half: Array, cut: Array) -> Array:
        counted = counted_of(known, low, high, cut, noise_at(half), unit_noises(half.ndim)[1])
        if error == "half_width":
            return counted.half_width(significance, _HALVINGS)
        return counted.root_mean_square_error if error == "root_mean_square" else counted.mean_absolute_error

    def sizes(low: Array, high: Array) -> Array:
        is_range, cut = high > low, cut_bias(known, low, high, "gross")
        if count_share is not None:
            own = size_of_mean(low, high, np.where(is_range, (high - low) / 2, 1.0), cut)
        elif neighbours == "replace":
            own = size_of_sum(np.where(is_range, high - low, 1.0), cut)
        else:
            own = size_of_sum(np.where(is_range, np.maximum(abs(low), abs(high)), 1.0), cut)
        return np.where(is_range, own, np.inf)

    return sizes


def first_of(values: Array, n_axes: int) -> Array:
    """Return an array of one axis as the first of so many."""
    return values.reshape(-1, *(1,) * (n_axes - 1))


_NEAREST = 1e-24  # relative: from so near to a fixed lower bound on an upper one is sought
_N_PLACES = 65
_ROUNDS = 14
_PAIR_ROUNDS = 9  # of both bounds: to 4e-6 of the distance of the neighbours on the grid
_N_WHOLE = 400


def least_on_grids(
    sizes: Sizes, n_epsilons: int, ends: tuple[float, float], free: tuple[bool, bool], is_whole: bool
) -> tuple[Array, Array]:
    """Return the bounds of the least error that is met, within two ends of which those that are not free stay."""
    low, high = (np.full(n_epsilons, end) for end in ends)
    if not any(free):
        return low, high
    grid = _grid(ends, is_whole)
    if not free[1]:
        return _least_place(lambda lower: sizes(lower, high[:1, np.newaxis]), grid[grid < ends[1]], is_whole), high
    if not free[0]:
        near = ends[0] + (ends[1] - ends[0]) * np.geomspace(_NEAREST, 1e-6, _N_PLACES)  # where ε is next to 0
        grid = grid if is_whole else np.union1d(grid, near)
        return low, _least_place(lambda upper: sizes(low[:1, np.newaxis], upper), grid[grid > ends[0]], is_whole)
    return _least_pair(sizes, grid, is_whole)


def _least_pair(sizes: Sizes, grid: Array, is_whole: bool) -> tuple[Array, Array]:
    """Return the best upper bound with its best lower one: on a grid of both, then between the neighbours of its best.

    The lower bound of each refined upper one is sought between those that are best beside it on the grid.
    """
    uppers = np.unique(np.append(grid[1:][::-3], grid[1]))
    values = sizes(grid[np.newaxis, np.newaxis], uppers[np.newaxis, :, np.newaxis])
    lowers = np.argmin(values, axis=2)
    place = np.argmin(values.min(axis=2), axis=1)[:, np.newaxis]
    beside = np.clip(place + np.arange(-1, 2), 0, uppers.size - 1)
    near = np.take_along_axis(lowers, beside, axis=1)
    lowest, highest = (grid[np.clip(edge, 0, grid.size - 1)] for edge in (near.min(axis=1) - 1, near.max(axis=1) + 1))

    def best_lower(upper: Array) -> Array:
        low, high = (np.broadcast_to(first_of(edge, upper.ndim), upper.shape) for edge in (lowest, highest))
        return _least_places(lambda lower: sizes(lower, upper[..., np.newaxis]), low, high, _PAIR_ROUNDS, is_whole)

    def of_upper(upper: Array) -> Array:
        return sizes(best_lower(upper), upper)

    best = _least_places(of_upper, uppers[beside[:, 0]], uppers[beside[:, 2]], _PAIR_ROUNDS, is_whole)
    on_grid = grid[np.take_along_axis(lowers, place, axis=1)[:, 0]], uppers[place[:, 0]]
    return better(sizes, (best_lower(best), best), on_grid)


def better(sizes: Sizes, pair: tuple[Array, Array], other: tuple[Array, Array]) -> tuple[Array, Array]:
    """Return, for each ε, the pair of bounds of the smaller error, the first one if both are equal."""
    is_other = sizes(*other) < sizes(*pair)
    return np.where(is_other, other[0], pair[0]), np.where(is_other, other[1], pair[1])


def _grid(ends: tuple[float, float], is_whole: bool) -> Array:
    """Return places between two ends, in proportion and in logarithms from either end."""
    first, last = ends
    inside = (last - first) * np.concatenate([np.linspace(0, 1, _N_PLACES), np.geomspace(1e-6, 1, _N_PLACES)])
    grid = np.concatenate([first + inside, last - inside])
    grid = np.unique(np.rint(grid) if is_whole else grid)
    return grid[np.append(True, np.diff(grid) > 1e-9 * (last - first))]  # equal places differ by rounding


def _least_place(size: Callable[[Array], Array], grid: Array, is_whole: bool) -> Array:
    """Return the place of the least value that is met between the neighbours of the best place of a grid."""
    values = size(grid[np.newaxis])
    place = np.argmin(values, axis=1)
    low, high = grid[np.maximum(place - 1, 0)], grid[np.minimum(place + 1, grid.size - 1)]
    if is_whole:
        return _least_whole(size, low, high)
    between = _least_places(size, low, high, _ROUNDS)
    is_better = size(between[:, np.newaxis])[:, 0] < values[np.arange(place.size), place]
    return np.where(is_better, between, grid[place])


def _least_whole(size: Callable[[Array], Array], low: Array, high: Array) -> Array:
    """Return the whole number of the least value: of 400 or all, and then between the neighbours of the best."""
    while True:
        whole = np.rint(np.linspace(low, high, _N_WHOLE, axis=1))
        place = np.argmin(size(whole), axis=1)[:, np.newaxis]
        if np.all(high - low < _N_WHOLE - 1):  # all are met
            return np.take_along_axis(whole, place, axis=1)[:, 0]
        near = np.maximum(place - 1, 0), np.minimum(place + 1, _N_WHOLE - 1)
        low, high = (np.take_along_axis(whole, edge, axis=1)[:, 0] for edge in near)


def _least_places(
    size: Callable[[Array], Array], low: Array, high: Array, rounds: int, is_whole: bool = False
) -> Array:
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
