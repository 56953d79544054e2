"""R and L themselves, for draws and for Laplace noise; rows of R in the order in which they are complete."""

from collections.abc import Callable

import numpy as np
from scipy.linalg import solve_triangular

from dpcore.checks import Array, refuse
from dpcore.linear_queries.optimum import optimum
from dpcore.linear_queries.strategies import triangular
from dpcore.linear_queries.toeplitz import root_of
from dpcore.linear_queries.trees import fewest_nodes, nodes, tree_weights
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
        first, end = nodes(numbers.n, branching if name == "tree" else 2)
        cell = np.arange(numbers.n)
        sums = ((cell >= first[:, np.newaxis]) & (cell < end[:, np.newaxis])).astype(np.float64)
        return sums, fewest_nodes(numbers) if name == "binary_tree" else tree_weights(numbers, branching, publication)
    if name == "optimum":
        r = triangular(optimum(numbers, aim).gram)
        return r, solve_triangular(r.T, w.T, lower=False).T
    root, is_normalized = root_of(numbers, bands if name == "banded" else numbers.n), name == "normalized_square_root"
    return root.matrix(is_normalized), root.weights(numbers, is_normalized)


def added(numbers: Workload, name: str, options: tuple[int, int, str, str], noise: Callable[[int], Array]) -> Array:
    """Return L times the noise that is drawn for so many sums: what is added to each published number."""
    if name == "per_period":
        return numbers.sums(noise(numbers.n))
    if name in ("square_root", "normalized_square_root", "banded"):
        root = root_of(numbers, options[1] if name == "banded" else numbers.n)
        return numbers.sums(root.cells(noise(numbers.n), name == "normalized_square_root"))
    _, weights = factors(numbers, name, *options)
    return weights @ noise(weights.shape[1])
