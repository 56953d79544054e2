"""The calibrations of each noise, Gaussian or Laplace, whole or real: how each is found, and what it guarantees."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from types import ModuleType

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore import (
    discrete_gaussian,
    gaussian,
    generalized_gaussian,
    geometric,
    laplace,
    staircase,
    truncated_geometric,
    truncated_laplace,
)
from dpcore.calibrations.record import DP, EVERY_POSITIVE, PROBABILISTIC_DP, PURE_DP, Calibration, unsolved
from dpcore.checks import EPSILON_RANGE, POSITIVE_EPSILON_RANGE, PURE_DELTA_RANGE, SENSITIVITY_RANGE, Array, number
from dpcore.roots import bisect, positive_mean


def _pure_scale(noise: ModuleType, epsilon: ArrayLike, delta: ArrayLike, sensitivity: ArrayLike = 1.0) -> Array:
    return noise.scale_from_epsilon(epsilon, _no_delta(delta), sensitivity)


def _pure_epsilon(noise: ModuleType, delta: ArrayLike, scale: ArrayLike, sensitivity: ArrayLike = 1.0) -> Array:
    return noise.epsilon_from_scale(_no_delta(delta), scale, sensitivity)


def _no_delta(delta: ArrayLike) -> Array:
    """δ = 0 in the shape of the δ that pure ε-DP does not use."""
    return np.zeros_like(number("delta", delta, PURE_DELTA_RANGE))


def _staircase_delta(
    gamma_of: Callable[[ArrayLike], Array], epsilon: ArrayLike, scale: ArrayLike, sensitivity: ArrayLike = 1.0
) -> Array:
    """Return the true δ of staircase noise of s = Δ/θ."""
    theta = number("sensitivity", sensitivity, SENSITIVITY_RANGE) / number("scale", scale, laplace.SCALE_RANGE)
    theta = np.maximum(theta, 1e-12)  # a scale that was rounded up may have a θ just below those of `staircase`
    return staircase.delta_from_theta(epsilon, theta, gamma_of(theta))


LAPLACE = Calibration(
    key="laplace",
    name="Laplace",
    family="laplace",
    guarantee=PURE_DP,
    theorem="Dwork & Roth 2014, Theorem 3.6",
    domain=POSITIVE_EPSILON_RANGE,
    proved=EVERY_POSITIVE,
    norm="l1",
    scale=partial(_pure_scale, laplace),
    epsilon=partial(_pure_epsilon, laplace),
    delta=unsolved,
    true_delta=laplace.delta_from_scale,
)


STAIRCASE = replace(
    LAPLACE,
    key="staircase",
    name="Staircase, least variance",
    family="staircase",
    theorem="Geng & Viswanath 2016",
    true_delta=partial(_staircase_delta, staircase.variance_gamma),
)


STAIRCASE_MEAN = replace(
    STAIRCASE,
    key="staircase_mean",
    name="Staircase, least mean error",
    true_delta=partial(_staircase_delta, staircase.mean_error_gamma),
)


GEOMETRIC = replace(
    LAPLACE,
    key="geometric",
    name="Geometric, exact",
    family="geometric",
    theorem="Ghosh, Roughgarden & Sundararajan 2012",
    scale=partial(_pure_scale, geometric),
    epsilon=partial(_pure_epsilon, geometric),
    true_delta=geometric.delta_from_scale,
    whole=True,
)


GEOMETRIC_PUBLISHED = replace(
    GEOMETRIC,
    key="geometric_published",
    name="Geometric, as published",
    theorem="Geometric Mechanism Accuracy 2020, Theorem 1 and §0.1",
)


PURE = (LAPLACE, STAIRCASE, STAIRCASE_MEAN, GEOMETRIC, GEOMETRIC_PUBLISHED)


def _bound_epsilon(delta: ArrayLike, bound: ArrayLike, sensitivity: ArrayLike = 1.0) -> Array:
    """Return the least ε at which truncated Laplace noise of (ε, δ)-DP has at most this bound; ∞ for none up to 1e6."""
    delta, bound = number("delta", delta, PURE_DELTA_RANGE), number("bound", bound, "(0, inf)")
    sensitivity = number("sensitivity", sensitivity, SENSITIVITY_RANGE)
    low, high, *_ = np.broadcast_arrays(0.0, 1e6, delta, bound, sensitivity)

    def is_enough(epsilon: Array) -> NDArray[np.bool_]:
        return truncated_laplace.bound_from_epsilon(epsilon, delta, sensitivity) <= bound

    least = bisect(is_enough, low, high, 120, positive_mean)[1]
    return np.where(is_enough(low), 0.0, np.where(is_enough(high), least, np.inf))[()]


def _bound_delta(family: ModuleType, epsilon: ArrayLike, bound: ArrayLike, sensitivity: ArrayLike = 1.0) -> Array:
    """Return the δ of truncated noise that is calibrated at ε."""
    return family.delta_from_bound(epsilon, bound, family.scale_from_epsilon(epsilon, sensitivity), sensitivity)


TRUNCATED_LAPLACE = Calibration(
    key="truncated_laplace",
    name="Truncated Laplace",
    family="truncated_laplace",
    guarantee=DP,
    theorem="Geng, Ding, Guo & Kumar 2020, Theorem 1",
    domain=EPSILON_RANGE,
    proved=EPSILON_RANGE,
    norm="l1",
    scale=truncated_laplace.bound_from_epsilon,
    epsilon=_bound_epsilon,
    delta=partial(_bound_delta, truncated_laplace),
    true_delta=partial(_bound_delta, truncated_laplace),
)


TRUNCATED_GEOMETRIC = replace(  # its N is not in proportion to the sensitivity, so it stands in no tuple of this module
    TRUNCATED_LAPLACE,
    key="truncated_geometric",
    name="Truncated geometric",
    family="truncated_geometric",
    theorem="definition of (ε, δ)-DP, a sum over whole numbers",
    scale=truncated_geometric.bound_from_epsilon,
    epsilon=unsolved,
    delta=partial(_bound_delta, truncated_geometric),
    true_delta=partial(_bound_delta, truncated_geometric),
    whole=True,
)

ANALYTIC = Calibration(
    key="analytic",
    name="Analytic Gaussian",
    family="gaussian",
    guarantee=DP,
    theorem="Balle & Wang 2018, Theorem 8",
    domain=EPSILON_RANGE,
    proved=EPSILON_RANGE,
    norm="l2",
    scale=gaussian.analytic_sigma,
    epsilon=gaussian.epsilon_from_sigma,
    delta=gaussian.delta_from_sigma,
    true_delta=gaussian.delta_from_sigma,
)


CLASSICAL = Calibration(
    key="classical",
    name="Classical Gaussian",
    family="gaussian",
    guarantee=DP,
    theorem="Dwork & Roth 2014, Theorem A.1; Liu 2019, Eq. 18",
    domain=POSITIVE_EPSILON_RANGE,
    proved="(0, 1)",
    norm="l2",
    scale=gaussian.classical_sigma,
    epsilon=gaussian.classical_epsilon,
    delta=gaussian.classical_delta,
    true_delta=gaussian.delta_from_sigma,
)


CLASSICAL_TIGHT = replace(
    CLASSICAL,
    key="classical_tight",
    name="Classical Gaussian, tight constant",
    theorem="Gaussian Mechanism Accuracy 2020, from Dwork & Roth 2014, p. 264",
    scale=gaussian.classical_tight_sigma,
    epsilon=gaussian.classical_tight_epsilon,
    delta=unsolved,
)


PDP = Calibration(
    key="pdp",
    name="pDP Gaussian",
    family="gaussian",
    guarantee=PROBABILISTIC_DP,
    theorem="Liu 2019, Proposition 11, Eq. 17",
    domain=POSITIVE_EPSILON_RANGE,
    proved=EVERY_POSITIVE,
    norm="l2",
    scale=gaussian.pdp_sigma,
    epsilon=gaussian.pdp_epsilon,
    delta=gaussian.pdp_delta,
    true_delta=gaussian.delta_from_sigma,
)


EXACT_PDP = replace(
    PDP,
    key="exact_pdp",
    name="Exact pDP Gaussian",
    theorem="definition of pDP, solved for σ",
    scale=gaussian.exact_pdp_sigma,
    epsilon=unsolved,
    delta=gaussian.pdp_delta_from_sigma,
)


LOWER = replace(
    ANALYTIC,
    key="lower",
    name="Lower bound",
    theorem="Balle & Wang 2018, Theorem 4, with its condition on δ corrected",
    domain=POSITIVE_EPSILON_RANGE,
    proved=EVERY_POSITIVE,
    scale=gaussian.lower_bound_sigma,
    epsilon=unsolved,
    delta=unsolved,
    floor=True,
)


DISCRETE_GAUSSIAN = replace(  # its σ is not in proportion to the sensitivity, so it stands in no tuple of this module
    ANALYTIC,
    key="discrete_gaussian",
    name="Discrete Gaussian",
    family="discrete_gaussian",
    theorem="exact profile of Canonne, Kamath & Steinke 2020, solved for σ",
    scale=discrete_gaussian.sigma_from_delta,
    epsilon=discrete_gaussian.epsilon_from_sigma,
    delta=discrete_gaussian.delta_from_sigma,
    true_delta=discrete_gaussian.delta_from_sigma,
    whole=True,
)


GAUSSIAN = (ANALYTIC, CLASSICAL, CLASSICAL_TIGHT, PDP, EXACT_PDP, LOWER)


def _generalized_delta(epsilon: ArrayLike, scale: ArrayLike, p: ArrayLike, sensitivity: ArrayLike = 1.0) -> Array:
    """Return the true δ; an upper bound of it where Δ/b is outside the range for which the profile is computed."""
    ratio = number("sensitivity", sensitivity, "(0, inf)") / number("scale", scale, "(0, inf)")
    delta = generalized_gaussian.delta_from_scale(epsilon, 1 / np.clip(ratio, 2e-12, 9e5), p)
    return np.where(ratio > 9e5, 1.0, delta)[()]


GENERALIZED_ADP = Calibration(
    key="adp",
    name="(ε, δ)-DP",
    family="generalized_gaussian",
    guarantee=DP,
    theorem="definition of (ε, δ)-DP, solved for b",
    domain=EPSILON_RANGE,
    proved=EPSILON_RANGE,
    norm="lp",
    scale=generalized_gaussian.adp_scale,
    epsilon=generalized_gaussian.epsilon_from_scale,
    delta=generalized_gaussian.delta_from_scale,
    true_delta=_generalized_delta,
)


GENERALIZED_EXACT_PDP = replace(
    GENERALIZED_ADP,
    key="exact_pdp",
    name="Exact pDP",
    guarantee=PROBABILISTIC_DP,
    theorem="definition of pDP, solved for b",
    domain=POSITIVE_EPSILON_RANGE,
    proved=EVERY_POSITIVE,
    scale=generalized_gaussian.exact_pdp_scale,
    epsilon=unsolved,
    delta=generalized_gaussian.pdp_delta_from_scale,
)


GENERALIZED_DISJOINT = replace(
    GENERALIZED_EXACT_PDP,
    key="disjoint",
    name="Corollary 9",
    theorem="Liu 2019, Corollary 9",
    scale=generalized_gaussian.pdp_scale_disjoint,
    delta=unsolved,
)


GENERALIZED_GAUSSIAN = (GENERALIZED_ADP, GENERALIZED_EXACT_PDP, GENERALIZED_DISJOINT)
