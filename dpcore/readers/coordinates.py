"""Coordinates of a file: which are places on the globe, and what the others may be."""

import numpy as np

from dpcore.checks import Array
from dpcore.readers.place_notes import PlacedRows, PlaceNote, RowsAtZero, RowsOutsideGlobe, RowsWithoutCoordinates

_MOST_OUTSIDE = 0.1  # With a larger share of the coordinates outside the globe, the columns cannot be the right ones.
_POLAR_LATITUDE = 72.0


def remove_outside(lat: Array, lon: Array, line: Array) -> list[PlaceNote]:
    """Set the coordinates of rows without a place on the globe to NaN, and return notes on these rows."""
    missing = np.isnan(lat) | np.isnan(lon)
    outside = ~missing & ~((np.abs(lat) <= 90) & (np.abs(lon) <= 180))
    zero = (lat == 0) & (lon == 0)
    first = int(np.argmax(outside))
    if outside.sum() > _MOST_OUTSIDE * np.sum(~missing):
        raise ValueError(f"line {line[first]:.0f}: {_reason_outside(float(lat[first]), float(lon[first]))}")
    notes: list[PlaceNote] = []
    if missing.any():
        notes.append(RowsWithoutCoordinates(int(missing.sum())))
    if zero.any():
        notes.append(RowsAtZero(int(zero.sum())))
    if outside.any():
        notes.append(RowsOutsideGlobe(int(outside.sum()), int(line[first]), float(lat[first]), float(lon[first])))
    lat[missing | outside | zero] = lon[missing | outside | zero] = np.nan
    return notes


def _reason_outside(lat: float, lon: float) -> str:
    """Return what is wrong with coordinates outside the globe."""
    if abs(lat) <= 180 and abs(lon) <= 90:
        reason = f"and the longitude is {lon:.8g}: the columns may be swapped"
    elif abs(lat) > 360 or abs(lon) > 360:
        reason = "so the columns may hold metres or feet of a map; give degrees"
    else:
        reason = "so it is not a place on the globe"
    if abs(lat) <= 90:
        return f"a longitude is from -180 to 180 degrees, here it is {lon:.8g}, {reason}"
    return f"a latitude is from -90 to 90 degrees, here it is {lat:.8g}, {reason}"


def placed_rows(lat: Array, lon: Array, n_rows: int) -> PlacedRows:
    """Return the extent of the places that some of `n_rows` rows have, and whether it looks like swapped coordinates.

    >>> placed_rows(np.array([40.0, 41.0]), np.array([-74.0, -73.0]), 3).lat
    (40.0, 41.0)
    """
    extents = [(float(degrees.min()), float(degrees.max())) for degrees in (lat, lon)]
    return PlacedRows(n_rows, len(lat), *extents, is_polar=bool(abs(np.median(lat)) > _POLAR_LATITUDE))
