"""Frames of both noises for pictures: tails, privacy costs, errors along the number of counts, densities, draws.

Tidy, for curves; the pictures are [Liu19] Figs. 4 and 5 and what follows from them.
"""

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from dpcore import gaussian, laplace
from dpcore.accuracy import gaussian_accuracy
from dpcore.calibrations import Calibration
from dpcore.checks import (
    DELTA_RANGE,
    POSITIVE_EPSILON_RANGE,
    PROBABILITY_RANGE,
    SENSITIVITY_RANGE,
    SIGNIFICANCE_RANGE,
    integer,
    number,
    scalar,
)
from dpcore.laplace_gaussian.noises import MEASURES, MOST_STATISTICS, frontier, laplace_scale
from dpcore.rounding import TINY
from dpcore.sensitivity import table_sensitivity

CUTOFF_RANGE = "[1e-300, 1)"  # of a share below which tails are drawn as unlikely, and up to which they are drawn


def tails(t: ArrayLike, scale: ArrayLike, sigma: ArrayLike, cutoff: float = 1e-4) -> pd.DataFrame:
    """Return p₁ = e^{−t/b}, p₂ = 2Φ(−t/σ) and p₁/p₂ over |t| ([Liu19] Fig. 4), broadcast and raveled.

    Returns
    -------
    Columns `t`, `laplace`, `gaussian`, `ratio` (0 or infinite where a tail is below 1e-308) and `unlikely`, true where
    both tails are below the cutoff.

    Examples
    --------
    >>> frame = tails([1, 10], scale=1, sigma=4.22)
    >>> [f"{first:.2g} and {second:.2g}" for first, second in zip(frame["laplace"], frame["gaussian"])]
    ['0.37 and 0.81', '4.5e-05 and 0.018']
    """
    t, scale, sigma = np.broadcast_arrays(
        number("t", t, "[0, inf)"),
        number("scale", scale, laplace.SCALE_RANGE),
        number("sigma", sigma, "[1e-250, 1e250]"),
    )
    cutoff = scalar("cutoff", cutoff, PROBABILITY_RANGE)
    first, second = laplace.tail(t, scale), gaussian.tail(t, sigma)
    with np.errstate(over="ignore", under="ignore"):
        ratio = np.where(second > 1e-308, first / np.maximum(second, TINY), np.inf)
        ratio = np.where(first > 1e-308, ratio, 0.0)
    columns = {"t": t, "laplace": first, "gaussian": second, "ratio": ratio}
    unlikely = (first < cutoff) & (second < cutoff)
    return pd.DataFrame({name: column.ravel() for name, column in columns.items()} | {"unlikely": unlikely.ravel()})


def tail_ratios(
    t: ArrayLike,
    calibration: Calibration,
    epsilon: float,
    delta: ArrayLike,
    l1_sensitivity: float = 1.0,
    l2_sensitivity: float = 1.0,
    cutoff: float = 1e-4,
) -> pd.DataFrame:
    """Return `tails` at the same ε for several δ ([Liu19] Fig. 4), with a column `delta` before them.

    Examples
    --------
    >>> from dpcore.calibrations import ANALYTIC
    >>> [f"{ratio:.3g}" for ratio in tail_ratios(5, ANALYTIC, 1, [1e-6, 0.1])["ratio"]]
    ['0.0285', '1.63e+03']
    """
    delta = number("delta", delta, DELTA_RANGE).ravel()
    t = number("t", t, "[0, inf)").ravel()
    scale = laplace_scale(epsilon, l1_sensitivity)
    sigma = calibration.scale(epsilon, delta, scalar("l2_sensitivity", l2_sensitivity, SENSITIVITY_RANGE))
    frame = tails(t, scale, sigma[:, None], cutoff)
    frame.insert(0, "delta", np.repeat(delta, t.size))
    return frame


def privacy_costs(
    t: ArrayLike,
    calibration: Calibration,
    epsilon: float,
    delta: ArrayLike,
    l1_sensitivity: float = 1.0,
    l2_sensitivity: float = 1.0,
    cutoff: float = 1e-4,
) -> pd.DataFrame:
    """Return ε₂/ε₁, the Gaussian's ε over Laplace's at the same tail at t, for several δ ([Liu19] Fig. 5).

    Returns
    -------
    Columns `delta`, `t`, `cost` (ε₂/ε₁) and `unlikely`, true where the common tail is below the cutoff.

    Examples
    --------
    >>> from dpcore.calibrations import PDP
    >>> [f"{cost:.3g}" for cost in privacy_costs(5, PDP, 1, [1e-6, 0.1])["cost"]]
    ['2.8', '1.04']
    """
    delta = number("delta", delta, DELTA_RANGE).ravel()
    t = number("t", t, "[0, 1e150]").ravel()
    scale = laplace_scale(epsilon, l1_sensitivity)
    l2_sensitivity = scalar("l2_sensitivity", l2_sensitivity, SENSITIVITY_RANGE)
    cost = calibration.epsilon(delta[:, None], gaussian.laplace_tail_sigma(t, scale), l2_sensitivity) / epsilon
    unlikely = laplace.tail(t, scale) < scalar("cutoff", cutoff, PROBABILITY_RANGE)
    return pd.DataFrame(
        {
            "delta": np.repeat(delta, t.size),
            "t": np.tile(t, delta.size),
            "cost": cost.ravel(),
            "unlikely": np.tile(unlikely, delta.size),
        }
    )


def along_statistics(
    calibration: Calibration, epsilon: float, delta: float, k: ArrayLike, significance: float
) -> pd.DataFrame:
    """Return the errors of both noises for k counts of one person (Δ₁ = k, Δ₂ = √k), a row for each k.

    Returns
    -------
    Columns `k`, then `laplace_…` and `gaussian_…` for each of `MEASURES`.

    Examples
    --------
    >>> from dpcore.calibrations import ANALYTIC
    >>> frame = along_statistics(ANALYTIC, 1, 1e-6, [8, 9], 0.05)
    >>> (frame["gaussian_variance"] < frame["laplace_variance"]).tolist()
    [False, True]
    """
    k = integer("k", k, MOST_STATISTICS).ravel()
    sensitivity = table_sensitivity(k)
    l1, l2 = sensitivity.l1, sensitivity.l2
    scale = laplace.scale_from_epsilon(scalar("epsilon", epsilon, POSITIVE_EPSILON_RANGE), 0.0, l1)
    significance = scalar("significance", significance, SIGNIFICANCE_RANGE)
    sigma = calibration.scale(epsilon, scalar("delta", delta, DELTA_RANGE), l2)
    return pd.DataFrame(
        {
            "k": k,
            "laplace_variance": laplace.variance(scale),
            "gaussian_variance": gaussian.variance(sigma),
            "laplace_mean_error": scale,
            "gaussian_mean_error": gaussian.mean_absolute_error(sigma),
            "laplace_accuracy": laplace.half_width(significance, scale),
            "gaussian_accuracy": gaussian_accuracy(sigma, significance),
        }
    )


def frontiers(
    calibration: Calibration,
    epsilon: ArrayLike,
    l1_sensitivity: float = 1.0,
    l2_sensitivity: float = 1.0,
    significance: float = 0.05,
) -> pd.DataFrame:
    """Return the `frontier` by each of `MEASURES` along ε: columns `epsilon` and the measures' names.

    Examples
    --------
    >>> from dpcore.calibrations import ANALYTIC
    >>> [f"{delta:.3g}" for delta in frontiers(ANALYTIC, 1, 9, 3).iloc[0]]
    ['1', '9.16e-07', '8.77e-06', '1.63e-07']
    """
    epsilon = number("epsilon", epsilon, POSITIVE_EPSILON_RANGE).ravel()
    norms = l1_sensitivity, l2_sensitivity
    levels = {"accuracy": significance}
    deltas = {measure: frontier(calibration, measure, epsilon, *norms, levels.get(measure)) for measure in MEASURES}
    return pd.DataFrame({"epsilon": epsilon} | deltas)


def densities(x: ArrayLike, scale: float, sigma: float) -> pd.DataFrame:
    """Return density and distribution function of both noises along x: `x`, `laplace_pdf`, `gaussian_pdf`, `…_cdf`.

    Examples
    --------
    >>> row = densities(0, scale=1, sigma=1).iloc[0]
    >>> f"{row['laplace_pdf']:.4f}, {row['gaussian_pdf']:.4f}"
    '0.5000, 0.3989'
    """
    x = number("x", x, "(-inf, inf)").ravel()
    scale, sigma = scalar("scale", scale, laplace.SCALE_RANGE), scalar("sigma", sigma, "[1e-150, 1e150]")
    return pd.DataFrame(
        {
            "x": x,
            "laplace_pdf": laplace.pdf(x, scale),
            "gaussian_pdf": gaussian.pdf(x, sigma),
            "laplace_cdf": laplace.cdf(x, scale),
            "gaussian_cdf": gaussian.cdf(x, sigma),
        }
    )
