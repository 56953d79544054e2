"""Auditing: what an attacker's measured errors prove about the privacy that was lost.

α is the type I error of an attack, the rate of false positives (a non-member called a member); β is the type II error,
the rate of false negatives (a member not called). A guarantee f of f-DP says β ≥ f(α) for every attack, also with α and
β exchanged. `band` turns counts into bounds that hold with a stated confidence, for all its points at once; everything
computed from a band therefore holds with that confidence, however many claims are tried on the same band.

The proof needs independent trials: the non-members' outcomes independent and identically distributed, the members'
too, and the two groups independent of each other. A score for each run of the mechanism is so, if a coin decides in
each run whether the person is in the data. Many records that are scored against one trained model are not independent:
such an audit needs a test of its own ([SNJ23]). And members that differ from the others in anything but membership may
be distinguished by that, however little the mechanism reveals.

Every bound is rounded to the safe side: upper bounds up, what is proved down. Bad input raises `ValueError`: `name must
be in RANGE, got VALUE`.

References
----------
[CP34] Clopper & Pearson 1934, Biometrika 26(4), doi:10.1093/biomet/26.4.404. [KOV15] Kairouz, Oh & Viswanath 2015,
arXiv:1311.0776. [DRS22] Dong, Roth & Su 2022, JRSS-B 84(1), doi:10.1111/rssb.12454. [JUO20] Jagielski, Ullman &
Oprea 2020, arXiv:2006.07709. [SNJ23] Steinke, Nasr & Jagielski 2023, arXiv:2305.08846.
"""

from dpcore.audit.bands import (
    CONFIDENCE_RANGE,
    MOST_RANKS,
    MOST_TRIALS,
    Attack,
    Band,
    area_under_roc,
    attack_from_counts,
    attack_from_scores,
    band,
    clopper_pearson_lower,
    clopper_pearson_upper,
)
from dpcore.audit.lower_bounds import LowerBound, epsilon_lower, is_contradicted, mu_lower

__all__ = [
    "CONFIDENCE_RANGE",
    "MOST_RANKS",
    "MOST_TRIALS",
    "Attack",
    "Band",
    "LowerBound",
    "area_under_roc",
    "attack_from_counts",
    "attack_from_scores",
    "band",
    "clopper_pearson_lower",
    "clopper_pearson_upper",
    "epsilon_lower",
    "is_contradicted",
    "mu_lower",
]
