"""f-DP: trade-off functions, their conversions to ε, δ and μ, and what they mean for a person.

A trade-off function f gives the least type II error β = f(α) (a true case missed) of any test of "which of two
neighbouring data sets?" whose type I error (a false positive) is α. α, β, power 1 − β, advantage and δ are
probabilities; ε is in nats; μ and θ are dimensionless. `forms` has f of each mechanism in closed form, `curve`,
`functions`, `mechanisms` and `pure_mechanisms` make curve objects; `conversions`, `composition` and `readings` use
them. All public names stand here.

Every guarantee is rounded to the safe side: β down; power, δ, ε and μ up.

References
----------
[DRS22] Dong, Roth & Su 2022, JRSS-B 84(1), doi:10.1111/rssb.12454. [Liu19] F. Liu, IEEE TKDE 31(4), 2019. [BS16] Bun &
Steinke 2016, arXiv:1605.02065. [LC11] Lee & Clifton 2011. R package `fdp` (Aslett), help pages.
"""

from dpcore.tradeoff.composition import (
    COUNT_RANGE,
    NOISE_RANGE,
    SAMPLING_RANGE,
    composed_curve,
    composed_mu,
    group_curve,
    releases_curve,
    subsampled_gaussian_curve,
)
from dpcore.tradeoff.conversions import (
    profile,
    rounded_up,
    smallest_delta,
    smallest_epsilon,
    smallest_mu,
)
from dpcore.tradeoff.curve import Curve, Lines, SmallestMu
from dpcore.tradeoff.forms import (
    MU_RANGE,
    epsilon_delta,
    epsilon_delta_power,
    gaussian,
    gaussian_power,
    generalized_gaussian,
    generalized_gaussian_power,
    geometric,
    geometric_power,
    laplace,
    laplace_power,
)
from dpcore.tradeoff.functions import function_curve, lower_hull, points_curve
from dpcore.tradeoff.mechanisms import (
    RHO_RANGE,
    SCALE_RANGE,
    gaussian_curve,
    generalized_gaussian_curve,
    sigma_curve,
    truncated_geometric_curve,
    truncated_laplace_curve,
    zcdp_curve,
)
from dpcore.tradeoff.pure_mechanisms import (
    MOST_STEPS,
    epsilon_delta_curve,
    geometric_curve,
    laplace_curve,
    mu_from_epsilon,
    mu_from_laplace,
    profile_curve,
    symmetrised_curve,
)
from dpcore.tradeoff.readings import (
    advantage,
    bayes_accuracy,
    bayes_error,
    likelihood_ratio,
    posterior,
    posterior_odds,
    pure_posterior,
    relative_risk,
)

__all__ = [
    "COUNT_RANGE",
    "MOST_STEPS",
    "MU_RANGE",
    "NOISE_RANGE",
    "RHO_RANGE",
    "SAMPLING_RANGE",
    "SCALE_RANGE",
    "Curve",
    "Lines",
    "SmallestMu",
    "advantage",
    "bayes_accuracy",
    "bayes_error",
    "composed_curve",
    "composed_mu",
    "epsilon_delta",
    "epsilon_delta_curve",
    "epsilon_delta_power",
    "function_curve",
    "gaussian",
    "gaussian_curve",
    "gaussian_power",
    "generalized_gaussian",
    "generalized_gaussian_curve",
    "generalized_gaussian_power",
    "geometric",
    "geometric_curve",
    "geometric_power",
    "group_curve",
    "laplace",
    "laplace_curve",
    "laplace_power",
    "likelihood_ratio",
    "lower_hull",
    "mu_from_epsilon",
    "mu_from_laplace",
    "points_curve",
    "posterior",
    "posterior_odds",
    "profile",
    "profile_curve",
    "pure_posterior",
    "relative_risk",
    "releases_curve",
    "rounded_up",
    "sigma_curve",
    "smallest_delta",
    "smallest_epsilon",
    "smallest_mu",
    "subsampled_gaussian_curve",
    "symmetrised_curve",
    "truncated_geometric_curve",
    "truncated_laplace_curve",
    "zcdp_curve",
]
