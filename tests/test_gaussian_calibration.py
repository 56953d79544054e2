"""The solved σ of Gaussian noise, analytic and exact pDP, δ over ε, and the least ε of a σ."""

import mpmath
import numpy as np
import pytest
from flint import arb
from scipy import integrate
from scipy.special import erf, ndtr, ndtri
from scipy.stats import norm

from dpcore.gaussian import (
    analytic_sigma,
    calibration,
    delta_from_sigma,
    epsilon_from_sigma,
    exact_pdp_sigma,
    pdp_delta_from_sigma,
)
from dpcore.gaussian.calibration import _gap_per_mu, _rough_mu
from dpcore.verify import formulas
from tests import oracle
from tests.gaussian_cases import EDGE_DELTA, EDGES, PROFILES, SOLVERS, all_at_once, one_by_one, sigma_excesses
from tests.oracle import GREATEST_DELTA, ULP, Formula, Numbers


@pytest.mark.parametrize(("call", "n"), [(all_at_once, 800), (one_by_one, 200)])
@pytest.mark.parametrize("sigma_of", SOLVERS)
def test_solved_sigma_is_never_below_the_true_value_and_at_most_18_roundings_above(sigma_of, call, n):
    profile, slope, _ = SOLVERS[sigma_of]
    epsilon, delta = oracle.random_pairs(n, seed=13)
    epsilon, delta = np.append(epsilon, EDGES[0]), np.append(delta, EDGES[1])
    sigma = call(sigma_of, epsilon, delta)
    guarantees = [oracle.interval(profile, *pair) for pair in zip(epsilon, sigma, strict=True)]
    assert all(map(oracle.is_at_least, delta, guarantees))
    assert max(sigma_excesses(profile, slope, epsilon, delta, sigma)) <= 18 * ULP


def test_analytic_sigma_is_solved_to_the_end_at_large_epsilon():
    epsilon = np.array([6337.6386575930155, 889519.3511177117, 114016.6036062107, 774458.0897716345])
    delta = np.array([0.520189057254243, 0.1016977407801456, 0.2668624661905335, 0.261196265823835])
    sigma = one_by_one(analytic_sigma, epsilon, delta)
    excess = sigma_excesses(formulas.gaussian, oracle.dp_slope, epsilon, delta, sigma)
    assert min(excess) >= 0
    assert max(excess) <= 18 * ULP


@pytest.mark.parametrize("side", [1, -1])
def test_kernel_of_the_solver_is_right_to_a_few_roundings_of_1_where_the_solver_goes(side):
    rng = np.random.default_rng(36)
    m = 10 ** rng.uniform(-6, 3, 600)
    m[:300] = rng.uniform(0, 1.5, 300)
    h = rng.uniform(0.01, 6, 600) / (1 + 2 * m)
    h[100:200] = rng.uniform(0.6, 0.8, 100) / (1 + 2 * m[100:200])
    h[200:400] = 10 ** rng.uniform(-12, 1, 200)
    used = (m - h > -0.68) if side > 0 else (abs(m - h) < 6)
    m, h = m[used], h[used]
    for row in zip(m, h, _gap_per_mu(m, h, np.full_like(m, side)), strict=True):
        with mpmath.workprec(600):
            below, above = mpmath.mpf(float(row[0])) - float(row[1]), mpmath.mpf(float(row[0])) + float(row[1])
            true = (oracle.mpmath_mills_ratio(side * below) - side * oracle.mpmath_mills_ratio(above)) / (above - below)
            assert abs(row[2] - true) < (10 * ULP if side > 0 else (8 + below**2) * true * ULP)


def test_start_of_the_solver_is_within_a_factor_1_7():
    epsilon, delta = oracle.random_pairs(20000, seed=34)
    epsilon[::9] = 0
    start = _rough_mu(epsilon, delta) * analytic_sigma(epsilon, delta)
    assert 0.6 <= start.min() < start.max() <= 1.02


@pytest.mark.parametrize(
    ("function", "n_steps", "error"),
    [(analytic_sigma, 2, 1e-10), (exact_pdp_sigma, 4, 1e-4), (epsilon_from_sigma, 2, 1e-3)],
)
def test_few_steps_come_close(monkeypatch, function, n_steps, error):
    rng = np.random.default_rng(35)
    first, second = 10 ** rng.uniform(-2, 1, 2000), 10 ** rng.uniform(-10, -0.5, 2000)
    arguments = (second, 1 / first) if function is epsilon_from_sigma else (first, second)
    solved = function(*arguments)
    monkeypatch.setattr(calibration, "_MOST_STEPS", n_steps)
    close = function(*arguments)
    assert close == pytest.approx(solved, rel=error, abs=error)
    assert np.any(close != solved)


@pytest.mark.parametrize("sigma_of", SOLVERS)
def test_solved_sigma_satisfies_the_guarantee_tightly_by_mpmath(sigma_of):
    sign = SOLVERS[sigma_of][2]
    epsilon, delta = oracle.random_pairs(100, seed=14)
    for row in zip(epsilon, delta, sigma_of(epsilon, delta), strict=True):
        assert oracle.mpmath_delta(row[0], row[2], sign) <= row[1]
        assert oracle.mpmath_delta(row[0], row[2] * (1 - 18 * ULP), sign) >= row[1]


@pytest.mark.parametrize("sign", [-1, 1])
def test_both_oracles_agree(sign):
    profile = formulas.gaussian if sign < 0 else formulas.gaussian_pdp
    epsilon, delta = oracle.random_pairs(100, seed=15)
    for row in zip(epsilon, analytic_sigma(epsilon, delta), strict=True):
        true = oracle.mpmath_delta(*row, sign)
        with mpmath.workprec(200):
            close = mpmath.mpf(oracle.interval(profile, *row).mid().str(40, radius=False))
            assert abs(close / true - 1) < 1e-30


def test_analytic_sigma_at_epsilon_0_is_its_closed_form():
    delta = np.append(10 ** np.random.default_rng(16).uniform(-300, 0, 600), EDGE_DELTA)
    delta = np.minimum(delta, GREATEST_DELTA)
    sigma = analytic_sigma(0, delta)
    excess = sigma_excesses(formulas.gaussian, oracle.dp_slope, np.zeros_like(delta), delta, sigma)
    assert min(excess) >= 0
    assert max(excess) <= 18 * ULP
    middle = (delta > 0.01) & (delta < 0.99)
    assert sigma[middle] == pytest.approx(1 / (2 * ndtri((1 + delta[middle]) / 2)), rel=1e-13, abs=0)


def test_analytic_sigma_at_epsilon_0_is_below_the_simple_bound():
    delta = np.geomspace(1e-300, 0.9, 500)
    assert np.all(analytic_sigma(0, delta) < 1 / (2 * delta))


def test_analytic_sigma_at_epsilon_1e_300_is_that_of_epsilon_0_where_delta_is_larger():
    delta = np.geomspace(1e-250, 0.99, 50)
    assert analytic_sigma(1e-300, delta) == pytest.approx(analytic_sigma(0, delta), rel=1e-14, abs=0)


@pytest.mark.parametrize("sigma_of", SOLVERS)
def test_solved_sigma_is_continuous_at_delta_one_half(sigma_of):
    below, at, above = sigma_of(np.geomspace(1e-6, 1e6, 50)[:, None], EDGE_DELTA[3:6]).T
    assert above == pytest.approx(at, rel=1e-14, abs=0)
    assert below == pytest.approx(at, rel=1e-14, abs=0)


def test_an_entry_solves_alike_alone_and_in_an_array():
    epsilon, delta = oracle.random_pairs(300, seed=17)
    for sigma_of in SOLVERS:
        assert one_by_one(sigma_of, epsilon, delta) == pytest.approx(sigma_of(epsilon, delta), rel=1e-14, abs=0)


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
