"""The least cost of noise on the whole numbers, with the noise that has it and a proof."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from dpcore import truncated_geometric
from dpcore.checks import Array, leave_out, option, or_default, refuse, scalar, scalar_integer
from dpcore.optimal_noise._program import (
    COSTS,
    LEAST_DELTA,
    MOST_ROWS_RANGE,
    NO_BOUND,
    PROGRAM_DELTA_RANGE,
    PROGRAM_EPSILON_RANGE,
    Cost,
    Solution,
    solve,
)

_STEPS_RANGE = "[1, 1000]"
_THRESHOLD_RANGE = "[0, 1e6]"


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
    epsilon: float,
    delta: float,
    sensitivity: int = 1,
    cost: str = "variance",
    t: float | None = None,
    most_rows: int = 4000,
) -> IntegerOptimum:
    """Return the least cost of noise on the whole numbers that satisfies (ε, δ)-DP for every move of at most Δ.

    Parameters
    ----------
    epsilon : in [0, 12].
    delta : in [1e-9, 0.5].
    sensitivity : Δ, a whole number in [1, 1000].
    cost : "variance", "mean_absolute_error" or "tail", which is Pr(|noise| > t).
    t : of "tail" alone, in [0, 1e6]; 0 by default.
    most_rows : of the program, in [100, 1e5]: about 2Δ times the reach of the noise. Time grows with it.

    Returns
    -------
    An `IntegerOptimum`. For variance and E|noise| `cost` and `lower` differ by the tolerances of the solver, a relative
    1e-6 or less; where the solver fails the noise is truncated geometric and `lower` is 0. The program has noise up to
    the bound of truncated geometric noise and Δ + t beyond. For "tail" noise that reaches farther may cost less: `cost`
    is then above the optimum, and `lower` below it, by up to half where δ is near ½ and Δ > 1.

    Examples
    --------
    >>> best = integer_optimum(1, 0.01)
    >>> print(f"{best.lower:.6f} {best.cost:.6f}")
    1.516297 1.516297
    """
    epsilon, delta = scalar("epsilon", epsilon, PROGRAM_EPSILON_RANGE), scalar("delta", delta, PROGRAM_DELTA_RANGE)
    refuse("delta", np.asarray(delta), np.asarray(delta < LEAST_DELTA), f"[{LEAST_DELTA}, 0.5]")
    steps = scalar_integer("sensitivity", sensitivity, _STEPS_RANGE)
    option("cost", cost, COSTS)
    if cost != "tail":
        leave_out(f"cost {cost}", t=t)
    threshold = scalar("t", or_default(t, 0.0), _THRESHOLD_RANGE)
    return _optimum(epsilon, delta, steps, cost, threshold, scalar_integer("most_rows", most_rows, MOST_ROWS_RANGE))


@lru_cache(256)
def _optimum(epsilon: float, delta: float, steps: int, cost: str, t: float, rows: int) -> IntegerOptimum:
    bound = int(truncated_geometric.bound_from_epsilon(epsilon, delta, float(steps)))
    reach = bound + steps + int(np.ceil(t)) * (cost == "tail")
    needed = steps * 2 * (reach + 1)
    refuse("most_rows", np.asarray(rows), np.asarray(needed > rows), f"[{needed}, 1e5] here")
    cost_at = cost_of(cost, t)
    solution = solve(epsilon, delta, steps, reach, cost_at, outward=cost != "tail")
    if solution is None:
        half = truncated_geometric.pmf(
            np.arange(bound + 1), bound, truncated_geometric.scale_from_epsilon(epsilon, float(steps))
        )
        solution = Solution(half, np.zeros((0, 0)), np.zeros(0), NO_BOUND)
    pmf = np.trim_zeros(np.concatenate([solution.pmf[:0:-1], solution.pmf]))
    value = float(np.sum(pmf * cost_at(abs(np.arange(pmf.size) - pmf.size // 2))))
    lower = min(max(solution.bound.at(delta), 0.0), value)
    return IntegerOptimum(value, lower, pmf, solution.multipliers, solution.beyond)


def cost_of(cost: str, t: float) -> Cost:
    """Return the cost of a whole number k ≥ 0."""
    return {
        "variance": lambda k: k**2.0,
        "mean_absolute_error": lambda k: k * 1.0,
        "tail": lambda k: (k > t) * 1.0,
    }[cost]
