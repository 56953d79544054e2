"""A file whose first row names its columns, and which of them hold coordinates or other numbers."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from dpcore.checks import Array
from dpcore.readers.csv_file import Progress, Row, ignore_progress, open_csv
from dpcore.readers.decoding import MOST_BYTES, decompress
from dpcore.readers.entries import looks_numeric, mostly_numeric, one_line, place_in_file, unique_names
from dpcore.readers.notes import FileNote

FIRST_ROWS = 1000
"""The number of rows from which columns of numbers are found."""
_TOO_MUCH = f"the file has more than {MOST_BYTES // 2**20} MB when unpacked"
_TOKENS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+")
_DEGREES = re.compile(r"(.*?)(latitude|lat|longitude|long|lon|lng)")
_PLANE = re.compile(r"()([xy])(?:coord(?:inate)?)?")
_NUMBER = re.compile(  # float reads the same texts, so that the meaning of an entry does not depend on its neighbours.
    r"[-−+]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[-+]?[0-9]+)?|inf(?:inity)?|nan)", re.I
)
_MISSING = ("", "na", "n/a", "nan", "null", "none", "\\n")


@dataclass(frozen=True)
class NamedColumns:
    """A file whose first row names its columns: the line of this row, the names, the rows under it, and notes."""

    line: int
    names: tuple[str, ...]
    rows: Iterator[Row]
    notes: tuple[FileNote, ...]

    def where(self, line: int, column: int) -> str:
        """Return the place of an entry, for the sentence on what is wrong with it."""
        return place_in_file(line, column, self.names[column])


def open_named_columns(data: bytes, progress: Progress = ignore_progress) -> NamedColumns:
    r"""Open a file with a header, compressed by gzip or not, of at most 40 MB when decompressed.

    >>> open_named_columns(b"lat,lon\n1,2\n").names
    ('lat', 'lon')
    """
    file = open_csv(decompress(data, MOST_BYTES, _TOO_MUCH), progress)
    header = next(file.rows, None)
    if header is None:
        raise ValueError("line 1: the file is empty")
    line, entries = header
    if all(not entry.strip() or looks_numeric(entry) for entry in entries):
        raise ValueError(f"line {line}: the first row must name the columns, and it holds numbers")
    names = [one_line(entry) or f"column {number}" for number, entry in enumerate(entries, 1)]
    return NamedColumns(line, tuple(unique_names(names)[0]), file.rows, file.notes)


def coordinate_pairs(names: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Return the pairs of columns that are called latitude and longitude and have otherwise the same name.

    >>> coordinate_pairs(("pickup_lon", "pickup_lat", "dropoff_lat", "dropoff_lon", "latency"))
    (('pickup_lat', 'pickup_lon'), ('dropoff_lat', 'dropoff_lon'))
    """
    kinds = {name: kind for name in names if (kind := _coordinate(name))}
    pairs = []
    for is_plane in (False, True):  # x and y come last, because they may be metres.
        north = {name: kind[2] for name, kind in kinds.items() if kind[:2] == (is_plane, True)}
        east = {name: kind[2] for name, kind in kinds.items() if kind[:2] == (is_plane, False)}
        alike = [(lat, lon) for lat, stem in north.items() for lon in east if east[lon] == stem]
        pairs += alike or (list(zip(north, east, strict=True)) if len(north) == len(east) == 1 else [])
    return tuple(pairs)


def numeric_columns(file: NamedColumns, first: list[Row]) -> tuple[str, ...]:
    """Return the columns other than coordinates whose entries in the first rows are mostly numbers."""
    coordinates = {name for pair in coordinate_pairs(file.names) for name in pair}
    columns = zip(file.names, zip(*(row for _, row in first), strict=True), strict=True) if first else ()
    return tuple(name for name, column in columns if name not in coordinates and mostly_numeric(column))


def _coordinate(name: str) -> tuple[bool, bool, tuple[str, ...]] | None:
    """Return what the name of a column of coordinates says, None for another column.

    The result is whether it is called x or y, whether it is a latitude, and the rest of its name.
    """
    tokens = [token.lower() for token in _TOKENS.findall(name)]
    for is_plane, pattern in ((False, _DEGREES), (True, _PLANE)):
        for index, token in enumerate(tokens):
            if match := pattern.fullmatch(token):
                rest = (*tokens[:index], *filter(None, (match[1],)), *tokens[index + 1 :])
                return is_plane, match[2][:2] in ("la", "y"), rest
    return None


def parse_numbers(column: list[str], decimal_comma: bool = False) -> Array | None:
    """Return the entries of a column as numbers, NaN where one is missing; None if one of them is no number.

    >>> parse_numbers(["1.5", "", "2"]), parse_numbers(["1,5"]), parse_numbers(["1,5"], decimal_comma=True)
    (array([1.5, nan, 2. ]), None, array([1.5]))
    """
    text = "".join(column)
    if decimal_comma and "," in text:
        column = [entry.replace(",", ".") for entry in column]
    try:
        if "_" not in text and text.isascii():  # float would read 1_000 and non-Latin digits.
            return np.array([float(entry or "nan") for entry in column])
    except ValueError:
        pass
    values = [_number(entry.strip()) for entry in column]
    known = [value for value in values if value is not None]
    return np.array(known) if len(known) == len(values) else None


def is_missing(entry: str) -> bool:
    """Return whether an entry is empty, or a usual mark for a missing number.

    >>> is_missing(" "), is_missing("NA"), is_missing("0")
    (True, True, False)
    """
    return entry.strip().lower() in _MISSING


def _number(entry: str) -> float | None:
    if is_missing(entry):
        return np.nan
    return float(entry.replace("−", "-")) if _NUMBER.fullmatch(entry) else None
