"""What becomes of a file or of text that was pasted: a table in the session, or why there is none."""

import json
from dataclasses import dataclass, replace

import pandas as pd

from dpcore import readers
from pages.shared.counts import inline
from pages.shared.counts.table import YOURS, Counts, Upload
from pages.shared.counts.table_notes import table_sentences
from pages.shared.own_data import OwnData
from pages.shared.parameters import shown
from pages.shared.workers.limits import Report

_ROWS, _CELLS = "table", "cells.json"
_MOST_RAW = 4_000_000  # bytes of a file that the browser keeps as it is; of a larger one it keeps the table alone
_MOST_CELLS = 100_000
_MOST_TEXT = 6_000_000  # bytes of the cells of a table


@dataclass(frozen=True)
class Brought:
    """What the user brought, and how it is to be read: `offered` are its columns, once it was read."""

    data: bytes
    name: str
    kind: str = ""
    columns: tuple[str, ...] = ()
    offered: tuple[str, ...] = ()


@dataclass(frozen=True)
class Outcome:
    """What came of it: the session holds `upload`.

    `said` are the sentences on what was taken for what, `kind` what it was read as, and `brought` what was read, None
    where there is no file behind the table. `linkable` is the table as a text for the link, which gets it only when the
    user wants that; it is empty for a table that no link can hold, and `unlinkable` says why.
    """

    upload: Upload
    said: tuple[str, ...] = ()
    kind: str = ""
    brought: Brought | None = None
    linkable: str = ""
    unlinkable: str = ""


def refused(brought: Brought, error: ValueError) -> Outcome:
    """There is no table, for this reason."""
    upload = Upload(None, f"{shown(brought.name)} can't be read: {error}. No table is drawn in its place.")
    return Outcome(upload, (), brought.kind, brought)


def outcome(brought: Brought, report: Report) -> Outcome:
    """Read what was brought, and tell the share that is read, now and then."""
    name = shown(brought.name)
    try:
        taken = readers.read_table(brought.data, brought.columns, brought.kind, report.report)
    except ValueError as error:
        return refused(brought, error)
    brought, said = replace(brought, offered=taken.columns), table_sentences(taken.notes)
    if taken.frame.empty:
        upload = Upload(None, f"{name} has a row for each person: choose the columns to cross-tabulate.")
        return Outcome(upload, said, taken.kind, brought)
    return replace(of_frame(taken.frame), said=said, kind=taken.kind, brought=brought)


def of_frame(frame: pd.DataFrame) -> Outcome:
    """A table of the user's own without the file that it was read from."""
    upload = Upload(Counts(frame, YOURS))
    try:
        return Outcome(upload, linkable=inline.table_text(frame))
    except ValueError as error:
        return Outcome(upload, unlinkable=str(error))


def copy_of(made: Outcome) -> OwnData | None:
    """What the browser shall keep of a table: its file with the choices made for it, or the cells of a large file."""
    brought, counts = made.brought, made.upload.counts
    if brought is not None and len(brought.data) <= _MOST_RAW:
        options = {"kind": brought.kind, "columns": list(brought.columns)}
        return OwnData(((brought.name, brought.data),), options)
    if counts is None or len(counts.frame) > _MOST_CELLS:
        return None
    rows = list(zip(counts.frame["cell"].astype(str), counts.frame["count"].astype(int).tolist(), strict=True))
    return OwnData(((_CELLS, json.dumps(rows).encode()),), {"kind": _ROWS})


def from_copy(data: OwnData) -> Brought | Outcome | None:
    """The file to be read again, or the table, that the browser kept; None if the copy holds neither."""
    if len(data.files) != 1:
        return None
    (name, content), kind, columns = data.files[0], data.options.get("kind"), data.options.get("columns")
    if kind == _ROWS:
        return _table_from(content)
    if kind not in ("", "column", "cross_table", "records") or not isinstance(columns, list):
        return None
    return Brought(content, name, kind, tuple(map(str, columns)))


def _table_from(content: bytes) -> Outcome | None:
    if len(content) > _MOST_TEXT:
        return None
    try:
        rows = json.loads(content)
        cells, counts = [str(cell) for cell, _ in rows], [int(count) for _, count in rows]
    except (ValueError, TypeError, RecursionError):
        return None
    if not 1 <= len(rows) <= _MOST_CELLS or min(counts) < 0 or max(counts) > inline.MOST_COUNT:
        return None
    return of_frame(inline.frame_of(tuple(zip(cells, counts, strict=True))))
