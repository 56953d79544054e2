"""Trees of noisy sums: their nodes, and the estimates by least squares over whole trees, in closed form.

The nodes that are complete at any place fall into whole trees, largest first, and the parts of a number in each of them
are estimated apart. A noisy total of a tree that has the covariances c with the estimates of its cells from the trees
below, and the variance v of their sum, takes ccᵀ/(1 + v) off their covariance matrix.
"""

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from dpcore.checks import Array
from dpcore.linear_queries.workloads import Workload


def node_sizes(n: int, branching: int) -> list[int]:
    """Return the sizes 1, b, b², … of subtrees up to n, and n itself if whole subtrees fill all cells."""
    sizes = [1]
    while sizes[-1] * branching <= n:
        sizes.append(sizes[-1] * branching)
    return sizes if n % sizes[-1] or n == sizes[-1] else [*sizes, n]


def nodes(n: int, branching: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the first cell of each node, and the cell after its last one, in the order of the latter."""
    pairs = [(start + size, start) for size in node_sizes(n, branching) for start in range(0, n - size + 1, size)]
    end, first = np.array(sorted(pairs)).T
    return first, end


def tree_gram(n: int, branching: int) -> Array:
    """Return RᵀR of a tree: in how many nodes each two cells are together."""
    gram = np.zeros((n, n))
    rows, columns = gram.strides
    for size in node_sizes(n, branching):
        together = np.lib.stride_tricks.as_strided(
            gram, (n // size, size, size), (size * (rows + columns), rows, columns)
        )
        together += 1
    return gram


def tree_weights(numbers: Workload, branching: int, publication: str) -> Array:
    """Return L by least squares over all nodes, or over those that are complete at the end of each number."""
    first, end = nodes(numbers.n, branching)
    covariances = np.zeros((numbers.n + 1, numbers.first.size))
    np.cumsum(estimates(numbers, branching, publication), axis=0, out=covariances[1:])
    weights = covariances[end] - covariances[first]
    if publication == "as_it_goes":
        weights *= end[:, np.newaxis] <= numbers.end
    return weights.T


def estimates(numbers: Workload, branching: int, publication: str) -> Array:
    """Return C Wᵀ: the covariances of the estimates of the cells with that of each number."""
    sizes, result = node_sizes(numbers.n, branching), np.zeros((numbers.n, numbers.first.size))
    covariances = _tree_covariances(sizes)
    end = numbers.end if publication == "as_it_goes" else np.full(numbers.first.size, numbers.n)
    begin = np.zeros(numbers.first.size, np.int64)
    for size in reversed(sizes):
        upwards = np.pad(np.cumsum(covariances[size], axis=1), ((0, 0), (1, 0)))
        while (rows := np.flatnonzero(begin + size <= end)).size:
            at = begin[rows]
            if numbers.own is None:
                low, high = (np.clip(part[rows] - at, 0, size) for part in (numbers.first, numbers.end))
                found = upwards[:, high] - upwards[:, low]
            else:
                own = numbers.own[rows[:, np.newaxis], at[:, np.newaxis] + np.arange(size)]
                found = covariances[size] @ own.T
            result[at + np.arange(size)[:, np.newaxis], rows] = found
            begin[rows] += size
    return result


def tree_squares(numbers: Workload, branching: int, publication: str) -> Array:
    """Return ‖L_i‖₂² of each number by least squares."""
    sizes = node_sizes(numbers.n, branching)
    if publication == "once":
        return numbers.squares(_covariance(numbers.n, sizes))
    if numbers.own is not None:
        return np.einsum("ij,ji->i", numbers.own, estimates(numbers, branching, publication))
    suffixes = _suffix_variances(sizes)
    squares, begin = np.zeros(numbers.first.size), np.zeros(numbers.first.size, np.int64)
    for size in reversed(sizes):
        while (rows := np.flatnonzero(begin + size <= numbers.end)).size:
            squares[rows] += suffixes[size][np.clip(begin[rows] + size - numbers.first[rows], 0, size)]
            begin[rows] += size
    return squares


def fewest_nodes(numbers: Workload) -> Array:
    """Return L of the plain binary tree: the largest nodes that lie in each number."""
    first, end = nodes(numbers.n, 2)
    size = end - first
    if numbers.own is None:
        is_inside = (first >= numbers.first[:, np.newaxis]) & (end <= numbers.end[:, np.newaxis])
    else:
        n_cells = np.pad(np.cumsum(numbers.own, axis=1), ((0, 0), (1, 0)))
        is_inside = n_cells[:, end] - n_cells[:, first] == size
    place = {node: index for index, node in enumerate(zip(first.tolist(), size.tolist(), strict=True))}
    above = [place.get((start // (2 * width) * 2 * width, 2 * width)) for start, width in place]
    has_above = np.array([parent is not None for parent in above])
    is_covered = np.zeros_like(is_inside)
    is_covered[:, has_above] = is_inside[:, [parent for parent in above if parent is not None]]
    return (is_inside & ~is_covered).astype(np.float64)


def n_fewest_nodes(numbers: Workload) -> Array:
    """Return how many nodes `fewest_nodes` has for each number: two of one level become one of the next."""
    n_nodes = np.zeros(numbers.first.size)
    for size in node_sizes(numbers.n, 2):
        n_nodes += _whole_nodes(numbers, size) * (1 if size == 1 else -1)
    return n_nodes


def _suffix_variances(sizes: list[int]) -> dict[int, Array]:
    """Return, for a whole tree of each size, the variance of the estimated sum of its last 0, 1, 2, … cells."""
    variances, covariance = {1: np.array([0.0, 1.0])}, np.array([0.0, 1.0])
    for before, size in pairwise(sizes):
        n_whole, rest = np.divmod(np.arange(size + 1), before)
        total, reduced = covariance[-1], 1 + size // before * covariance[-1]
        with_total = n_whole * total + covariance[rest]
        variances[size] = n_whole * total + variances[before][rest] - with_total**2 / reduced
        covariance = with_total / reduced
    return variances


def _tree_covariances(sizes: list[int]) -> dict[int, Array]:
    """Return, for a whole tree of each size, the covariance of the estimates of its cells."""
    covariances = {1: np.ones((1, 1))}
    for before, size in pairwise(sizes):
        apart = np.kron(np.eye(size // before), covariances[before])
        with_total = apart.sum(axis=1)
        covariances[size] = apart - np.outer(with_total, with_total) / (1 + with_total.sum())
    return covariances


def _covariance(n: int, sizes: list[int]) -> Array:
    """Return (RᵀR)⁻¹ of a tree."""
    covariances, result, begin = _tree_covariances(sizes), np.zeros((n, n)), 0
    for size in reversed(sizes):
        while begin + size <= n:
            result[begin : begin + size, begin : begin + size] = covariances[size]
            begin += size
    return result


def _whole_nodes(numbers: Workload, size: int) -> Array:
    """Return how many whole subtrees of this size lie in each published number."""
    if numbers.own is None:
        return np.maximum(numbers.end // size + (-numbers.first) // size, 0).astype(np.float64)
    n_whole = numbers.n // size
    whole = numbers.own[:, : n_whole * size].reshape(-1, n_whole, size)
    return whole.all(axis=2).sum(axis=1).astype(np.float64)
