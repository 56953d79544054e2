"""Graphs whose nodes carry numbers: road junctions, the cells of a grid, the times of a series.

A graph is undirected and simple: a loop says nothing about a difference between neighbours, and a pair that
is listed twice says no more than once, so loops are dropped and repeated pairs merged. It need not be connected.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import coo_array, csc_array, csr_array, diags_array
from scipy.sparse.csgraph import connected_components, reverse_cuthill_mckee

from dpcore.checks import integer, scalar_integer

__all__ = [
    "N_CELLS_RANGE",
    "N_EDGES_RANGE",
    "N_NODES_RANGE",
    "Graph",
    "Whole",
    "graph",
    "grid_graph",
    "path_graph",
]

N_NODES_RANGE = "[1, 3e4]"  # of any graph: with more, some estimators take minutes
N_EDGES_RANGE = "[0, 1e5]"
N_CELLS_RANGE = "[1, 1e5]"  # of a path or grid

Whole = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Graph:
    """An undirected simple graph, as `graph`, `path_graph` or `grid_graph` make it.

    Attributes
    ----------
    n_nodes : the nodes are the numbers 0 … n_nodes − 1.
    edges : shape (m, 2), each pair once, the smaller node first, in increasing order, and not to be written to.
    sides : (n,) for a path and (rows, columns) for a grid, whose Laplacian has known eigenvalues; () for all else.
    """

    n_nodes: int
    edges: Whole
    sides: tuple[int, ...] = ()

    def __eq__(self, other: object) -> bool:
        """Return whether the other is a graph of the same nodes and edges, for which a cache serves both."""
        return (
            isinstance(other, Graph)
            and (self.n_nodes, self.sides) == (other.n_nodes, other.sides)
            and np.array_equal(self.edges, other.edges)
        )

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.n_nodes, self.sides, self.edges.tobytes()))

    @property
    def n_edges(self) -> int:
        """The number m of edges."""
        return len(self.edges)

    @cached_property
    def adjacency(self) -> csr_array:
        """The symmetric n × n matrix with 1 for each pair of neighbours."""
        start, end = self.edges.T
        pairs = (np.concatenate([start, end]), np.concatenate([end, start]))
        return csr_array(coo_array((np.ones(2 * self.n_edges), pairs), shape=(self.n_nodes, self.n_nodes)))

    @cached_property
    def laplacian(self) -> csc_array:
        """The n × n matrix L = DᵀD, degrees less adjacency: bᵀLb = Σ (b_u − b_v)² over the edges."""
        return csc_array(diags_array(self.adjacency.sum(axis=1)) - self.adjacency)

    @cached_property
    def bandwidth(self) -> int:
        """How far apart neighbours are in Cuthill and McKee's order: little for roads, far for dense graphs."""
        place = np.argsort(reverse_cuthill_mckee(csr_array(self.adjacency), symmetric_mode=True))
        return int(np.abs(np.subtract(*place[self.edges.T])).max(initial=0))

    @cached_property
    def components(self) -> Whole:
        """For each node the number of its connected component, 0, 1, …"""
        return connected_components(self.adjacency, directed=False)[1].astype(np.int64)

    @property
    def n_components(self) -> int:
        """The number of connected components."""
        return int(self.components.max()) + 1


def graph(n_nodes: int, edges: ArrayLike) -> Graph:
    """Return the undirected graph with the nodes 0 … n_nodes − 1 and these pairs; loops dropped, repeated pairs merged.

    Parameters
    ----------
    n_nodes : a whole number in [1, 3e4].
    edges : pairs of nodes, of shape (m, 2), m in [0, 1e5], in any order and direction.

    Raises
    ------
    ValueError
        `edges must be in [0, 2], got 3`, or `edges must be pairs of shape (m, 2), got shape (3,)`.

    Examples
    --------
    >>> triangle = graph(4, [[1, 0], [0, 1], [2, 1], [0, 2], [2, 2]])
    >>> triangle.edges.tolist(), triangle.components.tolist()
    ([[0, 1], [0, 2], [1, 2]], [0, 0, 0, 1])
    """
    n_nodes = scalar_integer("n_nodes", n_nodes, N_NODES_RANGE)
    pairs = np.asarray(edges)
    if pairs.size == 0 and pairs.ndim <= 2:
        pairs = np.empty((0, 2), dtype=np.int64)
    if pairs.ndim != 2 or pairs.shape[1] != 2:
        raise ValueError(f"edges must be pairs of shape (m, 2), got shape {pairs.shape}")
    scalar_integer("the number of edges", len(pairs), N_EDGES_RANGE)
    return _simple(n_nodes, integer("edges", pairs, f"[0, {n_nodes - 1}]").astype(np.int64))


def _simple(n_nodes: int, pairs: Whole, sides: tuple[int, ...] = ()) -> Graph:
    pairs = np.sort(pairs, axis=1)
    keys = np.unique((pairs[:, 0] * n_nodes + pairs[:, 1])[pairs[:, 0] < pairs[:, 1]])
    simple = np.stack(np.divmod(keys, n_nodes), axis=1)
    simple.flags.writeable = False
    return Graph(n_nodes, simple, sides)


def path_graph(n_nodes: int) -> Graph:
    """Return the path 0 – 1 – … – n_nodes − 1, the graph of a series; n_nodes a whole number in [1, 1e5].

    Examples
    --------
    >>> path_graph(3).laplacian.toarray().astype(int).tolist()
    [[1, -1, 0], [-1, 2, -1], [0, -1, 1]]
    """
    n_nodes = scalar_integer("n_nodes", n_nodes, N_CELLS_RANGE)
    nodes = np.arange(n_nodes)
    return _simple(n_nodes, np.stack([nodes[:-1], nodes[1:]], axis=1), (n_nodes,))


def grid_graph(rows: int, columns: int) -> Graph:
    """Return the grid whose cell (r, c), node r·columns + c, has its upper, lower, left and right cells for neighbours.

    Raises
    ------
    ValueError
        `rows must be in [1, 1e5], got 0`, and so for columns and for their product, the number of cells.

    Examples
    --------
    >>> grid_graph(2, 2).edges.tolist()
    [[0, 1], [0, 2], [1, 3], [2, 3]]
    """
    rows, columns = scalar_integer("rows", rows, N_CELLS_RANGE), scalar_integer("columns", columns, N_CELLS_RANGE)
    scalar_integer("rows * columns", rows * columns, N_CELLS_RANGE)
    cells = np.arange(rows * columns).reshape(rows, columns)
    across = np.stack([cells[:, :-1].ravel(), cells[:, 1:].ravel()], axis=1)
    down = np.stack([cells[:-1].ravel(), cells[1:].ravel()], axis=1)
    return _simple(rows * columns, np.concatenate([across, down]), (rows, columns))
