"""The trade-off function of generalized Gaussian noise, which is integrated numerically."""

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import gamma, gammainccinv, gammaincinv

from dpcore.checks import SHAPE_RANGE, Array, number
from dpcore.generalized_gaussian._tails import tail_probability
from dpcore.rounding import TINY
from dpcore.tradeoff.forms import PROBABILITY, SENSITIVITY_RANGE, lower, upper


def generalized_gaussian(alpha: ArrayLike, scale: ArrayLike, p: ArrayLike, sensitivity: ArrayLike = 1.0) -> Array:
    """F(F⁻¹(1 − α) − Δ/b) for noise of density ∝ exp(−|x/b|^p): f of log-concave noise ([DRS22]; [Liu19]).

    Parameters
    ----------
    alpha : type I error, in [0, 1].
    p : shape, in [1, 100]; 1 is Laplace with θ = Δ/b, 2 is Gaussian with μ = √2 Δ/b.
    scale : b > 0, in query units.
    sensitivity : Δ ≥ 1e-300 of the one statistic, in query units.

    Returns
    -------
    β in [0, 1], below the true value by a relative 1e-9 at most where β ≥ 1e-300.

    Examples
    --------
    >>> f"{generalized_gaussian(0.05, 2, 3):.4f}"
    '0.7664'
    """
    below, tail, doubt = _generalized_gaussian(alpha, p, scale, sensitivity)
    return lower(np.where(below, tail, 1 - tail), np.where(below, doubt, 2 * (tail > 0) + doubt * tail))


def generalized_gaussian_power(alpha: ArrayLike, scale: ArrayLike, p: ArrayLike, sensitivity: ArrayLike = 1.0) -> Array:
    """Pr(X > F⁻¹(1 − α) − Δ/b): the power 1 − β; arguments as in `generalized_gaussian`.

    Examples
    --------
    >>> f"{generalized_gaussian_power(0.05, 2, 3):.4f}"
    '0.2336'
    """
    below, tail, doubt = _generalized_gaussian(alpha, p, scale, sensitivity)
    return upper(np.where(below, 1 - tail, tail), np.where(below, 2 * (tail > 0) + doubt * tail, doubt))


def _generalized_gaussian(
    alpha: ArrayLike, p: ArrayLike, scale: ArrayLike, sensitivity: ArrayLike
) -> tuple[Array, Array, Array]:
    """Return whether the shifted threshold lies below the centre, the tail of the noise beyond it,
    the doubt of that tail.
    """
    alpha, p = number("alpha", alpha, PROBABILITY), number("p", p, SHAPE_RANGE)
    scale, sensitivity = number("scale", scale, "(0, inf)"), number("sensitivity", sensitivity, SENSITIVITY_RANGE)
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        shift = np.minimum(sensitivity / scale, 1e300)
        alpha = np.where(alpha > 0, np.maximum(alpha, 1e-300), 0)  # SciPy's inverse fails below
        small = np.minimum(alpha, 1 - alpha)
        central = small > 0.25
        power = np.where(
            central,
            gammaincinv(1 / p, np.where(central, 1 - 2 * small, 0.5)),
            gammainccinv(1 / p, np.where(central, 0.5, 2 * small)),
        )
        start = (1 - 2 * small) * gamma(1 + 1 / p)  # F is a straight line near 0, where power may underflow
        threshold = np.where(central & (start**p < 1e-17), start, power ** (1 / p))
        x = np.where(alpha <= 0.5, threshold, -threshold) - shift
        exponent = np.minimum(abs(x) ** p, 1e300)
        tail = tail_probability(abs(x), p)
        error = (100 / p + 2) * threshold + shift
        slope = np.where(exponent > 700, p * exponent / np.maximum(abs(x), TINY), p * abs(x) ** (p - 1)) + 2
        doubt = np.where(tail > 0, slope * error + 100 * (1 + exponent), 0)
        doubt = np.where(np.isfinite(threshold), doubt, 0)
    return x < 0, tail, doubt
