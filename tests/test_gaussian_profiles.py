"""δ over ε of Gaussian noise, and the least ε of a σ."""

import numpy as np
import pytest
from flint import arb
from scipy import integrate
from scipy.special import erf, ndtr, ndtri
from scipy.stats import norm

from dpcore.gaussian import (
    analytic_sigma,
    delta_from_sigma,
    epsilon_from_sigma,
    exact_pdp_sigma,
    pdp_delta_from_sigma,
)
from dpcore.verify import formulas
from tests import oracle
from tests.gaussian_cases import EDGES, PROFILES, SOLVERS, all_at_once, one_by_one
from tests.oracle import GREATEST_DELTA, ULP, Formula, Numbers

# Profiles


@pytest.mark.parametrize("delta_of", PROFILES)
def test_delta_is_never_below_the_true_value_and_at_most_20_roundings_above(delta_of):
    sigma_of, profile = PROFILES[delta_of]
    epsilon, delta = oracle.random_pairs(2000, seed=18)
    epsilon, delta = np.append(epsilon, EDGES[0]), np.append(delta, EDGES[1])
    rng = np.random.default_rng(19)
    sensitivity = 10 ** rng.uniform(-3, 3, len(delta))
    sigma = sigma_of(epsilon, delta) * sensitivity * 10 ** rng.uniform(-0.05, 0.05, len(delta))
    check_delta(profile, epsilon, sigma, sensitivity, delta_of(epsilon, sigma, sensitivity))


@pytest.mark.parametrize("delta_of", PROFILES)
def test_delta_of_any_sigma_and_sensitivity_is_never_below_the_true_value(delta_of):
    rng = np.random.default_rng(20)
    epsilon = 10 ** rng.uniform(-12, 6, 1000)
    epsilon[::10] = 0
    sensitivity = 10 ** rng.uniform(-20, 20, 1000)
    sigma = sensitivity * 10 ** rng.uniform(-5, 12, 1000)
    check_delta(PROFILES[delta_of][1], epsilon, sigma, sensitivity, delta_of(epsilon, sigma, sensitivity))


def check_delta(profile: Formula, epsilon: Numbers, sigma: Numbers, sensitivity: Numbers, delta: Numbers) -> None:
    assert np.all((delta > 0) & (delta <= 1))
    true = [oracle.interval(profile, *row) for row in zip(epsilon, sigma, sensitivity, strict=True)]
    assert all(map(oracle.is_at_least, delta, true))
    least = arb(1e-300)
    excess = [oracle.relative_excess(*row) for row in zip(delta, true, strict=True) if row[1] >= least]
    assert max(excess) <= 20 * ULP
    assert all(value <= 2e-300 for value, t in zip(delta, true, strict=True) if not t >= least)


@pytest.mark.parametrize("delta_of", PROFILES)
def test_delta_is_right_by_mpmath(delta_of):
    sigma_of, sign = PROFILES[delta_of][0], SOLVERS[PROFILES[delta_of][0]][2]
    epsilon, delta = oracle.random_pairs(100, seed=21)
    sigma = sigma_of(epsilon, np.maximum(delta, 1e-290))
    for row in zip(epsilon, sigma, delta_of(epsilon, sigma), strict=True):
        true = oracle.mpmath_delta(row[0], row[1], sign)
        assert true <= row[2] <= max(true * (1 + 20 * ULP), 0)


def test_pdp_delta_inverts_exact_pdp_sigma_however_large_the_sigma():
    delta = np.array([1e-250, 1e-6, 0.01, 0.1])
    assert pdp_delta_from_sigma(1e-300, exact_pdp_sigma(1e-300, delta)) == pytest.approx(delta, rel=1e-11, abs=0)


@pytest.mark.parametrize("mu", [0.2, 1.0, 3.0])
@pytest.mark.parametrize("epsilon", [0.0, 0.5, 4.0])
def test_delta_is_the_mass_by_which_one_density_exceeds_the_other(epsilon, mu):
    def excess(x: float) -> float:
        return max(0, norm.pdf(x, mu) - np.exp(epsilon) * norm.pdf(x))

    mass, _ = integrate.quad(excess, epsilon / mu + mu / 2, mu + 40, epsabs=0, limit=200)
    assert delta_from_sigma(epsilon, 1 / mu) == pytest.approx(mass, rel=1e-9, abs=0)


@pytest.mark.parametrize("mu", [0.2, 1.0, 3.0])
@pytest.mark.parametrize("epsilon", [0.1, 0.5, 4.0])
def test_pdp_delta_is_the_mass_of_a_loss_beyond_epsilon(epsilon, mu):
    loss = norm(mu**2 / 2, mu)
    assert pdp_delta_from_sigma(epsilon, 1 / mu) == pytest.approx(
        loss.sf(epsilon) + loss.cdf(-epsilon), rel=1e-12, abs=0
    )


def test_delta_at_epsilon_0_is_the_total_variation_distance():
    sigma = np.geomspace(1e-2, 1e12, 200)
    assert delta_from_sigma(0, sigma) == pytest.approx(erf(1 / (np.sqrt(8) * sigma)), rel=1e-14, abs=0)
    assert np.all(pdp_delta_from_sigma(0, sigma) == 1)


def test_delta_is_the_largest_gap_below_the_gaussian_trade_off_curve():
    rng = np.random.default_rng(22)
    epsilon, mu = rng.uniform(0, 3, 200), rng.uniform(0.3, 3, 200)
    delta = delta_from_sigma(epsilon, 1 / mu)
    touching = ndtr(-epsilon / mu - mu / 2)
    alpha = np.vstack([touching, rng.uniform(0, 1, (50, 200))])
    gap = 1 - np.exp(epsilon) * alpha - ndtr(-ndtri(alpha) - mu)
    assert np.all(gap <= delta + 1e-15)
    assert gap[0] == pytest.approx(delta, abs=1e-14)


@pytest.mark.parametrize("delta_of", PROFILES)
def test_delta_too_small_for_a_double_is_the_smallest_double(delta_of):
    assert delta_of(1e6, 1) == 5e-324
    assert delta_of(1e6, 1e300) == 5e-324


@pytest.mark.parametrize("delta_of", PROFILES)
def test_delta_without_noise_is_1(delta_of):
    assert np.all(delta_of([0, 1e-300, 1, 1e6], 5e-324, 1.7e308) == 1)
    assert np.all(delta_of([0, 1e-300, 1, 1e6], 1e-6) == 1)


@pytest.mark.parametrize(("sigma", "sensitivity"), [(3e299, 1.0), (1e308, 1.0), (1e10, 1e-298), (1e5, 1e-300)])
def test_delta_of_a_vanishing_mu_at_epsilon_0_is_mu_over_root_two_pi(sigma, sensitivity):
    true = sensitivity / np.sqrt(2 * np.pi) / sigma
    assert delta_from_sigma(0, sigma, sensitivity) == pytest.approx(true, rel=1e-13, abs=0)


# Epsilon


def awkward_mechanisms(n: int, seed: int) -> tuple[Numbers, Numbers]:
    """Pairs (δ, σ) near the curve of `analytic_sigma`, and pairs that have nothing to do with each other."""
    epsilon, delta = oracle.random_pairs(n, seed)
    rng = np.random.default_rng(seed + 1)
    sigma = analytic_sigma(epsilon, delta) * 10 ** rng.uniform(-0.3, 0.02, n)
    sigma[::4] = 10 ** rng.uniform(-5, 20, len(sigma[::4]))
    return delta, sigma


@pytest.mark.parametrize(("call", "n"), [(all_at_once, 800), (one_by_one, 200)])
def test_epsilon_is_never_below_the_true_value_nor_above_it_by_more_than_16_roundings(call, n):
    delta, sigma = awkward_mechanisms(n, seed=23)
    epsilon = call(epsilon_from_sigma, delta, sigma)
    true = [oracle.interval(formulas.gaussian, *row) for row in zip(epsilon, sigma, strict=True)]
    assert all(map(oracle.is_at_least, delta, true))
    paid = epsilon > 0
    assert 0.5 < paid.mean() < 0.95
    less_noise, less_delta = sigma * (1 - 16 * ULP), delta * (1 - 16 * ULP)
    for row in zip(epsilon[paid], less_noise[paid], less_delta[paid], strict=True):
        assert oracle.interval(formulas.gaussian, row[0], row[1]) >= arb(float(row[2]))


def test_well_conditioned_epsilon_is_right_to_a_few_roundings():
    rng = np.random.default_rng(25)
    delta = 10 ** rng.uniform(-290, -3, 1000)
    sigma = analytic_sigma(10 ** rng.uniform(0, 6, 1000), delta)
    epsilon = epsilon_from_sigma(delta, sigma)
    excess = np.array([oracle.epsilon_excess(*row) for row in zip(epsilon, delta, sigma, strict=True)]) / epsilon
    assert excess.min() >= 0
    assert excess.max() <= 10 * ULP


def test_epsilon_is_0_where_delta_reaches_the_total_variation_distance():
    sigma = np.geomspace(0.05, 1e299, 300)
    free = np.minimum(delta_from_sigma(0, sigma) * (1 + 4 * ULP), GREATEST_DELTA)
    costly = delta_from_sigma(0, sigma[10:]) * (1 - 40 * ULP)
    assert np.all(epsilon_from_sigma(free[10:], sigma[10:]) == 0)
    assert np.all(epsilon_from_sigma(costly, sigma[10:]) > 0)
    assert epsilon_from_sigma(1e-300, 1e308, 1e-300) == 0


def test_epsilon_of_little_noise_is_half_mu_squared_plus_the_tail_of_delta():
    mu = np.geomspace(1e8, 1e150, 60)[:, None]
    delta = np.array([1e-300, 1e-5, 0.3, 0.5, 0.9, GREATEST_DELTA])
    assert epsilon_from_sigma(delta, 1 / mu) == pytest.approx(mu * (mu / 2 - ndtri(delta)), rel=1e-14, abs=0)


@pytest.mark.parametrize("delta", [0.1, np.nextafter(0.5, 0), 0.5, np.nextafter(0.5, 1), 0.9])
def test_epsilon_solves_the_definition_on_either_side_of_delta_one_half(delta):
    epsilon = epsilon_from_sigma(delta, 0.3)
    assert float(oracle.mpmath_delta(float(epsilon), 0.3)) == pytest.approx(delta, rel=1e-14, abs=0)
