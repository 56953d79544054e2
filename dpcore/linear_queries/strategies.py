"""What receives the noise: the Gram matrix RᵀR of each strategy, the error of each number, and what one person moves.

A strategy R has rows that are sums of cells, each published with noise of its own; a number w is then estimated by L
with LR = w. Where R has more than one such L, it is that of least squares, w R⁺, whose squared length is
w (RᵀR)⁻¹ wᵀ; but for the plain binary tree, which adds up the fewest nodes.

Roots of running totals, windows and years are lower-triangular Toeplitz matrices, with products by sums along lags.

A person x adds at most c to each of at most k cells, and N in all. ‖Rx‖ is convex, so that it is largest where x is c
in all of its cells but one. Added or removed, x itself is the change; replaced, the change is x − y of two persons.

The bounds hold for every strategy. Let D be the least matrix with D ≥ |RᵀR| that does not grow when both places move on
or when they move apart: then |x|ᵀ RᵀR |x| is at most that of D and a person in the first cells. Where D is RᵀR in the
first k places (Toeplitz matrices with falling coefficients; R = I), the bound is reached. Trees are convex in the sums
of each level, and first cells fill whole subtrees of every size at once, so there it is reached too.
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import toeplitz

from dpcore.checks import Array
from dpcore.linear_queries.trees import n_fewest_nodes, tree_gram, tree_squares
from dpcore.linear_queries.workloads import Workload
from dpcore.rounding import round_up

ROOTS = ("square_root", "normalized_square_root", "banded")


@dataclass(frozen=True, eq=False)
class Root:
    """R = a lower-triangular Toeplitz matrix in each year; normalised, its columns are divided by their lengths.

    Attributes
    ----------
    n : the number of periods.
    series, inverse : the first column of R and of R⁻¹, of one year, before it is normalised.
    """

    n: int
    series: Array
    inverse: Array
    is_normalized: bool

    @cached_property
    def lengths(self) -> Array:
        """‖R_j‖₂ of each column."""
        return np.sqrt(np.cumsum(self.series**2))[self._left]

    def gram(self) -> Array:
        """RᵀR: of the places j and j + g of a year, Σ rₘ rₘ₊g over the m that are left of the year after j + g."""
        size = self.series.size
        later = np.lib.stride_tricks.sliding_window_view(np.append(self.series, np.zeros(size - 1)), size)
        by_lag = np.cumsum(self.series[:, np.newaxis] * later, axis=0)[::-1, ::-1].ravel()
        lower = np.zeros((size, size))  # row j ends at its place j, with a lag of 0
        lower[:, : size - 1] = by_lag[size - 1 : size * size - 1].reshape(size, -1)
        lower[-1, -1] = by_lag[-1]
        lower = np.tril(lower)
        gram = self._in_years(lower + np.tril(lower, -1).T)
        return gram / self.lengths / self.lengths[:, np.newaxis] if self.is_normalized else gram

    def column_sums(self) -> Array:
        """‖R_j‖₁ of each column."""
        sums = np.cumsum(abs(self.series))[self._left]
        return sums / self.lengths if self.is_normalized else sums

    def weights(self, numbers: Workload) -> Array:
        """L = WR⁻¹."""
        inverse = self._inverse()
        if numbers.own is not None:
            return numbers.own @ inverse
        total = np.vstack([np.zeros(self.n), np.cumsum(inverse, axis=0)])
        return total[numbers.end] - total[numbers.first]

    def squares(self, numbers: Workload) -> Array:
        """‖L_i‖₂² of each published number; where W and R are Toeplitz matrices in each year, L is one too."""
        if numbers.name == "ranges":
            inverse = self._inverse()
            return numbers.squares(inverse @ inverse.T)
        if self.is_normalized or numbers.own is not None:
            return (self.weights(numbers) ** 2).sum(axis=1)
        year = self.series.size
        column = np.arange(year) < (numbers.end - numbers.first).max()
        return np.cumsum(np.convolve(column, self.inverse)[:year] ** 2)[np.arange(self.n) % year]

    def cells(self, noise: Array) -> Array:
        """R⁻¹ times the noise of the sums: what it adds to each cell."""
        year = self.series.size
        parts = [noise[first : first + year] for first in range(0, self.n, year)]
        added = np.concatenate([np.convolve(self.inverse, part)[: part.size] for part in parts])
        return added * self.lengths if self.is_normalized else added

    def _inverse(self) -> Array:
        """Return R⁻¹."""
        inverse = self._in_years(toeplitz(self.inverse, np.zeros(self.inverse.size)))
        return inverse * self.lengths[:, np.newaxis] if self.is_normalized else inverse

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


def root_of(numbers: Workload, strategy: str, n_bands: int) -> Root:
    """Return the root of running totals, windows or years, of other sums that of running totals.

    The power series of running totals is 1/(1 − z), of windows (1 − z^w)/(1 − z). "banded" has its first diagonals.
    """
    name, n, window = numbers.name, numbers.n, numbers.window
    is_normalized, n_bands = strategy == "normalized_square_root", n_bands if strategy == "banded" else n
    if name == "each":
        return Root(n, np.eye(1, n)[0], np.eye(1, n)[0], is_normalized)
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
    return Root(n, series, inverse, is_normalized)


def _reciprocal(series: Array, n_terms: int) -> Array:
    """Return 1 over a power series with first term 1 that has `n_terms` terms."""
    result = np.zeros(series.size)
    result[0] = 1.0
    for i in range(1, series.size):
        known = result[max(i - n_terms + 1, 0) : i]
        result[i] = -known @ series[known.size : 0 : -1]
    return result


@dataclass(frozen=True, eq=False)
class Strategy:
    """A strategy with the answers to a workload.

    Attributes
    ----------
    gram : RᵀR, n × n: inner products of its columns.
    column_sums : ‖R_j‖₁ of each column.
    squares : ‖L_i‖₂² of each published number.
    is_tree : whether the rows are the whole subtrees of a tree.
    is_nonnegative : whether R ≥ 0.
    """

    gram: Array
    column_sums: Array
    squares: Array
    is_tree: bool = False
    is_nonnegative: bool = True

    @cached_property
    def is_diagonal(self) -> bool:
        """Whether no row has two cells."""
        return np.count_nonzero(self.gram) == np.count_nonzero(self.gram.diagonal())

    @cached_property
    def is_whole(self) -> bool:
        """Whether RᵀR and the sums of columns are whole numbers, as those of R with zeros and ones are."""
        return bool((self.column_sums % 1 == 0).all() and (self.gram == np.rint(self.gram)).all())

    @cached_property
    def is_falling(self) -> bool:
        """Whether RᵀR ≥ 0 does not grow when both places move on, or when they move apart."""
        gram, n = self.gram, self.gram.shape[0]
        is_apart = np.arange(n - 1) >= np.arange(n)[:, np.newaxis]
        moves_on, moves_apart = gram[1:, 1:] <= gram[:-1, :-1], (gram[:, 1:] <= gram[:, :-1]) | ~is_apart
        return bool(gram.min() >= 0 and moves_on.all() and moves_apart.all())

    @cached_property
    def dominating(self) -> Array:
        """The least matrix above |RᵀR| that is falling."""
        return self.gram if self.is_falling else _least_falling(abs(self.gram))

    @cached_property
    def falling_rows(self) -> Array:
        """|RᵀR| with each row sorted, the largest first."""
        return -np.sort(-abs(self.gram), axis=1)

    @cached_property
    def corner_sums(self) -> Array:
        """Σ of RᵀR over its first i rows and first j columns, at i, j from 0 to n."""
        return np.pad(np.cumsum(np.cumsum(self.gram, axis=0), axis=1), ((1, 0), (1, 0)))

    @cached_property
    def first_sums(self) -> Array:
        """Σ of the first k rows and columns of RᵀR of a tree, else of `dominating`, for k from 1 to n."""
        inner = self.gram if self.is_tree else self.dominating
        return np.cumsum(2 * np.triu(inner, 1).sum(axis=0) + inner.diagonal())


def _least_falling(gram: Array) -> Array:
    """Return the least matrix above one that does not grow when both places move on, or when they move apart."""
    n = gram.shape[0]
    by_place = np.append(np.triu(gram), np.zeros(n))
    by_gap = by_place.reshape(n, n + 1)[::-1, n - 1 :: -1].copy()  # row i began at its place i; now last to first
    np.maximum.accumulate(by_gap, axis=0, out=by_gap)
    np.maximum.accumulate(by_gap, axis=1, out=by_gap)
    by_place.reshape(n, n + 1)[:, :n] = by_gap[::-1, ::-1]
    upper = np.triu(by_place[: n * n].reshape(n, n))
    return upper + np.triu(upper, 1).T


class Options(NamedTuple):
    """What some strategies have: b of trees, the diagonals of "banded", when numbers appear, and the optimum's aim."""

    branching: int
    bands: int
    publication: str
    aim: str


CLOSED_FORMS = ("per_period", "per_number", "tree", "binary_tree", *ROOTS)


def closed_form(numbers: Workload, name: str, options: Options) -> Strategy:
    """Return one of `CLOSED_FORMS`.

    "per_period" is R = I; "per_number" is R = W; "tree" has the sums of whole subtrees of b children, and all cells if
    whole subtrees fill them, and L by least squares, published as it goes of the nodes that are complete when the last
    cell of a number is ([H15]); "binary_tree" adds up the fewest nodes of two children ([CSS11]); the others are the
    Toeplitz square root of running totals, windows or years, of other workloads that of running totals.
    """
    if name in ROOTS:
        root = root_of(numbers, name, options.bands)
        is_nonnegative = bool(root.series.min() >= 0)
        return Strategy(root.gram(), root.column_sums(), root.squares(numbers), is_nonnegative=is_nonnegative)
    if name == "per_period":
        gram, squares = np.eye(numbers.n), numbers.sums(np.ones(numbers.n))
    elif name == "per_number":
        gram, squares = numbers.gram(), np.ones(numbers.first.size)
    elif name == "binary_tree":
        gram, squares = tree_gram(numbers.n, 2), n_fewest_nodes(numbers)
    else:
        gram = tree_gram(numbers.n, options.branching)
        squares = tree_squares(numbers, options.branching, options.publication)
    return Strategy(gram, gram.diagonal().copy(), squares, is_tree=name in ("tree", "binary_tree"))


def from_gram(numbers: Workload, gram: Array) -> Strategy:
    """R = the lower-triangular matrix of a positive definite Gram matrix RᵀR."""
    root = triangular(gram)
    squares = numbers.squares(np.asarray(np.linalg.inv(gram), np.float64))
    return Strategy(gram, abs(root).sum(axis=0), squares, is_nonnegative=bool(root.min() >= 0))


def triangular(gram: Array) -> Array:
    """Return the lower-triangular R of RᵀR."""
    return np.asarray(np.linalg.cholesky(gram[::-1, ::-1])[::-1, ::-1].T, np.float64)


_MOST_WHOLE = 2.0**25  # of a size, whose square is exact as a double
_REACHED = 1 - 1e-9  # as far below a bound as rounding may put the value that reaches it


class Persons(NamedTuple):
    """Who is protected: a person in at most k cells (`contributions`), with at most c in each, and N in all."""

    contributions: int
    per_cell: float
    total: float
    neighbours: str


class Change(NamedTuple):
    """The largest change of a strategy's sums: its size, and whether a person reaches it; else it is an upper bound."""

    size: float
    is_exact: bool


def largest_change(strategy: Strategy, persons: Persons, norm: int) -> Change:
    """Return max ‖Rx‖ over all changes by one person, in ℓ₁ or ℓ₂ norm, or an upper bound where it is not known."""
    bound, reached = (_l1 if norm == 1 else _l2)(strategy, persons)
    n, amounts = strategy.gram.shape[0], (persons.per_cell, persons.total)
    rounding = 2.0 * n * (1 if strategy.is_nonnegative else n)
    if strategy.is_whole and bound < _MOST_WHOLE and all(amount % 1 == 0 for amount in amounts if amount < np.inf):
        rounding = 4.0  # sums of whole numbers are exact, and so are their squares
    return Change(round_up(bound, rounding), reached >= bound * _REACHED)


def _amounts(persons: Persons, n: int, n_persons: int = 1) -> Array:
    """Return c, c, …, and what remains of N, the largest first: of one person, or of two who share no cell."""
    amounts = persons.total - persons.per_cell * np.arange(min(persons.contributions, n))
    amounts = np.minimum(amounts, persons.per_cell)
    return np.repeat(amounts[amounts > 0], n_persons)[:n]


def _l1(strategy: Strategy, persons: Persons) -> tuple[float, float]:
    """Return Σ |x_j| ‖R_j‖₁ of the longest columns, and the same if nothing cancels in it.

    Of zeros and ones, two columns differ in as many places as they have ones, less those in common twice.
    """
    n_persons, sums = 1 if persons.neighbours == "add_remove" else 2, strategy.column_sums
    alone = _amounts(persons, sums.size)
    if n_persons == 2 and alone.size == 1 and strategy.is_whole and (strategy.gram.diagonal() == sums).all():
        moved = float(alone[0] * max((sums[:, np.newaxis] + sums - 2 * strategy.gram).max(), sums.max()))
        return moved, moved
    amounts = _amounts(persons, strategy.column_sums.size, n_persons)
    bound = float(np.sort(strategy.column_sums)[::-1][: amounts.size] @ amounts)
    adds_up = strategy.is_diagonal or (n_persons == 1 and (strategy.is_nonnegative or amounts.size == 1))
    return bound, bound if adds_up else 0.0


def _l2(strategy: Strategy, persons: Persons) -> tuple[float, float]:
    """Return an upper bound of ‖Rx‖₂, and the largest of the changes that are tried."""
    gram, amounts = strategy.gram, _amounts(persons, strategy.gram.shape[0])
    reached = _reached(strategy, amounts)
    bound = _bound(strategy, amounts, reached)
    reached = bound if amounts.size == 1 else reached
    if persons.neighbours == "add_remove":
        return bound, reached
    if amounts.size == 1:
        size = gram.diagonal()
        squares = np.maximum(size[:, np.newaxis] + size - 2 * gram, size)
        moved = float(amounts[0] * np.sqrt(squares.max()))
        return moved, moved
    apart = np.sqrt(2.0) if gram.min() >= 0 else 2.0  # ‖R(x − y)‖² ≤ ‖Rx‖² + ‖Ry‖² if (Rx)ᵀRy ≥ 0
    change = np.zeros(gram.shape[0])
    change[: amounts.size] = amounts
    change[gram.shape[0] - amounts.size :] -= amounts[::-1]
    moved = float(np.sqrt(max(change @ gram @ change, 0.0)))
    both = _bound(strategy, _amounts(persons, gram.shape[0], 2), moved)
    return min(bound * apart, both), max(reached, moved)


def _bound(strategy: Strategy, amounts: Array, reached: float) -> float:
    """Return an upper bound of ‖Rx‖₂ over all x of these amounts, whichever their cells and signs.

    No better bound is sought than one that is `reached`.
    """
    k, by_order = amounts.size, _by_order(strategy, amounts)
    if k == 1 or strategy.is_tree or reached >= by_order * _REACHED:
        return by_order
    longest = np.sort(strategy.falling_rows[:, :k] @ amounts)[: -k - 1 : -1]
    return min(by_order, float(np.sqrt(longest @ amounts)))


def _by_order(strategy: Strategy, amounts: Array) -> float:
    """Return ‖Rx‖₂ of a person in the first cells of a tree, or of the matrix that dominates RᵀR."""
    k, rest = amounts.size, amounts[0] - amounts[-1]  # the cell with the remainder may be any of them
    if k == 1:
        return float(amounts[0] * np.sqrt(strategy.gram.diagonal().max()))
    if strategy.is_tree:
        return _of_first(strategy, amounts)
    square = amounts[0] ** 2 * float(strategy.first_sums[k - 1])
    if rest:
        first = strategy.dominating[:k, :k]
        square += float((rest**2 * first.diagonal() - 2 * amounts[0] * rest * first.sum(axis=1)).max())
    return float(np.sqrt(square))


def _reached(strategy: Strategy, amounts: Array) -> float:
    """Return the largest ‖Rx‖₂ of persons in neighbouring cells at the start, in the middle and at the end.

    No larger one is sought than one that reaches the bound.
    """
    gram, n, k = strategy.gram, strategy.gram.shape[0], amounts.size
    if amounts[0] == amounts[-1] and (strategy.is_tree or strategy.is_falling):
        return _of_first(strategy, amounts)
    starts = np.array([0, (n - k) // 2, n - k])
    if amounts[0] == amounts[-1]:
        sums, ends = strategy.corner_sums, starts + k
        squares = sums[ends, ends] + sums[starts, starts] - 2 * sums[starts, ends]
        return float(amounts[0] * np.sqrt(max(squares.max(), 0.0)))
    largest, bound = 0.0, _by_order(strategy, amounts)
    for first, x in product(starts, (amounts, amounts[::-1])):
        largest = max(largest, float(np.sqrt(x @ gram[first : first + k, first : first + k] @ x)))
        if largest >= bound * _REACHED:
            break
    return largest


def _of_first(strategy: Strategy, amounts: Array) -> float:
    """Return ‖Rx‖₂ of a person in the first cells, of a tree or where RᵀR is falling."""
    k = amounts.size
    if amounts[0] == amounts[-1]:
        return float(amounts[0] * np.sqrt(strategy.first_sums[k - 1]))
    return float(np.sqrt(amounts @ strategy.gram[:k, :k] @ amounts))
