"""The list of calibrations: what each guarantees is kept by the noise it asks for, and its verdicts are true."""

import re
from dataclasses import replace

import mpmath
import numpy as np
import pytest

from dpcore import calibrations, gaussian, staircase
from dpcore.calibrations import (
    ANALYTIC,
    CALIBRATIONS,
    CLASSICAL,
    CLASSICAL_TIGHT,
    FAILS,
    FLOOR,
    GAUSSIAN,
    GENERALIZED_GAUSSIAN,
    LAPLACE,
    LOWER,
    PROVED,
    PURE,
    PURE_DP,
    SILENT,
    STAIRCASE,
    TRUNCATED_GEOMETRIC,
    TRUNCATED_LAPLACE,
    UNDEFINED,
    WITHIN,
)
from dpcore.checks import inside
from dpcore.generalized_gaussian import pdp_delta_from_scale

EPSILONS = np.array([0, 5e-324, 9e-13, 1e-12, 1e-6, 0.3, 1 - 2**-53, 1, 2, 8.4, 8.5, 50, 1e3, 1e6, 1.1e6, np.inf])
DELTAS = np.array([1e-300, 1e-100, 1e-17, 1e-5, 0.05, 0.3, 0.5, 0.7, 0.99, 1 - 2**-53])[:, None]
WORDS = {PROVED, WITHIN, FAILS, FLOOR, SILENT, UNDEFINED}
SOLVED_FOR_EPSILON = {
    "generalized_gaussian adp",
    "truncated_laplace truncated_laplace",
    *(f"{pure.family} {pure.key}" for pure in PURE),
}
SOLVED_FOR_EPSILON |= {f"gaussian {key}" for key in ("analytic", "classical", "classical_tight", "pdp")}
SOLVED_FOR_DELTA = {f"gaussian {key}" for key in ("analytic", "classical", "pdp", "exact_pdp")}
SOLVED_FOR_DELTA |= {f"generalized_gaussian {key}" for key in ("adp", "exact_pdp")}
SOLVED_FOR_DELTA |= {"truncated_laplace truncated_laplace"}
for_each_calibration = pytest.mark.parametrize(
    "calibration", CALIBRATIONS, ids=lambda calibration: f"{calibration.family}-{calibration.key}"
)


def noise_of(calibration, sensitivity=1.0, p=1.7):
    """Return the arguments that a calibration takes after (ε, δ)."""
    return (p, sensitivity) if calibration.family == "generalized_gaussian" else (sensitivity,)


def test_every_calibration_has_its_own_key_in_its_family_and_a_name_of_its_own():
    assert len({(calibration.family, calibration.key) for calibration in CALIBRATIONS}) == len(CALIBRATIONS)
    assert len({listed.name for listed in CALIBRATIONS}) == len(CALIBRATIONS)
    assert (*GAUSSIAN, *PURE, *GENERALIZED_GAUSSIAN, TRUNCATED_LAPLACE) == CALIBRATIONS
    assert {pure.guarantee for pure in PURE} == {PURE_DP}
    assert [listed for listed in CALIBRATIONS if listed.floor] == [LOWER]


@for_each_calibration
@pytest.mark.parametrize("sensitivity", [1, 3])
def test_each_setting_has_a_verdict_and_numbers_where_there_is_one(calibration, sensitivity):
    if calibration.family == "generalized_gaussian":
        sensitivity = min(sensitivity, 1.7)  # at ε = 0 and δ = 1e-300 the scale of a larger one is beyond 1e300
    shapes = (1.0, 1.7, 2.0, 20.0) if calibration.family == "generalized_gaussian" else (1.0,)
    for p in shapes:
        verdict = calibration.verdict(EPSILONS, DELTAS, *noise_of(calibration, sensitivity, p))
        assert verdict.status.shape == verdict.true_delta.shape == verdict.scale.shape == (DELTAS.size, EPSILONS.size)
        assert set(np.unique(verdict.status)) <= WORDS
        none = (verdict.status == UNDEFINED) | (verdict.status == SILENT)
        assert np.array_equal(np.isnan(verdict.true_delta), none)
        assert np.array_equal(np.isnan(verdict.scale), none)
        assert np.all(verdict.scale[~none] > 0)
        assert np.array_equal(
            verdict.status == UNDEFINED, np.broadcast_to(~inside(EPSILONS, calibration.domain), none.shape)
        )


@for_each_calibration
def test_a_proved_guarantee_is_never_shown_broken_and_is_none_before_it_is_cut(calibration):
    epsilon, delta = EPSILONS[inside(EPSILONS, calibration.proved) & inside(EPSILONS, calibration.domain)], DELTAS
    verdict = calibration.verdict(epsilon, delta, *noise_of(calibration))
    if calibration.floor:
        return
    assert set(np.unique(verdict.status)) == {PROVED}
    target = np.zeros_like(verdict.scale) if calibration.guarantee == PURE_DP else delta
    assert np.all(verdict.true_delta <= target)
    uncut = calibration.true_delta(epsilon, verdict.scale, *noise_of(calibration))
    ordinary = (delta >= 1e-17) & (epsilon >= 1e-6) & (epsilon <= 1e3)  # elsewhere δ is too steep in the scale
    assert np.all(uncut[ordinary] <= np.broadcast_to(target, uncut.shape)[ordinary] * (1 + 1e-10))


@for_each_calibration
def test_the_true_delta_is_that_of_the_noise_and_less_noise_violates_the_guarantee(calibration):
    if calibration.guarantee == calibrations.PROBABILISTIC_DP or calibration.floor:
        return  # their noise has room below (ε, δ)-DP, or none
    epsilon, delta = np.array([0.3, 0.9]), 1e-5
    less = replace(calibration, proved="[0, 0]", scale=lambda *setting: 0.4 * calibration.scale(*setting))
    verdict = less.verdict(epsilon, delta, *noise_of(calibration))
    assert set(verdict.status) == {FAILS}
    assert np.all(verdict.true_delta > delta)
    unproved = replace(calibration, proved="[0, 0]", scale=lambda *setting: 1.01 * calibration.scale(*setting))
    assert set(unproved.verdict(epsilon, delta, *noise_of(calibration)).status) == {WITHIN}


@pytest.mark.parametrize("calibration", [CLASSICAL, CLASSICAL_TIGHT], ids=lambda calibration: calibration.key)
def test_the_classical_verdict_is_that_of_the_definition_by_mpmath(calibration):
    for epsilon in (0.999, 1.0, 3.0, 8.3, 8.5, 30.0):
        verdict = calibration.verdict(epsilon, 1e-5)
        with mpmath.workdps(40):
            mu = 1 / mpmath.mpf(float(verdict.scale))
            high, low = mu / 2 - epsilon / mu, -mu / 2 - epsilon / mu
            true = mpmath.ncdf(high) - mpmath.exp(epsilon) * mpmath.ncdf(low)
        assert float(verdict.true_delta) == pytest.approx(float(true), rel=1e-12)
        assert str(verdict.status) == (PROVED if epsilon < 1 else WITHIN if true <= 1e-5 else FAILS)


def test_the_lower_bound_is_a_floor_or_silent_and_its_noise_satisfies_no_guarantee():
    verdict = LOWER.verdict([1.0, 1.0, 0.0], [1e-6, 0.4, 0.1])
    assert verdict.status.tolist() == [FLOOR, SILENT, UNDEFINED]
    assert verdict.true_delta[0] > 1e-6


def test_pure_guarantees_take_a_delta_of_0_and_others_refuse_it():
    for calibration in PURE:
        verdict = calibration.verdict(0.5, 0.0)
        assert (str(verdict.status), float(verdict.true_delta)) == (PROVED, 0)
        assert calibration.scale(0.5, np.full((2, 1), 0.1), [1, 2, 3]).shape == (2, 3)
    with pytest.raises(ValueError, match=re.escape("delta must be in [1e-300, 1), got 0")):
        ANALYTIC.verdict(0.5, 0.0)


@for_each_calibration
def test_the_inverses_give_back_epsilon_and_delta_or_say_that_there_is_none(calibration):
    rng = np.random.default_rng(1)
    epsilon, delta = 10 ** rng.uniform(-2, 1, 50), 10 ** rng.uniform(-9, -1, 50)
    noise = noise_of(calibration, 2.0)
    scale = calibration.scale(epsilon, delta, *noise)
    name = f"{calibration.family} {calibration.key}"
    solved = {"epsilon": name in SOLVED_FOR_EPSILON, "delta": name in SOLVED_FOR_DELTA}
    for quantity, argument, expected in (("epsilon", delta, epsilon), ("delta", epsilon, delta)):
        inverse = getattr(calibration, quantity)
        if solved[quantity]:
            assert inverse(argument, scale, *noise) == pytest.approx(expected, rel=1e-8)
        else:
            with pytest.raises(ValueError, match=r"^calibration must be in those whose formula is solved for this"):
                inverse(argument, scale, *noise)


def test_mechanisms_that_guarantee_probabilistic_dp_satisfy_it():
    epsilon, delta = np.array([0.01, 0.5, 3.0, 40.0]), np.array([[1e-9], [1e-3], [0.2]])
    for calibration in CALIBRATIONS:
        if calibration.guarantee == calibrations.PROBABILISTIC_DP:
            scale = calibration.scale(epsilon, delta, *noise_of(calibration))
            if calibration.family == "gaussian":
                pdp_delta = gaussian.pdp_delta_from_sigma(epsilon, scale)
            else:
                pdp_delta = pdp_delta_from_scale(epsilon, scale, *noise_of(calibration))
            assert np.all(pdp_delta <= delta * (1 + 1e-10))


def test_a_staircase_has_the_delta_of_its_steps_however_small_its_epsilon():
    delta = STAIRCASE.true_delta(0.1, LAPLACE.scale(0.2, 0.0, 3.0), 3.0)
    assert delta == pytest.approx(staircase.delta_from_theta(0.1, 0.2, staircase.variance_gamma(0.2)), rel=1e-12)
    assert str(STAIRCASE.verdict(1e-12, 0.0, 1e100).status) == PROVED


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: ANALYTIC.verdict(-1, 0.1), "epsilon must be in [0, inf], got -1"),
        (lambda: ANALYTIC.verdict(1, 1), "delta must be in [0, 1), got 1"),
        (lambda: LAPLACE.verdict(1, 0.1, 0), "l1_sensitivity must be in [1e-100, 1e100], got 0"),
        (lambda: LAPLACE.scale(1, 2), "delta must be in [0, 1), got 2"),
    ],
)
def test_bad_input_is_refused_in_one_sentence(call, sentence):
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        call()


@pytest.mark.parametrize("calibration", PURE, ids=lambda calibration: calibration.key)
def test_a_pure_guarantee_is_broken_by_any_delta_at_all(calibration):
    less = replace(calibration, proved="[0, 0]", scale=lambda *setting: 0.99 * calibration.scale(*setting))
    verdict = less.verdict([0.3, 5.0], 0.5, 2)
    assert set(verdict.status) == {FAILS}
    assert np.all((verdict.true_delta > 0) & (verdict.true_delta < 0.5))


def test_the_epsilon_of_a_bound_is_0_for_uniform_noise_and_none_for_less_than_the_sensitivity():
    assert TRUNCATED_LAPLACE.epsilon(0.01, [50.0, 60.0, 4.46492, 0.9]).round(4).tolist() == [0, 0, 1, np.inf]


def test_truncated_geometric_noise_is_proved_and_its_true_delta_is_at_most_the_target():
    epsilon, delta = np.array([0.0, 0.1, 1.0, 5.0]), np.array([0.3, 0.01, 1e-4])[:, None]
    for sensitivity in (1, 3):
        verdict = TRUNCATED_GEOMETRIC.verdict(epsilon, delta, sensitivity)
        assert set(np.unique(verdict.status)) == {PROVED}
        assert np.all((verdict.true_delta <= delta) & (verdict.true_delta > 0) & (verdict.scale >= sensitivity))
