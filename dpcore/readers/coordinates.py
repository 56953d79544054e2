"""Which coordinates are places on the globe, and what those that are none may be."""

import numpy as np

from dpcore.checks import Array

_REFUSED = 0.1  # of the rows with coordinates, those outside the globe: of more, the columns can't be meant


def without_place(lat: Array, lon: Array, line: Array) -> list[str]:
    """Mark as NaN the rows that have no place on the globe, and say how many there are and why."""
    missing = np.isnan(lat) | np.isnan(lon)
    outside = ~missing & ~((np.abs(lat) <= 90) & (np.abs(lon) <= 180))
    zero = (lat == 0) & (lon == 0)
    if outside.sum() > _REFUSED * np.sum(~missing):
        first = int(np.argmax(outside))
        raise ValueError(f"line {line[first]:.0f}: {_why_outside(float(lat[first]), float(lon[first]))}")
    said = []
    if missing.any():
        said.append(f"Rows without a latitude or a longitude are left out: {missing.sum():,}.")
    if zero.any():
        said.append(
            f"Rows at latitude 0, longitude 0, which devices write for an unknown place, are left out: {zero.sum():,}."
        )
    if outside.any():
        first = int(np.argmax(outside))
        where = f"the first is line {line[first]:.0f} (latitude {lat[first]:.8g}, longitude {lon[first]:.8g})"
        said.append(f"Rows outside the globe are left out: {outside.sum():,}; {where}.")
    lat[missing | outside | zero] = lon[missing | outside | zero] = np.nan
    return said


def _why_outside(lat: float, lon: float) -> str:
    """What is wrong with coordinates outside the globe."""
    if abs(lat) <= 180 and abs(lon) <= 90:
        why = f"and the longitude is {lon:.8g}: the columns may be swapped"
    elif abs(lat) > 360 or abs(lon) > 360:
        why = "so the columns may hold metres or feet of a map; give degrees"
    else:
        why = "so it is no place on the globe"
    if abs(lat) <= 90:
        return f"a longitude is from -180 to 180 degrees, here it is {lon:.8g}, {why}"
    return f"a latitude is from -90 to 90 degrees, here it is {lat:.8g}, {why}"


def extent_said(lat: Array, lon: Array, n_rows: int) -> str:
    """Where the rows that have a place lie, and whether that looks as if their coordinates were swapped."""
    extent = f"latitude {lat.min():.4f} to {lat.max():.4f}, longitude {lon.min():.4f} to {lon.max():.4f}"
    said = f"Of {n_rows:,} {'row' if n_rows == 1 else 'rows'}, {len(lat):,} have a place: {extent}."
    if abs(np.median(lat)) > 72:
        return f"{said} Half of the points lie in the Arctic or in Antarctica, so the columns may be swapped."
    return said
