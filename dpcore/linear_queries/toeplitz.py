"""Roots of running totals, windows and years: lower-triangular Toeplitz matrices, with products by sums along lags."""

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import toeplitz

from dpcore.checks import Array
from dpcore.linear_queries.workloads import Workload


@dataclass(frozen=True, eq=False)
class Root:
    """R = a lower-triangular Toeplitz matrix in each year; normalised, its columns are divided by their lengths.

    Attributes
    ----------
    n : the number of periods.
    series, inverse : the first column of R and of R⁻¹, of one year.
    """

    n: int
    series: Array
    inverse: Array

    @cached_property
    def lengths(self) -> Array:
        """‖R_j‖₂ of each column."""
        return np.sqrt(np.cumsum(self.series**2))[self._left]

    def matrix(self, is_normalized: bool) -> Array:
        """R."""
        root = self._in_years(_lower_toeplitz(self.series))
        return root / self.lengths if is_normalized else root

    def gram(self, is_normalized: bool) -> Array:
        """RᵀR."""
        return self._gram / self.lengths / self.lengths[:, np.newaxis] if is_normalized else self._gram

    @cached_property
    def _gram(self) -> Array:
        """Of the places j and j + g of a year, Σ rₘ rₘ₊g over the m that are left of the year after j + g."""
        size = self.series.size
        later = np.lib.stride_tricks.sliding_window_view(np.append(self.series, np.zeros(size - 1)), size)
        by_lag = np.cumsum(self.series[:, np.newaxis] * later, axis=0)[::-1, ::-1].ravel()
        lower = np.zeros((size, size))  # row j ends at its place j, with a lag of 0
        lower[:, : size - 1] = by_lag[size - 1 : size * size - 1].reshape(size, -1)
        lower[-1, -1] = by_lag[-1]
        lower = np.tril(lower)
        return self._in_years(lower + np.tril(lower, -1).T)

    def column_sums(self, is_normalized: bool) -> Array:
        """‖R_j‖₁ of each column."""
        sums = np.cumsum(abs(self.series))[self._left]
        return sums / self.lengths if is_normalized else sums

    def weights(self, numbers: Workload, is_normalized: bool) -> Array:
        """L = WR⁻¹."""
        inverse = self._inverse(is_normalized)
        if numbers.own is not None:
            return numbers.own @ inverse
        total = np.vstack([np.zeros(self.n), np.cumsum(inverse, axis=0)])
        return total[numbers.end] - total[numbers.first]

    def squares(self, numbers: Workload, is_normalized: bool) -> Array:
        """‖L_i‖₂² of each published number; where W and R are Toeplitz matrices in each year, L is one too."""
        if numbers.name == "ranges":
            inverse = self._inverse(is_normalized)
            return numbers.squares(inverse @ inverse.T)
        if is_normalized or numbers.own is not None:
            return (self.weights(numbers, is_normalized) ** 2).sum(axis=1)
        year = self.series.size
        column = np.arange(year) < (numbers.end - numbers.first).max()
        return np.cumsum(np.convolve(column, self.inverse)[:year] ** 2)[np.arange(self.n) % year]

    def cells(self, noise: Array, is_normalized: bool) -> Array:
        """R⁻¹ times the noise of the sums: what it adds to each cell."""
        year = self.series.size
        parts = [noise[first : first + year] for first in range(0, self.n, year)]
        added = np.concatenate([np.convolve(self.inverse, part)[: part.size] for part in parts])
        return added * self.lengths if is_normalized else added

    def _inverse(self, is_normalized: bool) -> Array:
        """Return R⁻¹."""
        inverse = self._in_years(_lower_toeplitz(self.inverse))
        return inverse * self.lengths[:, np.newaxis] if is_normalized else inverse

    @cached_property
    def _left(self) -> NDArray[np.int64]:
        """How many periods of its year come after each period."""
        period, year = np.arange(self.n), self.series.size
        return np.minimum((period // year + 1) * year, self.n) - 1 - period

    def _in_years(self, block: Array) -> Array:
        """Return the matrix with the block of a year along its diagonal; a year that is cut off has its last places."""
        year = self.series.size
        if year == self.n:
            return block
        matrix = np.zeros((self.n, self.n))
        for first in range(0, self.n, year):
            size = min(year, self.n - first)
            matrix[first : first + size, first : first + size] = block[year - size :, year - size :]
        return matrix


def _lower_toeplitz(series: Array) -> Array:
    return toeplitz(series, np.zeros(series.size))


def root_of(numbers: Workload, n_bands: int) -> Root:
    """Return the root of running totals, windows or years, of other sums that of running totals; its first diagonals.

    The power series of running totals is 1/(1 − z), of windows (1 − z^w)/(1 − z).
    """
    name = numbers.name if numbers.name in ("each", "window", "year_to_date") else "running_totals"
    return _root(name, numbers.n, numbers.window, n_bands)


@lru_cache(3)
def _root(name: str, n: int, window: int, n_bands: int) -> Root:
    if name == "each":
        return Root(n, np.eye(1, n)[0], np.eye(1, n)[0])
    size = min(n, window) if name == "year_to_date" else n
    steps = np.arange(1, size)
    series = np.cumprod(np.append(1.0, (2 * steps - 1) / (2 * steps)))  # binom(2i, i)/4^i
    inverse = np.cumprod(np.append(1.0, (2 * steps - 3) / (2 * steps)))
    if name == "window":
        wide_series, wide_inverse = np.zeros(n), np.zeros(n)
        n_wide = -(-n // window)
        wide_series[::window], wide_inverse[::window] = inverse[:n_wide], series[:n_wide]
        series, inverse = np.convolve(series, wide_series)[:n], np.convolve(inverse, wide_inverse)[:n]
    if n_bands < size:
        series[n_bands:] = 0
        inverse = _reciprocal(series, n_bands)
    return Root(n, series, inverse)


def _reciprocal(series: Array, n_terms: int) -> Array:
    """Return 1 over a power series with first term 1 that has `n_terms` terms."""
    result = np.zeros(series.size)
    result[0] = 1.0
    for i in range(1, series.size):
        known = result[max(i - n_terms + 1, 0) : i]
        result[i] = -known @ series[known.size : 0 : -1]
    return result
