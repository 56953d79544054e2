"""θ = Δ₁/b of the least Laplace noise that meets a risk; units, directions and sources are those of `dpcore.risk`.

f(α) = 1 − e^θ α for α < e^{−θ}/2, then e^{−θ}/(4α) up to 1/2, then e^{−θ}(1 − α) ([DRS22]). θ is also the ε of the pure
guarantee that the noise satisfies.
"""

import numpy as np
from numpy.typing import ArrayLike

from dpcore.checks import Array, number
from dpcore.risk.guarantees import (
    ADVANTAGE_RANGE,
    ANY_ALPHA_RANGE,
    at_rates,
    loss_of_any_test,
    posterior_point,
    power_point,
    reconstruction_point,
    success_point,
)
from dpcore.rounding import round_down, round_sum_down


def laplace_theta_from_advantage(advantage: ArrayLike) -> Array:
    """θ = −2 ln(1 − η): the largest θ whose membership advantage is at most η, rounded down.

    Parameters
    ----------
    advantage : η in [0, 1).

    Returns
    -------
    θ ≥ 0; 0 (no noise is enough) at η = 0.

    Examples
    --------
    >>> f"{laplace_theta_from_advantage(0.1):.6f}"
    '0.210721'
    """
    return round_down(-2 * np.log1p(-number("advantage", advantage, ADVANTAGE_RANGE)), 8)[()]


def laplace_theta_from_power(power: ArrayLike, alpha: ArrayLike) -> Array:
    """Return the largest θ whose best test at a false positive rate α has this power, rounded down.

    ln(power/α) for power ≤ 1/2, −ln(4α(1 − power)) for α ≤ 1/2 < power, and ln((1 − α)/(1 − power)) for α > 1/2.

    Parameters
    ----------
    power : the most that the true positive rate may be, in [alpha, 1).
    alpha : the false positive rate, in [1e-300, 1).

    Returns
    -------
    θ ≥ 0; 0 (no noise is enough) at power = alpha.

    Examples
    --------
    >>> f"{laplace_theta_from_power(0.05, alpha=0.01):.6f}"
    '1.609438'
    """
    return theta_at(*power_point(power, alpha))


def laplace_theta_from_posterior(posterior: ArrayLike, prior: ArrayLike, alpha: ArrayLike = 0.0) -> Array:
    """Return the largest θ at which a positive test at the rate α raises a prior at most so far, rounded down.

    Parameters
    ----------
    posterior : τ, the most that the probability of a member after a positive test may be, in [prior, 1). From
        π/(π + (1 − π)α) on, which no test exceeds, it is refused.
    prior : π, in [1e-300, 1).
    alpha : the false positive rate, in [0, 1); 0 stands for any test: θ = ln(τ/(1 − τ)) − ln(π/(1 − π)).

    Returns
    -------
    θ ≥ 0, as of `laplace_theta_from_power` at power τ(1 − π)α/(π(1 − τ)).

    Examples
    --------
    >>> f"{laplace_theta_from_posterior(0.2, prior=0.1):.6f}"
    '0.810930'
    """
    any_test = loss_of_any_test(posterior, prior)
    alpha = number("alpha", alpha, ANY_ALPHA_RANGE)
    return np.where(alpha > 0, theta_at(*posterior_point(*at_rates(posterior, prior, alpha))), any_test)[()]


def laplace_theta_from_success(success: ArrayLike, prior: ArrayLike) -> Array:
    """θ = |ln((1 − π)/π)| − 2 ln(1 − δ): the largest θ at which this share of guesses of membership is right (Bayes).

    δ is the gain over blind guesses, divided by the smaller of π and 1 − π. The result is rounded down.

    Parameters
    ----------
    success : the share of right guesses of the best attack, in [max(prior, 1 - prior), 1).
    prior : π, the share of members, in [1e-300, 1).

    Returns
    -------
    θ, at least |ln((1 − π)/π)|: up to there a blind guess is the best attack.

    Examples
    --------
    >>> f"{laplace_theta_from_success(0.55, prior=0.5):.6f}"
    '0.210721'
    """
    epsilon, delta = success_point(success, prior)
    return round_down(epsilon - 2 * np.log1p(-delta), 8)[()]


def laplace_theta_from_reconstruction(success: ArrayLike, baseline: ArrayLike) -> Array:
    """Return the largest θ at which who would guess right with chance κ does so with at most this chance, rounded down.

    Parameters
    ----------
    success : the most that the chance of a right guess may be, in [baseline, 1).
    baseline : κ, the chance without the release, in [1e-300, 1).

    Returns
    -------
    θ ≥ 0, as of `laplace_theta_from_power`.

    Examples
    --------
    >>> f"{laplace_theta_from_reconstruction(0.2, baseline=0.05):.6f}"
    '1.386294'
    """
    return theta_at(*reconstruction_point(success, baseline))


def theta_at(power: Array, alpha: Array) -> Array:
    """θ of the Laplace curve that passes a point, rounded down."""
    gain = power - alpha
    outer = np.log1p(gain / np.where(power <= 0.5, alpha, 1 - power))
    first, last = np.log(4 * (1 - power)), np.log(alpha)  # their product may be too small for a double
    middle = round_sum_down(-first - last, 1 + abs(first) + abs(last), 4)
    theta = np.where((power > 0.5) & (alpha <= 0.5), middle, round_down(outer, 8))
    return np.maximum(theta, 0)[()]


INVERSES = {
    "advantage": laplace_theta_from_advantage,
    "power": laplace_theta_from_power,
    "posterior": laplace_theta_from_posterior,
    "success": laplace_theta_from_success,
    "reconstruction": laplace_theta_from_reconstruction,
}
"""The inverses by the kind of the risk; that of "outcome" is the posterior's."""
