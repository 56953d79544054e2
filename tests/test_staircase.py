import re
from collections.abc import Callable

import mpmath
import numpy as np
import pytest
from mpmath import mpf
from scipy import stats

from dpcore.staircase import (
    calibration,
    cdf,
    delta_from_theta,
    epsilon_from_theta,
    half_width,
    mean_absolute_error,
    mean_error_gamma,
    pdf,
    sample,
    tail,
    theta_from_epsilon,
    variance,
    variance_gamma,
)
from tests.oracle import GREATEST_DELTA, ULP, Numbers

DIGITS = 80
GAMMAS = {"variance": variance_gamma, "mean_error": mean_error_gamma}
EDGE_THETA = (1e-12, 1e-3, 1.0, 36.0, 690.0, 709.5, 745.2, 1381.0, 1400.0, 2072.0, 1e6, 2e6)
EDGE_GAMMA = (0.0, 1e-300, 1e-12, 0.25, 0.5, 0.75, 1.0)


@pytest.fixture(autouse=True)
def many_digits():
    with mpmath.workdps(DIGITS):
        yield


# Oracles: the definition of the density, for sensitivity 1, and what [GV16] prints


def height(theta: mpf, gamma: mpf) -> mpf:
    """a of the density."""
    b = mpmath.exp(-theta)
    return (1 - b) / (2 * (gamma + b * (1 - gamma)))


def true_density(x: mpf, theta: mpf, gamma: mpf) -> mpf:
    whole = mpmath.floor(abs(x))
    step = whole if abs(x) < whole + gamma else whole + 1
    return height(theta, gamma) * mpmath.exp(-step * theta)


def true_tail(t: mpf, theta: mpf, gamma: mpf) -> mpf:
    """Both sides of the rest of the period of t, and of all the periods after it."""
    k = mpmath.floor(t)
    rest, b = t - k, mpmath.exp(-theta)
    here = max(gamma - rest, mpf(0)) + b * min(1 - gamma, 1 - rest)
    later = (gamma + b * (1 - gamma)) * b / (1 - b)
    return 2 * height(theta, gamma) * mpmath.exp(-k * theta) * (here + later)


def moment(order: int, theta: mpf, gamma: mpf) -> mpf:
    """E|X|^order, with Σ b^k, Σ k b^k and Σ k² b^k in closed form."""
    b = mpmath.exp(-theta)
    s0, s1, s2 = 1 / (1 - b), b / (1 - b) ** 2, b * (1 + b) / (1 - b) ** 3
    if order == 1:
        near, far = 2 * s1 * gamma + s0 * gamma**2, 2 * s1 * (1 - gamma) + s0 * (1 - gamma**2)
    else:
        near = 3 * s2 * gamma + 3 * s1 * gamma**2 + s0 * gamma**3
        far = 3 * s2 * (1 - gamma) + 3 * s1 * (1 - gamma**2) + s0 * (1 - gamma**3)
    return 2 * height(theta, gamma) * (near + b * far) / (order + 1)


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


def exact(*numbers: float) -> list[mpf]:
    return [mpf(float(number)) for number in numbers]


def random_noise(n: int, seed: int) -> tuple[Numbers, Numbers]:
    """n pairs (θ, γ): the everyday θ and all of them, the best γ and every γ, and the edges."""
    rng = np.random.default_rng(seed)
    theta = np.where(rng.random(n) < 0.4, 10 ** rng.uniform(-2, 2.5, n), 10 ** rng.uniform(-12, 6.3, n))
    kind = rng.integers(0, 5, n)
    choices = [10 ** rng.uniform(-300, 0, n), rng.random(n), variance_gamma(theta), mean_error_gamma(theta)]
    gamma = np.select([kind == i for i in range(4)], choices, rng.choice(EDGE_GAMMA, n))
    edges = np.array(np.meshgrid(EDGE_THETA, EDGE_GAMMA)).reshape(2, -1)
    return np.append(theta, edges[0]), np.append(gamma, edges[1])


# The best gammas


@pytest.mark.parametrize("objective", GAMMAS)
def test_best_gamma_is_what_geng_and_viswanath_print(objective):
    theta = np.append(10 ** np.random.default_rng(1).uniform(-12, 6.3, 300), EDGE_THETA)
    for given, gamma in zip(theta, GAMMAS[objective](theta), strict=True):
        assert abs(gamma / printed_gamma(objective, mpf(given)) - 1) <= (8 + min(given, 2100)) * ULP
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


# Moments


@pytest.mark.parametrize(("function", "order"), [(variance, 2), (mean_absolute_error, 1)])
def test_moments_are_the_sums_over_the_steps_at_any_sensitivity(function, order):
    theta, gamma = random_noise(400, seed=2)
    most = (150 if order == 2 else 300) + np.log10(np.minimum(theta, 1)) - 1e-9
    sensitivity = 10 ** np.where(np.arange(theta.size) % 3, most, np.random.default_rng(3).uniform(-150, most))
    for value, row in zip(
        function(theta, gamma, sensitivity), zip(theta, gamma, sensitivity, strict=True), strict=True
    ):
        t, g, unit = exact(*row)
        true = moment(order, t, g) * unit**order
        assert abs(value - true) <= 20 * ULP * true + 1e-322


def test_half_steps_and_whole_steps_are_elementary():
    theta = np.array([0.1, 1.0, 4.0])
    b = np.exp(-theta)
    for gamma in (0, 1):  # |X| = geometric + uniform
        assert mean_absolute_error(theta, gamma) == pytest.approx(b / (1 - b) + 1 / 2, rel=1e-14)
        assert variance(theta, gamma) == pytest.approx(b * (1 + b) / (1 - b) ** 2 + b / (1 - b) + 1 / 3, rel=1e-14)
        assert pdf(0.3, theta, gamma) == pytest.approx((1 - b) / 2, rel=1e-14)
    assert tail(0.5, theta, 0.5) == pytest.approx(2 * b / (1 + b), rel=1e-14)
    assert pdf(0.3, theta, 0.5) == pytest.approx((1 - b) / (1 + b), rel=1e-14)
    assert pdf(-0.7, theta, 0.5) == pytest.approx(b * (1 - b) / (1 + b), rel=1e-14)


def test_small_theta_is_laplace_noise_of_scale_sensitivity_over_theta():
    theta, significance, t = 1e-9, np.array([0.9, 0.05, 1e-17, 1e-300]), np.array([0.01, 1, 30, 700])
    for gamma in (0, 0.3, variance_gamma(theta), mean_error_gamma(theta)):
        assert variance(theta, gamma, 2) == pytest.approx(2 * (2 / theta) ** 2, rel=2e-9)
        assert mean_absolute_error(theta, gamma, 2) == pytest.approx(2 / theta, rel=2e-9)
        assert tail(2 * t / theta, theta, gamma, 2) == pytest.approx(np.exp(-t), rel=2e-9, abs=0)
        assert half_width(significance, theta, gamma, 2) == pytest.approx(-np.log(significance) * 2 / theta, rel=2e-8)
        assert pdf(2 * t / theta, theta, gamma, 2) == pytest.approx(theta / 4 * np.exp(-t), rel=2e-9, abs=0)


def test_best_staircase_never_errs_more_than_laplace_and_far_less_at_large_epsilon():
    theta = np.geomspace(1e-12, 700, 2000)
    least_variance = variance(theta, variance_gamma(theta))
    least_error = mean_absolute_error(theta, mean_error_gamma(theta))
    assert np.all(least_variance <= 2 / theta**2 * (1 + 20 * ULP))
    assert np.all(least_error <= 1 / theta * (1 + 20 * ULP))
    above_1 = theta > 1
    assert np.all(least_variance[above_1] < 0.96 * 2 / theta[above_1] ** 2)
    assert np.all(least_error[above_1] < 0.96 / theta[above_1])


def test_least_moments_have_the_closed_forms_and_the_asymptotes_of_geng_and_viswanath():
    theta = np.geomspace(1e-10, 600, 500)
    b = np.exp(-theta)
    cube = (b * (1 + b) / 2) ** (2 / 3)
    assert variance(theta, variance_gamma(theta), 3) == pytest.approx(9 * (b + cube) / np.expm1(-theta) ** 2, rel=1e-12)
    sinh = 1 / (2 * np.sinh(theta / 2))
    assert mean_absolute_error(theta, mean_error_gamma(theta), 3) == pytest.approx(3 * sinh, rel=1e-14)
    large = np.array([120.0, 600.0, 900.0])
    assert variance(large, variance_gamma(large)) == pytest.approx(
        2 ** (-2 / 3) * np.exp(-2 * large / 3), rel=1e-12, abs=0
    )


def test_best_noise_of_huge_theta_is_uniform_on_gamma_times_the_sensitivity():
    assert mean_absolute_error(2e6, 1e-300, 1e300) == pytest.approx(1 / 2, rel=4e-15)
    assert variance(2e6, 1e-100, 1e100) == pytest.approx(1 / 3, rel=4e-15)
    assert half_width(0.25, 2e6, 1e-300, 1e300) == pytest.approx(3 / 4, rel=1e-14)
    assert variance(2e6, 1e-300) == 5e-324
    assert mean_absolute_error(2e6, 1e-300, 1e-300) == 5e-324


# The distribution


def test_density_is_its_definition():
    theta, gamma = random_noise(400, seed=4)
    rng = np.random.default_rng(5)
    x = 10 ** rng.uniform(-3, 1, theta.size) * np.maximum(1, 1 / theta) * rng.choice([-1, 1], theta.size)
    for value, row in zip(pdf(x, theta, gamma), zip(x, theta, gamma, strict=True), strict=True):
        true = min(true_density(*exact(*row)), mpf(1e308))
        assert abs(value - true) <= 1e-12 * true + 1e-320


def test_density_that_overflows_is_given_as_1e308():
    assert pdf(0, 2e6, 1e-300, 1e-300) == pytest.approx(1e308, rel=1e-12)


def test_steps_of_the_density_belong_to_the_outer_level():
    theta, gamma = 2.0, 0.25
    x = np.array([0, 0.25, 1, 1.25, 2, np.nextafter(0.25, 0), np.nextafter(1, 0), np.nextafter(1.25, 0)])
    level = np.log(pdf(x, theta, gamma) / pdf(0, theta, gamma)) / -theta
    assert level == pytest.approx([0, 1, 1, 2, 2, 0, 1, 1], abs=1e-12)


def test_tail_is_the_integral_of_the_density_rounded_up():
    theta, gamma = random_noise(600, seed=6)
    rng = np.random.default_rng(7)
    t = 10 ** rng.uniform(-8, 2, theta.size) * np.where(rng.random(theta.size) < 0.5, 1 / theta, np.maximum(gamma, 0.1))
    t[::9] = np.ceil(t[::9])
    t[1::9] = np.floor(t[1::9]) + gamma[1::9]
    sensitivity = np.where(np.arange(t.size) % 2, 1, 10 ** rng.uniform(-200, 200, t.size))
    t = t * sensitivity
    for value, row in zip(
        tail(t, theta, gamma, sensitivity), zip(t, theta, gamma, sensitivity, strict=True), strict=True
    ):
        distance, loss, share, unit = exact(*row)
        true = true_tail(distance / unit, loss, share)
        assert value >= min(true, 1)
        nearer = true_tail(distance / unit * (1 - 3 * ULP), loss, share)
        steps = float(distance / unit)
        assert value <= nearer * (1 + 20 * ULP * (1 + min(steps * row[1], 800))) + 1e-323


@pytest.mark.parametrize(
    ("t", "theta", "gamma"),
    [
        (0.000932767364747825, 1414.5679970470476, 1e-300),
        (2.239278235839831e-07, 1416.897261950402, 1e-300),
        (0.018232973881538255, 1206.9187659271486, 7.242143172830689e-205),
    ],
)
def test_tail_among_the_smallest_doubles_is_rounded_up(t, theta, gamma):
    assert 0 <= mpf(float(tail(t, theta, gamma))) - true_tail(*exact(t, theta, gamma)) <= mpf(5e-324) * 3


@pytest.mark.parametrize(
    ("significance", "theta", "gamma"),
    [
        (1.2939644309230236e-09, 44.61395188214958, 9.933210598939644e-185),
        (2.0495510169588463e-19, 67.4702499925135, 4.4227449745566846e-200),
        (1.9668472070743556e-15, 34.041333235186165, 9.368475840077492e-06),
    ],
)
def test_half_width_next_to_a_whole_step_is_right_to_the_last_digits(significance, theta, gamma):
    t = mpf(float(half_width(significance, theta, gamma)))
    level, loss, share = exact(significance, theta, gamma)
    assert true_tail(t, loss, share) <= level < true_tail(t * (1 - 24 * ULP), loss, share)


def test_tail_begins_at_1_and_ends_at_the_smallest_doubles():
    assert tail(0, 3, 0.3) == 1
    assert tail(1e300, 3, 0.3, 1e-300) == 1e-323


def test_distribution_function_adds_up_with_the_tail():
    theta, gamma = random_noise(500, seed=8)
    x = 10 ** np.random.default_rng(9).uniform(-3, 2, theta.size) / np.minimum(theta, 1)
    below, above = cdf(-x, theta, gamma), cdf(x, theta, gamma)
    assert below + above == pytest.approx(1, rel=4e-15)
    assert above - below == pytest.approx(1 - tail(x, theta, gamma), abs=1e-12)
    lowest = 2 * below > 1e-300
    assert 2 * below[lowest] == pytest.approx(tail(x, theta, gamma)[lowest], rel=1e-11, abs=0)
    assert cdf([-1e300, 0, 1e300], 1, 0.4) == pytest.approx([0, 0.5, 1], rel=4e-15, abs=0)


def test_half_width_is_the_least_distance_of_the_significance_rounded_up():
    theta, gamma = random_noise(600, seed=10)
    rng = np.random.default_rng(11)
    n = theta.size
    significance = np.select(
        [np.arange(n) % 4 == i for i in range(3)],
        [rng.random(n), 10 ** rng.uniform(-20, 0, n), 1 - 10 ** rng.uniform(-16, -1, n)],
        10 ** rng.uniform(-300, 0, n),
    )
    significance[::7] = np.exp(-np.round(-np.log(significance[::7]) / theta[::7]) * theta[::7])  # at a whole step
    significance = np.clip(significance, 1e-300, GREATEST_DELTA)
    sensitivity = np.where(np.arange(n) % 2, 1, 10 ** rng.uniform(-280, 280, n))
    rows = zip(significance, theta, gamma, sensitivity, strict=True)
    for t, row in zip(half_width(significance, theta, gamma, sensitivity), rows, strict=True):
        level, loss, share, unit = exact(*row)
        assert true_tail(mpf(float(t)) / unit, loss, share) <= level
        less = true_tail(max(mpf(float(t)) * (1 - 24 * ULP) - mpf(1e-323), mpf(0)) / unit, loss, share)
        assert less >= level * (1 - 8 * ULP * (1 - mpmath.log(level)))


def test_half_width_just_beyond_a_tiny_inner_level_is_rounded_up():
    rng = np.random.default_rng(29)
    theta, gamma = rng.uniform(1, 60, 300), 10 ** rng.uniform(-20, -3, 300)
    edge = [float(mpmath.exp(-t) / (mpmath.exp(-t) * (1 - g) + g)) for t, g in zip(theta, gamma, strict=True)]
    significance = np.array(edge) * (1 - 10 ** rng.uniform(-16, -8, 300))
    rows = zip(significance, theta, gamma, strict=True)
    for t, row in zip(half_width(significance, theta, gamma), rows, strict=True):
        level, loss, share = exact(*row)
        assert true_tail(mpf(float(t)), loss, share) <= level
        less = true_tail(mpf(float(t)) * (1 - 24 * ULP), loss, share)
        assert less >= level * (1 - 10 * ULP * (1 - mpmath.log(level)))


@pytest.mark.parametrize("significance", [1e-300, 1e-17, 0.05, 0.9])
def test_half_width_in_everyday_terms_is_right_to_the_last_digits(significance):
    for theta in (0.1, 1.0, 5.0):
        with mpmath.workdps(40):
            gamma = float(variance_gamma(theta))
            level, loss, share = exact(significance, theta, gamma)
            root = mpmath.findroot(
                lambda t, loss=loss, share=share, level=level: mpmath.log(true_tail(t, loss, share) / level),
                (mpf(0), mpf(800) / loss),
                solver="anderson",
                tol=1e-60,
                maxsteps=500,
            )
            assert 0 <= half_width(significance, theta, gamma) / root - 1 < 1e-13


def test_accuracy_grows_worse_strictly_as_epsilon_falls():
    theta, large = np.geomspace(1e-3, 48, 4001), np.geomspace(48, 1300, 999)
    significance = np.append(np.geomspace(1e-10, 0.9, 60), [1e-300, np.exp(-1), np.exp(-2)])[:, None]
    for gamma in GAMMAS.values():
        assert np.all(np.diff(half_width(significance, theta, gamma(theta)), axis=1) < 0)
        accuracy = half_width(significance, large, gamma(large))  # flat next to the whole steps, up to its last bits
        assert np.all(np.diff(accuracy, axis=1) <= 3e-15 * accuracy[:, 1:])


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
        shifts = np.unique(np.append(np.linspace(0.01, 1, 41), [gamma, 1 - gamma, gamma / 2, abs(1 - 2 * gamma)]))
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
    epsilon, delta = random_guarantees(400, seed=17)
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


# Samples


@pytest.mark.parametrize(
    ("theta", "gamma", "seed"), [(0.2, 0.45, 20), (1.0, 0.4167, 21), (3.0, 0.8, 22), (2.0, 0.0, 23), (2.0, 1.0, 24)]
)
def test_samples_pass_a_chi_square_test(theta, gamma, seed):
    draws = sample(np.random.default_rng(seed), theta, gamma, 2.5, 10**6) / 2.5
    assert draws.shape == (10**6,)
    k = np.arange(int(7 / theta))[:, None]
    edges = np.unique(np.append((k + np.array([0, gamma / 2, gamma, (1 + gamma) / 2])).ravel(), 1e9))
    upper = np.array([float(true_tail(mpf(float(edge)), mpf(theta), mpf(gamma))) for edge in edges]) / 2
    expected = -np.diff(upper) * len(draws)
    expected = np.concatenate([expected[::-1], expected])
    observed = np.histogram(draws, np.concatenate([-edges[:0:-1], edges]))[0]
    assert stats.chisquare(observed, expected).pvalue > 0.01


@pytest.mark.parametrize("theta", [1e-12, 1e-3, 30.0, 800.0, 2e6])
def test_samples_of_every_theta_are_finite_and_have_the_half_widths(theta):
    for gamma in (variance_gamma(theta), mean_error_gamma(theta), 0, 1):
        draws = sample(np.random.default_rng(25), theta, gamma, 3e-3, 40000)
        assert np.all(np.isfinite(draws))
        for significance in (0.9, 0.5, 0.1):
            beyond = abs(draws) > half_width(significance, theta, gamma, 3e-3)
            assert beyond.mean() == pytest.approx(
                significance, abs=4 * np.sqrt(significance * (1 - significance)) / 200
            )
        assert (draws > 0).mean() == pytest.approx(0.5, abs=4 * 0.5 / 200)


@pytest.mark.parametrize("theta", [1e-12, 1e-3, 0.5, 2.0])
def test_samples_have_the_mean_error_and_the_variance(theta):
    for gamma in (variance_gamma(theta), 0.3):
        draws = sample(np.random.default_rng(28), theta, gamma, 3e-3, 40000)
        error, square = abs(draws), draws**2
        assert error.mean() == pytest.approx(mean_absolute_error(theta, gamma, 3e-3), abs=4 * error.std() / 200)
        assert square.mean() == pytest.approx(variance(theta, gamma, 3e-3), abs=4 * square.std() / 200)


def test_samples_at_the_largest_sensitivity_are_finite():
    draws = sample(np.random.default_rng(26), [1e-12, 1e-6, 2e6], 0.5, [1e288, 1e294, 1e300], (20000, 3))
    assert np.all(np.isfinite(draws))


def test_sample_has_the_common_shape_or_the_wanted_one():
    rng = np.random.default_rng(27)
    assert np.ndim(sample(rng, 1, 0.5)) == 0
    assert sample(rng, [1, 2], 0.5, [[1], [2], [3]]).shape == (3, 2)
    assert sample(rng, [1, 2], 0.5, 1, (5, 2)).shape == (5, 2)
    assert len(set(sample(rng, 1, 0.5, 1, 9))) == 9
    with pytest.raises(ValueError, match="size must be in the shapes"):
        sample(rng, [[1, 2], [3, 4]], 0.5, 1, 2)


# Every function


FUNCTIONS = {
    variance_gamma: (1.0,),
    mean_error_gamma: (1.0,),
    theta_from_epsilon: (1.0, 1e-6),
    delta_from_theta: (1.0, 2.0, 0.4),
    epsilon_from_theta: (1e-6, 2.0, 0.4),
    pdf: (0.2, 2.0, 0.4, 1.0),
    cdf: (0.2, 2.0, 0.4, 1.0),
    tail: (0.2, 2.0, 0.4, 1.0),
    half_width: (0.2, 2.0, 0.4, 1.0),
    variance: (2.0, 0.4, 1.0),
    mean_absolute_error: (2.0, 0.4, 1.0),
}


@pytest.mark.parametrize("function", FUNCTIONS)
def test_arguments_broadcast_and_scalars_give_scalars(function):
    arguments = FUNCTIONS[function]
    value = function(*arguments)
    assert np.ndim(value) == 0
    for i, argument in enumerate(arguments):
        several = function(*arguments[:i], np.full((2, 1, 3), argument), *arguments[i + 1 :])
        assert several.shape == (2, 1, 3)
        assert several == pytest.approx(np.full((2, 1, 3), value), rel=1e-12, abs=0)
    assert function(*[np.zeros((0, 2))] * len(arguments)).shape == (0, 2)


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("bad", [np.nan, -np.inf, np.inf, "1", True, None])
def test_what_is_no_number_is_refused(function, bad):
    arguments = FUNCTIONS[function]
    for i in range(len(arguments)):
        with pytest.raises(ValueError, match="must be in"):
            function(*arguments[:i], bad, *arguments[i + 1 :])


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: variance_gamma(0), "theta must be in [1e-12, 2e6], got 0"),
        (lambda: mean_error_gamma(3e6), "theta must be in [1e-12, 2e6], got 3000000"),
        (lambda: variance(1, 1e-301), "gamma must be in [1e-300, 1], or 0, got 1e-301"),
        (lambda: variance(1, 1.5), "gamma must be in [0, 1], got 1.5"),
        (lambda: variance(1, 0.5, 1e151), "sensitivity must be in [1e-300, 1e150 min(theta, 1)], got 1e+151"),
        (
            lambda: half_width(0.1, [1, 1e-2], 0.5, 1e299),
            "sensitivity must be in [1e-300, 1e300 min(theta, 1)], got 1e+299",
        ),
        (lambda: tail(1, 1, 0.5, 0), "sensitivity must be in [1e-300, 1e300], got 0"),
        (lambda: tail(-1, 1, 0.5), "t must be in [0, 1e300], got -1"),
        (lambda: pdf(1e301, 1, 0.5), "x must be in [-1e300, 1e300], got 1e+301"),
        (lambda: half_width(0, 1, 0.5), "significance must be in [1e-300, 1), got 0"),
        (lambda: delta_from_theta(-1, 1, 0.5), "epsilon must be in [0, 1e6], got -1"),
        (lambda: epsilon_from_theta(1, 1, 0.5), "delta must be in [0, 1), got 1"),
        (lambda: theta_from_epsilon(0), "epsilon must be in [1e-12, 1e6] where delta < 1e-12, got 0"),
        (
            lambda: theta_from_epsilon([1, 1e-13], 1e-13),
            "epsilon must be in [1e-12, 1e6] where delta < 1e-12, got 1e-13",
        ),
        (lambda: theta_from_epsilon(1, 0, "median"), "objective must be in variance, mean_error, got 'median'"),
        (
            lambda: sample(np.random.default_rng(), 1e-9, 0.5, 1e292),
            "sensitivity must be in [1e-300, 1e300 min(theta, 1)]",
        ),
    ],
)
def test_bad_input_is_refused_in_one_sentence(call, sentence):
    with pytest.raises(ValueError, match=re.escape(sentence)):
        call()
