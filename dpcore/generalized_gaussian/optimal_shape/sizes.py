"""The size of generalized Gaussian noise, and frames for curves: the noise that a guarantee requires along ε, δ and p.

ε is in nats; Δ, b and sizes are in query units (the variance in squared ones). Arguments broadcast; scales are rounded
up.
"""

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from dpcore.calibrations import Calibration
from dpcore.checks import SHAPE_RANGE, SIGNIFICANCE_RANGE, Array, leave_out, number, option, or_default, scalar
from dpcore.generalized_gaussian.convolution import pdp_scale, pdp_scale_monte_carlo
from dpcore.generalized_gaussian.distribution import half_width, mean_absolute_error, pdf, variance
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
    """Return the power k with which a size grows with b: 2 for "variance", else 1."""
    option("measure", measure, tuple(_POWERS))
    return _POWERS[measure]


def unit_size(measure: str, p: ArrayLike, significance: ArrayLike | None = None) -> Array:
    """Return the size of noise of b = 1, as in `size`."""
    option("measure", measure, tuple(_POWERS))
    p = number("p", p, SHAPE_RANGE)
    if measure == "accuracy":
        level = number("significance", or_default(significance, 0.05), SIGNIFICANCE_RANGE)
        return half_width(level, 1.0, p)  # which is rounded up itself
    leave_out(f"measure {measure}", significance=significance)
    if measure == "scale":
        return np.ones_like(p)
    if measure == "mean_error":
        return round_up(mean_absolute_error(1.0, p), 128)
    return round_up(variance(1.0, p) ** (power_of(measure) / 2), 128)  # the deviation is its root


def along(
    guarantee: Calibration,
    epsilon: ArrayLike,
    delta: ArrayLike,
    p: ArrayLike,
    sensitivity: ArrayLike = 1.0,
    significance: float = 0.05,
) -> pd.DataFrame:
    """Return the noise that a guarantee to one statistic needs: columns epsilon, delta, p, and every one of `SIZES`.

    Arguments as in `adp_scale`, significance as in `size`; a row each, in the order of the broadcast arguments.

    Examples
    --------
    >>> from dpcore.generalized_gaussian.optimal_shape import ADP
    >>> [f"{scale:.3f}" for scale in along(ADP, 1, 1e-6, [1, 1.5, 2])["scale"]]
    ['1.000', '3.136', '5.975']
    """
    epsilon, delta, p, sensitivity = (
        part.ravel() for part in np.broadcast_arrays(*np.atleast_1d(epsilon, delta, p, sensitivity))
    )
    return _sizes(epsilon, delta, p, guarantee.scale(epsilon, delta, p, sensitivity), significance)


def along_several(
    epsilon: ArrayLike, delta: ArrayLike, p: ArrayLike, sensitivities: ArrayLike, significance: float = 0.05
) -> pd.DataFrame:
    """Return the noise of several statistics under [Liu19] Prop. 8: columns of `along`, arguments of `pdp_scale`.

    Examples
    --------
    >>> f"{along_several(1, 0.05, 3, [1, 0.1, 0.05])['scale'][0]:.3f}"
    '4.816'
    """
    epsilon, delta, p = (part.ravel() for part in np.broadcast_arrays(*np.atleast_1d(epsilon, delta, p)))
    return _sizes(epsilon, delta, p, pdp_scale(epsilon, delta, p, sensitivities), significance)


def _sizes(epsilon: Array, delta: Array, p: Array, scale: Array, significance: float) -> pd.DataFrame:
    significance = scalar("significance", significance, SIGNIFICANCE_RANGE)
    levels = {measure: significance if measure == "accuracy" else None for measure in SIZES}
    sizes = {measure: size(measure, scale, p, level) for measure, level in levels.items()}
    return pd.DataFrame({"epsilon": epsilon, "delta": delta, "p": p} | sizes)


def simulated(
    rng: np.random.Generator,
    epsilon: float,
    delta: float,
    p: float,
    sensitivities: ArrayLike,
    n: int,
    significance: float = 0.05,
) -> pd.DataFrame:
    """Return one row of `along_several` as [Liu19] finds it, from n draws, and for each size its standard error beside.

    Not a guarantee. Arguments as in `pdp_scale_monte_carlo`; the error of the column x is in x_error.

    Examples
    --------
    >>> row = simulated(np.random.default_rng(1), 1, 0.05, 2, [1, 0.1, 0.05], 10_000).iloc[0]
    >>> bool(abs(row["scale"] - 3.261) < 4 * row["scale_error"])
    True
    """
    simulation = pdp_scale_monte_carlo(rng, epsilon, delta, p, sensitivities, n)
    ones = np.ones(1)
    row = _sizes(epsilon * ones, delta * ones, p * ones, simulation.scale * ones, significance)
    for measure in SIZES:
        row[f"{measure}_error"] = row[measure] * (simulation.standard_error / simulation.scale)
    return row


def matched_scales(
    match: str,
    guarantee: Calibration,
    epsilon: float,
    delta: float,
    p: float,
    others: ArrayLike,
    sensitivity: float = 1.0,
) -> Array:
    """Return the b of noises of other shapes that share something with the noise of shape p that a guarantee needs.

    Parameters
    ----------
    match : "scale" (the same b) or "variance" (the same variance); the b of the same guarantee is `guarantee.scale`.
    guarantee, epsilon, delta, p, sensitivity : of the noise that is matched, as in `along`.
    others : the other shapes, in [1, 100].

    Examples
    --------
    >>> from dpcore.generalized_gaussian.optimal_shape import ADP
    >>> [f"{scale:.3f}" for scale in matched_scales("variance", ADP, 1, 1e-6, 2, [1, 2])]
    ['2.987', '5.975']
    """
    option("match", match, ("scale", "variance"))
    others = number("others", others, SHAPE_RANGE)
    scale = guarantee.scale(epsilon, delta, p, sensitivity)
    if match == "scale":
        return np.full(others.shape, scale)[()]
    return scale * np.sqrt(variance(1.0, p) / variance(1.0, others))


def densities(x: ArrayLike, scale: ArrayLike, p: ArrayLike) -> Array:
    """Return the densities of several noises at x, a row for each, wherever a double holds the scale.

    Examples
    --------
    >>> densities(0, [1, np.sqrt(2)], [1, 2]).round(4).tolist()
    [[0.5], [0.3989]]
    """
    p, scale = (part[:, None] for part in np.broadcast_arrays(np.atleast_1d(p), np.atleast_1d(scale)))
    x, scale = number("x", np.atleast_1d(x), "(-inf, inf)"), number("scale", scale, "(0, inf)")
    with np.errstate(over="ignore", under="ignore"):
        return pdf(x / scale, 1.0, p) / scale
