"""The contour integral of `dpcore.composition.contour`: saddle, nodes, sums and errors.

Everything is relative to e^{K(c) − cε}: S = δ e^{cε − K(c)}, about 1/(c(1 + c)√(2πK''(c))) at the saddle.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import erfc

from dpcore._normal import ULP
from dpcore.checks import Array
from dpcore.composition._whole import Whole
from dpcore.composition.moments import PER_OCTAVE, Complex, turned

MOST_NODES = 2**14
_LEAST_NODES = 32
_HOPELESS = 2**11  # with so many nodes something is known, or will not be
_DIGITS = 40.0  # e^−40 of the leading term is aimed at
_MARGIN = 8  # real s beyond a saddle that are tabled, at which Chernoff's bound is taken
_FARTHEST = 320
_SMALL = 1e-12  # the part of S that is left beyond the nodes, at most


@dataclass(frozen=True)
class Saddles:
    """Real s, K(s) + ln w(s) with w = s^s/(1 + s)^{1+s} of Chernoff's bound δ(ε) ≤ w e^{K − sε}, and K(s) itself."""

    s: Array
    bound: Array
    level: Array


@dataclass(frozen=True)
class Value:
    """ε, S, what it is off by the end of the nodes and by rounding, and how fast ln δ falls in ε."""

    epsilon: Array
    total: Array
    error: Array
    rounding: Array
    fall: Array


@dataclass(frozen=True)
class _Nodes:
    """The terms of S at t = 0, h, …, but for e^{−itε}; what is beyond them at most; whether a window may end them."""

    terms: Complex
    distance: float
    beyond: float
    windowed: bool


def integral_delta(together: Whole, direction: str, epsilon: Array, beside: Array) -> tuple[Array, Array]:
    """δ(ε) in one direction, and its error; 0 where it is certainly at most `beside`."""
    value, error = np.zeros(epsilon.shape), np.zeros(epsilon.shape)
    table, cost = _saddles(together, direction, lambda table: table.bound - np.multiply.outer(epsilon, table.s))
    with np.errstate(divide="ignore"):
        needed = (np.min(cost, axis=1) > np.maximum(np.log(beside), -740)) & (epsilon < together.most(direction))
    chosen = _coarsest(table, epsilon)
    for index in np.unique(chosen[needed]):
        here = np.flatnonzero(needed & (chosen == index))
        found = _evaluated(together, direction, table, int(index), epsilon[here], None)
        scale = np.exp(table.level[index] - table.s[index] * epsilon[here])
        value[here], error[here] = np.clip(found.total * scale, 0, 1), found.error * scale
    return value, error


def integral_epsilon(together: Whole, direction: str, delta: Array, beside: Array) -> tuple[Array, Array, Array]:
    """ε(δ) ≥ 0 in one direction, the relative error of δ there, how fast ln δ falls; or `beside` where that is more."""
    value, relative, fall = beside.copy(), np.zeros(delta.shape), np.ones(delta.shape)
    log_delta = np.log(delta)
    table, cost = _saddles(together, direction, lambda table: (table.bound - log_delta[:, None]) / table.s)
    upper = np.maximum(np.min(cost, axis=1), 0)
    chosen = _coarsest(table, upper)
    for index in np.unique(chosen[upper > beside]):
        here = np.flatnonzero((upper > beside) & (chosen == index))
        target = log_delta[here] - table.level[index]
        found = _evaluated(together, direction, table, int(index), upper[here], target)
        value[here], fall[here] = found.epsilon, found.fall
        known = found.total > found.error
        relative[here] = np.where(known, found.error / np.where(known, found.total, 1), np.inf)
    return value, relative, fall


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


def _evaluated(
    together: Whole, direction: str, table: Saddles, index: int, epsilon: Array, target: Array | None
) -> Value:
    """S at every ε; with a target, at the ε where ln S − cε reaches it, which is below the given one."""
    distance, c = _distance(table, index, epsilon), float(table.s[index])
    found, count = None, _LEAST_NODES
    while count <= MOST_NODES:
        nodes = _nodes(together, direction, c, distance, count)
        if nodes is None:
            break
        found = _read(nodes, c, epsilon, target)
        if np.all(found.error <= np.maximum(_SMALL * found.total, found.rounding)):
            break
        if count >= _HOPELESS and np.all(found.error > found.total):
            break
        count *= 2
    if found is None:  # nothing but Chernoff's bound is known
        bound = np.exp(table.bound[index] - table.level[index]) + np.zeros(epsilon.shape)
        return Value(epsilon, bound, bound, 0 * bound, np.full(epsilon.shape, c))
    level = abs(table.level[index]) + abs(c * found.epsilon)
    rounding = (8 * ULP * (1 + level) + 40 * ULP * math.sqrt(together.n_runs)) * abs(found.total) + found.rounding
    error = found.error + _alias(table, index, distance, found.epsilon) + rounding
    return Value(found.epsilon, found.total, error, rounding, found.fall)


def _elsewhere(table: Saddles, index: int, epsilon: Array) -> tuple[Array, Array]:
    """Real s, 0 first, but for c, less c; and at each ln of Chernoff's bound on e^{cε − K(c)} δ."""
    s, bound = np.append(0.0, np.delete(table.s, index)), np.append(0.0, np.delete(table.bound, index))
    apart = s - table.s[index]
    return apart, bound - table.level[index] - np.multiply.outer(epsilon, apart)


def _distance(table: Saddles, index: int, epsilon: Array) -> float:
    """The step h = c 2^{−m/2} at which all that comes from ε ± 2π/h is below e^−40/(c(1 + c))."""
    c = float(table.s[index])
    apart, bound = _elsewhere(table, index, epsilon)
    need = (bound + math.log(c) + math.log1p(c) + _DIGITS) / abs(apart)
    sides = np.min(need[:, apart < 0], axis=1), np.min(need[:, apart > 0], axis=1)
    widest = max(float(np.max(sides)), 1e-3 / c)
    return c * 2.0 ** (math.floor(2 * math.log2(2 * math.pi / widest / c)) / 2)


def _alias(table: Saddles, index: int, distance: float, epsilon: Array) -> Array:
    """What the step h adds to S at most: δ(ε ± 2π/h), … by Chernoff's bound, twice for those beyond the first."""
    apart, bound = _elsewhere(table, index, epsilon)
    exponent = np.minimum(bound - abs(apart) * 2 * math.pi / distance, 700)
    below, above = np.min(exponent[:, apart < 0], axis=1), np.min(exponent[:, apart > 0], axis=1)
    return 2 * (np.exp(below) + np.exp(above))


def _nodes(together: Whole, direction: str, c: float, distance: float, count: int) -> _Nodes | None:
    t, end = distance * np.arange(count), distance * count
    log_terms = together.square * t * ((2 * c + 1) * 1j - t) / 2
    log_beyond = -together.square * end**2 / 2
    for kind, numbers, n in together.runs:
        found = turned(kind, numbers, direction, c, distance, count)
        if found is None:
            return None
        log_terms = log_terms + n * found
        log_beyond += n * _most_beyond(kind, numbers, c, end, found)
    s = c + 1j * t
    terms = np.exp(log_terms) / (s * (1 + s)) * (distance / math.pi)
    terms[0] /= 2
    windowed = all(kind == "sampled" for kind, _, _ in together.runs)
    return _Nodes(terms, distance, math.exp(log_beyond) / (math.pi * end), windowed)


def _most_beyond(kind: str, numbers: tuple[float, ...], c: float, end: float, turned_: Complex) -> float:
    """The most that ln |M(c + it)/M(c)| may be at t ≥ `end`; for a step of DP-SGD what it was just before."""
    if kind == "sampled":
        return float(np.max(turned_.real[-(turned_.size // 4) :]))
    if kind == "promise":
        return 0.0
    epsilon, s = numbers[0], complex(c, end)
    atoms = (abs(1 + s) + abs(s) * math.exp(-(1 + 2 * c) * epsilon)) / abs(1 + 2 * s)
    own = ((1 + c) + c * math.exp(-(1 + 2 * c) * epsilon)) / (1 + 2 * c)
    return min(math.log(atoms / own), 0.0)


def _read(nodes: _Nodes, c: float, epsilon: Array, target: Array | None) -> Value:
    """The sum over the nodes, its error by their end, and the ε of the target if there is one."""
    total, _ = _summed(nodes.terms, nodes.distance, c, epsilon)
    windowed = nodes.windowed and not np.all(nodes.beyond <= _SMALL * total)
    terms = _window(nodes.terms, nodes.terms.size) if windowed else nodes.terms
    if target is not None:
        epsilon = _solved(terms, nodes.distance, c, epsilon, target)
    total, slope = _summed(terms, nodes.distance, c, epsilon)
    if windowed:
        half, _ = _summed(_window(nodes.terms, nodes.terms.size // 2), nodes.distance, c, epsilon)
        left = 2 * abs(total - half)
    else:
        left = np.full(epsilon.shape, nodes.beyond)
    t = nodes.distance * np.arange(terms.size)
    rounding = 2 * ULP * (np.sum(abs(terms)) + np.sum(abs(terms) * t) * abs(epsilon))
    return Value(epsilon, total, left, rounding, np.where((total > 0) & (slope > 0), slope / total, c))


def _window(terms: Complex, count: int) -> Complex:
    """The first terms, ended so smoothly that only δ within a short way of ε has a part in them."""
    return terms[:count] * erfc((np.arange(count) / count - 0.5) / 0.085) / 2


def _summed(terms: Complex, distance: float, c: float, epsilon: Array) -> tuple[Array, Array]:
    """S = Re Σ terms e^{−ikhε}, and the same with a factor s, which is −e^{cε} d(e^{−cε} S)/dε; k = ai + j."""
    inner = 2 ** (int(math.log2(terms.size)) // 2)
    s = c + 1j * distance * np.arange(terms.size)
    rows = np.concatenate([terms, terms * s]).reshape(-1, inner)
    fine = np.exp(-1j * distance * np.multiply.outer(np.arange(inner), epsilon))
    coarse = np.exp(-1j * distance * inner * np.multiply.outer(np.arange(terms.size // inner), epsilon))
    total, slope = np.sum(np.real(coarse * (rows @ fine).reshape(2, *coarse.shape)), axis=1)
    return total, slope


def _solved(terms: Complex, distance: float, c: float, upper: Array, target: Array) -> Array:
    """The ε in [0, upper] at which ln S − cε reaches the target, or 0: Newton's steps, from above, kept in a bracket.

    ln δ is nearly always concave in ε, and then the steps approach from above.
    """
    epsilon, low, high = upper, np.full(upper.shape, -np.inf), upper
    for _ in range(40):
        total, slope = _summed(terms, distance, c, epsilon)
        with np.errstate(all="ignore"):
            short = np.log(total) - c * epsilon - target
            step = np.where((total > 0) & (slope > 0), short * total / slope, -1 / c)
        above = short > 0
        low, high = np.where(above, epsilon, low), np.where(above, high, epsilon)
        moved = epsilon + step
        outside = (moved <= low) | (moved >= high)
        moved = np.maximum(np.where(outside & np.isfinite(low), (low + high) / 2, moved), 0)
        done = abs(moved - epsilon) * c <= 1e-14 + 4 * ULP * abs(c * epsilon)
        epsilon = moved
        if np.all(done):
            break
    return epsilon
