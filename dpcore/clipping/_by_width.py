"""The search for two bounds at once by the middle and the width of their range."""

import numpy as np

from dpcore.checks import BOUND_RANGE, Array, interval_bounds
from dpcore.clipping._error_sizes import Sizes

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
