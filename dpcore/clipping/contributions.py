"""Limits on the records or cells of one person: how many people have, what a limit drops, which noise it needs."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from dpcore.accuracy import each_significance
from dpcore.checks import (
    CELLS_RANGE,
    RECORDS_RANGE,
    SIGNIFICANCE_RANGE,
    Array,
    integer,
    leave_out,
    number,
    option,
    or_default,
    plain,
    record,
    scalar,
    scalar_integer,
)
from dpcore.clipping.errors import MeasuredRecord
from dpcore.clipping.noise import (
    CONTINUOUS_NOISES,
    NOISES,
    half_width_about,
    noise_delta,
    noise_of,
    with_normal_error,
)


@dataclass(frozen=True)
class RecordCounts:
    """A distribution of records: `n_people[i]` people have `records[i]` records each, which may be an average."""

    records: Array
    n_people: Array


def zipf_records(exponent: float, most: int, n_people: int) -> RecordCounts:
    """Return the record counts of n people of whom a share ∝ j^−exponent has j records, j = 1 … most, on average.

    Parameters
    ----------
    exponent : in [0, 10].
    most : a whole number in [1, 1e5].
    n_people : a whole number in [1, 1e12].

    Examples
    --------
    >>> zipf_records(2, 3, 49).n_people.round(6).tolist()
    [36.0, 9.0, 4.0]
    """
    power, people = scalar("exponent", exponent, "[0, 10]"), scalar_integer("n_people", n_people, RECORDS_RANGE)
    records = np.arange(1.0, scalar_integer("most", most, "[1, 1e5]") + 1)
    share = records**-power
    return RecordCounts(records, people * share / share.sum())


def geometric_records(mean: float, n_people: int) -> RecordCounts:
    """Return the record counts of n people whose numbers of records are geometric, from 1 on, on average.

    A share (1 − r) r^{j−1} has j records, r = 1 − 1/mean; the last 1e-9 of the people are left out.

    Parameters
    ----------
    mean : in [1, 1000].
    n_people : a whole number in [1, 1e12].

    Examples
    --------
    >>> geometric_records(2, 16).n_people[:3].tolist()
    [8.0, 4.0, 2.0]
    """
    ratio = 1 - 1 / scalar("mean", mean, "[1, 1000]")
    people = scalar_integer("n_people", n_people, RECORDS_RANGE)
    most = int(np.ceil(np.log(1e-9) / np.log(ratio))) if ratio > 0 else 1
    records = np.arange(1.0, most + 1)
    return RecordCounts(records, people * (1 - ratio) * ratio ** (records - 1))


def as_counts(records_per_person: ArrayLike | RecordCounts) -> RecordCounts:
    """Return how many people have how many records."""
    if isinstance(records_per_person, RecordCounts):
        return records_per_person
    records = np.atleast_1d(number("records_per_person", records_per_person, "[0, 1e6]")).ravel()
    numbers, n_people = np.unique(records, return_counts=True)
    return RecordCounts(numbers, n_people.astype(np.float64))


DROPPING = ("random", "weight")
SPREADS = ("cells", "one_cell")
LIMIT_RANGE = "[1, 1e6]"
_LOSS_RANGE = "[1e-9, 1e6]"
_MOST_LIMITS = 400
_LIMITS_OF_ONE_NOISE = 8
_LIMIT_ERRORS = ("total_error", "cell_error", "cell_half_width", "all_half_width")


@dataclass(frozen=True)
class DroppingAndNoise(MeasuredRecord):
    """The error of counts under a limit of k records for one person; arrays of the shape of the limits and ε.

    The half-widths are computed when they are first read.

    Attributes
    ----------
    limit : k.
    dropped : how many records are dropped, Σ(n_i − k)₊; with weights, how many are lost.
    dropped_share : of all records.
    noise_scale : of the noise of each cell; rounded up.
    total_bias, total_deviation, total_error : of the sum of all cells; the error is a root mean square.
    cell_bias, cell_deviation, cell_error : of one cell, on average over the cells.
    cell_half_width : the least a such that one cell, of the average bias, has an error within ±a in 1 − α of releases;
        what random dropping adds to the bias of a cell is taken as normal.
    all_half_width : the same for all cells at once, whose biases are taken as equal.
    """

    limit: Array
    dropped: Array
    dropped_share: Array
    noise_scale: Array
    total_bias: Array
    total_deviation: Array
    total_error: Array
    cell_bias: Array
    cell_deviation: Array
    cell_error: Array

    @cached_property
    def cell_half_width(self) -> Array:
        """Return the half-width of the error of one cell."""
        return plain(self._measures["cell_half_width"]())

    @cached_property
    def all_half_width(self) -> Array:
        """Return the half-width of the errors of all cells at once."""
        return plain(self._measures["all_half_width"]())


@dataclass(frozen=True)
class LimitedTable:
    """How counts are released under a limit on the records of one person.

    Attributes
    ----------
    noise : one of `dpcore.clipping.NOISES`; noise on the whole numbers only with random dropping.
    n_cells : m, how many cells the table has, a whole number in [1, 1e15].
    spread : "cells" where the records of a person are in different cells, or "one_cell" where all may be in the same;
        with more records than cells they may be, too.
    dropping : "random" or "weight".
    delta : as in `dpcore.clipping.sum_error`.
    """

    noise: str = "laplace"
    n_cells: int = 1
    spread: str = "cells"
    dropping: str = "random"
    delta: float | None = None

    def __post_init__(self) -> None:
        option("noise", self.noise, NOISES)
        option("spread", self.spread, SPREADS)
        option("dropping", self.dropping, DROPPING)
        if self.dropping == "weight":
            option("noise", self.noise, CONTINUOUS_NOISES)
        scalar_integer("n_cells", self.n_cells, CELLS_RANGE)
        noise_delta(self.noise, self.delta)


COUNT = LimitedTable()
"""One count, with Laplace noise."""


def contribution_error(
    records_per_person: ArrayLike | RecordCounts,
    limit: ArrayLike,
    epsilon: ArrayLike,
    table: LimitedTable = COUNT,
    significance: float = 0.05,
) -> DroppingAndNoise:
    """Return the error of counts in which one person has at most k records.

    Records that are dropped bias the counts by −Σ(n_i − k)₊. A person moves k cells by one each (Δ₁ = k, Δ₂ = √k), or
    one cell by k. Random dropping keeps each of the n_i > k records with probability k/n_i, which adds a variance of
    n_i (k/n_i)(1 − k/n_i) for records in different cells; weights k/n_i add none, but then counts are not whole.

    Parameters
    ----------
    records_per_person : n_i, numbers in [0, 1e6]; or `zipf_records` or `geometric_records`.
    limit : k, whole numbers in [1, 1e6].
    epsilon : in [1e-9, 1e6].
    table : its cells, its noise, and how records beyond the limit are dropped.
    significance : α of the half-widths, in [1e-300, 1).

    Examples
    --------
    >>> error = contribution_error([1, 1, 2, 5, 20], [1, 5, 20], epsilon=1.0)
    >>> error.dropped.tolist(), error.total_error.round(2).tolist()
    ([24.0, 15.0, 0.0], [24.04, 16.58, 28.28])
    """
    record("table", table, LimitedTable)
    counts, k = as_counts(records_per_person), integer("limit", limit, LIMIT_RANGE)
    loss, alpha = number("epsilon", epsilon, _LOSS_RANGE), scalar("significance", significance, SIGNIFICANCE_RANGE)
    return _error_with_noise_of(counts, k, k, loss, table, alpha)


def _error_with_noise_of(
    counts: RecordCounts, limit: Array, noise_limit: Array, epsilon: Array, table: LimitedTable, alpha: float
) -> DroppingAndNoise:
    """Return the error of `contribution_error`, where the noise is that of a limit of its own.

    With the noise of a smaller limit no error is larger, and the noise of few limits serves many.
    """
    noise, k, noise_k, epsilon = table.noise, *np.broadcast_arrays(limit, noise_limit, epsilon)
    cells, delta = table.n_cells, noise_delta(noise, table.delta)
    over = np.maximum(counts.records - k[..., None], 0)
    dropped = over @ counts.n_people
    total = float(counts.records @ counts.n_people)
    share = np.where(over > 0, k[..., None] / np.maximum(counts.records, 1), 1.0)
    dropping_variance = (
        (counts.records * share * (1 - share)) @ counts.n_people if table.dropping == "random" else np.zeros(k.shape)
    )
    apart = (noise_k <= cells) & (table.spread == "cells")
    added = noise_of(noise, epsilon, delta, np.where(apart, 1.0, noise_k), np.where(apart, noise_k, 1.0))
    variance = added.deviation**2
    cell_bias, cell_deviation = -dropped / cells, np.sqrt(variance + dropping_variance / cells)
    total_deviation = np.sqrt(cells * variance)
    joint = with_normal_error(noise, added, np.sqrt(dropping_variance / cells))
    return DroppingAndNoise(
        limit=k,
        dropped=dropped,
        dropped_share=dropped / max(total, 1e-300),
        noise_scale=added.scale,
        total_bias=-dropped,
        total_deviation=total_deviation,
        total_error=np.hypot(dropped, total_deviation),
        cell_bias=cell_bias,
        cell_deviation=cell_deviation,
        cell_error=np.hypot(cell_bias, cell_deviation),
        _measures={
            "cell_half_width": lambda: half_width_about(joint, abs(cell_bias), alpha),
            "all_half_width": lambda: half_width_about(joint, abs(cell_bias), float(each_significance(alpha, cells))),
        },
    )


def best_limit(
    records_per_person: ArrayLike | RecordCounts,
    epsilon: float,
    table: LimitedTable = COUNT,
    error: str = "total_error",
    significance: float | None = None,
) -> int:
    """Return the limit k at which an error of `contribution_error` is least, among the limits up to the largest n_i.

    Up to 400 limits are compared: all, or so many in geometric steps and then all between the neighbours of the best.

    Parameters
    ----------
    records_per_person, epsilon, table : as in `contribution_error`.
    error : "total_error", "cell_error", "cell_half_width" or "all_half_width".
    significance : of a half-width, in [1e-300, 1), 0.05 by default; the other errors leave it out.

    Examples
    --------
    >>> best_limit([1, 1, 2, 5, 20], epsilon=1.0)
    7
    """
    option("error", error, _LIMIT_ERRORS)
    if "half_width" not in error:
        leave_out(f"error {error}", significance=significance)
    record("table", table, LimitedTable)
    counts, loss = as_counts(records_per_person), number("epsilon", epsilon, _LOSS_RANGE)
    alpha = scalar("significance", or_default(significance, 0.05), SIGNIFICANCE_RANGE)

    def chosen_errors(limits: Array, noise_limits: Array) -> Array:
        return getattr(_error_with_noise_of(counts, limits, noise_limits, loss, table, alpha), error)

    most = int(np.clip(np.ceil(counts.records.max()), 1, 1e6))
    limits = np.unique(np.rint(np.geomspace(1, most, _MOST_LIMITS)))
    while True:
        place = _least_place(chosen_errors, limits)
        low, high = limits[max(place - 1, 0)], limits[min(place + 1, limits.size - 1)]
        between = np.unique(np.rint(np.linspace(low, high, _MOST_LIMITS)))
        if between.size <= 3:
            return int(limits[place])
        limits = between


def _least_place(errors_at: Callable[[Array, Array], Array], limits: Array) -> int:
    """Return the place of the limit of least error, without those for which the noise of a smaller one is too much.

    Discrete Gaussian noise of several cells takes milliseconds for each limit, so that of few limits is computed.
    """
    floors = limits[np.arange(limits.size) // _LIMITS_OF_ONE_NOISE * _LIMITS_OF_ONE_NOISE]
    least, exact = errors_at(limits, floors), limits == floors
    while True:
        best = float(least[exact].min())
        open_places = np.flatnonzero(~exact & (least < best))
        if not open_places.size:
            return int(np.argmin(np.where(exact, least, np.inf)))
        tried = open_places[np.argsort(least[open_places])[:_LIMITS_OF_ONE_NOISE]]
        least[tried], exact[tried] = errors_at(limits[tried], limits[tried]), True
