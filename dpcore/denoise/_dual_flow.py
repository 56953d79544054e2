"""The flow of each edge of a graph that makes a release into its fused lasso, estimated by a dual method.

The b of least ½‖ŷ − b‖² + λ Σ |b_u − b_v| is ŷ less what each node loses by the flow in [−λ, λ] of its edges that makes
this least: accelerated projected gradient [BT09], a step length for each edge, for several λ at once.

References
----------
[BT09] Beck & Teboulle 2009, Fast gradient-based algorithms for constrained total variation image denoising and
deblurring problems, IEEE Transactions on Image Processing 18(11), doi:10.1109/TIP.2009.2028250.
"""

import math
from collections.abc import Callable
from functools import lru_cache

import numpy as np
from scipy.sparse import csr_array

from dpcore.checks import Array
from dpcore.graphs import Graph, Whole

_N_STEPS = 80


def dual_flow(noisy: Array, graph: Graph, strengths: Array) -> Array:
    """Return the flow of each edge after all steps of the dual method, for each λ, in units of λ."""
    flow = (_flow_on_grid if graph.sides else _flow_on_graph)(noisy, graph, strengths)
    return flow.T / strengths[:, None]


def _flow_on_graph(noisy: Array, graph: Graph, strengths: Array) -> Array:
    outflow, change = _dual_operators(graph)
    start, limit = noisy[:, None], np.tile(strengths, (graph.n_edges, 1))
    return _flow_after_steps(lambda flow: change @ (start - outflow @ flow), limit)


def _flow_on_grid(noisy: Array, graph: Graph, strengths: Array) -> Array:
    """Return the same by shifts, in half of the time: the edge from node v along an axis has place v of a row."""
    shifts, axis, rates = _grid_edges(graph)
    shape = (len(shifts), len(strengths) * graph.n_nodes)
    start, rates = np.tile(noisy, len(strengths)), np.tile(rates, len(strengths))

    def change(flow: Array) -> Array:
        value = start - flow[0]
        for along in flow[1:]:
            value -= along
        for shift, along in zip(shifts, flow, strict=True):
            value[shift:] += along[:-shift]
        difference = np.zeros(shape)
        for shift, along in zip(shifts, difference, strict=True):
            np.subtract(value[:-shift], value[shift:], out=along[:-shift])
        difference *= rates  # 0 where there is no edge
        return difference

    flow = _flow_after_steps(change, np.tile(np.repeat(strengths, graph.n_nodes), (len(shifts), 1)))
    return flow.reshape(len(shifts), len(strengths), -1)[axis, :, graph.edges[:, 0]]


def _flow_after_steps(change: Callable[[Array], Array], limit: Array) -> Array:
    flow = ahead = np.zeros(limit.shape)
    least, momentum = -limit, 1.0
    for _ in range(_N_STEPS):
        before, flow = flow, change(ahead)
        flow += ahead
        np.maximum(flow, least, out=flow)
        np.minimum(flow, limit, out=flow)
        momentum, last = (1 + math.sqrt(1 + 4 * momentum**2)) / 2, momentum
        ahead = flow - before
        ahead *= (last - 1) / momentum
        ahead += flow
    return flow


@lru_cache(maxsize=8)
def _grid_edges(graph: Graph) -> tuple[list[int], Whole, Array]:
    """Return how many nodes further an edge along each axis leads, the axis of each edge, and the rates by axis."""
    shifts = [math.prod(graph.sides[axis + 1 :]) for axis in range(len(graph.sides))]
    start, end = graph.edges.T
    axis = np.where(end - start == shifts[0], 0, len(shifts) - 1)
    rates = np.zeros((len(shifts), graph.n_nodes))
    rates[axis, start] = _rates(graph)
    return shifts, axis, rates


def _rates(graph: Graph) -> Array:
    """Return the step of the flow of each edge for a difference of 1 between its nodes."""
    return 1 / np.bincount(graph.edges.ravel(), minlength=graph.n_nodes)[graph.edges].sum(axis=1)


@lru_cache(maxsize=8)
def _dual_operators(graph: Graph) -> tuple[csr_array, csr_array]:
    """Return the n × m matrix of what the flow of each edge takes from its nodes, and the m × n one of its steps."""
    n_edges = graph.n_edges
    ends = graph.edges.ravel().astype(np.int32), np.arange(0, 2 * n_edges + 1, 2, dtype=np.int32)
    signs = np.tile([1.0, -1.0], n_edges)
    outflow = csr_array((signs, *ends), shape=(n_edges, graph.n_nodes)).T.tocsr()
    return outflow, csr_array((np.repeat(_rates(graph), 2) * signs, *ends), shape=(n_edges, graph.n_nodes))
