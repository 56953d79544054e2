"""The least factor on all wanted errors at which given mechanisms cost at most a total ε, near a guess."""

import math
from collections.abc import Callable
from typing import NamedTuple

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
_ESTIMATED = 1e-4  # relative: so near to ε the close estimate of the total need not be nearer
_MOST_TRIALS = 5  # of the total next to the result of the search by the close estimate
_STEEPEST, _FLATTEST = -4.0, -0.3  # slopes of ln ε against the logarithm of the factor
_LEAST_SLOPE = -1e-3  # between two changes of noise on the whole numbers
_SURE = 1.002  # a close estimate that is so far above ε is not below it
_JUST_BELOW = 1e-12  # relative: so far below a change noise on the whole numbers is certainly that before it
_APART = 1e-9  # in the logarithm of the factor: between nearer ones no slope is measured
_WIDEST = 1.6  # around a guess: the factors at which noise on the whole numbers is known to change
_NEAR_CENTER = 0.3  # in the logarithm: from so far from a center the changes are sought around another one
_MOST_CHANGES = 2_000  # of one query, of which each is looked at; where there are more, the total hardly has steps
_MOST_MISS = 1.0  # in the logarithm of the total: where it is too steep for a chord, the bracket is halved
_FIRST_STEP = 0.02  # from a guess with a far miss, in the logarithm of the factor, at most
_BEYOND = 0.4  # of the closeness: how far beyond a root the next trial is
Cost = Callable[[float], float]
Point = tuple[float, float]  # the logarithm of a factor, and that of the ratio of its cost to ε


def slope_between(first: Point, last: Point) -> float:
    """Return the slope of the logarithm of the total between two points, within bounds."""
    return min(max((last[1] - first[1]) / (last[0] - first[0]), _STEEPEST), _FLATTEST)


class _Near(NamedTuple):
    """A factor at which the close estimate of the total is next to ε, and the slope of the logarithm of it there.

    `is_step` says that the estimate falls below ε at the factor itself, where noise on the whole numbers changes.
    """

    factor: float
    slope: float
    is_step: bool = False


def _closer(queries: Queries, keys: Keys, epsilon: float, delta: float, guess: float, slope: float) -> _Near:
    """Return a factor near a guess at which the close estimate of the total is ε, by steps of the secant.

    From the eighth on each fourth step halves the bracket, and so does each one that would leave it: the total is steep
    near the factor from which δ alone is enough. The steps beyond an open end grow with every trial. A step to where
    other noise on the whole numbers begins ends at the change itself, since the total jumps there; where the bracket
    ends at the next change, what is just below that is tried first.
    """
    factor, low, high, trial = guess, 0.0, math.inf, 0
    center, changes, last = guess, _changes_of_noise(queries, keys, guess), (math.inf, math.inf)
    while True:
        releases, log = releases_at(queries, keys, factor), math.log(factor)
        total_there = math.inf if releases is None else float(close_totals(queries, [releases], delta)[0])
        miss = math.log(max(total_there, 1e-300) / epsilon)
        if math.isfinite(miss) and _APART < abs(log - last[0]) < math.inf:
            slope = slope_between(last, (log, miss))
        last = log, miss
        low, high = (max(low, factor), high) if miss > 0 else (low, min(high, factor))
        if high <= low * (1 + 2 * _JUST_BELOW):
            return _Near(high, slope, is_step=True)
        if abs(miss) < _ESTIMATED or high <= low * (1 + _CLOSE_WITH_DELTA) or abs(log) > MOST_LOG - _APART:
            return _Near(factor, slope)
        is_open = low == 0 or high == math.inf
        shortest = _BEYOND * _CLOSE_WITH_DELTA * 3.0 ** min(trial, 12) if is_open else 0.0
        step = max(min(abs(miss / slope), _FIRST_STEP * 4.0 ** min(trial, 12)), shortest)
        log = min(max(log + math.copysign(step, miss), -MOST_LOG), MOST_LOG)
        is_outside = not low * (1 + _JUST_BELOW) < math.exp(log) < high * (1 - _JUST_BELOW)
        is_halved = not is_open and (is_outside or trial % 4 == 3 < trial)
        aim = math.sqrt(low * high) if is_halved else math.exp(log)
        if abs(math.log(aim / center)) > _NEAR_CENTER:
            center, changes = aim, _changes_of_noise(queries, keys, aim)
        after_low = changes[np.searchsorted(changes, low, "right") :][:1].tolist()
        factor = high * (1 - _JUST_BELOW) if is_halved and after_low == [high] else _to_change(changes, factor, aim)
        trial += 1


def _to_change(changes: Array, factor: float, aim: float) -> float:
    """Return where to go from a factor towards another one: there, or to a change of noise on the way.

    It is the change where the noise of the aim begins, or what is just below the change on which the factor is.
    """
    begin, end = np.searchsorted(changes, [factor, aim], "right").tolist()  # how many changes are at or below each
    if begin == end:
        return aim
    if end > begin:
        return float(changes[end - 1])
    if changes[begin - 1] == factor and end == begin - 1:
        return factor * (1 - _JUST_BELOW)
    return float(changes[end])


def least_factor(
    queries: Queries, keys: Keys, epsilon: float, delta: float, guess: float, slope: float = -1.0
) -> float:
    """Return a factor at which these mechanisms cost at most ε together, close above the least one; it was tried.

    `slope` is about that of ln ε against the logarithm of the factor.
    """
    cost, close = _cost(queries, keys, delta), _closeness(delta)
    near = _closer(queries, keys, epsilon, delta, guess, slope)
    guess = near.factor
    if near.is_step and cost(guess) <= epsilon < cost(guess * (1 - _JUST_BELOW)):
        return guess
    between = _by_slope(cost, epsilon, _changes_of_noise(queries, keys, guess), near, close)
    return _first_below(cost, epsilon, guess, close) if between is None else between


def least_factor_below(queries: Queries, keys: Keys, epsilon: float, delta: float, factor: float) -> float | None:
    """Return a smaller factor at which these mechanisms cost at most ε together; None where they do not just below."""
    below = factor / (1 + _closeness(delta))
    releases = releases_at(queries, keys, below)
    is_above = releases is None or close_totals(queries, [releases], delta)[0] > _SURE * epsilon
    if is_above or _cost(queries, keys, delta)(below) > epsilon:
        return None
    return least_factor(queries, keys, epsilon, delta, below)


def _by_slope(cost: Cost, epsilon: float, changes: Array, near: _Near, close: float) -> float | None:
    """Return a tried factor with cost ≤ ε, above the least one by a relative `close` at most; None if not soon.

    The slope between two trials says so, where no noise on the whole numbers changes between them and just below.
    """
    factor, slope, last = near.factor, near.slope, (math.inf, math.inf)
    for _ in range(_MOST_TRIALS):
        log, miss = math.log(factor), math.log(max(cost(factor), 1e-300) / epsilon)
        if not abs(miss) < NEAR:
            return None
        if _APART < abs(log - last[0]) < math.inf:
            slope = min((miss - last[1]) / (log - last[0]), _LEAST_SLOPE)  # nearly flat where most noise is whole
            ends = np.searchsorted(changes, [factor / (1 + close), factor, math.exp(last[0])], "right")
            if slope * close < miss <= 0 and ends.min() == ends.max():
                return factor
        last = log, miss
        factor *= math.exp(_BEYOND * close - miss / slope)
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


def _first_below(cost: Cost, epsilon: float, guess: float, close: float) -> float:
    """Return a tried factor with cost ≤ ε, above one with cost > ε by a relative `close` at most."""
    below: Point = (-math.inf, math.inf)
    above: Point = (math.inf, -math.inf)
    factor, low, high, trial = guess, 0.0, math.inf, 0
    while True:
        miss = math.log(max(cost(factor), 1e-300) / epsilon)
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
