"""The two-sided geometric mechanism: whole-numbered noise, Pr(k) = (1 − r)/(1 + r) r^|k| with r = e^{−1/s}.

The scale s plays the part of Laplace's b: neighbouring data sets move a whole-numbered query by at most Δ₁
(`l1_sensitivity`, a whole number), and with s = Δ₁/ε, so r = e^{−ε/Δ₁}, any number of statistics together is ε-DP
([GRS12]). The profile δ(ε) and the (ε, δ) scale are those of one statistic.

ε (`epsilon`) is in nats. Arguments broadcast; the result has their common shape. Every s, ε and δ is rounded up in its
last bits, so that no guarantee is overstated. Bad input raises `ValueError`: `name must be in RANGE, got VALUE`.

References
----------
[GRS12] Ghosh, Roughgarden & Sundararajan 2012, SIAM J. Comput. 41(6). [GE20] Geometric Mechanism Accuracy, 2020.
"""

from dpcore.geometric.calibration import SENSITIVITY_RANGE, delta_from_scale, epsilon_from_scale, scale_from_epsilon
from dpcore.geometric.distribution import SCALE_RANGE, cdf, half_width, mean_absolute_error, pmf, sample, tail, variance

__all__ = [
    "SCALE_RANGE",
    "SENSITIVITY_RANGE",
    "cdf",
    "delta_from_scale",
    "epsilon_from_scale",
    "half_width",
    "mean_absolute_error",
    "pmf",
    "sample",
    "scale_from_epsilon",
    "tail",
    "variance",
]
