"""Points counted by place, on a grid or at the nodes of a road graph, and capped so that noise covers a person.

All public names stand here.
"""

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy.spatial import KDTree

from dpcore.checks import Array, generator, inside, integer, number, refuse, scalar, scalar_integer
from dpcore.sensitivity import CAP_RANGE

__all__ = [
    "GRID_RANGE",
    "WITHIN_RANGE",
    "capped_weight",
    "grid_places",
    "nearest_places",
    "place_counts",
]

GRID_RANGE = "[1, 1000]"  # rows or columns
WITHIN_RANGE = "(0, 1e5]"  # metres
_PLACES_RANGE = "[1, 1e6]"
_LATITUDE, _LONGITUDE = "[-90, 90]", "[-180, 180]"
_EQUATOR, _FLATTENING = 6_378_137.0, 1 / 298.257223563  # of WGS 84, in metres and as a share

Places = NDArray[np.int64]


def grid_places(
    lat: ArrayLike, lon: ArrayLike, rows: int, columns: int, box: tuple[float, float, float, float]
) -> Places:
    """Return the cell of a regular grid of degrees in which each point lies, −1 for a point in none.

    Cells are numbered row by row from the south-western one: row·columns + column. A cell has its southern and western
    sides; the box has its northern and eastern ones too.

    The box has to be public: known without the points, as a city's limits are. One taken from the points moves when
    the outermost person leaves, by more than any noise for the counts covers.

    Parameters
    ----------
    lat, lon : degrees in [-90, 90] and [-180, 180], of one shape; NaN for a point without a place.
    rows, columns : of the grid, whole numbers in [1, 1000].
    box : its south, west, north and east in degrees; it can't lie across the 180th meridian.

    Examples
    --------
    >>> grid_places([40.71, 40.79, 41], [-74.0, -73.9, -74.0], 2, 2, box=(40.7, -74.1, 40.8, -73.9))
    array([ 1,  3, -1])
    """
    lat, lon = _points(lat, lon)
    n_rows, n_columns = scalar_integer("rows", rows, GRID_RANGE), scalar_integer("columns", columns, GRID_RANGE)
    south, west, north, east = _box(box)
    within = (lat >= south) & (lat <= north) & (lon >= west) & (lon <= east)  # NaN is in no box
    row = np.minimum((lat[within] - south) / (north - south) * n_rows, n_rows - 1)
    column = np.minimum((lon[within] - west) / (east - west) * n_columns, n_columns - 1)
    place = np.full(lat.shape, -1, dtype=np.int64)
    place[within] = row.astype(np.int64) * n_columns + column.astype(np.int64)
    return place


def nearest_places(
    lat: ArrayLike, lon: ArrayLike, node_lat: ArrayLike, node_lon: ArrayLike, within_m: float = 250
) -> Places:
    """Return the index of the node nearest to each point, −1 where none is within `within_m` metres.

    Distances are straight lines between points of the ellipsoid WGS 84, shorter than along the ground by 10⁻⁵ at
    100 km and less below. The nodes have to be public, as a city's map is.

    Parameters
    ----------
    lat, lon : of the points, degrees in [-90, 90] and [-180, 180], of one shape; NaN for a point without a place.
    node_lat, node_lon : of the nodes, at least one, along one axis.
    within_m : metres in (0, 10⁵].

    Examples
    --------
    >>> nearest_places([40.7001, 40.71], [-74.0, -74.0], node_lat=[40.7, 40.8], node_lon=[-74.0, -74.0])
    array([ 0, -1])
    """
    lat, lon = _points(lat, lon)
    node_lat, node_lon = number("node_lat", node_lat, _LATITUDE), number("node_lon", node_lon, _LONGITUDE)
    if node_lat.ndim != 1 or node_lat.shape != node_lon.shape or not node_lat.size:
        raise ValueError(
            f"node_lat and node_lon must be in one axis of one length, got {node_lat.shape} and {node_lon.shape}"
        )
    limit = scalar("within_m", within_m, WITHIN_RANGE)
    place = np.full(lat.shape, -1, dtype=np.int64)
    known = ~np.isnan(lat)
    distance, node = KDTree(_metres(node_lat, node_lon)).query(_metres(lat[known], lon[known]))
    place[known] = np.where(distance <= limit, node, -1)
    return place


def place_counts(place: ArrayLike, n_places: int, weight: ArrayLike = 1) -> Array:
    """Return how many points each place has, or the sum of their weights; those of place −1 count nowhere.

    Parameters
    ----------
    place : whole numbers in [-1, n_places), as `grid_places` and `nearest_places` give them.
    n_places : in [1, 10⁶].
    weight : of each point, a number or of the shape of `place`, in [0, 10⁶].

    Returns
    -------
    `n_places` numbers; for a grid, `.reshape(rows, columns)` has its southern row first.

    Examples
    --------
    >>> place_counts([0, 2, 2, -1], 3)
    array([1., 0., 2.])
    """
    size = scalar_integer("n_places", n_places, _PLACES_RANGE)
    index = places("place", place)
    refuse("place", index.astype(np.float64), index >= size, "the whole numbers of [-1, n_places)")
    row_weights = weights(weight, index.shape)
    counted = index >= 0
    return np.bincount(index[counted], weights=row_weights[counted], minlength=size).astype(np.float64)


def places(name: str, value: ArrayLike) -> Places:
    """Places as whole numbers from −1 on.

    >>> places("place", [0, -1])
    array([ 0, -1])
    """
    return integer(name, value, "[-1, 1e6]").astype(np.int64)


def weights(value: ArrayLike, shape: tuple[int, ...]) -> Array:
    """Return the weights of points, of the shape of the points.

    >>> weights(1, (2,))
    array([1., 1.])
    """
    array = number("weight", value, "[0, 1e6]")
    if array.shape not in ((), shape):
        raise ValueError(f"weight must be in one number or the shape {shape}, got the shape {array.shape}")
    return np.broadcast_to(array, shape)


def _points(lat: ArrayLike, lon: ArrayLike) -> tuple[Array, Array]:
    """Return both coordinates of points, NaN in both where one is missing."""
    lat, lon = _degrees("lat", lat, _LATITUDE), _degrees("lon", lon, _LONGITUDE)
    if lat.shape != lon.shape:
        raise ValueError(f"lat and lon must be in one shape, got {lat.shape} and {lon.shape}")
    missing = np.isnan(lat) | np.isnan(lon)
    return np.where(missing, np.nan, lat), np.where(missing, np.nan, lon)


def _degrees(name: str, value: ArrayLike, interval: str) -> Array:
    array = np.asarray(value)
    if array.dtype.kind == "f":
        refuse(name, array, ~(np.isnan(array) | inside(array, interval)), interval)
        return array.astype(np.float64)
    return number(name, value, interval)


def _box(box: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
    south, west, north, east = box
    south, north = scalar("south", south, _LATITUDE), scalar("north", north, _LATITUDE)
    west, east = scalar("west", west, _LONGITUDE), scalar("east", east, _LONGITUDE)
    for name, high, low in (("north", north, south), ("east", east, west)):
        refuse(
            name, np.asarray(high), np.asarray(high - low < 1e-6), f"[{low:g} + 1e-6, {90 if name == 'north' else 180}]"
        )
    return south, west, north, east


def _metres(lat: Array, lon: Array) -> Array:
    """Points of the ellipsoid as metres from its centre, along the last axis."""
    north, east = np.radians(lat), np.radians(lon)
    eccentricity = _FLATTENING * (2 - _FLATTENING)
    normal = _EQUATOR / np.sqrt(1 - eccentricity * np.sin(north) ** 2)
    flat = normal * np.cos(north)
    return np.stack([flat * np.cos(east), flat * np.sin(east), (1 - eccentricity) * normal * np.sin(north)], axis=-1)


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
    array = integer("person", person, "[-1, 1e15]")
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
