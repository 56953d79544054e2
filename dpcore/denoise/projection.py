"""What counts obey, put back into a release; and what every estimator asks of a release, and returns.

No count is negative, and counts add up to their total. ŷ = y + N(0, σ²I_d). A projection onto a convex set that holds y
never takes the release further from y, whatever the noise was: the one kind of estimator here that can do no harm, if
its assumption on y holds. Risks are sums over the coordinates of squared errors, in squared query units.

References
----------
[S81] Stein 1981, Ann. Statist. 9(6). [D08] Duchi, Shalev-Shwartz, Singer & Chandra 2008, ICML (the sorting algorithm).
"""

from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr

from dpcore.checks import Array, PlainRecord, number, refuse
from dpcore.normal import ROOT_TWO_PI, mills_ratio

SIGMA_RANGE = "[1e-50, 1e100]"  # so that squares of ŷ/σ and sums of them stay finite
NUMBER_RANGE = "[-1e100, 1e100]"
SIZE_RANGE = "[0, 1e100]"  # of a norm, a threshold, a prior's standard deviation, a total
DIMENSION_RANGE = "[1, 1e9]"


def checked_release(noisy: ArrayLike, sigma: ArrayLike, axes: int = 1, least: int = 1) -> tuple[Array, Array]:
    """ŷ and σ as float arrays: ŷ has at least `least` coordinates along its last `axes` axes, σ one entry per release.

    Examples
    --------
    >>> noisy, sigma = checked_release([[1, 2], [3, 4]], 0.5)
    >>> noisy.shape, sigma.tolist()
    ((2, 2), [0.5, 0.5])
    """
    noisy = number("noisy", noisy, NUMBER_RANGE)
    dimension = prod(noisy.shape[-axes:]) if noisy.ndim >= axes else 0
    if dimension < least:
        refuse("dimension", np.array(float(dimension)), np.array(True), f"[{least}, {DIMENSION_RANGE[4:]}")
    return noisy, per_release("sigma", sigma, SIGMA_RANGE, noisy.shape[:-axes])


def per_release(name: str, value: ArrayLike, interval: str, releases: tuple[int, ...]) -> Array:
    """Return a number, or one for each release, as an array of shape `releases`.

    Examples
    --------
    >>> per_release("sigma", [1, 2, 3], "[1e-50, 1e100]", (2,))
    Traceback (most recent call last):
        ...
    ValueError: sigma must be one number or an array that broadcasts to the shape (2,) of the releases, got shape (3,)
    """
    array = number(name, value, interval)
    if array.shape == releases:
        return array
    try:
        return np.broadcast_to(array, releases)
    except ValueError:
        requirement = f"one number or an array that broadcasts to the shape {releases} of the releases"
        raise ValueError(f"{name} must be {requirement}, got shape {array.shape}") from None


@dataclass(frozen=True)
class Estimate(PlainRecord):
    """Denoised numbers, and what the release alone tells of their error.

    `value` has the shape of the release; `sure` is Stein's unbiased estimate of E‖value − y‖² in squared query units,
    −dσ² + ‖value − ŷ‖² + 2σ² div, one for each release, which may be negative; `tuning` is the threshold, strength or
    factor that was used, NaN where there is none. Where the tuning was chosen by `sure` itself, `sure` is optimistic.
    """

    value: Array
    sure: Array
    tuning: Array


def non_negative(noisy: ArrayLike, sigma: ArrayLike) -> Estimate:
    """max(ŷ, 0) in each coordinate: the point nearest to ŷ among those that have nothing negative.

    No coordinate's error grows if y ≥ 0, but their sum drifts upwards: an empty cell becomes σ/√(2π) on average.

    Parameters
    ----------
    noisy : ŷ in [-1e100, 1e100], the d coordinates along the last axis; other axes are releases.
    sigma : in [1e-50, 1e100], one number or one for each release.

    Returns
    -------
    Estimate with `sure` = −dσ² + Σ min(ŷᵢ, 0)² + 2σ²·(number above 0), unbiased, and `tuning` NaN.

    Examples
    --------
    >>> non_negative([5.0, -3.0, 1.0], sigma=1).value.tolist()
    [5.0, 0.0, 1.0]
    """
    noisy, sigma = checked_release(noisy, sigma)
    return _estimate(noisy, sigma, _positive_part(noisy), lost=np.zeros(sigma.shape))


def with_total(noisy: ArrayLike, sigma: ArrayLike, total: ArrayLike | None = None) -> Estimate:
    """max(ŷ − τ, 0) with the τ that makes the sum equal to the total: the point nearest to ŷ among such [D08].

    A total that is given has to be public. One that was read from the data is no post-processing: it costs privacy,
    unless neighbouring data sets have the same total ("replace", each record in one cell). Without one, the release's
    own sum is kept, which is free; a sum below 0 counts as 0. As it is not y's, a single release may become worse where
    noise lowered it. If nearly all of y is well above 0 there is little to gain.

    Parameters
    ----------
    noisy : ŷ in [-1e100, 1e100], the d coordinates along the last axis; other axes are releases.
    sigma : in [1e-50, 1e100], one number or one for each release.
    total : Σy in [0, 1e100], one number or one for each release; None for the sum of ŷ.

    Returns
    -------
    Estimate with `sure` = −dσ² + ‖value − ŷ‖² + 2σ² div, unbiased, and `tuning` NaN. With k coordinates left above 0,
    div is k − 1 for a given total and k for the release's own, where a change of ŷᵢ also moves the sum.

    Examples
    --------
    >>> with_total([5.0, -3.0, 1.0], sigma=1).value.tolist()
    [3.0, 0.0, 0.0]
    >>> with_total([5.0, -3.0, 1.0], sigma=1, total=8).value.tolist()
    [6.0, 0.0, 2.0]
    """
    noisy, sigma = checked_release(noisy, sigma)
    if total is None:
        return _estimate(noisy, sigma, _projected(noisy, np.sum(noisy, axis=-1)), lost=np.zeros(sigma.shape))
    value = _projected(noisy, per_release("total", total, SIZE_RANGE, sigma.shape))
    return _estimate(noisy, sigma, value, lost=np.any(value > 0, axis=-1))


def non_negative_risk(mean: ArrayLike, sigma: ArrayLike) -> Array:
    """E(max(X, 0) − μ)² for one coordinate X ~ N(μ, σ²), exactly; the risk of a vector is the sum over its coordinates.

    In units of σ it is 1 − Φ(−μ) − μφ(μ) + μ²Φ(−μ): σ²/2 for an empty cell, σ² far above 0. Below 0, where no count is,
    it grows with μ².

    Parameters
    ----------
    mean : μ, a coordinate of y, in [-1e100, 1e100].
    sigma : in [1e-50, 1e100].

    Examples
    --------
    >>> non_negative_risk(mean=[0, 1, 10], sigma=2).round(3).tolist()
    [2.0, 2.37, 4.0]
    """
    sigma = number("sigma", sigma, SIGMA_RANGE)
    mean = number("mean", mean, NUMBER_RANGE) / sigma
    near = np.minimum(np.abs(mean), 40)  # from 39 on φ is 0
    density = np.exp(-near * near / 2) / ROOT_TWO_PI
    above = ndtr(near) - near * density * (1 - near * mills_ratio(near))
    below = mean**2 * ndtr(near) + ndtr(-near) + near * density
    return sigma**2 * np.where(mean >= 0, above, below)


def _estimate(noisy: Array, sigma: Array, value: Array, lost: Array) -> Estimate:
    """Return `value` as an estimate with the divergence (number above 0) − `lost`."""
    divergence = np.count_nonzero(value > 0, axis=-1) - lost
    change = value - noisy
    sure = np.vecdot(change, change) + sigma**2 * (2 * divergence - noisy.shape[-1])
    return Estimate(value, sure, np.full(sigma.shape, np.nan))


def _projected(noisy: Array, total: Array) -> Array:
    """Return the k largest less τ = (their sum − total)/k, and 0 for the others, k the most for which all are above 0.

    The largest coordinate is taken off first, so that a total small against it is not lost in rounding. A total of 0 or
    less leaves nothing.
    """
    falling = np.sort(noisy, axis=-1)[..., ::-1]
    largest = falling[..., :1]
    falling = falling - largest
    excess = np.cumsum(falling, axis=-1)
    excess -= total[..., None]
    rank = np.arange(1.0, noisy.shape[-1] + 1)
    n_positive = np.maximum(np.count_nonzero(falling * rank > excess, axis=-1), 1)[..., None]
    shift = np.take_along_axis(excess, n_positive - 1, axis=-1) / n_positive
    return _positive_part(noisy - largest - shift)


def _positive_part(values: Array) -> Array:
    return np.clip(values, 0, np.inf)  # a quarter of the time of the maximum with 0
