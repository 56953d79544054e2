"""Sensitivities by enumeration of all data sets of a few persons."""

from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product

import numpy as np
import pytest

from dpcore.sensitivity import (
    ENDS,
    NEIGHBOURS,
    Sensitivity,
    bounds_sensitivity,
    capped_sensitivity,
    query_sensitivity,
    statistics_sensitivity,
    table_sensitivity,
)
from tests.test_sensitivity_tables import trips_allowed


def differences(answer, persons, n_persons, neighbours) -> set[tuple[Fraction, ...]]:
    """Return all q(D′) − q(D), where D has `n_persons` of these persons and D′ is a neighbour of it."""
    answer, differences = cache(answer), set()
    for data in combinations_with_replacement(persons, n_persons):
        rest = [data[:place] + data[place + 1 :] for place in range(n_persons)]
        if neighbours == "replace":
            others = [(*remaining, person) for remaining in rest for person in persons]
        else:
            others = [*rest, *((*data, person) for person in persons)]
        before = answer(data)
        differences |= {tuple(b - a for a, b in zip(before, answer(other), strict=True)) for other in others}
    return differences


def assert_largest(sensitivity: Sensitivity, moved: set[tuple[Fraction, ...]]) -> None:
    """Assert that Δ₁, Δ₂ and Δ₃ are the largest norms of these differences, and never less."""
    norms = {1: sensitivity.l1, 2: sensitivity.l2, 3: sensitivity.lp(3), 7: sensitivity.lp(7)}
    for p, value in norms.items():
        largest = max(sum(abs(part) ** p for part in move) for move in moved)
        assert largest <= Fraction(float(value)) ** p <= largest * (1 + p * Fraction(5, 10**15)), p
    assert sensitivity.n_moved >= max(sum(part != 0 for part in move) for move in moved)
    assert float(sensitivity.largest) >= max(max(map(abs, move)) for move in moved) or not sensitivity.equal


def histogram(data):
    return [data.count(cell) for cell in range(3)]


def mean(data):
    return [sum(data, Fraction(0)) / len(data) if data else Fraction(-2)]


QUERY_CASES = {
    "count": (lambda data: histogram(data)[:1], (0, 1, 2), {}),
    "histogram": (histogram, (0, 1, 2), {}),
    "sum": (lambda data: [sum(data, Fraction(0))], tuple(map(Fraction, (-2, -1, 0.5, 5))), {"low": -2, "high": 5}),
    "mean": (mean, tuple(map(Fraction, (-2, -1, 0.5, 5))), {"low": -2, "high": 5}),
    "proportion": (mean, (Fraction(0), Fraction(1)), {}),
}


def proportion_or_zero(data):
    return mean(data) if data else [Fraction(0)]


@pytest.mark.parametrize("neighbours", NEIGHBOURS)
@pytest.mark.parametrize("n", [1, 2, 3])
@pytest.mark.parametrize("query", QUERY_CASES)
def test_the_sensitivity_of_a_query_is_the_largest_difference_between_neighbours(query, n, neighbours):
    answer, persons, bounds = QUERY_CASES[query]
    if query == "proportion" and neighbours == "add_remove":  # The proportion of no records is a value of its range.
        answer = proportion_or_zero
    moved = differences(answer, persons, n, neighbours)
    records = {"n_records": n} if query in ("mean", "proportion") else {}
    assert_largest(query_sensitivity(query, neighbours, **bounds, **records), moved)


def cells_and_totals(margins):
    """Return the query for the cells of a table of 2 × 2, the totals by row and by column, as far as `margins` says."""

    def answer(data):
        a, b, c, d = (sum(person[cell] for person in data) for cell in range(4))
        parts = [[a, b, c, d], [a + b, c + d], [a + c, b + d]][: margins + 1]
        return [entry for part in parts for entry in part]

    return answer


@pytest.mark.parametrize("neighbours", NEIGHBOURS)
@pytest.mark.parametrize("margins", [0, 1])
@pytest.mark.parametrize(("k", "c", "n"), [(1, 1, 0), (1, 2, 2), (2, 1, 2), (2, 2, 1), (3, 1, 1), (4, 2, 1)])
def test_the_sensitivity_of_a_table_is_the_largest_difference_between_neighbours(k, c, n, margins, neighbours):
    persons = [person for person in product(range(c + 1), repeat=4) if np.count_nonzero(person) <= k]
    moved = differences(cells_and_totals(margins), persons, max(n, neighbours == "replace"), neighbours)
    sensitivity = table_sensitivity(k, c, neighbours, margins, n_cells=4)
    if margins == 0 or k <= 2:  # A row holds two cells, so totals by row are reached up to k = 2.
        assert_largest(sensitivity, moved)
        assert margins or sensitivity.n_moved == max(sum(part != 0 for part in move) for move in moved)
    assert max(sum(map(abs, move)) for move in moved) <= Fraction(float(sensitivity.l1))
    assert max(sum(part**2 for part in move) for move in moved) <= Fraction(float(sensitivity.l2)) ** 2


def by_place(ends):
    """Return the query for trips by place, of starts, of starts and ends apart, or of both summed."""

    def answer(data):
        starts, stops = ([sum(count) for count in zip((0,) * 4, *side, strict=True)] for side in zipped(data))
        return {"one": starts, "both": starts + stops, "sum": [a + b for a, b in zip(starts, stops, strict=True)]}[ends]

    return answer


def zipped(data):
    return [person[0] for person in data], [person[1] for person in data]


@pytest.mark.parametrize("neighbours", NEIGHBOURS)
@pytest.mark.parametrize("ends", ENDS)
@pytest.mark.parametrize(("cap", "per_place"), [(1, 1), (2, 1), (2, 2)])
def test_the_sensitivity_of_capped_trips_is_the_largest_difference_between_neighbours(cap, per_place, ends, neighbours):
    allowed = trips_allowed(cap, per_place).astype(int).tolist()
    persons = [(tuple(starts), tuple(stops)) for starts, stops in allowed]
    moved = differences(by_place(ends), persons, int(neighbours == "replace"), neighbours)
    assert_largest(capped_sensitivity(cap, per_place, neighbours, ends), moved)


@pytest.mark.parametrize("neighbours", NEIGHBOURS)
@pytest.mark.parametrize("sizes", [(1.0,), (3.0, 4.0), (0.5, 0.25, 2.0), (0.0, 0.75, 0.0), (0.0, 0.0)])
def test_the_sensitivity_of_statistics_is_the_largest_difference_where_all_move_at_once(sizes, neighbours):
    persons = list(product(*((Fraction(0), Fraction(size)) for size in sizes)))

    def sums(data):
        return [sum((person[place] for person in data), Fraction(0)) for place in range(len(sizes))]

    for n in (1, 2):
        moved = differences(sums, persons, n, neighbours)
        assert_largest(statistics_sensitivity(sizes), moved)
    low = [-size / 2 for size in sizes]
    assert_largest(bounds_sensitivity(low, [-bound for bound in low]), moved)
