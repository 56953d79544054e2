"""The least half-width and the least tail of any noise for one number: in closed form, and by programs.

Let T(x) = Pr(noise ≥ x) of symmetric noise. A move by Δ gives T(x − Δ) ≤ e^ε T(x) + δ, so that T(x) ≤ α/2 implies
T(x − nΔ) ≤ U_n = e^{nε} α/2 + δ(e^{nε} − 1)/(e^ε − 1). If 2x ≤ (m + n)Δ, then T(x − mΔ) + T(x − nΔ) ≥ 1, since the
one is 1 less what lies beyond the other. So U_m + U_n ≥ 1 is necessary. Noise that is not symmetric has the same
half-widths as its equal mixture with its mirror image. On the whole numbers and at Δ = 1 the bounds are reached.

The programs have cells that end at ±t if they can. A release X on a multiple of w may be rounded to the cell
[kw, kw + w) or, for an odd number of cells up to ±t, to one that begins w/2 before it, and from an end of cells to
either of the two with probability ½. That is post-processing: the least share of whole-numbered noise beyond n cells
bounds Pr(|X| > t) where nw > 2t, and where nw = 2t if no x has a positive share. Such x, of a share a together, do not
help at t > 0. They are countable, so that some moves take all of them to points that have none: those cost a of δ. In
their place noise may be, with probability a, within a narrow spike about 0, which costs no more. At t = 0 they help by
at most δ. The other way the noise of the program, spread evenly over its cells, has the same share beyond ±nw/2, so
that the bounds meet at nw = 2t.
"""

import math
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import exprel

from dpcore.checks import DELTA_RANGE, EPSILON_RANGE, SENSITIVITY_RANGE, SIGNIFICANCE_RANGE, Array, number
from dpcore.optimal_noise._closed_forms import KnownNoise
from dpcore.optimal_noise._program import Solution, solve, whole_pmf
from dpcore.rounding import ULP, round_down, round_up

_THRESHOLD_RANGE = "[0, 1e150]"
_ROUNDINGS = 64


def least_half_width(
    significance: ArrayLike, epsilon: ArrayLike, delta: ArrayLike, sensitivity: ArrayLike = 1.0
) -> Array:
    """jΔ/2 for the largest j with U_m + U_{j−m} < 1, m = ⌊j/2⌋: no noise of (ε, δ)-DP has a smaller half-width (own).

    Parameters
    ----------
    significance : α in [1e-300, 1).
    epsilon : in [0, 1e6].
    delta : in [1e-300, 1).
    sensitivity : Δ in [1e-100, 1e100], in query units.

    Returns
    -------
    a ≥ 0 in query units, rounded down: Pr(|noise| > t) > α for all t < a. It rises in steps of Δ/2, so that it is close
    to the least half-width where that is many times Δ, and 0 where ε is large.

    Examples
    --------
    >>> print(least_half_width(0.05, epsilon=[0.1, 1, 3], delta=0.01))
    [16.   2.5  0.5]
    """
    alpha, epsilon = number("significance", significance, SIGNIFICANCE_RANGE), number("epsilon", epsilon, EPSILON_RANGE)
    delta, sensitivity = number("delta", delta, DELTA_RANGE), number("sensitivity", sensitivity, SENSITIVITY_RANGE)
    with np.errstate(under="ignore"):
        shrink = np.exp(-epsilon)
        start = alpha * -np.expm1(-epsilon) / 2 + delta * shrink  # times e^ε/(e^ε − 1) it is U_0 + δ/(e^ε − 1)
        odd = (1 - delta) * shrink / (1 + shrink) - alpha / 2
        steps = [_n_steps(room, start, epsilon) for room in ((1 - alpha) / 2, odd)]
    halves = np.maximum(2 * steps[0], 2 * steps[1] + 1)
    return round_down(np.maximum(halves, 0) / 2 * sensitivity, 4)[()]


def _n_steps(room: Array, start: Array, epsilon: Array) -> Array:
    """Return the largest whole n with U_n < U_0 + room, rounded down; −1 where room is not positive."""
    small = np.minimum(epsilon, 1.0)
    slope = np.maximum(room, 0) * exprel(-small) / start
    excess = slope * small
    near = slope * np.where(excess > 0, np.log1p(excess) / np.where(excess > 0, excess, 1), 1)
    far = np.log1p(np.maximum(room, 0) * -np.expm1(-epsilon) / start) / np.maximum(epsilon, 1.0)
    real = np.where(epsilon <= 1, near, far) * (1 - _ROUNDINGS * ULP) - _ROUNDINGS * ULP
    return np.where(room > 0, np.maximum(np.ceil(real) - 1, 0), -1.0)


def least_tail(t: ArrayLike, epsilon: ArrayLike, delta: ArrayLike, sensitivity: ArrayLike = 1.0) -> Array:
    """Return a lower bound on Pr(|noise| > t) of any noise of (ε, δ)-DP (own).

    It is the α with U_m + U_n = 1, m + n = ⌊2t/Δ⌋ + 1.

    Parameters
    ----------
    t : in [0, 1e150], in query units.
    epsilon : in [0, 1e6].
    delta : in [1e-300, 1).
    sensitivity : Δ in [1e-100, 1e100], in query units.

    Returns
    -------
    α in [0, 1], rounded down; 0 where noise with no error beyond ±t may exist.

    Examples
    --------
    >>> print(least_tail([0, 2, 5], epsilon=1, delta=0.01).round(4))
    [0.5325 0.062  0.    ]
    """
    t, epsilon = number("t", t, _THRESHOLD_RANGE), number("epsilon", epsilon, EPSILON_RANGE)
    delta, sensitivity = number("delta", delta, DELTA_RANGE), number("sensitivity", sensitivity, SENSITIVITY_RANGE)
    total = np.floor(round_up(2 * t / sensitivity, 4)) + 1
    less, more = np.floor(total / 2), np.ceil(total / 2)
    with np.errstate(under="ignore", over="ignore"):
        step = np.exp(-(more - less) * epsilon)
        spent = delta * (_shrunk_sum(more, epsilon) + step * _shrunk_sum(less, epsilon))
        whole = np.exp(-more * epsilon)
        doubt = (_ROUNDINGS + 8 * np.minimum(more * epsilon, 1e3)) * ULP * (whole + spent)
        return np.clip(2 * (whole - spent - doubt) / (1 + step) * (1 - 8 * ULP), 0, 1)[()]


def _shrunk_sum(n: Array, epsilon: Array) -> Array:
    """Return (1 − e^{−nε})/(e^ε − 1): the sum of e^{−kε} over k = 1 … n."""
    return n * np.exp(-epsilon) * exprel(-n * epsilon) / exprel(-epsilon)


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
