"""The errors of all ranges of ordered cells at one guarantee: of each method, by the length of a range."""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import pandas as pd

from dpcore import gaussian, linear_queries
from dpcore.checks import Array
from dpcore.linear_queries import Errors
from pages.series.methods import (
    EQUAL,
    MOST_OPTIMIZED,
    OPTIMUM,
    Published,
    errors_at,
    has_delta,
    level_of_each,
    pure_noise_of,
)

CELLS_ALONE = "per_period"
"""Noise in each cell, of which a range is the sum."""
BRANCHINGS = (2, 4, 8, 16)
ROOT = "normalized_square_root"


class Cells(NamedTuple):
    """What the errors depend on, but for the method: n ordered cells, what a person adds to them, and the noise."""

    n: int
    contributions: int = 1
    per_cell: float = 1.0
    total: float | None = None
    neighbours: str = "add_remove"
    noise: str = "gaussian"

    @property
    def methods(self) -> tuple["RangeMethod", ...]:
        """The methods that are compared with this noise."""
        return METHODS if self.noise == "gaussian" else SUMS


class RangeMethod(NamedTuple):
    """A strategy of `dpcore.linear_queries`, with the number of children where it is a tree."""

    strategy: str
    branching: int | None = None


SUMS = (RangeMethod(CELLS_ALONE), *(RangeMethod("tree", branching) for branching in BRANCHINGS))
"""The methods whose noisy sums are sums of cells, as noise in whole numbers needs."""
METHODS = (*SUMS, RangeMethod("square_root"), RangeMethod(ROOT))
DRAWN = (RangeMethod(CELLS_ALONE), RangeMethod("tree", 2), RangeMethod("tree", 16), RangeMethod(ROOT))


def range_errors(cells: Cells, method: RangeMethod) -> Errors:
    """Return the errors of all ranges by a method, as multiples of the noise at sensitivity 1."""
    return errors_at(Published("ranges", method.strategy, *cells, branching=method.branching))


@dataclass(frozen=True)
class AllRanges:
    """All ranges of ordered cells with a noise."""

    cells: Cells
    epsilon: float
    delta: float
    significance: float
    is_joint: bool = False

    @cached_property
    def level(self) -> float:
        """The significance of each number: α, or that at which all are inside at α."""
        n_ranges = self.cells.n * (self.cells.n + 1) // 2 if self.is_joint else 1
        return level_of_each(self.cells.noise, self.significance, n_ranges)

    @property
    def is_gaussian(self) -> bool:
        """Whether the noise is Gaussian, whose half-widths are multiples of standard errors."""
        return self.cells.noise == "gaussian"

    @property
    def guarantee(self) -> tuple[float, float]:
        """ε, and δ of a noise that has one, else 0."""
        return self.epsilon, self.delta if has_delta(self.cells.noise) else 0.0

    @cached_property
    def _unit_scale(self) -> float:
        """σ at sensitivity 1."""
        return float(gaussian.analytic_sigma(self.epsilon, self.delta, 1.0))

    @cached_property
    def unit(self) -> float:
        """The half-width at an error of 1: that of noise at sensitivity 1."""
        return float(gaussian.half_width(self.level, self._unit_scale))

    @cached_property
    def largest(self) -> dict[RangeMethod, float]:
        """The largest half-width of a range by each method."""
        if self.is_gaussian:
            return {method: self.unit * range_errors(self.cells, method).largest for method in METHODS}
        return {method: float(self.range_half_widths(method).max()) for method in self.cells.methods}

    def range_half_widths(self, method: RangeMethod) -> Array:
        """Return the half-width of each range."""
        return linear_queries.half_widths(range_errors(self.cells, method), *self.guarantee, self.level)

    @cached_property
    def best_method(self) -> RangeMethod:
        """The method with the least largest error; of equal ones, the first."""
        least = min(self.largest.values())
        return next(method for method, size in self.largest.items() if size <= least * EQUAL)

    @property
    def chosen(self) -> Errors:
        """The errors of all ranges by the best method."""
        return range_errors(self.cells, self.best_method)

    @property
    def likely(self) -> Errors:
        """The errors by the method of the least standard error, before the guarantee is known."""
        every = (range_errors(self.cells, method) for method in self.cells.methods)
        return min(every, key=lambda errors: errors.largest)

    @property
    def rival_method(self) -> RangeMethod:
        """The method that the answer compares with: noise in each cell, or the best of the others."""
        if self.best_method.strategy != CELLS_ALONE:
            return METHODS[0]
        return min(self.cells.methods[1:], key=lambda method: self.largest[method])

    @cached_property
    def range_scale(self) -> float:
        """The scale of the noise in each noisy sum of the best method."""
        return linear_queries.noise_scale(self.chosen, *self.guarantee)

    @property
    def drawn(self) -> tuple[RangeMethod, ...]:
        """The methods that are drawn: four, among them the best; of other than Gaussian noise all."""
        if not self.is_gaussian:
            return SUMS
        return DRAWN if self.best_method in DRAWN else (*DRAWN[:2], DRAWN[3], self.best_method)

    @cached_property
    def lowest(self) -> float | None:
        """What no method with Gaussian noise goes below, of the largest half-width, where a person adds c to one cell.

        It is not known of other noise.
        """
        if not self.is_gaussian:
            return None
        amount = self.cells.per_cell if self.cells.total is None else min(self.cells.per_cell, self.cells.total)
        unit = float(gaussian.half_width(self.significance, self._unit_scale))
        return linear_queries.lower_bound("ranges", self.cells.n).largest * amount * unit

    def by_length(self, method: RangeMethod) -> Array:
        """Return the largest half-width of the ranges of each length from 1 to n."""
        ranges, largest = range_errors(self.cells, method).workload, np.zeros(self.cells.n)
        np.maximum.at(largest, ranges.end - ranges.first - 1, self.range_half_widths(method))
        return largest

    @cached_property
    def lengths(self) -> pd.DataFrame:
        """The largest half-width over the length of a range, by each method that is drawn."""
        columns = {column_of(method): self.by_length(method) for method in self.drawn}
        return pd.DataFrame({"length": np.arange(1, self.cells.n + 1)} | columns)

    @cached_property
    def last_alone(self) -> int:
        """The length up to which noise in each cell has the smaller error than the best method; 0 without one."""
        alone, best = (self.by_length(method) for method in (METHODS[0], self.best_method))
        is_larger = np.flatnonzero(alone > best * EQUAL)
        return int(is_larger[0]) if is_larger.size else self.cells.n

    @property
    def pure_noise(self) -> str:
        """Laplace noise, or geometric noise where the noise is in whole numbers."""
        return pure_noise_of(self.cells.noise)

    @cached_property
    def pure_cells(self) -> float:
        """The half-width of the sum of all cells with `pure_noise` in each, for ε without δ."""
        errors = linear_queries.error(
            np.ones((1, self.cells.n)),
            CELLS_ALONE,
            self.cells.n,
            self.cells.contributions,
            per_cell=self.cells.per_cell,
            total=self.cells.total,
            neighbours=self.cells.neighbours,
            noise=self.pure_noise,
        )
        return float(linear_queries.half_widths(errors, self.epsilon, 0.0, self.significance)[0])

    @cached_property
    def range_methods(self) -> pd.DataFrame:
        """Every method with its largest ±, and its root mean square error with Gaussian and Laplace noise."""
        sigma = self._unit_scale
        deviation = 2**0.5 / self.epsilon
        has_optimum = self.is_gaussian and self.cells.n <= MOST_OPTIMIZED
        every = [*self.cells.methods, *([RangeMethod(OPTIMUM)] if has_optimum else [])]
        rows = []
        for method in every:
            errors = range_errors(self.cells._replace(noise="gaussian"), method)
            laplace = range_errors(self.cells._replace(noise="laplace"), method)
            found = sigma * errors.root_mean_square, deviation * laplace.root_mean_square
            largest = self.unit * errors.largest if self.is_gaussian else self.largest[method]
            rows.append((column_of(method), largest, *found))
        columns = ["method", "largest", "root_mean_square", "laplace_root_mean_square"]
        return pd.DataFrame(sorted(rows, key=lambda row: row[1]), columns=columns)


def column_of(method: RangeMethod) -> str:
    """Return the name of a method in a CSV.

    >>> column_of(RangeMethod("tree", 4)), column_of(RangeMethod("square_root"))
    ('tree_4', 'square_root')
    """
    return method.strategy if method.branching is None else f"{method.strategy}_{method.branching}"
