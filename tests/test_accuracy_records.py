"""Every rule's accuracy and its inverse: check values, round trips that are never optimistic, simulation."""

import re
from itertools import pairwise

import mpmath
import numpy as np
import pytest
from scipy.stats import chisquare

from dpcore import accuracy as rules
from dpcore import calibrations, gaussian, geometric, staircase, truncated_laplace
from dpcore.accuracy import RULES, epsilon_for, greatest_sensitivity, half_width, least_records
from dpcore.calibrations import GENERALIZED_ADP, TRUNCATED_LAPLACE
from dpcore.families import FAMILIES
from tests.oracle import ULP

N_CASES = 10_000
BY_KEY = {rule.key: rule for rule in RULES}


def some_cases(rule, n, seed):
    """Accuracy, significance, sensitivity and δ, over all of their range that leaves ε in reach."""
    rng = np.random.default_rng(seed)
    accuracy = 10 ** rng.uniform(-2, 6, n)
    significance = 10 ** rng.uniform(-20, 0, n)
    significance[::3] = rng.uniform(0, 1, len(significance[::3]))
    significance[::7] = 1 - 10 ** rng.uniform(-9, 0, len(significance[::7]))
    sensitivity, delta = 10 ** rng.uniform(-3, 3, n), 10 ** rng.uniform(-20, -0.01, n)
    if rule.whole:
        sensitivity = np.ceil(sensitivity)
    if rule is calibrations.GEOMETRIC_PUBLISHED:
        accuracy = np.ceil(accuracy)
    return accuracy, np.clip(significance, 1e-300, 1 - ULP / 2), sensitivity, delta


def reached(rule, epsilon, significance, sensitivity, delta):
    """Return the accuracy; for staircase noise less what it is right to,
    as its density may be next to 0 beyond a step.
    """
    if rule not in (calibrations.STAIRCASE, calibrations.STAIRCASE_MEAN):
        return half_width(rule, epsilon, significance, sensitivity, delta)
    looser = np.minimum(significance * (1 + 18 * ULP * (1 - np.log(significance))), 1 - ULP / 2)
    return half_width(rule, epsilon, looser, sensitivity, delta) * (1 - 1.2e-14)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.key)
def test_epsilon_for_an_accuracy_really_reaches_it_and_no_smaller_one_does(rule):
    accuracy, significance, sensitivity, delta = some_cases(rule, N_CASES, seed=1)
    epsilon = epsilon_for(rule, accuracy, significance, sensitivity, delta)
    assert not np.any(np.isnan(epsilon))
    usable = (epsilon <= 1e6) & (epsilon >= 1e-13)
    assert np.count_nonzero(usable) > 0.7 * N_CASES
    case = [part[usable] for part in (significance, sensitivity, delta)]
    target, epsilon = accuracy[usable], epsilon[usable]
    assert np.all(reached(rule, epsilon, *case) <= target)
    less = epsilon * (1 - 1e-4)
    strict = (less > 1e-12) & (significance[usable] < 1 - 1e-8)
    if rule is calibrations.GEOMETRIC_PUBLISHED:
        strict &= target < 1e3  # beyond, the ceiling hides so small a change of ε
    is_missed = half_width(rule, np.maximum(less, 1e-12), *case) > target
    if rule is calibrations.ANALYTIC:  # near ε = 0 the noise hardly depends on ε
        strict &= epsilon > 1e-3
    assert np.mean(is_missed[strict]) == 1


def test_pdp_and_analytic_noise_may_need_no_epsilon_at_all():
    assert epsilon_for(calibrations.ANALYTIC, 1e6, 0.05, 1.0, 0.1) == 0
    assert half_width(calibrations.ANALYTIC, 0, 0.05, 1.0, 0.1) < 1e6


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.key)
def test_greatest_sensitivity_really_reaches_the_accuracy_and_a_larger_one_does_not(rule):
    accuracy, significance, _, delta = some_cases(rule, 20_000, seed=2)
    epsilon = 10 ** np.random.default_rng(3).uniform(-6, 3, len(accuracy))
    most = greatest_sensitivity(rule, accuracy, epsilon, significance, delta)
    some = most >= 1 if rule.whole else most > 0
    case = (epsilon[some], significance[some])
    assert np.all(reached(rule, *case, most[some], delta[some]) <= accuracy[some])
    more = most + 1 if rule.whole else most * (1 + 1e-9)
    well = (significance < 1 - 1e-8) & (most < 1e12)
    # a sensitivity of whole numbers that just reaches the accuracy may be given as one less
    slack = 1 - 1e-6 if rule.whole else 1
    is_missed = half_width(rule, epsilon[well] * slack, significance[well], more[well], delta[well]) > accuracy[well]
    assert np.all(is_missed)


def test_no_whole_sensitivity_may_reach_an_accuracy():
    assert greatest_sensitivity(calibrations.GEOMETRIC, 3, 0.01, 0.05) == 0
    assert greatest_sensitivity(calibrations.GEOMETRIC_PUBLISHED, 0.5, 10, 0.05) == 0
    assert greatest_sensitivity(calibrations.GEOMETRIC, 0.5, 10, 0.05) >= 1


@pytest.mark.parametrize("rule", [rule for rule in RULES if not rule.whole], ids=lambda rule: rule.key)
def test_least_records_really_reach_the_accuracy_and_one_record_less_does_not(rule):
    rng = np.random.default_rng(4)
    accuracy, epsilon, width = (
        10 ** rng.uniform(-6, 0, 5000),
        10 ** rng.uniform(-3, 1, 5000),
        10 ** rng.uniform(0, 5, 5000),
    )
    n = least_records(rule, accuracy, epsilon, 0.05, width, 1e-6)
    assert np.all(n == np.floor(n))
    assert np.all(half_width(rule, epsilon, 0.05, width / n, 1e-6) <= accuracy * (1 + 2 * ULP))
    several = (n > 1) & (n < 1e9)
    fewer = half_width(rule, epsilon[several], 0.05, width[several] / (n[several] - 1), 1e-6)
    assert np.all(fewer > accuracy[several] * (1 - 1e-13))
    assert least_records(rule, 1e20, 1.0, 0.05, 1e-20, 1e-6) == 1


def test_records_beyond_the_whole_doubles_are_rounded_up():
    n = least_records(calibrations.LAPLACE, 1e-25, 1.0, 0.05, 1.0)
    assert n >= mpmath.mpf(10) ** 25 * mpmath.log(20) * (1 - mpmath.mpf(10) ** -16)
    with pytest.raises(ValueError, match=r"^calibration must be in those of any sensitivity, got geometric$"):
        least_records(calibrations.GEOMETRIC, 1, 1, 0.05, 1)
    with pytest.raises(ValueError, match=r"^accuracy must be in what fewer than 1e300 records reach, got 1e-100$"):
        least_records(calibrations.ANALYTIC, 1e-100, 0, 0.05, 1, 1e-300)


def test_check_values_of_the_accuracy_notes():
    assert rules.laplace_accuracy(1, 0.05) == pytest.approx(np.log(20), rel=1e-14)
    assert rules.geometric_accuracy(1, 0.01) == 4
    assert rules.geometric_published_accuracy(1, 0.01) == 5
    before = float(rules.laplace_accuracy(np.log(20) / 3.02, 0.05))  # the near miss of the note, §0.1
    assert before == pytest.approx(3.02, rel=1e-13)
    assert rules.geometric_published_accuracy(np.log(20) / 3.02, 0.05) == 4
    assert rules.geometric_published_accuracy(rules.geometric_published_epsilon(3, 0.05), 0.05) == 3
    assert np.ceil(half_width(calibrations.ANALYTIC, 1, 0.05, 1, 1e-6) * 1000) / 1000 == 8.281


@pytest.mark.parametrize("significance", [1e-300, 1e-17, 0.05])
def test_classical_accuracy_is_theorem_1_and_its_inverse_also_far_in_the_tail(significance):
    epsilon, delta, sensitivity = 0.3, 1e-5, 4.0
    with mpmath.workdps(330):
        erfinv = mpmath.erfinv(1 - mpmath.mpf(significance))
        theorem = 2 * sensitivity / mpmath.mpf(epsilon) * mpmath.sqrt(mpmath.log(1.25 / mpmath.mpf(delta))) * erfinv
        width = half_width(calibrations.CLASSICAL, epsilon, significance, sensitivity, delta)
        assert 0 <= mpmath.mpf(float(width)) / theorem - 1 < 1e-14
        back = epsilon_for(calibrations.CLASSICAL, width, significance, sensitivity, delta)
    assert back == pytest.approx(epsilon, rel=1e-13)
    assert np.all(back >= epsilon)


def test_the_exact_geometric_rule_is_the_least_whole_number_by_summing_the_support():
    rng = np.random.default_rng(5)
    for _ in range(100):
        epsilon, significance = 10 ** rng.uniform(-1, 1), 10 ** rng.uniform(-5, 0)
        sensitivity = float(rng.integers(1, 6))
        probability = geometric.pmf(np.arange(-3000, 3001), sensitivity / epsilon)
        beyond = probability[3000] + np.append(0, 2 * np.cumsum(probability[3001:]))  # Pr(|k| ≤ a)
        least = np.argmax(1 - beyond <= significance * (1 - 1e-12))
        assert rules.geometric_accuracy(epsilon, significance, sensitivity) == least


def test_the_exact_geometric_epsilon_is_the_root_of_its_equation():
    rng = np.random.default_rng(7)
    for _ in range(150):
        accuracy, significance = np.floor(10 ** rng.uniform(0, 6)) - 1, 10 ** rng.uniform(-30, -0.01)
        computed = mpmath.mpf(float(rules.geometric_epsilon(accuracy, significance, 3)))
        with mpmath.workdps(40):
            r, moved = mpmath.exp(-computed / 3), mpmath.exp(-computed * (1 - mpmath.mpf("1e-12")) / 3)
            steps = int(accuracy) + 1
            assert 2 * r**steps / (1 + r) <= significance < 2 * moved**steps / (1 + moved)


def test_the_published_geometric_accuracy_bounds_the_exact_one_and_is_often_one_more():
    epsilon, significance = np.geomspace(0.01, 10, 300), np.array([[0.001], [0.01], [0.05], [0.3]])
    gap = rules.geometric_published_accuracy(epsilon, significance) - rules.geometric_accuracy(epsilon, significance)
    assert set(np.unique(gap)) == {0, 1}
    assert 0.3 < np.mean(gap) < 0.9


def test_the_published_geometric_epsilon_misses_an_accuracy_that_is_no_whole_number():
    epsilon = rules.geometric_published_epsilon(2.999, 0.5)
    assert geometric.tail(2.999, 1 / epsilon) > 0.5
    assert geometric.tail(3, 1 / epsilon) <= 0.5
    assert geometric.tail(2.999, 1 / rules.geometric_epsilon(2.999, 0.5)) <= 0.5


def draws_of(rule, rng, n):
    """Draws of a rule's noise at ε = 0.8, δ = 1e-4, sensitivity 1."""
    if rule.norm == "l2":
        sigma = {
            "analytic": gaussian.analytic_sigma,
            "classical": gaussian.classical_sigma,
            "classical_tight": gaussian.classical_tight_sigma,
            "pdp": gaussian.pdp_sigma,
        }[rule.key](0.8, 1e-4)
        return rng.normal(0, sigma, n)
    if rule is TRUNCATED_LAPLACE:
        return truncated_laplace.sample(rng, truncated_laplace.bound_from_epsilon(0.8, 1e-4), 1 / 0.8, n)
    if rule.whole:
        return geometric.sample(rng, geometric.scale_from_epsilon(0.8), n)
    if rule.family == "staircase":
        gamma = {"staircase": staircase.variance_gamma, "staircase_mean": staircase.mean_error_gamma}[rule.key](0.8)
        return staircase.sample(rng, 0.8, gamma, size=n)
    return FAMILIES[rule.family].functions.sample(rng, float(rule.scale(0.8, 0.0)), n)


@pytest.mark.parametrize(
    "rule", [rule for rule in RULES if rule is not calibrations.GEOMETRIC_PUBLISHED], ids=lambda rule: rule.key
)
def test_a_million_draws_fall_beyond_each_accuracy_as_often_as_it_says(rule):
    levels = np.array([0.8, 0.5, 0.32, 0.2, 0.1, 0.05, 0.02, 0.01, 0.001, 1e-4])
    reach = np.unique(half_width(rule, 0.8, levels, 1, 1e-4))
    size = abs(draws_of(rule, np.random.default_rng(6), 10**6))
    scale = geometric.scale_from_epsilon(0.8)
    beyond = geometric.tail(reach, scale) if rule.whole else levels
    share = -np.diff(np.concatenate([[1], np.sort(beyond)[::-1], [0]]))
    counts = [np.count_nonzero((size > low) & (size <= high)) for low, high in pairwise([-1, *reach, np.inf])]
    assert chisquare(counts, share * 10**6).pvalue > 1e-3


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: rules.laplace_epsilon(0, 0.05), "accuracy must be in [1e-100, 1e100], got 0"),
        (
            lambda: half_width(calibrations.LAPLACE, 0, 0.05, 1, 0),
            "epsilon must be in [1e-130, 1e6] at this delta, got 0",
        ),
        (lambda: half_width(calibrations.GEOMETRIC, 1, 0.05, 0.5, 0), "l1_sensitivity must be in [1, 1e15], got 0.5"),
        (lambda: rules.geometric_epsilon(-1, 0.05), "accuracy must be in [0, 1e50], got -1"),
        (lambda: half_width(calibrations.ANALYTIC, 1, 0.05, 1, 0), "delta must be in [1e-300, 1), got 0"),
        (lambda: half_width(calibrations.STAIRCASE, 1e-13, 0.05, 1, 0), "epsilon must be in [1e-12, 1e6], got 1e-13"),
        (lambda: epsilon_for(calibrations.CLASSICAL, 1, 2, 1, 0.1), "significance must be in [1e-300, 1), got 2"),
    ],
)
def test_bad_input_is_refused_in_one_sentence(call, sentence):
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        call()


def test_noise_of_nearly_no_size_allows_the_largest_sensitivity():
    assert greatest_sensitivity(calibrations.STAIRCASE, 1e100, 2000.0, 0.9) == 1e100


@pytest.mark.parametrize("rule", BY_KEY.values(), ids=lambda rule: rule.key)
def test_rules_broadcast(rule):
    epsilon, significance = np.array([[0.5], [1], [2]]), np.array([0.01, 0.05])
    width = half_width(rule, epsilon, significance, 1, 1e-6)
    assert width.shape == (3, 2)
    assert half_width(rule, 2, 0.05, 1, 1e-6) == pytest.approx(width[2, 1], rel=3e-14, abs=0)
    assert epsilon_for(rule, width, significance, 1, np.full((1, 2), 1e-6)).shape == (3, 2)
    assert np.shape(epsilon_for(rule, 5, 0.05, 1, 1e-6)) == ()


@pytest.mark.parametrize(
    ("call", "arguments", "sentence"),
    [
        (
            half_width,
            (GENERALIZED_ADP, 1, 0.05),
            f"calibration must be in {', '.join(BY_KEY)}, got adp",
        ),
        (half_width, (calibrations.LAPLACE, 1, 0.05, 1, 2), "delta must be in [0, 1), got 2"),
        (epsilon_for, (calibrations.LAPLACE, 1, 0.05, 1, -1), "delta must be in [0, 1), got -1"),
    ],
)
def test_arguments_that_no_calibration_accepts_are_refused_in_one_sentence(call, arguments, sentence):
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        call(*arguments)
