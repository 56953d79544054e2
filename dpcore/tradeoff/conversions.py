"""From a curve to the numbers that stand for it: δ at an ε, ε at a δ, the smallest μ; each rounded to the safe side."""

from decimal import ROUND_CEILING, Decimal

import numpy as np
from numpy.typing import ArrayLike

from dpcore.checks import EPSILON_RANGE, PROBABILITY_RANGE, Array, number, scalar, scalar_integer
from dpcore.roots import bisect, positive_mean
from dpcore.rounding import ULP
from dpcore.tradeoff.curve import Curve, SmallestMu
from dpcore.tradeoff.functions import mu_above


def profile(curve: Curve, epsilon: ArrayLike) -> Array:
    """δ(ε) = 1 + f*(−e^ε) = max over α of 1 − e^ε α − f(α) ([DRS22]), rounded up.

    This is the profile of f in one direction; `smallest_delta` takes the inverse curve in as well.

    Parameters
    ----------
    epsilon : in [0, 1e6], in nats.

    Returns
    -------
    δ in [0, 1].

    Examples
    --------
    >>> from dpcore.tradeoff import gaussian_curve
    >>> f"{profile(gaussian_curve(1), 1):.4f}"
    '0.1269'
    """
    return curve.delta(number("epsilon", epsilon, EPSILON_RANGE))


def smallest_delta(curve: Curve, epsilon: ArrayLike) -> Array:
    """Return the least δ with f_{ε,δ} ≤ f, rounded up: the larger of δ(ε) for f and for its inverse.

    Parameters
    ----------
    epsilon : in [0, 1e6], in nats.

    Examples
    --------
    >>> from dpcore.tradeoff import gaussian_curve
    >>> f"{smallest_delta(gaussian_curve(1), 1):.4f}"
    '0.1269'
    """
    epsilon = number("epsilon", epsilon, EPSILON_RANGE)
    return np.maximum(curve.delta(epsilon), curve.inverse().delta(epsilon))


def smallest_epsilon(curve: Curve, delta: ArrayLike) -> Array:
    """Return the least ε ≥ 0 with f_{ε,δ} ≤ f, rounded up; ∞ where no ε will do.

    Parameters
    ----------
    delta : in [0, 1]. No ε will do if δ < 1 − f(0), and for G_μ none is given if δ < 1e-300.

    Returns
    -------
    ε in nats, at most 1e6; ∞ where it would be larger.

    Examples
    --------
    >>> from dpcore.tradeoff import gaussian_curve
    >>> f"{smallest_epsilon(gaussian_curve(1), 1e-6):.4f}"
    '4.8866'
    """
    delta = number("delta", delta, PROBABILITY_RANGE)
    return np.maximum(_epsilon(curve, delta), _epsilon(curve.inverse(), delta))


def _epsilon(curve: Curve, delta: Array) -> Array:
    if curve.epsilon is not None:
        return curve.epsilon(delta)
    low, high = np.zeros(delta.shape), np.full(delta.shape, 1e6)
    reachable = curve.delta(high) <= delta
    free = curve.delta(low) <= delta
    _, high = bisect(lambda epsilon: curve.delta(epsilon) <= delta, low, high, 64, positive_mean)
    return np.where(free, 0.0, np.where(reachable, high, np.inf))[()]


def smallest_mu(curve: Curve, smallest_error: float = 0.0) -> SmallestMu:
    """Return the least μ with f ≥ G_μ: the supremum over α of Φ⁻¹(1 − α) − Φ⁻¹(f(α)), with the α where it is reached.

    μ is ∞ where f, or its inverse, starts below 1, and where the tails of the noise are lighter than every Gaussian's;
    the `reason` says which. A finite μ for such a curve needs a limit on the attacks that it covers.

    Parameters
    ----------
    smallest_error : in [0, 1e-2]. If above 0, only tests with α and β at least this large count: f ≥ G_μ for those.

    Examples
    --------
    >>> from dpcore.tradeoff import laplace_curve
    >>> f"{smallest_mu(laplace_curve(1)).mu:.4f}"
    '1.0301'
    """
    least = scalar("smallest_error", smallest_error, "[0, 1e-2]")
    return curve.find_mu() if least == 0 else mu_above(curve, least)


def rounded_up(value: ArrayLike, decimals: int) -> Array:
    """Return the least number of so many decimals that is not below the value, as guarantees are published.

    Parameters
    ----------
    value : at least 0; ∞ stays ∞.
    decimals : a whole number in [0, 300].

    Returns
    -------
    The double nearest to that decimal number.

    Examples
    --------
    >>> rounded_up(0.12341, 3)
    np.float64(0.124)
    """
    value = number("value", value, "[0, inf]")
    places = scalar_integer("decimals", decimals, "[0, 300]")
    unit = Decimal(1).scaleb(-places)

    def up(entry: float) -> float:
        if not np.isfinite(entry) or entry >= 1 / ULP:
            return entry
        return float((Decimal(entry) / unit).to_integral_value(ROUND_CEILING) * unit)

    return np.array([up(float(entry)) for entry in value.ravel()]).reshape(value.shape)[()]
