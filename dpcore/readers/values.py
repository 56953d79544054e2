"""Numbers of people, one for each row or summed for each person, and published sums of cells, read from a text."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, islice

import numpy as np
from numpy.typing import NDArray

from dpcore.checks import Array
from dpcore.readers.csv_file import MOST_BYTES, NO_SEPARATOR, Row, chunks, decompress, open_csv
from dpcore.readers.file_columns import FIRST_ROWS, is_missing, parse_numbers
from dpcore.readers.notes import DecimalMark, TextFormat
from dpcore.readers.number_columns import (
    AmbiguousNumberError,
    NumberColumn,
    is_ambiguous,
    looks_numeric,
    mostly_numeric,
    number_of,
    one_line,
    place_in_file,
    short_text,
    unique_names,
)
from dpcore.readers.people import PersonNumbers, identifies_people

_TOO_MUCH = f"the file has more than {MOST_BYTES // 2**20} MB when unpacked"
_MOST_VALUE = 1e15
_MOST_LINES = 5  # without a number that are named
_WITH_COMMA = re.compile(r"[^\w,.]?\d+,\d+(,\d{3})*(\.\d+)?[^\w,.]?")  # a number with a comma, and a sign or a currency
_SPACE_AFTER_COMMA, _COMMA_WITHIN = re.compile(rb",[ \t]+[0-9]"), re.compile(rb"[0-9],[0-9]{3}(?![0-9])")
_CHUNK = 4096


@dataclass(frozen=True)
class PersonValues:
    """The numbers of a column: one for each person.

    Attributes
    ----------
    values : a number for each person, in the unit of the column: that of the only row, or the sum of all rows.
    records : how many rows each person has, and `rows` the numbers of all of them.
    column, person : the column of the numbers, and the one that names the person, "" where each row is a person.
    columns : the names of all columns, and `numbers` those of the columns that hold numbers.
    n_missing : how many rows have no number, or name no person; they are left out.
    missing_lines : the lines of the first of them, at most five.
    notes : how an entry with two readings, such as 1,200, is read, where the column has one.
    """

    values: Array
    records: Array
    rows: Array
    column: str
    person: str
    columns: tuple[str, ...]
    numbers: tuple[str, ...]
    n_missing: int
    missing_lines: tuple[int, ...] = ()
    notes: tuple[DecimalMark, ...] = ()

    @property
    def likely_person(self) -> str:
        r"""The first other column whose name is one of people, where none is chosen; else empty.

        Examples
        --------
        >>> read_values(b"day,patient_id\n2,7\n5,7\n").likely_person
        'patient_id'
        """
        others = () if self.person else (name for name in self.columns if name != self.column)
        return next((name for name in others if identifies_people(name, name in self.numbers)), "")


def read_values(data: bytes, column: str = "", person: str = "", decimal: str = "") -> PersonValues:
    r"""Return the numbers of a column of a text file, one for each person.

    The text is as for `read_table`, compressed by gzip or not. A header may stand on top; without one the columns are
    called "column 1", "column 2" and so on. A single row of numbers is read as a list. Rows that may be one number or
    several columns, such as 1,5 or $1,200, are refused. So is a column whose entries have two readings, such as 1,200,
    as long as `decimal` does not say which one is meant.

    Parameters
    ----------
    data : at most 40 MB when decompressed, and at most 10⁶ rows.
    column : the name of the column of the numbers; without it, the first that holds numbers.
    person : the name of the column that tells whose row it is: the numbers of a person are summed. Entries that
        differ in spaces, upper case and leading zeros alone name one person.
    decimal : the decimal mark, "." or ","; the other one then separates thousands. Without it, the column must settle
        its mark itself, as 7.5, 7,5 or 1,234,567 do.

    Raises
    ------
    ValueError
        One sentence with the line, the column and the reason: an entry that is no number, one beyond ±1e15, a file
        without numbers, or a column that is not there. An `AmbiguousNumberError` where `decimal` is needed.

    Examples
    --------
    >>> read_values(b"income\n12000\n250000\n\n31000\n").values
    array([ 12000., 250000.,  31000.])
    >>> trips = read_values(b"rider,miles\nAnn,2\nBob,5\nAnn,3\n", person="rider")
    >>> trips.values, trips.records
    (array([5., 5.]), array([2., 1.]))
    >>> read_values(b"income\n1,200\n2,500\n", decimal=".").values
    array([1200., 2500.])
    """
    content = decompress(data, MOST_BYTES, _TOO_MUCH)
    file = open_csv(content)
    text_format = next(note for note in file.notes if isinstance(note, TextFormat))
    rows = _rows_of_numbers(file.rows, content, decimal) if text_format.separator == "," else file.rows
    names, rows = _without_header(rows)
    first = list(islice(rows, FIRST_ROWS))
    columns = zip(names, zip(*(entries for _, entries in first), strict=True), strict=True) if first else ()
    numbers = tuple(name for name, entries in columns if mostly_numeric(entries))
    chosen = column or next(iter(numbers), "")
    for name in filter(None, (chosen, person)):
        if name not in names:
            raise ValueError(f"there is no column {short_text(name)}")
    if not chosen:
        raise ValueError("no column holds numbers")
    lines, entries, owners = _entries(chain(first, rows), names.index(chosen), names.index(person) if person else -1)
    values, notes = _parse(lines, entries, (names.index(chosen), chosen), decimal)
    known = np.isfinite(values) & (owners >= 0)
    if not known.any():
        raise ValueError(f"column {short_text(chosen)} has no number")
    counted = values[known]
    totals, records = _by_person(values, owners, known) if person else (counted, np.ones(counted.size))
    missing = np.flatnonzero(~known)
    missing_lines = tuple(lines[place] for place in missing[:_MOST_LINES])
    return PersonValues(totals, records, counted, chosen, person, names, numbers, missing.size, missing_lines, notes)


def _rows_of_numbers(rows: Iterator[Row], content: bytes, decimal: str) -> Iterator[Row]:
    """Return the rows of a text that commas cut, or its lines where each is one number with a comma.

    Lines that may be one number or several columns are refused, as long as no decimal mark is given.
    """
    start = list(islice(rows, 2))
    joined = [",".join(row) for _, row in start]
    is_list = len(start) == 1 and not is_ambiguous(joined[0])
    if is_list and _SPACE_AFTER_COMMA.search(content) and _COMMA_WITHIN.search(content):
        raise ValueError(
            f"line {start[0][0]}: a comma stands both between numbers and before three digits; separate the numbers by "
            "semicolons, or write one on each line"
        )
    if not start or is_list or not all(map(_WITH_COMMA.fullmatch, joined)):
        return chain(start, rows)
    if decimal:
        return open_csv(content, separator=NO_SEPARATOR).rows
    if all(map(is_ambiguous, joined)):
        raise AmbiguousNumberError(f"line {start[0][0]}", joined[0])
    raise ValueError(
        f"line {start[0][0]}: {short_text(joined[0])} may be one number or several columns; write decimals with a "
        "point and thousands without a comma, or separate columns by semicolons"
    )


def _without_header(rows: Iterator[Row]) -> tuple[tuple[str, ...], Iterator[Row]]:
    """Return the names of the columns, and the rows under them; a single row of numbers is turned into a column."""
    start = list(islice(rows, 2))
    if not start:
        raise ValueError("line 1: the file is empty")
    line, entries = start[0]
    if not all(not entry.strip() or looks_numeric(entry) for entry in entries):
        names = [one_line(entry) or f"column {place}" for place, entry in enumerate(entries, 1)]
        return tuple(unique_names(names)[0]), chain(start[1:], rows)
    if len(start) == 1:
        return ("column 1",), iter([(line, [entry]) for entry in entries])
    return tuple(f"column {place}" for place in range(1, len(entries) + 1)), chain(start, rows)


def _entries(rows: Iterator[Row], column: int, person: int) -> tuple[list[int], list[str], NDArray[np.int64]]:
    """Return the lines, the entries of the column, and the number of each person, all 0 without that column."""
    lines, entries, owners, numbers = [], [], [], PersonNumbers()
    for line, row in chain.from_iterable(chunks(rows)):
        lines.append(line)
        entries.append(row[column])
        owners.append(0 if person < 0 else numbers.of(row[person]))
    return lines, entries, np.array(owners, np.int64)


def _parse(
    lines: list[int], entries: list[str], column: tuple[int, str], decimal: str
) -> tuple[Array, tuple[DecimalMark, ...]]:
    """Return the numbers, NaN where an entry is missing, and a note; refuse the first entry that is no number."""
    number, name = column
    own_name = "" if name == f"column {number + 1}" else name
    numbers = NumberColumn(_parse_value, _quick_values, lambda line, _: place_in_file(line, number, own_name), decimal)
    for start in range(0, len(entries), _CHUNK):
        piece = slice(start, start + _CHUNK)
        numbers.add(entries[piece], [(line, column[0]) for line in lines[piece]])
    return numbers.numbers(), tuple(numbers.notes())


def _parse_value(entry: str, mark: str) -> float:
    if is_missing(entry):
        return np.nan
    if (number := number_of(entry, mark)) is None:
        raise ValueError(f"{short_text(entry)} is not a number")
    if abs(number) > _MOST_VALUE:
        raise ValueError(f"{short_text(entry)} is not between −1e15 and 1e15")
    return number


def _quick_values(entries: list[str]) -> Array | None:
    values = parse_numbers(entries)
    return None if values is None or np.any(np.abs(values) > _MOST_VALUE) else values


def _by_person(values: Array, owners: NDArray[np.int64], known: NDArray[np.bool_]) -> tuple[Array, Array]:
    """Return the sum and the number of the rows of each person."""
    people, place = np.unique(owners[known], return_inverse=True)
    totals = np.bincount(place, values[known], people.size).astype(np.float64)
    return totals, np.bincount(place, minlength=people.size).astype(np.float64)


MOST_SUMS, MOST_SUMMED = 1000, 1000
_MARKS = {"1": 1.0, "x": 1.0, "X": 1.0, "0": 0.0, "": 0.0}


@dataclass(frozen=True, eq=False)
class ReadSums:
    """The sums of a file.

    Attributes
    ----------
    matrix : zeros and ones, sums × cells: which cells a sum adds up.
    names : of the sums, all different.
    cells : the names of the cells, all different.
    """

    matrix: Array
    names: tuple[str, ...]
    cells: tuple[str, ...]


def read_sums(data: bytes) -> ReadSums:
    r"""Return the sums of a file with a row for each of them and a column for each cell: 1 or x where it is added up.

    A 0, or nothing, stands where it is not. A first row with the names of the cells and a first column with those of
    the sums may be there; without them both are numbered.

    Parameters
    ----------
    data : a file of separated values in UTF-8 or UTF-16, of at most 40 MB.

    Raises
    ------
    ValueError
        One sentence with the line and the reason: an entry that is none of these, a sum of no cells, no sum or no cell,
        or more than 1,000.

    Examples
    --------
    >>> sums = read_sums(b"sum,Jan,Feb,Mar\nwinter,1,1,0\nquarter,1,1,1\n")
    >>> sums.matrix.astype(int).tolist(), sums.names, sums.cells
    ([[1, 1, 0], [1, 1, 1]], ('winter', 'quarter'), ('Jan', 'Feb', 'Mar'))
    """
    rows = [(line, [entry.strip() for entry in row]) for line, row in islice(open_csv(data).rows, MOST_SUMS + 2)]
    header = rows.pop(0)[1] if rows and not all(entry in _MARKS for entry in rows[0][1][1:]) else None
    if not rows:
        raise ValueError("there is no row of zeros and ones")
    if len(rows) > MOST_SUMS:
        raise ValueError(f"line {rows[MOST_SUMS][0]}: more than {MOST_SUMS:,} sums")
    first = int(any(row[0] not in _MARKS for _, row in rows))
    n_cells = len(rows[0][1]) - first
    if not 0 < n_cells <= MOST_SUMMED:
        raise ValueError(f"there must be 1 to {MOST_SUMMED:,} cells, and there are {n_cells:,}")
    cells = header[first:] if header else [f"cell {place}" for place in range(1, n_cells + 1)]
    matrix = np.array([[_mark(line, place, row[place]) for place in range(first, len(row))] for line, row in rows])
    (empty,) = np.nonzero(matrix.sum(axis=1) == 0)
    if empty.size:
        raise ValueError(f"line {rows[empty[0]][0]}: the sum adds up no cell")
    names = [one_line(row[0]) if first else f"sum {place}" for place, (_, row) in enumerate(rows, 1)]
    return ReadSums(matrix, tuple(unique_names(names)[0]), tuple(unique_names(cells)[0]))


def _mark(line: int, place: int, entry: str) -> float:
    if entry not in _MARKS:
        where = place_in_file(line, place)
        raise ValueError(f"{where}: {short_text(entry)} is neither 1 or x nor 0 or nothing")
    return _MARKS[entry]
