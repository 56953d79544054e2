"""The b of least ½‖ŷ − b‖² + λ Σ |b_u − b_v| over the edges of a graph, exactly, at several λ at once.

`_dual_flow` estimates the flow in [−λ, λ] of each edge that makes ŷ into b. The edges that it leaves at ±λ border
groups, each with the mean of what λ per border leaves of ŷ. This is only a proposal: b is optimal exactly if at each
border the flow runs from the larger mean to the smaller and if within each group a flow of at most λ per edge makes all
nodes equal. Mostly the estimated flow does, once what it misses runs along a tree of edges far from ±λ. For the other
groups a maximum flow decides; where it leaves an excess the minimum cut splits the group, as [CD09] and [Hoc01] do from
the whole graph down, and a border where the flow runs up is dissolved. If borders have been dissolved in six rounds,
what is not proved begins again with the whole graph, each border of which is right.

The flow is estimated by the dual of the problem, accelerated projected gradient [BT09] with a step length for each
edge, for several λ at once.

References
----------
[CD09], [Hoc01]: see `filtering`. [BT09] Beck & Teboulle 2009, Fast gradient-based algorithms for constrained total
variation image denoising and deblurring problems, IEEE Transactions on Image Processing 18(11),
doi:10.1109/TIP.2009.2028250.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import breadth_first_order, connected_components, maximum_flow, minimum_spanning_tree

from dpcore.checks import Array
from dpcore.graphs import Graph, Whole

_N_STEPS = 80


def _dual_flow(noisy: Array, graph: Graph, strengths: Array) -> Array:
    """Return the flow of each edge after all steps of the dual method, for each λ, in units of λ."""
    flow = (_flow_on_grid if graph.sides else _flow_on_graph)(noisy, graph, strengths)
    return flow.T / strengths[:, None]


def _flow_on_graph(noisy: Array, graph: Graph, strengths: Array) -> Array:
    outflow, change = _edges_of(graph).operators
    start, limit = noisy[:, None], np.tile(strengths, (graph.n_edges, 1))
    return _flow_after_steps(lambda flow: change @ (start - outflow @ flow), limit)


def _flow_on_grid(noisy: Array, graph: Graph, strengths: Array) -> Array:
    """Return the same by shifts, in half of the time: the edge from node v along an axis has place v of a row."""
    shifts, axis, rates = _edges_of(graph).on_grid
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


@dataclass(frozen=True, eq=False)
class _Edges:
    """What the methods need of the edges of a graph, each part computed once."""

    graph: Graph

    @cached_property
    def on_grid(self) -> tuple[list[int], Whole, Array]:
        """How many nodes further an edge along each axis leads, the axis of each edge, and the rates by axis."""
        graph = self.graph
        shifts = [math.prod(graph.sides[axis + 1 :]) for axis in range(len(graph.sides))]
        start, end = graph.edges.T
        axis = np.where(end - start == shifts[0], 0, len(shifts) - 1)
        rates = np.zeros((len(shifts), graph.n_nodes))
        rates[axis, start] = self.rates
        return shifts, axis, rates

    @property
    def rates(self) -> Array:
        """The step of the flow of each edge for a difference of 1 between its nodes."""
        edges = self.graph.edges
        return 1 / np.bincount(edges.ravel(), minlength=self.graph.n_nodes)[edges].sum(axis=1)

    @cached_property
    def operators(self) -> tuple[csr_array, csr_array]:
        """The n × m matrix of what the flow of each edge takes from its nodes, and the m × n one of its steps."""
        n_edges, n_nodes = self.graph.n_edges, self.graph.n_nodes
        ends = self.graph.edges.ravel().astype(np.int32), np.arange(0, 2 * n_edges + 1, 2, dtype=np.int32)
        signs = np.tile([1.0, -1.0], n_edges)
        outflow = csr_array((signs, *ends), shape=(n_edges, n_nodes)).T.tocsr()
        return outflow, csr_array((np.repeat(self.rates, 2) * signs, *ends), shape=(n_edges, n_nodes))

    @cached_property
    def directed(self) -> tuple[Whole, Array, Whole, Whole]:
        """Each edge in both directions, sorted: which it is, 1 from its smaller node, else −1, its tail and head."""
        start, end = self.graph.edges.T
        tails, heads = np.concatenate([start, end]), np.concatenate([end, start])
        order = np.lexsort((heads, tails))
        tails, heads = tails[order], heads[order]
        which = np.tile(np.arange(self.graph.n_edges), 2)[order]
        return which, np.where(tails < heads, 1.0, -1.0), tails, heads


_edges_of = lru_cache(8)(_Edges)


_MOST_DISSOLUTIONS = 6  # of wrong borders, after which the whole graph is divided
_LARGEST_FLOW = 2**30  # half of what SciPy's 32 bits hold, since two neighbours' flows may add
_ROUNDING = 1e-9  # of a flow, beside λ

_Flags = NDArray[np.bool_]


def proposed_solutions(noisy: Array, graph: Graph, strengths: Array) -> tuple[Array, Whole, Array, Array]:
    """Return what the dual method proposes for each λ > 0, one in a row: values, number of groups, gap and flow.

    The duality gap is half of the squared distance of the values, the means of the groups, from those of the flow, and
    0 if they are optimal. The flow of each edge is in units of λ.
    """
    flow = _dual_flow(noisy, graph, strengths)
    partition = _Partition(noisy, graph, strengths, flow)
    partition.regroup()
    values, n_groups = partition.solution()
    gap = np.sum((values - partition.dual_value.reshape(values.shape)) ** 2, axis=-1) / 2
    return values, n_groups, gap, flow


def fused_solutions(noisy: Array, graph: Graph, strengths: Array, flow: Array | None = None) -> tuple[Array, Whole]:
    """Return the solution for each λ > 0, one in a row, and its number of groups; `flow` may be any proposed one."""
    partition = _Partition(noisy, graph, strengths, _dual_flow(noisy, graph, strengths) if flow is None else flow)
    partition.regroup()
    partition.settle()
    while not partition.is_solved.all():
        partition.cut()
        partition.regroup()
    return partition.solution()


class _Partition:
    """A division of the nodes into connected groups, of which those are solved that no cut splits.

    The graph is there once for each λ, node v of copy j as number j·n + v.
    """

    def __init__(self, noisy: Array, graph: Graph, strengths: Array, flow: Array) -> None:
        edge, sign, tails, heads = _edges_of(graph).directed
        offset = graph.n_nodes * np.arange(len(strengths))[:, None]
        self.tails, self.heads = (tails + offset).ravel(), (heads + offset).ravel()
        self.n_nodes = graph.n_nodes
        self.noisy, self.strength = np.tile(noisy, len(strengths)), np.repeat(strengths, graph.n_nodes)
        n_nodes = self.noisy.size
        self.flow = (flow[:, edge] * sign).ravel()  # of each directed edge, in units of λ
        self.dual_value = self.noisy - self.strength * np.bincount(self.tails, self.flow, n_nodes)
        direction = np.sign(self.dual_value[self.tails] - self.dual_value[self.heads])
        self.border = np.where(self.flow == direction, direction, 0)  # where a flow of ±λ would rise and leaves a group
        self.is_solved = np.zeros(n_nodes, dtype=bool)
        self.is_restarted = np.zeros(n_nodes, dtype=bool)  # whose borders are right
        self.n_dissolutions = 0
        self.group, self.n_labels = np.zeros(n_nodes, dtype=np.int64), 0
        self.target, self.mean = self.noisy, np.empty(0)  # what the borders leave of ŷ, and its mean over each group

    def regroup(self) -> None:
        """Number the groups, and dissolve the borders where the flow runs up."""
        while True:
            self._number_unsolved_groups()
            self.border[self.group[self.tails] == self.group[self.heads]] = 0
            edges = np.flatnonzero(self.border)
            tails, sign = self.tails[edges], self.border[edges]
            self.target = self.noisy - self.strength * np.bincount(tails, sign, self.noisy.size)
            size = np.bincount(self.group)
            self.mean = np.bincount(self.group, self.target) / np.maximum(size, 1)
            self.is_solved |= size[self.group] == 1
            near, far = self.group[tails], self.group[self.heads[edges]]
            runs_up = (sign * (self.mean[near] - self.mean[far]) <= 0) & ~self.is_restarted[tails]
            if not runs_up.any():
                return
            is_touched = np.zeros(size.size, dtype=bool)
            is_touched[near[runs_up]] = True  # both sides, since each edge is there in both directions
            self.is_solved &= ~is_touched[self.group]
            self.border[edges[runs_up]] = 0
            self.n_dissolutions += 1
            if self.n_dissolutions == _MOST_DISSOLUTIONS:
                self._restart()

    def _number_unsolved_groups(self) -> None:
        is_open = ~self.is_solved
        _, tails, heads = self._inner_edges(is_open)
        n_open = int(np.count_nonzero(is_open))
        rows = np.concatenate([[0], np.cumsum(np.bincount(tails, minlength=n_open))])
        matrix = csr_array((np.ones(tails.size), heads, rows), shape=(n_open, n_open))
        n_groups, labels = connected_components(matrix, connection="strong")  # the matrix is symmetric
        self.group[is_open] = self.n_labels + labels
        self.n_labels += n_groups

    def _inner_edges(self, is_open: _Flags) -> tuple[Whole, Whole, Whole]:
        """Return the edges within open groups, and their ends as numbers among the open nodes."""
        edges = np.flatnonzero((self.border == 0) & is_open[self.tails])
        place = np.cumsum(is_open) - 1
        return edges, place[self.tails[edges]], place[self.heads[edges]]

    def settle(self) -> None:
        """Solve the groups that the proposed flow makes equal, after a correction along a tree of edges far from ±λ."""
        is_open = ~self.is_solved
        edges, tails, heads = self._inner_edges(is_open)
        flow, group, root = self.flow[edges], self.group[is_open], np.count_nonzero(is_open)
        firsts, is_forward = np.unique(group, return_index=True)[1], tails < heads
        weights = np.concatenate([1 + np.abs(flow[is_forward]), np.ones(firsts.size)])
        starts = np.concatenate([tails[is_forward], np.full(firsts.size, root)])
        ends = np.concatenate([heads[is_forward], firsts])
        tree = minimum_spanning_tree(csr_array((weights, (starts, ends)), shape=(root + 1, root + 1)))
        parent = breadth_first_order(tree, root, directed=False)[1][:root]
        excess = np.append(self._residual(is_open) - np.bincount(tails, flow, root), 0.0)
        ancestor = np.append(parent, root)
        while (ancestor < root).any():  # add up the excess of all nodes beyond each one, twice as far at a time
            excess += np.bincount(ancestor, np.where(ancestor < root, excess, 0), root + 1)
            ancestor = ancestor[ancestor]
        inner = np.flatnonzero(parent < root)
        place = np.searchsorted(tails * root + heads, inner * root + parent[inner])
        is_right = np.abs(flow[place] + excess[inner]) <= 1 + _ROUNDING
        self.is_solved[is_open] = np.bincount(group[inner], ~is_right, self.n_labels)[group] == 0

    def cut(self) -> None:
        """Split each unsolved group by its minimum cut; those where this gains no more than rounding are solved."""
        is_open = ~self.is_solved
        edges, tails, heads = self._inner_edges(is_open)
        group = self.group[is_open]
        is_upper, gain = _minimum_cut(self._residual(is_open), tails, heads)
        is_split = np.bincount(group, gain) > np.bincount(group)
        self.is_solved[is_open] = ~is_split[group]
        self.border[edges] = np.where(is_split[group[tails]], is_upper[tails].astype(float) - is_upper[heads], 0)

    def _residual(self, is_open: _Flags) -> Array:
        """Return what each open node has more than its group, in units of λ."""
        return (self.target[is_open] - self.mean[self.group[is_open]]) / self.strength[is_open]

    def _restart(self) -> None:
        """Begin again with the whole graph for each λ with an unsolved group."""
        is_open = ~self.is_solved.reshape(-1, self.n_nodes).all(axis=1)
        self.is_restarted = np.repeat(is_open, self.n_nodes)
        self.is_solved &= ~self.is_restarted
        self.border[self.is_restarted[self.tails]] = 0

    def solution(self) -> tuple[Array, Whole]:
        """Return the mean of each node's group, and the number of groups, for each λ."""
        n_nodes = self.n_nodes
        copy = np.full(self.n_labels, -1)
        copy[self.group] = np.arange(self.group.size) // n_nodes
        return self.mean[self.group].reshape(-1, n_nodes), np.bincount(copy[copy >= 0])


def _minimum_cut(residual: Array, tails: Whole, heads: Whole) -> tuple[_Flags, Whole]:
    """Return the smallest set S of most Σ_S residual − (edges that leave S), in units of λ, and what each node adds.

    The latter is in units of which each residual is rounded to a whole number.
    """
    n_nodes = residual.size
    degree = np.bincount(tails, minlength=n_nodes)
    unit = _LARGEST_FLOW // (int(degree.max()) + 1)  # the whole number that stands for λ
    most = degree + 1  # more than 1 for each edge, and 1 for the node itself, changes no cut
    supply = np.rint(np.clip(residual, -most, most) * unit).astype(np.int32)
    source, sink = n_nodes, n_nodes + 1
    above, below = np.flatnonzero(supply > 0), np.flatnonzero(supply <= 0)
    # A row for each node, the last entry to the source or the sink; each edge in both directions, as SciPy needs it.
    ends = np.cumsum(degree + 1)
    rows = np.concatenate([[0], ends, ends[-1] + [above.size, n_nodes]]).astype(np.int32)
    columns, capacities = np.empty(rows[-1], dtype=np.int32), np.zeros(rows[-1], dtype=np.int32)
    inner = np.arange(tails.size) + tails
    columns[inner], capacities[inner] = heads, unit
    columns[ends[above] - 1], columns[ends[below] - 1] = source, sink
    capacities[ends[below] - 1] = -supply[below]
    columns[ends[-1] :] = np.concatenate([above, below])
    capacities[ends[-1] : rows[source + 1]] = supply[above]
    shape = (n_nodes + 2, n_nodes + 2)
    is_left = capacities > maximum_flow(csr_array((capacities, columns, rows), shape=shape), source, sink).flow.data
    left_rows = np.concatenate([[0], np.cumsum(is_left)])[rows]
    left = csr_array((np.ones(left_rows[-1]), columns[is_left], left_rows), shape=shape)
    is_reached = np.zeros(n_nodes + 2, dtype=bool)
    is_reached[breadth_first_order(left, source, return_predecessors=False)] = True
    is_upper = is_reached[:n_nodes]
    n_left = np.bincount(tails, is_upper[tails] > is_upper[heads], n_nodes).astype(np.int64)
    return is_upper, np.where(is_upper, supply - unit * n_left, 0)
