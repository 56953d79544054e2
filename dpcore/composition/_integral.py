"""The contour integral of `dpcore.composition.contour`: saddle, nodes, sums and errors.

Everything is relative to e^{K(c) − cε}: S = δ e^{cε − K(c)}, about 1/(c(1 + c)√(2πK''(c))) at the saddle.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from dpcore.checks import Array
from dpcore.composition._normalize import Whole
from dpcore.composition._series import Series, Value, series
from dpcore.composition.moments import PER_OCTAVE
from dpcore.roots import root_by_steps
from dpcore.roots.brackets import Step
from dpcore.rounding import ULP

MOST_NODES = 2**14
_LEAST_NODES = 32
_HOPELESS = 2**11  # with so many nodes something is known, or will not be
_MARGIN = 8  # real s beyond a saddle that are tabled, at which Chernoff's bound is taken
_FARTHEST = 320


@dataclass(frozen=True)
class Precision:
    """What is aimed at: the step adds e^−`exponent` of the leading term, and a part `left` of S is beyond the nodes."""

    exponent: float
    left: float


def precision(digits: float) -> Precision:
    """The precision of a δ of which about so many digits are right; five take a tenth of the time of ten."""
    return Precision(40 - 4.8 * (10 - digits), 10.0 ** -(digits + 2))


_FULL = precision(10)


@dataclass(frozen=True)
class Saddles:
    """Real s, K(s) + ln w(s) with w = s^s/(1 + s)^{1+s} of Chernoff's bound δ(ε) ≤ w e^{K − sε}, and K(s) itself."""

    s: Array
    bound: Array
    level: Array


def integral_delta(
    together: Whole, direction: str, epsilon: Array, other_bound: Array, aim: Precision = _FULL
) -> tuple[Array, Array]:
    """δ(ε) in one direction, and its error; 0 where it is certainly at most `other_bound`."""
    value, error = np.zeros(epsilon.shape), np.zeros(epsilon.shape)
    table, cost = _saddles(together, direction, lambda table: table.bound - np.multiply.outer(epsilon, table.s))
    most = np.minimum(np.min(cost, axis=1), 0)
    with np.errstate(divide="ignore"):
        needed = (most > np.maximum(np.log(other_bound), -740)) & (epsilon < together.most(direction))
    chosen = _coarsest(table, epsilon)
    for index in np.unique(chosen[needed]):
        rows = np.flatnonzero(needed & (chosen == index))
        c, place, highest = float(table.s[index]), epsilon[rows], np.exp(most[rows])
        nodes, _ = _enough(together, direction, c, _distance(table, int(index), place, aim), place, None, aim)
        value[rows] = error[rows] = highest  # nothing but Chernoff's bound is known
        if nodes is not None:
            scale = np.exp(table.level[index] - c * place)
            series_value = _doubted(together, table, int(index), nodes, place)
            value[rows], error[rows] = (
                np.clip(series_value.total * scale, 0, highest),
                np.minimum(series_value.error * scale, highest),
            )
    return value, error


def integral_epsilon(
    together: Whole, direction: str, delta: Array, doubt: Array, other_bound: Array
) -> tuple[Array, Array, Array]:
    """ε(δ) ≥ 0 in one direction, how far it is off where δ is right to a relative `doubt`, and the relative error of δ.

    `other_bound` where that is certainly more.
    """
    value, error, relative = other_bound.copy(), np.zeros(delta.shape), np.zeros(delta.shape)
    log_delta = np.log(delta)
    table, cost = _saddles(together, direction, lambda table: (table.bound - log_delta[:, None]) / table.s)
    upper = np.clip(np.min(cost, axis=1), 0, together.most(direction))
    chosen = _coarsest(table, upper)
    for index in np.unique(chosen[upper > other_bound]):
        rows = np.flatnonzero((upper > other_bound) & (chosen == index))
        c, most, target = float(table.s[index]), upper[rows], log_delta[rows] - table.level[index]
        distance = _distance(table, int(index), most, _FULL)
        nodes, place = _enough(together, direction, c, distance, most, target, _FULL)
        value[rows] = error[rows] = most  # nothing but Chernoff's bound is known
        relative[rows] = np.inf
        if nodes is not None:
            series_at = partial(_doubted, together, table, int(index), nodes)
            value[rows], (error[rows], relative[rows]) = (
                place,
                _epsilon_error(series_at, c, place, most, target, doubt[rows]),
            )
    return value, error, relative


def _saddles(together: Whole, direction: str, cost: Callable[[Saddles], Array]) -> tuple[Saddles, Array]:
    """Real s around the least cost of every row, which is unimodal in s, and the costs."""
    low, high, further = -8, 15, 8
    while True:
        s = 2.0 ** (np.arange(low, high + 1) / PER_OCTAVE)
        level = together.log_moments(direction, low, high)
        table = Saddles(s, level - np.log1p(s) - s * np.log1p(1 / s), level)
        costs = cost(table)
        best = np.argmin(costs, axis=1)
        below, above = best.min() < _MARGIN and low > -_FARTHEST, best.max() + _MARGIN > high - low and high < _FARTHEST
        if not below and not above:
            return table, costs
        low, high, further = low - further * below, high + further * above, 2 * further


def _coarsest(table: Saddles, epsilon: Array) -> NDArray[np.intp]:
    """Just below the saddle, as few different c as lose at most a factor e⁸ of the digits.

    Just above, rare large losses may take over, so near them the nodes have to be many.
    """
    height = table.level - np.log(table.s) - np.log1p(table.s) - np.multiply.outer(epsilon, table.s)
    best = np.argmin(height, axis=1)
    rows, chosen = np.arange(best.size), best
    for step in (1, 2, PER_OCTAVE):
        rounded = np.maximum((best - 1) // step * step, 0)
        chosen = np.where(height[rows, rounded] < height[rows, best] + 8, rounded, chosen)
    return chosen


def _enough(
    together: Whole, direction: str, c: float, distance: float, epsilon: Array, target: Array | None, aim: Precision
) -> tuple[Series | None, Array]:
    """As many nodes as help, None if that is none; and ε: with a target, where ln S − cε reaches it."""
    best, place, count = None, epsilon, _LEAST_NODES
    while count <= MOST_NODES:
        nodes = series(together, direction, c, distance, count)
        if nodes is None:
            break
        if nodes.loose < nodes.beyond and np.any(nodes.beyond > aim.left * nodes.summed(epsilon)[0]):
            nodes = nodes.windowed()
        best, place = nodes, epsilon if target is None else _solved(nodes, place, epsilon, target)
        value = best.value(place)
        if np.all(value.error <= np.maximum(aim.left * value.total, value.rounding)):
            break
        if count >= _HOPELESS and np.all(value.error > value.total):
            break
        count *= 2
    return best, place


def _doubted(together: Whole, table: Saddles, index: int, nodes: Series, epsilon: Array) -> Value:
    """S at every ε, its error complete."""
    value, level = nodes.value(epsilon), abs(table.level[index]) + abs(table.s[index] * epsilon)
    level = 8 * (1 + level) + 40 * math.sqrt(together.n_runs) + together.steepest
    rounding = ULP * level * abs(value.total) + value.rounding
    return replace(value, error=value.error + _alias(table, index, nodes.distance, epsilon) + rounding)


def _epsilon_error(
    value: Callable[[Array], Value], c: float, epsilon: Array, upper: Array, target: Array, doubt: Array
) -> tuple[Array, Array]:
    """How far ε may be off, and the relative error of S there, where e^target is right to a relative `doubt`.

    So far to both sides that S with its error is certainly past the target, as S e^{−cε} falls in ε, and within 0 and
    `upper`: where that hardly falls, a slope would say too little.
    """
    at_epsilon = value(epsilon)
    with np.errstate(all="ignore"):
        relative = np.where(at_epsilon.total > at_epsilon.error, at_epsilon.error / at_epsilon.total, np.inf) + doubt
        step = np.where(relative < 0.5, 1.5 * relative / at_epsilon.fall + 8 * ULP * epsilon, np.inf)
        while True:
            above, below = np.minimum(epsilon + step, upper), np.maximum(epsilon - step, 0)
            most, least = value(above), value(below)
            past = np.log(most.total + most.error) - c * above - target <= -doubt
            before = np.log(least.total - least.error) - c * below - target >= doubt
            enough = (past | (above >= upper)) & (before | (below <= 0))
            if np.all(enough):
                return np.maximum(above - epsilon, epsilon - below), relative
            step = np.where(enough, step, 4 * step)


def _other_saddles(table: Saddles, index: int, epsilon: Array) -> tuple[Array, Array]:
    """Real s, 0 first, but for c, less c; and at each ln of Chernoff's bound on e^{cε − K(c)} δ."""
    s, bound = np.zeros(table.s.size), np.zeros(table.s.size)
    s[1 : index + 1], s[index + 1 :] = table.s[:index], table.s[index + 1 :]
    bound[1 : index + 1], bound[index + 1 :] = table.bound[:index], table.bound[index + 1 :]
    apart = s - table.s[index]
    return apart, bound - table.level[index] - np.multiply.outer(epsilon, apart)


def _distance(table: Saddles, index: int, epsilon: Array, aim: Precision) -> float:
    """The step h = c 2^{−m/2} at which all that comes from ε ± 2π/h is below e^−x/(c(1 + c)), x the aimed exponent."""
    c = float(table.s[index])
    apart, bound = _other_saddles(table, index, epsilon)
    need = (bound + math.log(c) + math.log1p(c) + aim.exponent) / abs(apart)
    sides = np.min(need[:, apart < 0], axis=1), np.min(need[:, apart > 0], axis=1)
    widest = max(float(np.max(sides)), 1e-3 / c)
    return c * 2.0 ** (math.floor(2 * math.log2(2 * math.pi / widest / c)) / 2)


def _alias(table: Saddles, index: int, distance: float, epsilon: Array) -> Array:
    """What the step h adds to S at most: δ(ε ± 2π/h), … by Chernoff's bound, twice for those beyond the first."""
    apart, bound = _other_saddles(table, index, epsilon)
    exponent = np.minimum(bound - abs(apart) * 2 * math.pi / distance, 700)
    below, above = np.min(exponent[:, apart < 0], axis=1), np.min(exponent[:, apart > 0], axis=1)
    return 2 * (np.exp(below) + np.exp(above))


def _solved(nodes: Series, epsilon: Array, upper: Array, target: Array) -> Array:
    """The ε in [0, upper] at which ln S − cε reaches the target, or 0: Newton's steps from a first one, in a bracket.

    ln δ is nearly always concave in ε, and then the steps end up approaching from above.
    """
    c = nodes.c

    def method(epsilon: Array) -> Step[Array]:
        total, slope = nodes.summed(epsilon)
        with np.errstate(all="ignore"):
            short = np.log(total) - c * epsilon - target
            step = np.where((total > 0) & (slope > 0), short * total / slope, -1 / c)
        stepped = np.maximum(epsilon + step, 0)
        reached = abs(short) <= 2 * ULP * (1 + abs(c * epsilon) + abs(target))
        near = reached | (abs(stepped - epsilon) * c <= 1e-14 + 4 * ULP * abs(c * epsilon))
        return stepped, near, short > 0, np.where(reached, epsilon, stepped)

    return np.minimum(root_by_steps(method, epsilon, np.full(upper.shape, -1.0), upper, 40).state, upper)
