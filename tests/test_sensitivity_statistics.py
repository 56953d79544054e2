"""The sensitivities of several statistics of one person, and what is refused."""

import re
from fractions import Fraction
from pathlib import Path

import mpmath
import numpy as np
import pytest
from mpmath import mpf

import dpcore
from dpcore.sensitivity import (
    bounds_sensitivity,
    capped_sensitivity,
    query_sensitivity,
    statistics_sensitivity,
    table_sensitivity,
)
from tests.oracle import ULP


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
    l2 = statistics_sensitivity([largest, 1]).l2
    assert Fraction(float(l2)) ** 2 > largest**2 + 1


@pytest.mark.parametrize("name", ["NEIGHBOURS", "ENDS", "RECORDS_RANGE", "SHAPE_RANGE", "CELLS_RANGE", "CAP_RANGE"])
def test_neighbours_and_the_domains_of_limits_are_defined_once_in_dpcore(name):
    modules = sorted(Path(dpcore.__path__[0]).rglob("*.py"))
    lines = [line for module in modules for line in module.read_text(encoding="utf-8").splitlines()]
    assert sum(re.match(rf"_?{name}\b[^=]* = ", line) is not None for line in lines) == 1
