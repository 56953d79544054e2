"""Accuracy at a significance level: how far a release falls from the truth, and what privacy a wanted accuracy allows.

[GA20] and [GE20] define the accuracy a at significance α by α = Pr(|release − truth| > a): a half-width in query units,
so smaller is better, and α = 0.05 means that 95 % of releases fall within ±a of the truth. It speaks of the added noise
alone, not of sampling error. `RULES` has every calibration that a release may use; `half_width`, `epsilon_for`,
`greatest_sensitivity` and `least_records` take one of them, `formulas` has each noise's own. All public names stand
here.

References
----------
[GA20] Gaussian Mechanism Accuracy, 2020. [GE20] Geometric Mechanism Accuracy, 2020.
"""

from dpcore.accuracy.formulas import (
    ACCURACY_RANGE,
    each_significance,
    gaussian_accuracy,
    gaussian_sigma_from_accuracy,
    geometric_accuracy,
    geometric_epsilon,
    geometric_published_accuracy,
    geometric_published_epsilon,
    laplace_accuracy,
    laplace_epsilon,
    sampling_half_width,
    staircase_accuracy,
    staircase_epsilon,
)
from dpcore.accuracy.records import RULES, epsilon_for, greatest_sensitivity, half_width, least_records
from dpcore.calibrations import (
    ANALYTIC,
    CLASSICAL,
    CLASSICAL_TIGHT,
    GEOMETRIC,
    GEOMETRIC_PUBLISHED,
    LAPLACE,
    PDP,
    STAIRCASE,
    STAIRCASE_MEAN,
    TRUNCATED_LAPLACE,
)

__all__ = [
    "ACCURACY_RANGE",
    "ANALYTIC",
    "CLASSICAL",
    "CLASSICAL_TIGHT",
    "GEOMETRIC",
    "GEOMETRIC_PUBLISHED",
    "LAPLACE",
    "PDP",
    "RULES",
    "STAIRCASE",
    "STAIRCASE_MEAN",
    "TRUNCATED_LAPLACE",
    "each_significance",
    "epsilon_for",
    "gaussian_accuracy",
    "gaussian_sigma_from_accuracy",
    "geometric_accuracy",
    "geometric_epsilon",
    "geometric_published_accuracy",
    "geometric_published_epsilon",
    "greatest_sensitivity",
    "half_width",
    "laplace_accuracy",
    "laplace_epsilon",
    "least_records",
    "sampling_half_width",
    "staircase_accuracy",
    "staircase_epsilon",
]
