"""Closed forms of trade-off functions: the least type II error β at a type I error α, and the power 1 − β.

Each mechanism has two functions, so that neither end is one minus the other. β is rounded down and the power up in
their last bits: neither overstates the guarantee. Arguments broadcast; results have their common shape. For α above 1/2
the doubles themselves are no finer than 1e-16: read that end through the inverse curve (each f is its own inverse).
"""

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import gamma, gammainccinv, gammaincinv, ndtr, ndtri

from dpcore.checks import EPSILON_RANGE, PROBABILITY_RANGE, SHAPE_RANGE, Array, integer, number
from dpcore.generalized_gaussian._tails import tail_probability
from dpcore.rounding import TINY, ULP, round_down, round_sum_down, round_up

MU_RANGE = "[0, 1e6]"
SENSITIVITY_RANGE = "[1e-300, inf)"
_STEPS = "[1, 1e15]"


def gaussian(alpha: ArrayLike, mu: ArrayLike) -> Array:
    """G_μ(α) = Φ(−Φ⁻¹(α) − μ): β of telling N(0, 1) from N(μ, 1) ([DRS22]).

    Parameters
    ----------
    alpha : type I error, in [0, 1].
    mu : in [0, 1e6], dimensionless; Δ₂/σ of a Gaussian mechanism.

    Returns
    -------
    β in [0, 1], below the true value by a relative 8 ULP (1 + |Φ⁻¹(α)|)(1 + |Φ⁻¹(β)|) at most.

    Examples
    --------
    >>> f"{gaussian(0.05, 1):.4f}"
    '0.7405'
    """
    return lower(*_normal_tail(*_gaussian_threshold(alpha, mu), side=-1))


def gaussian_power(alpha: ArrayLike, mu: ArrayLike) -> Array:
    """Φ(Φ⁻¹(α) + μ): the power 1 − β of the best test, right down to α = 1e-300; arguments as in `gaussian`.

    Examples
    --------
    >>> f"{gaussian_power(0.05, 1):.4f}"
    '0.2595'
    """
    return upper(*_normal_tail(*_gaussian_threshold(alpha, mu), side=1))


def _gaussian_threshold(alpha: ArrayLike, mu: ArrayLike) -> tuple[Array, Array]:
    alpha, mu = number("alpha", alpha, PROBABILITY_RANGE), number("mu", mu, MU_RANGE)
    z = ndtri(np.where((alpha > 0) & (alpha < 1e-300), 1e-300, alpha))  # which has no quantile of a subnormal number
    return z + mu, abs(z) + mu


def _normal_tail(x: Array, size: Array, side: int) -> tuple[Array, Array]:
    """Φ(side·x) and the relative doubt of it, where x carries an error of a few roundings of `size`."""
    x = side * x
    with np.errstate(invalid="ignore", over="ignore"):
        slope = np.where(x < 0, 1 - x, 1 / (1 + x * x))  # above φ(x)/Φ(x)
        return ndtr(x), np.where(np.isinf(x), 0, 2 + 4 * slope * size)


def epsilon_delta(alpha: ArrayLike, epsilon: ArrayLike, delta: ArrayLike = 0.0) -> Array:
    """f_{ε,δ}(α) = max(0, 1 − δ − e^ε α, e^{−ε}(1 − δ − α)) ([DRS22]).

    Parameters
    ----------
    alpha : type I error, in [0, 1].
    epsilon : in [0, 1e6], in nats.
    delta : in [0, 1].

    Returns
    -------
    β in [0, 1]. Its first branch is right to a few roundings of 1, as the doubles α and ε determine it.

    Examples
    --------
    >>> f"{epsilon_delta(0.05, 1, 1e-5):.4f}"
    '0.8641'
    """
    alpha, epsilon, delta = _guarantee_terms(alpha, epsilon, delta)
    inexact = (alpha > 0) | (delta > 0)
    steep = round_sum_down(1 - delta - grown(alpha, epsilon), np.where(inexact, 8.0, 0.0))
    larger, smaller = np.maximum(alpha, delta), np.minimum(alpha, delta)
    rest = 1 - larger - smaller - 2 * ULP * ((larger < 0.5) & (smaller > 0))  # 1 − x is exact from 1/2 on
    flat = np.exp(-epsilon) * np.maximum(rest, 0)
    return np.maximum(steep, lower(flat, np.where(inexact, 6.0, 2.0)))[()]


def epsilon_delta_power(alpha: ArrayLike, epsilon: ArrayLike, delta: ArrayLike = 0.0) -> Array:
    """min(1, δ + e^ε α, 1 − e^{−ε}(1 − δ − α)): the power 1 − β; arguments as in `epsilon_delta`.

    Examples
    --------
    >>> f"{epsilon_delta_power(0.05, 1, 1e-5):.4f}"
    '0.1359'
    """
    alpha, epsilon, delta = _guarantee_terms(alpha, epsilon, delta)
    flat = np.maximum(np.exp(-epsilon) * (alpha + delta) - np.expm1(-epsilon), delta)
    return upper(np.minimum(delta + grown(alpha, epsilon), flat), np.where((alpha > 0) & (delta < 1), 8.0, 0.0))


def _guarantee_terms(alpha: ArrayLike, epsilon: ArrayLike, delta: ArrayLike) -> tuple[Array, Array, Array]:
    return (
        number("alpha", alpha, PROBABILITY_RANGE),
        number("epsilon", epsilon, EPSILON_RANGE),
        number("delta", delta, PROBABILITY_RANGE),
    )


def grown(alpha: Array, epsilon: Array) -> Array:
    """e^ε α for any ε ≥ 0: at least 1, or right to a few roundings."""
    half = np.exp(np.minimum(epsilon, 1400) / 2)
    with np.errstate(over="ignore"):
        return half * alpha * half


def laplace(alpha: ArrayLike, theta: ArrayLike) -> Array:
    """1 − e^θ α for α < e^{−θ}/2, then e^{−θ}/(4α) up to 1/2, then e^{−θ}(1 − α) ([DRS22]; R `fdp::lap`).

    Parameters
    ----------
    alpha : type I error, in [0, 1].
    theta : Δ₁/b in [0, 1e6]: sensitivity over scale of the Laplace noise.

    Returns
    -------
    β in [0, 1].

    Examples
    --------
    >>> f"{laplace(0.05, 1):.4f}"
    '0.8641'
    """
    alpha, theta, risen, middle = _laplace(alpha, theta)
    shrunk = np.exp(-theta)
    flat = np.where(alpha > 0.5, shrunk * (1 - alpha), middle)
    doubt = np.where((theta > 0) & (alpha < 1), 8.0, 2.0)
    return lower(np.where(risen < 0.5, 1 - risen, flat), np.where(alpha > 0, doubt, 0))


def laplace_power(alpha: ArrayLike, theta: ArrayLike) -> Array:
    """e^θ α, then 1 − e^{−θ}/(4α), then 1 − e^{−θ}(1 − α): the power 1 − β; arguments as in `laplace`.

    Examples
    --------
    >>> f"{laplace_power(0.05, 1):.4f}"
    '0.1359'
    """
    alpha, theta, risen, middle = _laplace(alpha, theta)
    flat = np.where(alpha > 0.5, np.exp(-theta) * alpha - np.expm1(-theta), 1 - middle)
    return upper(np.where(risen < 0.5, risen, flat), np.where(alpha > 0, 8.0, 0))


def _laplace(alpha: ArrayLike, theta: ArrayLike) -> tuple[Array, Array, Array, Array]:
    alpha, theta = number("alpha", alpha, PROBABILITY_RANGE), number("theta", theta, EPSILON_RANGE)
    risen = grown(alpha, theta)
    with np.errstate(divide="ignore", over="ignore"):
        middle = 1 / (4 * np.maximum(risen, 0.5))
    return alpha, theta, risen, middle


def geometric(alpha: ArrayLike, theta: ArrayLike, sensitivity: ArrayLike = 1.0) -> Array:
    """max over k = 0 … Δ of q^{Δ−k}(1 − α q^{−k}), q = e^{−θ/Δ}: two-sided geometric noise, Pr(k) ∝ q^|k| (own).

    Piecewise linear: the loss of the noise moved by Δ takes Δ + 1 values. At Δ = 1 it is f_{θ,0}; for Δ → ∞ it tends
    to `laplace`.

    Parameters
    ----------
    alpha : type I error, in [0, 1].
    theta : Δ/scale in [0, 1e6]: the pure ε that the mechanism keeps.
    sensitivity : Δ, a whole number in [1, 1e15].

    Returns
    -------
    β in [0, 1], below the true value by a relative 1e-12, or by what moving α and θ by a few roundings does to it.

    Examples
    --------
    >>> f"{geometric(0.05, 1, 5):.4f}"
    '0.8641'
    """
    alpha, theta, sensitivity, step, k = _geometric(alpha, theta, sensitivity)
    lines = [1 - grown(alpha, theta) - 8 * ULP * (alpha > 0)]
    for line in (k, np.maximum(k - 1, 0)):  # the line of k cancels where it meets the next
        passed, left = line * step, (sensitivity - line) * step
        room = 1 - round_up(grown(alpha, passed), (4 + 2 * np.minimum(passed, 1400)) * (passed > 0))
        lines.append(lower(np.exp(-left) * np.maximum(room, 0), 12 + 2 * np.minimum(left, 800)))
    return np.maximum.reduce(np.broadcast_arrays(*lines))[()]


def geometric_power(alpha: ArrayLike, theta: ArrayLike, sensitivity: ArrayLike = 1.0) -> Array:
    """min over k of 1 − q^{Δ−k}(1 − α q^{−k}): the power 1 − β; arguments as in `geometric`.

    Examples
    --------
    >>> f"{geometric_power(0.05, 1, 5):.4f}"
    '0.1359'
    """
    alpha, theta, sensitivity, step, k = _geometric(alpha, theta, sensitivity)
    first = np.exp(-theta) * alpha - np.expm1(-theta)
    shrunk = np.exp((k - sensitivity) * step)
    rest = np.where((k > 0) & (k < sensitivity), 1 - shrunk * (1 - grown(alpha, k * step)), 1)
    doubt = 12 + 4 * shrunk * np.minimum(k * step, 1400)
    return upper(np.minimum(np.minimum(grown(alpha, theta), first), rest), np.where(alpha > 0, doubt, 0))


def _geometric(alpha: ArrayLike, theta: ArrayLike, sensitivity: ArrayLike) -> tuple[Array, Array, Array, Array, Array]:
    """Return the arguments, −log q, and the k of the line that touches at α (a neighbour is valid too)."""
    alpha, theta = number("alpha", alpha, PROBABILITY_RANGE), number("theta", theta, EPSILON_RANGE)
    sensitivity = integer("sensitivity", sensitivity, _STEPS)
    step = theta / sensitivity
    with np.errstate(divide="ignore", over="ignore"):
        k = np.floor(-(np.log(alpha) + np.log1p(np.exp(-step))) / np.maximum(step, TINY))
    return alpha, theta, sensitivity, step, np.clip(np.where(step > 0, k, 0), 0, sensitivity)


def lower(value: Array, doubt: Array) -> Array:
    """Round a probability down by `doubt` roundings, relative."""
    return np.maximum(round_down(value, doubt) - TINY * (doubt > 0), 0)[()]


def upper(value: Array, doubt: Array) -> Array:
    """Round a probability up by `doubt` roundings, relative."""
    return np.minimum(round_up(value, doubt) + TINY * (doubt > 0), 1)[()]


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
    below, tail, doubt = _generalized_gaussian(alpha, scale, p, sensitivity)
    return lower(np.where(below, tail, 1 - tail), np.where(below, doubt, 2 * (tail > 0) + doubt * tail))


def generalized_gaussian_power(alpha: ArrayLike, scale: ArrayLike, p: ArrayLike, sensitivity: ArrayLike = 1.0) -> Array:
    """Pr(X > F⁻¹(1 − α) − Δ/b): the power 1 − β; arguments as in `generalized_gaussian`.

    Examples
    --------
    >>> f"{generalized_gaussian_power(0.05, 2, 3):.4f}"
    '0.2336'
    """
    below, tail, doubt = _generalized_gaussian(alpha, scale, p, sensitivity)
    return upper(np.where(below, 1 - tail, tail), np.where(below, 2 * (tail > 0) + doubt * tail, doubt))


def _generalized_gaussian(
    alpha: ArrayLike, scale: ArrayLike, p: ArrayLike, sensitivity: ArrayLike
) -> tuple[Array, Array, Array]:
    """Return whether the shifted threshold lies below the centre, the tail beyond it, and the doubt of that tail."""
    alpha, p = number("alpha", alpha, PROBABILITY_RANGE), number("p", p, SHAPE_RANGE)
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
