"""Curve objects: points, profiles, functions, and the duality between them."""

import re

import numpy as np
import pytest

from dpcore.tradeoff import (
    Lines,
    epsilon_delta_curve,
    function_curve,
    gaussian,
    gaussian_curve,
    gaussian_power,
    generalized_gaussian_curve,
    geometric_curve,
    laplace,
    laplace_curve,
    laplace_power,
    points_curve,
    profile,
    profile_curve,
    sigma_curve,
    smallest_delta,
    smallest_mu,
    symmetrised_curve,
    zcdp_curve,
)

ALPHA, BETA = [0, 0.05, 0.1, 0.25, 0.5, 1], [1, 0.93, 0.87, 0.72, 0.43, 0]
CONVEX = ([0, 0.1, 0.3, 0.8, 1], [0.9, 0.5, 0.2, 0.02, 0])
GRID = np.unique(np.concatenate([[0, 1e-300], np.geomspace(1e-12, 0.5, 4000), 1 - np.geomspace(1e-12, 0.5, 4000), [1]]))
CURVES = {
    "gaussian": gaussian_curve(1.2),
    "laplace": laplace_curve(1.5),
    "generalized gaussian": generalized_gaussian_curve(1.0, 3),
    "near laplace": generalized_gaussian_curve(1.0, 1.0001),
    "geometric": geometric_curve(2.0, 5),
    "pure": epsilon_delta_curve(1.0),
    "epsilon, delta": epsilon_delta_curve(1.0, 0.05),
    "points": points_curve(*CONVEX),
    "hull": points_curve(ALPHA, BETA, hull=True),
    "function": function_curve(lambda alpha: (1 - alpha) ** 2),
    "zcdp": zcdp_curve(0.3),
    "sigma": sigma_curve(2.0),
}


# Duality


@pytest.mark.parametrize("name", CURVES)
def test_delta_is_the_largest_gap_over_a_fine_grid_of_alpha(name):
    curve = CURVES[name]
    alpha = GRID if curve.lines is None else np.append(GRID, curve.lines.vertices()[0])
    for epsilon in (0, 0.3, 1, 1.9):
        brute = np.max(curve.power(alpha) - np.exp(epsilon) * alpha)
        assert profile(curve, epsilon) >= brute * (1 - 1e-13) - 1e-14
        assert profile(curve, epsilon) == pytest.approx(brute, abs=2e-5 if curve.lines is None else 1e-13)


@pytest.mark.parametrize("name", CURVES)
def test_beta_is_the_largest_over_epsilon_of_the_guarantees_of_the_profile(name):
    curve = CURVES[name]
    epsilon = np.linspace(0, 8, 801)
    if curve.lines is not None:  # a line touches a whole chord, so the profile there gives the curve back
        epsilon = np.append(epsilon, abs(curve.lines.epsilon))
    again = profile_curve(epsilon, curve.delta(epsilon), "again", curve.inverse().delta(epsilon))
    alpha = np.array([0.01, 0.03, 0.2, 0.5, 0.77, 0.99])
    assert np.all(again(alpha) <= curve(alpha) + 1e-13)
    assert again(alpha) == pytest.approx(curve(alpha), abs=2e-4 if curve.lines is None else 1e-12)


@pytest.mark.parametrize("name", ["gaussian", "laplace", "generalized gaussian"])
def test_the_profile_and_the_curve_touch_where_the_slope_says(name):
    curve = CURVES[name]
    for epsilon in (0.1, 0.7, 1.2):
        delta = float(profile(curve, epsilon))
        lower, upper = 1e-6, 0.9  # the α that attains δ(ε), by ternary search of a concave function
        for _ in range(200):
            left, two = lower + (upper - lower) / 3, upper - (upper - lower) / 3
            gap = [float(curve.power(np.asarray(a))) - np.exp(epsilon) * a for a in (left, two)]
            lower, upper = (left, upper) if gap[0] < gap[1] else (lower, two)
        assert profile_curve([epsilon], [delta])(lower) == pytest.approx(float(curve(lower)), abs=1e-9)


@pytest.mark.parametrize("name", CURVES)
def test_beta_and_power_add_up_to_one_and_the_inverse_of_the_inverse_is_the_curve(name):
    curve = CURVES[name]
    alpha = np.array([0, 1e-12, 0.001, 0.1, 0.3, 0.5, 0.8, 0.99, 1])
    assert curve(alpha) + curve.power(alpha) == pytest.approx(np.ones(9), abs=1e-9)
    assert curve.inverse().inverse()(alpha) == pytest.approx(curve(alpha), abs=1e-12)
    inner = np.array([0.15, 0.3, 0.6])
    assert curve.inverse()(curve(inner)) == pytest.approx(inner, abs=1e-9)


@pytest.mark.parametrize("name", ["geometric", "pure", "epsilon, delta", "points", "hull"])
def test_a_piecewise_linear_curve_meets_its_corners(name):
    curve = CURVES[name]
    assert curve.lines is not None
    alpha, specificity, beta, power = curve.lines.vertices()
    assert alpha + specificity == pytest.approx(np.ones(alpha.size), abs=1e-14)
    assert beta + power == pytest.approx(np.ones(alpha.size), abs=1e-14)
    assert curve(alpha) == pytest.approx(beta, abs=1e-13)
    middle = (alpha[1:] + alpha[:-1]) / 2
    assert curve(middle) == pytest.approx((beta[1:] + beta[:-1]) / 2, abs=1e-13)


def test_points_of_a_curve_are_finite_and_hold_its_ends_and_corners():
    for curve in CURVES.values():
        table = curve.points(101)
        assert list(table) == ["alpha", "beta", "power"]
        assert np.isfinite(table.to_numpy()).all()
        assert (table.alpha.iloc[0], table.alpha.iloc[-1]) == (0, 1)
        if curve.lines is not None:
            corners, alpha = curve.lines.vertices()[0], table.alpha.to_numpy()
            above = np.searchsorted(alpha, corners).clip(1, alpha.size - 1)
            gap = np.minimum(abs(alpha[above] - corners), abs(alpha[above - 1] - corners))
            assert np.all(gap <= 1e-14 * corners)
    assert len(gaussian_curve(1).points(11, 1e-300)) == 13
    assert gaussian_curve(1).named("other").name == "other"


# Profiles


def test_guarantees_that_add_nothing_drop_out():
    curve = profile_curve([1.0, 2.0, 0.5], [0.01, 0.01, 1])
    assert curve(GRID[::50]) == pytest.approx(epsilon_delta_curve(1.0, 0.01)(GRID[::50]), rel=1e-14, abs=1e-15)
    both = profile_curve([0.1, 2.0], [0.3, 1e-3])
    alpha = np.array([0.01, 0.1, 0.5, 0.9])
    parts = [epsilon_delta_curve(0.1, 0.3)(alpha), epsilon_delta_curve(2.0, 1e-3)(alpha)]
    assert both(alpha) == pytest.approx(np.max(parts, axis=0), abs=1e-13)


def test_a_tiny_epsilon_with_a_large_delta_satisfies_its_guarantee():
    """Found by edges: the two lines that nearly coincide removed each other, which left no guarantee."""
    assert epsilon_delta_curve(1e-300, 0.5)(0) == pytest.approx(0.5, abs=1e-14)


def test_no_guarantee_is_the_curve_0():
    for curve in (epsilon_delta_curve(1, 1), points_curve([0, 1], [0, 0]), profile_curve([1e6], [1])):
        assert curve([0, 0.5, 1]).tolist() == [0, 0, 0]
        assert smallest_delta(curve, [0, 10]).tolist() == [1, 1]
    assert epsilon_delta_curve(1, 1).name == "(1, 1)-DP"
    assert epsilon_delta_curve(1).name == "1-DP"


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: profile_curve([], []), "profile must have from 1 to 100,000 epsilon and as many delta, got 0 and 0"),
        (
            lambda: profile_curve([1, 2], [0.1]),
            "profile must have from 1 to 100,000 epsilon and as many delta, got 2 and 1",
        ),
        (lambda: profile_curve([-1], [0.1]), "epsilon of profile must be in [0, 1e6], got -1"),
        (lambda: profile_curve([1], [2], "Q"), "delta of Q must be in [0, 1], got 2"),
        (lambda: profile_curve([1], [0], "Q", [2]), "inverse_delta of Q must be in [0, 1], got 2"),
        (lambda: gaussian_curve(-1), "mu must be in [0, 1e6], got -1"),
        (lambda: sigma_curve(1e-7), "sigma must be in [1e-06, inf), got 1e-07"),
        (lambda: laplace_curve(-1), "theta must be in [0, 1e6], got -1"),
        (lambda: geometric_curve(1, 10_001), "sensitivity must be in [1, 10000], got 10001"),
        (lambda: geometric_curve(1, 1.5), "sensitivity must be in the whole numbers of [1, 10000], got 1.5"),
        (lambda: generalized_gaussian_curve(1, 101), "p must be in [1, 100], got 101"),
        (
            lambda: generalized_gaussian_curve(1e-9, 2),
            "sensitivity / scale must be in [1e-12, 1e6], got 999999999.9999999",
        ),
        (lambda: zcdp_curve(0), "rho must be in [1e-12, 1e5], got 0"),
        (lambda: gaussian_curve(1)(2), "alpha must be in [0, 1], got 2"),
        (lambda: gaussian_curve(1).points(1), "n_points must be in [2, 1e6], got 1"),
        (lambda: gaussian_curve(1).points(10, 0), "smallest_alpha must be in [1e-300, 0.5), got 0"),
    ],
)
def test_an_argument_out_of_its_range_is_refused(call, sentence):
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        call()


# Functions


def test_a_function_gives_what_the_closed_forms_give():
    for f, power, curve in (
        (lambda a: gaussian(a, 1), lambda a: gaussian_power(a, 1), gaussian_curve(1)),
        (lambda a: laplace(a, 1), lambda a: laplace_power(a, 1), laplace_curve(1)),
    ):
        curve_of_function = function_curve(f, "F", power)
        epsilon = np.linspace(0, 0.99, 12)
        assert curve_of_function.delta(epsilon) == pytest.approx(curve.delta(epsilon), rel=1e-12)
        assert np.all(curve_of_function.delta(epsilon) >= curve.delta(epsilon) * (1 - 1e-14))
        assert smallest_mu(curve_of_function).mu == pytest.approx(smallest_mu(curve).mu, rel=1e-12)
        assert smallest_mu(function_curve(f)).mu == pytest.approx(smallest_mu(curve).mu, rel=1e-7)
        assert curve_of_function.inverse()([0.1, 0.5]) == pytest.approx(curve([0.1, 0.5]), rel=1e-12)
        assert curve_of_function.inverse().name == "inverse of F"


def test_a_function_without_digits_near_1_never_understates_its_delta():
    """Found by a sweep: the rounding noise of f near α = 0 hid the true maximum and δ was 11 times too small."""
    epsilon = np.linspace(0, 4, 60)
    assert np.all(function_curve(lambda a: gaussian(a, 0.5)).delta(epsilon) >= gaussian_curve(0.5).delta(epsilon))


def test_an_asymmetric_function_has_its_own_inverse_and_profiles():
    curve = CURVES["function"]
    beta = np.array([0, 1e-8, 0.1, 0.5, 1])
    assert curve.inverse()(beta) == pytest.approx(1 - np.sqrt(beta), abs=1e-9)
    for epsilon in (0, 0.3, 0.69, 0.9):  # 2(1 − α) = e^ε where the gap is largest
        alpha = max(1 - np.exp(epsilon) / 2, 0)
        assert profile(curve, epsilon) == pytest.approx(1 - (1 - alpha) ** 2 - np.exp(epsilon) * alpha, abs=1e-14)
        behind = np.exp(-epsilon) / 4  # 1/(2√β) = e^ε: β = e^{−2ε}/4, δ' = √β − e^ε β
        assert profile(curve.inverse(), epsilon) == pytest.approx(behind, rel=1e-9)
        assert smallest_delta(curve, epsilon) == pytest.approx(max(profile(curve, epsilon), behind), rel=1e-9)


@pytest.mark.parametrize(
    ("f", "sentence"),
    [
        (lambda a: np.zeros(3), "F must return one beta per alpha, got shape (3,) for (4002,)"),
        (lambda a: 2 - a, "beta of F at alpha = 0 must be in [0, 1], got 2"),
        (lambda a: np.where(a < 1, 1 - a, np.nan), "beta of F at alpha = 1 must be in [0, 1], got nan"),
    ],
)
def test_a_function_that_is_no_trade_off_function_is_refused(f, sentence):
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        function_curve(f, "F")


def test_a_function_that_guesses_worse_rises_or_bulges_is_refused_with_the_alpha():
    for f, words in (
        (lambda a: np.sqrt(1 - a), "(1 - alpha), got"),
        (lambda a: a * (1 - a), "must be non-increasing"),
        (lambda a: np.where(a < 0.5, 0.3, 0.3 * (1 - a)), "must be convex"),
    ):
        with pytest.raises(ValueError, match=re.escape(words)):
            function_curve(f)


def test_a_line_is_named_by_both_its_intercepts():
    lines = Lines(np.array([1.0, -1.0]), np.array([0.0, 1 - np.exp(-1)]), np.array([1 - np.exp(-1), 0.0]))
    corner = 1 / (1 + np.e)
    assert [part[1] for part in lines.vertices()] == pytest.approx([corner, 1 - corner, corner, 1 - corner])


# Symmetrisation


def test_a_guarantee_for_exchangeable_data_sets_is_the_larger_of_a_curve_and_its_inverse():
    curve = points_curve([0.02, 0.3], [0.6, 0.05])
    both = symmetrised_curve(curve)
    alpha = np.linspace(0, 1, 500)
    np.testing.assert_allclose(both(alpha), np.maximum(curve(alpha), curve.inverse()(alpha)), atol=1e-14)
    np.testing.assert_allclose(both.inverse()(alpha), both(alpha), atol=1e-14)
    assert both.name == "points, symmetrised"


def test_a_curve_that_is_its_own_inverse_is_its_own_symmetrisation():
    assert symmetrised_curve(gaussian_curve(1), "G")(0.2) == pytest.approx(float(gaussian_curve(1)(0.2)), rel=1e-14)
    assert symmetrised_curve(epsilon_delta_curve(1, 0.1))(0.2) == pytest.approx(
        float(epsilon_delta_curve(1, 0.1)(0.2)), rel=1e-14
    )


def test_a_function_that_is_not_its_own_inverse_is_not_symmetrised():
    with pytest.raises(ValueError, match=r"^curve must be piecewise linear or its own inverse, got square$"):
        symmetrised_curve(function_curve(lambda alpha: (1 - alpha) ** 2, "square"))
