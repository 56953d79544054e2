"""The mechanism of a calibration or of noise: for (ε, δ), for a scale, or for a half-width."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np

from dpcore import geometric, staircase, truncated_geometric, truncated_laplace
from dpcore.accuracy import ACCURACY_RANGE, RULES, epsilon_for
from dpcore.calibrations import GEOMETRIC, PROVED, PURE_DP, STAIRCASE_MEAN, UNDEFINED, Calibration, Verdict, verdicts
from dpcore.checks import (
    DELTA_RANGE,
    EPSILON_RANGE,
    PURE_DELTA_RANGE,
    SENSITIVITY_RANGE,
    SHAPE_RANGE,
    SIGNIFICANCE_RANGE,
    interval_bounds,
    option,
    scalar,
    scalar_integer,
)
from dpcore.families import FAMILIES
from dpcore.mechanism.record import Mechanism

_NO_ANSWER = Verdict(np.array(UNDEFINED), np.array(np.nan), np.array(np.nan))


def calibrated(calibration: Calibration, epsilon: float, delta: float, *noise: float) -> Mechanism:
    """Return the mechanism of a calibration at (ε, δ).

    Parameters
    ----------
    calibration : one of `dpcore.calibrations`.
    epsilon : in [0, 1e6].
    delta : in [0, 1); not used where the guarantee is ε-DP.
    *noise : the sensitivity in [1e-100, 1e100], 1 if it is left out, a whole number in [1, 1e15] for geometric noise;
        for generalized Gaussian noise its shape p in [1, 100] before it.

    Returns
    -------
    Its scale is NaN where the formula has no answer, and where the noise is outside what a double can hold; the status
    is then `UNDEFINED`, or `SILENT` for a lower bound.

    Examples
    --------
    >>> from dpcore.calibrations import CLASSICAL
    >>> mechanism = calibrated(CLASSICAL, 10, 1e-5)
    >>> print(f"σ = {mechanism.scale:.4f}, ±{mechanism.half_width(0.05):.3f}: {mechanism.status}")
    σ = 0.4845, ±0.950: fails
    """
    epsilon, delta = scalar("epsilon", epsilon, EPSILON_RANGE), scalar("delta", delta, PURE_DELTA_RANGE)
    p, sensitivity = shape_and_sensitivity(calibration, noise)
    return _calibrated(calibration, epsilon, delta, *p, sensitivity)


@lru_cache(256)  # a page compares a mechanism that it also recommends
def _calibrated(calibration: Calibration, epsilon: float, delta: float, *noise: float) -> Mechanism:
    return calibrated_by_each((calibration,), epsilon, delta, *noise)[0]


def calibrated_by_each(
    calibrations: Sequence[Calibration], epsilon: float, delta: float, *noise: float
) -> tuple[Mechanism, ...]:
    """Return `calibrated` of each of several calibrations that have one family and their true δ by one function.

    That takes less time than as many calls, since the true δ of all is computed at once. Arguments and errors are those
    of `calibrated`; `calibrations` has at least one.

    Examples
    --------
    >>> from dpcore.calibrations import ANALYTIC, CLASSICAL
    >>> [f"{mechanism.scale:.4f}" for mechanism in calibrated_by_each((ANALYTIC, CLASSICAL), 10, 1e-5)]
    ['0.4999', '0.4845']
    """
    epsilon, delta = scalar("epsilon", epsilon, EPSILON_RANGE), scalar("delta", delta, PURE_DELTA_RANGE)
    p, sensitivity = shape_and_sensitivity(calibrations[0], noise)
    is_of_sum = calibrations[0].family == "truncated_geometric"  # δ depends on more than scale/sensitivity
    if epsilon < min(calibration.least_epsilon for calibration in calibrations) or (
        is_of_sum and not _has_bound(epsilon, delta, sensitivity)
    ):
        return tuple(mechanism_at(own, epsilon, delta, (*p, sensitivity), _NO_ANSWER) for own in calibrations)
    of_verdict = (*p, sensitivity if is_of_sum else 1.0)
    judged = zip(calibrations, verdicts(calibrations, epsilon, delta, *of_verdict), strict=True)
    has_scale = sensitivity == of_verdict[-1]
    return tuple(_with_verdict(own, epsilon, delta, (*p, sensitivity), verdict, has_scale) for own, verdict in judged)


def _with_verdict(
    calibration: Calibration, epsilon: float, delta: float, noise: tuple[float, ...], verdict: Verdict, has_scale: bool
) -> Mechanism:
    """Return the mechanism of a calibration whose verdict is known, and its scale too where `has_scale` says so."""
    try:
        if not has_scale and not np.isnan(verdict.scale):
            verdict = replace(verdict, scale=calibration.scale(epsilon, delta, *noise))
        mechanism = mechanism_at(calibration, epsilon, delta, noise, verdict)
        mechanism.tail(0.0)  # refuses a scale beyond what the functions of the family take
    except ValueError:
        return mechanism_at(calibration, epsilon, delta, noise, _NO_ANSWER)
    return mechanism


def proved(
    calibration: Calibration, epsilon: float, delta: float, scale: float, parameters: tuple[float, ...]
) -> Mechanism:
    """Return a mechanism whose scale was solved for elsewhere, and whose guarantee the calibration's theorem proves.

    Parameters
    ----------
    calibration : of `dpcore.calibrations`; the mechanism has its name, and its family for a key.
    epsilon, delta : of the guarantee, ε in nats.
    scale : in query units.
    parameters : the arguments with which the functions of the family describe the noise.

    Examples
    --------
    >>> from dpcore.calibrations import DISCRETE_GAUSSIAN
    >>> mechanism = proved(DISCRETE_GAUSSIAN, 1.0, 1e-6, 4.2308, (4.2308,))
    >>> mechanism.key, mechanism.half_width(0.05)
    ('discrete_gaussian', 8.0)
    """
    return Mechanism(
        key=calibration.family,
        name=calibration.name,
        family=calibration.family,
        parameters=parameters,
        scale=scale,
        guarantee=calibration.guarantee,
        epsilon=epsilon,
        delta=delta,
        theorem=calibration.theorem,
        status=PROVED,
        true_delta=delta,
    )


def _has_bound(epsilon: float, delta: float, sensitivity: float) -> bool:
    """Return whether truncated geometric noise of (ε, δ)-DP has a bound of whole numbers that are summed."""
    most = interval_bounds(truncated_geometric.TRUNCATION_RANGE)[1]
    delta = scalar("delta", delta, DELTA_RANGE)
    return sensitivity < most and float(truncated_laplace.bound_from_epsilon(epsilon, delta, sensitivity)) < most - 1


def shape_and_sensitivity(calibration: Calibration, noise: tuple[float, ...]) -> tuple[tuple[float, ...], float]:
    """Return the shape p, where the family has one, and the sensitivity."""
    n_shapes = int(calibration.norm == "lp")
    (sensitivity,) = noise[n_shapes:] or (1.0,)
    if calibration.whole:
        sensitivity = scalar_integer("sensitivity", sensitivity, geometric.SENSITIVITY_RANGE)
    return tuple(scalar("p", p, SHAPE_RANGE) for p in noise[:n_shapes]), scalar(
        "sensitivity", sensitivity, SENSITIVITY_RANGE
    )


def mechanism_at(
    calibration: Calibration, epsilon: float, delta: float, noise: tuple[float, ...], verdict: Verdict
) -> Mechanism:
    """Return the mechanism of a calibration at a scale whose verdict is known."""
    scale = float(verdict.scale)
    parameters: tuple[float, ...] = (scale,)
    if calibration.family == "staircase":
        gamma_of = staircase.mean_error_gamma if calibration.key == STAIRCASE_MEAN.key else staircase.variance_gamma
        parameters = (epsilon, float(gamma_of(max(epsilon, calibration.least_epsilon))), noise[-1])
    elif calibration.family == "generalized_gaussian":
        parameters = (scale, noise[0])
    elif FAMILIES[calibration.family].truncated and not np.isnan(scale):
        parameters = (scale, float(FAMILIES[calibration.family].functions.scale_from_epsilon(epsilon, noise[-1])))
    known_delta = 0.0 if calibration.guarantee == PURE_DP else delta
    mechanism = proved(calibration, epsilon, known_delta, scale, parameters)
    return replace(mechanism, key=calibration.key, status=str(verdict.status), true_delta=float(verdict.true_delta))


_MOST_STEPS = 1e50  # the greatest half-width for which the exact geometric ε is solved; no count is beyond it


def of_scale(calibration: Calibration, delta: float, scale: float, *noise: float) -> Mechanism:
    """Return the mechanism of a scale, with the ε at which a calibration requires this scale at δ.

    Parameters
    ----------
    calibration : one of `dpcore.calibrations` whose formula is solved for ε.
    delta : in [0, 1); not used where the guarantee is ε-DP.
    scale : σ, b or s, in query units, in the domain of the calibration's formula.
    *noise : as in `calibrated`.

    Returns
    -------
    Its status and true δ are those of `Calibration.verdict` at that ε: "undefined" and NaN above 1e6, and as at
    `least_epsilon` below that.

    Examples
    --------
    >>> from dpcore.calibrations import ANALYTIC
    >>> mechanism = of_scale(ANALYTIC, 1e-6, 1.4142)
    >>> print(f"ε = {mechanism.epsilon:.3f}, {mechanism.status}")
    ε = 3.308, proved
    """
    delta, scale = scalar("delta", delta, PURE_DELTA_RANGE), scalar("scale", scale, "(0, inf)")
    p, sensitivity = shape_and_sensitivity(calibration, noise)
    epsilon = float(calibration.epsilon(delta, scale, *p, sensitivity))
    verdict = replace(calibration.verdict(max(epsilon, calibration.least_epsilon), delta, *p), scale=np.asarray(scale))
    return mechanism_at(calibration, epsilon, delta, (*p, sensitivity), verdict)


def of_half_width(
    calibration: Calibration, half_width: float, significance: float, delta: float, sensitivity: float = 1.0
) -> Mechanism:
    """Return the mechanism of the least ε at which a share 1 − α of releases stays within a wanted half-width.

    Parameters
    ----------
    calibration : one of `dpcore.accuracy.RULES`.
    half_width : a in [1e-100, 1e100], in query units.
    significance : α in [1e-300, 1).
    delta : in [0, 1); not used where the guarantee is ε-DP.
    sensitivity : in [1e-100, 1e100], a whole number in [1, 1e15] for geometric noise.

    Returns
    -------
    Its half-width is at most the wanted one, but for `GEOMETRIC_PUBLISHED`, whose formula falls short of some. Its ε is
    NaN where a double can't hold it; above 1e6 there is no mechanism and the scale is NaN; below `least_epsilon` the
    mechanism is that of `least_epsilon`.

    Examples
    --------
    >>> from dpcore.calibrations import CLASSICAL
    >>> mechanism = of_half_width(CLASSICAL, 0.5, 0.05, 1e-6)
    >>> print(f"ε = {mechanism.epsilon:.2f}, ±{mechanism.half_width(0.05):.3f}: {mechanism.status}")
    ε = 20.77, ±0.500: fails
    """
    option("calibration", calibration.key, tuple(rule.key for rule in RULES))
    half_width = scalar("half_width", half_width, ACCURACY_RANGE)
    significance = scalar("significance", significance, SIGNIFICANCE_RANGE)
    delta = scalar("delta", delta, PURE_DELTA_RANGE)
    _, sensitivity = shape_and_sensitivity(calibration, (sensitivity,))
    aim = min(half_width, _MOST_STEPS) if calibration is GEOMETRIC else half_width
    try:
        epsilon = float(epsilon_for(calibration, aim, significance, sensitivity, delta))
    except ValueError:
        epsilon = np.nan
    if not epsilon <= interval_bounds(EPSILON_RANGE)[1]:
        return mechanism_at(calibration, epsilon, delta, (sensitivity,), _NO_ANSWER)
    return replace(
        calibrated(calibration, max(epsilon, calibration.least_epsilon), delta, sensitivity), epsilon=epsilon
    )
