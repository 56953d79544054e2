"""The half-width of a median of a million values, 80 % of them equal, beside sorting them.

python -m pytest tests/benchmarks/test_quantiles.py -s
"""

import timeit
from functools import partial

import numpy as np

from dpcore import quantiles

TIMES_SORTING = 10


def test_a_million_values_with_ties_cost_a_few_times_their_sorting() -> None:
    rng = np.random.default_rng(1)
    values = rng.lognormal(3, 0.8, 1_000_000)
    values[:800_000] = 30.0
    rng.shuffle(values)
    sorting = min(timeit.repeat(lambda: np.sort(values), number=1, repeat=5))
    for measure in (quantiles.half_width, quantiles.rank_half_width, quantiles.released_distribution):
        own = min(timeit.repeat(partial(measure, values, 0.5, 1.0, quantiles.Range(0, 600)), number=1, repeat=5))
        print(f"{measure.__name__}: {own:.3f} s, {own / sorting:.1f} times sorting")
        assert own < TIMES_SORTING * sorting
