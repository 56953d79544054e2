"""Truncated Laplace noise: the Laplace density between −A and A, and no error beyond ±A, for (ε, δ)-DP.

The density is e^{−|x|/b}/(2b(1 − e^{−A/b})) for |x| ≤ A; neighbouring data sets move the one released number by at most
Δ (`sensitivity`). A (`bound`), b (`scale`) and Δ are in query units. With b = Δ/ε and A = b ln(1 + (e^ε − 1)/(2δ)) the
noise satisfies (ε, δ)-DP ([GDGK20] Thm 1); b = ∞, at ε = 0, is the uniform noise on ±A. What δ is spent for: with
probability δ the release lies where the noise of the other data set does not reach, and then it identifies the person.

The noise is log-concave, so of all moves of at most Δ the one of Δ is the worst. Arguments broadcast; the result has
their common shape. A, ε and δ are rounded up. Bad input raises `ValueError`: `name must be in RANGE, got VALUE`.

References
----------
[GDGK20] Geng, Ding, Guo & Kumar 2020, Tight analysis of privacy and utility tradeoff in approximate differential
privacy, AISTATS, arXiv:1810.00877.
"""

from dpcore.truncated_laplace.calibration import (
    bound_from_epsilon,
    delta_from_bound,
    epsilon_from_bound,
    scale_from_epsilon,
)
from dpcore.truncated_laplace.distribution import (
    SCALE_RANGE,
    TRUNCATION_RANGE,
    cdf,
    half_width,
    mean_absolute_error,
    pdf,
    sample,
    tail,
    variance,
)

__all__ = [
    "SCALE_RANGE",
    "TRUNCATION_RANGE",
    "bound_from_epsilon",
    "cdf",
    "delta_from_bound",
    "epsilon_from_bound",
    "half_width",
    "mean_absolute_error",
    "pdf",
    "sample",
    "scale_from_epsilon",
    "tail",
    "variance",
]
