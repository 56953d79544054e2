"""The errors of all ranges of ordered cells at one guarantee: of each method, by the length of a range."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
import pandas as pd

from dpcore import linear_queries
from dpcore.checks import Array
from dpcore.linear_queries import Errors
from pages.series.methods import EQUAL, MOST_OPTIMIZED, OPTIMUM, Guaranteed, errors_of

CELLS_ALONE = "per_period"
"""Noise in each cell, of which a range is the sum."""
BRANCHINGS = (2, 4, 8, 16)
ROOT = "normalized_square_root"


class RangeMethod(NamedTuple):
    """A strategy of `dpcore.linear_queries`, with the number of children where it is a tree."""

    strategy: str
    branching: int | None = None

    @classmethod
    def of(cls, errors: Errors) -> "RangeMethod":
        """Return the method of errors."""
        return cls(errors.strategy, errors.options.branching if errors.strategy == "tree" else None)


SUMS = (RangeMethod(CELLS_ALONE), *(RangeMethod("tree", branching) for branching in BRANCHINGS))
"""The methods whose noisy sums are sums of cells, as noise in whole numbers needs."""
METHODS = (*SUMS, RangeMethod("square_root"), RangeMethod(ROOT))
DRAWN = (RangeMethod(CELLS_ALONE), RangeMethod("tree", 2), RangeMethod("tree", 16), RangeMethod(ROOT))


@dataclass(frozen=True)
class AllRanges(Guaranteed):
    """All ranges of ordered cells with a noise."""

    @property
    def methods(self) -> tuple[RangeMethod, ...]:
        """The methods that are compared with this noise."""
        return METHODS if self.is_gaussian else SUMS

    @property
    def candidates(self) -> list[Errors]:
        """The errors of each method."""
        return [errors_of(self.series, *method) for method in self.methods]

    @cached_property
    def largest(self) -> dict[RangeMethod, float]:
        """The largest half-width of a range by each method."""
        if self.is_gaussian:
            return dict(zip(self.methods, map(self.largest_half_width, self.candidates), strict=True))
        return {method: float(self.half_widths_of(method).max()) for method in self.methods}  # all of which are drawn

    def half_widths_of(self, method: RangeMethod) -> Array:
        """Return the half-width of each range."""
        return self.half_widths(errors_of(self.series, *method))

    @cached_property
    def best_method(self) -> RangeMethod:
        """The method with the least largest error; of equal ones, the first."""
        least = min(self.largest.values())
        return next(method for method, size in self.largest.items() if size <= least * EQUAL)

    def with_noise(self, noise: str) -> "AllRanges":
        """Return the same ranges with another noise."""
        return replace(self, series=self.series._replace(noise=noise))

    @cached_property
    def offered_errors(self) -> Errors:
        """The errors of the best method without the half-widths of the others, to compare with another noise.

        Where all ranges are inside at once, noise in each cell stands for the best method, for the time.
        """
        return errors_of(self.series, CELLS_ALONE) if self.is_joint else self.best_of(self.candidates)

    @cached_property
    def offered_half_width(self) -> float:
        """The largest half-width of a range of `offered_errors`."""
        return self.largest_half_width(self.offered_errors)

    @property
    def offered_scale(self) -> float:
        """The scale of the noise in each noisy sum of `offered_errors`."""
        return linear_queries.noise_scale(self.offered_errors, *self.guarantee)

    @property
    def answer_errors(self) -> Errors:
        """The errors of all ranges by the best method."""
        return errors_of(self.series, *self.best_method)

    @cached_property
    def half_width(self) -> float:
        """The largest half-width of a range by the best method."""
        return self.largest[self.best_method]

    @cached_property
    def rival_method(self) -> RangeMethod:
        """The method that the answer compares with: noise in each cell, or the best of the others."""
        if self.best_method.strategy != CELLS_ALONE:
            return METHODS[0]
        return min(self.methods[1:], key=self.largest.__getitem__)

    @cached_property
    def noise_scale(self) -> float:
        """The scale of the noise in each noisy sum of the best method."""
        return linear_queries.noise_scale(self.answer_errors, *self.guarantee)

    @property
    def drawn(self) -> tuple[RangeMethod, ...]:
        """The methods that are drawn: four, among them the best; of other than Gaussian noise all."""
        if not self.is_gaussian:
            return SUMS
        return DRAWN if self.best_method in DRAWN else (*DRAWN[:2], DRAWN[3], self.best_method)

    def by_length(self, method: RangeMethod) -> Array:
        """Return the largest half-width of the ranges of each length from 1 to n."""
        ranges, largest = errors_of(self.series, *method).workload, np.zeros(self.series.n)
        np.maximum.at(largest, ranges.end - ranges.first - 1, self.half_widths_of(method))
        return largest

    @cached_property
    def lengths(self) -> pd.DataFrame:
        """The largest half-width over the length of a range, by each method that is drawn."""
        columns = {column_of(method): self.by_length(method) for method in self.drawn}
        return pd.DataFrame({"length": np.arange(1, self.series.n + 1)} | columns)

    @cached_property
    def last_alone(self) -> int:
        """The length up to which noise in each cell has the smaller error than the best method; 0 without one."""
        alone, best = (self.by_length(method) for method in (METHODS[0], self.best_method))
        is_larger = np.flatnonzero(alone > best * EQUAL)
        return int(is_larger[0]) if is_larger.size else self.series.n

    @cached_property
    def range_methods(self) -> pd.DataFrame:
        """Every method with its largest ±, and its root mean square error with Gaussian and Laplace noise."""
        has_optimum = self.is_gaussian and self.series.n <= MOST_OPTIMIZED
        every = [*self.methods, *([RangeMethod(OPTIMUM)] if has_optimum else [])]
        rows = []
        for method in every:
            errors = errors_of(self.series._replace(noise="gaussian"), *method)
            laplace = errors_of(self.series._replace(noise="laplace"), *method)
            largest = self.largest_half_width(errors) if method.strategy == OPTIMUM else self.largest[method]
            deviations = self.unit_scale * errors.root_mean_square, 2**0.5 / self.epsilon * laplace.root_mean_square
            rows.append((column_of(method), largest, *deviations))
        columns = ["method", "largest", "root_mean_square", "laplace_root_mean_square"]
        return pd.DataFrame(sorted(rows, key=lambda row: row[1]), columns=columns)


def column_of(method: RangeMethod) -> str:
    """Return the name of a method in a CSV.

    >>> column_of(RangeMethod("tree", 4)), column_of(RangeMethod("square_root"))
    ('tree_4', 'square_root')
    """
    return method.strategy if method.branching is None else f"{method.strategy}_{method.branching}"
