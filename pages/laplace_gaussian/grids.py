"""The points at which the curves and maps of the page are computed."""

import numpy as np

from dpcore import gaussian, laplace
from dpcore.checks import Array
from dpcore.laplace_gaussian import NoisePair
from pages.framework.chart.theme import compact, decades, round_axis_end

MAP_EPSILON, MAP_DELTA = (-3, 2), (-12, 0)
_MOST_DELTA = 1 - 2.0**-20


def tail_grid(noises: NoisePair, significance: float) -> Array:
    """Return the distances of both tails: up to where the longer one reaches 1e-6 or the significance level."""
    share = min(1e-6, significance)
    return np.linspace(0, axis_end(noises, share), 301)


def noise_grid(noises: NoisePair) -> Array:
    """Return the x of the densities: all but 1 in 1000 of both noises lie between them."""
    end = axis_end(noises, 1e-3)
    return np.linspace(-end, end, 401)


def axis_end(noises: NoisePair, share: float) -> float:
    """Return the end of an axis that holds all but a share of both noises."""
    half_widths = laplace.half_width(share, noises.laplace.scale), gaussian.half_width(share, noises.gaussian.scale)
    return round_axis_end(float(max(half_widths)))


def count_grid(k: float, crossing: int) -> Array:
    """Return the numbers of counts: 1 to 1000, or as far as the crossover or the current number."""
    most = min(max(1000.0, 2.0 * crossing, k), 1e6)
    return np.unique(np.rint(np.geomspace(1, most, 120)))


def map_decades(epsilon: float) -> tuple[int, int]:
    """Return the decades of ε on the map."""
    return decades(*MAP_EPSILON, max(epsilon, 1e-12))


def map_deltas(delta: float) -> Array:
    """Return the δ along the height of the map, in the precision in which they are drawn."""
    deltas = np.logspace(*decades(*MAP_DELTA, delta), 49)
    return compact(np.minimum(deltas, _MOST_DELTA)).astype(np.float64)
