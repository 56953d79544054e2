"""The data sets of Experiment 5.2 of Balle & Wang 2018 and the noise that they meet: what takes nearly all its time."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from dpcore import laplace
from dpcore.checks import Array, generator, scalar_integer
from dpcore.tables.release import Progress, chunks

MEAN_DIMENSION_RANGE = "[1, 10000]"
MEAN_RECORDS_RANGE = "[1, 100000]"
MEAN_REPEATS_RANGE = "[2, 10000]"
_CHUNK = 2**19  # numbers of an array held at a time, unless one data set is longer
_MOST_HELD = "[1, 1e7]"  # numbers of `MeanDraws`


@dataclass(frozen=True, eq=False)
class MeanDraws:
    """Data sets of Experiment 5.2 in one dimension, with noise of scale 1 for each; see `mean_draws`.

    Attributes
    ----------
    n_records : records of each data set.
    truth : their means y, in the shape (repeats, d).
    normal : standard normal noise, in the same shape.
    laplace_norm : ‖·‖₂ of Laplace noise of scale 1, in the shape (repeats,).
    """

    n_records: int
    truth: Array
    normal: Array
    laplace_norm: Array


def mean_draws(
    rng: np.random.Generator,
    dimension: int,
    n_records: int = 500,
    n_repeats: int = 100,
    progress: Progress | None = None,
) -> MeanDraws:
    """Return the data sets and the noise of Experiment 5.2, which take nearly all its time, to be met with any (ε, δ).

    Parameters
    ----------
    dimension : d, a whole number in [1, 10,000].
    rng : the source of randomness.
    n_records : n in [1, 100,000].
    n_repeats : data sets, in [2, 10,000], with d·n_repeats ≤ 1e7.
    progress : called with the finished share now and then; an exception that it raises ends the drawing.

    Examples
    --------
    >>> draws = mean_draws(np.random.default_rng(1), 1000, n_repeats=10)
    >>> draws.truth.shape, draws.laplace_norm.shape
    ((10, 1000), (10,))
    """
    generator("rng", rng)
    dimension = scalar_integer("dimension", dimension, MEAN_DIMENSION_RANGE)
    n_records = scalar_integer("n_records", n_records, MEAN_RECORDS_RANGE)
    n_repeats = scalar_integer("n_repeats", n_repeats, MEAN_REPEATS_RANGE)
    scalar_integer("dimension times n_repeats", dimension * n_repeats, _MOST_HELD)
    parts = []
    for part in mean_draw_batches(rng, dimension, n_records, n_repeats):
        parts.append(part)
        if progress is not None:
            progress(sum(len(data_set.truth) for data_set in parts) / n_repeats)
    return MeanDraws(
        n_records,
        np.concatenate([part.truth for part in parts]),
        np.concatenate([part.normal for part in parts]),
        np.concatenate([part.laplace_norm for part in parts]),
    )


def mean_draw_batches(rng: np.random.Generator, dimension: int, n_records: int, n_repeats: int) -> Iterator[MeanDraws]:
    """Yield the data sets in parts, as many at a time as `_CHUNK` allows."""
    for _, n_rows in chunks(n_repeats, n_records * dimension, _CHUNK):
        size = (n_rows, dimension)
        truth = rng.standard_normal(size) + _box_means(rng, size, n_records)
        yield MeanDraws(n_records, truth, rng.standard_normal(size), norms(laplace.sample(rng, 1.0, size)))


def norms(rows: Array) -> Array:
    """‖·‖₂ of each row."""
    return np.linalg.norm(rows, axis=-1)


def _box_means(rng: np.random.Generator, size: tuple[int, int], n_records: int) -> Array:
    """Return means of n draws of U[−½, ½]^d, one in each row."""
    total = np.zeros(size)
    for _, n_drawn in chunks(n_records, size[0] * size[1], _CHUNK):
        total += rng.random((size[0], n_drawn, size[1])).sum(axis=1)
    return total / n_records - 0.5
