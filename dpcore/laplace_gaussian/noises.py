"""Laplace and Gaussian noise that share something, how large each is, and where the Gaussian becomes the smaller."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtri

from dpcore import gaussian, laplace
from dpcore._normal import ULP
from dpcore.accuracy import gaussian_accuracy
from dpcore.calibrations import ANALYTIC, CLASSICAL, PDP, Calibration
from dpcore.checks import (
    DELTA_RANGE,
    POSITIVE_EPSILON_RANGE,
    SENSITIVITY_RANGE,
    SIGNIFICANCE_RANGE,
    Array,
    number,
    one,
    option,
    whole,
)

MOST_STATISTICS = "[1, 1e6]"
MEASURES = ("variance", "mean_error", "accuracy")
CALIBRATIONS = (ANALYTIC, PDP, CLASSICAL)


@dataclass(frozen=True)
class Noises:
    """Laplace noise of `scale` b and Gaussian noise of `sigma`, and what the Gaussian then keeps at δ.

    `gaussian_epsilon` is the ε at which its formula asks for σ; `status` and `true_delta` are those of
    `Calibration.status` there: "undefined" and NaN above 1e6, and as at `least_epsilon` below that.
    """

    scale: float
    sigma: float
    gaussian_epsilon: float
    status: str
    true_delta: float


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

    Examples
    --------
    >>> noises = matched(ANALYTIC, "variance", 1, 1e-6)
    >>> f"b = {noises.scale:.0f}, σ = {noises.sigma:.4f}: ε = {noises.gaussian_epsilon:.3f}, {noises.status}"
    'b = 1, σ = 1.4142: ε = 3.308, proved'
    """
    option("hold", hold, ("epsilon", "variance", "tail"))
    epsilon, delta = one("epsilon", epsilon, POSITIVE_EPSILON_RANGE), one("delta", delta, DELTA_RANGE)
    l2_sensitivity = one("l2_sensitivity", l2_sensitivity, SENSITIVITY_RANGE)
    scale = laplace_scale(epsilon, l1_sensitivity)
    if hold == "epsilon":
        sigma, kept = float(calibration.scale(epsilon, delta, l2_sensitivity)), epsilon
    else:
        reach = one("t", t, "[0, 1e150]")
        sigma = scale * np.sqrt(2) if hold == "variance" else float(gaussian.laplace_tail_sigma(reach, scale))
        kept = float(calibration.epsilon(delta, sigma, l2_sensitivity))
    standing = calibration.status(max(kept, calibration.least_epsilon), delta)
    return Noises(scale, sigma, kept, str(standing.word), float(standing.true_delta))


def laplace_scale(epsilon: float, l1_sensitivity: float) -> float:
    """The b = Δ₁/ε of one ε in [1e-12, 1e6] and one Δ₁ in [1e-100, 1e100], rounded up.

    Examples
    --------
    >>> f"{laplace_scale(0.5, 1):.3f}"
    '2.000'
    """
    sensitivity = one("l1_sensitivity", l1_sensitivity, SENSITIVITY_RANGE)
    return float(laplace.scale_from_epsilon(one("epsilon", epsilon, POSITIVE_EPSILON_RANGE), 0.0, sensitivity))


@dataclass(frozen=True)
class Errors:
    """How large a noise is: its variance, its mean |error| and its accuracy at α, in (squared) query units."""

    variance: float
    mean_error: float
    accuracy: float


def errors(noises: Noises, significance: float) -> tuple[Errors, Errors]:
    """Return the errors of the Laplace noise and of the Gaussian noise; α in [1e-300, 1).

    Examples
    --------
    >>> first, second = errors(matched(ANALYTIC, "epsilon", 1, 1e-6), 0.05)
    >>> f"±{first.accuracy:.2f} against ±{second.accuracy:.2f}"
    '±3.00 against ±8.28'
    """
    significance, scale, sigma = one("significance", significance, SIGNIFICANCE_RANGE), noises.scale, noises.sigma
    return (
        Errors(float(laplace.variance(scale)), scale, float(laplace.half_width(significance, scale))),
        Errors(
            float(gaussian.variance(sigma)),
            float(gaussian.mean_absolute_error(sigma)),
            float(gaussian_accuracy(sigma, significance)),
        ),
    )


def equal_sigma(measure: str, scale: ArrayLike, significance: ArrayLike) -> Array:
    """The σ whose noise is as large as Laplace noise of scale b by one of `MEASURES`.

    √2 b for the variance, √(π/2) b for the mean error, b ln(1/α)/q(α/2), q(x) = −Φ⁻¹(x), for the accuracy at α.

    Examples
    --------
    >>> [f"{equal_sigma(measure, 1, 0.05):.3f}" for measure in MEASURES]
    ['1.414', '1.253', '1.528']
    """
    option("measure", measure, MEASURES)
    scale = number("scale", scale, laplace.SCALE_RANGE)
    significance = number("significance", significance, SIGNIFICANCE_RANGE)
    if measure == "variance":
        factor = np.full(significance.shape, np.sqrt(2))
    elif measure == "mean_error":
        factor = np.full(significance.shape, np.sqrt(np.pi / 2))
    else:
        factor = np.log(significance) / ndtri(significance / 2)
    return scale * factor


def counts_sensitivities(k: ArrayLike) -> tuple[Array, Array]:
    """Δ₁ = k and Δ₂ = √k of k counts, each of which one person can move by 1; Δ₂ rounded up.

    Examples
    --------
    >>> l1, l2 = counts_sensitivities([1, 9])
    >>> l1.tolist(), l2.tolist()
    ([1.0, 9.0], [1.0, 3.0])
    """
    k = whole("k", k, MOST_STATISTICS)
    root = np.sqrt(k)
    return k * 1.0, np.where(root == np.floor(root), root, root * (1 + ULP))[()]


def crossover(calibration: Calibration, measure: str, epsilon: float, delta: float, significance: float = 0.05) -> int:
    """Return the least number k of one person's counts for which the Gaussian noise is the smaller.

    Laplace noise grows like k, Gaussian noise like √k, so k is the first whole number above (σ₁/σ*)², where σ₁ is the σ
    of one count and σ* the one that equals Laplace's noise of one count (`equal_sigma`). It says nothing of whether the
    Gaussian's promise holds: `Calibration.status` does.

    Parameters
    ----------
    calibration : one of `CALIBRATIONS`.
    measure : one of `MEASURES`.
    epsilon : in [1e-12, 1e6].
    delta : in [1e-300, 1).
    significance : α of "accuracy", in [1e-300, 1).

    Examples
    --------
    >>> crossover(ANALYTIC, "variance", 1, 1e-6)
    9
    """
    scale = laplace_scale(epsilon, 1.0)
    sigma = calibration.scale(epsilon, one("delta", delta, DELTA_RANGE))
    ratio = sigma / equal_sigma(measure, scale, one("significance", significance, SIGNIFICANCE_RANGE))
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
    for the variance of one statistic: with `PDP` it is never below 2Φ(−√2) ≈ 0.157). It says nothing of whether the
    Gaussian's promise holds: `Calibration.status` does.

    Parameters
    ----------
    calibration : one of `CALIBRATIONS`.
    measure : one of `MEASURES`.
    epsilon : in [1e-12, 1e6].
    l1_sensitivity, l2_sensitivity : Δ₁ and Δ₂ in [1e-100, 1e100], in query units.
    significance : α of "accuracy", in [1e-300, 1).

    Examples
    --------
    >>> [f"{frontier(PDP, 'variance', epsilon):.4f}" for epsilon in (1e-9, 1)]
    ['0.1573', '0.2888']
    """
    epsilon = number("epsilon", epsilon, POSITIVE_EPSILON_RANGE)
    scale = laplace.scale_from_epsilon(epsilon, 0.0, one("l1_sensitivity", l1_sensitivity, SENSITIVITY_RANGE))
    sigma = equal_sigma(measure, scale, one("significance", significance, SIGNIFICANCE_RANGE))
    l2_sensitivity = one("l2_sensitivity", l2_sensitivity, SENSITIVITY_RANGE)
    return np.minimum(calibration.delta(epsilon, sigma, l2_sensitivity), 1.0)
