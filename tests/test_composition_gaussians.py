import math

import numpy as np
import pytest

from dpcore import gaussian
from dpcore.composition import clt_epsilon, clt_mu, exact_epsilon, sampled_release

TABLE = [  # q, z, T, ε by the CLT, exact ε, at δ = 1e-5
    (0.01, 4, 10_000, 0.942440, 0.946866801),
    (0.01, 1, 1000, 1.617712, 1.828236667),
    (0.01, 0.6, 1000, 5.562897, 7.433613821),
    (0.001, 0.6, 10_000, 1.504975, 2.456145416),
    (0.01, 10, 100_000, 1.202681, 1.203372682),
]


@pytest.mark.parametrize(("rate", "noise", "steps", "by_clt", "exact"), TABLE)
def test_the_clt_is_below_the_truth_in_the_settings_of_the_reference(rate, noise, steps, by_clt, exact):
    assert clt_epsilon(1e-5, noise, rate, steps) == pytest.approx(by_clt, abs=6e-7)
    estimate = exact_epsilon([sampled_release(noise, rate, steps)], 1e-5)
    assert estimate.value == pytest.approx(exact, abs=6e-10)
    assert estimate.converged


def test_the_clt_is_above_the_truth_too_so_that_it_bounds_nothing():
    exact = exact_epsilon([sampled_release(1, 0.05, 10_000)], 1e-5)
    assert 1.02 * exact.value < clt_epsilon(1e-5, 1, 0.05, 10_000) < 1.04 * exact.value
    assert clt_mu(1, 1, 100) == pytest.approx(math.sqrt(100 * math.expm1(1)))  # where the exact μ is 10


def test_the_clt_broadcasts_and_is_finite_at_the_ends_of_its_domain():
    epsilon = clt_epsilon(np.array([[1e-300], [0.5]]), [0.06, 1e6], [1, 1e-300], [1_000_000, 1])
    assert epsilon.shape == (2, 2)
    assert np.all(np.isfinite(epsilon))
    assert np.all(epsilon >= 0)
    mu = clt_mu([1, 2], 0.5, 3)
    assert clt_epsilon(0.01, [1, 2], 0.5, 3) == pytest.approx(gaussian.epsilon_from_sigma(0.01, 1, mu))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((1e-5, 0.05, 0.1, 10), "noise_multiplier must be in"),
        ((1e-5, 1, 0, 10), "sampling_rate must be in"),
        ((1e-5, 1, 0.1, 1.5), "steps must be in the whole numbers of"),
        ((0, 1, 0.1, 10), "delta must be in"),
    ],
)
def test_the_clt_refuses_what_is_out_of_its_domain(arguments, message):
    with pytest.raises(ValueError, match=message):
        clt_epsilon(*arguments)
