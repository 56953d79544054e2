"""The lower bound that a dual solution of the program proves, whatever the solver did.

A dual solution is y_{s,k} in [0, ν_s]. With λ = min over all k of c_k + Σ_s (y_{s,k} − e^ε y_{s,k−s}), averaged over k
and −k as p is symmetric, every noise that satisfies the conditions costs at least λ − δ Σ ν_s. Beyond the last k of the
program y is ν, so that c_k − (e^ε − 1) Σ ν_s/2 is left there, which grows with the cost; or y is 0, after the last ones
of the program were made smaller, where that gives more.
"""

import math
from collections.abc import Callable

import numpy as np

from dpcore.checks import Array
from dpcore.rounding import ULP, round_up

Cost = Callable[[Array], Array]


def certified(
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
