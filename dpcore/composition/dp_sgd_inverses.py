"""The noise, the steps or the sampling rate of DP-SGD that an ε allows."""

import math

import numpy as np
from numpy.typing import ArrayLike

from dpcore.checks import Array, integer, interval_bounds, number
from dpcore.composition._dp_sgd_accounts import (
    WHOLE,
    clt_log_noise,
    elementwise,
    least_sufficient,
    log_growth,
    log_mu,
    target_of,
)
from dpcore.composition.dp_sgd import dp_sgd_epsilon
from dpcore.composition.releases import COUNT_RANGE, NOISE_RANGE, RATE_RANGE, sampled_release
from dpcore.roots import safe_root
from dpcore.roots.brackets import Rows

_LEAST_NOISE, _MOST_NOISE = interval_bounds(NOISE_RANGE)
_LOG_LEAST, _LOG_MOST = math.log(_LEAST_NOISE), math.log(_MOST_NOISE)
_MOST_STEPS = interval_bounds(COUNT_RANGE)[1]


def dp_sgd_noise_multiplier(
    epsilon: ArrayLike, delta: ArrayLike, sampling_rate: ArrayLike, steps: ArrayLike, accountant: str = "certified"
) -> Array:
    """The noise multiplier with which DP-SGD satisfies (ε, δ), rounded up: `dp_sgd_epsilon` of it is at most ε.

    Parameters
    ----------
    epsilon : ε, in [0, 1e6], in nats.
    delta, sampling_rate, steps, accountant : as in `dp_sgd_epsilon`.

    Returns
    -------
    z in [1e-3, 1e6], never below the least that is enough if the accountant guarantees; 1e-3 where less would be enough
    too, and inf where 1e6 is not enough.

    Examples
    --------
    >>> print(f"{dp_sgd_noise_multiplier(2, 1e-5, 256 / 60000, 14063):.1f}")
    1.2
    """
    epsilon, delta = target_of(epsilon, delta, accountant)
    rate, steps = number("sampling_rate", sampling_rate, RATE_RANGE), integer("steps", steps, COUNT_RANGE)
    if accountant == "rdp":
        return _noise_by_rdp(epsilon, delta, rate, steps)

    def single(epsilon: float, delta: float, rate: float, steps: float) -> float:
        def noise(x: float) -> float:
            return min(max(math.exp(x), _LEAST_NOISE), _MOST_NOISE)

        x = least_sufficient(
            lambda x: sampled_release(noise(x), rate, int(steps)),
            (epsilon, delta),
            clt_log_noise(log_mu(epsilon, delta), rate, steps),
            (_LOG_LEAST, _LOG_MOST),
            accountant,
        )
        return math.inf if x is None else noise(x)

    return elementwise(single, epsilon, delta, rate, steps)


def _noise_by_rdp(*arguments: Array) -> Array:
    """The noise multipliers of all trainings at once by RDP, whose ε is computed for an array in one call."""
    shape = np.broadcast_shapes(*(argument.shape for argument in arguments))
    epsilon, delta, rate, steps = (np.broadcast_to(argument, shape).ravel() for argument in arguments)

    def excess_by_rdp(rows: Rows, noise: Array) -> Array:
        z = np.minimum(noise, _MOST_NOISE)
        by_rdp = dp_sgd_epsilon(delta[rows], z, rate[rows], steps[rows], "rdp")
        return np.where(noise > _MOST_NOISE, -1.0, by_rdp - epsilon[rows])  # so that the search ends just beyond it

    def noise_by_clt(epsilon: float, delta: float, rate: float, steps: float) -> float:
        return math.exp(min(max(clt_log_noise(log_mu(epsilon, delta), rate, steps), _LOG_LEAST), _LOG_MOST))

    starts = np.maximum(elementwise(noise_by_clt, epsilon, delta, rate, steps), _LEAST_NOISE)
    noise = safe_root(excess_by_rdp, starts, np.full(epsilon.size, _LEAST_NOISE))
    return np.where(noise > _MOST_NOISE, math.inf, noise).reshape(shape)[()]


def dp_sgd_steps(
    epsilon: ArrayLike,
    delta: ArrayLike,
    noise_multiplier: ArrayLike,
    sampling_rate: ArrayLike,
    accountant: str = "certified",
) -> Array:
    """The most steps of DP-SGD that satisfy (ε, δ)-DP, rounded down: `dp_sgd_epsilon` of them is at most ε.

    Parameters
    ----------
    epsilon : ε, in [0, 1e6], in nats.
    delta, noise_multiplier, sampling_rate, accountant : as in `dp_sgd_epsilon`.

    Returns
    -------
    T, a whole number in [0, 1e6] as a float, never above the most that are kept if the accountant guarantees; 0 if not
    even one step is kept, and 1e6 where more would be too.

    Examples
    --------
    >>> print(f"{dp_sgd_steps(2, 1e-5, 1.1, 256 / 60000):.2g}")
    1e+04
    """
    epsilon, delta = target_of(epsilon, delta, accountant)
    noise = number("noise_multiplier", noise_multiplier, NOISE_RANGE)

    def single(epsilon: float, delta: float, noise: float, rate: float) -> float:
        def steps(x: float) -> int:
            return min(max(math.floor(math.exp(-x) * WHOLE), 1), int(_MOST_STEPS))

        x = least_sufficient(
            lambda x: sampled_release(noise, rate, steps(x)),
            (epsilon, delta),
            2 * (math.log(rate) - log_mu(epsilon, delta)) + log_growth(noise),
            (-math.log(_MOST_STEPS), 0.0),
            accountant,
        )
        return 0.0 if x is None else float(steps(x))

    return elementwise(single, epsilon, delta, noise, number("sampling_rate", sampling_rate, RATE_RANGE))


def dp_sgd_sampling_rate(
    epsilon: ArrayLike, delta: ArrayLike, noise_multiplier: ArrayLike, steps: ArrayLike, accountant: str = "certified"
) -> Array:
    """The sampling rate with which DP-SGD satisfies (ε, δ), rounded down: `dp_sgd_epsilon` of it is at most ε.

    Parameters
    ----------
    epsilon : ε, in [0, 1e6], in nats.
    delta, noise_multiplier, steps, accountant : as in `dp_sgd_epsilon`.

    Returns
    -------
    q in (0, 1], never above the largest that keeps the target if the accountant guarantees. It is at least min(1, δ/T):
    a record that is taken at all with a chance of at most δ costs ε = 0.

    Examples
    --------
    >>> print(f"{dp_sgd_sampling_rate(2, 1e-5, 1.1, 14063):.2g}")
    0.0036
    """
    epsilon, delta = target_of(epsilon, delta, accountant)
    noise = number("noise_multiplier", noise_multiplier, NOISE_RANGE)

    def single(epsilon: float, delta: float, noise: float, steps: float) -> float:
        free = min(delta / steps, 1.0)

        def rate(x: float) -> float:
            return min(max(math.exp(-x), free), 1.0)

        x = least_sufficient(
            lambda x: sampled_release(noise, rate(x), int(steps)),
            (epsilon, delta),
            0.5 * (math.log(steps) + log_growth(noise)) - log_mu(epsilon, delta),
            (0.0, -math.log(free)),
            accountant,
        )
        return free if x is None else rate(x)

    return elementwise(single, epsilon, delta, noise, integer("steps", steps, COUNT_RANGE))
