"""The weights of the noise in published numbers as rows, each different weight of which occurs a number of times."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from dpcore.checks import Array

_GRAIN, _OF_A_GRAIN = 1e-12, 0.01  # of weights, and how much of it rounding has added
_MOST_CONTAINING = 8


class Tallies(NamedTuple):
    """The different weights in each row, the largest first, and how often each occurs; 0 where there are no more."""

    values: Array
    counts: Array


def tallies(rows: Sequence[Array]) -> Tallies:
    """Return the tallies of rows of positive weights.

    Examples
    --------
    >>> values, counts = tallies([np.array([1.0, 2.0, 1.0]), np.ones(1)])
    >>> values.tolist(), counts.tolist()
    ([[2.0, 1.0], [1.0, 0.0]], [[1.0, 2.0], [1.0, 0.0]])
    """
    matrix = np.zeros((len(rows), max(row.size for row in rows)))
    for place, row in enumerate(rows):
        matrix[place, : row.size] = row
    return tallies_of_falling(np.sort(matrix, axis=1)[:, ::-1])


def tallies_of_falling(falling: Array) -> Tallies:
    """Return the tallies of rows of weights, the largest of a row first, with zeros behind them.

    Examples
    --------
    >>> values, counts = tallies_of_falling(np.array([[2.0, 1.0, 1.0], [1.0, 0.0, 0.0]]))
    >>> values.tolist(), counts.tolist()
    ([[2.0, 1.0], [1.0, 0.0]], [[1.0, 2.0], [1.0, 0.0]])
    """
    is_first = falling > 0
    n_weights = is_first.sum(axis=1)
    is_first[:, 1:] &= falling[:, 1:] != falling[:, :-1]
    row, column = np.nonzero(is_first)
    if row.size == n_weights.sum():  # no weight twice
        return Tallies(falling, is_first.astype(np.float64))
    n_kinds = np.bincount(row, minlength=len(falling))
    kind = np.arange(row.size) - np.repeat(np.cumsum(n_kinds) - n_kinds, n_kinds)
    end = np.append(column[1:], 0)
    end[np.cumsum(n_kinds[n_kinds > 0]) - 1] = n_weights[n_kinds > 0]
    values, counts = np.zeros((2, len(falling), int(n_kinds.max())))
    values[row, kind], counts[row, kind] = falling[row, column], end - column
    return Tallies(values, counts)


def tallies_of_ones(counts: Array) -> Tallies:
    """Return the tallies of rows with so many ones."""
    return Tallies(np.ones((counts.size, 1)), counts[:, np.newaxis])


def rounded_and_falling(weights: Array) -> Array:
    """Return the sizes of weights, rounded up to 1e-12 but for what rounding has added, the largest of a row first."""
    falling = abs(weights)
    falling /= _GRAIN
    falling -= _OF_A_GRAIN
    np.maximum(np.ceil(falling, out=falling), 0, out=falling)
    falling *= -_GRAIN
    falling.sort(axis=1)
    return np.ascontiguousarray(without_zeros(np.negative(falling, out=falling)))


def without_zeros(rows: Array) -> Array:
    """Return rows that begin with positive numbers without the columns of zeros behind them."""
    return rows[:, : int((rows > 0).sum(axis=1).max())]


def not_contained(falling: Array) -> Array:
    """Return the rows of falling weights but those that are nowhere above one of a few others.

    Examples
    --------
    >>> not_contained(np.array([[1, 0], [1, 1], [1.5, 0.5]])).tolist()
    [[1.0, 1.0], [1.5, 0.5]]
    """
    left, kept = falling, []
    while len(left) and len(kept) < _MOST_CONTAINING:
        largest = left[left.sum(axis=1).argmax()]
        kept.append(largest)
        left = left[(left > largest).any(axis=1)]
    return np.array([*kept, *left])
