"""Compare the rule of thumb for an upper bound with the best bound, over ε and six distributions.

    .venv/bin/python -m tests.benchmarks.rule_of_thumb

For each distribution (10,000 values) and ε it prints the best bound for the mean absolute error of a sum with Laplace
noise, the bound that 1/ε values exceed, and by how much the error there is larger; 2 is the proved limit.
"""

import numpy as np

from dpcore import clipping

N_VALUES = 10_000
EPSILONS = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0)
DISTRIBUTIONS = {
    "lognormal(10, 1)": clipping.lognormal(10, 1, N_VALUES),
    "lognormal(3, 0.3)": clipping.lognormal(3, 0.3, N_VALUES),
    "exponential(5)": clipping.exponential(5, N_VALUES),
    "pareto(2, 1)": clipping.pareto(2, 1, N_VALUES),
    "uniform(0, 100)": clipping.uniform(0, 100, N_VALUES),
    "1, …, 10,000": np.arange(1.0, N_VALUES + 1),
}


def main() -> None:
    """Print the table."""
    print(f"{'values':<18}" + "".join(f"{f'ε = {epsilon:g}':>28}" for epsilon in EPSILONS))
    for name, values in DISTRIBUTIONS.items():
        cells = []
        for epsilon in EPSILONS:
            best = clipping.best_bounds(values, epsilon, low=0, error="mean_absolute")
            thumb = float(clipping.rule_of_thumb(values, epsilon))
            error = float(clipping.sum_error(values, 0, thumb, epsilon).mean_absolute_error)
            cells.append(f"{best.high:>11.4g} {thumb:>10.4g} {error / best.mean_absolute_error:>5.3f}")
        print(f"{name:<18}" + "".join(f"{cell:>28}" for cell in cells))


if __name__ == "__main__":
    main()
