"""The least factor on all wanted errors at which given mechanisms cost at most a total ε, near a guess.

A close estimate of the total, which takes less time than an exact one, leads to the factor; exact totals bracket it.
"""

import math
from collections.abc import Callable

import numpy as np

from dpcore.checks import Array
from dpcore.composition import Release
from dpcore.plan._losses import close_totals
from dpcore.plan._options import Keys, Queries
from dpcore.plan.candidates import Candidate, Chooser, candidate
from dpcore.plan.totals import total
from dpcore.roots import safe_root

MOST_FACTOR = 1e12
_CLOSE, _CLOSE_WITH_DELTA = 1e-6, 1e-5  # relative: how far a factor is rounded up
_SURE = 1.002  # a close estimate that is so far above ε is not below it
_FIRST_STEP, _FIRST_EXACT_STEP = 0.01, 3e-5  # relative: about as far as the guesses of a factor mostly are off
Cost = Callable[[float], float]


def least_factor(queries: Queries, keys: Keys, epsilon: float, delta: float, guess: float) -> float:
    """Return a factor at which these mechanisms cost at most ε together, close above the least one; it was tried."""
    cost, close = _cost(queries, keys, delta), _closeness(delta)
    near = _root(_estimated_cost(queries, keys, delta), epsilon, guess, close, _FIRST_STEP)
    factor = _root(cost, epsilon, min(near, MOST_FACTOR), close, _FIRST_EXACT_STEP)
    if factor > MOST_FACTOR:  # noise that is fixed, or that ends at its largest scale
        raise ValueError(f"epsilon must be in [{cost(MOST_FACTOR):.4g}, 1e6] with this noise, got {epsilon:g}")
    return factor


def least_factor_below(queries: Queries, keys: Keys, epsilon: float, delta: float, factor: float) -> float | None:
    """Return a smaller factor at which these mechanisms cost at most ε together; None where they do not just below."""
    below = factor / (1 + _closeness(delta))
    is_above = _estimated_cost(queries, keys, delta)(below) > _SURE * epsilon
    if is_above or _cost(queries, keys, delta)(below) > epsilon:
        return None
    return least_factor(queries, keys, epsilon, delta, below)


def _root(cost: Cost, epsilon: float, guess: float, close: float, first_step: float) -> float:
    """Return a tried factor with cost ≤ ε, above one with cost > ε by a relative `close` at most.

    It is `1 / MOST_FACTOR` where any factor has cost ≤ ε, and above `MOST_FACTOR` where none up to that has.
    """

    def log_ratio(_: object, factors: Array) -> Array:
        costs = np.array([cost(factor) if factor <= MOST_FACTOR else 0.0 for factor in factors.tolist()])
        return np.clip(np.log(np.maximum(costs, 1e-300) / epsilon), -1, 1)

    least = 1 / MOST_FACTOR
    return float(safe_root(log_ratio, [max(guess, least)], [least], close, first_step)[0])


def _closeness(delta: float) -> float:
    return _CLOSE if delta == 0 else _CLOSE_WITH_DELTA


def _cost(queries: Queries, keys: Keys, delta: float) -> Cost:
    """Return the total as a function of the factor, ∞ where a noise is too narrow."""

    def cost(factor: float) -> float:
        releases = releases_at(queries, keys, factor)
        return math.inf if releases is None else float(total(queries, releases, delta).value)

    return cost


def _estimated_cost(queries: Queries, keys: Keys, delta: float) -> Cost:
    """Return a close estimate of the total as a function of the factor, ∞ where a noise is too narrow."""

    def cost(factor: float) -> float:
        releases = releases_at(queries, keys, factor)
        return math.inf if releases is None else float(close_totals(queries, [releases], delta)[0])

    return cost


def releases_at(queries: Queries, keys: Keys, factor: float) -> list[Release] | None:
    """Return the releases of mechanisms at a factor, or None where a noise is too narrow."""
    noises = noises_at(queries, keys, factor)
    return None if noises is None else [noise.release for noise in noises]


def noises_at(queries: Queries, keys: Keys, factor: float) -> list[Candidate | Chooser] | None:
    """Return the noises of mechanisms at a factor, or None where one is too narrow."""
    noises = [candidate(key, query, factor) for query, key in zip(queries, keys, strict=True)]
    possible = [noise for noise in noises if noise is not None]
    return possible if len(possible) == len(noises) else None
