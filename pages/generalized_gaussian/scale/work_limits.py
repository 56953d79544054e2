"""How much of several statistics a page computes: work is weighed from the parameters before it is begun.

A run of the page may take two seconds of processor time. Less than one is for the curves of Proposition 8, and less
than one, on an idle machine, for the paper's Monte Carlo beside them, where it is asked for.
"""

import math
from dataclasses import dataclass

import numpy as np

from dpcore.checks import Array, ends

MOST_WEIGHT = 60.0  # of the points of the curves: each unit takes some 15 ms, seldom more than 30
DRAWS_RANGE = "[1e4, 1e6]"
_MOST_THINNED = 4
_IN_CACHE = 30_000  # so many draws at a time cost a third each
_MOST_TERMS, _MOST_IN_CACHE = 2.2e7, 6.6e7  # of the simulated losses, about a second of them
_N_STEPS = 180  # of the bisections of a simulated point
_SIMULATED = {"p": (2.0, 3.0, 4.0), "epsilon": (0.1, 0.5, 2.0, 10.0), "delta": (0.001, 0.01, 0.05, 0.2)}


N_SIMULATED_POINTS = sum(len(values) for values in _SIMULATED.values())


@dataclass(frozen=True)
class SimulatedPoint:
    """A simulated point of the scale curves: the quantity that its curve varies, and where it is."""

    varied: str
    epsilon: float
    delta: float
    p: float


def point_weight(delta: Array, p: Array, n_statistics: int) -> Array:
    """How long the b of several statistics takes at most, in units of one more of them at an ordinary p and δ.

    Next to p = 1, which itself has a closed form, and for large p tails are not smooth; for tiny δ they are long.
    """
    rough = np.where((p < 2) | (p > 8), 4, 1) * (p > 1)
    return (n_statistics - 1) * rough * (1 - np.log(delta) / 1500)


def curves_weight(grids: dict[str, Array], delta: float, p: float, n_statistics: int) -> float:
    """How long all points of the curves take together."""
    total = 0.0
    for key, grid in grids.items():
        over = {"delta": np.full(grid.size, delta), "p": np.full(grid.size, p), key: grid}
        total += float(np.sum(point_weight(over["delta"], over["p"], n_statistics)))
    return total


def affordable_grids(grids: dict[str, Array], delta: float, p: float, n_statistics: int) -> dict[str, Array]:
    """The grids of the curves over p, ε and δ or, if all points would take too long, fewer of them.

    First every second, third or fourth point is kept, with the ends and the chosen p; then whole curves are left out.
    """
    kept = grids
    for every in range(2, _MOST_THINNED + 1):
        if curves_weight(kept, delta, p, n_statistics) <= MOST_WEIGHT:
            return kept
        kept = {key: np.union1d(grid[::every], grid[-1]) for key, grid in grids.items()}
        kept["p"] = np.union1d(kept["p"], p)
    while curves_weight(kept, delta, p, n_statistics) > MOST_WEIGHT:
        kept.popitem()
    return kept


def simulated_points(epsilon: float, delta: float, p: float, draws: float) -> list[SimulatedPoint]:
    """Where so many draws are enough: at least ten of them break the promise, and ten keep it."""
    at = {"epsilon": epsilon, "delta": delta, "p": p}
    every = [SimulatedPoint(key, **(at | {key: value})) for key, values in _SIMULATED.items() for value in values]
    return [place for place in every if 10 / draws <= place.delta <= 1 - 10 / draws]


def most_draws(n_points: int, n_statistics: int) -> float:
    """The draws that a simulated point may have, in thousands; the least may still be too many for all points."""
    of_one = _N_STEPS * n_statistics * n_points
    many, few = _MOST_TERMS / of_one, min(_MOST_IN_CACHE / of_one, _IN_CACHE)
    return max(max(many, few) // 1000 * 1000, ends(DRAWS_RANGE)[0])


def affordable_points(wanted: list[SimulatedPoint], draws: float, n_statistics: int) -> list[SimulatedPoint]:
    """Every place or, where that takes too long, every second, third or so."""
    terms = _N_STEPS * draws * n_statistics * len(wanted)
    return wanted[:: max(1, math.ceil(terms / (_MOST_IN_CACHE if draws <= _IN_CACHE else _MOST_TERMS)))]
