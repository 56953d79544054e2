"""R and L of a strategy of `dpcore.linear_queries` as matrices, for tests on the definition LR = W."""

import numpy as np

from dpcore.linear_queries.errors import noise_weights
from dpcore.linear_queries.optimum import optimum
from dpcore.linear_queries.strategies import Options, root_of, triangular
from dpcore.linear_queries.trees import nodes


def factors(numbers, name, branching, bands, publication, aim):
    """Return R, noisy sums × n, and L, published numbers × noisy sums.

    A sum is no later than the next one, and "as_it_goes" L has no sum that ends after its number.
    """
    weights, cell = noise_weights(numbers, name, Options(branching, bands, publication, aim)), np.arange(numbers.n)
    if name == "per_period":
        return np.eye(numbers.n), weights
    if name == "per_number":
        return numbers.matrix()[np.argsort(numbers.end, kind="stable")], weights
    if name in ("tree", "binary_tree"):
        first, end = nodes(numbers.n, branching if name == "tree" else 2)
        return ((cell >= first[:, np.newaxis]) & (cell < end[:, np.newaxis])).astype(np.float64), weights
    if name == "optimum":
        return triangular(optimum(numbers, aim).gram), weights
    root = root_of(numbers, name, bands)
    year, apart = root.series.size, cell[:, np.newaxis] - cell
    is_there = (apart >= 0) & (cell[:, np.newaxis] // year == cell // year)
    sums = np.where(is_there, root.series[np.clip(apart, 0, year - 1)], 0)
    return sums / (root.lengths if name == "normalized_square_root" else 1), weights
