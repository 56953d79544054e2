"""Several releases together, against exact sums and Google's accountant called directly."""

import re
from math import comb

import numpy as np
import pytest
from scipy.optimize import fminbound
from scipy.stats import binom

from dpcore import composition
from dpcore.tradeoff import (
    composed_curve,
    composed_mu,
    epsilon_delta_curve,
    gaussian,
    gaussian_curve,
    generalized_gaussian_curve,
    geometric_curve,
    group_curve,
    laplace,
    laplace_curve,
    points_curve,
    readings,
    releases_curve,
    rounded_up,
    sigma_curve,
    smallest_delta,
    smallest_epsilon,
    smallest_mu,
    subsampled_gaussian_curve,
    zcdp_curve,
)

ASYMMETRIC = ([0, 0.1, 0.5, 1], [1, 0.6, 0.3, 0])


# Gaussians


def test_gaussians_compose_exactly():
    assert composed_mu([3, 4]) == pytest.approx(5, rel=1e-14)
    assert composed_mu([[0.3, 0.4], [0, 0]]) == pytest.approx([0.5, 0], rel=1e-14)
    assert composed_mu(2.0) >= 2
    together = composed_curve([gaussian_curve(0.3), gaussian_curve(0.4)], [4, 9])
    assert together.mu == pytest.approx(np.sqrt(4 * 0.09 + 9 * 0.16), rel=1e-14)
    assert together.name == "0.3-GDP, 4 × ⊗ 0.4-GDP, 9 ×"


@pytest.mark.parametrize("mu", [0, 5e-324, 1e-170, 0.1, 1e3])
def test_the_mu_of_a_million_gaussians_is_a_thousandfold_also_where_its_square_vanishes(mu):
    computed_mu = composed_curve([gaussian_curve(mu), gaussian_curve(0)], [1_000_000, 1]).mu
    assert computed_mu is not None
    assert 1000 * mu <= computed_mu <= 1000 * mu * (1 + 1e-15)


def test_a_gaussian_beside_a_guarantee_that_hides_all_is_itself():
    """Found by trial: a sparse distribution of losses did not compose with a dense one."""
    mixed = composed_curve([gaussian_curve(0.3), epsilon_delta_curve(0)], [100, 1])
    epsilon = np.array([0, 1, 5.0])
    ratio = smallest_delta(mixed, epsilon) / smallest_delta(gaussian_curve(3), epsilon)
    assert np.all((ratio >= 1) & (ratio < 1 + 1e-4))


# Exact sums


def kov_delta(k, epsilon, total):
    """δ of k-fold pure ε-DP at the ε `total`: [KOV15] Theorem 3.3 with δ = 0, all terms of the sum."""
    gains = [comb(k, i) * max(0.0, np.exp((k - i) * epsilon) - np.exp(total + i * epsilon)) for i in range(k + 1)]
    return sum(gains) / (1 + np.exp(epsilon)) ** k


@pytest.mark.parametrize(("k", "epsilon"), [(3, 2.0), (10, 0.5), (50, 0.1)])
def test_pure_guarantees_compose_as_in_theorem_3_3_of_kairouz_oh_and_viswanath(k, epsilon):
    curve = composed_curve([epsilon_delta_curve(epsilon)], [k])
    total = np.linspace(0, 0.8 * k * epsilon, 9)
    exact = np.array([kov_delta(k, epsilon, loss) for loss in total])
    bound = smallest_delta(curve, total)
    assert np.all(bound >= exact * (1 - 1e-12))
    assert bound == pytest.approx(exact, rel=1e-5, abs=1e-12)


@pytest.mark.parametrize(
    ("epsilon", "k", "delta", "exact"),
    [
        (0.1, 100, 1e-6, 4.77456758811),
        (0.01, 10_000, 1e-6, 4.88551560),
        (0.1, 1000, 1e-6, 19.3446714480),
        (0.5, 20, 1e-6, 9.98679786964016),  # 10 + ln(1 − δ/w), w = (1 + e^−0.5)^−20
        (1, 10, 1e-5, 9.99977063),
    ],
)
def test_a_repeated_guarantee_has_the_published_epsilon(epsilon, k, delta, exact):
    bound = smallest_epsilon(composed_curve([epsilon_delta_curve(epsilon)], [k]), delta)
    assert bound == pytest.approx(exact, rel=5e-10)


@pytest.mark.parametrize(("epsilon", "k"), [(1e-5, 1_000_000), (0.001, 1_000_000), (0.02, 1_000_000), (0.3, 999)])
def test_a_pure_guarantee_composed_a_million_times_is_a_difference_of_binomial_tails(epsilon, k):
    curve, lie = composed_curve([epsilon_delta_curve(epsilon)], [k]), 1 / (1 + np.exp(epsilon))
    lies = np.floor(k * lie - np.array([0, 1, 2, 4]) * np.sqrt(k * lie))
    total = (k - 2 * lies - 1) * epsilon  # between two corners
    exact = binom.cdf(lies, k, lie) - np.exp(total + binom.logcdf(lies, k, 1 - lie))
    bound = smallest_delta(curve, total)
    assert np.all(bound >= exact * (1 - 1e-8))
    assert bound == pytest.approx(exact, rel=1e-8, abs=1e-13)


def test_guarantees_with_a_delta_fail_more_often_after_many_compositions():
    exact = 4.32963671
    curve = composed_curve([epsilon_delta_curve(0.1, 1e-8)], [100])
    assert smallest_epsilon(curve, 1e-5) == pytest.approx(exact, rel=5e-9)
    several = composed_curve(
        [epsilon_delta_curve(0.1, 2e-8), epsilon_delta_curve(0.1), epsilon_delta_curve(0, 1e-8)], [50, 50, 1]
    )
    assert smallest_epsilon(several, 1e-5) == pytest.approx(exact, rel=1e-3)
    assert smallest_delta(composed_curve([epsilon_delta_curve(0, 1e-3)], [1000]), 5) == pytest.approx(1 - 0.999**1000)
    assert composed_curve([epsilon_delta_curve(3, 1)], [2])(0.0) == 0
    assert several.pure_epsilon is None


def test_the_rho_of_zcdp_adds_up():
    together = composed_curve([zcdp_curve(0.1), zcdp_curve(0.25)], [5, 2])
    assert together.name == "0.1-zCDP, 5 × ⊗ 0.25-zCDP, 2 ×"
    epsilon = np.array([0.1, 2, 5])
    assert smallest_delta(together, epsilon) == pytest.approx(smallest_delta(zcdp_curve(1), epsilon), rel=1e-12)
    assert together.rho == pytest.approx(1, rel=1e-15)
    assert smallest_mu(together).reason == smallest_mu(zcdp_curve(1)).reason


def test_randomised_responses_compose_as_binomials_and_beta_is_beneath_the_exact_test():
    k, epsilon = 12, 0.4
    curve = composed_curve([epsilon_delta_curve(epsilon)], [k])
    lie = 1 / (1 + np.exp(epsilon))
    votes = np.arange(-1, k + 1)
    alpha, beta = binom.sf(votes, k, lie), binom.cdf(votes, k, 1 - lie)
    assert np.all(curve(alpha) <= beta + 1e-13)
    assert curve(alpha) == pytest.approx(beta, abs=1e-9)


def test_asymmetric_points_compose_as_the_product_of_their_experiments():
    curve = points_curve(*ASYMMETRIC)
    null, other = np.diff(ASYMMETRIC[0]), -np.diff(ASYMMETRIC[1])
    p = np.einsum("i,j,k->ijk", null, null, null).ravel()
    q = np.einsum("i,j,k->ijk", other, other, other).ravel()
    together = composed_curve([curve], [3])
    for epsilon in (0.0, 0.5, 1.0, 2.0, 4.0):
        forward, back = np.maximum(q - np.exp(epsilon) * p, 0).sum(), np.maximum(p - np.exp(epsilon) * q, 0).sum()
        for computed, exact in (
            (together.delta(np.array(epsilon)), forward),
            (together.inverse().delta(np.array(epsilon)), back),
        ):
            assert computed >= exact - 1e-15
            assert computed == pytest.approx(exact, rel=1e-3, abs=1e-12)
    order = np.argsort(-q / p)
    alpha, beta = np.cumsum(p[order])[:-1], 1 - np.cumsum(q[order])[:-1]
    assert np.all(together(alpha) <= beta + 1e-12)
    assert together(alpha) == pytest.approx(beta, abs=1e-3)


def test_two_lines_that_are_no_guarantee_compose_as_the_product_of_their_experiments():
    curve = points_curve([0, 0.2], [1, 0.3])  # losses ln 3.5 with 0.7 and ln 0.375 with 0.3
    deltas = composed_curve([curve], [2]).delta(np.array([0.0, 1.0]))
    exact = 0.49 * (1 - np.exp([0.0, 1.0]) / 3.5**2) + 0.42 * np.maximum(1 - np.exp([0.0, 1.0]) / (3.5 * 0.375), 0)
    assert deltas == pytest.approx(exact, rel=1e-9)


def test_one_curve_once_is_itself():
    curve = laplace_curve(1)
    assert composed_curve([curve], name="same").name == "same"
    assert composed_curve([curve])(0.2) == pytest.approx(float(curve(0.2)), rel=8 * 2.0**-52)


def test_pure_guarantees_together_keep_a_pure_guarantee_and_a_finite_mu():
    curve = composed_curve([laplace_curve(0.1), epsilon_delta_curve(0.2)], [30, 5])
    assert curve(0.0) == 1
    assert smallest_epsilon(curve, 0.0) == pytest.approx(4, rel=1e-14)
    bound = smallest_mu(curve)
    alpha = np.geomspace(1e-200, 0.5, 400)
    assert np.all(gaussian(alpha, bound.mu) <= curve(alpha) + 1e-13)
    assert bound.mu == pytest.approx(smallest_mu(curve, 1e-9).mu, rel=0.2)


def test_a_broken_guarantee_and_losses_beyond_any_epsilon_leave_nothing():
    nothing = points_curve([0, 1], [0, 0])
    assert composed_curve([nothing, laplace_curve(1)])(0.0) == 0
    far = composed_curve([laplace_curve(9e5), laplace_curve(8e5)])
    assert smallest_delta(far, 1e6) == 1
    assert far.pure_epsilon is None


def test_advantages_of_tiny_losses_add_up_at_most():
    assert smallest_delta(composed_curve([laplace_curve(1e-20)], [50]), 0) <= 25.1e-20


def test_many_points_are_summed_as_their_table():
    alpha = np.linspace(0, 1, 30_001)
    smooth = points_curve(alpha, gaussian(alpha, 0.2), hull=True)
    assert smooth.lines is not None
    assert smooth.lines.epsilon.size > 20_000
    bound = smallest_delta(composed_curve([smooth], [9]), 0.5)
    assert bound == pytest.approx(float(smallest_delta(gaussian_curve(0.6), 0.5)), rel=1e-3)


def test_a_pure_guarantee_has_its_epsilon_after_many_compositions_too():
    assert composed_curve([laplace_curve(0.1), epsilon_delta_curve(0.2)], [30, 5]).pure_epsilon == pytest.approx(4)
    assert composed_curve([epsilon_delta_curve(1)], [1_000_000]).pure_epsilon == 1e6
    assert composed_curve([epsilon_delta_curve(1.5)], [700_000]).pure_epsilon is None
    assert composed_curve([gaussian_curve(1e3)], [1_000_000]).mu == 1e6
    assert group_curve(laplace_curve(1), 3).pure_epsilon == 3
    assert group_curve(laplace_curve(1e6), 2).pure_epsilon is None


def test_a_mu_follows_from_the_gaussians_beneath_the_parts():
    """Found by trial: corners of the far tail are too near an axis for a double where the parts have a μ of 1.25."""
    often = composed_curve([epsilon_delta_curve(1)], [5000])
    assert smallest_mu(often).mu == pytest.approx(np.sqrt(5000) * smallest_mu(epsilon_delta_curve(1)).mu, rel=1e-12)
    alpha = np.geomspace(1e-200, 0.5, 50)
    assert np.all(gaussian(alpha, smallest_mu(often).mu) <= often(alpha) + 1e-13)


# Groups


def test_a_group_of_gaussians_and_of_laplace_has_k_times_the_loss():
    assert group_curve(gaussian_curve(0.7), 3).mu == pytest.approx(2.1, rel=1e-15)
    group, alpha = group_curve(laplace_curve(0.5), 4), np.array([1e-9, 0.01, 0.2, 0.6, 0.99])
    assert group(alpha) == pytest.approx(laplace(alpha, 2), rel=1e-9)
    assert smallest_epsilon(group, 0.1) == pytest.approx(float(smallest_epsilon(laplace_curve(2), 0.1)), rel=1e-9)
    assert group.name == "Laplace θ = 0.5, groups of 4"
    pure = group_curve(epsilon_delta_curve(0.3), 5)
    assert smallest_delta(pure, 1.5) <= 1e-13
    assert np.all(pure(alpha) <= 1 - alpha)


def test_a_group_of_one_is_the_curve_itself():
    single, curve = group_curve(laplace_curve(1), 1, "one"), laplace_curve(1)
    assert single.name == "one"
    assert single(0.2) == pytest.approx(float(curve(0.2)), rel=1e-15)


# zCDP


@pytest.mark.parametrize("rho", [1e-3, 0.3, 2.0, 50.0])
def test_zcdp_is_the_least_over_orders_and_beneath_the_gaussian_that_keeps_it(rho):
    curve = zcdp_curve(rho)
    for epsilon in (0.5 * rho, rho + 0.1, rho + 2 * np.sqrt(rho), rho + 6 * np.sqrt(rho)):

        def log_delta(t, epsilon=epsilon):
            order = 1 + np.exp(t)
            return (order - 1) * (order * rho - epsilon) + (order - 1) * np.log1p(-1 / order) - np.log(order)

        exact = min(1, np.exp(log_delta(np.asarray(fminbound(log_delta, -13, 16)))))
        bound = smallest_delta(curve, epsilon)
        assert bound <= exact * (1 + 2e-3)
        assert (
            bound >= exact if epsilon > rho else bound > 0.95 * exact
        )  # for small ε the guarantees at larger ones add
    alpha = np.concatenate([np.geomspace(1e-12, 0.5, 50), 1 - np.geomspace(1e-9, 0.5, 50)])
    assert np.all(curve(alpha) <= gaussian(alpha, np.sqrt(2 * rho)))
    assert curve.name == f"{rho:.4g}-zCDP"


# Refusals


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: composed_mu(-1), "mu must be in [0, 1e6], got -1"),
        (lambda: group_curve(laplace_curve(1), 0), "size must be in [1, 1000], got 0"),
        (lambda: group_curve(gaussian_curve(1e6), 2), "μ of the group must be in [0, 1e6], got 2000000.0000000005"),
        (
            lambda: composed_curve([zcdp_curve(0.5)], [1_000_000]),
            "ρ of all releases must be in [1e-12, 1e5], got 500000",
        ),
        (lambda: composed_curve([gaussian_curve(1e6)], [4]), "μ of all releases must be in [0, 1e6], got 2000000"),
        (
            lambda: composed_curve([laplace_curve(1)], []),
            "n_releases must be as many as curves, at least one, got 0 for 1",
        ),
        (lambda: group_curve(laplace_curve(1), 1.5), "size must be in the whole numbers of [1, 1000], got 1.5"),
        (lambda: composed_curve([]), "n_releases must be as many as curves, at least one, got 0 for 0"),
        (
            lambda: composed_curve([laplace_curve(1)], [1, 2]),
            "n_releases must be as many as curves, at least one, got 2 for 1",
        ),
        (lambda: composed_curve([laplace_curve(1)], [0]), "n_releases must be in [1, 1e6], got 0"),
        (lambda: subsampled_gaussian_curve(0.1, 0.5), "sigma / l2_sensitivity must be in [0.2, 1e4], got 0.1"),
        (lambda: subsampled_gaussian_curve(1, 0), "sampling_rate must be in (0, 1], got 0"),
        (lambda: subsampled_gaussian_curve(1, 0.5, 0), "steps must be in [1, 1e6], got 0"),
        (lambda: subsampled_gaussian_curve(-1, 0.5), "sigma must be in (0, inf), got -1"),
    ],
)
def test_an_argument_out_of_its_range_is_refused(call, sentence):
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        call()


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: composed_curve([laplace_curve(1e3)], [10_000]), r"n_releases must be in \[1, 1\d{3}\]"),
        (lambda: composed_curve([epsilon_delta_curve(1e5)], [11]), r"n_releases must be in \[1, 10\]"),
        (lambda: composed_curve([generalized_gaussian_curve(0.1, 3)], [1000]), r"n_releases must be in \[1, \d{3}\]"),
        (lambda: subsampled_gaussian_curve(0.2, 0.9, 1_000_000), r"steps must be in \[1, \d{5}\]"),
    ],
)
def test_so_many_releases_that_their_mean_loss_is_above_any_epsilon_are_refused(call, sentence):
    with pytest.raises(ValueError, match=f"^{sentence} for so large a loss each, got [0-9]+$"):
        call()


@pytest.mark.parametrize(
    ("function", "arguments", "sentence"),
    [
        (group_curve, (laplace_curve(1), [2]), "size must be one number in [1, 1000], got [2]"),
        (composed_curve, (3,), "curves must be a list of curves, got 3"),
        (composed_curve, ([laplace_curve(1)], 3), "n_releases must be a list of whole numbers of [1, 1e6], got 3"),
        (composed_curve, ([laplace_curve(1)], [[3]]), "n_releases must be one number in [1, 1e6], got [3]"),
        (composed_curve, ([laplace_curve(1)], "3"), "n_releases must be in [1, 1e6], got '3'"),
        (subsampled_gaussian_curve, ([1], 0.5), "sigma must be one number in (0, inf), got [1]"),
        (subsampled_gaussian_curve, (1, "0.5"), "sampling_rate must be in (0, 1], got '0.5'"),
        (subsampled_gaussian_curve, (1, 0.5, [1, 2]), "steps must be one number in [1, 1e6], got [1, 2]"),
        (gaussian_curve, ([1, 2],), "mu must be one number in [0, 1e6], got [1, 2]"),
        (sigma_curve, (1, [1]), "l2_sensitivity must be one number in [1e-300, 1e300], got [1]"),
        (epsilon_delta_curve, ([],), "epsilon must be one number in [0, 1e6], got []"),
        (epsilon_delta_curve, (1, "x"), "delta must be in [0, 1], got 'x'"),
        (laplace_curve, ([1],), "theta must be one number in [0, 1e6], got [1]"),
        (geometric_curve, (1, [2, 3]), "sensitivity must be one number in [1, 10000], got [2, 3]"),
        (generalized_gaussian_curve, (1, [2]), "p must be one number in [1, 100], got [2]"),
        (zcdp_curve, ([1, 2],), "rho must be one number in [1e-12, 1e5], got [1, 2]"),
        (smallest_mu, (laplace_curve(1), [0, 0]), "smallest_error must be one number in [0, 1e-2], got [0, 0]"),
        (rounded_up, (1, [1, 2]), "decimals must be one number in [0, 300], got [1, 2]"),
        (laplace_curve(1).points, (2.5,), "n_points must be in the whole numbers of [2, 1e6], got 2.5"),
        (readings.along, (laplace_curve(1), [0.1]), "smallest_alpha must be one number in [1e-300, 0.5), got [0.1]"),
        (readings.quotation_at_delta, (laplace_curve(1), [0.1]), "delta must be one number in [0, 1], got [0.1]"),
        (readings.quotation_at_epsilon, (laplace_curve(1), None), "epsilon must be in [0, 1e6], got None"),
        (readings.touching_alpha, (laplace_curve(1), [1]), "epsilon must be one number in [0, 1e6], got [1]"),
    ],
)
def test_a_list_or_a_text_in_the_place_of_one_number_is_refused(function, arguments, sentence):
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        function(*arguments)


def test_the_curve_of_a_list_of_releases_is_that_of_its_parts_composed():
    releases = [composition.laplace_release(0.3, 4), composition.gaussian_release(3)]
    curve = releases_curve(releases)
    by_parts = composed_curve([laplace_curve(0.3), gaussian_curve(1 / 3)], [4, 1])
    alpha = np.array([1e-4, 0.01, 0.2, 0.6])
    np.testing.assert_allclose(curve.power(alpha), by_parts.power(alpha), rtol=2e-3)
    rough = releases_curve(releases, is_rough=True)
    assert np.all(rough.power(alpha) >= curve.power(alpha))
    np.testing.assert_allclose(rough.power(alpha), curve.power(alpha), rtol=2e-2)
    alone = releases_curve([composition.gaussian_release(2, 4)])
    np.testing.assert_allclose(alone.power(alpha), gaussian_curve(1).power(alpha), rtol=1e-9)
    with pytest.raises(ValueError, match=r"steps must be in \[1, "):
        releases_curve([composition.gaussian_release(1e-3, 10), composition.laplace_release(1)])
