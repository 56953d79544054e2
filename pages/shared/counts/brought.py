"""What becomes of a file or of text that was pasted: a table in the link, one in the session, or why there is none."""

from dataclasses import dataclass, replace

from dpcore import tables
from pages.shared.counts import inline
from pages.shared.counts.table import Counts, Upload
from pages.shared.parameters import shown
from pages.shared.workers.limits import Report


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
    """What came of it: the session holds `upload`, the link `linked`, only one of the two has a table.

    `said` are the sentences on what was taken for what, `kind` what it was read as, and `brought` what was read.
    """

    upload: Upload | None
    linked: str
    said: tuple[str, ...]
    kind: str
    brought: Brought


def refused(brought: Brought, error: ValueError) -> Outcome:
    """There is no table, for this reason."""
    upload = Upload(None, f"{shown(brought.name)} can't be read: {error}. No table is drawn in its place.")
    return Outcome(upload, inline.NONE, (), brought.kind, brought)


def outcome(brought: Brought, report: Report) -> Outcome:
    """Read what was brought, and tell the share that is read, now and then."""
    name = shown(brought.name)
    try:
        taken = tables.read_table(brought.data, brought.columns, brought.kind, report.report)
    except ValueError as error:
        return refused(brought, error)
    brought = replace(brought, offered=taken.columns)
    if taken.frame.empty:
        upload = Upload(None, f"{name} has a row for each person: choose the columns to cross-tabulate.")
        return Outcome(upload, inline.NONE, taken.said, taken.kind, brought)
    try:
        text, upload = inline.table_text(taken.frame), None
        kept = "The link holds this table: whoever sees the link sees its counts."
    except ValueError as error:
        text, upload = inline.NONE, Upload(Counts(taken.frame, name))
        kept = f"The table is not in the link: {error}. It is gone when this session ends."
    return Outcome(upload, text, (*taken.said, kept), taken.kind, brought)
