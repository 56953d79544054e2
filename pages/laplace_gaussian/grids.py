"""The points at which the curves and maps of the page are computed."""

import numpy as np
from numpy.typing import ArrayLike

from dpcore import gaussian as normal
from dpcore import laplace
from dpcore.checks import Array
from dpcore.laplace_gaussian import NoisePair
from pages.framework.chart.theme import decades, round_axis_end

MAP_EPSILON, MAP_DELTA = (-3, 2), (-12, 0)


def tail_grid(noises: NoisePair, significance: float) -> Array:
    """The distances of the picture of both tails: up to where the longer one reaches 1e-6 or the significance level."""
    share = min(1e-6, significance)
    return np.linspace(0, axis_end(noises, share), 301)


def noise_grid(noises: NoisePair) -> Array:
    """The places of the pictures of densities: where all but 1 in 1000 of both noises is."""
    reach = axis_end(noises, 1e-3)
    return np.linspace(-reach, reach, 401)


def axis_end(noises: NoisePair, share: float) -> float:
    """Return the end of an axis that holds all but a share of both noises."""
    reaches = laplace.half_width(share, noises.laplace.scale), normal.half_width(share, noises.gaussian.scale)
    return round_axis_end(float(max(reaches)))


def count_grid(k: float, crossing: int) -> Array:
    """The numbers of counts of the picture: 1 to 1000, or as far as the crossover or the current number."""
    most = min(max(1000.0, 2.0 * crossing, k), 1e6)
    return np.unique(np.rint(np.geomspace(1, most, 120)))


def map_decades(epsilon: float) -> tuple[int, int]:
    """The decades of ε on the map."""
    return decades(*MAP_EPSILON, max(epsilon, 1e-12))


def distance_grid(laplace_reach: Array, sigma: ArrayLike, cutoff: float) -> Array:
    """The distances of Liu's figures: a little beyond where the last tail falls below the cutoff."""
    reaches = [float(laplace_reach), *(float(normal.half_width(cutoff, each)) for each in np.ravel(sigma))]
    return np.linspace(0, round_axis_end(1.2 * max(reaches)), 151)
