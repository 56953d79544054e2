"""Shuffling: what n reports that each satisfy ε₀-DP locally guarantee once nobody knows who sent which.

Every bound is for neighbours by replacement (one person's answer changes) and for δ = 0 locally; shuffling never hurts,
so that none is above ε₀. The closed forms are published with conditions, outside which ε₀ is returned; the numerical
bound needs none and is 3 to 4 times smaller than they are. For a given randomiser the truth may lie still lower.

The numerical bound rests on this: two answers R₀, R₁ of an ε₀-DP randomiser are mixtures of the same Q₀ and Q₁ with
weights e^ε₀ : 1 and 1 : e^ε₀, and whatever another person sends is at least e^−ε₀ (R₀ + R₁)/2 = e^−ε₀ (Q₀ + Q₁)/2, that
is, a clone with probability e^−ε₀. Binary randomised response is at least (Q₀ + Q₁)/(e^ε₀ + 1): more clones. That this
larger share served every randomiser (the stronger clone of arXiv:2208.04591) is not used here.
"""

import math
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import root_scalar
from scipy.special import betainc, expit

from dpcore.checks import DELTA_RANGE, EPSILON_RANGE, Array, integer, number, option
from dpcore.composition.bounds import elementwise
from dpcore.composition.releases import PURE_RANGE
from dpcore.rounding import round_down, round_up

REPORTS_RANGE = "[1, 1e9]"
RANDOMIZERS = ("any", "binary")
_MOST_BLOCKS = 4000


def clones_epsilon_2021(delta: ArrayLike, local_epsilon: ArrayLike, n_reports: ArrayLike) -> Array:
    """ln[1 + (e^ε₀ − 1)/(e^ε₀ + 1) (8√(e^ε₀ ln(4/δ)/n) + 8e^ε₀/n)]: Feldman, McMillan & Talwar, arXiv:2012.12803.

    It holds for ε₀ ≤ ln(n/(16 ln(4/δ))), the stricter of the paper's and its code's conditions; elsewhere, and where
    the form is larger, ε₀ is returned.

    Parameters
    ----------
    delta : in [1e-300, 1).
    local_epsilon : ε₀ of each report, in [0, 1e3], in nats.
    n_reports : n, a whole number in [1, 1e9].

    Returns
    -------
    ε in nats, rounded up by a relative 1e-14 at most.

    Examples
    --------
    >>> print(f"{clones_epsilon_2021(1e-6, 1, 1e4):.6f}")
    0.214026
    """
    delta, local, n = _arguments(delta, local_epsilon, n_reports)
    log_share = local - np.log(n)
    spread = 8 * np.exp(np.minimum(log_share / 2, 300)) * np.sqrt(_log_over(4, delta)) + 8 * np.exp(
        np.minimum(log_share, 600)
    )
    holds = log_share <= -np.log(16 * _log_over(4, delta))
    return _where_smaller(np.log1p(np.tanh(local / 2) * spread), local, holds)


def clones_epsilon_2023(delta: ArrayLike, local_epsilon: ArrayLike, n_reports: ArrayLike) -> Array:
    """ln[1 + (e^ε₀ − 1)(4√(2 ln(4/δ)/((e^ε₀ + 1)n)) + 4/n)]: Feldman, McMillan & Talwar, arXiv:2208.04591, Thm 3.2.

    It holds for ε₀ ≤ ln(n/(8 ln(2/δ)) − 1); elsewhere, and where the form is larger, ε₀ is returned. It was not below
    `shuffled_epsilon` for any randomiser anywhere tried.

    Arguments and rounding as in `clones_epsilon_2021`.

    Examples
    --------
    >>> print(f"{clones_epsilon_2023(1e-6, 1, 1e4):.6f}")
    0.180006
    """
    delta, local, n = _arguments(delta, local_epsilon, n_reports)
    near = np.minimum(local, 50)  # the condition holds nowhere beyond
    spread = 4 * np.sqrt(2 * _log_over(4, delta) / (np.exp(near) + 1) / n) + 4 / n
    holds = (local <= near) & (np.exp(near) + 1 <= round_down(n / (8 * _log_over(2, delta)), 8))
    return _where_smaller(np.log1p(np.expm1(near) * spread), local, holds)


def shuffled_delta(
    epsilon: ArrayLike, local_epsilon: ArrayLike, n_reports: ArrayLike, randomizer: str = "any"
) -> Array:
    """δ of n shuffled reports that satisfy ε₀-DP, at every ε: the numerical bound of Feldman, McMillan & Talwar.

    The pair of arXiv:2012.12803: with C ~ Bin(n − 1, c) clones and A ~ Bin(C, ½) of them of the first kind, what is
    seen is (A + 1, C − A) or (A, C − A + 1), which of them with odds e^ε₀ : 1 or 1 : e^ε₀. Summed over A by two
    binomial tails, over C in blocks that count as their least C, as more clones never hurt.

    Parameters
    ----------
    epsilon : in [0, 1e6], in nats.
    local_epsilon : ε₀ of each report, in [0, 1e3], in nats.
    n_reports : n, a whole number in [1, 1e9].
    randomizer : `"any"` that satisfies ε₀-DP, where c = e^−ε₀, or `"binary"` randomised response, c = 2/(e^ε₀ + 1).

    Returns
    -------
    δ in [0, 1], rounded up: above the pair's by 1e-20 and a relative 1e-8, for n above 1e5 a relative 1e-3, at most; 0
    for ε ≥ ε₀.

    Examples
    --------
    >>> print(f"{shuffled_delta(0.0530054, 1, 1e4):.3g}")
    1e-06
    """
    epsilon = number("epsilon", epsilon, EPSILON_RANGE)
    _, local, n = _arguments(0.5, local_epsilon, n_reports)
    option("randomizer", randomizer, RANDOMIZERS)
    return elementwise(_delta, epsilon, local, n, randomizer)


def shuffled_epsilon(
    delta: ArrayLike, local_epsilon: ArrayLike, n_reports: ArrayLike, randomizer: str = "any"
) -> Array:
    """ε of n shuffled reports that satisfy ε₀-DP, at every δ: the inverse of `shuffled_delta`, at most ε₀.

    Parameters
    ----------
    delta : in [1e-300, 1).
    local_epsilon, n_reports, randomizer : as in `shuffled_delta`.

    Returns
    -------
    ε ≥ 0 in nats, rounded up: one at which `shuffled_delta` is at most δ, and the least such to a relative 1e-8.
    It takes 20 ms for n = 1e4, .3 s for 1e7, 1 s for 1e9.

    Examples
    --------
    >>> print(f"{shuffled_epsilon(1e-6, 1, 1e4):.6f} {shuffled_epsilon(1e-6, 1, 1e4, 'binary'):.6f}")
    0.053005 0.043206
    """
    option("randomizer", randomizer, RANDOMIZERS)
    return elementwise(_epsilon, *_arguments(delta, local_epsilon, n_reports), randomizer)


def _arguments(delta: ArrayLike, local_epsilon: ArrayLike, n_reports: ArrayLike) -> tuple[Array, Array, Array]:
    return (
        number("delta", delta, DELTA_RANGE),
        number("local_epsilon", local_epsilon, PURE_RANGE),
        integer("n_reports", n_reports, REPORTS_RANGE),
    )


def _log_over(times: float, delta: Array) -> Array:
    return math.log(times) - np.log(delta)


def _where_smaller(closed: Array, local: Array, holds: NDArray[np.bool_]) -> Array:
    return np.where(holds, np.minimum(round_up(closed, 32), local), local)[()]


def _delta(epsilon: float, local: float, n: float, randomizer: str) -> float:
    if epsilon >= local:
        return 0.0
    doubt = 1e-12 + 4e-15 * math.sqrt(n)  # relative, of an incomplete beta function
    edges, mass, beyond = _clones(local, n, randomizer, doubt)
    gap = _gap(edges, epsilon, local, doubt)
    alone = round_up(-math.expm1(epsilon - local) * float(expit(local)), 8)  # without any clones
    total = float(np.sum(mass * gap)) + beyond[0] * alone + beyond[1] * gap[-1]
    return min(total * (1 + 1e-11), alone)


@lru_cache(maxsize=8)
def _clones(local: float, n: float, randomizer: str, doubt: float) -> tuple[Array, Array, Array]:
    """Return the least number of clones in each block, the chance of each block, and those before and after all."""
    share, others = math.exp(-local), -math.expm1(-local)
    if randomizer == "binary":
        share, others = 2 * float(expit(-local)), math.tanh(local / 2)
    mean = (n - 1) * share
    reach = 10 * math.sqrt(mean * others) + 30
    low, end = max(math.floor(mean - reach), 0), min(math.ceil(mean + reach), n - 1) + 1
    edges = np.unique(np.floor(np.linspace(low, end, min(int(end - low), _MOST_BLOCKS) + 1)))
    below, above = _at_least(n - 1, n - edges, others), _at_least(n - 1, edges, share)
    mass = np.where(edges[1:] <= mean, np.diff(below), -np.diff(above))
    rest = np.minimum(below, above)
    return edges[:-1], np.maximum(mass, 0) + 2 * doubt * (rest[1:] + rest[:-1]), np.array([below[0], above[-1]])


def _gap(clones: Array, epsilon: float, local: float, doubt: float) -> Array:
    """Σ (P − e^ε Q)₊ given so many clones, rounded up.

    Of s = C + 1 reports x being the person's likelier answer has odds e^ε₀ x + s − x : x + e^ε₀(s − x), which pass e^ε
    at a fixed share x/s < 1: from there on the two tails are taken. The share is rounded down, so that x = s is one.
    """
    gain = -math.expm1(epsilon - local) * expit(local)
    loss = -math.exp(min(epsilon, 700)) * math.expm1(-epsilon - local) * expit(local)
    share = round_down(expit(epsilon) * math.expm1(-epsilon - local) / math.expm1(-local), 8)
    least = np.ceil((clones + 1) * share)
    first, second = gain * _at_least(clones, least - 1, 0.5), loss * _at_least(clones, least, 0.5)
    return np.maximum(first - second, 0) + 2 * doubt * (first + second)


def _at_least(trials: Array | float, least: Array, chance: float) -> Array:
    """Pr(Bin(trials, chance) ≥ least): 1 where least ≤ 0, and 0 where it is above the trials."""
    inner = np.clip(least, 1, np.maximum(trials, 1))
    tail = betainc(inner, np.maximum(trials - inner, 0) + 1, chance)
    return np.where(least <= 0, 1.0, np.where(least > trials, 0.0, tail))


def _epsilon(delta: float, local: float, n: float, randomizer: str) -> float:
    if _delta(0.0, local, n, randomizer) <= delta:
        return 0.0
    high = float(clones_epsilon_2021(delta, local, n))

    def excess(epsilon: float) -> float:
        return math.log(max(_delta(epsilon, local, n, randomizer), 1e-320)) - math.log(delta)

    high = high if excess(high) <= 0 else local
    root = float(root_scalar(excess, bracket=(0.0, high), xtol=1e-12 * high, rtol=1e-10).root)
    near = [candidate for candidate in (root, root * (1 + 1e-10), root * (1 + 1e-8)) if excess(candidate) <= 0]
    return min([*near, high])
