"""The b of least ½‖ŷ − b‖² + λ Σ |b_u − b_v| over the edges of a graph, exactly, at several λ at once.

A dual method [BT09] estimates the flow in [−λ, λ] of each edge that makes ŷ into b. The edges that it leaves at ±λ
border groups, each with the mean of what λ per border leaves of ŷ. This is only a proposal: b is optimal exactly if at
each border the flow runs from the larger mean to the smaller and if within each group a flow of at most λ per edge
makes all nodes equal. A maximum flow decides the latter for all groups and λ at once; where it leaves an excess the
minimum cut splits the group, as [CD09] and [Hoc01] do from the whole graph down, and a border where the flow runs up is
dissolved. Most λ are proved after one to four such rounds, from the whole graph down after seven. If borders have been
dissolved in six, what is not proved begins again with the whole graph, each border of which is right.

References
----------
[BT09] Beck & Teboulle 2009, Fast gradient-based algorithms for constrained total variation image denoising and
deblurring problems, IEEE Transactions on Image Processing 18(11), doi:10.1109/TIP.2009.2028250. [CD09], [Hoc01]: see
`filtering`.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import breadth_first_order, connected_components, maximum_flow

from dpcore.checks import Array
from dpcore.graphs import Graph, Whole

_N_STEPS = 60  # of the dual method
_MOST_DISSOLUTIONS = 6  # of wrong borders, after which the whole graph is divided
_LARGEST_FLOW = 2**30  # half of what SciPy's 32 bits hold, since two neighbours' flows may add

_Flags = NDArray[np.bool_]
_Signs = NDArray[np.int8]


def fused_solutions(noisy: Array, graph: Graph, strengths: Array) -> tuple[Array, Whole]:
    """The solution for each λ > 0, one in a row, and of how many groups it is."""
    stack = _stack(noisy, graph, strengths)
    partition = _Partition(stack, _proposed_borders(stack, noisy, graph, strengths))
    while partition.regroup():
        partition.cut()
    return partition.solution()


@dataclass(frozen=True)
class _Stack:
    """The graph once for each λ, node v of copy j as number j·n + v.

    Attributes
    ----------
    n_nodes : n.
    edge, sign : of one copy, for each edge in both directions, which edge it is, and 1 from its smaller node, else −1.
    tails, heads : of all copies, each edge in both directions, sorted.
    noisy, strength : ŷ and λ, for each node.
    """

    n_nodes: int
    edge: Whole
    sign: _Signs
    tails: Whole
    heads: Whole
    noisy: Array
    strength: Array


def _stack(noisy: Array, graph: Graph, strengths: Array) -> _Stack:
    start, end = graph.edges.T
    tails, heads = np.concatenate([start, end]), np.concatenate([end, start])
    order = np.lexsort((heads, tails))
    tails, heads, n_copies = tails[order], heads[order], len(strengths)
    offset = graph.n_nodes * np.arange(n_copies)[:, None]
    return _Stack(
        graph.n_nodes,
        np.tile(np.arange(graph.n_edges), 2)[order],
        np.where(tails < heads, 1, -1).astype(np.int8),
        (tails + offset).ravel(),
        (heads + offset).ravel(),
        np.tile(noisy, n_copies),
        np.repeat(strengths, graph.n_nodes),
    )


def _proposed_borders(stack: _Stack, noisy: Array, graph: Graph, strengths: Array) -> _Signs:
    """1 or −1 for each directed edge along or against which the flow is λ after all steps and would rise, else 0."""
    n_edges, degree = graph.n_edges, np.bincount(graph.edges.ravel(), minlength=graph.n_nodes)
    ends = graph.edges.ravel(), np.arange(0, 2 * n_edges + 1, 2)
    outflow = csr_array((np.tile([1.0, -1.0], n_edges), *ends), shape=(n_edges, graph.n_nodes)).T.tocsr()
    step = np.repeat(1 / degree[graph.edges].sum(axis=1), 2)
    change = csr_array((step * np.tile([1.0, -1.0], n_edges), *ends), shape=(n_edges, graph.n_nodes))
    start, limit = noisy[:, None], np.tile(strengths, (n_edges, 1))
    flow = ahead = np.zeros(limit.shape)
    momentum = 1.0
    for _ in range(_N_STEPS):
        before = flow
        flow = ahead + change @ (start - outflow @ ahead)
        flow = np.minimum(np.maximum(flow, -limit), limit)
        momentum, last = (1 + np.sqrt(1 + 4 * momentum**2)) / 2, momentum
        ahead = flow + (last - 1) / momentum * (flow - before)
    direction = np.sign(change @ (start - outflow @ flow)).astype(np.int8)
    border = np.where(flow == direction * limit, direction, 0)
    return (border[stack.edge] * stack.sign[:, None]).T.ravel()


class _Partition:
    """A division of the stacked nodes into connected groups, of which those are solved that no cut splits."""

    def __init__(self, stack: _Stack, border: _Signs) -> None:
        n_nodes = stack.noisy.size
        self.stack = stack
        self.border = border  # for each directed edge: 1 or −1 where a flow of λ along or against it leaves a group
        self.is_solved = np.zeros(n_nodes, dtype=bool)
        self.is_restarted = np.zeros(n_nodes, dtype=bool)  # whose borders are right
        self.n_dissolutions = 0
        self.group, self.n_labels = np.zeros(n_nodes, dtype=np.int64), 0
        self.target, self.mean = stack.noisy, np.empty(0)  # what the borders leave of ŷ, and its mean over each group

    def regroup(self) -> bool:
        """Number the groups, dissolve the borders where the flow runs up, and return whether any group is unsolved."""
        stack = self.stack
        while True:
            self._number_unsolved_groups()
            self.border[self.group[stack.tails] == self.group[stack.heads]] = 0
            edges = np.flatnonzero(self.border)
            tails, sign = stack.tails[edges], self.border[edges]
            self.target = stack.noisy - stack.strength * np.bincount(tails, sign, stack.noisy.size)
            size = np.bincount(self.group)
            self.mean = np.bincount(self.group, self.target) / np.maximum(size, 1)
            self.is_solved |= size[self.group] == 1
            near, far = self.group[tails], self.group[stack.heads[edges]]
            runs_up = (sign * (self.mean[near] - self.mean[far]) <= 0) & ~self.is_restarted[tails]
            if not runs_up.any():
                return not self.is_solved.all()
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
        """The edges within open groups, and their ends as numbers among the open nodes."""
        edges = np.flatnonzero((self.border == 0) & is_open[self.stack.tails])
        place = np.cumsum(is_open) - 1
        return edges, place[self.stack.tails[edges]], place[self.stack.heads[edges]]

    def cut(self) -> None:
        """Split each unsolved group by its minimum cut; those where this gains no more than rounding are solved."""
        is_open = ~self.is_solved
        edges, tails, heads = self._inner_edges(is_open)
        group = self.group[is_open]
        residual = (self.target[is_open] - self.mean[group]) / self.stack.strength[is_open]
        is_upper, gain = _minimum_cut(residual, tails, heads)
        is_split = np.bincount(group, gain) > np.bincount(group)
        self.is_solved[is_open] = ~is_split[group]
        self.border[edges] = np.where(is_split[group[tails]], is_upper[tails].astype(np.int8) - is_upper[heads], 0)

    def _restart(self) -> None:
        """Begin again with the whole graph for each λ with an unsolved group."""
        is_open = ~self.is_solved.reshape(-1, self.stack.n_nodes).all(axis=1)
        self.is_restarted = np.repeat(is_open, self.stack.n_nodes)
        self.is_solved &= ~self.is_restarted
        self.border[self.is_restarted[self.stack.tails]] = 0

    def solution(self) -> tuple[Array, Whole]:
        """The mean of each node's group, and the number of groups, for each λ."""
        n_nodes = self.stack.n_nodes
        copy = np.full(self.n_labels, -1)
        copy[self.group] = np.arange(self.group.size) // n_nodes
        return self.mean[self.group].reshape(-1, n_nodes), np.bincount(copy[copy >= 0])


def _minimum_cut(residual: Array, tails: Whole, heads: Whole) -> tuple[_Flags, Whole]:
    """The smallest set S of most Σ_S residual − (edges that leave S), in units of λ, and what each node adds to that.

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
