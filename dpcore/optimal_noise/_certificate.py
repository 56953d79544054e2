"""The lower bound that a dual solution of the program proves, whatever the solver did.

A dual solution is y_{s,k} in [0, ν_s]. With λ = min over all k of c_k + Σ_s (y_{s,k} − e^ε y_{s,k−s}), averaged over k
and −k as p is symmetric, every noise that satisfies the conditions costs at least λ − δ Σ ν_s. Beyond the last k of the
program y is ν, so that c_k − (e^ε − 1) Σ ν_s/2 is left there, which grows with the cost; or y is 0, after the last ones
of the program were made smaller, where that gives more.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

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


def certified(
    multipliers: Array, epsilon: float, delta: float, cost: Cost, pairs: bool = False
) -> tuple[Array, Array, DualBound]:
    """Return multipliers, those beyond the last k, and the bound that they prove: those of the larger bound at δ."""
    price, nothing = np.max(multipliers, axis=1), np.zeros(len(multipliers))
    shorter = _tapered(multipliers, epsilon, cost, pairs)
    ways = [(multipliers, price), (shorter, nothing)]
    bounds = [_dual_bound(some, least, epsilon, cost, pairs) for some, least in ways]
    best = int(np.argmax([bound.at(delta) for bound in bounds]))
    return *ways[best], bounds[best]


def _tapered(multipliers: Array, epsilon: float, cost: Cost, pairs: bool) -> Array:
    """Return multipliers that are made smaller from the last k on down, as far as y = 0 beyond it takes.

    What a block of s takes from the one before it is e^ε times less, so that little is left at k = 0.
    """
    steps, reach, growth = multipliers.shape[0], (multipliers.shape[1] - 1) // 2, math.exp(epsilon)
    padded = np.pad(multipliers, ((0, 0), (2 * steps, 2 * steps)))
    middle, s = padded.shape[1] // 2, np.arange(1, steps + 1)
    costs = cost(np.arange(reach + steps + 1.0))
    own, before = _sums(padded)
    aim = float(np.min(_reduced(own - growth * before, costs, pairs)[: reach + 1]))
    for k in range(reach + steps, 0, -1):
        place, mirror, before_here = middle + k, middle - k - pairs, growth * float(before[middle + k])
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


def _reduced(left: Array, costs: Array, pairs: bool) -> Array:
    """Return c_k + Σ_s (y_{s,k} − e^ε y_{s,k−s}), averaged over mirror images, k = 0, 1, …; `left` is that sum."""
    middle, size = left.size // 2, costs.size
    mirrored = left[middle - pairs - size + 1 : middle - pairs + 1][::-1]
    return costs + (left[middle : middle + size] + mirrored) / 2


def _dual_bound(multipliers: Array, beyond: Array, epsilon: float, cost: Cost, pairs: bool) -> DualBound:
    """Return λ − δ Σ ν_s of any y ≥ 0, λ rounded down: a lower bound on the cost of all noise of (ε, δ)-DP.

    From M + D + 1 on nothing but the cost changes, and it does not fall.
    """
    steps, reach = multipliers.shape[0], (multipliers.shape[1] - 1) // 2
    growth, price = math.exp(epsilon), np.maximum(np.max(multipliers, axis=1), beyond)
    end = reach + steps + 1
    after = np.repeat(beyond[:, None], end - reach, axis=1)
    padded = np.concatenate([np.zeros((steps, end - reach)), multipliers, after], axis=1)
    own, before = _sums(padded)
    reduced = _reduced(own - growth * before, cost(np.arange(end + 1.0)), pairs)
    size = (1 + growth) * np.sum(price) + np.max(abs(reduced))
    doubt = 8 * (steps + 4) * ULP * size
    return DualBound(float(np.min(reduced) - doubt), float(np.sum(price)))
