"""Points on the globe, by latitude and longitude in degrees, with weights and names of persons, read from a file."""

from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from dpcore.checks import Array, option
from dpcore.readers.csv_file import Progress, chunks, ignore_progress
from dpcore.readers.file_columns import (
    FIRST_ROWS,
    NamedColumns,
    coordinate_pairs,
    is_missing,
    numeric_columns,
    open_named_columns,
    parse_numbers,
)
from dpcore.readers.notes import (
    AnonymousRows,
    CoordinateColumns,
    PersonColumn,
    PlacedRows,
    PlaceNote,
    RowsAtZero,
    RowsOutsideGlobe,
    RowsWithoutCoordinates,
)
from dpcore.readers.number_columns import NumberColumn, number_of, short_text
from dpcore.readers.people import PersonNumbers

MOST_WEIGHT = 1e6


def _degrees(file: NamedColumns, name: str, lines: list[int], entries: list[str]) -> Array:
    """Return degrees, NaN where they are missing; as they have no thousands, a comma is a decimal mark too."""
    values = parse_numbers(entries, decimal_comma=True)
    if values is None:
        pairs = zip(lines, entries, strict=True)
        line, entry = next(pair for pair in pairs if parse_numbers([pair[1]], decimal_comma=True) is None)
        reason = f"{short_text(entry)} is not a number of degrees; write decimal degrees, such as 40.7128"
        raise ValueError(f"{file.where(line, file.names.index(name))}: {reason}")
    return values


def _parse_weight(entry: str, mark: str) -> float:
    if is_missing(entry):
        raise ValueError("the weight is missing; write 0 for what shall not count")
    weight = number_of(entry, mark)
    if weight is None:
        raise ValueError(f"{short_text(entry)} is not a number such as 2 or 0.5")
    if not 0 <= weight <= MOST_WEIGHT:
        raise ValueError(f"{short_text(entry)} is outside [0, {MOST_WEIGHT:,.0f}], where weights are")
    return weight


def _quick_weights(entries: list[str]) -> Array | None:
    weights = parse_numbers(entries)
    return weights if weights is not None and np.all((weights >= 0) & (weights <= MOST_WEIGHT)) else None


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


@dataclass(frozen=True)
class PointColumns:
    """The columns of a file of points, the pairs called latitude and longitude, and other columns of numbers."""

    names: tuple[str, ...]
    pairs: tuple[tuple[str, str], ...]
    numbers: tuple[str, ...]


@dataclass(frozen=True)
class Points:
    """The rows of a file of points, all of them and in its order.

    `lat` and `lon` are degrees, NaN where a row has no place on the globe; `weight` is what a row counts for; `person`
    is a number for each person, −1 where the row names none, and the row's own number if no column names persons;
    `n_placed` rows have a place. `notes` say how the file was read and which rows are left out. They contain the extent
    and the numbers of the points themselves, so they are for the owner of the data only and not private.
    """

    lat: Array
    lon: Array
    weight: Array
    person: NDArray[np.int64]
    n_placed: int
    notes: tuple[PlaceNote, ...]


def point_columns(data: bytes) -> PointColumns:
    r"""Return the columns of a file of points, to choose from; the file is as for `read_points`.

    Examples
    --------
    >>> point_columns(b"pickup_lat,pickup_lon,driver,fare\n40.7,-74,Ann,12.5\n").pairs
    (('pickup_lat', 'pickup_lon'),)
    """
    file = open_named_columns(data)
    first = list(islice(file.rows, FIRST_ROWS))
    return PointColumns(file.names, coordinate_pairs(file.names), numeric_columns(file, first))


def read_points(
    data: bytes,
    pair: tuple[str, str] | None = None,
    weight: str = "",
    person: str = "",
    progress: Progress = ignore_progress,
    decimal: str = "",
) -> Points:
    r"""Return the points of a text file, one for each row, with notes on how it was read.

    The text is as for `read_table`, compressed by gzip or not; its first row names the columns. Coordinates are decimal
    degrees with a point or a comma. A row without coordinates, at latitude 0 and longitude 0, or outside the globe has
    no place, and a note counts such rows; where more than a tenth are outside the globe, the file is refused.

    Parameters
    ----------
    data : at most 40 MB when decompressed, and at most 10⁶ rows.
    pair : the columns of latitude and longitude, by name; without it, the first pair that `point_columns` offers.
    weight : the column of what a row counts for, numbers in [0, 10⁶]; without it, each row counts 1.
    person : the column with the person of each row; without it, each row counts as another person. Entries that differ
        in spaces, upper case and leading zeros alone name one person.
    progress : is called now and then with the share of the file that is read, a number in [0, 1].
    decimal : the decimal mark of the weights, as for `read_values`.

    Raises
    ------
    ValueError
        One sentence with the line, the column and the reason. An `AmbiguousNumberError` where `decimal` is needed.

    Examples
    --------
    >>> points = read_points(b"lat,lon,driver\n40.7,-74.0,Ann\n0,0,Bob\n40.8,-73.9,Ann\n", person="driver")
    >>> points.lat, points.person, points.n_placed
    (array([40.7,  nan, 40.8]), array([0, 1, 0]), 2)
    """
    file = open_named_columns(data, progress)
    north, east = _coordinate_columns(file, pair)
    for name, column in (("weight", weight), ("person", person)):
        option(name, column, ("", *file.names))
    columns = {name: file.names.index(name) for name in (north, east, weight, person) if name}
    numbers, weights = PersonNumbers(), NumberColumn(_parse_weight, _quick_weights, file.where, decimal)
    pieces: list[list[Array]] = [[], [], [], []]
    for chunk in chunks(file.rows):
        lines = [line for line, _ in chunk]
        entries = {name: [row[column] for _, row in chunk] for name, column in columns.items()}
        degrees = [_degrees(file, name, lines, entries[name]) for name in (north, east)]
        if weight:
            weights.add(entries[weight], [(line, columns[weight]) for line in lines])
        people = [numbers.of(entry) for entry in entries.get(person, [])]
        for arrays, part in zip(pieces, (lines, *degrees, people), strict=True):
            arrays.append(np.array(part, np.float64))
    if not pieces[0]:
        raise ValueError(f"line {file.line + 1}: there is no row under the header")
    line, lat, lon, person_numbers = (np.concatenate(pieces.pop(0)) for _ in range(4))  # joined pieces are freed
    outside_notes = remove_outside(lat, lon, line)
    has_place = ~np.isnan(lat)
    if not has_place.any():
        raise ValueError(f"line {line[0]:.0f}: neither this row nor another has a latitude and a longitude")
    persons = person_numbers.astype(np.int64) if person else np.arange(len(lat))
    extent = placed_rows(lat[has_place], lon[has_place], len(lat))
    person_note = PersonColumn(person, len(numbers), int(np.sum(persons < 0))) if person else AnonymousRows()
    weight_of_rows = weights.numbers() if weight else np.ones(len(lat))
    notes = (*file.notes, *weights.notes(), CoordinateColumns(north, east), extent, *outside_notes, person_note)
    return Points(lat, lon, weight_of_rows, persons, extent.n_placed, notes)


def _coordinate_columns(file: NamedColumns, pair: tuple[str, str] | None) -> tuple[str, str]:
    """Return the columns of latitude and longitude."""
    if pair is None:
        pairs = coordinate_pairs(file.names)
        if not pairs:
            names = ", ".join(map(short_text, file.names[:10])) + (", …" if len(file.names) > 10 else "")
            reason = f"no columns are named as latitude and longitude (lat, lon); there are {names}"
            raise ValueError(f"line {file.line}: {reason}")
        return pairs[0]
    for name in pair:
        option("pair", name, file.names)
    if pair[0] == pair[1]:
        raise ValueError(f"pair must be in two different columns, got {pair!r}")
    return pair
