"""The calibrations of Gaussian, discrete Gaussian and generalized Gaussian noise."""

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from dpcore import discrete_gaussian, gaussian
from dpcore import generalized_gaussian as generalized
from dpcore.calibrations.record import DP, EVERY_POSITIVE, PROBABILISTIC_DP, Calibration, unsolved
from dpcore.checks import EPSILON_RANGE, POSITIVE_EPSILON_RANGE, Array, number

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
