import doctest
import itertools
from collections import Counter
from typing import Any, cast

import numpy as np
import pytest

from dpcore import places
from dpcore.places import capped_weight, place_counts
from dpcore.sensitivity import capped_sensitivity


def test_the_examples_give_what_they_show():
    assert doctest.testmod(places).failed == 0


def greedy(person, place, cap, per_place):
    """Return the rows kept when each is taken in turn as long as both caps allow it."""
    in_all, there, used = Counter(), Counter(), []
    for owner, where in zip(person, place, strict=True):
        keep = owner >= 0 and where >= 0 and in_all[owner] < cap and there[owner, where] < per_place
        in_all[owner] += keep
        there[owner, where] += keep
        used.append(keep)
    return used


def rows(rng, n_rows=300):
    return rng.integers(-1, 12, n_rows), rng.integers(-1, 6, (2, n_rows)), rng.integers(0, 4, n_rows)


def test_rows_count_in_their_order_as_long_as_both_caps_allow():
    rng = np.random.default_rng(2)
    for cap, per_place in itertools.product((1, 4, 9, 1000), (1, 2, 5)):
        person, place, _ = rows(rng)
        weights = capped_weight(None, person, place[0], cap, per_place)
        assert weights.tolist() == greedy(person, place[0], cap, per_place)
    assert capped_weight(None, [3, 3, 3], [0, 0, 1], 2).tolist() == [1, 1, 0]
    assert capped_weight(None, [], [], 2).tolist() == []
    assert capped_weight(None, [3, 3, 3], [[0, 1, 1], [-1, -1, -1]], 9, 1).tolist() == [
        1,
        1,
        0,
    ]  # nowhere is no place to cap


def test_weights_are_cut_where_they_pass_a_cap_and_never_raised():
    assert capped_weight(None, [0, 0, 0], [1, 1, 2], 10, 4, weight=[3, 3, 8]).tolist() == [3, 1, 4]
    assert capped_weight(None, [0, 0, 0], [1, 2, 3], 5, weight=[3, 3, 8]).tolist() == [3, 2, 0]
    assert capped_weight(None, [0], [1], 0.3, weight=2)[0] == pytest.approx(0.3, abs=1e-6)
    assert capped_weight(None, [0], [1], 0.3, weight=2)[0] <= 0.3
    assert capped_weight(None, [0, 0], [1, 1], 1e6, weight=[0.1, 0])[0] == pytest.approx(0.1, abs=1e-6)
    assert capped_weight(None, [0] * 4, [1] * 4, 1e6, weight=1e6).tolist() == [1e6, 0, 0, 0]


@pytest.mark.parametrize("seed", [None, 3])
@pytest.mark.parametrize(("cap", "per_place"), [(5, 2), (5, None), (2.5, 0.7)])
def test_no_person_counts_for_more_than_the_caps_at_either_end(seed, cap, per_place):
    person, place, weight = rows(np.random.default_rng(4))
    order = None if seed is None else np.random.default_rng(seed)
    weights = capped_weight(order, person, place, cap, per_place, weight)
    assert np.all((weights >= 0) & (weights <= weight))
    assert np.all(weights[(person < 0) | (place < 0).all(axis=0)] == 0)
    assert np.any(weights[(place < 0).any(axis=0)] > 0)
    for index in range(12):
        own = person == index
        assert weights[own].sum() <= cap
        for end in place:
            assert np.all(place_counts(end[own], 6, weights[own]) <= (per_place or cap))


@pytest.mark.parametrize("ends", ["one", "both", "sum"])
def test_a_person_who_leaves_moves_the_capped_counts_by_the_sensitivity_at_most(ends):
    rng = np.random.default_rng(5)
    most = 0.0
    for _ in range(3):
        person, place, weight = rows(rng)
        where = place[:1] if ends == "one" else place
        whole = counts(person, where, weight, ends)
        for index in range(12):
            rest = person != index
            left = counts(person[rest], where[:, rest], weight[rest], ends)
            most = max(most, float(np.linalg.norm(whole - left)))
    sensitivity = capped_sensitivity(7, 2, ends=ends).l2
    assert 0.6 * sensitivity < most <= sensitivity


def counts(person, place, weight, ends):
    """Return the counts by place of rows capped at 7 in all and 2 at a place:
    of one end, of both apart, or of both summed.
    """
    weights = capped_weight(None, person, place, 7, 2, weight)
    tables = [place_counts(end, 6, weights) for end in place]
    return np.sum(tables, axis=0) if ends == "sum" else np.concatenate(tables)


def test_the_weight_of_a_row_does_not_depend_on_the_rows_of_other_persons():
    person, place, weight = rows(np.random.default_rng(6))
    weights = capped_weight(None, person, place, 3, 1, weight)
    rest = person != 4
    assert np.array_equal(weights[rest], capped_weight(None, person[rest], place[:, rest], 3, 1, weight[rest]))


def test_a_random_order_keeps_every_row_equally_often_and_is_the_same_for_the_same_seed():
    person, place = np.repeat(np.arange(2000), 10), np.tile(np.arange(10), 2000)
    weights = capped_weight(np.random.default_rng(7), person, place, 3)
    share = weights.reshape(2000, 10).mean(axis=0)
    assert np.all(np.abs(share - 0.3) < 4 * np.sqrt(0.3 * 0.7 / 2000))
    assert np.array_equal(weights, capped_weight(np.random.default_rng(7), person, place, 3))
    assert not np.array_equal(weights, capped_weight(np.random.default_rng(8), person, place, 3))


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: capped_weight(None, [0], [0], 0), r"cap must be in \[1e-6, 1e6\], got 0"),
        (lambda: capped_weight(None, [0], [0], 1, 2e6), r"per_place must be in \[1e-6, 1e6\], got 2000000"),
        (lambda: capped_weight(None, [0.5], [0], 1), r"person must be in the whole numbers of \[-1, 1e15\], got 0.5"),
        (lambda: capped_weight(None, [-2], [0], 1), r"person must be in \[-1, 1e15\], got -2"),
        (lambda: capped_weight(None, [[0]], [0], 1), r"person must be in one axis, got the shape \(1, 1\)"),
        (
            lambda: capped_weight(None, np.zeros(8_000_001), [0], 1),
            r"number of rows must be in \[0, 8e6\], got 8000001",
        ),
        (lambda: capped_weight(None, [0], [0.5], 1), r"place must be in the whole numbers of \[-1, 1e6\], got 0.5"),
        (lambda: capped_weight(None, [0], [0, 1], 1), r"place must be in the shape \(1,\) or \(2, 1\), got \(2,\)"),
        (lambda: capped_weight(None, [0], [0], 1, weight=-1), r"weight must be in \[0, 1e6\], got -1"),
        (
            lambda: capped_weight(None, [0], [0], 1, weight=[1, 2]),
            r"weight must be in one number or the shape \(1,\), got the shape \(2,\)",
        ),
        (lambda: capped_weight(cast("Any", 3), [0], [0], 1), "rng must be a numpy.random.Generator, got 3"),
    ],
)
def test_an_invalid_cap_is_refused(call, sentence):
    with pytest.raises(ValueError, match=f"^{sentence}$"):
        call()
