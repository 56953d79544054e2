"""Tables of counts: one that ships with the project, one read from the user's CSV, and what noise leaves of them."""

import csv
import itertools
from io import StringIO

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from dpcore.checks import number, utf8

MOST_CELLS = 100_000
_COUNT_RANGE = "[0, 1e15]"
_CZECH_FACTORS = ("smoke", "mental", "phys", "systol", "protein", "family")
# fmt: off
_CZECH_COUNTS = (
    44, 40, 112, 67, 129, 145, 12, 23, 35, 12, 80, 33, 109, 67, 7, 9, 23, 32, 70, 66, 50, 80, 7, 13, 24, 25, 73, 57,
    51, 63, 7, 16, 5, 7, 21, 9, 9, 17, 1, 4, 4, 3, 11, 8, 14, 17, 5, 2, 7, 3, 14, 14, 9, 16, 2, 3, 4, 0, 13, 11, 5, 14,
    4, 4,
)
# fmt: on


def czech_autoworkers() -> pd.DataFrame:
    """Return the 64 published counts of 1,841 Czech car workers by six yes/no risk factors.

    Edwards & Havránek 1985, Biometrika 72(2), 339-351; the order is that of `reinis` in the R package gRbase, the first
    factor varying fastest. Columns `cell` (the levels as 0/1 after each factor's name) and `count`.

    Examples
    --------
    >>> len(czech_autoworkers()), int(czech_autoworkers()["count"].sum())
    (64, 1841)
    """
    levels = (reversed(level) for level in itertools.product((0, 1), repeat=6))
    cells = [
        ", ".join(f"{factor} {level}" for factor, level in zip(_CZECH_FACTORS, row, strict=True)) for row in levels
    ]
    return pd.DataFrame({"cell": cells, "count": np.array(_CZECH_COUNTS, dtype=np.float64)})


def counts_from_csv(data: bytes) -> pd.DataFrame:
    r"""Return the cells of a UTF-8 CSV with a `count` column: columns `cell` (the other columns, joined) and `count`.

    Raises
    ------
    ValueError
        One sentence with the line and the reason: no header, no or several `count` columns, a row of another length,
        a count that is no number in [0, 1e15], no rows, more than 100,000 rows, or bytes that are no CSV in UTF-8.

    Examples
    --------
    >>> counts_from_csv(b"region,count\nNorth,12\nSouth,3\n").to_dict("list")
    {'cell': ['North', 'South'], 'count': [12.0, 3.0]}
    """
    text = utf8(data)
    reader = csv.reader(StringIO(text, newline=""), strict=True)
    cells, counts = [], []
    try:
        header = [name.strip() for name in next(reader, [])]
        places = [place for place, name in enumerate(header) if name.lower() == "count"]
        if len(places) != 1:
            found = ", ".join(header)[:80] or "nothing"
            how_many = "no column" if not places else f"{len(places)} columns"
            raise ValueError(f"line 1: the header has {how_many} named count, only one is allowed; it says {found}")
        for row in reader:
            if not any(entry.strip() for entry in row):
                continue
            if len(row) != len(header):
                raise ValueError(f"line {reader.line_num}: {len(row)} entries under a header of {len(header)}")
            counts.append(_count(row.pop(places[0]), reader.line_num))
            cells.append(", ".join(entry.strip() for entry in row) or f"row {len(counts)}")
            if len(counts) > MOST_CELLS:
                raise ValueError(f"line {reader.line_num}: more than {MOST_CELLS:,} rows")
    except csv.Error as error:
        raise ValueError(f"line {reader.line_num}: {error}") from None
    if not counts:
        raise ValueError("line 2: there is no row under the header")
    return pd.DataFrame({"cell": cells, "count": np.array(counts, dtype=np.float64)})


def _count(entry: str, line: int) -> float:
    try:
        return float(number("count", float(entry), _COUNT_RANGE))
    except ValueError:
        shown = entry.strip()[:40] or "empty"
        raise ValueError(f"line {line}: the count is {shown}, not a number from 0 to 1e15") from None


def distinguishable(count: ArrayLike, accuracy: ArrayLike) -> NDArray[np.bool_]:
    """Whether count − accuracy > 0: the band that holds a share 1 − α of the cell's releases leaves out zero.

    Parameters
    ----------
    count : true counts, at least 0.
    accuracy : half-width of the band, at least 0, in counts.

    Examples
    --------
    >>> distinguishable(count=[12, 3], accuracy=8.3).tolist()
    [True, False]
    """
    return number("count", count, "[0, inf)") > number("accuracy", accuracy, "[0, inf)")
