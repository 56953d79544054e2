"""The size of generalized Gaussian noise, and the noise that a guarantee requires at one setting.

ε is in nats; Δ, b and sizes are in query units (the variance in squared ones). Arguments broadcast; scales are rounded
up.
"""

import numpy as np
from numpy.typing import ArrayLike

from dpcore.checks import SHAPE_RANGE, SIGNIFICANCE_RANGE, Array, leave_out, number, option, or_default
from dpcore.generalized_gaussian.distribution import half_width, mean_absolute_error, variance
from dpcore.rounding import round_up

SIZES = ("scale", "deviation", "mean_error", "accuracy")
_POWERS = {"scale": 1, "deviation": 1, "variance": 2, "mean_error": 1, "accuracy": 1}


def size(measure: str, scale: ArrayLike, p: ArrayLike, significance: ArrayLike | None = None) -> Array:
    """Return the size of noise of shape p and scale b: b^k s(p), with s(p) the size for b = 1.

    Parameters
    ----------
    measure : "scale" (s = 1), "deviation" (s² = Γ(3/p)/Γ(1/p)), "mean_error" (s = Γ(2/p)/Γ(1/p)), "accuracy" (s with
        Pr(|X| > s) = α for b = 1), for all of which k = 1; or "variance", for which k = 2.
    p : shape, in [1, 100].
    scale : b > 0, in query units.
    significance : α of "accuracy" alone, in [1e-300, 1); 0.05 by default.

    Returns
    -------
    The size in query units (squared for the variance), above the true value by a relative 1e-13 at most and not below
    it; infinite where a double can't hold it.

    Examples
    --------
    >>> [f"{size(measure, np.sqrt(2), 2):.4f}" for measure in ("deviation", "mean_error", "accuracy")]  # N(0, 1)
    ['1.0000', '0.7979', '1.9600']
    """
    scale = number("scale", scale, "(0, inf]")
    with np.errstate(over="ignore", under="ignore"):
        return scale ** power_of(measure) * unit_size(measure, p, significance)


def power_of(measure: str) -> int:
    """Return the power k with which a size grows with b: 2 for "variance", else 1.

    Examples
    --------
    >>> power_of("variance"), power_of("accuracy")
    (2, 1)
    """
    option("measure", measure, tuple(_POWERS))
    return _POWERS[measure]


def unit_size(measure: str, p: ArrayLike, significance: ArrayLike | None = None) -> Array:
    """Return the size of noise of b = 1, as in `size`.

    Examples
    --------
    >>> [f"{unit_size('variance', p):.2f}" for p in (1, 2)]
    ['2.00', '0.50']
    """
    option("measure", measure, tuple(_POWERS))
    p = number("p", p, SHAPE_RANGE)
    if measure == "accuracy":
        level = number("significance", or_default(significance, 0.05), SIGNIFICANCE_RANGE)
        return half_width(level, 1.0, p)  # which is rounded up itself
    leave_out(f"measure {measure}", significance=significance)
    if measure == "scale":
        return np.ones_like(p)
    if measure == "deviation":
        unit = np.sqrt(variance(1.0, p))
    elif measure == "variance":
        unit = variance(1.0, p)
    else:
        unit = mean_absolute_error(1.0, p)
    return round_up(unit, 128)
