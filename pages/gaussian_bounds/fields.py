"""The field for a table of one's own, which stays in the session."""

import streamlit as st

from dpcore import tables
from pages.gaussian_bounds.exhibits import CZECH, Counts
from pages.shared import fields, session
from pages.shared.parameters import shown

_OWN, _WRONG = "own_table", "own_table_wrong"


def counts_field() -> None:
    """Draw the field; what it holds is `counts_held`.

    It is drawn when asked for: axe finds a minor fault in Streamlit's file field that no page can mend.
    """
    with st.expander("Use your own table", key="own_table_box", on_change="rerun") as box:
        if box.open:
            st.file_uploader(
                "A CSV with a column named count",
                ["csv", "txt"],
                key="table_file",
                help="The file stays on the machine that runs this page. The link does not hold it.",
                on_change=_take_table,
            )
            if session.held():
                st.button("Back to the shipped table", key="own_table_away", on_click=_drop_table)
    fields.problem("table", session.held().get(_WRONG, ""))


def counts_held() -> Counts | None:
    """The user's own table, if there is one."""
    return session.held().get(_OWN)


def _take_table() -> None:
    file = st.session_state.table_file
    _drop_table()
    if file is None:
        return
    try:
        session.held()[_OWN] = Counts(tables.read_table(file.getvalue(), kind="column").frame, shown(file.name))
    except ValueError as error:
        session.held()[_WRONG] = f"{shown(file.name)} can't be read: {error}. {CZECH.source} is used instead."


def _drop_table() -> None:
    for name in (_OWN, _WRONG):
        session.held().pop(name, None)
