"""The calibrations of Gaussian and of discrete Gaussian noise."""

from dataclasses import replace

from dpcore import discrete_gaussian, gaussian
from dpcore.calibrations.record import DP, EVERY_POSITIVE, PROBABILISTIC_DP, Calibration, unsolved
from dpcore.checks import (
    EPSILON_RANGE,
    POSITIVE_EPSILON_RANGE,
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
