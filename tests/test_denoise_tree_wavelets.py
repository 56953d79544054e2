"""Tree wavelets: the basis is orthonormal, sparse and follows the graph; Stein's estimate against what is lost."""

import numpy as np
import pytest

from dpcore.denoise import graph_wavelet
from dpcore.denoise.wavelets import basis
from dpcore.graphs import graph, grid_graph, path_graph
from tests.statistics_of_samples import assert_unbiased

RNG = np.random.default_rng(5)
GRAPHS = {
    "loose": graph(60, RNG.integers(0, 55, (70, 2))),  # of several components
    "path": path_graph(100),
    "grid": grid_graph(9, 13),
    "star": graph(200, [[7, index] for index in range(200)]),
    "comb": graph(200, [[index, index + (1 if index < 100 else -100)] for index in range(200)]),
    "no edges": graph(3, []),
}


@pytest.mark.parametrize("name", GRAPHS)
def test_the_basis_is_orthonormal_with_the_constants_of_the_components_first(name):
    network, rows = GRAPHS[name], basis(GRAPHS[name]).toarray()
    np.testing.assert_allclose(rows @ rows.T, np.eye(network.n_nodes), atol=1e-12)
    for component, row in enumerate(rows[: network.n_components]):
        inside = network.components == component
        np.testing.assert_allclose(row, inside / np.sqrt(inside.sum()))


@pytest.mark.parametrize("name", [*GRAPHS, "long path"])
def test_each_node_is_in_a_number_of_wavelets_that_grows_as_the_logarithm(name):
    network = path_graph(2000) if name == "long path" else GRAPHS[name]
    in_how_many = np.bincount(basis(network).indices)
    assert in_how_many.max() <= 2 + 2.45 * np.log2(network.n_nodes)


def test_values_that_change_along_one_edge_of_a_tree_have_few_coefficients():
    network = GRAPHS["path"]
    for place in range(1, 100):
        step = np.arange(100) >= place
        assert np.count_nonzero(np.abs(basis(network) @ step) > 1e-12) <= 2 + 2.45 * np.log2(100)


def test_the_halves_of_a_wavelet_are_constant():
    for row in basis(GRAPHS["grid"]).toarray()[1:]:
        assert len(np.unique(row[row > 0].round(12))) == len(np.unique(row[row < 0].round(12))) == 1


@pytest.mark.parametrize("rule", ["universal", "sure"])
def test_the_coefficients_are_thresholded_but_not_the_constants(rule):
    network, sigma = GRAPHS["loose"], np.array([0.5, 1.0])
    noisy = 9 * np.repeat([0, 1, 0], 20) + sigma[:, None] * np.random.default_rng(1).normal(size=(2, 60))
    estimate, rows = graph_wavelet(noisy, sigma, network, rule), basis(network).toarray()
    coefficients, n_components = noisy @ rows.T, network.n_components
    shrunk = np.sign(coefficients) * np.maximum(np.abs(coefficients) - estimate.tuning[:, None], 0)
    shrunk[:, :n_components] = coefficients[:, :n_components]
    np.testing.assert_allclose(estimate.value, shrunk @ rows, atol=1e-12)
    dof = n_components + np.count_nonzero(np.abs(shrunk[:, n_components:]) > 1e-12, axis=-1)
    dof = dof + (rule == "sure")  # the coefficient whose size is T became 0, but is as if just above it or below it
    lost = np.sum((estimate.value - noisy) ** 2, axis=-1)
    assert np.all(
        np.abs(estimate.sure - (sigma**2 * (2 * dof - 60) + lost)) <= 2.001 * sigma**2 * (rule == "sure") + 1e-9
    )
    most = sigma * np.sqrt(2 * np.log(60 - n_components))
    np.testing.assert_allclose(estimate.tuning, most) if rule == "universal" else np.testing.assert_array_less(
        estimate.tuning, most
    )
    for component in range(n_components):
        inside = network.components == component
        np.testing.assert_allclose(estimate.value[:, inside].sum(axis=1), noisy[:, inside].sum(axis=1))


def test_sure_is_unbiased_within_five_standard_errors_with_the_universal_threshold():
    network, sigma, n_releases = GRAPHS["loose"], 1.5, 20_000
    rng = np.random.default_rng(4)
    truth = rng.poisson(3, network.n_nodes)
    noisy = truth + sigma * rng.normal(size=(n_releases, network.n_nodes))
    estimate = graph_wavelet(noisy, sigma, network)
    errors = np.sum((estimate.value - truth) ** 2, axis=-1)
    assert_unbiased(estimate.sure, errors, sigma**2 * network.n_nodes)


def test_a_graph_without_edges_is_left_as_released():
    estimate = graph_wavelet([[1, 2, 3], [4, 5, 6]], [1, 2], graph(3, []))
    assert estimate.value.tolist() == [[1, 2, 3], [4, 5, 6]]
    assert estimate.sure.tolist() == [3, 12]
    assert np.isnan(estimate.tuning).all()


def test_the_answer_is_finite_at_the_ends_of_the_ranges():
    for rule in ("universal", "sure"):
        estimate = graph_wavelet([-1e97, 1e97, 1e97], 1e-50, path_graph(3), rule)
        assert np.isfinite(estimate.sure)
        np.testing.assert_allclose(estimate.value, [-1e97, 1e97, 1e97])
        np.testing.assert_allclose(graph_wavelet([0, 0, 0], 1, path_graph(3), rule).value, 0)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([1, 2], 1, path_graph(3)), "the last axis of noisy must have the graph's 3 nodes, got 2"),
        (([1, 2, 1e98], 1, path_graph(3)), r"noisy must be in \[-1e97, 1e97\], got 1e\+98"),
        (([1, 2, 3], 1, path_graph(3), "hard"), "rule must be in universal, sure, got 'hard'"),
    ],
)
def test_releases_that_cannot_be_denoised_are_refused_in_a_sentence(arguments, message):
    with pytest.raises(ValueError, match=message):
        graph_wavelet(*arguments)
