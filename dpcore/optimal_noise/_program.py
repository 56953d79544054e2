"""The linear program of symmetric noise on whole numbers, and noise that surely satisfies δ.

minimise Σ c_k p_k  over p ≥ 0, u ≥ 0  with  p_k − e^ε p_{k+s} ≤ u_{s,k},  Σ_k u_{s,k} ≤ δ for s = 1 … D,  Σ p_k = 1.

The lower bound that a dual solution of the program proves, whatever the solver did.

A dual solution is y_{s,k} in [0, ν_s]. With λ = min over all k of c_k + Σ_s (y_{s,k} − e^ε y_{s,k−s}), averaged over k
and −k as p is symmetric, every noise that satisfies the conditions costs at least λ − δ Σ ν_s. Beyond the last k of the
program y is ν, so that c_k − (e^ε − 1) Σ ν_s/2 is left there, which grows with the cost; or y is 0, after the last ones
of the program were made smaller, where that gives more.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog
from scipy.sparse import coo_array

from dpcore import truncated_geometric
from dpcore.checks import Array
from dpcore.rounding import ULP, round_up

Cost = Callable[[Array], Array]


@dataclass(frozen=True)
class DualBound:
    """The lower bound λ − δ Σ ν_s that a dual solution proves at every δ, not only at the one that it is best for."""

    value: float
    price: float

    def at(self, delta: float) -> float:
        """Return the bound at a δ."""
        return self.value - round_up(delta, 2) * self.price


def certified(multipliers: Array, epsilon: float, delta: float, cost: Cost) -> tuple[Array, Array, DualBound]:
    """Return multipliers, those beyond the last k, and the bound that they prove: those of the larger bound at δ."""
    price, nothing = np.max(multipliers, axis=1), np.zeros(len(multipliers))
    shorter = _tapered(multipliers, epsilon, cost)
    ways = [(multipliers, price), (shorter, nothing)]
    bounds = [_dual_bound(some, least, epsilon, cost) for some, least in ways]
    best = int(np.argmax([bound.at(delta) for bound in bounds]))
    return *ways[best], bounds[best]


def _tapered(multipliers: Array, epsilon: float, cost: Cost) -> Array:
    """Return multipliers that are made smaller from the last k on down, as far as y = 0 beyond it takes.

    What a block of s takes from the one before it is e^ε times less, so that little is left at k = 0.
    """
    steps, reach, growth = multipliers.shape[0], (multipliers.shape[1] - 1) // 2, math.exp(epsilon)
    padded = np.pad(multipliers, ((0, 0), (2 * steps, 2 * steps)))
    middle, s = padded.shape[1] // 2, np.arange(1, steps + 1)
    costs = cost(np.arange(reach + steps + 1.0))
    own, before = _sums(padded)
    aim = float(np.min(_reduced(own - growth * before, costs)[: reach + 1]))
    for k in range(reach + steps, 0, -1):
        place, mirror, before_here = middle + k, middle - k, growth * float(before[middle + k])
        mirrored = float(own[mirror]) - growth * float(before[mirror])
        lack = 2 * (aim - float(costs[k])) - (float(own[place]) - before_here) - mirrored
        if lack > 0 and before_here > 0:
            share, entries = max(1 - lack / before_here, 0.0), padded[s - 1, place - s]
            padded[s - 1, place - s] = share * entries
            own[place - s] -= (1 - share) * entries
            before[place] *= share
    return padded[:, 2 * steps : -2 * steps]


def _sums(padded: Array) -> tuple[Array, Array]:
    """Return Σ_s y_{s,k} and Σ_s y_{s,k−s} for every k, of y that is else 0."""
    before = np.zeros(padded.shape[1])
    for s, row in enumerate(padded, start=1):
        before[s:] += row[:-s]
    return np.sum(padded, axis=0), before


def _reduced(left: Array, costs: Array) -> Array:
    """Return c_k + Σ_s (y_{s,k} − e^ε y_{s,k−s}), averaged over mirror images, k = 0, 1, …; `left` is that sum."""
    middle, size = left.size // 2, costs.size
    mirrored = left[middle - size + 1 : middle + 1][::-1]
    return costs + (left[middle : middle + size] + mirrored) / 2


def _dual_bound(multipliers: Array, beyond: Array, epsilon: float, cost: Cost) -> DualBound:
    """Return λ − δ Σ ν_s of any y ≥ 0, λ rounded down: a lower bound on the cost of all noise of (ε, δ)-DP.

    From M + D + 1 on nothing but the cost changes, and it does not fall.
    """
    steps, reach = multipliers.shape[0], (multipliers.shape[1] - 1) // 2
    growth, price = math.exp(epsilon), np.maximum(np.max(multipliers, axis=1), beyond)
    end = reach + steps + 1
    after = np.repeat(beyond[:, None], end - reach, axis=1)
    padded = np.concatenate([np.zeros((steps, end - reach)), multipliers, after], axis=1)
    own, before = _sums(padded)
    reduced = _reduced(own - growth * before, cost(np.arange(end + 1.0)))
    size = (1 + growth) * np.sum(price) + np.max(abs(reduced))
    doubt = 8 * (steps + 4) * ULP * size
    return DualBound(float(np.min(reduced) - doubt), float(np.sum(price)))


COSTS = ("variance", "mean_absolute_error")
PROGRAM_EPSILON_RANGE = "[0, 12]"  # beyond it e^ε is too large for the solver
PROGRAM_DELTA_RANGE = "[0, 0.5]"
MOST_ROWS_RANGE = "[100, 1e5]"
LEAST_PROGRAM_DELTA = 1e-9  # of a program, so that the tolerances of the solver are far below
NO_BOUND = DualBound(0.0, 0.0)
_TOLERANCE = 1e-10
_SMALLEST_SHARE = 1e-6
_NEGLIGIBLE = 1e-6  # of δ: excess that is mixed away at no notable cost


@dataclass(frozen=True)
class Solution:
    """p_0 … p_M of symmetric noise that satisfies δ, and the dual solution with its bound, as in `IntegerOptimum`."""

    pmf: Array
    multipliers: Array
    beyond: Array
    bound: DualBound


def solve(epsilon: float, delta: float, steps: int, reach: int, cost: Cost) -> Solution | None:
    """Return the solution for moves of up to `steps` and noise of up to ±`reach`, or None if the solver fails."""
    answer = _all_conditions(epsilon, delta, steps, reach, cost)
    if answer is None:
        return None
    pmf, multipliers = answer
    return Solution(_satisfying(pmf, epsilon, delta, steps), *certified(multipliers, epsilon, delta, cost))


def solved_pmf(epsilon: float, delta: float, steps: int, reach: int, cost: Cost) -> Array | None:
    """Return the `pmf` of `solve`, without the bound."""
    answer = _all_conditions(epsilon, delta, steps, reach, cost)
    return None if answer is None else _satisfying(answer[0], epsilon, delta, steps)


def solved_bound(epsilon: float, delta: float, steps: int, reach: int, cost: Cost) -> DualBound:
    """Return the bound of `solve`, without the noise; 0 if the solver fails."""
    answer = _all_conditions(epsilon, delta, steps, reach, cost)
    return NO_BOUND if answer is None else certified(answer[1], epsilon, delta, cost)[2]


def _all_conditions(epsilon: float, delta: float, steps: int, reach: int, cost: Cost) -> tuple[Array, Array] | None:
    """Return the answer under all conditions, those of moves away from 0 solved for first.

    They are half of all, and where the cost grows with |k|, the others seldom bind: a solution that violates none of
    them is that of all conditions.
    """
    k, s = np.arange(-reach, reach + 1), np.arange(1, steps + 1)[:, None]
    is_outward = abs(k + s) > abs(k)
    answer = _answer(epsilon, delta, reach, is_outward, cost, presolve=False)  # which takes longer here
    if answer is not None and _excess(answer[0], epsilon, ~is_outward) <= max(_NEGLIGIBLE * delta, _TOLERANCE):
        return answer
    return _answer(epsilon, delta, reach, np.ones_like(is_outward), cost)


def bound_from_middle(epsilon: float, delta: float, steps: int, middle: int, cost: Cost) -> DualBound:
    """Return a certified lower bound by the conditions on |k| ≤ `middle` alone; 0 if the solver fails.

    With fewer conditions the program is smaller, so that its cells may be. Where ε is large little is lost: nearly all
    of the noise is in the middle.
    """
    k = np.arange(-middle - steps, middle + steps + 1)
    answer = _answer(epsilon, delta, middle + steps, np.tile(abs(k) <= middle, (steps, 1)), cost)
    return NO_BOUND if answer is None else certified(answer[1], epsilon, delta, cost)[2]


def _answer(
    epsilon: float,
    delta: float,
    reach: int,
    conditions: NDArray[np.bool_],
    cost: Cost,
    presolve: bool = True,
) -> tuple[Array, Array] | None:
    """Return p_0 … p_M and y_{s,k}, k = −M … M, of the program with these conditions (s, k), as the solver has them."""
    steps = len(conditions)
    share = np.exp(-epsilon * abs(np.arange(-reach, reach + 1)) / steps / 2)
    share = np.maximum(share, _SMALLEST_SHARE)  # p and its condition are solved in this unit, near p's own size
    rows, columns, values = _conditions(epsilon, delta, conditions, share)
    n, n_columns = np.count_nonzero(conditions), reach + 1 + np.count_nonzero(conditions)
    twice = np.where(np.arange(reach + 1) > 0, 2.0, 1.0) * share[reach:]
    answer = linprog(
        np.concatenate([cost(np.arange(reach + 1.0)) * twice, np.zeros(n)]),
        A_ub=coo_array((values, (rows, columns)), shape=(n + steps, n_columns)).tocsr(),
        b_ub=np.append(np.zeros(n), np.ones(steps)),
        A_eq=coo_array((twice, (np.zeros(reach + 1, int), np.arange(reach + 1))), shape=(1, n_columns)).tocsr(),
        b_eq=[1.0],
        method="highs",
        options={
            "presolve": presolve,
            "primal_feasibility_tolerance": _TOLERANCE,
            "dual_feasibility_tolerance": _TOLERANCE,
        },
    )
    if answer.x is None:
        return None
    pmf = np.maximum(answer.x[: reach + 1] * share[reach:], 0)
    multipliers = np.zeros(conditions.shape)
    multipliers[conditions] = np.maximum(-answer.ineqlin.marginals[:n], 0)
    return pmf / np.sum(whole_pmf(pmf)), multipliers / share


def whole_pmf(pmf: Array) -> Array:
    """Return symmetric probabilities of all k, from those of k ≥ 0."""
    return np.concatenate([pmf[:0:-1], pmf])


def _conditions(
    epsilon: float, delta: float, conditions: NDArray[np.bool_], share: Array
) -> tuple[Array, Array, Array]:
    """Return rows, columns and values of p_k − e^ε p_{k+s} − u_{s,k} ≤ 0, in the unit of p_k, and Σ_k u_{s,k}/δ ≤ 1."""
    reach = share.size // 2
    move, place = np.nonzero(conditions)
    n, k, scale = move.size, place - reach, share[place]
    unit = np.maximum(delta / scale, _SMALLEST_SHARE)
    row, slack, other = np.arange(n), reach + 1 + np.arange(n), abs(k + move + 1)
    inside = other <= reach
    ratio = -math.exp(epsilon) * share[reach + np.minimum(other, reach)] / scale
    parts = [
        (row, abs(k), np.ones(n)),
        (row, slack, -unit),
        (row[inside], other[inside], ratio[inside]),
        (n + move, slack, unit * scale / delta),
    ]
    rows, columns, values = (np.concatenate(part) for part in zip(*parts, strict=True))
    return rows, columns, values


def _excess(pmf: Array, epsilon: float, conditions: NDArray[np.bool_]) -> float:
    """Return the largest Σ_k (p_k − e^ε p_{k+s})₊ over these conditions of a move s."""
    whole = whole_pmf(pmf)
    padded = np.append(whole, np.zeros(len(conditions)))
    other = np.lib.stride_tricks.sliding_window_view(padded[1:], whole.size)
    return float(np.max(np.sum(np.where(conditions, np.maximum(whole - math.exp(epsilon) * other, 0), 0), axis=1)))


def pmf_delta(pmf: Array, epsilon: float, steps: int) -> Array:
    """Return Σ_k (p_k − e^ε p_{k+s})₊ for s = 1 … `steps`, rounded up; p is symmetric, from p_0 on."""
    whole, growth = whole_pmf(pmf), math.exp(epsilon)
    deltas = np.empty(steps)
    for s in range(1, steps + 1):
        own, other = np.append(whole, np.zeros(s)), np.append(np.zeros(s), whole)
        excess = own * (1 + 4 * ULP) - growth * (1 - 4 * ULP) * other
        deltas[s - 1] = np.sum(excess[excess > 0]) * (1 + whole.size * ULP)
    return deltas


def _satisfying(pmf: Array, epsilon: float, delta: float, steps: int) -> Array:
    """Return the noise, mixed with as little truncated geometric noise as makes it satisfy δ."""
    wrong = float(np.max(pmf_delta(pmf, epsilon, steps)))
    if wrong <= delta:
        return pmf
    bound = int(truncated_geometric.bound_from_epsilon(epsilon, delta / 2, float(steps)))
    scale = truncated_geometric.scale_from_epsilon(epsilon, float(steps))
    safe = truncated_geometric.pmf(np.arange(max(bound + 1, pmf.size)), bound, scale)
    pmf = np.append(pmf, np.zeros(safe.size - pmf.size))
    rest = float(np.max(pmf_delta(safe, epsilon, steps)))
    share = (wrong - delta) / (wrong - rest)
    while np.max(pmf_delta((1 - share) * pmf + share * safe, epsilon, steps)) > delta:
        share = min(share * (1 + 1e-9) + 1e-12, 1.0)  # past what rounding adds to δ
    return (1 - share) * pmf + share * safe
