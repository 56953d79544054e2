"""The linear program of symmetric noise on whole numbers, its certified dual value, and noise that surely satisfies δ.

minimise Σ c_k p_k  over p ≥ 0, u ≥ 0  with  p_k − e^ε p_{k+s} ≤ u_{s,k},  Σ_k u_{s,k} ≤ δ for s = 1 … D,  Σ p_k = 1.

A dual solution is y_{s,k} in [0, ν_s]. With λ = min over all k of c_k + Σ_s (y_{s,k} − e^ε y_{s,k−s}), averaged over k
and −k as p is symmetric, every noise that satisfies the conditions costs at least λ − δ Σ ν_s. Beyond the last k of the
program y is ν, so that c_k − (e^ε − 1) Σ ν_s/2 is left there, which grows with the cost; or y is 0, after the last ones
of the program were made smaller, where that gives more.

Cells may also lie in pairs about 0, none in the middle: k and −k − 1 are then mirror images; p_k stands for k ≥ 0.
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

COSTS = ("variance", "mean_absolute_error", "tail")
PROGRAM_EPSILON_RANGE = "[0, 12]"  # beyond it e^ε is too large for the solver
PROGRAM_DELTA_RANGE = "[0, 0.5]"
MOST_ROWS_RANGE = "[100, 1e5]"
LEAST_DELTA = 1e-9  # of a program, so that the tolerances of the solver are far below
_TOLERANCE = 1e-10
_SMALLEST_SHARE = 1e-6

Cost = Callable[[Array], Array]


@dataclass(frozen=True)
class Solution:
    """The result of a linear program.

    Attributes
    ----------
    pmf : p_0 … p_M of symmetric noise that satisfies δ.
    multipliers : y_{s,k}, one row for each s, k = −M … M, of pairs k = −M − 1 … M.
    beyond : y_{s,k} for k > M, one for each s.
    lower : the certified lower bound on the cost of any noise.
    """

    pmf: Array
    multipliers: Array
    beyond: Array
    lower: float


def solve(epsilon: float, delta: float, steps: int, reach: int, cost: Cost, pairs: bool = False) -> Solution | None:
    """The program for moves of up to `steps` whole numbers and noise of up to ±`reach`; None if the solver fails."""
    answer = _answer(epsilon, delta, steps, reach, reach, cost, pairs)
    if answer is None:
        return None
    pmf, multipliers = answer
    multipliers, beyond, lower = _certified(multipliers, epsilon, delta, cost, pairs)
    return Solution(_satisfying(pmf, epsilon, delta, steps, pairs), multipliers, beyond, lower)


def bound_from_middle(epsilon: float, delta: float, steps: int, middle: int, cost: Cost) -> float:
    """A certified lower bound by the conditions on |k| ≤ `middle` alone; 0 if the solver fails.

    With fewer conditions the program is smaller, so that its cells may be. Where ε is large little is lost: nearly all
    of the noise is in the middle.
    """
    answer = _answer(epsilon, delta, steps, middle + steps, middle, cost)
    return 0.0 if answer is None else _certified(answer[1], epsilon, delta, cost)[2]


def _answer(
    epsilon: float, delta: float, steps: int, reach: int, middle: int, cost: Cost, pairs: bool = False
) -> tuple[Array, Array] | None:
    """p_0 … p_M and y_{s,k}, k = −M … M, of the program with conditions on |k| ≤ `middle`, as the solver gives them."""
    zero = reach + pairs
    k = np.arange(-zero, reach + 1)
    size = _mirrored(k, pairs)
    share = np.exp(-epsilon * size / steps / 2)  # p and its condition are solved in this unit, near p's own size
    share = np.maximum(share, _SMALLEST_SHARE)
    own = slice(reach - middle, zero + middle + 1)
    n_own = k[own].size
    rows, columns, values = _conditions(epsilon, delta, steps, k[own], share, pairs)
    n_rows, n_columns = steps * (n_own + 1), reach + 1 + steps * n_own
    budget = np.zeros(n_rows)
    budget[n_own :: n_own + 1] = 1
    twice = np.where(pairs | (np.arange(reach + 1) > 0), 2.0, 1.0) * share[zero:]
    prices = np.concatenate([cost(np.arange(reach + 1.0)) * twice, np.zeros(steps * n_own)])
    answer = linprog(
        prices,
        A_ub=coo_array((values, (rows, columns)), shape=(n_rows, n_columns)).tocsr(),
        b_ub=budget,
        A_eq=coo_array((twice, (np.zeros(reach + 1, int), np.arange(reach + 1))), shape=(1, n_columns)).tocsr(),
        b_eq=[1.0],
        method="highs",
        options={"primal_feasibility_tolerance": _TOLERANCE, "dual_feasibility_tolerance": _TOLERANCE},
    )
    if answer.x is None:
        return None
    pmf = np.maximum(answer.x[: reach + 1] * share[zero:], 0)
    multipliers = np.zeros((steps, k.size))
    marginals = answer.ineqlin.marginals.reshape(steps, n_own + 1)[:, :-1]
    multipliers[:, own] = np.maximum(-marginals / share[own], 0)
    return pmf / np.sum(whole_pmf(pmf, pairs)), multipliers


def _mirrored(k: NDArray[np.int_], pairs: bool) -> NDArray[np.int_]:
    """The k ≥ 0 that k or its mirror image is."""
    return np.maximum(k, -k - pairs)


def whole_pmf(pmf: Array, pairs: bool = False) -> Array:
    """Symmetric probabilities of all k, from those of k ≥ 0."""
    return np.concatenate([pmf[::-1] if pairs else pmf[:0:-1], pmf])


def _certified(
    multipliers: Array, epsilon: float, delta: float, cost: Cost, pairs: bool = False
) -> tuple[Array, Array, float]:
    """Multipliers, those beyond the last k, and the bound that they prove: the larger one of the two ways."""
    price, nothing = np.max(multipliers, axis=1), np.zeros(len(multipliers))
    shorter = _tapered(multipliers, epsilon, cost, pairs)
    ways = [(multipliers, price), (shorter, nothing)]
    bounds = [dual_value(some, least, epsilon, delta, cost, pairs) for some, least in ways]
    best = int(np.argmax(bounds))
    return *ways[best], bounds[best]


def _tapered(multipliers: Array, epsilon: float, cost: Cost, pairs: bool) -> Array:
    """Multipliers that are made smaller from the last k on down, as far as y = 0 beyond it takes.

    What a block of s takes from the one before it is e^ε times less, so that little is left at k = 0.
    """
    steps, reach, growth = multipliers.shape[0], (multipliers.shape[1] - 1) // 2, math.exp(epsilon)
    padded = np.pad(multipliers, ((0, 0), (2 * steps, 2 * steps)))
    middle, s = padded.shape[1] // 2, np.arange(1, steps + 1)
    costs = cost(np.arange(reach + steps + 1.0))
    reduced = _reduced(padded, growth, costs, pairs)
    aim = float(np.min(reduced[: reach + 1]))
    for k in range(reach + steps, 0, -1):
        own = padded[:, middle + k].sum() - growth * padded[s - 1, middle + k - s].sum()
        mirror = middle - k - pairs
        mirrored = padded[:, mirror].sum() - growth * padded[s - 1, mirror - s].sum()
        lack = 2 * (aim - costs[k]) - own - mirrored
        if lack > 0:
            total = growth * padded[s - 1, middle + k - s].sum()
            padded[s - 1, middle + k - s] *= max(1 - lack / total, 0.0) if total > 0 else 1.0
    return padded[:, 2 * steps : -2 * steps]


def _reduced(padded: Array, growth: float, costs: Array, pairs: bool) -> Array:
    """c_k + Σ_s (y_{s,k} − e^ε y_{s,k−s}), averaged over mirror images, k = 0, 1, …, of y that is else 0."""
    left = np.zeros(padded.shape[1])
    for s, row in enumerate(padded, start=1):
        left += row - growth * np.concatenate([np.zeros(s), row[:-s]])
    middle, size = padded.shape[1] // 2, costs.size
    mirrored = left[middle - pairs - size + 1 : middle - pairs + 1][::-1]
    return costs + (left[middle : middle + size] + mirrored) / 2


def _conditions(
    epsilon: float, delta: float, steps: int, k: NDArray[np.int_], share: Array, pairs: bool
) -> tuple[Array, Array, Array]:
    """Rows, columns and values of p_k − e^ε p_{k+s} − u_{s,k} ≤ 0, each in the unit of p_k, and Σ_k u_{s,k}/δ ≤ 1."""
    n, reach, zero = k.size, (share.size - 1) // 2, share.size // 2
    scale = share[zero + k]
    unit = np.maximum(delta / scale, _SMALLEST_SHARE)
    parts: list[tuple[Array, Array, Array]] = []
    for s in range(1, steps + 1):
        row, slack = (s - 1) * (n + 1) + np.arange(n), reach + 1 + (s - 1) * n + np.arange(n)
        other = _mirrored(k + s, pairs)
        inside = other <= reach
        ratio = -math.exp(epsilon) * share[zero + np.minimum(other, reach)] / scale
        parts += [
            (row, _mirrored(k, pairs), np.ones(n)),
            (row, slack, -unit),
            (row[inside], other[inside], ratio[inside]),
            (np.full(n, s * (n + 1) - 1), slack, unit * scale / delta),
        ]
    rows, columns, values = (np.concatenate(part) for part in zip(*parts, strict=True))
    return rows, columns, values


def dual_value(
    multipliers: Array, beyond: Array, epsilon: float, delta: float, cost: Cost, pairs: bool = False
) -> float:
    """λ − δ Σ ν_s of any y ≥ 0, rounded down: a lower bound on the cost of all noise of (ε, δ)-DP.

    From M + D + 1 on nothing but the cost changes, and it does not fall.
    """
    steps, reach = multipliers.shape[0], (multipliers.shape[1] - 1) // 2
    growth, price = math.exp(epsilon), np.maximum(np.max(multipliers, axis=1), beyond)
    end = reach + steps + 1
    after = np.repeat(beyond[:, None], end - reach, axis=1)
    padded = np.concatenate([np.zeros((steps, end - reach)), multipliers, after], axis=1)
    reduced = _reduced(padded, growth, cost(np.arange(end + 1.0)), pairs)
    size = (1 + growth) * np.sum(price) + np.max(abs(reduced))
    doubt = 8 * (steps + 4) * ULP * size
    return float(np.min(reduced) - round_up(delta, 2) * np.sum(price) - doubt)


def pmf_delta(pmf: Array, epsilon: float, steps: int, pairs: bool = False) -> Array:
    """Σ_k (p_k − e^ε p_{k+s})₊ for s = 1 … `steps`, rounded up; p is symmetric, from p_0 on."""
    whole, growth = whole_pmf(pmf, pairs), math.exp(epsilon)
    deltas = np.empty(steps)
    for s in range(1, steps + 1):
        own, other = np.append(whole, np.zeros(s)), np.append(np.zeros(s), whole)
        excess = own * (1 + 4 * ULP) - growth * (1 - 4 * ULP) * other
        deltas[s - 1] = np.sum(excess[excess > 0]) * (1 + whole.size * ULP)
    return deltas


def _satisfying(pmf: Array, epsilon: float, delta: float, steps: int, pairs: bool) -> Array:
    """The noise, mixed with as little truncated geometric noise as makes it satisfy δ.

    For pairs that is moved by 1 with probability ½.
    """
    wrong = float(np.max(pmf_delta(pmf, epsilon, steps, pairs)))
    if wrong <= delta:
        return pmf
    bound = int(truncated_geometric.bound_from_epsilon(epsilon, delta / 2, float(steps)))
    scale = truncated_geometric.scale_from_epsilon(epsilon, float(steps))
    k = np.arange(max(bound + 1, pmf.size))
    safe = truncated_geometric.pmf(k, bound, scale)
    safe = (safe + truncated_geometric.pmf(k + 1, bound, scale)) / 2 if pairs else safe
    pmf = np.append(pmf, np.zeros(safe.size - pmf.size))
    rest = float(np.max(pmf_delta(safe, epsilon, steps, pairs)))
    share = (wrong - delta) / (wrong - rest)
    while np.max(pmf_delta((1 - share) * pmf + share * safe, epsilon, steps, pairs)) > delta:
        share = min(share * (1 + 1e-9) + 1e-12, 1.0)  # past what rounding adds to δ
    return (1 - share) * pmf + share * safe
