"""Sums of the user's own: which cells each published number adds up, from a file, pasted, or in the link."""

from dataclasses import dataclass

import numpy as np

from dpcore import linear_queries, readers
from dpcore.readers import ReadSums
from pages.framework.parameters.number_format import plural
from pages.framework.session.data_files import LINKED, DataFiles, ReadData
from pages.series.linked_sums import MOST_SUMMED, MOST_SUMS, link_text
from pages.series.parameters import OWN_SUMS

_MONTHS = tuple(f"M{place}" for place in range(1, 13))
_TOTALS = "Q1", "Q2", "Q3", "Q4", "H1", "H2", "year"


@dataclass(frozen=True, eq=False)
class SumsUpload:
    """The sums that were read, or the sentence on why there are none."""

    sums: ReadSums | None
    problem: str = ""


def read_own_sums(files: DataFiles, _: object = None) -> ReadData[SumsUpload]:
    """Return the sums of a file, or of a link."""
    _, data = files.file
    if LINKED in files.files:
        sums = numbered(OWN_SUMS.read(data.decode()) or ())
        return ReadData(SumsUpload(sums), link_text=link_text(sums.matrix))
    sums = readers.read_sums(data)
    n_sums, n_cells = sums.matrix.shape
    if n_sums > MOST_SUMS or n_cells > MOST_SUMMED:
        raise ValueError(
            f"this page takes at most {MOST_SUMS} sums of {MOST_SUMMED} cells, and there are {n_sums:,} of {n_cells:,}"
        )
    linkable = {}
    try:
        linkable["link_text"] = link_text(sums.matrix)
    except ValueError as error:
        linkable["unlinkable"] = str(error)
    return ReadData(SumsUpload(sums), notes=(f"{plural(n_sums, 'sum')} of {plural(n_cells, 'cell')}.",), **linkable)


def numbered(rows: tuple[tuple[float, ...], ...]) -> ReadSums:
    """Return the sums of a link, which has no names."""
    matrix = np.array(rows)
    names = tuple(f"sum {place + 1}" for place in range(matrix.shape[0]))
    cells = tuple(f"cell {place + 1}" for place in range(matrix.shape[1]))
    return ReadSums(matrix, names, cells)


def numbers_of_series(name: str, n: int, window: int | None) -> SumsUpload:
    """Return the numbers of a series as sums of its periods, or why these are too many."""
    if n > MOST_SUMS:
        return SumsUpload(None, f"With this choice of noises a series has at most {MOST_SUMS} periods, not {n:,}.")
    matrix = linear_queries.workload(name, n, window or 1).matrix()
    periods = tuple(f"{place}" for place in range(1, n + 1))
    return SumsUpload(ReadSums(matrix, periods, periods))


def months_of_a_year() -> ReadSums:
    """Return the sums of 12 months that statistics offices publish: each, quarters Q, halves H, and the year."""
    month = np.arange(12)
    rows = [*np.eye(12), *(month // 3 == place for place in range(4)), *(month // 6 == place for place in range(2))]
    matrix = np.array([*rows, np.ones(12)], np.float64)
    return ReadSums(matrix, (*_MONTHS, *_TOTALS), _MONTHS)
