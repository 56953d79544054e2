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
_MILDEW_FACTORS = ("la10", "locc", "mp58", "c365", "p53a", "a367")
_MILDEW_COUNTS = (
    0, 0, 0, 0, 3, 0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 7, 1, 4, 0, 0, 0, 0, 2, 1, 3, 0, 11, 16, 1, 4, 0, 1, 0,
    0, 0, 1, 4, 1, 4, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
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
    return _table(_CZECH_FACTORS, (0, 1), _CZECH_COUNTS)


def mildew() -> pd.DataFrame:
    """Return the 64 published counts of 70 offspring of a cross of barley powdery mildew, by six two-level loci.

    Christiansen & Giese 1991, Theoretical and Applied Genetics 79, 705-712, as the R package gRbase cites them and in
    the order of its `mildew`, the first locus varying fastest. Columns `cell` (the levels as 1/2 after each locus'
    name) and `count`.

    Examples
    --------
    >>> frame = mildew()
    >>> len(frame), int(frame["count"].sum()), int((frame["count"] > 0).sum())
    (64, 70, 22)
    """
    return _table(_MILDEW_FACTORS, (1, 2), _MILDEW_COUNTS)


def _table(factors: tuple[str, ...], levels: tuple[int, int], counts: tuple[int, ...]) -> pd.DataFrame:
    """Return a table of factors of two levels, the first varying fastest."""
    rows = (reversed(row) for row in itertools.product(levels, repeat=len(factors)))
    cells = [", ".join(f"{factor} {level}" for factor, level in zip(factors, row, strict=True)) for row in rows]
    return pd.DataFrame({"cell": cells, "count": np.array(counts, dtype=np.float64)})
