"""The mechanism of a scale, or of a half-width: the guarantee that follows from the noise."""

from dataclasses import replace

import numpy as np

from dpcore.accuracy import ACCURACY_RANGE, RULES, epsilon_for
from dpcore.calibrations import (
    GEOMETRIC,
    UNDEFINED,
    Calibration,
)
from dpcore.checks import (
    EPSILON_RANGE,
    PURE_DELTA_RANGE,
    SIGNIFICANCE_RANGE,
    interval_bounds,
    option,
    scalar,
)
from dpcore.mechanism.choices import calibrated, mechanism_at, shape_and_sensitivity
from dpcore.mechanism.record import Mechanism

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
    verdict = calibration.verdict(max(epsilon, calibration.least_epsilon), delta, *p)
    return mechanism_at(
        calibration, epsilon, delta, (*p, sensitivity), scale, str(verdict.status), float(verdict.true_delta)
    )


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
        return mechanism_at(calibration, epsilon, delta, (sensitivity,), np.nan, UNDEFINED, np.nan)
    return replace(
        calibrated(calibration, max(epsilon, calibration.least_epsilon), delta, sensitivity), epsilon=epsilon
    )
