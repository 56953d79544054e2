"""The field for the column of raw records that identifies people, and how often the same person occurs."""

from dataclasses import replace

import streamlit as st

from pages.framework.layout import widgets
from pages.framework.parameters.parameter import excerpt
from pages.framework.session import session_state
from pages.shared.conditions import CONTRIBUTION
from pages.shared.counts.storage_widgets import TABLE_FILE
from pages.shared.counts.table_notes import table_sentences
from pages.shared.counts.upload import EACH_ROW, OwnTableFile, TableResult

PERSON_FIELD = "table_person"
_PERSON_NAMES = {None: "Not checked", EACH_ROW: "Each row is one person (no such column)"}
_PERSON_HELP = (
    "A number, pseudonym or name that is the same in all rows of a person. It shows how many rows a person has; it is "
    "not cross-tabulated."
)


def draw_person_field(table_file: OwnTableFile) -> None:
    """Draw the field for the column of raw records that identifies people."""
    likely = [column.name for column in table_file.person_columns]
    others = [name for name in table_file.offered_columns if name not in likely]
    is_proposed = any(column.reason == "name" for column in table_file.person_columns)
    choices: list[str | None] = [*([] if is_proposed else [None]), *likely, *others, EACH_ROW]
    choices += [] if table_file.person in choices else [table_file.person]
    place = choices.index(table_file.person)
    labels = [_PERSON_NAMES.get(choice) or str(choice) for choice in choices]

    def set_person(number: int) -> None:
        _set_person(choices[number])

    st.selectbox(
        "Column that identifies people",
        list(range(len(choices))),
        format_func=labels.__getitem__,
        help=_PERSON_HELP,
        **widgets.mirror_value(PERSON_FIELD, place, set_person, "index", place),
    )
    if table_file.person is None and likely:
        names = " and ".join(map(excerpt, likely[:2]))
        st.text(f"Many different values: {names}. If such a column identifies people, choose it.")


def draw_person_rows(result: TableResult) -> None:
    """Say how often the same person occurs in raw records, and offer to enter a limit, which the user chooses."""
    people = None if result.upload.counts is None else result.upload.counts.people
    if people is None:
        return
    st.text(table_sentences([people])[0])
    readings = session_state.readings()
    if people.most_rows > 1 and CONTRIBUTION.key in readings and readings[CONTRIBUTION.key].used != "limited":
        st.button("Limit how often a person counts", key="table_limit", on_click=_ask_for_limit)


def _ask_for_limit() -> None:
    """Choose a limit, whose numbers the user enters: those of the file are confidential, and a link has the limit."""
    session_state.set_text(CONTRIBUTION.key, "limited")


def _set_person(person: str | None) -> None:
    """Choose the column that identifies people, which is then not cross-tabulated."""
    if TABLE_FILE in session_state.uploads():
        table_file: OwnTableFile = session_state.uploads()[TABLE_FILE]
        columns = tuple(name for name in table_file.columns if name != person)
        session_state.uploads()[TABLE_FILE] = replace(table_file, person=person, columns=columns)
