import itertools
import math
import re

import mpmath
import numpy as np
import pytest
from flint import arb, ctx

from dpcore.composition import (
    certified_delta,
    certified_epsilon,
    guarantee_release,
    kairouz_epsilon,
    optimal_delta,
    optimal_epsilon,
)
from dpcore.tradeoff import composed_curve, epsilon_delta_curve, smallest_delta

TWICE = [0.1, 0.2, 0.3, 0.4, 0.5]


@pytest.mark.parametrize(
    ("epsilon", "count", "delta", "exact"),
    [
        (0.1, 100, 1e-6, 4.77456758811),
        (0.01, 10_000, 1e-6, 4.88551560),
        (0.1, 1000, 1e-6, 19.3446714480),
        (0.5, 20, 1e-6, 9.98679787),
        (1, 10, 1e-5, 9.99977063),
    ],
)
def test_the_optimum_has_the_published_values(epsilon, count, delta, exact):
    assert optimal_epsilon(delta, epsilon, count) == pytest.approx(exact, rel=2e-9)


def test_the_optimum_of_broken_guarantees_has_the_published_value():
    assert optimal_epsilon(1e-5, 0.1, 100, 1e-8) == pytest.approx(4.32963671, abs=5e-9)


@pytest.mark.parametrize(("count", "epsilon"), [(10, 0.10006289), (100, 0.02401108), (1000, 0.00749510)])
def test_the_published_epsilon_of_each_release_gives_a_total_of_one(count, epsilon):
    assert optimal_epsilon(1e-6, epsilon, count) == pytest.approx(1, rel=2e-7)


def profile(epsilons, total):
    """Σ over all subsets S of releases that lie, of max(P − e^ε' Q, 0), to 60 digits: the definition."""
    with mpmath.workdps(60):
        e = [mpmath.mpf(float(epsilon)) for epsilon in epsilons]
        scale = mpmath.fprod(1 + mpmath.exp(loss) for loss in e)
        delta = mpmath.mpf(0)
        for lies in itertools.product((False, True), repeat=len(e)):
            truthful_loss = mpmath.fsum(loss for loss, lie in zip(e, lies, strict=True) if not lie)
            lied = mpmath.fsum(loss for loss, lie in zip(e, lies, strict=True) if lie)
            delta += max(mpmath.exp(truthful_loss) - mpmath.exp(mpmath.mpf(float(total)) + lied), 0)
        return delta / scale


def binomial_profile(epsilon, count, total):
    """Σ_m w_m (1 − e^{ε' − (k − 2m)ε})₊ to 60 digits."""
    with mpmath.workdps(60):
        e, t = mpmath.mpf(float(epsilon)), mpmath.mpf(float(total))
        weight, delta = (1 + mpmath.exp(-e)) ** -count, mpmath.mpf(0)
        for m in range(count + 1):
            if (count - 2 * m) * e <= t:
                break
            delta += weight * -mpmath.expm1(t - (count - 2 * m) * e)
            weight *= mpmath.mpf(count - m) / (m + 1) * mpmath.exp(-e)
        return delta


def test_the_optimum_is_the_definition_summed_over_all_subsets():
    for count, epsilon in [(1, 0.7), (2, 3.0), (5, 0.1), (7, 1e-5)]:
        for total in np.linspace(0, 0.99, 12) * count * epsilon:
            exact = profile([epsilon] * count, total)
            delta = optimal_delta(total, epsilon, count)
            assert mpmath.mpf(float(delta)) >= exact
            assert float(delta) == pytest.approx(float(exact), rel=1e-12)


def test_delta_keeps_its_digits_however_small_it_is():
    rng = np.random.default_rng(2)
    for _ in range(25):
        count, epsilon = int(10 ** rng.uniform(0, 2.8)), 10 ** rng.uniform(-6, 1)
        total = rng.uniform(0, 0.999) * count * epsilon
        if rng.random() < 0.3:
            total = (count - 2 * rng.integers(0, count // 2 + 1)) * epsilon  # a corner
        exact, delta = binomial_profile(epsilon, count, total), float(optimal_delta(total, epsilon, count))
        if 1e-290 < exact < 1 - 1e-15:
            assert mpmath.mpf(delta) >= exact
            moved = float(binomial_profile(epsilon, count, total - 1e-14 * count * epsilon) / exact)
            assert delta / float(exact) <= moved * (1 + 1e-11)


def test_a_delta_just_below_one_is_rounded_up_to_one():
    rng = np.random.default_rng(27)
    beside_one = 0
    for _ in range(150):
        count, epsilon = int(10 ** rng.uniform(0, 2)), 10 ** rng.uniform(-3, 1.5)
        total, broken = rng.uniform(0, 0.5) * count * epsilon, rng.choice([0.0, rng.uniform(0, 1)])
        with mpmath.workdps(60):
            pure = binomial_profile(epsilon, count, total)
            unbroken = (1 - mpmath.mpf(float(broken))) ** count * (1 - pure)  # 1 − δ
            delta = optimal_delta(total, epsilon, count, broken)
            assert 1 - mpmath.mpf(float(delta)) <= unbroken + mpmath.mpf(10) ** -50
            beside_one += unbroken < 2.0**-54
    assert beside_one > 20


def test_no_epsilon_goes_with_a_delta_that_the_releases_surely_break():
    below_one = 1 - 2.0**-53
    assert optimal_delta(0.0, 0.1, 100, 0.9) == 1
    assert optimal_epsilon(below_one, 0.1, 100, 0.9) == math.inf
    assert kairouz_epsilon(below_one, 0.1, 100, 0.9) == math.inf


def test_a_million_releases_are_the_difference_of_two_binomial_tails():
    lies = math.ceil((10**6 - 3.0 / 0.001) / 2) - 1
    with ctx.workprec(300):
        truth_chance = 1 / (1 + (-arb(0.001)).exp())
        tails = [
            x.beta_lower(arb(10**6 - lies), arb(lies + 1), regularized=True) for x in (truth_chance, 1 - truth_chance)
        ]
        exact = tails[0] - arb(3).exp() * tails[1]
        assert exact <= arb(float(optimal_delta(3.0, 0.001, 10**6))) <= exact * (1 + arb(1e-9))


def test_epsilon_is_the_inverse_of_delta_and_never_below_it():
    for count, epsilon in [(1, 1e-9), (3, 0.3), (8, 5.0), (1000, 0.1), (50_000, 0.003)]:
        total = np.linspace(0.01, 0.9, 40) * min(count * epsilon, 8 * math.sqrt(count) * epsilon)
        delta = optimal_delta(total, epsilon, count)
        usable = (delta < 0.999) & (delta > 1e-290)
        back = optimal_epsilon(delta[usable], epsilon, count)
        np.testing.assert_allclose(back, total[usable], rtol=1e-9, atol=1e-10 * count * epsilon)


@pytest.mark.parametrize(("epsilon", "count"), [(1e-6, 3), (0.5, 20), (0.1, 500), (6.0, 40)])
def test_the_returned_epsilon_gives_at_most_the_target_delta(epsilon, count):
    for delta in (0.3, 1e-6, 1e-20, 1e-70):
        assert binomial_profile(epsilon, count, optimal_epsilon(delta, epsilon, count)) <= delta


def test_the_curve_of_a_repeated_guarantee_has_the_same_delta():
    curve = composed_curve([epsilon_delta_curve(0.1, 1e-8)], [100])
    total = np.array([0, 0.05, 1.234, 4.6, 9.9])
    np.testing.assert_allclose(optimal_delta(total, 0.1, 100, 1e-8), smallest_delta(curve, total), rtol=1e-9)


def test_the_optimum_is_below_every_closed_form():
    count = np.array([1, 10, 1000, 100_000])
    best = optimal_epsilon(1e-6, 0.02, count, 1e-13)
    assert np.all(best <= kairouz_epsilon(1e-6, 0.02, count[:, None], 1e-13) * (1 + 1e-12))


def test_the_ends_of_the_domain_have_their_values():
    assert optimal_delta(1, 0.125, 8) == 0
    assert 0 < optimal_delta(1, 0.1, 10) < 1e-17  # the double .1 is above 1/10
    assert optimal_delta(0.5, 0, 100) == 0
    assert optimal_delta(0.5, 0, 2, 0.1) == pytest.approx(0.19)
    assert optimal_delta(1000, 1e3, 10**6) == 1
    assert optimal_delta(990, 1, 1000) > 1e-200
    assert optimal_delta(999.9, 1, 10**3) >= 1e-300
    assert optimal_epsilon(0, 0.25, 4) == 1
    assert optimal_epsilon(1e-301, 0.25, 4) == 1
    assert optimal_epsilon(0.999, 0.25, 4) == 0
    assert optimal_epsilon(1e-6, 0.25, 4, 1e-6) == math.inf
    assert optimal_epsilon(0.5, 0, 4) == 0
    assert optimal_epsilon([1e-6, 1e-3], [[0.1], [0.2]], 10).shape == (2, 2)


def unequal(epsilon, count=1):
    return [guarantee_release(value, count=count) for value in epsilon]


def test_unequal_guarantees_have_the_published_and_the_summed_values():
    assert certified_epsilon(unequal(TWICE, 2), 1e-3).value == pytest.approx(2.76884260634, abs=1e-10)
    tenths = unequal(np.arange(1, 11) / 100, 10)
    assert certified_epsilon(tenths, 1e-6).value == pytest.approx(2.7669292817, abs=1e-9)


@pytest.mark.parametrize("epsilon", [[0.7], [0.1, 0.2, 0.3], [0.1, 0.1 * math.pi, 0.55], [2.0, 1e-3, 0.5, 0.5]])
def test_unequal_guarantees_are_the_definition_summed_over_all_subsets(epsilon):
    for share in (0.0, 0.6, 0.99):
        total = share * sum(epsilon)
        exact, delta = profile(epsilon, total), certified_delta(unequal(epsilon), total, 1e-4).value
        assert mpmath.mpf(float(delta)) >= exact
        assert float(delta) == pytest.approx(float(exact), rel=2e-4)
        back = certified_epsilon(unequal(epsilon), delta, 1e-5).value
        assert back >= total * (1 - 1e-9)
        assert back == pytest.approx(total, rel=1e-4, abs=1e-5)


def test_the_least_epsilons_are_counted_without_a_warning():
    assert optimal_epsilon(1e-9, 5e-324, 1000) == 0
    assert 0 < optimal_delta(1e-322, 5e-324, 1000) <= 1e-300


@pytest.mark.parametrize(
    ("function", "arguments", "message"),
    [
        (optimal_delta, (-1, 0.1, 10), "epsilon_total must be in [0, 1e6], got -1"),
        (optimal_delta, (1, 0.1, 0), "n_releases must be in [1, 1e6], got 0"),
        (optimal_epsilon, (1, 0.1, 10), "delta_total must be in [0, 1), got 1"),
        (optimal_epsilon, (0.1, 0.1, 10, -0.1), "delta must be in [0, 1), got -0.1"),
    ],
)
def test_a_number_out_of_its_range_is_refused_in_a_sentence(function, arguments, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        function(*arguments)


def test_without_a_delta_many_releases_cost_the_sum_of_their_epsilons():
    assert 1_700_000 <= optimal_epsilon(0, 1.7, 10**6) <= 1_700_000 * (1 + 1e-15)
