"""The noise of the least cost that is known for one number, whole or real: in closed form, or by a program.

`integer_optimum` has the least cost on the whole numbers, the noise that has it, and a proof; `best_known_noise` is for
real numbers, where that of a program is spread evenly over the cells of a lattice.

`least_half_width` and `least_tail` bound any noise of (ε, δ)-DP, in closed form. Let T(x) = Pr(noise ≥ x) of symmetric
noise. A move by Δ gives T(x − Δ) ≤ e^ε T(x) + δ, so that T(x) ≤ α/2 implies
T(x − nΔ) ≤ U_n = e^{nε} α/2 + δ(e^{nε} − 1)/(e^ε − 1). If 2x ≤ (m + n)Δ, then T(x − mΔ) + T(x − nΔ) ≥ 1, since the
one is 1 less what lies beyond the other. So U_m + U_n ≥ 1 is necessary. Noise that is not symmetric has the same
half-widths as its equal mixture with its mirror image. On the whole numbers and at Δ = 1 the bounds are reached.
"""

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import exprel

from dpcore import truncated_geometric, truncated_laplace
from dpcore.checks import (
    DELTA_RANGE,
    EPSILON_RANGE,
    PURE_DELTA_RANGE,
    SENSITIVITY_RANGE,
    SIGNIFICANCE_RANGE,
    Array,
    interval_bounds,
    number,
    option,
    refuse,
    scalar,
    scalar_integer,
)
from dpcore.optimal_noise._closed_forms import LEAST_PURE, KnownNoise, candidates, scaled
from dpcore.optimal_noise._program import (
    COSTS,
    LEAST_PROGRAM_DELTA,
    MOST_ROWS_RANGE,
    NO_BOUND,
    PROGRAM_DELTA_RANGE,
    PROGRAM_EPSILON_RANGE,
    Cost,
    Solution,
    solve,
    solved_pmf,
    whole_pmf,
)
from dpcore.rounding import ULP, round_down, round_up

_STEPS_RANGE = "[1, 1000]"


@dataclass(frozen=True)
class IntegerOptimum:
    """The least cost of whole-numbered noise of (ε, δ)-DP.

    Attributes
    ----------
    cost : that of `pmf`, so that the optimum is at most this.
    lower : no noise costs less; proved by `multipliers` and `beyond`.
    pmf : Pr(k) for k = −M … M, symmetric; its δ is at most the target.
    multipliers, beyond : the dual certificate: y_{s,k}, a row for each move s = 1 … Δ and k = −M … M of the program,
        and its values for all larger k; empty where the solver failed, and then `lower` is 0.
    """

    cost: float
    lower: float
    pmf: Array
    multipliers: Array
    beyond: Array


def integer_optimum(
    epsilon: float, delta: float, sensitivity: int = 1, cost: str = "variance", most_rows: int = 4000
) -> IntegerOptimum:
    """Return the least cost of noise on the whole numbers that satisfies (ε, δ)-DP for every move of at most Δ.

    Parameters
    ----------
    epsilon : in [0, 12].
    delta : in [1e-9, 0.5].
    sensitivity : Δ, a whole number in [1, 1000].
    cost : "variance" or "mean_absolute_error".
    most_rows : of the program, in [100, 1e5]: about 2Δ times the reach of the noise. Time grows with it.

    Returns
    -------
    An `IntegerOptimum`. `cost` and `lower` differ by the tolerances of the solver, a relative 1e-6 or less; where the
    solver fails the noise is truncated geometric and `lower` is 0. The program has noise up to the bound of truncated
    geometric noise and Δ beyond.

    Examples
    --------
    >>> best = integer_optimum(1, 0.01)
    >>> print(f"{best.lower:.6f} {best.cost:.6f}")
    1.516297 1.516297
    """
    epsilon, delta = scalar("epsilon", epsilon, PROGRAM_EPSILON_RANGE), scalar("delta", delta, PROGRAM_DELTA_RANGE)
    refuse("delta", np.asarray(delta), np.asarray(delta < LEAST_PROGRAM_DELTA), f"[{LEAST_PROGRAM_DELTA}, 0.5]")
    steps = scalar_integer("sensitivity", sensitivity, _STEPS_RANGE)
    option("cost", cost, COSTS)
    rows = scalar_integer("most_rows", most_rows, MOST_ROWS_RANGE)
    bound = int(truncated_geometric.bound_from_epsilon(epsilon, delta, float(steps)))
    reach, cost_at = bound + steps, COST_OF[cost]
    needed = steps * 2 * (reach + 1)
    refuse("most_rows", np.asarray(rows), np.asarray(needed > rows), f"[{needed}, 1e5] here")
    solution = solve(epsilon, delta, steps, reach, cost_at)
    if solution is None:
        scale = truncated_geometric.scale_from_epsilon(epsilon, float(steps))
        half = truncated_geometric.pmf(np.arange(bound + 1), bound, scale)
        solution = Solution(half, np.zeros((0, 0)), np.zeros(0), NO_BOUND)
    pmf = np.trim_zeros(whole_pmf(solution.pmf))
    value = float(np.sum(pmf * cost_at(abs(np.arange(float(pmf.size)) - pmf.size // 2))))
    lower = min(max(solution.bound.at(delta), 0.0), value)
    return IntegerOptimum(value, lower, pmf, solution.multipliers, solution.beyond)


COST_OF: dict[str, Cost] = {"variance": lambda k: k**2.0, "mean_absolute_error": lambda k: k * 1.0}
"""The cost of a whole number k ≥ 0."""
MOST_BOUND = 1e150  # of noise at sensitivity 1, whose variance a double holds
CLOSE = 0.004  # the relative width that no finer lattice has to improve on
_MOST_CELLS = 64
MOST_CLOSED_DELTA = 1e-3  # up to it programs know no noise of notably less cost than the closed forms


def best_known_noise(
    epsilon: float, delta: float, sensitivity: float = 1.0, cost: str = "variance", most_rows: int = 4000
) -> KnownNoise:
    """Return the noise of (ε, δ)-DP for one real number of the least cost known, without a bound on the least (own).

    Up to δ = 0.001 it is one in closed form, and takes about a millisecond; from there on a program is solved too.

    Parameters
    ----------
    epsilon, delta, sensitivity : as in `least_cost`.
    cost : "variance" or "mean_absolute_error".
    most_rows : of the linear program, in [100, 1e5]: a finer lattice takes more.

    Returns
    -------
    A `KnownNoise`. Its cost is that of `least_cost` above δ = 0.001; up to it the cost of `least_cost` at 4000 rows is
    less by a relative 1e-4 at most. A program of more rows may know noise of a little less.

    Examples
    --------
    >>> noise = best_known_noise(1, 1e-6)
    >>> print(f"{noise.family}, variance {noise.cost:.4f}")
    truncated_staircase, variance 1.9179
    """
    epsilon, delta, sensitivity = checked_target(epsilon, delta, sensitivity)
    option("cost", cost, COSTS)
    rows = scalar_integer("most_rows", most_rows, MOST_ROWS_RANGE)
    return scaled(_known_of_unit(epsilon, delta, cost, rows), sensitivity, cost)


@lru_cache(256)  # of up to 130 kB each
def _known_of_unit(epsilon: float, delta: float, cost: str, most_rows: int) -> KnownNoise:
    noises = candidates(epsilon, delta, cost)
    if delta > MOST_CLOSED_DELTA:
        reach = float(truncated_laplace.bound_from_epsilon(epsilon, delta))
        if 2 * (reach + 3) <= most_rows:
            steps = cells_to_move(epsilon, delta, reach, most_rows)
            pmf = solved_pmf(epsilon, delta, steps, math.ceil(reach * steps) + steps, COST_OF[cost])
            noises += () if pmf is None else (spread_noise(pmf, cost, steps),)
    return min(noises, key=lambda noise: noise.cost)


def has_least_cost(epsilon: float, delta: float) -> bool:
    """Return whether noise of (ε, δ)-DP for one real number, and the least cost of any, are known: not everywhere.

    They are up to ε = 12 and δ = ½, at δ = 0 from ε = 1e-6 on, and where truncated Laplace noise is within ±1e150 Δ.

    Parameters
    ----------
    epsilon : in [0, 1e6].
    delta : in [0, 1).

    Examples
    --------
    >>> has_least_cost(1, 0.01), has_least_cost(20, 0.01)
    (True, False)
    """
    epsilon, delta = scalar("epsilon", epsilon, EPSILON_RANGE), scalar("delta", delta, PURE_DELTA_RANGE)
    if epsilon > interval_bounds(PROGRAM_EPSILON_RANGE)[1] or delta > interval_bounds(PROGRAM_DELTA_RANGE)[1]:
        return False
    return _is_within_reach(epsilon, delta) if delta > 0 else epsilon >= LEAST_PURE


def _is_within_reach(epsilon: float, delta: float) -> bool:
    return bool(truncated_laplace.bound_from_epsilon(epsilon, delta) <= MOST_BOUND)


def checked_target(epsilon: float, delta: float, sensitivity: float) -> tuple[float, float, float]:
    """Return the guarantee and the sensitivity, where noise for them is known."""
    sensitivity = scalar("sensitivity", sensitivity, SENSITIVITY_RANGE)
    epsilon, delta = scalar("epsilon", epsilon, PROGRAM_EPSILON_RANGE), scalar("delta", delta, PROGRAM_DELTA_RANGE)
    none = np.asarray(delta == 0 and epsilon < LEAST_PURE)
    refuse("epsilon", np.asarray(epsilon), none, "[1e-6, 12] where delta is 0")
    wide = delta > 0 and not _is_within_reach(epsilon, delta)
    refuse("delta", np.asarray(delta), np.asarray(wide), "the values with noise within 1e150 at this epsilon")
    return epsilon, delta, sensitivity


def cells_to_move(epsilon: float, delta: float, reach: float, most_rows: int) -> int:
    """D: as many cells to Δ as are worth it, and as the rows allow."""
    variance = min(noise.cost for noise in candidates(epsilon, delta, "variance")[:2])
    n_fine = math.ceil(math.sqrt(1 / (3 * CLOSE * variance)))
    allowed = math.floor(math.sqrt(most_rows / (2 * (reach + 2))))
    return max(min(n_fine, allowed, _MOST_CELLS), 1)


def spread_noise(pmf: Array, cost: str, steps: int) -> KnownNoise:
    """Return the noise on whole numbers of cells, spread evenly over them."""
    width, k = 1 / steps, np.arange(float(pmf.size))
    both = np.where(k > 0, 2.0, 1.0) * pmf
    value = {
        "variance": width**2 * (np.sum(both * k**2.0) + 1 / 12),
        "mean_absolute_error": width * (np.sum(both * k) + pmf[0] / 4),
    }[cost]
    whole = whole_pmf(pmf[: int(np.flatnonzero(pmf)[-1]) + 1])
    edges = (np.arange(whole.size + 1.0) - whole.size / 2) * width
    return KnownNoise(round_up(float(value), 64), "optimal_noise", (), edges, whole / width)


def real_bound(lower: float, cost: str, width: float) -> float:
    """Return the bound on the cost of real noise that follows from that of whole numbers of cells of a width."""
    if cost == "variance":
        return width**2 * (lower - 0.25) * (1 - 1e-15)
    return lower * width * (1 - 1e-15)


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
    epsilon, delta, sensitivity : as in `least_half_width`.

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
