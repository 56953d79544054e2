"""The least factor on all wanted errors at which given mechanisms cost at most a total ε, near a guess."""

import math
from collections.abc import Callable

import numpy as np

from dpcore.checks import Array
from dpcore.composition import Release
from dpcore.plan._losses import close_totals
from dpcore.plan._options import Keys, Queries
from dpcore.plan.candidates import Candidate, candidate
from dpcore.plan.queries import WHOLE_MECHANISMS
from dpcore.plan.totals import total

_MOST_FACTOR = 1e12
MOST_LOG = math.log(_MOST_FACTOR)
NEAR = 0.02  # relative: how far an estimate of the total may be off
_CLOSE, _CLOSE_WITH_DELTA = 1e-6, 1e-5  # relative: how far a factor is rounded up
_MOST_STEPS, _MOST_STRADDLES = 4, 3  # of the search by the close estimate, and trials of the total next to its result
_STEEPEST, _FLATTEST = -4.0, -0.3  # slopes of ln ε against the logarithm of the factor
_SURE = 1.002  # a close estimate that is so far above ε is not below it
_WIDEST = 1.6  # around a guess: the factors at which noise on the whole numbers is known to change
_MOST_CHANGES = 2_000  # of one query, of which each is looked at; where there are more, the total hardly has steps
_MOST_MISS = (
    1.0  # in the logarithm of the total: beyond it the total is too steep for a chord, and the bracket is halved
)
_FIRST_STEP = 0.02  # from a guess with a far miss, in the logarithm of the factor, at most
_BEYOND = 0.4  # of the closeness: how far beyond a root the next trial is
Cost = Callable[[float], float]
Point = tuple[float, float]  # the logarithm of a factor, and that of the ratio of its cost to ε


def slope_between(first: Point, last: Point) -> float:
    """Return the slope of the logarithm of the total between two points, within bounds."""
    return min(max((last[1] - first[1]) / (last[0] - first[0]), _STEEPEST), _FLATTEST)


def _closer(queries: Queries, keys: Keys, epsilon: float, delta: float, guess: float) -> float:
    """Return a factor near a guess at which the close estimate of the total is nearer to ε, by steps of the secant.

    Where the total is steep, as near the factor from which δ alone is enough, these do not get there, and halves do.
    """

    def miss_at(log: float) -> float:
        releases = releases_at(queries, keys, math.exp(log))
        if releases is None:
            return math.inf
        return math.log(max(float(close_totals(queries, [releases], delta)[0]), 1e-300) / epsilon)

    points = list[Point]()
    log, slope = math.log(guess), -1.0
    for _ in range(_MOST_STEPS):
        miss = miss_at(log)
        if miss == math.inf:
            break
        if points and points[-1][0] != log:
            slope = slope_between(points[-1], (log, miss))
        points.append((log, miss))
        if abs(miss) < _CLOSE_WITH_DELTA:
            break
        log = min(max(log - miss / slope, -MOST_LOG), MOST_LOG)
    log, miss = min(points, key=lambda point: abs(point[1]), default=(math.log(guess), 0.0))
    return math.exp(log if abs(miss) < NEAR else _halved(miss_at, log, miss))


def _halved(miss_at: Callable[[float], float], log: float, miss: float) -> float:
    """Return the logarithm of a factor near a sign change of a falling function, beyond one with a known value."""
    sign, other, step = 1 if miss > 0 else -1, log, 0.5
    while sign * miss_at(other) > 0 and sign * other < MOST_LOG:
        log, other, step = other, other + sign * step, 2 * step
    while abs(other - log) > _CLOSE_WITH_DELTA:
        middle = (log + other) / 2
        log, other = (middle, other) if sign * miss_at(middle) > 0 else (log, middle)
    return other


def least_factor(queries: Queries, keys: Keys, epsilon: float, delta: float, guess: float) -> float:
    """Return a factor at which these mechanisms cost at most ε together, close above the least one; it was tried."""
    cost, close, guess = _cost(queries, keys, delta), _closeness(delta), _closer(queries, keys, epsilon, delta, guess)
    changes = _changes_of_noise(queries, keys, guess)
    between = _straddled(cost, epsilon, changes, guess, close)
    if between is not None:
        return between
    low, high = _between_changes(cost, epsilon, changes, guess) if changes.size else (0.0, math.inf)
    return _first_below(cost, epsilon, low, high, high / (1 + close) if high < math.inf else guess, close)


def least_factor_below(queries: Queries, keys: Keys, epsilon: float, delta: float, factor: float) -> float | None:
    """Return a smaller factor at which these mechanisms cost at most ε together; None where they do not just below."""
    below = factor / (1 + _closeness(delta))
    releases = releases_at(queries, keys, below)
    is_above = releases is None or close_totals(queries, [releases], delta)[0] > _SURE * epsilon
    if is_above or _cost(queries, keys, delta)(below) > epsilon:
        return None
    return least_factor(queries, keys, epsilon, delta, below)


def _straddled(cost: Cost, epsilon: float, changes: Array, guess: float, close: float) -> float | None:
    """Return a tried factor with cost ≤ ε, above one with cost > ε by a relative `close` at most; None if not soon.

    No noise on the whole numbers changes between the two, so that no smaller factor has a cost ≤ ε.
    """
    factor, low, high = guess, 0.0, math.inf
    for _ in range(_MOST_STRADDLES):
        miss = math.log(max(cost(factor), 1e-300) / epsilon)
        if not abs(miss) < NEAR:
            return None
        low, high = (max(low, factor), high) if miss > 0 else (low, min(high, factor))
        if high <= low * (1 + close) and np.searchsorted(changes, low) == np.searchsorted(changes, high):
            return high
        factor *= math.exp(miss + math.copysign(_BEYOND * close, miss))
    return None


def _closeness(delta: float) -> float:
    return _CLOSE if delta == 0 else _CLOSE_WITH_DELTA


def _cost(queries: Queries, keys: Keys, delta: float) -> Cost:
    """Return the total as a function of the factor, ∞ where a noise is too narrow."""

    def cost(factor: float) -> float:
        releases = releases_at(queries, keys, factor)
        return math.inf if releases is None else float(total(queries, releases, delta).value)

    return cost


def releases_at(queries: Queries, keys: Keys, factor: float) -> list[Release] | None:
    """Return the releases of mechanisms at a factor, or None where a noise is too narrow."""
    noises = noises_at(queries, keys, factor)
    return None if noises is None else [noise.release for noise in noises]


def noises_at(queries: Queries, keys: Keys, factor: float) -> list[Candidate] | None:
    """Return the noises of mechanisms at a factor, or None where one is too narrow."""
    noises = [candidate(key, query, factor) for query, key in zip(queries, keys, strict=True)]
    possible = [noise for noise in noises if noise is not None]
    return possible if len(possible) == len(noises) else None


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
    place = int(np.searchsorted(changes, guess * min(max(ratio, 1 - NEAR), 1 + NEAR)))  # the total may be steep
    step = max(1, abs(place - split))
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
    root, so that the bracket closes from both sides; each fourth trial halves it, and each one after a far miss. The
    step from an open end grows with every trial.
    """
    sign = 1 if last[1] > 0 else -1
    is_tried = math.isfinite(below[1]) and math.isfinite(above[1])
    rise, fall, miss = (min(max(value, -_MOST_MISS), _MOST_MISS) for value in (below[1], above[1], last[1]))
    root = (below[0] * fall - above[0] * rise) / (fall - rise) if is_tried else last[0] + miss
    aim = root + _BEYOND * sign * close
    if not (math.isfinite(below[0]) and math.isfinite(above[0])):
        step = max(abs(aim - last[0]), min(_BEYOND * close * 3.0**trial, 3.0))
        return last[0] + sign * (min(step, _FIRST_STEP * 4.0**trial) if abs(last[1]) > _MOST_MISS / 2 else step)
    if trial % 4 == 3 or abs(last[1]) > _MOST_MISS or above[0] - below[0] < 4 * _BEYOND * close:
        return (below[0] + above[0]) / 2
    return min(max(aim, below[0] + 2 * _BEYOND * close), above[0] - 2 * _BEYOND * close)
