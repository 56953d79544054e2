"""The half-width of geometric and of staircase noise, and the ε that a half-width requires."""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore import geometric, staircase
from dpcore.accuracy.formulas import ACCURACY_RANGE, MARGIN, laplace_accuracy, laplace_epsilon
from dpcore.checks import (
    POSITIVE_EPSILON_RANGE,
    SENSITIVITY_RANGE,
    SIGNIFICANCE_RANGE,
    Array,
    integer,
    number,
)
from dpcore.roots import multisect
from dpcore.rounding import ULP


def geometric_accuracy(epsilon: ArrayLike, significance: ArrayLike, l1_sensitivity: ArrayLike = 1.0) -> Array:
    """Return the least whole a with 2r^{a+1}/(1 + r) ≤ α, r = e^{−ε/Δ₁}:
    two-sided geometric noise of ε-DP, exactly (own).

    Parameters
    ----------
    epsilon : in [1e-130, 1e6], in nats.
    significance : α in [1e-300, 1), dimensionless.
    l1_sensitivity : Δ₁, a whole number in [1, 1e15].

    Returns
    -------
    a, a whole number ≥ 0; never above `geometric_published_accuracy`, and often one less.

    Examples
    --------
    >>> geometric_accuracy(1, [0.05, 0.01]).tolist()
    [3.0, 4.0]
    """
    return geometric.half_width(significance, geometric.scale_from_epsilon(epsilon, 0.0, l1_sensitivity))


def geometric_epsilon(accuracy: ArrayLike, significance: ArrayLike, l1_sensitivity: ArrayLike = 1.0) -> Array:
    """Return the least ε with 2r^{⌊a⌋+1}/(1 + r) ≤ α, r = e^{−ε/Δ₁}: inverts `geometric_accuracy` (own).

    Parameters
    ----------
    accuracy : a in [0, 1e50]; the noise is whole-numbered, so only ⌊a⌋ counts.
    significance : α in [1e-300, 1), dimensionless.
    l1_sensitivity : Δ₁, a whole number in [1, 1e15].

    Returns
    -------
    ε in nats; with it `geometric_accuracy` is at most a.

    Notes
    -----
    The unknown is y = ln r, the root of (⌊a⌋ + 1) y − ln((1 + e^y)/2) = ln α, which is concave and increasing in y, so
    Newton's method from the left stays left of it: on the side of more ε.

    Examples
    --------
    >>> f"{geometric_epsilon(3, 0.05):.4f}"
    '0.8319'
    """
    steps = np.floor(number("accuracy", accuracy, "[0, 1e50]")) + 1
    log_share = np.log(number("significance", significance, SIGNIFICANCE_RANGE))
    sensitivity = integer("l1_sensitivity", l1_sensitivity, geometric.SENSITIVITY_RANGE)
    y = log_share / (steps - 0.5)
    for _ in range(8):  # quadratic: 5 reach rounding from anywhere
        r = np.exp(y)
        y = y - (steps * y - np.log1p(np.expm1(y) / 2) - log_share) / (steps - r / (1 + r))
    return (16 * ULP / steps - y * (1 + MARGIN)) * sensitivity  # the first term is what the tail is rounded up by


def geometric_published_accuracy(epsilon: ArrayLike, significance: ArrayLike, l1_sensitivity: ArrayLike = 1.0) -> Array:
    """a = ⌈(Δ₁/ε) ln(1/α)⌉ ([GE20] Thm 1); arguments as in `geometric_accuracy`, of which it is an upper bound.

    The value before the ceiling is `laplace_accuracy`. A value within rounding of a whole number goes up.

    Examples
    --------
    >>> geometric_published_accuracy(1, [0.05, 0.01]).tolist()
    [3.0, 5.0]
    """
    sensitivity = integer("l1_sensitivity", l1_sensitivity, geometric.SENSITIVITY_RANGE)
    return np.ceil(laplace_accuracy(epsilon, significance, sensitivity))


def geometric_published_epsilon(accuracy: ArrayLike, significance: ArrayLike, l1_sensitivity: ArrayLike = 1.0) -> Array:
    """ε = (Δ₁/a) ln(1/α), no ceiling ([GE20] §0.1); arguments as in `laplace_epsilon`, Δ₁ a whole number.

    It reaches ⌈a⌉, so a wanted accuracy that is a whole number. It does not always reach another: at a = 2.999, Δ₁ = 1
    and α = 0.5, more than half of the releases fall outside ±2.999. `geometric_epsilon` does.

    Examples
    --------
    >>> f"{geometric_published_epsilon(3, 0.05):.4f}"
    '0.9986'
    """
    sensitivity = integer("l1_sensitivity", l1_sensitivity, geometric.SENSITIVITY_RANGE)
    return laplace_epsilon(accuracy, significance, sensitivity)


def staircase_accuracy(
    epsilon: ArrayLike,
    significance: ArrayLike,
    l1_sensitivity: ArrayLike = 1.0,
    gamma_of: Callable[[Array], Array] = staircase.variance_gamma,
) -> Array:
    """Return the t with Pr(|noise| > t) = α: staircase noise
    of ε-DP whose γ is the best for variance or mean error ([GV16]).

    Parameters
    ----------
    epsilon : in [1e-12, 1e6], in nats.
    significance : α in [1e-300, 1), dimensionless.
    l1_sensitivity : Δ₁ in [1e-100, 1e100], in query units, of one statistic.
    gamma_of : γ as a function of ε, `staircase.variance_gamma` or `staircase.mean_error_gamma`.

    Returns
    -------
    a in query units; it falls as ε grows.

    Examples
    --------
    >>> f"{staircase_accuracy(1, 0.3):.4f}, {laplace_accuracy(1, 0.3):.4f}"
    '1.1843, 1.2040'
    """
    epsilon = number("epsilon", epsilon, POSITIVE_EPSILON_RANGE)
    sensitivity = number("l1_sensitivity", l1_sensitivity, SENSITIVITY_RANGE)
    return staircase.half_width(significance, epsilon, gamma_of(epsilon), sensitivity)


def staircase_epsilon(
    accuracy: ArrayLike,
    significance: ArrayLike,
    l1_sensitivity: ArrayLike = 1.0,
    gamma_of: Callable[[Array], Array] = staircase.variance_gamma,
) -> Array:
    """Return the least ε of `staircase_accuracy` ≤ a, by cutting the range of ln ε in parts; at least 1e-12.

    Parameters
    ----------
    accuracy : a in [1e-100, 1e100], in query units.
    significance, l1_sensitivity, gamma_of : as in `staircase_accuracy`.

    Examples
    --------
    >>> f"{staircase_epsilon(3, 0.05):.4f}"
    '0.9986'
    """
    accuracy = number("accuracy", accuracy, ACCURACY_RANGE)
    significance = number("significance", significance, SIGNIFICANCE_RANGE)
    l1_sensitivity = number("l1_sensitivity", l1_sensitivity, SENSITIVITY_RANGE)
    shape = np.broadcast(accuracy, significance, l1_sensitivity).shape
    parts, steps = (32, 12) if np.prod(shape, dtype=int) < 100 else (2, 60)  # for few values a call costs the most

    def reached(log_epsilon: Array) -> NDArray[np.bool_]:
        return staircase_accuracy(np.exp(log_epsilon), significance, l1_sensitivity, gamma_of) <= accuracy

    return np.exp(multisect(reached, np.full(shape, np.log(1e-12)), np.log(4000.0), parts, steps)[1])[()]
