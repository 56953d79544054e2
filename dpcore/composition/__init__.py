"""Composition: what many releases cost together, exactly, as certified bounds, and by every accountant.

A release is one mechanism run `count` times (`Release`). ε is in nats. Whatever promises is rounded to the safe side: δ
and ε up, noise up, steps and rates down; what is an estimate says so, and of which sign. All public names stand here.

References
----------
[DR14] Dwork & Roth 2014. [KOV15] Kairouz, Oh & Viswanath, arXiv:1311.0776. [BS16] Bun & Steinke, arXiv:1605.02065.
[Mir17] Mironov, arXiv:1702.07476. [MTZ19] Mironov, Talwar & Zhang, arXiv:1908.10530. [CKS20] Canonne, Kamath & Steinke,
arXiv:2004.00010. [DRS22] Dong, Roth & Su, doi:10.1111/rssb.12454. [Dor22] Doroshenko et al., arXiv:2207.04380.
"""

from dpcore.composition.distribution import Certified, certified_delta, certified_epsilon, certified_profile
from dpcore.composition.releases import (
    COUNT_RANGE,
    DIRECTIONS,
    NOISE_RANGE,
    PURE_RANGE,
    RATE_RANGE,
    RHO_RANGE,
    Release,
    exponential_release,
    gaussian_release,
    laplace_release,
    promise_release,
    sampled_release,
    zcdp_release,
)

__all__ = [
    "COUNT_RANGE",
    "DIRECTIONS",
    "NOISE_RANGE",
    "PURE_RANGE",
    "RATE_RANGE",
    "RHO_RANGE",
    "Certified",
    "Release",
    "certified_delta",
    "certified_epsilon",
    "certified_profile",
    "exponential_release",
    "gaussian_release",
    "laplace_release",
    "promise_release",
    "sampled_release",
    "zcdp_release",
]
