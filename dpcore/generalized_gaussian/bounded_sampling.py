"""Random releases that are kept within bounds by truncation or at the boundary."""

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import gamma, gammaincinv

from dpcore.checks import Array, generator, shape
from dpcore.generalized_gaussian._bounds import FLAT
from dpcore.generalized_gaussian.bounded_distributions import checked_release, partial_moment, unit_lengths
from dpcore.rounding import ULP


def truncated_sample(
    rng: np.random.Generator,
    value: ArrayLike,
    scale: ArrayLike,
    p: ArrayLike,
    low: ArrayLike,
    high: ArrayLike,
    size: int | tuple[int, ...] | None = None,
) -> Array:
    """Releases of the truncated mechanism, always inside the bounds: a side of s, then an inverse cdf.

    Parameters
    ----------
    rng : source of randomness.
    value, low, high, p, scale : as in `truncated_pdf`.
    size : shape of the result, to which the arguments broadcast; by default their common shape.

    Examples
    --------
    >>> draws = truncated_sample(np.random.default_rng(1), 2, scale=6.0, p=3, low=0, high=10, size=1000)
    >>> bool(draws.min() > 0 and draws.max() < 10)
    True
    """
    generator("rng", rng)
    value, low, high, p, scale = _sample_arguments(size, value, low, high, p, scale)
    unit, ratio, below, above = unit_lengths(value, low, high, scale)
    left, right = partial_moment(0, below, ratio, p), partial_moment(0, above, ratio, p)
    upward = rng.random(value.shape) * (left + right) < right
    part = rng.random(value.shape) * np.where(upward, right, left)
    with np.errstate(all="ignore"):
        start = part * ratio
        power = gammaincinv(1 / p, np.minimum(start / gamma(1 + 1 / p), 1 - ULP / 2)) ** (1 / p) / ratio
        distance = np.where(start**p < FLAT, part, power) * unit
    return np.clip(value + np.where(upward, distance, -distance), low, high)[()]


def boundary_inflated_sample(
    rng: np.random.Generator,
    value: ArrayLike,
    scale: ArrayLike,
    p: ArrayLike,
    low: ArrayLike,
    high: ArrayLike,
    size: int | tuple[int, ...] | None = None,
) -> Array:
    """Releases of the BIT mechanism: unbounded noise, clipped to [c₀, c₁]; arguments as in `truncated_sample`.

    Examples
    --------
    >>> draws = boundary_inflated_sample(np.random.default_rng(1), 2, scale=6.0, p=3, low=0, high=10, size=1000)
    >>> bool(draws.min() == 0 and draws.max() < 10)
    False
    """
    generator("rng", rng)
    value, low, high, p, scale = _sample_arguments(size, value, low, high, p, scale)
    # |e|/b is U G^{1/p} with G of shape 1 + 1/p: a G of shape 1/p, which needs no U, underflows for large p.
    size_of_noise = scale * rng.random(value.shape) * rng.gamma(1 + 1 / p) ** (1 / p)
    return np.clip(value + np.where(rng.random(value.shape) < 0.5, size_of_noise, -size_of_noise), low, high)[()]


def _sample_arguments(size: int | tuple[int, ...] | None, *arguments: ArrayLike) -> tuple[Array, ...]:
    """Return the checked arguments in the shape of a sample."""
    checked = checked_release(0.0, *arguments)
    draws = shape("size", size, checked[0].shape)
    return tuple(np.broadcast_to(argument, draws) for argument in checked[1:])
