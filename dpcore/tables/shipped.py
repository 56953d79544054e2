"""Tables of counts that ship with the project: published counts, which anyone may restate, with their citations."""

import itertools

import numpy as np
import pandas as pd

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
