"""The ε at which the δ of a sum of losses on a grid is a wanted one, and about what cells and rounding add to it."""

import math

import numpy as np

from dpcore.checks import Array
from dpcore.composition.transforms import TiltedSum
from dpcore.rounding import round_sum_up

_FEW_PLACES = 1024  # at which δ is computed at once to see where it crosses a value


def crossing(total: TiltedSum, delta: float, log_left: float) -> tuple[int, float]:
    """Return a place at which δ exceeds the target, and the ε after it at which δ, linear in e^ε, reaches the target.

    As the true δ falls with ε, any place will do after which its bound is no more than wanted. It is sought among
    places far apart, and then beside the last of these that is above.
    """
    width, n_cells = total.tilt.interval, total.tilt.n_cells
    place, n_places = math.ceil(total.highest(log_left) / width) + n_cells // 16 - n_cells, n_cells
    values, index = np.ones(1), 0  # no δ is above 1, as for the place before the circle
    for apart in (max(n_cells // _FEW_PLACES, 1), 1):
        values = np.append(values[index], total.delta(place + apart * np.arange(1, n_places // apart + 1)))
        index = int(np.flatnonzero(values > delta)[-1])
        place, n_places = place + apart * index, apart
    share = (delta - values[index + 1]) / (values[index] - values[index + 1])
    end = float(place + 1) * width
    end, size = end + total.below, abs(end) + width + total.below
    epsilon = round_sum_up(end + math.log1p(share * math.expm1(-width)), size, 8)
    return place, epsilon


def estimated_epsilons(total: TiltedSum, place: int, delta: float) -> tuple[float, float, float]:
    """Return the ε at which δ less an estimated excess is the wanted one,
    sought downwards from where the bound crosses it.

    The excess is what the cells made δ too large by, then what may be rounding of the transforms, then both. It is
    taken off at every place and not by the slope at one, as either may be most of δ where that falls steeply.
    """
    width, reach, most = total.tilt.interval, 64, total.tilt.n_cells - 8
    while True:
        reach = min(reach, most)
        places = place + 2 - max(reach // _FEW_PLACES, 1) * np.arange(min(reach, _FEW_PLACES) + 3)[::-1]
        at = places.astype(np.float64) * width
        bound, rounding = total.delta(places), total.unsure(at)
        risen = np.maximum(total.rise * total.density(places) / width, total.bend(at))
        if np.any((bound - risen - rounding)[:-1] >= delta) or at[0] <= 0 or reach == most:
            cells, both, roundings = (
                _last_crossing(at, bound - excess, delta) for excess in (risen, risen + rounding, rounding)
            )
            return cells, roundings, both
        reach *= 16


def _last_crossing(at: Array, values: Array, delta: float) -> float:
    """Return the largest ε ≥ 0 at which values that are linear in e^ε between equally spaced places reach δ;
    0 if none do.
    """
    enough = np.flatnonzero(values[:-1] >= delta)
    if not enough.size:
        return 0.0
    last = int(enough[-1])
    share = (delta - values[last + 1]) / (values[last] - values[last + 1])
    return max(float(at[last + 1]) + math.log1p(share * math.expm1(at[last] - at[last + 1])), 0.0)
