"""ε of the weakest (ε, δ) guarantee that alone meets a risk, and what a risk asks of any curve; see `dpcore.risk`.

The trade-off curve of the guarantee is f_{ε,δ}(α) = max(0, 1 − δ − e^ε α, e^{−ε}(1 − δ − α)) ([DRS22]). A pure
guarantee has δ = 0.

A bound on power, on a posterior or on reconstruction is a point (α, power): 1 − f(α) ≤ power. A bound on the advantage
or on the success at a prior is a point of the profile: δ(ε) ≤ δ. Both are rounded to the safe side, power and δ down.
"""

import numpy as np
from numpy.typing import ArrayLike

from dpcore.checks import PRIOR_RANGE, PURE_DELTA_RANGE, Array, number, refuse
from dpcore.rounding import round_down, round_sum_down

ADVANTAGE_RANGE = "[0, 1)"
ALPHA_RANGE = "[1e-300, 1)"
ANY_ALPHA_RANGE = "[0, 1)"  # 0 stands for any test, where that has an answer
_TARGET = "(0, 1)"


_MOST_RATIO = 1e290  # beyond it π is negligible, and the ratio or its divisor may be too large or small for a double


def epsilon_from_advantage(advantage: ArrayLike, delta: ArrayLike = 0.0) -> Array:
    """ε = ln((1 + η − 2δ)/(1 − η)): the largest ε at which (ε, δ)-DP alone keeps the advantage at most η, rounded down.

    Parameters
    ----------
    advantage : η in [0, 1), at least δ.
    delta : in [0, 1).

    Returns
    -------
    ε ≥ 0, in nats.

    Examples
    --------
    >>> f"{epsilon_from_advantage(0.1):.6f} {epsilon_from_advantage(0.1, 1e-5):.6f}"
    '0.200671 0.200653'
    """
    advantage, delta = number("advantage", advantage, ADVANTAGE_RANGE), number("delta", delta, PURE_DELTA_RANGE)
    refuse("advantage", advantage, advantage < delta, "[delta, 1)")
    return _epsilon_at_profile(np.zeros(()), advantage, delta)


def epsilon_from_power(power: ArrayLike, alpha: ArrayLike, delta: ArrayLike = 0.0) -> Array:
    """ε = ln(1 + (power − α − δ)/min(α, 1 − power)): the largest ε at which (ε, δ)-DP alone bounds the power so.

    The result is rounded down.

    Parameters
    ----------
    power : the most that the true positive rate may be, in [alpha + delta, 1).
    alpha : the false positive rate, in [1e-300, 1).
    delta : in [0, 1).

    Returns
    -------
    ε ≥ 0, in nats.

    Examples
    --------
    >>> f"{epsilon_from_power(0.05, alpha=0.01):.6f} {epsilon_from_power(0.05, 0.01, delta=1e-5):.6f}"
    '1.609438 1.609238'
    """
    return _epsilon_at("power", "[alpha + delta, 1)", power_point(power, alpha), delta)


def epsilon_from_posterior(
    posterior: ArrayLike, prior: ArrayLike, alpha: ArrayLike = 0.0, delta: ArrayLike = 0.0
) -> Array:
    """Return the largest ε at which (ε, δ)-DP alone lets a positive test raise a prior at most so far, rounded down.

    Parameters
    ----------
    posterior : τ, the most that the probability of a member after a positive test may be, in [prior, 1). Where no test
        exceeds it, from π/(π + (1 − π)α) on, it is refused, and where δ alone exceeds it.
    prior : π, in [1e-300, 1).
    alpha : the false positive rate, in [0, 1); 0 stands for any test, which has an answer for δ = 0 only:
        ε = ln(τ/(1 − τ)) − ln(π/(1 − π)) ([LC11]).
    delta : in [0, 1).

    Returns
    -------
    ε ≥ 0, in nats.

    Examples
    --------
    >>> f"{epsilon_from_posterior(0.2, prior=0.1):.6f} {epsilon_from_posterior(0.2, 0.1, alpha=0.05, delta=1e-5):.6f}"
    '0.810930 0.810841'
    """
    any_test, alpha, delta = np.broadcast_arrays(
        loss_of_any_test(posterior, prior),
        number("alpha", alpha, ANY_ALPHA_RANGE),
        number("delta", delta, PURE_DELTA_RANGE),
    )
    refuse("alpha", alpha, (alpha == 0) & (delta > 0), "[1e-300, 1) where delta is above 0")
    epsilon = epsilon_at_point(*posterior_point(*at_rates(posterior, prior, alpha)), delta)
    refuse("posterior", np.asarray(posterior), epsilon < 0, "[prior (alpha + delta) / (alpha + prior delta), 1)")
    return np.where(alpha > 0, epsilon, any_test)[()]


def epsilon_from_success(success: ArrayLike, prior: ArrayLike, delta: ArrayLike = 0.0) -> Array:
    """Return the largest ε at which by (ε, δ)-DP alone at most this share of guesses is right, rounded down.

    Parameters
    ----------
    success : the share of right guesses of the best attack, in [guess + delta (1 - guess), 1), where guess =
        max(prior, 1 - prior) is that of a blind one.
    prior : π, the share of members, in [1e-300, 1).
    delta : in [0, 1).

    Returns
    -------
    ε in nats, at least |ln((1 − π)/π)|: up to there a blind guess is the best attack, if δ = 0.

    Examples
    --------
    >>> f"{epsilon_from_success(0.55, prior=0.5):.6f} {epsilon_from_success(0.92, 0.1, delta=1e-5):.6f}"
    '0.200671 2.442336'
    """
    epsilon, gain = success_point(success, prior)
    delta = number("delta", delta, PURE_DELTA_RANGE)
    refuse("success", np.asarray(success), gain < delta, "[guess + delta (1 - guess), 1)")
    return _epsilon_at_profile(epsilon, gain, delta)


def epsilon_from_reconstruction(success: ArrayLike, baseline: ArrayLike, delta: ArrayLike = 0.0) -> Array:
    """Return the largest ε at which under (ε, δ)-DP alone a right guess is at most so likely, rounded down.

    Parameters
    ----------
    success : the most that the chance of a right guess may be, in [baseline + delta, 1).
    baseline : κ, the chance without the release, in [1e-300, 1).
    delta : in [0, 1).

    Returns
    -------
    ε ≥ 0, in nats.

    Examples
    --------
    >>> f"{epsilon_from_reconstruction(0.2, baseline=0.05):.6f}"
    '1.386294'
    """
    return _epsilon_at("success", "[baseline + delta, 1)", reconstruction_point(success, baseline), delta)


def _epsilon_at(name: str, interval: str, point: tuple[Array, Array], delta: ArrayLike) -> Array:
    epsilon = epsilon_at_point(*point, number("delta", delta, PURE_DELTA_RANGE))
    refuse(name, point[0], epsilon < 0, interval)
    return epsilon


def epsilon_at_point(power: Array, alpha: Array, delta: Array | float = 0.0) -> Array:
    """ε of (ε, δ)-DP whose curve passes a point, rounded down; negative where δ alone exceeds it."""
    above = power - alpha
    gain = np.where(delta > 0, round_sum_down(above - delta, above, 2), above)
    return np.where(gain < 0, -1.0, round_down(np.log1p(np.maximum(gain, 0) / np.minimum(alpha, 1 - power)), 8))[()]


def _epsilon_at_profile(epsilon: Array, gain: Array, delta: Array) -> Array:
    """ε₁ of the (ε₁, δ)-DP whose profile at ε is `gain` ≥ δ: 1 + e^ε₁ = (1 − δ)(1 + e^ε)/(1 − gain), rounded down."""
    excess = (gain - delta) / (1 - gain)
    return round_down(epsilon + np.log1p((1 + np.exp(-epsilon)) * excess), 8)[()]


def loss_of_any_test(posterior: ArrayLike, prior: ArrayLike) -> Array:
    """ln(τ/(1 − τ)) − ln(π/(1 − π)), rounded down: the largest loss that raises a prior π no further than to τ."""
    ratio = _posterior_ratio(posterior, prior)
    is_large = ratio > _MOST_RATIO
    sure = np.where(is_large, posterior, 0.5)
    apart = np.log(sure) - np.log1p(-sure) - np.log(np.where(is_large, prior, 1.0))
    return np.where(is_large, round_down(apart, 8), round_down(np.log1p(ratio), 4))


def at_rates(posterior: ArrayLike, prior: ArrayLike, alpha: Array) -> tuple[Array, Array, Array]:
    """Posterior, prior and α where α > 0, and elsewhere a posterior and a prior that any α allows."""
    some = alpha > 0
    return np.where(some, posterior, 0.5), np.where(some, prior, 0.5), np.where(some, alpha, 0.5)


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


def _posterior_ratio(posterior: ArrayLike, prior: ArrayLike) -> Array:
    """Return the allowed excess of the likelihood ratio over 1, (τ − π)/(π(1 − τ)), rounded down, after its checks."""
    posterior, prior = number("posterior", posterior, _TARGET), number("prior", prior, PRIOR_RANGE)
    refuse("posterior", posterior, posterior < prior, "[prior, 1)")
    with np.errstate(over="ignore"):
        return round_down((posterior - prior) / (prior * (1 - posterior)), 8)


def posterior_point(posterior: ArrayLike, prior: ArrayLike, alpha: ArrayLike) -> tuple[Array, Array]:
    """Return the point (power, α) of a bound on the posterior, checked: power ≤ τ(1 − π)α/(π(1 − τ))."""
    alpha = number("alpha", alpha, ALPHA_RANGE)
    with np.errstate(over="ignore"):
        power = np.maximum(round_down(alpha * (1 + _posterior_ratio(posterior, prior)), 4), alpha)
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


INVERSES = {
    "advantage": epsilon_from_advantage,
    "power": epsilon_from_power,
    "posterior": epsilon_from_posterior,
    "success": epsilon_from_success,
    "reconstruction": epsilon_from_reconstruction,
}
"""The inverses by the kind of the risk; that of "outcome" is the posterior's."""
