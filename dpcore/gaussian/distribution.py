"""Gaussian noise itself: density φ(x/σ)/σ, tails, half-widths, moments and draws, under the names of every family.

x, t and σ (`sigma`, the standard deviation) are in query units. Arguments broadcast; results have their common shape.

At its end are the parts that all formulas of the Gaussian share: domains, query units and rounding.
"""

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr, ndtri

from dpcore.checks import EPSILON_RANGE, SIGNIFICANCE_RANGE, Array, generator, number, refuse, shape
from dpcore.normal import ROOT_TWO_PI, mills_ratio
from dpcore.rounding import TINY, round_up

_SIGMA = "(0, 1e300]"  # up to where a half-width fits a double
_NO_TAIL = 40.0  # standard deviations beyond which a tail is below the least double


def pdf(x: ArrayLike, sigma: ArrayLike) -> Array:
    """e^{−x²/(2σ²)}/(σ√(2π)), the density of the noise at x.

    Parameters
    ----------
    x : any real number, in query units.
    sigma : σ in [1e-300, 1e300], in query units.

    Returns
    -------
    A density per query unit, to a relative (6 + 2(x/σ)²)·2⁻⁵² where it is above 1e-307.

    Examples
    --------
    >>> print(f"{pdf(0, sigma=1):.6f}")
    0.398942
    """
    x, sigma = number("x", x, "(-inf, inf)"), number("sigma", sigma, "[1e-300, 1e300]")
    with np.errstate(over="ignore", under="ignore"):
        place = x / sigma
        return np.exp(-place * place / 2) / (sigma * ROOT_TWO_PI)


def cdf(x: ArrayLike, sigma: ArrayLike) -> Array:
    """Pr(noise ≤ x) = Φ(x/σ), to a relative (10 + 2(x/σ)²)·2⁻⁵² where it is above 1e-307.

    Parameters
    ----------
    x : any real number, in query units.
    sigma : σ in (0, 1e300], in query units.

    Examples
    --------
    >>> print(f"{cdf(1.96, sigma=1):.4f}")
    0.9750
    """
    x, sigma = number("x", x, "(-inf, inf)"), number("sigma", sigma, _SIGMA)
    with np.errstate(over="ignore", under="ignore"):
        return ndtr(x / sigma)


def tail(t: ArrayLike, sigma: ArrayLike) -> Array:
    """Pr(|noise| > t) = 2Φ(−t/σ), rounded up in its last bits.

    Parameters
    ----------
    t : distance from the truth, at least 0, in query units.
    sigma : σ in (0, 1e300], in query units.

    Returns
    -------
    A probability in (0, 1]: never below the true value, above it by a relative (20 + 2(t/σ)²)·2⁻⁵² at most; one too
    small for a double is given as the smallest one, 5e-324.

    Examples
    --------
    >>> print(f"{tail(2, sigma=1):.6f}")
    0.045500
    """
    t, sigma = number("t", t, "[0, inf)"), number("sigma", sigma, _SIGMA)
    with np.errstate(over="ignore", under="ignore"):
        place = np.minimum(t / sigma, _NO_TAIL)
        share = 2 * np.exp(-place * place / 2) / ROOT_TWO_PI * mills_ratio(place)
        # The density multiplies the rounding of t/σ and of its square by (t/σ)².
        return np.minimum(round_up(share, 10 + place * place) + TINY * (t > 0), 1)[()]


def half_width(significance: ArrayLike, sigma: ArrayLike) -> Array:
    """−σ Φ⁻¹(α/2), the t with Pr(|noise| > t) = α: σ √2 erf⁻¹(1 − α) in a form that stays right for tiny α ([GA20]).

    Parameters
    ----------
    significance : α in [1e-300, 1), dimensionless.
    sigma : σ in (0, 1e300], in query units.

    Returns
    -------
    t in query units, rounded up: never below the true value, above it by a relative 3e-15 at most.

    Examples
    --------
    >>> print(f"{half_width(0.05, sigma=1):.6f}")
    1.959964
    """
    significance = number("significance", significance, SIGNIFICANCE_RANGE)
    return round_up(-ndtri(significance / 2) * number("sigma", sigma, _SIGMA), 5) + TINY


def variance(sigma: ArrayLike) -> Array:
    """σ², in squared query units; σ in [1e-150, 1e150].

    Examples
    --------
    >>> print(variance(3))
    9.0
    """
    return number("sigma", sigma, "[1e-150, 1e150]") ** 2


def mean_absolute_error(sigma: ArrayLike) -> Array:
    """E|noise| = σ√(2/π), in query units; σ in (0, 1e300].

    Examples
    --------
    >>> print(f"{mean_absolute_error(1):.6f}")
    0.797885
    """
    return number("sigma", sigma, _SIGMA) * np.sqrt(2 / np.pi)


def sample(rng: np.random.Generator, sigma: ArrayLike, size: int | tuple[int, ...] | None = None) -> Array:
    """Draws of the noise, for pictures and trials: a release needs a sampler that floating point can't betray.

    Parameters
    ----------
    rng : the source of randomness.
    sigma : σ in (0, 1e300], in query units.
    size : shape of the result, to which that of `sigma` broadcasts; by default the shape of `sigma`.

    Examples
    --------
    >>> sample(np.random.default_rng(seed=1), sigma=2, size=(3, 5)).shape
    (3, 5)
    """
    generator("rng", rng)
    sigma = number("sigma", sigma, _SIGMA)
    return np.asarray(rng.normal(0.0, sigma, shape("size", size, sigma.shape)))[()]


LEAST_EPSILON_RANGE = "[1e-300, 1e6]"  # where a formula divides by ε
SENSITIVITY_RANGE = "[1e-300, inf)"
SIGMA_RANGE = "(0, inf)"


def mu_of(sigma: ArrayLike, l2_sensitivity: ArrayLike) -> Array:
    """Δ₂/σ, refused beyond 1e150."""
    sigma = number("sigma", sigma, SIGMA_RANGE)
    sensitivity = number("l2_sensitivity", l2_sensitivity, SENSITIVITY_RANGE)
    with np.errstate(over="ignore"):
        mu = sensitivity / sigma
    if np.any(mu > 1e150):  # whose square, and so ε, would overflow
        refuse("sigma", sigma, mu > 1e150, f"[{1e-150 * np.max(sensitivity):.4g}, inf)")
    return mu


def mechanism(epsilon: ArrayLike, sigma: ArrayLike, l2_sensitivity: ArrayLike) -> tuple[Array, Array, Array]:
    """Return ε, σ and Δ₂, checked."""
    return (
        number("epsilon", epsilon, EPSILON_RANGE),
        number("sigma", sigma, SIGMA_RANGE),
        number("l2_sensitivity", l2_sensitivity, SENSITIVITY_RANGE),
    )


def in_query_units(unit_sigma: Array, l2_sensitivity: ArrayLike) -> Array:
    """Scale the σ of Δ₂ = 1 to the sensitivity and round it up; refuse a sensitivity that overflows it."""
    sensitivity = number("l2_sensitivity", l2_sensitivity, SENSITIVITY_RANGE)
    with np.errstate(over="ignore"):
        sigma = round_up(unit_sigma * sensitivity, 10)  # 8 was unsafe at 2 of 200,000 points in intervals
    refuse_overflow(sigma, sensitivity, unit_sigma)
    return sigma


def refuse_overflow(sigma: Array, sensitivity: Array, unit_sigma: Array) -> None:
    """Refuse a sensitivity at which σ, that of Δ₂ = 1 times Δ₂, is beyond the largest double."""
    lost = np.isinf(sigma)
    if np.any(lost):
        most = 1.7e308 / np.max(unit_sigma)
        refuse("l2_sensitivity", sensitivity, lost, f"[1e-300, {most:.4g}] at this epsilon and delta")


def as_probability(delta: Array) -> Array:
    """Round a probability up, into (0, 1]."""
    return np.minimum(round_up(delta, 10) + TINY, 1.0)
