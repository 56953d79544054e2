"""The accuracy of each noise as a formula, and its inverse: the ε or σ that a wanted accuracy allows.

The accuracy a at significance α has α = Pr(|release − truth| > a) ([GA20], [GE20]): a half-width in query units.
Arguments broadcast; the result has their common shape. An accuracy is rounded up; an ε or σ is rounded so that
it really reaches the wanted one. Bad input raises `ValueError`: `name must be in RANGE, got VALUE`.

References
----------
[GA20] Gaussian Mechanism Accuracy, 2020. [GE20] Geometric Mechanism Accuracy, 2020. [GV16] Geng & Viswanath 2016.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore import gaussian, geometric, laplace, staircase
from dpcore.checks import (
    POSITIVE_EPSILON_RANGE,
    RECORDS_RANGE,
    SENSITIVITY_RANGE,
    SIGNIFICANCE_RANGE,
    Array,
    integer,
    number,
)
from dpcore.roots import multisect
from dpcore.rounding import TINY, ULP, round_down, round_up

ACCURACY_RANGE = "[1e-100, 1e100]"
MARGIN = 64 * ULP  # by which an inverse goes further than the rounding of what it inverts


def each_significance(significance: ArrayLike, n_cells: ArrayLike) -> Array:
    """1 − (1 − α)^{1/m}: the α of each of m independent errors for which all of them are within ±a in 1 − α (own).

    Pr(max |error_i| ≤ a) = Pr(|error| ≤ a)^m, so the half-width of one at this significance is the least that holds for
    all together at α. No union bound is in it: that one's α/m is less, and its half-width more.

    Parameters
    ----------
    significance : α in [1e-300, 1), of all together.
    n_cells : m, a whole number in [1, 1e15].

    Returns
    -------
    The significance of each, rounded down: never above the true value, below it by a relative 2e-15 and by 2e-323 at
    most; α itself for m = 1. Half-widths take 1e-300 or more, so with many cells α has to be at least about 1e-300 m.

    Examples
    --------
    >>> f"{each_significance(0.05, 12):.6f}"
    '0.004265'
    """
    significance = number("significance", significance, SIGNIFICANCE_RANGE)
    n_cells = integer("n_cells", n_cells, "[1, 1e15]")
    with np.errstate(under="ignore"):
        per_cell = round_down(-np.expm1(np.log1p(-significance) / n_cells), 4) - 2 * TINY
    return np.where(n_cells == 1, significance, per_cell)[()]


def gaussian_accuracy(sigma: ArrayLike, significance: ArrayLike) -> Array:
    """a = −σ Φ⁻¹(α/2), which is σ √2 erf⁻¹(1 − α) ([GA20] proof of Thm 1) in a form that stays right for tiny α.

    Parameters
    ----------
    sigma : noise s.d. in (0, 1e300], in query units.
    significance : α in [1e-300, 1), dimensionless.

    Returns
    -------
    a in query units, rounded up: never below the true value, above it by a relative 3e-15 at most.

    Examples
    --------
    >>> f"{gaussian_accuracy(4.224679, 0.05):.3f}"
    '8.280'
    """
    return gaussian.half_width(significance, sigma)


def gaussian_sigma_from_accuracy(accuracy: ArrayLike, significance: ArrayLike) -> Array:
    """σ = −a / Φ⁻¹(α/2): the most noise that leaves a share 1 − α of releases within ±a; inverts `gaussian_accuracy`.

    Parameters
    ----------
    accuracy : half-width a in (0, 1e290], in query units.
    significance : α in [1e-300, 1), dimensionless.

    Returns
    -------
    σ in query units, rounded down: never above the true value, below it by a relative 3e-15 at most.

    Examples
    --------
    >>> f"{gaussian_sigma_from_accuracy(3, 0.05):.4f}"
    '1.5306'
    """
    sigma = round_down(number("accuracy", accuracy, "(0, 1e290]") / gaussian.half_width(significance, 1.0), 2)
    return np.maximum(sigma - TINY, 0.0)


def laplace_accuracy(epsilon: ArrayLike, significance: ArrayLike, l1_sensitivity: ArrayLike = 1.0) -> Array:
    """a = (Δ₁/ε) ln(1/α): Laplace noise of ε-DP ([GE20], proof of Thm 1).

    Parameters
    ----------
    epsilon : in [1e-130, 1e6], in nats.
    significance : α in [1e-300, 1), dimensionless.
    l1_sensitivity : Δ₁ in [1e-100, 1e100], in query units.

    Returns
    -------
    a in query units, above the true value by a relative 4e-15 at most.

    Examples
    --------
    >>> f"{laplace_accuracy(1, 0.05):.4f}"
    '2.9957'
    """
    sensitivity = number("l1_sensitivity", l1_sensitivity, SENSITIVITY_RANGE)
    return laplace.half_width(significance, laplace.scale_from_epsilon(epsilon, 0.0, sensitivity))


def laplace_epsilon(accuracy: ArrayLike, significance: ArrayLike, l1_sensitivity: ArrayLike = 1.0) -> Array:
    """ε = (Δ₁/a) ln(1/α): inverts `laplace_accuracy` ([GE20] §0.1).

    Parameters
    ----------
    accuracy : a in [1e-100, 1e100], in query units.
    significance : α in [1e-300, 1), dimensionless.
    l1_sensitivity : Δ₁ in [1e-100, 1e100], in query units.

    Returns
    -------
    ε in nats; with it `laplace_accuracy` is at most a.

    Examples
    --------
    >>> f"{laplace_epsilon(3, 0.05):.4f}"
    '0.9986'
    """
    accuracy = number("accuracy", accuracy, ACCURACY_RANGE)
    sensitivity = number("l1_sensitivity", l1_sensitivity, SENSITIVITY_RANGE)
    return -np.log(number("significance", significance, SIGNIFICANCE_RANGE)) * (sensitivity / accuracy) * (1 + MARGIN)


def sampling_half_width(significance: ArrayLike, width: ArrayLike, n_records: ArrayLike) -> Array:
    """Return the half-width of the mean of a random sample about that of its population, without any noise.

    Hoeffding's bound a = (hi − lo) √(ln(2/α) / (2n)): Pr(|sample mean − population mean| > a) ≤ α, whatever the
    distribution of the values on [lo, hi]. With noise of half-width b at the same α, the release is within a + b of the
    population mean with probability at least 1 − 2α.

    Parameters
    ----------
    significance : α in [1e-300, 1).
    width : hi − lo in [1e-30, 1e30], in query units; 1 for a proportion.
    n_records : n in [1, 1e12], independent draws from the population, or draws without replacement.

    Returns
    -------
    a in query units, rounded up: an array of the broadcast shape.

    References
    ----------
    W. Hoeffding, Probability inequalities for sums of bounded random variables, JASA 58, 1963, Theorem 2 and Section 6.

    Examples
    --------
    >>> print(round(float(sampling_half_width(0.05, 1, 1000)), 6))
    0.042947
    """
    significance = number("significance", significance, SIGNIFICANCE_RANGE)
    width = number("width", width, "[1e-30, 1e30]")
    n_records = number("n_records", n_records, RECORDS_RANGE)
    return round_up(width * np.sqrt((np.log(2) - np.log(significance)) / (2 * n_records)), 8)[()]


def geometric_accuracy(epsilon: ArrayLike, significance: ArrayLike, l1_sensitivity: ArrayLike = 1.0) -> Array:
    """Return the half-width of two-sided geometric noise of ε-DP: the least whole a with 2r^{a+1}/(1 + r) ≤ α (own).

    Here r is e^{−ε/Δ₁}.

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
    """Return the t with Pr(|noise| > t) = α of staircase noise of ε-DP.

    Its γ is the best for variance or mean error ([GV16]).

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
