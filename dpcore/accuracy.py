"""Accuracy at a significance level: how far a release falls from the truth, and what noise a wanted accuracy allows.

[GA20] (Gaussian Mechanism Accuracy, 2020) defines the accuracy a at significance α by α = Pr(|release − truth| > a): a
half-width in query units, so smaller is better, and α = 0.05 means that 95 % of releases fall within ±a of the truth.
It speaks of the added noise alone, not of sampling error. Arguments broadcast; the result has their common shape. Bad
input raises `ValueError`: `name must be in RANGE, got VALUE`.
"""

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtri

from dpcore._checks import Array, number
from dpcore._normal import TINY, ULP

SIGNIFICANCE_RANGE = "[1e-300, 1)"


def gaussian_accuracy(sigma: ArrayLike, significance: ArrayLike) -> Array:
    """a = −σ Φ⁻¹(α/2), which is σ √2 erf⁻¹(1 − α) ([GA20] proof of Thm 1) in a form that stays right for tiny α.

    Parameters
    ----------
    sigma : noise s.d. in (0, 1e300], in query units.
    significance : α in [1e-300, 1), dimensionless.

    Returns
    -------
    a in query units, rounded up: never below the true value, above it by a relative 3e-15 at most.
    """
    return number("sigma", sigma, "(0, 1e300]") * _tail(significance) * (1 + 5 * ULP) + TINY


def gaussian_sigma_from_accuracy(accuracy: ArrayLike, significance: ArrayLike) -> Array:
    """σ = −a / Φ⁻¹(α/2): the most noise that leaves a share 1 − α of releases within ±a; inverts `gaussian_accuracy`.

    Parameters
    ----------
    accuracy : half-width a in (0, 1e290], in query units.
    significance : α in [1e-300, 1), dimensionless.

    Returns
    -------
    σ in query units, rounded down: never above the true value, below it by a relative 3e-15 at most.
    """
    sigma = number("accuracy", accuracy, "(0, 1e290]") / _tail(significance) * (1 - 5 * ULP)
    return np.maximum(sigma - TINY, 0.0)


def _tail(significance: ArrayLike) -> Array:
    return -ndtri(number("significance", significance, SIGNIFICANCE_RANGE) / 2)
