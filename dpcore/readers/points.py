"""Points of the user's own, each a latitude and a longitude in degrees, read from a file."""

from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from dpcore.checks import Array, option
from dpcore.readers.column_parsers import Reader, degrees_reader, persons_reader, weights_reader
from dpcore.readers.coordinates import extent_said, without_place
from dpcore.readers.csv_columns import FIRST, Headed, coordinate_pairs, headed, numeric_columns
from dpcore.readers.csv_file import MOST_ROWS, Progress, chunks, ignore_progress, short_text


@dataclass(frozen=True)
class PointColumns:
    """What a file of points offers: its columns, the pairs called latitude and longitude, other columns of numbers."""

    names: tuple[str, ...]
    pairs: tuple[tuple[str, str], ...]
    numbers: tuple[str, ...]


@dataclass(frozen=True)
class Points:
    """The rows of a file of points, all of them and in its order.

    `lat` and `lon` are degrees, NaN where a row has no place on the globe; `weight` is what a row counts for; `person`
    is a number for each person, −1 where the row names none, and the row's own number if no column names persons;
    `n_placed` rows have a place. `said` are the sentences on how the file was read and which rows are left out; they
    tell of the points themselves, so they are for their owner and no release.
    """

    lat: Array
    lon: Array
    weight: Array
    person: NDArray[np.int64]
    n_placed: int
    said: tuple[str, ...]


def point_columns(data: bytes) -> PointColumns:
    r"""Return the columns of a file of points, to choose from; the file is as for `read_points`.

    Examples
    --------
    >>> point_columns(b"pickup_lat,pickup_lon,driver,fare\n40.7,-74,Ann,12.5\n").pairs
    (('pickup_lat', 'pickup_lon'),)
    """
    found = headed(data, ignore_progress)
    first = list(islice(found.rows, FIRST))
    return PointColumns(found.names, coordinate_pairs(found.names), numeric_columns(found, first))


def read_points(
    data: bytes,
    pair: tuple[str, str] | None = None,
    weight: str = "",
    person: str = "",
    progress: Progress = ignore_progress,
) -> Points:
    r"""Return the points of a text file, a row each, with sentences on what was taken for what and what is left out.

    The text is as for `read_table`, packed by gzip or not; its first row names the columns. Coordinates
    are decimal degrees with a point or a comma. A row without coordinates, at latitude 0 and longitude 0, or outside
    the globe has no place and is told of; where more than a tenth are outside the globe, the file is refused.

    Parameters
    ----------
    data : at most 40 MB when unpacked, and at most 10⁶ rows.
    pair : the columns of latitude and longitude, by name; without it, the first pair that `point_columns` offers.
    weight : the column of what a row counts for, numbers of [0, 10⁶]; without it, each row counts 1.
    person : the column that tells whose row it is; without it, each row is taken for a person of its own.
    progress : hears the share of the file that is read, a number of [0, 1], now and then.

    Raises
    ------
    ValueError
        One sentence with the line, the column and the reason.

    Examples
    --------
    >>> points = read_points(b"lat,lon,driver\n40.7,-74.0,Ann\n0,0,Bob\n40.8,-73.9,Ann\n", person="driver")
    >>> points.lat, points.person, points.n_placed
    (array([40.7,  nan, 40.8]), array([0, 1, 0]), 2)
    """
    found = headed(data, progress)
    north, east = _chosen(found, pair)
    for name, chosen in (("weight", weight), ("person", person)):
        option(name, chosen, ("", *found.names))
    known: dict[str, int] = {}
    wanted = [(north, degrees_reader(found, north)), (east, degrees_reader(found, east))]
    wanted += [(weight, weights_reader(found, weight))] if weight else []
    wanted += [(person, persons_reader(known))] if person else []
    line, lat, lon, *rest = _columns(found, wanted)
    left_out = without_place(lat, lon, line)
    has_place = ~np.isnan(lat)
    if not has_place.any():
        raise ValueError(f"line {line[0]:.0f}: neither this row nor another has a latitude and a longitude")
    number = rest[-1].astype(np.int64) if person else np.arange(len(lat))
    columns_said = f"Latitudes are in the column {short_text(north)}, longitudes in {short_text(east)}."
    place_said = extent_said(lat[has_place], lon[has_place], len(lat))
    said = (*found.said, columns_said, place_said, *left_out, _persons_said(person, number, len(known)))
    return Points(lat, lon, rest[0] if weight else np.ones(len(lat)), number, int(has_place.sum()), said)


def _chosen(found: Headed, pair: tuple[str, str] | None) -> tuple[str, str]:
    """The columns of latitude and longitude."""
    if pair is None:
        offered = coordinate_pairs(found.names)
        if not offered:
            few = ", ".join(map(short_text, found.names[:10])) + (", …" if len(found.names) > 10 else "")
            why = f"no columns are named as latitude and longitude (lat, lon); there are {few}"
            raise ValueError(f"line {found.line}: {why}")
        return offered[0]
    for name in pair:
        option("pair", name, found.names)
    if pair[0] == pair[1]:
        raise ValueError(f"pair must be in two different columns, got {pair!r}")
    return pair


def _columns(found: Headed, wanted: list[tuple[str, Reader]]) -> list[Array]:
    """The lines of the rows, and of each wanted column the numbers that its reader makes of it."""
    places = [found.names.index(name) for name, _ in wanted]
    pieces: list[list[Array]] = [[] for _ in range(1 + len(wanted))]
    n_rows = 0
    for chunk in chunks(found.rows):
        n_rows += len(chunk)
        lines = [line for line, _ in chunk]
        if n_rows > MOST_ROWS:
            raise ValueError(f"line {lines[MOST_ROWS - n_rows]}: more than {MOST_ROWS:,} rows")
        pieces[0].append(np.array(lines, dtype=np.float64))
        for kept, place, (_, reader) in zip(pieces[1:], places, wanted, strict=True):
            kept.append(reader([row[place] for _, row in chunk], lines))
    if not n_rows:
        raise ValueError(f"line {found.line + 1}: there is no row under the header")
    return [np.concatenate(pieces.pop(0)) for _ in range(1 + len(wanted))]  # lets go what is joined, to save memory


def _persons_said(column: str, number: NDArray[np.int64], n_persons: int) -> str:
    if not column:
        return "No column tells whose row it is, so no cap on a person can be enforced."
    said = f"The column {short_text(column)} names {n_persons:,} {'person' if n_persons == 1 else 'persons'}."
    nobody = int(np.sum(number < 0))
    return f"{said} Rows that name nobody can't be capped and count nothing: {nobody:,}." if nobody else said
