"""Trend filtering: optimal by a certificate, and with the degrees of freedom that its derivatives add up to."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import linprog
from scipy.sparse import block_array, csc_array, csr_array, eye_array

from dpcore.denoise import _fused, graph_wavelet, trend_filtering
from dpcore.graphs import Graph, graph, grid_graph, path_graph

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
RNG = np.random.default_rng(5)
GRAPHS = {
    "loose": graph(40, RNG.integers(0, 36, (60, 2))),  # of several components
    "path": path_graph(30),
    "grid": grid_graph(5, 6),
    "star": graph(25, [[7, index] for index in range(25)]),
    "full": graph(12, [[index, other] for index in range(12) for other in range(index)]),
}


def release(network: Graph, seed: int = 1) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return rng.poisson(3, network.n_nodes) + rng.normal(size=network.n_nodes)


def incidence(network: Graph) -> csr_array:
    """Return the m × n matrix D with (Db)ₑ = b_u − b_v for the edge e = (u, v), u < v."""
    rows, signs = np.repeat(np.arange(network.n_edges), 2), np.tile([1.0, -1.0], network.n_edges)
    return csr_array((signs, (rows, network.edges.ravel())), shape=(network.n_edges, network.n_nodes))


def least_bound(network: Graph, noisy: np.ndarray, value: np.ndarray, strength: float) -> float:
    """Return the least t with ŷ − b = Dᵀu, u = λ·sign(Db) where that is not 0 and |u| ≤ t elsewhere:
    b is optimal if ≤ λ.
    """
    matrix = incidence(network)
    differences = matrix @ value
    fused = np.abs(differences) < 1e-9
    residual = noisy - value - matrix.T @ np.where(fused, 0, strength * np.sign(differences))
    n_fused = int(fused.sum())
    free = matrix[np.flatnonzero(fused)].T
    bounds = block_array([[eye_array(n_fused), -np.ones((n_fused, 1))], [-eye_array(n_fused), -np.ones((n_fused, 1))]])
    program = linprog(
        np.append(np.zeros(n_fused), 1.0),
        A_ub=bounds,
        b_ub=np.zeros(2 * n_fused),
        A_eq=block_array([[free, csc_array((network.n_nodes, 1))]]),
        b_eq=residual,
        bounds=[(None, None)] * n_fused + [(0, None)],
    )
    return program.fun if program.status == 0 else np.inf


@pytest.mark.parametrize("name", GRAPHS)
@pytest.mark.parametrize("strength", [0.05, 0.5, 2, 30])
def test_the_value_is_optimal_by_a_dual_certificate(name, strength):
    network = GRAPHS[name]
    noisy = release(network)
    value = trend_filtering(noisy, 1, network, strength).value
    assert least_bound(network, noisy, value, strength) <= strength * (1 + 1e-7)


def test_a_long_path_with_a_great_strength_is_solved_from_the_whole_graph_down():
    strength = 300.0
    noisy = np.cumsum(np.random.default_rng(6).normal(size=3000))
    value = trend_filtering(noisy, 1, path_graph(3000), strength).value
    flow, step = np.cumsum(noisy - value), np.diff(value)  # of each edge of a path there is one flow
    assert np.abs(flow).max() <= strength * (1 + 1e-7)
    np.testing.assert_allclose(flow[:-1][step != 0], -strength * np.sign(step[step != 0]))
    assert 1 < np.count_nonzero(step) < 300


def test_groups_whose_border_is_just_as_good_dissolved_are_one():
    estimate = trend_filtering([0, 1, 3, 1, 3, 3, 0, 3, 0, 0], 1, path_graph(10), 2)
    np.testing.assert_allclose(estimate.value, [*[1.5] * 8, 1, 1])
    residual = np.sum((estimate.value - [0, 1, 3, 1, 3, 3, 0, 3, 0, 0]) ** 2)
    np.testing.assert_allclose(estimate.sure, 2 * 2 - 10 + residual)


@pytest.mark.parametrize("most_dissolutions", [1, 6])
@pytest.mark.parametrize("name", GRAPHS)
def test_wrong_proposals_of_the_groups_change_no_solution(name, most_dissolutions, monkeypatch):
    network, strengths, rng = GRAPHS[name], np.array([0.05, 0.5, 2, 30]), np.random.default_rng(8)
    values, n_groups = _fused.fused_solutions(release(network), network, strengths)

    monkeypatch.setattr(_fused, "_MOST_DISSOLUTIONS", most_dissolutions)  # after the first one all begins again
    wrong_flow = rng.integers(-1, 2, (len(strengths), network.n_edges)).astype(float)
    other_values, other_n_groups = _fused.fused_solutions(release(network), network, strengths, wrong_flow)
    np.testing.assert_allclose(other_values, values, atol=1e-12)
    np.testing.assert_array_equal(other_n_groups, n_groups)


@pytest.mark.parametrize("apart", [1e-6, 0, -1e-6])
def test_two_nodes_are_one_group_unless_more_than_two_strengths_apart(apart):
    strength = 3.0
    estimate = trend_filtering([0, 2 * strength + apart], 1, path_graph(2), strength)
    gap, mean = max(apart, 0), strength + apart / 2
    np.testing.assert_allclose(estimate.value, [mean - gap / 2, mean + gap / 2])
    n_groups = 2 if gap else 1
    lost = np.sum((estimate.value - [0, 2 * strength + apart]) ** 2)
    np.testing.assert_allclose(estimate.sure, 2 * n_groups - 2 + lost)


def test_a_small_difference_is_found_beside_a_hub_of_many_edges():
    hub = [[0, node] for node in range(1, 2000)]
    noisy = np.concatenate([[2000.0, 1 + 1e-4], np.ones(1998)])  # the hub stays far above all
    estimate = trend_filtering(noisy, 1, graph(2000, hub), 0.25)
    assert estimate.value[1] - estimate.value[2] == pytest.approx(1e-4)
    assert estimate.value[2] == pytest.approx(1.25)


def test_the_certificate_refuses_a_value_that_is_not_optimal():
    network = GRAPHS["grid"]
    noisy = release(network)
    value = trend_filtering(noisy, 1, network, 1.01).value
    assert least_bound(network, noisy, value, 1) > 1 + 1e-7


@pytest.mark.parametrize(
    ("name", "strength"), [("loose", 0.3), ("path", 1.5), ("grid", 0.8), ("star", 0.5), ("full", 0.2)]
)
def test_the_divergence_is_the_sum_of_the_derivatives(name, strength):
    network, step = GRAPHS[name], 1e-6
    noisy = release(network, 2)
    estimate = trend_filtering(noisy, 1, network, strength)
    moved = trend_filtering(noisy + step * np.eye(network.n_nodes), 1, network, strength).value
    divergence = np.sum(np.diag(moved - estimate.value)) / step
    risk = 2 * divergence - network.n_nodes + np.sum((estimate.value - noisy) ** 2)
    np.testing.assert_allclose(estimate.sure, risk, atol=1e-6)


def test_sure_is_unbiased_within_five_standard_errors():
    small, n_copies, n_releases, sigma = grid_graph(3, 4), 150, 30, 1.5
    copies = (small.edges + 12 * np.arange(n_copies)[:, None, None]).reshape(-1, 2)  # solved at once
    network, rng = graph(12 * n_copies, copies), np.random.default_rng(3)
    truth = np.tile([0, 0, 5, 5, 0, 1, 5, 9, 0, 0, 5, 5], n_copies)
    noisy = truth + sigma * rng.normal(size=(n_releases, truth.size))
    estimate = trend_filtering(noisy, sigma, network, 1)
    off = estimate.sure - np.sum((estimate.value - truth) ** 2, axis=-1)
    error = off.std(ddof=1) / np.sqrt(n_releases)
    assert abs(off.mean()) < 5 * error
    assert error < 0.01 * sigma**2 * truth.size  # so that the test can fail


def test_a_strength_of_nought_changes_nothing_and_a_great_one_gives_each_component_its_mean():
    network = GRAPHS["loose"]
    noisy = release(network)
    none, great = trend_filtering(noisy, 2, network, 0), trend_filtering(noisy, 2, network, 1e100)
    np.testing.assert_allclose(none.value, noisy)
    np.testing.assert_allclose(none.sure, 4 * network.n_nodes)
    means = np.bincount(network.components, noisy) / np.bincount(network.components)
    np.testing.assert_allclose(great.value, means[network.components])
    assert network.n_components > 1


def test_the_chosen_strength_has_the_least_sure_of_those_tried():
    network = grid_graph(8, 8)
    sigma = np.array([1.0, 1.0, 0.5])
    noisy = np.repeat([0, 9], 32) + sigma[:, None] * np.random.default_rng(7).normal(size=(3, 64))
    chosen = trend_filtering(noisy, sigma, network)
    tried = [trend_filtering(noisy, sigma, network, factor * sigma).sure for factor in [0, *2.0 ** np.arange(-3, 8)]]
    np.testing.assert_allclose(chosen.sure, np.min(tried, axis=0))
    assert (chosen.sure < 0.5 * 64 * sigma**2).all()


def test_the_search_ends_when_three_strengths_in_a_row_were_no_better():
    network = path_graph(40)
    noisy = 1e6 * np.arange(40.0)  # at each λ below 1e6 all differ, and only the ends are moved
    assert trend_filtering(noisy, 1, network).tuning == 0


def test_a_strength_that_is_no_better_does_not_end_the_search():
    noisy = [0.2, -0.2, 1.2, 0.2, -1.0, 0.8, 2.6, 1.8, -1.4, -2.6, -1.2, 0.0]
    at_an_eighth, at_two = (trend_filtering(noisy, 1, path_graph(12), strength).sure for strength in (0.125, 2))
    assert at_an_eighth > 12 > at_two  # at 0 it is 12
    np.testing.assert_allclose(trend_filtering(noisy, 1, path_graph(12)).sure, at_two)


def test_a_graph_without_edges_is_left_as_released():
    estimate = trend_filtering([1, 2, 3], 2, graph(3, []))
    assert estimate.value.tolist() == [1, 2, 3]
    assert estimate.sure == 12
    assert estimate.tuning == 0


@pytest.mark.parametrize("size", [1e-50, 1e100])
def test_the_answer_follows_the_unit_to_the_ends_of_the_ranges(size):
    noisy = np.array([-1, 1, 0.5, 0.25])
    estimate, expected = trend_filtering(noisy * size, size, path_graph(4)), trend_filtering(noisy, 1, path_graph(4))
    np.testing.assert_allclose(estimate.value, size * expected.value)
    np.testing.assert_allclose(estimate.sure, size**2 * expected.sure)


def test_numbers_of_very_unlike_sizes_have_a_finite_answer():
    for strength in (1e-300, 1e-50, 1.0, 1e50, None):
        estimate = trend_filtering([-1e100, 1e100, 1e100, 1, 0], 1e-50, graph(5, [[0, 1], [1, 2], [3, 4]]), strength)
        assert np.isfinite(estimate.value).all()
        assert np.isfinite(estimate.sure)


@pytest.mark.skipif(not DATA.is_dir(), reason="the shared data sets are not beside this clone")
def test_on_manhattans_counts_trend_filtering_beats_graph_wavelets_and_both_the_release():
    roads = graph(3874, pd.read_csv(DATA / "manhattan_edges.csv")[["u", "v"]].to_numpy())
    assert (roads.n_edges, roads.n_components) == (7041, 1)  # 7,070 without 4 loops and 25 pairs told twice
    truth = pd.read_csv(DATA / "manhattan_counts.csv").sort_values("node_id")["pickups_tlc2013"].to_numpy()
    sigma = 4.2248  # Δ₂ = 1, ε = 1, δ = 10⁻⁶
    noisy = truth + sigma * np.random.default_rng(1).normal(size=3874)
    by_method = {rule: graph_wavelet(noisy, sigma, roads, rule) for rule in ("universal", "sure")}
    by_method["filtering"] = trend_filtering(noisy, sigma, roads)
    error = {name: np.sqrt(np.mean((estimate.value - truth) ** 2)) for name, estimate in by_method.items()}
    assert error["filtering"] < 0.95 * error["sure"]
    assert error["sure"] < 0.9 * error["universal"] < 0.8 * sigma


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([1, 2], 1, path_graph(3)), "the last axis of noisy must have the graph's 3 nodes, got 2"),
        (([1, 2, 3], 1, path_graph(3), -1), r"strength must be in \[0, 1e100\], got -1"),
    ],
)
def test_releases_that_cannot_be_filtered_are_refused_in_a_sentence(arguments, message):
    with pytest.raises(ValueError, match=message):
        trend_filtering(*arguments)
