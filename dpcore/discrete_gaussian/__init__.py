"""The discrete Gaussian mechanism: whole-numbered noise, Pr(Y = y) ∝ e^{−y²/(2σ²)} ([CKS20]).

The release is a whole-numbered table plus independent Y in every cell. Neighbouring data sets move the table by v, of
which δ(ε) depends on the whole numbers |vᵢ| and not on their ℓ₂ length alone, since the noise is a lattice:
`sensitivity` is Δ₂, the greatest |v| ((1, …, 1) over k cells has √k), and its square a whole number. Without `n_moved`
an answer holds for every whole-numbered move of at most this length. With `n_moved` = k it is that of the even move,
each of k cells by c = Δ₂/√k, and the worst for persons who move at most k cells by at most c each.

Why (own): for log-concave noise, δ of one cell at any real ε is max over m of Pr(Y ≤ m) − e^ε Pr(Y ≤ m − c), which
grows with c; of several cells it is the mean of this over the loss of the others, so it grows with each |vᵢ|. A shorter
move is below one of full length that moves further cells by 1.

`calibration` has the profile, its inverses and zCDP, `noise` the distribution, `sampling` the exact sampler. All public
names stand here. ε is in nats; σ is in steps of the query and not quite the s.d. (see `variance`). Arguments broadcast;
the result has their common shape. Every σ, ε, δ and tail is rounded up in its last bits. Bad input raises `ValueError`:
`name must be in RANGE, got VALUE`.

References
----------
[CKS20] Canonne, Kamath & Steinke 2020, The Discrete Gaussian for Differential Privacy, arXiv:2004.00010.
"""

from dpcore.discrete_gaussian.calibration import (
    MOST_SQUARED,
    delta_from_sigma,
    epsilon_from_sigma,
    rho_from_sigma,
    sigma_from_delta,
)
from dpcore.discrete_gaussian.noise import cdf, half_width, mean_absolute_error, pmf, tail, variance
from dpcore.discrete_gaussian.sampling import sample

__all__ = [
    "MOST_SQUARED",
    "cdf",
    "delta_from_sigma",
    "epsilon_from_sigma",
    "half_width",
    "mean_absolute_error",
    "pmf",
    "rho_from_sigma",
    "sample",
    "sigma_from_delta",
    "tail",
    "variance",
]
