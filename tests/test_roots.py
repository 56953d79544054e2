"""Roots keep the safe side: the condition holds at the upper end of a bracket, and what is returned has been tried."""

import re

import numpy as np
import pytest

from dpcore import roots
from dpcore.roots import bisect, multisect, positive_mean, root_by_steps, safe_root, step_within


def test_the_bracket_encloses_the_point_to_the_last_bit_and_keeps_the_safe_side():
    point = np.random.default_rng(1).uniform(1, 2, 500)
    low, high = bisect(lambda x: x >= point, np.ones(500), np.full(500, 2.0), 60)
    assert np.array_equal(high, point)  # the least double at which the condition holds
    assert np.array_equal(low, np.nextafter(point, 0))


def test_each_halving_halves_the_bracket():
    low, high = bisect(lambda x: x >= 0.3, 0, 1, 5)
    assert (low, high) == (9 / 32, 10 / 32)


def test_the_ends_broadcast_and_an_end_that_never_moved_is_the_one_given():
    low, high = bisect(lambda x: x >= np.array([[-1.0], [9.0]]), [0, 0.5, 0.75], 1, 2)
    assert low.shape == high.shape == (2, 3)
    assert list(low[0]) == [0, 0.5, 0.75]
    assert list(high[1]) == [1, 1, 1]


def test_a_positive_root_of_any_magnitude_is_found_to_a_relative_accuracy():
    point = 10.0 ** np.arange(-300, 6, 3)
    _, high = bisect(lambda x: x >= point, np.zeros(point.size), np.full(point.size, 1e6), 1100, positive_mean)
    assert np.all(high >= point)
    assert high == pytest.approx(point, rel=1e-14, abs=0)


def test_the_geometric_mean_lies_between_its_ends():
    low, high = np.array([1.0, 1e-200]), np.array([4.0, 1e200])
    assert positive_mean(low, high) == pytest.approx([2, 1], rel=1e-15, abs=0)


@pytest.mark.parametrize(
    ("low", "high", "n_halvings", "message"),
    [
        (1, 0, 5, "high must be in [low, inf), got 0"),
        (np.nan, 0, 5, "low must be in (-inf, inf), got nan"),
        (0, np.inf, 5, "high must be in (-inf, inf), got inf"),
        (0, 1, 0, "n_halvings must be in [1, 2000], got 0"),
    ],
)
def test_no_bracket_is_refused(low, high, n_halvings, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        bisect(lambda x: x > 0, low, high, n_halvings)


def test_a_step_out_of_the_bracket_becomes_its_middle():
    assert step_within(np.zeros(2), np.array([0.25, 2.0]), np.ones(2)).tolist() == [0.25, 0.5]
    tried = []

    def method(x):
        tried.append(x)
        return np.array([0.25, 0.0, 2.0, np.nan]), np.zeros(4, bool), np.full(4, len(tried) > 9), None

    assert root_by_steps(method, np.ones(4), np.zeros(4), np.ones(4), 1).x.tolist() == [0.25, 0.5, 0.5, 0.5]
    assert len(tried) == 1


def newton_of_a_square(square, tried):
    def method(x):
        tried.append(x.copy())
        step = (x * x - square) / (2 * x)
        return x - step, abs(step) < 1e-9 * x, x * x < square, x * x

    return method


def test_a_root_by_steps_has_been_tried_and_does_not_depend_on_the_other_rows():
    square, tried = 10.0 ** np.arange(-6, 7), []
    start, low, high = np.ones(13), np.zeros(13), np.full(13, 1e4)
    root = root_by_steps(newton_of_a_square(square, tried), start, low, high)
    assert root.x == pytest.approx(np.sqrt(square), rel=1e-9)
    assert np.array_equal(root.x, tried[-1])
    assert np.array_equal(root.state, root.x**2)
    assert np.all((root.low <= root.x) & (root.x <= root.high))
    for row in range(13):
        part = slice(row, row + 1)
        alone = root_by_steps(newton_of_a_square(square[part], []), start[part], low[part], high[part])
        assert alone.x == root.x[part]


def test_a_method_that_never_says_near_ends_where_its_bracket_has_no_double_in_between():
    point = np.array([0.3, 0.7])
    root = root_by_steps(lambda x: (x, x < 0, x < point, None), np.ones(2), np.zeros(2), np.ones(2))
    assert root.high == pytest.approx(point, rel=1e-15)
    assert np.all((root.low < point) & (point <= root.high))


def test_many_parts_at_once_find_what_bisection_finds():
    point = np.random.default_rng(4).uniform(0, 1, (2, 3))
    low, high = multisect(lambda x: x >= point, np.zeros((2, 3)), 1, n_parts=16, n_rounds=10)
    assert np.all((low < point) & (point <= high))
    assert np.all(high - low < 1e-11)


def test_a_condition_that_holds_nowhere_or_everywhere_leaves_the_bracket_at_its_end():
    low, high = multisect(lambda x: x > np.array([2.0, -1.0]), np.zeros(2), 1, n_parts=4, n_rounds=3)
    assert low.tolist() == [1 - 1 / 64, 0]
    assert high.tolist() == [1, 1 / 64]


def test_a_section_has_at_least_two_parts():
    with pytest.raises(ValueError, match=re.escape("n_parts must be in [2, 1e6], got 1")):
        multisect(lambda x: x > 0, 0, 1, 1, 1)


def test_a_safe_root_has_been_tried_and_is_the_least_to_a_few_roundings():
    point = 10 ** np.random.default_rng(2).uniform(-20, 20, 300)
    tried = [[] for _ in point]

    def excess(rows, x):
        for row, value in zip(rows, x, strict=True):
            tried[row].append(value)
        return np.log(point[rows] / x)

    root = safe_root(excess, point * 10 ** np.random.default_rng(3).uniform(-3, 3, 300), np.zeros(300))
    assert np.all(excess(np.arange(300), root) <= 0)
    assert all(value in values[:-1] for value, values in zip(root, tried, strict=True))
    assert root == pytest.approx(point, rel=32 * 2.0**-52, abs=0)


def test_a_safe_root_is_the_least_allowed_where_nothing_is_too_small():
    assert list(safe_root(lambda rows, x: -np.ones(x.size), np.array([3.0, 5.0]), np.array([3.0, 1.0]))) == [3, 1]


@pytest.mark.parametrize(
    ("guess", "least", "message"),
    [
        ([1, 0.5], [0, 0.75], "guess must be in [least, inf), got 0.5"),
        ([-1.0], [0.0], "guess must be in [0, inf), got -1"),
        ([1.0], [np.nan], "least must be in [0, inf), got nan"),
    ],
)
def test_a_guess_below_the_least_is_refused(guess, least, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        safe_root(lambda rows, x: -x, guess, least)


def test_a_safe_root_is_as_close_as_the_tolerance_and_its_first_step_is_the_one_wanted():
    tried = []

    def excess(rows, x):
        tried.extend(x.tolist())
        return 2.0 - x * x

    root = float(safe_root(excess, [1.4], [0.0], tolerance=1e-3, first_step=0.01)[0])
    assert tried[:2] == [1.4, 1.4 * 1.01]
    assert root in tried
    assert 0 <= root - np.sqrt(2) <= 1e-3 * root
    assert max(x for x in tried if x * x < 2) >= root * (1 - 1.001e-3)
    with pytest.raises(ValueError, match=re.escape("tolerance must be in [8.88178e-16, 0.1], got 1")):
        safe_root(excess, [1.4], [0.0], tolerance=1.0)
    with pytest.raises(ValueError, match=re.escape("first_step must be in [1e-12, 1], got 0")):
        safe_root(excess, [1.4], [0.0], first_step=0.0)


def test_a_safe_root_that_runs_out_of_steps_is_still_on_the_safe_side(monkeypatch):
    point = 10 ** np.random.default_rng(4).uniform(-20, 20, 50)
    monkeypatch.setattr(roots, "MOST_STEPS", 3)
    root = safe_root(lambda rows, x: np.sign(point[rows] - x), point * 3, np.zeros(50))
    assert np.all(root >= point)
    assert np.any(root > point * (1 + 1e-9))  # three steps are too few to come near
    assert root == pytest.approx(point, rel=3)
