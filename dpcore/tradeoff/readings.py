"""A curve read: what its points imply, what quoting it by numbers concedes, and what it means for a person."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.special import expit, ndtri

from dpcore.checks import EPSILON_RANGE, PRIOR_RANGE, PROBABILITY_RANGE, Array, number, scalar
from dpcore.rounding import ULP
from dpcore.tradeoff.conversions import smallest_delta, smallest_epsilon, smallest_mu
from dpcore.tradeoff.curve import Curve, SmallestMu
from dpcore.tradeoff.forms import upper
from dpcore.tradeoff.functions import lower_hull, zoom
from dpcore.tradeoff.mechanisms import gaussian_curve
from dpcore.tradeoff.pure_mechanisms import epsilon_delta_curve

__all__ = [
    "SMALLEST_ERROR",
    "Quotation",
    "along",
    "alpha_along",
    "concessions",
    "point_readings",
    "quotation_at_delta",
    "quotation_at_epsilon",
    "required_epsilon_and_mu",
    "touching_alpha",
]
SMALLEST_ERROR = 1e-9  # to which a μ is limited where no μ holds for every test
_MOST_CORNERS = 100


@dataclass(frozen=True)
class Quotation:
    """What stands for a curve: one (ε, δ), of which the line touches it at α = `touches`, and the smallest μ.

    `mu` holds for every test, or, where no finite μ does, `limited_mu` for tests with both errors ≥ `SMALLEST_ERROR`.
    `guarantee` and `bell` are the curves of that (ε, δ) and that μ.
    """

    epsilon: float
    delta: float
    touches: float
    guarantee: Curve
    mu: SmallestMu
    limited_mu: SmallestMu
    bell: Curve


def required_epsilon_and_mu(alpha: ArrayLike, beta: ArrayLike, power: ArrayLike) -> tuple[Array, Array]:
    """Return the pure ε and the μ that a test with these errors needs at least: no smaller one allows it.

    ε = max(ln((1 − β)/α), ln((1 − α)/β)), μ = Φ⁻¹(1 − α) − Φ⁻¹(β); both at least 0, ∞ where an error is 0.

    Parameters
    ----------
    alpha, beta, power : in [0, 1], with power = 1 − β given apart for its digits.

    Examples
    --------
    >>> epsilon, mu = required_epsilon_and_mu(0.05, 0.5, 0.5)
    >>> f"{epsilon:.4f}, {mu:.4f}"
    '2.3026, 1.6449'
    """
    alpha, beta = number("alpha", alpha, PROBABILITY_RANGE), number("beta", beta, PROBABILITY_RANGE)
    power = number("power", power, PROBABILITY_RANGE)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        epsilon = np.fmax(np.log(power) - np.log(alpha), np.log1p(-alpha) - np.log(beta))
        miss = np.where(power < 0.5, -ndtri(power), ndtri(beta))
        mu = -ndtri(alpha) - miss
    trivial = power <= alpha
    return np.where(trivial, 0.0, np.maximum(epsilon, 0))[()], np.where(trivial, 0.0, np.maximum(mu, 0))[()]


def point_readings(alpha: ArrayLike, beta: ArrayLike) -> pd.DataFrame:
    """Return the corners, alpha and beta, of measured tests that are mixed at random with each other and guessing.

    Parameters
    ----------
    alpha, beta : measured errors, in [0, 1]; a test worse than guessing adds nothing.

    Examples
    --------
    >>> point_readings([0.1, 0.4], [0.6, 0.2]).to_numpy().tolist()
    [[0.0, 1.0], [0.1, 0.6], [0.4, 0.2], [1.0, 0.0]]
    """
    alpha, beta = np.broadcast_arrays(
        number("alpha", alpha, PROBABILITY_RANGE), number("beta", beta, PROBABILITY_RANGE)
    )
    better = beta < 1 - alpha
    alpha, beta = np.concatenate([[0.0], alpha[better], [1.0]]), np.concatenate([[1.0], beta[better], [0.0]])
    order = np.lexsort((-beta, alpha))
    corner = order[lower_hull(alpha[order], beta[order])]
    return pd.DataFrame({"alpha": alpha[corner], "beta": beta[corner]})


def alpha_along(curves: Sequence[Curve], smallest_alpha: float = 1e-12) -> Array:
    """Return the α of points fit for drawing several curves over each other, increasing.

    They are even on [0, 1], even in logit(α) down to `smallest_alpha` and up to one minus it, and hold the corners of
    each curve unless these are so many that they draw a smooth line.

    Parameters
    ----------
    curves : none or more.
    smallest_alpha : in [1e-300, 0.5).

    Examples
    --------
    >>> alpha = alpha_along([gaussian_curve(1), epsilon_delta_curve(1, 1e-6)])
    >>> alpha.size, float(alpha.min()), float(alpha.max())
    (323, 0.0, 1.0)
    """
    low = math.log(scalar("smallest_alpha", smallest_alpha, "[1e-300, 0.5)"))
    parts = [np.linspace(0, 1, 101), expit(np.linspace(low, min(-low, 36.0), 220))]
    lines = [curve.lines for curve in curves if curve.lines is not None and curve.lines.epsilon.size <= _MOST_CORNERS]
    return np.unique(np.concatenate([*parts, *(part.vertices()[0] for part in lines)]))


def along(curve: Curve, smallest_alpha: float = 1e-12) -> pd.DataFrame:
    """Columns alpha, beta, power, and the epsilon and mu that each point implies, at points fit for drawing.

    Parameters
    ----------
    smallest_alpha : as in `alpha_along`.

    Examples
    --------
    >>> along(gaussian_curve(1)).columns.tolist()
    ['alpha', 'beta', 'power', 'epsilon', 'mu']
    """
    alpha = alpha_along([curve], smallest_alpha)
    beta, power = curve.beta(alpha), curve.power(alpha)
    epsilon, mu = required_epsilon_and_mu(alpha, beta, power)
    return pd.DataFrame({"alpha": alpha, "beta": beta, "power": power, "epsilon": epsilon, "mu": mu})


def touching_alpha(curve: Curve, epsilon: float) -> float:
    """Return the α at which the line 1 − δ(ε) − e^ε α touches f: where 1 − f(α) − e^ε α is largest.

    Parameters
    ----------
    epsilon : in [0, 1e6], in nats.

    Examples
    --------
    >>> f"{touching_alpha(gaussian_curve(1), 0):.4f}"
    '0.3085'
    """
    epsilon = scalar("epsilon", epsilon, EPSILON_RANGE)
    if curve.lines is not None:  # the corner at which the slope passes −e^ε
        steeper = int(np.count_nonzero(curve.lines.epsilon >= epsilon * (1 - 1e-12)))
        return float(curve.lines.vertices()[0][steeper])
    growth = math.exp(min(epsilon, 700.0))
    alpha, _ = zoom(lambda alpha: curve.power(alpha) - growth * alpha, ())
    return float(alpha)


def quotation_at_delta(curve: Curve, delta: float) -> Quotation | None:
    """Quote a curve by the least ε that goes with δ in [0, 1], and by its μ; None if no ε goes with this δ.

    Examples
    --------
    >>> quoted = quotation_at_delta(gaussian_curve(1), 1e-6)
    >>> quoted and f"{quoted.epsilon:.4f}"
    '4.8866'
    """
    delta = scalar("delta", delta, PROBABILITY_RANGE)
    epsilon = float(smallest_epsilon(curve, delta))
    return None if math.isinf(epsilon) else _quotation(curve, epsilon, delta)


def quotation_at_epsilon(curve: Curve, epsilon: float) -> Quotation:
    """Quote a curve by the least δ that goes with ε in [0, 1e6], and by its μ.

    Examples
    --------
    >>> f"{quotation_at_epsilon(gaussian_curve(1), 1).delta:.4f}"
    '0.1269'
    """
    epsilon = scalar("epsilon", epsilon, EPSILON_RANGE)
    return _quotation(curve, epsilon, float(smallest_delta(curve, epsilon)))


def _quotation(curve: Curve, epsilon: float, delta: float) -> Quotation:
    mu = smallest_mu(curve)
    limited = mu if math.isfinite(mu.mu) else smallest_mu(curve, SMALLEST_ERROR)
    guarantee, bell = epsilon_delta_curve(epsilon, delta), gaussian_curve(min(limited.mu, 1e6))
    return Quotation(epsilon, delta, touching_alpha(curve, epsilon), guarantee, mu, limited, bell)


def concessions(curve: Curve, quoted: Quotation) -> pd.DataFrame:
    """Return what quoting concedes: alpha, beta and power of the curve, its (ε, δ) and its μ, and both extra powers.

    The extra power is the power that the quotation allows beyond that of the curve.

    Examples
    --------
    >>> curve = gaussian_curve(1)
    >>> worst = concessions(curve, quotation_at_epsilon(curve, 1))["extra_power_epsilon_delta"].max()
    >>> f"{worst:.2f}"
    '0.16'
    """
    alpha = alpha_along([curve, quoted.guarantee])
    power, guaranteed, belled = curve.power(alpha), quoted.guarantee.power(alpha), quoted.bell.power(alpha)
    return pd.DataFrame(
        {
            "alpha": alpha,
            "beta": curve.beta(alpha),
            "power": power,
            "beta_epsilon_delta": quoted.guarantee.beta(alpha),
            "power_epsilon_delta": guaranteed,
            "beta_mu": quoted.bell.beta(alpha),
            "power_mu": belled,
            "extra_power_epsilon_delta": np.maximum(guaranteed - power, 0),
            "extra_power_mu": np.maximum(belled - power, 0),
        }
    )


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
    alpha, power = number("alpha", alpha, PROBABILITY_RANGE), number("power", power, PROBABILITY_RANGE)
    prior = number("prior", prior, PROBABILITY_RANGE)
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
    alpha, power = number("alpha", alpha, PROBABILITY_RANGE), number("power", power, PROBABILITY_RANGE)
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
    epsilon, prior = number("epsilon", epsilon, EPSILON_RANGE), number("prior", prior, PROBABILITY_RANGE)
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
    prior = number("prior", prior, PROBABILITY_RANGE)
    small = np.minimum(prior, 1 - prior)
    with np.errstate(divide="ignore"):
        epsilon = np.clip(np.log1p(-small) - np.log(small), 0, 750)
    gain = curve.delta(epsilon)
    if np.any(prior > 0.5):
        gain = np.where(prior <= 0.5, gain, curve.inverse().delta(epsilon))
    return small, gain, small * (8 + 2 * epsilon) * ULP
