"""Surveys in which each person adds the noise (local differential privacy): how exact a share of the answers is.

Each of n people has one of d options and sends a report that satisfies ε-DP by itself, so that nobody needs to be
trusted. For each option a report counts with probability p if it is the person's, and with probability q otherwise; the
estimate of a share is (counted share − q)/(p − q). Its error is far larger than that of an office which adds noise
once: it falls like 1/√n, not like 1/n.

ε is in nats. Arguments broadcast. Bad input raises `ValueError`: `name must be in RANGE, got VALUE`.
"""

from collections.abc import Callable
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike

from dpcore import gaussian
from dpcore.checks import (
    POSITIVE_EPSILON_RANGE,
    PROBABILITY_RANGE,
    RECORDS_RANGE,
    SIGNIFICANCE_RANGE,
    Array,
    integer,
    number,
    option,
)

__all__ = ["HALF_WIDTH_RANGE", "METHODS", "OPTIONS_RANGE", "half_width", "least_people"]

OPTIONS_RANGE = "[2, 1e9]"  # of the number of options of a question
HALF_WIDTH_RANGE = "[1e-12, 1]"  # of a share that somebody wants
METHODS = ("randomized_response", "optimized_unary", "symmetric_unary", "subset_selection", "hadamard")
_Probabilities = tuple[Array, Array, Array, Array, Array]
"""p, 1 − p, q, 1 − q and p − q, each without cancellation."""


def half_width(
    epsilon: ArrayLike,
    n_options: ArrayLike,
    n_people: ArrayLike,
    method: str = "best",
    share: ArrayLike | None = None,
    significance: ArrayLike = 0.05,
    *,
    sampling: bool = False,
) -> Array:
    """z √(f p(1 − p) + (1 − f) q(1 − q))/((p − q)√n): the half-width of the estimate of one share f, by z of a normal.

    The methods are randomised response (Warner 1965; Kairouz, Oh & Viswanath 2016), optimized and symmetric unary
    encoding (Wang, Blocki, Li & Jha 2017), subset selection of the best size (Ye & Barg 2018), and Hadamard response
    (Acharya, Sun & Zhang 2019).

    Parameters
    ----------
    epsilon : ε of each report, in [1e-12, 1e6].
    n_options : d, the number of options, a whole number in [2, 1e9].
    n_people : n, a whole number in [1, 1e12]. For a small n the normal approximation is rough.
    method : one of `METHODS`, or "best": that of the least half-width.
    share : f in [0, 1], the true share of the option; None for the share whose error is largest.
    significance : α in [1e-300, 1).
    sampling : whether the people are a sample of a population, and the error is that of its share: the variance then
        has f(1 − f)/n more.

    Returns
    -------
    The half-width, as a share of 1, of which a part 1 − α of surveys is within; above 1 where nothing is learnt.

    Examples
    --------
    >>> print(f"{100 * half_width(2, 20, 50_000, share=0.05):.2f} percentage points")
    0.69 percentage points
    >>> half_width([0.5, 1, 2], 2, 50_000).round(5).tolist()
    [0.01735, 0.00841, 0.00373]
    """
    n_people = integer("n_people", n_people, RECORDS_RANGE)
    deviation = _normal_half_width(epsilon, n_options, method, share, significance, sampling)
    return deviation / np.sqrt(n_people)


def least_people(
    half_width: ArrayLike,
    epsilon: ArrayLike,
    n_options: ArrayLike,
    method: str = "best",
    share: ArrayLike | None = None,
    significance: ArrayLike = 0.05,
    *,
    sampling: bool = False,
) -> Array:
    """⌈(h₁/h)²⌉, h₁ the half-width of one report: the least number of people whose share is within h by `half_width`.

    Parameters
    ----------
    half_width : h, as a share of 1, in [1e-12, 1].
    epsilon, n_options, method, share, significance, sampling : as for `half_width`.

    Returns
    -------
    Whole numbers of at least 1 as floats. The quotient is raised by a part 1e-14 first, so that rounding never gives
    too few; a number above 1e12, the most that `half_width` takes, says that no survey is large enough. Like
    `half_width` it takes the estimate for normal, which is rough where the answer is a few hundred people or fewer.

    Examples
    --------
    >>> least_people(0.01, [0.5, 1, 2], 20).tolist()
    [565931.0, 150497.0, 35368.0]
    """
    wanted = number("half_width", half_width, HALF_WIDTH_RANGE)
    of_one = _normal_half_width(epsilon, n_options, method, share, significance, sampling)
    return np.maximum(np.ceil((of_one / wanted) ** 2 * (1 + 1e-14)), 1.0)


def _normal_half_width(
    epsilon: ArrayLike,
    n_options: ArrayLike,
    method: str,
    share: ArrayLike | None,
    significance: ArrayLike,
    sampling: bool,
) -> Array:
    """Return the half-width times √n."""
    epsilon = number("epsilon", epsilon, POSITIVE_EPSILON_RANGE)
    n_options = integer("n_options", n_options, OPTIONS_RANGE)
    option("method", method, (*METHODS, "best"))
    f = None if share is None else number("share", share, PROBABILITY_RANGE)
    significance = number("significance", significance, SIGNIFICANCE_RANGE)
    methods = METHODS if method == "best" else (method,)
    deviations = [np.sqrt(_variance(name, epsilon, n_options, f, sampling)) for name in methods]
    return gaussian.half_width(significance, 1.0) * np.minimum.reduce(np.broadcast_arrays(*deviations))


def _variance(method: str, epsilon: Array, d: Array, f: Array | None, sampling: bool) -> Array:
    """Return the variance of a share, times n; of subset selection that of its best size."""
    if method != "subset_selection":
        return _variance_of(_PROBABILITIES[method](epsilon, d), f, sampling)
    size = d / (np.exp(np.minimum(epsilon, 100.0)) + 1)
    below, above = (np.clip(end, 1, d - 1) for end in (np.floor(size), np.ceil(size)))
    return np.minimum(*(_variance_of(_subset_selection(epsilon, d, w), f, sampling) for w in (below, above)))


def _variance_of(probabilities: _Probabilities, f: Array | None, sampling: bool) -> Array:
    p, not_p, q, not_q, gap = probabilities
    if not sampling:
        most = np.maximum(p * not_p, q * not_q)
        return (most if f is None else f * p * not_p + (1 - f) * q * not_q) / gap**2
    counted = np.clip(0.5, q, p) if f is None else f * p + (1 - f) * q
    return counted * (1 - counted) / gap**2


def _randomized_response(epsilon: Array, d: Array) -> _Probabilities:
    return _subset_selection(epsilon, d, np.ones_like(d))


def _subset_selection(epsilon: Array, d: Array, w: Array) -> _Probabilities:
    """Return p = w e^ε/(w e^ε + d − w), q = (p(w − 1) + (1 − p)w)/(d − 1) and the rest, for reports of w options."""
    t = np.exp(-epsilon)
    total = w + (d - w) * t
    p, q = w / total, w * ((w - 1) + (d - w) * t) / (total * (d - 1))
    not_q = (d - w) * (w + (d - w - 1) * t) / (total * (d - 1))
    return p, (d - w) * t / total, q, not_q, w * (d - w) * -np.expm1(-epsilon) / (total * (d - 1))


def _optimized_unary(epsilon: Array, _: Array) -> _Probabilities:
    t, half = np.exp(-epsilon), np.full_like(epsilon, 0.5)
    return half, half, t / (1 + t), 1 / (1 + t), -np.expm1(-epsilon) / (2 * (1 + t))


def _symmetric_unary(epsilon: Array, _: Array) -> _Probabilities:
    t = np.exp(-epsilon / 2)
    return 1 / (1 + t), t / (1 + t), t / (1 + t), 1 / (1 + t), -np.expm1(-epsilon / 2) / (1 + t)


def _hadamard(epsilon: Array, _: Array) -> _Probabilities:
    t, half = np.exp(-epsilon), np.full_like(epsilon, 0.5)
    return 1 / (1 + t), t / (1 + t), half, half, -np.expm1(-epsilon) / (2 * (1 + t))


_PROBABILITIES: MappingProxyType[str, Callable[[Array, Array], _Probabilities]] = MappingProxyType(
    {
        "randomized_response": _randomized_response,
        "optimized_unary": _optimized_unary,
        "symmetric_unary": _symmetric_unary,
        "hadamard": _hadamard,
    }
)
