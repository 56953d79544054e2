"""What noise leaves of the cells of a table, and merges of neighbouring cells so that each is usable.

A noise is one of `mechanisms`; counts and answers are in the unit of the table and broadcast. They speak of one cell at
significance α; at `each_significance` they hold for all of m cells together.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore.checks import SIGNIFICANCE_RANGE, Array, number
from dpcore.mechanism import Mechanism
from dpcore.rounding import BELOW_ONE, round_up

COUNT_RANGE = "[0, 1e15]"
SHARE_RANGE = "[1e-9, 1e9]"


def least_visible_count(noise: Mechanism, significance: ArrayLike) -> Array:
    """Return the least n ≥ 0 with Pr(n + noise > 0) ≥ 1 − α:
    of a cell of n or more, such a share of releases stays above 0.

    Only one direction counts, so for continuous noise n is the half-width at 2α. For whole noise n is a whole number,
    and a release of 0 is not above 0.

    Parameters
    ----------
    noise : one of `mechanisms`.
    significance : α in [1e-300, 1).

    Examples
    --------
    >>> from dpcore.tables import mechanisms
    >>> from dpcore.sensitivity import table_sensitivity
    >>> gaussian = mechanisms(1.0, 1e-6, table_sensitivity(1))[3]
    >>> print(f"{gaussian.name}: {least_visible_count(gaussian, 0.05):.2f}")
    Analytic Gaussian: 6.95
    """
    significance = number("significance", significance, SIGNIFICANCE_RANGE)
    both = np.minimum(2 * significance, BELOW_ONE)
    least = noise.half_width(both) + noise.whole
    at_least = round_up(noise.at_least(0.0), 64 * noise.whole)  # of whole noise not exactly 1/2, but rounded down
    return np.where(at_least <= significance, 0.0, least)[()]


def detection_threshold(noise: Mechanism, significance: ArrayLike) -> Array:
    """Return the least t ≥ 0 with Pr(|noise| ≥ t) ≤ α: an empty cell is released at t or further from 0 so rarely.

    Both directions count, as in a half-width: for continuous noise t is the half-width, for whole noise one more, since
    a release at the half-width itself is seen more often. A release of t or more tells its cell from an empty one at
    this significance.

    Parameters
    ----------
    noise : one of `mechanisms`.
    significance : α in [1e-300, 1).

    Examples
    --------
    >>> from dpcore.tables import mechanisms
    >>> from dpcore.sensitivity import table_sensitivity
    >>> gaussian = mechanisms(1.0, 1e-6, table_sensitivity(1))[3]
    >>> print(f"{gaussian.name}: {detection_threshold(gaussian, 0.05):.2f}")
    Analytic Gaussian: 8.28
    """
    return np.add(noise.half_width(significance), noise.whole)


def power(noise: Mechanism, count: ArrayLike, threshold: ArrayLike) -> Array:
    """Pr(count + noise ≥ threshold): how often a cell of this count is released at the threshold or above.

    With the threshold of `detection_threshold` it is how often the cell is found not to be empty.

    Parameters
    ----------
    noise : one of `mechanisms`.
    count : in [0, 1e15].
    threshold : in [0, 1e200].

    Examples
    --------
    >>> from dpcore.tables import mechanisms
    >>> from dpcore.sensitivity import table_sensitivity
    >>> gaussian = mechanisms(1.0, 1e-6, table_sensitivity(1))[3]
    >>> print(f"{power(gaussian, 9, detection_threshold(gaussian, 0.05)):.2f}")
    0.57
    """
    count, threshold = number("count", count, COUNT_RANGE), number("threshold", threshold, "[0, 1e200]")
    return noise.at_least(threshold - count)


def least_count_for_share(noise: Mechanism, share: ArrayLike, significance: ArrayLike) -> Array:
    """a/share, rounded up: the least count of which the half-width a is at most this share.

    Parameters
    ----------
    noise : one of `mechanisms`.
    share : in [1e-9, 1e9]; 0.1 for an error of 10 % of the count.
    significance : α in [1e-300, 1).

    Examples
    --------
    >>> from dpcore.tables import mechanisms
    >>> from dpcore.sensitivity import table_sensitivity
    >>> gaussian = mechanisms(1.0, 1e-6, table_sensitivity(1))[3]
    >>> print(f"{least_count_for_share(gaussian, 0.1, 0.05):.1f}")
    82.8
    """
    return round_up(noise.half_width(significance) / number("share", share, SHARE_RANGE), 2)


def consecutive_groups(counts: ArrayLike, least: float) -> NDArray[np.intp]:
    """Return the group 0, 1, … of each cell: the most groups of consecutive cells with a total of at least `least`.

    Each group ends as soon as its total is reached, which gives the most groups; cells left over at the end join the
    last one. A table whose total is less than `least` is one group, which does not reach it. To choose groups by the
    counts reveals something about them: it is no release.

    Parameters
    ----------
    counts : in [0, 1e15], shape (m,).
    least : in [0, 1e200], the least total of a group.

    Returns
    -------
    groups : integers, shape (m,), not decreasing.

    Raises
    ------
    ValueError
        if counts or least are out of range.

    Examples
    --------
    >>> consecutive_groups([2, 50, 3, 4, 5, 1], 10).tolist()
    [0, 0, 1, 1, 1, 1]
    """
    totals = number("counts", counts, COUNT_RANGE).ravel()
    limit = float(number("least", least, "[0, 1e200]"))
    groups, group, total = np.zeros(totals.size, np.intp), 0, 0.0
    for place, count in enumerate(totals):
        groups[place] = group
        total += count
        if total >= limit:
            group, total = group + 1, 0.0
    return np.minimum(groups, max(group - 1, 0))
