"""μ = Δ₂/σ of the least Gaussian noise that meets a risk; units, directions and sources are those of `dpcore.risk`."""

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import erfinv, ndtri

from dpcore import gaussian
from dpcore.checks import LEAST_DELTA, Array, number
from dpcore.risk.guarantees import ADVANTAGE_RANGE, posterior_point, power_point, reconstruction_point, success_point
from dpcore.rounding import TINY, round_down, round_sum_down


def mu_from_advantage(advantage: ArrayLike) -> Array:
    """μ = 2Φ⁻¹((1 + η)/2) = 2√2 erf⁻¹(η): the largest μ whose membership advantage is at most η, rounded down.

    Parameters
    ----------
    advantage : η in [0, 1): the most by which a true positive rate may exceed the false positive rate.

    Returns
    -------
    μ ≥ 0; 0 (no noise is enough) at η = 0.

    Examples
    --------
    >>> f"{mu_from_advantage(0.1):.6f}"
    '0.251323'
    """
    mu = round_down(np.sqrt(8) * erfinv(number("advantage", advantage, ADVANTAGE_RANGE)), 16)
    return np.maximum(mu - 4 * TINY, 0)[()]  # of a subnormal number `round_down` moves nothing


def mu_from_power(power: ArrayLike, alpha: ArrayLike) -> Array:
    """μ = Φ⁻¹(power) − Φ⁻¹(α): the largest μ whose best test at a false positive rate α has this power, rounded down.

    Parameters
    ----------
    power : the most that the true positive rate may be, in [alpha, 1).
    alpha : the false positive rate, in [1e-300, 1).

    Returns
    -------
    μ ≥ 0, to a few roundings of |Φ⁻¹(power)| + |Φ⁻¹(α)|; 0 (no noise is enough) at power = alpha.

    Examples
    --------
    >>> f"{mu_from_power(0.05, alpha=0.01):.6f}"
    '0.681494'
    """
    return _mu_at(*power_point(power, alpha))


def mu_from_posterior(posterior: ArrayLike, prior: ArrayLike, alpha: ArrayLike) -> Array:
    """Return the largest μ at which a positive test at the rate α raises a prior at most so far, rounded down.

    Parameters
    ----------
    posterior : τ, the most that the probability of a member after a positive test may be, in [prior, 1). From
        π/(π + (1 − π)α) on, which no test exceeds, it is refused.
    prior : π, in [1e-300, 1).
    alpha : the false positive rate, in [1e-300, 1). Rare positive tests leave no doubt of Gaussian noise: it has no
        answer for all tests.

    Returns
    -------
    μ ≥ 0, as of `mu_from_power` at power τ(1 − π)α/(π(1 − τ)).

    Examples
    --------
    >>> f"{mu_from_posterior(0.2, prior=0.1, alpha=0.05):.6f}"
    '0.431514'
    """
    return _mu_at(*posterior_point(posterior, prior, alpha))


def mu_from_success(success: ArrayLike, prior: ArrayLike) -> Array:
    """Return the largest μ at which at most this share of guesses is right, with a prior, rounded down (Bayes).

    Parameters
    ----------
    success : the share of right guesses of the best attack, in [max(prior, 1 - prior), 1).
    prior : π, the share of members, in [1e-300, 1).

    Returns
    -------
    μ ≥ 0; 0 (no noise is enough) where a blind guess has this success.

    Examples
    --------
    >>> f"{mu_from_success(0.55, prior=0.5):.6f}"
    '0.251323'
    """
    epsilon, delta = success_point(success, prior)
    some = delta >= LEAST_DELTA
    sigma = gaussian.analytic_sigma(epsilon, np.where(some, delta, 0.5))
    return np.where(some, round_down(1 / sigma, 2), 0.0)[()]


def mu_from_reconstruction(success: ArrayLike, baseline: ArrayLike) -> Array:
    """Return the largest μ at which who would guess right with chance κ does so with at most this chance, rounded down.

    Reconstruction and attribute inference succeed with chance 1 − f(κ) at most ([HMB23]).

    Parameters
    ----------
    success : the most that the chance of a right guess may be, in [baseline, 1).
    baseline : κ, the chance without the release, in [1e-300, 1).

    Returns
    -------
    μ ≥ 0, as of `mu_from_power`.

    Examples
    --------
    >>> f"{mu_from_reconstruction(0.2, baseline=0.05):.6f}"
    '0.803232'
    """
    return _mu_at(*reconstruction_point(success, baseline))


def _mu_at(power: Array, alpha: Array) -> Array:
    reached, start = ndtri(power), ndtri(alpha)
    return np.maximum(round_sum_down(reached - start, abs(reached) + abs(start), 8), 0)[()]


INVERSES = {
    "advantage": mu_from_advantage,
    "power": mu_from_power,
    "posterior": mu_from_posterior,
    "success": mu_from_success,
    "reconstruction": mu_from_reconstruction,
}
"""The inverses by the kind of the risk; that of "outcome" is the posterior's."""
