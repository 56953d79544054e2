"""When own data leave a session, or the session ends: what was computed from them is then erased in all processes."""

from collections.abc import Callable
from threading import Thread

import streamlit as st

from pages.framework import link
from pages.framework.parameters.parameter import Parameter
from pages.framework.session import session_state

Erase = Callable[[str], object]
"""A function that erases what was computed from own data; it gets the id of the session that had them."""


def _erase_in_background(session_and_erase: tuple[str, Erase]) -> None:
    session, erase = session_and_erase
    Thread(target=erase, args=(session,), daemon=True).start()


@st.cache_resource(scope="session", show_spinner=False, on_release=_erase_in_background)
def _session_with_data(session: str, _erase: Erase) -> tuple[str, Erase]:
    """Return a session with own data, which Streamlit releases when the session has lost its browser."""
    return session, _erase


def follow_own_data(parameters: tuple[Parameter, ...], erase: Erase) -> None:
    """Erase what was computed from own data that the session or its link no longer has, and the rest when it ends.

    `parameters` are those of the page that is run, some of which may hold own data.
    """
    linked_texts = link.texts_with_data(parameters, session_state.used_texts())
    record = session_state.own_data_record()
    if record.is_outdated or record.linked_texts not in ([], linked_texts):
        erase(session_state.session_id())
    record.is_outdated, record.linked_texts = False, linked_texts
    record.is_used |= bool(linked_texts)
    if record.is_used:
        _session_with_data(session_state.session_id(), erase)
