"""Laplace noise against Gaussian noise: which is smaller, by what measure, and where that changes ([Liu19] §3).

Laplace noise of scale b = Δ₁/ε satisfies pure ε-DP; Gaussian noise satisfies (ε, δ)-DP or (ε, δ)-pDP, which are weaker
guarantees. The functions from `tails` on return tidy frames for pictures: [Liu19] Figs. 4 and 5 and what follows from
them. ε is in nats; b, σ, t, Δ₁ and Δ₂ are in query units. Numbers are rounded as in the modules they come from: noise
and ε up.

References
----------
[Liu19] F. Liu, IEEE TKDE 31(4), 2019, doi:10.1109/TKDE.2018.2845388: Figs. 4 and 5, Prop. 12.
"""

from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from dpcore import gaussian, laplace
from dpcore.accuracy import gaussian_accuracy
from dpcore.calibrations import ANALYTIC, CLASSICAL, LAPLACE, PDP, Calibration
from dpcore.checks import (
    DELTA_RANGE,
    POSITIVE_EPSILON_RANGE,
    PROBABILITY_RANGE,
    SENSITIVITY_RANGE,
    SIGNIFICANCE_RANGE,
    Array,
    integer,
    leave_out,
    number,
    option,
    or_default,
    scalar,
)
from dpcore.mechanism import Mechanism, calibrated, of_scale
from dpcore.rounding import TINY
from dpcore.sensitivity import table_sensitivity

__all__ = [
    "ANALYTIC",
    "CALIBRATIONS",
    "CLASSICAL",
    "CUTOFF_RANGE",
    "MEASURES",
    "MOST_STATISTICS",
    "PDP",
    "NoisePair",
    "along_statistics",
    "calibrate_equal",
    "crossover",
    "densities",
    "equal_sigma",
    "errors",
    "frontier",
    "frontiers",
    "privacy_costs",
    "tail_ratios",
    "tails",
]

MOST_STATISTICS = "[1, 1e6]"
MEASURES = ("variance", "mean_error", "accuracy")
CALIBRATIONS = (ANALYTIC, PDP, CLASSICAL)


ONE = 1.0, 1.0
"""Δ₁ and Δ₂ of one count."""


class NoisePair(NamedTuple):
    """Laplace noise, and the Gaussian noise that is compared with it."""

    laplace: Mechanism
    gaussian: Mechanism


def calibrate_equal(
    calibration: Calibration,
    equal: str,
    epsilon: float,
    delta: float,
    norms: tuple[float, float] = ONE,
    t: float | None = None,
) -> NoisePair:
    """Return Laplace noise of ε-DP and the Gaussian noise that has the same ε, the same variance or the same tail at t.

    The ε of the Gaussian noise is the one at which its formula requires its σ: see `dpcore.mechanism.of_scale`.

    Parameters
    ----------
    calibration : the formula of the Gaussian, one of `CALIBRATIONS`.
    equal : "epsilon", "variance" or "tail".
    epsilon : of the Laplace noise, in [1e-12, 1e6].
    delta : of the Gaussian noise, in [1e-300, 1).
    norms : Δ₁ and Δ₂ in [1e-100, 1e100], in query units.
    t : of equal = "tail" alone: a distance from the truth in [0, 1e150], in query units; 1 by default.

    Examples
    --------
    >>> noises = calibrate_equal(ANALYTIC, "variance", 1, 1e-6)
    >>> normal = noises.gaussian
    >>> f"b = {noises.laplace.scale:.0f}, σ = {normal.scale:.4f}: ε = {normal.epsilon:.3f}, {normal.status}"
    'b = 1, σ = 1.4142: ε = 3.308, proved'
    """
    option("equal", equal, ("epsilon", "variance", "tail"))
    if equal != "tail":
        leave_out(f"equal {equal}", t=t)
    epsilon, delta = scalar("epsilon", epsilon, POSITIVE_EPSILON_RANGE), scalar("delta", delta, DELTA_RANGE)
    l1, l2 = _checked(norms)
    of_laplace = calibrated(LAPLACE, epsilon, 0.0, l1)
    if equal == "epsilon":
        return NoisePair(of_laplace, calibrated(calibration, epsilon, delta, l2))
    distance, scale = scalar("t", or_default(t, 1.0), "[0, 1e150]"), of_laplace.scale
    sigma = scale * np.sqrt(2) if equal == "variance" else float(gaussian.laplace_tail_sigma(distance, scale))
    return NoisePair(of_laplace, of_scale(calibration, delta, sigma, l2))


def _checked(norms: tuple[float, float]) -> tuple[float, float]:
    """Return Δ₁ and Δ₂, or raise unless each is one number in its range."""
    l1, l2 = norms
    return scalar("l1_sensitivity", l1, SENSITIVITY_RANGE), scalar("l2_sensitivity", l2, SENSITIVITY_RANGE)


def laplace_scale(epsilon: float, l1_sensitivity: float) -> float:
    """Return the b = Δ₁/ε of one ε in [1e-12, 1e6] and one Δ₁ in [1e-100, 1e100], rounded up.

    Examples
    --------
    >>> f"{laplace_scale(0.5, 1):.3f}"
    '2.000'
    """
    sensitivity = scalar("l1_sensitivity", l1_sensitivity, SENSITIVITY_RANGE)
    return float(laplace.scale_from_epsilon(scalar("epsilon", epsilon, POSITIVE_EPSILON_RANGE), 0.0, sensitivity))


def errors(mechanism: Mechanism, significance: float) -> dict[str, float]:
    """Return how large a noise is by each of `MEASURES`, in (squared) query units; α in [1e-300, 1).

    Examples
    --------
    >>> first, second = (errors(noise, 0.05) for noise in calibrate_equal(ANALYTIC, "epsilon", 1, 1e-6))
    >>> f"±{first['accuracy']:.2f} against ±{second['accuracy']:.2f}"
    '±3.00 against ±8.28'
    """
    sizes = mechanism.variance, mechanism.mean_absolute_error, mechanism.half_width(significance)
    return dict(zip(MEASURES, sizes, strict=True))


def equal_sigma(measure: str, scale: ArrayLike, significance: ArrayLike | None = None) -> Array:
    """Return the σ whose noise is as large as Laplace noise of scale b by one of `MEASURES`.

    √2 b for the variance, √(π/2) b for the mean error, b ln(1/α)/q(α/2), q(x) = −Φ⁻¹(x), for the accuracy at α in
    [1e-300, 1), which the others do not take; 0.05 by default.

    Examples
    --------
    >>> [f"{equal_sigma(measure, 1):.3f}" for measure in MEASURES]
    ['1.414', '1.253', '1.528']
    """
    option("measure", measure, MEASURES)
    scale = number("scale", scale, laplace.SCALE_RANGE)
    if measure != "accuracy":
        leave_out(f"measure {measure}", significance=significance)
        return scale * np.sqrt(2 if measure == "variance" else np.pi / 2)
    level = number("significance", or_default(significance, 0.05), SIGNIFICANCE_RANGE)
    return scale * (laplace.half_width(level, 1.0) / gaussian.half_width(level, 1.0))


def crossover(
    calibration: Calibration, measure: str, epsilon: float, delta: float, significance: float | None = None
) -> int:
    """Return the least number k of one person's counts for which the Gaussian noise is the smaller.

    Laplace noise grows like k, Gaussian noise like √k, so k is the first whole number above (σ₁/σ*)², where σ₁ is the σ
    of one count and σ* the one that equals Laplace's noise of one count (`equal_sigma`). It says nothing of whether the
    Gaussian's guarantee holds: `Calibration.verdict` does.

    Parameters
    ----------
    calibration : one of `CALIBRATIONS`.
    measure : one of `MEASURES`.
    epsilon : in [1e-12, 1e6].
    delta : in [1e-300, 1).
    significance : α of "accuracy" alone, in [1e-300, 1); 0.05 by default.

    Examples
    --------
    >>> crossover(ANALYTIC, "variance", 1, 1e-6)
    9
    """
    scale = laplace_scale(epsilon, 1.0)
    sigma = calibration.scale(epsilon, scalar("delta", delta, DELTA_RANGE))
    ratio = sigma / equal_sigma(measure, scale, _one_level(significance))
    return int(np.floor(ratio**2)) + 1


def frontier(
    calibration: Calibration,
    measure: str,
    epsilon: ArrayLike,
    norms: tuple[float, float] = ONE,
    significance: float | None = None,
) -> Array:
    """Return the δ above which the Gaussian noise is the smaller at ε; 1 where Laplace noise is, whatever δ.

    It is the δ of the σ that equals Laplace's noise by the measure, so one evaluation of the formula ([Liu19] Prop. 12
    for the variance of one statistic: with `PDP` it is never below 2Φ(−√2) ≈ 0.157). It says nothing of whether the
    Gaussian's guarantee holds: `Calibration.verdict` does.

    Parameters
    ----------
    calibration : one of `CALIBRATIONS`.
    measure : one of `MEASURES`.
    epsilon : in [1e-12, 1e6].
    norms : Δ₁ and Δ₂ in [1e-100, 1e100], in query units.
    significance : α of "accuracy" alone, in [1e-300, 1); 0.05 by default.

    Examples
    --------
    >>> [f"{frontier(PDP, 'variance', epsilon):.4f}" for epsilon in (1e-9, 1)]
    ['0.1573', '0.2888']
    """
    epsilon = number("epsilon", epsilon, POSITIVE_EPSILON_RANGE)
    l1, l2 = _checked(norms)
    sigma = equal_sigma(measure, laplace.scale_from_epsilon(epsilon, 0.0, l1), _one_level(significance))
    return np.minimum(calibration.delta(epsilon, sigma, l2), 1.0)


def _one_level(significance: float | None) -> float | None:
    return None if significance is None else scalar("significance", significance, SIGNIFICANCE_RANGE)


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
    norms: tuple[float, float] = ONE,
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
    l1, l2 = _checked(norms)
    scale, sigma = laplace_scale(epsilon, l1), calibration.scale(epsilon, delta, l2)
    frame = tails(t, scale, sigma[:, None], cutoff)
    frame.insert(0, "delta", np.repeat(delta, t.size))
    return frame


def privacy_costs(
    t: ArrayLike,
    calibration: Calibration,
    epsilon: float,
    delta: ArrayLike,
    norms: tuple[float, float] = ONE,
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
    l1, l2 = _checked(norms)
    scale = laplace_scale(epsilon, l1)
    cost = calibration.epsilon(delta[:, None], gaussian.laplace_tail_sigma(t, scale), l2) / epsilon
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
    norms: tuple[float, float] = ONE,
    significance: float = 0.05,
) -> pd.DataFrame:
    """Return the `frontier` by each of `MEASURES` along ε: columns `epsilon` and the measures' names.

    Examples
    --------
    >>> from dpcore.calibrations import ANALYTIC
    >>> [f"{delta:.3g}" for delta in frontiers(ANALYTIC, 1, (9, 3)).iloc[0]]
    ['1', '9.16e-07', '8.77e-06', '1.63e-07']
    """
    epsilon = number("epsilon", epsilon, POSITIVE_EPSILON_RANGE).ravel()
    levels = {"accuracy": significance}
    deltas = {measure: frontier(calibration, measure, epsilon, norms, levels.get(measure)) for measure in MEASURES}
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
