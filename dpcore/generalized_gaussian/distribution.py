"""The generalized Gaussian distribution: density p/(2bΓ(1/p)) e^{−(|x|/b)^p}, shape p, scale b ([Liu19] §2.3).

p = 1 is Laplace noise of scale b, p = 2 Gaussian noise with σ = b/√2; p → ∞ tends to uniform noise on [−b, b]. x and b
are in query units, p is dimensionless. Arguments broadcast; results have their common shape.
"""

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import gamma, gammaincc, ndtri

from dpcore.checks import SHAPE_RANGE, SIGNIFICANCE_RANGE, Array, generator, number, shape
from dpcore.generalized_gaussian._tails import half_norm, mills_ratio, upper_point
from dpcore.rounding import TINY, ULP, round_up

SCALE_RANGE = "[1e-300, 1e300]"
_ANYWHERE = "[-inf, inf]"


def pdf(x: ArrayLike, scale: ArrayLike, p: ArrayLike) -> Array:
    """p/(2bΓ(1/p)) e^{−(|x|/b)^p} ([Liu19] §2.3).

    Parameters
    ----------
    x : any real number, in query units.
    p : shape, in [1, 100].
    scale : b in [1e-300, 1e300], in query units.

    Returns
    -------
    The density per query unit, as right as if x had been moved by one rounding; 0 where it is too small for a double.

    Examples
    --------
    >>> f"{pdf(0.5, scale=1.0, p=3):.4f}"
    '0.4941'
    """
    _, power, p, scale = _reduced(number("x", x, _ANYWHERE), p, scale)
    return (np.exp(-power) / (2 * half_norm(p)) / scale)[()]


def sf(x: ArrayLike, scale: ArrayLike, p: ArrayLike) -> Array:
    """Pr(X > x) = Q(1/p, (x/b)^p)/2 for x ≥ 0, with Q = Γ(a, ·)/Γ(a); 1 − Pr(X > −x) below.

    Parameters
    ----------
    x : any real number, in query units.
    scale, p : as in `pdf`.

    Returns
    -------
    A probability right to a relative 1e-13 (SciPy's gammaincc), or as right as if x had been moved by one rounding,
    down to 1e-300. `tail` is never too small.

    Examples
    --------
    >>> f"{sf(0.5, scale=1.0, p=3):.4f}"
    '0.2285'
    """
    x = number("x", x, _ANYWHERE)
    distance, power, p, _ = _reduced(x, p, scale)
    if power.size and power.min() > 1e-17 and power.max() < 700:
        tail = gammaincc(1 / p, power)
        tail *= 0.5
    else:
        tail = _far_tail(distance, power, p)
    left = x < 0
    return np.where(left, 1 - tail, tail)[()] if left.any() else tail


def cdf(x: ArrayLike, scale: ArrayLike, p: ArrayLike) -> Array:
    """Pr(X ≤ x) = Pr(X > −x); arguments and accuracy as in `sf`.

    Examples
    --------
    >>> f"{cdf(0.5, scale=1.0, p=3):.4f}"
    '0.7715'
    """
    return sf(-number("x", x, _ANYWHERE), scale, p)


def tail(t: ArrayLike, scale: ArrayLike, p: ArrayLike) -> Array:
    """Pr(|X| > t) = Q(1/p, (t/b)^p), with Q = Γ(a, ·)/Γ(a).

    Parameters
    ----------
    t : distance from the truth, at least 0, in query units.
    scale, p : as in `pdf`.

    Returns
    -------
    A probability: never below the true value, above it by a relative 2e-14 and by what moving t by eight roundings
    does.

    Examples
    --------
    >>> f"{tail(0.5, scale=1.0, p=3):.4f}"
    '0.4570'
    """
    distance, power, p, _ = _reduced(number("t", t, "[0, inf)"), p, scale)
    # 20 roundings of the Mills ratio; those of t/b and of its power count p-fold and once as parts of the exponent
    doubt = (64 + 8 * p * np.minimum(power, 1e4)) * ULP
    return np.minimum(2 * _far_tail(distance, power, p) * (1 + doubt) + TINY, 1)[()]


def half_width(significance: ArrayLike, scale: ArrayLike, p: ArrayLike) -> Array:
    """Return the t with Pr(|X| > t) = α: a release is within ±t of the truth with probability 1 − α.

    Parameters
    ----------
    significance : α in [1e-300, 1).
    p : shape, in [1, 100]. p = 1 is the closed form b ln(1/α), p = 2 is −b Φ⁻¹(α/2)/√2.
    scale : b in [1e-300, 1e300], in query units.

    Returns
    -------
    t in query units: never below the true value, above it by a relative 5e-14 at most.

    Examples
    --------
    >>> f"{half_width(0.05, scale=1.0, p=3):.4f}"
    '1.1379'
    """
    significance = number("significance", significance, SIGNIFICANCE_RANGE)
    p, scale = number("p", p, SHAPE_RANGE), number("scale", scale, SCALE_RANGE)
    with np.errstate(under="ignore"):
        return round_up(scale * tail_quantile(significance, 1 - significance, p), 128)[()]


def isf(probability: ArrayLike, scale: ArrayLike, p: ArrayLike) -> Array:
    """Return the x with Pr(X > x) = α: b w^{1/p} with Q(1/p, w) = 2α for α ≤ 1/2; −isf(1 − α) above.

    Parameters
    ----------
    probability : α in [1e-300, 1).
    p : shape, in [1, 100]. p = 1 is the closed form −b ln(2α), p = 2 is −b Φ⁻¹(α)/√2.
    scale : b in [1e-300, 1e300], in query units.

    Returns
    -------
    x in query units, to a relative 2e-14. 1 − α rounds to 1 below 1e-16: a far lower quantile is −isf(α).

    Examples
    --------
    >>> f"{isf(0.025, scale=1.0, p=3):.4f}"
    '1.1379'
    """
    probability = number("probability", probability, "[1e-300, 1)")
    p, scale = number("p", p, SHAPE_RANGE), number("scale", scale, SCALE_RANGE)
    small = np.minimum(probability, 1 - probability)
    with np.errstate(under="ignore"):
        return (np.where(probability > 0.5, -scale, scale) * tail_quantile(2 * small, 1 - 2 * small, p))[()]


def tail_quantile(both_tails: Array, centre: Array, p: Array) -> Array:
    """Return the x ≥ 0 with Pr(|X| > x) = `both_tails` for b = 1; `centre` is 1 − `both_tails` to all its digits."""
    both_tails, centre, p = np.broadcast_arrays(both_tails, centre, p)
    shape, both_tails, centre, p = p.shape, both_tails.ravel(), centre.ravel(), p.ravel()
    log_tail = np.log(both_tails)
    laplace, gaussian = p == 1, p == 2
    with np.errstate(divide="ignore", invalid="ignore", under="ignore", over="ignore"):
        x = upper_point(log_tail, centre, p, half_norm(p))
    if laplace.any():
        x[laplace] = np.where(centre < 0.5, -np.log1p(-np.minimum(centre, 0.5)), -log_tail)[laplace]
    if gaussian.any():
        x[gaussian] = -ndtri(both_tails[gaussian] / 2) / np.sqrt(2)
    return x.reshape(shape)


def variance(scale: ArrayLike, p: ArrayLike) -> Array:
    """b² Γ(3/p)/Γ(1/p), in squared query units ([Liu19] §2.3): p in [1, 100], b in [1e-150, 1e150].

    Examples
    --------
    >>> f"{variance(3.0, 2):.4f}"
    '4.5000'
    """
    p, scale = number("p", p, SHAPE_RANGE), number("scale", scale, "[1e-150, 1e150]")
    return scale**2 * gamma(3 / p) / gamma(1 / p)


def mean_absolute_error(scale: ArrayLike, p: ArrayLike) -> Array:
    """E|X| = b Γ(2/p)/Γ(1/p), in query units: p in [1, 100], b in [1e-300, 1e300].

    Examples
    --------
    >>> f"{mean_absolute_error(3.0, 1):.4f}"
    '3.0000'
    """
    p, scale = number("p", p, SHAPE_RANGE), number("scale", scale, SCALE_RANGE)
    return scale * (gamma(2 / p) / gamma(1 / p))


def sample(
    rng: np.random.Generator, scale: ArrayLike, p: ArrayLike, size: int | tuple[int, ...] | None = None
) -> Array:
    """Draws b U G^{1/p}, U uniform on (−1, 1), G of the gamma distribution of shape 1 + 1/p.

    |U|^p G has the gamma distribution of shape 1/p, of which (|X|/b)^p is a draw; unlike a draw from that one it does
    not underflow for large p.

    Parameters
    ----------
    rng : a NumPy random generator.
    scale, p : as in `pdf`.
    size : shape of the result; that of the arguments if not given.

    Examples
    --------
    >>> sample(np.random.default_rng(1), scale=1.0, p=3, size=4).shape
    (4,)
    """
    generator("rng", rng)
    p, scale = number("p", p, SHAPE_RANGE), number("scale", scale, SCALE_RANGE)
    draws = shape("size", size, np.broadcast_shapes(p.shape, scale.shape))
    return scale * (rng.uniform(-1, 1, draws) * rng.standard_gamma(1 + 1 / p, draws) ** (1 / p))


def _reduced(x: Array, p: ArrayLike, scale: ArrayLike) -> tuple[Array, Array, Array, Array]:
    """Return |x|/b and its p-th power beside p and b, both checked."""
    p, scale = number("p", p, SHAPE_RANGE), number("scale", scale, SCALE_RANGE)
    with np.errstate(over="ignore", under="ignore"):
        distance = abs(x) / scale
        return distance, distance**p, p, scale


def _far_tail(distance: Array, power: Array, p: Array) -> Array:
    """Return Pr(X > |x|) by the Mills ratio: slower than gammaincc, but never wrong by 340 roundings as that."""
    distance, power, p = np.broadcast_arrays(distance, power, p)
    shape, distance, power, p = p.shape, distance.ravel(), power.ravel(), p.ravel()
    norm = half_norm(p)
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        tail = np.exp(-power) * (mills_ratio(distance, power, p, norm) / (2 * norm))
    return np.where(np.isfinite(power), tail, 0.0).reshape(shape)[()]
