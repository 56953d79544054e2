"""The errors of published sums of the user's own, by each way to add the noise, with each of four noises."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pandas as pd

from dpcore import linear_queries
from dpcore.checks import Array
from dpcore.families import FAMILIES
from dpcore.linear_queries import Errors
from dpcore.readers import ReadSums
from pages.framework.rendering.uploaded_files import kept
from pages.series.methods import EQUAL, OPTIMUM, Guaranteed, Rows, Series, errors_of
from pages.series.parameters import WHOLE_METHODS

CELLS_ALONE = "per_period"
"""Noise in each cell, of which each published number is a sum."""
_MOST_OPTIMIZED = 24  # cells of any sums, for the time
_REAL_METHODS = (*WHOLE_METHODS, "square_root", "normalized_square_root")


@dataclass(frozen=True, eq=False)
class OwnSums(Guaranteed):
    """Published sums with noise: `names` are those of the sums, whose rows are the workload."""

    names: tuple[str, ...]

    @property
    def n_sums(self) -> int:
        """How many numbers are published."""
        return len(self.names)

    def with_noise(self, noise: str) -> "OwnSums":
        """Return the same sums with another noise."""
        return replace(self, series=self.series._replace(noise=noise))

    @cached_property
    def noises(self) -> tuple[str, ...]:
        """The noises that can be added: those in whole numbers where people add whole numbers."""
        whole = self.series.are_amounts_whole
        return tuple(noise for noise in linear_queries.NOISES if not FAMILIES[noise].whole or whole)

    @cached_property
    def methods(self) -> tuple[str, ...]:
        """The ways to add the noise; among them a numerical optimum of few cells, all of which the sums determine."""
        if FAMILIES[self.noise].whole:
            return WHOLE_METHODS
        n_cells = self.series.n
        is_solved = self.is_gaussian and n_cells <= _MOST_OPTIMIZED
        has_optimum = is_solved and int(np.linalg.matrix_rank(self.series.workload.matrix)) == n_cells
        return (*_REAL_METHODS, OPTIMUM) if has_optimum else _REAL_METHODS

    def half_widths_of(self, method: str) -> Array:
        """Return the ± of each number."""
        return kept(linear_queries.half_widths, errors_of(self.series, method), *self.guarantee, self.significance)

    def scale(self, method: str) -> float:
        """Return the scale of the noise in each noisy sum."""
        return linear_queries.noise_scale(errors_of(self.series, method), *self.guarantee)

    @cached_property
    def largest(self) -> dict[str, float]:
        """The largest ± of a number by each way to add the noise."""
        return {method: float(self.half_widths_of(method).max()) for method in self.methods}

    @cached_property
    def method(self) -> str:
        """The way of the answer, with the least largest ±; of equal ones, the first."""
        least = min(self.largest.values())
        return next(method for method, size in self.largest.items() if size <= least * EQUAL)

    @property
    def answer_errors(self) -> Errors:
        """The errors of the way of the answer."""
        return errors_of(self.series, self.method)

    @property
    def noise_scale(self) -> float:
        """The scale of the noise in each noisy sum of the answer."""
        return self.scale(self.method)

    @property
    def half_width(self) -> float:
        """The largest ± of the answer."""
        return self.largest[self.method]

    @property
    def rival(self) -> str:
        """The way that the answer compares with: noise in each cell, or the best of the others."""
        if self.method != CELLS_ALONE:
            return CELLS_ALONE
        return min((method for method in self.methods if method != CELLS_ALONE), key=self.largest.__getitem__)

    @property
    def drawn(self) -> tuple[str, ...]:
        """The ways that are drawn: noise in each cell, in each number, a tree, and that of the answer."""
        return tuple(dict.fromkeys((CELLS_ALONE, "per_number", "tree", self.method)))

    @cached_property
    def each(self) -> pd.DataFrame:
        """The ± of each published number, by each way that is drawn."""
        cells = self.series.workload.matrix.sum(axis=1)
        frame = {"number": np.arange(1, self.n_sums + 1), "name": self.names, "cells": cells}
        return pd.DataFrame(frame | {method: self.half_widths_of(method) for method in self.drawn})

    @cached_property
    def ways(self) -> pd.DataFrame:
        """Every way to add the noise: its scale, the sensitivity of its sums, and the largest ±, the least first."""
        rows = [
            (method, size, float(np.sqrt(np.mean(self.half_widths_of(method) ** 2))), self.scale(method))
            for method, size in self.largest.items()
        ]
        columns = ["method", "largest", "root_mean_square", "scale"]
        return pd.DataFrame(sorted(rows, key=lambda row: row[1]), columns=columns)

    @cached_property
    def best_of_noises(self) -> pd.DataFrame:
        """The best way of each noise, with its scale and its largest ±."""
        rows = []
        for noise in self.noises:
            other = self.with_noise(noise)
            rows.append((noise, other.method, other.noise_scale, other.half_width))
        return pd.DataFrame(rows, columns=["noise", "method", "scale", "largest"])


def own_sums(sums: ReadSums, series: Series, epsilon: float, delta: float, significance: float) -> OwnSums:
    """Return the published sums with a noise; one in whole numbers is Gaussian or Laplace noise where it can't be."""
    rows = Rows(sums.matrix.astype(np.uint8).tobytes(), sums.matrix.shape[1])
    found = OwnSums(series._replace(workload=rows), epsilon, delta, significance, False, sums.names)
    return found if found.noise in found.noises else found.with_noise(FAMILIES[found.noise].continuous)
