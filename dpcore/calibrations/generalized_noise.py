"""The calibrations of generalized Gaussian noise."""

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from dpcore import generalized_gaussian as generalized
from dpcore.calibrations.record import DP, EVERY_POSITIVE, PROBABILISTIC_DP, Calibration, unsolved
from dpcore.checks import (
    EPSILON_RANGE,
    POSITIVE_EPSILON_RANGE,
    Array,
    number,
)


def _generalized_delta(epsilon: ArrayLike, scale: ArrayLike, p: ArrayLike, sensitivity: ArrayLike = 1.0) -> Array:
    """Return the true δ; an upper bound of it where Δ/b is outside the range for which the profile is computed."""
    ratio = number("sensitivity", sensitivity, "(0, inf)") / number("scale", scale, "(0, inf)")
    delta = generalized.delta_from_scale(epsilon, 1 / np.clip(ratio, 2e-12, 9e5), p)
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
    scale=generalized.adp_scale,
    epsilon=generalized.epsilon_from_scale,
    delta=generalized.delta_from_scale,
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
    scale=generalized.exact_pdp_scale,
    epsilon=unsolved,
    delta=generalized.pdp_delta_from_scale,
)


GENERALIZED_DISJOINT = replace(
    GENERALIZED_EXACT_PDP,
    key="disjoint",
    name="Corollary 9",
    theorem="Liu 2019, Corollary 9",
    scale=generalized.pdp_scale_disjoint,
    delta=unsolved,
)


GENERALIZED_GAUSSIAN = (GENERALIZED_ADP, GENERALIZED_EXACT_PDP, GENERALIZED_DISJOINT)
