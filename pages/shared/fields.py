"""What the fields that Streamlit draws share: they mirror what the session holds."""

from typing import Any

import streamlit as st

from pages.shared import session


def problem(key: str, sentence: str) -> None:
    """Say under a field what is wrong with it, if anything is."""
    if sentence:
        with st.container(key=f"problem_{key}"):
            st.text(sentence)


def mirrored(key: str, value: Any, argument: str = "value", initial: Any = None) -> dict[str, Any]:
    """Make a widget show a value, and return what it must be given for that.

    Those of another page are other widgets, even where the session knows their keys. On a session's first run the
    browser may hold an edit that was made when the server was lost: there the value is only where the widget begins.
    """
    if session.is_new():
        return {argument: value if initial is None else initial}
    if session.page_is_new() or st.session_state.get(key) != value:
        st.session_state[key] = value
    return {}
