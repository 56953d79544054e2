"""Clipping: bounds on values and limits on the contributions of one person, before noise is added.

A sum of values that are clipped to [L, U] has the bias B = Σ(clip(x) − x) and noise for the sensitivity of the clipped
values: Δ = max(|L|, |U|) if a person is added or removed, U − L if a person is replaced. Tighter bounds cost bias and
save noise. A limit of k records for one person drops Σ(n_i − k)₊ records, and the noise grows with k.

Bounds that are read off confidential data are not private. Use public knowledge, an older release, or
`dpcore.quantiles.sample`, whose cost `private_bounds` shows. `epsilon` is in nats; values, bounds, biases and errors
are in query units. Bad input raises `ValueError`: `name must be in RANGE, got VALUE`. All public names stand here.

References
----------
[AKMV19] Amin, Kulesza, Muñoz Medina & Vassilvitskii 2019, Bounding user contributions: a bias–variance trade-off in
differential privacy, ICML 97. [Smi11] Smith 2011, Privacy-preserving statistical estimation with optimal convergence
rates, STOC. [DR14] Dwork & Roth 2014.
"""

from dpcore.clipping.bounds import (
    ERRORS,
    BestBounds,
    PrivateBound,
    PrivateBounds,
    best_bounds,
    private_bounds,
    rule_of_thumb,
)
from dpcore.clipping.contributions import (
    DROPPING,
    SPREADS,
    DroppingAndNoise,
    LimitedTable,
    RecordCounts,
    best_limit,
    contribution_error,
    geometric_records,
    zipf_records,
)
from dpcore.clipping.distributions import Distribution, exponential, lognormal, normal, pareto, uniform
from dpcore.clipping.errors import BIASES, BiasAndNoise, mean_error, sum_error
from dpcore.clipping.noise import NOISES

__all__ = [
    "BIASES",
    "DROPPING",
    "ERRORS",
    "NOISES",
    "SPREADS",
    "BestBounds",
    "BiasAndNoise",
    "Distribution",
    "DroppingAndNoise",
    "LimitedTable",
    "PrivateBound",
    "PrivateBounds",
    "RecordCounts",
    "best_bounds",
    "best_limit",
    "contribution_error",
    "exponential",
    "geometric_records",
    "lognormal",
    "mean_error",
    "normal",
    "pareto",
    "private_bounds",
    "rule_of_thumb",
    "sum_error",
    "uniform",
    "zipf_records",
]
