"""Sums that somebody publishes: which cells each of them adds up, read from a table of zeros and ones."""

from dataclasses import dataclass
from itertools import islice

import numpy as np

from dpcore.checks import Array
from dpcore.readers.csv_file import open_csv
from dpcore.readers.entries import one_line, place_in_file, short_text, unique_names

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
