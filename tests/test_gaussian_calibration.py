"""The solved σ of Gaussian noise: analytic and exact pDP."""

import mpmath
import numpy as np
import pytest
from scipy.special import ndtri

from dpcore.gaussian import (
    analytic_sigma,
    calibration,
    epsilon_from_sigma,
    exact_pdp_sigma,
)
from dpcore.gaussian.calibration import _gap_per_mu, _rough_mu
from dpcore.verify import formulas
from tests import oracle
from tests.gaussian_cases import EDGE_DELTA, EDGES, SOLVERS, all_at_once, one_by_one, sigma_excesses
from tests.oracle import GREATEST_DELTA, ULP


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
