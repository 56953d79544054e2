"""Contribution limits of counts by place, enforced row by row: no person counts for more than the caps.

`dpcore.sensitivity.capped_sensitivity` is the sensitivity of the counts that are left.
"""

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from dpcore.checks import Array, generator, number, refuse, scalar, scalar_integer
from dpcore.places.counting import places, weights
from dpcore.sensitivity import CAP_RANGE

_QUANTUM = 2.0**-20  # weights are whole multiples of it, so that their sums are exact
_ROWS_RANGE = "[0, 8e6]"  # of which each may have 1e6, so that sums of quanta stay below 2⁶³


def capped_weight(
    rng: np.random.Generator | None,
    person: ArrayLike,
    place: ArrayLike,
    cap: float,
    per_place: float | None = None,
    weight: ArrayLike = 1,
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
    >>> capped_weight(None, [0, 0, 0, 1], [5, 5, 6, 5], cap=2, per_place=1)
    array([1., 0., 1., 1.])
    """
    owner = _owners(person)
    where = _place_rows(place, len(owner))
    limit = _quanta(scalar("cap", cap, CAP_RANGE))
    most = limit if per_place is None else _quanta(scalar("per_place", per_place, CAP_RANGE))
    left = _quanta(weights(weight, owner.shape))
    left = np.where((owner >= 0) & (where >= 0).any(axis=0), np.minimum(left, min(limit, most)), 0)
    order = np.arange(len(owner))
    if rng is not None:
        generator("rng", rng)
        order = rng.permutation(len(owner))
    left = left[order]
    for end in where[:, order]:
        left = np.where(end < 0, left, _capped_weights(left, [owner[order], end], most))
    left = _capped_weights(left, [owner[order]], limit)
    result = np.empty(len(owner))
    result[order] = left * _QUANTUM
    return result


def _owners(person: ArrayLike) -> NDArray[np.int64]:
    array = number("person", person, "[-1, 1e15]")
    refuse("person", array, np.floor(array) != array, "the whole numbers of [-1, 1e15]")
    if array.ndim != 1:
        raise ValueError(f"person must be in one axis, got the shape {array.shape}")
    scalar_integer("number of rows", len(array), _ROWS_RANGE)
    return array.astype(np.int64)


def _place_rows(place: ArrayLike, n_rows: int) -> NDArray[np.int64]:
    array = np.atleast_2d(places("place", place))
    if array.shape not in ((1, n_rows), (2, n_rows)):
        raise ValueError(f"place must be in the shape ({n_rows},) or (2, {n_rows}), got {np.shape(place)}")
    return array


def _quanta(weight: ArrayLike) -> NDArray[np.int64]:
    return np.floor(np.asarray(weight) / _QUANTUM).astype(np.int64)


def _capped_weights(
    weight: NDArray[np.int64], group: list[NDArray[np.int64]], most: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Cut weights so that the first of each group keep theirs until they have `most` together."""
    through = pd.Series(weight).groupby(group).cumsum().to_numpy()
    return np.minimum(through, most) - np.minimum(through - weight, most)
