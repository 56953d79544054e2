"""Raw records, a row a person, cross-tabulated: every combination of the levels found is a cell."""

import itertools
import math
from collections.abc import Iterable, Iterator

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpcore.checks import option
from dpcore.readers.csv_file import MOST_ROWS, Row, chunks, short_text
from dpcore.readers.table_layout import Layout

MOST_CELLS = 1_000_000
_MOST_CHARACTERS = 50_000_000  # of all names of cells together, which bounds the memory


def tabulated(rows: Iterator[Row], found: Layout, columns: tuple[str, ...]) -> tuple[pd.DataFrame, list[str]]:
    """Count the rows of each combination of levels, and say what was taken; without columns there is no cell."""
    if not columns:
        empty = pd.DataFrame({"cell": pd.Series(dtype="str"), "count": np.zeros(0)})
        return empty, ["Choose the columns to cross-tabulate."]
    for name in columns:
        option("columns", name, found.names)
    places = [found.names.index(name) for name in dict.fromkeys(columns)]
    chosen = [found.names[place] for place in places]
    counts, levels = _counted(rows, found, places)
    frame = pd.DataFrame({"cell": text_column(_names(levels, chosen)), "count": counts.astype(np.float64)})
    shape = tuple(len(each) for each in levels)
    return frame, _said(int(counts.sum()), shape, chosen, int(np.sum(counts == 0)))


def text_column(texts: Iterable[str]) -> pd.Series:
    """Texts as a column, made in pieces, since a million Python strings take more memory than the column.

    >>> text_column(["North", "South"]).tolist()
    ['North', 'South']
    """
    left = iter(texts)
    pieces: list[pd.Series] = []
    while piece := list(itertools.islice(left, 2**16)):
        pieces.append(pd.Series(piece, dtype="str"))
    return pd.concat(pieces, ignore_index=True)


def _counted(rows: Iterator[Row], found: Layout, places: list[int]) -> tuple[NDArray[np.int64], list[list[str]]]:
    """How many rows have each combination of levels, and the levels in their order."""
    codes, levels = _encoded(rows, found, places)
    order = [_sorted(each) for each in levels]
    ranked = [_rank(each)[code] for each, code in zip(order, codes, strict=True)]
    shape = tuple(len(each) for each in levels)
    counts = np.bincount(np.ravel_multi_index(ranked, shape), minlength=math.prod(shape))
    return counts, [[each[place] for place in ranks] for each, ranks in zip(levels, order, strict=True)]


def _encoded(rows: Iterator[Row], found: Layout, places: list[int]) -> tuple[list[NDArray[np.int32]], list[list[str]]]:
    """The level of every row in each column, as its place in the list of the column's levels."""
    known: list[dict[str, int]] = [{} for _ in places]  # the place of a level by its text, as the file writes it
    levels: list[list[str]] = [[] for _ in places]
    codes: list[list[NDArray[np.int32]]] = [[] for _ in places]
    n_rows = 0
    for chunk in chunks(rows):
        n_rows += len(chunk)
        if n_rows > MOST_ROWS:
            line = chunk[MOST_ROWS - n_rows][0]
            raise ValueError(f"line {line}: more than {MOST_ROWS:,} rows")
        for place, texts, found_levels, kept in zip(places, known, levels, codes, strict=True):
            column = [row[place] for _, row in chunk]
            for text in dict.fromkeys(column):
                if text not in texts:
                    texts[text] = _place_of(" ".join(text.split()), texts, found_levels)
            kept.append(np.fromiter(map(texts.__getitem__, column), np.int32, len(column)))
        _refuse_too_many(levels, found, places, chunk[-1][0])
    return [np.concatenate(each) for each in codes], levels


def _place_of(level: str, texts: dict[str, int], levels: list[str]) -> int:
    """The place of a level, which is put at the end of the list if it is new."""
    if level not in texts:
        texts[level] = len(levels)
        levels.append(level)
    return texts[level]


def _refuse_too_many(levels: list[list[str]], found: Layout, places: list[int], line: int) -> None:
    sizes = [len(each) for each in levels]
    if math.prod(sizes) > MOST_CELLS:
        each = " × ".join(f"{short_text(found.names[place])} {n:,}" for place, n in zip(places, sizes, strict=True))
        raise ValueError(f"line {line}: the levels up to here make more than {MOST_CELLS:,} cells ({each})")


def _sorted(levels: list[str]) -> list[int]:
    """The places of levels in their order: that of numbers if all are numbers, else that of texts."""
    try:
        return np.argsort(np.array([float(level) for level in levels]), kind="stable").tolist()
    except ValueError:
        return sorted(range(len(levels)), key=lambda place: (levels[place].casefold(), levels[place]))


def _rank(order: list[int]) -> NDArray[np.int32]:
    rank = np.empty(len(order), dtype=np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    return rank


def _names(levels: list[list[str]], columns: list[str]) -> Iterator[str]:
    """The names of all cells, the last column varying fastest: with those of the columns, unless that is too long."""
    plain = [[level or "(empty)" for level in each] for each in levels]
    if len(plain) > 1:
        parts = [[f"{column} {level}" for level in each] for column, each in zip(columns, plain, strict=True)]
        if _characters(parts) <= _MOST_CHARACTERS:
            return map(", ".join, itertools.product(*parts))
    if _characters(plain) > _MOST_CHARACTERS:
        raise ValueError("the names of the cells are too long to be kept; choose fewer columns, or shorter levels")
    return map(", ".join, itertools.product(*plain))


def _characters(parts: list[list[str]]) -> int:
    """How many characters the names of all combinations have."""
    cells = math.prod(len(each) for each in parts)
    return sum(cells // len(each) * sum(map(len, each)) for each in parts) + 2 * cells * (len(parts) - 1)


def _said(n_rows: int, shape: tuple[int, ...], columns: list[str], n_empty: int) -> list[str]:
    levels = ", ".join(f"{short_text(name)} ({size:,})" for name, size in zip(columns, shape, strict=True))
    return [
        f"{n_rows:,} rows are counted by {levels}: {math.prod(shape):,} cells, {n_empty:,} of them empty. Empty cells "
        "get noise too, since leaving them out tells who is there.",
        "The levels are those that the rows have. A level that no row has can't be known: if the table is to have it, "
        "its cells are missing here; and levels taken from the data tell that somebody has them.",
        "Each row is taken for one person. Where a person can have several rows, the cells that one person can be in, "
        "and the most that one adds to a cell, are more than 1.",
    ]
