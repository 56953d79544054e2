"""The best of several candidates, chosen privately: how probable each one is, exactly, and how good the choice is.

A candidate r has a score u_r, which one person changes by at most Δ. Three mechanisms choose a high one with ε-DP:
permute-and-flip, the exponential mechanism, and the largest of scores with Laplace noise. If a person changes all
scores in one direction (`monotone`: counts, where a person is added or removed), half the noise is enough: ε u/Δ stands
for ε u/(2Δ).

Permute-and-flip is never worse than the exponential mechanism for one release. The exponential mechanism has losses
within a range of ε, and so composes better; the losses of permute-and-flip have a wider range (`release_of_choice`).

Scores lie along the last axis; ε and Δ broadcast with the axes before it. ε is in nats, Δ in the unit of the scores.
Bad input raises `ValueError`: `name must be in RANGE, got VALUE`. All public names stand here.

References
----------
[MT07] McSherry & Talwar 2007, Mechanism design via differential privacy, FOCS. [MS20] McKenna & Sheldon 2020,
Permute-and-flip, arXiv:2010.12603. [DKS21] Ding, Kifer, Saghaian, Steinke, Wang, Xiao & Zhang 2021, arXiv:2105.07260.
[DDR20] Dong, Durfee & Rogers 2020, arXiv:1909.13830. [DR14] Dwork & Roth 2014, section 3.3. [CKS20] Canonne, Kamath &
Steinke, arXiv:2004.00010.
"""

from dpcore.selection.probabilities import (
    exponential,
    permute_and_flip,
    report_noisy_max,
    sample_exponential,
    sample_permute_and_flip,
)
from dpcore.selection.winners import (
    MECHANISMS,
    expected_gap,
    least_epsilon,
    release_of_choice,
    top_probability,
    winner_probability,
)

__all__ = [
    "MECHANISMS",
    "expected_gap",
    "exponential",
    "least_epsilon",
    "permute_and_flip",
    "release_of_choice",
    "report_noisy_max",
    "sample_exponential",
    "sample_permute_and_flip",
    "top_probability",
    "winner_probability",
]
