"""The table of the user in the session: stored, restored from the browser, included in the link, and forgotten."""

from functools import partial

import streamlit as st

from pages.framework.layout import widgets
from pages.framework.rendering import render_jobs
from pages.framework.session import session_state, tab_copies
from pages.framework.session.data_files import OWN
from pages.shared.counts import link_format
from pages.shared.counts.fields import SLOT
from pages.shared.counts.parameters import OWN_TABLE, TABLE
from pages.shared.counts.table import Upload
from pages.shared.counts.upload import (
    OwnTableFile,
    TableResult,
    browser_copy,
    read_file,
    refuse_file,
    result_of_copy,
    result_of_frame,
)

TABLE_FILE, _RESULT, IS_STORED_IN_TAB = "table_uploaded", "table_result", "table_is_kept"


def uploaded_table() -> Upload | None:
    """Return the table of the session, read again where the browser has just sent its copy, or why there is none."""
    copy = tab_copies.take_restored(SLOT)
    if copy is not None and stored_result() is None:
        _restore_copy(result_of_copy(copy))
    if session_state.request().get("exclude"):
        set_inclusion(False)
    result = stored_result()
    return result and result.upload


def _restore_copy(copy: OwnTableFile | TableResult | None) -> None:
    if isinstance(copy, OwnTableFile):
        try:
            copy = render_jobs.read_file(partial(read_file, copy), lambda _: None)
        except ValueError as error:
            copy = refuse_file(copy, error)
    if copy is not None:
        session_state.uploads()[_RESULT], session_state.uploads()[TABLE_FILE] = copy, copy.file
        session_state.uploads()[IS_STORED_IN_TAB] = True


def is_set_aside() -> bool:
    """Return whether the link has another table than the session: somebody went back, or edited the link.

    The table of the session is kept, since one step forward the link has none again.
    """
    result = stored_result()
    return result is not None and session_state.used_texts()[OWN_TABLE.key] not in (link_format.NONE, result.linkable)


def forget_table() -> None:
    """Forget the table, and the copies of it in the links of other pages, which would bring it back."""
    for name in (TABLE_FILE, _RESULT, IS_STORED_IN_TAB):
        session_state.uploads().pop(name, None)
    tab_copies.store(SLOT, None)
    widgets.empty_uploader("table_file")
    st.session_state.table_pasted = ""
    session_state.forget_elsewhere(OWN_TABLE.key, bool)
    session_state.forget_elsewhere(TABLE.key, lambda text: text == OWN)


def stored_result() -> TableResult | None:
    """Return the table of the session, or why it cannot be read; None without one."""
    return session_state.uploads().get(_RESULT)


def has_own_table() -> bool:
    """Return whether the user has uploaded or pasted a table, or has chosen to."""
    return stored_result() is not None or is_in_link() or session_state.used_texts()[TABLE.key] == OWN


def is_in_link() -> bool:
    """Return whether the link contains the table of the user."""
    return session_state.used_texts()[OWN_TABLE.key] != link_format.NONE


def set_inclusion(is_included: bool) -> None:
    """Put the table into the link, or take it out of it; one that came with the link stays in the session."""
    result, text = stored_result(), session_state.used_texts().get(OWN_TABLE.key, link_format.NONE)
    if is_included:
        session_state.set_text(OWN_TABLE.key, link_format.NONE if result is None else result.linkable)
        return
    table = OWN_TABLE.read(text)
    if table is not None and (result is None or result.linkable != text):
        session_state.uploads().pop(TABLE_FILE, None)
        frame = link_format.cells_frame(table.cells)
        session_state.uploads()[_RESULT] = result_of_link = result_of_frame(frame, table.least_per_cell)
        session_state.uploads()[IS_STORED_IN_TAB] = tab_copies.store(SLOT, browser_copy(result_of_link))
    session_state.set_text(OWN_TABLE.key, link_format.NONE)
    session_state.forget_elsewhere(OWN_TABLE.key, lambda other: other == text)


def read_into_session(table_file: OwnTableFile) -> None:
    """Read a file under a progress bar, and choose the table that it has."""
    place = st.empty()

    def progress(share: float) -> None:
        place.progress(share, "Reading the table")

    try:
        result = render_jobs.read_file(partial(read_file, table_file), progress)
    except ValueError as error:
        result = refuse_file(table_file, error)
    place.empty()
    session_state.uploads()[_RESULT] = result
    session_state.uploads()[TABLE_FILE] = result.file
    session_state.uploads()[IS_STORED_IN_TAB] = tab_copies.store(SLOT, browser_copy(result))
    session_state.set_text(TABLE.key, OWN)
    session_state.set_text(OWN_TABLE.key, link_format.NONE)
    session_state.forget_elsewhere(OWN_TABLE.key, bool)
