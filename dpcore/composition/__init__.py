"""Composition: what many releases cost together, exactly, as certified bounds, and by every accountant.

A release is one mechanism run `count` times (`Release`). ε is in nats. Every guarantee is rounded to the safe side:
δ and ε up, noise up, steps and rates down; what is an estimate says so, and of which sign. All public names stand here.

References
----------
[DR14] Dwork & Roth 2014. [KOV15] Kairouz, Oh & Viswanath, arXiv:1311.0776. [BS16] Bun & Steinke, arXiv:1605.02065.
[Mir17] Mironov, arXiv:1702.07476. [MTZ19] Mironov, Talwar & Zhang, arXiv:1908.10530. [CKS20] Canonne, Kamath & Steinke,
arXiv:2004.00010. [DRS22] Dong, Roth & Su, doi:10.1111/rssb.12454. [Dor22] Doroshenko et al., arXiv:2207.04380.
"""

from dpcore.composition._accounts import is_known
from dpcore.composition._rules import optimal_delta, optimal_epsilon, unavailable
from dpcore.composition._sampled_integral import gaussian_without_replacement_rdp, subsampled_gaussian_rdp
from dpcore.composition._single_step import clt_epsilon, clt_mu, fixed_size_sampled_guarantee, poisson_sampled_guarantee
from dpcore.composition._targets import epsilon_per_query, releases_within
from dpcore.composition.accountants import (
    ACCOUNTANTS,
    DELTA_ACCOUNTANTS,
    delta,
    delta_profile,
    epsilon,
    epsilon_beside_profile,
    epsilon_by_accountant,
    epsilon_of_lists,
)
from dpcore.composition.batches import (
    shuffled_batches_delta_at_least,
    shuffled_batches_epsilon_at_least,
    unamplified_delta,
    unamplified_epsilon,
)
from dpcore.composition.bounds import EpsilonBound
from dpcore.composition.closed_form import advanced_epsilon, basic_delta, basic_epsilon, kairouz_epsilon
from dpcore.composition.contour import EpsilonEstimate, exact_delta, exact_epsilon
from dpcore.composition.conversions import (
    CONVERSIONS,
    RdpBound,
    delta_from_rdp,
    delta_from_rho,
    epsilon_from_rdp,
    epsilon_from_rho,
    rho_from_epsilon,
)
from dpcore.composition.distribution import certified_delta, certified_epsilon
from dpcore.composition.dp_sgd import EPOCHS_RANGE, dp_sgd_batch, dp_sgd_epsilon, dp_sgd_epsilon_bound, steps_of_epochs
from dpcore.composition.dp_sgd_inverses import dp_sgd_noise_multiplier, dp_sgd_sampling_rate, dp_sgd_steps
from dpcore.composition.groups import (
    group_delta,
    group_epsilon,
    group_mu,
    group_rdp,
    group_rho,
    parallel_delta,
    parallel_epsilon,
)
from dpcore.composition.moments import log_moment, log_moments
from dpcore.composition.profiles import certified_profile
from dpcore.composition.releases import (
    COUNT_RANGE,
    NOISE_RANGE,
    PURE_RANGE,
    RATE_RANGE,
    RHO_RANGE,
    Release,
    discrete_gaussian_release,
    exponential_release,
    gaussian_release,
    geometric_release,
    guarantee_release,
    laplace_release,
    profile_release,
    sampled_release,
    truncated_laplace_release,
    zcdp_release,
)
from dpcore.composition.renyi import rdp, rdp_delta, rdp_epsilon, rho, zcdp_delta, zcdp_epsilon
from dpcore.composition.shuffling import clones_epsilon_2021, clones_epsilon_2023, shuffled_delta, shuffled_epsilon

__all__ = [
    "ACCOUNTANTS",
    "CONVERSIONS",
    "COUNT_RANGE",
    "DELTA_ACCOUNTANTS",
    "EPOCHS_RANGE",
    "NOISE_RANGE",
    "PURE_RANGE",
    "RATE_RANGE",
    "RHO_RANGE",
    "EpsilonBound",
    "EpsilonEstimate",
    "RdpBound",
    "Release",
    "advanced_epsilon",
    "basic_delta",
    "basic_epsilon",
    "certified_delta",
    "certified_epsilon",
    "certified_profile",
    "clones_epsilon_2021",
    "clones_epsilon_2023",
    "clt_epsilon",
    "clt_mu",
    "delta",
    "delta_from_rdp",
    "delta_from_rho",
    "delta_profile",
    "discrete_gaussian_release",
    "dp_sgd_batch",
    "dp_sgd_epsilon",
    "dp_sgd_epsilon_bound",
    "dp_sgd_noise_multiplier",
    "dp_sgd_sampling_rate",
    "dp_sgd_steps",
    "epsilon",
    "epsilon_beside_profile",
    "epsilon_by_accountant",
    "epsilon_from_rdp",
    "epsilon_from_rho",
    "epsilon_of_lists",
    "epsilon_per_query",
    "exact_delta",
    "exact_epsilon",
    "exponential_release",
    "fixed_size_sampled_guarantee",
    "gaussian_release",
    "gaussian_without_replacement_rdp",
    "geometric_release",
    "group_delta",
    "group_epsilon",
    "group_mu",
    "group_rdp",
    "group_rho",
    "guarantee_release",
    "is_known",
    "kairouz_epsilon",
    "laplace_release",
    "log_moment",
    "log_moments",
    "optimal_delta",
    "optimal_epsilon",
    "parallel_delta",
    "parallel_epsilon",
    "poisson_sampled_guarantee",
    "profile_release",
    "rdp",
    "rdp_delta",
    "rdp_epsilon",
    "releases_within",
    "rho",
    "rho_from_epsilon",
    "sampled_release",
    "shuffled_batches_delta_at_least",
    "shuffled_batches_epsilon_at_least",
    "shuffled_delta",
    "shuffled_epsilon",
    "steps_of_epochs",
    "subsampled_gaussian_rdp",
    "truncated_laplace_release",
    "unamplified_delta",
    "unamplified_epsilon",
    "unavailable",
    "zcdp_delta",
    "zcdp_epsilon",
    "zcdp_release",
]
