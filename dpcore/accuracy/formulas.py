"""The accuracy of each noise as a formula, and its inverse: the ε or σ that a wanted accuracy allows.

The accuracy a at significance α has α = Pr(|release − truth| > a) ([GA20], [GE20]): a half-width in query units.
Arguments broadcast; the result has their common shape. An accuracy is rounded up; an ε or σ is rounded so that
it really reaches the wanted one. Bad input raises `ValueError`: `name must be in RANGE, got VALUE`.

References
----------
[GA20] Gaussian Mechanism Accuracy, 2020. [GE20] Geometric Mechanism Accuracy, 2020. [GV16] Geng & Viswanath 2016.
"""

import numpy as np
from numpy.typing import ArrayLike

from dpcore import gaussian, laplace
from dpcore.checks import (
    RECORDS_RANGE,
    SENSITIVITY_RANGE,
    SIGNIFICANCE_RANGE,
    Array,
    integer,
    number,
)
from dpcore.rounding import TINY, ULP, round_down, round_up

ACCURACY_RANGE = "[1e-100, 1e100]"
MARGIN = 64 * ULP  # by which an inverse goes further than the rounding of what it inverts


def each_significance(significance: ArrayLike, n_cells: ArrayLike) -> Array:
    """1 − (1 − α)^{1/m}: the α of each of m independent errors for which all of them are within ±a in 1 − α (own).

    Pr(max |error_i| ≤ a) = Pr(|error| ≤ a)^m, so the half-width of one at this significance is the least that holds for
    all together at α. No union bound is in it: that one's α/m is less, and its half-width more.

    Parameters
    ----------
    significance : α in [1e-300, 1), of all together.
    n_cells : m, a whole number in [1, 1e15].

    Returns
    -------
    The significance of each, rounded down: never above the true value, below it by a relative 2e-15 and by 2e-323 at
    most; α itself for m = 1. Half-widths take 1e-300 or more, so with many cells α has to be at least about 1e-300 m.

    Examples
    --------
    >>> f"{each_significance(0.05, 12):.6f}"
    '0.004265'
    """
    significance = number("significance", significance, SIGNIFICANCE_RANGE)
    n_cells = integer("n_cells", n_cells, "[1, 1e15]")
    with np.errstate(under="ignore"):
        per_cell = round_down(-np.expm1(np.log1p(-significance) / n_cells), 4) - 2 * TINY
    return np.where(n_cells == 1, significance, per_cell)[()]


def gaussian_accuracy(sigma: ArrayLike, significance: ArrayLike) -> Array:
    """a = −σ Φ⁻¹(α/2), which is σ √2 erf⁻¹(1 − α) ([GA20] proof of Thm 1) in a form that stays right for tiny α.

    Parameters
    ----------
    sigma : noise s.d. in (0, 1e300], in query units.
    significance : α in [1e-300, 1), dimensionless.

    Returns
    -------
    a in query units, rounded up: never below the true value, above it by a relative 3e-15 at most.

    Examples
    --------
    >>> f"{gaussian_accuracy(4.224679, 0.05):.3f}"
    '8.280'
    """
    return gaussian.half_width(significance, sigma)


def gaussian_sigma_from_accuracy(accuracy: ArrayLike, significance: ArrayLike) -> Array:
    """σ = −a / Φ⁻¹(α/2): the most noise that leaves a share 1 − α of releases within ±a; inverts `gaussian_accuracy`.

    Parameters
    ----------
    accuracy : half-width a in (0, 1e290], in query units.
    significance : α in [1e-300, 1), dimensionless.

    Returns
    -------
    σ in query units, rounded down: never above the true value, below it by a relative 3e-15 at most.

    Examples
    --------
    >>> f"{gaussian_sigma_from_accuracy(3, 0.05):.4f}"
    '1.5306'
    """
    sigma = round_down(number("accuracy", accuracy, "(0, 1e290]") / gaussian.half_width(significance, 1.0), 2)
    return np.maximum(sigma - TINY, 0.0)


def laplace_accuracy(epsilon: ArrayLike, significance: ArrayLike, l1_sensitivity: ArrayLike = 1.0) -> Array:
    """a = (Δ₁/ε) ln(1/α): Laplace noise of ε-DP ([GE20], proof of Thm 1).

    Parameters
    ----------
    epsilon : in [1e-130, 1e6], in nats.
    significance : α in [1e-300, 1), dimensionless.
    l1_sensitivity : Δ₁ in [1e-100, 1e100], in query units.

    Returns
    -------
    a in query units, above the true value by a relative 4e-15 at most.

    Examples
    --------
    >>> f"{laplace_accuracy(1, 0.05):.4f}"
    '2.9957'
    """
    sensitivity = number("l1_sensitivity", l1_sensitivity, SENSITIVITY_RANGE)
    return laplace.half_width(significance, laplace.scale_from_epsilon(epsilon, 0.0, sensitivity))


def laplace_epsilon(accuracy: ArrayLike, significance: ArrayLike, l1_sensitivity: ArrayLike = 1.0) -> Array:
    """ε = (Δ₁/a) ln(1/α): inverts `laplace_accuracy` ([GE20] §0.1).

    Parameters
    ----------
    accuracy : a in [1e-100, 1e100], in query units.
    significance : α in [1e-300, 1), dimensionless.
    l1_sensitivity : Δ₁ in [1e-100, 1e100], in query units.

    Returns
    -------
    ε in nats; with it `laplace_accuracy` is at most a.

    Examples
    --------
    >>> f"{laplace_epsilon(3, 0.05):.4f}"
    '0.9986'
    """
    accuracy = number("accuracy", accuracy, ACCURACY_RANGE)
    sensitivity = number("l1_sensitivity", l1_sensitivity, SENSITIVITY_RANGE)
    return -np.log(number("significance", significance, SIGNIFICANCE_RANGE)) * (sensitivity / accuracy) * (1 + MARGIN)


def sampling_half_width(significance: ArrayLike, width: ArrayLike, n_records: ArrayLike) -> Array:
    """Return the half-width within which the mean of a random sample is of the mean of its population,
    without any noise.

    Hoeffding's bound a = (hi − lo) √(ln(2/α) / (2n)): Pr(|sample mean − population mean| > a) ≤ α, whatever the
    distribution of the values on [lo, hi]. With noise of half-width b at the same α, the release is within a + b of the
    population mean with probability at least 1 − 2α.

    Parameters
    ----------
    significance : α in [1e-300, 1).
    width : hi − lo in [1e-30, 1e30], in query units; 1 for a proportion.
    n_records : n in [1, 1e12], independent draws from the population, or draws without replacement.

    Returns
    -------
    a in query units, rounded up: an array of the broadcast shape.

    References
    ----------
    W. Hoeffding, Probability inequalities for sums of bounded random variables, JASA 58, 1963, Theorem 2 and Section 6.

    Examples
    --------
    >>> print(round(float(sampling_half_width(0.05, 1, 1000)), 6))
    0.042947
    """
    significance = number("significance", significance, SIGNIFICANCE_RANGE)
    width = number("width", width, "[1e-30, 1e30]")
    n_records = number("n_records", n_records, RECORDS_RANGE)
    return round_up(width * np.sqrt((np.log(2) - np.log(significance)) / (2 * n_records)), 8)[()]
