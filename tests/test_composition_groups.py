import math
import re

import mpmath
import numpy as np
import pytest

from dpcore.composition import (
    group_delta,
    group_epsilon,
    group_mu,
    group_rdp,
    group_rho,
    parallel_delta,
    parallel_epsilon,
)
from dpcore.gaussian import delta_from_sigma
from dpcore.tradeoff import epsilon_delta_curve, group_curve, smallest_delta


def gaussian(epsilon):
    return delta_from_sigma(epsilon, 1.0)


def test_parts_cost_the_largest_when_a_record_comes_or_goes_and_the_two_largest_when_it_moves():
    assert parallel_epsilon([0.25, 1, 0.5], "add_remove") == 1
    assert parallel_epsilon([0.25, 1, 0.5], "replace") == 1.5
    assert parallel_epsilon([[1, 1], [0.1, 0.2]], "replace").tolist() == [2, pytest.approx(0.3)]
    assert parallel_epsilon([[1, 1], [0.1, 0.2]], "add_remove").tolist() == [1, 0.2]
    assert parallel_epsilon(0.5, "replace") == parallel_epsilon(0.5, "add_remove") == 0.5
    assert parallel_delta([0.25, 0.5], "add_remove") == 0.5
    assert 0.75 <= parallel_delta([0.25, 0.5, 0.125], "replace") <= 0.75 + 1e-15
    assert parallel_delta([0.9, 0.8], "replace") == 1


PLACES = np.arange(-60, 61)
STEP, CUT = 0.3, 30
WHOLE = np.exp(-STEP * abs(PLACES))
TRUNCATED = np.where(abs(PLACES) <= CUT, WHOLE, 0)


def moved(weights, k):
    """Noise on the whole numbers with these weights, about the place k."""
    return np.roll(weights / weights.sum(), k)


def hockey_stick(p, q, epsilon):
    return max(np.maximum(p - np.exp(epsilon) * q, 0).sum(), np.maximum(q - np.exp(epsilon) * p, 0).sum())


def renyi(p, q, order):
    return np.log(np.sum(np.exp(order * np.log(p) + (1 - order) * np.log(q)))) / (order - 1)


@pytest.mark.parametrize("k", [1, 2, 3, 5])
def test_noise_that_k_people_move_by_k_steps_has_at_most_the_guarantee_of_the_group(k):
    delta = hockey_stick(moved(TRUNCATED, 0), moved(TRUNCATED, 1), STEP)
    reached = hockey_stick(moved(TRUNCATED, 0), moved(TRUNCATED, k), k * STEP)
    assert 0 < reached <= group_delta(STEP, delta, k)
    assert reached == pytest.approx(float(group_delta(STEP, delta, k)), rel=1e-9)  # the lemma is tight for it

    def profile(epsilon):
        rows = [hockey_stick(moved(TRUNCATED, 0), moved(TRUNCATED, 1), min(at, 99)) for at in np.ravel(epsilon)]
        return np.reshape(rows, np.shape(epsilon)) * (1 + 1e-9)

    epsilon = float(group_epsilon(0.01, k, profile))
    assert hockey_stick(moved(TRUNCATED, 0), moved(TRUNCATED, k), epsilon) <= 0.01
    middle = slice(10, -10)
    ratio = np.log(moved(WHOLE, 0)[middle] / moved(WHOLE, k)[middle])
    assert abs(ratio).max() == pytest.approx(k * STEP)  # kε is reached


@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_gaussian_noise_moved_k_times_has_at_most_the_divergences_of_the_group(k):
    gaussian_weights = np.exp(-(PLACES**2) / 50)
    rho = max(
        renyi(moved(gaussian_weights, 0), moved(gaussian_weights, 1), order) / order for order in (1.5, 2, 4, 8, 16)
    )
    for order in (2, 4):
        reached = renyi(moved(gaussian_weights, 0), moved(gaussian_weights, k), order)
        assert reached <= order * group_rho(rho, k) * (1 + 1e-6)
        start = order * 2 ** (k - 1).bit_length()
        single = renyi(moved(gaussian_weights, 0), moved(gaussian_weights, 1), start)
        assert reached <= group_rdp(start, single, k)[1] * (1 + 1e-9)


def test_two_releases_on_disjoint_parts_have_the_guarantee_of_parallel_composition():
    p, q = (np.exp(-at * abs(np.arange(-40, 41))) for at in (0.3, 0.7))
    p, q = p / p.sum(), q / q.sum()
    middle = slice(5, -5)
    joint = np.outer(p, q)[middle, middle]
    added = np.outer(np.roll(p, 1), q)[middle, middle], np.outer(p, np.roll(q, 1))[middle, middle]
    replaced = np.outer(np.roll(p, 1), np.roll(q, -1))[middle, middle]
    assert max(abs(np.log(joint / other)).max() for other in added) == pytest.approx(
        parallel_epsilon([0.3, 0.7], "add_remove")
    )
    assert abs(np.log(joint / replaced)).max() == pytest.approx(parallel_epsilon([0.3, 0.7], "replace"))


def grown(epsilon, delta, size):
    with mpmath.workdps(40):
        e = mpmath.mpf(float(epsilon))
        ratio = mpmath.mpf(size) if e == 0 else mpmath.expm1(size * e) / mpmath.expm1(e)
        return mpmath.mpf(float(delta)) * ratio


@pytest.mark.parametrize(
    ("epsilon", "delta", "size"), [(0, 1e-6, 7), (1e-9, 1e-20, 3), (0.5, 1e-6, 3), (2, 1e-300, 300)]
)
def test_the_delta_of_a_group_grows_with_epsilon(epsilon, delta, size):
    bound = group_delta(epsilon, delta, size)
    assert mpmath.mpf(float(bound)) >= grown(epsilon, delta, size)
    assert float(bound) == pytest.approx(float(grown(epsilon, delta, size)), rel=2e-12)


@pytest.mark.parametrize(
    ("epsilon", "delta", "size"),
    [
        (1.3953887312654954e-08, 8.932e-320, 3),
        (9.411992022196645e-09, 2.7e-322, 9),
        (0.006901400539175571, 7.95e-322, 2128),
    ],
)
def test_the_least_delta_of_a_group_is_not_rounded_down_to_a_subnormal_number(epsilon, delta, size):
    computed, exact = mpmath.mpf(float(group_delta(epsilon, delta, size))), grown(epsilon, delta, size)
    assert exact <= computed <= exact * (1 + mpmath.mpf(2e-12)) + mpmath.mpf(3e-323)


def test_a_group_of_one_and_a_pure_guarantee_break_no_more():
    assert group_delta(3, 1e-6, 1) == pytest.approx(1e-6, rel=1e-11)
    assert group_delta(1e3, 0, 10**6) == 0
    assert group_delta(1e3, 0.1, 10**6) == 1


def test_the_lemma_is_not_below_the_curve_of_the_group():
    curve = group_curve(epsilon_delta_curve(0.5, 1e-3), 3)
    assert group_delta(0.5, 1e-3, 3) >= smallest_delta(curve, 1.5) * (1 - 1e-9)


def test_the_epsilon_of_a_group_is_the_least_at_which_the_lemma_holds():
    computed = float(group_epsilon(1e-5, 3, gaussian))
    assert computed == pytest.approx(20.698492, abs=1e-6)
    with mpmath.workdps(40):
        per_person = mpmath.mpf(computed) / 3
        exact = mpmath.ncdf(0.5 - per_person) - mpmath.exp(per_person) * mpmath.ncdf(-0.5 - per_person)
        assert 1e-5 * (1 - 1e-9) < grown(per_person, exact, 3) <= 1e-5


def test_a_group_costs_more_than_k_epsilon_at_the_same_delta():
    epsilon = group_epsilon(1e-5, 1, gaussian)
    assert epsilon == pytest.approx(4.37717810, abs=1e-7)
    assert group_epsilon(1e-5, 3, gaussian) > 3 * epsilon
    assert np.all(np.diff(group_epsilon(1e-5, [1, 2, 3, 5], gaussian)) > 0)
    assert group_epsilon([[1e-5], [1e-3]], [1, 2], gaussian).shape == (2, 2)


def test_a_profile_that_never_falls_gives_a_group_nothing_and_one_that_hides_all_everything():
    assert group_epsilon(0.5, 2, lambda epsilon: np.full(epsilon.shape, 0.9)) == math.inf
    assert group_epsilon(0.5, 2, np.zeros_like) == 0
    pure = group_epsilon(1e-5, 4, lambda epsilon: np.where(epsilon >= 0.25, 0, 0.2))
    assert pure == pytest.approx(1, rel=1e-11)
    assert pure >= 1


def test_gaussian_zcdp_and_renyi_groups_have_their_closed_forms():
    assert group_mu([0, 0.5], 3).tolist() == [0, math.nextafter(1.5, 2)]
    assert group_rho(0.5, 3) == math.nextafter(4.5, 5)
    order, rdp = group_rdp([32, 33, 2, 3, 9], 0.1, [4, 3, 1, 2, 5])
    assert order.tolist() == [8, 8.25, 2, 1.5, 1.125]
    np.testing.assert_allclose(rdp, [0.9, 0.9, 0.1, math.inf, math.inf], rtol=1e-15)
    assert group_rdp(4, 0.1, 2)[1] >= 3 * 0.1


def test_the_renyi_group_is_above_the_exact_one_of_a_gaussian():
    order, rdp = group_rdp(16, 16 / 2, 4)
    assert rdp >= 4**2 * order / 2


@pytest.mark.parametrize(
    ("function", "arguments", "message"),
    [
        (parallel_epsilon, ([], "replace"), "parts must be in [1, inf), got 0"),
        (parallel_epsilon, (0.1, "swap"), "neighbours must be in add_remove, replace, got 'swap'"),
        (group_delta, (0.1, 0.1, 0), "size must be in [1, 1e6], got 0"),
        (group_epsilon, (0, 2, gaussian), "delta_total must be in [1e-300, 1), got 0"),
        (group_mu, (-1, 2), "mu must be in [0, 1e6], got -1"),
        (group_rho, (1e7, 2), "rho must be in [0, 1e6], got 10000000"),
        (group_rdp, (1, 0.1, 2), "order must be in (1, 1e6], got 1"),
    ],
)
def test_bad_input_is_refused_in_a_sentence(function, arguments, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        function(*arguments)
