"""Limits on the work for several statistics, which is estimated from the parameters before it starts.

A run of the page may take two seconds of processor time: less than one for the curves of Proposition 8, and less than
one, on an idle machine, for the paper's Monte Carlo, if it is on.
"""

import math
from dataclasses import dataclass

import numpy as np

from dpcore.checks import Array, interval_bounds

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
