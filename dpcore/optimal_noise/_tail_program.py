"""Bounds on the least share of noise beyond ±t for one real number, by programs whose cells end at ±t if they can.

A release X on a multiple of w may be rounded to the cell [kw, kw + w) or, for an odd number of cells up to ±t, to one
that begins w/2 before it, and from an end of cells to either of the two with probability ½. That is post-processing:
the least share of whole-numbered noise beyond n cells bounds Pr(|X| > t) where nw > 2t, and where nw = 2t if no x has
a positive share. Such x, of a share a together, do not help at t > 0. They are countable, so that some moves take all
of them to points that have none: those cost a of δ. In their place noise may be, with probability a, within a narrow
spike about 0, which costs no more. At t = 0 they help by at most δ.

The other way the noise of the program, spread evenly over its cells, has the same share beyond ±nw/2, so that the
bounds meet at nw = 2t.
"""

import math
from fractions import Fraction

import numpy as np

from dpcore.checks import Array
from dpcore.optimal_noise._closed_forms import KnownNoise
from dpcore.optimal_noise._program import Solution, solve, whole_pmf
from dpcore.optimal_noise.tails import least_tail
from dpcore.rounding import round_down, round_up

_MOST_CELLS = 24
_MORE_REACH = 6  # of noise whose errors beyond ±t all count the same


def tail_bounds(
    epsilon: float, delta: float, t: float, reach: float, most_rows: int
) -> tuple[float, int, KnownNoise | None]:
    """Return a lower bound on Pr(|noise| > t) at sensitivity 1, the cells to Δ, and noise of the program, if any."""
    most = max(min(math.floor(math.sqrt(most_rows / (4 * (reach + 2)))), _MOST_CELLS), 1)
    lower, noises, outer = float(least_tail(t, epsilon, delta)), [], _outer_lattice(t, most)
    for lattice in dict.fromkeys((outer, _inner_lattice(t, most))):
        steps, n_cells = lattice
        end = n_cells / 2 if lattice == outer else t * steps
        n_reached = min(math.ceil(2 * (reach + _MORE_REACH) * steps), most_rows // (4 * steps))
        n_needed = max(math.ceil(reach + 2), most_rows // 3)  # restricts a program of D = 1 alone
        n_least = min(math.ceil(2 * reach + 1) * steps, n_needed)
        solution = _solution(epsilon, delta, steps, max(n_reached, n_least), n_cells, end)
        if solution is None:
            continue
        noises.append(_noise(solution.pmf, steps, n_cells, t))
        if lattice == outer:
            lower = max(lower, solution.bound.at(delta) * _unit(epsilon) - (round_up(delta, 2) if t == 0 else 0))
    return lower, outer[0], min(noises, key=lambda noise: noise.cost, default=None)


def _outer_lattice(t: float, most: int) -> tuple[int, int]:
    """Return D up to `most` and the least n with n/D ≥ 2t, such that n/D is the least; of equal ones the least D."""
    width = 2 * Fraction(t)
    length, steps = min((Fraction(math.ceil(width * steps), steps), steps) for steps in range(1, most + 1))
    return steps, int(length * steps)


def _inner_lattice(t: float, most: int) -> tuple[int, int]:
    """Return D up to `most` and the largest n with n/D ≤ 2t, such that n/D is largest; of equal ones the least D."""
    width = 2 * Fraction(t)
    length, steps = min((Fraction(-math.floor(width * steps), steps), steps) for steps in range(1, most + 1))
    return steps, int(-length * steps)


def _solution(epsilon: float, delta: float, steps: int, end: int, n_cells: int, t: float) -> Solution | None:
    """Return the solution for the share beyond ±t, in cells, for its cost, in a unit near the cost of the optimum."""
    pairs, unit = n_cells % 2 == 0, _unit(epsilon)
    return solve(epsilon, delta, steps, end, lambda k: _share_beyond(k, t, pairs) / unit, pairs, outward=False)


def _unit(epsilon: float) -> float:
    """Return a unit of the cost in which the tolerances of the solver are small."""
    return max(math.exp(-epsilon), 1e-4)


def _noise(pmf: Array, steps: int, n_cells: int, t: float) -> KnownNoise:
    """Return the noise of the program, spread evenly over its cells."""
    pairs = n_cells % 2 == 0
    used = whole_pmf(pmf[: int(np.flatnonzero(pmf)[-1]) + 1], pairs)
    places = np.abs(np.arange(used.size, dtype=np.float64) - (used.size - 1) / 2) - pairs / 2
    value = float(np.sum(used * _share_beyond(places, float(round_down(t * steps, 1)), pairs)))
    edges = (np.arange(used.size + 1.0) - used.size / 2) / steps
    return KnownNoise(round_up(value, 64), "optimal_noise", (), edges, used * steps)


def _share_beyond(k: Array, t: float, pairs: bool) -> Array:
    """Return the share of the cell of k ≥ 0 that is beyond ±t: it ends at k + 1 of pairs, else at k + ½."""
    if pairs:
        return np.clip(k + 1 - t, 0, 1)
    return np.where(k == 0, np.clip(1 - 2 * t, 0, 1), np.clip(k + 0.5 - t, 0, 1))
