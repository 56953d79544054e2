"""How much a query may spend, against the table of the reference, and the search for it."""

import math
import re

import numpy as np
import pytest

from dpcore.composition import (
    epsilon,
    epsilon_per_query,
    laplace_release,
)
from dpcore.composition._targets import least_satisfying, root_between

PER_QUERY = [  # k, then ε of a query for (1, 1e-6) in total
    (10, "guarantee", 0.10006289),
    (10, "laplace", 0.100102),
    (100, "guarantee", 0.02401108),
    (100, "laplace", 0.024104),
    (1000, "guarantee", 0.00749510),
]


@pytest.mark.parametrize(("k", "mechanism", "expected"), PER_QUERY)
def test_epsilon_of_a_query_is_that_of_the_reference(k, mechanism, expected):
    epsilon = epsilon_per_query(1, 1e-6, k, mechanism)
    assert epsilon == pytest.approx(expected, rel=6e-4)
    assert epsilon <= expected * (1 + 1e-4)


def test_the_epsilon_per_query_is_within_the_total():
    per_query = float(epsilon_per_query(1, 1e-6, 50, "laplace"))
    assert epsilon([laplace_release(per_query, 50)], 1e-6, "certified", excess=2e-3).value <= 1
    assert epsilon_per_query(1, 1e-6, 50, "exponential") >= epsilon_per_query(1, 1e-6, 50)


def test_the_epsilon_per_query_is_0_if_no_query_fits_the_total():
    assert epsilon_per_query(1e-6, 1e-300, 10**6) == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: epsilon_per_query(1, 1e-6, 10, "gaussian"), "mechanism must be in guarantee, laplace, exponential"),
        (lambda: epsilon_per_query(0, 1e-6, 10), "epsilon_total must be in [1e-6, 1e3], got 0"),
    ],
)
def test_what_cannot_be_used_is_refused_in_a_sentence(call, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}"):
        call()


def test_many_targets_are_answered_at_once():
    assert np.shape(epsilon_per_query([1, 2], 1e-6, [[10], [20]])) == (2, 2)


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


@pytest.mark.parametrize(
    ("total", "query", "n_queries"),
    [(1, 0.5, 2), (1, 0.25, 4), (1, 1, 1), (3, 0.375, 8), (1000, 1000, 1), (0.5, 2.0**-3, 4), (6, 0.75, 8)],
)
def test_a_budget_that_is_spent_to_the_end_is_kept(total, query, n_queries):
    assert epsilon_per_query(total, 1e-300, n_queries) >= query


def test_numbers_are_the_doubles_that_they_are():
    """Ten times the double 0.1 is more than 1."""
    assert epsilon_per_query(1, 1e-300, [1, 2, 4]).tolist() == [1, 0.5, 0.25]
    assert epsilon_per_query(1, 1e-300, 10) == np.nextafter(0.1, 0)


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
