"""Print the variance of each noise beside the least of any noise at twenty (ε, δ), with the time of each program.

python -m tests.benchmarks.least_noise

Columns: Laplace, analytic Gaussian, the best shape p of the generalized Gaussian family, truncated Laplace noise, the
bounds on the least noise of any shape, upper ÷ lower − 1, the cells to each Δ, the processor time of the program, and
how far the certified dual value of the whole-numbered program is below the cost of its noise (a dash where it has too
many rows). Then: the share of releases of truncated noise within its half-width, and how many identify the person.
"""

import time

import numpy as np

from dpcore import gaussian, truncated_geometric, truncated_laplace
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
        shown = np.mean(draws < 1 - bound)
        true = float(family.delta_from_bound(epsilon, bound, scale))
        parts.append(f"{within:.4f} within, {shown:.5f} identify (δ = {true:.5f})")
    return f"{epsilon:g}, {delta:g}: " + "; ".join(parts)


if __name__ == "__main__":
    print(" ".join(HEADS), "integer gap")
    for epsilon in EPSILONS:
        for delta in DELTAS:
            print(row(epsilon, delta), integer_gap(epsilon, delta), flush=True)
    for epsilon, delta in ((0.1, 0.01), (1.0, 0.1), (3.0, 0.001)):
        print(simulated(epsilon, delta), flush=True)
