"""ε and δ of a list by every accountant: each against its own formula, with its kind, its error and its limits."""

import math

import numpy as np
import pytest

from dpcore import composition, gaussian
from dpcore.composition import (
    ACCOUNTANTS,
    DELTA_ACCOUNTANTS,
    accountants,
    delta,
    delta_profile,
    epsilon,
    epsilon_beside_profile,
    epsilon_by_accountant,
    epsilon_of_lists,
    exponential_release,
    gaussian_release,
    guarantee_release,
    is_known,
    laplace_release,
    sampled_release,
    unavailable,
    zcdp_release,
)
from dpcore.composition._accounts import must_be_certified
from dpcore.composition.bounds import BOUND_KINDS

MIXED = [laplace_release(0.2, 5), gaussian_release(4, 5), guarantee_release(0.5, count=3)]
LAPLACE = [laplace_release(0.1, 100)]
GUARANTEES = [guarantee_release(0.1, 1e-8, 100)]
TRAINING = [sampled_release(1, 0.01, 1000)]
BOUNDED = [zcdp_release(0.1), laplace_release(1)]
SLOW = [laplace_release(epsilon / 10, 5) for epsilon in range(1, 6)]
"""Five lines, of which each list without one of them would have to be certified."""


def test_basic_composition_of_releases_and_of_lines_are_two_accountants():
    assert epsilon(MIXED, 1e-6, "basic").value == pytest.approx(8.232, abs=1e-3)
    assert epsilon(MIXED, 1e-6, "basic_of_lines").value == pytest.approx(5.049, abs=1e-3)


@pytest.mark.parametrize(
    ("releases", "at", "expected"),
    [
        (MIXED, 1e-6, {"best": 4.464121768347, "rdp": 4.670229}),
        ([guarantee_release(0.1, count=100)], 1e-6, {"basic": 10, "advanced": 6.308231, "kairouz": 5.756106}),
        ([guarantee_release(0.1, count=100)], 1e-6, {"kairouz_optimal": 4.77456758811, "best": 4.77456758811}),
        (LAPLACE, 1e-6, {"rdp": 4.984174}),
        (GUARANTEES, 1e-5, {"kairouz_optimal": 4.32963671, "best": 4.32963671}),
        ([zcdp_release(0.5)], 1e-6, {"zcdp_standard": 5.75652177, "zcdp": 5.22153444, "best": 5.22153444}),
        ([gaussian_release(1)], 1e-5, {"best": 4.37717810, "exact": 4.37717810, "basic": 4.37717810}),
        (TRAINING, 1e-5, {"clt": 1.617712, "exact": 1.828236667, "best": 1.828236667}),
        ([sampled_release(4, 0.01, 10_000)], 1e-5, {"rdp": 1.035490, "rdp_standard": 1.258575}),
    ],
)
def test_every_accountant_has_the_published_totals(releases, at, expected):
    for accountant, value in expected.items():
        close = 2e-3 if accountant.startswith("rdp") else 1e-6
        assert epsilon(releases, at, accountant).value == pytest.approx(value, rel=close)


@pytest.mark.parametrize("releases", [MIXED, LAPLACE, GUARANTEES, TRAINING, BOUNDED, [exponential_release(0.5, 3)]])
def test_no_upper_bound_is_below_the_best_one_and_each_says_what_it_is(releases):
    best = epsilon(releases, 1e-5)
    for accountant in ACCOUNTANTS:
        bound = epsilon(releases, 1e-5, accountant)
        assert bound.kind in BOUND_KINDS
        assert (bound.kind == "certified") or accountant in ("best", "exact", "clt", "basic_of_lines")
        assert bound.value >= best.value * (1 - 1e-9) or accountant == "clt"
        assert bound.value < math.inf or accountant in unavailable(releases)


def test_the_shares_of_delta_of_basic_composition_are_equal():
    alone = float(gaussian.epsilon_from_sigma(1e-6, 4.0))
    releases = [gaussian_release(4, 3), guarantee_release(0.5, count=2), guarantee_release(0.1, 5e-7)]
    assert epsilon(releases, 3.5e-6, "basic").value == pytest.approx(3 * alone + 1.1, rel=1e-9)
    three = float(gaussian.epsilon_from_sigma(1.5e-6, 4 / math.sqrt(3)))
    lines = [*releases, gaussian_release(8)]
    other = float(gaussian.epsilon_from_sigma(1.5e-6, 8.0))
    assert epsilon(lines, 3.5e-6, "basic_of_lines").value == pytest.approx(three + other + 1.1, rel=1e-9)


@pytest.mark.parametrize("accountant", ["advanced", "kairouz"])
def test_noise_gets_half_of_delta_where_a_formula_of_guarantees_reserves_the_other_half(accountant):
    share = 1e-6 / 2 / 300
    alone = float(gaussian.epsilon_from_sigma(share, 40.0))
    formula = {"advanced": composition.advanced_epsilon, "kairouz": composition.kairouz_epsilon}[accountant]
    expected = float(formula(1e-6, [alone, 0.01], [300, 200], [share, 0]))
    releases = [gaussian_release(40, 300), laplace_release(0.01, 200)]
    assert epsilon(releases, 1e-6, accountant).value == pytest.approx(expected, rel=1e-12)
    assert expected < epsilon(releases, 1e-6, "basic").value


def test_basic_composition_of_one_step_is_its_exact_epsilon():
    for step in (sampled_release(1, 0.01), sampled_release(2, 1)):
        both = (epsilon([step], 1e-5, name).value for name in ("basic", "exact"))
        assert next(both) == pytest.approx(next(both), rel=1e-6)
    assert epsilon([sampled_release(1, 1e-6)], 1e-5, "basic").value == 0


def test_the_best_of_a_contour_integral_is_an_estimate_with_twice_its_error_on_top():
    exact, best = epsilon(MIXED, 1e-6, "exact"), epsilon(MIXED, 1e-6)
    assert (best.kind, best.accountant) == (exact.kind, exact.accountant) == ("estimate", "exact")
    assert exact.value == composition.exact_epsilon(MIXED, 1e-6).value
    assert best.value == pytest.approx(exact.value + 2 * exact.error, rel=1e-12)
    assert best.value > exact.value


def test_the_certified_bound_is_displayed_if_the_contour_does_not_converge():
    for accountant in ("best", "exact", "certified"):
        bound = epsilon(LAPLACE, 1e-6, accountant)
        assert (bound.kind, bound.accountant) == ("certified", "certified")
        assert bound.error <= 1.1e-5 * bound.value
    certified = composition.certified_epsilon(LAPLACE, 1e-6, 1e-5).value
    assert epsilon(LAPLACE, 1e-6, "certified").value == certified
    coarse = epsilon(LAPLACE, 1e-6, "certified", excess=0.05)
    assert certified < coarse.value <= composition.certified_epsilon(LAPLACE, 1e-6, 0.05).value


def test_only_many_lines_with_dp_sgd_are_certified_less_closely():
    step = sampled_release(5, 0.01)
    for lines, excess in ((SLOW, 1e-5), (SLOW[:2], 1e-5), ([*SLOW[:3], step], 1e-4), ([*SLOW[:4], step], 2e-3)):
        assert epsilon(lines, 1e-6, "certified").value == composition.certified_epsilon(lines, 1e-6, excess).value


def test_of_a_line_with_a_bound_on_its_losses_alone_the_least_bound_counts():
    assert not is_known(BOUNDED)
    best = epsilon(BOUNDED, 1e-6)
    bounds = [epsilon(BOUNDED, 1e-6, name).value for name in ("rdp", "zcdp", "basic", "basic_of_lines")]
    assert best.value == min(bounds)
    assert best.kind == "certified"
    assert np.isnan(epsilon(BOUNDED, 1e-6, "certified").error)
    assert epsilon(BOUNDED, 1e-6, "exact").value == epsilon(BOUNDED, 1e-6, "certified").value
    mixed = epsilon([exponential_release(0.05), gaussian_release(4)], 1e-6, "certified")
    assert np.isnan(mixed.error)


def test_an_epsilon_that_the_contour_integral_cannot_tell_from_0_is_proved_to_be_0():
    bound = epsilon([gaussian_release(4), laplace_release(0.1)], 0.9)
    assert (bound.value, bound.kind) == (0, "certified")
    assert must_be_certified((gaussian_release(4), laplace_release(0.1)), 0.9)


def test_guarantees_that_break_too_often_leave_no_epsilon():
    broken = [guarantee_release(0.1, 1e-6, 2)]
    for accountant in ("best", "basic", "basic_of_lines", "advanced", "kairouz", "kairouz_optimal", "rdp", "zcdp"):
        assert epsilon(broken, 1e-6, accountant).value == math.inf
    assert epsilon([*broken, gaussian_release(3)], 1e-6, "certified").value == math.inf
    assert epsilon([*broken, gaussian_release(3)], 1e-6, "basic_of_lines").value == math.inf


def test_shares_too_small_for_any_noise_have_no_epsilon():
    tiny = [gaussian_release(4), gaussian_release(5)]
    assert epsilon(tiny, 1e-300, "basic").value == math.inf
    assert epsilon(tiny, 1e-300, "basic_of_lines").value == math.inf


def test_of_many_lines_that_must_be_certified_basic_composition_of_lines_takes_rdp():
    lines = [exponential_release(0.5), *(sampled_release(0.3, 1e-6 * part, 10) for part in range(1, 7))]
    bound = epsilon(lines, 1e-9, "basic_of_lines")
    alone = [composition.rdp_epsilon([line], 1e-9 / 6).value for line in lines[1:]]
    assert bound.value == pytest.approx(0.5 + sum(alone), rel=1e-9)
    assert bound.kind == "certified"


def test_basic_composition_of_lines_is_an_estimate_if_one_of_its_lines_is():
    assert epsilon(MIXED, 1e-6, "basic_of_lines").kind == "estimate"
    assert epsilon(LAPLACE, 1e-6, "basic_of_lines").kind == "certified"
    assert epsilon(LAPLACE, 1e-6, "basic_of_lines").value == pytest.approx(10, rel=1e-13)


def test_delta_and_runs_broadcast_and_runs_repeat_the_list():
    weekly = [release.times(release.count * 7) for release in MIXED]
    for accountant in ACCOUNTANTS:
        if accountant in unavailable(MIXED):
            continue
        bound = epsilon(MIXED, [[1e-6], [1e-5]], accountant, n_runs=[1, 7])
        assert bound.value.shape == bound.kind.shape == bound.accountant.shape == bound.error.shape == (2, 2)
        assert bound.value[1, 1] == pytest.approx(epsilon(weekly, 1e-5, accountant).value, rel=1e-9)
        assert bound.value[0, 0] == pytest.approx(epsilon(MIXED, 1e-6, accountant).value, rel=1e-12)


def test_the_best_order_of_a_row_does_not_depend_on_the_other_rows():
    runs = np.array([1, 10, 300])
    together = composition.rdp_epsilon(TRAINING, 1e-5, n_runs=runs).value
    alone = [composition.rdp_epsilon(TRAINING, 1e-5, n_runs=run).value for run in runs]
    np.testing.assert_allclose(together, alone, rtol=1e-12)
    deltas = np.geomspace(1e-12, 0.1, 9)
    alone = [composition.rdp_epsilon(TRAINING, delta).value for delta in deltas]
    np.testing.assert_allclose(composition.rdp_epsilon(TRAINING, deltas).value, alone, rtol=1e-12)


def test_a_training_by_rdp_is_the_list_of_its_steps_by_rdp():
    noise, rate, steps = np.array([[0.5], [1.1], [4.0]]), np.array([1e-4, 0.01, 1]), 500
    bound = composition.dp_sgd_epsilon(1e-5, noise, rate, steps, "rdp")
    for row, column in np.ndindex(bound.shape):
        release = sampled_release(float(noise[row, 0]), float(rate[column]), steps)
        assert bound[row, column] == pytest.approx(epsilon([release], 1e-5, "rdp").value, rel=1e-12)


def test_an_empty_list_costs_nothing():
    for accountant in ACCOUNTANTS:
        bound = epsilon([], [1e-6, 1e-5], accountant)
        assert bound.value.tolist() == [0, 0]
        assert bound.kind.tolist() == ["certified", "certified"]


def test_an_accountant_that_cannot_take_the_list_says_why_and_has_no_epsilon():
    reasons = unavailable([sampled_release(1, 0.01), laplace_release(0.1)])
    assert set(reasons) == {"kairouz_optimal", "zcdp", "zcdp_standard", "clt"}
    assert unavailable([sampled_release(0.03, 0.01)])["clt"] == "The noise is too small."
    assert unavailable([sampled_release(1, 1)])["clt"] == "It applies to DP-SGD only, alone or with Gaussian noise."
    assert "clt" not in unavailable([sampled_release(1, 0.5), gaussian_release(3)])
    assert set(unavailable(GUARANTEES)) == {"clt"}
    for accountant in reasons:
        assert epsilon([sampled_release(1, 0.01), laplace_release(0.1)], 1e-5, accountant).value == math.inf
    with_gaussian = epsilon([sampled_release(1, 0.01, 1000), gaussian_release(3)], 1e-5, "clt")
    assert with_gaussian.value > epsilon(TRAINING, 1e-5, "clt").value
    assert with_gaussian.kind == "estimate"


@pytest.mark.parametrize(
    ("message", "arguments"),
    [
        ("accountant must be in best, exact", (MIXED, 1e-6, "exactly")),
        (r"delta must be in \[1e-300, 1\), got 0", (MIXED, 0)),
        (r"n_runs must be in the whole numbers of \[1, 200000\], got 1.5", (MIXED, 1e-6, "rdp", 1.5)),
        (r"n_runs must be in \[1, 200000\], got 200001", (MIXED, 1e-6, "rdp", 200_001)),
        (r"excess must be in \[1e-6, 1\], got 0", (MIXED, 1e-6, "best", 1, 0)),
    ],
)
def test_bad_input_is_refused_in_one_sentence(message, arguments):
    with pytest.raises(ValueError, match=message):
        epsilon(*arguments)


def test_several_lists_have_their_best_epsilon_unless_too_many_would_be_certified():
    bounds = epsilon_of_lists([MIXED, MIXED[:1], []], [1e-6, 1e-5, 1e-6])
    assert bounds is not None
    assert bounds.value[0] == epsilon(MIXED, 1e-6).value
    assert bounds.value[1] == composition.certified_epsilon(MIXED[:1], 1e-5, 1e-4).value
    assert bounds.value[2] == 0
    assert epsilon_of_lists([LAPLACE, SLOW[:1]], 1e-6, most_certified=1) is None
    assert epsilon_of_lists([[kind] for kind in SLOW], 1e-6) is None
    alone = epsilon_of_lists([SLOW], 1e-6)
    assert alone is not None
    assert alone.value == [epsilon(SLOW, 1e-6).value]
    steps = [sampled_release(0.3, 1e-6, 10)]
    both, none = epsilon_of_lists([steps, MIXED], 1e-9), epsilon_of_lists([], 1e-6)
    assert both is not None
    assert both.value[0] == epsilon(steps, 1e-9, excess=2e-3).value
    assert none is not None
    assert none.value.shape == (0,)


def test_every_kind_of_list_states_whether_it_needs_a_certificate():
    needing = [LAPLACE, [sampled_release(0.3, 1e-6, 10)], [exponential_release(0.5)]]
    assert all(must_be_certified(tuple(releases), 1e-9) for releases in needing)
    assert not any(must_be_certified(tuple(releases), 1e-9) for releases in ([], MIXED, GUARANTEES, BOUNDED, TRAINING))


# δ


def test_delta_and_epsilon_are_inverse_to_each_other():
    for releases in (MIXED, TRAINING, LAPLACE):
        for accountant in DELTA_ACCOUNTANTS:
            if accountant in unavailable(releases):
                continue
            at = epsilon(releases, 1e-6, accountant).value
            close = 0.02 if accountant == "certified" or releases is LAPLACE else 1e-5
            assert delta(releases, at, accountant).value == pytest.approx(1e-6, rel=close)


def test_delta_by_each_accountant_says_what_it_is():
    best, exact = delta(MIXED, [0.5, 1.0]), delta(MIXED, [0.5, 1.0], "exact")
    assert best.kind.tolist() == exact.kind.tolist() == ["estimate", "estimate"]
    assert (best.value >= exact.value).all()
    np.testing.assert_allclose(best.value, exact.value, rtol=1e-9)
    certified = delta(LAPLACE, 1.0)
    assert (certified.kind, certified.accountant) == ("certified", "certified")
    assert certified.value == delta(LAPLACE, 1.0, "certified").value == delta(LAPLACE, 1.0, "exact").value
    assert certified.value == composition.certified_delta(LAPLACE, 1.0, 0.01).value
    many = [laplace_release(0.1, 1001)]
    assert delta(many, 20.0).value == composition.certified_delta(many, 20.0, 0.1).value
    assert delta(many, 20.0, excess=0.01).value == composition.certified_delta(many, 20.0, 0.01).value
    assert delta(MIXED, 1.0, "rdp").value == composition.rdp_delta(MIXED, 1.0).value
    for accountant in ("best", "exact", "certified"):
        assert delta(BOUNDED, 1.0, accountant).value == composition.rdp_delta(BOUNDED, 1.0).value
    assert np.isnan(delta([exponential_release(0.5, 3)], 0.5, "certified").error)
    with pytest.raises(ValueError, match="accountant must be in best, exact, certified, rdp, zcdp"):
        delta(MIXED, 1.0, "basic")


def test_from_the_sum_of_all_epsilon_on_nothing_is_left_of_delta():
    assert delta([guarantee_release(0.1, count=3)], 0.31).value == 0
    for accountant in ("best", "rdp", "zcdp"):
        assert delta([laplace_release(0.11)], 0.11, accountant).value == 0
    assert delta([gaussian_release(1e-3, 10**6)], 0.0).value == 1


def test_zcdp_takes_the_delta_of_guarantees_apart():
    releases = [guarantee_release(0.1, 1e-9, 20), gaussian_release(3)]
    at = composition.zcdp_epsilon(releases, 1e-6)
    assert composition.zcdp_delta(releases, at) == pytest.approx(1e-6, rel=1e-6)
    assert composition.zcdp_delta(TRAINING, 1.0) == 1
    assert composition.zcdp_delta([guarantee_release(0.1, 1e-9, 20)], 2.1) == pytest.approx(2e-8, rel=1e-6)


# Curves


def test_every_accountant_over_runs_has_the_epsilon_of_a_single_number_of_runs():
    for releases in (MIXED, LAPLACE, GUARANTEES, TRAINING, BOUNDED):
        runs = np.array([1, 8, 40])
        by_accountant = epsilon_by_accountant(releases, 1e-5, runs)
        assert set(by_accountant) == {"best", *accountants.RULES} - set(unavailable(releases))
        for accountant, bound in by_accountant.items():
            alone = epsilon(releases, 1e-5, accountant, 8).value
            assert bound.value[1] == pytest.approx(alone, rel=2e-3 if accountant == "best" else 1e-12)
            assert accountant == "clt" or (bound.value >= by_accountant["best"].value).all()
        best_bound = epsilon_by_accountant(releases, 1e-5, 8)["best"]
        assert best_bound.value == epsilon(releases, 1e-5, "best", 8).value


def test_the_best_curve_ends_where_certifying_would_take_long():
    bounds = epsilon_by_accountant(LAPLACE, 1e-6, [1, 10, 1000])["best"]
    assert np.isnan(bounds.value).tolist() == [False, False, True]
    assert bounds.kind.tolist() == ["certified"] * 3
    bounded = epsilon_by_accountant([laplace_release(0.1, 99), exponential_release(0.1)], 1e-6, [1, 10, 1000])["best"]
    assert (bounded.value > 0).all()
    tiny = epsilon_by_accountant(MIXED, 1e-20, [1, 2])["best"]
    assert tiny.kind.tolist() == ["certified", "certified"]


def test_an_integral_that_is_not_close_is_certified_on_a_curve():
    releases = [sampled_release(0.3, 1e-6, 1)]
    bounds = epsilon_by_accountant(releases, 1e-9, [10, 4, 2])["best"]
    alone = [epsilon(releases, 1e-9, "best", n_runs).value for n_runs in (10, 4, 2)]
    np.testing.assert_allclose(bounds.value, alone, rtol=2e-3)


def test_a_profile_falls_and_no_bound_is_below_it():
    places = np.linspace(0, 8, 41)
    for releases in (MIXED, LAPLACE, TRAINING, BOUNDED, GUARANTEES):
        profile = delta_profile(releases, places)
        assert (np.diff(profile.value) <= 0).all()
        assert (profile.value <= composition.rdp_delta(releases, places).value).all()
        assert (profile.value <= composition.zcdp_delta(releases, places)).all()
        assert profile.kind[1] == ("estimate" if releases in (MIXED, TRAINING, GUARANTEES) else "certified")
        best = delta(releases, places[::8])
        np.testing.assert_allclose(profile.value[::8], best.value, rtol=0.06)


def test_the_epsilon_beside_a_profile_is_the_best_one_or_a_little_more():
    places = np.linspace(0, 10, 121)
    for releases in (MIXED, LAPLACE, BOUNDED, TRAINING):
        profile = delta_profile(releases, places)
        for at in (1e-6, 1e-3):
            best = epsilon(releases, at).value
            bounds = epsilon_beside_profile(releases, at, places, profile)
            assert best * (1 - 1e-9) <= bounds <= 1.01 * best
    bounds = epsilon_beside_profile(MIXED, 1e-20, places, delta_profile(MIXED, places))  # too small for the integral
    assert bounds == composition.certified_epsilon(MIXED, 1e-20, 2e-3).value
    profile = delta_profile(LAPLACE, places[:20])
    by_rdp = composition.rdp_epsilon(LAPLACE, 1e-12).value
    assert epsilon_beside_profile(LAPLACE, 1e-12, places[:20], profile) == by_rdp
    assert epsilon_beside_profile(LAPLACE, 0.99, places, delta_profile(LAPLACE, places)) == 0


def test_a_formula_that_a_list_does_not_have_is_infinite_at_every_delta():
    assert epsilon(TRAINING, [1e-5, 1e-6], "zcdp").value.tolist() == [np.inf, np.inf]
    assert epsilon(TRAINING, 1e-5, "zcdp").value == np.inf
