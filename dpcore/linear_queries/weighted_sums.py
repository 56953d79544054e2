"""The weights of the noise in published numbers, and the tail of weighted sums of Laplace noise.

It is that of the characteristic function, summed at equal steps (Gil-Pelaez): the tail of the sum wrapped around a
circle, which is so wide that next to nothing wraps. The function of Laplace noise is Π 1/(1 + (aⱼs)²). All numbers are
sought at once.
"""

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dpcore import gaussian, laplace
from dpcore.checks import Array
from dpcore.linear_queries.errors import noise_weights
from dpcore.linear_queries.strategies import Options
from dpcore.linear_queries.tallies import (
    Tallies,
    not_contained,
    rounded_and_falling,
    tallies_of_falling,
    tallies_of_ones,
    without_zeros,
)
from dpcore.linear_queries.trees import n_fewest_nodes
from dpcore.linear_queries.workloads import Workload, known_workload
from dpcore.roots import Rows, Step, root_by_steps

CLOSE, FIRST_STEP = 1e-12, 0.1
"""Relative, of a half-width: how close it is sought, and the first step from a guess."""
_WRAPPED = 1e-12
_NEAR, _NOISE = 1e-7, 1e-14  # relative, of the last step, whose error is its square; and of a tail by rounding
_MOST_MORE = 0.15  # of a guess
_FEW_TERMS, _MOST_TERMS = 128, 200_000
_ROWS_AT_ONCE, _FACTORS = 64, 8  # of products of characteristic functions, and how many are one polynomial
_FIRST_KINDS = 24  # of weights, whose logarithms are added up one by one in bounds
_LAPLACE_SHARES = 0.5, 0.7, 0.8, 0.9, 0.95  # of the s up to which a Laplace variable has moments
_BOUND_SHARES = np.geomspace(0.02, 0.98, 24)  # as these, in an upper bound
_SHARED = 64, 128, 256, 384, 512, 1000  # periods of series whose beginnings have the same noise
_IN_TIME = "each", "running_totals", "window", "cumulated_distribution"
_WITHOUT_END = "per_period", "binary_tree", "square_root", "banded"


def wider(numbers: Workload, strategy: str, options: Options) -> Workload:
    """Return a longer series that begins with these numbers, each with the same noise, so that shorter ones share it.

    Where there is none, return the series itself: where the noise of a number depends on n.

    Examples
    --------
    >>> from dpcore.linear_queries import workload
    >>> from dpcore.linear_queries.strategies import Options
    >>> wider(workload("running_totals", 70), "square_root", Options(2, 8, "once", "")).n
    128
    """
    is_tree = strategy == "tree" and options.branching == 2 and options.publication == "as_it_goes"
    if numbers.name not in _IN_TIME or not (is_tree or strategy in _WITHOUT_END):
        return numbers
    longer = next(n for n in _SHARED if n >= numbers.n)
    return known_workload(numbers.name, longer, numbers.window if numbers.window > 1 else None)


def shared_weights(numbers: Workload, strategy: str, options: Options) -> Array:
    """Return the `noise_weights` of the numbers from those of the `wider` series, so that they are computed once.

    Examples
    --------
    >>> from dpcore.linear_queries import workload
    >>> from dpcore.linear_queries.strategies import Options
    >>> shared_weights(workload("running_totals", 2), "per_period", Options(0, 0, "", "")).shape
    (2, 64)
    """
    return noise_weights(wider(numbers, strategy, options), strategy, options)[: numbers.first.size]


@dataclass(frozen=True, eq=False)
class AddedNoise:
    """The weights of the noise in the published numbers, each part computed once.

    Examples
    --------
    >>> from dpcore.linear_queries import workload
    >>> from dpcore.linear_queries.strategies import Options
    >>> rows, place = AddedNoise(workload("running_totals", 3), "binary_tree", Options(2, 1, "once", "")).tallies
    >>> rows.values.tolist(), rows.counts.tolist(), place.tolist()
    ([[1.0], [1.0]], [[1.0], [2.0]], [0, 0, 1])
    >>> largest = AddedNoise(workload("running_totals", 3), "per_period", Options(2, 1, "once", "")).largest
    >>> largest.values.tolist(), largest.counts.tolist()
    ([[1.0]], [[3.0]])
    """

    numbers: Workload
    strategy: str
    options: Options

    @cached_property
    def n_ones(self) -> Array | None:
        """How many sums of weight 1 are added up to each number, where no other weight occurs."""
        if self.strategy == "per_period":
            return self.numbers.sums(np.ones(self.numbers.n))
        if self.strategy == "binary_tree":
            return n_fewest_nodes(self.numbers)
        return np.ones(self.numbers.first.size) if self.strategy == "per_number" else None

    @cached_property
    def weights(self) -> tuple[Array, Rows]:
        """The weights, each kind of number once, and the kind of each number, where some are not 1.

        They are rounded up to 1e-12, but for what rounding has added; in each row the largest stands first.
        """
        if (shared := wider(self.numbers, self.strategy, self.options)).n > self.numbers.n:
            rows, place = added_noise(shared, self.strategy, self.options).weights
            place = place[: self.numbers.first.size]
            return without_zeros(rows[: place.max() + 1]), place
        weights = noise_weights(self.numbers, self.strategy, self.options)
        falling = rounded_and_falling(weights)
        kinds: dict[bytes, int] = {}
        place = np.array([kinds.setdefault(row.tobytes(), len(kinds)) for row in falling])
        first = np.zeros(len(kinds), np.int64)
        first[place[::-1]] = np.arange(place.size)[::-1]
        return falling[first], place

    @cached_property
    def tallies(self) -> tuple[Tallies, Rows]:
        """The tallies of the weights, and the kind of each number."""
        if self.n_ones is not None:
            counts, place = np.unique(self.n_ones, return_inverse=True)
            return tallies_of_ones(counts), place
        falling, place = self.weights
        return tallies_of_falling(falling), place

    @cached_property
    def largest(self) -> Tallies:
        """The tallies of the numbers of which no other one of a few contains the noise, as `not_contained`."""
        if self.n_ones is not None:
            return tallies_of_ones(self.n_ones.max(keepdims=True))
        return tallies_of_falling(not_contained(self.weights[0]))

    @cached_property
    def longest(self) -> Array:
        """The weights of the number with the largest variance, as a row of `weights`."""
        if self.n_ones is not None:
            return np.ones(int(self.n_ones.max()))
        weights = shared_weights(self.numbers, self.strategy, self.options)
        place = int(np.einsum("ij,ij->i", weights, weights).argmax())
        return rounded_and_falling(weights[[place]])[0]

    @cached_property
    def laplace(self) -> "LaplaceSums":
        """The `laplace_sums` of the tallies."""
        return laplace_sums(self.tallies[0])


added_noise = lru_cache(12)(AddedNoise)  # of up to 30 MB each


def largest_laplace_width(weights: Array, alpha: float) -> float:
    """Return the largest half-width of rows of weights of Laplace variables of scale 1, most of which are not sought.

    These have an upper bound, which depends on ‖a‖₂ and the largest weight alone, below the half-width of the longest.

    Examples
    --------
    >>> print(f"{largest_laplace_width(np.array([[1.0, 1.0], [0.1, 0.0]]), 0.05):.4f}")
    4.1130
    """
    squares, largest = np.einsum("ij,ij->i", weights, weights), abs(weights).max(axis=1)
    longest = [int(squares.argmax())]
    width = laplace_half_widths(tallies_of_falling(rounded_and_falling(weights[longest])), alpha)[0]
    rates = _BOUND_SHARES / largest[:, np.newaxis]
    growth = -np.log1p(-(_BOUND_SHARES**2)) / _BOUND_SHARES**2  # Chernoff: −ln(1 − y)/y rises with y
    bounds = (squares[:, np.newaxis] * rates * growth + np.log(2 / alpha) / rates).min(axis=1)
    rows = not_contained(rounded_and_falling(weights[bounds > width]))
    return float(laplace_half_widths(tallies_of_falling(rows), alpha).max())


def turns(angles: Array, n: int) -> NDArray[np.complex128]:
    """Return e^{ikθ} of each angle for k from 1 to n, by products: a sine takes twenty times as long.

    Examples
    --------
    >>> turns(np.array([np.pi / 2]), 3).imag.round(12).tolist()
    [[1.0, 0.0, -1.0]]
    """
    powers, known = np.empty((angles.size, n), np.complex128), 1
    powers[:, 0] = np.exp(1j * angles)
    while known < n:
        more = min(known, n - known)
        np.multiply(powers[:, :more], powers[:, known - 1 : known], out=powers[:, known : known + more])
        known += more
    return powers


class Waves(NamedTuple):
    """The characteristic functions of sums at equal steps, as far as their tails need them.

    Attributes
    ----------
    cut : what the terms that are left out add to the tail of each row at most, with what wraps around the circle.
    part, place : in which of `heights` a row is, and where.
    heights : rows × terms k = 1, 2, …: the functions at the steps over k, or as much in whole steps.
    """

    cut: Array
    part: Rows
    place: Rows
    heights: tuple[Array, ...]

    def tails(self, rows: Rows, share: Array) -> Array:
        """Return 1 − x − 2/π Σ heights sin(kπx) + cut of each of the rows, at the share x of half its circle."""
        found = 1 - share + self.cut[rows]
        for part, heights in enumerate(self.heights):
            own = np.flatnonzero(self.part[rows] == part)
            if own.size:
                sines = turns(np.pi * share[own], heights.shape[1]).imag
                found[own] -= 2 / np.pi * np.einsum("ij,ij->i", sines, heights[self.place[rows[own]]])
        return found

    def with_slopes(self, rows: Rows, share: Array) -> tuple[Array, Array]:
        """Return `tails`, and their derivatives after x."""
        found, slopes = 1 - share + self.cut[rows], np.full(rows.size, -1.0)
        for part, heights in enumerate(self.heights):
            own = np.flatnonzero(self.part[rows] == part)
            waves, high = turns(np.pi * share[own], heights.shape[1]), heights[self.place[rows[own]]]
            found[own] -= 2 / np.pi * np.einsum("ij,ij->i", waves.imag, high)
            slopes[own] -= 2 * np.einsum("ij,ij,j->i", waves.real, high, np.arange(1.0, heights.shape[1] + 1))
        return found, slopes


def waves_of(cut: Array, groups: list[tuple[Rows, Array]]) -> Waves:
    """Return the waves of groups of rows, each with its heights."""
    part, place = np.zeros((2, cut.size), np.int64)
    for number, (rows, _) in enumerate(groups):
        part[rows], place[rows] = number, np.arange(rows.size)
    return Waves(cut, part, place, tuple(heights for _, heights in groups))


class LaplaceSums(NamedTuple):
    """The waves of sums of more than two Laplace variables, and half the circle of each row."""

    far: Array
    waves: Waves


def laplace_half_widths(rows: Tallies, alpha: float, sums: LaplaceSums | None = None) -> Array:
    """Return the t of each row of weights with Pr(|Σ aⱼXⱼ| > t) = α of Laplace variables of scale 1, rounded up.

    The `laplace_sums` of the rows are computed unless they are given.

    Examples
    --------
    >>> from dpcore.linear_queries.tallies import tallies
    >>> laplace_half_widths(tallies([np.ones(1), np.ones(2)]), 0.05).round(4).tolist()
    [2.9957, 4.113]
    """
    far, waves = sums or laplace_sums(rows)
    largest, n = rows.values[:, 0], rows.counts.sum(axis=1)
    found = largest * float(laplace.half_width(alpha, 1.0))
    several = np.flatnonzero(n > 1)
    if not several.size:
        return found
    second = np.where(rows.counts > 1, rows.values, 0).max(axis=1)
    if rows.values.shape[1] > 1:
        second = np.maximum(second, rows.values[:, 1])
    ratio, is_pair = (second / largest)[several], n[several] <= 2

    def newton(tried: Array) -> Step[Array]:
        """Step along the tangent of ln Pr(|sum| > t), which is concave: steps end, and stay, where t is enough."""
        tails, slopes = np.empty((2, several.size))
        tails[is_pair], slopes[is_pair] = _tails_of_pairs(ratio[is_pair], tried[is_pair])
        others = several[~is_pair]
        tails[~is_pair], slopes[~is_pair] = waves.with_slopes(others, np.minimum(tried[~is_pair] / far[others], 1))
        slopes[~is_pair] /= far[others]
        excess = np.log(np.maximum(tails, _WRAPPED) / alpha)
        stepped = tried - excess * tails / slopes
        near = (excess <= 0) & (stepped <= tried) & (stepped >= tried * (1 - near_enough))
        return np.where(excess > 0, np.maximum(stepped, tried * (1 + near_enough)), stepped), near, excess > 0, stepped

    squares = (rows.counts * rows.values**2).sum(axis=1)[several]
    fourth = (rows.counts * rows.values**4).sum(axis=1)[several]
    normal = gaussian.half_width(alpha, 1.0)
    more = np.minimum((normal**2 - 3) / 8 * fourth / squares**2, _MOST_MORE)  # of a normal sum, by its kurtosis
    guess = np.minimum(normal * np.sqrt(2 * squares) / largest[several] * (1 + more), far[several] / 2)
    near_enough = _NEAR + _NOISE / alpha
    found[several] = (
        largest[several] * root_by_steps(newton, guess, np.zeros(guess.size), far[several]).state * (1 + CLOSE)
    )
    return found


def _tails_of_pairs(b: Array, t: Array) -> tuple[Array, Array]:
    """Return Pr(|X + bY| > t) = (e^{−t} − b² e^{−t/b})/(1 − b²), e^{−t}(1 + t/2) where b is 1, and its derivative."""
    x = t * (1 - b) / b
    share = np.where(x > 0, -np.expm1(-x) / np.maximum(x, 1e-300), 1) * t / (1 + b)
    return np.exp(-t) * (1 + b * share), -np.exp(-t) * (1 / (1 + b) + share)


@np.errstate(over="ignore")
def laplace_sums(rows: Tallies) -> LaplaceSums:
    """Return the waves of Π 1/(1 + (aⱼs)²) of the rows, each divided by its largest weight."""
    counts, values = rows.counts, rows.values / rows.values[:, :1]
    first, rest = values[:, :_FIRST_KINDS], slice(_FIRST_KINDS, None)
    ceiling = first[:, -1:] if values.shape[1] > _FIRST_KINDS else np.zeros((len(values), 1))
    square, size = (counts[:, rest] * values[:, rest] ** 2).sum(axis=1), counts[:, :_FIRST_KINDS]
    far = np.full(len(values), np.inf)
    for s in _LAPLACE_SHARES:  # −ln(1 − y)/y rises and ln(1 + y)/y falls: so the bounds of the rest
        y = (ceiling[:, 0] * s) ** 2
        bound = square * s * s * _over(np.log1p(-y), -y) - (size * np.log1p(-((first * s) ** 2))).sum(axis=1)
        far = np.minimum(far, (bound + np.log(2 / _WRAPPED)) / s)
    longest = _longest(values, counts)
    if longest.size:  # the same steps for all
        far = np.full(far.size, far.max(initial=0))
    cut, groups, n_terms = np.full(len(values), 2 * _WRAPPED), [], 16
    left = np.flatnonzero(counts.sum(axis=1) > 2)
    while left.size:
        end = np.pi / far[left] * n_terms
        y = (ceiling[left, 0] * end) ** 2
        vanished = (size[left] * np.log1p((first[left] * end[:, np.newaxis]) ** 2)).sum(axis=1)
        vanished += square[left] * end**2 * _over(np.log1p(y), y)
        is_last = n_terms * 2 > _MOST_TERMS
        ends = is_last | (vanished >= -np.log(_WRAPPED))
        group, left = left[ends], left[~ends]
        if group.size:
            steps = np.pi / far[group] * np.arange(1, n_terms + 1)[:, np.newaxis]
            if longest.size:
                n_weights = counts[group].sum(axis=1).astype(np.int64)
                parts = 1 + np.multiply.outer(longest[: n_weights.max()], steps[:, 0]) ** 2
                functions = 1 / np.cumprod(parts, axis=0)[n_weights - 1]
            else:
                functions = _laplace_functions(values[group], counts[group], steps.T)
            cut[group] += functions[:, -1]
            groups.append((group, functions / np.arange(1, n_terms + 1)))
        n_terms = n_terms + 16 if n_terms < _FEW_TERMS else 2 * n_terms
    return LaplaceSums(far, waves_of(cut, groups))


def _over(logarithm: Array, y: Array) -> Array:
    """Return ln(1 + y)/y, and 1 where y is 0."""
    return np.where(y != 0, logarithm / np.where(y != 0, y, 1), 1)


def _longest(values: Array, counts: Array) -> Array:
    """Return the weights of the row with the most of them if all others have the first of these, else none."""
    row = counts.sum(axis=1).argmax()
    is_there, is_full = counts > 0, counts == counts[row]
    is_last = is_there & ~np.pad(is_there[:, 1:], ((0, 0), (0, 1)))
    is_part = is_full | (is_last & (counts < counts[row]))
    if (((values == values[row]) & is_part) | ~is_there).all():
        return np.repeat(values[row], counts[row].astype(np.int64))
    return np.zeros(0)


def _laplace_functions(values: Array, counts: Array, steps: Array) -> Array:
    """Return Π 1/(1 + (aⱼs)²)^cⱼ of each row at its steps s: powers, and of weights that occur once polynomials.

    A polynomial is the product of a few of them. Its coefficients are positive, so that no digits are lost.
    """
    found = np.empty(steps.shape)
    for begin in range(0, len(values), _ROWS_AT_ONCE):
        part = slice(begin, begin + _ROWS_AT_ONCE)
        squares, often, at = values[part] ** 2, counts[part], steps[part] ** 2
        factors = 1 + _packed(squares, often > 1)[..., np.newaxis] * at[:, np.newaxis]
        factors **= _packed(often, often > 1)[..., np.newaxis]
        grouped = _packed(squares, often == 1, _FACTORS).reshape(len(at), -1, _FACTORS)
        polynomials, powers = np.zeros((_FACTORS + 1, *grouped.shape[:2])), np.ones((_FACTORS + 1, *at.shape))
        polynomials[0] = 1
        for degree in range(_FACTORS):
            np.multiply(powers[degree], at, out=powers[degree + 1])
            polynomials[1 : degree + 2] += grouped[..., degree] * polynomials[: degree + 1]
        products = np.multiply.reduce(polynomials.transpose(1, 2, 0) @ powers.transpose(1, 0, 2), axis=1)
        found[part] = 1 / (products * np.multiply.reduce(factors, axis=1))
    return found


def _packed(numbers: Array, is_there: NDArray[np.bool_], multiple: int = 1) -> Array:
    """Return the chosen numbers of each row, with zeros behind them, in a multiple of so many columns."""
    n_there = is_there.sum(axis=1)
    packed = np.zeros((len(numbers), -(-int(n_there.max()) // multiple) * multiple))
    packed[np.arange(packed.shape[1]) < n_there[:, np.newaxis]] = numbers[is_there]
    return packed
