r"""What one person adds to counts by place: capped row by row, and how far that moves the counts.

A person counts for at most T in all and for at most c ≤ T at one place. What it adds is a vector x of the polytope
{0 ≤ x_j ≤ c, Σx_j ≤ T}. Its ‖x‖₂ is convex in x, so it is largest at a corner, and a corner has at most one entry that
is neither 0 nor c: ⌊T/c⌋ entries are c and one is T mod c,

    A(T, c) = √(c²⌊T/c⌋ + (T mod c)²),

for whole and for real weights. It is reached where there are ⌈T/c⌉ places or more; with fewer it is a bound.
"""

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from dpcore._normal import ULP
from dpcore.checks import Array, generator, number, one, one_whole, option, refuse
from dpcore.places.counting import places, weights

CAP_RANGE = "[1e-6, 1e6]"  # in the unit of the weights
NEIGHBOURS = ("add_remove", "replace")
ENDS = ("one", "both", "sum")
_QUANTUM = 2.0**-20  # weights are whole multiples of it, so that their sums are exact
_ROWS_RANGE = "[0, 8e6]"  # of which each may have 1e6, so that sums of quanta stay below 2⁶³
_EXACT = 2.0**53  # up to here a whole number is a double


def trips_sensitivity(
    cap: ArrayLike, per_place: ArrayLike | None = None, neighbours: str = "add_remove", ends: str = "one"
) -> Array:
    r"""Return Δ₂ of counts by place, where a person makes at most T trips, and at most c of them at one place.

    With A of this module's head and trips counted at one end, Δ₂ = A when a person is added or removed. A person who
    is replaced takes x away and brings x′; x·x′ ≥ 0, so ‖x − x′‖² ≤ ‖x‖² + ‖x′‖² ≤ 2A²: Δ₂ = √2 A, reached by two
    persons who share no place. Counts of both ends, released as two tables, move by x and z, each in the polytope:
    √2 A, reached, and √2 as much again for "replace". Both ends summed into one count move by x + z, at most
    ‖x‖ + ‖z‖ ≤ 2A, reached where each trip ends where it starts; and √2 as much for "replace".

    Parameters
    ----------
    cap : T in [1e-6, 1e6], in trips, or in the unit in which they are weighed.
    per_place : c in [1e-6, 1e6], for starts at one place and apart from them for ends; None for T. Above T it is T.
    neighbours : "add_remove" for one person more or less, "replace" for one person changed into another.
    ends : "one" for a table of starts or of ends, "both" for the two tables, "sum" for one table of starts plus ends.

    Returns
    -------
    Δ₂ in the arguments' common shape: a whole number where it is one, else rounded up in its last bits.

    Notes
    -----
    Δ₂ covers a person only if the cap is enforced, as `capped_weight` does, and if the places are public.

    Examples
    --------
    >>> print(trips_sensitivity(10), trips_sensitivity(9, per_place=1, ends="sum"))
    10.0 6.0
    >>> print(f"{trips_sensitivity(10, per_place=3):.4f}")
    5.2915
    """
    total = number("cap", cap, CAP_RANGE)
    most = total if per_place is None else number("per_place", per_place, CAP_RANGE)
    option("neighbours", neighbours, NEIGHBOURS)
    option("ends", ends, ENDS)
    total, most = np.broadcast_arrays(total, most)
    most = np.minimum(most, total)
    n_full, rest = np.divmod(total, most)  # the rest is exact
    factor = {"one": 1, "both": 2, "sum": 4}[ends] * (2 if neighbours == "replace" else 1)
    squares = factor * (most**2 * n_full + rest**2)
    root = np.sqrt(squares)
    whole = (np.floor(total) == total) & (np.floor(most) == most) & (squares < _EXACT)
    exact = whole & (np.floor(root) == root) & (root**2 == squares)
    return np.where(exact, root, root * (1 + 4 * ULP))[()]


def capped_weight(
    person: ArrayLike,
    place: ArrayLike,
    cap: float,
    per_place: float | None = None,
    weight: ArrayLike = 1,
    rng: np.random.Generator | None = None,
) -> Array:
    """Return what each row may count for, so that no person counts for more than the caps.

    A person's rows are gone through in turn. Each keeps its weight as long as the person's rows at that place have
    `per_place` at most, and all of the person's rows `cap`; what is above is cut off. So with whole caps and weight 1 a
    row is kept or not. What a row counts for depends on no other person's rows; in a random order its distribution
    doesn't.

    Parameters
    ----------
    person : of each row a whole number in [-1, 1e15]; −1 for nobody known, whose rows can't be capped and count 0. At
        most 8e6 rows.
    place : of each row, as `grid_places` and `nearest_places` give it; rows at −1 count 0 and don't fill the cap. For
        trips counted at both ends the shape (2, rows): `per_place` holds for starts and for ends, a trip has one
        weight, and it counts unless both its places are −1.
    cap, per_place : in [1e-6, 1e6]; None for no cap per place.
    weight : a number or one for each row, in [0, 1e6].
    rng : the source of a random order of the rows; without it they are taken in the order of the file.

    Returns
    -------
    The weights, of the shape of `person`, rounded down to multiples of 2⁻²⁰, in which sums up to 2³³ are exact.

    Examples
    --------
    >>> capped_weight([0, 0, 0, 1], [5, 5, 6, 5], cap=2, per_place=1)
    array([1., 0., 1., 1.])
    """
    owner = _owners(person)
    where = _wheres(place, len(owner))
    limit = _quanta(one("cap", cap, CAP_RANGE))
    most = limit if per_place is None else _quanta(one("per_place", per_place, CAP_RANGE))
    left = _quanta(weights(weight, owner.shape))
    left = np.where((owner >= 0) & (where >= 0).any(axis=0), np.minimum(left, min(limit, most)), 0)
    order = np.arange(len(owner))
    if rng is not None:
        generator("rng", rng)
        order = rng.permutation(len(owner))
    left = left[order]
    for end in where[:, order]:
        left = np.where(end < 0, left, _within(left, [owner[order], end], most))
    left = _within(left, [owner[order]], limit)
    result = np.empty(len(owner))
    result[order] = left * _QUANTUM
    return result


def _owners(person: ArrayLike) -> NDArray[np.int64]:
    array = number("person", person, "[-1, 1e15]")
    refuse("person", array, np.floor(array) != array, "the whole numbers of [-1, 1e15]")
    if array.ndim != 1:
        raise ValueError(f"person must be in one axis, got the shape {array.shape}")
    one_whole("number of rows", len(array), _ROWS_RANGE)
    return array.astype(np.int64)


def _wheres(place: ArrayLike, n_rows: int) -> NDArray[np.int64]:
    array = np.atleast_2d(places("place", place))
    if array.shape not in ((1, n_rows), (2, n_rows)):
        raise ValueError(f"place must be in the shape ({n_rows},) or (2, {n_rows}), got {np.shape(place)}")
    return array


def _quanta(weight: ArrayLike) -> NDArray[np.int64]:
    return np.floor(np.asarray(weight) / _QUANTUM).astype(np.int64)


def _within(weight: NDArray[np.int64], group: list[NDArray[np.int64]], most: NDArray[np.int64]) -> NDArray[np.int64]:
    """Cut weights so that the first of each group keep theirs until they have `most` together."""
    through = pd.Series(weight).groupby(group).cumsum().to_numpy()
    return np.minimum(through, most) - np.minimum(through - weight, most)
