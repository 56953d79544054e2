"""The half-width of a calibration's noise at ε, the ε, sensitivity or number of records that meets a wanted one.

A calibration is a record of `dpcore.calibrations`, one of `RULES`; its sensitivity is in the norm that `norm` names, a
whole number where `whole` says so. A guarantee of pure ε-DP does not use `delta`. Arguments broadcast. What is found is
rounded so that a release really reaches the accuracy.
"""

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore import staircase, truncated_laplace
from dpcore.accuracy.formulas import (
    ACCURACY_RANGE,
    MARGIN,
    gaussian_accuracy,
    gaussian_sigma_from_accuracy,
    geometric_accuracy,
    geometric_epsilon,
    geometric_published_accuracy,
    geometric_published_epsilon,
    laplace_accuracy,
    laplace_epsilon,
    staircase_accuracy,
    staircase_epsilon,
)
from dpcore.calibrations import (
    ANALYTIC,
    CLASSICAL,
    CLASSICAL_TIGHT,
    GEOMETRIC,
    GEOMETRIC_PUBLISHED,
    LAPLACE,
    PDP,
    STAIRCASE,
    STAIRCASE_MEAN,
    TRUNCATED_LAPLACE,
    Calibration,
)
from dpcore.checks import (
    DELTA_RANGE,
    EPSILON_RANGE,
    POSITIVE_EPSILON_RANGE,
    PURE_DELTA_RANGE,
    SENSITIVITY_RANGE,
    SIGNIFICANCE_RANGE,
    Array,
    interval_bounds,
    number,
    refuse,
)
from dpcore.families import FAMILIES
from dpcore.roots import bisect, positive_mean
from dpcore.rounding import round_up

_RULES = (
    LAPLACE,
    STAIRCASE,
    STAIRCASE_MEAN,
    GEOMETRIC,
    GEOMETRIC_PUBLISHED,
    ANALYTIC,
    PDP,
    CLASSICAL_TIGHT,
    CLASSICAL,
    TRUNCATED_LAPLACE,
)
RULES = (*_RULES, *(own.calibration for own in FAMILIES.values() if own.pure and own.calibration not in _RULES))
"""The calibrations that a release may use, and that have an ε for a half-width."""
_PURE = {
    LAPLACE.key: (laplace_accuracy, laplace_epsilon),
    STAIRCASE.key: (staircase_accuracy, staircase_epsilon),
    STAIRCASE_MEAN.key: (
        partial(staircase_accuracy, gamma_of=staircase.mean_error_gamma),
        partial(staircase_epsilon, gamma_of=staircase.mean_error_gamma),
    ),
    GEOMETRIC.key: (geometric_accuracy, geometric_epsilon),
    GEOMETRIC_PUBLISHED.key: (geometric_published_accuracy, geometric_published_epsilon),
}


def half_width(
    calibration: Calibration,
    epsilon: ArrayLike,
    significance: ArrayLike,
    sensitivity: ArrayLike = 1.0,
    delta: ArrayLike = 0.0,
) -> Array:
    """Return the half-width of a share 1 − α of releases, of the noise that the calibration requires at ε.

    Parameters
    ----------
    calibration : one of `RULES`.
    epsilon : where the calibration's `domain` is, in nats.
    significance : α in [1e-300, 1).
    sensitivity : in [1e-100, 1e100], in query units; a whole number in [1, 1e15] for geometric noise.
    delta : in [1e-300, 1); in [0, 1) and unused where the guarantee is ε-DP.

    Returns
    -------
    a in query units, rounded up.

    Examples
    --------
    >>> f"{half_width(LAPLACE, 1, 0.05):.3f}, {half_width(ANALYTIC, 1, 0.05, 1, 1e-6):.3f}"
    '2.996, 8.280'
    """
    if calibration.family == "gaussian":
        return gaussian_accuracy(calibration.scale(epsilon, delta, sensitivity), significance)
    if calibration is TRUNCATED_LAPLACE:
        return _truncated_half_width(epsilon, delta, significance, sensitivity)
    formula, _ = _pure_formulas(calibration)
    number("delta", delta, PURE_DELTA_RANGE)
    return formula(*np.broadcast_arrays(epsilon, significance, sensitivity, delta)[:3])[()]


def epsilon_for(
    calibration: Calibration,
    accuracy: ArrayLike,
    significance: ArrayLike,
    sensitivity: ArrayLike = 1.0,
    delta: ArrayLike = 0.0,
) -> Array:
    """Return the least ε at which `half_width` is at most a: the inverse of `half_width`.

    Parameters
    ----------
    calibration : one of `RULES`.
    accuracy : a in [1e-100, 1e100], in query units; in [0, 1e50] for `GEOMETRIC`.
    significance, sensitivity, delta : as in `half_width`.

    Returns
    -------
    ε in nats, rounded up; it may be above the 1e6 that a calibration takes, and it is ∞ where noise without a formula
    of its own reaches the accuracy at no ε up to there. `GEOMETRIC_PUBLISHED` does not always reach an accuracy that is
    no whole number.

    Examples
    --------
    >>> [f"{rule.name}: {epsilon_for(rule, 3, 0.05, 1, 1e-6):.4f}" for rule in (LAPLACE, GEOMETRIC, ANALYTIC)]
    ['Laplace: 0.9986', 'Geometric, exact: 0.8319', 'Analytic Gaussian: 3.0288']
    """
    if calibration.family == "gaussian":
        sigma = gaussian_sigma_from_accuracy(number("accuracy", accuracy, ACCURACY_RANGE), significance)
        return calibration.epsilon(delta, sigma * (1 - MARGIN), number("sensitivity", sensitivity, SENSITIVITY_RANGE))
    if calibration is TRUNCATED_LAPLACE:
        return _truncated_epsilon(accuracy, significance, sensitivity, delta)
    _, formula = _pure_formulas(calibration)
    number("delta", delta, PURE_DELTA_RANGE)
    return formula(*np.broadcast_arrays(accuracy, significance, sensitivity, delta)[:3])[()]


def _truncated_half_width(
    epsilon: ArrayLike, delta: ArrayLike, significance: ArrayLike, sensitivity: ArrayLike = 1.0
) -> Array:
    bound = truncated_laplace.bound_from_epsilon(epsilon, delta, sensitivity)
    scale = truncated_laplace.scale_from_epsilon(epsilon, sensitivity)
    return truncated_laplace.half_width(significance, bound, scale)


def _truncated_epsilon(accuracy: ArrayLike, significance: ArrayLike, sensitivity: ArrayLike, delta: ArrayLike) -> Array:
    """By bisection from 0 to the ε of Laplace noise, whose half-width is larger at every ε."""
    most = np.asarray(laplace_epsilon(accuracy, significance, sensitivity))
    delta, significance = number("delta", delta, DELTA_RANGE), number("significance", significance, SIGNIFICANCE_RANGE)
    ratio = number("accuracy", accuracy, ACCURACY_RANGE) / number("sensitivity", sensitivity, SENSITIVITY_RANGE)
    low, high, *_ = np.broadcast_arrays(0.0, most, delta)

    def is_enough(epsilon: Array) -> NDArray[np.bool_]:
        at = np.minimum(epsilon, interval_bounds(EPSILON_RANGE)[1])
        return _truncated_half_width(at, delta, significance) <= ratio * (1 - MARGIN)

    least = bisect(is_enough, low, high, 120, positive_mean)[1]
    return np.where(is_enough(low), 0.0, least)[()]


def _pure_formulas(calibration: Calibration) -> tuple[Callable[..., Array], Callable[..., Array]]:
    if calibration in RULES:
        return _PURE.get(calibration.key) or (partial(_half_width, calibration), partial(_epsilon, calibration))
    raise ValueError(f"calibration must be in {', '.join(rule.key for rule in RULES)}, got {calibration.key}")


def _half_width(calibration: Calibration, epsilon: Array, significance: Array, sensitivity: Array) -> Array:
    """The half-width of noise of ε-DP without a formula of its own."""
    scale = calibration.scale(epsilon, 0.0, sensitivity)
    return FAMILIES[calibration.family].functions.half_width(significance, scale)


def _epsilon(calibration: Calibration, accuracy: Array, significance: Array, sensitivity: Array) -> Array:
    """The least ε of that half-width, by bisection; ∞ where none up to the largest ε reaches it."""
    low, high = (np.broadcast_to(end, np.shape(accuracy)) for end in interval_bounds(POSITIVE_EPSILON_RANGE))

    def reached(epsilon: Array) -> NDArray[np.bool_]:
        return _half_width(calibration, epsilon, significance, sensitivity) <= accuracy * (1 - MARGIN)

    return np.where(reached(high), bisect(reached, low, high, 120, positive_mean)[1], np.inf)


def greatest_sensitivity(
    calibration: Calibration,
    accuracy: ArrayLike,
    epsilon: ArrayLike,
    significance: ArrayLike,
    delta: ArrayLike = 0.0,
) -> Array:
    """Return the largest sensitivity at which a calibration reaches a wanted accuracy at ε, since a grows with it.

    Parameters
    ----------
    calibration : one of `RULES`.
    accuracy : a in [1e-100, 1e100], in query units.
    epsilon, significance, delta : as in `half_width`.

    Returns
    -------
    Sensitivity in query units, rounded down, at most 1e100; for whole-numbered noise the largest whole one, at most
    1e15, and 0 if there is none.

    Examples
    --------
    >>> f"{greatest_sensitivity(LAPLACE, 3, 1, 0.05):.4f}, {greatest_sensitivity(GEOMETRIC, 7, 1, 0.05):.0f}"
    '1.0014, 2'
    """
    accuracy = number("accuracy", accuracy, ACCURACY_RANGE)
    if calibration.whole:
        reached = np.floor(accuracy) if calibration is GEOMETRIC_PUBLISHED else accuracy
        none = reached == 0  # the published formula has no answer within ±0
        allowed = epsilon_for(calibration, np.where(none, 1.0, reached), significance, 1, delta)
        most = np.floor(number("epsilon", epsilon, EPSILON_RANGE) / allowed)
        return np.where(none, 0.0, np.minimum(most, 1e15))[()]
    with np.errstate(over="ignore"):
        most = accuracy / half_width(calibration, epsilon, significance, 1.0, delta) * (1 - MARGIN)
    return np.minimum(most, 1e100)


def least_records(
    calibration: Calibration,
    accuracy: ArrayLike,
    epsilon: ArrayLike,
    significance: ArrayLike,
    width: ArrayLike,
    delta: ArrayLike = 0.0,
) -> Array:
    """Return the least n for which the mean of n records is accurate to ±a.

    Of records on a range of this width the mean has sensitivity width/n.

    Parameters
    ----------
    calibration : one of `RULES` that takes any sensitivity: a mean is no whole number.
    accuracy : a in [1e-100, 1e100], in query units.
    epsilon, significance, delta : as in `half_width`.
    width : hi − lo in [1e-30, 1e30], in query units; 1 for a proportion.

    Returns
    -------
    n, a whole number ≥ 1, rounded up: a double, exact below 2⁵³; more than 1e300 records are refused.

    Examples
    --------
    >>> from dpcore.calibrations import LAPLACE
    >>> print(least_records(LAPLACE, 0.01, 0.5, significance=0.05, width=1))  # a proportion to ±1 %
    600.0
    """
    if calibration.whole:
        raise ValueError(f"calibration must be in those of any sensitivity, got {calibration.key}")
    width = number("width", width, "[1e-30, 1e30]")
    accuracy = number("accuracy", accuracy, ACCURACY_RANGE)
    with np.errstate(divide="ignore", over="ignore"):
        most = greatest_sensitivity(calibration, accuracy, epsilon, significance, delta)
        n = np.maximum(np.ceil(width / most), 1)
    refuse("accuracy", accuracy, n > 1e300, "what fewer than 1e300 records reach")
    return np.where(n < 2**53, n, round_up(n))[()]
