"""Compare simultaneous half-widths with 10⁶ simulated releases and print a table, in about two minutes.

Run `python -m tests.benchmarks.simultaneous`, with a number of releases behind it for another number. A person is in
three cells, at ε = 1, δ = 1e-6; 95 % of releases should have all of their m errors within ±a. Whole-numbered noise
takes steps: the share within ±(a − 1) stands beside, and is below 95 %. The discrete Gaussian is drawn from a table of
its density, e^{−k²/(2σ²)} over its sum, as its exact sampler would take hours.
"""

import sys

import numpy as np

from dpcore.accuracy import each_significance
from dpcore.mechanism import Mechanism
from dpcore.sensitivity import table_sensitivity
from dpcore.tables import mechanisms

SIGNIFICANCE = 0.05
KEYS = ("laplace", "geometric", "analytic", "discrete_gaussian")
MOST_DRAWS = 4_000_000  # at once


def largest_errors(noise: Mechanism, n_cells: int, n_releases: int, rng: np.random.Generator) -> np.ndarray:
    """Return the largest of the m errors of each release."""
    rows = max(1, MOST_DRAWS // n_cells)
    sizes = [min(rows, n_releases - start) for start in range(0, n_releases, rows)]
    return np.concatenate([np.max(errors(noise, (size, n_cells), rng), axis=1) for size in sizes])


def errors(noise: Mechanism, size: tuple[int, int], rng: np.random.Generator) -> np.ndarray:
    """Return draws of |noise|."""
    if noise.key != "discrete_gaussian":
        return abs(noise.sample(rng, size))
    k = np.arange(int(12 * noise.scale))
    mass = np.where(k > 0, 2, 1) * np.exp(-((k / noise.scale) ** 2) / 2)
    return np.searchsorted(np.cumsum(mass)[:-1], rng.random(size) * mass.sum(), side="right")


def main(n_releases: int) -> None:
    rng = np.random.default_rng(20261122)
    noises = [noise for noise in mechanisms(1.0, 1e-6, table_sensitivity(3)) if noise.key in KEYS]
    error = np.sqrt(SIGNIFICANCE * (1 - SIGNIFICANCE) / n_releases)
    print(f"{n_releases:,} releases; standard error of a share {100 * error:.3f} %")
    print(f"{'cells':>5} {'noise':20} {'± each':>9} {'± all':>9} {'union':>9} {'within ± all':>13} {'a step less':>12}")
    for n_cells in (1, 12, 1000):
        significance = each_significance(SIGNIFICANCE, n_cells)
        for noise in noises:
            a = noise.half_width(significance)
            largest = largest_errors(noise, n_cells, n_releases, rng)
            widths = f"{noise.half_width(SIGNIFICANCE):9.4f} {a:9.4f} {noise.half_width(SIGNIFICANCE / n_cells):9.4f}"
            less = f"{100 * np.mean(largest <= a - 1):11.3f} %" if noise.whole else ""
            print(f"{n_cells:5} {noise.name:20} {widths} {100 * np.mean(largest <= a):11.3f} % {less}", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
