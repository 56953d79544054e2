"""The moments, density, tail and samples of staircase noise."""

import mpmath
import numpy as np
import pytest
from mpmath import mpf
from scipy import stats

from dpcore.staircase import (
    cdf,
    half_width,
    mean_absolute_error,
    mean_error_gamma,
    pdf,
    sample,
    tail,
    variance,
    variance_gamma,
)
from tests.oracle import GREATEST_DELTA, ULP
from tests.staircase_oracle import GAMMAS, exact, height, moment, random_noise

DIGITS = 80
pytestmark = pytest.mark.usefixtures("many_digits")


def true_density(x: mpf, theta: mpf, gamma: mpf) -> mpf:
    whole = mpmath.floor(abs(x))
    step = whole if abs(x) < whole + gamma else whole + 1
    return height(theta, gamma) * mpmath.exp(-step * theta)


def true_tail(t: mpf, theta: mpf, gamma: mpf) -> mpf:
    """Return both sides of the rest of the period of t, and of all the periods after it."""
    k = mpmath.floor(t)
    rest, b = t - k, mpmath.exp(-theta)
    share = max(gamma - rest, mpf(0)) + b * min(1 - gamma, 1 - rest)
    later = (gamma + b * (1 - gamma)) * b / (1 - b)
    return 2 * height(theta, gamma) * mpmath.exp(-k * theta) * (share + later)


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
                tol=1e-40,
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


# Samples


@pytest.mark.parametrize(
    ("theta", "gamma", "seed"), [(0.2, 0.45, 20), (1.0, 0.4167, 21), (3.0, 0.8, 22), (2.0, 0.0, 23), (2.0, 1.0, 24)]
)
def test_samples_pass_a_chi_square_test(theta, gamma, seed):
    draws = sample(np.random.default_rng(seed), theta, gamma, 2.5, 200_000) / 2.5
    assert draws.shape == (200_000,)
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
