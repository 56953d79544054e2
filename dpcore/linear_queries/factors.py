"""R and L themselves, for draws and for Laplace noise; rows of R in the order in which they are complete."""

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import solve_triangular

from dpcore.checks import Array, refuse
from dpcore.linear_queries.optimum import optimum
from dpcore.linear_queries.strategies import tree_nodes, triangular, triangular_root
from dpcore.linear_queries.workloads import Workload

_ENTRIES_RANGE = "[1, 4e6]"


def factors(
    numbers: Workload, name: str, branching: int, bands: int, publication: str, aim: str
) -> tuple[Array, Array]:
    """Return R, noisy sums × n, and L, published numbers × noisy sums, with LR = W.

    A sum is no later than the next one, and "as_it_goes" L has no sum that ends after its number.
    """
    entries = np.array(numbers.first.size * float(numbers.n) * 2)
    refuse("twice the number of published numbers times n", entries, entries > 4e6, _ENTRIES_RANGE)
    w = numbers.matrix()
    if name == "per_period":
        return np.eye(numbers.n), w
    if name == "per_number":
        order = np.argsort(numbers.end, kind="stable")
        return w[order], np.eye(len(w))[:, order]
    if name in ("tree", "binary_tree"):
        nodes, last = tree_nodes(numbers.n, branching if name == "tree" else 2)
        return nodes, _fewest(w, nodes) if name == "binary_tree" else _least_squares(
            numbers, w, nodes, last, publication
        )
    if name == "optimum":
        r = triangular(optimum(numbers, aim).gram)
    else:
        r = triangular_root(numbers, name == "normalized_square_root", bands if name == "banded" else None)
    return r, solve_triangular(r.T, w.T, lower=False).T


def _fewest(w: Array, nodes: Array) -> Array:
    """Return the fewest nodes that make each number: the largest that lie in it, largest first."""
    weights, left = np.zeros((len(w), len(nodes))), w.copy()
    for node in np.argsort(-nodes.sum(axis=1), kind="stable"):
        inside = left @ nodes[node] >= nodes[node].sum()
        weights[inside, node] = 1
        left[inside] -= nodes[node]
    return weights


def _least_squares(numbers: Workload, w: Array, nodes: Array, last: NDArray[np.int64], publication: str) -> Array:
    """Return W R⁺, or for each number that of the nodes that are complete with it."""
    if publication == "once":
        return w @ np.linalg.solve(nodes.T @ nodes, nodes.T)
    weights = np.zeros((len(w), len(nodes)))
    for end in np.unique(numbers.end):
        known, rows = last <= end, numbers.end == end
        part = nodes[known][:, :end]
        weights[np.ix_(rows, known)] = w[rows, :end] @ np.linalg.solve(part.T @ part, part.T)
    return weights
