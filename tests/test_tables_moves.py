from itertools import combinations, product

import mpmath
import numpy as np
import pytest

from dpcore.tables import moves

ROWS, COLUMNS = 2, 2
ULP = 2.0**-52


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


@pytest.mark.parametrize("neighbours", ["add_remove", "replace"])
@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_cells_alone_move_exactly_as_far_as_the_farthest_neighbours(neighbours, k):
    found = moves(k, 5, neighbours, n_cells=4)
    moved = movements(k, 5, neighbours, margins=0)
    assert found.l1 == max(np.sum(abs(move)) for move in moved)
    assert found.l2 == pytest.approx(max(np.linalg.norm(move) for move in moved), rel=4e-15)
    assert found.n_moved == max(np.count_nonzero(move) for move in moved)
    for p in (1, 1.5, 3, 100):
        assert found.lp(p) == pytest.approx(max(np.sum(abs(move) ** float(p)) for move in moved) ** (1 / p), rel=1e-13)


@pytest.mark.parametrize("neighbours", ["add_remove", "replace"])
@pytest.mark.parametrize("k", [1, 2, 3, 4])
@pytest.mark.parametrize("margins", [1, 2])
def test_no_neighbours_move_cells_and_totals_farther_than_is_said(neighbours, k, margins):
    found = moves(k, 5, neighbours, margins, n_cells=4)
    for move in movements(k, 5, neighbours, margins):
        assert np.sum(abs(move)) <= found.l1
        assert np.linalg.norm(move) <= found.l2
        assert np.count_nonzero(move) <= found.n_moved
        assert np.sum(abs(move) ** 3.0) ** (1 / 3) <= found.lp(3)
        assert not found.equal or max(abs(move)) <= found.largest


def test_the_totals_are_reached_by_a_person_whose_cells_are_all_in_one_group():
    found, moved = moves(2, 5, margins=2, n_cells=4), movements(2, 5, "add_remove", 2)
    assert found.l1 == max(np.sum(abs(move)) for move in moved) == 30
    assert found.l2 == pytest.approx(max(np.linalg.norm(move) for move in moved), rel=4e-15)
    by_row = [move[[0, 1, 2, 3, 5, 6]] for move in movements(2, 5, "replace", 2)]
    assert moves(2, 5, "replace", 1, 4).l2 == pytest.approx(max(map(np.linalg.norm, by_row)), rel=4e-15)


def test_a_total_raises_k_by_one_where_a_person_is_counted_once_in_one_cell():
    for neighbours in ("add_remove", "replace"):
        with_totals, more_cells = moves(1, 1, neighbours, margins=2), moves(3, 1, neighbours)
        assert with_totals.l1 == more_cells.l1
        assert with_totals.l2 == pytest.approx(more_cells.l2, rel=4e-15)
        assert with_totals.n_moved == more_cells.n_moved
        assert with_totals.lp(4) == pytest.approx(more_cells.lp(4), rel=1e-13)


def test_the_sensitivities_of_k_cells_are_k_and_its_root_and_twice_that_for_replacement():
    assert (moves(3).l1, moves(3, neighbours="replace").l1) == (3, 6)
    assert (moves(4).l2, moves(2, neighbours="replace").l2) == (2, 2)
    assert moves(5, n_cells=3).l1 == moves(2, neighbours="replace", n_cells=3).l1 == 3


def test_sensitivities_are_never_below_the_truth():
    rng = np.random.default_rng(11)
    k, margins = np.floor(10 ** rng.uniform(0, 15, 300)), rng.integers(0, 1001, 300)
    c, p = 10 ** rng.uniform(-15, 15, 300), rng.uniform(1, 100, 300)
    for neighbours in ("add_remove", "replace"):
        found = moves(k, c, neighbours, margins)
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
    assert moves(k, 3, "replace", 2).l1.tolist() == [18, 126, 18 * 10**9]
    assert moves(1, 0.3).l1 == moves(1, 0.3).l2 == moves(1, 0.3).lp(3) == 0.3
    assert not moves(1, 0.3).whole
    assert moves(10**15, 10**15).whole


def test_settings_broadcast():
    found = moves(np.arange(1, 4)[:, None], margins=np.array([0, 1]))
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
def test_a_bad_setting_is_refused_in_one_sentence(arguments, sentence):
    with pytest.raises(ValueError, match=f"^{sentence}$"):
        moves(**arguments)


def test_a_shape_outside_its_range_is_refused():
    with pytest.raises(ValueError, match=r"^p must be in \[1, 100\], got 0.5$"):
        moves(1).lp(0.5)
