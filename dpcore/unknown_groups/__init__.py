"""Groups whose names are confidential too: which appear in a release, by keep-or-drop or by noise and a threshold.

A table has a row for each group that somebody is in, and none for a group that nobody is in, so that a row alone may
reveal a person. A person is in at most k groups (`groups_per_person`) and adds up to c to the count of each
(`contributions`). A group in nobody's data is never released. Neighbouring data sets differ in one person, who is added
or removed with all her groups.

`selection` has the largest probability with which a group may appear if only its name is released, and the best
guarantee of each of k groups; `thresholds` the exact δ of counts with noise above a threshold, and `calibration` the
noise and the threshold of a guarantee, and what stands for a release beside others; `appearance` which groups appear
then, and draws. A fixed minimum without noise satisfies no (ε, δ)-DP with δ < 1: a group of just as many people
appears, and disappears with one of them.

"at_least" τ and "above" τ are two rules; for noise on whole numbers they differ. ε is in nats. Arguments broadcast.
Every δ, scale and threshold is rounded up, every probability of appearing down. Bad input raises `ValueError`: `name
must be in RANGE, got VALUE`.

References
----------
[DVGM22] Desfontaines, Voss, Gipson & Mandayam 2022, PoPETs 2022(1), arXiv:2006.03684. [WKZK24] Wilkins, Kifer, Zhang &
Karrer 2024, J. Priv. Conf. 14(1), arXiv:2202.01100. [KOV15] Kairouz, Oh & Viswanath 2015, arXiv:1311.0776.
"""

from dpcore.unknown_groups.appearance import (
    expected_groups,
    expected_people,
    keep_probability,
    least_size,
    sample,
    sample_names,
    zipf_counts,
)
from dpcore.unknown_groups.calibration import dominating_releases, threshold, threshold_of_noise
from dpcore.unknown_groups.selection import Split, best_split, optimal_keep_probability
from dpcore.unknown_groups.thresholds import RULES, ThresholdRelease, delta_from_threshold

__all__ = [
    "RULES",
    "Split",
    "ThresholdRelease",
    "best_split",
    "delta_from_threshold",
    "dominating_releases",
    "expected_groups",
    "expected_people",
    "keep_probability",
    "least_size",
    "optimal_keep_probability",
    "sample",
    "sample_names",
    "threshold",
    "threshold_of_noise",
    "zipf_counts",
]
