"""The distribution of Laplace noise: its density, tail, half-width, moments and samples."""

import numpy as np
from numpy.typing import ArrayLike

from dpcore.checks import (
    SIGNIFICANCE_RANGE,
    Array,
    generator,
    number,
    shape,
)
from dpcore.rounding import TINY, round_up

SCALE_RANGE = "[1e-150, 1e250]"


def pdf(x: ArrayLike, scale: ArrayLike) -> Array:
    """e^{−|x|/b}/(2b), the density of the noise at x (any real, in query units).

    Examples
    --------
    >>> print(f"{pdf(1, scale=2):.6f}")
    0.151633
    """
    x, scale = _checked_noise(x, scale)
    with np.errstate(over="ignore", under="ignore"):
        return np.exp(-abs(x) / scale) / (2 * scale)


def cdf(x: ArrayLike, scale: ArrayLike) -> Array:
    """Pr(noise ≤ x): e^{x/b}/2 for x ≤ 0, else 1 − e^{−x/b}/2.

    Examples
    --------
    >>> print(f"{cdf(1, scale=2):.6f}")
    0.696735
    """
    x, scale = _checked_noise(x, scale)
    with np.errstate(over="ignore", under="ignore"):
        tail = np.exp(-abs(x) / scale) / 2
    return np.where(x > 0, 1 - tail, tail)[()]


def _checked_noise(x: ArrayLike, scale: ArrayLike) -> tuple[Array, Array]:
    return number("x", x, "(-inf, inf)"), number("scale", scale, SCALE_RANGE)


def tail(t: ArrayLike, scale: ArrayLike) -> Array:
    """Pr(|noise| > t) = e^{−t/b}, rounded up in its last bits.

    Parameters
    ----------
    t : distance from the truth, at least 0, in query units.
    scale : b in [1e-150, 1e250], in query units.

    Examples
    --------
    >>> print(f"{tail(3, scale=1):.6f}")
    0.049787
    """
    t, scale = number("t", t, "[0, inf)"), number("scale", scale, SCALE_RANGE)
    with np.errstate(over="ignore", under="ignore"):
        reach = np.minimum(t / scale, 1e4)  # where nothing is left, and the margin below still finite
        return np.minimum(round_up(np.exp(-reach), (2 + 2 * reach) * (t > 0)) + TINY * (t > 0), 1)[()]


def half_width(significance: ArrayLike, scale: ArrayLike) -> Array:
    """b ln(1/α): the t with Pr(|noise| > t) = α, rounded up by a relative 2e-15 at most.

    Parameters
    ----------
    significance : α in [1e-300, 1).
    scale : b in [1e-150, 1e250], in query units.

    Examples
    --------
    >>> print(f"{half_width(0.05, scale=1):.4f}")
    2.9957
    """
    significance = number("significance", significance, SIGNIFICANCE_RANGE)
    return round_up(-np.log(significance) * number("scale", scale, SCALE_RANGE), 4)


def variance(scale: ArrayLike) -> Array:
    """2b², in squared query units; b in [1e-150, 1e150].

    Examples
    --------
    >>> print(variance(3))
    18.0
    """
    return 2 * number("scale", scale, "[1e-150, 1e150]") ** 2


def mean_absolute_error(scale: ArrayLike) -> Array:
    """E|noise| = b, in query units.

    Examples
    --------
    >>> print(mean_absolute_error(2))
    2.0
    """
    return number("scale", scale, SCALE_RANGE) * 1.0


def sample(rng: np.random.Generator, scale: ArrayLike, size: int | tuple[int, ...] | None = None) -> Array:
    """Draws of the noise, for pictures and trials: a release needs a sampler that floating point can't betray.

    Parameters
    ----------
    rng : the source of randomness.
    scale : b in [1e-150, 1e250], in query units.
    size : shape of the result, to which that of `scale` broadcasts; by default the shape of `scale`.

    Examples
    --------
    >>> sample(np.random.default_rng(seed=1), scale=2, size=(3, 5)).shape
    (3, 5)
    """
    generator("rng", rng)
    scale = number("scale", scale, SCALE_RANGE)
    return np.asarray(rng.laplace(0.0, scale, shape("size", size, scale.shape)))[()]
