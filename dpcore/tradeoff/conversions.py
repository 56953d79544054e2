"""From a curve to the numbers that stand for it: δ at an ε, ε at a δ, the smallest μ; each rounded to the safe side."""

from decimal import ROUND_CEILING, Decimal

import numpy as np
from numpy.typing import ArrayLike

from dpcore.checks import Array, number, one, one_whole
from dpcore.roots import bisect, positive_mean
from dpcore.rounding import ULP
from dpcore.tradeoff.curve import Curve, SmallestMu
from dpcore.tradeoff.forms import EPSILON_RANGE, MU_RANGE, PROBABILITY
from dpcore.tradeoff.functions import mu_above
from dpcore.tradeoff.mechanisms import gaussian_curve


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
    >>> f"{profile(gaussian_curve(1), 1):.4f}"
    '0.1269'
    """
    return curve.delta(number("epsilon", epsilon, EPSILON_RANGE))


def smallest_delta(curve: Curve, epsilon: ArrayLike) -> Array:
    """The least δ with f_{ε,δ} ≤ f, rounded up: the larger of δ(ε) for f and for its inverse.

    Parameters
    ----------
    epsilon : in [0, 1e6], in nats.

    Examples
    --------
    >>> f"{smallest_delta(gaussian_curve(1), 1):.4f}"
    '0.1269'
    """
    epsilon = number("epsilon", epsilon, EPSILON_RANGE)
    return np.maximum(curve.delta(epsilon), curve.inverse().delta(epsilon))


def smallest_epsilon(curve: Curve, delta: ArrayLike) -> Array:
    """The least ε ≥ 0 with f_{ε,δ} ≤ f, rounded up; ∞ where no ε will do.

    Parameters
    ----------
    delta : in [0, 1]. No ε will do if δ < 1 − f(0), and for G_μ none is given if δ < 1e-300.

    Returns
    -------
    ε in nats, at most 1e6; ∞ where it would be larger.

    Examples
    --------
    >>> f"{smallest_epsilon(gaussian_curve(1), 1e-6):.4f}"
    '4.8866'
    """
    delta = number("delta", delta, PROBABILITY)
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
    """The least μ with f ≥ G_μ: the supremum over α of Φ⁻¹(1 − α) − Φ⁻¹(f(α)), with the α where it is reached.

    μ is ∞ where f, or its inverse, starts below 1, and where the tails of the noise are lighter than every Gaussian's;
    the `reason` says which. A finite μ for such a curve needs a limit to the attacks that it speaks of.

    Parameters
    ----------
    smallest_error : in [0, 1e-2]. If above 0, only tests with α and β at least this large count: f ≥ G_μ for those.

    Examples
    --------
    >>> from dpcore.tradeoff import laplace_curve
    >>> f"{smallest_mu(laplace_curve(1)).mu:.4f}"
    '1.0301'
    """
    least = one("smallest_error", smallest_error, "[0, 1e-2]")
    return curve.find_mu() if least == 0 else mu_above(curve, least)


def epsilon_delta_from_mu(
    mu: ArrayLike, *, epsilon: ArrayLike | None = None, delta: ArrayLike | None = None
) -> tuple[Array, Array]:
    """(ε, δ) of μ-GDP at a given ε, or at a given δ: δ(ε) = Φ(μ/2 − ε/μ) − e^ε Φ(−μ/2 − ε/μ) ([DRS22]).

    Parameters
    ----------
    mu : in [0, 1e6].
    epsilon : in [0, 1e6], in nats.
    delta : in [0, 1]; ε is ∞ below δ = 1e-300 unless μ = 0, and where it would be above 1e6.

    Returns
    -------
    ε and δ, one as given, the other the least that goes with it, rounded up.

    Raises
    ------
    ValueError
        also if both or neither of epsilon and delta are given.

    Examples
    --------
    >>> epsilon, delta = epsilon_delta_from_mu(1, delta=1e-6)
    >>> f"{epsilon:.4f}, {delta:g}"
    '4.8866, 1e-06'
    """
    mu = number("mu", mu, MU_RANGE)
    if epsilon is not None and delta is None:
        given = number("epsilon", epsilon, EPSILON_RANGE)
    elif delta is not None and epsilon is None:
        given = number("delta", delta, PROBABILITY)
    else:
        raise ValueError(f"one of epsilon and delta must be given, got {'neither' if epsilon is None else 'both'}")
    mu, given = np.broadcast_arrays(mu, given)
    found = np.empty(given.shape)
    for value in np.unique(mu):
        at = mu == value
        curve = gaussian_curve(float(value))
        found[at] = curve.delta(given[at]) if delta is None else _epsilon(curve, given[at])
    return (given[()], found[()]) if delta is None else (found[()], given[()])


def rounded_up(value: ArrayLike, decimals: int) -> Array:
    """The least number of so many decimals that is not below the value, as guarantees are published.

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
    places = one_whole("decimals", decimals, "[0, 300]")
    unit = Decimal(1).scaleb(-places)

    def up(each: float) -> float:
        if not np.isfinite(each) or each >= 1 / ULP:
            return each
        return float((Decimal(each) / unit).to_integral_value(ROUND_CEILING) * unit)

    return np.array([up(float(each)) for each in value.ravel()]).reshape(value.shape)[()]
