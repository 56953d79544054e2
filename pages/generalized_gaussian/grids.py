"""The points at which the curves and maps of the page are computed."""

import math

import numpy as np

from dpcore.checks import Array
from dpcore.generalized_gaussian.optimal_shape import MOST_P
from pages.framework.chart.theme import decades

EPSILON, DELTA = (-2, 2), (-12, 0)
_MOST_DELTA = math.log10(0.9)
PROFILE_EPSILON = -2, 1
MAP_EPSILON, MAP_DELTA = (-3, 1), (-12.0, math.log10(0.5))


def curve_grids(epsilon: float, delta: float) -> dict[str, Array]:
    """Return the p, ε and δ of the curves of one statistic; p is dense next to 1."""
    return {
        "p": np.exp(np.linspace(0, math.sqrt(math.log(MOST_P)), 81) ** 2),
        "epsilon": np.logspace(*decades(*EPSILON, max(epsilon, 1e-12)), 81),
        "delta": np.logspace(decades(*DELTA, delta)[0], _MOST_DELTA, 81),
    }


def coarse_grids(epsilon: float, delta: float, p: float) -> dict[str, Array]:
    """Return the p, ε and δ of several statistics, each point of which takes tens of milliseconds."""
    return {
        "p": np.array(sorted({1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 6.0, 8.0, p})),
        "epsilon": np.logspace(*decades(*EPSILON, epsilon), 9),
        "delta": np.append(np.logspace(decades(*DELTA, delta)[0], -3, 4), (0.01, 0.05, 0.2, 0.9)),
    }


def profile_ends(epsilon: float, delta: float) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return the decades of ε and of δ that the privacy profiles show."""
    return decades(*PROFILE_EPSILON, epsilon), decades(*DELTA, delta)


def profile_grid(epsilon: float) -> Array:
    """Return the ε of the privacy profiles, with the one of the setting."""
    grid = np.logspace(*decades(*PROFILE_EPSILON, epsilon), 601)
    return np.unique(np.append(grid, epsilon)) if epsilon > 0 else grid


def map_grid() -> tuple[Array, Array]:
    """Return the ε and δ of the map; δ is dense where the best p may exceed 1."""
    delta = np.append(np.logspace(MAP_DELTA[0], -6, 12)[:-1], np.logspace(-6, MAP_DELTA[1], 110))
    return np.logspace(*MAP_EPSILON, 61), delta


def floor_grids() -> tuple[Array, Array]:
    """Return the ε and δ at which noise of any shape is compared; from δ = 0.001 on each takes a linear program."""
    return np.logspace(-2, 1, 25), np.append(np.logspace(-9, -1, 17), (0.15, 0.2, 0.27, 0.35, 0.42, 0.5))


def remaining_grid() -> tuple[Array, Array]:
    """Return the ε and δ of the map of what the best p leaves, over the same ranges; δ is dense where it matters."""
    delta = np.append(np.logspace(MAP_DELTA[0], -6, 5)[:-1], np.logspace(-6, MAP_DELTA[1], 30))
    return np.logspace(*MAP_EPSILON, 31), delta


def best_grid(epsilon: float) -> tuple[float, ...]:
    """Return the ε of the curves of the best p."""
    return tuple(np.logspace(*decades(*MAP_EPSILON, max(epsilon, 1e-12)), 81))


def place_grid(scale: dict[str, float], value: float, low: float, high: float) -> Array:
    """Return the x of the densities: from bound to bound, dense around the true value if the noise is small."""
    near = np.linspace(-4, 4, 65)
    around = [value + min(b, high - low) * near for b in scale.values()]
    return np.unique(np.clip(np.concatenate([np.linspace(low, high, 161), *around]), low, high))
