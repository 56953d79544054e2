"""What becomes of a file or of text that was pasted: a table in the link, one in the session, or why there is none."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from dpcore import tables
from pages.shared.counts import inline
from pages.shared.counts.table import Counts, Upload
from pages.shared.parameters import shown


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


def outcome(brought: Brought, progress: Callable[[float], None]) -> Outcome:
    """Read what was brought; `progress` hears the share that is read, now and then."""
    name = shown(brought.name)
    try:
        taken = tables.read_table(brought.data, brought.columns, brought.kind, progress)
    except ValueError as error:
        upload = Upload(None, f"{name} can't be read: {error}. No table is drawn in its place.")
        return Outcome(upload, inline.NONE, (), brought.kind, brought)
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
