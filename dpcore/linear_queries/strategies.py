"""What receives the noise: the Gram matrix RᵀR of each strategy, and how large the error of each number is.

A strategy R has rows that are sums of cells, each published with noise of its own; a number w is then estimated by L
with LR = w. Where R has more than one such L, it is that of least squares, w R⁺, whose squared length is
w (RᵀR)⁻¹ wᵀ; but for the plain binary tree, which adds up the fewest nodes.
"""

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import toeplitz

from dpcore.checks import Array
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
    def dominating(self) -> Array:
        """The least matrix above |RᵀR| that does not grow when both places move on, or when they move apart."""
        n = self.gram.shape[0]
        place, gap = np.indices((n, n))
        inside = place + gap < n
        by_gap = np.zeros((n, n))
        by_gap[inside] = abs(self.gram)[place[inside], (place + gap)[inside]]
        largest = np.maximum.accumulate(np.maximum.accumulate(by_gap[::-1, ::-1], axis=0), axis=1)[::-1, ::-1]
        return largest[np.minimum(place, gap), abs(place - gap)]


def per_period(numbers: Workload) -> Strategy:
    """R = I: noise on each cell, and sums of noisy cells."""
    cells = np.eye(numbers.n)
    return Strategy(cells, np.ones(numbers.n), numbers.squares(cells))


def per_number(numbers: Workload) -> Strategy:
    """R = W: noise on each published number."""
    gram = numbers.gram()
    return Strategy(gram, gram.diagonal().copy(), np.ones(numbers.first.size))


def tree(numbers: Workload, branching: int, publication: str) -> Strategy:
    """R = the sums of whole subtrees of b children, and all cells if whole subtrees fill them; L by least squares.

    Published as it goes, a number's L has only the nodes that are complete when its last cell is ([H15]).
    """
    sizes = node_sizes(numbers.n, branching)
    gram = _tree_gram(numbers.n, sizes)
    if publication == "as_it_goes":
        return Strategy(gram, gram.diagonal().copy(), _complete_squares(numbers, sizes), is_tree=True)
    return Strategy(
        gram, gram.diagonal().copy(), numbers.squares(np.asarray(np.linalg.inv(gram), np.float64)), is_tree=True
    )


def binary_tree(numbers: Workload) -> Strategy:
    """R = the sums of whole subtrees of two children; L adds up the fewest nodes that make the number ([CSS11])."""
    sizes = node_sizes(numbers.n, 2)
    gram = _tree_gram(numbers.n, sizes)
    n_nodes = np.zeros(numbers.first.size)
    for size in sizes:
        n_nodes += _whole_nodes(numbers, size) * (1 if size == 1 else -1)  # two of one level become one of the next
    return Strategy(gram, gram.diagonal().copy(), n_nodes, is_tree=True)


def square_root(numbers: Workload, is_normalized: bool, n_bands: int | None = None) -> Strategy:
    """R = the Toeplitz square root of running totals, windows or years; columns scaled to norm 1 if `is_normalized`.

    With `n_bands`, only its first diagonals stay. Of other workloads it is the root of running totals.
    """
    _, inverse = _roots(numbers.name, numbers.n, numbers.window, n_bands or numbers.n)
    root = triangular_root(numbers, is_normalized, n_bands)
    weights = inverse / root.diagonal()[:, np.newaxis]  # that of the root before it is normalised is 1
    squares = _row_squares(numbers, weights)
    return Strategy(root.T @ root, abs(root).sum(axis=0), squares, is_nonnegative=bool(root.min() >= 0))


def triangular_root(numbers: Workload, is_normalized: bool, n_bands: int | None = None) -> Array:
    """Return R of `square_root`, lower-triangular."""
    root, _ = _roots(numbers.name, numbers.n, numbers.window, n_bands or numbers.n)
    return root / np.sqrt(np.einsum("ij,ij->j", root, root)) if is_normalized else root


def from_gram(numbers: Workload, gram: Array) -> Strategy:
    """R = the lower-triangular matrix of a positive definite Gram matrix RᵀR."""
    root = triangular(gram)
    squares = numbers.squares(np.asarray(np.linalg.inv(gram), np.float64))
    return Strategy(gram, abs(root).sum(axis=0), squares, is_nonnegative=bool(root.min() >= 0))


def triangular(gram: Array) -> Array:
    """Return the lower-triangular R of RᵀR."""
    return np.asarray(np.linalg.cholesky(gram[::-1, ::-1])[::-1, ::-1].T, np.float64)


def tree_nodes(n: int, branching: int) -> tuple[Array, NDArray[np.int64]]:
    """Return R of a tree, its nodes in the order of their ends, and these ends."""
    pairs = [(start + size, start) for size in node_sizes(n, branching) for start in range(0, n - size + 1, size)]
    end, begin = np.array(sorted(pairs)).T
    cell = np.arange(n)
    return ((cell >= begin[:, np.newaxis]) & (cell < end[:, np.newaxis])).astype(np.float64), end


def node_sizes(n: int, branching: int) -> list[int]:
    """Return the sizes 1, b, b², … of subtrees up to n, and n itself if whole subtrees fill all cells."""
    sizes = [1]
    while sizes[-1] * branching <= n:
        sizes.append(sizes[-1] * branching)
    return sizes if n % sizes[-1] or n == sizes[-1] else [*sizes, n]


def _same_node(n: int, size: int) -> Array:
    """Return for each two cells whether they are in one whole subtree of this size."""
    node = np.arange(n) // size
    return ((node[:, np.newaxis] == node) & (node < n // size)).astype(np.float64)


def _tree_gram(n: int, sizes: list[int]) -> Array:
    """Return RᵀR of a tree: in how many nodes each two cells are together."""
    gram = np.zeros((n, n))
    for size in sizes:
        gram += _same_node(n, size)
    return gram


def _complete_squares(numbers: Workload, sizes: list[int]) -> Array:
    """Return ‖L_i‖₂² by least squares over the nodes that are complete at the end of each number.

    Complete nodes fall into whole trees, largest first, and the parts of a number in each are estimated apart.
    """
    covariances, suffixes = {}, {}
    for size in sizes:
        covariance = np.linalg.inv(_tree_gram(size, [small for small in sizes if small <= size]))
        covariances[size] = covariance
        last = np.cumsum(np.cumsum(covariance[::-1, ::-1], axis=0), axis=1).diagonal()
        suffixes[size] = np.append(0.0, last)
    squares = np.zeros(numbers.first.size)
    for end in np.unique(numbers.end):
        rows, begin = np.flatnonzero(numbers.end == end), 0
        for size in reversed(sizes):
            while begin + size <= end:
                if numbers.own is None:
                    length = np.clip(begin + size - numbers.first[rows], 0, size)
                    squares[rows] += suffixes[size][length]
                else:
                    part = numbers.own[rows, begin : begin + size]
                    squares[rows] += np.einsum("ij,ij->i", part @ covariances[size], part)
                begin += size
    return squares


def _whole_nodes(numbers: Workload, size: int) -> Array:
    """Return how many whole subtrees of this size lie in each published number."""
    if numbers.own is None:
        return np.maximum(numbers.end // size + (-numbers.first) // size, 0).astype(np.float64)
    n_whole = numbers.n // size
    nodes = numbers.own[:, : n_whole * size].reshape(-1, n_whole, size)
    return nodes.all(axis=2).sum(axis=1).astype(np.float64)


def _row_squares(numbers: Workload, weights: Array) -> Array:
    """Return the squared lengths of the rows of W R⁻¹."""
    if numbers.own is not None:
        return ((numbers.own @ weights) ** 2).sum(axis=1)
    if numbers.name == "ranges":
        return numbers.squares(weights @ weights.T)
    total = np.vstack([np.zeros(numbers.n), np.cumsum(weights, axis=0)])
    return ((total[numbers.end] - total[numbers.first]) ** 2).sum(axis=1)


@lru_cache(32)
def _roots(name: str, n: int, window: int, n_bands: int) -> tuple[Array, Array]:
    """Return the root R of a workload and R⁻¹, lower-triangular.

    The power series of running totals is 1/(1 − z), of windows (1 − z^w)/(1 − z).
    """
    if name == "each":
        return np.eye(n), np.eye(n)
    steps = np.arange(1, n)
    root = np.cumprod(np.append(1.0, (2 * steps - 1) / (2 * steps)))  # binom(2i, i)/4^i
    inverse = np.cumprod(np.append(1.0, (2 * steps - 3) / (2 * steps)))
    if name == "window":
        wide_root, wide_inverse = np.zeros(n), np.zeros(n)
        n_wide = -(-n // window)
        wide_root[::window], wide_inverse[::window] = inverse[:n_wide], root[:n_wide]
        root, inverse = np.convolve(root, wide_root)[:n], np.convolve(inverse, wide_inverse)[:n]
    if n_bands < n:
        root[n_bands:] = 0
        inverse = _reciprocal(root, n_bands)
    matrices = [toeplitz(series, np.zeros(n)) for series in (root, inverse)]
    if name == "year_to_date":
        year = np.arange(n) // window
        matrices = [matrix * (year[:, np.newaxis] == year) for matrix in matrices]
    for matrix in matrices:
        matrix.flags.writeable = False
    return matrices[0], matrices[1]


def _reciprocal(series: Array, n_terms: int) -> Array:
    """Return 1 over a power series with first term 1 that has `n_terms` terms."""
    result = np.zeros(series.size)
    result[0] = 1.0
    for i in range(1, series.size):
        known = result[max(i - n_terms + 1, 0) : i]
        result[i] = -known @ series[known.size : 0 : -1]
    return result
