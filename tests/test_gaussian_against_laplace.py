"""The Gaussian against Laplace at the same tail (Liu 2019, Fig. 5), and the ε for which a formula asks for a σ."""

import re

import mpmath
import numpy as np
import pytest

from dpcore import gaussian, laplace
from tests.oracle import ULP

INVERSES = {
    gaussian.pdp_epsilon: gaussian.pdp_sigma,
    gaussian.classical_epsilon: gaussian.classical_sigma,
    gaussian.classical_tight_epsilon: gaussian.classical_tight_sigma,
}


def true_quantile(log_tail):
    """q with ln(2Φ(−q)) = `log_tail`, by bisection on the definition."""
    low, high = mpmath.mpf(0), mpmath.sqrt(-2 * log_tail) + 1
    for _ in range(140):
        middle = (low + high) / 2
        above = mpmath.log(mpmath.erfc(middle / mpmath.sqrt(2))) > log_tail
        low, high = (middle, high) if above else (low, middle)
    return low


@pytest.mark.parametrize(("epsilon_of", "sigma_of"), INVERSES.items())
def test_epsilon_of_a_formula_is_safe_and_inverts_its_sigma(epsilon_of, sigma_of):
    rng = np.random.default_rng(1)
    delta, mu = 10 ** rng.uniform(-300, -1e-3, 5_000), 10 ** rng.uniform(-9, 2, 5_000)
    sensitivity = 10 ** rng.uniform(-50, 50, 5_000)
    sigma = sensitivity / mu
    epsilon = epsilon_of(delta, sigma, sensitivity)
    back = sigma_of(epsilon, delta, sensitivity)
    assert np.all(back <= sigma * (1 + 12 * ULP))  # σ is itself rounded up by 10
    assert back == pytest.approx(sigma, rel=1e-13)


def test_pdp_epsilon_makes_twice_the_larger_tail_of_the_loss_equal_to_delta():
    for delta, sigma in ((0.05, 1.5), (1e-6, 4.0), (0.9, 0.7)):
        mu, epsilon = 1 / mpmath.mpf(sigma), mpmath.mpf(float(gaussian.pdp_epsilon(delta, sigma)))
        larger = mpmath.ncdf(mu / 2 - epsilon / mu)
        assert 2 * larger <= delta
        assert float(2 * larger) == pytest.approx(delta, rel=1e-12)


def test_the_sigma_of_laplaces_tail_is_right_to_a_few_roundings():
    rng = np.random.default_rng(2)
    t, scale = 10 ** rng.uniform(-12, 4, 60), 10 ** rng.uniform(-2, 2, 60)
    t[:3], scale[:3] = (np.log(2), np.nextafter(np.log(2), 0), 1e6), 1
    for reach, b, sigma in zip(t, scale, gaussian.laplace_tail_sigma(t, scale), strict=True):
        true = mpmath.mpf(reach) / true_quantile(-mpmath.mpf(reach) / mpmath.mpf(b))
        assert abs(mpmath.mpf(sigma) / true - 1) <= 8 * ULP


def test_at_distance_0_the_two_densities_agree():
    sigma = gaussian.laplace_tail_sigma(0, 3.0)
    assert 1 / (sigma * np.sqrt(2 * np.pi)) == pytest.approx(laplace.pdf(0, 3.0), rel=1e-14)
    assert gaussian.laplace_tail_sigma(1e150, 1e-150) == pytest.approx(np.sqrt(1e300 / 2) * 1e-150, rel=1e-12)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: gaussian.pdp_epsilon(0, 1), "delta must be in [1e-300, 1), got 0"),
        (lambda: gaussian.classical_epsilon(0.1, 1e-200), "sigma must be in [1e-150, inf), got 1e-200"),
        (lambda: gaussian.laplace_tail_sigma(-1, 1), "t must be in [0, 1e150], got -1"),
    ],
)
def test_bad_input_is_refused_in_one_sentence(call, sentence):
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        call()
