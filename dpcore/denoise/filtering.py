"""Graph trend filtering of order 0, the fused lasso over the edges of a graph, of a Gaussian release.

Solved exactly by minimum cuts [CD09, Hoc01], see `_fused`: the groups of one value, and with them the degrees of
freedom, are found as such, not read from an approximation whose differences are all a little off zero. SciPy's maximum
flow takes whole capacities: each node's excess is rounded to about 10⁻⁹·λ times the largest degree, and two groups less
apart than that, times the nodes, may pass for one. On a grid of 24 × 24 with λ chosen this takes 0.01 to 0.02 s of
processor, on Manhattan's 3,874 junctions 0.3 s and on a grid of 200 × 200 5 s. What the
estimators on graphs share stands here too.

References
----------
[WSST16] Wang, Sharpnack, Smola & Tibshirani 2016, Trend filtering on graphs, JMLR 17(105). [TT12] Tibshirani & Taylor
2012, Degrees of freedom in lasso problems, Annals of Statistics 40, doi:10.1214/12-AOS1003. [CD09] Chambolle & Darbon
2009, On total variation minimization and surface evolution using parametric maximum flows, IJCV 84,
doi:10.1007/s11263-009-0238-9. [Hoc01] Hochbaum 2001, An efficient algorithm for image segmentation, Markov random
fields and related problems, JACM 48, doi:10.1145/502102.502103.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dpcore.checks import Array
from dpcore.denoise._fused import fused_solutions, proposed_solutions
from dpcore.denoise._release import Estimate, checked_release, per_release
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


STRENGTH_RANGE = "[0, 1e100]"
_LEAST_FACTOR = 1 / 8  # of σ, the least λ tried; each after it is twice the one before
_GAPS = 10  # duality gaps by which the SURE of a proposal may be above that of the solution; of 600 tried at most 7
_PATIENCE = 3  # so many in a row that are no better end the search
_MOST_AT_ONCE = 5  # so many λ are tried at once on a small graph, after which the search has rarely long to go
_NODES_AT_ONCE = 3000  # of all graphs that are tried at once


def trend_filtering(noisy: ArrayLike, sigma: ArrayLike, graph: Graph, strength: ArrayLike | None = None) -> Estimate:
    """Return the b of least ½‖ŷ − b‖² + λ Σ |b_u − b_v|, the sum over the edges of the graph: [WSST16] with k = 0.

    For values that are constant on patches with sharp borders: it finds the groups, and a single tall node stays a
    group of its own, pulled down by λ for each of its edges. It hurts where all neighbours differ, and at a slope,
    which it turns into stairs. It keeps the total over each connected component.

    Parameters
    ----------
    noisy : ŷ, the nodes along the last axis, numbers in [-1e100, 1e100].
    sigma : σ in [1e-50, 1e100], in query units: a number, or one for each release.
    graph : of the nodes.
    strength : λ in [0, 1e100], in query units: a number, or one for each release. None: of 0, σ/8, σ/4, σ/2, σ, 2σ, …
        the one of least SURE; the search ends where every component is one group or three in a row were no better.

    Returns
    -------
    The estimate, with λ as `tuning`. Its divergence is the number of groups, the connected components that remain
    without the edges along which b differs, so that `sure` is unbiased with a given λ [TT12]; with a chosen one it is
    optimistic: on grids of 0, waves, steps or peaks by 2σ² to 4σ² at n = 100 (simulated, standard error 0.8σ²).

    Examples
    --------
    >>> from dpcore.graphs import path_graph
    >>> estimate = trend_filtering([0, 1, 8, 9], sigma=1, graph=path_graph(4), strength=1)
    >>> estimate.value.tolist(), float(estimate.sure)
    ([1.0, 1.0, 8.0, 8.0], 2.0)
    """
    noisy, sigma = on_nodes(noisy, sigma, graph)
    value, divergence, used = np.empty(noisy.shape), np.empty(sigma.shape), np.empty(sigma.shape)
    strengths = per_release("strength", 0 if strength is None else strength, STRENGTH_RANGE, sigma.shape)
    for place in np.ndindex(sigma.shape):
        if strength is None:
            fused = _solution_of_least_sure(noisy[place], float(sigma[place]), graph)
        else:
            fused = _solution(noisy[place], graph, float(strengths[place]))
        value[place], divergence[place], used[place] = fused.value, fused.n_groups, fused.strength
    return Estimate(value, sure(noisy, value, sigma, divergence), used)


@dataclass(frozen=True)
class _Fused:
    """The solution at one λ, and of how many groups it is; or what is proposed, with its duality gap and flow."""

    strength: float
    value: Array
    n_groups: int
    gap: float = 0.0
    flow: Array | None = None


def _solution(noisy: Array, graph: Graph, strength: float, flow: Array | None = None) -> _Fused:
    if strength == 0:
        return _Fused(0.0, noisy, graph.n_nodes)
    values, n_groups = fused_solutions(noisy, graph, np.array([strength]), None if flow is None else flow[None])
    return _Fused(strength, values[0], int(n_groups[0]))


def _solution_of_least_sure(noisy: Array, sigma: float, graph: Graph) -> _Fused:
    """Return the solution of least SURE among the λ tried; none is solved whose SURE is larger by its proposal."""

    def least_risk(fused: _Fused) -> float:
        return float(sure(noisy, fused.value, np.array(sigma), fused.n_groups)) - _GAPS * fused.gap

    tried, best = [_solution(noisy, graph, 0.0)], 0
    at_once = max(1, min(_MOST_AT_ONCE, _NODES_AT_ONCE // graph.n_nodes))
    strengths = sigma * _LEAST_FACTOR * 2.0 ** np.arange(at_once)
    while len(tried) <= best + _PATIENCE and tried[-1].n_groups > graph.n_components:
        proposed = zip(strengths.tolist(), *proposed_solutions(noisy, graph, strengths), strict=True)
        tried += [
            _Fused(chosen, value, int(n_groups), float(gap), flow) for chosen, value, n_groups, gap, flow in proposed
        ]
        risks = [least_risk(fused) for fused in tried]
        while (flow := tried[best := int(np.argmin(risks))].flow) is not None:
            tried[best] = _solution(noisy, graph, tried[best].strength, flow)
            risks[best] = least_risk(tried[best])
        strengths = 2.0**at_once * strengths
    return tried[best]
