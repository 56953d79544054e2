"""Speed of the analytic calibration beside `log_ndtr`, Balle and Wang's bisection and Google's dp_accounting.

python -m pytest tests/benchmarks/test_calibration.py
"""

import timeit
from collections.abc import Callable
from math import erf, exp, sqrt

import numpy as np
import pytest
from dp_accounting.gaussian_mechanism import get_sigma_gaussian
from scipy.special import log_ndtr

from dpcore.gaussian import analytic_sigma
from tests.oracle import Numbers

N_PAIRS = 10_000
# Powers of ten between which ε and δ are log-uniform.
DISTRIBUTIONS = {
    "everyday": (-3, 2, -12, -1),
    "small epsilon": (-6, -1, -12, -3),
    "large epsilon": (0, 6, -12, -1),
    "tiny delta": (-3, 2, -300, -12),
    "large delta": (-3, 2, -0.3, -1e-9),
    "whole domain": (-12, 6, -300, -1e-9),
}


def pairs(distribution: str, n: int) -> tuple[Numbers, Numbers]:
    rng = np.random.default_rng(1)
    low_epsilon, high_epsilon, low_delta, high_delta = DISTRIBUTIONS[distribution]
    return 10 ** rng.uniform(low_epsilon, high_epsilon, n), 10 ** rng.uniform(low_delta, high_delta, n)


def numbers() -> Numbers:
    return np.random.default_rng(2).normal(scale=5, size=N_PAIRS)


def balle_wang_sigma(epsilon: float, delta: float, tolerance: float = 1e-12) -> float:
    """Return σ for Δ₂ = 1 by Algorithm 1 of Balle & Wang 2018, arXiv:1805.06530: doubling, then bisection."""

    def phi(t: float) -> float:
        return 0.5 * (1 + erf(t / sqrt(2)))

    def case_a(s: float) -> float:
        return phi(sqrt(epsilon * s)) - exp(epsilon) * phi(-sqrt(epsilon * (s + 2)))

    def case_b(s: float) -> float:
        return phi(-sqrt(epsilon * s)) - exp(epsilon) * phi(-sqrt(epsilon * (s + 2)))

    at_0 = case_a(0)
    if delta == at_0:
        return 1 / sqrt(2 * epsilon)
    rising = delta > at_0  # then δ grows with s, and α is below 1
    profile = case_a if rising else case_b
    low, high = 0.0, 1.0
    while (profile(high) < delta) == rising:
        low, high = high, 2 * high
    s = (low + high) / 2
    while abs(profile(s) - delta) > tolerance and low < s < high:
        if (profile(s) < delta) == rising:
            low = s
        else:
            high = s
        s = (low + high) / 2
    alpha = sqrt(1 + s / 2) - sqrt(s / 2) if rising else sqrt(1 + s / 2) + sqrt(s / 2)
    return alpha / sqrt(2 * epsilon)


def one_by_one(function: Callable[[float, float], float], epsilon: Numbers, delta: Numbers) -> list[float]:
    return [function(*pair) for pair in zip(epsilon.tolist(), delta.tolist(), strict=True)]


@pytest.mark.parametrize("distribution", DISTRIBUTIONS)
def test_analytic_sigma_of_10_000_pairs(benchmark, distribution):
    benchmark(analytic_sigma, *pairs(distribution, N_PAIRS))


def test_log_ndtr_of_10_000_numbers(benchmark):
    benchmark(log_ndtr, numbers())


def test_analytic_sigma_of_one_pair(benchmark):
    benchmark(analytic_sigma, 1.0, 1e-6)


def test_balle_wang_bisection_of_300_pairs(benchmark):
    epsilon, delta = pairs("everyday", 300)
    sigma = benchmark(one_by_one, balle_wang_sigma, epsilon, delta)
    fit = (epsilon < 10) & (delta > 1e-6)  # its erf and its absolute tolerance lose the rest
    assert np.array(sigma)[fit] == pytest.approx(analytic_sigma(epsilon, delta)[fit], rel=1e-4)


def test_dp_accounting_of_100_pairs(benchmark):
    epsilon, delta = pairs("everyday", 100)
    sigma = benchmark(one_by_one, get_sigma_gaussian, epsilon, delta)
    assert sigma == pytest.approx(analytic_sigma(epsilon, delta), rel=1e-6)


def least_seconds(function: Callable[..., object], *arguments: object, number: int = 5) -> float:
    return min(timeit.repeat(lambda: function(*arguments), number=number, repeat=7)) / number


def test_summary_of_ratios(capsys):
    base = least_seconds(log_ndtr, numbers())
    many, hundred = pairs("everyday", 300), pairs("everyday", 100)
    with capsys.disabled():
        print(f"\n\nlog_ndtr of {N_PAIRS} numbers: {base * 1e6:.0f} µs. Multiples of it for analytic_sigma of as many:")
        for name, powers in DISTRIBUTIONS.items():
            ratio = least_seconds(analytic_sigma, *pairs(name, N_PAIRS)) / base
            ends = [f"{10.0**power:.3g}" for power in powers]
            print("  {:5.1f}  {}: epsilon {} to {}, delta {} to {}".format(ratio, name, *ends))
        array = least_seconds(analytic_sigma, *pairs("everyday", N_PAIRS)) / N_PAIRS
        print(f"Per everyday pair: analytic_sigma in an array {array * 1e6:.2f} µs; as a multiple of it:")
        print(f"  {least_seconds(analytic_sigma, 1.0, 1e-6) / array:7.0f}  analytic_sigma alone")
        print(
            f"  {least_seconds(one_by_one, balle_wang_sigma, *many, number=1) / 300 / array:7.0f}  Balle-Wang bisection"
        )
        print(
            f"  {least_seconds(one_by_one, get_sigma_gaussian, *hundred, number=1) / 100 / array:7.0f}  dp_accounting"
        )
