"""What every estimator asks of a release, its noise and a tuning, and the record that it returns."""

from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import ArrayLike

from dpcore._records import PlainRecord
from dpcore.checks import Array, number, refuse

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
