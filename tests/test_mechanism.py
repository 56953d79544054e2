"""The one record of a mechanism: each formula at one setting, and what its noise does to a number."""

from dataclasses import FrozenInstanceError
from itertools import product
from re import escape

import numpy as np
import pytest

from dpcore import calibrations, gaussian, generalized_gaussian, geometric, laplace, staircase
from dpcore.accuracy import RULES, each_significance, epsilon_for, half_width
from dpcore.calibrations import (
    ANALYTIC,
    CALIBRATIONS,
    CLASSICAL,
    GENERALIZED_ADP,
    GEOMETRIC,
    GEOMETRIC_PUBLISHED,
    LAPLACE,
    LOWER,
    PDP,
    PURE_DP,
    STAIRCASE,
    STAIRCASE_MEAN,
    Calibration,
)
from dpcore.comparison import BOUNDS
from dpcore.mechanism import calibrated, calibrated_by_each, of_half_width, of_scale

KEYS = [rule.key for rule in RULES]


def noise_of(calibration: Calibration, sensitivity: float = 1.0) -> tuple[float, ...]:
    return (3.0, sensitivity) if calibration.norm == "lp" else (sensitivity,)


@pytest.mark.parametrize("calibration", CALIBRATIONS, ids=lambda mechanism: f"{mechanism.family}-{mechanism.key}")
@pytest.mark.parametrize("epsilon", [0.4, 3.0])
def test_a_mechanism_is_what_its_calibration_says_at_one_setting(calibration, epsilon):
    mechanism = calibrated(calibration, epsilon, 1e-5, *noise_of(calibration, 2.0))
    verdict = calibration.verdict(epsilon, 1e-5, *noise_of(calibration)[:-1])
    assert mechanism.scale == calibration.scale(epsilon, 1e-5, *noise_of(calibration, 2.0))
    assert (mechanism.status, mechanism.true_delta) == (str(verdict.status), float(verdict.true_delta))
    assert (mechanism.guarantee, mechanism.theorem, mechanism.epsilon) == (
        calibration.guarantee,
        calibration.theorem,
        epsilon,
    )
    assert mechanism.delta == (0.0 if calibration.guarantee == PURE_DP else 1e-5)
    assert mechanism.whole == calibration.whole


@pytest.mark.parametrize(("epsilon", "sensitivity"), [(1e-13, 1.0), (0.3, 1.0), (10.0, 7e-5), (2e3, 1e100)])
def test_several_gaussian_bounds_at_once_are_what_each_is_alone(epsilon, sensitivity):
    together = calibrated_by_each(BOUNDS, epsilon, 1e-5, sensitivity)
    alone = [calibrated(bound, epsilon, 1e-5, sensitivity) for bound in BOUNDS]
    for name in ("key", "status", "guarantee"):
        assert [getattr(mechanism, name) for mechanism in together] == [getattr(mechanism, name) for mechanism in alone]
    for name in ("scale", "true_delta", "variance"):
        expected = [getattr(mechanism, name) for mechanism in alone]
        assert [getattr(mechanism, name) for mechanism in together] == pytest.approx(expected, 1e-14, nan_ok=True)


def test_the_methods_of_a_mechanism_equal_the_functions_of_its_family():
    rng = np.random.default_rng(1)
    cases = {
        calibrated(ANALYTIC, 1, 1e-6): (gaussian, (float(gaussian.analytic_sigma(1, 1e-6)),), "σ"),
        calibrated(LAPLACE, 0.5, 0.0, 3.0): (laplace, (float(laplace.scale_from_epsilon(0.5, 0.0, 3.0)),), "b"),
        calibrated(GEOMETRIC, 0.5, 0.0, 3): (geometric, (float(geometric.scale_from_epsilon(0.5, 0.0, 3)),), "s"),
        calibrated(STAIRCASE, 2, 0.0, 3.0): (staircase, (2.0, float(staircase.variance_gamma(2)), 3.0), "s"),
        calibrated(STAIRCASE_MEAN, 2, 0.0, 3.0): (staircase, (2.0, float(staircase.mean_error_gamma(2)), 3.0), "s"),
        calibrated(GENERALIZED_ADP, 1, 1e-6, 3, 2.0): (
            generalized_gaussian,
            (float(generalized_gaussian.adp_scale(1, 1e-6, 3, 2.0)), 3.0),
            "b",
        ),
    }
    for mechanism, (family, parameters, symbol) in cases.items():
        assert (mechanism.parameters, mechanism.symbol) == (parameters, symbol)
        assert mechanism.half_width(0.05) == pytest.approx(family.half_width(0.05, *parameters), rel=1e-15)
        half_widths = family.half_width([0.05, 0.1], *parameters)
        np.testing.assert_allclose(mechanism.half_width([0.05, 0.1]), half_widths, rtol=1e-15)
        assert mechanism.tail(1.5) == family.tail(1.5, *parameters)
        for true, value in (
            (family.variance(*parameters), mechanism.variance),
            (np.sqrt(family.variance(*parameters)), mechanism.deviation),
            (family.mean_absolute_error(*parameters), mechanism.mean_absolute_error),
        ):
            assert 0 <= value / float(true) - 1 < 1e-13  # those of generalized Gaussian noise are rounded up
        same = family.sample(np.random.default_rng(2), *parameters, size=(5,))
        assert mechanism.sample(np.random.default_rng(2), (5,)).tolist() == same.tolist()
        draws = mechanism.sample(rng, 100_000)
        for t in (-2.0, 0.0, 1.5, 2.0):
            assert mechanism.upper(t) == pytest.approx(np.mean(draws > t), abs=0.01)
            assert mechanism.at_least(t) == pytest.approx(np.mean(draws >= t), abs=0.01)


def test_the_half_width_of_several_cells_holds_for_all_of_them_together():
    mechanism = calibrated(ANALYTIC, 1, 1e-6)
    assert mechanism.half_width(0.05, 12) == mechanism.half_width(each_significance(0.05, 12))
    widths = mechanism.half_width(0.05, [1, 12])
    assert np.array_equal(widths, [mechanism.half_width(0.05), mechanism.half_width(0.05, 12)])
    largest = np.max(abs(mechanism.sample(np.random.default_rng(3), (40_000, 12))), axis=1)
    assert np.mean(largest <= mechanism.half_width(0.05, 12)) == pytest.approx(0.95, abs=0.005)


def test_cells_too_many_for_the_least_significance_have_the_half_width_of_the_least_one():
    mechanism = calibrated(ANALYTIC, 1, 1e-6)
    assert mechanism.half_width(1e-300, 1000) == mechanism.half_width(1e-300)
    assert mechanism.half_width(1e-300, [1, 1000]) == pytest.approx(mechanism.half_width(1e-300))


def test_every_number_of_a_formula_without_an_answer_is_nan():
    for mechanism in (calibrated(LAPLACE, 0, 0.0), calibrated(ANALYTIC, 0, 1e-300, 1e100), calibrated(LOWER, 1, 0.4)):
        numbers = mechanism.scale, mechanism.variance, mechanism.deviation, mechanism.mean_absolute_error
        assert np.isnan(numbers).all()
        assert np.isnan([mechanism.true_delta, mechanism.half_width(0.05), float(mechanism.tail(1.0))]).all()
        assert np.isnan(mechanism.half_width([0.05, 0.1])).tolist() == [True, True]
        assert (mechanism.obstacle, mechanism.releasable) == ("no answer", False)
    assert calibrated(LOWER, 1, 0.4).status == calibrations.SILENT
    assert calibrated(ANALYTIC, 0, 1e-300, 1e100).status == calibrations.UNDEFINED


def test_only_proved_mechanisms_that_a_published_library_samples_safely_can_be_released():
    obstacles = {
        calibrated(ANALYTIC, 20, 1e-5): "",
        calibrated(PDP, 20, 1e-5): "",
        calibrated(GEOMETRIC, 20, 1e-5): "",
        calibrated(CLASSICAL, 20, 1e-5): "not proved",
        calibrated(CLASSICAL, 2, 1e-5): "not proved",
        calibrated(LOWER, 1, 1e-5): "lower bound",
        calibrated(STAIRCASE, 1, 0.0): "no safe sampler",
        calibrated(GENERALIZED_ADP, 1, 1e-5, 3): "no safe sampler",
    }
    for mechanism, obstacle in obstacles.items():
        assert (mechanism.obstacle, mechanism.releasable) == (obstacle, not obstacle)


def test_the_epsilon_of_a_scale_is_the_one_at_which_the_formula_requires_it():
    mechanism = of_scale(ANALYTIC, 1e-6, float(gaussian.analytic_sigma(2, 1e-6, 3.0)), 3.0)
    assert mechanism.epsilon == pytest.approx(2, rel=1e-9)
    assert (mechanism.status, mechanism.parameters) == ("proved", (mechanism.scale,))
    assert of_scale(CLASSICAL, 1e-5, 0.4).status == "fails"
    large = of_scale(ANALYTIC, 1e-6, 1e-9)  # no ε up to 1e6 is enough
    assert (large.status, large.epsilon > 1e6, np.isnan(large.true_delta)) == ("undefined", True, True)
    assert large.half_width(0.05) == gaussian.half_width(0.05, 1e-9)
    assert of_scale(CLASSICAL, 1e-5, 1e40).status == "proved"  # as at the least ε of the formula


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.key)
def test_the_mechanism_of_a_wanted_half_width_has_the_least_epsilon_that_reaches_it(rule):
    mechanism = of_half_width(rule, 4, 0.05, 1e-5, 3)
    assert mechanism.epsilon == float(epsilon_for(rule, 4, 0.05, 3, 1e-5))
    assert mechanism.half_width(0.05) <= 4
    verdict = rule.verdict(mechanism.epsilon, 1e-5)
    assert mechanism.status == str(verdict.status)
    assert mechanism.true_delta == pytest.approx(float(verdict.true_delta), rel=1e-13)
    if rule is not GEOMETRIC_PUBLISHED:
        assert calibrated(rule, 0.8, 1e-5, 3).half_width(0.05) == half_width(rule, 0.8, 0.05, 3, 1e-5)


@pytest.mark.parametrize(
    ("rule", "target", "status"),
    [
        (CLASSICAL, 0.5, "fails"),
        (LAPLACE, 1e30, "proved"),  # as at the least ε of the formula
        (LAPLACE, 1e-9, "undefined"),  # it takes an ε above 1e6
        (GEOMETRIC, 1e100, "proved"),
    ],
)
def test_the_status_of_a_wanted_half_width_is_that_of_the_epsilon_that_it_takes(rule, target, status):
    mechanism = of_half_width(rule, target, 0.05, 1e-5)
    assert mechanism.status == status
    assert np.isnan(mechanism.true_delta) == np.isnan(mechanism.half_width(0.05)) == (status == "undefined")
    assert not np.isnan(mechanism.epsilon)


def test_a_wanted_half_width_beyond_doubles_has_no_mechanism_and_is_no_error():
    mechanism = of_half_width(PDP, 1e-100, 0.05, 1e-5, 1e100)
    assert (mechanism.status, np.isnan(mechanism.epsilon), np.isnan(mechanism.scale)) == ("undefined", True, True)


def test_the_published_geometric_formula_falls_short_of_half_widths_that_are_no_integers():
    assert of_half_width(GEOMETRIC_PUBLISHED, 2.999, 0.5, 0.0).half_width(0.5) == 3
    assert of_half_width(GEOMETRIC, 2.999, 0.5, 0.0).half_width(0.5) == 2


def test_a_mechanism_cannot_be_changed_and_bad_input_is_refused_by_name():
    mechanism, name = calibrated(LAPLACE, 1, 0.0), "scale"
    with pytest.raises(FrozenInstanceError):
        setattr(mechanism, name, 0.1)
    for call, message in (
        (lambda: calibrated(LAPLACE, -1, 0.0), "epsilon must be in [0, 1e6], got -1"),
        (lambda: calibrated(LAPLACE, 1, 1.0), "delta must be in [0, 1), got 1"),
        (lambda: calibrated(ANALYTIC, 1, 0.0), "delta must be in [1e-300, 1), got 0"),
        (lambda: calibrated(LAPLACE, 1, 0.0, 0.0), "sensitivity must be in [1e-100, 1e100], got 0"),
        (lambda: calibrated(GEOMETRIC, 1, 0.0, 1.5), "sensitivity must be in the whole numbers of [1, 1e15], got 1.5"),
        (lambda: calibrated(GENERALIZED_ADP, 1, 1e-6, 0.5, 1.0), "p must be in [1, 100], got 0.5"),
        (lambda: of_scale(ANALYTIC, 1e-6, 0.0), "scale must be in (0, inf), got 0"),
        (lambda: of_half_width(LAPLACE, 0, 0.05, 0.0), "half_width must be in [1e-100, 1e100], got 0"),
        (lambda: of_half_width(LOWER, 1, 0.05, 0.1), f"calibration must be in {', '.join(KEYS)}, got 'lower'"),
        (lambda: mechanism.half_width(1.0), "significance must be in [1e-300, 1), got 1"),
        (lambda: mechanism.half_width(0.05, 0), "n_cells must be in [1, 1e15], got 0"),
        (lambda: mechanism.upper(np.nan), "t must be in [-1e300, 1e300], got nan"),
    ):
        with pytest.raises(ValueError, match=f"^{escape(message)}"):
            call()


@pytest.mark.parametrize("calibration", CALIBRATIONS, ids=lambda mechanism: f"{mechanism.family}-{mechanism.key}")
def test_at_the_ends_of_all_domains_a_mechanism_has_all_its_numbers_or_none(calibration):
    sizes = (1.0, 1e15) if calibration.whole else (1e-100, 1.0, 1e100)
    for epsilon, delta, sensitivity in product((0, 1e-12, 1.0, 1e6), (1e-300, 0.99), sizes):
        mechanism = calibrated(calibration, epsilon, delta, *noise_of(calibration, sensitivity))
        widths = [mechanism.half_width(significance) for significance in (1e-300, 0.05, 0.999)]
        assert np.isnan(widths).tolist() == [bool(np.isnan(mechanism.scale))] * 3


@pytest.mark.parametrize("calibration", [calibrations.TRUNCATED_LAPLACE, calibrations.TRUNCATED_GEOMETRIC])
@pytest.mark.parametrize("epsilon", [0.0, 0.5, 3.0])
def test_truncated_noise_has_a_hard_limit_and_its_own_scale(calibration, epsilon):
    noise = calibrated(calibration, epsilon, 0.01, 2)
    assert noise.hard_limit == noise.scale == calibration.scale(epsilon, 0.01, 2)
    assert noise.parameters == (noise.scale, noise.parameters[1])
    assert noise.parameters[1] == pytest.approx(np.inf if epsilon == 0 else 2 / epsilon)
    assert noise.half_width(1e-300) <= noise.hard_limit
    assert noise.tail(noise.hard_limit) == 0
    assert 0 < noise.true_delta <= noise.delta == 0.01
    assert noise.releasable == noise.whole == (noise.symbol == "N")


def test_other_noise_has_no_hard_limit_and_a_bound_beyond_a_million_is_no_mechanism():
    assert calibrated(LAPLACE, 1, 0.0).hard_limit == np.inf
    assert np.isnan(calibrated(calibrations.TRUNCATED_GEOMETRIC, 0, 1e-9).scale)
