"""The error of a quotient of a noisy sum and a noisy number of records, against draws of both noises."""

import math
from itertools import pairwise

import numpy as np
import pytest
from scipy import integrate

from dpcore import laplace
from dpcore.plan._quotients import pair_tail, quotient_error, quotient_scale

N, SIZE = 200_000, 500
DRAWS = {"laplace": np.random.Generator.laplace, "gaussian": np.random.Generator.normal}


def missed(family: str, scale: float, error: float, mean: float, seed: int) -> float:
    """Return how often the quotient is off by more than an error, or has no positive denominator."""
    rng = np.random.default_rng(seed)
    of_sum, n = (scale * DRAWS[family](rng, size=N) for _ in range(2))
    return float(np.mean((abs((mean * SIZE + of_sum) / (SIZE + n) - mean) > error) | (SIZE + n <= 0)))


@pytest.mark.parametrize("family", DRAWS)
@pytest.mark.parametrize(("error", "alpha"), [(1e-4, 0.05), (0.08, 0.2), (0.3, 0.05), (0.5, 0.01), (0.9, 0.05)])
def test_a_quotient_is_off_as_often_as_stated_with_a_mean_at_an_end_and_no_more_elsewhere(family, error, alpha):
    scale, spread = quotient_scale(family, error, SIZE, alpha), 4 * math.sqrt(alpha * (1 - alpha) / N)
    shares = [missed(family, scale, error, mean, seed) for seed, mean in enumerate((1.0, -1.0, 0.6, 0.0, -0.3))]
    assert max(shares) <= alpha + spread
    assert error > 0.5 or min(shares[:2]) >= alpha - spread
    assert quotient_error(family, scale, SIZE, alpha) == pytest.approx(error, rel=1e-9)


@pytest.mark.parametrize("weight", [0.5, 1 - 1e-9, 1.0, 1 + 1e-13, 1.7, 40.0])
@pytest.mark.parametrize("size", [0.0, 0.3, 5.0, 30.0])
def test_the_tail_of_two_laplace_noises_is_their_convolution(weight, size):
    def density(z: float) -> float:
        beyond = size - weight * z
        above = float(laplace.tail(abs(beyond), 1.0)) / 2
        return float(laplace.pdf(z, 1.0)) * (above if beyond >= 0 else 1 - above)

    ends = sorted({-60.0, 0.0, size / weight, 60.0 + size / weight})
    pieces = pairwise(ends)
    expected = sum(integrate.quad(density, *piece, epsabs=0, epsrel=1e-11)[0] for piece in pieces)
    assert pair_tail("laplace", size, weight) == pytest.approx(expected, rel=1e-8)


def test_noise_without_a_closed_form_has_a_bound_and_no_error_where_the_number_may_be_0():
    drawn = np.random.default_rng(1).geometric(1 - math.exp(-1), (4, N))
    first, second = drawn[0] - drawn[1], drawn[2] - drawn[3]
    for size in (2.0, 4.0):
        share = np.mean(first + 1.5 * second > size)
        assert share <= pair_tail("geometric", size, 1.5) < 1
    assert quotient_scale("geometric", 0.08, SIZE, 0.05) < quotient_scale("laplace", 0.08, SIZE, 0.05)
    for family in DRAWS:
        assert quotient_error(family, SIZE / 1.0, SIZE, 0.05) == math.inf
        assert quotient_error(family, SIZE / 20.0, SIZE, 0.05) < 1
