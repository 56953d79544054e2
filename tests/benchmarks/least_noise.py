"""Print the variance of each noise beside the least of any noise at twenty (ε, δ), with the time of its bounds.

python -m tests.benchmarks.least_noise

Columns: Laplace, analytic Gaussian, the best shape p of the generalized Gaussian family, truncated Laplace noise, the
bounds on the least noise of any shape, upper ÷ lower − 1, the cells to each Δ (infinite where the lower bound is in
closed form), the processor time of the bounds, and how far the certified dual value of the whole-numbered program is
below the cost of its noise (a dash where it has too many rows). Then: the share of releases of truncated noise within
its half-width, and how many identify the person, for one number and for tables; and draws of the optimal noise.
"""

import time

import numpy as np

from dpcore import gaussian, sensitivity, tables, truncated_geometric, truncated_laplace
from dpcore.optimal_noise import floor_frame, integer_optimum, least_cost

EPSILONS, DELTAS = (0.01, 0.1, 1.0, 3.0), (1e-9, 1e-6, 1e-3, 0.01, 0.1)
HEADS = ("epsilon", "delta", "Laplace", "Gaussian", "best p", "trunc. Laplace", "at least", "at most", "gap", "D", "s")
DRAWS = 200_000


def integer_gap(epsilon: float, delta: float) -> str:
    """Return the relative gap between the cost of the best whole-numbered noise and its certified bound, at Δ = 1."""
    if 2 * (float(truncated_laplace.bound_from_epsilon(epsilon, delta)) + 4) > 4000:
        return "-"
    best = integer_optimum(epsilon, delta)
    return f"{best.cost / best.lower - 1:.1e}"


def row(epsilon: float, delta: float) -> str:
    """Return one row of the table."""
    start = time.process_time()
    bounds = least_cost(epsilon, delta)
    seconds = time.process_time() - start
    others = floor_frame(epsilon, delta).iloc[0]
    sigma = float(gaussian.analytic_sigma(epsilon, delta))
    sizes = (2 / epsilon**2, sigma**2, others["best"], others["truncated"], bounds.lower, bounds.upper)
    gap = bounds.upper / bounds.lower - 1
    numbers = [f"{size:14.6g}" for size in sizes]
    return " ".join([f"{epsilon:7g} {delta:7g}", *numbers, f"{gap:8.1e} {bounds.cells:5.3g} {seconds:6.3f}"])


def simulated(epsilon: float, delta: float) -> str:
    """Return the coverage of the 95 % half-width and the share of identifying releases for both truncated noises."""
    parts = []
    for family in (truncated_laplace, truncated_geometric):
        bound, scale = family.bound_from_epsilon(epsilon, delta), family.scale_from_epsilon(epsilon)
        draws = family.sample(np.random.default_rng(1), bound, scale, DRAWS)
        within = np.mean(abs(draws) <= family.half_width(0.05, bound, scale))
        identify_share = np.mean(draws < 1 - bound)
        true = float(family.delta_from_bound(epsilon, bound, scale))
        parts.append(f"{within:.4f} within, {identify_share:.5f} identify (δ = {true:.5f})")
    return f"{epsilon:g}, {delta:g}: " + "; ".join(parts)


def simulated_cells(per_person: int, n_cells: int, n_releases: int) -> str:
    """Return how often all cells of a release are within the simultaneous 95 % ±,
    and how often it identifies the person.
    """
    keys = ("truncated_geometric",)
    (noise,) = tables.mechanisms(0.3, 0.01, sensitivity.table_sensitivity(per_person), keys=keys)
    rng, half_width = np.random.default_rng(1), noise.half_width(1 - 0.95 ** (1 / n_cells))
    bound, scale = noise.parameters
    draws = truncated_geometric.sample(rng, bound, scale, (n_releases, n_cells))
    within = np.mean(np.all(abs(draws) <= half_width, axis=1))
    identify_share = np.mean(np.any(draws[:, :per_person] > noise.hard_limit - 1, axis=1))
    table = f"{n_cells} cells, {per_person} per person: ±{half_width:g} of ±{noise.hard_limit:g}"
    return f"{table}: {within:.4f} within, {identify_share:.4f} identify (at most 0.01)"


def simulated_optimum(epsilon: float, delta: float) -> str:
    """Return the variance of draws of the optimal whole-numbered noise beside the optimum, and its δ by plain sums."""
    best = integer_optimum(epsilon, delta)
    k = np.arange(best.pmf.size) - best.pmf.size // 2
    draws = np.random.default_rng(1).choice(k, DRAWS, p=best.pmf / best.pmf.sum())
    own, moved = np.append(best.pmf, 0), np.append(0, best.pmf)
    plain = float(np.maximum(own - np.exp(epsilon) * moved, 0).sum())
    variances = f"variance {best.cost:.5f}, drawn {np.var(draws):.5f}"
    return f"optimum at {epsilon:g}, {delta:g}: {variances}, δ by sums {plain:.12g}"


if __name__ == "__main__":
    print(" ".join(HEADS), "integer gap")
    for epsilon in EPSILONS:
        for delta in DELTAS:
            print(row(epsilon, delta), integer_gap(epsilon, delta), flush=True)
    for epsilon, delta in ((0.1, 0.01), (1.0, 0.1), (3.0, 0.001)):
        print(simulated(epsilon, delta), flush=True)
        print(simulated_optimum(epsilon, delta), flush=True)
    for setting in ((1, 12, 20_000), (3, 12, 20_000), (3, 1000, 2000)):
        print(simulated_cells(*setting), flush=True)
