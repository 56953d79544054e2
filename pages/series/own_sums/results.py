"""The errors of published sums of the user's own, by each way to add the noise, with each of four noises."""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import pandas as pd

from dpcore import linear_queries
from dpcore.checks import Array
from dpcore.families import FAMILIES
from dpcore.linear_queries import Errors
from dpcore.readers import ReadSums
from pages.framework.rendering.uploaded_files import kept
from pages.series.methods import EQUAL, OPTIMUM, Published, errors_at, has_delta
from pages.series.parameters import WHOLE_METHODS

CELLS_ALONE = "per_period"
"""Noise in each cell, of which each published number is a sum."""
_MOST_OPTIMIZED = 24  # cells of any sums, for the time
_REAL_METHODS = (*WHOLE_METHODS, "square_root", "normalized_square_root")


class Rows(NamedTuple):
    """Sums of cells as a key: zeros and ones, row after row, of so many cells."""

    marks: bytes
    n_cells: int

    @property
    def matrix(self) -> Array:
        """The zeros and ones, sums × cells."""
        return np.frombuffer(self.marks, np.uint8).reshape(-1, self.n_cells).astype(np.float64)


class Limits(NamedTuple):
    """What one person adds: to how many cells, to each, and in all; and what neighbouring data are."""

    contributions: int = 1
    per_cell: float = 1.0
    total: float | None = None
    neighbours: str = "add_remove"

    @property
    def are_whole(self) -> bool:
        """Whether a person adds whole numbers, as noise in whole numbers needs."""
        return self.per_cell == int(self.per_cell) and (self.total is None or self.total == int(self.total))


def rows_of(matrix: Array) -> Rows:
    """Return sums as a key.

    >>> rows_of(np.array([[1.0, 0], [1, 1]])).matrix.tolist()
    [[1.0, 0.0], [1.0, 1.0]]
    """
    return Rows(matrix.astype(np.uint8).tobytes(), matrix.shape[1])


@dataclass(frozen=True, eq=False)
class OwnSums:
    """Published sums with noise: `names` are those of the sums, `noise` is one of `linear_queries.NOISES`."""

    rows: Rows
    names: tuple[str, ...]
    limits: Limits
    noise: str
    epsilon: float
    delta: float
    significance: float

    @property
    def n_sums(self) -> int:
        """How many numbers are published."""
        return len(self.names)

    @cached_property
    def noises(self) -> tuple[str, ...]:
        """The noises that can be added: those in whole numbers where people add whole numbers."""
        return tuple(noise for noise in linear_queries.NOISES if not FAMILIES[noise].whole or self.limits.are_whole)

    @cached_property
    def has_optimum(self) -> bool:
        """Whether there is a numerical optimum: of few cells, all of which the sums determine."""
        n_cells = self.rows.n_cells
        return n_cells <= _MOST_OPTIMIZED and int(np.linalg.matrix_rank(self.rows.matrix)) == n_cells

    def methods(self, noise: str) -> tuple[str, ...]:
        """Return the ways to add a noise."""
        if FAMILIES[noise].whole:
            return WHOLE_METHODS
        return (*_REAL_METHODS, OPTIMUM) if noise == "gaussian" and self.has_optimum else _REAL_METHODS

    def errors_by(self, method: str, noise: str = "") -> Errors:
        """Return the errors of a way to add a noise, as multiples of it at sensitivity 1."""
        return errors_at(Published(self.rows, method, self.rows.n_cells, *self.limits, noise or self.noise))

    def half_widths(self, method: str, noise: str = "") -> Array:
        """Return the ± of each number."""
        delta = self.delta if has_delta(noise or self.noise) else 0.0
        errors = self.errors_by(method, noise)
        return kept(linear_queries.half_widths, errors, self.epsilon, delta, self.significance)

    def scale(self, method: str, noise: str = "") -> float:
        """Return the scale of the noise in each noisy sum."""
        delta = self.delta if has_delta(noise or self.noise) else 0.0
        return linear_queries.noise_scale(self.errors_by(method, noise), self.epsilon, delta)

    def largest(self, noise: str = "") -> dict[str, float]:
        """Return the largest ± of a number by each way to add a noise."""
        return {method: float(self.half_widths(method, noise).max()) for method in self.methods(noise or self.noise)}

    def best_way(self, noise: str = "") -> str:
        """Return the way with the least largest ±; of equal ones, the first."""
        largest = self.largest(noise)
        least = min(largest.values())
        return next(method for method, size in largest.items() if size <= least * EQUAL)

    @cached_property
    def method(self) -> str:
        """The way of the answer."""
        return self.best_way()

    @property
    def error(self) -> float:
        """The largest ± of the answer."""
        return self.largest()[self.method]

    @property
    def rival(self) -> str:
        """The way that the answer compares with: noise in each cell, or the best of the others."""
        if self.method != CELLS_ALONE:
            return CELLS_ALONE
        others = {method: size for method, size in self.largest().items() if method != CELLS_ALONE}
        return min(others, key=others.__getitem__)

    @property
    def drawn(self) -> tuple[str, ...]:
        """The ways that are drawn: noise in each cell, in each number, a tree, and that of the answer."""
        return tuple(dict.fromkeys((CELLS_ALONE, "per_number", "tree", self.method)))

    @cached_property
    def each(self) -> pd.DataFrame:
        """The ± of each published number, by each way that is drawn."""
        cells = self.rows.matrix.sum(axis=1)
        frame = {"number": np.arange(1, self.n_sums + 1), "name": self.names, "cells": cells}
        return pd.DataFrame(frame | {method: self.half_widths(method) for method in self.drawn})

    @cached_property
    def ways(self) -> pd.DataFrame:
        """Every way to add the noise: its scale, the sensitivity of its sums, and the largest ±, the least first."""
        rows = [
            (method, size, float(np.sqrt(np.mean(self.half_widths(method) ** 2))), self.scale(method))
            for method, size in self.largest().items()
        ]
        columns = ["method", "largest", "root_mean_square", "scale"]
        return pd.DataFrame(sorted(rows, key=lambda row: row[1]), columns=columns)

    @cached_property
    def best_of_noises(self) -> pd.DataFrame:
        """The best way of each noise, with its scale and its largest ±."""
        rows = []
        for noise in self.noises:
            method = self.best_way(noise)
            rows.append((noise, method, self.scale(method, noise), self.largest(noise)[method]))
        return pd.DataFrame(rows, columns=["noise", "method", "scale", "largest"])


def own_sums(
    sums: ReadSums, limits: Limits, noise: str, guarantee: tuple[float, float], significance: float
) -> OwnSums:
    """Return the published sums with a noise; one in whole numbers is Gaussian or Laplace noise where it can't be."""
    known = OwnSums(rows_of(sums.matrix), sums.names, limits, noise, *guarantee, significance)
    if noise in known.noises:
        return known
    return OwnSums(known.rows, known.names, limits, FAMILIES[noise].continuous, *guarantee, significance)
