"""The search for two bounds at once by the middle and the width of their range."""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from dpcore.checks import BOUND_RANGE, Array, interval_bounds

_LEAST_BOUND, _MOST_BOUND = interval_bounds(BOUND_RANGE)
_N_MIDDLES = 33
_LOG_WIDTHS = np.arange(-14.0, 2.0, 0.6)  # of the width over the distance of the extremes
_ROUNDS = 8  # in which the steps halve: to 1/8192 of the distance of the extremes, and 0.3 % of the width


def least_by_width(
    size: Callable[[ArrayLike, ArrayLike], Array], extremes: tuple[float, float], is_whole: bool
) -> tuple[float, float]:
    """Return the best range by its middle and its width: on a grid of both, then on smaller ones about the best.

    It is found also where it is narrow, as that of few values beside much noise, or far from both ends.
    """
    span, offsets = extremes[1] - extremes[0], np.arange(-2, 3)
    middle, log_width = np.meshgrid(np.linspace(*extremes, _N_MIDDLES), _LOG_WIDTHS)
    steps = np.array([span / (_N_MIDDLES - 1), _LOG_WIDTHS[1] - _LOG_WIDTHS[0]])
    best = extremes
    for _ in range(_ROUNDS):
        lower, upper = _ranges(middle, span * np.exp(log_width), is_whole)
        place = np.unravel_index(int(np.argmin(size(lower, upper))), lower.shape)
        best, steps = (float(lower[place]), float(upper[place])), steps / 2
        middle, log_width = np.meshgrid(middle[place] + offsets * steps[0], log_width[place] + offsets * steps[1])
    return best


def _ranges(middle: Array, width: Array, is_whole: bool) -> tuple[Array, Array]:
    """Return lower and upper bounds within the domain, the upper ones above the lower ones."""
    lower = np.clip(middle - width / 2, _LEAST_BOUND, 0.999 * _MOST_BOUND)
    upper = np.minimum(middle + width / 2, _MOST_BOUND)
    if is_whole:
        lower = np.rint(lower)
        return lower, np.maximum(np.rint(upper), lower + 1)
    return lower, np.maximum(upper, np.nextafter(lower, np.inf))
