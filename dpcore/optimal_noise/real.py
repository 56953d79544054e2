"""The least cost of real-valued noise of (ε, δ)-DP, enclosed."""

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from dpcore import staircase, truncated_laplace
from dpcore.checks import option, refuse, scalar, scalar_integer
from dpcore.optimal_noise._certificate import DualBound
from dpcore.optimal_noise._closed_forms import COST_POWERS, KnownNoise, candidates, scaled
from dpcore.optimal_noise._program import COSTS, LEAST_DELTA, MOST_ROWS_RANGE, bound_from_middle, solved_bound
from dpcore.optimal_noise._tail_program import tail_bounds
from dpcore.optimal_noise.integer import cost_of
from dpcore.optimal_noise.known import cells_to_move, checked_target, program_bounds, real_bound
from dpcore.optimal_noise.tails import least_tail
from dpcore.rounding import round_up

_COARSE_CELLS = 400
_MIDDLE = 1.5  # of the highest step of the staircase, whose conditions prove a bound where it is narrow
_LEAST_NARROW = 3.0  # the ε from which it is
_MOST_SHARED_DELTA, _MOST_SHARED_RATIO = 1e-4, 5e-4  # of δ, and of δ to ε: up to them a program serves more than its δ
_PER_DECADE, _FEW_PER_DECADE, _FEW_RATIO = 10, 4, 5e-5  # of these programs, in δ; few up to this δ to ε


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
    variances at ε ≤ 2 and below 4 % up to ε = 12; for E|noise| it is below 8 % where δ ≤ 0.1. Where δ is at most
    1e-4 and ε/2000 one program serves all δ within 12 to 34 %, which costs `lower` a relative 1e-4 at most.

    For the share beyond ±t no width is guaranteed. Where t is a multiple of Δ/2 both are equal but for rounding. At
    random t, with shares from 1e-6, it was up to 8 % at ε ≤ 1 and up to 50 % at ε ≤ 3; at a larger ε the least share
    falls so steeply just beyond multiples of Δ/2 that `upper` may be thousands of times `lower` there. Of smaller
    shares the width is often larger, and `lower` may be 0, since they are near the solver's tolerance.

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
    """Return the noise of the least known cost at sensitivity 1, a lower bound, and the cells to Δ that prove it."""
    best = min(candidates(epsilon, delta, cost, t), key=lambda noise: noise.cost)
    if best.cost == 0:
        return best, 0.0, 0.0
    own_delta = delta if delta > 0 else LEAST_DELTA
    program_delta, reach = max(own_delta, LEAST_DELTA), float(truncated_laplace.bound_from_epsilon(epsilon, own_delta))
    length = 0 if 2 * (reach + 3) <= most_rows else _length(reach, most_rows)
    if cost != "tail" and own_delta <= min(_MOST_SHARED_DELTA, _MOST_SHARED_RATIO * epsilon):
        steps = 0 if length else cells_to_move(epsilon, delta, reach, most_rows)
        n_decade = _FEW_PER_DECADE if own_delta <= _FEW_RATIO * epsilon else _PER_DECADE
        shared_delta = 10 ** (round(n_decade * math.log10(own_delta)) / n_decade)
        proofs = _shared_proofs(epsilon, shared_delta, cost, steps, length, most_rows)
        lower, cells = max((proof.lower(delta, cost), proof.cells) for proof in proofs)
        return best, min(max(lower, 0.0), best.cost), cells
    if length:
        proof = _coarse_proof(epsilon, own_delta, cost, t, length)
        lower = proof.lower(own_delta, cost)
        lower = max(lower, float(least_tail(t, epsilon, own_delta))) if cost == "tail" else lower
        return best, min(max(lower, 0.0), best.cost), proof.cells
    if cost == "tail":
        lower, steps, noise = tail_bounds(epsilon, program_delta, t, reach, most_rows)
    else:
        steps = cells_to_move(epsilon, delta, reach, most_rows)
        lower, noise = program_bounds(epsilon, program_delta, cost, reach, steps)
    proofs = [(lower, float(steps))]
    if epsilon >= _LEAST_NARROW and cost != "tail":
        proof = _narrow_proof(epsilon, program_delta, cost, most_rows)
        proofs.append((proof.lower(program_delta, cost), proof.cells))
    if noise is not None and delta == program_delta and noise.cost < best.cost:
        best = noise
    lower, cells = max(proofs)
    return best, min(max(lower, 0.0), best.cost), cells


@dataclass(frozen=True)
class _Proof:
    """A bound on the cost of noise at sensitivity 1 from that of noise on whole numbers, `cells` of them to Δ.

    At a δ of real noise the noise on whole numbers has `growth` times that δ.
    """

    bound: DualBound
    cells: float
    growth: float = 1.0

    def lower(self, delta: float, cost: str) -> float:
        """Return the bound at a δ of real noise."""
        return real_bound(self.bound.at(round_up(self.growth * delta, 8)), cost, 1 / self.cells)


@lru_cache(1024)
def _shared_proofs(
    epsilon: float, delta: float, cost: str, steps: int, length: int, most_rows: int
) -> tuple[_Proof, ...]:
    """Return bounds on the variance or E|noise| by programs of this δ, which hold at every δ.

    Half a step between two programs away they are less than those by a program of that δ, by a relative 1e-4 at most.
    The program has `steps` cells to Δ or, where there are none, cells of `length` Δ.
    """
    if length:
        return (_coarse_proof(epsilon, delta, cost, 0.0, length),)
    reach, program_delta = float(truncated_laplace.bound_from_epsilon(epsilon, delta)), max(delta, LEAST_DELTA)
    bound = solved_bound(epsilon, program_delta, steps, math.ceil(reach * steps) + steps, cost_of(cost, 0.0))
    proof = _Proof(bound, float(steps))
    return (proof, _narrow_proof(epsilon, program_delta, cost, most_rows)) if epsilon >= _LEAST_NARROW else (proof,)


def _length(reach: float, most_rows: int) -> int:
    """Return the m of cells of m Δ."""
    return math.ceil(max(2 * (reach + 3) / most_rows, reach / _COARSE_CELLS)) + 1


def _narrow_proof(epsilon: float, delta: float, cost: str, most_rows: int) -> _Proof:
    """Return the lower bound by the conditions on the middle alone, and as many cells to Δ as the rows then allow."""
    gamma_of = staircase.mean_error_gamma if cost == "mean_absolute_error" else staircase.variance_gamma
    middle = _MIDDLE * float(gamma_of(epsilon))
    steps = math.floor((math.sqrt(9 + 8 * middle * most_rows) - 3) / (4 * middle))  # steps (2 middle steps + 3) rows
    bound = bound_from_middle(epsilon, delta, steps, math.ceil(middle * steps), cost_of(cost, 0.0))
    return _Proof(bound, float(steps))


def _coarse_proof(epsilon: float, delta: float, cost: str, t: float, length: int) -> _Proof:
    """Return the lower bound by cells of m Δ, m = `length`: at such moves it is (mε, δ(e^{mε} − 1)/(e^ε − 1))-DP."""
    reach, grown = float(truncated_laplace.bound_from_epsilon(epsilon, delta)), length * epsilon
    growth = math.expm1(grown) / math.expm1(epsilon) if epsilon > 0 else float(length)
    cost_at = cost_of(cost, math.ceil(t / length))  # rounding to a neighbouring cell never makes it more than it was
    program_delta = max(round_up(growth * delta, 8), LEAST_DELTA)
    bound = solved_bound(grown, program_delta, 1, math.ceil(reach / length) + 1, cost_at)
    return _Proof(bound, 1 / length, growth)
