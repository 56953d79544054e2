"""The chance that guarantees fail, to the last bit, ε where it is all of δ, and that best is never above others."""

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest

from dpcore.composition import (
    ACCOUNTANTS,
    basic_delta,
    basic_epsilon,
    certified_delta,
    certified_epsilon,
    delta,
    discrete_gaussian_release,
    epsilon,
    epsilon_by_accountant,
    epsilon_of_lists,
    exact_delta,
    exact_epsilon,
    exponential_release,
    gaussian_release,
    geometric_release,
    guarantee_release,
    kairouz_epsilon,
    laplace_release,
    optimal_delta,
    optimal_epsilon,
    rdp_delta,
    rdp_epsilon,
    sampled_release,
    truncated_laplace_release,
    unavailable,
    zcdp_epsilon,
    zcdp_release,
)
from dpcore.composition.releases import broken_up, failure_of, failure_up, slack_down

LEAKS = [1e-9, 1e-6, 2.0**-20, 0.1, 0.5, 1e-16, 1e-30, 1e-300]
EDGES = [
    [guarantee_release(0.5, 1e-9)],
    [guarantee_release(0.5, 1e-9)],
    [truncated_laplace_release(0.5, 1e-9)],
    [guarantee_release(0.5, 1e-9, 7)],
    [truncated_laplace_release(0.25, 2.0**-20, 3)],
    [guarantee_release(0.5, 0.1, 3), laplace_release(0.25, 4)],
    [guarantee_release(0.5, 1e-6, 1000), geometric_release(0.5, 3, 2), truncated_laplace_release(1, 1e-30)],
    [guarantee_release(1, 1e-300, 3), exponential_release(0.5)],
]
"""Lists of pure releases, whose ε at just the δ with which a guarantee fails is the sum of all ε."""


def exact_failure(leaks, counts):
    return 1 - math.prod((1 - Fraction(leak)) ** count for leak, count in zip(leaks, counts, strict=True))


def test_the_probability_of_a_failure_is_the_least_double_that_is_not_below_it():
    rng = np.random.default_rng(1)
    for _ in range(300):
        leaks = rng.choice([*LEAKS, 10 ** rng.uniform(-12, -0.1)], size=rng.integers(1, 4)).tolist()
        counts = rng.integers(1, 6, len(leaks)).tolist()
        exact, failure = exact_failure(leaks, counts), failure_up(leaks, counts)
        assert Fraction(failure) >= exact
        assert Fraction(math.nextafter(failure, 0)) < exact * (1 + Fraction(1e-20))


@pytest.mark.parametrize(("leak", "count"), [(1e-9, 10**6), (1e-5, 10**6), (0.5, 10**6), (1e-16, 10**6), (1e-300, 7)])
def test_of_very_many_guarantees_it_is_right_to_the_last_bit(leak, count):
    with mpmath.workdps(700):
        exact = 1 - (1 - mpmath.mpf(leak)) ** count
        failure = failure_up([leak], [count])
        assert exact <= mpmath.mpf(failure) <= exact * (1 + mpmath.mpf(2) ** -52)


def test_nothing_fails_without_a_delta_and_all_fails_with_1():
    assert failure_up([0.0, 0.0], [3, 1]) == 0
    assert failure_up([1.0, 0.1], [2, 1]) == 1
    assert slack_down(np.array(0.5), 1.0) < 0
    assert broken_up(np.array([0.0, 1e-6]), 1.0).tolist() == [1.0, 1.0]


@pytest.mark.parametrize("releases", EDGES)
def test_a_delta_that_is_just_that_of_the_guarantees_is_enough_for_the_sum_of_all_epsilon(releases):
    failure = failure_of(releases)
    total = float(basic_epsilon([line.numbers[0] for line in releases], [line.count for line in releases]))
    added = float(basic_delta([line.numbers[1] for line in releases[:1]], [line.count for line in releases[:1]]))
    for name in ("best", "certified", "exact", "kairouz", "kairouz_optimal", "zcdp", "rdp", "rdp_standard"):
        if name not in unavailable(tuple(releases)):
            assert epsilon(releases, failure, name).value == total
            assert epsilon(releases, math.nextafter(failure, 0), name).value == math.inf or failure == 1e-300
    of_lists = epsilon_of_lists([releases], failure)
    assert of_lists is not None
    assert of_lists.value.tolist() == [total]
    assert epsilon(releases, failure + added, "basic").value == total


@pytest.mark.parametrize("count", [1, 2, 3, 10, 1000, 10**6])
@pytest.mark.parametrize("leak", [1e-300, 1e-20, 1e-9, 2.0**-20, 1e-3])
def test_epsilon_at_the_delta_of_the_sum_of_all_epsilon_is_that_sum(leak, count):
    total = 0.5 * count
    most = float(optimal_delta(min(total, 1e6), 0.5, count, leak))
    if most < 1:
        assert optimal_epsilon(most, 0.5, count, leak) == total
        assert kairouz_epsilon(most, 0.5, count, leak) == total
        assert epsilon([guarantee_release(0.5, leak, count)], most).value == total
        below = math.nextafter(most, 0)
        assert optimal_epsilon(below, 0.5, count, leak) == math.inf
        assert kairouz_epsilon(below, 0.5, count, leak) == math.inf


def test_without_a_delta_epsilon_is_the_largest_loss_however_rare():
    """At δ = 0 no loss may be left out, also one of a probability that no double holds."""
    assert optimal_epsilon(0, 1.7, 10**6) == 1.7e6
    assert optimal_epsilon(0, [0.5, 3], 1000).tolist() == [500, 3000]


REST = [guarantee_release(0.1, 1e-9), laplace_release(2)]


@pytest.mark.parametrize("more", [1e-25, 1e-24, 1e-21])
def test_a_rest_of_delta_of_a_few_digits_has_an_epsilon_by_every_accountant(more):
    bounds = {name: float(epsilon(REST, 1e-9 + more, name).value) for name in ACCOUNTANTS}
    assert bounds.pop("clt") == math.inf
    assert bounds.pop("kairouz_optimal") == math.inf
    assert bounds.pop("advanced") > 2.1
    assert all(value == pytest.approx(2.1, rel=1e-9) for value in bounds.values())
    at = bounds["exact"] - 1e-7
    assert exact_delta(REST, at).value == pytest.approx(float(certified_delta(REST, at).value), rel=1e-2)


def test_a_rest_of_delta_that_is_too_small_for_an_answer_leaves_only_pure_releases():
    pure, noise = [guarantee_release(0.25, 1e-300, 2)], [guarantee_release(0.25, 1e-300), gaussian_release(1)]
    at = math.nextafter(2e-300, 1)
    assert [rdp_epsilon(pure, at).value, zcdp_epsilon(pure, at), epsilon(pure, at).value] == [0.5, 0.5, 0.5]
    assert not exact_epsilon(pure, at).converged
    at = math.nextafter(1e-300, 1)
    assert [rdp_epsilon(noise, at).value, zcdp_epsilon(noise, at)] == [math.inf] * 2
    assert epsilon(noise, at).value > epsilon(noise, 1e-299).value > 37


def test_noise_beside_a_guarantee_has_no_epsilon_where_the_guarantee_takes_all_of_delta():
    both = [guarantee_release(0.5, 1e-9), gaussian_release(1)]
    for name in ACCOUNTANTS:
        assert epsilon(both, 1e-9, name).value == math.inf
    assert math.isfinite(certified_epsilon(both, 1e-9 * (1 + 1e-12)).value)


def test_of_bounded_losses_nothing_is_called_an_estimate_that_is_far_from_the_truth():
    many = [exponential_release(0.10873513190974861, 1_000_000)]
    exact = epsilon(many, 1e-9, "exact")
    assert (exact.kind, math.isnan(exact.error)) == ("certified", True)
    assert exact.value == epsilon(many, 1e-9, "certified").value == pytest.approx(1824.43, abs=0.01)
    mixed = [exponential_release(0.5), gaussian_release(1)]
    assert math.isnan(epsilon(mixed, 1e-6).error)
    assert math.isnan(delta(mixed, 1.0).error)
    assert delta(mixed, 1.0, "exact").kind == "certified"


def test_an_overflow_that_is_provided_for_warns_nobody():
    bound = delta([exponential_release(1.7), discrete_gaussian_release(0.25, 7.0)], 300.0)
    assert bound.value == pytest.approx(0.99966, abs=1e-4)
    assert rdp_delta([exponential_release(1.7)], 300.0).value == 0


def test_noise_that_hardly_ever_changes_an_answer_has_the_epsilon_of_its_likeliest_losses():
    """A noise of 0.03 is 0 but for 1e-208, so that all losses are Δ²/2σ²."""
    best = epsilon([discrete_gaussian_release(0.03232847185989497, 7.0, 17)], 1e-30)
    assert best.value == pytest.approx(17 * 49 / 2 / 0.03232847185989497**2, rel=1e-12)


def test_the_integral_is_the_least_beside_guarantees_that_make_nearly_all_of_epsilon():
    releases = [laplace_release(1), gaussian_release(3000)]
    best = epsilon(releases, 1e-6)
    assert best.accountant == "exact"
    assert 1 < best.value < epsilon(releases, 1e-6, "basic").value


def at_random(rng):
    """Return a release of any kind, of the sizes that are usual or extreme."""
    spent = float(rng.choice([0.1, 0.25, 0.5, 1, 2, 10 ** rng.uniform(-3, 1)]))
    leak, count = float(rng.choice(LEAKS)), int(rng.choice([1, 1, 2, 3, 50, 1000]))
    return [
        lambda: gaussian_release(10 ** rng.uniform(-1, 2), count),
        lambda: laplace_release(spent, count),
        lambda: geometric_release(spent, int(rng.integers(1, 4)), count),
        lambda: discrete_gaussian_release(10 ** rng.uniform(-1.5, 1), int(rng.integers(1, 6)), count),
        lambda: guarantee_release(spent, 0.0, count),
        lambda: guarantee_release(spent, leak, count),
        lambda: truncated_laplace_release(spent, min(leak, 0.4), count),
        lambda: exponential_release(spent, count),
        lambda: zcdp_release(10 ** rng.uniform(-4, 1), count),
        lambda: sampled_release(10 ** rng.uniform(0, 1), 10 ** rng.uniform(-3, -0.5), count),
    ][rng.integers(10)]()


@pytest.mark.parametrize("seed", range(12))
def test_best_is_never_above_any_accountant(seed):
    rng = np.random.default_rng(seed)
    for _ in range(5):
        releases = [at_random(rng) for _ in range(rng.integers(1, 4))]
        failure = failure_of(releases)
        at_edges = [failure, math.nextafter(failure, 1), failure * (1 + 1e-12), 2 * failure, math.nextafter(failure, 0)]
        for at in [1e-6, 1e-100, *(float(rng.choice([edge])) for edge in at_edges if 1e-300 <= edge < 1)]:
            best = epsilon(releases, at)
            doubt = 4 * float(best.error) if best.kind == "estimate" and is_known_error(best) else 0.0
            bounds = {name: float(epsilon(releases, at, name).value) for name in ACCOUNTANTS if name != "clt"}
            above = {name: value for name, value in bounds.items() if best.value > value * (1 + 1e-11) + doubt}
            assert above == {}, (releases, at)
            assert best.value == math.inf or failure <= at
            curves = epsilon_by_accountant(releases, at)
            assert curves["best"].value == best.value
            if failure <= at and all(line.has_epsilon for line in releases):
                assert best.value <= basic_epsilon(
                    [line.numbers[0] for line in releases], [line.count for line in releases]
                )


def is_known_error(bound):
    return not math.isnan(float(bound.error))


@pytest.mark.parametrize(
    ("releases", "at", "expected"),
    [  # as somebody writes them down who counts budgets: ε and δ of each, and the δ of all
        ([guarantee_release(1, 1e-5)], 1e-5, 1),
        ([guarantee_release(1, 1e-6), guarantee_release(1, 1e-6)], 2e-6, 2),
        ([guarantee_release(0.5, 1e-6, 4)], 4e-6, 2),
        ([guarantee_release(0.5, 1e-6), laplace_release(0.5)], 1e-6, 1),
        ([guarantee_release(1, 0.1)], 0.1, 1),
        ([truncated_laplace_release(1, 1e-6)], 1e-6, 1),
        ([guarantee_release(0, 1e-6)], 1e-6, 0),
        ([guarantee_release(0.25, 1e-12, 4), geometric_release(1)], 4e-12, 2),
        ([guarantee_release(2, 1e-5), gaussian_release(5)], 1e-5, math.inf),
        ([guarantee_release(1, 1e-5)], 1e-6, math.inf),
    ],
)
def test_a_budget_of_delta_that_is_spent_to_the_end_is_kept(releases, at, expected):
    best = float(epsilon(releases, at).value)
    assert best == pytest.approx(expected, rel=1e-4)
    assert best <= expected
