"""Speed of the generalized Gaussian's scales, tails and quantiles beside SciPy's incomplete gamma functions.

python -m pytest tests/benchmarks/test_generalized_gaussian.py
"""

import timeit
from collections.abc import Callable

import numpy as np
import pytest
from scipy.special import gammaincc, gammainccinv

from dpcore.generalized_gaussian import (
    adp_scale,
    exact_pdp_scale,
    isf,
    pdp_scale,
    pdp_scale_disjoint,
    pdp_scale_monte_carlo,
    sample,
    sf,
)
from tests.oracle import Numbers

N = 1000
PAPER = (1.0, 0.1, 0.05)
# Powers of ten between which ε and δ are log-uniform, and the largest p.
PROBLEMS = {
    "everyday, p to 4": (-2, 1, -8, -1, 4),
    "everyday, p to 64": (-2, 1, -8, -1, 64),
    "small epsilon": (-6, -1, -12, -3, 4),
    "large epsilon": (0, 6, -12, -1, 4),
    "tiny delta": (-3, 2, -300, -12, 4),
    "large delta": (-3, 2, -0.3, -1e-9, 4),
}


def problem(name: str) -> tuple[Numbers, Numbers, Numbers]:
    rng = np.random.default_rng(1)
    low_epsilon, high_epsilon, low_delta, high_delta, most = PROBLEMS[name]
    epsilon, delta = 10 ** rng.uniform(low_epsilon, high_epsilon, N), 10 ** rng.uniform(low_delta, high_delta, N)
    return epsilon, delta, rng.uniform(1, most, N)


def powers(delta: Numbers, p: Numbers) -> Numbers:
    """Return the (x/b)^p at which a tail of the noise is δ: typical arguments of `gammaincc`."""
    return gammainccinv(1 / p, np.maximum(delta, 1e-299))


@pytest.mark.parametrize("name", PROBLEMS)
@pytest.mark.parametrize("scale_of", [adp_scale, exact_pdp_scale, pdp_scale_disjoint])
def test_1000_scales(benchmark, scale_of, name):
    benchmark(scale_of, *problem(name))


@pytest.mark.parametrize("name", PROBLEMS)
def test_gammaincc_of_1000_numbers(benchmark, name):
    _, delta, p = problem(name)
    benchmark(gammaincc, 1 / p, powers(delta, p))


def test_scale_of_the_papers_three_statistics(benchmark):
    benchmark(pdp_scale, 1, 0.05, 3, PAPER)


def test_100_000_draws_of_the_same_noise(benchmark):
    benchmark(sample, np.random.default_rng(1), 1.0, 3, (3, 100_000))


def test_monte_carlo_of_100_000_draws(benchmark):
    benchmark(pdp_scale_monte_carlo, np.random.default_rng(1), 1, 0.05, 3, PAPER, 100_000)


def least_seconds(function: Callable[..., object], *arguments: object, number: int = 3) -> float:
    return min(timeit.repeat(lambda: function(*arguments), number=number, repeat=5)) / number


def test_summary_of_ratios(capsys):
    rng = np.random.default_rng(2)
    with capsys.disabled():
        print(f"\n\nOf {N} problems, as multiples of one gammaincc (or gammainccinv for isf) of each:")
        print("    adp  exact pdp  disjoint     sf    isf")
        for name in PROBLEMS:
            epsilon, delta, p = problem(name)
            w = powers(delta, p)
            base = least_seconds(gammaincc, 1 / p, w)
            scales = [
                least_seconds(f, epsilon, delta, p) / base for f in (adp_scale, exact_pdp_scale, pdp_scale_disjoint)
            ]
            x = w ** (1 / p)
            tail = least_seconds(sf, x, 1.0, p) / least_seconds(lambda x, p: gammaincc(1 / p, x**p) / 2, x, p)
            half = np.maximum(delta / 2, 1e-300)
            quantile = least_seconds(isf, half, 1.0, p) / least_seconds(gammainccinv, 1 / p, 2 * half)
            print("  {:5.1f}      {:5.1f}     {:5.1f}  {:5.2f}  {:5.2f}  {}".format(*scales, tail, quantile, name))
        solve = least_seconds(pdp_scale, 1, 0.05, 3, PAPER)
        draws = least_seconds(sample, rng, 1.0, 3, (3, 100_000))
        search = least_seconds(pdp_scale_monte_carlo, rng, 1, 0.05, 3, PAPER, 100_000, number=1)
        print(
            f"pdp_scale of three statistics {solve * 1e3:.1f} ms; 1e5 draws {draws * 1e3:.1f} ms, with the search for b"
        )
        print(f"from that one set of draws {search * 1e3:.1f} ms.")
