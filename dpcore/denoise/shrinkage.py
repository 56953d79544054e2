"""Pulling a whole release towards the origin: the posterior mean and James–Stein, with their exact risks.

ŷ = y + N(0, σ²I_d). Every risk is E‖estimate − y‖², a sum over the d coordinates in squared query units: dσ² for the
release as it is. Shrinking pays where ‖y‖ is not large against σ√d; a public guess of y is subtracted first and added
back at the end.

References
----------
[BW18] Balle & Wang 2018, arXiv:1805.06530. [S81] Stein 1981, Ann. Statist. 9(6). [JS61] James & Stein 1961, Proc. 4th
Berkeley Symp. 1.
"""

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import gammainc, gammaln, xlogy

from dpcore.checks import Array, integer, number
from dpcore.denoise.projection import DIMENSION_RANGE, SIGMA_RANGE, SIZE_RANGE, Estimate, checked_release, per_release

_STEIN_RANGE = "[3, 1e9]"  # in one and two dimensions nothing beats the release everywhere
_FRACTION_TERMS = 70
_POISSON_NODES = 160


def unchanged(noisy: ArrayLike, sigma: ArrayLike) -> Estimate:
    """Return the release as it is, whose risk is dσ² whatever y: the line that every other estimator has to beat.

    Parameters
    ----------
    noisy : ŷ in [-1e100, 1e100], the d coordinates along the last axis; other axes are releases.
    sigma : in [1e-50, 1e100], one number or one for each release.

    Examples
    --------
    >>> print(unchanged([3.0, -1.0], sigma=2).sure)
    8.0
    """
    noisy, sigma = checked_release(noisy, sigma)
    return Estimate(noisy.copy(), noisy.shape[-1] * sigma**2, np.full(sigma.shape, np.nan))


def posterior_mean(noisy: ArrayLike, sigma: ArrayLike, prior_sd: ArrayLike) -> Estimate:
    """f·ŷ with f = w²/(w² + σ²): the Bayes estimate under y ~ N(0, w²I), [BW18] §4 after Theorem 10.

    Its error is larger than the release's where ‖y‖² > d(σ² + 2w²), so w has to be known, not hoped for; chosen after
    a look at y it is no post-processing and costs privacy.

    Parameters
    ----------
    noisy : ŷ in [-1e100, 1e100], the d coordinates along the last axis; other axes are releases.
    sigma : in [1e-50, 1e100], one number or one for each release.
    prior_sd : w in [0, 1e100], in query units, one number or one for each release; at 0 the estimate is 0.

    Returns
    -------
    Estimate with `sure` = (1 − f)²‖ŷ‖² + dσ²(2f − 1) and `tuning` = w.

    Examples
    --------
    >>> posterior_mean([4.0, -2.0], sigma=1, prior_sd=1).value.tolist()
    [2.0, -1.0]
    """
    noisy, sigma = checked_release(noisy, sigma)
    prior_sd = per_release("prior_sd", prior_sd, SIZE_RANGE, sigma.shape)
    kept_share, removed = _shares(sigma, prior_sd)
    sure = removed**2 * np.vecdot(noisy, noisy) + noisy.shape[-1] * sigma**2 * (kept_share - removed)
    return Estimate(kept_share[..., None] * noisy, sure, prior_sd.copy())


def james_stein(noisy: ArrayLike, sigma: ArrayLike, positive_part: bool = True) -> Estimate:
    """(1 − (d − 2)σ²/‖ŷ‖²) ŷ, [BW18] Theorem 11 [JS61]; its positive part has a factor of 0 instead of a negative one.

    It needs no tuning, and its risk is below dσ² for every y, the positive part's lower still; but that is the sum over
    the coordinates, and a single one that stands out is pulled to 0 with the rest and may become worse. Far from the
    origin nothing is gained.

    Parameters
    ----------
    noisy : ŷ in [-1e100, 1e100], the d ≥ 3 coordinates along the last axis; other axes are releases.
    sigma : in [1e-50, 1e100], one number or one for each release.
    positive_part : whether the factor is kept from being negative.

    Returns
    -------
    Estimate with `tuning` = the factor. Where it is positive, or without the positive part, `sure` =
    dσ² − (d − 2)²σ⁴/‖ŷ‖², else ‖ŷ‖² − dσ²; it is unbiased. At ‖ŷ‖ ≤ 1e-30 σ the plain form, which grows without bound
    there, is 0 as the positive part is, with a factor of 0.

    Raises
    ------
    ValueError
        `dimension must be in [3, 1e9], got 2`.

    Examples
    --------
    >>> james_stein([3.0, 4.0, 0.0], sigma=2).value.round(2).tolist()
    [2.52, 3.36, 0.0]
    >>> james_stein([0.3, 0.4, 0.0], sigma=1).value.round(2).tolist()
    [0.0, 0.0, 0.0]
    >>> james_stein([0.3, 0.4, 0.0], sigma=1, positive_part=False).value.round(2).tolist()
    [-0.9, -1.2, -0.0]
    """
    noisy, sigma = checked_release(noisy, sigma, least=3)
    dimension, variance = noisy.shape[-1], sigma**2
    square = np.vecdot(noisy, noisy)
    zero = square <= variance * (dimension - 2 if positive_part else 1e-60)
    removed = (dimension - 2) * variance / np.where(zero, variance, square)
    factor = np.where(zero, 0, 1 - removed)
    sure = np.where(zero, square - dimension * variance, variance * (dimension - (dimension - 2) * removed))
    return Estimate(factor[..., None] * noisy, sure, factor)


def posterior_mean_risk(dimension: ArrayLike, norm: ArrayLike, sigma: ArrayLike, prior_sd: ArrayLike) -> Array:
    """f²dσ² + (1 − f)²‖y‖² with f = w²/(w² + σ²): the risk of `posterior_mean` at a fixed y.

    Parameters
    ----------
    dimension : d, a whole number in [1, 1e9].
    norm : ‖y‖ in [0, 1e100], in query units.
    sigma : in [1e-50, 1e100].
    prior_sd : w in [0, 1e100], in query units.

    Examples
    --------
    >>> posterior_mean_risk(dimension=4, norm=[0, 2, 4], sigma=1, prior_sd=1).tolist()
    [1.0, 2.0, 5.0]
    """
    dimension, sigma = integer("dimension", dimension, DIMENSION_RANGE), number("sigma", sigma, SIGMA_RANGE)
    kept_share, removed = _shares(sigma, number("prior_sd", prior_sd, SIZE_RANGE))
    return dimension * (kept_share * sigma) ** 2 + (removed * number("norm", norm, SIZE_RANGE)) ** 2


def james_stein_risk(dimension: ArrayLike, norm: ArrayLike, sigma: ArrayLike, positive_part: bool = True) -> Array:
    """Return the exact risk of `james_stein` at a fixed y, of which only the norm matters; own derivation from [S81].

    With K ~ Poisson(m), m = ‖y‖²/(2σ²), and x = (d − 2)/2, ‖ŷ‖²/σ² is χ²_{d+2K}, so that the plain form has the risk
    σ²(2 + 2x E[K/(x + K)]): 2σ² at y = 0, dσ² far away. The positive part takes from it
    2σ² E[K x/(x + K) P(x + K, x) − (K − 1) P(x + K + 1, x)], P the regularised lower incomplete gamma function.

    Parameters
    ----------
    dimension : d, a whole number in [3, 1e9].
    norm : ‖y‖ in [0, 1e100], in query units.
    sigma : in [1e-50, 1e100].
    positive_part : whether the factor is kept from being negative.

    Returns
    -------
    E‖estimate − y‖² in squared query units, at most dσ²; right to a relative 1e-13.

    Examples
    --------
    >>> james_stein_risk(dimension=10, norm=[0, 3, 30], sigma=1).round(3).tolist()
    [1.258, 5.857, 9.929]
    >>> print(james_stein_risk(dimension=10, norm=0, sigma=1, positive_part=False))
    2.0
    """
    dimension, sigma = integer("dimension", dimension, _STEIN_RANGE), number("sigma", sigma, SIGMA_RANGE)
    half, mean = dimension / 2 - 1, (number("norm", norm, SIZE_RANGE) / sigma) ** 2 / 2
    half, mean = np.broadcast_arrays(half, mean)
    saved = _saved_by_positive_part(half, mean) if positive_part else 0
    return (sigma**2 * (2 + 2 * half * _mean_share(half, mean) - saved))[()]


def _shares(sigma: Array, prior_sd: Array) -> tuple[Array, Array]:
    whole_variance = sigma**2 + prior_sd**2
    return prior_sd**2 / whole_variance, sigma**2 / whole_variance


def _mean_share(half: Array, mean: Array) -> Array:
    """Return E[K/(x + K)] for K ~ Poisson(m), to a few roundings.

    It is m/(x + 1) ₁F₁(1; x + 2; −m), for which the continued fraction m/(x+1+m − 1m/(x+2+m − 2m/(x+3+m − …)) has
    positive values all through. Term n shrinks the error by min(n, m)/max(n, m), so 70 terms serve for every m.
    """
    value = half + 1 + _FRACTION_TERMS + mean
    for n in range(_FRACTION_TERMS, 0, -1):
        value = half + n + mean - n * mean / value
    return mean / value


def _saved_by_positive_part(half: Array, mean: Array) -> Array:
    """Return 2 E[K x/(x + K) P(x + K, x) − (K − 1) P(x + K + 1, x)] for K ~ Poisson(m).

    Up to m ≈ 56 the sum over every k, beyond it over every h-th, h times: for a smooth function that misses no more
    than the weights' Fourier coefficient exp(−m(1 − cos(2π/h))) < 1e-48. Where m is beyond 45 + 7√d, ‖ŷ‖² is never
    below (d − 2)σ², and nothing is saved to the last digit.
    """
    saved = np.zeros_like(mean)
    near = mean < 45 + 7 * np.sqrt(2 * half + 2)
    half, mean = half[near], mean[near]
    spread = np.sqrt(mean)
    step = np.maximum(np.ceil((18 * spread + 25) / _POISSON_NODES), 1)
    k = np.maximum(np.floor(mean - 9 * spread), 0)
    for _ in range(_POISSON_NODES):
        weight = step * np.exp(xlogy(k, mean) - mean - gammaln(k + 1))
        shape = half + k
        saved[near] += 2 * weight * (k * half / shape * gammainc(shape, half) - (k - 1) * gammainc(shape + 1, half))
        k += step
    return saved
