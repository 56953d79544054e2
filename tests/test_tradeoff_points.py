"""Trade-off curves of points: chords, convex hull, refusals."""

import re
from fractions import Fraction

import numpy as np
import pytest
from scipy.spatial import ConvexHull

from dpcore.tradeoff import (
    lower_hull,
    points_curve,
    smallest_mu,
)
from tests.test_tradeoff_curve import ALPHA, BETA, CONVEX


def test_a_curve_of_points_is_the_chords_between_them():
    for alpha, beta in (CONVEX, ([0.5, 0.1], [0.2, 0.5]), ([0.0, 1.0], [1.0, 0.0])):
        curve, order = points_curve(alpha, beta), np.argsort(alpha)
        x, y = np.array(alpha)[order], np.array(beta)[order]
        if x[0] > 0:
            x, y = np.append(0, x), np.append(1, y)
        x, y = np.append(x, 1), np.append(y, 0)
        grid = np.linspace(0, 1, 333)
        assert curve(grid) == pytest.approx(np.interp(grid, x, y), abs=1e-14)


def test_a_curve_of_points_lies_beneath_the_exact_chords():
    rng = np.random.default_rng(6)
    for _ in range(40):
        size = int(rng.integers(2, 30))
        alpha, beta = np.sort(10 ** rng.uniform(-12, 0, size)), 10 ** rng.uniform(-12, 0, size)
        beta = np.minimum(beta, 1 - alpha)
        curve = points_curve(alpha, beta, hull=True)
        x, y = np.array([0, *alpha, 1]), np.array([1, *beta, 0])
        on_hull = lower_hull(x, y)
        x, y = [Fraction(v) for v in x[on_hull].tolist()], [Fraction(v) for v in y[on_hull].tolist()]
        for i in range(len(x) - 1):
            for share in (0, 0.25, 0.5, 0.9):
                a = Fraction(float(x[i] + (x[i + 1] - x[i]) * Fraction(share)))
                exact = y[i] + (y[i + 1] - y[i]) * (a - x[i]) / (x[i + 1] - x[i])
                assert Fraction(float(curve(float(a)))) <= exact
                assert Fraction(float(curve.power(np.asarray(float(a))))) >= 1 - exact


@pytest.mark.parametrize("seed", range(10))
def test_the_hull_is_that_of_qhull(seed):
    rng = np.random.default_rng(seed)
    alpha = rng.random(50)
    beta = (1 - alpha) * rng.random(50)
    points = np.vstack([np.column_stack([alpha, beta]), [[0, 1], [1, 0]]])
    order = np.lexsort((-points[:, 1], points[:, 0]))
    hull = set(order[lower_hull(points[order, 0], points[order, 1])].tolist())
    assert hull == {int(v) for v in ConvexHull(points).vertices}


@pytest.mark.parametrize("seed", range(10))
def test_the_hull_is_the_largest_convex_function_below_all_points(seed):
    rng = np.random.default_rng(seed)
    alpha, beta = rng.integers(0, 9, (2, 12)) / 8
    every = np.array([(0.0, 1.0), (1.0, 0.0), *zip(alpha, beta, strict=True)])
    every = every[np.lexsort((-every[:, 1], every[:, 0]))]
    x, y = every[lower_hull(*every.T)].T
    grid = np.unique(np.concatenate((x, np.linspace(0, 1, 33))))
    brute = np.full(grid.size, np.inf)
    for a, b in every:  # the least height of any segment between two points
        for c, d in every:
            inside = (grid >= a) & (grid <= c)
            height = b + (d - b) * (grid - a) / (c - a) if c > a else np.where(grid == a, min(b, d), np.inf)
            brute = np.where(inside, np.minimum(brute, height), brute)
    assert np.interp(grid, x, y) == pytest.approx(brute, abs=1e-14)
    assert (x[0], x[-1]) == (0, 1)
    assert np.all(np.diff(np.diff(y) / np.diff(x)) > 0)


@pytest.mark.parametrize(
    ("alpha", "beta", "sentence"),
    [
        ([0, 0.5], [1, 0.6], "beta of P at alpha = 0.5 must be in [0, 0.5] (1 - alpha), got 0.6"),
        ([0, 1.5], [1, 0], "alpha of P must be in [0, 1], got 1.5"),
        ([0, -0.1], [1, 0], "alpha of P must be in [0, 1], got -0.1"),
        ([0, np.nan], [1, 0], "alpha of P must be in [0, 1], got nan"),
        ([0, 0.5], [1, np.nan], "beta of P must be in [0, 1], got nan"),
        ([0.5], [0.2], "P must have from 2 to 1,000,000 points, got 1"),
        ([0, 1], [1], "P must have as many alpha as beta, got 2 and 1"),
        (
            [0, 0.1, 0.5],
            [1, 0.3, 0.4],
            "beta of P at alpha = 0.5 must be non-increasing, got 0.4 after 0.3 at alpha = 0.1",
        ),
        (
            [0, 0.1, 0.5, 0.6],
            [1, 0.8, 0.45, 0.1],
            "P must be convex, got 0.45 at alpha = 0.5, above the chord of its neighbours, 0.24",
        ),
        # the columns of a table of power instead of β
        ([0.01, 0.1], [0.2, 0.95], "beta of P at alpha = 0.1 must be in [0, 0.9] (1 - alpha), got 0.95"),
    ],
)
def test_points_that_are_no_trade_off_function_are_refused(alpha, beta, sentence):
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        points_curve(alpha, beta, "P")


def test_swapped_columns_are_the_inverse_curve_since_both_obey_the_rules():
    curve, swapped = points_curve(*CONVEX), points_curve(CONVEX[1], CONVEX[0])
    grid = np.linspace(0, 1, 40)
    assert swapped(grid) == pytest.approx(curve.inverse()(grid), abs=1e-13)


def test_a_million_points_are_taken_and_one_more_is_refused():
    assert points_curve(np.linspace(0, 1, 1_000_000), np.zeros(1_000_000))(0.5) == 0
    with pytest.raises(ValueError, match=r"^points must have from 2 to 1,000,000 points, got 1000001$"):
        points_curve(np.zeros(1_000_001), np.zeros(1_000_001))


def test_rough_points_need_the_hull():
    with pytest.raises(ValueError, match="must be convex"):
        points_curve(ALPHA, BETA)
    assert np.all(points_curve(ALPHA, BETA, hull=True)(ALPHA) <= BETA)


@pytest.mark.parametrize(
    ("alpha", "beta"),
    [
        ([0, 1e-320], [1, 0.5]),
        ([0, 5e-324], [1, 0]),
        ([0, 0.1, 0.1, 0.1], [1, 0.5, 0.4, 0.3]),
        ([0, 0], [1, 0.5]),
        ([0.5, 0.5], [0.5, 0.5]),
        ([0, 1], [0, 0]),
        ([0, 0.3, 1], [1, 0, 0]),
        ([0, 0.25, 0.25 + 2.0**-54, 0.5], [1, 0.5, 0.5 - 2.0**-54, 0.25]),
        ([0, 1e-200, 1e-100], [1, 0.9, 0.2]),
        ([0, 1e-200, 1e-100], [1, 1e-100, 1e-200]),
        ([0, 0.5, 1 - 2.0**-53], [1, 1e-300, 0]),
        ([0, 0.5, 0.6], [1, 5e-324, 0]),
    ],
)
def test_extreme_points_give_numbers(alpha, beta):
    curve = points_curve(alpha, beta, hull=True)
    epsilon = np.array([0, 1e-12, 1, 700, 1e6])
    for form in (curve, curve.inverse()):
        assert np.isfinite(form.points().to_numpy()).all()
        assert np.all(np.diff(form.delta(epsilon)) <= 0)
        assert smallest_mu(form).mu >= 0
        assert smallest_mu(form, 1e-3).mu < 6.19


def test_points_near_both_axes_keep_the_mu_of_their_corner():
    near = points_curve([0, 1e-200, 1e-100], [1, 1e-100, 1e-200])
    both = 21.27345352 + 30.2070575  # −Φ⁻¹(1e-100) − Φ⁻¹(1e-200)
    assert smallest_mu(near).mu == pytest.approx(both, abs=0.1)
    lost = smallest_mu(near.inverse().inverse())
    assert lost.mu == np.inf
    assert lost.reason == "no finite μ can be given: a corner of the curve is too near an axis for a double"


def test_lines_whose_slopes_are_equal_in_their_logarithm_are_one():
    start = [0, 1e-3, 2e-3]
    curve = points_curve(start, [1, 0.5, 0.5 - 0.5 * (1 - 2.0**-50)])
    assert curve.lines is not None
    assert np.all(np.diff(curve.lines.epsilon) < 0)
