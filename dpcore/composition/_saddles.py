"""The nodes of the contour integral: real s next to the saddle, by Chernoff's bound, and the sum over the nodes.

S = Re Σ terms e^{−ikhε}. A list of steps of DP-SGD has runs in which nobody was sampled, whose losses are all next to
n ln(1 − q): their part of the terms hardly decays, but it is of no account where that is far from ε. A smooth window
that ends the sum averages δ over a short stretch around ε only.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.special import erfc

from dpcore.checks import Array
from dpcore.composition._normalize import Whole
from dpcore.composition.moments import PER_OCTAVE, Complex, characteristic_function
from dpcore.rounding import ULP

_LEAST_NODES = 32
_FIRST_PART, _MOST_FIRST_NODES = 1.4, 2**9  # of the nodes at which a normal loss has decayed, tried first
_MARGIN = 8  # real s beyond a saddle that are tabled, at which Chernoff's bound is taken
_FARTHEST = 320


@dataclass(frozen=True)
class Precision:
    """What is aimed at: the step adds e^−`exponent` of the leading term, and a part `left` of S is beyond the nodes."""

    exponent: float
    left: float


def precision(digits: float) -> Precision:
    """Return the precision of a δ of which about so many digits are right; five take a tenth of the time of ten."""
    return Precision(40 - 4.8 * (10 - digits), 10.0 ** -(digits + 2))


@dataclass(frozen=True)
class Saddles:
    """Real s, K(s) + ln w(s) with w = s^s/(1 + s)^{1+s} of Chernoff's bound δ(ε) ≤ w e^{K − sε}, and K(s) itself.

    The last two have a row for each number of runs, or one row for all.
    """

    s: Array
    bound: Array
    level: Array

    def of_rows(self, rows: NDArray[np.intp]) -> "Saddles":
        """Return the table of some rows."""
        return self if len(self.level) == 1 else Saddles(self.s, self.bound[rows], self.level[rows])

    def is_end(self, index: int) -> bool:
        """Return whether no s of the table is beyond a place: ε is next to the largest loss, and has no saddle."""
        return index == self.s.size - 1


def saddles(together: Whole, n_runs: Array, direction: str, cost: Callable[[Saddles], Array]) -> tuple[Saddles, Array]:
    """Return real s that reach well beyond the least cost of every row, and the costs, one row for each ε or δ."""
    low, high, further = -8, 15, 8
    while True:
        s = 2.0 ** (np.arange(low, high + 1) / PER_OCTAVE)
        level = n_runs[:, None] * together.log_moments(direction, low, high)
        table = Saddles(s, level - np.log1p(s) - s * np.log1p(1 / s), level)
        costs = cost(table)
        best = np.argmin(costs, axis=1)
        below, above = best.min() < _MARGIN and low > -_FARTHEST, best.max() + _MARGIN > high - low and high < _FARTHEST
        if not below and not above:
            return table, costs
        low, high, further = low - further * below, high + further * above, 2 * further


def coarsest(table: Saddles, epsilon: Array) -> NDArray[np.intp]:
    """Return for each ε the place of a c just below its saddle, so that few different c serve all of them.

    Just above, rare large losses may take over, so near them the nodes have to be many.
    """
    height = table.level - np.log(table.s) - np.log1p(table.s) - np.multiply.outer(epsilon, table.s)
    best = np.argmin(height, axis=1)
    rows, chosen = np.arange(best.size), best
    for step in (1, 2, PER_OCTAVE):
        rounded = np.maximum((best - 1) // step * step, 0)
        chosen = np.where(height[rows, rounded] < height[rows, best] + 8, rounded, chosen)
    return chosen


def _other_saddles(table: Saddles, index: int, epsilon: Array) -> tuple[Array, Array]:
    """Return s − c at other real s, 0 first, and ln of Chernoff's bound on e^{cε − K(c)} δ(ε) at each."""
    s, bound = np.zeros(table.s.size), np.zeros(table.bound.shape)
    s[1 : index + 1], s[index + 1 :] = table.s[:index], table.s[index + 1 :]
    bound[:, 1 : index + 1], bound[:, index + 1 :] = table.bound[:, :index], table.bound[:, index + 1 :]
    apart = s - table.s[index]
    return apart, bound - table.level[:, index, None] - np.multiply.outer(epsilon, apart)


def node_spacing(table: Saddles, index: int, epsilon: Array, aim: Precision) -> tuple[float, int]:
    """Return the distance of the nodes, and how many are tried first."""
    distance = _distance(table, index, epsilon, aim)
    return distance, _first_count(table, index, distance, aim)


def _distance(table: Saddles, index: int, epsilon: Array, aim: Precision) -> float:
    """Return the step h = c 2^{−m/2} that keeps what comes from ε ± 2π/h below e^−x/(c(1 + c)), x the exponent."""
    c = float(table.s[index])
    apart, bound = _other_saddles(table, index, epsilon)
    need = (bound + math.log(c) + math.log1p(c) + aim.exponent) / abs(apart)
    sides = np.min(need[:, apart < 0], axis=1), np.min(need[:, apart > 0], axis=1)
    widest = max(float(np.max(sides)), 1e-3 / c)
    return c * 2.0 ** (math.floor(2 * math.log2(2 * math.pi / widest / c)) / 2)


def _first_count(table: Saddles, index: int, distance: float, aim: Precision) -> int:
    """Nodes about so many that losses of the same spread under e^{cL} have decayed if they are normal, a power of 2."""
    middle = min(max(index, 1), table.s.size - 2)
    s, level = table.s[middle - 1 : middle + 2].tolist(), table.level[:, middle - 1 : middle + 2].T
    slopes = (level[1] - level[0]) / (s[1] - s[0]), (level[2] - level[1]) / (s[2] - s[1])
    variance = max(float(np.min(2 * (slopes[1] - slopes[0]))) / (s[2] - s[0]), 1e-300)
    needed = _FIRST_PART * math.sqrt(-2 * math.log(aim.left) / variance) / distance
    return int(2 ** math.ceil(math.log2(min(max(needed, _LEAST_NODES), _MOST_FIRST_NODES))))


def alias(table: Saddles, index: int, distance: float, epsilon: Array) -> Array:
    """Return what the step h adds to S at most: twice Chernoff's bounds at ε ± 2π/h, which covers all further terms."""
    apart, bound = _other_saddles(table, index, epsilon)
    exponent = np.minimum(bound - abs(apart) * 2 * math.pi / distance, 700)
    below, above = np.min(exponent[..., apart < 0], axis=-1), np.min(exponent[..., apart > 0], axis=-1)
    return 2 * (np.exp(below) + np.exp(above))


_SOFT = 0.085  # the window's half-width, of the nodes' end: it is e^−34 there
_SPREAD = 30.0  # over the end: from their mean so far reach the losses of unsampled runs that have not decayed there


@dataclass(frozen=True)
class Value:
    """ε, S, what it is off by the end of the nodes and by rounding, and how fast ln δ falls in ε."""

    epsilon: Array
    total: Array
    error: Array
    rounding: Array
    fall: Array


@dataclass(frozen=True)
class Series:
    """The terms of S at t = 0, h, …, but for e^{−itε}, and what the end of the nodes leaves out.

    There is a row for each number of runs, or one row for all: the last axis of ε is that of several rows.

    Attributes
    ----------
    half : where a window ends the terms, what S would be of half as many nodes; without any window empty.
    is_windowed : in which rows a window ends the terms.
    beyond : all that may be beyond, at most; of it, if a window may end the terms,
    loose : what is not of the runs in which nobody was sampled,
    still : and what is, whose loss is about `place`.
    """

    terms: Complex
    half: Complex
    is_windowed: NDArray[np.bool_]
    distance: float
    c: float
    beyond: Array
    loose: Array
    still: Array
    place: Array

    def windowed(self, rows: NDArray[np.bool_]) -> "Series":
        """Return the series in some rows of which the terms end so smoothly that only δ near ε has a part in them."""
        size = self.terms.shape[1]
        terms, half = (
            self.terms[:, :n] * np.where(rows[:, None], erfc((np.arange(n) / n - 0.5) / _SOFT) / 2, 1)
            for n in (size, size // 2)
        )
        return replace(self, terms=terms, half=half, is_windowed=rows)

    def value(self, epsilon: Array) -> Value:
        """Return S at each ε, with its error."""
        total, slope = self.summed(epsilon)
        if self.half.size:
            half, _ = replace(self, terms=self.half).summed(epsilon)
            apart = np.maximum(self.distance * self.terms.shape[1] * abs(epsilon - self.place) - _SPREAD, 0)
            left = self.loose + 2 * abs(total - half) + self.still * np.exp(-((_SOFT * apart / 2) ** 2))
            left = np.where(self.is_windowed, left, self.beyond)
        else:
            left = np.broadcast_to(self.beyond, epsilon.shape)
        size, turned_size = self._sizes
        rounding = 2 * ULP * (size + turned_size * abs(epsilon))
        falls = (slope > 0) & (total > 1e-300 * slope)
        fall = np.divide(slope, total, out=np.full(total.shape, self.c), where=falls)
        return Value(epsilon, total, left, rounding, fall)

    @cached_property
    def _stretches(self) -> tuple[Complex, Array, Array]:
        """Return the terms, then the terms times s, as short stretches, and t within a stretch and at their starts."""
        n_rows, count = self.terms.shape
        inner = 2 ** (int(math.log2(count)) // 2)
        s = self.c + 1j * self.distance * np.arange(count)
        stretches = np.concatenate([self.terms, self.terms * s], axis=1).reshape(n_rows, -1, inner)
        return stretches, self.distance * np.arange(inner), self.distance * inner * np.arange(count // inner)

    def summed(self, epsilon: Array) -> tuple[Array, Array]:
        """Return S, and the sum of the terms times s, which is −e^{cε} d(e^{−cε} S)/dε, at each ε."""
        stretches, fine, coarse = self._stretches
        turn = np.exp(-1j * np.multiply.outer(coarse, epsilon))
        inner = np.exp(-1j * np.multiply.outer(fine, epsilon))
        if len(stretches) == 1:
            parts = stretches[0] @ inner.reshape(fine.size, -1)
        else:
            of_row = inner.reshape(fine.size, -1, len(stretches)).transpose(2, 0, 1)
            parts = (stretches @ of_row).transpose(1, 2, 0)
        total, slope = np.sum(np.real(turn * parts.reshape(2, *turn.shape)), axis=1)
        return total, slope

    @cached_property
    def _sizes(self) -> tuple[Array, Array]:
        """Return Σ |terms| and Σ t |terms|, on which the errors of S and of its slope depend."""
        size = abs(self.terms)
        return np.sum(size, axis=1), self.distance * np.sum(size * np.arange(size.shape[1]), axis=1)


def series(together: Whole, n_runs: Array, direction: str, c: float, distance: float, count: int) -> Series | None:
    """Return the first terms for each number of runs; None where a step of DP-SGD would take too many nodes."""
    t, end = distance * np.arange(count), distance * count
    place = 0.0
    log_terms = together.square * t * ((2 * c + 1) * 1j - t) / 2
    log_most = log_still = np.full(1, -together.square * end**2 / 2)
    for release in together.runs:
        n, kind, numbers = release.count, release.kind, release.numbers
        function = characteristic_function(kind, numbers, direction, c, distance, count)
        if function is None:
            return None
        log_terms = log_terms + n * function.log
        place += n * function.place
        log_most, log_still = log_most + n * function.most, log_still + n * function.still
    s, times = c + 1j * t, n_runs[:, None]
    terms = np.exp(times * log_terms) / (s * (1 + s)) * (distance / math.pi)
    terms[:, 0] /= 2
    most, still, scale = np.exp(times * log_most), np.exp(times * log_still), 1 / (math.pi * end)
    loose = most * -np.expm1(times * (log_still - log_most))
    if together.square or any(release.kind != "sampled" for release in together.runs):
        loose = np.full(most.shape, math.inf)  # no window
    beyond, loose, still = (np.max(error, axis=1) * scale for error in (most, loose, still))
    return Series(
        terms, terms[:, :0], np.zeros(n_runs.shape, np.bool_), distance, c, beyond, loose, still, n_runs * place
    )
