"""Laplace noise against Gaussian noise: which is smaller, by what measure, and where that changes ([Liu19] §3).

Laplace noise of scale b = Δ₁/ε satisfies pure ε-DP; Gaussian noise satisfies (ε, δ)-DP or (ε, δ)-pDP, which are weaker
guarantees. `noises` has the two noises, which is smaller, and the frames for pictures. ε is in nats; b, σ, t,
Δ₁ and Δ₂ are in query units. Numbers are rounded as in the modules they come from: noise and ε up. This package
exports all public names.

References
----------
[Liu19] F. Liu, IEEE TKDE 31(4), 2019, doi:10.1109/TKDE.2018.2845388: Figs. 4 and 5, Prop. 12.
"""

from dpcore.calibrations import ANALYTIC, CLASSICAL, PDP
from dpcore.laplace_gaussian.noises import (
    CALIBRATIONS,
    CUTOFF_RANGE,
    MEASURES,
    MOST_STATISTICS,
    NoisePair,
    along_statistics,
    calibrate_equal,
    crossover,
    densities,
    equal_sigma,
    errors,
    frontier,
    frontiers,
    privacy_costs,
    tail_ratios,
    tails,
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
