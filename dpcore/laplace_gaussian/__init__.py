"""Laplace noise against Gaussian noise: which is smaller, by what measure, and where that changes ([Liu19] §3).

Laplace noise of scale b = Δ₁/ε keeps pure ε-DP; Gaussian noise keeps (ε, δ)-DP or (ε, δ)-pDP, which promise less.
`noises` has the two noises and who wins, `curves` the frames for pictures. ε is in nats; b, σ, t, Δ₁ and Δ₂ are in
query units. Numbers are rounded as in the modules they come from: noise and ε up. All public names stand here.

References
----------
[Liu19] F. Liu, IEEE TKDE 31(4), 2019, doi:10.1109/TKDE.2018.2845388: Figs. 4 and 5, Prop. 12.
"""

from dpcore.calibrations import ANALYTIC, CLASSICAL, PDP
from dpcore.laplace_gaussian.curves import (
    CUTOFF_RANGE,
    along_statistics,
    densities,
    frontiers,
    privacy_costs,
    tail_ratios,
    tails,
)
from dpcore.laplace_gaussian.noises import (
    CALIBRATIONS,
    MEASURES,
    MOST_STATISTICS,
    NoisePair,
    calibrate_equal,
    crossover,
    equal_sigma,
    errors,
    frontier,
)

__all__ = [
    "ANALYTIC",
    "CALIBRATIONS",
    "CLASSICAL",
    "CUTOFF_RANGE",
    "MEASURES",
    "MOST_STATISTICS",
    "PDP",
    "NoisePair",
    "along_statistics",
    "calibrate_equal",
    "crossover",
    "densities",
    "equal_sigma",
    "errors",
    "frontier",
    "frontiers",
    "privacy_costs",
    "tail_ratios",
    "tails",
]
