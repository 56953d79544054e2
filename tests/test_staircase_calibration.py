"""The γ and θ of staircase noise, its δ over ε, and its least ε."""

from collections.abc import Callable

import mpmath
import numpy as np
import pytest
from mpmath import mpf

from dpcore.staircase import (
    calibration,
    delta_from_theta,
    epsilon_from_theta,
    theta_from_epsilon,
)
from tests.oracle import GREATEST_DELTA, ULP, Numbers
from tests.staircase_oracle import EDGE_THETA, GAMMAS, exact, height, moment, random_noise

DIGITS = 80
pytestmark = pytest.mark.usefixtures("many_digits")


def true_delta(epsilon: mpf, theta: mpf, gamma: mpf) -> mpf:
    share = mpf(1) / 2 + height(theta, gamma) * min(gamma, 1 - gamma)
    return share * -mpmath.expm1(min(epsilon - theta, mpf(0)))


def printed_gamma(objective: str, theta: mpf) -> mpf:
    """γ* as [GV16] prints it, but 1e-300 at least."""
    b = mpmath.exp(-theta)
    if objective == "mean_error":
        gamma = 1 / (1 + mpmath.exp(theta / 2))
    else:
        gamma = -b / (1 - b) + mpmath.cbrt(b - 2 * b**2 + 2 * b**4 - b**5) / (mpmath.cbrt(2) * (1 - b) ** 2)
    return mpf(max(gamma, mpf(1e-300)))


# The best gammas


@pytest.mark.parametrize("objective", GAMMAS)
def test_best_gamma_is_what_geng_and_viswanath_print(objective):
    theta = np.append(10 ** np.random.default_rng(1).uniform(-12, 6.3, 300), EDGE_THETA)
    for angle, gamma in zip(theta, GAMMAS[objective](theta), strict=True):
        assert abs(gamma / printed_gamma(objective, mpf(angle)) - 1) <= (8 + min(angle, 2100)) * ULP
    assert GAMMAS[objective](2e6) == 1e-300
    assert GAMMAS[objective](1e-12) == pytest.approx(0.5, rel=1e-12, abs=0)


@pytest.mark.parametrize(("objective", "order"), [("variance", 2), ("mean_error", 1)])
@pytest.mark.parametrize("theta", [1e-12, 1e-4, 0.3, 1, 7, 80, 600])
def test_best_gamma_makes_the_slope_of_its_moment_vanish_and_change_sign(objective, order, theta):
    gamma = mpf(float(GAMMAS[objective](theta)))
    least = moment(order, mpf(theta), gamma)
    for factor in (mpf(1) - mpf("1e-9"), mpf(1) + mpf("1e-9")):
        assert moment(order, mpf(theta), gamma * factor) > least
    for other in (mpf(0), gamma / 2, 2 * gamma, mpf(1)):
        assert moment(order, mpf(theta), other) > least


def test_best_gammas_fall_as_theta_rises():
    theta = np.geomspace(1e-6, 1300, 20001)
    for gamma in GAMMAS.values():
        assert np.all(np.diff(gamma(theta)) < 0)


# Privacy


def brute_force_delta(epsilon: float, theta: float, gamma: float, shift: float) -> float:
    """∫ max(0, f(x) − e^ε f(x − d)) dx, exactly: both densities are constant between neighbouring steps."""
    n_periods = int(40 / theta) + 3
    steps = np.concatenate([np.arange(n_periods), np.arange(n_periods) + gamma])
    steps = np.concatenate([-steps, steps])
    ends = np.unique(np.concatenate([steps, steps + shift]))
    middle, width = (ends[1:] + ends[:-1]) / 2, np.diff(ends)

    def density(x: Numbers) -> Numbers:
        whole = np.floor(abs(x))
        level = np.where(abs(x) < whole + gamma, whole, whole + 1)
        b = np.exp(-theta)
        return (1 - b) / (2 * (gamma + b * (1 - gamma))) * b**level

    return float(np.sum(width * np.maximum(0, density(middle) - np.exp(epsilon) * density(middle - shift))))


@pytest.mark.parametrize("theta", [0.3, 1.0, 4.0])
@pytest.mark.parametrize("gamma", [0.0, 0.05, 0.4167, 0.5, 0.7, 0.96, 1.0])
def test_profile_is_the_divergence_of_the_noise_shifted_by_the_whole_sensitivity(theta, gamma):
    for epsilon in (0, 0.1 * theta, 0.7 * theta, 0.99 * theta):
        shifts = np.unique(np.append(np.linspace(0.01, 1, 21), [gamma, 1 - gamma, gamma / 2, abs(1 - 2 * gamma)]))
        shifts = shifts[shifts > 0]
        divergence = [brute_force_delta(epsilon, theta, gamma, shift) for shift in shifts]
        profile = delta_from_theta(epsilon, theta, gamma)
        assert divergence[-1] == pytest.approx(profile, rel=1e-11)
        assert max(divergence) <= profile * (1 + 1e-11)
        assert np.all(np.diff(divergence) >= -1e-12)
    assert brute_force_delta(theta, theta, gamma, 1.0) == pytest.approx(0, abs=1e-14)


def test_profile_is_exact_and_rounded_up():
    theta, gamma = random_noise(600, seed=12)
    rng = np.random.default_rng(13)
    epsilon = np.minimum(theta * np.where(rng.random(theta.size) < 0.5, rng.random(theta.size), 1 - 1e-9), 1e6)
    epsilon[::5] = 0
    delta = delta_from_theta(epsilon, theta, gamma)
    for value, row in zip(delta, zip(epsilon, theta, gamma, strict=True), strict=True):
        true = true_delta(*exact(*row))
        assert true <= value <= true * (1 + 18 * ULP)
    assert np.all(delta_from_theta(np.minimum(theta, 1e6), np.minimum(theta, 1e6), gamma) == 0)
    assert delta_from_theta(1e6, 1e-12, 0.5) == 0


def test_least_epsilon_inverts_the_profile_rounded_up():
    theta, gamma = random_noise(600, seed=14)
    rng = np.random.default_rng(15)
    n = theta.size
    epsilon = theta * rng.random(n)
    delta = np.array([float(true_delta(*exact(*row))) for row in zip(epsilon, theta, gamma, strict=True)])
    delta[::3] = 10 ** rng.uniform(-300, 0, delta[::3].size)
    delta[1::6] = 1 - 10 ** rng.uniform(-16, -1, delta[1::6].size)
    delta = np.minimum(delta, GREATEST_DELTA)
    for value, row in zip(epsilon_from_theta(delta, theta, gamma), zip(delta, theta, gamma, strict=True), strict=True):
        level, loss, share = exact(*row)
        assert true_delta(mpf(float(value)), loss, share) <= level
        if value > 0:
            error = 12 * ULP * (1 if level > 0.2 else level) + 6 * ULP * loss
            slack = 18 * ULP * min(level, 1 - level)
            assert true_delta(max(mpf(float(value)) - error, mpf(0)), loss, share) >= level - slack


def test_least_epsilon_near_0_is_rounded_up():
    rng = np.random.default_rng(30)
    theta, gamma = 10 ** rng.uniform(-6, 0.5, 500), rng.random(500)
    delta = delta_from_theta(0, theta, gamma) * (1 - 10 ** rng.uniform(-13, -0.5, 500))
    for value, row in zip(epsilon_from_theta(delta, theta, gamma), zip(delta, theta, gamma, strict=True), strict=True):
        level, loss, share = exact(*row)
        assert true_delta(mpf(float(value)), loss, share) <= level
        less = mpf(float(value)) - 12 * ULP * (1 if level > 0.2 else level) - 6 * ULP * loss
        assert true_delta(max(less, mpf(0)), loss, share) >= level - 18 * ULP * min(level, 1 - level)


def test_least_epsilon_that_a_rounding_of_its_logarithm_would_spoil_is_rounded_up():
    delta, theta, gamma = 0.26594122920986824, 0.6219237882009674, 0.20228254360816056
    value = mpf(float(epsilon_from_theta(delta, theta, gamma)))
    assert true_delta(value, mpf(theta), mpf(gamma)) <= delta < true_delta(value - 20 * ULP, mpf(theta), mpf(gamma))


def test_least_epsilon_is_theta_without_delta_and_0_from_delta_of_0_on():
    theta, gamma = random_noise(500, seed=16)
    assert np.all(epsilon_from_theta(0, theta, gamma) == theta)
    whole = delta_from_theta(0, theta, gamma)
    less = whole < 1
    assert np.all(epsilon_from_theta(whole[less], theta[less], gamma[less]) == 0)
    assert epsilon_from_theta(GREATEST_DELTA, 5, 0.3) == 0
    assert epsilon_from_theta(0.5, 50, 1) == 0
    assert epsilon_from_theta(0.5 * (1 + 10 * ULP), 1e6, 1) == 0


def random_guarantees(n: int, seed: int) -> tuple[Numbers, Numbers]:
    rng = np.random.default_rng(seed)
    epsilon = np.where(rng.random(n) < 0.5, 10 ** rng.uniform(-3, 2, n), 10 ** rng.uniform(-12, 6, n))
    delta = np.select(
        [np.arange(n) % 4 == i for i in range(3)],
        [10 ** rng.uniform(-20, 0, n), rng.random(n), 1 - 10 ** rng.uniform(-16, -0.3, n)],
        10 ** rng.uniform(-300, 0, n),
    )
    epsilon[::10], delta[::10] = 0, np.maximum(delta[::10], 1e-12)
    edges = np.array(np.meshgrid([1e-12, 1, 700, 1e6], [1e-320, 1e-101, 1e-99, 0.25, 0.5, GREATEST_DELTA]))
    return np.append(epsilon, edges[0]), np.clip(np.append(delta, edges[1]), 0, GREATEST_DELTA)


def all_at_once(function: Callable[..., Numbers], epsilon: Numbers, delta: Numbers, objective: str) -> Numbers:
    return function(epsilon, delta, objective)


def one_by_one(function: Callable[..., Numbers], epsilon: Numbers, delta: Numbers, objective: str) -> Numbers:
    """A solver runs until the last entry of an array is right, which hides haste."""
    return np.array([float(function(*row, objective)) for row in zip(epsilon, delta, strict=True)])


@pytest.mark.parametrize("call", [all_at_once, one_by_one])
@pytest.mark.parametrize("objective", GAMMAS)
def test_solved_theta_satisfies_the_guarantee_and_no_theta_a_few_roundings_larger_does(objective, call):
    epsilon, delta = random_guarantees(150, seed=17)
    theta = call(theta_from_epsilon, epsilon, delta, objective)
    assert np.all(theta >= epsilon)
    gamma = GAMMAS[objective](theta)
    for row in zip(epsilon, delta, theta, gamma, strict=True):
        least, level, loss, share = exact(*row)
        assert true_delta(least, loss, share) <= level
        more = (loss + 20 * ULP * (loss - least)) * (1 + ULP)
        assert true_delta(least, more, printed_gamma(objective, more)) > level


@pytest.mark.parametrize("objective", GAMMAS)
def test_solver_needs_few_steps(monkeypatch, objective):
    epsilon, delta = random_guarantees(1500, seed=18)
    solved = theta_from_epsilon(epsilon, delta, objective)
    monkeypatch.setattr(calibration, "_MOST_STEPS", 2)
    close = theta_from_epsilon(epsilon, delta, objective)
    assert close == pytest.approx(solved, rel=0.02)
    assert np.any(close != solved)
    monkeypatch.setattr(calibration, "_MOST_STEPS", 7)
    assert theta_from_epsilon(epsilon, delta, objective) == pytest.approx(solved, rel=42 * ULP, abs=0)


def test_pure_guarantee_is_theta_itself():
    epsilon = np.append(10 ** np.random.default_rng(19).uniform(-12, 6, 1000), [1e-12, 1e6])
    for objective in GAMMAS:
        assert np.all(theta_from_epsilon(epsilon, 0, objective) == epsilon)
    assert theta_from_epsilon(1.0) == 1


def test_theta_at_the_best_mean_error_solves_its_cubic():
    """(1 − c/2)(1 − e^ε c²) = δ with c = e^{−θ/2}."""
    for epsilon, delta in ((0, 0.1), (1, 1e-6), (0.3, 0.7)):
        e = float(np.exp(epsilon))
        roots = np.roots([e / 2, -e, -0.5, 1 - delta])
        c = roots[(abs(roots.imag) < 1e-12) & (roots.real > 0) & (roots.real <= np.exp(-epsilon / 2))].real
        assert theta_from_epsilon(epsilon, delta, "mean_error") == pytest.approx(-2 * np.log(c[0]), rel=1e-9)


def test_staircase_of_a_delta_is_no_better_than_its_pure_theta_and_rises_with_both():
    epsilon, delta = np.geomspace(1e-3, 30, 50)[:, None], np.geomspace(1e-9, 0.99, 50)
    for objective in GAMMAS:
        theta = theta_from_epsilon(epsilon, delta, objective)
        assert np.all(np.diff(theta, axis=0) > 0)
        assert np.all(np.diff(theta, axis=1) > 0)
        assert np.all(theta <= epsilon - np.log1p(-np.minimum(2 * delta, 1 - 1e-16)))
