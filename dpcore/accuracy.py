"""Accuracy at a significance level: how far a release falls from the truth, and what privacy a wanted accuracy allows.

[GA20] and [GE20] define the accuracy a at significance α by α = Pr(|release − truth| > a): a half-width in query units,
so smaller is better, and α = 0.05 means that 95 % of releases fall within ±a of the truth. It speaks of the added noise
alone, not of sampling error. `RULES` has every way to choose the noise, each with its accuracy and the inverse.

Arguments broadcast; the result has their common shape. An accuracy is rounded up, and the ε, σ, sensitivity or number
of records that a wanted accuracy allows is rounded so that it really reaches it. Bad input raises `ValueError`:
`name must be in RANGE, got VALUE`.

References
----------
[GA20] Gaussian Mechanism Accuracy, 2020. [GE20] Geometric Mechanism Accuracy, 2020. [GV16] Geng & Viswanath 2016.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtri

from dpcore import gaussian, geometric, laplace, staircase
from dpcore._normal import TINY, ULP
from dpcore.checks import Array, number, refuse, whole

SIGNIFICANCE_RANGE = "[1e-300, 1)"
ACCURACY_RANGE = "[1e-100, 1e100]"
SENSITIVITY_RANGE = laplace.SENSITIVITY_RANGE
_STAIRCASE_EPSILON = "[1e-12, 1e6]"
_MARGIN = 64 * ULP  # by which an inverse goes further than the rounding of what it inverts


def gaussian_accuracy(sigma: ArrayLike, significance: ArrayLike) -> Array:
    """a = −σ Φ⁻¹(α/2), which is σ √2 erf⁻¹(1 − α) ([GA20] proof of Thm 1) in a form that stays right for tiny α.

    Parameters
    ----------
    sigma : noise s.d. in (0, 1e300], in query units.
    significance : α in [1e-300, 1), dimensionless.

    Returns
    -------
    a in query units, rounded up: never below the true value, above it by a relative 3e-15 at most.
    """
    return number("sigma", sigma, "(0, 1e300]") * _tail(significance) * (1 + 5 * ULP) + TINY


def gaussian_sigma_from_accuracy(accuracy: ArrayLike, significance: ArrayLike) -> Array:
    """σ = −a / Φ⁻¹(α/2): the most noise that leaves a share 1 − α of releases within ±a; inverts `gaussian_accuracy`.

    Parameters
    ----------
    accuracy : half-width a in (0, 1e290], in query units.
    significance : α in [1e-300, 1), dimensionless.

    Returns
    -------
    σ in query units, rounded down: never above the true value, below it by a relative 3e-15 at most.
    """
    sigma = number("accuracy", accuracy, "(0, 1e290]") / _tail(significance) * (1 - 5 * ULP)
    return np.maximum(sigma - TINY, 0.0)


def _tail(significance: ArrayLike) -> Array:
    return -ndtri(number("significance", significance, SIGNIFICANCE_RANGE) / 2)


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
    """
    sensitivity = number("l1_sensitivity", l1_sensitivity, SENSITIVITY_RANGE)
    return laplace.quantile(significance, laplace.scale_from_epsilon(epsilon, 0.0, sensitivity))


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
    """
    accuracy = number("accuracy", accuracy, ACCURACY_RANGE)
    sensitivity = number("l1_sensitivity", l1_sensitivity, SENSITIVITY_RANGE)
    return -np.log(number("significance", significance, SIGNIFICANCE_RANGE)) * (sensitivity / accuracy) * (1 + _MARGIN)


def geometric_accuracy(epsilon: ArrayLike, significance: ArrayLike, l1_sensitivity: ArrayLike = 1) -> Array:
    """The least whole a with 2r^{a+1}/(1 + r) ≤ α, r = e^{−ε/Δ₁}: two-sided geometric noise of ε-DP, exactly (own).

    Parameters
    ----------
    epsilon : in [1e-130, 1e6], in nats.
    significance : α in [1e-300, 1), dimensionless.
    l1_sensitivity : Δ₁, a whole number in [1, 1e15].

    Returns
    -------
    a, a whole number ≥ 0; never above `geometric_published_accuracy`, and often one less.
    """
    return geometric.quantile(significance, geometric.scale_from_epsilon(epsilon, 0.0, l1_sensitivity))


def geometric_epsilon(accuracy: ArrayLike, significance: ArrayLike, l1_sensitivity: ArrayLike = 1) -> Array:
    """The least ε with 2r^{⌊a⌋+1}/(1 + r) ≤ α, r = e^{−ε/Δ₁}: inverts `geometric_accuracy` (own).

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
    """
    steps = np.floor(number("accuracy", accuracy, "[0, 1e50]")) + 1
    log_share = np.log(number("significance", significance, SIGNIFICANCE_RANGE))
    sensitivity = whole("l1_sensitivity", l1_sensitivity, geometric.SENSITIVITY_RANGE)
    y = log_share / (steps - 0.5)
    for _ in range(8):  # quadratic: 5 reach rounding from anywhere
        r = np.exp(y)
        y = y - (steps * y - np.log1p(np.expm1(y) / 2) - log_share) / (steps - r / (1 + r))
    return (16 * ULP / steps - y * (1 + _MARGIN)) * sensitivity  # the first term is what the tail is rounded up by


def geometric_published_accuracy(epsilon: ArrayLike, significance: ArrayLike, l1_sensitivity: ArrayLike = 1) -> Array:
    """a = ⌈(Δ₁/ε) ln(1/α)⌉ ([GE20] Thm 1); arguments as in `geometric_accuracy`, of which it is an upper bound.

    The value before the ceiling is `laplace_accuracy`. A value within rounding of a whole number goes up.
    """
    sensitivity = whole("l1_sensitivity", l1_sensitivity, geometric.SENSITIVITY_RANGE)
    return np.ceil(laplace_accuracy(epsilon, significance, sensitivity))


def geometric_published_epsilon(accuracy: ArrayLike, significance: ArrayLike, l1_sensitivity: ArrayLike = 1) -> Array:
    """ε = (Δ₁/a) ln(1/α), no ceiling ([GE20] §0.1); arguments as in `laplace_epsilon`, Δ₁ a whole number.

    It reaches ⌈a⌉, so a wanted accuracy that is a whole number. It does not always reach another: at a = 2.999, Δ₁ = 1
    and α = 0.5, more than half of the releases fall outside ±2.999. `geometric_epsilon` does.
    """
    sensitivity = whole("l1_sensitivity", l1_sensitivity, geometric.SENSITIVITY_RANGE)
    return laplace_epsilon(accuracy, significance, sensitivity)


def staircase_accuracy(
    epsilon: ArrayLike,
    significance: ArrayLike,
    l1_sensitivity: ArrayLike = 1.0,
    gamma_of: Callable[[Array], Array] = staircase.variance_gamma,
) -> Array:
    """The t with Pr(|noise| > t) = α: staircase noise of ε-DP whose γ is the best for variance or mean error ([GV16]).

    Parameters
    ----------
    epsilon : in [1e-12, 1e6], in nats.
    significance : α in [1e-300, 1), dimensionless.
    l1_sensitivity : Δ₁ in [1e-100, 1e100], in query units, of one statistic.
    gamma_of : γ as a function of ε, `staircase.variance_gamma` or `staircase.mean_error_gamma`.

    Returns
    -------
    a in query units; it falls as ε grows.
    """
    epsilon = number("epsilon", epsilon, _STAIRCASE_EPSILON)
    sensitivity = number("l1_sensitivity", l1_sensitivity, SENSITIVITY_RANGE)
    return staircase.quantile(significance, epsilon, gamma_of(epsilon), sensitivity)


def staircase_epsilon(
    accuracy: ArrayLike,
    significance: ArrayLike,
    l1_sensitivity: ArrayLike = 1.0,
    gamma_of: Callable[[Array], Array] = staircase.variance_gamma,
) -> Array:
    """The least ε of `staircase_accuracy` ≤ a, by bisection of ln ε; at least 1e-12.

    Parameters
    ----------
    accuracy : a in [1e-100, 1e100], in query units.
    significance, l1_sensitivity, gamma_of : as in `staircase_accuracy`.
    """
    accuracy = number("accuracy", accuracy, ACCURACY_RANGE)
    shape = np.broadcast(accuracy, significance, l1_sensitivity).shape
    low, high = np.full(shape, 1e-12), np.full(shape, 4000.0)
    for _ in range(60):
        middle = np.sqrt(low * high)
        reached = staircase_accuracy(middle, significance, l1_sensitivity, gamma_of) <= accuracy
        low, high = np.where(reached, low, middle), np.where(reached, middle, high)
    return high[()]


@dataclass(frozen=True)
class Rule:
    """A way to choose the noise: its accuracy as a function of ε, and the ε that a wanted accuracy allows.

    `accuracy(epsilon, significance, sensitivity, delta)` and `epsilon(accuracy, significance, sensitivity, delta)` take
    the sensitivity in the norm that `norm` names, a whole number where `whole` says so. A promise of pure ε-DP does not
    use `delta`.
    """

    key: str
    name: str
    promise: str
    norm: str
    whole: bool
    source: str
    accuracy: Callable[[ArrayLike, ArrayLike, ArrayLike, ArrayLike], Array]
    epsilon: Callable[[ArrayLike, ArrayLike, ArrayLike, ArrayLike], Array]


def _gaussian_rule(
    key: str,
    name: str,
    promise: str,
    source: str,
    sigma_of: Callable[[ArrayLike, ArrayLike, ArrayLike], Array],
    epsilon_of: Callable[[ArrayLike, ArrayLike, ArrayLike], Array],
) -> Rule:
    def accuracy(epsilon: ArrayLike, significance: ArrayLike, sensitivity: ArrayLike, delta: ArrayLike) -> Array:
        return gaussian_accuracy(sigma_of(epsilon, delta, sensitivity), significance)

    def epsilon(accuracy: ArrayLike, significance: ArrayLike, sensitivity: ArrayLike, delta: ArrayLike) -> Array:
        sigma = gaussian_sigma_from_accuracy(number("accuracy", accuracy, ACCURACY_RANGE), significance)
        return epsilon_of(delta, sigma * (1 - _MARGIN), number("sensitivity", sensitivity, SENSITIVITY_RANGE))

    return Rule(key, name, promise, "l2", False, source, accuracy, epsilon)


def _pure_rule(
    key: str,
    name: str,
    source: str,
    accuracy_of: Callable[[ArrayLike, ArrayLike, ArrayLike], Array],
    epsilon_of: Callable[[ArrayLike, ArrayLike, ArrayLike], Array],
    whole: bool = False,
) -> Rule:
    def accuracy(epsilon: ArrayLike, significance: ArrayLike, sensitivity: ArrayLike, delta: ArrayLike) -> Array:
        return accuracy_of(*np.broadcast_arrays(epsilon, significance, sensitivity, delta)[:3])[()]

    def epsilon(accuracy: ArrayLike, significance: ArrayLike, sensitivity: ArrayLike, delta: ArrayLike) -> Array:
        return epsilon_of(*np.broadcast_arrays(accuracy, significance, sensitivity, delta)[:3])[()]

    return Rule(key, name, "ε-DP", "l1", whole, source, accuracy, epsilon)


LAPLACE = _pure_rule(
    "laplace", "Laplace", "Geometric Mechanism Accuracy 2020, proof of Theorem 1", laplace_accuracy, laplace_epsilon
)
GEOMETRIC = _pure_rule(
    "geometric",
    "Geometric, exact",
    "the definition of accuracy, solved over whole numbers",
    geometric_accuracy,
    geometric_epsilon,
    whole=True,
)
GEOMETRIC_PUBLISHED = _pure_rule(
    "geometric_published",
    "Geometric, as published",
    "Geometric Mechanism Accuracy 2020, Theorem 1 and §0.1",
    geometric_published_accuracy,
    geometric_published_epsilon,
    whole=True,
)
STAIRCASE = _pure_rule(
    "staircase", "Staircase, least variance", "Geng & Viswanath 2016", staircase_accuracy, staircase_epsilon
)
STAIRCASE_MEAN = _pure_rule(
    "staircase_mean",
    "Staircase, least mean error",
    "Geng & Viswanath 2016",
    partial(staircase_accuracy, gamma_of=staircase.mean_error_gamma),
    partial(staircase_epsilon, gamma_of=staircase.mean_error_gamma),
)
ANALYTIC = _gaussian_rule(
    "analytic",
    "Gaussian, analytic",
    "(ε, δ)-DP",
    "Balle & Wang 2018, Theorem 8",
    gaussian.analytic_sigma,
    gaussian.epsilon_from_sigma,
)
CLASSICAL = _gaussian_rule(
    "classical",
    "Gaussian, classical",
    "(ε, δ)-DP",
    "Gaussian Mechanism Accuracy 2020, Theorem 1",
    gaussian.classical_sigma,
    gaussian.classical_epsilon,
)
CLASSICAL_TIGHT = _gaussian_rule(
    "classical_tight",
    "Gaussian, classical, tight constant",
    "(ε, δ)-DP",
    "Gaussian Mechanism Accuracy 2020, proof of Theorem 1",
    gaussian.classical_tight_sigma,
    gaussian.classical_tight_epsilon,
)
PDP = _gaussian_rule(
    "pdp", "Gaussian, pDP", "(ε, δ)-pDP", "Liu 2019, Proposition 11, Eq. 17", gaussian.pdp_sigma, gaussian.pdp_epsilon
)
RULES = (
    LAPLACE,
    STAIRCASE,
    STAIRCASE_MEAN,
    GEOMETRIC,
    GEOMETRIC_PUBLISHED,
    ANALYTIC,
    PDP,
    CLASSICAL_TIGHT,
    CLASSICAL,
)


def greatest_sensitivity(
    rule: Rule, accuracy: ArrayLike, epsilon: ArrayLike, significance: ArrayLike, delta: ArrayLike = 0.0
) -> Array:
    """The largest sensitivity at which a rule reaches a wanted accuracy at ε, since the accuracy grows with it.

    Parameters
    ----------
    rule : one of `RULES`.
    accuracy : a in [1e-100, 1e100], in query units.
    epsilon, significance, delta : as the rule takes them.

    Returns
    -------
    Sensitivity in query units, rounded down, at most 1e100; for a rule of whole numbers the largest whole one, at most
    1e15, and 0 if there is none.
    """
    accuracy = number("accuracy", accuracy, ACCURACY_RANGE)
    if rule.whole:
        reached = np.floor(accuracy) if rule is GEOMETRIC_PUBLISHED else accuracy
        none = reached == 0  # the published formula has no answer within ±0
        allowed = rule.epsilon(np.where(none, 1.0, reached), significance, 1, delta)
        most = np.floor(number("epsilon", epsilon, laplace.EPSILON_RANGE) / allowed)
        return np.where(none, 0.0, np.minimum(most, 1e15))[()]
    with np.errstate(over="ignore"):
        most = accuracy / rule.accuracy(epsilon, significance, 1.0, delta) * (1 - _MARGIN)
    return np.minimum(most, 1e100)


def least_records(
    rule: Rule,
    accuracy: ArrayLike,
    epsilon: ArrayLike,
    significance: ArrayLike,
    width: ArrayLike,
    delta: ArrayLike = 0.0,
) -> Array:
    """The least n for which the mean of n records on a range of this width, of sensitivity width/n, is accurate to ±a.

    Parameters
    ----------
    rule : one of `RULES` that takes any sensitivity: a mean is no whole number.
    accuracy : a in [1e-100, 1e100], in query units.
    epsilon, significance, delta : as the rule takes them.
    width : hi − lo in [1e-30, 1e30], in query units; 1 for a proportion.

    Returns
    -------
    n, a whole number ≥ 1, rounded up: a double, exact below 2⁵³; more than 1e300 records are refused.
    """
    if rule.whole:
        raise ValueError(f"rule must be in those of any sensitivity, got {rule.key}")
    width = number("width", width, "[1e-30, 1e30]")
    accuracy = number("accuracy", accuracy, ACCURACY_RANGE)
    with np.errstate(divide="ignore", over="ignore"):
        n = np.maximum(np.ceil(width / greatest_sensitivity(rule, accuracy, epsilon, significance, delta)), 1)
    refuse("accuracy", accuracy, n > 1e300, "what fewer than 1e300 records reach")
    return np.where(n < 2**53, n, n * (1 + ULP))[()]
