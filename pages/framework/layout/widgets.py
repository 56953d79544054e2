"""Helpers for Streamlit widgets, which mirror the texts of the session, and the button that includes data in a link."""

from collections.abc import Callable
from typing import Any, TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.framework.parameters.parameter import Parameter
from pages.framework.session import session_state
from pages.framework.session.data_files import ChoiceField

TWO_COLUMNS, BESIDE_STAGE, ABOVE_STAGE = "two_columns", "beside_stage", "above_stage"
"""The keys of a container for all of a page, of one in it that stands beside the stage where the screen is wide, and of
one above the stage."""

EXPLANATION = "explanation"
"""The key of the expander on how the numbers of a page are computed."""


P = TypeVar("P")


def place_above_stage() -> DeltaGenerator:
    """Return a place above the stage that is drawn after it, to be called first: an empty one takes no room."""
    return st.container(key=ABOVE_STAGE)


def run_alone(open_page: Callable[[Callable[[P], None]], P], content_below: Callable[[P], object]) -> P:
    """Open a page in a fragment of its own, so that a request of the browser runs none of the widgets below it.

    All of the page runs where `content_below`, which returns what those widgets show, returns something else.
    `open_page` calls the function that it is given before it answers the request.
    """
    last_content: list[object] = []

    def rerun_if_changed(page: P) -> None:
        content = content_below(page)
        if last_content and last_content != [content]:
            st.rerun()
        last_content[:] = [content]

    return st.fragment(lambda: open_page(rerun_if_changed))()


def explained_view(view: str) -> str:
    """Return the key of the stage where the explanation is open, which depends on the whole setting; else nothing."""
    return view if st.session_state.get(EXPLANATION) else ""


def show_problem(key: str, sentence: str) -> None:
    """Render the sentence on what is wrong with a field below it, if there is one."""
    if sentence:
        with st.container(key=f"problem_{key}"):
            st.text(sentence)


def mirror_value(
    name: str, value: Any, on_change: Callable[[Any], object], argument: str = "value", initial: Any = None
) -> dict[str, Any]:
    """Return the arguments by which a widget shows a value of the session: its key, its callback and its value.

    `on_change` is called with what the user enters. Where the page itself changes the value, as after a link or with
    another entry of a list, the widget is replaced by a new one with a key of its own: the browser may still send the
    old value, with whatever the user does next, and that would count as an edit. What it sends for a widget that was
    replaced, or that the page no longer has, is ignored.

    Widgets of different pages are different widgets, even if they have the same key. At a session's first run, the
    browser may have an edit that was made when the server was lost: the value is then only the initial one. It is the
    initial one at every run: a browser that has missed a part of a run creates the widget again, and would otherwise
    send an empty entry, or the first option, as if the user had chosen it.
    """
    record = session_state.field_record()
    is_shown = not session_state.page_is_new() and st.session_state.get(field_key(name)) == value
    if not is_shown and not session_state.is_new():
        if name not in record.edited:
            replace_field(name)
        st.session_state[field_key(name)] = value
    key = field_key(name)
    record.replacements.setdefault(name, 0)
    record.edited.discard(name)
    record.drawn_keys.add(key)

    def store() -> None:
        if key == field_key(name) and record.is_drawn(key):
            record.edited.add(name)
            on_change(st.session_state[key])

    return {"key": key, "on_change": store, argument: value if initial is None else initial}


def choice_field(place: Any, name: str, choice: ChoiceField, on_change: Callable[[Any], object]) -> None:
    """Draw the field for a choice on how data are read; `on_change` is called with what the user chooses."""
    if choice.is_multiple:
        mirrored = mirror_value(name, list(choice.used), lambda chosen: on_change(tuple(chosen)), "default")
        place.multiselect(choice.label, choice.options, help=choice.help, **mirrored)
    elif choice.options is None:
        place.text_input(choice.label, help=choice.help, **mirror_value(name, choice.used, on_change))
    else:
        options = choice.options if choice.used in choice.options else (*choice.options, choice.used)
        position = options.index(choice.used)
        labels = [choice.labels.get(option, option) for option in options]
        mirrored = mirror_value(name, position, lambda chosen: on_change(options[chosen]), "index", position)
        more = {"format_func": labels.__getitem__, "help": choice.help, **mirrored}
        place.selectbox(choice.label, list(range(len(labels))), **more)


def field_key(name: str) -> str:
    """Return the key of a field, which changes when the field is replaced by a new one (see `mirror_value`)."""
    times = session_state.field_record().replacements.get(name, 0)
    return f"{name}-{times}" if times else name


def replace_field(name: str) -> None:
    """Replace a field by a new one, if it was drawn before: what the browser still sends for the old one is ignored."""
    replacements = session_state.field_record().replacements
    if name in replacements:
        replacements[name] += 1


def empty_uploader(name: str) -> None:
    """Replace an upload field, so that the server releases its file, which it would otherwise hold after a removal.

    A field without a file does not change: if the user chooses another file, Streamlit first reports the removal of
    the previous one, and then sends the new one to the same field.
    """
    if st.session_state.get(field_key(name)) is not None:
        replacements = session_state.field_record().replacements
        replacements[name] = replacements.get(name, 0) + 1


INCLUDE, EXCLUDE = "Include my data in the link", "Take my data out of the link"
_INCLUDE_HELP = (
    "Without this, the link opens the page without your data and says that they are missing. With it, the link and "
    "every file, citation and report that is made here contain your data, and whoever gets one of them can read them; "
    "the history of your browser and the logs of servers may keep them."
)


def reset_parameters(*parameters: Parameter) -> None:
    """Set parameters to their defaults, such as answers that new data make void."""
    for parameter in parameters:
        session_state.set_text(parameter.key, parameter.default)


def include_button(key: str, is_included: bool, on_change: Callable[[bool], None], problem: str = "") -> None:
    """Render the button that includes the user's own data in the link, or excludes them; `problem` disables it.

    It is a button, which has no state: the browser could send a ticked checkbox again with a later edit, and so include
    other data than those for which it was ticked.
    """
    if is_included:
        st.button(EXCLUDE, key=f"{key}_out", on_click=on_change, args=(False,))
    else:
        st.button(
            INCLUDE, key=key, help=problem or _INCLUDE_HELP, disabled=bool(problem), on_click=on_change, args=(True,)
        )
