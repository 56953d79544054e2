"""The search for the one factor on all wanted errors that a total ε allows."""

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from dpcore.checks import Array
from dpcore.composition import Release
from dpcore.plan._search import Keys, Queries, best_plan, list_estimates
from dpcore.plan.candidates import candidate
from dpcore.plan.records import Plan, ScaledPlan
from dpcore.plan.totals import person_lists, total
from dpcore.roots import multisect

_MOST_FACTOR = 1e12
_CLOSE = 1e-6  # relative: how far a factor is rounded up
_MOST_ROUNDS = 6  # of a search for the factor
_SMALLER = (0.995, 0.98, 0.95, 0.92)  # of a factor, at which other mechanisms are tried


def scaled_plan(queries: Queries, epsilon: float, delta: float, forced: str) -> ScaledPlan:
    """Return the plan at the least factor that is found.

    It is the factor of the mechanisms of one plan, then of those of the best plan there. With noise on the whole
    numbers totals fall in steps, so that other mechanisms may meet ε at a smaller factor: some are tried.
    """
    if all(query.is_fixed for query in queries):
        raise ValueError("queries must be such that the noise of one is not fixed, got only fixed ones")
    factor, keys = math.inf, best_plan(queries, delta, forced, 1.0).keys
    for _ in range(_MOST_ROUNDS):
        reached = _factor(queries, keys, epsilon, delta)
        if reached < factor:
            factor = reached
            keys = best_plan(queries, delta, forced, factor).keys
            continue
        below = (_plan_or_none(queries, delta, forced, factor * share) for share in _SMALLER)
        better = [plan.keys for plan in below if plan is not None and plan.total.value <= epsilon]
        if not better:
            break
        keys = better[-1]
    return ScaledPlan(factor, best_plan(queries, delta, forced, factor))


def _plan_or_none(queries: Queries, delta: float, forced: str, factor: float) -> Plan | None:
    try:
        return best_plan(queries, delta, forced, factor)
    except ValueError:  # the error is too small for any noise
        return None


def _factor(queries: Queries, keys: Keys, epsilon: float, delta: float) -> float:
    """Return a factor at which these mechanisms cost at most ε together, close above the least one; it was tried."""

    def cost(factor: float) -> float:
        releases = _releases(queries, keys, factor)
        return math.inf if releases is None else float(total(queries, releases, delta).value)

    return _first_below(cost, epsilon, _estimated_factor(queries, keys, epsilon, delta))


def _releases(queries: Queries, keys: Keys, factor: float) -> list[Release] | None:
    """Return the releases of mechanisms at a factor, or None where a noise is too narrow."""
    releases = []
    for query, key in zip(queries, keys, strict=True):
        noise = candidate(key, query, factor)
        if noise is None:
            return None
        releases.append(noise.release)
    return releases


def _estimated_factor(queries: Queries, keys: Keys, epsilon: float, delta: float) -> float:
    """Return the factor at which the estimate of the total is ε."""

    def is_enough(logs: Array) -> NDArray[np.bool_]:
        plans = [_releases(queries, keys, float(np.exp(log))) for log in logs.ravel()]
        lists = [person_lists(queries, releases) for releases in plans if releases is not None]
        enough = np.zeros(len(plans), np.bool_)
        enough[[releases is not None for releases in plans]] = np.array(list_estimates(lists, delta)) <= epsilon
        return enough.reshape(logs.shape)

    most = math.log(_MOST_FACTOR)
    return float(np.exp(multisect(is_enough, -most, most, n_parts=16, n_rounds=4)[1]))


def _first_below(cost: Callable[[float], float], epsilon: float, guess: float) -> float:
    """Return a tried factor with cost ≤ ε, above one with cost > ε by a relative 1e-6 at most.

    The steps are those of the secant in the logarithms, kept inside a bracket, whose middle they alternate with.
    """
    low, high, step = guess, guess, 1.01
    while cost(high) > epsilon:
        if high > _MOST_FACTOR:  # noise that is fixed, or that ends at its largest scale
            raise ValueError(f"epsilon must be in [{cost(high):.4g}, 1e6] with this noise, got {epsilon:g}")
        low, high, step = high, high * step, step**3
    while low == high or cost(low) <= epsilon:
        high, low, step = low, low / step, step**3
        if low < 1 / _MOST_FACTOR:
            return high
    f_low, f_high = math.log(cost(low) / epsilon), math.log(max(cost(high), 1e-300) / epsilon)
    halve = False
    while high > low * (1 + _CLOSE):
        share = 0.5 if halve or math.isinf(f_low) or f_low == f_high else min(max(f_low / (f_low - f_high), 0.02), 0.98)
        middle = low * (high / low) ** share
        value = math.log(max(cost(middle), 1e-300) / epsilon)
        halve = share != 0.5 and (share < 0.1 or share > 0.9) and not halve
        if value > 0:
            low, f_low = middle, value
        else:
            high, f_high = middle, value
    return high
