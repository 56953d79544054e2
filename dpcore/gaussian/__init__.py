"""The Gaussian mechanism: how much noise a privacy guarantee needs, and which guarantee an amount of noise satisfies.

The release is f(x) + N(0, σ²I), where neighbouring data sets move f by at most Δ₂ (`l2_sensitivity`) in ℓ₂ norm; the
neighbouring relation is the one under which Δ₂ was computed. μ = Δ₂/σ holds the whole privacy content: the privacy
loss is N(μ²/2, μ²). The (ε, δ) of the classical and the analytic bounds is that of (ε, δ)-DP, Pr(M(x) ∈ S) ≤
e^ε Pr(M(x') ∈ S) + δ. The pDP bounds are stronger guarantees: Pr(|privacy loss| > ε) ≤ δ, probabilistic DP, whose δ is
another quantity.

`calibration` has the least σ of a guarantee and the guarantee that a σ satisfies, `published_bounds` the closed forms,
and `distribution` the noise itself. All public names stand here.

ε (`epsilon`) is in nats, δ (`delta`) is a probability, σ and Δ₂ are in the unit of the query. Arguments broadcast; the
result has their common shape. Every σ is rounded up in its last bits, every δ and ε too, so that a guarantee is never
overstated by rounding; `lower_bound_sigma` is rounded down. Bad input raises `ValueError`: `name must be in RANGE, got
VALUE`.

References
----------
[BW18] Balle & Wang 2018, arXiv:1805.06530. [DR14] Dwork & Roth 2014, Algorithmic Foundations of Differential Privacy.
[Liu19] F. Liu, IEEE TKDE 31(4), 2019, doi:10.1109/TKDE.2018.2845388. [GA20] Gaussian Mechanism Accuracy, 2020.
"""

from dpcore.gaussian.calibration import (
    analytic_sigma,
    delta_from_sigma,
    epsilon_from_sigma,
    exact_pdp_sigma,
    laplace_tail_sigma,
    pdp_delta_from_sigma,
)
from dpcore.gaussian.distribution import cdf, half_width, mean_absolute_error, pdf, sample, tail, variance
from dpcore.gaussian.published_bounds import (
    classical_delta,
    classical_epsilon,
    classical_sigma,
    classical_tight_epsilon,
    classical_tight_sigma,
    lower_bound_sigma,
    pdp_delta,
    pdp_epsilon,
    pdp_sigma,
)

__all__ = [
    "analytic_sigma",
    "cdf",
    "classical_delta",
    "classical_epsilon",
    "classical_sigma",
    "classical_tight_epsilon",
    "classical_tight_sigma",
    "delta_from_sigma",
    "epsilon_from_sigma",
    "exact_pdp_sigma",
    "half_width",
    "laplace_tail_sigma",
    "lower_bound_sigma",
    "mean_absolute_error",
    "pdf",
    "pdp_delta",
    "pdp_delta_from_sigma",
    "pdp_epsilon",
    "pdp_sigma",
    "sample",
    "tail",
    "variance",
]
