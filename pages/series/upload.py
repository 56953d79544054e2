"""A series or sums of the user's own, from a file, pasted, or in the link: periods with numbers, or sums of cells."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpcore import linear_queries, readers
from dpcore.checks import Array
from dpcore.readers import AmbiguousNumberError, ReadSums
from pages.framework.parameters.number_format import plural
from pages.framework.parameters.parameter import excerpt
from pages.framework.session.data_files import LINKED, ChoiceField, DataFiles, ReadData
from pages.series.parameters import MOST_SUMMED, MOST_SUMS, OWN_SERIES, OWN_SUMS
from pages.series.parameters import link_text as sums_link_text
from pages.shared.file_notes import chosen_entry, mark_offers, question_text
from pages.shared.values.parameters import link_text

MOST_PERIODS = 1000
CHOICES = {"column": "", "decimal": ""}
"""The choices on how to read a file, "" for the reader's own: the column, and the decimal mark."""


@dataclass(frozen=True, eq=False)
class SeriesUpload:
    """The numbers of the periods that were read, or the sentence on why there are none."""

    counts: Array | None
    problem: str = ""


def read_series(files: DataFiles, _: object = None) -> ReadData[SeriesUpload]:
    """Return the numbers of a file, or of a link, in their order; or the question what a number in the file means."""
    name, data = files.file
    if LINKED in files.files:
        counts = np.array(OWN_SERIES.read(data.decode()), np.float64)
        return ReadData(SeriesUpload(counts), link_text=link_text(counts))
    column, decimal = (files.choices[choice] for choice in CHOICES)
    try:
        values = readers.read_values(data, column, "", decimal)
    except AmbiguousNumberError as error:
        question = question_text(name, error)
        return ReadData(SeriesUpload(None, question), question, offers=mark_offers(error.entry, ""))
    if values.n_missing:
        rows = plural(values.n_missing, "row has", "rows have")
        lines = f"line{'s' if values.n_missing > 1 else ''} {', '.join(map(str, values.missing_lines))}"
        more = ", …" if values.n_missing > len(values.missing_lines) else ""
        raise ValueError(f"{rows} no number ({lines}{more}), and a series needs one for each period")
    if values.values.size > MOST_PERIODS:
        raise ValueError(f"a series has at most {MOST_PERIODS:,} periods, and there are {values.values.size:,} numbers")
    note = f"{plural(values.values.size, 'period')} with a number in column {excerpt(values.column)}."
    return ReadData(
        SeriesUpload(values.values),
        offers=mark_offers(chosen_entry(values.notes), decimal),
        notes=(note,),
        memory={"columns": values.numbers, "column": values.column},
        **_linkable(link_text, values.values),
    )


def _linkable(text_of: Callable[[Array], str], numbers: Array) -> dict[str, Any]:
    """Return the text of numbers for a link, or why they are in none."""
    try:
        return {"link_text": text_of(numbers)}
    except ValueError as error:
        return {"unlinkable": str(error)}


def column_fields(files: DataFiles) -> Iterator[ChoiceField]:
    """Yield the field for the column of a file that has several columns of numbers."""
    columns = files.memory.get("columns", ())
    if len(columns) > 1:
        yield ChoiceField("column", "Column of the numbers", files.memory["column"], columns)


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
        return ReadData(SumsUpload(sums), link_text=sums_link_text(sums.matrix))
    sums = readers.read_sums(data)
    n_sums, n_cells = sums.matrix.shape
    if n_sums > MOST_SUMS or n_cells > MOST_SUMMED:
        raise ValueError(
            f"this page takes at most {MOST_SUMS} sums of {MOST_SUMMED} cells, and there are {n_sums:,} of {n_cells:,}"
        )
    note = f"{plural(n_sums, 'sum')} of {plural(n_cells, 'cell')}."
    return ReadData(SumsUpload(sums), notes=(note,), **_linkable(sums_link_text, sums.matrix))


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
