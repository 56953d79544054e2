"""Which groups appear: the probability of each, from which size on, how many groups and how many people together."""

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from dpcore.checks import Array, integer, number, refuse, scalar, scalar_integer
from dpcore.roots import bisect
from dpcore.rounding import ULP
from dpcore.unknown_groups.selection import (
    KEPT_RANGE,
    MOST_PEOPLE,
    SIZE_RANGE,
    Split,
    optimal_keep_probability,
    whole_mean,
)
from dpcore.unknown_groups.thresholds import ThresholdRelease, noise_of, whole_limit

_LIST_RANGE = "[1, 1e7]"  # of the number of groups of a list


def keep_probability(release: ThresholdRelease | Split, counts: ArrayLike) -> Array:
    """Pr(count + noise ≥ τ), or > τ by the rule "above"; of keep-or-drop π_n (`optimal_keep_probability`). 0 of none.

    Parameters
    ----------
    release : from `threshold`, or a `Split` for keep-or-drop alone.
    counts : of each group, whole numbers in [0, 1e15]: people, or contributions where c > 1.

    Returns
    -------
    Probabilities, rounded down in their last bits, of the common shape of the counts and the release.

    Examples
    --------
    >>> from dpcore.unknown_groups import threshold
    >>> release = threshold(epsilon=1, delta=1e-6, groups_per_person=3)
    >>> print(keep_probability(release, [1, 37, 50, 60]).round(4))
    [0.     0.4797 0.9578 0.999 ]
    """
    counts = integer("counts", counts, SIZE_RANGE)
    if isinstance(release, Split):
        return optimal_keep_probability(counts, release.epsilon, release.delta)
    family = noise_of(release.noise)
    limit, scale, bound = np.broadcast_arrays(
        whole_limit(family, release.rule, release.threshold) - counts, release.scale, release.bound
    )
    kept = np.where(counts > 0, family.sure_exceedance(limit, scale, bound), 0.0)
    return kept[()]


def least_size(release: ThresholdRelease | Split, probability: ArrayLike) -> Array:
    """Return the least n with `keep_probability` of at least p: from which count on a group appears so often.

    Parameters
    ----------
    release : as in `keep_probability`.
    probability : p in (0, 1], such that n is at most 1e15.

    Returns
    -------
    n, a whole number; where p is within the rounding of the probability, the next one.

    Examples
    --------
    >>> from dpcore.unknown_groups import best_split, threshold
    >>> print(least_size(threshold(epsilon=1, delta=1e-6, groups_per_person=3), [0.5, 0.95]))
    [38. 50.]
    >>> print(least_size(best_split(1, 1e-6), [0.5, 0.95, 1]))
    [14. 16. 28.]
    """
    probability = number("probability", probability, KEPT_RANGE)
    most = np.asarray(keep_probability(release, MOST_PEOPLE))
    refuse("probability", probability, most < probability, "those of groups of up to 1e15 people")
    ends = np.zeros(np.broadcast_shapes(probability.shape, most.shape)), MOST_PEOPLE
    return bisect(lambda n: keep_probability(release, n) >= probability, *ends, 50, whole_mean)[1][()]


def expected_groups(release: ThresholdRelease | Split, counts: ArrayLike) -> Array:
    """Σ Pr(the group appears): the mean number of groups in a release, rounded down.

    Parameters
    ----------
    release : as in `keep_probability`; entries of its arrays are releases of their own.
    counts : of the groups, along the last axis.

    Examples
    --------
    >>> from dpcore.unknown_groups import threshold
    >>> release = threshold(epsilon=1, delta=1e-6, groups_per_person=3)
    >>> print(f"{expected_groups(release, zipf_counts(900, 20_000)):.1f} of 900")
    75.2 of 900
    """
    return _mean_total(release, counts, weighed=False)


def expected_people(release: ThresholdRelease | Split, counts: ArrayLike) -> Array:
    """Σ n Pr(the group appears): the mean total of the counts of the groups in a release, rounded down.

    Where a person is in several groups, or contributes more than once, it counts memberships or contributions.
    Arguments as in `expected_groups`.

    Examples
    --------
    >>> from dpcore.unknown_groups import threshold
    >>> release = threshold(epsilon=1, delta=1e-6, groups_per_person=3)
    >>> print(f"{expected_people(release, zipf_counts(900, 20_000)) / 20_000:.2f}")
    0.66
    """
    return _mean_total(release, counts, weighed=True)


def _mean_total(release: ThresholdRelease | Split, counts: ArrayLike, *, weighed: bool) -> Array:
    counts = np.atleast_1d(integer("counts", counts, SIZE_RANGE))
    if isinstance(release, Split):
        rows = Split(_column(release.epsilon), _column(release.delta))
    else:
        parts = _column(release.scale), _column(release.threshold), _column(release.bound)
        rows = replace(release, scale=parts[0], threshold=parts[1], bound=parts[2])
    kept = keep_probability(rows, counts)
    total = np.sum(kept * counts if weighed else kept, axis=-1)
    return (total * (1 - 64 * ULP))[()]


def _column(values: Array) -> Array:
    return np.asarray(values)[..., np.newaxis]


def zipf_counts(n_groups: int, total: int, exponent: float = 1.0) -> Array:
    """total · i^{−s}/Σ j^{−s}, i = 1 … G, in whole numbers that sum to the total: a list like those of codes or names.

    Parameters
    ----------
    n_groups : G, a whole number in [1, 1e7].
    total : of all counts, a whole number in [0, 1e15].
    exponent : s in [0, 10]; 0 for groups of one size.

    Returns
    -------
    Counts, the largest first; some may be 0. Those of ranks whose shares are below 1 alternate between 0 and 1 before
    they are sorted, as the cumulated shares are rounded.

    Examples
    --------
    >>> print(zipf_counts(5, 100))
    [44. 22. 14. 11.  9.]
    """
    n_groups, total = scalar_integer("n_groups", n_groups, _LIST_RANGE), scalar_integer("total", total, SIZE_RANGE)
    weights = np.arange(1.0, n_groups + 1) ** -scalar("exponent", exponent, "[0, 10]")
    reached = np.cumsum(weights)
    counts = np.diff(np.rint(reached / reached[-1] * total), prepend=0)
    return np.sort(counts)[::-1]
