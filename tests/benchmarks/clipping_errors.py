"""Compare the errors of a clipped sum with a million simulated releases of each noise.

    .venv/bin/python -m tests.benchmarks.clipping_errors

For each noise and pair of bounds it prints the root mean square error, the mean absolute error and the share of
releases beyond the 90 % half-width, each as computed, as simulated, and their difference in standard errors. Noise on
the whole numbers has a share below 0.1, since its half-width is a step.
"""

import numpy as np

from dpcore.checks import Array
from dpcore.clipping import NOISES, sum_error
from tests.clipping_cases import SKEWED, delta_of, noise_samples

N_RELEASES = 1_000_000
BOUNDS = ((0, 60), (10, 1000), (-5, 2))


def compared(computed: float, values: Array, power: float = 1.0) -> str:
    """Return a number as computed, the simulated mean to a power, and their difference in standard errors."""
    mean, deviation = float(np.mean(values)), float(np.std(values)) / np.sqrt(values.size)
    differences = (computed ** (1 / power) - mean) / deviation
    return f"{computed:10.5g} {mean**power:10.5g} {differences:6.2f}"


def main() -> None:
    """Print the table."""
    print(f"{'noise':<18} {'bounds':>12} {'root mean square':>28} {'mean absolute':>28} {'share beyond ±':>28}")
    for noise in NOISES:
        for low, high in BOUNDS:
            rng = np.random.default_rng(7)
            error = sum_error(SKEWED, low, high, 0.8, noise, delta=delta_of(noise, 0.01), significance=0.1)
            sizes = np.asarray(abs(float(error.bias) + noise_samples(noise, rng, error, N_RELEASES)), np.float64)
            cells = (
                compared(float(error.root_mean_square_error), np.square(sizes), 0.5),
                compared(float(error.mean_absolute_error), sizes),
                compared(0.1, np.where(sizes > float(error.half_width) * (1 + 1e-9), 1.0, 0.0)),
            )
            print(f"{noise:<18} {f'[{low}, {high}]':>12} {' '.join(cells)}", flush=True)


if __name__ == "__main__":
    main()
