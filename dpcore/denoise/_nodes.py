"""What the estimators on graphs share: the check of a release, and Stein's estimate from its divergence."""

import numpy as np
from numpy.typing import ArrayLike

from dpcore.checks import Array
from dpcore.denoise._release import checked_release
from dpcore.graphs import Graph


def on_nodes(noisy: ArrayLike, sigma: ArrayLike, graph: Graph) -> tuple[Array, Array]:
    """ŷ and σ as float arrays: ŷ has a number for each node along its last axis, σ one for each release."""
    noisy, sigma = checked_release(noisy, sigma)
    if noisy.shape[-1] != graph.n_nodes:
        raise ValueError(f"the last axis of noisy must have the graph's {graph.n_nodes} nodes, got {noisy.shape[-1]}")
    return noisy, sigma


def sure(noisy: Array, value: Array, sigma: Array, divergence: Array | float) -> Array:
    """−nσ² + ‖value − ŷ‖² + 2σ² div, sums over the nodes."""
    change = value - noisy
    return sigma**2 * (2 * divergence - noisy.shape[-1]) + np.vecdot(change, change)
