"""The least error of any strategy with Gaussian noise: a numerical optimum, and a bound below which none can be.

For weights u of the published numbers and v of the cells, both with sum 1, every LR = W whose columns of R have norm 1
at most satisfies max_i ‖L_i‖² ≥ Σ u_i ‖L_i‖² ≥ ‖diag(√u) W diag(√v)‖_*²: the nuclear norm. With even weights it is
that of [LM15]. The fixed point at which u and v are the shares of diag((MMᵀ)^½) and diag((MᵀM)^½), with
M = diag(√u) W diag(√v), reaches it; u stays even if the root mean square shall be least ([DMRST22], Theorem 3.2).
"""

from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from dpcore.checks import Array, option, refuse
from dpcore.linear_queries.strategies import Strategy, from_gram
from dpcore.linear_queries.workloads import Workload, known_workload
from dpcore.rounding import ULP

AIMS = ("largest", "root_mean_square")
MOST_OPTIMIZED = 64  # periods
_MOST_NUMBERS = 2080  # of 64 cells, all ranges
_CLOSE = 1e-6  # relative: the optimum to its bound
_MOST_STEPS, _MOST_NUMBERS_IN_STEPS = 400, 40_000  # so that a solution takes some hundredths of a second
_AHEAD = 2.5  # power of the weights' steps: 1 takes more of them, and from 4 on some do not end


class LowerBound(NamedTuple):
    """What no strategy can have less of: multiples of the noise at sensitivity 1, for one contribution of 1."""

    largest: float
    root_mean_square: float


def lower_bound(workload: str | ArrayLike, n: int, window: int | None = None) -> LowerBound:
    """‖diag(√u) W diag(√v)‖_*: no strategy has a smaller error, with Gaussian or Laplace noise ([LM15]).

    Up to 64 periods, u and v are those of the optimum, which reaches the bound with Gaussian noise: to 1e-6 for
    running totals and windows, to 3e-3 for the largest of ranges. Above, and if the numbers do not determine every
    cell, they are even: ‖W‖_*/√(numbers · n), which for running totals lies above the known
    (2 + ln((2n + 1)/3))/π. It holds for a person who may add 1 to any one cell, thus for every number of contributions.

    Parameters
    ----------
    workload, n, window : as in `error`.

    Returns
    -------
    LowerBound
        Rounded down.

    Examples
    --------
    >>> [round(bound, 4) for bound in lower_bound("running_totals", 36)]
    [1.9401, 1.9271]
    """
    return _optimum(known_workload(workload, n, window)).lower_bound


def optimum(numbers: Workload, aim: str) -> Strategy:
    """R of the numerical optimum of one contribution, lower-triangular, so that it can be published as it goes."""
    option("aim", aim, AIMS)
    n = np.array(float(numbers.n))
    refuse("n of the optimum", n, n > MOST_OPTIMIZED, f"[1, {MOST_OPTIMIZED}]")
    rank = np.array(float(np.linalg.matrix_rank(numbers.gram())))
    refuse("the rank of workload of the optimum", rank, rank < n, f"[{numbers.n}, {numbers.n}]")
    size = np.array(float(numbers.first.size))
    refuse("the number of rows of workload of the optimum", size, size > _MOST_NUMBERS, f"[1, {_MOST_NUMBERS}]")
    return from_gram(numbers, _optimum(numbers).solution(aim)[0])


@dataclass(frozen=True, eq=False)
class _Optimum:
    """The optimum of each aim, and the bound, each computed once."""

    numbers: Workload
    _known: dict[str, tuple[Array, float]] = field(default_factory=dict)

    def solution(self, aim: str) -> tuple[Array, float]:
        """Return RᵀR, with ones on its diagonal, and the bound."""
        if aim not in self._known:
            self._known[aim] = _solve(self.numbers, aim)
        return self._known[aim]

    @cached_property
    def lower_bound(self) -> LowerBound:
        """What no strategy can have less of."""
        numbers = self.numbers
        if not _is_optimized(numbers):
            even = float(_nuclear_norm(numbers) / np.sqrt(numbers.first.size * numbers.n))
            return LowerBound(even, even)
        return LowerBound(*(self.solution(aim)[1] for aim in AIMS))


_optimum = lru_cache(64)(_Optimum)


def _is_optimized(numbers: Workload) -> bool:
    small = numbers.n <= MOST_OPTIMIZED and numbers.first.size <= _MOST_NUMBERS
    return bool(small and np.linalg.matrix_rank(numbers.gram()) == numbers.n)


def _nuclear_norm(numbers: Workload) -> float:
    """Return ‖W‖_*, rounded down; of running totals and of ranges by the sines that their singular values are."""
    n = numbers.n
    if numbers.name == "each":
        return _safe(float(n), n)
    if numbers.name == "ranges":
        return _safe(np.sqrt(n + 1) * _sum_of_cosecants(np.arange(1, n + 1) / (2 * n + 2)), n)
    if numbers.name in ("running_totals", "cumulated_distribution", "year_to_date"):
        year = numbers.window if numbers.name == "year_to_date" else n
        years = [min(year, n - first) for first in range(0, n, year)]
        return _safe(sum(_sum_of_cosecants((np.arange(size) + 0.5) / (2 * size + 1)) for size in years), n)
    return _bound(np.asarray(np.linalg.eigvalsh(numbers.gram()), np.float64))


def _sum_of_cosecants(turns: Array) -> float:
    """Return Σ 1/(2 sin πx)."""
    return float((0.5 / np.sin(np.pi * turns)).sum())


def _safe(value: float, n: int) -> float:
    return value * (1 - 4 * n * ULP)


def _bound(squares: Array) -> float:
    """Return ‖M‖_* of the eigenvalues of MᵀM, rounded down."""
    safe = np.maximum(squares - 4 * squares.size * ULP * squares[-1], 0)
    return _safe(float(np.sqrt(safe).sum()), squares.size)


def _solve(numbers: Workload, aim: str) -> tuple[Array, float]:
    """Return RᵀR, with ones on its diagonal, and the bound."""
    size = numbers.first.size
    of_numbers, of_cells = np.full(size, 1 / size), np.full(numbers.n, 1 / numbers.n)
    best, least, bound = np.eye(numbers.n), np.inf, 0.0
    for _ in range(min(_MOST_STEPS, _MOST_NUMBERS_IN_STEPS // size)):
        scales = np.sqrt(np.outer(of_cells, of_cells))
        squares, vectors = np.linalg.eigh(numbers.weighted_gram(of_numbers) * scales)
        bound = max(bound, _bound(np.asarray(squares, np.float64)))
        values = np.sqrt(np.maximum(squares, ULP * squares[-1]))
        root, inverse = (vectors * values) @ vectors.T, (vectors / values) @ vectors.T
        lengths = np.sqrt(np.outer(root.diagonal(), root.diagonal()))
        errors = numbers.squares(inverse * lengths)
        error = float(np.sqrt(errors.max() if aim == "largest" else errors.mean()))
        if error < least:
            best, least = root / lengths, error
        if least <= bound * (1 + _CLOSE):
            break
        of_cells = root.diagonal() / root.trace()
        if aim == "largest":
            moved = of_numbers * numbers.squares(inverse * scales) ** _AHEAD
            of_numbers = moved / moved.sum()
    return best, bound
