import math
import re

import mpmath
import numpy as np
import pytest

from dpcore.composition import advanced_epsilon, basic_delta, basic_epsilon, kairouz_epsilon


@pytest.mark.parametrize(
    ("epsilon", "count", "delta", "basic", "advanced", "kairouz"),
    [
        (0.1, 100, 1e-6, 10, 6.308231, 5.756106),
        (0.01, 10_000, 1e-6, 100, 6.261538, 5.756518),
        (0.1, 1000, 1e-6, 100, 27.139673, 21.618419),
        (0.5, 20, 1e-6, 10, 18.241153, 10),
        (1, 10, 1e-5, 10, 32.357089, 10),
    ],
)
def test_the_sums_have_the_published_values(epsilon, count, delta, basic, advanced, kairouz):
    assert basic_epsilon(epsilon, count) == pytest.approx(basic, abs=5e-7)
    assert advanced_epsilon(delta, epsilon, count) == pytest.approx(advanced, abs=1e-6)
    assert kairouz_epsilon(delta, epsilon, count) == pytest.approx(kairouz, abs=1e-6)


def test_unequal_releases_have_the_published_bounds():
    assert kairouz_epsilon(1e-3, [0.1, 0.2, 0.3, 0.4, 0.5], 2) == pytest.approx(3)
    assert kairouz_epsilon(1e-6, np.arange(1, 11) / 100, 10) == pytest.approx(3.39715028, abs=1e-8)


@pytest.mark.parametrize(("epsilon", "first"), [(0.01, 29), (0.1, 35), (0.5, 224), (1, None)])
def test_advanced_composition_beats_the_basic_sum_from_a_known_number_of_releases_on(epsilon, first):
    count = np.arange(1, 2000)
    better = advanced_epsilon(1e-6, epsilon, count[:, None]) < basic_epsilon(epsilon, count[:, None])
    assert (int(count[better][0]) if better.any() else None) == first


def formulas(delta_total, epsilon, count, delta):
    """DRV and KOV 3.5 to 50 digits, from the same doubles."""
    with mpmath.workdps(50):
        e, n, d = ([mpmath.mpf(float(entry)) for entry in part] for part in (epsilon, count, delta))
        total, square = mpmath.mpf(delta_total), mpmath.fsum(k * x**2 for k, x in zip(n, e, strict=True))
        left = total - mpmath.fsum(k * x for k, x in zip(n, d, strict=True))
        steps = mpmath.fsum(k * x * mpmath.expm1(x) for k, x in zip(n, e, strict=True))
        advanced = steps + mpmath.sqrt(2 * square * mpmath.log(1 / left)) if left > 0 else mpmath.inf
        unbroken = mpmath.fprod((1 - x) ** k for k, x in zip(n, d, strict=True))
        slack = 1 - (1 - total) / unbroken
        mean = mpmath.fsum(k * x * mpmath.tanh(x / 2) for k, x in zip(n, e, strict=True))
        root = mpmath.sqrt(square)
        near = [mpmath.sqrt(2 * square * mpmath.log(x)) for x in (mpmath.e + root / slack, 1 / slack)]
        basic = sum((k * x for k, x in zip(n, e, strict=True)), mpmath.mpf(0))
        closed = basic
        for value in near:
            closed = min(closed, mean + value)
        return advanced, closed if slack > 0 else mpmath.inf


def test_the_formulas_are_rounded_up_and_right_to_their_last_digits():
    rng = np.random.default_rng(1)
    for _ in range(200):
        size = rng.integers(1, 6)
        epsilon, count = 10 ** rng.uniform(-6, 1, size), np.round(10 ** rng.uniform(0, 6, size))
        delta = np.where(rng.random(size) < 0.5, 0, 10 ** rng.uniform(-20, -13, size))
        total = float(10 ** rng.uniform(-6, -0.1))
        for bound, exact in zip(
            (advanced_epsilon(total, epsilon, count, delta), kairouz_epsilon(total, epsilon, count, delta)),
            formulas(total, epsilon, count, delta),
            strict=True,
        ):
            assert mpmath.mpf(float(bound)) >= exact
            assert float(bound) == pytest.approx(float(exact), rel=1e-13)


def test_the_delta_of_the_guarantees_is_subtracted_from_the_total_delta():
    assert kairouz_epsilon(1e-5, 0.1, 100, 1e-8) == pytest.approx(
        float(kairouz_epsilon(9.000009e-6, 0.1, 100)), rel=1e-7
    )
    assert advanced_epsilon(1e-5, 0.1, 100, 1e-8) == pytest.approx(float(advanced_epsilon(9e-6, 0.1, 100)), rel=1e-12)


def test_nothing_left_of_delta_leaves_no_answer_but_the_sum():
    assert advanced_epsilon(0, 0.1, 10) == math.inf
    assert advanced_epsilon(1e-6, 0.1, 10, 1e-6) == math.inf
    assert kairouz_epsilon(1e-6, 0.1, 10, 1e-6) == math.inf
    assert kairouz_epsilon(0, 0.25, 4) == 1


def test_the_largest_releases_overflow_nothing():
    assert kairouz_epsilon(1e-300, 1e3, 1e6) == 1e9
    assert advanced_epsilon(1e-300, 1e3, 1e6) == math.inf
    assert math.isfinite(advanced_epsilon(1e-300, 685, 1e6))


def test_releases_that_hide_all_cost_nothing():
    assert basic_epsilon(0, 10) == kairouz_epsilon(1e-6, 0, 10) == advanced_epsilon(1e-6, 0, 10) == 0


def test_basic_sums_are_the_least_doubles_above_the_exact_ones():
    assert basic_epsilon([0.25, 0.5], [2, 3]) == 2
    assert basic_epsilon(0.1, 3) == math.nextafter(0.3, 1)
    assert basic_delta([1e-6, 0], [10, 5]) == pytest.approx(1e-5)
    assert basic_delta(0.5, 3) == 1
    assert basic_epsilon([[0.25, 0.5], [1, 2]], 2).tolist() == [1.5, 6]


@pytest.mark.parametrize(
    ("function", "arguments", "message"),
    [
        (basic_epsilon, (1001,), "epsilon must be in [0, 1e3], got 1001"),
        (basic_delta, (1,), "delta must be in [0, 1), got 1"),
        (advanced_epsilon, (1, 0.1), "delta_total must be in [0, 1), got 1"),
        (kairouz_epsilon, (0.1, 0.1, 0.5), "n_releases must be in [1, 1e6], got 0.5"),
    ],
)
def test_a_number_out_of_its_range_is_refused_in_a_sentence(function, arguments, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        function(*arguments)
