"""The ways to choose noise: for each its formula, what it guarantees, the theorem behind it, and whether that holds.

Everything that is shown of a guarantee comes from here: `Calibration.verdict` alone decides whether a guarantee is
proved, kept without a proof, or broken. ε is in nats, δ a probability, scales and sensitivities in query units.
Arguments broadcast. Scales are rounded up (`LOWER` down), the ε and δ of a scale too.

References
----------
[BW18] Balle & Wang 2018, arXiv:1805.06530. [DR14] Dwork & Roth 2014. [GA20] Gaussian Mechanism Accuracy, 2020.
[GE20] Geometric Mechanism Accuracy, 2020. [GV16] Geng & Viswanath 2016. [Liu19] F. Liu, IEEE TKDE 31(4), 2019.
"""

from dpcore.calibrations.noises import (
    ANALYTIC,
    CLASSICAL,
    CLASSICAL_TIGHT,
    DISCRETE_GAUSSIAN,
    EXACT_PDP,
    GAUSSIAN,
    GENERALIZED_ADP,
    GENERALIZED_DISJOINT,
    GENERALIZED_EXACT_PDP,
    GENERALIZED_GAUSSIAN,
    GEOMETRIC,
    GEOMETRIC_PUBLISHED,
    LAPLACE,
    LOWER,
    PDP,
    PURE,
    STAIRCASE,
    STAIRCASE_MEAN,
    TRUNCATED_GEOMETRIC,
    TRUNCATED_LAPLACE,
)
from dpcore.calibrations.record import (
    DP,
    FAILS,
    FLOOR,
    PROBABILISTIC_DP,
    PROVED,
    PURE_DP,
    SILENT,
    UNDEFINED,
    WITHIN,
    Calibration,
    Verdict,
    verdicts,
)

__all__ = [
    "ANALYTIC",
    "CALIBRATIONS",
    "CLASSICAL",
    "CLASSICAL_TIGHT",
    "DISCRETE_GAUSSIAN",
    "DP",
    "EXACT_PDP",
    "FAILS",
    "FLOOR",
    "GAUSSIAN",
    "GENERALIZED_ADP",
    "GENERALIZED_DISJOINT",
    "GENERALIZED_EXACT_PDP",
    "GENERALIZED_GAUSSIAN",
    "GEOMETRIC",
    "GEOMETRIC_PUBLISHED",
    "LAPLACE",
    "LOWER",
    "PDP",
    "PROBABILISTIC_DP",
    "PROVED",
    "PURE",
    "PURE_DP",
    "SILENT",
    "STAIRCASE",
    "STAIRCASE_MEAN",
    "TRUNCATED_GEOMETRIC",
    "TRUNCATED_LAPLACE",
    "UNDEFINED",
    "WITHIN",
    "Calibration",
    "Verdict",
    "verdicts",
]

CALIBRATIONS = (*GAUSSIAN, *PURE, *GENERALIZED_GAUSSIAN, TRUNCATED_LAPLACE)
