"""The Laplace mechanism: noise of density e^{−|x|/b}/(2b), whose scale b is the sensitivity over the privacy loss.

Neighbouring data sets move the query by at most Δ₁ (`l1_sensitivity`) in ℓ₁ norm; b and Δ₁ are in query units. With
b = Δ₁/ε any number of statistics together is ε-DP ([DR14] Thm 3.6). The profile δ(ε) and the (ε, δ) scale are those of
one statistic.

ε (`epsilon`) is in nats. Arguments broadcast; the result has their common shape. Every b, ε and δ is rounded up in its
last bits, so that no guarantee is overstated. Bad input raises `ValueError`: `name must be in RANGE, got VALUE`.
"""

from dpcore.laplace.calibration import (
    LEAST_LOSS,
    delta_from_scale,
    epsilon_from_scale,
    guaranteed_loss,
    scale_from_epsilon,
)
from dpcore.laplace.distribution import SCALE_RANGE, cdf, half_width, mean_absolute_error, pdf, sample, tail, variance

__all__ = [
    "LEAST_LOSS",
    "SCALE_RANGE",
    "cdf",
    "delta_from_scale",
    "epsilon_from_scale",
    "guaranteed_loss",
    "half_width",
    "mean_absolute_error",
    "pdf",
    "sample",
    "scale_from_epsilon",
    "tail",
    "variance",
]
