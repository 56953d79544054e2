"""Tables of counts of the user's own, read from a file."""

import csv
from io import StringIO

import numpy as np
import pandas as pd

from dpcore.checks import number, utf8

MOST_CELLS = 100_000
_COUNT_RANGE = "[0, 1e15]"


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
