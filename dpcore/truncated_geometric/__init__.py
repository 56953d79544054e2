"""Truncated geometric noise: whole numbers from −N to N with Pr(k) ∝ r^|k|, r = e^{−1/s}, for (ε, δ)-DP.

Neighbouring data sets move the one released whole number by at most Δ (`sensitivity`, a whole number). With s = Δ/ε
(`scale`; ∞ at ε = 0, where the noise is uniform) δ is the probability of the last Δ whole numbers up to N (`bound`):
there, and only there, the noise of the other data set does not reach. No error is beyond ±N, which is what δ is
spent for. At Δ = 1 the privacy loss is ε, −ε or, with probability δ, infinite: the worst that (ε, δ)-DP allows (own).

The noise is log-concave, so of all moves of at most Δ the one of Δ is the worst. Arguments broadcast; the result has
their common shape. N, ε and δ are rounded up. Bad input raises `ValueError`: `name must be in RANGE, got VALUE`.

References
----------
[GDGK20] Geng, Ding, Guo & Kumar 2020, arXiv:1810.00877. [CKS20] Canonne, Kamath & Steinke 2020, arXiv:2004.00010.
"""

from dpcore.truncated_geometric.calibration import (
    SENSITIVITY_RANGE,
    bound_from_epsilon,
    delta_from_bound,
    epsilon_from_bound,
    scale_from_epsilon,
)
from dpcore.truncated_geometric.distribution import (
    SCALE_RANGE,
    TRUNCATION_RANGE,
    cdf,
    half_width,
    mean_absolute_error,
    pmf,
    sample,
    tail,
    variance,
)

__all__ = [
    "SCALE_RANGE",
    "SENSITIVITY_RANGE",
    "TRUNCATION_RANGE",
    "bound_from_epsilon",
    "cdf",
    "delta_from_bound",
    "epsilon_from_bound",
    "half_width",
    "mean_absolute_error",
    "pmf",
    "sample",
    "scale_from_epsilon",
    "tail",
    "variance",
]
