"""Graphs: what is kept of a list of pairs, their matrices against the definitions, and what is refused."""

import numpy as np
import pytest

from dpcore.graphs import graph, grid_graph, path_graph


def test_a_graph_drops_loops_and_merges_repeated_pairs_of_either_direction():
    network = graph(5, [[3, 1], [1, 3], [2, 2], [0, 1], [3, 1]])
    assert network.edges.tolist() == [[0, 1], [1, 3]]
    assert network.n_edges == 2
    assert network.components.tolist() == [0, 0, 1, 0, 2]
    assert network.n_components == 3


def test_the_laplacian_is_the_sum_of_squared_differences_over_the_edges():
    rng = np.random.default_rng(1)
    network, b = graph(30, rng.integers(0, 30, (60, 2))), rng.normal(size=30)
    differences = [b[u] - b[v] for u, v in network.edges]
    np.testing.assert_allclose(b @ (network.laplacian @ b), np.sum(np.square(differences)))


@pytest.mark.parametrize("edges", [[], np.empty((0, 2)), [[0, 0]]])
def test_a_graph_may_have_no_edges(edges):
    network = graph(3, edges)
    assert network.edges.shape == (0, 2)
    assert network.n_components == 3
    assert network.laplacian.toarray().tolist() == np.zeros((3, 3)).tolist()


def test_neighbours_on_a_grid_are_one_apart():
    rows, columns = 3, 4
    cells = [(r, c) for r in range(rows) for c in range(columns)]
    apart = [[abs(r - s) + abs(c - d) for s, d in cells] for r, c in cells]
    network = grid_graph(rows, columns)
    assert ((np.array(apart) == 1) == (network.adjacency.toarray() == 1)).all()
    assert network.sides == (3, 4)


def test_a_path_joins_each_node_to_the_next():
    assert path_graph(4).edges.tolist() == [[0, 1], [1, 2], [2, 3]]
    assert path_graph(1).n_edges == 0
    assert path_graph(4).edges.tolist() == grid_graph(1, 4).edges.tolist()


def test_equal_graphs_are_one_key_of_a_cache():
    network, same, other = graph(3, [[0, 1]]), graph(3, [[1, 0]]), graph(3, [[0, 2]])
    assert network == same
    assert network != other
    assert network != "a graph"
    assert path_graph(3) != graph(3, [[0, 1], [1, 2]])  # the same edges, but known to be a path
    assert len({network, same, other}) == 2


def test_the_edges_of_a_graph_cannot_be_changed_under_what_is_remembered_of_it():
    with pytest.raises(ValueError, match="read-only"):
        graph(3, [[0, 1]]).edges[0, 0] = 2


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: graph(0, []), r"n_nodes must be in \[1, 3e4\], got 0"),
        (lambda: graph(3, [[0, 3]]), r"edges must be in \[0, 2\], got 3"),
        (lambda: graph(3, [[0, 0.5]]), r"edges must be in the whole numbers of \[0, 2\], got 0.5"),
        (lambda: graph(3, [0, 1, 2]), r"edges must be pairs of shape \(m, 2\), got shape \(3,\)"),
        (lambda: graph(3, [[0, 1, 2]]), r"edges must be pairs of shape \(m, 2\), got shape \(1, 3\)"),
        (lambda: graph(3, np.zeros((100_001, 2), int)), r"the number of edges must be in \[0, 1e5\], got 100001"),
        (lambda: path_graph(100_001), r"n_nodes must be in \[1, 1e5\], got 100001"),
        (lambda: grid_graph(0, 2), r"rows must be in \[1, 1e5\], got 0"),
        (lambda: grid_graph(1000, 1000), r"rows \* columns must be in \[1, 1e5\], got 1000000"),
    ],
)
def test_an_invalid_graph_is_refused_in_a_sentence(make, message):
    with pytest.raises(ValueError, match=message):
        make()
