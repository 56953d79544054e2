"""The least noise multiplier of DP-SGD that meets a risk: Poisson sampling, add or remove one record, certified.

z = σ/C is the noise multiplier, q the sampling rate, T the number of steps. The risk is that of the curve below those
of both directions (a record added, a record removed), which is symmetric (`dpcore.tradeoff.subsampled_gaussian_curve`).
What is returned was checked by certified bounds of `dpcore.composition`, so that z is never below the exact one. It was
at most 0.5 % above it wherever that was tried, but where q T is at most 0.1 and the limit is next to what a blind guess
reaches, it may be well above. No z below 0.3 is returned: there, single steps reveal who takes part.
"""

import math

import numpy as np
from numpy.typing import ArrayLike

from dpcore.checks import LEAST_DELTA, Array, integer, interval_bounds, number
from dpcore.composition import COUNT_RANGE, NOISE_RANGE, RATE_RANGE, sampled_release
from dpcore.composition.bounds import elementwise
from dpcore.composition.dp_sgd import clt_log_noise, log_mu
from dpcore.risk._least_scale import Target, least_scale, power_target
from dpcore.risk.gaussian import mu_from_power
from dpcore.risk.guarantees import ADVANTAGE_RANGE, posterior_point, power_point, reconstruction_point, success_point

LEAST_NOISE_MULTIPLIER = 0.3  # below it, a single step may reveal that a record takes part
_MOST_NOISE = interval_bounds(NOISE_RANGE)[1]
_LOG_NOISE_ENDS = math.log(LEAST_NOISE_MULTIPLIER), math.log(_MOST_NOISE)


def dp_sgd_noise_multiplier_from_advantage(advantage: ArrayLike, sampling_rate: ArrayLike, steps: ArrayLike) -> Array:
    """Return the noise multiplier at which the membership advantage, δ(0), is at most η, rounded up.

    Parameters
    ----------
    advantage : η in [0, 1).
    sampling_rate : q = expected batch / number of records, in (0, 1].
    steps : T, a whole number in [1, 1e6].

    Returns
    -------
    z in [0.3, 1e6]; 0.3 where less would be enough too, and inf where 1e6 is not enough.

    Examples
    --------
    >>> print(f"{dp_sgd_noise_multiplier_from_advantage(0.1, sampling_rate=0.002, steps=10_000):.3f}")
    1.025
    """
    advantage = number("advantage", advantage, ADVANTAGE_RANGE)
    return _noise_at_profile(np.zeros(()), advantage, sampling_rate, steps)


def dp_sgd_noise_multiplier_from_power(
    power: ArrayLike, alpha: ArrayLike, sampling_rate: ArrayLike, steps: ArrayLike
) -> Array:
    """Return the noise multiplier at which the best test at a false positive rate α has at most this power, rounded up.

    Parameters
    ----------
    power : the most that the true positive rate may be, in [alpha, 1).
    alpha : the false positive rate, in [1e-300, 1).
    sampling_rate, steps : as in `dp_sgd_noise_multiplier_from_advantage`.

    Returns
    -------
    z in [0.3, 1e6]; 0.3 where less would be enough too, and inf where 1e6 is not enough.

    Examples
    --------
    >>> print(f"{dp_sgd_noise_multiplier_from_power(0.05, 0.01, sampling_rate=0.002, steps=10_000):.3f}")
    0.638
    """
    return _noise_at_point(power_point(power, alpha), sampling_rate, steps)


def dp_sgd_noise_multiplier_from_posterior(
    posterior: ArrayLike, prior: ArrayLike, alpha: ArrayLike, sampling_rate: ArrayLike, steps: ArrayLike
) -> Array:
    """Return the noise multiplier at which a positive test raises a prior at most so far, rounded up.

    Parameters
    ----------
    posterior, prior, alpha : as in `dpcore.risk.mu_from_posterior`.
    sampling_rate, steps : as in `dp_sgd_noise_multiplier_from_advantage`.

    Returns
    -------
    z in [0.3, 1e6]; 0.3 where less would be enough too, and inf where 1e6 is not enough.

    Examples
    --------
    >>> print(f"{dp_sgd_noise_multiplier_from_posterior(0.2, 0.1, 0.05, sampling_rate=0.002, steps=10_000):.2f}")
    0.77
    """
    return _noise_at_point(posterior_point(posterior, prior, alpha), sampling_rate, steps)


def dp_sgd_noise_multiplier_from_success(
    success: ArrayLike, prior: ArrayLike, sampling_rate: ArrayLike, steps: ArrayLike
) -> Array:
    """Return the noise multiplier at which at most this share of guesses of membership is right, rounded up.

    The guesses have a prior.

    Parameters
    ----------
    success, prior : as in `dpcore.risk.mu_from_success`.
    sampling_rate, steps : as in `dp_sgd_noise_multiplier_from_advantage`.

    Returns
    -------
    z in [0.3, 1e6]; 0.3 where less would be enough too, and inf where 1e6 is not enough.

    Examples
    --------
    >>> print(f"{dp_sgd_noise_multiplier_from_success(0.55, 0.5, sampling_rate=0.002, steps=10_000):.3f}")
    1.025
    """
    return _noise_at_profile(*success_point(success, prior), sampling_rate, steps)


def dp_sgd_noise_multiplier_from_reconstruction(
    success: ArrayLike, baseline: ArrayLike, sampling_rate: ArrayLike, steps: ArrayLike
) -> Array:
    """Return the noise multiplier at which a guess of chance κ is right with at most this chance, rounded up.

    Parameters
    ----------
    success, baseline : as in `dpcore.risk.mu_from_reconstruction`.
    sampling_rate, steps : as in `dp_sgd_noise_multiplier_from_advantage`.

    Returns
    -------
    z in [0.3, 1e6]; 0.3 where less would be enough too, and inf where 1e6 is not enough.

    Examples
    --------
    >>> print(f"{dp_sgd_noise_multiplier_from_reconstruction(0.2, 0.05, sampling_rate=0.002, steps=10_000):.3f}")
    0.590
    """
    return _noise_at_point(reconstruction_point(success, baseline), sampling_rate, steps)


def _noise_at_profile(epsilon: Array, delta: Array, sampling_rate: ArrayLike, steps: ArrayLike) -> Array:
    def single(epsilon: float, delta: float, rate: float, steps: float) -> float:
        return _noise(Target(delta, start=epsilon), log_mu(epsilon, max(delta, LEAST_DELTA)), rate, steps)

    return elementwise(single, epsilon, delta, *_training(sampling_rate, steps))


def _noise_at_point(point: tuple[Array, Array], sampling_rate: ArrayLike, steps: ArrayLike) -> Array:
    def single(power: float, alpha: float, rate: float, steps: float) -> float:
        mu = float(mu_from_power(power, alpha))
        return _noise(power_target(power, alpha), math.log(max(mu, 1e-12)), rate, steps)

    return elementwise(single, *point, *_training(sampling_rate, steps))


def _training(sampling_rate: ArrayLike, steps: ArrayLike) -> tuple[Array, Array]:
    return number("sampling_rate", sampling_rate, RATE_RANGE), integer("steps", steps, COUNT_RANGE)


def _noise(target: Target, log_mu_of_target: float, rate: float, steps: float) -> float:
    """z of a target, sought from that of the central limit theorem on."""

    def noise(x: float) -> float:
        return min(max(math.exp(x), LEAST_NOISE_MULTIPLIER), _MOST_NOISE)

    x = least_scale(
        lambda x: (sampled_release(noise(x), rate, int(steps)),),
        target,
        clt_log_noise(log_mu_of_target, rate, steps),
        _LOG_NOISE_ENDS,
    )
    return math.inf if x is None else noise(x)


INVERSES = {
    "advantage": dp_sgd_noise_multiplier_from_advantage,
    "power": dp_sgd_noise_multiplier_from_power,
    "posterior": dp_sgd_noise_multiplier_from_posterior,
    "success": dp_sgd_noise_multiplier_from_success,
    "reconstruction": dp_sgd_noise_multiplier_from_reconstruction,
}
"""The inverses by the kind of the risk; that of "outcome" is the posterior's."""
