"""One guarantee many times: the least δ at every ε, and the least ε at every δ, exactly ([KOV15] Thm 3.3).

The worst (ε, δ₀)-DP release is randomised response that gives the true answer with probability e^ε/(1 + e^ε), and
reveals everything with probability δ₀. The privacy loss of k such releases is (k − 2m)ε, where the number m of false
answers is binomial. The profile is linear in e^ε' between its corners (k − 2i)ε, which therefore determine it.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from dpcore.checks import EPSILON_RANGE, PURE_DELTA_RANGE, Array, integer, number
from dpcore.composition._failures import broken_up, failures, slack_down
from dpcore.composition._lattice_profile import Corners
from dpcore.composition.releases import COUNT_RANGE, PURE_RANGE
from dpcore.rounding import total_up
from dpcore.tradeoff.guarantees import guarantee_corners

_LEAST_DELTA = 1e-300


def optimal_delta(epsilon_total: ArrayLike, epsilon: ArrayLike, n_releases: ArrayLike, delta: ArrayLike = 0.0) -> Array:
    """Return the least δ of k releases that satisfy (ε, δ₀)-DP each, at every ε' ([KOV15] Thm 3.3).

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
        number("epsilon_total", epsilon_total, EPSILON_RANGE), *_guarantees(epsilon, n_releases, delta)
    )
    pure = _by_pair(Corners.delta_at, total, epsilon, count)
    pure = np.where((epsilon > 0) & (total < count * epsilon), np.maximum(pure, _LEAST_DELTA), pure)
    return broken_up(pure, failures(delta[..., None], count[..., None]))[()]


def optimal_epsilon(delta_total: ArrayLike, epsilon: ArrayLike, n_releases: ArrayLike, delta: ArrayLike = 0.0) -> Array:
    """Return the least ε' of k releases that satisfy (ε, δ₀)-DP each, at every δ: the inverse of `optimal_delta`.

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
        number("delta_total", delta_total, PURE_DELTA_RANGE), *_guarantees(epsilon, n_releases, delta)
    )
    slack = slack_down(total, failures(delta[..., None], count[..., None]))
    used = np.where(slack >= _LEAST_DELTA, slack, 0)
    bound = _by_pair(Corners.epsilon_at, used, epsilon, count)
    return np.where(slack >= 0, bound, np.inf)[()]


def _guarantees(epsilon: ArrayLike, n_releases: ArrayLike, delta: ArrayLike) -> tuple[Array, Array, Array]:
    return (
        number("epsilon", epsilon, PURE_RANGE),
        integer("n_releases", n_releases, COUNT_RANGE),
        number("delta", delta, PURE_DELTA_RANGE),
    )


def _by_pair(reading: Callable[[Corners, Array], Array], value: Array, epsilon: Array, count: Array) -> Array:
    """`reading(corners, values)` for each pair (ε, k) at once; 0 where ε = 0, when nothing is ever lost."""
    places: dict[tuple[float, int], list[int]] = {}
    for place, (loss, k) in enumerate(zip(epsilon.ravel().tolist(), count.ravel().tolist(), strict=True)):
        places.setdefault((loss, int(k)), []).append(place)
    result, value = np.zeros(value.size), value.ravel()
    for (loss, k), at in places.items():
        if loss > 0:
            index, delta = guarantee_corners(loss, k)
            corners = Corners(total_up([loss], [k]), 2 * loss, int(index[0]), delta)
            result[at] = reading(corners, value[at])
    return result.reshape(epsilon.shape)
