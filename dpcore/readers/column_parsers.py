"""Parsers for the columns of a file of points: degrees, weights, and names of persons."""

from collections.abc import Callable

import numpy as np

from dpcore.checks import Array
from dpcore.readers.csv_columns import NamedColumns, parse_numbers
from dpcore.readers.entries import short_text

ColumnParser = Callable[[list[str], list[int]], Array]
"""A function of some entries of a column and of the lines at which they stand."""

MOST_WEIGHT = 1e6


def degrees_parser(file: NamedColumns, name: str) -> ColumnParser:
    """Return the parser of a column of degrees, which gives NaN where they are missing."""
    column = file.names.index(name)

    def parse(entries: list[str], lines: list[int]) -> Array:
        values = parse_numbers(entries, decimal_comma=True)
        if values is None:
            line, entry = _first_bad(entries, lines, decimal_comma=True)
            reason = f"{short_text(entry)} is not a number of degrees; write decimal degrees, such as 40.7128"
            raise ValueError(f"{file.where(line, column)}: {reason}")
        return values

    return parse


def weights_parser(file: NamedColumns, name: str) -> ColumnParser:
    """Return the parser of a column of weights, none of which may be missing."""
    column = file.names.index(name)

    def parse(entries: list[str], lines: list[int]) -> Array:
        values = parse_numbers(entries)
        if values is None:
            line, entry = _first_bad(entries, lines)
            raise ValueError(f"{file.where(line, column)}: {short_text(entry)} is not a number such as 2 or 0.5")
        wrong = ~((values >= 0) & (values <= MOST_WEIGHT))
        if wrong.any():
            first = int(np.argmax(wrong))
            reason = f"{short_text(entries[first])} is outside [0, {MOST_WEIGHT:,.0f}], where weights are"
            if np.isnan(values[first]):
                reason = "the weight is missing; write 0 for what shall not count"
            raise ValueError(f"{file.where(lines[first], column)}: {reason}")
        return values

    return parse


def persons_parser(numbers: dict[str, int]) -> ColumnParser:
    """Return the parser of a column that names persons: a number for each name, stored in `numbers`; −1 for no name.

    >>> persons_parser({})(["Ann", "", "Bob", "Ann"], [2, 3, 4, 5])
    array([ 0., -1.,  1.,  0.])
    """

    def parse(entries: list[str], _: list[int]) -> Array:
        names = [entry.strip() for entry in entries]
        return np.array([numbers.setdefault(name, len(numbers)) if name else -1 for name in names], dtype=np.float64)

    return parse


def _first_bad(entries: list[str], lines: list[int], decimal_comma: bool = False) -> tuple[int, str]:
    pairs = zip(lines, entries, strict=True)
    return next((line, entry) for line, entry in pairs if parse_numbers([entry], decimal_comma) is None)
