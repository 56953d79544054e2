"""Plans for several releases: sensitivities and errors of queries, the choice, and the totals."""

import re
from dataclasses import replace
from itertools import product
from typing import Any, cast

import numpy as np
import pytest

from dpcore import accuracy, composition, gaussian
from dpcore.families import FAMILIES
from dpcore.mechanism import Mechanism
from dpcore.plan import (
    MECHANISMS,
    PURE_MECHANISMS,
    Candidate,
    Count,
    Histogram,
    Mean,
    Own,
    Proportion,
    Sum,
    Table,
    choose,
    marginal,
    possible_mechanisms,
    query,
    scaled_to,
    total_epsilon,
)

PURE, OF_FRACTIONS = ", ".join(PURE_MECHANISMS), ", ".join(key for key in MECHANISMS if not FAMILIES[key].whole)
COUNT = query(5)
OWN: dict[str, Any] = {"statistic": Own(), "neighbours": "replace"}
MIXED = (
    query(5, name="total"),
    query(20, Table(n_cells=36, is_joint=True), name="age by sex"),
    query(0.5, Mean(high=80, n_records=1000), name="mean age"),
    query(1000, Sum(high=100), name="income"),
)


@pytest.mark.parametrize(("n", "expected"), [(1, 1.72714710750), (3, 3.16120852413), (10, 6.25131222397)])
def test_equal_counts_with_gaussian_noise_cost_the_published_total(n, expected):
    bound = total_epsilon([COUNT] * n, 1e-6, "gaussian")
    assert float(bound.value) == pytest.approx(expected, rel=1e-11)


@pytest.mark.parametrize(("n", "expected"), [(1, 0.59914445), (3, 1.7974314), (10, 5.9904426)])
def test_equal_counts_with_laplace_noise_cost_the_published_total(n, expected):
    bound = total_epsilon([COUNT] * n, 1e-6, "laplace")
    assert float(bound.value) == pytest.approx(expected, rel=2e-6)
    assert float(bound.value) <= n * 0.59914646


@pytest.mark.parametrize(
    ("n", "laplace", "gaussian_total"), [(30, 15.924398, 11.9856616869), (100, 38.0337, 25.6633766)]
)
def test_one_table_of_many_cells_per_person_costs_what_as_many_counts_cost(n, laplace, gaussian_total):
    table = query(5, Table(n_cells=200, cells_per_person=n))
    assert float(total_epsilon([table], 1e-6, "laplace").value) == pytest.approx(laplace, rel=5e-5)
    assert float(total_epsilon([table], 1e-6, "gaussian").value) == pytest.approx(gaussian_total, rel=1e-8)


def test_each_mechanism_reaches_the_wanted_error_and_is_the_release_that_is_accounted():
    for key in MECHANISMS:
        plan = choose([COUNT, query(7.5, significance=0.01)], 1e-6, key)
        assert plan.keys == (key, key)
        assert plan.half_widths[0] <= 5 * (1 + 1e-12)
        assert 0.6 * 7.5 < plan.half_widths[1] <= 7.5 * (1 + 1e-12)
        assert all(isinstance(own, Mechanism) and own.releasable for own in plan.mechanisms)
    laplace = choose([COUNT], 1e-6, "laplace")
    assert laplace.mechanisms[0].scale == pytest.approx(5 / np.log(20))
    assert laplace.releases[0].numbers[0] == pytest.approx(np.log(20) / 5)


def test_a_plan_is_never_worse_than_one_mechanism_for_all_and_the_same_at_every_call():
    rng = np.random.default_rng(3)
    for _ in range(8):
        queries = [
            query(float(rng.uniform(2, 40)), Sum(high=float(high)) if high else Count())
            for high in rng.integers(0, 9, rng.integers(2, 6))
        ]
        plan = choose(queries, 1e-6)
        totals = [float(total_epsilon(queries, 1e-6, key).value) for key in ("laplace", "gaussian")]
        assert float(plan.total.value) <= min(totals) * (1 + 1e-9)
        assert float(plan.total.value) <= min(float(bound.value) for bound in plan.uniform.values()) * (1 + 1e-9)
        assert choose(tuple(queries), 1e-6).total == plan.total


def test_a_small_plan_is_the_best_of_all_combinations():
    queries = MIXED[:3]
    plan = choose(queries, 1e-6)
    totals = []
    for keys in product(MECHANISMS, MECHANISMS, MECHANISMS[:2]):
        fixed = (
            query(5, mechanism=keys[0]),
            query(20, Table(n_cells=36, is_joint=True), mechanism=keys[1]),
            query(0.5, Mean(high=80, n_records=1000), mechanism=keys[2]),
        )
        totals.append(float(choose(fixed, 1e-6).total.value))
    assert float(plan.total.value) <= min(totals) * (1 + 1e-3)
    assert plan.runner_up >= float(plan.total.value)
    assert float(plan.basic.value) > float(plan.total.value)


def test_the_total_is_that_of_the_accountant_for_the_releases_of_the_plan():
    plan = choose(MIXED, 1e-6)
    again = composition.epsilon(plan.releases, 1e-6, excess=1e-5)
    assert float(again.value) <= float(plan.total.value) <= float(again.value) * (1 + 2e-4)


def test_without_delta_a_plan_has_pure_noise_and_adds_up():
    plan = choose(MIXED, 0)
    assert set(plan.keys) <= {*PURE_MECHANISMS}
    assert set(plan.uniform) == {*PURE_MECHANISMS}
    assert float(plan.total.value) == pytest.approx(sum(noise.epsilon for noise in plan.mechanisms))
    assert str(plan.total.kind) == "certified"


def test_sensitivities_come_from_the_kind_of_query():
    table = query(statistic=Table(n_cells=20, cells_per_person=3, per_cell=2), neighbours="replace")
    assert (table.l1, table.n_moved, table.largest, table.whole) == (12, 6, 2, True)
    assert table.l2 == pytest.approx(24**0.5)
    half = query(statistic=Sum(low=-3, high=2), neighbours="replace")
    assert (half.l1, half.whole) == (5, False)
    assert query(statistic=Sum(low=-3, high=2), whole=True).whole
    assert query(statistic=Proportion(n_records=50)).l1 == pytest.approx(0.02)
    assert query(statistic=Histogram()).l1 == query(statistic=Histogram(n_cells=9)).l1 == 1
    assert (
        query(statistic=Histogram(n_cells=9), neighbours="replace").l1,
        query(statistic=Count(), neighbours="replace").l1,
    ) == (2, 1)


def test_an_error_for_all_cells_at_once_is_stricter():
    separate, joint = (query(5, Histogram(n_cells=12, is_joint=joint)) for joint in (False, True))
    assert joint.significance == pytest.approx(1 - 0.95 ** (1 / 12))
    assert float(total_epsilon([joint], 1e-6).value) > float(total_epsilon([separate], 1e-6).value)
    own = query(5, Own(l1_sensitivity=3, l2_sensitivity=2, n_cells=12, is_joint=True))
    assert own.significance == joint.significance


def test_a_query_with_known_sensitivities_alone_is_a_guarantee_for_laplace_noise():
    own = query(5, Own(l1_sensitivity=4, l2_sensitivity=2))
    plan = choose([own], 1e-6, "laplace")
    assert plan.releases[0].kind == "guarantee"
    assert choose([own], 1e-6, "gaussian").releases[0].numbers[0] == pytest.approx(
        plan.queries[0].half_width / 1.959964 / 2
    )
    single = query(5, Own(l1_sensitivity=4))
    assert choose([single], 1e-6, "laplace").releases[0].kind == "laplace"
    whole = query(9, Own(l1_sensitivity=4), whole=True)
    assert {choose([whole], 1e-6, key).keys for key in MECHANISMS} == {(key,) for key in MECHANISMS}


def test_a_mean_whose_number_of_records_is_not_public_is_within_its_error():
    private = query(0.4, Mean(low=0, high=10, n_records=500, is_n_public=False))
    rng, true_sum = np.random.default_rng(1), 500 * (8 - 5) / 5
    for key in ("laplace", "gaussian"):
        plan = choose([private], 1e-6, key)
        noise = plan.mechanisms[0]
        assert isinstance(noise, Mechanism)
        assert plan.half_widths[0] == pytest.approx(0.4, rel=1e-9)
        count, centred = noise.sample(rng, 40_000) + 500, noise.sample(rng, 40_000) + true_sum
        errors = abs(5 + 5 * centred / count - 8)
        assert np.mean(errors > 0.4) <= 0.05
    assert private.half_width_of(Candidate("gaussian", (400.0,), 400.0, composition.gaussian_release(1.0))) == np.inf
    assert query(0.1, Proportion(n_records=500, is_n_public=False)).width == 1


def test_queries_of_disjoint_people_cost_the_largest_of_them():
    disjoint = [query(5, group="region"), query(8, group="region"), query(3, Sum(high=2), group="region")]
    alone = max(float(total_epsilon([single], 1e-6, "laplace").value) for single in disjoint)
    assert float(total_epsilon(disjoint, 1e-6, "laplace").value) == pytest.approx(alone, rel=1e-4)
    together = [*disjoint, query(4)]
    free = [query(5), query(8), query(3, Sum(high=2)), query(4)]
    assert float(total_epsilon(together, 1e-6).value) < float(total_epsilon(free, 1e-6).value)
    gaussians = [query(5, group="a", mechanism="gaussian"), query(8, group="a", mechanism="gaussian")]
    assert float(total_epsilon(gaussians, 1e-6).value) == float(total_epsilon(gaussians[:1], 1e-6).value)


def test_too_many_combinations_of_disjoint_queries_are_bounded_by_all_of_them():
    queries = [
        query(5 + place, group=str(place % 4), mechanism=key)
        for place, key in enumerate(key for key in MECHANISMS[:3] for _ in range(4))
    ]
    bound = float(total_epsilon(queries, 1e-6).value)
    free = float(
        total_epsilon(
            [query(5 + place, mechanism=single.mechanism) for place, single in enumerate(queries)], 1e-6
        ).value
    )
    assert bound == pytest.approx(free, rel=1e-9)


def test_many_groups_are_estimated_as_if_a_person_were_in_all():
    queries = [query(5 + place, group=str(place % 4)) for place in range(16)]
    plan = choose(queries, 1e-6)
    assert float(plan.total.value) <= min(float(bound.value) for bound in plan.uniform.values()) * (1 + 1e-9)


def test_fixed_noise_stays():
    fixed = [
        query(mechanism="gaussian", scale=4.0),
        query(epsilon=0.25),
        query(statistic=Mean(high=3, n_records=100), epsilon=0.25),
        query(mechanism="discrete_gaussian", scale=3.0),
        query(5),
    ]
    plan = choose(fixed, 1e-6, "laplace")
    assert plan.keys == ("gaussian", "geometric", "laplace", "discrete_gaussian", "laplace")
    assert [noise.scale for noise in plan.mechanisms[:4]] == pytest.approx([4, 4, 0.12, 3])
    scaled = scaled_to(fixed, 5.0, 1e-6)
    assert [noise.scale for noise in scaled.plan.mechanisms[:4]] == pytest.approx([4, 4, 0.12, 3])
    costs = marginal(fixed, 1e-6)
    assert costs.doubled[0] == float(choose(fixed, 1e-6).total.value)


def test_marginal_costs_are_differences_of_totals():
    costs = marginal(MIXED, 1e-6)
    plan = choose(MIXED, 1e-6)
    rest = composition.epsilon(plan.releases[1:], 1e-6)
    assert costs.without[0] == pytest.approx(float(rest.value), rel=1e-3)
    assert costs.cost == pytest.approx(float(plan.total.value) - costs.without)
    assert np.all(costs.doubled < float(plan.total.value))
    at_the_end = marginal([query(1e100, Own(), mechanism="laplace")], 1e-6)
    assert at_the_end.doubled == at_the_end.cost
    single = marginal([query(5)], 1e-6)
    assert single.without == 0
    assert single.cost == single.cost.max() > 0


def test_estimated_costs_are_near_the_exact_ones_at_any_delta_and_exact_without_it():
    queries = [*MIXED, query(9, group="a"), query(12, Histogram(n_cells=4), group="a")]
    for delta in (1e-9, 1e-6, 0.02):
        costs = marginal(queries, delta)
        assert costs.estimated_cost == pytest.approx(costs.cost, rel=0.01, abs=1e-3 * float(costs.plan.total.value))
    pure = marginal(queries, 0)
    assert pure.estimated_cost == pytest.approx(pure.cost, rel=1e-9, abs=1e-12)
    assert marginal([COUNT], 1e-6).estimated_cost == pytest.approx([float(total_epsilon([COUNT], 1e-6).value)])


def test_the_own_guarantee_of_a_query_is_that_of_its_noise_alone():
    plan = choose(MIXED, 1e-6)
    assert [plan.mechanism(place).epsilon for place in range(4)] == pytest.approx([n.epsilon for n in plan.mechanisms])
    for place, key in enumerate(plan.keys):
        alone = composition.epsilon(plan.releases[place : place + 1], 1e-6)
        assert plan.mechanism(place).epsilon >= float(alone.value) * (1 - 1e-9) or key == "laplace"


def test_a_query_that_is_released_often_costs_what_as_many_queries_cost():
    often, many = [query(5, n_releases=3)], [COUNT] * 3
    for key in MECHANISMS:
        totals = [float(total_epsilon(queries, 1e-6, key).value) for queries in (often, many)]
        assert totals[0] == pytest.approx(totals[1], rel=1e-5)
    assert float(total_epsilon(often, 0).value) == pytest.approx(float(total_epsilon(many, 0).value))
    possible = possible_mechanisms(query(5, Table(n_cells=9, cells_per_person=9), n_releases=10**6), 0)
    assert not {"laplace", "geometric"} & {*possible}  # whose releases are of nine numbers each
    with pytest.raises(ValueError, match="n_releases must be"):
        query(5, n_releases=0)


def test_basic_composition_of_a_plan_is_that_of_the_accountant():
    queries = [query(5, n_releases=3), query(9, Table(n_cells=9, cells_per_person=3)), *MIXED[2:]]
    for key in ("laplace", "gaussian"):
        plan = choose(queries, 1e-6, key)
        basic = composition.epsilon(plan.releases, 1e-6, "basic").value
        assert float(plan.basic.value) == pytest.approx(float(basic), rel=1e-11)


def test_gaussian_noise_alone_has_a_certified_total():
    assert str(total_epsilon([query(30, Sum(high=7)), query(5)], 1e-6, "gaussian").kind) == "certified"


def test_a_plan_without_another_has_no_next_best():
    assert choose([query(mechanism="gaussian", scale=4.0)], 1e-6).runner_up == np.inf


def test_a_gaussian_plan_is_the_gaussian_mechanism():
    sigma = float(accuracy.gaussian_sigma_from_accuracy(5, 0.05))
    assert float(total_epsilon([COUNT], 1e-6, "gaussian").value) == pytest.approx(
        float(gaussian.epsilon_from_sigma(1e-6, sigma)), rel=1e-9
    )


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: query(0), "half_width must be in [1e-100, 1e100], got 0"),
        (lambda: query(1, significance=1), "significance must be in [1e-300, 1), got 1"),
        (
            lambda: query(5, cast(Any, "median")),
            "statistic must be in the records of dpcore.plan, got 'median'",
        ),
        (lambda: query(statistic=Own(l2_sensitivity=2)), "l2_sensitivity must be in [1e-100, l1_sensitivity], got 2"),
        (
            lambda: query(statistic=Mean(is_n_public=False), neighbours="replace"),
            "neighbours must be in add_remove, got 'replace'",
        ),
        (lambda: query(**OWN), "neighbours must be left out of kind own without group, got 'replace'"),
        (lambda: query(**OWN, group="a"), "neighbours of a group must be in add_remove, got 'replace'"),
        (
            lambda: query(statistic=Sum(), mechanism="geometric"),
            f"mechanism must be in {OF_FRACTIONS}, got 'geometric'",
        ),
        (lambda: query(mechanism="gaussian", epsilon=1), f"mechanism must be in {PURE}, got 'gaussian'"),
        (lambda: query(epsilon=1, scale=2), "scale must be left out of a query with epsilon, got 2"),
        (
            lambda: query(scale=2),
            f"mechanism must be in {', '.join(MECHANISMS)} where scale is fixed, got None",
        ),
        (lambda: choose([], 1e-6), "queries must be from 1 to 200, got 0"),
        (lambda: choose([COUNT] * 201, 1e-6), "queries must be from 1 to 200, got 201"),
        (lambda: choose([COUNT], 1e-301), "delta must be in 0 or [1e-300, 1), got 1e-301"),
        (lambda: choose([COUNT], 0, "gaussian"), f"mechanism must be in {PURE}, got 'gaussian'"),
        (
            lambda: choose([query(5, Sum(), name="income")], 1e-6, "geometric"),
            "half_width of income must be in the range of geometric noise that can be released, got 5",
        ),
        (
            lambda: choose([query(1e-100, Mean(high=10, is_n_public=False))], 0),
            "half_width of mean must be in the range that can be released, got 1e-100",
        ),
        (
            lambda: choose([query(1e-9, Sum(high=1e6))], 0),
            "half_width of sum must be in the range that can be released, got 1e-09",
        ),
        (
            lambda: scaled_to([query(epsilon=1)], 1, 0),
            "queries must be such that the noise of one is not fixed, got only fixed ones",
        ),
        (lambda: scaled_to([COUNT], 0, 0), "epsilon must be in (0, 1e6], got 0"),
    ],
)
def test_queries_that_cannot_be_planned_are_refused_in_a_sentence(call, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        call()


@pytest.mark.parametrize("half_width", [1e-100, 1e-3, 0.5, 1e8, 1e90])
def test_errors_at_the_ends_of_the_domain_have_a_total_or_a_sentence(half_width):
    for key in MECHANISMS:
        if half_width < 0.5 and not FAMILIES[key].whole:
            with pytest.raises(ValueError, match=f"^half_width of count must be in the range of {key} noise"):
                total_epsilon([query(half_width)], 1e-6, key)
        else:
            assert 0 <= float(total_epsilon([query(half_width)], 1e-6, key).value) < 30


def test_tables_that_move_too_many_numbers_have_no_discrete_noise():
    many = query(50, Table(n_cells=10**9, cells_per_person=10**7))
    assert choose([many], 1e-6).keys == ("gaussian",)
    narrow = query(1, Table(n_cells=1000, cells_per_person=300))
    with pytest.raises(ValueError, match="of discrete_gaussian noise"):
        choose([narrow], 1e-6, "discrete_gaussian")


def test_a_table_with_a_yearly_limit_costs_what_its_own_sensitivities_cost():
    table = Table(n_cells=36, cells_per_person=36, per_cell=4, is_joint=True)
    limited = replace(table, cap=4, n_periods=3)
    yearly = query(20, limited)
    assert (yearly.l1, yearly.n_moved, yearly.whole) == (12, 0, True)
    own = query(20, Own(l1_sensitivity=12, l2_sensitivity=yearly.l2, n_cells=36, is_joint=True))
    totals = [float(total_epsilon([planned], 1e-6, "gaussian").value) for planned in (yearly, own)]
    assert totals[0] == pytest.approx(totals[1], rel=1e-9)
    best = float(choose([yearly], 1e-6).total.value)
    assert best <= totals[0] * (1 + 1e-9)
    assert best < float(choose([query(20, table)], 1e-6).total.value)
    assert choose([query(20, limited, mechanism="geometric")], 0).total.value > 0


def test_a_histogram_of_several_records_is_a_table_in_which_a_person_is_anywhere():
    histogram = query(5, Histogram(n_cells=20, cap=3))
    table = query(5, Table(n_cells=20, cells_per_person=20, per_cell=3, cap=3))
    assert (histogram.l1, histogram.l2) == (table.l1, table.l2) == (3, 3)
    assert query(5, Histogram(n_cells=20)).l1 == 1


def test_a_wanted_error_is_refused_where_the_noise_is_fixed():
    with pytest.raises(ValueError, match=r"^half_width must be left out of a query with epsilon, got 5$"):
        query(5, epsilon=0.01)
    with pytest.raises(ValueError, match=r"^half_width must be left out of a query with scale, got 5$"):
        query(5, mechanism="laplace", scale=3)


def test_a_table_of_an_unknown_number_of_cells_moves_as_many_as_its_person_may():
    assert query(statistic=Table(cells_per_person=3, per_cell=2)).l1 == 6
    assert query(statistic=Table(cells_per_person=3), neighbours="replace").l1 == 6
    assert query(statistic=Table(cells_per_person=3, n_cells=1)).l1 == 1
    for cells in (None, 2, 36):
        yearly = query(statistic=Histogram(cap=4, n_periods=3, n_cells=cells))
        assert (yearly.l1, yearly.l2) == (12, 12)  # all of them may be in one cell
    for kind in (Table, Histogram, Own):
        with pytest.raises(ValueError, match=r"^n_cells must be in \[1, 1e15\] for a joint error, got None$"):
            query(statistic=kind(is_joint=True))
