"""The sensitivities of tables of counts, and of counts with a cap per person."""

import itertools
from collections import Counter
from fractions import Fraction
from itertools import combinations, product
from typing import Any

import mpmath
import numpy as np
import pytest

from dpcore.sensitivity import (
    NEIGHBOURS,
    capped_sensitivity,
    table_sensitivity,
)
from tests.oracle import ULP

ROWS, COLUMNS = 2, 2


# A table of counts


def persons(k: int, c: int) -> list[np.ndarray]:
    """Return all that one person may add to a table of 2 × 2 cells: 0 or c to each of at most k cells."""
    cells = range(ROWS * COLUMNS)
    chosen = [set(place) for size in range(k + 1) for place in combinations(cells, size)]
    return [np.array([c if cell in place else 0 for cell in cells]) for place in chosen]


def released(person: np.ndarray, margins: int) -> np.ndarray:
    """Return the cells, then the grand total, then the totals by row."""
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
    sensitivity = table_sensitivity(k, 5, neighbours, n_cells=4)
    moved = movements(k, 5, neighbours, margins=0)
    assert sensitivity.l1 == max(np.sum(abs(move)) for move in moved)
    assert sensitivity.l2 == pytest.approx(max(np.linalg.norm(move) for move in moved), rel=4e-15)
    assert sensitivity.n_moved == max(np.count_nonzero(move) for move in moved)
    for p in (1, 1.5, 3, 100):
        assert sensitivity.lp(p) == pytest.approx(
            max(np.sum(abs(move) ** float(p)) for move in moved) ** (1 / p), rel=1e-13
        )


@pytest.mark.parametrize("neighbours", NEIGHBOURS)
@pytest.mark.parametrize("k", [1, 2, 3, 4])
@pytest.mark.parametrize("margins", [1, 2])
def test_no_neighbours_change_cells_and_totals_by_more_than_the_sensitivity(neighbours, k, margins):
    sensitivity = table_sensitivity(k, 5, neighbours, margins, n_cells=4)
    for move in movements(k, 5, neighbours, margins):
        assert np.sum(abs(move)) <= sensitivity.l1
        assert np.linalg.norm(move) <= sensitivity.l2
        assert np.count_nonzero(move) <= sensitivity.n_moved
        assert np.sum(abs(move) ** 3.0) ** (1 / 3) <= sensitivity.lp(3)
        assert not sensitivity.equal or max(abs(move)) <= sensitivity.largest


def test_the_totals_are_reached_by_a_person_whose_cells_are_all_in_one_group():
    sensitivity, moved = table_sensitivity(2, 5, margins=2, n_cells=4), movements(2, 5, "add_remove", 2)
    assert sensitivity.l1 == max(np.sum(abs(move)) for move in moved) == 30
    assert sensitivity.l2 == pytest.approx(max(np.linalg.norm(move) for move in moved), rel=4e-15)
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
        sensitivity = table_sensitivity(k, c, neighbours, margins)
        lp = sensitivity.lp(p)
        with mpmath.workdps(60):
            for place in range(300):
                a, c_, p_ = int(k[place]), mpmath.mpf(float(c[place])), mpmath.mpf(float(p[place]))
                b, totals = a if neighbours == "replace" else 0, int(margins[place])
                truth = c_ * ((a + b) + totals * (mpmath.mpf(a) ** p_ + mpmath.mpf(b) ** p_)) ** (1 / p_)
                assert -1e-13 < truth / mpmath.mpf(float(lp[place])) - 1 <= 0
                truth = c_ * mpmath.sqrt(a + b + totals * (a * a + b * b))
                assert -20 * ULP < truth / mpmath.mpf(float(sensitivity.l2[place])) - 1 <= 0
                truth = c_ * (a + b) * (1 + totals)
                assert -20 * ULP < truth / mpmath.mpf(float(sensitivity.l1[place])) - 1 <= 0


def test_whole_sensitivities_stay_whole():
    k = np.array([1, 7, 10**9])
    assert table_sensitivity(k, 3, "replace", 2).l1.tolist() == [18, 126, 18 * 10**9]
    assert table_sensitivity(1, 0.3).l1 == table_sensitivity(1, 0.3).l2 == table_sensitivity(1, 0.3).lp(3) == 0.3
    assert not table_sensitivity(1, 0.3).whole
    assert table_sensitivity(10**15, 10**15).whole


def test_settings_of_tables_broadcast():
    sensitivity = table_sensitivity(np.arange(1, 4)[:, None], margins=np.array([0, 1]))
    assert sensitivity.l1.tolist() == [[1, 2], [2, 4], [3, 6]]
    assert sensitivity.equal.tolist() == [[True, True], [True, False], [True, False]]
    assert sensitivity.lp(2) == pytest.approx(sensitivity.l2, rel=1e-13)


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
    sensitivity = table_sensitivity(k)
    l1, l2 = sensitivity.l1, sensitivity.l2
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
    """Return the starts and ends by place of all sets of up to `total` trips,
    up to `most` of them from or to a place.
    """
    kinds = list(itertools.product(range(n_places), repeat=2))
    differences = set()
    for size in range(total + 1):
        for trips in itertools.combinations_with_replacement(kinds, size):
            starts, ends = (
                (tuple(Counter(side)[j] for j in range(n_places)) for side in zip(*trips, strict=True))
                if (trips)
                else ((0,) * n_places, (0,) * n_places)
            )
            if max(starts) <= most and max(ends) <= most:
                differences.add((starts, ends))
    return np.array(sorted(differences), dtype=float)


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
        l2 = capped_sensitivity(totals, most, neighbours, ends).l2
        square = {"one": 1, "both": 2, "sum": 4}[ends] * (2 if neighbours == "replace" else 1)
        with mpmath.workdps(60):
            for value, total, c in zip(l2, totals, most, strict=True):
                share = mpmath.mpf(float(value)) / (mpmath.sqrt(square) * norm(float(total), float(c)))
                assert 1 - mpmath.mpf(10) ** -50 <= share < 1 + 2e-15
    assert [capped_sensitivity(9, 1).l2, capped_sensitivity(2, neighbours="replace", ends="both").l2] == [3, 4]
    assert capped_sensitivity([5, 5], [7, 5]).l2.tolist() == [5, 5]
    assert capped_sensitivity([[4], [9]], [1, 100]).l2.tolist() == [[2, 4], [3, 9]]


def test_a_cap_per_place_above_the_cap_is_the_cap():
    above, equal = capped_sensitivity([5, 0.3], [7, 1e6], ends="sum"), capped_sensitivity([5, 0.3], ends="sum")
    assert above.largest.tolist() == equal.largest.tolist() == [10, 0.6]
    assert above.l2.tolist() == equal.l2.tolist() == [10, 0.6]


def test_whole_sensitivities_that_no_double_holds_are_rounded_up():
    c, k = 10**15 - 1, np.arange(9, 200)
    sensitivity = table_sensitivity(k, c)
    assert all(Fraction(float(l1)) >= c * int(n) for l1, n in zip(sensitivity.l1, k, strict=True))
    assert all(Fraction(float(l2)) ** 2 >= c**2 * int(n) for l2, n in zip(sensitivity.l2, k, strict=True))


def capped_people(k: int, c: int, cap: int, n_periods: int, n_cells: int) -> list[np.ndarray]:
    """Return all whole tables that one person may add, with at most `cap` in the cells of each period."""
    tables = (np.array(entries) for entries in product(range(c + 1), repeat=n_cells))
    split = [np.arange(n_cells) % n_periods == period for period in range(n_periods)]
    return [
        table for table in tables if np.count_nonzero(table) <= k and all(table[cells].sum() <= cap for cells in split)
    ]


@pytest.mark.parametrize("neighbours", NEIGHBOURS)
@pytest.mark.parametrize(
    ("k", "c", "cap", "n_periods", "n_cells", "is_reached"),
    [
        (4, 2, 3, 1, 4, True),
        (4, 3, 3, 2, 4, True),
        (2, 3, 4, 1, 4, True),
        (3, 2, 3, 2, 4, True),
        (1, 3, 2, 1, 3, True),
        (3, 1, 2, 1, 3, True),
        (4, 2, 5, 2, 4, False),
        (3, 3, 9, 1, 3, True),
        (4, 4, 1, 2, 4, True),
    ],
)
def test_a_cap_moves_exactly_as_far_as_the_farthest_neighbours(
    neighbours: str, k: int, c: int, cap: int, n_periods: int, n_cells: int, is_reached: bool
) -> None:
    people = np.array(capped_people(k, c, cap, n_periods, n_cells))
    others = people if neighbours == "replace" else np.zeros((1, n_cells), np.int64)
    moves = abs(people[:, None] - others[None]).reshape(-1, n_cells)
    sensitivity = table_sensitivity(k, c, neighbours, n_cells=n_cells, cap=cap, n_periods=n_periods)
    norms = [((moves.astype(float) ** p).sum(axis=1) ** (1 / p)).max() for p in (1, 2, 3)]
    bounds = [float(sensitivity.l1), float(sensitivity.l2), float(sensitivity.lp(3))]
    assert all(bound >= norm * (1 - 1e-12) for bound, norm in zip(bounds, norms, strict=True))
    if is_reached and neighbours == "add_remove":
        assert bounds == pytest.approx(norms, rel=1e-12)
    assert sensitivity.n_moved >= np.count_nonzero(moves, axis=1).max()
    assert sensitivity.largest == moves.max()
    assert sensitivity.whole
    if sensitivity.equal:
        assert n_cells * sensitivity.largest >= moves.sum(axis=1).max()


@pytest.mark.parametrize("neighbours", NEIGHBOURS)
@pytest.mark.parametrize("seed", range(40))
def test_a_cap_of_real_numbers_is_that_of_the_definition(neighbours: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    n_periods, k = int(rng.integers(1, 3)), int(rng.integers(1, 6))
    n_cells = n_periods * int(rng.integers(1, 5 // n_periods + 1))
    c = float(rng.choice([rng.uniform(0.1, 3), 1.0, 0.1, 2.0]))
    cap = float(rng.choice([rng.uniform(0.05, 7), 3 * c, 0.3, 2.5 * c]))
    own = min(c, cap)
    corners = np.array(list(product(sorted({0.0, own, float(np.fmod(cap, own))}), repeat=n_cells)))
    in_period = [corners[:, period::n_periods].sum(axis=1) <= cap * (1 + 1e-12) for period in range(n_periods)]
    people = corners[np.all(in_period, axis=0) & (np.count_nonzero(corners, axis=1) <= k)]
    others = people if neighbours == "replace" else np.zeros((1, n_cells))
    moves = abs(people[:, None] - others[None]).reshape(-1, n_cells)
    sensitivity = table_sensitivity(k, c, neighbours, n_cells=n_cells, cap=cap, n_periods=n_periods)
    n_people, cells_in_period = 2 if neighbours == "replace" else 1, n_cells // n_periods
    is_reached = n_periods == 1 or cells_in_period >= n_people * np.ceil(cap / own)
    for bound, p in ((sensitivity.l1, 1), (sensitivity.l2, 2), (sensitivity.lp(3), 3)):
        farthest = float((moves**p).sum(axis=1).max() ** (1 / p))
        assert farthest <= bound * (1 + 1e-15)
        if is_reached:
            assert bound == pytest.approx(farthest, rel=1e-12)
    assert np.count_nonzero(moves, axis=1).max() <= sensitivity.n_moved
    assert moves.max() == sensitivity.largest


@pytest.mark.parametrize("neighbours", NEIGHBOURS)
@pytest.mark.parametrize(("k", "c", "cap"), [(4, 2, 3), (2, 3, 4), (3, 1, 2)])
@pytest.mark.parametrize("margins", [1, 2])
def test_a_cap_holds_for_the_totals_too(neighbours: str, k: int, c: int, cap: int, margins: int) -> None:
    people = [released(table, margins) for table in capped_people(k, c, cap, 1, 4)]
    others = people if neighbours == "replace" else [np.zeros_like(people[0])]
    sensitivity = table_sensitivity(k, c, neighbours, margins, 4, cap)
    for move in (own - other for own, other in product(people, others)):
        assert np.sum(abs(move)) <= sensitivity.l1
        assert np.linalg.norm(move) <= sensitivity.l2 * (1 + 1e-15)
        assert np.count_nonzero(move) <= sensitivity.n_moved


def test_yearly_limits_are_those_of_the_definition_and_a_large_cap_has_no_effect():
    visits = table_sensitivity(36, 4, n_cells=36, cap=4, n_periods=3)
    assert (visits.l1, visits.n_moved, visits.equal) == (12, 12, False)
    assert visits.l2 == pytest.approx(np.sqrt(48), rel=1e-14)
    assert visits.l2**2 >= 48
    for neighbours in NEIGHBOURS:
        plain = table_sensitivity([1, 3, 7], 2.5, neighbours, 2, 12)
        capped = table_sensitivity([1, 3, 7], 2.5, neighbours, 2, 12, cap=17.5)
        for name in ("l1", "l2"):
            assert getattr(capped, name) == pytest.approx(getattr(plain, name), rel=1e-14)
        assert (capped.n_moved == plain.n_moved).all()
        assert (capped.equal == plain.equal).all()
    wide = capped_sensitivity(7.3, 2.1)
    table = table_sensitivity(1e15, 2.1, cap=7.3)
    assert float(table.l2) == pytest.approx(float(wide.l2), rel=1e-14)
    with pytest.raises(ValueError, match=r"n_periods without a cap must be in \[1, 1\], got 3"):
        table_sensitivity(3, n_periods=3)
