"""Measure the error of each estimator on Manhattan's counts at several ε, and its time beside its library's minimum.

    python -m tests.benchmarks.manhattan [--epsilon 1 0.2] [--cap 5] [--columns pickups_18h pickups_tlc2013]

Neighbours differ in all trips of one driver, of which at most `cap` count: at worst all at one junction, so Δ₂ = cap.
(The paper's own Δ₂ is lost from its text.) σ is the analytic mechanism's at δ = 10⁻⁶. RMSE is √(Σ(ŷ − y)²/n), its mean
and standard error over 20 releases; the last column is the share of releases in which SURE, from the release alone,
puts the estimator first. Times are of the processor, for one release, the graph's own work (factors, traces, basis)
apart. No time is asserted.
"""

import argparse
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import pywt
from scipy.sparse import csc_array, eye_array
from scipy.sparse.linalg import splu

from dpcore.checks import Array
from dpcore.denoise import (
    Estimate,
    graph_wavelet,
    james_stein,
    laplacian_smoothing,
    non_negative,
    sureshrink,
    trend_filtering,
    unchanged,
    universal_soft,
)
from dpcore.gaussian import analytic_sigma
from dpcore.graphs import Graph, graph

DATA = Path(__file__).parents[2] / "../shared/data"
DELTA = 1e-6
N_RELEASES = 20


def manhattan() -> tuple[Graph, pd.DataFrame]:
    """Return the road graph and the counts of its junctions, in the order of their numbers."""
    nodes = pd.read_csv(DATA / "manhattan_nodes.csv")["node_id"]
    edges = pd.read_csv(DATA / "manhattan_edges.csv")[["u", "v"]].to_numpy()
    counts = pd.read_csv(DATA / "manhattan_counts.csv").set_index("node_id").loc[nodes]
    return graph(len(nodes), edges), counts


def estimators(roads: Graph) -> dict[str, Callable[[Array, float], Estimate]]:
    """Return the estimators that are compared, by name."""
    return {
        "as released": unchanged,
        "non-negative": non_negative,
        "James–Stein": james_stein,
        "soft, universal": universal_soft,
        "soft, SURE": sureshrink,
        "graph wavelets, universal": partial(graph_wavelet, graph=roads),
        "graph wavelets, SURE": partial(graph_wavelet, graph=roads, rule="sure"),
        "Laplacian smoothing, SURE": partial(laplacian_smoothing, graph=roads),
        "trend filtering, SURE": partial(trend_filtering, graph=roads),
    }


def seconds(work: Callable[[], object]) -> float:
    """Return the processor time of one call in seconds."""
    start = time.process_time()
    work()
    return time.process_time() - start


def compare(truth: Array, sigma: float, roads: Graph) -> None:
    """Print a row for each estimator."""
    rng = np.random.default_rng(13)
    releases = truth + sigma * rng.standard_normal((N_RELEASES, truth.size))
    rows, sures = {}, {}
    for name, estimator in estimators(roads).items():
        estimator(releases[0], sigma)
        start = time.process_time()
        estimates = [estimator(release, sigma) for release in releases]
        spent = (time.process_time() - start) / N_RELEASES
        errors = np.array([np.sqrt(np.mean((estimate.value - truth) ** 2)) for estimate in estimates])
        sures[name] = np.array([estimate.sure for estimate in estimates])
        estimated = np.sqrt(np.maximum(sures[name], 0).mean() / truth.size)
        rows[name] = (errors.mean(), errors.std(ddof=1) / np.sqrt(N_RELEASES), estimated, 1000 * spent)
    first = np.argmin(list(sures.values()), axis=0)
    print(f"{'':28}   RMSE    s.e.  √(SURE/n)  ms  first by SURE")
    for place, (name, (error, spread, estimated, spent)) in enumerate(rows.items()):
        print(f"{name:28} {error:6.3f} {spread:7.3f} {estimated:8.3f} {spent:7.2f}  {np.mean(first == place):5.0%}")


def floors(roads: Graph) -> None:
    """Print the time of preparing the graph, and of one transform and one solve by the library."""
    noisy = np.random.default_rng(1).standard_normal(roads.n_nodes)
    for name in ("graph wavelets, SURE", "Laplacian smoothing, SURE", "trend filtering, SURE"):
        print(
            f"{name}, the graph's first release: {1000 * seconds(lambda n=name: estimators(roads)[n](noisy, 1)):.1f} ms"
        )
    matrix = csc_array(eye_array(roads.n_nodes) + roads.laplacian)
    factor = splu(matrix)
    hundred = range(100)
    transform = seconds(lambda: [pywt.wavedec(noisy, "haar") for _ in hundred]) / 100
    solve = seconds(lambda: [factor.solve(noisy) for _ in hundred]) / 100
    print(
        f"floors: Haar transform {1000 * transform:.2f} ms, factor {1000 * seconds(lambda: splu(matrix)):.1f} ms,",
        end=" ",
    )
    print(f"solve with it {1000 * solve:.2f} ms")


def main() -> None:
    """Print all tables."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--epsilon", nargs="+", type=float, default=[1, 0.2])
    parser.add_argument("--cap", type=int, default=5)
    parser.add_argument("--columns", nargs="+", default=["pickups_18h", "pickups_tlc2013"])
    options = parser.parse_args()
    roads, counts = manhattan()
    print(f"{roads.n_nodes} junctions, {roads.n_edges} sections of road")
    floors(roads)
    for column in options.columns:
        truth = counts[column].to_numpy(dtype=float)
        for epsilon in options.epsilon:
            sigma = float(analytic_sigma(epsilon, DELTA, options.cap))
            print(f"\n{column}: mean {truth.mean():.3f}, s.d. {truth.std():.3f}; ε = {epsilon:g}, σ = {sigma:.2f}")
            compare(truth, sigma, roads)


if __name__ == "__main__":
    main()
