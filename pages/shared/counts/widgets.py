"""The fields for a table of the user's own, which stays in the session and in the tab of the browser.

The link has it only where the user includes it.
"""

from dataclasses import replace

import streamlit as st

from pages.framework.layout import widgets
from pages.framework.layout.own_data_text import DATA_STAY, storage_text
from pages.framework.parameters.kinds import Choice
from pages.framework.session import session_state
from pages.framework.session.data_files import OWN
from pages.shared.conditions import CATEGORIES, CONTRIBUTION
from pages.shared.counts import link_format
from pages.shared.counts.fields import OWN_TABLE_BOX
from pages.shared.counts.parameters import OWN_TABLE, PER_CELL, TABLE
from pages.shared.counts.person_widgets import PERSON_FIELD, draw_person_field, draw_person_rows
from pages.shared.counts.problem_text import ALL_REPAIRS, REPAIR_NAMES, problems_text
from pages.shared.counts.storage_widgets import (
    IS_STORED_IN_TAB,
    TABLE_FILE,
    forget_table,
    has_own_table,
    is_in_link,
    is_set_aside,
    read_into_session,
    set_inclusion,
    stored_result,
)
from pages.shared.counts.upload import OwnTableFile, TableResult

_KIND_FIELD, _COLUMNS_FIELD = "table_kind", "table_columns"  # how to read the current file or text
_NEEDED = "table_is_needed"  # whether an own table was chosen at the last run, while there was none
_TO_ANSWER = '<a class="dp-to-answer" href="#answer">Go to the answer for this table</a>'
_KINDS = {
    "": "Detect the format",
    "column": "A column of counts",
    "cross_table": "A cross-table",
    "records": "Raw records, to be counted",
}
_REPLACED_BY_LINK = (
    "This table comes from the link. The session also has the table that you uploaded last, and shows it if the link "
    "contains no table, for example one step forward in the history. If you remove this table from the link, it "
    "replaces the uploaded one in the session."
)


def table_fields(table: Choice) -> None:
    """Draw the fields for the user's own table below the stage; `table` is the parameter that chooses a table."""
    is_own = session_state.used_texts()[TABLE.key] == OWN
    needs_table = is_own and not is_in_link() and stored_result() is None
    if (session_state.page_is_new() and is_own) or (needs_table and not st.session_state.get(_NEEDED)):
        st.session_state[OWN_TABLE_BOX] = True  # the user has just chosen an own table
    st.session_state[_NEEDED] = needs_table
    with st.expander("Use your own table", key=OWN_TABLE_BOX, on_change="rerun") as box:
        if box.open:
            _input_fields(table)
            _reading_fields()
    result = stored_result()
    widgets.show_problem("table", result.upload.problem if result and result.upload and not is_set_aside() else "")
    if has_own_table():
        _include_field()
        st.button("Back to the sample table", key="own_table_away", on_click=_use_default_table, args=(table,))


def _input_fields(table: Choice) -> None:
    st.file_uploader(
        "File: CSV, TSV or other text with a separator",
        ["csv", "tsv", "tab", "txt"],
        key=widgets.field_key("table_file"),
        help=f"Counts with or without labels, a cross-table, or raw records, whose rows are counted. {DATA_STAY}",
        on_change=_set_uploaded_file,
        args=(table,),
    )
    st.text_area(
        "Or paste a table",
        key="table_pasted",
        height=120,
        help=f"Copied from a spreadsheet, or in the format of a CSV file. {DATA_STAY}",
        on_change=_set_pasted_text,
        placeholder="North; 12\nSouth; 3",
    )


def _reading_fields() -> None:
    """Draw the fields for how to read a file, read it where they changed, and show how it was read."""
    table_file: OwnTableFile | None = session_state.uploads().get(TABLE_FILE)
    if table_file is None:
        return
    result = stored_result()
    if result is None or result.file is not table_file:  # the table before it is drawn until it is read: one step back
        read_into_session(table_file)
        # Of two runs, Streamlit sends a browser only the second. If the fields below were set to new values in the
        # first run, the browser would keep what they showed for the previous file and send it as a choice for this one.
        st.rerun()
    if is_set_aside():
        return
    st.selectbox(
        "Read it as",
        list(_KINDS),
        format_func=_KINDS.__getitem__,
        **widgets.mirror_value(_KIND_FIELD, table_file.kind, _set_kind, "index", list(_KINDS).index(table_file.kind)),
    )
    if result.kind == "records":
        draw_person_field(table_file)
        st.multiselect(
            "Columns to cross-tabulate",
            [name for name in table_file.offered_columns if name != table_file.person],
            **widgets.mirror_value(_COLUMNS_FIELD, list(table_file.columns), _set_columns, "default"),
        )
        draw_person_rows(result)
    _repair_fields(result)
    st.text("\n".join(result.sentences))
    if result.upload.counts is not None:
        st.html(_TO_ANSWER)


def _repair_fields(result: TableResult) -> None:
    """Draw all problems of a file, and a button for each repair that helps, for all of them, and to undo them."""
    if result.problems:
        st.text(problems_text(result.problems))
    if len(result.offers) > 1:
        args = (result.offers,)
        st.button(ALL_REPAIRS, key="table_repair_all", type="primary", on_click=_add_repairs, args=args)
    for repair in result.offers:
        args = ((repair,),)
        st.button(REPAIR_NAMES[repair], key=f"table_repair_{repair}", on_click=_add_repairs, args=args)
    least = 1 if result.upload.counts is None else result.upload.counts.least_per_cell
    readings = session_state.readings()
    if PER_CELL.key in readings and least > PER_CELL.read(readings[PER_CELL.key].used):
        name = f"Set c to {least}, as the suppressed counts require"
        st.button(name, key="table_per_cell", type="primary", on_click=_set_most_per_cell, args=(least,))
    if result.file is not None and result.file.repairs:
        st.button("Undo the repairs", key="table_repair_none", on_click=_set_repairs, args=((),))


def _set_most_per_cell(most: int) -> None:
    """Set c, which has an effect where a person counts up to a limit."""
    session_state.set_text(PER_CELL.key, str(most))
    session_state.set_text(CONTRIBUTION.key, "limited")


def _add_repairs(repairs: tuple[str, ...]) -> None:
    table_file: OwnTableFile | None = session_state.uploads().get(TABLE_FILE)
    if table_file is not None:
        _set_repairs((*table_file.repairs, *repairs))


def _set_repairs(repairs: tuple[str, ...]) -> None:
    if TABLE_FILE in session_state.uploads():
        session_state.uploads()[TABLE_FILE] = replace(session_state.uploads()[TABLE_FILE], repairs=repairs)


def _include_field() -> None:
    """Offer to put the table into the link, or to take it out; nothing where there is no table."""
    result, linked = stored_result(), is_in_link()
    if not linked and (result is None or result.upload.counts is None):
        return
    reason = "" if linked or result is None else result.unlinkable
    problem = f"This table can’t be included: {reason}." if reason else ""
    widgets.include_button("own_table_include", linked, set_inclusion, problem)
    if is_set_aside():
        st.text(_REPLACED_BY_LINK)
    elif not linked:
        st.text(storage_text("table", bool(session_state.uploads().get(IS_STORED_IN_TAB))))


def _set_file(table_file: OwnTableFile) -> None:
    """Set a new file or text, whose kind is recognized anew, and whose conditions are asked for anew."""
    if not session_state.is_new():  # where the browser sends the text of a lost session again
        widgets.reset_parameters(CONTRIBUTION, CATEGORIES)
    for name in (_KIND_FIELD, _COLUMNS_FIELD, PERSON_FIELD):
        widgets.replace_field(name)  # a choice that was made for another file is not followed
    session_state.uploads()[TABLE_FILE] = table_file


def _set_uploaded_file(table: Choice) -> None:
    file = st.session_state[widgets.field_key("table_file")]
    if file is None:
        _use_default_table(table)
    else:
        _set_file(OwnTableFile(file.getvalue(), file.name))


def _set_pasted_text() -> None:
    text = st.session_state.table_pasted
    if text.strip():
        widgets.empty_uploader("table_file")  # it would show a file that is no longer used, and removing that, the text
        _set_file(OwnTableFile(text.encode("utf-8", "replace"), "The pasted text"))


def _set_kind(kind: str) -> None:
    if TABLE_FILE in session_state.uploads():
        session_state.uploads()[TABLE_FILE] = replace(
            session_state.uploads()[TABLE_FILE], kind=kind, columns=(), person=None
        )


def _set_columns(columns: list[str]) -> None:
    if TABLE_FILE in session_state.uploads():
        session_state.uploads()[TABLE_FILE] = replace(session_state.uploads()[TABLE_FILE], columns=tuple(columns))


def _use_default_table(table: Choice) -> None:
    """Forget the user's table, and choose the one that the page has by default."""
    forget_table()
    session_state.set_text(table.key, table.default)
    session_state.set_text(OWN_TABLE.key, link_format.NONE)
