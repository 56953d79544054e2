"""A privacy budget that is spread over several queries.

The sensitivity of a query comes from `dpcore.sensitivity`. The shares of a budget are rounded down, so that together
they never exceed it. ε (`epsilon`) is in nats, δ (`delta`) is a probability. Bad input raises `ValueError`:
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
from dpcore.accuracy import gaussian_accuracy, laplace_accuracy
from dpcore.checks import (
    DELTA_RANGE,
    EPSILON_RANGE,
    SENSITIVITY_RANGE,
    SIGNIFICANCE_RANGE,
    Array,
    number,
    refuse,
)
from dpcore.rounding import ULP, round_down, round_up

__all__ = [
    "WEIGHT_RANGE",
    "Budget",
    "budget",
    "shares",
]

WEIGHT_RANGE = "[1e-6, 1e6]"
_LEAST_EPSILON = 1e-200  # below it shares would lose their last digits
_LEAST_DELTA = 1e-300
_MOST_SIGMA = 1e300


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
    locked_total = locked.sum(axis=-1, keepdims=True)
    refuse("the sum of locked", locked_total, locked_total > epsilon * (1 + margin), "[0, epsilon]")
    tight = locked_total * (1 + margin) > epsilon  # they spend it all: nothing is left, and the last bits must fit
    locked = np.where(tight, locked * (1 - 2 * margin), locked)
    left = np.where(tight, 0.0, epsilon * (1 - margin) - locked_total)
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
    exact = np.minimum(gaussian.epsilon_from_sigma(at, round_down(1 / mu)), total_epsilon)
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
        sigma = round_up(sigma * sensitivity, 2)
    known = noisy & (sigma <= _MOST_SIGMA)
    return np.where(known, gaussian_accuracy(np.where(known, sigma, 1.0), significance), np.inf)[()]
