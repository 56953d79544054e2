"""Laplace noise against Gaussian noise: which is smaller, by what measure, and where that changes ([Liu19] §3).

Laplace noise of scale b = Δ₁/ε keeps pure ε-DP; Gaussian noise keeps (ε, δ)-DP or (ε, δ)-pDP, which promise less. ε is
in nats; b, σ, t, Δ₁ and Δ₂ are in query units. Frames are tidy, for curves. Their numbers are rounded as in the modules
they come from: noise and ε up.

References
----------
[Liu19] F. Liu, IEEE TKDE 31(4), 2019, doi:10.1109/TKDE.2018.2845388: Figs. 4 and 5, Prop. 12.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.special import ndtri

from dpcore import gaussian, laplace
from dpcore._normal import TINY, ULP
from dpcore.accuracy import SIGNIFICANCE_RANGE, gaussian_accuracy
from dpcore.calibrations import ANALYTIC, CLASSICAL, PDP, Calibration
from dpcore.checks import Array, number, one, one_whole, whole

EPSILON_RANGE = "[1e-12, 1e6]"
MOST_STATISTICS = "[1, 1e6]"
MEASURES = ("variance", "mean_error", "accuracy")


CALIBRATIONS = (ANALYTIC, PDP, CLASSICAL)


@dataclass(frozen=True)
class Noises:
    """Laplace noise of `scale` b and Gaussian noise of `sigma`, and the ε that the Gaussian then keeps at δ."""

    scale: float
    sigma: float
    gaussian_epsilon: float


def matched(
    calibration: Calibration,
    hold: str,
    epsilon: float,
    delta: float,
    l1_sensitivity: float = 1.0,
    l2_sensitivity: float = 1.0,
    t: float = 1.0,
) -> Noises:
    """Return Laplace noise of ε-DP and the Gaussian noise that has the same ε, the same variance or the same tail at t.

    Parameters
    ----------
    calibration : the formula of the Gaussian, one of `CALIBRATIONS`.
    hold : "epsilon", "variance" or "tail".
    epsilon : of the Laplace noise, in [1e-12, 1e6].
    delta : of the Gaussian noise, in [1e-300, 1).
    l1_sensitivity, l2_sensitivity : Δ₁ and Δ₂ in [1e-100, 1e100], in query units.
    t : distance from the truth in [0, 1e150], in query units, for hold = "tail".
    """
    scale = laplace.scale_from_epsilon(number("epsilon", epsilon, EPSILON_RANGE), 0.0, l1_sensitivity)
    if hold == "epsilon":
        return Noises(float(scale), float(calibration.scale(epsilon, delta, l2_sensitivity)), float(epsilon))
    if hold == "variance":
        sigma = scale * np.sqrt(2)
    elif hold == "tail":
        sigma = gaussian.laplace_tail_sigma(t, scale)
    else:
        raise ValueError(f"hold must be in epsilon, variance, tail, got {hold}")
    return Noises(float(scale), float(sigma), float(calibration.epsilon(delta, sigma, l2_sensitivity)))


def measures(scale: ArrayLike, sigma: ArrayLike, significance: ArrayLike) -> pd.DataFrame:
    """Return the variance, mean |error| and accuracy at α of both noises, a row for each; in (squared) query units."""
    scale, sigma = number("scale", scale, "[1e-150, 1e150]"), number("sigma", sigma, "[1e-150, 1e150]")
    return pd.DataFrame(
        {
            "noise": ["laplace", "gaussian"],
            "variance": [float(laplace.variance(scale)), float(gaussian.variance(sigma))],
            "mean_error": [float(scale), float(gaussian.mean_absolute_error(sigma))],
            "accuracy": [float(laplace.half_width(significance, scale)), float(gaussian_accuracy(sigma, significance))],
        }
    )


def equal_sigma(measure: str, scale: ArrayLike, significance: ArrayLike) -> Array:
    """The σ whose noise is as large as Laplace noise of scale b by one of `MEASURES`.

    √2 b for the variance, √(π/2) b for the mean error, b ln(1/α)/q(α/2), q(x) = −Φ⁻¹(x), for the accuracy at α.
    """
    scale = number("scale", scale, laplace.SCALE_RANGE)
    significance = number("significance", significance, SIGNIFICANCE_RANGE)
    if measure == "variance":
        factor = np.full(significance.shape, np.sqrt(2))
    elif measure == "mean_error":
        factor = np.full(significance.shape, np.sqrt(np.pi / 2))
    elif measure == "accuracy":
        factor = np.log(significance) / ndtri(significance / 2)
    else:
        raise ValueError(f"measure must be in {', '.join(MEASURES)}, got {measure}")
    return scale * factor


def tails(scale: ArrayLike, sigma: ArrayLike, t: ArrayLike, cutoff: float = 1e-4) -> pd.DataFrame:
    """Return p₁ = e^{−t/b}, p₂ = 2Φ(−t/σ) and p₁/p₂ over |t| ([Liu19] Fig. 4), broadcast and raveled.

    Returns
    -------
    Columns `t`, `laplace`, `gaussian`, `ratio` (0 or infinite where a tail is below 1e-308) and `unlikely`, true where
    both tails are below the cutoff.
    """
    t, scale, sigma = np.broadcast_arrays(
        number("t", t, "[0, inf)"),
        number("scale", scale, laplace.SCALE_RANGE),
        number("sigma", sigma, "[1e-250, 1e250]"),
    )
    number("cutoff", cutoff, "[0, 1]")
    first, second = laplace.tail(t, scale), gaussian.tail(t, sigma)
    with np.errstate(over="ignore", under="ignore"):
        ratio = np.where(second > 1e-308, first / np.maximum(second, TINY), np.inf)
        ratio = np.where(first > 1e-308, ratio, 0.0)
    columns = {"t": t, "laplace": first, "gaussian": second, "ratio": ratio}
    unlikely = (first < cutoff) & (second < cutoff)
    return pd.DataFrame({name: column.ravel() for name, column in columns.items()} | {"unlikely": unlikely.ravel()})


def tail_ratios(
    calibration: Calibration,
    epsilon: float,
    delta: ArrayLike,
    t: ArrayLike,
    l1_sensitivity: float = 1.0,
    l2_sensitivity: float = 1.0,
    cutoff: float = 1e-4,
) -> pd.DataFrame:
    """Return `tails` at the same ε for several δ ([Liu19] Fig. 4), with a column `delta` before them."""
    delta = number("delta", delta, gaussian.DELTA_RANGE).ravel()
    t = number("t", t, "[0, inf)").ravel()
    scale = laplace.scale_from_epsilon(number("epsilon", epsilon, EPSILON_RANGE), 0.0, l1_sensitivity)
    frame = tails(scale, calibration.scale(epsilon, delta, l2_sensitivity)[:, None], t, cutoff)
    frame.insert(0, "delta", np.repeat(delta, t.size))
    return frame


def privacy_costs(
    calibration: Calibration,
    epsilon: float,
    delta: ArrayLike,
    t: ArrayLike,
    l1_sensitivity: float = 1.0,
    l2_sensitivity: float = 1.0,
    cutoff: float = 1e-4,
) -> pd.DataFrame:
    """Return ε₂/ε₁, the Gaussian's ε over Laplace's at the same tail at t, for several δ ([Liu19] Fig. 5).

    Returns
    -------
    Columns `delta`, `t`, `cost` (ε₂/ε₁) and `unlikely`, true where the common tail is below the cutoff. For `PDP` the
    cost is `gaussian.relative_privacy_cost`.
    """
    delta = number("delta", delta, gaussian.DELTA_RANGE).ravel()
    t = number("t", t, "[0, 1e150]").ravel()
    scale = laplace.scale_from_epsilon(number("epsilon", epsilon, EPSILON_RANGE), 0.0, l1_sensitivity)
    cost = calibration.epsilon(delta[:, None], gaussian.laplace_tail_sigma(t, scale), l2_sensitivity) / epsilon
    unlikely = laplace.tail(t, scale) < number("cutoff", cutoff, "[0, 1]")
    return pd.DataFrame(
        {
            "delta": np.repeat(delta, t.size),
            "t": np.tile(t, delta.size),
            "cost": cost.ravel(),
            "unlikely": np.tile(unlikely, delta.size),
        }
    )


def counts_sensitivities(k: ArrayLike) -> tuple[Array, Array]:
    """Δ₁ = k and Δ₂ = √k of k counts, each of which one person can move by 1; Δ₂ rounded up."""
    k = whole("k", k, MOST_STATISTICS)
    root = np.sqrt(k)
    return k * 1.0, np.where(root == np.floor(root), root, root * (1 + ULP))[()]


def along_statistics(
    calibration: Calibration, epsilon: float, delta: float, k: ArrayLike, significance: float
) -> pd.DataFrame:
    """Return the errors of both noises for k counts of one person (Δ₁ = k, Δ₂ = √k), a row for each k.

    Returns
    -------
    Columns `k`, then `laplace_…` and `gaussian_…` for each of `MEASURES`.
    """
    k = whole("k", k, MOST_STATISTICS).ravel()
    l1, l2 = counts_sensitivities(k)
    scale = laplace.scale_from_epsilon(number("epsilon", epsilon, EPSILON_RANGE), 0.0, l1)
    sigma = calibration.scale(epsilon, delta, l2)
    return pd.DataFrame(
        {
            "k": k,
            "laplace_variance": laplace.variance(scale),
            "gaussian_variance": sigma**2,
            "laplace_mean_error": scale,
            "gaussian_mean_error": gaussian.mean_absolute_error(sigma),
            "laplace_accuracy": laplace.half_width(significance, scale),
            "gaussian_accuracy": gaussian_accuracy(sigma, significance),
        }
    )


def crossover(calibration: Calibration, measure: str, epsilon: float, delta: float, significance: float = 0.05) -> int:
    """Return the least number k of one person's counts for which the Gaussian noise is the smaller.

    Laplace noise grows like k, Gaussian noise like √k, so k is the first whole number above (σ₁/σ*)², where σ₁ is the σ
    of one count and σ* the one that equals Laplace's noise of one count (`equal_sigma`). At ε = 1, δ = 1e-6 and for the
    variance it is 9 with the analytic Gaussian.
    """
    scale = laplace.scale_from_epsilon(number("epsilon", epsilon, EPSILON_RANGE))
    ratio = calibration.scale(epsilon, delta) / equal_sigma(measure, scale, significance)
    return int(np.floor(ratio**2)) + 1


def frontier(
    calibration: Calibration,
    measure: str,
    epsilon: ArrayLike,
    l1_sensitivity: float = 1.0,
    l2_sensitivity: float = 1.0,
    significance: float = 0.05,
) -> Array:
    """The δ above which the Gaussian noise is the smaller at ε; 1 where Laplace noise is, whatever δ.

    It is the δ of the σ that equals Laplace's noise by the measure, so one evaluation of the formula ([Liu19] Prop. 12
    for the variance of one statistic: with `PDP` it is never below 2Φ(−√2) ≈ 0.157).

    Parameters
    ----------
    epsilon : in [1e-12, 1e6].
    l1_sensitivity, l2_sensitivity : Δ₁ and Δ₂ in [1e-100, 1e100], in query units.
    """
    epsilon = number("epsilon", epsilon, EPSILON_RANGE)
    scale = laplace.scale_from_epsilon(epsilon, 0.0, l1_sensitivity)
    return np.minimum(calibration.delta(epsilon, equal_sigma(measure, scale, significance), l2_sensitivity), 1.0)


def frontiers(
    calibration: Calibration,
    epsilon: ArrayLike,
    l1_sensitivity: float = 1.0,
    l2_sensitivity: float = 1.0,
    significance: float = 0.05,
) -> pd.DataFrame:
    """Return the `frontier` by each of `MEASURES` along ε: columns `epsilon` and the measures' names."""
    epsilon = number("epsilon", epsilon, EPSILON_RANGE).ravel()
    norms = l1_sensitivity, l2_sensitivity
    deltas = {measure: frontier(calibration, measure, epsilon, *norms, significance) for measure in MEASURES}
    return pd.DataFrame({"epsilon": epsilon} | deltas)


def densities(scale: float, sigma: float, x: ArrayLike) -> pd.DataFrame:
    """Return density and distribution function of both noises along x: `x`, `laplace_pdf`, `gaussian_pdf`, `…_cdf`."""
    x = number("x", x, "(-inf, inf)").ravel()
    sigma = one("sigma", sigma, "[1e-150, 1e150]")
    return pd.DataFrame(
        {
            "x": x,
            "laplace_pdf": laplace.pdf(x, scale),
            "gaussian_pdf": gaussian.pdf(x, sigma),
            "laplace_cdf": laplace.cdf(x, scale),
            "gaussian_cdf": gaussian.cdf(x, sigma),
        }
    )


def quantile_dots(draws: ArrayLike, n_dots: int = 25) -> Array:
    """Return the middle of each of `n_dots` equal shares of the draws, smallest first: a dot for every 1/n of them."""
    draws = number("draws", draws, "(-inf, inf)").ravel()
    n_dots = one_whole("n_dots", n_dots, "[1, 1000]")
    share = (np.arange(n_dots) + 0.5) / n_dots
    return np.quantile(draws, share)
