"""The calibrations of Laplace, staircase and geometric noise, and of truncated Laplace and geometric noise."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from types import ModuleType

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore import geometric, laplace, staircase, truncated_geometric, truncated_laplace
from dpcore.calibrations.record import DP, EVERY_POSITIVE, PURE_DP, Calibration, unsolved
from dpcore.checks import EPSILON_RANGE, POSITIVE_EPSILON_RANGE, PURE_DELTA_RANGE, SENSITIVITY_RANGE, Array, number
from dpcore.roots import bisect, positive_mean


def _laplace_scale(epsilon: ArrayLike, delta: ArrayLike, sensitivity: ArrayLike = 1.0) -> Array:
    return laplace.scale_from_epsilon(epsilon, _no_delta(delta), sensitivity)


def _laplace_epsilon(delta: ArrayLike, scale: ArrayLike, sensitivity: ArrayLike = 1.0) -> Array:
    return laplace.epsilon_from_scale(_no_delta(delta), scale, sensitivity)


def _geometric_scale(epsilon: ArrayLike, delta: ArrayLike, sensitivity: ArrayLike = 1.0) -> Array:
    return geometric.scale_from_epsilon(epsilon, _no_delta(delta), sensitivity)


def _geometric_epsilon(delta: ArrayLike, scale: ArrayLike, sensitivity: ArrayLike = 1.0) -> Array:
    return geometric.epsilon_from_scale(_no_delta(delta), scale, sensitivity)


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
    scale=_laplace_scale,
    epsilon=_laplace_epsilon,
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
    scale=_geometric_scale,
    epsilon=_geometric_epsilon,
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
    """Return the least ε at which truncated Laplace noise of (ε, δ)-DP has at most this bound;
    ∞ where none up to 1e6 has.
    """
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
