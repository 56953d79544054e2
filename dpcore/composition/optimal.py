"""One promise kept often: the least δ at every ε, and the least ε at every δ, exactly ([KOV15] Thm 3.3).

No release that keeps (ε, δ₀)-DP loses more than randomised response that tells the truth with probability
e^ε/(1 + e^ε) and is broken with probability δ₀, and k of these lose (k − 2m)ε, where m, the number of lies, is binomial.
The profile is linear in e^ε' between its corners (k − 2i)ε, so that it is known everywhere from these.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from dpcore._normal import ULP
from dpcore.checks import EPSILON_RANGE, PURE_DELTA_RANGE, Array, number, whole
from dpcore.composition.releases import COUNT_RANGE, PURE_RANGE
from dpcore.composition.sums import slack_down
from dpcore.tradeoff.promises import promise_corners, total_up

_LEAST_DELTA = 1e-300


def optimal_delta(
    epsilon_total: ArrayLike, epsilon: ArrayLike, n_releases: ArrayLike, delta: ArrayLike = 0.0
) -> Array:
    """The least δ of k releases that keep (ε, δ₀)-DP each, at every ε' ([KOV15] Thm 3.3).

    1 − (1 − δ₀)^k [1 − Σ_m w_m (1 − e^{ε' − (k − 2m)ε})₊], w_m = Pr(Bin(k, 1/(1 + e^ε)) = m).

    Parameters
    ----------
    epsilon_total : ε' of all releases together, in [0, 1e6], in nats.
    epsilon : of each release, in [0, 1e3], in nats.
    n_releases : k, a whole number in [1, 1e6].
    delta : δ₀ of each release, in [0, 1).

    Returns
    -------
    δ in [0, 1], rounded up: above the exact value by a relative 1e-10 at most (1e-12 for k ≤ 100) and by what
    moving ε' by a few roundings of kε would move it. A positive part below 1e-300 is given as 1e-300.

    Notes
    -----
    The first use of an (ε, k) takes .1 ms, 1 ms for k = 1e6; a further ε' of the same is nearly free.

    Examples
    --------
    >>> print(f"{optimal_delta(4.77456758811, 0.1, 100):.6g}")
    1e-06
    """
    total, epsilon, count, delta = np.broadcast_arrays(
        number("epsilon_total", epsilon_total, EPSILON_RANGE), *_promises(epsilon, n_releases, delta)
    )
    pure = _by_pair(_delta, total, epsilon, count)
    broken = np.minimum(-np.expm1(count * np.log1p(-delta)) * (1 + 8 * ULP), 1)
    return np.where(broken > 0, np.minimum((broken + (1 - broken) * pure) * (1 + 4 * ULP), 1), pure)[()]


def optimal_epsilon(
    delta_total: ArrayLike, epsilon: ArrayLike, n_releases: ArrayLike, delta: ArrayLike = 0.0
) -> Array:
    """The least ε' of k releases that keep (ε, δ₀)-DP each, at every δ: the inverse of `optimal_delta`.

    Parameters
    ----------
    delta_total : δ of all releases together, in [0, 1).
    epsilon : of each release, in [0, 1e3], in nats.
    n_releases : k, a whole number in [1, 1e6].
    delta : δ₀ of each release, in [0, 1).

    Returns
    -------
    ε' ≥ 0 in nats, rounded up, at most kε: above the exact value by no more than moving δ by a relative 1e-10 (1e-12
    for k ≤ 100), or ε' by a few roundings, would move it; kε where less than 1e-300 is left for the pure part; ∞ where
    δ < 1 − (1 − δ₀)^k, with which no ε' goes.

    Examples
    --------
    >>> print(f"{optimal_epsilon(1e-6, 0.1, 100):.8f}")
    4.77456759
    """
    total, epsilon, count, delta = np.broadcast_arrays(
        number("delta_total", delta_total, PURE_DELTA_RANGE), *_promises(epsilon, n_releases, delta)
    )
    slack = slack_down(total, count * np.log1p(-delta))
    found = _by_pair(_epsilon, np.maximum(slack, 0), epsilon, count)
    return np.where(slack >= 0, found, np.inf)[()]


def _promises(epsilon: ArrayLike, n_releases: ArrayLike, delta: ArrayLike) -> tuple[Array, Array, Array]:
    return (
        number("epsilon", epsilon, PURE_RANGE),
        whole("n_releases", n_releases, COUNT_RANGE),
        number("delta", delta, PURE_DELTA_RANGE),
    )


def _by_pair(rule: Callable[[Array, float, int], Array], value: Array, epsilon: Array, count: Array) -> Array:
    """`rule(values, ε, k)` for each pair (ε, k) at once."""
    places: dict[tuple[float, int], list[int]] = {}
    for place, (each, k) in enumerate(zip(epsilon.ravel().tolist(), count.ravel().tolist(), strict=True)):
        places.setdefault((each, int(k)), []).append(place)
    result, value = np.zeros(value.size), value.ravel()
    for (each, k), at in places.items():
        if each > 0:  # else nothing is ever lost
            result[at] = rule(value[at], each, k)
    return result.reshape(epsilon.shape)


def _delta(total: Array, epsilon: float, count: int) -> Array:
    """δ at ε' = `total`, from the corners on both sides of it."""
    index, delta = promise_corners(epsilon, count)
    lowered = total - ULP * (8 * total + 2 * count * epsilon)  # so that no rounding takes it for beyond a corner
    place = np.ceil((count - lowered / epsilon) / 2) - index[0]
    after = np.clip(place, 1, index.size - 1).astype(np.int64)
    corner = (count - 2 * index[after - 1]) * epsilon
    below = np.clip(corner - lowered, 0, 2 * epsilon)
    rate = np.minimum(np.expm1(-below) / np.expm1(-2 * epsilon), 1)
    near = (delta[after - 1] * (1 - rate) + delta[after] * rate) * (1 + 8 * ULP)
    near = np.where(place > after, 1.0, np.clip(near, _LEAST_DELTA, 1))  # what the table leaves out is nearly 1
    return np.where(total >= total_up([epsilon], [count]), 0.0, near)


def _epsilon(delta_total: Array, epsilon: float, count: int) -> Array:
    """ε' at which the profile, linear in e^ε' between its corners, comes down to δ = `delta_total`."""
    index, delta = promise_corners(epsilon, count)
    after = np.clip(np.searchsorted(delta, delta_total), 1, delta.size - 1)
    low, high = delta[after - 1], delta[after]
    with np.errstate(divide="ignore", invalid="ignore"):
        rate = (delta_total - low - 8 * ULP * delta_total) / (high - low)
    rate = np.clip(np.where(high > low, rate, 0), 0, 1)
    corner = (count - 2 * index[after - 1]) * epsilon
    below = -np.log1p(rate * np.expm1(-2 * epsilon)) * (1 - 8 * ULP)
    found = np.maximum(corner - below + 4 * ULP * corner, 0)
    basic = total_up([epsilon], [count])
    return np.where(delta_total < _LEAST_DELTA, basic, np.minimum(found, basic))

