"""The record of a sensitivity, that of a table with contribution limits, and of counts with a limited total."""

from dataclasses import dataclass
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore.checks import CELLS_RANGE, SHAPE_RANGE, Array, PlainRecord, integer, number, option, refuse
from dpcore.rounding import ULP, round_up

NEIGHBOURS = ("add_remove", "replace")
LARGEST_WHOLE_DOUBLE = 2.0**53  # A whole number below this limit is a double.


class Difference(NamedTuple):
    """A difference of released numbers: `numbers` of its entries have the size `unit` · `sizes`, for each position of
    the last axis.
    """

    unit: Array
    sizes: Array
    numbers: Array

    @property
    def is_alone(self) -> NDArray[np.bool_]:
        """Whether one entry at most is not zero, so that every norm is that entry."""
        return np.sum(np.where(self.sizes > 0, self.numbers, 0.0), axis=-1) <= 1


@dataclass(frozen=True)
class Sensitivity(PlainRecord):
    """The largest differences of the released numbers between neighbouring data sets, in query units.

    Attributes
    ----------
    l1, l2 : Δ₁ and Δ₂. They are exact where they are whole numbers, and rounded up in their last bits elsewhere.
    n_moved : an upper bound of how many numbers differ at once; infinite where no bound is known.
    largest : the most by which one cell (or one statistic) differs.
    equal : whether no number differs by more than `largest`. A total differs by more where a person is in several
        cells.
    whole : whether the answers are known to differ by whole numbers only, so that noise on the whole numbers may be
        used. A sum is whole if the values are.

    The last field is the difference of the largest norm.
    """

    l1: Array
    l2: Array
    n_moved: Array
    largest: Array
    equal: NDArray[np.bool_]
    whole: NDArray[np.bool_]
    _difference: Difference

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
        >>> from dpcore.sensitivity import table_sensitivity
        >>> print(f"{table_sensitivity(8).lp(3):.4f}")
        2.0000
        """
        p = number("p", p, SHAPE_RANGE)
        unit, sizes, numbers = self._difference
        sizes = np.where(numbers > 0, sizes, 0.0)
        most = np.max(sizes, axis=-1, initial=0)
        with np.errstate(under="ignore"):
            share = sizes / np.where(most > 0, most, 1.0)[..., None]
            total = np.sum(numbers * share ** p[..., None], axis=-1)
        root = np.where(total > 0, total, 1.0) ** (1 / p)
        above = round_up(unit * most * root, 8 + numbers.shape[-1] + np.log(np.maximum(total, 1.0)))
        size = np.where(self._difference.is_alone, unit * most, above)
        return np.where(p == 1, self.l1, np.where(p == 2, self.l2, size))[()]


def of_one_number(size: Array, is_whole: ArrayLike = False) -> Sensitivity:
    """Return the sensitivity of one number that differs by at most `size`."""
    ones = np.ones_like(size)
    return of_largest_difference(Difference(size, ones[..., None], ones[..., None]), ones, size, is_whole=is_whole)


def of_largest_difference(
    difference: Difference, n_moved: Array, largest: Array, equal: ArrayLike = True, is_whole: ArrayLike = False
) -> Sensitivity:
    """Return the sensitivity where, of the largest difference, n_g entries are u s_g each.

    Δ₁ = u Σ n_g s_g and Δ₂ = u √(Σ n_g s_g²) are exact where a single entry differs, and where all parts are whole
    numbers that doubles hold. Elsewhere each of s_g, n_g s_g^p, the G − 1 additions, the root and the last product is
    off by half a unit in the last place at most, which (6 + G)/2 units cover.
    """
    unit, sizes, numbers = difference
    alone = difference.is_alone
    entry = unit * np.max(np.where(numbers > 0, sizes, 0.0), axis=-1, initial=0)
    parts_whole = (np.floor(unit) == unit) & np.all(np.floor(sizes) == sizes, axis=-1)
    margin = (6 + sizes.shape[-1]) // 2 * ULP
    with np.errstate(under="ignore"):
        total, squares = np.sum(numbers * sizes, axis=-1), np.sum(numbers * sizes**2, axis=-1)

    def norm(size: Array, is_exact: NDArray[np.bool_]) -> Array:
        product = unit * size
        exact = parts_whole & is_exact & (product < LARGEST_WHOLE_DOUBLE)
        return np.where(alone, entry, np.where(exact, product, product * (1 + margin)))[()]

    root = np.sqrt(squares)
    return Sensitivity(
        l1=norm(total, total < LARGEST_WHOLE_DOUBLE),
        l2=norm(root, (squares < LARGEST_WHOLE_DOUBLE) & (np.floor(root) == root) & (root**2 == squares)),
        n_moved=n_moved[()],
        largest=largest[()],
        equal=np.broadcast_to(equal, largest.shape)[()],
        whole=np.broadcast_to(is_whole, largest.shape)[()],
        _difference=difference,
    )


ENDS = ("one", "both", "sum")
PER_CELL_RANGE = "[1e-15, 1e15]"  # what a person adds to one cell, in the unit of the table
MARGINS_RANGE = "[0, 1000]"
PERIODS_RANGE = "[1, 1e6]"
CAP_RANGE = "[1e-6, 1e6]"  # in the unit of the weights
MOST_WHOLE = 1e15  # the largest sensitivity of whole-numbered noise


def table_sensitivity(
    cells_per_person: ArrayLike = 1,
    per_cell: ArrayLike = 1.0,
    neighbours: str = "add_remove",
    margins: ArrayLike = 0,
    n_cells: ArrayLike | None = None,
    cap: ArrayLike | None = None,
    n_periods: ArrayLike = 1,
) -> Sensitivity:
    """Return the sensitivity of a table in which a person is in up to k cells, with at most c in each and N in all.

    A person who is added or removed changes a = min(k, m) cells by at most c each. A person who is replaced takes as
    much from a cells and adds as much to b = min(a, m − a) others; a cell that both persons are in changes by at most
    c, since each adds between 0 and c to it. With b = 0 under add/remove, the cells have Δ₁ = c(a + b) and
    Δ₂ = c√(a + b) (own; for add/remove and k = 1, Liu 2019, §2).

    Margins are sets of totals that are released with noise of their own: the grand total, the totals by row. Each set
    splits the cells into groups, so a person adds at most ca to it in all: Δ₁ grows by c(a + b), which no summation
    can exceed, and Δ₂² by c²(a² + b²), which is reached where one group holds all a cells and another all b. For
    k = c = 1, each set has the effect of one more cell per person. Totals that are computed from the noisy cells cost
    nothing and are no margins here.

    With a cap, a person adds at most N in all in each of P periods, into which the cells are split: at most 4 visits a
    year in the 36 cells of three years. Then f = min(k, P⌊N/c⌋) cells change by c and g = min(k − f, P) by N mod c:
    Δ_p = (f c^p + g (N mod c)^p)^{1/p}, by the argument of `capped_sensitivity`, and of a replaced person 2f and 2g
    cells as far as there are so many. It is reached where each period has ⌈N/c⌉ cells or more; with fewer it is a
    bound. Each set of totals adds the A = fc + g(N mod c) of one person and what is left for the other.

    Parameters
    ----------
    cells_per_person : k, a whole number in [1, 1e15].
    per_cell : c in [1e-15, 1e15], in the unit of the table: a person adds between 0 and c to a cell.
    neighbours : one of `NEIGHBOURS`.
    margins : how many sets of totals are released beside the cells, a whole number in [0, 1000].
    n_cells : m, the number of cells of the table, a whole number in [1, 1e15], if it is known: nobody is in more.
    cap : N in [1e-15, 1e15], in the unit of the table; None where only k and c limit what a person adds.
    n_periods : P, a whole number in [1, 1e6]: N is the limit in each of so many periods. Only with a cap.

    Returns
    -------
    A `Sensitivity` of the arguments' common shape, above the formulas' values by a relative 1.2e-15 at most. Its
    `n_moved` is that of a person who adds 1 to as many cells as the limits allow, and where a cap leaves fewer cells
    that change by c, the numbers are not `equal`.

    Raises
    ------
    ValueError
        if an argument lies outside its range, and for periods without a cap.

    Examples
    --------
    >>> sensitivity = table_sensitivity(3, neighbours="replace")
    >>> print(f"{sensitivity.l1:.0f}, {sensitivity.l2:.4f}")
    6, 2.4495
    >>> visits = table_sensitivity(36, 4, n_cells=36, cap=4, n_periods=3)  # 36 months, at most 4 visits a year
    >>> print(f"{visits.l1:.0f}, {visits.l2:.4f}")
    12, 6.9282
    """
    k, c = integer("cells_per_person", cells_per_person, CELLS_RANGE), number("per_cell", per_cell, PER_CELL_RANGE)
    option("neighbours", neighbours, NEIGHBOURS)
    margins = integer("margins", margins, MARGINS_RANGE)
    m = np.asarray(np.inf) if n_cells is None else integer("n_cells", n_cells, CELLS_RANGE)
    periods = integer("n_periods", n_periods, PERIODS_RANGE)
    refuse("n_periods without a cap", periods, (periods > 1) & (cap is None), "[1, 1]")
    total = np.asarray(np.inf) if cap is None else number("cap", cap, PER_CELL_RANGE)
    k, c, margins, m, total, periods = np.broadcast_arrays(np.minimum(k, m), c, margins, m, total, periods)
    full, rest, n_full, n_rest = _largest_person(k, np.minimum(c, total), total, periods)
    is_whole = (np.floor(c) == c) & (np.floor(total) == total)
    n_changed = np.where(is_whole, np.minimum(k, total * periods), k)  # as many as possible, by 1 each
    n_people = 2 if neighbours == "replace" else 1
    all_full = np.minimum(n_people * n_full, m)
    all_rest = np.minimum(n_people * n_rest, m - all_full)
    unit, is_limited = np.where(cap is None, full, 1.0), n_full < k
    sizes = np.stack([full, rest], axis=-1) / unit[..., None]
    own, both = (n * sizes[..., 0] + r * sizes[..., 1] for n, r in ((n_full, n_rest), (all_full, all_rest)))
    totals = np.stack([own, both - own], axis=-1)
    totals = np.where(np.floor(totals) == totals, totals, round_up(totals, 8))
    numbers = np.stack([all_full, all_rest, margins, margins], axis=-1)
    return of_largest_difference(
        Difference(unit, np.concatenate([sizes, totals], axis=-1), numbers),
        n_moved=np.minimum(n_people * n_changed, m) * (1 + margins),
        largest=full,
        equal=((margins == 0) & ~is_limited) | (n_changed == 1),
        is_whole=is_whole,
    )


def _largest_person(k: Array, c: Array, cap: Array, periods: Array | float) -> tuple[Array, Array, Array, Array]:
    """Return c, N mod c, and in how many cells a person adds each of the two at most, in k cells and P periods."""
    is_capped = np.isfinite(cap)
    n_full, rest = np.divmod(np.where(is_capped, cap, c), c)  # the rest is exact
    n_full = np.where(is_capped, np.minimum(k, periods * n_full), k)
    return c, rest, n_full, np.where(rest > 0, np.minimum(k - n_full, periods), 0.0)


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
    most, rest, n_full, n_rest = _largest_person(np.full_like(total, np.inf), np.minimum(most, total), total, 1.0)
    per_person = 2.0 if ends == "sum" else 1.0
    n_tables = (2.0 if ends == "both" else 1.0) * (2.0 if neighbours == "replace" else 1.0)
    sizes = np.stack([per_person * most, per_person * rest], axis=-1)
    return of_largest_difference(
        Difference(np.ones_like(total), sizes, np.stack([n_tables * n_full, n_tables * n_rest], axis=-1)),
        n_moved=np.full_like(total, np.inf),
        largest=per_person * most,
    )
