"""Points on the globe, each a latitude and a longitude in degrees, read from a file."""

from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from dpcore.checks import Array, option
from dpcore.readers.column_parsers import ColumnParser, adding_parser, degrees_parser, persons_parser, weights_column
from dpcore.readers.coordinates import placed_rows, remove_outside
from dpcore.readers.csv_columns import FIRST_ROWS, NamedColumns, coordinate_pairs, numeric_columns, open_named_columns
from dpcore.readers.csv_file import MOST_ROWS, Progress, chunks, ignore_progress
from dpcore.readers.entries import short_text
from dpcore.readers.people import PersonNumbers
from dpcore.readers.place_notes import AnonymousRows, CoordinateColumns, PersonColumn, PlaceNote


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
    numbers = PersonNumbers()
    parsers = [(north, degrees_parser(file, north)), (east, degrees_parser(file, east))]
    weights = weights_column(file, decimal)
    parsers += [(weight, adding_parser(weights, file.names.index(weight)))] if weight else []
    parsers += [(person, persons_parser(numbers))] if person else []
    line, lat, lon, *others = _parse_columns(file, parsers)
    outside_notes = remove_outside(lat, lon, line)
    has_place = ~np.isnan(lat)
    if not has_place.any():
        raise ValueError(f"line {line[0]:.0f}: neither this row nor another has a latitude and a longitude")
    persons = others[-1].astype(np.int64) if person else np.arange(len(lat))
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


def _parse_columns(file: NamedColumns, parsers: list[tuple[str, ColumnParser]]) -> list[Array]:
    """Return the lines of the rows, and for each parser the numbers in its column."""
    columns = [file.names.index(name) for name, _ in parsers]
    pieces: list[list[Array]] = [[] for _ in range(1 + len(parsers))]
    n_rows = 0
    for chunk in chunks(file.rows):
        n_rows += len(chunk)
        lines = [line for line, _ in chunk]
        if n_rows > MOST_ROWS:
            raise ValueError(f"line {lines[MOST_ROWS - n_rows]}: more than {MOST_ROWS:,} rows")
        pieces[0].append(np.array(lines, dtype=np.float64))
        for arrays, column, (_, parse) in zip(pieces[1:], columns, parsers, strict=True):
            arrays.append(parse([row[column] for _, row in chunk], lines))
    if not n_rows:
        raise ValueError(f"line {file.line + 1}: there is no row under the header")
    return [np.concatenate(pieces.pop(0)) for _ in range(1 + len(parsers))]  # Joined pieces are freed at once.
