"""The sensitivity of a count, sum, mean, proportion or histogram of records, and of several statistics together."""

from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike

from dpcore.checks import BOUND_RANGE, RECORDS_RANGE, Array, integer, leave_out, number, option, refuse
from dpcore.sensitivity.tables import (
    LARGEST_WHOLE_DOUBLE,
    MOST_WHOLE,
    NEIGHBOURS,
    Difference,
    Sensitivity,
    of_largest_difference,
    of_one_number,
    table_sensitivity,
)

_STATISTIC_RANGE = "[0, 1e300]"


_STATISTIC_BOUND_RANGE = "[-1e300, 1e300]"


def statistics_sensitivity(l1_sensitivities: ArrayLike = 1.0) -> Sensitivity:
    """Return the sensitivity of several statistics of which each has a known sensitivity Δ_{1,k}.

    Δ_p ≤ (Σ_k Δ_{1,k}^p)^{1/p} (Liu 2019, doi:10.1109/TKDE.2018.2845388, Lemma 2). The bound is not tight where no
    neighbour changes all statistics at once: a histogram has Δ_p = 1 for added or removed records, whatever its number
    of bins, so use `query_sensitivity` for it.

    Parameters
    ----------
    l1_sensitivities : Δ_{1,k} in [0, 1e300], in query units; the last axis runs over the statistics.

    Returns
    -------
    A `Sensitivity` without that axis, above the formula's values by a relative 8e-15 plus 2.3e-16 per statistic at
    most.

    Raises
    ------
    ValueError
        if a sensitivity lies outside its range.

    Examples
    --------
    >>> print(f"{statistics_sensitivity([3.0, 4.0]).l2:.4f}")
    5.0000
    """
    sensitivities = np.atleast_1d(number("l1_sensitivities", l1_sensitivities, _STATISTIC_RANGE))
    largest = np.max(sensitivities, axis=-1, initial=0)
    unit = np.where(
        np.all(np.floor(sensitivities) == sensitivities, axis=-1) & (largest < LARGEST_WHOLE_DOUBLE), 1.0, largest
    )
    return of_largest_difference(
        Difference(unit, sensitivities / unit[..., None], np.ones_like(sensitivities)),
        n_moved=np.count_nonzero(sensitivities, axis=-1) * 1.0,
        largest=largest,
    )


def bounds_sensitivity(low: ArrayLike = 0.0, high: ArrayLike = 1.0) -> Sensitivity:
    """Return the sensitivity of statistics that stay within [c_{k0}, c_{k1}], whatever the data.

    Each has Δ_{1,k} ≤ c_{k1} − c_{k0}, so Δ_p ≤ (Σ_k (c_{k1} − c_{k0})^p)^{1/p} (Liu 2019, Claim 3).

    Parameters
    ----------
    low, high : c_{k0} ≤ c_{k1} in [-1e300, 1e300], at most 1e300 apart; the last axis runs over the statistics.

    Returns
    -------
    A `Sensitivity`, rounded up as by `statistics_sensitivity`.

    Raises
    ------
    ValueError
        if a bound lies outside its range.

    Examples
    --------
    >>> print(f"{bounds_sensitivity([0.0, 0.0], [3.0, 4.0]).l2:.4f}")
    5.0000
    """
    low = number("low", low, _STATISTIC_BOUND_RANGE)
    low, high = np.broadcast_arrays(low, number("high", high, _STATISTIC_BOUND_RANGE))
    refuse("high", high, high < low, "[low, 1e300]")
    return statistics_sensitivity(difference_up(high, low))


def difference_up(high: Array, low: Array) -> Array:
    """Return `high` − `low`, rounded up where it is not exact (Knuth's sum of two numbers with its error)."""
    difference = high - low
    back = difference - high
    error = (high - (difference - back)) - (low + back)
    return np.where(error > 0, np.nextafter(difference, np.inf), difference)


QUERY_ARGUMENTS: MappingProxyType[str, tuple[str, ...]] = MappingProxyType(
    {
        "count": (),
        "sum": ("low", "high"),
        "mean": ("low", "high", "n_records"),
        "proportion": ("n_records",),
        "histogram": (),
    }
)
"""The arguments of `query_sensitivity` that belong to each query, beside those of all."""
QUERIES = tuple(QUERY_ARGUMENTS)


LEAST_WIDTH = 1e-30  # of the range of a record's value
PER_PERSON_RANGE = "[1, 1e9]"  # of the number of records of a person


def query_sensitivity(
    query: str,
    neighbours: str = "add_remove",
    low: ArrayLike | None = None,
    high: ArrayLike | None = None,
    n_records: ArrayLike | None = None,
    records_per_person: ArrayLike = 1,
) -> Sensitivity:
    """Return the sensitivity of a query on data in which each person has up to N records (own, from the definition).

    With N = 1, a count of the records with a property has Δ = 1. A sum of values in [lo, hi] has Δ = max(|lo|, |hi|)
    under add/remove and hi − lo under replace. A histogram has Δ = 1 under add/remove, and Δ₁ = 2, Δ₂ = √2 under
    replace. A mean of values in [lo, hi], and a proportion (hi − lo = 1), have Δ = (hi − lo)/n under both relations,
    where n is public; under add/remove the number of records itself is not protected. With N > 1 each is N times as
    large; that of a sum under replace is N (max(hi, 0) − min(lo, 0)), since the two people may have other numbers of
    records.

    Parameters
    ----------
    query : one of `QUERIES`.
    neighbours : one of `NEIGHBOURS`.
    low, high : of a sum or a mean alone: the range of a record's value in [-1e15, 1e15], in query units, with
        high − low at least 1e-30; 0 and 1 by default.
    n_records : n, of a mean or a proportion alone: a whole number in [1, 1e12], 1 by default. Under `"replace"` it is
        the public number of records. Under `"add_remove"`, where neighbours never have the same number of records, it
        is a public lower bound of the number in every data set.
    records_per_person : N, a whole number in [1, 1e9]: the most records of a person, a limit that is enforced. Of a
        histogram it must be 1: `table_sensitivity` has the sensitivity of a table to which a person adds more.

    Returns
    -------
    A `Sensitivity` of the arguments' common shape, above the true value by a relative 1.2e-15 at most.

    Raises
    ------
    ValueError
        if an argument lies outside its range or does not belong to the query: see `QUERY_ARGUMENTS`.

    Notes
    -----
    The mean m of n records changes by (x' − x)/n when x becomes x'. Without x it changes by (m − x)/(n − 1), and since
    m contains x, |m − x| ≤ (hi − lo)(n − 1)/n: no more than (hi − lo)/n, reached by x = hi among records at lo. With
    one more record it changes by |x − m|/(n + 1), which is less. The mean of no records is any fixed value of the
    range.

    Examples
    --------
    >>> sensitivity = query_sensitivity("histogram", "replace")
    >>> print(f"{sensitivity.l1:.4f} {sensitivity.l2:.4f}")
    2.0000 1.4142
    """
    option("query", query, QUERIES)
    option("neighbours", neighbours, NEIGHBOURS)
    own = {"low": low, "high": high, "n_records": n_records}
    leave_out(f"query {query}", **{name: own[name] for name in own if name not in QUERY_ARGUMENTS[query]})
    n_own = integer("records_per_person", records_per_person, PER_PERSON_RANGE)
    if query == "histogram":
        refuse("records_per_person of a histogram", n_own, n_own > 1, "[1, 1]")
        return table_sensitivity(1, 1.0, neighbours)
    if query == "count":
        return table_sensitivity(1, n_own, neighbours, n_cells=1)
    low, high = np.broadcast_arrays(
        number("low", 0.0 if low is None else low, BOUND_RANGE),
        number("high", 1.0 if high is None else high, BOUND_RANGE),
    )
    refuse("high", high, ~(high > low), "(low, 1e15]")
    width = difference_up(high, low)
    refuse("high − low", width, width < LEAST_WIDTH, f"[{LEAST_WIDTH}, 2e15]")
    if query in ("mean", "proportion"):
        n = integer("n_records", 1 if n_records is None else n_records, RECORDS_RANGE)
        share = np.nextafter(width / n, np.inf)
        share = np.where(n_own == 1, share, np.nextafter(share * n_own, np.inf))
        return of_one_number(share)
    furthest = np.maximum(abs(low), abs(high))
    several = furthest if neighbours == "add_remove" else np.where((low < 0) & (high > 0), width, furthest)
    alone = width if neighbours == "replace" else furthest
    product = several * n_own
    is_exact = (np.floor(several) == several) & (product < LARGEST_WHOLE_DOUBLE)
    size = np.where(n_own == 1, alone, np.where(is_exact, product, np.nextafter(product, np.inf)))
    return of_one_number(size, (np.floor(low) == low) & (np.floor(high) == high) & (size <= MOST_WHOLE))
