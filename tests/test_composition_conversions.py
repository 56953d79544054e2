"""The conversions of zCDP and RDP to (ε, δ), against their definition at many digits, and published deployments."""

import re

import mpmath as mp
import numpy as np
import pytest

from dpcore.composition import (
    CONVERSIONS,
    delta_from_rdp,
    delta_from_rho,
    epsilon_from_rdp,
    epsilon_from_rho,
    rho_from_epsilon,
)
from dpcore.gaussian import epsilon_from_sigma


def least(function, low, high):
    """Return the least value of a function with one valley over t = e^u, u in [low, high], by the golden section."""
    ratio = (mp.sqrt(5) - 1) / 2
    low, high = mp.mpf(low), mp.mpf(high)
    left, right = high - ratio * (high - low), low + ratio * (high - low)
    at_left, at_right = function(mp.exp(left)), function(mp.exp(right))
    for _ in range(130):
        if at_left < at_right:
            high, right, at_right = right, left, at_left
            left = high - ratio * (high - low)
            at_left = function(mp.exp(left))
        else:
            low, left, at_left = left, right, at_right
            right = low + ratio * (high - low)
            at_right = function(mp.exp(right))
    return min(at_left, at_right)


def exact_epsilon(rho, delta):
    """[CKS20] Cor. 13, a = α − 1."""
    log = -mp.log(mp.mpf(delta))
    return least(lambda a: rho * (1 + a) - mp.log1p(1 / a) + (log - mp.log1p(a)) / a, -60, 720)


def exact_log_delta(rho, epsilon):
    return least(lambda a: a * (rho * (1 + a) - epsilon) - a * mp.log1p(1 / a) - mp.log1p(a), -700, 60)


@pytest.mark.parametrize(
    ("rho", "delta", "standard", "tight"),
    [
        (0.5, 1e-6, 5.75652177, 5.22153444),
        (0.1, 1e-6, 2.450788, 2.141939),
        (4.96, 1e-10, 26.333649, 25.412461),  # US Census DHC 2023, persons; published by the standard one
        (0.015, 1e-7, 0.998405, 0.854605),  # Wikimedia 2023
    ],
)
def test_both_conversions_give_the_values_of_the_reference(rho, delta, standard, tight):
    digits = 5e-9 if rho == 0.5 else 5e-7
    assert epsilon_from_rho(delta, rho, "standard") == pytest.approx(standard, abs=digits)
    assert epsilon_from_rho(delta, rho) == pytest.approx(tight, abs=digits)


def test_the_census_of_2020_and_gboard_are_reproduced():
    rho = (542 / 339) ** 2  # of the production code's scale
    assert epsilon_from_rho(1e-10, rho) == pytest.approx(17.143551, abs=1e-6)
    assert epsilon_from_rho(1e-10, rho, "standard") == pytest.approx(17.90, abs=5e-3)
    assert epsilon_from_rho(1e-10, 2.63) == pytest.approx(17.430584, abs=1e-6)
    assert rho_from_epsilon(2.47, 1e-10) == pytest.approx(0.074676, abs=1e-6)  # housing units
    assert epsilon_from_rho(1e-10, 7.70, "standard") == pytest.approx(34.330738, abs=1e-6)
    assert epsilon_from_rho(1e-10, 0.81) == pytest.approx(8.922207, abs=1e-6)


@pytest.mark.parametrize(
    ("rho", "delta"), [(1e-8, 1e-5), (1e-3, 1e-300), (0.3, 0.2), (70, 1e-6), (200, 1 - 1e-9), (1e6, 1e-9), (1e-4, 0.02)]
)
def test_epsilon_lies_just_above_the_least_over_all_orders(rho, delta):
    with mp.workdps(50):
        exact = max(exact_epsilon(mp.mpf(rho), delta), 0)
        assert 0 <= float(mp.mpf(float(epsilon_from_rho(delta, rho))) - exact) <= 2e-14 * (1 + float(exact))


@pytest.mark.parametrize(
    ("rho", "epsilon"),
    [(1e-8, 1e-3), (0.5, 5.2), (0.5, 0), (70, 200), (1e-12, 2e-5), (1e5, 1.02e5), (300, 10), (1e-9, 0)],
)
def test_delta_lies_just_above_the_least_over_all_orders(rho, epsilon):
    with mp.workdps(50):
        exact = exact_log_delta(mp.mpf(rho), mp.mpf(epsilon))
        size = 1 + float(abs(exact)) + (rho + epsilon) ** 2 / rho
        assert 0 <= float(mp.log(mp.mpf(float(delta_from_rho(epsilon, rho)))) - exact) <= 1e-14 * size


def test_the_standard_conversion_is_the_published_formula_both_ways():
    rho, delta = np.array([1e-9, 0.3, 40]), np.array([1e-5, 1e-200, 0.9])
    epsilon = epsilon_from_rho(delta, rho, "standard")
    np.testing.assert_allclose(epsilon, rho + 2 * np.sqrt(rho * np.log(1 / delta)), rtol=1e-14)
    np.testing.assert_allclose(delta_from_rho(epsilon, rho, "standard"), delta, rtol=1e-11)
    assert delta_from_rho(2, 3, "standard") == 1
    assert delta_from_rho(3, 3, "standard") == 1


@pytest.mark.parametrize("conversion", CONVERSIONS)
def test_the_rho_for_a_target_satisfies_it_and_a_slightly_larger_one_does_not(conversion):
    epsilon = np.r_[0, np.geomspace(1e-6, 1e5, 40)][:, None]
    delta = np.array([1e-300, 1e-10, 1e-3, 0.9])
    rho = rho_from_epsilon(epsilon, delta, conversion)
    assert (epsilon_from_rho(delta, rho, conversion) <= epsilon).all()
    larger = rho * (1 + 1e-6) + 1e-290
    usual = epsilon[1:] > 1e-3 if conversion == "tight" else epsilon[1:] >= 0
    assert ((epsilon_from_rho(delta, larger[1:], conversion) > epsilon[1:]) | ~usual).all()


def test_no_conversion_leaves_its_domain_or_passes_the_standard_one():
    rho = np.r_[0, np.geomspace(1e-200, 1e15, 60)][:, None]
    delta = np.r_[np.geomspace(1e-300, 0.9, 30), 1 - 1e-10, 1 - 2**-53]
    epsilon = np.r_[0, np.geomspace(1e-12, 1e6, 30)]
    tight, standard = epsilon_from_rho(delta, rho), epsilon_from_rho(delta, rho, "standard")
    assert np.isfinite(tight).all()
    assert (tight >= 0).all()
    assert (tight <= standard * (1 + 1e-14)).all()
    assert (tight[0] == 0).all()
    tight, standard = delta_from_rho(epsilon, rho), delta_from_rho(epsilon, rho, "standard")
    assert ((tight >= 0) & (tight <= 1)).all()
    assert (tight <= standard * (1 + 1e-12)).all()
    assert (tight[0] == 0).all()
    assert (tight[1:] > 0).all()
    tight, standard = rho_from_epsilon(epsilon[:, None], delta), rho_from_epsilon(epsilon[:, None], delta, "standard")
    assert ((standard >= 0) & (tight <= 1e6)).all()
    assert (tight >= standard * (1 - 1e-12)).all()


def test_the_delta_of_zcdp_is_never_below_that_of_its_gaussian():
    rho = np.geomspace(1e-3, 50, 20)
    exact = epsilon_from_sigma(1e-6, np.sqrt(1 / (2 * rho)))
    assert (epsilon_from_rho(1e-6, rho) > exact).all()
    assert (epsilon_from_rho(1e-6, rho) < 1.3 * exact + 0.05).all()


@pytest.mark.parametrize("conversion", CONVERSIONS)
def test_a_curve_of_rdp_is_converted_at_its_best_order(conversion):
    order = 1 + np.geomspace(1e-2, 1e3, 40_001)
    epsilon = epsilon_from_rdp(1e-6, order, 0.5 * order, conversion)
    assert epsilon.value == pytest.approx(epsilon_from_rho(1e-6, 0.5, conversion), rel=1e-8)
    assert epsilon.value >= epsilon_from_rho(1e-6, 0.5, conversion)
    back = delta_from_rdp(epsilon.value, order, 0.5 * order, conversion)
    assert back.value == pytest.approx(1e-6, rel=1e-6)
    assert back.order == pytest.approx(epsilon.order, rel=1e-2)


def test_curves_and_targets_broadcast_with_orders_on_the_last_axis():
    order = np.arange(2, 40.0)
    curves = np.array([0.1, 0.5])[:, None] * order
    delta = np.array([[1e-5], [1e-9], [1e-12]])
    epsilon = epsilon_from_rdp(delta, order, curves)
    assert epsilon.value.shape == epsilon.order.shape == (3, 2)
    assert epsilon.value[1, 1] == epsilon_from_rdp(1e-9, order, curves[1]).value
    assert delta_from_rdp(3.0, order, curves).value.shape == (2,)
    assert epsilon_from_rdp(1e-3, 2.0, 0.3).value == epsilon_from_rdp(1e-3, [2.0], [0.3]).value


def test_an_order_without_a_finite_divergence_guarantees_nothing():
    order = np.array([2.0, 3, 4])
    assert epsilon_from_rdp(1e-6, order, [np.inf, 1, np.inf]).order == 3
    assert epsilon_from_rdp(1e-6, order, np.full(3, np.inf)).value == np.inf
    assert delta_from_rdp(1.0, order, np.full(3, np.inf)).value == 1
    assert epsilon_from_rdp(0.9, order, np.zeros(3)).value == 0


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: epsilon_from_rho(0.1, -1), "rho must be in [0, 1e15], got -1"),
        (lambda: epsilon_from_rho(0, 1), "delta must be in [1e-300, 1), got 0"),
        (lambda: delta_from_rho(-1, 1), "epsilon must be in [0, 1e6], got -1"),
        (lambda: rho_from_epsilon(1, 1), "delta must be in [1e-300, 1), got 1"),
        (lambda: epsilon_from_rdp(0.1, [], 1), "number of orders must be in [1, inf), got 0"),
        (lambda: epsilon_from_rdp(0.1, 1, 1), "order must be in (1, 1e300], got 1"),
        (lambda: delta_from_rdp(0.1, 2, -1), "divergence must be in [0, inf], got -1"),
        (lambda: epsilon_from_rdp(0.1, 2, 1, "best"), "conversion must be in tight, standard, got 'best'"),
        (lambda: epsilon_from_rho(0.1, 1, "best"), "conversion must be in tight, standard, got 'best'"),
    ],
)
def test_values_out_of_range_are_refused_in_a_sentence(call, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        call()
