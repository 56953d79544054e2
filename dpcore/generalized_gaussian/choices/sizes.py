"""How large generalized Gaussian noise is, and the noise that a promise needs at one setting.

ε is in nats; Δ, b and sizes are in query units (the variance in squared ones). Arguments broadcast; scales are rounded
up.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dpcore._normal import ULP
from dpcore.calibrations import Calibration
from dpcore.checks import DELTA_RANGE, SENSITIVITY_RANGE, SIGNIFICANCE_RANGE, Array, number, one, option
from dpcore.generalized_gaussian._tails import SHAPE_RANGE
from dpcore.generalized_gaussian.distribution import mean_absolute_error, tail_quantile, variance

SIZES = ("scale", "deviation", "mean_error", "accuracy")
_POWERS = {"scale": 1, "deviation": 1, "variance": 2, "mean_error": 1, "accuracy": 1}


def size(measure: str, p: ArrayLike, scale: ArrayLike, significance: ArrayLike = 0.05) -> Array:
    """How large noise of shape p and scale b is: b^k s(p), with s(p) the size for b = 1.

    Parameters
    ----------
    measure : "scale" (s = 1), "deviation" (s² = Γ(3/p)/Γ(1/p)), "mean_error" (s = Γ(2/p)/Γ(1/p)), "accuracy" (s with
        Pr(|X| > s) = α for b = 1), for all of which k = 1; or "variance", for which k = 2.
    p : shape, in [1, 100].
    scale : b > 0, in query units.
    significance : α in [1e-300, 1), which "accuracy" alone takes.

    Returns
    -------
    The size in query units (squared for the variance), above the true value by a relative 1e-13 at most and not below
    it; infinite where a double can't hold it.

    Examples
    --------
    >>> [f"{size(measure, 2, np.sqrt(2)):.4f}" for measure in ("deviation", "mean_error", "accuracy")]  # N(0, 1)
    ['1.0000', '0.7979', '1.9600']
    """
    scale = number("scale", scale, "(0, inf]")
    with np.errstate(over="ignore", under="ignore"):
        return scale ** power_of(measure) * unit_size(measure, p, significance)


def power_of(measure: str) -> int:
    """The power k with which a size grows with b: 2 for "variance", else 1.

    Examples
    --------
    >>> power_of("variance"), power_of("accuracy")
    (2, 1)
    """
    option("measure", measure, tuple(_POWERS))
    return _POWERS[measure]


def unit_size(measure: str, p: ArrayLike, significance: ArrayLike) -> Array:
    """The size of noise of b = 1, as in `size`.

    Examples
    --------
    >>> [f"{unit_size('variance', p, 0.05):.2f}" for p in (1, 2)]
    ['2.00', '0.50']
    """
    option("measure", measure, tuple(_POWERS))
    p = number("p", p, SHAPE_RANGE)
    significance = number("significance", significance, SIGNIFICANCE_RANGE)
    if measure == "scale":
        return np.ones_like(p)
    if measure == "deviation":
        unit = np.sqrt(variance(p, 1.0))
    elif measure == "variance":
        unit = variance(p, 1.0)
    elif measure == "mean_error":
        unit = mean_absolute_error(p, 1.0)
    else:
        unit = tail_quantile(significance, 1 - significance, p)
    return unit * (1 + 128 * ULP)


@dataclass(frozen=True)
class Noise:
    """One noise by each of `SIZES`, in query units."""

    scale: float
    deviation: float
    mean_error: float
    accuracy: float


def noise(
    guarantee: Calibration,
    epsilon: float,
    delta: float,
    p: float,
    sensitivity: float = 1.0,
    significance: float = 0.05,
) -> Noise:
    """The noise of shape p that a promise to one statistic needs at one setting.

    Parameters
    ----------
    guarantee : one of `GUARANTEES`.
    epsilon : from `guarantee.least_epsilon` to 1e6.
    delta : in [1e-300, 1).
    p : shape, in [1, 100].
    sensitivity : Δ in [1e-100, 1e100], in query units.
    significance : α of the accuracy, in [1e-300, 1).

    Examples
    --------
    >>> from dpcore.generalized_gaussian.choices import ADP
    >>> found = noise(ADP, 1, 1e-6, 2)
    >>> f"b = {found.scale:.4f}, deviation {found.deviation:.4f}, ±{found.accuracy:.3f}"
    'b = 5.9746, deviation 4.2247, ±8.280'
    """
    setting = (
        one("epsilon", epsilon, guarantee.domain),
        one("delta", delta, DELTA_RANGE),
        one("p", p, SHAPE_RANGE),
        one("sensitivity", sensitivity, SENSITIVITY_RANGE),
    )
    scale = guarantee.scale(*setting)
    significance = one("significance", significance, SIGNIFICANCE_RANGE)
    return Noise(*(float(size(measure, setting[2], scale, significance)) for measure in SIZES))
