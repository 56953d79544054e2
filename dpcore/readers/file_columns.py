"""The columns of a file with a row for each person or record: their names, their types, and which may identify people.

Nothing of what the rows hold is returned with them: no number of rows, no range, no category. `count_rows` counts rows,
people and entries that can't be used, which are as confidential as the file.
"""

import math
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

import numpy as np

from dpcore.checks import Array
from dpcore.readers.csv_file import MOST_BYTES, MOST_ROWS, Progress, Row, decompress, ignore_progress, open_csv
from dpcore.readers.notes import FileNote
from dpcore.readers.number_columns import looks_numeric, mostly_numeric, one_line, place_in_file, unique_names
from dpcore.readers.people import PersonCandidate, person_columns

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


COLUMN_TYPES = ("number", "text", "date")
_COUNTED_ROWS, _MOST_COUNTED = 512, 700_000  # rows at once; entries, of 100,000 rows in 7 columns
_FIRST_ENTRIES = 100_000  # At 1,000 columns, these are 100 rows.
_YEAR_FIRST = re.compile(r"(?:1[89]|2[01])\d\d(?:([-./])(\d{1,2})\1(\d{1,2})(?:[T ].*)?|[-/](\d{1,2}))")
_YEAR_LAST = re.compile(r"(\d{1,2})([-./])(\d{1,2})\2(?:\d{4}|\d{2})(?: .*)?")


@dataclass(frozen=True)
class FileColumn:
    """A column of a file: its name, and its type, one of `COLUMN_TYPES`."""

    name: str
    type: str


@dataclass(frozen=True)
class FileColumns:
    """The columns of a file in their order, and those that may identify people, the best first.

    Types and people are judged by the first 1,000 rows, or 100,000 entries. `notes` say how the file was read.
    """

    columns: tuple[FileColumn, ...]
    people: tuple[PersonCandidate, ...]
    notes: tuple[FileNote, ...]


def read_columns(data: bytes, progress: Progress = ignore_progress) -> FileColumns:
    r"""Return the names and types of the columns of a text file with a row for each person or record.

    A column is one of dates where at least half of its entries are (2024-03-01, 2024-03, 1.3.2024, 03/01/2024, with a
    time or not), else one of numbers where at least half look like numbers, else one of text. A column may identify
    people for its name, or for its values, as in `read_table`.

    Parameters
    ----------
    data : as for `read_table`, compressed by gzip or not, with the names of the columns in the first row.
    progress : is called now and then with the share of the file that is read, a number in [0, 1].

    Raises
    ------
    ValueError
        One sentence with the line and the reason: what `read_table` refuses in any file, a first row that looks like
        those under it and names no columns, or a file with nothing under the first row.

    Examples
    --------
    >>> file = read_columns(b"patient,cost,ward,day\nA7,12,East,2024-03-01\nA7,7.5,West,2024-03-04\n")
    >>> [(column.name, column.type) for column in file.columns]
    [('patient', 'text'), ('cost', 'number'), ('ward', 'text'), ('day', 'date')]
    >>> [column.name for column in file.people]
    ['patient']
    """
    file = open_named_columns(data, progress)
    first = list(islice(file.rows, min(FIRST_ROWS, _FIRST_ENTRIES // len(file.names))))
    if not first:
        raise ValueError(f"line {file.line + 1}: there is no row under the names of the columns")
    _refuse_row_without_names(file, first)
    for line, _ in islice(file.rows, MOST_ROWS - len(first), None):
        raise ValueError(f"line {line}: more than {MOST_ROWS:,} rows")
    entries = [[row[place].strip() for _, row in first] for place in range(len(file.names))]
    columns = (FileColumn(name, _type_of(column)) for name, column in zip(file.names, entries, strict=True))
    return FileColumns(tuple(columns), person_columns(first, file.names), file.notes)


@dataclass(frozen=True)
class RowCounts:
    """How many rows a file has, how many entries of each column can't be used, and how many people some columns name.

    `unusable` has all columns, `people` the columns that were asked for.
    """

    n_rows: int
    unusable: dict[str, int]
    people: dict[str, int]


def count_rows(
    data: bytes, columns: tuple[FileColumn, ...], people: tuple[str, ...], progress: Progress = ignore_progress
) -> RowCounts | None:
    r"""Return the number of rows of a file that `read_columns` has read, with what of them can't be used as its type.

    It is None of a file with more than 700,000 entries, which would take long.
    An entry can't be used where it is empty, no number in a column of numbers (1,5 and EUR 80 are none), or no date in
    one of dates.

    Parameters
    ----------
    data : the file, as for `read_columns`.
    columns : its columns with their types.
    people : the names of columns whose different entries are counted.
    progress : is called now and then with the share of the file that is read, a number in [0, 1].

    Examples
    --------
    >>> data = b"patient,cost\nA7,12\nA7,EUR 80\nB2,\n"
    >>> counts = count_rows(data, read_columns(data).columns, ("patient",))
    >>> counts.n_rows, counts.unusable, counts.people
    (3, {'patient': 0, 'cost': 2}, {'patient': 2})
    """
    unusable, n_rows = [0] * len(columns), 0
    places = [place for place, column in enumerate(columns) if column.name in people]
    seen: list[set[int]] = [set() for _ in places]
    rows = (row for _, row in open_named_columns(data, progress).rows)
    while chunk := list(islice(rows, _COUNTED_ROWS)):
        n_rows += len(chunk)
        if n_rows * len(columns) > _MOST_COUNTED:
            return None
        entries = list(zip(*chunk, strict=True))
        for place, column in enumerate(columns):
            unusable[place] += _n_unusable(entries[place], column.type)
        for place, own in zip(places, seen, strict=True):
            own.update(hash(entry) for entry in set(entries[place]) if entry.strip())
    names = [column.name for column in columns]
    found = {names[place]: len(own) for place, own in zip(places, seen, strict=True)}
    return RowCounts(n_rows, dict(zip(names, unusable, strict=True)), found)


def _n_unusable(entries: tuple[str, ...], column_type: str) -> int:
    if column_type == "text":
        return sum(1 for entry in entries if not entry or entry.isspace())
    if column_type == "date":
        return sum(n for entry, n in Counter(entries).items() if not _is_date(entry.strip()))
    try:
        if math.isfinite(math.fsum(map(float, entries))):
            return 0
    except (ValueError, OverflowError):  # then one by one
        pass
    return sum(n for entry, n in Counter(entries).items() if not _is_finite_number(entry))


def _is_finite_number(entry: str) -> bool:
    try:
        return math.isfinite(float(entry))
    except ValueError:
        return False


def _refuse_row_without_names(file: NamedColumns, first: list[Row]) -> None:
    """Refuse a first row that is one of people: its entries would be taken for names of columns and be shown."""
    for column, name in enumerate(file.names, 1):
        if looks_numeric(name) or _is_date(name):
            reason = f"column {column} holds a number or a date there"
            raise ValueError(f"line {file.line}: the first row must name the columns, and {reason}")
    if all(any(row[place].strip() == name for _, row in first) for place, name in enumerate(file.names)):
        raise ValueError(f"line {file.line}: the first row must name the columns, and its entries occur again under it")


def _type_of(column: list[str]) -> str:
    present = [entry for entry in column if entry]
    if present and 2 * sum(map(_is_date, present)) >= len(present):
        return "date"
    return "number" if mostly_numeric(present) else "text"


def _is_date(entry: str) -> bool:
    """Return whether an entry is a day, or a month of a year.

    >>> [_is_date(entry) for entry in ("2024-03-01", "2024-13", "1.3.2024", "12/31/24 10:15", "12.5", "2024.12")]
    [True, False, True, True, False, False]
    """
    if match := _YEAR_FIRST.fullmatch(entry):
        return 1 <= int(match[2] or match[4]) <= 12 and 1 <= int(match[3] or 1) <= 31
    if match := _YEAR_LAST.fullmatch(entry):
        day, month = sorted((int(match[1]), int(match[3])), reverse=True)
        return 1 <= month <= 12 and day <= 31
    return False
