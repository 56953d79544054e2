"""The entries of a column of a file of points: as degrees, as weights, as persons."""

from collections.abc import Callable

import numpy as np

from dpcore.checks import Array
from dpcore.readers.csv_columns import Headed, numbers
from dpcore.readers.csv_file import short_text

Reader = Callable[[list[str], list[int]], Array]  # of some entries, and of the lines at which they stand

MOST_WEIGHT = 1e6


def degrees_reader(found: Headed, name: str) -> Reader:
    """How a column of degrees is read; NaN where they are missing."""
    place = found.names.index(name)

    def read(column: list[str], lines: list[int]) -> Array:
        values = numbers(column, decimal_comma=True)
        if values is None:
            line, entry = _first_bad(column, lines, decimal_comma=True)
            why = f"{short_text(entry)} is no number of degrees; write decimal degrees, such as 40.7128"
            raise ValueError(f"{found.where(line, place)}: {why}")
        return values

    return read


def weights_reader(found: Headed, name: str) -> Reader:
    """How a column of weights is read, none of which may be missing."""
    place = found.names.index(name)

    def read(column: list[str], lines: list[int]) -> Array:
        values = numbers(column)
        if values is None:
            line, entry = _first_bad(column, lines)
            raise ValueError(f"{found.where(line, place)}: {short_text(entry)} is no number such as 2 or 0.5")
        wrong = ~((values >= 0) & (values <= MOST_WEIGHT))
        if wrong.any():
            first = int(np.argmax(wrong))
            why = f"{short_text(column[first])} is outside [0, {MOST_WEIGHT:,.0f}], where weights are"
            if np.isnan(values[first]):
                why = "the weight is missing; write 0 for what shall not count"
            raise ValueError(f"{found.where(lines[first], place)}: {why}")
        return values

    return read


def persons_reader(known: dict[str, int]) -> Reader:
    """How a column that names persons is read: a number for each, kept in `known`; −1 where there is no name.

    >>> persons_reader({})(["Ann", "", "Bob", "Ann"], [2, 3, 4, 5])
    array([ 0., -1.,  1.,  0.])
    """

    def read(column: list[str], _: list[int]) -> Array:
        names = [entry.strip() for entry in column]
        return np.array([known.setdefault(name, len(known)) if name else -1 for name in names], dtype=np.float64)

    return read


def _first_bad(column: list[str], lines: list[int], decimal_comma: bool = False) -> tuple[int, str]:
    bad = [place for place, entry in enumerate(column) if numbers([entry], decimal_comma) is None]
    return lines[bad[0]], column[bad[0]]
