"""Real s next to the saddle of the contour integral, and what Chernoff's bound at them says of the nodes it takes."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpcore.checks import Array
from dpcore.composition._normalize import Whole
from dpcore.composition.moments import PER_OCTAVE

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
