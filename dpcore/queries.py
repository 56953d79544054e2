"""Queries: how far one record moves each, and a privacy budget spread over several.

Neighbouring data sets differ by one record that is added or removed (`"add_remove"`), or by one that is replaced by
another (`"replace"`). Sensitivities are in query units and rounded up; the shares of a budget are rounded down, so that
together they never exceed it. ε (`epsilon`) is in nats, δ (`delta`) is a probability. Bad input raises `ValueError`:
`name must be in RANGE, got VALUE`.

References
----------
[DR14] Dwork & Roth 2014, Algorithmic Foundations of Differential Privacy. [BW18] Balle & Wang 2018, arXiv:1805.06530.
[DRS22] Dong, Roth & Su 2022, doi:10.1111/rssb.12454.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore import gaussian, laplace
from dpcore._normal import ULP
from dpcore.accuracy import gaussian_accuracy, laplace_accuracy
from dpcore.checks import (
    DELTA_RANGE,
    EPSILON_RANGE,
    SENSITIVITY_RANGE,
    SIGNIFICANCE_RANGE,
    Array,
    number,
    option,
    refuse,
    whole,
)

QUERIES = ("count", "sum", "mean", "proportion", "histogram")
NEIGHBOURS = ("add_remove", "replace")
BOUND_RANGE = "[-1e15, 1e15]"
RECORDS_RANGE = "[1, 1e12]"
WEIGHT_RANGE = "[1e-6, 1e6]"
LEAST_WIDTH = 1e-30
_MOST_WHOLE = 1e15  # the largest sensitivity of whole-numbered noise
_LEAST_EPSILON = 1e-200  # below it shares would lose their last digits
_LEAST_DELTA = 1e-300
_MOST_SIGMA = 1e300


@dataclass(frozen=True)
class Sensitivities:
    """How far one record moves a query: Δ₁ and Δ₂ in query units, and which kinds of noise suit it.

    `whole`: the answers and Δ₁ are whole numbers (for a sum, if the values are). `single`: one record moves one
    number only, by at most Δ₁ = Δ₂.
    """

    l1: Array
    l2: Array
    whole: NDArray[np.bool_]
    single: bool


def sensitivities(
    query: str, neighbours: str, low: ArrayLike = 0.0, high: ArrayLike = 1.0, n_records: ArrayLike = 1
) -> Sensitivities:
    """Δ₁ and Δ₂ of a query, from the definition: the largest move between neighbouring data sets (own).

    Count of records with a property: 1. Sum on [lo, hi]: max(|lo|, |hi|) for add/remove, hi − lo for replace.
    Histogram: 1 for add/remove; for replace Δ₁ = 2, Δ₂ = √2. Mean on [lo, hi] and proportion (hi − lo = 1): (hi − lo)/n
    under both relations, with n public; under add/remove, n itself is not protected.

    Parameters
    ----------
    query : one of `QUERIES`.
    neighbours : one of `NEIGHBOURS`.
    low, high : the range of a record's value in [-1e15, 1e15], in query units, high − low at least 1e-30. They count
        for a sum and a mean only, and are not looked at for other queries.
    n_records : n, a whole number in [1, 1e12], of a mean or a proportion; not looked at for other queries. With
        `"replace"` it is the public number of records; with `"add_remove"`, where neighbours never have the same
        number of records, it is a public lower bound of the number in every data set.

    Returns
    -------
    Δ₁ and Δ₂ in query units: never below the true value, above it by a relative 5e-16 at most.

    Notes
    -----
    The mean m of n records moves by (x' − x)/n when x becomes x'. Without x it moves by (m − x)/(n − 1), and since m
    contains x, |m − x| ≤ (hi − lo)(n − 1)/n: no more than (hi − lo)/n, reached by x = hi among records at lo. With one
    more it moves by |x − m|/(n + 1), which is less. The mean of no records is any fixed value of the range.

    Examples
    --------
    >>> moves = sensitivities("histogram", "replace")
    >>> print(f"{moves.l1:.4f} {moves.l2:.4f}")
    2.0000 1.4142
    """
    option("query", query, QUERIES)
    option("neighbours", neighbours, NEIGHBOURS)
    replaced = neighbours == "replace"
    if query == "histogram" and replaced:  # the double √2 is above the true one
        return Sensitivities(np.asarray(2.0)[()], np.sqrt(2), np.asarray(True)[()], single=False)
    if query in ("count", "histogram"):
        one = np.asarray(1.0)[()]
        return Sensitivities(one, one, np.asarray(True)[()], single=True)
    if query == "proportion":
        low, high = 0.0, 1.0
    low, high = np.broadcast_arrays(number("low", low, BOUND_RANGE), number("high", high, BOUND_RANGE))
    refuse("high", high, ~(high > low), "(low, 1e15]")
    width = _difference_up(high, low)
    refuse("high − low", width, width < LEAST_WIDTH, f"[{LEAST_WIDTH}, 2e15]")
    if query in ("mean", "proportion"):
        move = np.nextafter(width / whole("n_records", n_records, RECORDS_RANGE), np.inf)
        return Sensitivities(move, move, np.zeros(np.shape(move), np.bool_)[()], single=True)
    move = (width if replaced else np.maximum(abs(low), abs(high)))[()]
    is_whole = (np.floor(low) == low) & (np.floor(high) == high) & (move <= _MOST_WHOLE)
    return Sensitivities(move, move, is_whole, single=True)


def _difference_up(high: Array, low: Array) -> Array:
    """`high` − `low`, rounded up where it is not exact (Knuth's sum of two with its error)."""
    difference = high - low
    back = difference - high
    error = (high - (difference - back)) - (low + back)
    return np.where(error > 0, np.nextafter(difference, np.inf), difference)


@dataclass(frozen=True)
class Budget:
    """A budget spread over queries: an entry a query on the last axis, totals without that axis.

    `epsilon` and `delta` are each query's share. `laplace`, `gaussian` and `shrunk` are half-widths in query units: of
    Laplace noise at its ε; of analytic Gaussian noise at its (ε, δ); of that Gaussian noise made smaller by the factor
    `shrink`, the same for all, with which the exact total just spends the budget. They are infinite where there is
    no such noise. `total_epsilon` and `total_delta` are the sums (basic composition); `exact_epsilon` is what all the
    Gaussians that there are really give together at `total_delta`, infinite where there are none.
    """

    epsilon: Array
    delta: Array
    laplace: Array
    gaussian: Array
    shrunk: Array
    shrink: Array
    total_epsilon: Array
    total_delta: Array
    exact_epsilon: Array


def shares(epsilon: ArrayLike, delta: ArrayLike, weights: ArrayLike, locked: ArrayLike = 0.0) -> tuple[Array, Array]:
    """Each query's ε and δ: a locked query has its own ε, the others share the rest in proportion to their weights.

    δ is shared in the same proportion as ε, and by weight where ε = 0.

    Parameters
    ----------
    epsilon : the whole budget, in [0, 1e6]; below 1e-200 it counts as 0.
    delta : the whole budget, in [1e-300, 1).
    weights : in [1e-6, 1e6], with the queries on the last axis; a single number is one query.
    locked : ε of a locked query; 0 for one that is not. Their sum is at most the budget, but for rounding.

    Returns
    -------
    ε and δ with the queries on the last axis, rounded down: their exact sums never exceed the budget, and fall short
    of it by a relative 4(n + 4)·2⁻⁵² at most, unless every query is locked. A δ below 1e-300 is given as 0. Queries
    that are not locked have ε = 0 and δ = 0 where the locked ones leave nothing.

    Examples
    --------
    >>> epsilon, delta = shares(epsilon=1, delta=1e-6, weights=[1, 3])
    >>> epsilon.round(6).tolist()
    [0.25, 0.75]
    """
    epsilon = number("epsilon", epsilon, EPSILON_RANGE)[..., None]
    delta = number("delta", delta, DELTA_RANGE)[..., None]
    epsilon = np.where(epsilon < _LEAST_EPSILON, 0.0, epsilon)
    weights, locked = np.broadcast_arrays(
        np.atleast_1d(number("weights", weights, WEIGHT_RANGE)), number("locked", locked, EPSILON_RANGE)
    )
    margin = (weights.shape[-1] + 4) * ULP
    taken = locked.sum(axis=-1, keepdims=True)
    refuse("the sum of locked", taken, taken > epsilon * (1 + margin), "[0, epsilon]")
    tight = taken * (1 + margin) > epsilon  # they spend it all: nothing is left, and the last bits must fit
    locked = np.where(tight, locked * (1 - 2 * margin), locked)
    left = np.where(tight, 0.0, epsilon * (1 - margin) - taken)
    loose = np.where(locked > 0, 0.0, weights)
    by_weight = loose / np.maximum(loose.sum(axis=-1, keepdims=True), 1e-6) * (1 - margin)
    epsilons = np.where(locked > 0, locked, left * by_weight)
    some = np.where(epsilon > 0, epsilon, 1.0)
    deltas = delta * np.where(epsilon > 0, epsilons / some, by_weight)  # the ε leave room for rounding
    return epsilons, np.where(deltas < _LEAST_DELTA, 0.0, deltas)


def budget(
    epsilon: ArrayLike,
    delta: ArrayLike,
    significance: ArrayLike,
    sensitivity: ArrayLike,
    weights: ArrayLike,
    locked: ArrayLike = 0.0,
) -> Budget:
    """Spread a budget over queries of one number each: shares, accuracies, and what they add up to.

    Basic composition adds the ε up, and the δ ([DR14]). Gaussians compose exactly, to the one with
    μ = √Σ μᵢ², μᵢ = Δᵢ/σᵢ ([DRS22]), whose ε at the total δ is that of [BW18] Thm 8.

    Parameters
    ----------
    epsilon, delta, weights, locked : as in `shares`.
    significance : α in [1e-300, 1), dimensionless.
    sensitivity : Δ₁ = Δ₂ of each query in [1e-100, 1e100], in its own units; there are as many queries as
        sensitivities, weights and locked ε together make by broadcasting.

    Returns
    -------
    A `Budget`: accuracies and `exact_epsilon` rounded up, above the true value by a relative (8n + 60)·2⁻⁵² at most
    (`exact_epsilon` by no more than moving δ and σ by that would move it). The totals are never above the budget.

    Examples
    --------
    >>> both = budget(epsilon=1, delta=1e-6, significance=0.05, sensitivity=[1, 100], weights=[1, 1])
    >>> both.laplace.round(2).tolist()
    [5.99, 599.15]
    >>> print(f"{both.exact_epsilon:.4f}")  # what the two Gaussians really spend
    0.6979
    """
    significance = number("significance", significance, SIGNIFICANCE_RANGE)[..., None]
    sensitivity, weights = np.broadcast_arrays(
        number("sensitivity", sensitivity, SENSITIVITY_RANGE), number("weights", weights, WEIGHT_RANGE)
    )
    epsilons, deltas = shares(epsilon, delta, weights, locked)
    epsilon, delta = np.asarray(epsilon, np.float64), np.asarray(delta, np.float64)
    margin = (epsilons.shape[-1] + 4) * ULP
    total_epsilon = np.minimum(epsilons.sum(axis=-1) * (1 + margin), epsilon)
    total_delta = np.minimum(deltas.sum(axis=-1) * (1 + margin), delta)
    answered = epsilons >= laplace.LEAST_LOSS
    by_laplace = laplace_accuracy(np.where(answered, epsilons, 1.0), significance, sensitivity)
    noisy = deltas > 0  # the others have no Gaussian noise, and are not released with it
    some = np.asarray(noisy.any(axis=-1))
    sigma = gaussian.analytic_sigma(epsilons, np.where(noisy, deltas, 0.5))
    mu = np.hypot.reduce(np.where(noisy, 1 / sigma, 0.0), axis=-1) * (1 + margin)  # no square of a tiny 1/σ to vanish
    mu = np.where(some, mu, 1.0)
    at = np.where(some, np.maximum(total_delta * (1 - 2 * margin), _LEAST_DELTA), 0.5)
    exact = np.minimum(gaussian.epsilon_from_sigma(at, 1 / mu * (1 - ULP)), total_epsilon)
    shrink = np.where(some, mu * gaussian.analytic_sigma(epsilon, delta) * (1 + margin), 1.0)
    return Budget(
        epsilons,
        deltas,
        np.where(answered, by_laplace, np.inf)[()],
        _half_width(sigma, sensitivity, significance, noisy),
        _half_width(sigma * shrink[..., None], sensitivity, significance, noisy),
        shrink[()],
        total_epsilon[()],
        total_delta[()],
        np.where(some, exact, np.inf)[()],
    )


def _half_width(sigma: Array, sensitivity: Array, significance: Array, noisy: NDArray[np.bool_]) -> Array:
    with np.errstate(over="ignore"):
        sigma = sigma * sensitivity * (1 + 2 * ULP)
    known = noisy & (sigma <= _MOST_SIGMA)
    return np.where(known, gaussian_accuracy(np.where(known, sigma, 1.0), significance), np.inf)[()]
