"""δ and ε of a single step of DP-SGD with Poisson sampling, in closed form and rounded up.

With P = (1 − q) N(0, z²) + q N(1, z²) and Q = N(0, z²) the set that maximises P − e^ε Q is a half-line, so that
δ(ε) = q δ_G(ε'), e^{ε'} = 1 + (e^ε − 1)/q, where δ_G is the profile of the Gaussian mechanism with noise z. The other
direction, Q against P, never has a larger δ (Balle, Barthe & Gaboardi 2018, arXiv:1807.01647, Thm 8).
"""

from collections.abc import Sequence

import numpy as np

from dpcore import gaussian
from dpcore.checks import EPSILON_RANGE, Array, interval_bounds
from dpcore.composition.releases import Release
from dpcore.composition.sampling import amplified_epsilon
from dpcore.rounding import BELOW_ONE, TINY, ULP, round_down, round_up

_MOST_EPSILON = interval_bounds(EPSILON_RANGE)[1]  # of a Gaussian; δ at a larger ε is no larger


def single_step(releases: Sequence[Release]) -> tuple[float, float] | None:
    """Return the noise multiplier and the sampling rate of a list that is one sampled step;
    None for every other list.
    """
    if len(releases) != 1 or releases[0].kind != "sampled" or releases[0].count != 1:
        return None
    noise, rate = releases[0].numbers
    return noise, rate


def step_delta(epsilon: Array, noise: float, rate: float) -> Array:
    """δ of one step at each ε ≥ 0, rounded up by what moving ε and δ by a few roundings would move it.

    Examples
    --------
    >>> print(f"{step_delta(np.array(0.199450448), 1, 0.01):.6g}")
    1e-05
    """
    inner = inner_epsilon(epsilon, rate)
    inner = np.clip(round_down(inner, 4) - 4 * ULP * np.where(epsilon > 1, abs(np.log(rate)), 0), 0, _MOST_EPSILON)
    return np.minimum(round_up(rate * gaussian.delta_from_sigma(inner, noise)) + TINY, 1)


def step_epsilon(delta: Array, noise: Array | float, rate: Array | float) -> Array:
    """Return the least ε ≥ 0 of one step at each δ in [1e-300, 1), rounded up: the inverse of `step_delta`.

    Examples
    --------
    >>> print(f"{step_epsilon(np.array(1e-5), 1, 0.01):.9f}")
    0.199450448
    """
    with np.errstate(over="ignore"):
        inner = round_down(delta / rate, 2)
    free = inner >= 1  # A record that is drawn with so small a chance costs nothing.
    epsilon = gaussian.epsilon_from_sigma(np.clip(inner, 1e-300, BELOW_ONE), noise)
    return np.where(free, 0.0, amplified_epsilon(epsilon, np.asarray(rate)))


def inner_epsilon(epsilon: Array, rate: float) -> Array:
    """ε' = ln(1 + (e^ε − 1)/q), at which the Gaussian of a step has the δ/q that goes with ε; to nearest."""
    log_rate, small = np.log(rate), epsilon <= 1
    with np.errstate(over="ignore"):
        near = np.log1p(np.expm1(np.minimum(epsilon, 1)) / rate)
    near = np.where(
        np.isfinite(near), near, np.log(np.maximum(np.expm1(np.minimum(epsilon, 1)), TINY)) - log_rate
    )  # where the quotient overflows
    far = epsilon - log_rate + np.log1p(-(1 - rate) * np.exp(-np.maximum(epsilon, 1)))
    return np.where(small, near, far)
