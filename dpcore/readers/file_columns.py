"""The columns of a file with a row for each person or record: their names, their types, and which may identify people.

Nothing of what the rows hold is returned: no number of rows, no range, no category.
"""

import re
from dataclasses import dataclass
from itertools import islice

from dpcore.readers.csv_columns import FIRST_ROWS, NamedColumns, open_named_columns
from dpcore.readers.csv_file import MOST_ROWS, Progress, Row, ignore_progress
from dpcore.readers.entries import looks_numeric, mostly_numeric
from dpcore.readers.notes import FileNote
from dpcore.readers.people import PersonCandidate, person_columns

COLUMN_TYPES = ("number", "text", "date")
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


def _refuse_row_without_names(file: NamedColumns, first: list[Row]) -> None:
    """Refuse a first row that is one of people: its entries would be taken for names of columns and be shown."""
    for column, name in enumerate(file.names, 1):
        if looks_numeric(name) or _is_date(name):
            what = f"column {column} holds a number or a date there"
            raise ValueError(f"line {file.line}: the first row must name the columns, and {what}")
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
