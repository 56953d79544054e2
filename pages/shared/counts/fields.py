"""The fields for a table of one's own, which stays in the session; only a small one is in the link."""

from dataclasses import replace
from functools import partial

import streamlit as st

from pages.shared import fields, session, waiting
from pages.shared.counts import inline
from pages.shared.counts.brought import Brought, Outcome, outcome, refused
from pages.shared.counts.inline import MOST_CELLS
from pages.shared.counts.parameters import OWN_TABLE, TABLE
from pages.shared.counts.table import Upload

_OWN = "own"  # the option of the parameter `table`
_BROUGHT, _OUTCOME, _TIMES_BROUGHT = "table_brought", "table_outcome", "table_times_brought"
_KINDS = {
    "": "What it looks like",
    "column": "A column of counts",
    "cross_table": "A cross-table",
    "records": "Raw records, a row for each person",
}
_IN_LINK = (
    f"a table of up to {MOST_CELLS} cells is put in the link, and so in the history of the browser and perhaps in logs"
)


def uploaded() -> Upload | None:
    """What came of the user's file, unless the link holds the table."""
    found = _outcome()
    return found and found.upload


def table_fields() -> None:
    """Draw the fields, below the stage; what they hold is `uploaded`, or the parameter `own` of the link."""
    _forget_what_is_old()
    if session.page_is_new() and session.used()[TABLE.key] == _OWN:
        st.session_state.own_table_box = True
    with st.expander("Use your own table", key="own_table_box", on_change="rerun") as box:
        if box.open:
            _entries()
            _how_it_is_read()
    found = _outcome()
    fields.problem("table", found.upload.problem if found and found.upload else "")
    if _has_own():
        st.button("Back to the shipped table", key="own_table_away", on_click=_drop)


def _forget_what_is_old() -> None:
    """Let go of what was brought where the link has another table: somebody went back, or edited it."""
    found = _outcome()
    if found is not None and found.linked != session.used()[OWN_TABLE.key]:
        _let_go()


def _let_go() -> None:
    for name in (_BROUGHT, _OUTCOME):
        session.held().pop(name, None)
    st.session_state.table_pasted = ""


def _outcome() -> Outcome | None:
    return session.held().get(_OUTCOME)


def _has_own() -> bool:
    return _outcome() is not None or session.used()[TABLE.key] == _OWN


def _entries() -> None:
    st.file_uploader(
        "A file: CSV, TSV, or other text with a separator",
        ["csv", "tsv", "tab", "txt"],
        key="table_file",
        help="Counts with or without labels, a cross-table, or raw records, a row for each person. The file stays on "
        f"the machine that runs this page and is gone when the session ends; but {_IN_LINK}.",
        on_change=_take_file,
    )
    st.text_area(
        "Or paste a table",
        key="table_pasted",
        height=120,
        help=f"As copied from a spreadsheet, or as in a CSV; {_IN_LINK}.",
        on_change=_take_pasted,
        placeholder="North; 12\nSouth; 3",
    )


def _how_it_is_read() -> None:
    """Ask how to read what was brought, read it where that is new, and say what was taken for what."""
    brought: Brought | None = session.held().get(_BROUGHT)
    if brought is None:
        return
    found = _outcome()
    if found is None or found.brought is not brought:  # the table before it is drawn until it is read: one step back
        _read(brought)
        # Of two runs, Streamlit sends a browser only the second. If the fields below were set to new values in the
        # first run, the browser would keep what they showed for the previous file and send it as a choice for this one.
        st.rerun()
    st.selectbox(
        "Read it as",
        list(_KINDS),
        format_func=_KINDS.__getitem__,
        key=_reading_key("table_kind"),
        on_change=_read_as,
        args=(_reading_key("table_kind"),),
        **fields.mirrored(_reading_key("table_kind"), brought.kind, "index", list(_KINDS).index(brought.kind)),
    )
    if found.kind == "records":
        st.multiselect(
            "Columns to cross-tabulate",
            brought.offered,
            key=_reading_key("table_columns"),
            on_change=_cross,
            args=(_reading_key("table_columns"),),
            **fields.mirrored(_reading_key("table_columns"), list(brought.columns), "default"),
        )
    st.text("\n".join(found.said))


def _reading_key(key: str) -> str:
    """Return the key of a field that says how to read the current file or text: each has fields of its own.

    In fields of the same key, a browser may still hold the choice for the previous file and send it for this one; a
    choice from the fields of another file is not followed.
    """
    times = session.held().get(_TIMES_BROUGHT, 1)
    return key if times == 1 else f"{key}_{times}"


def _read(brought: Brought) -> None:
    """Read what was brought, with a bar for what takes long."""
    place = st.empty()

    def progress(share: float) -> None:
        place.progress(share, "Reading the table")

    try:
        found = waiting.read(partial(outcome, brought), progress)
    except ValueError as error:
        found = refused(brought, error)
    place.empty()
    session.held()[_OUTCOME] = found
    session.held()[_BROUGHT] = found.brought
    session.enter(TABLE.key, _OWN)
    session.enter(OWN_TABLE.key, found.linked)


def _bring(brought: Brought) -> None:
    """Take a new file or text, which is recognized anew."""
    session.held()[_TIMES_BROUGHT] = session.held().get(_TIMES_BROUGHT, 0) + 1
    session.held()[_BROUGHT] = brought


def _take_file() -> None:
    file = st.session_state.table_file
    if file is None:
        _drop()
    else:
        _bring(Brought(file.getvalue(), file.name))


def _take_pasted() -> None:
    text = st.session_state.table_pasted
    if text.strip():
        _bring(Brought(text.encode("utf-8", "replace"), "The pasted text"))


def _read_as(key: str) -> None:
    if key == _reading_key("table_kind") and _BROUGHT in session.held():
        kind = st.session_state[key]
        session.held()[_BROUGHT] = replace(session.held()[_BROUGHT], kind=kind, columns=())


def _cross(key: str) -> None:
    if key == _reading_key("table_columns") and _BROUGHT in session.held():
        columns = tuple(st.session_state[key])
        session.held()[_BROUGHT] = replace(session.held()[_BROUGHT], columns=columns)


def _drop() -> None:
    _let_go()
    session.enter(TABLE.key, TABLE.default)
    session.enter(OWN_TABLE.key, inline.NONE)
