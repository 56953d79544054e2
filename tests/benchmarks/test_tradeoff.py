"""How fast 1,001 points of a trade-off curve are, against the special functions that the closed form calls.

python -m pytest tests/benchmarks/test_tradeoff.py -s
"""

import timeit
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.special import gammaincc, gammainccinv, gammaincinv, ndtr, ndtri

from dpcore import tradeoff

ALPHA = np.linspace(0, 1, 1001)
SMALL = np.minimum(ALPHA, 1 - ALPHA)
CENTRAL = SMALL > 0.25
LIMIT = 3


def normal() -> object:
    return ndtr(-ndtri(ALPHA) - 1)


def gamma() -> object:
    """One inverse per point, of the kind that the closed form needs there, and one forward function."""
    inside = gammaincinv(1 / 3, 1 - 2 * SMALL[CENTRAL])
    outside = gammainccinv(1 / 3, 2 * SMALL[~CENTRAL])
    return gammaincc(1 / 3, np.append(inside, outside))


CASES = {
    "gaussian": (lambda: tradeoff.gaussian(ALPHA, 1), normal),
    "gaussian_power": (lambda: tradeoff.gaussian_power(ALPHA, 1), normal),
    "generalized_gaussian": (lambda: tradeoff.generalized_gaussian(ALPHA, 3, 1), gamma),
    "generalized_gaussian_power": (lambda: tradeoff.generalized_gaussian_power(ALPHA, 3, 1), gamma),
}


@pytest.mark.parametrize("name", CASES)
def test_a_curve_costs_no_more_than_three_times_its_special_functions(name: str, benchmark: Any) -> None:
    closed, special = CASES[name]
    ratio = cost(closed) / cost(special)
    benchmark.extra_info["ratio to the special functions"] = ratio
    benchmark(closed)
    print(f"\n{name}: 1,001 points cost {ratio:.2f} times the special functions")
    assert ratio <= LIMIT


@pytest.mark.parametrize("name", ["epsilon_delta", "laplace", "geometric"])
def test_a_curve_without_special_functions_in_alpha_takes_microseconds(name: str, benchmark: Any) -> None:
    arguments = {"epsilon_delta": (1, 1e-6), "laplace": (1,), "geometric": (1, 5)}[name]
    form = getattr(tradeoff, name)
    assert benchmark(lambda: form(ALPHA, *arguments)).shape == ALPHA.shape


def cost(task: Callable[[], object]) -> float:
    """Seconds of the fastest of many runs."""
    return min(timeit.repeat(task, number=20, repeat=40)) / 20
