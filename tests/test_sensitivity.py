"""Sensitivities against brute force over all neighbouring data sets of a tiny size, and against exact arithmetic."""

import itertools
import re
from collections import Counter
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product
from pathlib import Path
from typing import Any

import mpmath
import numpy as np
import pytest
from mpmath import mpf

import dpcore
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

ROWS, COLUMNS = 2, 2
ULP = 2.0**-52

# Every kind of query, by enumeration of all data sets of a few persons


def differences(answer, persons, n_persons, neighbours) -> set[tuple[Fraction, ...]]:
    """Return all q(D′) − q(D), where D has `n_persons` of these persons and D′ is a neighbour of it."""
    found = set()
    for data in combinations_with_replacement(persons, n_persons):
        rest = [data[:place] + data[place + 1 :] for place in range(n_persons)]
        if neighbours == "replace":
            others = [(*kept, person) for kept in rest for person in persons]
        else:
            others = [*rest, *((*data, person) for person in persons)]
        before = answer(data)
        found |= {tuple(b - a for a, b in zip(before, answer(other), strict=True)) for other in others}
    return found


def assert_largest(sensitivity: Sensitivity, moved: set[tuple[Fraction, ...]]) -> None:
    """Assert that Δ₁, Δ₂ and Δ₃ are the largest norms of these differences, and never less."""
    found = {1: sensitivity.l1, 2: sensitivity.l2, 3: sensitivity.lp(3), 7: sensitivity.lp(7)}
    for p, value in found.items():
        largest = max(sum(abs(part) ** p for part in move) for move in moved)
        assert largest <= Fraction(float(value)) ** p <= largest * (1 + p * Fraction(5, 10**15)), p
    assert sensitivity.n_moved >= max(sum(part != 0 for part in move) for move in moved)
    assert float(sensitivity.largest) >= max(max(map(abs, move)) for move in moved) or not sensitivity.equal


def histogram(data):
    return [Fraction(data.count(cell)) for cell in range(3)]


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
    assert_largest(query_sensitivity(query, neighbours, n_records=n, **bounds), moved)


def cells_and_totals(margins):
    """Return the query for the cells of a table of 2 × 2, the totals by row and by column, as far as `margins` says."""

    def answer(data):
        table = np.sum([np.zeros(4, int), *data], axis=0).reshape(2, 2)
        parts = [table.ravel(), table.sum(axis=1), table.sum(axis=0)][: margins + 1]
        return [Fraction(int(entry)) for part in parts for entry in part]

    return answer


@pytest.mark.parametrize("neighbours", NEIGHBOURS)
@pytest.mark.parametrize("margins", [0, 1])
@pytest.mark.parametrize(("k", "c", "n"), [(1, 1, 0), (1, 2, 2), (2, 1, 2), (2, 2, 1), (3, 1, 1), (4, 2, 1)])
def test_the_sensitivity_of_a_table_is_the_largest_difference_between_neighbours(k, c, n, margins, neighbours):
    persons = [person for person in product(range(c + 1), repeat=4) if np.count_nonzero(person) <= k]
    moved = differences(cells_and_totals(margins), persons, max(n, neighbours == "replace"), neighbours)
    found = table_sensitivity(k, c, neighbours, margins, n_cells=4)
    if margins == 0 or k <= 2:  # A row holds two cells, so totals by row are reached up to k = 2.
        assert_largest(found, moved)
        assert margins or found.n_moved == max(sum(part != 0 for part in move) for move in moved)
    for move in moved:
        assert sum(map(abs, move)) <= Fraction(float(found.l1))
        assert sum(part**2 for part in move) <= Fraction(float(found.l2)) ** 2


def by_place(ends):
    """Return the query for trips by place, of starts, of starts and ends apart, or of both summed."""

    def answer(data):
        starts, stops = ([Fraction(sum(count)) for count in zip((0,) * 4, *side, strict=True)] for side in zipped(data))
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


# A count, sum, mean, proportion or histogram


def assert_just_above(found, true):
    assert Fraction(float(found)) >= true
    assert Fraction(float(found)) <= true * (1 + Fraction(5, 10**16))


@pytest.mark.parametrize("neighbours", NEIGHBOURS)
@pytest.mark.parametrize(("low", "high"), [(0.0, 1.0), (-2.0, 5.0), (-7.0, 3.0), (2.0, 9.0), (-9.5, -0.1), (0.1, 0.7)])
def test_the_sensitivity_of_a_sum_or_mean_holds_for_many_ranges_and_numbers_of_records(neighbours, low, high):
    rng = np.random.default_rng(3)
    values = [Fraction(low), Fraction(high), *(Fraction(x) for x in rng.uniform(low, high, 2))]
    for n in (1, 2, 3, 4):
        for query in ("sum", "mean"):
            empty = Fraction(0 if query == "sum" else low)

            def answer(data, query=query, empty=empty):
                return [sum(data, Fraction(0)) / (len(data) if query == "mean" else 1) if data else empty]

            moved = differences(answer, values, n, neighbours)
            found = query_sensitivity(query, neighbours, low, high, n)
            assert_just_above(found.l1, max(abs(move[0]) for move in moved))
            assert found.l2 == found.l1
            assert found.single


def test_a_count_and_a_histogram_are_whole_and_only_a_replaced_record_moves_two_cells():
    for query, neighbours in product(("count", "histogram"), NEIGHBOURS):
        found = query_sensitivity(query, neighbours)
        assert found.whole
        assert found.single == ((query, neighbours) != ("histogram", "replace"))
        assert np.shape(found.l1) == np.shape(found.l2) == np.shape(found.single) == ()


@pytest.mark.parametrize("neighbours", NEIGHBOURS)
def test_a_proportion_is_a_mean_on_0_to_1_and_looks_at_no_other_bounds(neighbours):
    n = np.array([1, 3, 1000, 10**12])
    found = query_sensitivity("proportion", neighbours, np.nan, "x", n)
    mean = query_sensitivity("mean", neighbours, 0, 1, n)
    assert np.array_equal(found.l1, mean.l1)
    assert not found.whole.any()


def test_the_difference_of_two_bounds_is_rounded_up_and_exact_where_it_can_be():
    rng = np.random.default_rng(4)
    low = rng.choice([-1, 1], 5000) * 10 ** rng.uniform(-20, 15, 5000)
    high = low + 10 ** rng.uniform(-20, 14.9, 5000)
    kept = (high > low) & (high - low >= 1e-30) & (high <= 1e15)
    widths = query_sensitivity("sum", "replace", low[kept], high[kept]).l1
    for lo, hi, width in zip(low[kept], high[kept], widths, strict=True):
        true = Fraction(hi) - Fraction(lo)
        assert_just_above(width, true)
        assert Fraction(float(width)) == true or Fraction(np.nextafter(width, 0)) < true
    assert query_sensitivity("sum", "replace", -3, 7).l1 == 10
    assert query_sensitivity("sum", "replace", -1e-30, 1e15).l1 > 1e15


def test_only_a_sum_with_whole_bounds_of_whole_numbered_reach_has_whole_answers():
    low, high = np.array([-3, 0, 0.5, 0, -1e15]), np.array([7, 7.5, 2, 1e15, 1e15])
    assert list(query_sensitivity("sum", "add_remove", low, high).whole) == [True, False, False, True, True]
    assert list(query_sensitivity("sum", "replace", low, high).whole) == [True, False, False, True, False]


def test_queries_broadcast_and_scalars_give_scalars():
    found = query_sensitivity("mean", "replace", [[0], [-1]], 1, [1, 10, 100])
    assert found.l1.shape == found.whole.shape == (2, 3)
    assert (
        np.shape(query_sensitivity("sum", "replace", 0, 1).l1)
        == np.shape(query_sensitivity("count", "replace").l1)
        == ()
    )


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("median", "replace"), "query must be in count, sum, mean, proportion, histogram, got 'median'"),
        (("count", "both"), "neighbours must be in add_remove, replace, got 'both'"),
        (("sum", "replace", 2, 1), r"high must be in \(low, 1e15\], got 1"),
        (("mean", "replace", 2, 2), r"high must be in \(low, 1e15\], got 2"),
        (("sum", "replace", 0, 1e-31), r"high − low must be in \[1e-30, 2e15\], got 1e-31"),
        (("sum", "replace", -2e15, 1), r"low must be in \[-1e15, 1e15\], got -2000000000000000"),
        (("sum", "replace", 0, np.inf), r"high must be in \[-1e15, 1e15\], got inf"),
        (("mean", "replace", 0, 1, 0), r"n_records must be in \[1, 1e12\], got 0"),
        (("proportion", "replace", 0, 1, 1.5), r"n_records must be in the whole numbers of \[1, 1e12\], got 1.5"),
    ],
)
def test_a_bad_query_is_refused_in_one_sentence(arguments, sentence):
    with pytest.raises(ValueError, match=f"^{sentence}$"):
        query_sensitivity(*arguments)


@pytest.mark.parametrize("query", [["count"], np.array(["count", "sum"]), None, 1])
def test_what_is_no_text_is_no_query(query):
    with pytest.raises(ValueError, match=r"^query must be in count, sum, mean, proportion, histogram, got "):
        query_sensitivity(query, "replace")


# A table of counts


def persons(k: int, c: int) -> list[np.ndarray]:
    """All that one person may add to a table of 2 × 2 cells: 0 or c to each of at most k cells."""
    cells = range(ROWS * COLUMNS)
    chosen = [set(place) for size in range(k + 1) for place in combinations(cells, size)]
    return [np.array([c if cell in place else 0 for cell in cells]) for place in chosen]


def released(person: np.ndarray, margins: int) -> np.ndarray:
    """The cells, then the grand total, then the totals by row."""
    table = person.reshape(ROWS, COLUMNS)
    return np.concatenate([person, [person.sum()], table.sum(axis=1)][: margins + 1])


def movements(k: int, c: int, neighbours: str, margins: int) -> list[np.ndarray]:
    if neighbours == "add_remove":
        return [released(person, margins) for person in persons(k, c)]
    pairs = product(persons(k, c), repeat=2)
    return [released(new, margins) - released(old, margins) for old, new in pairs]


@pytest.mark.parametrize("neighbours", NEIGHBOURS)
@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_cells_alone_move_exactly_as_far_as_the_farthest_neighbours(neighbours, k):
    found = table_sensitivity(k, 5, neighbours, n_cells=4)
    moved = movements(k, 5, neighbours, margins=0)
    assert found.l1 == max(np.sum(abs(move)) for move in moved)
    assert found.l2 == pytest.approx(max(np.linalg.norm(move) for move in moved), rel=4e-15)
    assert found.n_moved == max(np.count_nonzero(move) for move in moved)
    for p in (1, 1.5, 3, 100):
        assert found.lp(p) == pytest.approx(max(np.sum(abs(move) ** float(p)) for move in moved) ** (1 / p), rel=1e-13)


@pytest.mark.parametrize("neighbours", NEIGHBOURS)
@pytest.mark.parametrize("k", [1, 2, 3, 4])
@pytest.mark.parametrize("margins", [1, 2])
def test_no_neighbours_move_cells_and_totals_farther_than_is_said(neighbours, k, margins):
    found = table_sensitivity(k, 5, neighbours, margins, n_cells=4)
    for move in movements(k, 5, neighbours, margins):
        assert np.sum(abs(move)) <= found.l1
        assert np.linalg.norm(move) <= found.l2
        assert np.count_nonzero(move) <= found.n_moved
        assert np.sum(abs(move) ** 3.0) ** (1 / 3) <= found.lp(3)
        assert not found.equal or max(abs(move)) <= found.largest


def test_the_totals_are_reached_by_a_person_whose_cells_are_all_in_one_group():
    found, moved = table_sensitivity(2, 5, margins=2, n_cells=4), movements(2, 5, "add_remove", 2)
    assert found.l1 == max(np.sum(abs(move)) for move in moved) == 30
    assert found.l2 == pytest.approx(max(np.linalg.norm(move) for move in moved), rel=4e-15)
    by_row = [move[[0, 1, 2, 3, 5, 6]] for move in movements(2, 5, "replace", 2)]
    assert table_sensitivity(2, 5, "replace", 1, 4).l2 == pytest.approx(max(map(np.linalg.norm, by_row)), rel=4e-15)


def test_a_total_raises_k_by_one_where_a_person_is_counted_once_in_one_cell():
    for neighbours in NEIGHBOURS:
        with_totals, more_cells = table_sensitivity(1, 1, neighbours, margins=2), table_sensitivity(3, 1, neighbours)
        assert with_totals.l1 == more_cells.l1
        assert with_totals.l2 == pytest.approx(more_cells.l2, rel=4e-15)
        assert with_totals.n_moved == more_cells.n_moved
        assert with_totals.lp(4) == pytest.approx(more_cells.lp(4), rel=1e-13)


def test_the_sensitivities_of_k_cells_are_k_and_its_root_and_twice_that_for_replacement():
    assert (table_sensitivity(3).l1, table_sensitivity(3, neighbours="replace").l1) == (3, 6)
    assert (table_sensitivity(4).l2, table_sensitivity(2, neighbours="replace").l2) == (2, 2)
    assert table_sensitivity(5, n_cells=3).l1 == table_sensitivity(2, neighbours="replace", n_cells=3).l1 == 3


def test_sensitivities_of_tables_are_never_below_the_truth():
    rng = np.random.default_rng(11)
    k, margins = np.floor(10 ** rng.uniform(0, 15, 300)), rng.integers(0, 1001, 300)
    c, p = 10 ** rng.uniform(-15, 15, 300), rng.uniform(1, 100, 300)
    for neighbours in NEIGHBOURS:
        found = table_sensitivity(k, c, neighbours, margins)
        lp = found.lp(p)
        with mpmath.workdps(60):
            for place in range(300):
                a, c_, p_ = int(k[place]), mpmath.mpf(float(c[place])), mpmath.mpf(float(p[place]))
                b, totals = a if neighbours == "replace" else 0, int(margins[place])
                truth = c_ * ((a + b) + totals * (mpmath.mpf(a) ** p_ + mpmath.mpf(b) ** p_)) ** (1 / p_)
                assert -1e-13 < truth / mpmath.mpf(float(lp[place])) - 1 <= 0
                truth = c_ * mpmath.sqrt(a + b + totals * (a * a + b * b))
                assert -20 * ULP < truth / mpmath.mpf(float(found.l2[place])) - 1 <= 0
                truth = c_ * (a + b) * (1 + totals)
                assert -20 * ULP < truth / mpmath.mpf(float(found.l1[place])) - 1 <= 0


def test_whole_sensitivities_stay_whole():
    k = np.array([1, 7, 10**9])
    assert table_sensitivity(k, 3, "replace", 2).l1.tolist() == [18, 126, 18 * 10**9]
    assert table_sensitivity(1, 0.3).l1 == table_sensitivity(1, 0.3).l2 == table_sensitivity(1, 0.3).lp(3) == 0.3
    assert not table_sensitivity(1, 0.3).whole
    assert table_sensitivity(10**15, 10**15).whole


def test_settings_of_tables_broadcast():
    found = table_sensitivity(np.arange(1, 4)[:, None], margins=np.array([0, 1]))
    assert found.l1.tolist() == [[1, 2], [2, 4], [3, 6]]
    assert found.equal.tolist() == [[True, True], [True, False], [True, False]]
    assert found.lp(2) == pytest.approx(found.l2, rel=1e-13)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"cells_per_person": 0}, r"cells_per_person must be in \[1, 1e15\], got 0"),
        ({"cells_per_person": 1.5}, r"cells_per_person must be in the whole numbers of \[1, 1e15\], got 1.5"),
        ({"cells_per_person": 1, "per_cell": 0}, r"per_cell must be in \[1e-15, 1e15\], got 0"),
        ({"cells_per_person": 1, "neighbours": "swap"}, "neighbours must be in add_remove, replace, got 'swap'"),
        ({"cells_per_person": 1, "margins": -1}, r"margins must be in \[0, 1000\], got -1"),
        ({"cells_per_person": 1, "n_cells": 0}, r"n_cells must be in \[1, 1e15\], got 0"),
    ],
)
def test_a_bad_table_is_refused_in_one_sentence(arguments, sentence):
    with pytest.raises(ValueError, match=f"^{sentence}$"):
        table_sensitivity(**arguments)


def test_a_shape_outside_its_range_is_refused():
    with pytest.raises(ValueError, match=r"^p must be in \[1, 100\], got 0.5$"):
        table_sensitivity(1).lp(0.5)


def test_k_counts_of_one_person_have_the_sensitivities_of_their_norms_rounded_up():
    k = np.arange(1, 2000)
    found = table_sensitivity(k)
    l1, l2 = found.l1, found.l2
    assert l1.tolist() == k.tolist()
    assert all(mpmath.mpf(root) ** 2 >= int(n) for root, n in zip(l2, k, strict=True))
    assert l2 == pytest.approx(np.sqrt(k), rel=2e-15)
    assert l2[8] == 3


# Counts with a cap per person


def norm(total, most) -> Any:
    """A(T, c) with 60 digits, by filling places one after the other."""
    with mpmath.workdps(60):
        left, squares = mpmath.mpf(total), mpmath.mpf(0)
        while left > 0:
            part = min(left, mpmath.mpf(most))
            squares, left = squares + part**2, left - part
        return mpmath.sqrt(squares)


@pytest.mark.parametrize("total", range(1, 7))
def test_of_all_whole_counts_that_the_caps_allow_none_is_longer_and_one_is_as_long(total):
    for most in range(1, total + 1):
        allowed = [x for x in itertools.product(range(most + 1), repeat=6) if sum(x) <= total]
        longest = max(sum(entry**2 for entry in x) for x in allowed)
        assert capped_sensitivity(total, most).l2 ** 2 == pytest.approx(longest, rel=1e-14)


def trips_allowed(total, most, n_places=4):
    """The starts and ends by place of all sets of up to `total` trips, up to `most` of them from or to a place."""
    kinds = list(itertools.product(range(n_places), repeat=2))
    found = set()
    for size in range(total + 1):
        for trips in itertools.combinations_with_replacement(kinds, size):
            starts, ends = (
                (tuple(Counter(side)[j] for j in range(n_places)) for side in zip(*trips, strict=True))
                if (trips)
                else ((0,) * n_places, (0,) * n_places)
            )
            if max(starts) <= most and max(ends) <= most:
                found.add((starts, ends))
    return np.array(sorted(found), dtype=float)


@pytest.mark.parametrize(("total", "most"), [(1, 1), (2, 1), (2, 2), (3, 2), (3, 3)])
def test_between_all_neighbours_the_counts_move_by_the_sensitivity_and_no_further(total, most):
    allowed = trips_allowed(total, most)
    tables = {"one": allowed[:, 0], "both": allowed.reshape(len(allowed), -1), "sum": allowed.sum(axis=1)}
    for ends, counts in tables.items():
        sizes = (counts**2).sum(axis=1)
        between = (sizes[:, None] + sizes - 2 * counts @ counts.T).max()
        assert capped_sensitivity(total, most, "add_remove", ends).l2 ** 2 == pytest.approx(sizes.max(), rel=1e-14)
        assert capped_sensitivity(total, most, "replace", ends).l2 ** 2 == pytest.approx(between, rel=1e-14)


def test_real_weights_within_the_caps_are_never_longer_and_a_corner_is_as_long():
    rng = np.random.default_rng(20261122)
    for _ in range(200):
        total = rng.uniform(0.1, 20)
        most = total * rng.uniform(0.05, 1)
        bound = capped_sensitivity(total, most).l2
        weights = rng.exponential(size=(100, 25)) ** rng.uniform(0.5, 6)
        weights *= total / weights.sum(axis=1, keepdims=True)
        assert np.all(np.linalg.norm(np.minimum(weights, most), axis=1) <= bound)
        assert float(norm(total, most)) == pytest.approx(bound, rel=1e-14)


def test_the_sensitivity_is_never_rounded_down_and_whole_where_it_is_whole():
    rng = np.random.default_rng(1)
    totals = np.concatenate([rng.uniform(0.01, 50, 80), rng.integers(1, 60, 80), [0.3, 1.0, 1e6, 1e-6]])
    most = np.concatenate([rng.uniform(0.5, 5, 80), rng.integers(1, 9, 80), [0.1, 1 / 3, 3e3, 1e-6]])
    for neighbours, ends in itertools.product(NEIGHBOURS, ("one", "both", "sum")):
        found = capped_sensitivity(totals, most, neighbours, ends).l2
        square = {"one": 1, "both": 2, "sum": 4}[ends] * (2 if neighbours == "replace" else 1)
        with mpmath.workdps(60):
            for value, total, c in zip(found, totals, most, strict=True):
                share = mpmath.mpf(float(value)) / (mpmath.sqrt(square) * norm(float(total), float(c)))
                assert 1 - mpmath.mpf(10) ** -50 <= share < 1 + 2e-15
    assert [capped_sensitivity(9, 1).l2, capped_sensitivity(2, neighbours="replace", ends="both").l2] == [3, 4]
    assert capped_sensitivity([5, 5], [7, 5]).l2.tolist() == [5, 5]
    assert capped_sensitivity([[4], [9]], [1, 100]).l2.tolist() == [[2, 4], [3, 9]]


# Several statistics


def test_the_sensitivity_of_statistics_is_the_norm_rounded_up():
    rng = np.random.default_rng(5)
    for _ in range(200):
        values, p = 10 ** rng.uniform(-3, 3, rng.integers(1, 30)), rng.uniform(1, 100)
        true = mpmath.fsum(mpf(float(v)) ** mpf(float(p)) for v in values) ** (1 / mpf(float(p)))
        assert -1e-30 < float(mpf(float(statistics_sensitivity(values).lp(p))) / true - 1) < (20 + values.size) * ULP


def test_the_sensitivity_of_statistics_neither_overflows_nor_loses_small_values():
    assert statistics_sensitivity([1e300, 1e300]).lp(100) == pytest.approx(1e300 * 2**0.01, rel=1e-14)
    assert statistics_sensitivity([1e-300, 1e-300]).lp(100) == pytest.approx(1e-300 * 2**0.01, rel=1e-14)
    assert statistics_sensitivity([0.0, 3.0, 0.0]).lp(2.5) == 3
    assert statistics_sensitivity([0.0, 0.0]).lp(2) == 0
    assert statistics_sensitivity(4.0).lp(7) == 4
    assert statistics_sensitivity([[1, 2], [3, 4]]).lp([1, 2]) == pytest.approx([3, 5], rel=1e-14)


def test_bounds_give_the_norm_of_their_widths():
    assert bounds_sensitivity([-1, 0], [2, 4]).lp(2) == pytest.approx(5, rel=1e-14)
    assert bounds_sensitivity([-1, 0], [2, 4]).lp(2) >= 5
    with pytest.raises(ValueError, match=re.escape("high must be in [low, 1e300], got 1")):
        bounds_sensitivity([0, 2], [1, 1]).lp(2)


@pytest.mark.parametrize(
    ("function", "arguments", "sentence"),
    [
        (capped_sensitivity, (0,), "cap must be in [1e-6, 1e6], got 0"),
        (capped_sensitivity, (np.nan,), "cap must be in [1e-6, 1e6], got nan"),
        (capped_sensitivity, (3, 0), "per_place must be in [1e-6, 1e6], got 0"),
        (capped_sensitivity, (3, 3, "swap"), "neighbours must be in add_remove, replace, got 'swap'"),
        (capped_sensitivity, (3, 3, "replace", "two"), "ends must be in one, both, sum, got 'two'"),
        (statistics_sensitivity, ([-1.0],), "l1_sensitivities must be in [0, 1e300], got -1"),
        (bounds_sensitivity, (0, np.inf), "high must be in [-1e300, 1e300], got inf"),
        (bounds_sensitivity, (-1e300, 1e300), "l1_sensitivities must be in [0, 1e300], got 2e+300"),
    ],
)
def test_bad_limits_and_statistics_are_refused_in_one_sentence(function, arguments, sentence):
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        function(*arguments)


@pytest.mark.parametrize(
    "sensitivity",
    [
        query_sensitivity("histogram", "replace"),
        table_sensitivity([3, 5], 0.7, "replace", [[0], [2]]),
        capped_sensitivity([7.5, 2], 2, ends="sum"),
        statistics_sensitivity([[1, 2.5], [0, 0.3]]),
    ],
)
def test_the_lp_sensitivity_is_l1_at_1_and_l2_at_2_and_falls_in_between(sensitivity):
    assert np.array_equal(sensitivity.lp(1), sensitivity.l1)
    assert np.array_equal(sensitivity.lp(2), sensitivity.l2)
    between = sensitivity.lp(1.5)
    assert np.all(between <= sensitivity.l1 * (1 + 1e-14))
    assert np.all(sensitivity.l2 <= between * (1 + 1e-14))


def test_a_root_that_only_rounds_to_a_whole_number_is_rounded_up():
    largest = 94906265  # Its square plus 1 is below 2⁵³, and the double nearest to the root is this whole number.
    found = statistics_sensitivity([largest, 1]).l2
    assert Fraction(float(found)) ** 2 > largest**2 + 1


@pytest.mark.parametrize("name", ["NEIGHBOURS", "ENDS", "RECORDS_RANGE", "SHAPE_RANGE", "CELLS_RANGE", "CAP_RANGE"])
def test_neighbours_and_the_domains_of_limits_are_defined_once_in_dpcore(name):
    modules = sorted(Path(dpcore.__path__[0]).rglob("*.py"))
    lines = [line for module in modules for line in module.read_text(encoding="utf-8").splitlines()]
    assert sum(re.match(rf"_?{name}\b[^=]* = ", line) is not None for line in lines) == 1


def test_a_cap_per_place_above_the_cap_is_the_cap():
    above, equal = capped_sensitivity([5, 0.3], [7, 1e6], ends="sum"), capped_sensitivity([5, 0.3], ends="sum")
    assert above.largest.tolist() == equal.largest.tolist() == [10, 0.6]
    assert above.l2.tolist() == equal.l2.tolist() == [10, 0.6]


def test_whole_sensitivities_that_no_double_holds_are_rounded_up():
    c, k = 10**15 - 1, np.arange(9, 200)
    found = table_sensitivity(k, c)
    assert all(Fraction(float(l1)) >= c * int(n) for l1, n in zip(found.l1, k, strict=True))
    assert all(Fraction(float(l2)) ** 2 >= c**2 * int(n) for l2, n in zip(found.l2, k, strict=True))
