"""Repeat experiments 5.1 and 5.2 of Balle & Wang: their results, the settings where an ordering differs, and the cost.

python -m tests.benchmarks.means
"""

import time
from collections.abc import Callable

import numpy as np
import pandas as pd
import pywt

from dpcore.denoise import (
    MEAN_MECHANISMS,
    least_delta_removing,
    mean_estimation,
    mean_estimation_orderings,
    variance_ratios,
    wavelet,
)

DIMENSIONS = (10, 20, 50, 100, 200, 500, 1000, 2000)
REVERSED = "reversed"
VERDICTS = ("as published", "too close", REVERSED)
EPSILONS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)


def orderings(results: pd.DataFrame) -> pd.DataFrame:
    """Return for each pair how often its order was reproduced, and the settings where it was reversed."""
    verdicts_by_pair: dict[str, dict[str, list[str]]] = {}
    for row in mean_estimation_orderings(results).to_dict("records"):
        verdicts = verdicts_by_pair.setdefault(f"{row['nearer']} < {row['farther']}", {kind: [] for kind in VERDICTS})
        verdicts[row["verdict"]].append(f"{row['dimension']}@{row['epsilon']:g}")
    lines = {
        pair: {kind: len(places) for kind, places in verdicts.items()}
        | {"reversed at d@ε": " ".join(verdicts[REVERSED])}
        for pair, verdicts in verdicts_by_pair.items()
    }
    return pd.DataFrame.from_dict(lines, orient="index")


def seconds(call: Callable[..., object], *arguments: object) -> float:
    """Return the least of five timings."""
    times = []
    for _ in range(5):
        start = time.perf_counter()
        call(*arguments)
        times.append(time.perf_counter() - start)
    return min(times)


def main() -> None:
    """Print the tables."""
    frame = variance_ratios([0.01, 0.1, 0.5, 0.9, 1], [1e-10, 1e-7, 1e-5, 1e-3, 1e-1])
    print("5.1: share of the classical variance that exact calibration removes")
    print(frame.pivot_table(index="delta", columns="epsilon", values="removed").round(3).to_string())
    print(f"at least a third at ε = 1: δ ≥ {least_delta_removing():.4g}; half: δ ≥ {least_delta_removing(1 / 2):.4g}\n")
    start = time.perf_counter()
    results = mean_estimation(np.random.default_rng(1), DIMENSIONS, EPSILONS, 1e-4)
    print(f"5.2: {len(DIMENSIONS)} dimensions × {len(EPSILONS)} ε × 100 repeats: {time.perf_counter() - start:.1f} s")
    for epsilon in (0.01, 0.1, 1.0):
        part = results[results["epsilon"] == epsilon]
        table = part.pivot_table(index="dimension", columns="mechanism", values="error_mean")[list(MEAN_MECHANISMS)]
        table = table.assign(zero=part.groupby("dimension")["norm_mean"].first())
        print(f"mean error at ε = {epsilon:g}\n{table.map('{:.4g}'.format).to_string()}")
    print(orderings(results).to_string())
    rng = np.random.default_rng(1)
    print("\nwavelet() in units of one transform there and back by PyWavelets: universal, sure")
    for shape, axes in (((4096,), 1), ((1_000_000,), 1), ((1000, 1000), 2), ((1000, 64), 1)):
        noisy = rng.normal(size=shape)
        for name in ("haar", "sym8"):
            floor = seconds(there_and_back, noisy, name, axes)
            ratios = [seconds(wavelet, noisy, 1.0, name, rule, axes) / floor for rule in ("universal", "sure")]
            print(f"{shape} {name}: {1e3 * floor:.2f} ms, {ratios[0]:.1f}, {ratios[1]:.1f}")


def there_and_back(values: np.ndarray, name: str, axes: int) -> None:
    """Apply PyWavelets' multilevel transform and its inverse."""
    if axes == 1:
        pywt.waverec(pywt.wavedec(values, name, "periodization"), name, "periodization")
    else:
        pywt.waverec2(pywt.wavedec2(values, name, "periodization"), name, "periodization")


if __name__ == "__main__":
    main()
