"""What a curve means for a person: readings of an attacker's success, apart from how the curve came about."""

import numpy as np
from numpy.typing import ArrayLike

from dpcore.checks import PRIOR_RANGE, Array, number
from dpcore.rounding import ULP
from dpcore.tradeoff.curve import Curve
from dpcore.tradeoff.forms import EPSILON_RANGE, PROBABILITY, upper


def advantage(curve: Curve) -> Array:
    """max over α of 1 − α − f(α) = δ(0): how far power can exceed the false-alarm rate, rounded up.

    For G_μ it is 2Φ(μ/2) − 1; 0 is blind guessing, 1 certainty.

    Examples
    --------
    >>> from dpcore.tradeoff import gaussian_curve
    >>> f"{advantage(gaussian_curve(1)):.4f}"
    '0.3829'
    """
    return curve.delta(np.asarray(0.0))


def posterior(alpha: ArrayLike, power: ArrayLike, prior: ArrayLike) -> Array:
    """π(1 − β)/(π(1 − β) + (1 − π)α): the probability of a true case after a positive test (Bayes).

    Parameters
    ----------
    alpha : false-alarm rate, in [0, 1].
    power : 1 − β, in [0, 1].
    prior : π, in [0, 1].

    Returns
    -------
    A probability; the prior itself where no test is ever positive.

    Examples
    --------
    >>> f"{posterior(0.05, 0.5, 0.1):.4f}"
    '0.5263'
    """
    alpha, power = number("alpha", alpha, PROBABILITY), number("power", power, PROBABILITY)
    prior = number("prior", prior, PROBABILITY)
    largest = np.maximum(alpha, power)
    largest = np.where(largest > 0, largest, 1)  # small numbers would vanish in a product
    hit, alarm = prior * (power / largest), (1 - prior) * (alpha / largest)
    total = hit + alarm
    return np.where(total > 0, hit / np.where(total > 0, total, 1), prior)[()]


def likelihood_ratio(alpha: ArrayLike, power: ArrayLike) -> Array:
    """(1 − β)/α: by how much a positive test multiplies the odds; 1 where no test is ever positive, ∞ at α = 0.

    Parameters
    ----------
    alpha : false-alarm rate, in [0, 1].
    power : 1 − β, in [0, 1].

    Examples
    --------
    >>> f"{likelihood_ratio(0.05, 0.5):.4f}"
    '10.0000'
    """
    alpha, power = number("alpha", alpha, PROBABILITY), number("power", power, PROBABILITY)
    with np.errstate(divide="ignore", over="ignore"):
        ratio = power / np.where((alpha == 0) & (power == 0), 1, alpha)
    return np.where((alpha == 0) & (power == 0), 1.0, ratio)[()]


def posterior_odds(alpha: ArrayLike, power: ArrayLike, prior: ArrayLike) -> Array:
    """π/(1 − π) · (1 − β)/α: the odds of a true case after a positive test; ∞ where it leaves no doubt.

    Parameters
    ----------
    alpha, power : as in `likelihood_ratio`.
    prior : π, in [1e-300, 1).

    Examples
    --------
    >>> f"{posterior_odds(0.05, 0.5, 0.1):.4f}"
    '1.1111'
    """
    prior = number("prior", prior, PRIOR_RANGE)
    with np.errstate(over="ignore"):
        return prior / (1 - prior) * likelihood_ratio(alpha, power)


def relative_risk(alpha: ArrayLike, power: ArrayLike, prior: ArrayLike) -> Array:
    """Posterior ÷ prior: how many times likelier a true case is after a positive test than before it.

    Parameters
    ----------
    alpha, power : as in `posterior`.
    prior : π, in [1e-300, 1).

    Examples
    --------
    >>> f"{relative_risk(0.05, 0.5, 0.1):.4f}"
    '5.2632'
    """
    return posterior(alpha, power, prior) / number("prior", prior, PRIOR_RANGE)


def pure_posterior(epsilon: ArrayLike, prior: ArrayLike) -> Array:
    """πe^ε/(πe^ε + 1 − π): the most that pure ε-DP lets any outcome raise a prior to ([LC11]), rounded up.

    It holds for pure ε-DP only: under (ε, δ)-DP with δ > 0 some outcome may leave no doubt.

    Parameters
    ----------
    epsilon : in [0, 1e6], in nats.
    prior : π, in [0, 1].

    Examples
    --------
    >>> f"{pure_posterior(1, 0.1):.4f}"
    '0.2320'
    """
    epsilon, prior = number("epsilon", epsilon, EPSILON_RANGE), number("prior", prior, PROBABILITY)
    inner = (prior > 0) & (prior < 1)
    doubt = (1 - prior) * np.exp(-np.where(prior > 0, epsilon, 0))  # at prior 0 it must not vanish too
    return upper(prior / (prior + doubt), np.where(inner & (epsilon > 0), 8.0, 0.0))


def bayes_error(curve: Curve, prior: ArrayLike) -> Array:
    """min over α of (1 − π)α + πf(α): the least share of wrong calls with prior π, rounded down.

    By duality it is π(1 − δ(ε)) at e^ε = (1 − π)/π for π ≤ 1/2, and the same of the inverse curve for π > 1/2.

    Parameters
    ----------
    prior : π, the share of true cases, in [0, 1].

    Examples
    --------
    >>> from dpcore.tradeoff import gaussian_curve
    >>> f"{bayes_error(gaussian_curve(1), 0.1):.4f}"
    '0.0987'
    """
    small, gain, doubt = _bayes(curve, prior)
    return np.maximum(small * (1 - gain) - doubt, 0)[()]


def bayes_accuracy(curve: Curve, prior: ArrayLike) -> Array:
    """1 − (Bayes error): the largest share of right calls with prior π, rounded up; arguments as in `bayes_error`.

    Examples
    --------
    >>> from dpcore.tradeoff import gaussian_curve
    >>> f"{bayes_accuracy(gaussian_curve(1), 0.1):.4f}"
    '0.9013'
    """
    small, gain, doubt = _bayes(curve, prior)
    return np.minimum((1 - small) + small * gain + doubt + 2 * ULP * (small > 0), 1)[()]


def _bayes(curve: Curve, prior: ArrayLike) -> tuple[Array, Array, Array]:
    prior = number("prior", prior, PROBABILITY)
    small = np.minimum(prior, 1 - prior)
    with np.errstate(divide="ignore"):
        epsilon = np.clip(np.log1p(-small) - np.log(small), 0, 750)
    gain = curve.delta(epsilon)
    if np.any(prior > 0.5):
        gain = np.where(prior <= 0.5, gain, curve.inverse().delta(epsilon))
    return small, gain, small * (8 + 2 * epsilon) * ULP
