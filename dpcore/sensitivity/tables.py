"""The sensitivity of a table of counts with contribution limits, and of counts with a limited total for each person."""

import numpy as np
from numpy.typing import ArrayLike

from dpcore.checks import (
    CELLS_RANGE,
    integer,
    number,
    option,
)
from dpcore.sensitivity.record import NEIGHBOURS, Sensitivity, of_largest_difference

ENDS = ("one", "both", "sum")


PER_CELL_RANGE = "[1e-15, 1e15]"  # what a person adds to one cell, in the unit of the table


MARGINS_RANGE = "[0, 1000]"


CAP_RANGE = "[1e-6, 1e6]"  # in the unit of the weights


MOST_WHOLE = 1e15  # the largest sensitivity of whole-numbered noise


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
    return of_largest_difference(
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
    return of_largest_difference(
        unit=np.ones_like(total),
        sizes=np.stack([per_person * most, per_person * rest], axis=-1),
        numbers=np.stack([n_tables * n_full, np.full_like(rest, n_tables)], axis=-1),
        n_moved=np.full_like(total, np.inf),
        largest=per_person * most,
        equal=np.ones(total.shape, np.bool_),
        is_whole=np.zeros(total.shape, np.bool_),
    )
