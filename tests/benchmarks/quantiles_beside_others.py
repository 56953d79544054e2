"""A quantile beside OpenDP's and diffprivlib's: the error by simulation, the time of a release, and what fails.

python -m tests.benchmarks.quantiles_beside_others        (where opendp 0.16 and diffprivlib 0.6 are installed)

All have ε for a person who is added or removed, but diffprivlib, which has it for one who is replaced. dpcore and
OpenDP release one of the whole numbers of the range, diffprivlib any number. "exact" is the ± by dpcore without draws.
"""

import time
import warnings
from collections.abc import Callable
from functools import partial

import numpy as np
import opendp.prelude as dp  # pyright: ignore[reportMissingImports]
from diffprivlib import tools  # pyright: ignore[reportMissingImports]

from dpcore import quantiles
from dpcore.checks import Array

LOW, HIGH, EPSILON, N_DRAWS = 0, 600, 0.5, 400
MOST_SECONDS = 10.0  # of the draws of one library
CANDIDATES = np.arange(LOW, HIGH + 1.0)
Draw = Callable[[], float]


def waiting_times(n: int, ties: float) -> Array:
    """Return whole numbers of days, a share of which is 30."""
    rng = np.random.default_rng(1)
    values = np.rint(np.clip(rng.lognormal(np.log(30), 0.8, n), LOW, HIGH))
    values[: int(ties * n)] = 30.0
    return values


def draws_of(values: Array, level: float) -> dict[str, Callable[[], Draw]]:
    """Return for each library what makes its release of the values ready."""

    def own() -> Draw:
        rng = np.random.default_rng(2)
        return lambda: float(quantiles.sample(rng, values, level, EPSILON, quantiles.Grid(CANDIDATES)))

    def opendp() -> Draw:
        dp.enable_features("contrib")
        domain = dp.vector_domain(dp.atom_domain(T=float, nan=False))
        spaces = domain, dp.symmetric_distance(), dp.max_divergence()
        release = dp.m.make_private_quantile(*spaces, CANDIDATES, level, 2 * max(level, 1 - level) / EPSILON)
        return partial(release, values)

    def diffprivlib() -> Draw:
        return lambda: float(tools.quantile(values, level, epsilon=EPSILON, bounds=(LOW, HIGH)))

    return {"dpcore": own, "OpenDP": opendp, "diffprivlib": diffprivlib}


def measured(prepare: Callable[[], Draw], truth: float) -> str:
    """Return the 95 % error of up to `N_DRAWS` draws and the time of each, or how it fails."""
    start, errors = time.perf_counter(), []
    try:
        draw = prepare()
        while len(errors) < N_DRAWS and time.perf_counter() - start < MOST_SECONDS:
            errors.append(abs(draw() - truth))
    except Exception as error:  # whatever a library raises is what this program reports
        return f"fails after {len(errors)} draws: {type(error).__name__}: {str(error).splitlines()[0][:90]}"
    each = (time.perf_counter() - start) / len(errors)
    return f"±{np.quantile(errors, 0.95, method='higher'):8.4g} of {len(errors)} draws, {1e3 * each:9.2f} ms each"


def main() -> None:
    """Print the error, the time and the failures of each library on each list of values."""
    warnings.simplefilter("ignore")
    for n, ties, level in [(1, 0, 0.5), (100, 0, 0.5), (12_400, 0, 0.5), (12_400, 0, 0.9), (10**6, 0.8, 0.5)]:
        values = waiting_times(n, ties)
        truth, start = float(np.quantile(values, level)), time.perf_counter()
        exact = float(quantiles.half_width(values, level, EPSILON, quantiles.Grid(CANDIDATES)))
        seconds = time.perf_counter() - start
        print(f"n = {n:,}, {ties:.0%} ties, q = {level}: exact ±{exact:.4g} in {1e3 * seconds:.0f} ms")
        for name, prepare in draws_of(values, level).items():
            print(f"  {name:12} {measured(prepare, truth)}")


if __name__ == "__main__":
    main()
