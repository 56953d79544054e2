"""A series of the user's own: a number for each period, from a file or pasted, or a few of them in the link."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from dpcore import readers
from dpcore.checks import Array
from dpcore.readers import AmbiguousNumberError
from pages.framework.parameters.number_format import plural
from pages.framework.parameters.parameter import excerpt
from pages.framework.session.data_files import LINKED, ChoiceField, DataFiles, ReadData
from pages.series.parameters import OWN_SERIES
from pages.shared.file_notes import chosen_entry, mark_offers, question_text
from pages.shared.values.own_values import link_text

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
        raise ValueError(f"{rows} no number, and a series needs one for each period")
    if values.values.size > MOST_PERIODS:
        raise ValueError(f"a series has at most {MOST_PERIODS:,} periods, and there are {values.values.size:,} numbers")
    linkable = {}
    try:
        linkable["link_text"] = link_text(values.values)
    except ValueError as error:
        linkable["unlinkable"] = str(error)
    note = f"{plural(values.values.size, 'period')} with a number in column {excerpt(values.column)}."
    return ReadData(
        SeriesUpload(values.values),
        offers=mark_offers(chosen_entry(values.notes), decimal),
        notes=(note,),
        memory={"columns": values.numbers, "column": values.column},
        **linkable,
    )


def column_fields(files: DataFiles) -> Iterator[ChoiceField]:
    """Yield the field for the column of a file that has several columns of numbers."""
    columns = files.memory.get("columns", ())
    if len(columns) > 1:
        yield ChoiceField("column", "Column of the numbers", files.memory["column"], columns)
