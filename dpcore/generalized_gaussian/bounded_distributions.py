"""The distribution of a bounded release: densities, masses, moments and draws of the truncated and BIT mechanisms.

The truncated mechanism draws from the density ∝ exp(−(|x − s|/b)^p) on [c₀, c₁] ([Liu19] Def. 5); the boundary-inflated
truncated one (BIT) adds unbounded noise and moves what falls outside to the nearer bound ([Liu19] Def. 7). s is the
true value. Lengths are in query units, p in [1, 100] is real. Arguments broadcast; results have their common shape.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import gamma, gammainc, gammaincc, gammaincinv

from dpcore.checks import SHAPE_RANGE, Array, PlainRecord, generator, number, refuse, shape
from dpcore.generalized_gaussian._tails import tail_probability
from dpcore.generalized_gaussian.exponential import BOUND_RANGE, FLAT, SCALE_RANGE, apart
from dpcore.rounding import ULP


@dataclass(frozen=True)
class Moments(PlainRecord):
    """Moments of a bounded release about the true value s and about its own mean, in query units and their square."""

    bias: Array
    mse: Array
    variance: Array


def truncated_pdf(
    x: ArrayLike, value: ArrayLike, scale: ArrayLike, p: ArrayLike, low: ArrayLike, high: ArrayLike
) -> Array:
    """exp(−(|x − s|/b)^p) / ∫_{c₀}^{c₁} exp(−(|y − s|/b)^p) dy on [c₀, c₁], and 0 outside ([Liu19] Eq. 6).

    Parameters
    ----------
    x : releases, any finite number, in query units.
    value : the true value s in [low, high].
    low, high : the bounds c₀ < c₁ in [-1e100, 1e100], at least 1e-100 apart.
    p : shape, in [1, 100].
    scale : b in [1e-150, 1e150], in query units.

    Returns
    -------
    The density, per query unit, to a relative 1e-10 where it is above 1e-300/W.

    Examples
    --------
    >>> f"{truncated_pdf(3, 2, scale=6.0, p=3, low=0, high=10):.4f}"
    '0.1372'
    """
    x, value, low, high, p, scale = checked_release(x, value, low, high, p, scale)
    unit, ratio, below, above = unit_lengths(value, low, high, scale)
    total = partial_moment(0, below, ratio, p) + partial_moment(0, above, ratio, p)
    return np.where((x >= low) & (x <= high), _kernel(x, value, p, scale) / unit / total, 0)[()]


def boundary_inflated_pdf(
    x: ArrayLike, value: ArrayLike, scale: ArrayLike, p: ArrayLike, low: ArrayLike, high: ArrayLike
) -> Array:
    """p/(2bΓ(1/p)) exp(−(|x − s|/b)^p) between the bounds, 0 from them on: the continuous part of the BIT mechanism.

    [Liu19] Eq. 9 prints it without the minus sign. Arguments and accuracy as in `truncated_pdf`.

    Examples
    --------
    >>> f"{boundary_inflated_pdf(3, 2, scale=6.0, p=3, low=0, high=10):.4f}"
    '0.0929'
    """
    x, value, low, high, p, scale = checked_release(x, value, low, high, p, scale)
    density = _kernel(x, value, p, scale) / (2 * gamma(1 + 1 / p)) / scale
    return np.where((x > low) & (x < high), density, 0)[()]


def boundary_inflated_masses(
    value: ArrayLike, scale: ArrayLike, p: ArrayLike, low: ArrayLike, high: ArrayLike
) -> tuple[Array, Array]:
    """Pr(s + e ≤ c₀) and Pr(s + e ≥ c₁): the point masses of the BIT mechanism at its bounds ([Liu19] Def. 7).

    Arguments as in `truncated_pdf`. Right to a relative 1e-10 where above 1e-300.

    Examples
    --------
    >>> low, high = boundary_inflated_masses(2, scale=6.0, p=3, low=0, high=10)
    >>> f"{low:.4f}, {high:.4f}"
    '0.3151, 0.0081'
    """
    _, value, low, high, p, scale = checked_release(0.0, value, low, high, p, scale)
    with np.errstate(all="ignore"):
        return tail_probability((value - low) / scale, p)[()], tail_probability((high - value) / scale, p)[()]


def truncated_cdf(
    x: ArrayLike, value: ArrayLike, scale: ArrayLike, p: ArrayLike, low: ArrayLike, high: ArrayLike
) -> Array:
    """Pr(release ≤ x) of the truncated mechanism; arguments as in `truncated_pdf`. To an absolute 1e-15 or so.

    Examples
    --------
    >>> f"{truncated_cdf(3, 2, scale=6.0, p=3, low=0, high=10):.4f}"
    '0.4109'
    """
    x, value, low, high, p, scale = checked_release(x, value, low, high, p, scale)
    unit, ratio = unit_length(low, high, scale)
    x = np.clip(x, low, high)
    below, above = (partial_moment(0, length / unit, ratio, p) for length in (value - low, high - value))
    part = np.sign(x - value) * partial_moment(0, abs(x - value) / unit, ratio, p)
    return np.where(x == high, 1, np.clip((below + part) / (below + above), 0, 1))[()]


def boundary_inflated_cdf(
    x: ArrayLike, value: ArrayLike, scale: ArrayLike, p: ArrayLike, low: ArrayLike, high: ArrayLike
) -> Array:
    """Pr(release ≤ x) of the BIT mechanism, with its jumps at the bounds; arguments as in `truncated_pdf`.

    Examples
    --------
    >>> f"{boundary_inflated_cdf(3, 2, scale=6.0, p=3, low=0, high=10):.4f}"
    '0.5932'
    """
    x, value, low, high, p, scale = checked_release(x, value, low, high, p, scale)
    with np.errstate(all="ignore"):
        tail = tail_probability(abs(x - value) / scale, p)
    return np.where(x < low, 0, np.where(x >= high, 1, np.where(x < value, tail, 1 - tail)))[()]


def truncated_moments(value: ArrayLike, scale: ArrayLike, p: ArrayLike, low: ArrayLike, high: ArrayLike) -> Moments:
    """Bias E[x] − s, mean squared error E[(x − s)²] and variance of the truncated mechanism at the true value s.

    In units of b, ∫_0^t u^k e^{−u^p} du = γ((k + 1)/p, t^p)/p, taken over both sides of s and divided by that of k = 0.

    Arguments as in `truncated_pdf`.

    Returns
    -------
    `mse` and `variance` to a relative 1e-12; `bias` to 1e-13 of the smaller of b and W.

    Examples
    --------
    >>> moments = truncated_moments(2, scale=6.0, p=3, low=0, high=10)
    >>> f"{moments.bias:.4f}, {moments.mse:.4f}, {moments.variance:.4f}"
    '1.8639, 9.3599, 5.8858'
    """
    _, value, low, high, p, scale = checked_release(0.0, value, low, high, p, scale)
    unit, ratio, below, above = unit_lengths(value, low, high, scale)
    total = partial_moment(0, below, ratio, p) + partial_moment(0, above, ratio, p)
    square = (partial_moment(2, below, ratio, p) + partial_moment(2, above, ratio, p)) / total
    return _moments(_first_moment(below, above, ratio, p) / total, square, unit)


def boundary_inflated_moments(
    value: ArrayLike, scale: ArrayLike, p: ArrayLike, low: ArrayLike, high: ArrayLike
) -> Moments:
    """Bias, mean squared error and variance of the BIT mechanism; arguments and accuracy as in `truncated_moments`.

    Examples
    --------
    >>> moments = boundary_inflated_moments(2, scale=6.0, p=3, low=0, high=10)
    >>> f"{moments.bias:.4f}, {moments.mse:.4f}, {moments.variance:.4f}"
    '0.6959, 8.1111, 7.6268'
    """
    _, value, low, high, p, scale = checked_release(0.0, value, low, high, p, scale)
    unit, ratio, below, above = unit_lengths(value, low, high, scale)
    with np.errstate(all="ignore"):
        low_mass, high_mass = tail_probability(below * ratio, p), tail_probability(above * ratio, p)
        low_pull, high_pull = (np.where(m > 0, t * m, 0) for t, m in ((below, low_mass), (above, high_mass)))
        low_square, high_square = (np.where(m > 0, t * m, 0) for t, m in ((below, low_pull), (above, high_pull)))
    total = 2 * gamma(1 + 1 / p)
    inside = ratio * (partial_moment(2, below, ratio, p) + partial_moment(2, above, ratio, p)) / total
    bias = ratio * _first_moment(below, above, ratio, p) / total + (high_pull - low_pull)
    return _moments(bias, inside + low_square + high_square, unit)


def checked_release(
    x: ArrayLike, value: ArrayLike, low: ArrayLike, high: ArrayLike, p: ArrayLike, scale: ArrayLike
) -> tuple[Array, Array, Array, Array, Array, Array]:
    """Return the checked arguments in their common shape."""
    x, value, low, high, p, scale = np.broadcast_arrays(
        number("x", x, "(-inf, inf)"),
        number("value", value, BOUND_RANGE),
        number("low", low, BOUND_RANGE),
        number("high", high, BOUND_RANGE),
        number("p", p, SHAPE_RANGE),
        number("scale", scale, SCALE_RANGE),
    )
    apart(low, high)
    refuse("value", value, (value < low) | (value > high), "[low, high]")
    return x, value, low, high, p, scale


def unit_length(low: Array, high: Array, scale: Array) -> tuple[Array, Array]:
    """Return the smaller of W and b, in which lengths neither overflow nor vanish when squared, and unit/b."""
    unit = np.minimum(high - low, scale)
    return unit, unit / scale


def unit_lengths(value: Array, low: Array, high: Array, scale: Array) -> tuple[Array, Array, Array, Array]:
    """`unit_length`, and the distances of the true value from the lower and the upper bound in that unit."""
    unit, ratio = unit_length(low, high, scale)
    return unit, ratio, (value - low) / unit, (high - value) / unit


def _kernel(x: Array, value: Array, p: Array, scale: Array) -> Array:
    with np.errstate(over="ignore", under="ignore"):
        return np.exp(-((abs(x - value) / scale) ** p))


def partial_moment(k: int, length: Array, ratio: Array, p: Array) -> Array:
    """∫_0^length u^k e^{−(ratio·u)^p} du."""
    with np.errstate(all="ignore"):
        v = (ratio * length) ** p
        full = gamma(1 + (k + 1) / p) / (k + 1) * gammainc((k + 1) / p, np.minimum(v, 1e300)) / ratio ** (k + 1)
        return np.where(v < FLAT, length ** (k + 1) / (k + 1), full)


def _first_moment(below: Array, above: Array, ratio: Array, p: Array) -> Array:
    """Return ∫ u e^{−(ratio·u)^p} du from `below` to `above`, by upper tails where both are far out."""
    with np.errstate(all="ignore"):
        v_below, v_above = (np.minimum((ratio * length) ** p, 1e300) for length in (below, above))
        tails = gamma(1 + 2 / p) / 2 * (gammaincc(2 / p, v_below) - gammaincc(2 / p, v_above)) / ratio**2
    return np.where(
        np.minimum(v_below, v_above) > 1, tails, partial_moment(1, above, ratio, p) - partial_moment(1, below, ratio, p)
    )


def _moments(bias: Array, square: Array, unit: Array) -> Moments:
    # The density falls on either side of s, so bias² is at most 3/4 of the mean square: the variance does not cancel.
    return Moments(bias * unit, square * unit**2, (square - bias**2) * unit**2)


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
