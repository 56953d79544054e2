"""What the fields that Streamlit draws share: they mirror what the session holds."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from pages.framework.session import session_state


def show_problem(key: str, sentence: str) -> None:
    """Say under a field what is wrong with it, if anything is."""
    if sentence:
        with st.container(key=f"problem_{key}"):
            st.text(sentence)


def mirror_value(key: str, value: Any, argument: str = "value", initial: Any = None) -> dict[str, Any]:
    """Make a widget show a value, and return what it must be given for that.

    Those of another page are other widgets, even where the session knows their keys. On a session's first run the
    browser may hold an edit that was made when the server was lost: there the value is only where the widget begins.
    """
    if session_state.is_new():
        return {argument: value if initial is None else initial}
    if session_state.page_is_new() or st.session_state.get(key) != value:
        st.session_state[key] = value
    return {}


def uploader_key(name: str) -> str:
    """Return the key of a field for files: each has another one after `empty_uploader`, and so shows no file."""
    times = session_state.times_emptied().get(name, 0)
    return f"{name}_{times}" if times else name


def empty_uploader(name: str) -> None:
    """Let go of the file of a field: it would show it, and the server hold it, after the data were removed.

    A field without a file stays as it is: where somebody chooses another file, Streamlit first tells that the one
    before is gone, and then sends the new one to the same field.
    """
    if st.session_state.get(uploader_key(name)) is not None:
        session_state.times_emptied()[name] = session_state.times_emptied().get(name, 0) + 1


INCLUDE, EXCLUDE = "Include my data in the link", "Take my data out of the link"
_INCLUDED = (
    "Without this, the link opens the page without your data and says that they are missing. With it, the link and "
    "every file, citation and report that is made here contain your data, and whoever gets one of them can read them; "
    "the history of your browser and the logs of servers may keep them."
)


def include_button(key: str, included: bool, on_change: Callable[[bool], None], problem: str = "") -> None:
    """Offer to put data of the user's own into the link, or to take them out; `problem` is why they can't be included.

    These are buttons, which have no state: a box that is ticked could be sent again with an edit that overtakes the
    page, and so include other data than those for which it was ticked.
    """
    if included:
        st.button(EXCLUDE, key=f"{key}_out", on_click=on_change, args=(False,))
    else:
        st.button(INCLUDE, key=key, help=problem or _INCLUDED, disabled=bool(problem), on_click=on_change, args=(True,))
