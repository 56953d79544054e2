"""The least cost of real-valued noise of (ε, δ)-DP, enclosed."""

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from dpcore import staircase, truncated_laplace
from dpcore.checks import option, refuse, scalar, scalar_integer
from dpcore.optimal_noise._closed_forms import COST_POWERS, KnownNoise, candidates, scaled
from dpcore.optimal_noise._program import COSTS, LEAST_DELTA, MOST_ROWS_RANGE, bound_from_middle, solve
from dpcore.optimal_noise._tail_program import tail_bounds
from dpcore.optimal_noise.integer import cost_of
from dpcore.optimal_noise.known import cells_to_move, checked_target, program_bounds, real_bound
from dpcore.optimal_noise.tails import least_tail
from dpcore.rounding import round_up

_COARSE_CELLS = 400
_MIDDLE = 1.5  # of the highest step of the staircase, whose conditions prove a bound where it is narrow
_LEAST_NARROW = 3.0  # the ε from which it is


@dataclass(frozen=True)
class LeastCost:
    """Bounds on the least cost of any noise of (ε, δ)-DP that is added to one real number.

    Attributes
    ----------
    lower : no noise costs less; proved by a dual solution.
    cells : D, the number of cells to each Δ of the program that proves `lower`; below 1 where a cell is longer than Δ.
    noise : the noise of the least cost that is known.
    """

    lower: float
    cells: float
    noise: KnownNoise

    @property
    def upper(self) -> float:
        """The cost of `noise`, which is reached."""
        return self.noise.cost


def least_cost(
    epsilon: float,
    delta: float,
    sensitivity: float = 1.0,
    cost: str = "variance",
    t: float = 0.0,
    most_rows: int = 4000,
) -> LeastCost:
    """Bounds on the least cost of any noise for one real number that satisfies (ε, δ)-DP (own; see the notes).

    Parameters
    ----------
    epsilon : in [0, 12].
    delta : in [0, 0.5]; where it is 0, ε is at least 1e-6; else truncated Laplace noise at Δ = 1 is within ±1e150.
    sensitivity : Δ in [1e-100, 1e100], in query units.
    cost : "variance", "mean_absolute_error" or "tail", which is Pr(|noise| > t).
    t : of "tail" alone, in query units, in [0, 1e6] Δ.
    most_rows : of the linear program, in [100, 1e5]: a finer lattice takes more. 4000 take about a second at most.

    Returns
    -------
    A `LeastCost`, in (squared) query units, or a probability. At 4000 rows `upper`/`lower` − 1 is below 1 % for
    variances at ε ≤ 2 and below 4 % up to ε = 12; for E|noise| it is below 8 % where δ ≤ 0.1. For the share beyond ±t
    no width is guaranteed. Where t is a multiple of Δ/2 both are equal but for rounding. At random t, with shares from
    1e-6, it was up to 8 % at ε ≤ 1 and up to 50 % at ε ≤ 3; at a larger ε the least share falls so steeply just
    beyond multiples of Δ/2 that `upper` may be thousands of times `lower` there. Of smaller shares the width is often
    larger, and `lower` may be 0, since they are near the solver's tolerance.

    Notes
    -----
    Let w = Δ/D. A release y of such noise X on a multiple of w may be rounded to a neighbouring multiple, up with
    probability y/w − ⌊y/w⌋: that keeps the mean, adds at most w²/4 to the variance, and does not change E|noise|. It is
    post-processing, so w²(V − ¼) ≤ E X² for the least variance V of whole-numbered noise with sensitivity D, and w V
    is at most E|X|. The other way, the optimal whole-numbered noise, spread evenly over cells of width w, has at a move
    of j + θ cells (1 − θ)δ_j + θδ_{j+1} at most δ: a variance of w²(V + 1/12) is reached.

    Where ε is large, nearly all noise is within a small part of Δ. Then a program with the conditions on that part
    alone has much smaller cells, and its bound holds too, as it has fewer conditions.

    Examples
    --------
    >>> floor = least_cost(1, 0.01)
    >>> print(f"{floor.lower:.2f} to {floor.upper:.2f}")
    1.58 to 1.59
    """
    epsilon, delta, sensitivity = checked_target(epsilon, delta, sensitivity)
    option("cost", cost, COSTS)
    threshold = scalar("t", t, "[0, inf)") / sensitivity if cost == "tail" else 0.0
    refuse("t", np.asarray(t), np.asarray(threshold > 1e6), "[0, 1e6 sensitivity]")
    best, lower, cells = _of_unit(
        epsilon, delta, cost, threshold, scalar_integer("most_rows", most_rows, MOST_ROWS_RANGE)
    )
    factor = sensitivity ** COST_POWERS[cost]
    return LeastCost(lower * factor * (1 - 1e-15), cells, scaled(best, sensitivity, cost))


@lru_cache(256)  # of up to 130 kB each
def _of_unit(epsilon: float, delta: float, cost: str, t: float, most_rows: int) -> tuple[KnownNoise, float, float]:
    """The noise of the least known cost at sensitivity 1, a lower bound, and the cells to Δ that prove it."""
    best = min(candidates(epsilon, delta, cost, t), key=lambda noise: noise.cost)
    if best.cost == 0:
        return best, 0.0, 0.0
    own_delta = delta if delta > 0 else LEAST_DELTA
    reach = float(truncated_laplace.bound_from_epsilon(epsilon, own_delta))
    if 2 * (reach + 3) > most_rows:
        lower, cells = _coarse_bound(epsilon, own_delta, cost, t, reach, most_rows)
        lower = max(lower, float(least_tail(t, epsilon, own_delta))) if cost == "tail" else lower
        return best, min(max(lower, 0.0), best.cost), cells
    program_delta = max(own_delta, LEAST_DELTA)
    if cost == "tail":
        lower, steps, noise = tail_bounds(epsilon, program_delta, t, reach, most_rows)
    else:
        steps = cells_to_move(epsilon, delta, reach, most_rows)
        lower, noise = program_bounds(epsilon, program_delta, cost, reach, steps)
    proofs = [(lower, steps)]
    if epsilon >= _LEAST_NARROW and cost != "tail":
        proofs.append(_narrow_bound(epsilon, program_delta, cost, most_rows))
    if noise is not None and delta == program_delta and noise.cost < best.cost:
        best = noise
    lower, steps = max(proofs)
    return best, min(max(lower, 0.0), best.cost), float(steps)


def _narrow_bound(epsilon: float, delta: float, cost: str, most_rows: int) -> tuple[float, int]:
    """The lower bound by the conditions on the middle alone, and as many cells to Δ as the rows then allow."""
    gamma_of = staircase.mean_error_gamma if cost == "mean_absolute_error" else staircase.variance_gamma
    middle = _MIDDLE * float(gamma_of(epsilon))
    steps = math.floor((math.sqrt(9 + 8 * middle * most_rows) - 3) / (4 * middle))  # steps (2 middle steps + 3) rows
    lower = bound_from_middle(epsilon, delta, steps, math.ceil(middle * steps), cost_of(cost, 0.0))
    return real_bound(lower, cost, 1 / steps), steps


def _coarse_bound(
    epsilon: float, delta: float, cost: str, t: float, reach: float, most_rows: int
) -> tuple[float, float]:
    """The lower bound by cells of m Δ, and 1/m: at moves of m Δ the noise is (mε, δ(e^{mε} − 1)/(e^ε − 1))-DP."""
    length = math.ceil(max(2 * (reach + 3) / most_rows, reach / _COARSE_CELLS)) + 1
    grown = length * epsilon
    moved = delta * (math.expm1(grown) / math.expm1(epsilon) if epsilon > 0 else length)
    solution = solve(
        grown,
        max(round_up(moved, 8), LEAST_DELTA),
        1,
        math.ceil(reach / length) + 1,
        cost_of(cost, math.ceil(t / length)),  # rounding to a neighbouring cell never makes it more than it was
    )
    return (0.0 if solution is None else real_bound(solution.lower, cost, float(length))), 1 / length
