"""Compositions computed from the distribution of the loss, on a lattice or by a grid."""

from itertools import product

import mpmath
import numpy as np
import pytest
from dp_accounting.pld import privacy_loss_distribution
from scipy.stats import binom

from dpcore.rounding import ULP
from dpcore.tradeoff import (
    composed_curve,
    epsilon_delta_curve,
    gaussian_curve,
    geometric_curve,
    laplace_curve,
    profile,
    profile_curve,
    smallest_delta,
    smallest_epsilon,
)
from dpcore.tradeoff.losses import losses, profiles, tabled


@pytest.mark.parametrize(("theta", "sensitivity", "n"), [(0.1, 7, 300), (1.0, 4, 50), (0.05, 1, 1000)])
def test_geometric_noise_composes_exactly_on_its_lattice(theta, sensitivity, n):
    """Found by measuring: δ was up to 5 % above the truth where the grid did not hold the lattice."""
    k = np.arange(sensitivity + 1)
    step = theta / sensitivity
    null = np.exp(-step * (sensitivity - k)) * np.where(k > 0, -np.expm1(-step), 1) / (1 + np.exp(-step))
    null[0] = np.exp(-theta) / (1 + np.exp(-step))
    null[-1] = 1 / (1 + np.exp(-step))
    mass = np.ones(1)
    for _ in range(n):
        mass = np.convolve(mass, null)
    loss = (2 * np.arange(mass.size) - n * sensitivity) * step
    epsilon = np.array([0.0, 0.5, 1.03, 2.0, 3.0])
    exact = np.array([np.sum(np.where(loss > total, -mass * np.expm1(total - loss), 0)) for total in epsilon])
    bound = smallest_delta(composed_curve([geometric_curve(theta, sensitivity)], [n]), epsilon)
    assert np.all(bound >= exact - 1e-15)
    assert bound == pytest.approx(exact, rel=2e-7, abs=1e-11)


def geometric_profile(theta, sensitivity, n):
    """δ(ε) of n releases of geometric noise, to 60 digits: the sum over the lattice of losses, by its definition."""
    step = mpmath.mpf(theta) / sensitivity
    q = mpmath.exp(-step)
    once = [1 / (1 + q), *((1 - q) / (1 + q) * q**k for k in range(1, sensitivity)), q**sensitivity / (1 + q)]
    mass = [mpmath.mpf(1)]
    for _ in range(n):
        longer = [mpmath.mpf(0)] * (len(mass) + sensitivity)
        for (i, left), (j, right) in product(enumerate(mass), enumerate(once)):
            longer[i + j] += left * right
        mass = longer

    def delta(epsilon):
        loss = [mpmath.mpf(n * sensitivity - 2 * i) / sensitivity * mpmath.mpf(theta) for i in range(len(mass))]
        beyond = [(chance, loss_value) for chance, loss_value in zip(mass, loss, strict=True) if loss_value > epsilon]
        return mpmath.fsum(-chance * mpmath.expm1(epsilon - loss_value) for chance, loss_value in beyond)

    return delta


def test_delta_of_geometric_noise_next_to_the_largest_loss_is_not_too_small():
    theta, epsilon = 0.15891919636523846, 0.31783839273044434
    curve = composed_curve([geometric_curve(theta, 5)], [2])
    with mpmath.workdps(60):
        exact = geometric_profile(theta, 5, 2)(mpmath.mpf(epsilon))
        assert float(mpmath.nstr(exact, 17)) == pytest.approx(8.4072e-15, rel=1e-4)
        for delta in (smallest_delta(curve, epsilon), profile(curve, epsilon)):
            assert exact <= mpmath.mpf(float(delta)) <= exact * (1 + mpmath.mpf(10) ** -9)


@pytest.mark.parametrize("n", [1, 2, 3, 5])
def test_delta_of_geometric_noise_is_never_too_small_beside_any_of_its_losses(n):
    rng = np.random.default_rng(270 + n)
    for _ in range(5):
        theta, sensitivity = float(10 ** rng.uniform(-3, 1.3)), int(rng.integers(1, 24 if n < 3 else 8))
        curve = composed_curve([geometric_curve(theta, sensitivity)], [n])
        losses_at = np.arange(n * sensitivity, -1, -2) / sensitivity * theta
        near = losses_at * (1 + rng.choice([-1, 1], losses_at.size) * 10 ** rng.uniform(-16, -6, losses_at.size))
        epsilon = np.concatenate([losses_at, near, np.nextafter(losses_at, 0), rng.uniform(0, n * theta, 3)])
        bound = smallest_delta(curve, epsilon)
        with mpmath.workdps(60):
            exact = geometric_profile(theta, sensitivity, n)
            for entry, at in zip(bound, epsilon, strict=True):
                least = exact(mpmath.mpf(float(at))) - mpmath.mpf(10) ** -50
                moved = exact(mpmath.mpf(float(at)) - 4 * ULP * n * theta)  # ε moved by a few roundings of Σθ
                assert least <= mpmath.mpf(float(entry)) <= moved * (1 + mpmath.mpf(10) ** -12) + (n > 1) * 2e-13


def test_the_pure_epsilon_of_geometric_noise_is_theta_itself():
    for theta, sensitivity in ((0.05836230611032987, 7), (0.006972163400672519, 13), (2.0, 5), (1e-310, 9999)):
        assert geometric_curve(theta, sensitivity).pure_epsilon == theta
    assert composed_curve([geometric_curve(0.02718023220511759, 5)], [2]).pure_epsilon == 2 * 0.02718023220511759


def contour_delta(log_moment, epsilon, order):
    """δ(ε) = 1/(2πi) ∫ e^{K(s) − sε}/(s(1 + s)) ds over the line of real part `order`, by the trapezoid rule."""
    line = order + 1j * np.linspace(-12, 12, 24_001)  # beyond, e^{−s²/2} is 0 for losses of variance 1
    values = np.exp(log_moment(line) - line * epsilon) / (line * (1 + line))
    return float(np.trapezoid(values.real, line.imag) / (2 * np.pi))


@pytest.mark.parametrize(("theta", "n"), [(0.01, 10_000), (0.001, 1_000_000)])
def test_laplace_noise_many_times_is_its_contour_integral(theta, n):
    def log_moment(s):
        return n * np.log(((s + 1) * np.exp(s * theta) + s * np.exp(-(s + 1) * theta)) / (2 * s + 1))

    curve = composed_curve([laplace_curve(theta)], [n])
    for delta in (0.1, 1e-3, 1e-6):
        epsilon = float(smallest_epsilon(curve, delta))
        exact = contour_delta(log_moment, epsilon, 3.0)
        assert exact <= delta * (1 + 1e-12)
        assert exact == pytest.approx(delta, rel=2e-3)


def test_the_rounding_of_the_transforms_is_less_than_what_is_added_for_it():
    """Randomised responses on the grid against their closed form; the lines before it would hide the difference."""
    for epsilon, k in ((0.001, 1_000_000), (0.02, 10_000), (1.0, 1000)):
        single = losses(tabled(epsilon_delta_curve(epsilon), k), k)
        total, delta, _ = profiles([(single, k)], [(single, k)])
        exact = smallest_delta(composed_curve([epsilon_delta_curve(epsilon)], [k]), total)
        assert np.all(delta >= exact * (1 - 1e-10) - 1e-13)


@pytest.mark.parametrize(("k", "epsilon"), [(3000, 0.02), (10_000, 0.01)])
def test_the_rounding_of_a_convolution_of_thousands_never_understates_the_far_tail(k, epsilon):
    """The Fourier transform is off by 1e-13 here, more than δ itself at the largest ε."""
    curve = composed_curve([epsilon_delta_curve(epsilon)], [k])
    votes, total = np.arange(k + 1), np.linspace(3, 9, 9) + 0.00037
    loss = (2 * votes - k) * epsilon
    chance = binom.pmf(votes, k, 1 / (1 + np.exp(-epsilon)))
    exact = np.array([np.sum(np.maximum(-chance * np.expm1(single - loss), 0)) for single in total])
    bound = smallest_delta(curve, total)
    assert np.all(bound >= exact)
    assert bound == pytest.approx(exact, rel=3e-4, abs=1e-11)


def test_losses_too_small_or_too_unlikely_to_matter_are_composed_all_the_same():
    unlikely = profile_curve([0, 1], [1e-19, 0])
    assert 2e-19 <= smallest_delta(composed_curve([unlikely], [2]), 0) <= 2.1e-19
    tiny = composed_curve([epsilon_delta_curve(5e-324), laplace_curve(5e-324)], [1_000_000, 2])
    assert smallest_delta(tiny, 0) < 1e-300


@pytest.mark.parametrize(("n", "tolerance"), [(1, 1e-3), (10, 1e-3), (300, 1e-3)])
def test_laplace_composes_as_googles_accountant_has_it(n, tolerance):
    theta = 1 / np.sqrt(n)
    curve = composed_curve([laplace_curve(theta), epsilon_delta_curve(0)], [n, 1])
    direct = privacy_loss_distribution.from_laplace_mechanism(1 / theta, value_discretization_interval=1e-4)
    epsilon = np.array([0.0, 0.3, 0.8])
    expected = np.array(direct.self_compose(n).get_delta_for_epsilon(epsilon.tolist()))
    assert smallest_delta(curve, epsilon) == pytest.approx(expected, rel=tolerance)


def test_many_gaussians_through_the_losses_are_nearly_exact_and_err_upwards():
    """Measured: 1e-5 of δ at ε = 0, 2e-4 at ε = 4."""
    for n in (1, 100, 4000):
        plain = gaussian_curve(1 / np.sqrt(n))
        disguised = composed_curve([plain, epsilon_delta_curve(0)], [n, 1])
        epsilon = np.array([0.0, 1.0, 3.0, 4.0])
        excess = smallest_delta(disguised, epsilon) / smallest_delta(gaussian_curve(1), epsilon) - 1
        assert np.all((excess >= -5e-15) & (excess < 2e-3))  # the plain δ itself is rounded up by as much
