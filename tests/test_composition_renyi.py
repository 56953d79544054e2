"""Lists of releases by RDP and zCDP: each divergence against its definition, and the values of the reference."""

import re

import mpmath as mp
import numpy as np
import pytest
from dp_accounting import GaussianDpEvent, LaplaceDpEvent, PoissonSampledDpEvent
from dp_accounting.rdp import RdpAccountant

from dpcore.composition import (
    epsilon_from_rdp,
    epsilon_from_rho,
    exponential_release,
    gaussian_release,
    guarantee_release,
    laplace_release,
    rdp,
    rdp_delta,
    rdp_epsilon,
    rho,
    sampled_release,
    zcdp_epsilon,
    zcdp_release,
)
from dpcore.gaussian import epsilon_from_sigma

MIXED = [laplace_release(0.2, 5), gaussian_release(4, 5), guarantee_release(0.5, count=3)]
USUAL_ORDERS = np.r_[1 + np.arange(1, 100) / 10, np.arange(11, 65), 128, 256, 512, 1024]  # dp-accounting's


def two_point(order, low, high):
    """Return the divergence of a loss that is `low` or `high` and has E_Q e^L = 1."""
    q = (1 - mp.exp(low)) / (mp.exp(high) - mp.exp(low))
    return mp.log(q * mp.exp(order * high) + (1 - q) * mp.exp(order * low)) / (order - 1)


def laplace_loss(order, epsilon):
    """Return the divergence of two Laplace densities a distance ε apart, in its three pieces."""
    middle = mp.quad(lambda x: mp.exp(order * (2 * x - epsilon) - x) / 2, [0, epsilon])
    ends = (mp.exp((order - 1) * epsilon) + mp.exp(-order * epsilon)) / 2
    return mp.log(middle + ends) / (order - 1)


def worst_exponential(order, epsilon):
    """Return the largest over where the range of losses lies; its logarithm is concave there."""
    low, high = mp.mpf(0), epsilon
    for _ in range(75):
        left, right = low + (high - low) / 3, high - (high - low) / 3
        better = two_point(order, left - epsilon, left) < two_point(order, right - epsilon, right)
        low, high = (left, high) if better else (low, right)
    return two_point(order, low - epsilon, low)


@pytest.mark.parametrize("order", [1.000001, 1.3, 20, 1e6])
@pytest.mark.parametrize("epsilon", [1e-6, 0.1, 3, 900])
def test_every_pure_mechanism_lies_just_above_its_definition(order, epsilon):
    with mp.workdps(60):
        a, e = mp.mpf(order), mp.mpf(epsilon)
        cases = [(guarantee_release(epsilon), two_point(a, -e, e)), (laplace_release(epsilon), laplace_loss(a, e))]
        for release, exact in [*cases, (exponential_release(epsilon), worst_exponential(a, e))]:
            ratio = float(mp.mpf(float(rdp([release], order))) / exact - 1)
            assert -1e-30 <= ratio < 1e-12


def test_the_divergences_have_the_values_of_the_reference():
    assert rdp([laplace_release(1)], 2) == pytest.approx(0.619123630, abs=1e-9)
    assert rdp([laplace_release(0.1)], 20) == pytest.approx(0.065853573, abs=1e-9)
    assert rdp([guarantee_release(1)], 2) == pytest.approx(0.735325664, abs=1e-9)
    assert rdp([gaussian_release(2)], [2, 8]) == pytest.approx([0.25, 1], rel=1e-14)
    assert rdp([zcdp_release(0.3)], 5) == pytest.approx(1.5, rel=1e-14)


def test_an_exponential_mechanism_costs_less_than_its_zcdp_and_than_randomised_response():
    order = np.geomspace(1.001, 1e5, 40)
    for epsilon in (1e-3, 0.5, 3, 50):
        divergences = rdp([exponential_release(epsilon)], order)
        assert (divergences <= order * epsilon**2 / 8 * (1 + 1e-12)).all()
        assert (divergences < rdp([guarantee_release(epsilon)], order) * (1 + 1e-12)).all()
    assert rdp([exponential_release(3)], 50) < 0.1 * 50 * 9 / 8


def test_the_divergences_of_a_list_add_and_so_do_runs():
    order = np.array([[1.5, 3], [20, 400]])
    releases = [*MIXED, exponential_release(1, 2), zcdp_release(0.01, 3), sampled_release(1, 0.01, 7)]
    alone = sum(release.count * rdp([release.times(1)], order) for release in releases)
    np.testing.assert_allclose(rdp(releases, order), alone, rtol=1e-12)
    assert rdp([], 2) == 0
    assert rdp([guarantee_release(0), exponential_release(0)], 2) == 0
    assert rdp([guarantee_release(1, 1e-9), gaussian_release(1)], 2) == np.inf


def test_the_sum_is_that_of_dp_accounting():
    orders = np.arange(2, 65.0)  # at others theirs adds alternating terms by their size
    accountant = RdpAccountant(orders=orders.tolist())
    accountant.compose(LaplaceDpEvent(5), 5).compose(GaussianDpEvent(4), 5)
    accountant.compose(PoissonSampledDpEvent(0.1, GaussianDpEvent(2)), 30)
    releases = [laplace_release(0.2, 5), gaussian_release(4, 5), sampled_release(2, 0.1, 30)]
    for delta in (1e-9, 1e-3):
        theirs = accountant.get_epsilon(delta)
        ours = epsilon_from_rdp(delta, orders, rdp(releases, orders)).value
        assert ours == pytest.approx(theirs, rel=1e-11)
        assert theirs * 0.99 < rdp_epsilon(releases, delta).value <= theirs * (1 + 1e-12)


@pytest.mark.parametrize(
    ("epsilon", "count", "delta", "total"),
    [
        (0.1, 100, 1e-6, 4.984174),
        (0.01, 10**4, 1e-6, 5.210286),
        (0.1, 1000, 1e-6, 20.039589),
        (0.5, 20, 1e-6, 9.744971),
    ],
)
def test_many_laplace_releases_cost_what_the_reference_says(epsilon, count, delta, total):
    bound = rdp_epsilon([laplace_release(epsilon, count)], delta).value
    assert bound == pytest.approx(total, rel=1e-6)


def test_the_noise_for_a_total_of_one_is_that_of_the_reference():
    for count, epsilon in ((10, 0.10010193), (100, 0.02258566), (1000, 0.00700065)):
        assert rdp_epsilon([laplace_release(epsilon, count)], 1e-6).value == pytest.approx(1, abs=5e-6)
    for noise, epsilon in ((2.17848860, 1), (1.29526007, 2), (0.88016908, 4), (0.68371199, 8)):
        orders, release = np.arange(2, 257.0), sampled_release(noise, 256 / 60_000, 14_063)
        assert epsilon_from_rdp(1e-5, orders, rdp([release], orders)).value == pytest.approx(epsilon, abs=1e-6)
        assert epsilon * 0.97 < rdp_epsilon([release], 1e-5).value <= epsilon * (1 + 1e-7)


@pytest.mark.parametrize(
    ("rate", "noise", "steps", "delta", "standard", "tight"),
    [
        (0.01, 4, 10_000, 1e-5, 1.258575, 1.035490),
        (0.01, 4, 40_000, 1e-5, 2.573659, 2.209736),
        (250 / 60_000, 1.3, 3600, 1e-5, 1.179901, 0.942200),
        (256 / 60_000, 1.1, 14_063, 1e-5, 3.008381, 2.596656),
        (1 / 938, 1, 9380, 1e-5, 1.097116, 0.803328),
        (0.1, 3, 512, 1e-6, 4.524501, 4.050970),
    ],
)
def test_published_trainings_cost_what_the_reference_says_under_both_conversions(
    rate, noise, steps, delta, standard, tight
):
    release = sampled_release(noise, rate, steps)
    curve = rdp([release], USUAL_ORDERS)
    assert epsilon_from_rdp(delta, USUAL_ORDERS, curve, "standard").value == pytest.approx(standard, abs=6e-7)
    assert epsilon_from_rdp(delta, USUAL_ORDERS, curve).value == pytest.approx(tight, abs=6e-7)
    assert standard * 0.998 < rdp_epsilon([release], delta, "standard").value <= standard + 6e-7
    assert tight * 0.998 < rdp_epsilon([release], delta).value <= tight + 6e-7


def test_a_mixed_list_costs_what_the_reference_says():
    assert rdp_epsilon(MIXED, 1e-6).value == pytest.approx(4.670229, abs=2e-6)
    assert epsilon_from_rho(1e-6, 5 * 0.2**2 / 2 + 5 / 32 + 3 * 0.5**2 / 2) == pytest.approx(5.960534, abs=5e-7)
    assert zcdp_epsilon(MIXED, 1e-6) < 5.960534


@pytest.mark.parametrize(
    "releases",
    [
        MIXED,
        [gaussian_release(1)],
        [gaussian_release(1e5)],
        [gaussian_release(0.01, 1000)],
        [laplace_release(3, 4)],
        [sampled_release(5.12, 2.65e-4, 5)],  # a valley with one steep side
        [sampled_release(0.6, 0.001, 10_000), zcdp_release(1e-3)],
    ],
)
@pytest.mark.parametrize("conversion", ["tight", "standard"])
def test_the_best_order_is_the_best_of_a_fine_grid(releases, conversion):
    delta = np.array([1e-12, 1e-6, 0.01])
    epsilon = rdp_epsilon(releases, delta, conversion)
    assert epsilon.value.shape == epsilon.order.shape == (3,)
    order = 1 + np.geomspace(1e-5, 9e6, 1501 if releases[0].kind != "sampled" else 401)
    grid = epsilon_from_rdp(delta, order, rdp(releases, order), conversion).value
    assert (epsilon.value <= grid * (1 + 1e-3) + 1e-12).all()
    inner = np.isfinite(epsilon.order) & (epsilon.value > 0)
    at_order = epsilon_from_rdp(
        delta[inner], epsilon.order[inner][:, None], rdp(releases, epsilon.order[inner][:, None]), conversion
    )
    np.testing.assert_allclose(epsilon.value[inner], at_order.value, rtol=1e-9)


def test_a_gaussian_is_found_as_its_zcdp_and_never_below_its_exact_cost():
    delta = np.geomspace(1e-200, 0.1, 12)
    for noise in (0.1, 1, 30):
        epsilon = rdp_epsilon([gaussian_release(noise)], delta).value
        np.testing.assert_allclose(epsilon, zcdp_epsilon([gaussian_release(noise)], delta), rtol=1e-7, atol=1e-12)
        assert (epsilon >= epsilon_from_sigma(delta, noise)).all()


def test_delta_and_epsilon_invert_each_other():
    for releases in (MIXED, [sampled_release(1.1, 0.004, 1000)], [*MIXED, guarantee_release(0.3, 1e-8, 5)]):
        delta = np.array([1e-7, 1e-4])
        for conversion in ("tight", "standard"):
            epsilon = rdp_epsilon(releases, delta, conversion).value
            back = rdp_delta(releases, epsilon, conversion)
            np.testing.assert_allclose(back.value, delta, rtol=1e-5)


def test_the_delta_of_guarantees_is_split_off_as_in_the_optimal_composition():
    optimal = 4.32963671  # [KOV15] Thm 3.3: a hundred (.1, 1e-8)-guarantees at 1e-5
    releases = [guarantee_release(0.1, 1e-8, 100)]
    epsilon = rdp_epsilon(releases, 1e-5).value
    assert optimal < epsilon < 1.08 * optimal
    left = 1 - (1 - 1e-5) / (1 - 1e-8) ** 100
    assert epsilon == pytest.approx(rdp_epsilon([guarantee_release(0.1, 0, 100)], left).value, rel=1e-9)
    by_zcdp = epsilon_from_rho(left, 100 * 0.1 * np.tanh(0.05))
    assert zcdp_epsilon(releases, 1e-5) == pytest.approx(by_zcdp, rel=1e-9)


def test_guarantees_whose_delta_uses_up_all_leave_the_plain_sum_or_nothing():
    epsilon = rdp_epsilon([guarantee_release(1, 1e-6)], [1e-6, 1e-7])
    assert epsilon.value[0] == pytest.approx(1, rel=1e-15)
    assert epsilon.value[0] >= 1
    assert epsilon.order[0] == np.inf
    assert epsilon.value[1] == np.inf
    assert zcdp_epsilon([guarantee_release(1, 1e-6)], 1e-6) == epsilon.value[0]
    assert rdp_epsilon([guarantee_release(1, 0.5, 10**6), gaussian_release(1)], 0.9).value == np.inf
    assert rdp_delta([guarantee_release(1, 0.5, 10**6)], 1).value == 1
    leak = rdp_delta([guarantee_release(1, 1e-6, 2)], 2.1)
    assert leak.value == pytest.approx(2e-6 - 1e-12, rel=1e-12)
    assert leak.value >= 2e-6 - 1e-12
    assert leak.order == np.inf


def test_pure_lists_never_cost_more_than_their_sum():
    releases = [laplace_release(1, 3), exponential_release(2), guarantee_release(0.5)]
    delta = np.geomspace(1e-300, 0.5, 20)
    for total in (rdp_epsilon(releases, delta).value, zcdp_epsilon(releases, delta)):
        assert (total <= 5.5 * (1 + 1e-15)).all()
        assert total[0] == pytest.approx(5.5, rel=1e-2)
    assert rdp_delta(releases, 5.6).value == 0
    assert rdp_epsilon([], 1e-6).value == zcdp_epsilon([], 1e-6) == 0


@pytest.mark.parametrize("epsilon", [1e-4, 0.3, 2, 30])
def test_rho_is_the_least_that_bounds_the_divergence_at_every_order(epsilon):
    order = np.r_[1.000001, 1 + np.geomspace(1e-5, 1e6, 200)]
    for release in (laplace_release(epsilon), guarantee_release(epsilon)):
        ratio = rdp([release], order) / order / rho([release])
        assert ratio.max() <= 1 + 1e-12
        assert ratio[0] == pytest.approx(1, abs=1e-4)
    bounded = exponential_release(epsilon)
    assert rho([bounded]) >= (rdp([bounded], order) / order).max() * (1 - 1e-12)
    assert rho([bounded]) == pytest.approx(min(epsilon**2 / 8, epsilon * np.tanh(epsilon / 2)), rel=1e-13)


def test_rho_adds_and_is_infinite_where_none_exists():
    releases = [gaussian_release(2, 4), zcdp_release(0.1, 5), sampled_release(1, 1), exponential_release(0.2)]
    assert rho(releases) == pytest.approx(0.5 + 0.5 + 0.5 + 0.005, rel=1e-13)
    assert rho(releases) >= 1.505
    assert rho([]) == 0
    assert rho([sampled_release(1, 0.999)]) == rho([guarantee_release(1, 1e-9)]) == np.inf
    assert zcdp_epsilon([sampled_release(1, 0.5)], 0.1) == np.inf
    assert zcdp_epsilon([sampled_release(1, 1)], 1e-6) == pytest.approx(5.22153444, abs=5e-9)
    assert zcdp_epsilon([gaussian_release(1)], 1e-6, "standard") == pytest.approx(5.75652177, abs=5e-9)


def test_the_largest_and_the_smallest_lists_have_finite_answers():
    largest = [gaussian_release(1e-3, 10**6), zcdp_release(1e6, 10**6), laplace_release(1e3, 10**6)]
    smallest = [gaussian_release(1e6), zcdp_release(0), guarantee_release(1e-300), exponential_release(1e-200)]
    for releases in (largest, smallest):
        for delta in (1e-300, 0.999):
            assert 0 <= rdp_epsilon(releases, delta).value < 1e14
            assert 0 <= zcdp_epsilon(releases, delta) < 1e14
        for epsilon in (0, 1e6):
            assert 0 <= rdp_delta(releases, epsilon).value <= 1


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: rdp(MIXED, 1), "order must be in [1.000001, 1e7], got 1"),
        (lambda: rdp_epsilon(MIXED, 0), "delta must be in [1e-300, 1), got 0"),
        (lambda: rdp_delta(MIXED, -1), "epsilon must be in [0, 1e6], got -1"),
        (lambda: zcdp_epsilon(MIXED, 1), "delta must be in [1e-300, 1), got 1"),
        (lambda: rdp_epsilon(MIXED, 0.1, "best"), "conversion must be in tight, standard, got 'best'"),
        (lambda: rdp_delta(MIXED, 0.1, "best"), "conversion must be in tight, standard, got 'best'"),
    ],
)
def test_values_out_of_range_are_refused_in_a_sentence(call, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        call()
