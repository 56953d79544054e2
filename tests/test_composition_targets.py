"""How often releases can run and how much a query may spend, against the table of the reference."""

import math
import re

import numpy as np
import pytest

from dpcore.composition import _targets as composition_targets
from dpcore.composition import (
    epsilon,
    epsilon_per_query,
    exponential_release,
    gaussian_release,
    guarantee_release,
    laplace_release,
    rdp_epsilon,
    releases_within,
    sampled_release,
    zcdp_release,
)
from dpcore.composition._targets import TOTALS, least_satisfying, most_satisfying, root_between

PER_QUERY = [  # k, then ε of a query for (1, 1e-6) in total
    (10, "guarantee", "basic", 0.1),
    (10, "guarantee", "advanced", 0.058070),
    (10, "guarantee", "certified", 0.10006289),
    (10, "laplace", "rdp", 0.10010193),
    (10, "laplace", "certified", 0.100102),
    (100, "guarantee", "basic", 0.01),
    (100, "guarantee", "advanced", 0.018376),
    (100, "guarantee", "zcdp", 0.022071),
    (100, "guarantee", "certified", 0.02401108),
    (100, "laplace", "rdp", 0.02258566),
    (100, "laplace", "certified", 0.024104),
    (1000, "guarantee", "advanced", 0.005812),
    (1000, "guarantee", "zcdp", 0.006979),
    (1000, "guarantee", "certified", 0.00749510),
    (1000, "laplace", "rdp", 0.00700065),
]


@pytest.mark.parametrize(("k", "mechanism", "accountant", "expected"), PER_QUERY)
def test_epsilon_of_a_query_is_that_of_the_reference(k, mechanism, accountant, expected):
    epsilon = epsilon_per_query(1, 1e-6, k, mechanism, accountant)
    assert epsilon == pytest.approx(expected, rel=3e-4)
    assert epsilon <= expected * (1 + 1e-4)


def test_the_epsilon_per_query_is_within_the_total():
    per_query = float(epsilon_per_query(1, 1e-6, 50, "laplace", "rdp"))
    assert rdp_epsilon([laplace_release(per_query, 50)], 1e-6).value <= 1
    assert epsilon_per_query(1, 1e-6, 50, "exponential", "certified") >= epsilon_per_query(1, 1e-6, 50)


@pytest.mark.parametrize(
    ("accountant", "expected"), [("basic", 33), ("advanced", 67), ("kairouz", 78), ("zcdp", 97), ("certified", 114)]
)
def test_a_list_runs_as_often_as_its_accountant_allows(accountant, expected):
    assert releases_within(1, 1e-6, [laplace_release(0.01), guarantee_release(0.02)], accountant) == expected


def test_gaussians_run_as_often_as_the_reference_says():
    numbers = releases_within([1, 1, 10], 1e-6, [gaussian_release(42.246789)])
    assert list(numbers[:2]) == [100, 100]
    assert numbers[2] > 4000


@pytest.mark.parametrize("accountant", TOTALS)
def test_a_list_of_noise_runs_as_often_as_epsilon_says(accountant):
    noise = [gaussian_release(100), guarantee_release(0.001)]
    most = float(releases_within(1, 1e-6, noise, accountant))
    assert most > 0
    excess = 2e-3 if accountant == "certified" else None
    assert epsilon(noise, 1e-6, accountant, most, excess=excess).value <= 1
    assert epsilon(noise, 1e-6, accountant, most + 1, excess=excess).value > 1


def test_an_accountant_that_cannot_take_a_list_allows_none_of_it():
    assert releases_within(1, 1e-6, [sampled_release(1, 0.1)], "zcdp") == 0
    assert releases_within(1, 1e-6, [guarantee_release(0.001, 1e-3)], "basic") == 0
    assert releases_within(1, 1e-6, [exponential_release(2)]) == 0


def test_of_a_list_with_only_a_rho_renyi_divergences_are_the_certified_answer():
    both = [releases_within(1, 1e-6, [zcdp_release(1e-4)], name) for name in ("rdp", "certified")]
    assert both[0] == both[1] > 0


def test_no_line_runs_more_than_a_million_times():
    assert releases_within(10, 1e-6, [guarantee_release(0, count=3)]) == 333333


def test_the_epsilon_per_query_is_0_if_no_query_fits_the_total():
    assert epsilon_per_query(1e-6, 1e-300, 10**6, accountant="advanced") == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: releases_within(1, 1e-6, [laplace_release(1)], "sum"), f"accountant must be in {', '.join(TOTALS)}"),
        (lambda: releases_within(-1, 1e-6, [laplace_release(1)]), "epsilon must be in [0, 1e6], got -1"),
        (lambda: releases_within(1, 1e-6, []), "releases must be at least one, got []"),
        (lambda: epsilon_per_query(1, 1e-6, 10, "gaussian"), "mechanism must be in guarantee, laplace, exponential"),
        (lambda: epsilon_per_query(0, 1e-6, 10), "epsilon_total must be in [1e-6, 1e3], got 0"),
    ],
)
def test_what_cannot_be_used_is_refused_in_a_sentence(call, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}"):
        call()


def test_many_targets_are_answered_at_once():
    assert np.shape(epsilon_per_query([1, 2], 1e-6, [[10], [20]], accountant="basic")) == (2, 2)


def test_a_bound_that_jumps_over_the_target_still_has_its_least_argument():
    """The bound falls from 2 to 0.9 at 1.6, far from where a line through both has its root, and halves find it."""
    least = least_satisfying(
        lambda x: 100.0 if x < 1.6 else -0.1, lambda x: 2.0 if x < 1.6 else 0.9, 1.0, 1.0, (0.5, 10.0)
    )
    assert least is not None
    assert 1.6 <= least < 1.602


def test_a_steep_bound_that_jumps_over_the_target_is_followed_until_both_neighbours_are_near():
    x = least_satisfying(lambda x: 30 * (1 - x), lambda x: 1.03 if x < 1 else 0.97, 1.0, 0.9, (0.5, 2.0))
    assert x is not None
    assert 1 <= x <= 1 + 5e-4


def test_the_least_argument_is_used_where_only_what_leads_the_search_is_too_large():
    assert least_satisfying(lambda x: 0.51 - x, lambda _: 0.9, 1.0, 1.0, (0.5, 10.0)) == 0.5


@pytest.mark.parametrize("accountant", ["basic", "kairouz", "certified"])
@pytest.mark.parametrize(
    ("total", "query", "expected"),
    [(1, 0.5, 2), (1, 0.25, 4), (1, 1, 1), (3, 0.375, 8), (1000, 1000, 1), (0.5, 2.0**-3, 4), (6, 0.75, 8)],
)
def test_a_budget_that_is_spent_to_the_end_is_kept(total, query, expected, accountant):
    assert releases_within(total, 1e-300, [guarantee_release(query)], accountant) == expected
    assert releases_within(np.nextafter(total, 0), 1e-300, [guarantee_release(query)], accountant) == expected - 1
    assert epsilon_per_query(total, 1e-300, expected, accountant=accountant) >= query


def test_numbers_are_the_doubles_that_they_are():
    """Ten times the double 0.1 is more than 1, three times the double 0.3 is less than the double 0.9."""
    assert [releases_within(1, 1e-6, [guarantee_release(0.1)], "basic") for _ in range(2)] == [9, 9]
    assert releases_within(0.9, 1e-6, [guarantee_release(0.3)], "basic") == 3
    assert epsilon_per_query(1, 1e-6, [1, 2, 4], accountant="basic").tolist() == [1, 0.5, 0.25]
    tenth = float(epsilon_per_query(1, 1e-6, 10, accountant="basic"))
    assert tenth == np.nextafter(0.1, 0)


@pytest.mark.parametrize("accountant", TOTALS)
@pytest.mark.parametrize("n_runs", [1, 2, 7, 5000])
def test_a_budget_that_is_just_what_runs_cost_allows_these_runs(accountant, n_runs):
    releases = [guarantee_release(0.015625), laplace_release(0.03125)]
    excess = 2e-3 if accountant == "certified" else None
    spent = epsilon(releases, 1e-6, accountant, n_runs, excess=excess).value
    assert releases_within(spent, 1e-6, releases, accountant) == n_runs


@pytest.mark.parametrize("accountant", ["zcdp", "rdp"])
def test_a_budget_of_just_one_run_is_seen_with_few_totals(accountant, monkeypatch):
    calls = []

    def counted(releases, delta, accountant):
        calls.append(releases)
        return total(releases, delta, accountant)

    total = composition_targets._total
    monkeypatch.setattr(composition_targets, "_total", counted)
    assert releases_within(1, 1e-6, [guarantee_release(1.0)], accountant) == 1
    assert len(calls) <= 4


@pytest.mark.parametrize("growth", [0.5, 0.7, 1.0, 2.0])
@pytest.mark.parametrize("most", [1, 3, 1000, 10**6])
@pytest.mark.parametrize("scale", [1e-9, 1.0, 37.7, 1e3, 2e6])
def test_the_most_runs_are_the_last_that_are_within_and_few_are_tried(growth, most, scale):
    tried = []

    def total(n):
        tried.append(n)
        return n**growth

    target = scale**growth
    within = most_satisfying(total, target, most)
    assert within == 0 or within**growth <= target
    assert within == most or target < (within + 1) ** growth
    assert len(tried) == len(set(tried)) <= 12


def test_totals_that_jump_or_are_zero_or_infinite_are_searched_by_halves():
    assert most_satisfying(lambda n: 0.0 if n <= 4321 else 1.0, 0.5, 10**6) == 4321
    assert most_satisfying(lambda n: 1.0 if n <= 4321 else math.inf, 2.0, 10**6) == 4321
    assert most_satisfying(lambda n: float(n > 77), 0.0, 10**6) == 77
    assert most_satisfying(lambda _: 0.0, 0.0, 10**6) == 10**6
    assert most_satisfying(lambda n: 1.0 if n < 500 else 2.0 if n < 1000 else 3.0, 2.0, 10**6) == 999


@pytest.mark.parametrize("step", [0.3, math.log(2), 5.0])
def test_a_function_by_steps_that_is_0_on_one_of_them_is_left_with_few_values(step):
    """Its root is the end of the step, to which no line points."""
    calls = []

    def excess(x):
        calls.append(x)
        return float(math.floor(-x / step)) * step

    x, _ = root_between(excess, lambda _: 2.0, 1.0, 0.0, (-20.0, 0.0))
    assert -step - 0.04 <= x <= 0
    assert len(calls) <= 20
