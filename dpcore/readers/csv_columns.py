"""A file of places: opened, its columns named by its first row, and those of coordinates found by their names."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from dpcore.checks import Array
from dpcore.readers.csv_file import (
    MOST_BYTES,
    Progress,
    Row,
    decompress,
    looks_numeric,
    mostly_numeric,
    open_csv,
    place_in_file,
    unique_names,
)

FIRST = 1000  # rows that tell which columns hold numbers
_TOO_MUCH = f"the file has more than {MOST_BYTES // 2**20} MB when unpacked"
_TOKENS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+")
_DEGREES = re.compile(r"(.*?)(latitude|lat|longitude|long|lon|lng)")
_PLANE = re.compile(r"()([xy])(?:coord(?:inate)?)?")
_NUMBER = re.compile(  # what float reads too, so that what an entry means does not depend on those beside it
    r"[-−+]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[-+]?[0-9]+)?|inf(?:inity)?|nan)", re.I
)
_MISSING = ("", "na", "n/a", "nan", "null", "none", "\\n")


@dataclass(frozen=True)
class Headed:
    """A file whose first row names its columns: its line, the names, the rows under them, and how it was read."""

    line: int
    names: tuple[str, ...]
    rows: Iterator[Row]
    said: tuple[str, ...]

    def where(self, line: int, place: int) -> str:
        """A place of the file, for the sentence on what stands there."""
        return place_in_file(line, place, self.names[place])


def headed(data: bytes, progress: Progress) -> Headed:
    r"""Open a file with a header, packed by gzip or not, of at most 40 MB when unpacked.

    >>> headed(b"lat,lon\n1,2\n", print).names
    ('lat', 'lon')
    """
    opened = open_csv(decompress(data, MOST_BYTES, _TOO_MUCH), progress)
    top = next(opened.rows, None)
    if top is None:
        raise ValueError("line 1: the file is empty")
    line, names = top
    if all(not name.strip() or looks_numeric(name) for name in names):
        raise ValueError(f"line {line}: the first row must name the columns, and it holds numbers")
    named = [" ".join(name.split()) or f"column {place}" for place, name in enumerate(names, 1)]
    return Headed(line, tuple(unique_names(named)[0]), opened.rows, opened.said)


def coordinate_pairs(names: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """The pairs of columns that are called a latitude and a longitude: those alike but for that word.

    >>> coordinate_pairs(("pickup_lon", "pickup_lat", "dropoff_lat", "dropoff_lon", "latency"))
    (('pickup_lat', 'pickup_lon'), ('dropoff_lat', 'dropoff_lon'))
    """
    kinds = {name: kind for name in names if (kind := _coordinate(name))}
    pairs = []
    for is_plane in (False, True):  # x and y last: they may be metres
        north = {name: kind[2] for name, kind in kinds.items() if kind[:2] == (is_plane, True)}
        east = {name: kind[2] for name, kind in kinds.items() if kind[:2] == (is_plane, False)}
        alike = [(lat, lon) for lat, stem in north.items() for lon in east if east[lon] == stem]
        pairs += alike or (list(zip(north, east, strict=True)) if len(north) == len(east) == 1 else [])
    return tuple(pairs)


def numeric_columns(found: Headed, first: list[Row]) -> tuple[str, ...]:
    """The columns, but for coordinates, of which at least half of what the first rows give looks like numbers."""
    coordinates = {name for pair in coordinate_pairs(found.names) for name in pair}
    columns = zip(found.names, zip(*(row for _, row in first), strict=True), strict=True) if first else ()
    return tuple(name for name, column in columns if name not in coordinates and mostly_numeric(column))


def _coordinate(name: str) -> tuple[bool, bool, tuple[str, ...]] | None:
    """Whether a column is called x or y, whether it is a latitude, and the rest of its name; None for another one."""
    tokens = [token.lower() for token in _TOKENS.findall(name)]
    for is_plane, pattern in ((False, _DEGREES), (True, _PLANE)):
        for place, token in enumerate(tokens):
            if found := pattern.fullmatch(token):
                rest = (*tokens[:place], *filter(None, (found[1],)), *tokens[place + 1 :])
                return is_plane, found[2][:2] in ("la", "y"), rest
    return None


def numbers(column: list[str], decimal_comma: bool = False) -> Array | None:
    """The entries of a column as numbers, NaN where one is missing; None if one of them is no number.

    >>> numbers(["1.5", "", "2"]), numbers(["1,5"]), numbers(["1,5"], decimal_comma=True)
    (array([1.5, nan, 2. ]), None, array([1.5]))
    """
    text = "".join(column)
    if decimal_comma and "," in text:
        column = [entry.replace(",", ".") for entry in column]
    try:
        if "_" not in text and text.isascii():  # float reads 1_000, and other digits than ours
            return np.array([float(entry or "nan") for entry in column])
    except ValueError:
        pass
    values = [_number(entry.strip()) for entry in column]
    known = [value for value in values if value is not None]
    return np.array(known) if len(known) == len(values) else None


def _number(entry: str) -> float | None:
    if entry.lower() in _MISSING:
        return np.nan
    return float(entry.replace("−", "-")) if _NUMBER.fullmatch(entry) else None
