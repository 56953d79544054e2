"""The sensitivity of a query: how far its answer may differ between two neighbouring data sets.

Two data sets are neighbours if one has a person's data that the other lacks (`"add_remove"`), or if the data of one
person are replaced by those of another (`"replace"`). The ℓ_p sensitivity Δ_p is the largest ‖q(D) − q(D′)‖_p over all
neighbours D and D′ (Dwork & Roth 2014, Def. 3.1 for p = 1 and Def. 3.8 for p = 2). Δ₁ calibrates Laplace noise, Δ₂
Gaussian noise, and Δ_p generalized Gaussian noise.

Every kind of query returns the same record, a `Sensitivity`:

* `query_sensitivity`: a count, sum, mean, proportion or histogram of data in which a person has one record;
* `table_sensitivity`: a table of counts with contribution limits, where totals may be released beside the cells;
* `capped_sensitivity`: counts by place in which a person counts for a limited total;
* `statistics_sensitivity` and `bounds_sensitivity`: several statistics with known sensitivities or known bounds.

A contribution limit protects a person only if it is enforced on the data before the query is answered. Sensitivities
are in query units and never below the true value. Bad input raises `ValueError`: `name must be in RANGE, got VALUE`.
"""

from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore.checks import (
    BOUND_RANGE,
    CELLS_RANGE,
    RECORDS_RANGE,
    SHAPE_RANGE,
    Array,
    integer,
    number,
    option,
    refuse,
)
from dpcore.rounding import ULP, round_up

NEIGHBOURS = ("add_remove", "replace")
QUERIES = ("count", "sum", "mean", "proportion", "histogram")
ENDS = ("one", "both", "sum")
PER_CELL_RANGE = "[1e-15, 1e15]"  # what a person adds to one cell, in the unit of the table
MARGINS_RANGE = "[0, 1000]"
CAP_RANGE = "[1e-6, 1e6]"  # in the unit of the weights
LEAST_WIDTH = 1e-30  # of the range of a record's value
_MOST_WHOLE = 1e15  # the largest sensitivity of whole-numbered noise
_STATISTIC_RANGE = "[0, 1e300]"
_STATISTIC_BOUND_RANGE = "[-1e300, 1e300]"
_EXACT = 2.0**53  # A whole number below this limit is a double.

__all__ = [
    "CAP_RANGE",
    "ENDS",
    "LEAST_WIDTH",
    "MARGINS_RANGE",
    "NEIGHBOURS",
    "PER_CELL_RANGE",
    "QUERIES",
    "Sensitivity",
    "bounds_sensitivity",
    "capped_sensitivity",
    "query_sensitivity",
    "statistics_sensitivity",
    "table_sensitivity",
]


@dataclass(frozen=True)
class Sensitivity:
    """How far the released numbers differ between neighbouring data sets, in query units.

    Attributes
    ----------
    l1, l2 : Δ₁ and Δ₂. They are exact where they are whole numbers, and rounded up in their last bits elsewhere.
    n_moved : an upper bound of how many numbers differ at once; infinite where no bound is known.
    largest : the most by which one cell (or one statistic) differs.
    equal : whether no number differs by more than `largest`. A total differs by more where a person is in several
        cells.
    whole : whether the answers are known to differ by whole numbers only, so that noise on the whole numbers may be
        used. A sum is whole if the values are.

    The other fields describe the difference of the largest norm: `_numbers` of its entries have the size
    `_unit` · `_sizes`, for each position of the last axis.
    """

    l1: Array
    l2: Array
    n_moved: Array
    largest: Array
    equal: NDArray[np.bool_]
    whole: NDArray[np.bool_]
    _unit: Array
    _sizes: Array
    _numbers: Array

    @property
    def single(self) -> NDArray[np.bool_]:
        """Whether neighbouring answers differ in one number only, so that Δ₁ = Δ₂."""
        return cast("NDArray[np.bool_]", self.n_moved == 1)

    def lp(self, p: ArrayLike) -> Array:
        """Return Δ_p = u (Σ_g n_g s_g^p)^{1/p}, where n_g numbers differ by u s_g each, for p in [1, 100].

        Δ_p is in query units, equal to `l1` at p = 1 and to `l2` at p = 2, and above the formula's value by a relative
        (8 + G + ln Σ_g n_g)·2⁻⁵² at most elsewhere, where G is the number of groups (own error analysis).

        Examples
        --------
        >>> print(f"{table_sensitivity(8).lp(3):.4f}")
        2.0000
        """
        p = number("p", p, SHAPE_RANGE)
        numbers, n_groups = self._numbers, self._numbers.shape[-1]
        sizes = np.where(numbers > 0, self._sizes, 0.0)
        most = np.max(sizes, axis=-1, initial=0)
        with np.errstate(under="ignore"):
            share = sizes / np.where(most > 0, most, 1.0)[..., None]
            total = np.sum(numbers * share ** p[..., None], axis=-1)
        root = np.where(total > 0, total, 1.0) ** (1 / p)
        above = round_up(self._unit * most * root, 8 + n_groups + np.log(np.maximum(total, 1.0)))
        size = np.where(_is_alone(sizes, numbers), self._unit * most, above)
        return np.where(p == 1, self.l1, np.where(p == 2, self.l2, size))[()]


def query_sensitivity(
    query: str, neighbours: str = "add_remove", low: ArrayLike = 0.0, high: ArrayLike = 1.0, n_records: ArrayLike = 1
) -> Sensitivity:
    """Return the sensitivity of a query on data in which each person has one record (own, from the definition).

    A count of the records with a property has Δ = 1. A sum of values in [lo, hi] has Δ = max(|lo|, |hi|) under
    add/remove and hi − lo under replace. A histogram has Δ = 1 under add/remove, and Δ₁ = 2, Δ₂ = √2 under replace. A
    mean of values in [lo, hi], and a proportion (hi − lo = 1), have Δ = (hi − lo)/n under both relations, where n is
    public; under add/remove the number of records itself is not protected.

    Parameters
    ----------
    query : one of `QUERIES`.
    neighbours : one of `NEIGHBOURS`.
    low, high : the range of a record's value in [-1e15, 1e15], in query units, with high − low at least 1e-30. Only a
        sum and a mean use them; other queries ignore them.
    n_records : n, a whole number in [1, 1e12], of a mean or a proportion; other queries ignore it. Under `"replace"`
        it is the public number of records. Under `"add_remove"`, where neighbours never have the same number of
        records, it is a public lower bound of the number in every data set.

    Returns
    -------
    A `Sensitivity` of the arguments' common shape, above the true value by a relative 1.2e-15 at most.

    Raises
    ------
    ValueError
        if an argument that the query uses lies outside its range.

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
    if query in ("count", "histogram"):
        return table_sensitivity(1, 1.0, neighbours, n_cells=1 if query == "count" else None)
    if query == "proportion":
        low, high = 0.0, 1.0
    low, high = np.broadcast_arrays(number("low", low, BOUND_RANGE), number("high", high, BOUND_RANGE))
    refuse("high", high, ~(high > low), "(low, 1e15]")
    width = _difference_up(high, low)
    refuse("high − low", width, width < LEAST_WIDTH, f"[{LEAST_WIDTH}, 2e15]")
    if query in ("mean", "proportion"):
        share = np.nextafter(width / integer("n_records", n_records, RECORDS_RANGE), np.inf)
        return _of_one_number(share, np.zeros(share.shape, np.bool_))
    size = width if neighbours == "replace" else np.maximum(abs(low), abs(high))
    return _of_one_number(size, (np.floor(low) == low) & (np.floor(high) == high) & (size <= _MOST_WHOLE))


def table_sensitivity(
    cells_per_person: ArrayLike = 1,
    per_cell: ArrayLike = 1.0,
    neighbours: str = "add_remove",
    margins: ArrayLike = 0,
    n_cells: ArrayLike | None = None,
) -> Sensitivity:
    """Return the sensitivity of a table in which a person is in up to k cells, with at most c in each.

    A person who is added or removed changes a = min(k, m) cells by at most c each. A person who is replaced takes as
    much from a cells and adds as much to b = min(a, m − a) others; a cell that both persons are in changes by at most
    c, since each adds between 0 and c to it. With b = 0 under add/remove, the cells have Δ₁ = c(a + b) and
    Δ₂ = c√(a + b) (own; for add/remove and k = 1, Liu 2019, §2).

    Margins are sets of totals that are released with noise of their own: the grand total, the totals by row. Each set
    splits the cells into groups, so a person adds at most ca to it in all: Δ₁ grows by c(a + b), which no summation
    can exceed, and Δ₂² by c²(a² + b²), which is reached where one group holds all a cells and another all b. For
    k = c = 1, each set has the effect of one more cell per person. Totals that are computed from the noisy cells cost
    nothing and are no margins here.

    Parameters
    ----------
    cells_per_person : k, a whole number in [1, 1e15].
    per_cell : c in [1e-15, 1e15], in the unit of the table: a person adds between 0 and c to a cell.
    neighbours : one of `NEIGHBOURS`.
    margins : how many sets of totals are released beside the cells, a whole number in [0, 1000].
    n_cells : m, the number of cells of the table, a whole number in [1, 1e15], if it is known: nobody is in more.

    Returns
    -------
    A `Sensitivity` of the arguments' common shape, above the formulas' values by a relative 1.2e-15 at most.

    Raises
    ------
    ValueError
        if an argument lies outside its range.

    Examples
    --------
    >>> sensitivity = table_sensitivity(3, neighbours="replace")
    >>> print(f"{sensitivity.l1:.0f}, {sensitivity.l2:.4f}")
    6, 2.4495
    """
    k, c = integer("cells_per_person", cells_per_person, CELLS_RANGE), number("per_cell", per_cell, PER_CELL_RANGE)
    option("neighbours", neighbours, NEIGHBOURS)
    margins = integer("margins", margins, MARGINS_RANGE)
    m = np.asarray(np.inf) if n_cells is None else integer("n_cells", n_cells, CELLS_RANGE)
    a, c, margins, m = np.broadcast_arrays(np.minimum(k, m), c, margins, m)
    b = np.minimum(a, m - a) if neighbours == "replace" else np.zeros_like(a)
    return _of_largest_difference(
        unit=c,
        sizes=np.stack([np.ones_like(a), a, b], axis=-1),
        numbers=np.stack([a + b, margins, margins], axis=-1),
        n_moved=(a + b) * (1 + margins),
        largest=c,
        equal=(margins == 0) | (a == 1),
        is_whole=np.floor(c) == c,
    )


def capped_sensitivity(
    cap: ArrayLike, per_place: ArrayLike | None = None, neighbours: str = "add_remove", ends: str = "one"
) -> Sensitivity:
    r"""Return the sensitivity of counts by place, where a person counts for at most T in all and c ≤ T at one place.

    What a person adds is a vector x of the polytope {0 ≤ x_j ≤ c, Σx_j ≤ T}. Its ‖x‖_p is convex in x, so it is
    largest at a corner, and a corner has at most one entry that is neither 0 nor c: ⌊T/c⌋ entries are c and one is
    T mod c, for whole and for real weights. This is A_p(T, c) = (c^p⌊T/c⌋ + (T mod c)^p)^{1/p}. It is reached where
    there are ⌈T/c⌉ places or more; with fewer it is a bound (own).

    For trips counted at one end, Δ_p = A_p when a person is added or removed. A person who is replaced takes x away
    and brings x′; both are non-negative, so |x_j − x′_j|^p ≤ x_j^p + x′_j^p and Δ_p = 2^{1/p} A_p, reached by two
    persons who share no place. Counts of both ends, released as two tables, differ by x and z, each in the polytope:
    2^{1/p} A_p, reached, and 2^{1/p} as much again for "replace". Both ends summed into one count differ by x + z, at
    most ‖x‖ + ‖z‖ ≤ 2A_p, reached where each trip ends where it starts; and 2^{1/p} as much for "replace".

    Parameters
    ----------
    cap : T in [1e-6, 1e6], in trips, or in the unit in which they are weighed.
    per_place : c in [1e-6, 1e6], for starts at one place and apart from them for ends; None for T. Above T it is T.
    neighbours : one of `NEIGHBOURS`.
    ends : "one" for a table of starts or of ends, "both" for the two tables, "sum" for one table of starts plus ends.

    Returns
    -------
    A `Sensitivity` of the arguments' common shape, above the formulas' values by a relative 1.2e-15 at most. Its
    `n_moved` is infinite and `whole` is False, since weights may be fractions.

    Raises
    ------
    ValueError
        if an argument lies outside its range.

    Notes
    -----
    The sensitivity covers a person only if the cap is enforced, as `dpcore.places.capped_weight` does, and if the
    places are public.

    Examples
    --------
    >>> print(capped_sensitivity(10).l2, capped_sensitivity(9, per_place=1, ends="sum").l2)
    10.0 6.0
    >>> print(f"{capped_sensitivity(10, per_place=3).l2:.4f}")
    5.2915
    """
    total = number("cap", cap, CAP_RANGE)
    most = total if per_place is None else number("per_place", per_place, CAP_RANGE)
    option("neighbours", neighbours, NEIGHBOURS)
    option("ends", ends, ENDS)
    total, most = np.broadcast_arrays(total, most)
    most = np.minimum(most, total)
    n_full, rest = np.divmod(total, most)  # The rest is exact.
    per_person = 2.0 if ends == "sum" else 1.0
    n_tables = (2.0 if ends == "both" else 1.0) * (2.0 if neighbours == "replace" else 1.0)
    return _of_largest_difference(
        unit=np.ones_like(total),
        sizes=np.stack([per_person * most, per_person * rest], axis=-1),
        numbers=np.stack([n_tables * n_full, np.full_like(rest, n_tables)], axis=-1),
        n_moved=np.full_like(total, np.inf),
        largest=per_person * most,
        equal=np.ones(total.shape, np.bool_),
        is_whole=np.zeros(total.shape, np.bool_),
    )


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
    unit = np.where(np.all(np.floor(sensitivities) == sensitivities, axis=-1) & (largest < _EXACT), 1.0, largest)
    return _of_largest_difference(
        unit=unit,
        sizes=sensitivities / unit[..., None],
        numbers=np.ones_like(sensitivities),
        n_moved=np.count_nonzero(sensitivities, axis=-1) * 1.0,
        largest=largest,
        equal=np.ones(largest.shape, np.bool_),
        is_whole=np.zeros(largest.shape, np.bool_),
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
    return statistics_sensitivity(_difference_up(high, low))


def _of_one_number(size: Array, is_whole: NDArray[np.bool_]) -> Sensitivity:
    """Return the sensitivity of one number that differs by at most `size`."""
    size, is_whole = np.broadcast_arrays(size, is_whole)
    ones = np.ones_like(size)
    return _of_largest_difference(size, ones[..., None], ones[..., None], ones, size, ones == 1, is_whole)


def _of_largest_difference(
    unit: Array,
    sizes: Array,
    numbers: Array,
    n_moved: Array,
    largest: Array,
    equal: NDArray[np.bool_],
    is_whole: NDArray[np.bool_],
) -> Sensitivity:
    """Return the sensitivity where, of the largest difference, n_g entries are u s_g each.

    Δ₁ = u Σ n_g s_g and Δ₂ = u √(Σ n_g s_g²) are exact where a single entry differs, and where all parts are whole
    numbers that doubles hold. Elsewhere each of s_g, n_g s_g^p, the G − 1 additions, the root and the last product is
    off by half a unit in the last place at most, which (6 + G)/2 units cover.
    """
    alone = _is_alone(sizes, numbers)
    entry = unit * np.max(np.where(numbers > 0, sizes, 0.0), axis=-1, initial=0)
    parts_whole = (np.floor(unit) == unit) & np.all(np.floor(sizes) == sizes, axis=-1)
    margin = (6 + sizes.shape[-1]) // 2 * ULP
    with np.errstate(under="ignore"):
        total, squares = np.sum(numbers * sizes, axis=-1), np.sum(numbers * sizes**2, axis=-1)

    def norm(size: Array, is_exact: NDArray[np.bool_]) -> Array:
        product = unit * size
        exact = parts_whole & is_exact & (product < _EXACT)
        return np.where(alone, entry, np.where(exact, product, product * (1 + margin)))[()]

    root = np.sqrt(squares)
    return Sensitivity(
        l1=norm(total, total < _EXACT),
        l2=norm(root, (squares < _EXACT) & (np.floor(root) == root) & (root**2 == squares)),
        n_moved=n_moved[()],
        largest=largest[()],
        equal=equal[()],
        whole=is_whole[()],
        _unit=unit,
        _sizes=sizes,
        _numbers=numbers,
    )


def _is_alone(sizes: Array, numbers: Array) -> NDArray[np.bool_]:
    """Whether one entry at most is not zero, so that every norm is that entry."""
    return np.sum(np.where(sizes > 0, numbers, 0.0), axis=-1) <= 1


def _difference_up(high: Array, low: Array) -> Array:
    """Return `high` − `low`, rounded up where it is not exact (Knuth's sum of two numbers with its error)."""
    difference = high - low
    back = difference - high
    error = (high - (difference - back)) - (low + back)
    return np.where(error > 0, np.nextafter(difference, np.inf), difference)
