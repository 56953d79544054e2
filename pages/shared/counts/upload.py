"""A file with a table, or text that was pasted, and the table that is read from it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd

from dpcore import readers
from dpcore.readers import REPAIRS, PersonCandidate, ReadTable, TableProblem
from dpcore.readers.notes import NamedAsTotal, ObservedLevels, SuppressedCounts
from dpcore.readers.people_notes import PersonRows
from pages.framework.parameters.parameter import excerpt
from pages.framework.rendering.workers.jobs import Progress
from pages.framework.session.data_files import DataFiles
from pages.shared.counts import link_format
from pages.shared.counts.problem_text import offered_repairs, refusal
from pages.shared.counts.table import YOURS, Counts, Upload
from pages.shared.counts.table_notes import table_sentences

EACH_ROW = ""
_ROWS, _CELLS = "table", "cells.json"
_MOST_RAW = 4_000_000  # bytes of a file that the browser keeps as it is; of a larger one it keeps the table alone
_MOST_CELLS = 100_000
_MOST_TEXT = 6_000_000  # bytes of the cells of a table


@dataclass(frozen=True)
class OwnTableFile:
    """A file or pasted text, and how it is to be read; `offered_columns` are its columns once it was read.

    `repairs` are those of `dpcore.readers.REPAIRS` that the user chose. `person` is the column of raw records that
    identifies people, `EACH_ROW` where the user says that there is none, and None where nobody chose yet; once the
    file was read, it is the proposal where one is named so, and `person_columns` are all that may identify people.
    """

    data: bytes
    name: str
    kind: str = ""
    columns: tuple[str, ...] = ()
    repairs: tuple[str, ...] = ()
    person: str | None = None
    offered_columns: tuple[str, ...] = ()
    person_columns: tuple[PersonCandidate, ...] = ()


@dataclass(frozen=True)
class TableResult:
    """The table that was read, or the reason why there is none, in `upload`, which the session holds.

    `sentences` say how the file was read, `kind` is what it was read as, and `file` is the file that was read, None
    where there is no file behind the table. `linkable` is the table as a text for the link, which gets it only when the
    user wants that; it is empty for a table that no link can hold, and `unlinkable` says why. `problems` are what keeps
    the file from being read, and `offers` the repairs that would help.
    """

    upload: Upload
    sentences: tuple[str, ...] = ()
    kind: str = ""
    file: OwnTableFile | None = None
    linkable: str = ""
    unlinkable: str = ""
    problems: tuple[TableProblem, ...] = ()
    offers: tuple[str, ...] = ()


def refuse_file(file: OwnTableFile, error: ValueError) -> TableResult:
    """Return the result without a table, which says why the file could not be read."""
    upload = Upload(None, f"{excerpt(file.name)} can’t be read: {error}. No table is drawn in its place.")
    return TableResult(upload, (), file.kind, file)


def read_file(file: OwnTableFile, report: Progress) -> TableResult:
    """Read a table from a file, and report the share that is read."""
    try:
        table, file = _read_with_proposal(file, report)
    except ValueError as error:
        return _refuse_with_problems(file, error)
    sentences = table_sentences(note for note in table.notes if not isinstance(note, PersonRows))
    if table.frame.empty:
        upload = Upload(None, f"{excerpt(file.name)} has raw records: choose the columns to cross-tabulate.")
        return TableResult(upload, sentences, table.kind, file)
    offers = ("totals",) if any(isinstance(note, NamedAsTotal) for note in table.notes) else ()
    suppressed = [note.largest for note in table.notes if isinstance(note, SuppressedCounts) and note.has_zeros]
    people = next((note for note in table.notes if isinstance(note, PersonRows)), None)
    is_from_records = any(isinstance(note, ObservedLevels) for note in table.notes)
    result = result_of_frame(table.frame, max(suppressed, default=1), people, is_from_records)
    return replace(result, sentences=sentences, kind=table.kind, file=file, offers=offers)


def _read_with_proposal(file: OwnTableFile, report: Progress) -> tuple[ReadTable, OwnTableFile]:
    """Return the table, and the file with its columns and, where nobody chose yet, the proposed column of people."""

    def table_by(person: str | None) -> ReadTable:
        person = person or "" if file.columns else ""
        return readers.read_table(file.data, file.columns, file.kind, report.report, file.repairs, person)

    table = table_by(file.person)
    file = replace(file, offered_columns=table.columns, person_columns=table.person_columns)
    names = [column.name for column in table.person_columns if column.reason == "name"]
    proposal = next((name for name in names if name not in file.columns), None)
    if file.person is not None or proposal is None:
        return table, file
    return table_by(proposal) if file.columns else table, replace(file, person=proposal)


def _refuse_with_problems(file: OwnTableFile, error: ValueError) -> TableResult:
    """Return the result without a table: all the problems of the file, or the reader's reason where none is listed."""
    refused = refuse_file(file, error)
    try:
        problems = readers.table_problems(file.data, file.columns, file.kind, file.repairs)
    except ValueError:
        return refused
    offers = offered_repairs(problems)
    if len(problems) < 2 and not offers:
        return refused
    upload = Upload(None, refusal(file.name, problems))
    return replace(refused, upload=upload, problems=problems, offers=offers)


def result_of_frame(
    frame: pd.DataFrame, least_per_cell: int = 1, people: PersonRows | None = None, is_from_records: bool = False
) -> TableResult:
    """Return the result for a table of the user without the file that it was read from."""
    upload = Upload(Counts(frame, YOURS, least_per_cell, people, is_from_records))
    try:
        return TableResult(upload, linkable=link_format.table_text(frame, least_per_cell))
    except ValueError as error:
        return TableResult(upload, unlinkable=str(error))


def browser_copy(result: TableResult) -> DataFiles | None:
    """Return what the browser shall keep of a table: its file and the choices for it, or the cells of a large file."""
    file, counts = result.file, result.upload.counts
    if file is not None and len(file.data) <= _MOST_RAW:
        options = {"kind": file.kind, "columns": list(file.columns), "repairs": list(file.repairs)}
        options["person"] = file.person
        return DataFiles({"file": (file.name, file.data)}, options)
    if counts is None or len(counts.frame) > _MOST_CELLS:
        return None
    rows = list(zip(counts.frame["cell"].astype(str), counts.frame["count"].astype(int).tolist(), strict=True))
    people = counts.people and [counts.people.most_rows, counts.people.most_cells, counts.people.most_per_cell]
    options = {"kind": _ROWS, "least": counts.least_per_cell, "people": people, "records": counts.is_from_records}
    return DataFiles({"file": (_CELLS, json.dumps(rows).encode())}, options)


def result_of_copy(copy: DataFiles) -> OwnTableFile | TableResult | None:
    """Return the file to be read again, or the table, that the browser kept; None if the copy holds neither."""
    if len(copy.files) != 1:
        return None
    (name, content), kind, columns = copy.file, copy.choices.get("kind"), copy.choices.get("columns")
    if kind == _ROWS:
        return _table_from(content, copy.choices)
    if kind not in ("", *readers.TABLE_KINDS) or not isinstance(columns, list):
        return None
    repairs = copy.choices.get("repairs", [])
    chosen = tuple(repair for repair in REPAIRS if isinstance(repairs, list) and repair in repairs)
    person = copy.choices.get("person")
    return OwnTableFile(content, name, kind, tuple(map(str, columns)), chosen, None if person is None else str(person))


def _table_from(content: bytes, options: Mapping[str, Any]) -> TableResult | None:
    least_per_cell, people = options.get("least", 1), options.get("people")
    most = people if isinstance(people, list) else []
    if len(content) > _MOST_TEXT or not all(isinstance(number, int) for number in (least_per_cell, *most)):
        return None
    try:
        rows = json.loads(content)
        cells, counts = [str(cell) for cell, _ in rows], [int(count) for _, count in rows]
    except (ValueError, TypeError, RecursionError):
        return None
    if not 1 <= len(rows) <= _MOST_CELLS or min(counts) < 0 or max(counts) > link_format.MOST_COUNT:
        return None
    people = PersonRows("", 0, *most) if len(most) == 3 else None
    frame = link_format.cells_frame(tuple(zip(cells, counts, strict=True)))
    return result_of_frame(frame, least_per_cell, people, options.get("records") is True)
