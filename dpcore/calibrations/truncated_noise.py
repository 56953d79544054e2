"""The calibrations of truncated Laplace and truncated geometric noise."""

from dataclasses import replace
from functools import partial
from types import ModuleType

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore import truncated_geometric, truncated_laplace
from dpcore.calibrations.record import DP, Calibration, unsolved
from dpcore.checks import (
    EPSILON_RANGE,
    PURE_DELTA_RANGE,
    SENSITIVITY_RANGE,
    Array,
    number,
)
from dpcore.roots import bisect, positive_mean


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
