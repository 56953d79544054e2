"""What receives the noise: the Gram matrix RᵀR of each strategy, and how large the error of each number is.

A strategy R has rows that are sums of cells, each published with noise of its own; a number w is then estimated by L
with LR = w. Where R has more than one such L, it is that of least squares, w R⁺, whose squared length is
w (RᵀR)⁻¹ wᵀ; but for the plain binary tree, which adds up the fewest nodes.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from dpcore.checks import Array
from dpcore.linear_queries.toeplitz import root_of
from dpcore.linear_queries.trees import n_fewest_nodes, tree_gram, tree_squares
from dpcore.linear_queries.workloads import Workload


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
        return np.count_nonzero(self.gram) == self.gram.shape[0]

    @cached_property
    def is_whole(self) -> bool:
        """Whether RᵀR and the sums of columns are whole numbers, as those of R with zeros and ones are."""
        return bool((self.gram % 1 == 0).all() and (self.column_sums % 1 == 0).all())

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


def per_period(numbers: Workload) -> Strategy:
    """R = I: noise on each cell, and sums of noisy cells."""
    ones = np.ones(numbers.n)
    return Strategy(np.diag(ones), ones, numbers.sums(ones))


def per_number(numbers: Workload) -> Strategy:
    """R = W: noise on each published number."""
    gram = numbers.gram()
    return Strategy(gram, gram.diagonal().copy(), np.ones(numbers.first.size))


def tree(numbers: Workload, branching: int, publication: str) -> Strategy:
    """R = the sums of whole subtrees of b children, and all cells if whole subtrees fill them; L by least squares.

    Published as it goes, a number's L has only the nodes that are complete when its last cell is ([H15]).
    """
    gram = tree_gram(numbers.n, branching)
    return Strategy(gram, gram.diagonal().copy(), tree_squares(numbers, branching, publication), is_tree=True)


def binary_tree(numbers: Workload) -> Strategy:
    """R = the sums of whole subtrees of two children; L adds up the fewest nodes that make the number ([CSS11])."""
    gram = tree_gram(numbers.n, 2)
    return Strategy(gram, gram.diagonal().copy(), n_fewest_nodes(numbers), is_tree=True)


def square_root(numbers: Workload, is_normalized: bool, n_bands: int | None = None) -> Strategy:
    """R = the Toeplitz square root of running totals, windows or years; columns scaled to norm 1 if `is_normalized`.

    With `n_bands`, only its first diagonals stay. Of other workloads it is the root of running totals.
    """
    root = root_of(numbers, n_bands or numbers.n)
    squares, is_nonnegative = root.squares(numbers, is_normalized), bool(root.series.min() >= 0)
    return Strategy(root.gram(is_normalized), root.column_sums(is_normalized), squares, is_nonnegative=is_nonnegative)


def from_gram(numbers: Workload, gram: Array) -> Strategy:
    """R = the lower-triangular matrix of a positive definite Gram matrix RᵀR."""
    root = triangular(gram)
    squares = numbers.squares(np.asarray(np.linalg.inv(gram), np.float64))
    return Strategy(gram, abs(root).sum(axis=0), squares, is_nonnegative=bool(root.min() >= 0))


def triangular(gram: Array) -> Array:
    """Return the lower-triangular R of RᵀR."""
    return np.asarray(np.linalg.cholesky(gram[::-1, ::-1])[::-1, ::-1].T, np.float64)
