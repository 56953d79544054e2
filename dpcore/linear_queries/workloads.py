"""The numbers that are published over n periods or cells: which cells each of them adds up."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore.checks import Array, integer, leave_out, option, or_default, refuse, scalar_integer

WORKLOADS = ("each", "running_totals", "window", "ranges", "year_to_date", "cumulated_distribution")
PERIODS_RANGE = "[1, 1000]"
_NUMBERS_RANGE = "[1, 1e5]"  # of the rows of an own matrix


@dataclass(frozen=True, eq=False)
class Workload:
    """Published numbers, each the sum of the cells from `first` to before `end`; or of the ones of a row of `own`.

    Attributes
    ----------
    name : one of `WORKLOADS`, or "own".
    n : the number of periods or cells.
    first, end : of each number, whole numbers in [0, n]; of an own matrix the first cell with a one, and the cell after
        the last.
    window : w of windows and of years, else 1.
    own : a matrix of zeros and ones, numbers × n, or None if the numbers are sums of neighbouring cells.
    """

    name: str
    n: int
    first: NDArray[np.int64]
    end: NDArray[np.int64]
    window: int = 1
    own: Array | None = None

    def matrix(self) -> Array:
        """W: a row of zeros and ones for each published number."""
        if self.own is not None:
            return self.own
        cell = np.arange(self.n)
        return ((cell >= self.first[:, np.newaxis]) & (cell < self.end[:, np.newaxis])).astype(np.float64)

    def gram(self) -> Array:
        """WᵀW: how many of the published numbers contain both cell i and cell j."""
        if self.own is not None:
            return self.own.T @ self.own
        cell = np.arange(self.n)
        before, after = np.minimum.outer(cell, cell), np.maximum.outer(cell, cell)
        if self.name == "ranges":
            return (before + 1.0) * (self.n - after)
        last = np.searchsorted(self.first, cell, side="right")  # number i ends after cell i, and both move on
        return np.maximum(last[before] - after, 0).astype(np.float64)

    def weighted_gram(self, weights: Array) -> Array:
        """WᵀUW for a weight U of each published number: that of all numbers that contain both cell i and cell j."""
        if self.own is not None:
            return (self.own.T * weights) @ self.own
        cell_pairs = self.first * self.n + self.end - 1  # the first and the last cell of each number
        by_ends = np.asarray(np.bincount(cell_pairs, weights, self.n**2), np.float64).reshape(self.n, self.n)
        upper = np.triu(np.cumsum(np.cumsum(by_ends, axis=0)[:, ::-1], axis=1)[:, ::-1])
        return upper + np.triu(upper, 1).T

    def sums(self, cells: Array) -> Array:
        """W times numbers of the cells."""
        if self.own is not None:
            return self.own @ cells
        total = np.append(0.0, np.cumsum(cells))
        return total[self.end] - total[self.first]

    def squares(self, covariance: Array) -> Array:
        """wᵀCw of each published number w, for a covariance C of estimates of the cells."""
        if self.own is not None:
            return np.einsum("ij,ij->i", self.own @ covariance, self.own)
        total = np.zeros((self.n + 1, self.n + 1))
        total[1:, 1:] = np.cumsum(np.cumsum(covariance, axis=0), axis=1)
        return total[self.first, self.first] + total[self.end, self.end] - 2 * total[self.first, self.end]


def workload(name: str | ArrayLike, n: int, window: int = 12) -> Workload:
    """W of "each", "running_totals", "window", "ranges", "year_to_date", "cumulated_distribution", or an own matrix.

    Each period; all periods so far; the last w of them (fewer at the start); all sums of neighbouring cells; all so far
    since the start of a year of w periods; all cells up to each one (the same sums as running totals, of cells that are
    ordered by a value instead of time).

    Parameters
    ----------
    name : a name, or a matrix of zeros and ones with at most 1e5 rows and n columns, a one at least in each row.
    n : T, the number of periods or cells, in [1, 1000].
    window : w in [1, 1000], of windows and of years alone.

    Returns
    -------
    Workload

    Raises
    ------
    ValueError
        `n must be in [1, 1000], got 0`.

    Examples
    --------
    >>> workload("window", 4, window=2).matrix().astype(int).tolist()
    [[1, 0, 0, 0], [1, 1, 0, 0], [0, 1, 1, 0], [0, 0, 1, 1]]
    """
    n = scalar_integer("n", n, PERIODS_RANGE)
    w = scalar_integer("window", window, PERIODS_RANGE)
    if not isinstance(name, str):
        return _own(name, n)
    option("workload", name, WORKLOADS)
    end = np.arange(1, n + 1)
    if name == "ranges":
        first, last = np.triu_indices(n)
        return Workload(name, n, first.astype(np.int64), (last + 1).astype(np.int64))
    starts = {
        "each": end - 1,
        "window": np.maximum(end - w, 0),
        "year_to_date": (end - 1) // w * w,
    }
    return Workload(name, n, starts.get(name, 0 * end), end, w if name in ("window", "year_to_date") else 1)


def known_workload(name: str | ArrayLike, n: int, window: int | None) -> Workload:
    """Return a workload, the same object for the same name, so that what is computed of it is computed once."""
    numbers = workload(name, n, or_default(window, 12))
    if numbers.name not in ("window", "year_to_date"):
        leave_out(f"workload {numbers.name}", window=window)
    return numbers if numbers.own is not None else _named(numbers.name, numbers.n, numbers.window)


_named = lru_cache(64)(workload)


def _own(rows: Any, n: int) -> Workload:
    matrix = integer("workload", rows, "[0, 1]")
    scalar_integer("the number of dimensions of workload", matrix.ndim, "[2, 2]")
    scalar_integer("the number of rows of workload", matrix.shape[0], _NUMBERS_RANGE)
    scalar_integer("the number of columns of workload", matrix.shape[1], f"[{n}, {n}]")
    size = matrix.sum(axis=1)
    refuse("the sum of a row of workload", size, size == 0, f"[1, {n}]")
    return Workload("own", n, matrix.argmax(axis=1), n - matrix[:, ::-1].argmax(axis=1), own=matrix)
