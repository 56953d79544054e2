"""The fields for the user's own values, which stay in the session and in the tab of the browser."""

from dataclasses import replace
from functools import partial

import numpy as np
import streamlit as st

from pages.clipping import own_values
from pages.clipping.own_values import NONE, OWN, ValuesFile, ValuesUpload
from pages.clipping.parameters import OWN_VALUES, SLOT, SOURCE, VALUES_BOX
from pages.framework.layout import widgets
from pages.framework.rendering import render_jobs
from pages.framework.session import own_data, session_state
from pages.framework.session.own_data import OwnData
from pages.shared import decimal_choice
from pages.shared.conditions import CATEGORIES, CONTRIBUTION
from pages.shared.decimal_choice_widgets import choice_buttons
from pages.shared.own_data_text import DATA_STAY, storage_text

_FILE, _UPLOAD, _IS_STORED = "values_file", "values_upload", "values_are_stored"
_COLUMN_FIELDS = {"column": "values_column", "person": "values_person"}
_IN_LINK = "The values are in the link: whoever gets it can read them."
_EACH_ROW = "None: each row is a person"


def session_values() -> ValuesUpload | None:
    """Return the values of the session, read again where the browser has just sent its copy; None without any."""
    copy = own_data.take_restored(SLOT)
    if copy is not None and _FILE not in session_state.uploads() and len(copy.files) == 1:
        name, data = copy.files[0]
        columns = (str(copy.options.get(key, "")) for key in ("column", "person"))
        mark = decimal_choice.known_mark(copy.options.get("decimal"))
        _read(ValuesFile(data, name, *columns, decimal=mark), is_stored=True)
    if session_state.request().get("exclude"):
        _set_included(False)
    return session_state.uploads().get(_UPLOAD)


def value_fields() -> None:
    """Draw the fields for the user's own values."""
    upload = session_state.uploads().get(_UPLOAD)
    if session_state.used_texts()[SOURCE.key] == OWN and upload is None and not _is_in_link():
        st.session_state.setdefault(VALUES_BOX, True)
    with st.expander("Use your own values", key=VALUES_BOX, on_change="rerun") as box:
        if box.open:
            _input_fields()
            _reading_fields()
    widgets.show_problem("values", upload.problem if upload is not None else "")
    file = session_state.uploads().get(_FILE)
    if file is not None and upload is not None:
        choice_buttons("values_decimal", upload.ambiguous, file.decimal, partial(_choose, "decimal"))
    if upload is not None or _is_in_link():
        _include_field(upload)
        st.button("Remove my values", key="values_away", on_click=_remove)


def _input_fields() -> None:
    st.text_area(
        "Paste the values, one for each person",
        key="values_pasted",
        height=120,
        help=f"One on each line, or a column as copied from a spreadsheet. {DATA_STAY}",
        on_change=_take_text,
        placeholder="12000\n250000\n31000",
    )
    st.file_uploader(
        "Or a file: CSV, TSV, or other text with a separator",
        ["csv", "tsv", "tab", "txt"],
        key=widgets.field_key("values_upload_field"),
        help=f"A column of numbers, with or without a header. {DATA_STAY}",
        on_change=_take_file,
    )


def _reading_fields() -> None:
    """Draw the choices of columns, and how the values were read."""
    file, upload = session_state.uploads().get(_FILE), session_state.uploads().get(_UPLOAD)
    if file is None or upload is None or upload.values is None:
        return
    values = upload.values
    if len(values.columns) > 1:
        choices = (
            ("column", "Column of the values", list(values.numbers), values.column),
            ("person", "Column that names the person: their rows are summed", ["", *values.columns], values.person),
        )
        for name, label, options, used in choices:
            field, choose = _COLUMN_FIELDS[name], partial(_choose, name)
            st.selectbox(
                label,
                options,
                format_func=lambda option: option or _EACH_ROW,
                **widgets.mirror_value(field, used, choose, "index", options.index(used)),
            )
    st.text(own_values.reading_text(values))


def _include_field(upload: ValuesUpload | None) -> None:
    """Offer to put the values into the link, or to take them out."""
    is_linked = _is_in_link()
    if not is_linked and (upload is None or upload.values is None):
        return
    problem = ""
    if not is_linked and upload is not None and upload.values is not None:
        try:
            own_values.link_text(upload.values.values)
        except ValueError as error:
            problem = f"These values can’t be included: {error}."
    widgets.include_button("values_include", is_linked, _set_included, problem)
    is_stored = bool(session_state.uploads().get(_IS_STORED))
    st.text(_IN_LINK if is_linked else storage_text("The values", is_stored))


def _is_in_link() -> bool:
    return session_state.used_texts().get(OWN_VALUES.key, NONE) != NONE


def _set_included(is_included: bool) -> None:
    """Put the values into the link, or take them out; those that came with the link stay in the session."""
    upload, text = session_state.uploads().get(_UPLOAD), session_state.used_texts().get(OWN_VALUES.key, NONE)
    if is_included:
        if upload is not None and upload.values is not None:
            session_state.set_text(OWN_VALUES.key, own_values.link_text(upload.values.values))
        return
    linked = OWN_VALUES.read(text)
    if linked is not None and (upload is None or upload.values is None or not _is_equal(upload, linked)):
        _read(ValuesFile("\n".join(map(repr, linked)).encode(), "The values of the link"))
    session_state.set_text(OWN_VALUES.key, NONE)
    session_state.forget_elsewhere(OWN_VALUES.key, lambda other: other == text)


def _is_equal(upload: ValuesUpload, linked: tuple[float, ...]) -> bool:
    return upload.values is not None and np.array_equal(upload.values.values, linked)


def _take_text() -> None:
    text = st.session_state.values_pasted
    if text.strip():
        widgets.empty_uploader("values_upload_field")
        _accept_upload(ValuesFile(text.encode("utf-8", "replace"), "The pasted text"))


def _take_file() -> None:
    file = st.session_state[widgets.field_key("values_upload_field")]
    if file is None:
        _remove()
    else:
        _accept_upload(ValuesFile(file.getvalue(), file.name))


def _accept_upload(file: ValuesFile) -> None:
    for field in _COLUMN_FIELDS.values():
        widgets.replace_field(field)  # a choice that was made for another file is not followed
    widgets.reset_parameters(CONTRIBUTION, CATEGORIES)
    _read(file)
    session_state.set_text(SOURCE.key, OWN)
    session_state.set_text(OWN_VALUES.key, NONE)
    session_state.forget_elsewhere(OWN_VALUES.key, bool)


def _choose(name: str, choice: str) -> None:
    file = session_state.uploads().get(_FILE)
    if file is not None:
        _read(replace(file, **{name: choice}))


def _read(file: ValuesFile, *, is_stored: bool = False) -> None:
    """Read a file in a worker, and have the browser store it."""
    try:
        upload = render_jobs.read_file(partial(own_values.read_upload, file), lambda _: None)
    except ValueError as error:
        upload = ValuesUpload(None, f"The values cannot be read: {error}.")
    session_state.uploads()[_FILE], session_state.uploads()[_UPLOAD] = file, upload
    options = {"column": file.column, "person": file.person, "decimal": file.decimal}
    session_state.uploads()[_IS_STORED] = is_stored or own_data.store(SLOT, OwnData(((file.name, file.data),), options))


def _remove() -> None:
    """Forget the values, and the copies of them in the links of other pages."""
    for name in (_FILE, _UPLOAD, _IS_STORED):
        session_state.uploads().pop(name, None)
    own_data.store(SLOT, None)
    widgets.empty_uploader("values_upload_field")
    st.session_state.values_pasted = ""
    session_state.set_text(SOURCE.key, SOURCE.default)
    session_state.set_text(OWN_VALUES.key, NONE)
    session_state.forget_elsewhere(OWN_VALUES.key, bool)
