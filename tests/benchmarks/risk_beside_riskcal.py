"""Noise multipliers of DP-SGD for a risk beside those of riskcal: numbers and processor time in one run.

python -m tests.benchmarks.risk_beside_riskcal        (where riskcal 1.5.1 is installed)

riskcal's trade-off function takes the losses of one direction from each of two discretised distributions, so its power
moves with the grid; the last column is the risk at each noise by dpcore's contour integral, which takes no grid.
"""

import time
from collections.abc import Callable

import numpy as np
from riskcal.calibration import dpsgd  # pyright: ignore[reportMissingImports]

from dpcore import risk
from dpcore.composition import exact_delta, sampled_release

RATE, STEPS = 0.002, 10_000
ADVANTAGE, POWER, ALPHA = 0.1, 0.05, 0.01


def timed(call: Callable[[], float]) -> tuple[float, float]:
    """Return a result and the processor time that it took, in seconds."""
    start = time.process_time()
    return float(call()), time.process_time() - start


def exact_risk(noise: float, kind: str) -> float:
    """Return the advantage, or the power at `ALPHA`, by the contour integral."""
    releases = [sampled_release(noise, RATE, STEPS)]
    if kind == "advantage":
        return float(exact_delta(releases, 0.0).value)
    losses = np.linspace(0, np.log(POWER / ALPHA), 201)
    return float(np.min(exact_delta(releases, losses).value + np.exp(losses) * ALPHA))


def main() -> None:
    """Print both libraries' noise, its processor time and the risk that it really leaves."""
    runs = {
        "advantage": (
            lambda: float(risk.dp_sgd_noise_multiplier_from_risk("advantage", ADVANTAGE, (), RATE, STEPS)),
            lambda: dpsgd.find_noise_multiplier_for_advantage(ADVANTAGE, RATE, STEPS),
        ),
        "power": (
            lambda: float(risk.dp_sgd_noise_multiplier_from_risk("power", POWER, (ALPHA,), RATE, STEPS)),
            lambda: dpsgd.find_noise_multiplier_for_err_rates(ALPHA, 1 - POWER, RATE, STEPS),
        ),
    }
    for kind, calls in runs.items():
        for library, call in zip(("dpcore", "riskcal"), calls, strict=True):
            noise, seconds = timed(call)
            print(f"{kind:10} {library:8} z = {noise:.5f} in {seconds:7.2f} s, risk {exact_risk(noise, kind):.6f}")


if __name__ == "__main__":
    main()
