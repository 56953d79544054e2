"""Keep or drop alone: the largest probability with which a group of n people may appear, for one group and for k."""

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from dpcore.checks import DELTA_RANGE, EPSILON_RANGE, Array, PlainRecord, integer, number
from dpcore.composition import optimal_delta
from dpcore.roots import bisect, whole_mean
from dpcore.rounding import ULP, round_down
from dpcore.truncated_geometric import sum_of_powers

MOST_PEOPLE = 1e15
SIZE_RANGE = "[0, 1e15]"
GROUPS_RANGE = "[1, 1e4]"
KEPT_RANGE = "(0, 1]"
SPLIT_EPSILON_RANGE, SPLIT_DELTA_RANGE = "[0, 1e3]", "[1e-290, 1)"
_CANDIDATES, _ROUNDS = 24, 4


def optimal_keep_probability(n: ArrayLike, epsilon: ArrayLike, delta: ArrayLike) -> Array:
    """π₀ = 0, π_n = min(e^ε π_{n−1} + δ, 1 − e^{−ε}(1 − π_{n−1} − δ), 1): the largest of (ε, δ)-DP ([DVGM22] Thm 1).

    In closed form, with n₁ = 1 + ⌊ln(1 + tanh(ε/2)(1 − δ)/δ)/ε⌋: first π_n = δ(1 + e^ε + … + e^{(n−1)ε}) up to n₁, then
    1 − π_n = e^{−mε}(1 − π_{n₁}) − δ(e^{−ε} + … + e^{−mε}) with m = n − n₁, until that is 0 or less and π_n = 1.

    Parameters
    ----------
    n : people in the group, a whole number in [0, 1e15]; a person is in one group at most.
    epsilon : in [0, 1e6].
    delta : in [1e-300, 1).

    Returns
    -------
    A probability, rounded down: below the true value by a relative (16 + 4 min(nε, ln(1/δ))) 2⁻⁵² at most. It is what
    may be promised to a group; who draws with it moves δ by as little.

    Examples
    --------
    >>> print(optimal_keep_probability([10, 13, 14, 16, 28], epsilon=1, delta=1e-6).round(6))
    [0.012818 0.257474 0.699887 0.959385 1.      ]
    """
    n = integer("n", n, SIZE_RANGE)
    n, epsilon, delta = np.broadcast_arrays(
        n, number("epsilon", epsilon, EPSILON_RANGE), number("delta", delta, DELTA_RANGE)
    )
    with np.errstate(over="ignore", under="ignore"):
        some = np.where(epsilon > 0, epsilon, 1.0)
        turn = np.where(epsilon > 0, 1 + np.floor(np.log1p(np.tanh(epsilon / 2) * (1 - delta) / delta) / some), np.inf)
        first = np.minimum(n, turn)
        growth = np.maximum(first - 1, 0) * epsilon
        rising = delta * np.exp(growth) * sum_of_powers(first, epsilon)
        later = n - first
        left, taken = (
            np.exp(-later * epsilon) * (1 - rising),
            delta * np.exp(-epsilon) * sum_of_powers(later, epsilon),
        )
        dropped = left - taken
        sure = dropped <= -16 * ULP * (left + taken)
        falling = np.where(sure, 1.0, round_down(1 - np.maximum(dropped, 0), 16))
        return np.where(later > 0, falling, np.clip(round_down(rising, 16 + 4 * growth), 0, 1))[()]


def _least_size(probability: float, epsilon: Array, delta: Array, most: float) -> Array:
    """Return the least n, and `most` where it is more."""
    ends, halvings = (np.zeros(epsilon.shape), np.full(epsilon.shape, most)), math.ceil(math.log2(most)) + 1
    return bisect(lambda n: optimal_keep_probability(n, epsilon, delta) >= probability, *ends, halvings, whole_mean)[1]


def _enough_people(probability: float, epsilon: float, delta: float) -> float:
    """Return a power of 2 that is at least the least n and less than twice it; 1e15 at most."""
    size = 1.0
    while size < MOST_PEOPLE and optimal_keep_probability(size, epsilon, delta) < probability:
        size = min(2 * size, MOST_PEOPLE)
    return size


@dataclass(frozen=True)
class Split(PlainRecord):
    """The guarantee (ε₀, δ₀) of each of the k groups that a person may be in.

    Attributes
    ----------
    epsilon, delta : ε₀ and δ₀, of the shape of the arguments.
    """

    epsilon: Array
    delta: Array


def best_split(
    epsilon: ArrayLike, delta: ArrayLike, groups_per_person: ArrayLike = 1, probability: ArrayLike = 0.95
) -> Split:
    """Return the (ε₀, δ₀) of each of k groups that lets the smallest groups appear with probability p.

    k releases of (ε₀, δ₀)-DP together satisfy (ε, δ)-DP by optimal composition ([KOV15] Thm 3.3): for each ε₀ from ε/k
    on, δ₀ = 1 − ((1 − δ)/(1 − δ'))^{1/k}, δ' that of the ε₀ alone. The ε₀ is searched for on ever finer grids, which
    hold ε/k and δ₀ = 1 − (1 − δ)^{1/k} ≥ δ/k: the result is never worse than that.

    Parameters
    ----------
    epsilon : in [0, 1e3], of all groups together.
    delta : in [1e-290, 1).
    groups_per_person : k, a whole number in [1, 1e4].
    probability : p in (0, 1], with which the least size is to appear.

    Examples
    --------
    >>> split = best_split(1, 1e-6, groups_per_person=30)
    >>> print(f"{split.epsilon:.4f} {split.delta:.3g}")
    0.0444 1.6e-08
    """
    arrays = np.broadcast_arrays(
        number("epsilon", epsilon, SPLIT_EPSILON_RANGE),
        number("delta", delta, SPLIT_DELTA_RANGE),
        integer("groups_per_person", groups_per_person, GROUPS_RANGE),
        number("probability", probability, KEPT_RANGE),
    )
    rows = zip(*(array.ravel().tolist() for array in arrays), strict=True)
    pairs = np.array([_best_pair(*row) for row in rows]).reshape(*arrays[0].shape, 2)
    return Split(pairs[..., 0], pairs[..., 1])


@lru_cache(1024)
def _best_pair(epsilon: float, delta: float, k: int, probability: float) -> tuple[float, float]:
    if k == 1:
        return epsilon, delta
    least = round_down(epsilon / k, 2)
    most = _enough_people(probability, float(least), float(_each_delta(np.zeros(1), delta, k)[0]))
    spent = bisect(lambda tried: optimal_delta(epsilon, tried, k) >= delta, least, epsilon, 20)[0]
    low, high, best = np.asarray(least), spent, (least, 0.0)
    for _ in range(_ROUNDS):
        tried = np.append(least, np.linspace(low, high, _CANDIDATES))
        pure = np.where(tried > least, optimal_delta(epsilon, tried, k), 0.0)
        own_delta = _each_delta(pure, delta, k)
        tried, own_delta = tried[own_delta >= 1e-300], own_delta[own_delta >= 1e-300]
        sizes = _least_size(probability, tried, own_delta, most)
        place = int(np.argmin(sizes - optimal_keep_probability(sizes, tried, own_delta)))
        best, width = (float(tried[place]), float(own_delta[place])), (high - low) / (_CANDIDATES - 1)
        low, high = np.maximum(best[0] - width, least), np.minimum(best[0] + width, spent)
    return best


def _each_delta(pure: Array, delta: float, k: int) -> Array:
    """Return δ₀ of k groups, of which the ε₀ alone have a δ of `pure`; rounded down."""
    slack = np.clip((delta - pure) / (1 - pure), 0, 1)
    return round_down(-np.expm1(np.log1p(-slack) / k), 32)
