"""The staircase that a guarantee needs, and the guarantee that a staircase satisfies.

Domains and constants of the density stand here too. Units, rounding and references are those of `dpcore.staircase`.
"""

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit

from dpcore.checks import EPSILON_RANGE, PURE_DELTA_RANGE, Array, number, option, refuse
from dpcore.rounding import ULP, round_down, round_up

THETA_RANGE = "[1e-12, 2e6]"
LEAST_GAMMA = 1e-300


def noise(theta: ArrayLike, gamma: ArrayLike) -> tuple[Array, Array]:
    """θ, and γ with 0 given as 1, which is the same noise."""
    theta, gamma = number("theta", theta, THETA_RANGE), number("gamma", gamma, "[0, 1]")
    refuse("gamma", gamma, (gamma > 0) & (gamma < LEAST_GAMMA), "[1e-300, 1], or 0")
    return theta, np.where(gamma > 0, gamma, 1)


def constants(theta: Array, gamma: Array) -> tuple[Array, Array, Array]:
    """b = e^{−θ}, 1 − b and D = γ + b(1 − γ)."""
    rest, gap = np.exp(-theta), -np.expm1(-theta)
    return rest, gap, rest + gamma * gap


_LEAST_THETA = 1e-12
_NO_DELTA = 1e-100  # a smaller δ adds less than a rounding to any θ ≥ 1e-12
_MOST_STEPS = 50
_SMALL_STEP = 1e-9  # Newton's method is quadratic: the step after such a one is below rounding


def variance_gamma(theta: ArrayLike) -> Array:
    """γ* of the least variance: (D − b)/(1 − b) with D³ = b(1 + b)/2 and b = e^{−θ} ([GV16] and derived here).

    The derivative of `variance` in γ vanishes where D = γ + b(1 − γ) is that cube root.

    Parameters
    ----------
    theta : θ in [1e-12, 2e6], in nats.

    Returns
    -------
    γ* in [1e-300, 1/2], falling from 1/2 at θ = 0 like e^{−θ/3}/∛2: right to a relative (8 + θ) ULP, and 1e-300 where
    it would be less (θ > 2071).

    Examples
    --------
    >>> print(f"{variance_gamma(theta=1):.6f}")
    0.416737
    """
    theta = number("theta", theta, THETA_RANGE)
    log_mean = np.log1p(np.expm1(-theta) / 2)  # log (1 + b)/2
    log_ratio = (2 * theta + log_mean) / 3  # log D/b
    gamma = np.exp((log_mean - theta) / 3) * np.expm1(-log_ratio) / np.expm1(-theta)
    return np.clip(gamma, LEAST_GAMMA, 0.5)


def mean_error_gamma(theta: ArrayLike) -> Array:
    """γ* of the least mean absolute error: 1/(1 + e^{θ/2}), which makes D = √b ([GV16] and derived here).

    Parameters
    ----------
    theta : θ in [1e-12, 2e6], in nats.

    Returns
    -------
    γ* in [1e-300, 1/2], to a few roundings; 1e-300 where it would be less (θ > 1381).

    Examples
    --------
    >>> print(f"{mean_error_gamma(theta=1):.6f}")
    0.377541
    """
    return np.maximum(expit(-number("theta", theta, THETA_RANGE) / 2), LEAST_GAMMA)


def theta_from_epsilon(epsilon: ArrayLike, delta: ArrayLike = 0.0, objective: str = "variance") -> Array:
    """Return the largest θ, hence the least noise, of (ε, δ)-DP with the γ that `objective` makes best at that θ (own).

    It is ε at δ = 0, and otherwise the root of (1 − Q)(1 − e^{ε−θ}) = δ, where Q = b/(2D) is the chance that the loss
    is not θ: Q = ½ e^{−θ/2} for the best mean error, Q³ = b²/(4(1 + b)) for the best variance. See `delta_from_theta`.

    Parameters
    ----------
    epsilon : in [0, 1e6], and at least 1e-12 where δ < 1e-12.
    delta : in [0, 1).
    objective : `"variance"` or `"mean_error"`: use the θ with `variance_gamma(θ)` or `mean_error_gamma(θ)`.

    Returns
    -------
    θ ≥ ε in nats: never above the true value, and below it by a rounding of θ and 20 roundings of θ − ε at most.

    Examples
    --------
    >>> print(f"{theta_from_epsilon(epsilon=1):.6f} {theta_from_epsilon(epsilon=1, delta=0.1):.6f}")
    1.000000 1.146787
    """
    option("objective", objective, ("variance", "mean_error"))
    epsilon = number("epsilon", epsilon, EPSILON_RANGE)
    delta = number("delta", delta, PURE_DELTA_RANGE)
    refuse("epsilon", epsilon, (epsilon < _LEAST_THETA) & (delta < _LEAST_THETA), "[1e-12, 1e6] where delta < 1e-12")
    epsilon, delta = np.broadcast_arrays(epsilon, delta)
    solved = np.where(delta < _NO_DELTA, 0.25, delta)
    above = solved > 0.5
    side = np.where(above, -1.0, 1.0)
    target = np.where(above, 1 - solved, solved)
    rise = -np.log1p(-solved)  # θ − ε, which it never exceeds: Q = 0
    share = 1 - _lossless(epsilon + rise, objective)[0]
    rise = np.where(above, rise, -np.log1p(-np.where(above, 0, solved) / share))
    for _ in range(_MOST_STEPS):
        lossless, log_slope = _lossless(epsilon + rise, objective)
        left, gone = np.exp(-rise), -np.expm1(-rise)
        mass = np.where(above, lossless + (1 - lossless) * left, (1 - lossless) * gone)
        slope = (1 - lossless) * left - lossless * log_slope * gone
        step = side * mass * np.log(mass / target) / slope
        rise = rise - step
        if np.all(abs(step) < _SMALL_STEP * rise):
            break
    rise = np.where(delta < _NO_DELTA, 0, round_down(rise, 16))
    theta = epsilon + rise
    return np.where(theta - epsilon > rise, np.nextafter(theta, 0), theta)[()]


def _lossless(theta: Array, objective: str) -> tuple[Array, Array]:
    """Return Q = Pr(loss < θ) between data sets that are Δ apart, at the best γ, and d log Q/dθ."""
    if objective == "mean_error":
        return np.exp(-theta / 2) / 2, np.full_like(theta, -0.5)
    log_mean = np.log1p(np.expm1(-theta) / 2)
    return np.exp(-(2 * theta + log_mean) / 3) / 2, (expit(-theta) - 2) / 3


def delta_from_theta(epsilon: ArrayLike, theta: ArrayLike, gamma: ArrayLike) -> Array:
    """δ(ε) = P(1 − e^{ε−θ}) for ε < θ, with P = ½ + aΔ min(γ, 1 − γ): the least δ of (ε, δ)-DP (own).

    The noise moved by d ≤ Δ has a privacy loss of θ, 0 or −θ, since at most one step of the density lies between |x|
    and |x − d|. The loss is θ where there is one in (|x|, |x − d|]. That set grows with d, so d = Δ is the worst; it is
    then the half-line x ≤ 0 and the x > 0 below min(γ, 1 − γ)Δ, and P is its probability.

    Parameters
    ----------
    epsilon : in [0, 1e6].
    theta : θ in [1e-12, 2e6], in nats.
    gamma : γ, 0 or in [1e-300, 1].

    Returns
    -------
    δ in [0, 1]: exactly 0 for ε ≥ θ; otherwise never below the true value, above it by a relative 4e-15 at most.

    Examples
    --------
    >>> print(f"{delta_from_theta(epsilon=1, theta=1.2, gamma=0.4):.6f}")
    0.134261
    """
    epsilon = number("epsilon", epsilon, EPSILON_RANGE)
    theta, gamma = noise(theta, gamma)
    margin, _ = _half_and_rest(theta, gamma)
    delta = (0.5 + margin) * -np.expm1(np.minimum(epsilon - theta, 0))
    return np.minimum(np.where(epsilon < theta, round_up(delta, 12), 0), 1)[()]


def epsilon_from_theta(delta: ArrayLike, theta: ArrayLike, gamma: ArrayLike) -> Array:
    """ε = θ + log(1 − δ/P): the least ε of (ε, δ)-DP, the inverse of `delta_from_theta` in ε (own).

    Parameters
    ----------
    delta : in [0, 1).
    theta, gamma : as in `delta_from_theta`.

    Returns
    -------
    ε in [0, θ], in nats; 0 where δ ≥ δ(0) = P(1 − e^{−θ}). Never below the true value, and above it by no more than
    moving δ, 1 − δ and θ by a few roundings would move it (near ε = 0 that is an absolute, not a relative, error).

    Examples
    --------
    >>> print(f"{epsilon_from_theta(delta=0.1, theta=1.2, gamma=0.4):.6f}")
    1.054959
    """
    delta = number("delta", delta, PURE_DELTA_RANGE)
    theta, gamma = noise(theta, gamma)
    margin, lossless = _half_and_rest(theta, gamma)
    share = 0.5 + margin
    above = delta > 0.5
    room = np.where(above, (1 - delta) - round_down(lossless, 8), (0.5 - delta) + margin)  # P − δ, with all its digits
    free = (delta >= round_up(-share * np.expm1(-theta), 8)) | (room <= 0)
    small = delta < 0.25
    fall = np.where(small, np.log1p(-np.where(small, delta, 0) / share), np.log(np.where(free, 1, room) / share))
    doubt = ULP * (2 * theta + np.where(small, 8 * delta, 8))
    return np.where(free, 0, np.clip(theta + fall + doubt, 0, theta))[()]


def _half_and_rest(theta: Array, gamma: Array) -> tuple[Array, Array]:
    """P − ½ and 1 − P, the chances of a loss of θ beyond one half and of a smaller loss."""
    rest, gap, height = constants(theta, gamma)
    return gap * np.minimum(gamma, 1 - gamma) / (2 * height), (np.maximum(2 * gamma - 1, 0) * gap + rest) / (2 * height)
