"""The error of the shares of the answers to one question, by the normal approximation, for every method.

Formulas and sources stand in `half_width`. All shares at once, and what an office that is trusted would publish,
follow.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

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
from dpcore.roots import bisect, positive_mean

OPTIONS_RANGE = "[2, 1e9]"  # of the number of options of a question
HALF_WIDTH_RANGE = "[1e-12, 1]"  # of a share that somebody wants
METHODS = ("randomized_response", "optimized_unary", "symmetric_unary", "subset_selection", "hadamard")
LEAST_EPSILON, MOST_EPSILON = 1e-12, 1e6
_N_HALVINGS = 70  # of the ratio of 1e18, to the last bits
Probabilities = tuple[Array, Array, Array, Array, Array]
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
    half_width = number("half_width", half_width, HALF_WIDTH_RANGE)
    of_one = _normal_half_width(epsilon, n_options, method, share, significance, sampling)
    return np.maximum(np.ceil((of_one / half_width) ** 2 * (1 + 1e-14)), 1.0)


def epsilon_for_half_width(
    half_width: ArrayLike,
    n_options: ArrayLike,
    n_people: ArrayLike,
    method: str = "best",
    share: ArrayLike | None = None,
    significance: ArrayLike = 0.05,
    *,
    sampling: bool = False,
) -> Array:
    """The least ε at which the half-width of `half_width` is at most h, by bisection: what such an error costs.

    Parameters
    ----------
    half_width : h, as a share of 1, in [1e-12, 1].
    n_options, n_people, method, share, significance, sampling : as for `half_width`.

    Returns
    -------
    ε in [1e-12, 1e6]: the upper end of the bracket, at which the half-width was found to be small enough. NaN where it
    is not even at ε = 1e6, as with bits that are drawn whatever ε is, or by the sampling alone.

    Examples
    --------
    >>> epsilon_for_half_width([0.02, 0.01, 0.005], 20, 50_000, share=0.05).round(3).tolist()
    [0.807, 1.495, 2.466]
    """
    half_width = number("half_width", half_width, HALF_WIDTH_RANGE)
    n_people = integer("n_people", n_people, RECORDS_RANGE)

    def is_met(epsilon: Array) -> NDArray[np.bool_]:
        of_one = _normal_half_width(epsilon, n_options, method, share, significance, sampling)
        return of_one <= half_width * np.sqrt(n_people)

    lowest, highest = (is_met(np.asarray(end)) for end in (LEAST_EPSILON, MOST_EPSILON))
    least = bisect(is_met, np.full(highest.shape, LEAST_EPSILON), MOST_EPSILON, _N_HALVINGS, positive_mean)[1]
    return np.where(highest, np.where(lowest, LEAST_EPSILON, least), np.nan)[()]


def subset_size(
    epsilon: ArrayLike, n_options: ArrayLike, share: ArrayLike | None = None, *, sampling: bool = False
) -> Array:
    """⌊d/(e^ε + 1)⌋ or the next whole number, from 1 to d − 1: the size w of subset selection of the least error.

    Parameters
    ----------
    epsilon, n_options, share, sampling : as for `half_width`.

    Returns
    -------
    Whole numbers as floats. With 1, subset selection is randomised response.

    Examples
    --------
    >>> subset_size([0.5, 1, 2, 4], 20, 0.05).tolist()
    [8.0, 5.0, 2.0, 1.0]
    """
    epsilon, n_options, f = _known(epsilon, n_options, share)
    return _subset_size(epsilon, n_options, f, sampling)


def report_probabilities(
    epsilon: ArrayLike, n_options: ArrayLike, method: str, share: ArrayLike | None = None
) -> Probabilities:
    """p, 1 − p, q, 1 − q and p − q: a report speaks for its own option with probability p, and for another one with q.

    The estimate of a share of which a part g of reports speaks is (g − q)/(p − q); formulas as in `half_width`.

    Parameters
    ----------
    epsilon, n_options, share : as for `half_width`; the share decides the size of subset selection.
    method : one of `METHODS`.

    Examples
    --------
    >>> [round(float(part), 4) for part in report_probabilities(2, 20, "subset_selection", 0.05)]
    [0.4509, 0.5491, 0.0815, 0.9185, 0.3693]
    """
    option("method", method, METHODS)
    epsilon, n_options, f = _known(epsilon, n_options, share)
    if method == "subset_selection":
        return _subset_selection(epsilon, n_options, _subset_size(epsilon, n_options, f, sampling=False))
    return _PROBABILITIES[method](epsilon, n_options)


def _known(epsilon: ArrayLike, n_options: ArrayLike, share: ArrayLike | None) -> tuple[Array, Array, Array | None]:
    epsilon = number("epsilon", epsilon, POSITIVE_EPSILON_RANGE)
    n_options = integer("n_options", n_options, OPTIONS_RANGE)
    return epsilon, n_options, None if share is None else number("share", share, PROBABILITY_RANGE)


def _normal_half_width(
    epsilon: ArrayLike,
    n_options: ArrayLike,
    method: str,
    share: ArrayLike | None,
    significance: ArrayLike,
    sampling: bool,
) -> Array:
    """Return the half-width times √n."""
    option("method", method, (*METHODS, "best"))
    epsilon, n_options, f = _known(epsilon, n_options, share)
    significance = number("significance", significance, SIGNIFICANCE_RANGE)
    methods = METHODS if method == "best" else (method,)
    deviations = [np.sqrt(_variance(name, epsilon, n_options, f, sampling)) for name in methods]
    return gaussian.half_width(significance, 1.0) * np.minimum.reduce(np.broadcast_arrays(*deviations))


def _variance(method: str, epsilon: Array, d: Array, f: Array | None, sampling: bool) -> Array:
    """Return the variance of a share, times n; of subset selection that of its best size."""
    if method != "subset_selection":
        return _variance_of(_PROBABILITIES[method](epsilon, d), f, sampling)
    size = _subset_size(epsilon, d, f, sampling)
    return _variance_of(_subset_selection(epsilon, d, size), f, sampling)


def _subset_size(epsilon: Array, d: Array, f: Array | None, sampling: bool) -> Array:
    size = d / (np.exp(np.minimum(epsilon, 100.0)) + 1)
    below, above = (np.clip(end, 1, d - 1) for end in (np.floor(size), np.ceil(size)))
    first, second = (_variance_of(_subset_selection(epsilon, d, w), f, sampling) for w in (below, above))
    return np.where(second < first, above, below)


def _variance_of(probabilities: Probabilities, f: Array | None, sampling: bool) -> Array:
    p, not_p, q, not_q, gap = probabilities
    if not sampling:
        most = np.maximum(p * not_p, q * not_q)
        return (most if f is None else f * p * not_p + (1 - f) * q * not_q) / gap**2
    counted = np.clip(0.5, q, p) if f is None else f * p + (1 - f) * q
    return counted * (1 - counted) / gap**2


def _subset_selection(epsilon: Array, d: Array, w: Array) -> Probabilities:
    """Return p = w e^ε/(w e^ε + d − w), q = (p(w − 1) + (1 − p)w)/(d − 1) and the rest, for reports of w options."""
    t = np.exp(-epsilon)
    total = w + (d - w) * t
    p, q = w / total, w * ((w - 1) + (d - w) * t) / (total * (d - 1))
    not_q = (d - w) * (w + (d - w - 1) * t) / (total * (d - 1))
    return p, (d - w) * t / total, q, not_q, w * (d - w) * -np.expm1(-epsilon) / (total * (d - 1))


def _optimized_unary(epsilon: Array, _: Array) -> Probabilities:
    t, half = np.exp(-epsilon), np.full_like(epsilon, 0.5)
    return half, half, t / (1 + t), 1 / (1 + t), -np.expm1(-epsilon) / (2 * (1 + t))


def _symmetric_unary(epsilon: Array, _: Array) -> Probabilities:
    t = np.exp(-epsilon / 2)
    return 1 / (1 + t), t / (1 + t), t / (1 + t), 1 / (1 + t), -np.expm1(-epsilon / 2) / (1 + t)


def _hadamard(epsilon: Array, _: Array) -> Probabilities:
    t, half = np.exp(-epsilon), np.full_like(epsilon, 0.5)
    return 1 / (1 + t), t / (1 + t), half, half, -np.expm1(-epsilon) / (2 * (1 + t))


_PROBABILITIES: dict[str, Callable[[Array, Array], Probabilities]] = {
    "randomized_response": lambda epsilon, d: _subset_selection(epsilon, d, np.ones_like(d)),
    "optimized_unary": _optimized_unary,
    "symmetric_unary": _symmetric_unary,
    "hadamard": _hadamard,
}

TOGETHER_RANGE = "[1e-290, 1)"  # of a significance that up to 1e9 shares divide


def simultaneous_half_width(
    epsilon: ArrayLike,
    n_options: ArrayLike,
    n_people: ArrayLike,
    method: str = "best",
    significance: ArrayLike = 0.05,
) -> Array:
    """The half-width within which the estimates of all d shares are at once, whatever these are: that of α/d for each.

    It is the union bound, for the share whose error is largest.

    Parameters
    ----------
    epsilon, n_options, n_people, method : as for `half_width`, by the normal approximation.
    significance : α in [1e-290, 1), of all shares together.

    Returns
    -------
    The half-width, as a share of 1; above 1 where nothing is learnt.

    Examples
    --------
    >>> simultaneous_half_width(2, [2, 20], 50_000).round(4).tolist(), half_width(2, [2, 20], 50_000).round(4).tolist()
    ([0.0043, 0.013], [0.0037, 0.0084])
    """
    together = number("significance", significance, TOGETHER_RANGE)
    return half_width(
        epsilon, n_options, n_people, method, None, together / integer("n_options", n_options, OPTIONS_RANGE)
    )
