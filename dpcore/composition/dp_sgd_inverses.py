"""The noise, the steps or the sampling rate of DP-SGD that an ε allows."""

import math
from collections.abc import Callable

import numpy as np
from numpy.polynomial import chebyshev
from numpy.typing import ArrayLike

from dpcore.checks import Array, integer, interval_bounds, number
from dpcore.composition.bounds import elementwise
from dpcore.composition.dp_sgd import (
    WHOLE,
    clt_log_noise,
    dp_sgd_epsilon,
    least_sufficient,
    log_growth,
    log_mu,
    target_of,
)
from dpcore.composition.releases import COUNT_RANGE, NOISE_RANGE, RATE_RANGE, sampled_release
from dpcore.roots import Rows, safe_root
from dpcore.rounding import ULP

_LEAST_NOISE, _MOST_NOISE = interval_bounds(NOISE_RANGE)
_LOG_LEAST, _LOG_MOST = math.log(_LEAST_NOISE), math.log(_MOST_NOISE)
_MOST_STEPS = interval_bounds(COUNT_RANGE)[1]
_FIRST_MIDDLE, _FIRST_HALF = 0.125, 0.225  # of ln noise by RDP, less that by the CLT: where it mostly is
_PLACES, _N_NEWTON, _N_WINDOWS = chebyshev.chebpts1(13), 6, 4
_OFFSETS = np.array([-4e-10, -4e-11, -4e-12, -4e-13, 0, 4e-13, 4e-12, 4e-11, 4e-10])  # relative, of the noises tried
_MOST_TOGETHER = 32  # rows of which many noises at once take less time than a few one after the other


def dp_sgd_noise_multiplier(
    epsilon: ArrayLike, delta: ArrayLike, sampling_rate: ArrayLike, steps: ArrayLike, accountant: str = "certified"
) -> Array:
    """Return the noise multiplier with which DP-SGD satisfies (ε, δ), rounded up: `dp_sgd_epsilon` of it is at most ε.

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
    """Return the noise multipliers of all trainings at once by RDP, whose ε is computed for an array in one call."""
    shape = np.broadcast_shapes(*(argument.shape for argument in arguments))
    epsilon, delta, rate, steps = (np.broadcast_to(argument, shape).ravel() for argument in arguments)

    def excess_by_rdp(rows: Rows, noise: Array) -> Array:
        z = np.minimum(noise, _MOST_NOISE)
        by_rdp = dp_sgd_epsilon(delta[rows], z, rate[rows], steps[rows], "rdp")
        return np.where(noise > _MOST_NOISE, -1.0, by_rdp - epsilon[rows])  # so that the search ends just beyond it

    def noise_by_clt(epsilon: float, delta: float, rate: float, steps: float) -> float:
        return math.exp(min(max(clt_log_noise(log_mu(epsilon, delta), rate, steps), _LOG_LEAST), _LOG_MOST))

    starts = np.maximum(elementwise(noise_by_clt, epsilon, delta, rate, steps), _LEAST_NOISE)
    noise = _noise_by_interpolation(excess_by_rdp, epsilon, starts)
    rest = np.flatnonzero(np.isnan(noise))
    if rest.size:
        least = np.full(rest.size, _LEAST_NOISE)
        noise[rest] = safe_root(lambda rows, tried: excess_by_rdp(rest[rows], tried), starts[rest], least)
    return np.where(noise > _MOST_NOISE, math.inf, noise).reshape(shape)[()]


def _noise_by_interpolation(excess: Callable[[Rows, Array], Array], epsilon: Array, starts: Array) -> Array:
    """Return a noise for each row that satisfies its target, at most a relative 1e-9 above one that does not, or NaN.

    ε of many noises at once takes hardly longer than ε of one, so ln ε is interpolated in the logarithm of the noise.
    """
    noise = np.full(starts.size, math.nan)
    rows = np.flatnonzero((starts > _LEAST_NOISE) & (epsilon > 0))
    rows = rows[: rows.size * (rows.size <= _MOST_TOGETHER)]
    middle, half = np.log(starts[rows]) + _FIRST_MIDDLE, np.full(rows.size, _FIRST_HALF)

    def log_ratio(rows: Rows, noise: Array) -> Array:
        value = excess(np.repeat(rows, noise.shape[1]), noise.ravel()).reshape(noise.shape) / epsilon[rows, None]
        return np.log1p(np.maximum(value, -1 + ULP))

    for _ in range(_N_WINDOWS):
        is_within = (middle - half > _LOG_LEAST) & (middle + half < _LOG_MOST)
        rows, middle, half = rows[is_within], middle[is_within], half[is_within]
        if not rows.size:
            break
        values = log_ratio(rows, np.exp(middle[:, None] + half[:, None] * _PLACES))
        is_below, is_inside = values[:, -1] > 0, (values[:, 0] > 0) & (values[:, -1] <= 0)  # the places rise
        root = np.where(is_inside, _root_of_interpolation(values), np.where(is_below, 3, -3))
        middle, half = middle + half * root, np.where(is_inside, half / 8, 2 * half)
        inside = np.flatnonzero(is_inside)
        tried = np.exp(middle[inside])[:, None] * (1 + _OFFSETS)
        satisfies = log_ratio(rows[inside], tried) <= 0
        first = np.argmax(satisfies, axis=1)
        is_found = (first > 0) & (np.count_nonzero(satisfies, axis=1) == _OFFSETS.size - first)
        noise[rows[inside[is_found]]] = tried[is_found, first[is_found]]
        is_left = np.isnan(noise[rows])
        rows, middle, half = rows[is_left], middle[is_left], half[is_left]
    return noise


def _root_of_interpolation(values: Array) -> Array:
    """Return where in [−1, 1] the polynomial through a row's falling values at `_PLACES` is 0, about."""
    curve = chebyshev.chebfit(_PLACES, values.T, _PLACES.size - 1)
    fall = chebyshev.chebder(curve)
    root = np.zeros(len(values))
    for _ in range(_N_NEWTON):
        slope = np.minimum(chebyshev.chebval(root, fall, tensor=False), -1e-3)
        root = np.clip(root - chebyshev.chebval(root, curve, tensor=False) / slope, -1, 1)
    return root


def dp_sgd_steps(
    epsilon: ArrayLike,
    delta: ArrayLike,
    noise_multiplier: ArrayLike,
    sampling_rate: ArrayLike,
    accountant: str = "certified",
) -> Array:
    """Return the most steps of DP-SGD that satisfy (ε, δ)-DP, rounded down: `dp_sgd_epsilon` of them is at most ε.

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
    """Return the sampling rate with which DP-SGD satisfies (ε, δ), rounded down: `dp_sgd_epsilon` of it is at most ε.

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
