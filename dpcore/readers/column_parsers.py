"""Parsers for the columns of a file of points: degrees, weights, and names of persons."""

from collections.abc import Callable

import numpy as np

from dpcore.checks import Array
from dpcore.readers.csv_columns import NamedColumns, is_missing, parse_numbers
from dpcore.readers.entries import short_text
from dpcore.readers.number_columns import NumberColumn, number_of
from dpcore.readers.people import PersonNumbers

ColumnParser = Callable[[list[str], list[int]], Array]
"""A function of some entries of a column and of the lines at which they stand."""

MOST_WEIGHT = 1e6


def degrees_parser(file: NamedColumns, name: str) -> ColumnParser:
    """Return the parser of a column of degrees, which gives NaN where they are missing.

    A point or a comma is the decimal mark here: degrees have no thousands.
    """
    column = file.names.index(name)

    def parse(entries: list[str], lines: list[int]) -> Array:
        values = parse_numbers(entries, decimal_comma=True)
        if values is None:
            line, entry = _first_bad(entries, lines)
            reason = f"{short_text(entry)} is not a number of degrees; write decimal degrees, such as 40.7128"
            raise ValueError(f"{file.where(line, column)}: {reason}")
        return values

    return parse


def weights_column(file: NamedColumns, decimal: str = "") -> NumberColumn:
    """Return an empty column of weights, none of which may be missing or out of their range."""
    return NumberColumn(_parse_weight, _quick_weights, file.where, decimal)


def adding_parser(numbers: NumberColumn, column: int) -> ColumnParser:
    """Return a parser that adds the entries of a column to `numbers`, which later has them all; it returns none."""

    def parse(entries: list[str], lines: list[int]) -> Array:
        numbers.add(entries, [(line, column) for line in lines])
        return np.empty(0)

    return parse


def persons_parser(numbers: PersonNumbers) -> ColumnParser:
    """Return the parser of a column that names persons, by their numbers.

    >>> persons_parser(PersonNumbers())(["Ann", "", "Bob", "ann"], [2, 3, 4, 5])
    array([ 0., -1.,  1.,  0.])
    """
    return lambda entries, _: np.array([numbers.of(entry) for entry in entries], dtype=np.float64)


def _parse_weight(entry: str, mark: str) -> float:
    if is_missing(entry):
        raise ValueError("the weight is missing; write 0 for what shall not count")
    weight = number_of(entry, mark)
    if weight is None:
        raise ValueError(f"{short_text(entry)} is not a number such as 2 or 0.5")
    if not 0 <= weight <= MOST_WEIGHT:
        raise ValueError(f"{short_text(entry)} is outside [0, {MOST_WEIGHT:,.0f}], where weights are")
    return weight


def _quick_weights(entries: list[str]) -> Array | None:
    weights = parse_numbers(entries)
    return weights if weights is not None and np.all((weights >= 0) & (weights <= MOST_WEIGHT)) else None


def _first_bad(entries: list[str], lines: list[int]) -> tuple[int, str]:
    pairs = zip(lines, entries, strict=True)
    return next((line, entry) for line, entry in pairs if parse_numbers([entry], decimal_comma=True) is None)
