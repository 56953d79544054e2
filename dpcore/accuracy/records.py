"""The number of records that a mean or proportion needs for a target error."""

import numpy as np
from numpy.typing import ArrayLike

from dpcore.accuracy.by_calibration import greatest_sensitivity
from dpcore.accuracy.formulas import (
    ACCURACY_RANGE,
)
from dpcore.calibrations import (
    Calibration,
)
from dpcore.checks import (
    Array,
    number,
    refuse,
)
from dpcore.rounding import round_up


def least_records(
    calibration: Calibration,
    accuracy: ArrayLike,
    epsilon: ArrayLike,
    significance: ArrayLike,
    width: ArrayLike,
    delta: ArrayLike = 0.0,
) -> Array:
    """Return the least n for which the mean of n records on a range of this width, of sensitivity width/n,
    is accurate to ±a.

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
