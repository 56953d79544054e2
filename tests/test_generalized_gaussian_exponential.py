"""Sensitivities of the utility −‖s* − s‖_p^p against brute force over its definition, and the scales they give."""

import mpmath
import numpy as np
import pytest
from mpmath import mpf

from dpcore.generalized_gaussian.bounded import exact_truncated_scale, truncated_scale
from dpcore.generalized_gaussian.exponential import (
    bounded_exponential_scale,
    exponential_mechanism_scale,
    lemma_exponential_scale,
    utility_sensitivity,
    utility_sensitivity_bound,
)


def brute_utility_sensitivity(p, sensitivity, low, high):
    grid = np.linspace(low, high, 65)
    near = abs(grid[:, np.newaxis] - grid) <= sensitivity * (1 + 1e-12)
    utilities = [abs(release - grid) ** p for release in grid]
    return max(np.max(np.where(near, abs(u[:, np.newaxis] - u), 0)) for u in utilities)


def brute_power_sensitivity(j, sensitivity, low, high):
    grid = np.linspace(low, high, 641)
    near = abs(grid[:, np.newaxis] - grid) <= sensitivity * (1 + 1e-12)
    return np.max(np.where(near, abs(grid[:, np.newaxis] ** j - grid**j), 0))


def some_statistics(n, seed):
    """Bounds on either side of 0 and about it, and a sensitivity that is a sixteenth of the width or several."""
    rng = np.random.default_rng(seed)
    low = rng.uniform(-2, 1, n)
    high = low + rng.uniform(0.1, 2, n)
    return rng.integers(1, 17, n) / 16 * (high - low), low, high


# The utility's sensitivity


@pytest.mark.parametrize("p", [1, 1.3, 2, 3, 4.5, 20])
def test_utility_sensitivity_is_reached_and_not_passed_by_brute_force(p):
    for sensitivity, low, high in np.transpose(some_statistics(10, seed=1)):
        brute = brute_utility_sensitivity(p, sensitivity, low, high)
        assert utility_sensitivity(p, sensitivity, high - low) == pytest.approx(brute, rel=1e-11)


@pytest.mark.parametrize("p", [1, 1.5, 2, 7, 100])
def test_utility_sensitivity_is_its_formula_rounded_up(p):
    width, sensitivity = np.array([10.0, 3.0, 1.0]), np.array([1e-7, 3.0, 0.25])
    with mpmath.workdps(60):
        true = sum(mpf(w) ** mpf(p) - (mpf(w) - mpf(d)) ** mpf(p) for w, d in zip(width, sensitivity, strict=True))
        assert 0 <= float(utility_sensitivity(p, sensitivity, width) / true - 1) <= 2e-13


# Lemma 10


def test_lemma_10_is_the_sum_of_sensitivities_at_p_1_and_of_width_products_twice_at_p_2():
    bound = utility_sensitivity_bound([1, 2], [1, 0.5], [0, -3], [10, 1])
    assert bound.tolist() == pytest.approx([1.5, 2 * (10 + 0.5 * 4)], rel=2e-14)
    assert np.all(bound >= [1.5, 24])


@pytest.mark.parametrize("p", [3, 4, 5, 8])
def test_lemma_10_from_p_3_on_is_its_binomial_sum_over_sensitivities_of_powers(p):
    for sensitivity, low, high in np.transpose(some_statistics(6, seed=2)):
        largest = max(abs(low), abs(high))
        powers = [brute_power_sensitivity(j, sensitivity, low, high) for j in range(1, p + 1)]
        true = sum(float(mpmath.binomial(p, j)) * largest ** (p - j) * powers[j - 1] for j in range(1, p + 1))
        bound = utility_sensitivity_bound(p, sensitivity, low, high)
        assert true * (1 - 1e-12) <= bound <= true * (1 + 1e-3)


def test_lemma_10_between_0_and_the_width_is_the_power_gap_of_twice_the_width():
    p, width, sensitivity = np.array([3, 5, 10, 40, 100]), 7.0, 0.3
    with mpmath.workdps(60):
        true = [(2 * mpf(width)) ** int(k) - (2 * mpf(width) - mpf(sensitivity)) ** int(k) for k in p]
        excess = [
            float(b / t - 1) for b, t in zip(utility_sensitivity_bound(p, sensitivity, 0, width), true, strict=True)
        ]
    assert min(excess) >= 0
    assert max(excess) <= 2e-13


def test_lemma_10_holds_and_is_exact_for_odd_p_between_symmetric_bounds():
    sensitivity, low, high = some_statistics(300, seed=3)
    p = np.arange(1, 21)[:, np.newaxis]
    exact = utility_sensitivity(p, sensitivity[:, np.newaxis], (high - low)[:, np.newaxis])
    bound = utility_sensitivity_bound(p, sensitivity[:, np.newaxis], low[:, np.newaxis], high[:, np.newaxis])
    assert np.all(bound * (1 + 1e-13) >= exact)
    odd = [3, 5, 9]
    assert utility_sensitivity_bound(odd, 0.25, -1, 1) == pytest.approx(utility_sensitivity(odd, 0.25, 2), rel=1e-12)


def test_lemma_10_grows_as_the_bounds_move_away_from_0_though_the_mechanism_stays_the_same():
    bound = utility_sensitivity_bound(3, 1, [[0], [10], [1000]], [[10], [20], [1010]])
    assert np.all(np.diff(bound) > 0)
    assert bound[2] > 1e4 * utility_sensitivity(3, 1, 10)


# Scales


def test_exponential_scale_is_the_root_of_2_sensitivities_per_epsilon_rounded_up():
    rng = np.random.default_rng(4)
    epsilon, p = 10 ** rng.uniform(-30, 6, 500), 10 ** rng.uniform(0, 2, 500)
    delta_u = 10 ** rng.uniform(-250, 250, 500)
    scale = exponential_mechanism_scale(epsilon, p, delta_u)
    with mpmath.workdps(50):
        true = [(2 * mpf(u) / mpf(e)) ** (1 / mpf(k)) for e, k, u in zip(epsilon, p, delta_u, strict=True)]
        excess = [float(b / t - 1) for b, t in zip(scale, true, strict=True)]
    assert min(excess) >= 0
    assert max(excess) <= 6e-13


def test_scales_without_a_sensitivity_are_those_with_it():
    p, epsilon = np.array([1, 2, 3, 9]), np.array([[0.1], [4]])
    exact, lemma = utility_sensitivity(p, [1, 0.2], [10, 3]), utility_sensitivity_bound(p, [1, 0.2], [0, -1], [10, 2])
    with_it = exponential_mechanism_scale(epsilon, p, exact), exponential_mechanism_scale(epsilon, p, lemma)
    assert bounded_exponential_scale(epsilon, p, [1, 0.2], [10, 3]) == pytest.approx(with_it[0], rel=1e-13)
    assert lemma_exponential_scale(epsilon, p, [1, 0.2], [0, -1], [10, 2]) == pytest.approx(with_it[1], rel=1e-13)


@pytest.mark.parametrize("p", [1, 3, 50, 100])
def test_scales_without_a_sensitivity_are_rounded_up(p):
    rng = np.random.default_rng(5)
    for epsilon, width, share in zip(
        10 ** rng.uniform(-6, 4, 20), 10 ** rng.uniform(-99, 99, 20), rng.random(20), strict=True
    ):
        sensitivity = share * width
        with mpmath.workdps(60):
            exact = mpf(width) ** p - (mpf(width) - mpf(sensitivity)) ** p
            lemma = (2 * mpf(width)) ** p - (2 * mpf(width) - mpf(sensitivity)) ** p if p > 2 else exact
            root = [(2 * true / mpf(epsilon)) ** (1 / mpf(p)) for true in (exact, lemma)]
            first = bounded_exponential_scale(epsilon, p, sensitivity, width) / root[0] - 1
            second = lemma_exponential_scale(epsilon, p, sensitivity, 0, width) / root[1] - 1
            assert 0 <= first <= 2e-13
            assert 0 <= second <= 2e-13


def test_exponential_mechanism_needs_more_than_the_exact_scale_and_less_than_the_published_one():
    epsilon, p = np.geomspace(1e-6, 1e4, 30), np.array([[1], [1.5], [2], [3], [30], [100]])
    for share in (1e-6, 0.1, 1.0):
        exponential = bounded_exponential_scale(epsilon, p, share, 1.0)
        exact = exact_truncated_scale(epsilon, p, 1.0, share)
        assert np.all(exponential >= exact * (1 - 4e-12 - 1e-14 / share))
        assert np.all(exponential <= truncated_scale(epsilon, p, share, 1.0) * (1 + 1e-13))


def test_scales_are_finite_without_warnings_where_the_sensitivity_leaves_the_doubles():
    p, width = np.array([1, 3, 50, 100]), np.array([1e-100, 1.0, 1e100])[:, np.newaxis, np.newaxis]
    for share in (1e-6, 1.0):
        for epsilon in (1e-6, 1e4):
            assert np.all(np.isfinite(bounded_exponential_scale(epsilon, p, share * width, width)))
            assert np.all(np.isfinite(lemma_exponential_scale(epsilon, p, share * width, 0, width)))
    assert np.isfinite(lemma_exponential_scale(1, 100, [1, 1e-90], [-1, 1e-90], [0, 3e-90]))
    assert exponential_mechanism_scale(1, np.zeros((0,)) + 1, 1.0).shape == (0,)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: exponential_mechanism_scale(0, 2, 1), r"epsilon must be in \[1e-30, 1e6\], got 0"),
        (lambda: exponential_mechanism_scale(1, 101, 1), r"p must be in \[1, 100\], got 101"),
        (lambda: exponential_mechanism_scale(1, 2, 0), r"utility_sensitivity must be in \[1e-250, 1e250\], got 0"),
        (lambda: utility_sensitivity_bound(2.5, 1, 0, 10), r"p must be in the whole numbers of \[1, 100\], got 2.5"),
        (
            lambda: utility_sensitivity_bound(2, 1, 0, 0),
            r"high must be in \(low, 1e100\], 1e-100 above low or more, got 0",
        ),
        (
            lambda: utility_sensitivity(2, [1, 3], [1, 2]),
            r"l1_sensitivities must be in \[2e-09, 2\] at this width, got 3",
        ),
        (
            lambda: utility_sensitivity(100, 1, 1e3),
            r"widths must be in a range that leaves the sensitivity in \[1e-250, 1e250\] at this p, got 1000",
        ),
        (
            lambda: utility_sensitivity_bound(100, 1e-80, 0, 1e-80),
            r"high must be in a range that leaves the sensitivity in \[1e-250, 1e250\] at this p, got 1e-80",
        ),
    ],
)
def test_bad_input_is_refused_in_one_sentence(call, sentence):
    with pytest.raises(ValueError, match=f"^{sentence}$"):
        call()
