"""The staircase mechanism [GV16]: pure ε-DP noise of less variance, or less mean error, than Laplace noise.

The release of one number f(x) is f(x) + X, where neighbouring data sets move f by at most Δ (`sensitivity`); the
neighbouring relation is the one under which Δ was computed. The density of X falls by a factor e^θ at |X| = γΔ,
(1 + γ)Δ, (2 + γ)Δ, …: it is a e^{−kθ} on [kΔ, (k + γ)Δ), a e^{−(k+1)θ} on [(k + γ)Δ, (k + 1)Δ). θ (`theta`) is the
pure ε that the noise keeps, in nats; γ (`gamma`) is dimensionless. With b = e^{−θ} and D = γ + b(1 − γ),
a = (1 − b)/(2ΔD); |X|/Δ is a geometric number of whole steps plus an independent remainder in [0, 1).

γ = 0 and γ = 1 are the same noise. Apart from 0, γ is at least 1e-300: the limit γ → 0 at a fixed θ is the noise of
γ = 0, yet at θ = 1e6 no double separates the two, and the best γ lies between them. Arguments broadcast; the result
has their common shape. Bad input raises `ValueError`: `name must be in RANGE, got VALUE`.

`calibration` has the θ and the γ that a guarantee requires and the guarantee that they satisfy, `distribution` the
noise itself, under the names of the other families: θ, γ and Δ stand where those have their scale. All public names
stand here.

References
----------
[GV16] Geng & Viswanath 2016, The Optimal Noise-Adding Mechanism in Differential Privacy, IEEE Trans. Inf. Theory 62(2).
"""

from dpcore.staircase.calibration import (
    delta_from_theta,
    epsilon_from_theta,
    mean_error_gamma,
    theta_from_epsilon,
    variance_gamma,
)
from dpcore.staircase.distribution import cdf, half_width, mean_absolute_error, pdf, sample, tail, variance

__all__ = [
    "cdf",
    "delta_from_theta",
    "epsilon_from_theta",
    "half_width",
    "mean_absolute_error",
    "mean_error_gamma",
    "pdf",
    "sample",
    "tail",
    "theta_from_epsilon",
    "variance",
    "variance_gamma",
]
