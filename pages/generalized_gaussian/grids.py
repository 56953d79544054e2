"""The points at which curves and maps are computed, how many several statistics allow, and their axes and shades.

A run of the page may take two seconds of processor time: less than one for the curves of Proposition 8, and less than
one, on an idle machine, for the paper's Monte Carlo, if it is on. The work is estimated before it starts.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpcore.checks import Array, interval_bounds
from dpcore.generalized_gaussian.optimal_shape import MOST_P
from pages.framework.chart.theme import decades, hover_head, log_axis
from pages.framework.export.exhibit import Colours

EPSILON, DELTA = (-2, 2), (-12, 0)
_MOST_DELTA = math.log10(0.9)
PROFILE_EPSILON = -2, 1
MAP_EPSILON, MAP_DELTA = (-3, 1), (-12.0, math.log10(0.5))


def curve_grids(epsilon: float, delta: float) -> dict[str, Array]:
    """Return the p, ε and δ of the curves of one statistic; p and δ are dense next to 1."""
    return {
        "p": np.exp(np.linspace(0, math.sqrt(math.log(MOST_P)), 81) ** 2),
        "epsilon": np.logspace(*decades(*EPSILON, max(epsilon, 1e-12)), 81),
        "delta": np.append(np.logspace(decades(*DELTA, delta)[0], -1, 57)[:-1], np.logspace(-1, _MOST_DELTA, 33)),
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


def profile_grid(epsilon: float, ends: Array) -> Array:
    """Return the ε of the privacy profiles, with the one of the setting; dense below those at which some fall to 0."""
    grid = np.logspace(*decades(*PROFILE_EPSILON, epsilon), 601)
    falls = (ends[:, None] * (1 - np.append(np.geomspace(0.04, 5e-4, 18), 1e-9))).ravel()
    falls = falls[(falls >= grid[0]) & (falls <= grid[-1])]
    return np.unique(np.concatenate([grid, falls, [epsilon] if epsilon > 0 else []]))


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


MOST_WEIGHT = 60.0  # of all points of the curves; a unit takes about 15 ms, rarely more than 30
DRAWS_RANGE = "[1e4, 1e6]"
_MOST_STEP = 4
_DRAWS_IN_CACHE = 30_000  # up to so many draws each one costs a third
_MOST_TERMS, _MOST_TERMS_IN_CACHE = 2.2e7, 6.6e7  # simulated losses in about a second
_N_STEPS = 180  # bisections of a simulated point
_SIMULATED_VALUES = {"p": (2.0, 3.0, 4.0), "epsilon": (0.1, 0.5, 2.0, 10.0), "delta": (0.001, 0.01, 0.05, 0.2)}
N_SIMULATED_POINTS = sum(len(values) for values in _SIMULATED_VALUES.values())


@dataclass(frozen=True)
class SimulatedPoint:
    """A simulated point of the scale curves: its parameters, and which of them the curve varies."""

    varied: str
    epsilon: float
    delta: float
    p: float


def point_weight(delta: Array, p: Array, n_statistics: int) -> Array:
    """Return the time of the b of several statistics, in units of a further statistic at an ordinary p and δ.

    Tails are not smooth for large p and next to p = 1, which itself has a closed form; for a tiny δ they are long.
    """
    effort = np.where((p < 2) | (p > 8), 4, 1) * (p > 1)
    return (n_statistics - 1) * effort * (1 - np.log(delta) / 1500)


def curves_weight(grids: dict[str, Array], delta: float, p: float, n_statistics: int) -> float:
    """Return the time of all points of the curves."""
    total = 0.0
    for key, grid in grids.items():
        over = {"delta": np.full(grid.size, delta), "p": np.full(grid.size, p), key: grid}
        total += float(np.sum(point_weight(over["delta"], over["p"], n_statistics)))
    return total


def affordable_grids(grids: dict[str, Array], delta: float, p: float, n_statistics: int) -> dict[str, Array]:
    """Return the grids of the curves over p, ε and δ, with fewer points if all of them would take too long.

    At first every second, third or fourth point remains, with the ends and the chosen p; then whole curves go.
    """
    thinned = grids
    for step in range(2, _MOST_STEP + 1):
        if curves_weight(thinned, delta, p, n_statistics) <= MOST_WEIGHT:
            return thinned
        thinned = {key: np.union1d(grid[::step], grid[-1]) for key, grid in grids.items()}
        thinned["p"] = np.union1d(thinned["p"], p)
    while curves_weight(thinned, delta, p, n_statistics) > MOST_WEIGHT:
        thinned.popitem()
    return thinned


def simulated_points(epsilon: float, delta: float, p: float, draws: float) -> list[SimulatedPoint]:
    """Return the points where so many draws are enough: at least ten violate the guarantee, and ten satisfy it."""
    at = {"epsilon": epsilon, "delta": delta, "p": p}
    step = [SimulatedPoint(key, **(at | {key: value})) for key, values in _SIMULATED_VALUES.items() for value in values]
    return [point for point in step if 10 / draws <= point.delta <= 1 - 10 / draws]


def most_draws(n_points: int, n_statistics: int) -> float:
    """Return the most draws of a simulated point, in thousands; the least may still be too many for all points."""
    of_one = _N_STEPS * n_statistics * n_points
    many, few = _MOST_TERMS / of_one, min(_MOST_TERMS_IN_CACHE / of_one, _DRAWS_IN_CACHE)
    return max(max(many, few) // 1000 * 1000, interval_bounds(DRAWS_RANGE)[0])


def affordable_points(points: list[SimulatedPoint], draws: float, n_statistics: int) -> list[SimulatedPoint]:
    """Return every point or, where that takes too long, every second, third or further one."""
    terms = _N_STEPS * draws * n_statistics * len(points)
    return points[:: max(1, math.ceil(terms / (_MOST_TERMS_IN_CACHE if draws <= _DRAWS_IN_CACHE else _MOST_TERMS)))]


DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot", "6px,2px", "2px,4px")
_SHAPE_MARKS = (1, 2, 4, 8, 16, 32, 64)


# The ends of one scale for p or δ, by the theme's purple, from light to dark or, on a dark page, from dark to light.
_SHADE_ENDS = {"#8A3C9E": ("#C58BD8", "#4A1259"), "#D79BEA": ("#8C5AA3", "#F6E3FD")}


def mixed_shade(share: float, colours: Colours) -> str:
    """Return a shade between the two ends of the scale of p."""
    ends = [[int(end[place : place + 2], 16) for place in (1, 3, 5)] for end in _SHADE_ENDS[colours["purple"]]]
    return "#" + "".join(f"{round(first + share * (last - first)):02x}" for first, last in zip(*ends, strict=True))


def shape_axis(label: str, most: float) -> dict[str, Any]:
    """Return a log axis of shapes from 1 on."""
    marks = tuple(mark for mark in _SHAPE_MARKS if mark <= most * 1.001)
    return log_axis(label, 0, 2, marks=marks) | {"range": [0, math.log10(most)]} | hover_head("p")


SYMBOLS = {"p": "p", "epsilon": "ε", "delta": "δ"}


def parameter_axis(x: str, places: Array) -> dict[str, Any]:
    """Return the axis of p, ε or δ."""
    if x == "p":
        return shape_axis("shape p", float(places[-1]))
    label = "privacy loss parameter ε (nats)" if x == "epsilon" else "δ"
    low, high = math.floor(math.log10(places[0]) + 1e-9), math.ceil(math.log10(places[-1]) - 1e-9)
    return log_axis(label, low, high) | hover_head(SYMBOLS[x])
