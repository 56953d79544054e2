"""Measure the processor time and additional memory of composing curves with extreme parameters.

python -m tests.benchmarks.composition_cost
"""

import resource
import subprocess
import sys
import time

from dpcore.tradeoff import smallest_epsilon, smallest_mu
from dpcore.tradeoff.curve import Curve

MAKERS = {
    "gaussian_curve": ["1e-6", "1", "1e3"],
    "epsilon_delta_curve": ["1e-12", "0.02", "1", "1e5", "0.02, 1e-9", "1, 0.5", "0, 1e-12", "1e6, 1"],
    "laplace_curve": ["1e-12", "0.001", "1", "1e3", "1e6"],
    "geometric_curve": ["1e-6, 1", "0.1, 7", "1, 10_000", "1e5, 10_000", "0.1, 9973"],
    "generalized_gaussian_curve": ["1.01, 2", "3, 100", "3, 1e12", "3, 0.1", "100, 2", "100, 1e-6"],
    "zcdp_curve": ["1e-12", "1e-6", "1", "1e5"],
    "points_curve": ["[0.01, 0.05, 0.25], [0.95, 0.8, 0.45]", "[0, 0.1, 1], [0.999, 0.7, 0]", "[0, 1], [0, 0]"],
}
COUNTS = [2, 100, 10_000, 1_000_000]
SUBSAMPLED = [
     (sigma, rate, steps) for sigma in ("0.2", "1", "1e4") for rate in ("1e-300", "1e-9", "0.01", "0.99", "0.999999")
    for steps in ("1", "1000", "1_000_000")
]  # fmt: skip


def used() -> tuple[float, float]:
    """Return the processor time in seconds (user and system) and the peak memory in MB."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def measured(recipe: str) -> str:
    """Return a row of the table: the cost of a curve and of the numbers that a page reads from it."""
    import dpcore.tradeoff as tradeoff

    seconds, memory = used()
    try:
        curve: Curve = eval(recipe, dict(vars(tradeoff)))
        outcome = f"ε {float(smallest_epsilon(curve, 1e-6)):.6g}, μ {smallest_mu(curve).mu:.4g}"
    except ValueError as error:
        outcome = str(error)
    after, peak = used()
    return f"{after - seconds:6.2f} s {peak - memory:6.0f} MB  {recipe}: {outcome}"


def recipes() -> list[str]:
    """Return all curves that are measured."""
    single = [f"{maker}({arguments})" for maker, make_release in MAKERS.items() for arguments in make_release]
    composed = [f"composed_curve([{recipe_text}], [{n}])" for recipe_text in single for n in COUNTS]
    mixed = [f"composed_curve([{', '.join(single[4:20:2])}], [{', '.join(['1000'] * 8)}])"]
    return single + composed + mixed + [f"subsampled_gaussian_curve({', '.join(kind)})" for kind in SUBSAMPLED]


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(measured(sys.argv[1]))
    else:
        start = time.perf_counter()
        for recipe in recipes():
            command = [sys.executable, "-W", "error", "-m", "tests.benchmarks.composition_cost", recipe]
            print(subprocess.run(command, capture_output=True, text=True).stdout.strip() or f"FAILED {recipe}")
        print(f"{time.perf_counter() - start:.0f} s in all")
