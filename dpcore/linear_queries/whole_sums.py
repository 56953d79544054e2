"""The tail of weighted sums of noise in whole numbers: exact by convolution of equal weights, else Chernoff's bound."""

import numpy as np

from dpcore import discrete_gaussian, geometric
from dpcore.checks import Array

_FORGOTTEN = 1e-13  # mass beyond the circle on which the sum is convolved
_ROUNDING = 1e-10  # of a tail: the mass of up to 2000 summands beyond the circle, and rounding of the transform
_MOST_POINTS = 2_000_000


def whole_half_width(weights: Array, alpha: float, noise: str, scale: float) -> float:
    """Return the least t with Pr(|Σ aⱼZⱼ| > t) ≤ α of positive weights, or an upper bound of it.

    Examples
    --------
    >>> whole_half_width(np.ones(2), 0.05, "geometric", 3.0), geometric.half_width(0.05, 3.0).item()
    (12.0, 9.0)
    """
    family = geometric if noise == "geometric" else discrete_gaussian
    if weights.size == 1:
        return float(weights[0] * family.half_width(alpha, scale))
    far = chernoff_half_width(weights, _FORGOTTEN, noise, scale)
    if np.ptp(weights) > 0 or 2 * far > _MOST_POINTS:
        return chernoff_half_width(weights, alpha, noise, scale)
    n_points = 2 ** int(np.ceil(np.log2(2 * far / weights[0] + 3)))
    place = np.minimum(np.arange(n_points), n_points - np.arange(n_points))
    sums = np.fft.irfft(np.fft.rfft(family.pmf(place, scale)) ** weights.size, n_points)
    mass = np.bincount(place, weights=sums)
    beyond = np.append(np.cumsum(mass[::-1])[-2::-1], 0.0)
    return float(weights[0] * np.flatnonzero(beyond + _ROUNDING <= alpha)[0])


def chernoff_half_width(weights: Array, alpha: float, noise: str, scale: float) -> float:
    """Return min (Σ ln E e^{s aⱼ Z} + ln(2/α))/s; discrete Gaussian noise has moments below N(0, σ²)'s ([CKS20]).

    Examples
    --------
    >>> print(f"{chernoff_half_width(np.ones(2), 0.05, 'geometric', 3.0):.1f}")
    21.3
    """
    if noise == "discrete_gaussian":
        return float(scale * np.sqrt(2 * np.log(2 / alpha) * (weights @ weights)))
    share = np.linspace(0.005, 0.995, 199)  # any s is safe
    step = np.multiply.outer(share / (scale * weights.max()), weights)
    log_odds = 2 * np.log(-np.expm1(-1 / scale)) - np.log(-np.expm1(step - 1 / scale))
    moments = (log_odds - np.log(-np.expm1(-step - 1 / scale))).sum(axis=1)
    return float(((moments + np.log(2 / alpha)) / share).min() * scale * weights.max())
