"""The condition that a risk puts on a trade-off curve: a point that it has to pass, or a point of its privacy profile.

A bound on power, on a posterior or on reconstruction is a point (α, power): 1 − f(α) ≤ power. A bound on the advantage
or on the success at a prior is a point of the profile: δ(ε) ≤ δ. Both are rounded to the safe side, power and δ down.
"""

import numpy as np
from numpy.typing import ArrayLike

from dpcore.checks import PRIOR_RANGE, Array, number, refuse
from dpcore.rounding import round_down, round_sum_down

ADVANTAGE_RANGE = "[0, 1)"
ALPHA_RANGE = "[1e-300, 1)"
ANY_ALPHA_RANGE = "[0, 1)"  # 0 stands for any test, where that has an answer
_TARGET = "(0, 1)"


def power_point(power: ArrayLike, alpha: ArrayLike) -> tuple[Array, Array]:
    """Return the point (power, α) of a bound on power, checked."""
    return _point("power", power, "alpha", alpha)


def reconstruction_point(success: ArrayLike, baseline: ArrayLike) -> tuple[Array, Array]:
    """Return the point (power, α) of a bound on reconstruction, checked: 1 − f(κ) ≤ success."""
    return _point("success", success, "baseline", baseline)


def _point(name: str, power: ArrayLike, alpha_name: str, alpha: ArrayLike) -> tuple[Array, Array]:
    power, alpha = number(name, power, _TARGET), number(alpha_name, alpha, ALPHA_RANGE)
    power, alpha = np.broadcast_arrays(power, alpha)
    refuse(name, power, power < alpha, f"[{alpha_name}, 1)")
    return power, alpha


def posterior_ratio(posterior: ArrayLike, prior: ArrayLike) -> Array:
    """Return the excess of the likelihood ratio over 1 that is allowed, (τ − π)/(π(1 − τ)), rounded down,
    after its checks.
    """
    posterior, prior = number("posterior", posterior, _TARGET), number("prior", prior, PRIOR_RANGE)
    refuse("posterior", posterior, posterior < prior, "[prior, 1)")
    with np.errstate(over="ignore"):
        return round_down((posterior - prior) / (prior * (1 - posterior)), 8)


def posterior_point(posterior: ArrayLike, prior: ArrayLike, alpha: ArrayLike) -> tuple[Array, Array]:
    """Return the point (power, α) of a bound on the posterior, checked: power ≤ τ(1 − π)α/(π(1 − τ))."""
    alpha = number("alpha", alpha, ALPHA_RANGE)
    with np.errstate(over="ignore"):
        power = np.maximum(round_down(alpha * (1 + posterior_ratio(posterior, prior)), 4), alpha)
    refuse("posterior", np.asarray(posterior), power >= 1, "[prior, prior / (prior + (1 - prior) alpha))")
    return np.broadcast_arrays(power, alpha)  # pyright: ignore[reportReturnType]


def success_point(success: ArrayLike, prior: ArrayLike) -> tuple[Array, Array]:
    """Return the point (ε, δ) of the profile of a bound on the share of right guesses, checked; both rounded down.

    With the smaller of π and 1 − π, ε = ln((1 − π)/π) and success = 1 − π + πδ(ε).
    """
    success, prior = number("success", success, _TARGET), number("prior", prior, PRIOR_RANGE)
    success, prior = np.broadcast_arrays(success, prior)
    small = np.minimum(prior, 1 - prior)
    refuse("success", success, success < np.maximum(prior, 1 - prior), "[max(prior, 1 - prior), 1)")
    gain = np.where(prior <= 0.5, (success - 1) + prior, success - prior)  # over blind guesses, with one rounding
    gain = np.maximum(gain, 0)  # 0.99 − 1 + 0.01 is −9e-18 in doubles
    log_small = np.log(small)
    epsilon = np.maximum(round_sum_down(np.log1p(-small) - log_small, -log_small, 4), 0)
    return epsilon, round_down(gain / small, 4)
