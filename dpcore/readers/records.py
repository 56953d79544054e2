"""Raw records, cross-tabulated: every combination of the levels that occur is a cell."""

import itertools
import math
from collections.abc import Callable, Iterable, Iterator

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpcore.checks import option
from dpcore.readers.csv_file import Row, chunks
from dpcore.readers.notes import ChooseColumns, CrossTabulation, ObservedLevels, TableNote, UncheckedPeople
from dpcore.readers.number_columns import one_line, short_text
from dpcore.readers.people import count_person_rows, person_key
from dpcore.readers.table_layout import Layout

MOST_CELLS = 1_000_000
_MOST_CHARACTERS = 50_000_000  # The names of all cells together have at most so many, which bounds the memory.


def cross_tabulate(
    rows: Iterator[Row], layout: Layout, columns: tuple[str, ...], person: str = ""
) -> tuple[pd.DataFrame, list[TableNote]]:
    """Return the number of rows for each combination of levels, with notes; without columns there is no cell.

    `person` is the column that identifies people, "" where there is none: a note says how often the same person occurs.
    """
    if not columns:
        empty = pd.DataFrame({"cell": pd.Series(dtype="str"), "count": np.zeros(0)})
        return empty, [ChooseColumns()]
    for name in columns:
        option("columns", name, layout.names)
    names = list(dict.fromkeys(columns))
    tabulated = [_Column(layout.names.index(name), name) for name in names]
    people = [_Column(layout.names.index(person), person, person_key)] if person else []
    cells, levels = _cells_and_levels(rows, tabulated, people)
    shape = tuple(map(len, levels))
    counts = np.bincount(cells, minlength=math.prod(shape))
    frame = pd.DataFrame({"cell": text_column(_cell_names(levels, names)), "count": counts.astype(np.float64)})
    size = CrossTabulation(int(counts.sum()), tuple(names), shape, int(np.sum(counts == 0)))
    notes = [
        count_person_rows(column.name, column.codes, column.levels, cells, column.n_entries) for column in people
    ] or [UncheckedPeople()]
    return frame, [size, ObservedLevels(), *notes]


def text_column(texts: Iterable[str]) -> pd.Series:
    """Return texts as a column, made in pieces, since a million Python strings take more memory than the column.

    >>> text_column(["North", "South"]).tolist()
    ['North', 'South']
    """
    left = iter(texts)
    pieces: list[pd.Series] = []
    while piece := list(itertools.islice(left, 2**16)):
        pieces.append(pd.Series(piece, dtype="str"))
    return pd.concat(pieces, ignore_index=True)


class _Column:
    """A column of records as the level of each row: an index in the list `levels`, in which the levels are texts."""

    def __init__(self, place: int, name: str, level_of: Callable[[str], str] = one_line):
        self.name, self.levels = name, list[str]()
        self._place, self._level_of = place, level_of
        self._by_level: dict[str, int] = {}
        self._by_entry: dict[str, int] = {}  # The index of a level by its text as the file writes it.
        self._pieces: list[NDArray[np.int32]] = []

    @property
    def codes(self) -> NDArray[np.int32]:
        """The level of each row."""
        return np.concatenate(self._pieces)

    @property
    def n_entries(self) -> int:
        """The number of different texts in the file, of which several may be one level."""
        return len(self._by_entry)

    def add(self, chunk: list[Row]) -> None:
        """Append rows."""
        entries = [row[self._place] for _, row in chunk]
        for entry in dict.fromkeys(entries):
            if entry not in self._by_entry:
                level = self._level_of(entry)
                if level not in self._by_level:
                    self._by_level[level] = len(self.levels)
                    self.levels.append(level)
                self._by_entry[entry] = self._by_level[level]
        self._pieces.append(np.fromiter(map(self._by_entry.__getitem__, entries), np.int32, len(entries)))


def _cells_and_levels(
    rows: Iterator[Row], columns: list[_Column], people: list[_Column]
) -> tuple[NDArray[np.int64], list[list[str]]]:
    """Return the cell of each row, and the sorted levels of each column; `people` are read in the same pass."""
    for chunk in chunks(rows):
        for column in (*columns, *people):
            column.add(chunk)
        _refuse_too_many(columns, chunk[-1][0])
    orders = [_sorted_indices(column.levels) for column in columns]
    ranks = [np.argsort(order).astype(np.int32)[column.codes] for order, column in zip(orders, columns, strict=True)]
    cells = np.ravel_multi_index(ranks, tuple(map(len, orders)))
    levels = [[column.levels[index] for index in order] for order, column in zip(orders, columns, strict=True)]
    return np.asarray(cells, np.int64), levels


def _refuse_too_many(columns: list[_Column], line: int) -> None:
    if math.prod(len(column.levels) for column in columns) > MOST_CELLS:
        factors = " × ".join(f"{short_text(column.name)} {len(column.levels):,}" for column in columns)
        raise ValueError(f"line {line}: the levels up to here make more than {MOST_CELLS:,} cells ({factors})")


def _sorted_indices(levels: list[str]) -> list[int]:
    """Return the indices of levels in their order: that of numbers if all are numbers, else that of texts."""
    try:
        return np.argsort(np.array([float(level) for level in levels]), kind="stable").tolist()
    except ValueError:
        return sorted(range(len(levels)), key=lambda index: (levels[index].casefold(), levels[index]))


def _cell_names(levels: list[list[str]], columns: list[str]) -> Iterator[str]:
    """Return the names of all cells, the last column varying fastest.

    The names contain those of the columns, unless they would be too long.
    """
    plain = [[level or "(empty)" for level in column_levels] for column_levels in levels]
    if len(plain) > 1:
        pairs = zip(columns, plain, strict=True)
        parts = [[f"{column} {level}" for level in column_levels] for column, column_levels in pairs]
        if _n_characters(parts) <= _MOST_CHARACTERS:
            return map(", ".join, itertools.product(*parts))
    if _n_characters(plain) > _MOST_CHARACTERS:
        raise ValueError("the names of the cells are too long to be kept; choose fewer columns, or shorter levels")
    return map(", ".join, itertools.product(*plain))


def _n_characters(parts: list[list[str]]) -> int:
    """Return how many characters the names of all combinations have."""
    n_cells = math.prod(map(len, parts))
    return sum(n_cells // len(part) * sum(map(len, part)) for part in parts) + 2 * n_cells * (len(parts) - 1)
