"""Properties that all functions of Gaussian noise share: published values, order, arguments, refusals."""

import re
from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

from dpcore.gaussian import (
    analytic_sigma,
    classical_sigma,
    classical_tight_sigma,
    delta_from_sigma,
    epsilon_from_sigma,
    exact_pdp_sigma,
    lower_bound_sigma,
    pdp_delta_from_sigma,
    pdp_sigma,
)
from tests import oracle
from tests.gaussian_cases import EDGE_DELTA, EDGE_EPSILON, EVERY_FUNCTION, EVERY_PROFILE, EVERY_SIGMA, PROFILES
from tests.oracle import ULP, Numbers

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
def test_empty_arrays_give_an_empty_array(function):
    for arguments in (([], 0.4, 1.0), (0.3, [], 1.0), (0.3, 0.4, [])):
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


@pytest.mark.parametrize(
    ("delta", "text"), [(0, "0"), (1, "1"), (9e-301, "9e-301"), (-0.5, "-0.5"), (np.nan, "nan"), ([0.5, 2], "2")]
)
def test_sigmas_refuse_delta_outside_its_range(delta, text):
    for sigma_of in EVERY_SIGMA:
        check_refusal(f"delta must be in [1e-300, 1), got {text}", sigma_of, 1, delta)


@pytest.mark.parametrize("sigma_of", EPSILON_IS_POSITIVE)
@pytest.mark.parametrize(("epsilon", "text"), [(0, "0"), (1.1e6, "1100000"), (np.inf, "inf"), (np.nan, "nan")])
def test_sigmas_that_divide_by_epsilon_refuse_epsilon_outside_its_range(sigma_of, epsilon, text):
    check_refusal(f"epsilon must be in [1e-300, 1e6], got {text}", sigma_of, epsilon, 0.1)


@pytest.mark.parametrize("function", [analytic_sigma, delta_from_sigma, pdp_delta_from_sigma])
@pytest.mark.parametrize(("epsilon", "text"), [(-5e-324, "-5e-324"), (1.1e6, "1100000"), (np.nan, "nan")])
def test_functions_that_allow_epsilon_0_refuse_what_lies_outside(function, epsilon, text):
    check_refusal(f"epsilon must be in [0, 1e6], got {text}", function, epsilon, 0.1)


@pytest.mark.parametrize(
    ("sensitivity", "text"), [(0, "0"), (9e-301, "9e-301"), (-1, "-1"), (np.inf, "inf"), (np.nan, "nan"), ("1", "'1'")]
)
def test_every_function_refuses_a_sensitivity_outside_its_range(sensitivity, text):
    for function in EVERY_FUNCTION:
        check_refusal(f"l2_sensitivity must be in [1e-300, inf), got {text}", function, 0.3, 0.4, sensitivity)


@pytest.mark.parametrize("profile", EVERY_PROFILE)
@pytest.mark.parametrize(("sigma", "text"), [(0, "0"), (-1, "-1"), (np.inf, "inf"), (np.nan, "nan"), (True, "True")])
def test_profiles_refuse_a_sigma_outside_its_range(profile, sigma, text):
    check_refusal(f"sigma must be in (0, inf), got {text}", profile, 0.3, sigma)


@pytest.mark.parametrize(("delta", "text"), [(0, "0"), (1, "1"), (np.nan, "nan"), (None, "None")])
def test_epsilon_from_sigma_refuses_delta_outside_its_range(delta, text):
    check_refusal(f"delta must be in [1e-300, 1), got {text}", epsilon_from_sigma, delta, 1)


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
    ("sigma", "sensitivity", "low", "text"),
    [(1e-151, 1.0, "1e-150", "1e-151"), (1, 1e200, "1e+50", "1"), (1e-300, 1e300, "1e+150", "1e-300")],
)
def test_epsilon_from_sigma_refuses_a_sigma_too_small_for_the_sensitivity(sigma, sensitivity, low, text):
    check_refusal(f"sigma must be in [{low}, inf), got {text}", epsilon_from_sigma, 0.1, sigma, sensitivity)


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
