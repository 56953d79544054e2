"""What noise leaves of the cells of a table, merges of neighbouring cells, and two published tables with citations.

Cells are merged so that each is usable. A noise is one of `mechanisms`; counts and answers are in the unit of the table
and broadcast. They speak of one cell at significance α; at `each_significance` they hold for all of m cells together.
"""

import itertools

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from dpcore.checks import SIGNIFICANCE_RANGE, Array, number
from dpcore.mechanism import Mechanism
from dpcore.rounding import BELOW_ONE, round_up

COUNT_RANGE = "[0, 1e15]"
SHARE_RANGE = "[1e-9, 1e9]"


def least_visible_count(noise: Mechanism, significance: ArrayLike) -> Array:
    """Return the least n ≥ 0 with Pr(n + noise > 0) ≥ 1 − α: the least cell that so often stays above 0.

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
    >>> (gaussian,) = mechanisms(1.0, 1e-6, table_sensitivity(1), keys=("analytic",))
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
    >>> (gaussian,) = mechanisms(1.0, 1e-6, table_sensitivity(1), keys=("analytic",))
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
    >>> (gaussian,) = mechanisms(1.0, 1e-6, table_sensitivity(1), keys=("analytic",))
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
    >>> (gaussian,) = mechanisms(1.0, 1e-6, table_sensitivity(1), keys=("analytic",))
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


_CZECH_FACTORS = ("smoke", "mental", "phys", "systol", "protein", "family")
# fmt: off
_CZECH_COUNTS = (
    44, 40, 112, 67, 129, 145, 12, 23, 35, 12, 80, 33, 109, 67, 7, 9, 23, 32, 70, 66, 50, 80, 7, 13, 24, 25, 73, 57,
    51, 63, 7, 16, 5, 7, 21, 9, 9, 17, 1, 4, 4, 3, 11, 8, 14, 17, 5, 2, 7, 3, 14, 14, 9, 16, 2, 3, 4, 0, 13, 11, 5, 14,
    4, 4,
)
_MILDEW_FACTORS = ("la10", "locc", "mp58", "c365", "p53a", "a367")
_MILDEW_COUNTS = (
    0, 0, 0, 0, 3, 0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 7, 1, 4, 0, 0, 0, 0, 2, 1, 3, 0, 11, 16, 1, 4, 0, 1, 0,
    0, 0, 1, 4, 1, 4, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
)
# fmt: on


def czech_autoworkers() -> pd.DataFrame:
    """Return the 64 published counts of 1,841 Czech car workers by six yes/no risk factors.

    Edwards & Havránek 1985, Biometrika 72(2), 339-351; the order is that of `reinis` in the R package gRbase, the first
    factor varying fastest. Columns `cell` (the levels as 0/1 after each factor's name) and `count`.

    Examples
    --------
    >>> len(czech_autoworkers()), int(czech_autoworkers()["count"].sum())
    (64, 1841)
    """
    return _table(_CZECH_FACTORS, (0, 1), _CZECH_COUNTS)


def mildew() -> pd.DataFrame:
    """Return the 64 published counts of 70 offspring of a cross of barley powdery mildew, by six two-level loci.

    Christiansen & Giese 1991, Theoretical and Applied Genetics 79, 705-712, as the R package gRbase cites them and in
    the order of its `mildew`, the first locus varying fastest. Columns `cell` (the levels as 1/2 after each locus'
    name) and `count`.

    Examples
    --------
    >>> frame = mildew()
    >>> len(frame), int(frame["count"].sum()), int((frame["count"] > 0).sum())
    (64, 70, 22)
    """
    return _table(_MILDEW_FACTORS, (1, 2), _MILDEW_COUNTS)


def _table(factors: tuple[str, ...], levels: tuple[int, int], counts: tuple[int, ...]) -> pd.DataFrame:
    """Return a table of factors of two levels, the first varying fastest."""
    rows = (reversed(row) for row in itertools.product(levels, repeat=len(factors)))
    cells = [", ".join(f"{factor} {level}" for factor, level in zip(factors, row, strict=True)) for row in rows]
    return pd.DataFrame({"cell": cells, "count": np.array(counts, dtype=np.float64)})
