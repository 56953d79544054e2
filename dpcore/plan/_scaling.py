"""The search for the one factor on all wanted errors that a total ε allows."""

import math
from collections.abc import Callable

import numpy as np

from dpcore.checks import Array
from dpcore.composition import Release
from dpcore.plan._losses import Keys, estimated_total
from dpcore.plan._search import Queries, estimated_plans, plan_of, plan_options, uniform_plans
from dpcore.plan.candidates import candidate
from dpcore.plan.queries import WHOLE_MECHANISMS
from dpcore.plan.records import ScaledPlan
from dpcore.plan.totals import total

_MOST_FACTOR = 1e12
_MOST_LOG = math.log(_MOST_FACTOR)
_CLOSE, _CLOSE_WITH_DELTA = 1e-6, 1e-5  # relative: how far a factor is rounded up
_NEAR = 0.02  # relative: how far an estimate of the total may be off
_FAR = math.log(2)  # in the logarithm of the factor: the best plan may be another one
_MOST_STEPS = 12  # of the search by the estimate
_STEEPEST, _FLATTEST = -4.0, -0.3  # slopes of ln ε against the logarithm of the factor
_WIDEST = 1.6  # around a guess: the factors at which noise on the whole numbers is known to change
_MOST_CHANGES = 2_000  # of one query, of which each is looked at; where there are more, the total hardly has steps
_SMALLER = 0.97  # of a factor, at which other mechanisms are looked for
_BEYOND = 0.4  # of the closeness: how far beyond a root the next trial is
Cost = Callable[[float], float]
Point = tuple[float, float]  # the logarithm of a factor, and that of the ratio of its cost to ε


def scaled_plan(queries: Queries, epsilon: float, delta: float, forced: str) -> ScaledPlan:
    """Return the plan at the least factor that is found.

    It is the factor of the mechanisms of the best plan there, by the estimate. With noise on the whole numbers totals
    fall in steps, so that the mechanisms of the best plan at a smaller factor may meet ε at one of these: they are
    tried, if they meet it just below the factor.
    """
    if all(query.is_fixed for query in queries):
        raise ValueError("queries must be such that the noise of one is not fixed, got only fixed ones")
    guess, keys = _estimated_factor(queries, epsilon, delta, forced)
    factor = _factor(queries, keys, epsilon, delta, guess)
    if any(query.whole for query in queries):
        other = _estimated(queries, delta, forced, factor * _SMALLER, keys)
        if other is not None and other[0] != keys:
            below = _factor_below(queries, other[0], epsilon, delta, factor)
            factor, keys = (factor, keys) if below is None else (below, other[0])
    options = plan_options(queries, delta, forced, factor)
    return ScaledPlan(factor, plan_of(queries, options, keys, delta, None, uniform_plans(options, delta)))


def _estimated(
    queries: Queries, delta: float, forced: str, factor: float, near: Keys | None = None
) -> tuple[Keys, float] | None:
    """Return the best plan at a factor, or the best near one, and its estimate; None where a query has no noise."""
    try:
        options = plan_options(queries, delta, forced, factor)
    except ValueError:
        return None
    is_possible = near is not None and all(key in own for key, own in zip(near, options, strict=True))
    return estimated_plans(queries, options, delta, [near] if near is not None and is_possible else [])[0]


def _estimate_of(queries: Queries, keys: Keys, delta: float, factor: float) -> tuple[Keys, float] | None:
    """Return mechanisms with the estimate of their total at a factor; None where a noise is too narrow."""
    releases = _releases(queries, keys, factor)
    return None if releases is None else (keys, estimated_total(queries, releases, delta))


def _estimated_factor(queries: Queries, epsilon: float, delta: float, forced: str) -> tuple[float, Keys]:
    """Return a factor at which the estimate of the best plan is near ε, and its mechanisms.

    The total falls about as one over the factor: the steps are those of the secant in the logarithms, of bounded size,
    with the mechanisms of the plan that was the best, which is sought again where the factor has changed by more than
    two, and where its estimate is near ε. They go back halfway from where a query has no noise.
    """
    keys, _ = estimated_plans(queries, plan_options(queries, delta, forced, 1.0), delta)[0]
    is_sought, sought, log, slope, points = False, 0.0, 0.0, -1.0, list[tuple[float, float]]()
    for _ in range(_MOST_STEPS):
        plan = _estimate_of(queries, keys, delta, math.exp(log)) if abs(log - sought) < _FAR else None
        if plan is None:
            plan, sought = _estimated(queries, delta, forced, math.exp(log)), log
        if plan is None:
            log = (log + points[-1][0]) / 2
            continue
        keys, estimate = plan
        miss = math.log(max(estimate, 1e-300) / epsilon)
        if points and points[-1][0] != log:
            slope = min(max((miss - points[-1][1]) / (log - points[-1][0]), _STEEPEST), _FLATTEST)
        points.append((log, miss))
        if abs(miss) < _NEAR:
            best = None if is_sought or log == sought else _estimated(queries, delta, forced, math.exp(log))
            if best is None or best[0] == keys:
                break
            keys, is_sought = best[0], True
        log = min(max(log - miss / slope, -_MOST_LOG), _MOST_LOG)
    return math.exp(min(points, key=lambda point: abs(point[1]))[0]), keys


def _factor(queries: Queries, keys: Keys, epsilon: float, delta: float, guess: float) -> float:
    """Return a factor at which these mechanisms cost at most ε together, close above the least one; it was tried."""
    cost, close = _cost(queries, keys, delta), _closeness(delta)
    changes = _changes_of_noise(queries, keys, guess)
    low, high = _between_changes(cost, epsilon, changes, guess) if changes.size else (0.0, math.inf)
    if high < math.inf:
        guess = high / (1 + close)
        if cost(guess) > epsilon:
            return high
        high = guess
    return _first_below(cost, epsilon, low, high, guess, close)


def _factor_below(queries: Queries, keys: Keys, epsilon: float, delta: float, factor: float) -> float | None:
    """Return a smaller factor at which these mechanisms cost at most ε together; None where they do not just below."""
    below = factor / (1 + _closeness(delta))
    if _cost(queries, keys, delta)(below) > epsilon:
        return None
    return _factor(queries, keys, epsilon, delta, below)


def _closeness(delta: float) -> float:
    return _CLOSE if delta == 0 else _CLOSE_WITH_DELTA


def _cost(queries: Queries, keys: Keys, delta: float) -> Cost:
    """Return the total as a function of the factor, ∞ where a noise is too narrow."""

    def cost(factor: float) -> float:
        releases = _releases(queries, keys, factor)
        return math.inf if releases is None else float(total(queries, releases, delta).value)

    return cost


def _releases(queries: Queries, keys: Keys, factor: float) -> list[Release] | None:
    """Return the releases of mechanisms at a factor, or None where a noise is too narrow."""
    releases = []
    for query, key in zip(queries, keys, strict=True):
        noise = candidate(key, query, factor)
        if noise is None:
            return None
        releases.append(noise.release)
    return releases


def _changes_of_noise(queries: Queries, keys: Keys, guess: float) -> Array:
    """Return the factors around a guess at which noise on the whole numbers changes: its errors are whole."""
    low, high, changes = guess / _WIDEST, guess * _WIDEST, [np.zeros(0)]
    for query, key in zip(queries, keys, strict=True):
        first, last = math.floor(query.half_width * low), math.floor(query.half_width * high)
        if key in WHOLE_MECHANISMS and not query.is_fixed and not query.width and last - first <= _MOST_CHANGES:
            changes.append(np.arange(first + 1, last + 1) / query.half_width * (1 + 1e-15))
    return np.unique(np.concatenate(changes))


def _between_changes(cost: Cost, epsilon: float, changes: Array, guess: float) -> tuple[float, float]:
    """Return the change before the least factor and the one after it, 0 or ∞ where that is beyond the last ones.

    The search starts where the cost would be ε if it fell as one over the factor from its value at the guess; it goes
    on in growing steps, and halves what is left.
    """
    ratio, split = cost(guess) / epsilon, int(np.searchsorted(changes, guess))
    low, high = (split - 1, changes.size) if ratio > 1 else (-1, split)  # places with a cost above ε, and at most ε
    place, step = int(np.searchsorted(changes, guess * min(max(ratio, 0.5), 2))), 1
    while high - low > 1:
        place = min(max(place, low + 1), high - 1)
        is_above = cost(float(changes[place])) > epsilon
        low, high = (place, high) if is_above else (low, place)
        is_open = high == changes.size if is_above else low == -1
        place = place + (step if is_above else -step) if is_open else (low + high) // 2
        step *= 2
    return float(changes[low]) if low >= 0 else 0.0, float(changes[high]) if high < changes.size else math.inf


def _first_below(cost: Cost, epsilon: float, low: float, high: float, guess: float, close: float) -> float:
    """Return a tried factor with cost ≤ ε, above one with cost > ε by a relative `close` at most.

    The cost is above ε at `low`, if that is not 0, and at most ε at `high`, if that is finite.
    """

    def miss_at(factor: float) -> float:
        return math.log(max(cost(factor), 1e-300) / epsilon)

    below: Point = (math.log(low), miss_at(low)) if low else (-math.inf, math.inf)
    above: Point = (math.log(high), -math.inf)
    factor, trial = guess, 0
    while True:
        miss = miss_at(factor)
        if miss > 0 and factor > _MOST_FACTOR:  # noise that is fixed, or that ends at its largest scale
            raise ValueError(f"epsilon must be in [{cost(factor):.4g}, 1e6] with this noise, got {epsilon:g}")
        point = math.log(factor), miss
        below, above = (point, above) if miss > 0 else (below, point)
        low, high = (factor, high) if miss > 0 else (low, factor)
        if high <= low * (1 + close) or high < 1 / _MOST_FACTOR:
            return high
        factor = math.exp(_next_log(below, above, point, close, trial))
        trial += 1


def _next_log(below: Point, above: Point, last: Point, close: float, trial: int) -> float:
    """Return the logarithm of the factor to try next.

    Within a bracket it is that of the chord, or of a slope of −1 where one end was not tried, and a little beyond the
    root, so that the bracket closes from both sides; each fourth trial halves it. The step from an open end grows with
    every trial.
    """
    sign = 1 if last[1] > 0 else -1
    is_tried = math.isfinite(below[1]) and math.isfinite(above[1])
    root = (below[0] * above[1] - above[0] * below[1]) / (above[1] - below[1]) if is_tried else last[0] + last[1]
    aim = root + _BEYOND * sign * close
    if not (math.isfinite(below[0]) and math.isfinite(above[0])):
        step = min(_BEYOND * close * 3.0**trial, 3.0)
        return last[0] + sign * max(abs(aim - last[0]) if math.isfinite(aim) else step, step)
    if trial % 4 == 3 or above[0] - below[0] < 4 * _BEYOND * close or not math.isfinite(aim):
        return (below[0] + above[0]) / 2
    return min(max(aim, below[0] + 2 * _BEYOND * close), above[0] - 2 * _BEYOND * close)
