"""Raw records, one row for each person, cross-tabulated: every combination of the levels that occur is a cell."""

import itertools
import math
from collections.abc import Iterable, Iterator

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpcore.checks import option
from dpcore.readers.csv_file import MOST_ROWS, Row, chunks
from dpcore.readers.entries import one_line, short_text
from dpcore.readers.notes import ChooseColumns, CrossTabulation, ObservedLevels, PersonPerRow, TableNote
from dpcore.readers.table_layout import Layout

MOST_CELLS = 1_000_000
_MOST_CHARACTERS = 50_000_000  # The names of all cells together have at most so many, which bounds the memory.


def cross_tabulate(
    rows: Iterator[Row], layout: Layout, columns: tuple[str, ...]
) -> tuple[pd.DataFrame, list[TableNote]]:
    """Return the number of rows for each combination of levels, with notes; without columns there is no cell."""
    if not columns:
        empty = pd.DataFrame({"cell": pd.Series(dtype="str"), "count": np.zeros(0)})
        return empty, [ChooseColumns()]
    for name in columns:
        option("columns", name, layout.names)
    indices = [layout.names.index(name) for name in dict.fromkeys(columns)]
    names = [layout.names[index] for index in indices]
    counts, levels = _counts_and_levels(rows, layout, indices)
    frame = pd.DataFrame({"cell": text_column(_cell_names(levels, names)), "count": counts.astype(np.float64)})
    shape = tuple(map(len, levels))
    size = CrossTabulation(int(counts.sum()), tuple(names), shape, int(np.sum(counts == 0)))
    return frame, [size, ObservedLevels(), PersonPerRow()]


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


def _counts_and_levels(
    rows: Iterator[Row], layout: Layout, columns: list[int]
) -> tuple[NDArray[np.int64], list[list[str]]]:
    """Return how many rows have each combination of levels, and the sorted levels of each column."""
    codes, levels = _encode(rows, layout, columns)
    orders = [_sorted_indices(column_levels) for column_levels in levels]
    ranks = [_ranks(order)[code] for order, code in zip(orders, codes, strict=True)]
    shape = tuple(map(len, levels))
    counts = np.bincount(np.ravel_multi_index(ranks, shape), minlength=math.prod(shape))
    pairs = zip(levels, orders, strict=True)
    return counts, [[column_levels[index] for index in order] for column_levels, order in pairs]


def _encode(rows: Iterator[Row], layout: Layout, columns: list[int]) -> tuple[list[NDArray[np.int32]], list[list[str]]]:
    """Return the level of each row in each column as its index in the list of the column's levels, and these lists."""
    indices: list[dict[str, int]] = [{} for _ in columns]  # The index of a level by its text, as the file writes it.
    levels: list[list[str]] = [[] for _ in columns]
    codes: list[list[NDArray[np.int32]]] = [[] for _ in columns]
    n_rows = 0
    for chunk in chunks(rows):
        n_rows += len(chunk)
        if n_rows > MOST_ROWS:
            raise ValueError(f"line {chunk[MOST_ROWS - n_rows][0]}: more than {MOST_ROWS:,} rows")
        for column, index_of, column_levels, pieces in zip(columns, indices, levels, codes, strict=True):
            entries = [row[column] for _, row in chunk]
            for entry in dict.fromkeys(entries):
                if entry not in index_of:
                    index_of[entry] = _level_index(one_line(entry), index_of, column_levels)
            pieces.append(np.fromiter(map(index_of.__getitem__, entries), np.int32, len(entries)))
        _refuse_too_many(levels, layout, columns, chunk[-1][0])
    return [np.concatenate(pieces) for pieces in codes], levels


def _level_index(level: str, index_of: dict[str, int], levels: list[str]) -> int:
    """Return the index of a level, which is appended to the list if it is new."""
    if level not in index_of:
        index_of[level] = len(levels)
        levels.append(level)
    return index_of[level]


def _refuse_too_many(levels: list[list[str]], layout: Layout, columns: list[int], line: int) -> None:
    sizes = list(map(len, levels))
    if math.prod(sizes) > MOST_CELLS:
        names = [short_text(layout.names[column]) for column in columns]
        factors = " × ".join(f"{name} {size:,}" for name, size in zip(names, sizes, strict=True))
        raise ValueError(f"line {line}: the levels up to here make more than {MOST_CELLS:,} cells ({factors})")


def _sorted_indices(levels: list[str]) -> list[int]:
    """Return the indices of levels in their order: that of numbers if all are numbers, else that of texts."""
    try:
        return np.argsort(np.array([float(level) for level in levels]), kind="stable").tolist()
    except ValueError:
        return sorted(range(len(levels)), key=lambda index: (levels[index].casefold(), levels[index]))


def _ranks(order: list[int]) -> NDArray[np.int32]:
    ranks = np.empty(len(order), dtype=np.int32)
    ranks[order] = np.arange(len(order), dtype=np.int32)
    return ranks


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
