"""Laplacian smoothing: against the dense matrix, and Stein's estimate against what is lost on average."""

import numpy as np
import pytest

from dpcore.denoise import laplacian_smoothing
from dpcore.denoise.filtering import STRENGTHS, _eigenvalues, _smoother
from dpcore.graphs import graph, grid_graph, path_graph
from tests.statistics_of_samples import assert_unbiased

RNG = np.random.default_rng(5)
LOOSE = graph(40, RNG.integers(0, 37, (60, 2)))  # of several components
GRAPHS = {
    "loose": LOOSE,
    "path": path_graph(25),
    "grid": grid_graph(4, 7),
    "no edges": graph(3, []),
    "one": path_graph(1),
}


@pytest.mark.parametrize("name", GRAPHS)
@pytest.mark.parametrize("strength", [0, 0.3, 50, 1e6])
def test_the_value_and_its_divergence_are_those_of_the_dense_matrix(name, strength):
    network = GRAPHS[name]
    noisy, sigma = np.random.default_rng(1).normal(size=(2, 3, network.n_nodes)), np.array([0.5, 1, 2])
    matrix = np.linalg.inv(np.eye(network.n_nodes) + strength * network.laplacian.toarray())
    estimate = laplacian_smoothing(noisy, sigma, network, strength)
    np.testing.assert_allclose(estimate.value, noisy @ matrix, rtol=1e-6, atol=1e-7)
    lost = np.sum((noisy - noisy @ matrix) ** 2, axis=-1)
    risk = sigma**2 * (2 * np.trace(matrix) - network.n_nodes) + lost
    np.testing.assert_allclose(estimate.sure, risk, rtol=1e-6, atol=1e-6)
    assert (estimate.tuning == strength).all()


def test_each_release_may_have_its_own_strength():
    noisy = np.random.default_rng(2).normal(size=(3, 40))
    together = laplacian_smoothing(noisy, 1, LOOSE, [0.1, 2, 0.1])
    for weight, strength in enumerate([0.1, 2, 0.1]):
        alone = laplacian_smoothing(noisy[weight], 1, LOOSE, strength)
        np.testing.assert_allclose(together.value[weight], alone.value)
        np.testing.assert_allclose(together.sure[weight], alone.sure)


def test_the_chosen_strength_has_the_least_sure_of_those_tried():
    truth = np.add.outer(np.arange(6.0), np.arange(9.0)).ravel()
    noisy = truth + np.random.default_rng(3).normal(size=(4, 54))
    chosen = laplacian_smoothing(noisy, 1, grid_graph(6, 9))
    tried = [laplacian_smoothing(noisy, 1, grid_graph(6, 9), strength).sure for strength in STRENGTHS]
    np.testing.assert_allclose(chosen.sure, np.min(tried, axis=0))
    np.testing.assert_allclose(chosen.tuning, np.array(STRENGTHS)[np.argmin(tried, axis=0)])
    assert (chosen.sure < 54).all()  # better than the release, for a plane


@pytest.mark.parametrize("name", ["loose", "grid"])
def test_sure_is_unbiased_within_five_standard_errors(name):
    network, sigma, n_releases = GRAPHS[name], 1.5, 20_000
    rng = np.random.default_rng(4)
    truth = rng.poisson(3, network.n_nodes)
    noisy = truth + sigma * rng.normal(size=(n_releases, network.n_nodes))
    estimate = laplacian_smoothing(noisy, sigma, network, 0.7)
    errors = np.sum((estimate.value - truth) ** 2, axis=-1)
    assert_unbiased(estimate.sure, errors, sigma**2 * network.n_nodes)


@pytest.mark.parametrize("strength", [0.05, 1, 20])
def test_the_trace_of_a_big_graph_is_within_five_of_its_stated_standard_deviations(strength):
    grid = grid_graph(60, 50)
    unknown = graph(3000, grid.edges)
    off = _smoother(unknown, strength).trace - np.sum(1 / (1 + strength * _eigenvalues(grid.sides)))
    assert off != 0
    assert abs(off) < 5 * np.sqrt(3000 / 64)


@pytest.mark.parametrize("strength", [3, 3.0**12])
def test_a_graph_without_cached_factors_is_smoothed_like_the_same_grid(strength):
    grid = grid_graph(130, 140)
    noisy = np.random.default_rng(6).normal(size=(2, 130 * 140))
    value = laplacian_smoothing(noisy, 1, graph(130 * 140, grid.edges), strength).value
    np.testing.assert_allclose(value, laplacian_smoothing(noisy, 1, grid, strength).value, atol=1e-9)


@pytest.mark.parametrize("strength", [0.1, 1e6])
def test_a_graph_whose_factors_would_fill_the_memory_is_smoothed_without_them(strength):
    rng = np.random.default_rng(7)
    network = graph(7500, rng.integers(0, 7499, (22_000, 2)))
    noisy = np.array([1e100, 1])[:, None] * rng.normal(size=(2, 7500)).clip(-1, 1)
    value = laplacian_smoothing(noisy, 1, network, strength).value
    left = value + strength * (value @ network.laplacian) - noisy
    assert (np.linalg.norm(left, axis=1) <= 1e-8 * np.linalg.norm(noisy, axis=1)).all()
    sums = [np.bincount(network.components, values) for values in (value[1], noisy[1])]
    np.testing.assert_allclose(sums[0], sums[1], atol=1e-5)


@pytest.mark.parametrize("size", [1e-50, 1e100])
def test_the_answer_is_finite_at_the_ends_of_the_ranges(size):
    noisy = np.array([-1, 1, 0.5]) * size
    estimate = laplacian_smoothing(noisy, size, path_graph(3))
    expected = laplacian_smoothing(noisy / size, 1, path_graph(3))
    np.testing.assert_allclose(estimate.value, size * expected.value)
    np.testing.assert_allclose(estimate.sure, size**2 * expected.sure)
    assert np.isfinite(laplacian_smoothing([-1e100, 1e100, 1e100], 1e-50, graph(3, [[0, 1]])).sure)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([1, 2], 1, path_graph(3)), "the last axis of noisy must have the graph's 3 nodes, got 2"),
        (([1, 2, np.inf], 1, path_graph(3)), r"noisy must be in \[-1e100, 1e100\], got inf"),
        (([1, 2, 3], 0, path_graph(3)), r"sigma must be in \[1e-50, 1e100\], got 0"),
        (([1, 2, 3], 1, path_graph(3), -1), r"strength must be in \[0, 1e6\], got -1"),
        (([1, 2, 3], 1, path_graph(3), [1, 2]), r"strength must be one number or an array"),
    ],
)
def test_releases_that_cannot_be_smoothed_are_refused_in_a_sentence(arguments, message):
    with pytest.raises(ValueError, match=message):
        laplacian_smoothing(*arguments)
