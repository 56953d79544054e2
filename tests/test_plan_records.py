"""Limits on the records of a person: what one person changes, by all small data sets, and what a plan makes of it."""

import math
import re
from collections.abc import Iterator
from itertools import chain, combinations_with_replacement, product

import numpy as np
import pytest

from dpcore import quantiles
from dpcore.clipping import lognormal
from dpcore.plan import Count, Histogram, Mean, Proportion, Quantile, Statistic, Sum, choose, possible_mechanisms, query

WAITING = lognormal(np.log(30), 0.8, 400)
Records = tuple[float, ...]


def persons(values: Records, most: int) -> list[Records]:
    """Return all that one person can have: up to `most` records, each with one of the values."""
    return [own for n in range(most + 1) for own in combinations_with_replacement(values, n)]


def neighbours(values: Records, most: int, relation: str, others: int = 4) -> Iterator[tuple[list[float], list[float]]]:
    """Yield the records of two data sets that differ in a person, beside up to so many records of other people."""
    one = persons(values, most)
    for rest in persons(values, others):
        for first, second in product(one, one if relation == "replace" else [()]):
            yield [*rest, *first], [*rest, *second]


def largest_difference(
    of, values: Records, most: int, relation: str, least: int = 0, *, is_same: bool = False
) -> float:
    """Return by how much a function of the records differs most between neighbours with at least so many records."""
    pairs = neighbours(values, most, relation)
    kept = ((a, b) for a, b in pairs if min(len(a), len(b)) >= least and (len(a) == len(b) or not is_same))
    return max(np.max(np.abs(np.subtract(of(a), of(b)))) for a, b in kept)


@pytest.mark.parametrize("relation", ["add_remove", "replace"])
@pytest.mark.parametrize("most", [1, 2, 3])
def test_a_count_and_a_sum_move_as_far_as_in_the_worst_of_all_small_data_sets(most, relation):
    def moved(statistic: Statistic) -> float:
        asked = query(9, statistic, neighbours=relation)
        assert asked.l1 == asked.l2 == asked.largest
        return asked.l1

    holds = largest_difference(lambda records: [sum(records)], (0.0, 1.0), most, relation)
    assert moved(Count(records_per_person=most)) == holds == most
    for low, high in ((-3.0, 2.0), (0.0, 5.0), (2.0, 7.0), (-4.0, -1.0)):
        exact = largest_difference(
            lambda records: [math.fsum(records)],
            (low, high),
            most,
            relation,
            is_same=most == 1 and relation == "replace",
        )
        assert moved(Sum(low, high, most)) == pytest.approx(exact, rel=1e-14)


@pytest.mark.parametrize("relation", ["add_remove", "replace"])
@pytest.mark.parametrize("most", [1, 2, 3])
def test_a_mean_and_a_share_move_no_farther_than_is_said_in_any_small_data_set(most, relation):
    low, high, n = -1.0, 4.0, 4
    exact = largest_difference(lambda own: [math.fsum(own) / len(own)], (low, high), most, relation, n)
    stated = query(1, Mean(low, high, n, records_per_person=most), neighbours=relation).l1
    assert exact <= stated * (1 + 1e-12)
    same = largest_difference(lambda own: [math.fsum(own) / len(own)], (low, high), most, "replace", n, is_same=True)
    assert same == pytest.approx(stated, rel=1e-12)  # n is public, and both have so many
    share = query(1, Proportion(n, records_per_person=most), neighbours=relation).l1
    assert share == pytest.approx(stated / (high - low), rel=1e-12)


@pytest.mark.parametrize("most", [1, 2, 3])
def test_a_hidden_mean_moves_its_count_and_its_sum_as_in_the_worst_of_all_small_data_sets(most):
    def norm(records: list[float], of_norm: int) -> float:
        return float(np.linalg.norm([len(records), math.fsum((value - 1.5) / 2.5 for value in records)], of_norm))

    one = persons((-1.0, 1.5, 4.0), most)
    for statistic in (Mean(-1, 4, 500, False, most), Proportion(500, False, most)):
        asked = query(0.5, statistic)
        assert asked.l1 == max(norm(list(own), 1) for own in one)
        assert asked.l2 == pytest.approx(max(norm(list(own), 2) for own in one), rel=1e-14)
        assert (asked.n_moved, asked.largest) == (2, most)


@pytest.mark.parametrize("relation", ["add_remove", "replace"])
@pytest.mark.parametrize("level", [0.25, 0.5, 0.9])
@pytest.mark.parametrize("most", [1, 2, 3])
def test_the_draw_of_a_quantile_has_its_epsilon_for_every_person_of_small_data_sets(most, level, relation):
    def score(records: list[float]) -> float:
        below, n = records.count(0.0), len(records)  # of the candidate 1, where nobody is
        return -max(0.0, below - level * n, level * n - below)

    sets = neighbours((0.0, 2.0), most, relation, 9)
    moved = max(abs(score(first) - score(second)) for first, second in sets)
    rate = 0.7 / (2 * moved)  # of the exponential mechanism
    sets = neighbours((0.0, 1.0, 2.0), most, relation, 2)
    pairs = {(tuple(sorted(first)), tuple(sorted(second))) for first, second in sets if first and second}
    for mechanism in ("exponential", "permute_and_flip"):
        known = level, 0.7 / most, quantiles.Grid(np.arange(3.0), mechanism), relation
        distinct = {data for pair in pairs for data in pair}
        chances = {data: np.log(quantiles.released_distribution(data, *known).probabilities) for data in distinct}
        assert max(float(np.max(np.abs(chances[a] - chances[b]))) for a, b in pairs) <= 0.7 * (1 + 1e-9)
    in_order = quantiles.released_distribution(
        [0.0, 0.0], level, 0.7 / most, quantiles.Grid(np.arange(2.0), "exponential"), relation
    ).probabilities
    assert np.log(in_order[0] / in_order[1]) == pytest.approx(rate * 2 * (1 - level), rel=1e-9)


def test_a_quantile_of_several_values_of_a_person_costs_so_many_times_its_epsilon():
    for step in (None, 1.0):
        one, three = (Quantile(WAITING, 0.5, 0, 600, step, n) for n in (1, 3))
        for mechanism in one.mechanisms:
            known = 3.0, 0.05, "add_remove"
            epsilons = one.epsilon(mechanism, *known), three.epsilon(mechanism, *known)
            assert epsilons[1] == pytest.approx(3 * epsilons[0], rel=1e-12)
            assert epsilons[1] >= 3 * epsilons[0]
            assert three.half_width(mechanism, epsilons[1], 0.05, "add_remove") <= 3.0
            assert three.half_width(mechanism, 0.3, 0.05, "add_remove") == pytest.approx(
                one.half_width(mechanism, 0.1, 0.05, "add_remove")
            )


@pytest.mark.parametrize(("most", "periods"), [(1, 2), (1, 3), (2, 2)])
def test_a_limit_in_each_period_moves_a_statistic_as_far_as_the_worst_small_data_set(most, periods):
    """A person has any records of any periods, with at most so many in each; periods are not what is counted."""

    def yearly(values: Records) -> list[list[float]]:
        return [[*chain(*own)] for own in product(persons(values, most), repeat=periods)]

    n = most * periods
    assert max(len(own) for own in yearly((0.0, 1.0))) == query(9, Count(most, periods)).l1 == n
    for low, high in ((-3.0, 2.0), (2.0, 7.0)):
        worst = max(abs(math.fsum(own)) for own in yearly((low, high)))
        assert query(9, Sum(low, high, most, periods)).l1 == worst
        moved = [abs(math.fsum(a) - math.fsum(b)) for a, b in product(yearly((low, high)), repeat=2)]
        assert query(9, Sum(low, high, most, periods), neighbours="replace").l1 == max(moved)
    counts = [np.bincount(np.array(own, int), minlength=3) for own in yearly((0.0, 1.0, 2.0))]
    cells = query(9, Histogram(3, most, periods))
    assert (cells.l1, cells.l2) == (max(map(sum, counts)), max(float(np.linalg.norm(own)) for own in counts))
    others = {n_left: [0.0] * n_left for n_left in range(4, 4 + n + 1)}
    mean = max(
        abs(np.mean([*rest, *own]) - np.mean([*rest, *other]))
        for rest in others.values()
        for own, other in product(yearly((0.0, 5.0)), repeat=2)
        if len(own) == len(other) and len(rest) + len(own) == 4 + n
    )
    for relation in ("add_remove", "replace"):
        stated = query(1, Mean(0, 5, 4 + n, True, most, periods), neighbours=relation).l1
        assert stated == pytest.approx(mean, rel=1e-12)
        share = query(1, Proportion(4 + n, True, most, periods), neighbours=relation).l1
        assert share == pytest.approx(stated / 5, rel=1e-12)
    one, several = Quantile(WAITING, 0.5, 0, 600, 1.0), Quantile(WAITING, 0.5, 0, 600, 1.0, most, periods)
    known = "permute_and_flip", 3.0, 0.05, "add_remove"
    assert several.epsilon(*known) == pytest.approx(n * one.epsilon(*known), rel=1e-12)


def test_records_of_a_person_are_composed_like_one_record_of_that_size():
    limited = [query(15, Count(3)), query(3000, Sum(0, 500, 3)), query(6, Mean(0, 100, 2000, records_per_person=3))]
    alone = [query(5), query(1000, Sum(0, 500)), query(2, Mean(0, 100, 2000))]
    total, expected = (float(choose(queries, 1e-6, "gaussian").total.value) for queries in (limited, alone))
    assert total == pytest.approx(expected, rel=1e-6)
    plan = choose(limited, 1e-6)
    assert float(plan.total.value) <= total * (1 + 1e-9)
    assert plan.half_widths == pytest.approx([15, 3000, 6], rel=0.1)
    assert {"geometric", "discrete_gaussian"} <= set(possible_mechanisms(query(15, Count(3)), 1e-6))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: query(9, Count(0)), "records_per_person must be in [1, 1e9], got 0"),
        (lambda: query(9, Sum(0, 1, 2 * 10**9)), "records_per_person must be in [1, 1e9], got 2000000000"),
        (lambda: query(9, Count(10**6, 2000)), "records_per_person in all periods must be in [1, 1e9], got 2000000000"),
        (lambda: query(9, Sum(0, 1, 2, 0)), "n_periods must be in [1, 1e6], got 0"),
        (lambda: query(9, Histogram(9, n_periods=2)), "n_periods without a cap must be in [1, 1], got 2"),
        (lambda: query(9, Histogram(9, 1e15, 2)), "cap in all periods must be in [1e-15, 1e15], got 2"),
        (lambda: query(9, Mean(0, 1, 50, False, 0)), "records_per_person must be in [1, 1e9], got 0"),
        (lambda: Quantile([1, 2], records_per_person=0), "records_per_person must be in [1, 1e9], got 0"),
        (
            lambda: query(statistic=Quantile([1, 2], records_per_person=4), epsilon=1e-12),
            "epsilon must be in [4e-12, 1e6], got 1e-12",
        ),
    ],
)
def test_a_limit_that_nobody_can_keep_is_refused_in_a_sentence(call, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}"):
        call()


@pytest.mark.parametrize("delta", [0.0, 1e-6])
@pytest.mark.parametrize("mechanism", ["laplace", "geometric"])
def test_one_of_several_times_costs_what_the_same_noise_costs_released_once(delta, mechanism):
    def plan_of(times: int):
        queries = [(9, Count(), ""), (60, Count(), "a"), (9, Count(), "a")]
        listed = [query(size, kind, group=group, n_releases=times) for size, kind, group in queries]
        return choose(listed, delta, mechanism)

    monthly, alone = plan_of(12), plan_of(1)
    assert float(monthly.once.value) == pytest.approx(float(alone.total.value), rel=1e-9)
    assert float(alone.once.value) == pytest.approx(float(alone.total.value), rel=1e-9)
    ratio = float(monthly.total.value) / float(monthly.once.value)
    assert ratio == pytest.approx(12, rel=1e-9) if delta == 0 else 3 < ratio < 12
