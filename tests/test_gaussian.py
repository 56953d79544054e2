import re
from collections.abc import Callable

import mpmath
import numpy as np
import pandas as pd
import pytest
from flint import arb, ctx, fmpq
from scipy import integrate
from scipy.special import erf, ndtr, ndtri
from scipy.stats import norm

from dpcore.gaussian import (
    analytic_sigma,
    calibration,
    classical_sigma,
    classical_tight_sigma,
    delta_from_sigma,
    epsilon_from_sigma,
    exact_pdp_sigma,
    lower_bound_sigma,
    pdp_delta_from_sigma,
    pdp_sigma,
)
from dpcore.gaussian.calibration import _gap_per_mu, _rough_mu
from dpcore.verify import formulas
from tests import oracle
from tests.oracle import GREATEST_DELTA, ULP, Formula, Numbers

EVERY_SIGMA = (
    classical_sigma,
    classical_tight_sigma,
    pdp_sigma,
    exact_pdp_sigma,
    analytic_sigma,
    lower_bound_sigma,
)
EVERY_PROFILE = (delta_from_sigma, pdp_delta_from_sigma, epsilon_from_sigma)
EVERY_FUNCTION = EVERY_SIGMA + EVERY_PROFILE
SOLVERS = {
    analytic_sigma: (formulas.gaussian, oracle.dp_slope, -1),
    exact_pdp_sigma: (formulas.gaussian_pdp, oracle.pdp_slope, 1),
}
PROFILES = {
    delta_from_sigma: (analytic_sigma, formulas.gaussian),
    pdp_delta_from_sigma: (exact_pdp_sigma, formulas.gaussian_pdp),
}

EDGE_EPSILON = (1e-300, 1e-150, 1e-12, 1e-3, 1.0, 30.0, 1e6)
EDGE_DELTA = (1e-300, 1e-20, 0.1, np.nextafter(0.5, 0), 0.5, np.nextafter(0.5, 1), 0.9, GREATEST_DELTA)
EDGES = np.array(np.meshgrid(EDGE_EPSILON, EDGE_DELTA)).reshape(2, -1)


# Published values


@pytest.mark.parametrize(
    ("sigma", "published"),
    [(classical_sigma, 4.8448), (pdp_sigma, 4.5276), (exact_pdp_sigma, 4.4441), (analytic_sigma, 3.7306)],
)
def test_sigma_at_epsilon_1_and_delta_1e_5_is_the_published_value(sigma, published):
    assert round(float(sigma(1, 1e-5)), 4) == published


def test_analytic_sigma_at_delta_1e_6_is_published_and_saves_a_third_of_the_variance():
    assert float(f"{analytic_sigma(1, 1e-6):.4g}") == 4.225
    assert round(float((classical_sigma(1, 1e-6) / analytic_sigma(1, 1e-6)) ** 2), 2) == 1.57


def test_classical_sigma_violates_its_guarantee_from_epsilon_8_42_on():
    epsilon = np.array([8.41, 8.43])
    assert list(delta_from_sigma(epsilon, classical_sigma(epsilon, 1e-5)) > 1e-5) == [False, True]
    assert float(f"{delta_from_sigma(10, classical_sigma(10, 1e-5)):.3g}") == 2.27e-5


def test_g1_has_the_published_profile():
    assert delta_from_sigma(1, 1) == pytest.approx(0.126936737506644, rel=1e-14, abs=0)
    assert epsilon_from_sigma(1e-5, 1) == pytest.approx(4.377178095681225, rel=1e-14, abs=0)


# Closed forms


def classical_in_arb(epsilon: float, delta: float, constant: arb) -> arb:
    return (2 * (constant / arb(delta)).log()).sqrt() / arb(epsilon)


@pytest.mark.parametrize("tight", [False, True])
def test_classical_sigmas_are_their_formulas_rounded_up(tight):
    epsilon, delta = oracle.random_pairs(1000, seed=11)
    epsilon, delta = np.append(epsilon, EDGES[0]), np.append(delta, EDGES[1])
    sigma = (classical_tight_sigma if tight else classical_sigma)(epsilon, delta)
    with ctx.workprec(200):
        constant = (2 * arb(fmpq(8, 9)).exp() / arb.pi()).sqrt() if tight else arb(1.25)
        true = [classical_in_arb(*pair, constant) for pair in zip(epsilon, delta, strict=True)]
    excess = [oracle.relative_excess(*pair) for pair in zip(sigma, true, strict=True)]
    assert min(excess) >= 0
    assert max(excess) <= 18 * ULP


def larger_tail_twice(epsilon: arb, mu: arb) -> arb:
    return 2 * formulas.upper_tail(epsilon / mu - mu / 2)


def larger_tail_twice_slope(epsilon: arb, mu: arb) -> arb:
    return 2 * oracle.density(epsilon / mu - mu / 2) * (epsilon / mu + mu / 2)


def test_pdp_sigma_makes_twice_the_larger_tail_of_the_loss_equal_to_delta_rounded_up():
    epsilon, delta = oracle.random_pairs(1000, seed=12)
    epsilon, delta = np.append(epsilon, EDGES[0]), np.append(delta, EDGES[1])
    excess = sigma_excesses(larger_tail_twice, larger_tail_twice_slope, epsilon, delta, pdp_sigma(epsilon, delta))
    assert min(excess) >= 0
    assert max(excess) <= 18 * ULP


def test_pdp_sigma_is_proposition_11_of_liu():
    for epsilon, delta in ((0.1, 1e-6), (1, 0.05), (20, 0.3), (3, 0.8)):
        with mpmath.workprec(200):
            q = mpmath.sqrt(2) * mpmath.erfinv(1 - mpmath.mpf(delta))
            true = (mpmath.sqrt(q**2 + 2 * mpmath.mpf(epsilon)) + q) / (2 * mpmath.mpf(epsilon))
            assert 0 <= pdp_sigma(epsilon, delta) / true - 1 <= 18 * ULP


# Solved sigmas


def sigma_excesses(delta: Formula, slope: Formula, epsilon: Numbers, target: Numbers, sigma: Numbers) -> list[float]:
    return [oracle.sigma_excess(delta, slope, *row) for row in zip(epsilon, target, sigma, strict=True)]


def one_by_one(function: Callable[..., Numbers], *arguments: Numbers) -> Numbers:
    """The function of every entry alone: a solver runs until the last entry of an array is right, which hides haste."""
    return np.array([float(function(*row)) for row in zip(*arguments, strict=True)])


def all_at_once(function: Callable[..., Numbers], *arguments: Numbers) -> Numbers:
    return function(*arguments)


@pytest.mark.parametrize(("call", "n"), [(all_at_once, 2000), (one_by_one, 600)])
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
    [(analytic_sigma, 2, 1e-10), (exact_pdp_sigma, 4, 1e-4), (epsilon_from_sigma, 4, 1e-3)],
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


@pytest.mark.parametrize(("call", "n"), [(all_at_once, 2000), (one_by_one, 600)])
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


# Lower bound


def true_limit_of_lower_bound(epsilon: float) -> arb:
    """½ − e^ε Φ(−√(2ε)), from the definition."""
    precision = 256 + int(max(0, -2 * np.log2(epsilon)))
    with ctx.workprec(precision):
        e = arb(float(epsilon))
        return arb(0.5) - e.exp() * formulas.upper_tail((2 * e).sqrt())


def test_lower_bound_is_sensitivity_over_root_two_epsilon_where_it_holds_and_0_elsewhere():
    epsilon, _ = oracle.random_pairs(3000, seed=26)
    rng = np.random.default_rng(27)
    limit = [true_limit_of_lower_bound(e) for e in epsilon]
    delta = np.clip(np.array([float(x) for x in limit]) * rng.choice([0.3, 1 - 1e-13, 1 + 1e-13, 1.5], 3000), 1e-300, 1)
    delta = np.minimum(delta, GREATEST_DELTA)
    sensitivity = 10 ** rng.uniform(-5, 5, 3000)
    sigma = lower_bound_sigma(epsilon, delta, sensitivity)
    holds = np.array([arb(float(d)) <= x for d, x in zip(delta, limit, strict=True)])
    assert 0.2 < holds.mean() < 0.8
    assert np.all(sigma[~holds] == 0)
    assert sigma[holds] == pytest.approx((sensitivity / np.sqrt(2 * epsilon))[holds], rel=1e-14, abs=0)
    for s, e, d in zip(sigma[holds], epsilon[holds], sensitivity[holds], strict=True):
        with ctx.workprec(4000):
            assert arb(s) ** 2 * 2 * arb(e) <= arb(d) ** 2


def test_lower_bound_is_never_above_the_true_sigma_just_inside_its_condition():
    epsilon, _ = oracle.random_pairs(600, seed=28)
    limit = np.array([float(true_limit_of_lower_bound(e)) for e in epsilon])
    for n_ulps in (-6, -2, -1, 0, 1, 2, 6):
        delta = np.clip(limit * (1 + n_ulps * ULP), 1e-300, 0.5)
        bound = lower_bound_sigma(epsilon, delta)
        said = bound > 0
        for e, s, d in zip(epsilon[said], bound[said], delta[said], strict=True):
            assert oracle.interval(formulas.gaussian, e, s) >= arb(float(d))


def test_printed_condition_of_the_lower_bound_admits_a_case_that_refutes_it():
    printed_limit = 0.5 - np.exp(-3) / np.sqrt(4 * np.pi)
    assert printed_limit > 0.4
    assert analytic_sigma(1, 0.4) < 0.6 < 1 / np.sqrt(2)
    assert oracle.mpmath_delta(1, 0.6) < 0.4
    assert lower_bound_sigma(1, 0.4) == 0


# Order, scale, direction


def test_sigmas_are_ordered():
    epsilon, delta = oracle.random_pairs(8000, seed=29)
    lower, analytic = lower_bound_sigma(epsilon, delta), analytic_sigma(epsilon, delta)
    exact, pdp = exact_pdp_sigma(epsilon, delta), pdp_sigma(epsilon, delta)
    assert np.all(lower <= analytic)
    assert np.all(analytic <= exact * (1 + 20 * ULP))
    assert np.all(exact <= pdp * (1 + 20 * ULP))


def test_classical_sigma_satisfies_its_guarantee_where_proved_and_the_tight_one_is_smaller():
    epsilon, delta = np.meshgrid(np.geomspace(1e-300, 0.9999, 60), np.geomspace(1e-300, 0.5, 60))
    assert np.all(analytic_sigma(epsilon, delta) < classical_tight_sigma(epsilon, delta))
    assert np.all(classical_tight_sigma(epsilon, delta) < classical_sigma(epsilon, delta))


def test_pdp_sigma_is_below_the_classical_one_for_epsilon_below_1():
    epsilon, delta = np.meshgrid(np.geomspace(1e-300, 0.9999, 60), np.geomspace(1e-300, 0.4999, 60))
    assert np.all(pdp_sigma(epsilon, delta) < classical_sigma(epsilon, delta))
    assert pdp_sigma(20, 1e-5) > classical_sigma(20, 1e-5)


@pytest.mark.parametrize("sigma_of", EVERY_SIGMA)
def test_sigma_is_proportional_to_the_sensitivity(sigma_of):
    epsilon, delta = oracle.random_pairs(300, seed=30)
    epsilon = np.maximum(epsilon, 1e-200)
    for sensitivity in (1e-100, 0.37, 2, 1e5):
        assert sigma_of(epsilon, delta, sensitivity) == pytest.approx(
            sigma_of(epsilon, delta) * sensitivity, rel=1e-14, abs=0
        )


def test_profiles_depend_on_the_ratio_of_sigma_and_sensitivity_only():
    epsilon, delta = oracle.random_pairs(300, seed=31)
    sigma = analytic_sigma(np.maximum(epsilon, 1e-12), np.maximum(delta, 1e-280))
    for profile, first in ((delta_from_sigma, epsilon), (pdp_delta_from_sigma, epsilon), (epsilon_from_sigma, delta)):
        scaled = profile(first, sigma * 2.0**20, 2.0**20)
        near_0 = 1e-13 if profile is epsilon_from_sigma else 1e-300
        assert scaled == pytest.approx(profile(first, sigma), rel=1e-13, abs=near_0)


@pytest.mark.parametrize(
    "sigma_of", [classical_sigma, classical_tight_sigma, pdp_sigma, exact_pdp_sigma, analytic_sigma]
)
def test_sigma_falls_as_epsilon_or_delta_grows(sigma_of):
    epsilon, delta = np.geomspace(1e-6, 1e6, 400), np.geomspace(1e-300, 0.999, 400)
    assert np.all(np.diff(sigma_of(epsilon[:, None], [1e-300, 1e-12]), axis=0) < 0)
    assert np.all(np.diff(sigma_of([1e-300, 1e-5, 1, 1e6], delta[:, None]), axis=0) < 0)
    nearly = np.diff(sigma_of(epsilon[:, None], [0.3, 0.7]), axis=0)
    assert np.all(nearly <= 0)
    assert np.mean(nearly < 0) > 0.5


def test_lower_bound_falls_as_epsilon_grows_and_is_level_in_delta_up_to_its_condition():
    assert np.all(np.diff(lower_bound_sigma(np.geomspace(0.1, 1e6, 400), 0.01)) < 0)
    bound = lower_bound_sigma(1, np.geomspace(1e-300, 0.9, 400))
    assert set(bound) == {0, bound[0]}
    assert np.all(np.diff(bound) <= 0)


@pytest.mark.parametrize("delta_of", PROFILES)
def test_delta_falls_as_epsilon_or_sigma_grows(delta_of):
    epsilon, sigma = np.geomspace(1e-12, 20, 300), np.geomspace(0.1, 20, 300)
    for change in (
        np.diff(delta_of(epsilon[:, None], [0.4, 1, 7]), axis=0),
        np.diff(delta_of([0.1, 1, 7], sigma[:, None]), axis=0),
    ):
        assert np.all(change <= 0)
        assert np.mean(change < 0) > 0.5


def test_epsilon_falls_as_delta_or_sigma_grows():
    delta, sigma = np.geomspace(1e-300, 0.2, 300), np.geomspace(1e-3, 1.5, 300)
    assert np.all(np.diff(epsilon_from_sigma(delta[:, None], [0.01, 0.4, 1]), axis=0) < 0)
    assert np.all(np.diff(epsilon_from_sigma([1e-300, 1e-5, 0.2], sigma[:, None]), axis=0) < 0)


@pytest.mark.parametrize("delta_of", PROFILES)
def test_sigma_to_delta_to_sigma_returns(delta_of):
    sigma_of = PROFILES[delta_of][0]
    epsilon, delta = oracle.random_pairs(4000, seed=32)
    usable = (delta > 1e-290) & (delta < 0.5) & (epsilon > 1e-300)
    epsilon, sigma = epsilon[usable], sigma_of(epsilon, delta)[usable]
    assert sigma_of(epsilon, delta_of(epsilon, sigma)) == pytest.approx(sigma, rel=40 * ULP, abs=0)


def test_sigma_to_epsilon_to_delta_returns():
    rng = np.random.default_rng(33)
    delta, sigma = 10 ** rng.uniform(-20, -0.1, 4000), 10 ** rng.uniform(-1, 1, 4000)
    epsilon = epsilon_from_sigma(delta, sigma)
    paid = epsilon > 0
    assert delta_from_sigma(epsilon, sigma)[paid] == pytest.approx(delta[paid], rel=1e-12, abs=0)
    assert np.all(delta_from_sigma(0, sigma)[~paid] <= delta[~paid] * (1 + 20 * ULP))


# Arguments


@pytest.mark.parametrize("function", EVERY_FUNCTION)
def test_arguments_broadcast(function):
    first, second = np.array([[0.01], [0.2], [0.4]]), np.array([0.1, 0.3, 0.5, 0.7])
    result = function(first, second)
    assert result.shape == (3, 4)
    for (i, j), value in np.ndenumerate(result):
        assert float(function(first[i, 0], second[j])) == pytest.approx(float(value), rel=1e-14, abs=0)
    assert function(first, second, np.ones((2, 1, 1))).shape == (2, 3, 4)
    assert function(0.01, 0.3, [1, 2, 3]).shape == (3,)


@pytest.mark.parametrize("function", EVERY_FUNCTION)
def test_scalars_and_0_d_arrays_give_a_number(function):
    for result in (function(0.3, 0.4), function(np.array(0.3), np.array(0.4)), function(0.3, 0.4, np.float32(1))):
        assert np.shape(result) == ()
        assert float(result) == pytest.approx(float(function([0.3], [0.4])[0]), rel=1e-14, abs=0)


@pytest.mark.parametrize("function", EVERY_FUNCTION)
def test_lists_series_and_integers_are_numbers(function):
    expected = function(np.array([0.3, 0.4]), 0.2)
    assert function([0.3, 0.4], 0.2) == pytest.approx(expected, rel=1e-14)
    from_series = function(pd.Series([0.3, 0.4], index=["a", "b"]), pd.Series([0.2, 0.2], index=["b", "a"]))
    assert from_series == pytest.approx(expected, rel=1e-14)
    assert function(0.3, 0.2, 2) == pytest.approx(float(function(0.3, 0.2, 2.0)), rel=1e-14)


def test_integer_epsilon_and_sigma_are_numbers():
    assert analytic_sigma(1, 1e-5) == pytest.approx(float(analytic_sigma(1.0, 1e-5)), rel=1e-14)
    assert delta_from_sigma(np.int8(1), np.uint64(2)) == pytest.approx(float(delta_from_sigma(1.0, 2.0)), rel=1e-14)


@pytest.mark.parametrize("function", EVERY_FUNCTION)
@pytest.mark.parametrize("place", [0, 1, 2])
def test_empty_arrays_give_an_empty_array(function, place):
    arguments: list[object] = [0.3, 0.4, 1.0]
    arguments[place] = []
    result = function(*arguments)
    assert result.shape == (0,)
    assert result.dtype == np.float64


@pytest.mark.parametrize("function", EVERY_FUNCTION)
def test_inputs_are_left_unchanged(function):
    first, second = np.array([0.3, 0.4]), np.array([0.2, 0.6])
    function(first, second)
    assert [*first, *second] == [0.3, 0.4, 0.2, 0.6]


# Refusals

EPSILON_IS_POSITIVE = (classical_sigma, classical_tight_sigma, pdp_sigma, exact_pdp_sigma, lower_bound_sigma)


@pytest.mark.parametrize("sigma_of", EVERY_SIGMA)
@pytest.mark.parametrize(
    ("delta", "shown"), [(0, "0"), (1, "1"), (9e-301, "9e-301"), (-0.5, "-0.5"), (np.nan, "nan"), ([0.5, 2], "2")]
)
def test_sigmas_refuse_delta_outside_its_range(sigma_of, delta, shown):
    check_refusal(f"delta must be in [1e-300, 1), got {shown}", sigma_of, 1, delta)


@pytest.mark.parametrize("sigma_of", EPSILON_IS_POSITIVE)
@pytest.mark.parametrize(("epsilon", "shown"), [(0, "0"), (1.1e6, "1100000"), (np.inf, "inf"), (np.nan, "nan")])
def test_sigmas_that_divide_by_epsilon_refuse_epsilon_outside_its_range(sigma_of, epsilon, shown):
    check_refusal(f"epsilon must be in [1e-300, 1e6], got {shown}", sigma_of, epsilon, 0.1)


@pytest.mark.parametrize("function", [analytic_sigma, delta_from_sigma, pdp_delta_from_sigma])
@pytest.mark.parametrize(("epsilon", "shown"), [(-5e-324, "-5e-324"), (1.1e6, "1100000"), (np.nan, "nan")])
def test_functions_that_allow_epsilon_0_refuse_what_lies_outside(function, epsilon, shown):
    check_refusal(f"epsilon must be in [0, 1e6], got {shown}", function, epsilon, 0.1)


@pytest.mark.parametrize("function", EVERY_FUNCTION)
@pytest.mark.parametrize(
    ("sensitivity", "shown"), [(0, "0"), (9e-301, "9e-301"), (-1, "-1"), (np.inf, "inf"), (np.nan, "nan"), ("1", "'1'")]
)
def test_every_function_refuses_a_sensitivity_outside_its_range(function, sensitivity, shown):
    check_refusal(f"l2_sensitivity must be in [1e-300, inf), got {shown}", function, 0.3, 0.4, sensitivity)


@pytest.mark.parametrize("profile", EVERY_PROFILE)
@pytest.mark.parametrize(("sigma", "shown"), [(0, "0"), (-1, "-1"), (np.inf, "inf"), (np.nan, "nan"), (True, "True")])
def test_profiles_refuse_a_sigma_outside_its_range(profile, sigma, shown):
    check_refusal(f"sigma must be in (0, inf), got {shown}", profile, 0.3, sigma)


@pytest.mark.parametrize(("delta", "shown"), [(0, "0"), (1, "1"), (np.nan, "nan"), (None, "None")])
def test_epsilon_from_sigma_refuses_delta_outside_its_range(delta, shown):
    check_refusal(f"delta must be in [1e-300, 1), got {shown}", epsilon_from_sigma, delta, 1)


@pytest.mark.parametrize(
    ("sigma_of", "epsilon", "most"),
    [
        (analytic_sigma, 0, "4.261e+08"),
        (classical_sigma, 1e-300, "4.573e+06"),
        (classical_tight_sigma, 1e-300, "4.573e+06"),
        (pdp_sigma, 1e-300, "4.586e+06"),
        (exact_pdp_sigma, 1e-300, "4.586e+06"),
    ],
)
def test_sigmas_refuse_a_sensitivity_that_overflows_them(sigma_of, epsilon, most):
    message = f"l2_sensitivity must be in [1e-300, {most}] at this epsilon and delta, got 10000000000"
    check_refusal(message, sigma_of, epsilon, 1e-300, 1e10)
    check_refusal(message, sigma_of, [epsilon, 1], 1e-300, [[1e10], [1]])
    assert np.isfinite(sigma_of(epsilon, 1e-300, float(most)))


def test_lower_bound_refuses_a_sensitivity_that_overflows_it():
    message = "l2_sensitivity must be in [1e-300, 2.404e+158] at this epsilon and delta, got 1e+200"
    check_refusal(message, lower_bound_sigma, 1e-300, 1e-300, 1e200)


@pytest.mark.parametrize(
    ("sigma", "sensitivity", "low", "shown"),
    [(1e-151, 1.0, "1e-150", "1e-151"), (1, 1e200, "1e+50", "1"), (1e-300, 1e300, "1e+150", "1e-300")],
)
def test_epsilon_from_sigma_refuses_a_sigma_too_small_for_the_sensitivity(sigma, sensitivity, low, shown):
    check_refusal(f"sigma must be in [{low}, inf), got {shown}", epsilon_from_sigma, 0.1, sigma, sensitivity)


def check_refusal(message: str, function: Callable[..., Numbers], *arguments: object) -> None:
    with pytest.raises(ValueError, match="^" + re.escape(message) + "$"):
        function(*arguments)


@pytest.mark.parametrize("function", EVERY_FUNCTION)
def test_the_corners_of_the_domain_give_finite_numbers(function):
    first = EDGE_DELTA if function is epsilon_from_sigma else EDGE_EPSILON
    second = EDGE_DELTA if function in EVERY_SIGMA else (1e-150, 1e-3, 1.0, 1e3, 1.7e308)
    sensitivity = np.array([1e-300, 1, 1e6])[:, None, None] if function in EVERY_SIGMA else 1.0
    result = function(np.array(first)[:, None], np.array(second), sensitivity)
    assert np.all(np.isfinite(result) & (result >= 0))


def test_the_lower_bound_that_says_nothing_is_0_whatever_the_sensitivity():
    assert lower_bound_sigma(1e-300, 0.9, 1e200) == 0
