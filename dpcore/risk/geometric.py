"""θ = Δ/s of the least geometric noise that meets a risk; units, directions and sources are those of `dpcore.risk`.

θ is the ε of the pure guarantee that the noise satisfies; θ/Δ is the loss of a unit step. The curve is piecewise
linear (`dpcore.tradeoff.geometric`). It lies between that of the pure guarantee, at Δ = 1, and that of Laplace noise.
"""

import numpy as np
from numpy.typing import ArrayLike

from dpcore import geometric
from dpcore.checks import Array, integer, number
from dpcore.risk.guarantees import (
    ADVANTAGE_RANGE,
    ANY_ALPHA_RANGE,
    at_rates,
    epsilon_at_point,
    loss_of_any_test,
    posterior_point,
    power_point,
    reconstruction_point,
    success_point,
)
from dpcore.risk.laplace import theta_at
from dpcore.roots import Rows, safe_root
from dpcore.rounding import round_down, round_up
from dpcore.tradeoff import geometric_power

_LEAST_LOSS = 1e-100  # below this the loss of a scale that a double holds says nothing


def geometric_theta_from_advantage(advantage: ArrayLike, sensitivity: ArrayLike = 1.0) -> Array:
    """Return the largest θ whose membership advantage is at most η, rounded down; ln((1 + η)/(1 − η)) at Δ = 1.

    Parameters
    ----------
    advantage : η in [0, 1).
    sensitivity : Δ, a whole number in [1, 1e15].

    Returns
    -------
    θ ≥ 0; 0 (no noise is enough) at η = 0. The scale is s = Δ/θ.

    Examples
    --------
    >>> f"{geometric_theta_from_advantage(0.1):.6f} {geometric_theta_from_advantage(0.1, sensitivity=5):.6f}"
    '0.200671 0.210279'
    """
    advantage = number("advantage", advantage, ADVANTAGE_RANGE)
    return _theta_at_profile(np.zeros(()), advantage, sensitivity)


def geometric_theta_from_power(power: ArrayLike, alpha: ArrayLike, sensitivity: ArrayLike = 1.0) -> Array:
    """Return the largest θ whose best test at a false positive rate α has this power, rounded down.

    Parameters
    ----------
    power : the most that the true positive rate may be, in [alpha, 1).
    alpha : the false positive rate, in [1e-300, 1).
    sensitivity : Δ, a whole number in [1, 1e15].

    Returns
    -------
    θ ≥ 0; 0 (no noise is enough) at power = alpha. The scale is s = Δ/θ.

    Examples
    --------
    >>> f"{geometric_theta_from_power(0.05, alpha=0.01):.6f} {geometric_theta_from_power(0.8, 0.3, sensitivity=5):.6f}"
    '1.609438 1.423472'
    """
    return _theta_at_point(*power_point(power, alpha), sensitivity)


def geometric_theta_from_posterior(
    posterior: ArrayLike, prior: ArrayLike, alpha: ArrayLike = 0.0, sensitivity: ArrayLike = 1.0
) -> Array:
    """Return the largest θ at which a positive test at the rate α raises a prior at most so far, rounded down.

    Parameters
    ----------
    posterior : τ, the most that the probability of a member after a positive test may be, in [prior, 1). From
        π/(π + (1 − π)α) on, which no test exceeds, it is refused.
    prior : π, in [1e-300, 1).
    alpha : the false positive rate, in [0, 1); 0 stands for any test: θ = ln(τ/(1 − τ)) − ln(π/(1 − π)).
    sensitivity : Δ, a whole number in [1, 1e15].

    Returns
    -------
    θ ≥ 0, as of `geometric_theta_from_power` at power τ(1 − π)α/(π(1 − τ)).

    Examples
    --------
    >>> f"{geometric_theta_from_posterior(0.2, prior=0.1):.6f}"
    '0.810930'
    """
    any_test, alpha = loss_of_any_test(posterior, prior), number("alpha", alpha, ANY_ALPHA_RANGE)
    theta = _theta_at_point(*posterior_point(*at_rates(posterior, prior, alpha)), sensitivity)
    return np.where(alpha > 0, theta, any_test)[()]


def geometric_theta_from_success(success: ArrayLike, prior: ArrayLike, sensitivity: ArrayLike = 1.0) -> Array:
    """Return the largest θ at which at most this share of guesses is right, with a prior, rounded down (Bayes).

    Parameters
    ----------
    success : the share of right guesses of the best attack, in [max(prior, 1 - prior), 1).
    prior : π, the share of members, in [1e-300, 1).
    sensitivity : Δ, a whole number in [1, 1e15].

    Returns
    -------
    θ, at least |ln((1 − π)/π)|: up to there a blind guess is the best attack.

    Examples
    --------
    >>> f"{geometric_theta_from_success(0.55, prior=0.5):.6f}"
    '0.200671'
    """
    return _theta_at_profile(*success_point(success, prior), sensitivity)


def geometric_theta_from_reconstruction(success: ArrayLike, baseline: ArrayLike, sensitivity: ArrayLike = 1.0) -> Array:
    """Return the largest θ at which who would guess right with chance κ does so with at most this chance, rounded down.

    Parameters
    ----------
    success : the most that the chance of a right guess may be, in [baseline, 1).
    baseline : κ, the chance without the release, in [1e-300, 1).
    sensitivity : Δ, a whole number in [1, 1e15].

    Returns
    -------
    θ ≥ 0, as of `geometric_theta_from_power`.

    Examples
    --------
    >>> f"{geometric_theta_from_reconstruction(0.2, baseline=0.05):.6f}"
    '1.386294'
    """
    return _theta_at_point(*reconstruction_point(success, baseline), sensitivity)


def _theta_at_point(power: Array, alpha: Array, sensitivity: ArrayLike) -> Array:
    """θ of the geometric curve that passes a point, between those of a pure guarantee and of Laplace noise."""
    steps = integer("sensitivity", sensitivity, geometric.SENSITIVITY_RANGE)
    power, alpha, steps = np.broadcast_arrays(power, alpha, steps)
    shape, power, alpha, steps = power.shape, power.ravel(), alpha.ravel(), steps.ravel()
    theta = epsilon_at_point(power, alpha)  # the answer at Δ = 1
    rows = np.flatnonzero((steps > 1) & (theta > 0))
    power, alpha, steps, low = power[rows], alpha[rows], steps[rows], theta[rows]
    high = np.maximum(round_up(theta_at(power, alpha), 32), low)

    def power_excess(places: Rows, inverse: Array) -> Array:
        tested = np.maximum(1 / inverse, low[places])
        gain = geometric_power(alpha[places], tested, steps[places]) - power[places]
        return np.where(tested > low[places], gain, 0.0)  # the lower end meets the risk

    theta[rows] = np.maximum(1 / safe_root(power_excess, 1 / high, 1 / high), low)
    return theta.reshape(shape)[()]


def _theta_at_profile(epsilon: Array, delta: Array, sensitivity: ArrayLike) -> Array:
    """θ of the geometric noise whose profile at ε is δ, rounded down."""
    steps = integer("sensitivity", sensitivity, geometric.SENSITIVITY_RANGE)
    epsilon, delta, steps = np.broadcast_arrays(epsilon, delta, steps)
    some = epsilon + delta >= _LEAST_LOSS
    scale = geometric.scale_from_epsilon(np.where(some, epsilon, 1.0), delta, steps)
    return np.where(some, round_down(steps / scale, 2), 0.0)[()]


INVERSES = {
    "advantage": geometric_theta_from_advantage,
    "power": geometric_theta_from_power,
    "posterior": geometric_theta_from_posterior,
    "success": geometric_theta_from_success,
    "reconstruction": geometric_theta_from_reconstruction,
}
"""The inverses by the kind of the risk; that of "outcome" is the posterior's."""
