"""The tail of weighted sums of noise that is not normal.

It is that of the characteristic function, summed at equal steps (Gil-Pelaez): the tail of the sum wrapped around a
circle, which is so wide that next to nothing wraps. Of noise in whole numbers it is so of equal weights, else it is
Chernoff's bound; of Laplace noise the function is Π 1/(1 + (aⱼs)²). All numbers are sought at once.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from dpcore import discrete_gaussian, gaussian, geometric, laplace
from dpcore.checks import Array
from dpcore.linear_queries.errors import Options, factors
from dpcore.linear_queries.workloads import Workload
from dpcore.roots import Rows, safe_root

_FORGOTTEN = 1e-13  # mass of a whole sum beyond the circle, and its characteristic function beyond the terms
_ROUNDING = 1e-10  # of a tail: both of these, and rounding
_MOST_POINTS = 2_000_000
_WRAPPED = 1e-12
_FEW_TERMS, _MOST_TERMS = 256, 200_000  # up to the former as many as reach 1e-18
_VANISHED = 1e-18
_CLOSE, _FIRST_STEP = 1e-12, 0.1  # relative, of a half-width
_GRAIN, _OF_A_GRAIN = 1e-12, 0.01  # of weights, and how much of it rounding has added
_MOST_CONTAINING = 8
_AT_ONCE = 500_000  # numbers in one array
_SHARES = np.linspace(0.005, 0.995, 199)  # of the s up to which geometric noise has moments; any s is safe
Weights = tuple[Array, ...]


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
    width = max(row.size for row in rows)
    falling = -np.sort(-np.array([np.pad(row, (0, width - row.size)) for row in rows]), axis=1)
    kind = np.cumsum(np.diff(falling, axis=1, prepend=falling[:, :1]) != 0, axis=1)
    shape = len(rows), int(kind.max()) + 1
    values, place = np.zeros(shape), np.arange(shape[0])[:, np.newaxis]
    values[place, kind] = falling
    counts = np.bincount((place * shape[1] + kind)[falling > 0], minlength=shape[0] * shape[1]).reshape(shape)
    n_kinds = int((values > 0).sum(axis=1).max())
    return Tallies(values[:, :n_kinds], counts[:, :n_kinds].astype(np.float64))


@lru_cache(32)
def weights_of(numbers: Workload, strategy: str, options: Options) -> tuple[Weights, Rows]:
    """Return the weights of the noise in the published numbers, each kind once, and the kind of each number.

    They are rounded up to 1e-12, but for what rounding has added.

    Examples
    --------
    >>> from dpcore.linear_queries import workload
    >>> rows, place = weights_of(workload("running_totals", 3), "binary_tree", (2, 1, "once", ""))
    >>> [row.tolist() for row in rows], place.tolist()
    ([[1.0], [1.0, 1.0]], [0, 0, 1])
    """
    _, weights = factors(numbers, strategy, *options)
    rounded = np.ceil(abs(weights) / _GRAIN - _OF_A_GRAIN) * _GRAIN
    kinds: dict[bytes, int] = {}
    place = [kinds.setdefault(row.tobytes(), len(kinds)) for row in np.sort(rounded, axis=1)]
    rows = map(np.frombuffer, kinds)
    return tuple(row[row > 0] for row in rows), np.array(place)


@lru_cache(32)
def all_tallies(numbers: Workload, strategy: str, options: Options) -> tuple[Tallies, Rows]:
    """Return the tallies of `weights_of`, and the kind of each number."""
    rows, place = weights_of(numbers, strategy, options)
    return tallies(rows), place


@lru_cache(32)
def largest_tallies(numbers: Workload, strategy: str, options: Options) -> Tallies:
    """Return the tallies of the numbers of which no other one of a few contains the noise, as `_not_contained`.

    Examples
    --------
    >>> from dpcore.linear_queries import workload
    >>> largest = largest_tallies(workload("running_totals", 3), "per_period", (2, 1, "once", ""))
    >>> largest.values.tolist(), largest.counts.tolist()
    ([[1.0]], [[3.0]])
    """
    return tallies(_not_contained(weights_of(numbers, strategy, options)[0]))


def _not_contained(rows: Weights) -> Weights:
    """Return the rows of weights but those that are nowhere above one of a few others.

    Examples
    --------
    >>> [row.tolist() for row in _not_contained((np.ones(1), np.ones(2), np.array([0.5, 1.5])))]
    [[1.0, 1.0], [0.5, 1.5]]
    """
    width = max(row.size for row in rows)
    left, largest_rows = np.array([np.pad(row, (width - row.size, 0)) for row in rows]), []
    while len(left) and len(largest_rows) < _MOST_CONTAINING:
        largest = left[left.sum(axis=1).argmax()]
        largest_rows.append(largest)
        left = left[(left > largest).any(axis=1)]
    return tuple(row[row > 0] for row in [*largest_rows, *left])


def laplace_half_widths(rows: Tallies, alpha: float) -> Array:
    """Return the t of each row of weights with Pr(|Σ aⱼXⱼ| > t) = α of Laplace variables of scale 1, rounded up.

    Examples
    --------
    >>> laplace_half_widths(tallies([np.ones(1), np.ones(2)]), 0.05).round(4).tolist()
    [2.9957, 4.113]
    """
    largest, counts = rows.values[:, 0], rows.counts
    values = rows.values / largest[:, np.newaxis]
    far = 2 * (-np.log(_WRAPPED) + np.log(2) - (counts * np.log1p(-(values**2) / 4)).sum(axis=1))  # Chernoff's, s = 1/2
    widths = largest * float(laplace.half_width(alpha, 1.0))
    open_rows, n_terms = np.flatnonzero(counts.sum(axis=1) > 1), 16
    while open_rows.size:
        end = (np.pi / far[open_rows] * n_terms)[:, np.newaxis]
        vanished = (counts[open_rows] * np.log1p((values[open_rows] * end) ** 2)).sum(axis=1)
        is_last = n_terms * 4 > _MOST_TERMS
        ends = is_last | (vanished >= -np.log(_VANISHED if n_terms < _FEW_TERMS else _WRAPPED))
        group, open_rows = open_rows[ends], open_rows[~ends]
        step = max(1, _MOST_POINTS // n_terms)
        for part in (group[first : first + step] for first in range(0, group.size, step)):
            tally = Tallies(values[part], counts[part])
            widths[part] = largest[part] * _laplace_roots(tally, far[part], n_terms, alpha)
        n_terms *= 2 if n_terms < _FEW_TERMS else 4
    return widths


def _laplace_roots(group: Tallies, far: Array, n_terms: int, alpha: float) -> Array:
    """Return the half-widths of sums whose characteristic functions have the same number of terms."""
    terms, squares = np.arange(1, n_terms + 1), group.values**2
    log_values = np.zeros((far.size, n_terms))
    step = max(1, _AT_ONCE // n_terms)
    for row, (square, count, width) in enumerate(zip(squares, group.counts, far, strict=True)):
        steps = (np.pi / width * terms) ** 2
        for first in range(0, int((count > 0).sum()), step):
            part = slice(first, min(first + step, int((count > 0).sum())))
            log_values[row] -= count[part] @ np.log1p(np.multiply.outer(square[part], steps))
    heights, cut = np.exp(log_values) / terms, np.exp(log_values[:, -1]) + 2 * _WRAPPED

    def log_excess(rows: Rows, tried: Array) -> Array:
        share = np.minimum(tried / far[rows], 1)
        waves = np.einsum("ij,ij->i", np.sin(np.multiply.outer(np.pi * share, terms)), heights[rows])
        return np.log(np.maximum(1 - share - 2 / np.pi * waves + cut[rows], _WRAPPED) / alpha)

    variances = 2 * (group.counts * squares).sum(axis=1)
    guess = np.minimum(gaussian.half_width(alpha, np.sqrt(variances)), far / 2)
    return safe_root(log_excess, guess, np.zeros(far.size), _CLOSE, _FIRST_STEP) * (1 + _CLOSE)


def whole_half_widths(rows: Tallies, alpha: float, noise: str, scale: ArrayLike) -> Array:
    """Return the least t of each row with Pr(|Σ aⱼZⱼ| > t) ≤ α, or an upper bound of it; a scale for all or for each.

    Examples
    --------
    >>> whole_half_widths(tallies([np.ones(1), np.ones(2)]), 0.05, "geometric", 3.0).tolist()
    [9.0, 12.0]
    """
    family = geometric if noise == "geometric" else discrete_gaussian
    largest, n = rows.values[:, 0], rows.counts.sum(axis=1)
    scales = np.broadcast_to(np.asarray(scale, dtype=np.float64), n.shape)
    widths, is_alone, several = np.zeros(n.size), n <= 1, np.flatnonzero(n > 1)
    if is_alone.any():
        widths[is_alone] = largest[is_alone] * family.half_width(alpha, scales[is_alone])
    is_equal = rows.counts[several, 0] >= n[several]
    far = chernoff_half_widths(_tallies_at(rows, several[is_equal]), _FORGOTTEN, noise, scales[several[is_equal]])
    is_near = 2 * far <= _MOST_POINTS
    near = several[is_equal][is_near]
    widths[near] = largest[near] * _steps(n[near], scales[near], np.ceil(far[is_near] / largest[near]), alpha, noise)
    others = np.setdiff1d(several, near)
    widths[others] = chernoff_half_widths(_tallies_at(rows, others), alpha, noise, scales[others])
    return widths


def _tallies_at(rows: Tallies, places: Rows) -> Tallies:
    n_kinds = int((rows.counts[places] > 0).sum(axis=1).max(initial=1))
    return Tallies(rows.values[places, :n_kinds], rows.counts[places, :n_kinds])


def _steps(n: Array, scale: Array, far: Array, alpha: float, noise: str) -> Array:
    """Return the least whole t with Pr(|sum of n equal summands| > t) + 1e-10 ≤ α, which is at most far."""
    steps, size, left, n_terms = far.copy(), 2 * far + 3, np.arange(n.size), 16
    while left.size:
        end = 2 * np.pi * n_terms / size[left]
        is_whole = 2 * n_terms >= size[left] - 1
        with np.errstate(divide="ignore"):
            logs = np.log(_characteristic(np.minimum(end, np.pi), scale[left], noise))
        ends = is_whole | (-n[left] * logs >= -np.log(_FORGOTTEN))
        group, left = left[ends], left[~ends]
        step = max(1, _AT_ONCE // n_terms)
        for part in (group[first : first + step] for first in range(0, group.size, step)):
            steps[part] = _least_steps(n[part], scale[part], far[part], alpha, noise, n_terms)
        n_terms *= 2
    return steps


def _least_steps(n: Array, scale: Array, far: Array, alpha: float, noise: str, n_terms: int) -> Array:
    """Return these t by the tail 1 − (2t + 1)/N − 2/N Σ φ(θₖ)ⁿ sin((t + ½)θₖ)/sin(θₖ/2), θₖ = 2πk/N, on a circle of N.

    φ falls up to π, so that the terms that are left out are at most Σ φ(θₖ)ⁿ/k.
    """
    size = 2 * far + 3
    share = np.arange(1, n_terms + 1) / size[:, np.newaxis]
    angle = 2 * np.pi * np.minimum(share, 0.5)
    heights = _characteristic(angle, scale[:, np.newaxis], noise) ** n[:, np.newaxis] / np.sin(angle / 2)
    heights[share > 0.5] = 0

    def tail(rows: Rows, tried: Array) -> Array:
        waves = np.einsum("ij,ij->i", np.sin((tried + 0.5)[:, np.newaxis] * angle[rows]), heights[rows])
        return 1 - (2 * tried + 1 + 2 * waves) / size[rows]

    low, high, target = np.full(n.size, -1.0), far.copy(), np.sqrt(-np.log(alpha))
    above, below, n_tries = np.zeros(n.size), np.full(n.size, np.sqrt(-np.log(_FORGOTTEN))), 0  # nearly straight in t
    while (rows := np.flatnonzero(high - low > 1)).size:
        n_tries += 1
        slope = (high[rows] - low[rows]) / np.maximum(below[rows] - above[rows], _FORGOTTEN)
        middle = np.floor((low[rows] + high[rows]) / 2)
        tried = middle if n_tries % 4 == 0 else np.ceil(low[rows] + (target - above[rows]) * slope)
        tried = np.clip(tried, low[rows] + 1, high[rows] - 1)
        tails = tail(rows, tried)
        depths, is_enough = np.sqrt(-np.log(np.clip(tails, _FORGOTTEN, 1))), tails + _ROUNDING <= alpha
        enough, short = rows[is_enough], rows[~is_enough]
        high[enough], below[enough] = tried[is_enough], depths[is_enough]
        low[short], above[short] = tried[~is_enough], depths[~is_enough]
    return high


def _characteristic(angle: Array, scale: Array, noise: str) -> Array:
    """Return E cos(θZ) for θ in [0, π]: 1/(1 + sin²(θ/2)/sinh²(1/(2s))), or of discrete Gaussian noise ϑ₃(θ/2)/ϑ₃(0).

    From σ = 1 on the latter is Σ e^{−σ²(θ + 2πj)²/2}/Σ e^{−σ²(2πj)²/2}, below it is the sum of the probabilities.
    """
    with np.errstate(over="ignore", under="ignore"):
        if noise == "geometric":
            return 1 / (1 + (np.sin(angle / 2) / np.sinh(0.5 / scale)) ** 2)
        waves = sum(np.exp(-((scale * (angle + 2 * np.pi * j)) ** 2) / 2) for j in (-1, 0, 1))
        smooth = waves / (1 + 2 * np.exp(-((scale * 2 * np.pi) ** 2) / 2))
        if (scale >= 1).all():
            return smooth
        chance = [np.exp(-((y / scale) ** 2) / 2) for y in range(1, 10)]
        narrow = 1 + 2 * sum(mass * np.cos(y * angle) for y, mass in enumerate(chance, start=1))
        return np.where(scale < 1, narrow / (1 + 2 * sum(chance)), smooth)


def chernoff_half_widths(rows: Tallies, alpha: float, noise: str, scale: ArrayLike) -> Array:
    """Return min (Σ ln E e^{s aⱼ Z} + ln(2/α))/s; discrete Gaussian noise has moments below N(0, σ²)'s ([CKS20]).

    Examples
    --------
    >>> print(f"{chernoff_half_widths(tallies([np.ones(2)]), 0.05, 'geometric', 3.0)[0]:.1f}")
    21.3
    """
    values, counts = rows
    scales = np.broadcast_to(np.asarray(scale, dtype=np.float64), len(values))
    if noise == "discrete_gaussian":
        return scales * np.sqrt(2 * np.log(2 / alpha) * (counts * values**2).sum(axis=1))
    largest, odds = values[:, 0], (1 / scales)[:, np.newaxis]
    log_none, needed = np.log(-np.expm1(-odds)), np.log(2 / alpha)

    def bound(place: Rows) -> Array:
        step = (_SHARES[place] / (scales * largest))[:, np.newaxis] * values
        logs = 2 * log_none - np.log(-np.expm1(step - odds)) - np.log(-np.expm1(-step - odds))
        return ((counts * logs).sum(axis=1) + needed) / _SHARES[place]

    return _least_of(bound, len(values)) * scales * largest


def _least_of(bound: Callable[[Rows], Array], n_rows: int) -> Array:
    """Return the least bound of each row over the shares, along which it falls and then rises."""
    low, high = np.zeros(n_rows, np.int64), np.full(n_rows, _SHARES.size - 1)
    while (low < high).any():
        middle = (low + high) // 2
        rises = bound(np.minimum(middle + 1, high)) >= bound(middle)
        low, high = np.where(rises, low, np.minimum(middle + 1, high)), np.where(rises, middle, high)
    return bound(low)
