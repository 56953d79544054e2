"""The widgets in which parameters are entered; each mirrors the text that the session holds."""

from typing import Any

import streamlit as st

from pages.shared import numbers, session, text
from pages.shared.common import SHARED, Pin
from pages.shared.parameters import Choice, Parameter, Quantity


def quantity_field(quantity: Quantity) -> None:
    """Draw the exact field and the rounded log scale, if it has one, and a sentence if its text can't be used."""
    reading = session.readings()[quantity.key]
    text_field(quantity, quantity.label, quantity.help)
    if not reading.problem:
        meant(reading.entry, reading.value)
    if quantity.scale:
        key, step = f"{quantity.key}_step", quantity.step_of(reading.used, reading.value)
        options = quantity.steps_with(reading.used, reading.value)
        taken = st.select_slider(
            quantity.ends, options, key=key, on_change=_take, args=(quantity, "step"), **mirrored(key, step)
        )
        edited(quantity.key, taken, step)


def quantity_fields(*quantities: Quantity) -> None:
    """Draw the fields of several numbers beside each other."""
    for column, quantity in zip(st.columns(len(quantities)), quantities, strict=True):
        with column:
            quantity_field(quantity)


def text_field(parameter: Parameter, label: str, why: str) -> None:
    """Draw the field of a text that is read as a whole, and a sentence if it can't be used."""
    reading, key = session.readings()[parameter.key], f"{parameter.key}_text"
    taken = st.text_input(
        label, key=key, help=why, on_change=_take, args=(parameter, "text"), **mirrored(key, reading.entry)
    )
    edited(parameter.key, taken, reading.entry)
    problem(parameter.key, reading.problem)


def meant(entry: str, value: float) -> None:
    """Say under a field which number was typed, where that is not seen at once."""
    if not numbers.plain(entry):
        shown = text.nearest(value, 10)
        st.text(f"{'=' if numbers.read(shown.replace(',', '')) == value else '≈'} {shown}")


def problem(key: str, sentence: str) -> None:
    """Say under a field what is wrong with it, if anything is."""
    if sentence:
        with st.container(key=f"problem_{key}"):
            st.text(sentence)


def choice_field(choice: Choice, label: str) -> None:
    """Draw a choice as a row of buttons."""
    key, value = f"{choice.key}_option", session.readings()[choice.key].value
    taken = st.segmented_control(
        label,
        list(choice.options),
        format_func=choice.options.__getitem__,
        required=True,
        key=key,
        on_change=_take,
        args=(choice, "option"),
        **mirrored(key, value, "default"),
    )
    edited(choice.key, taken, value)


def list_field(choice: Choice, label: str) -> None:
    """Draw a choice as a list: a long row of buttons would be cut on a phone."""
    key, value, options = f"{choice.key}_option", session.readings()[choice.key].value, list(choice.options)
    taken = st.selectbox(
        label,
        options,
        format_func=choice.options.__getitem__,
        key=key,
        on_change=_take,
        args=(choice, "option"),
        **mirrored(key, value, "index", options.index(value)),
    )
    edited(choice.key, taken, value)


def pin_button(pin: Pin, why: str) -> None:
    """Draw the button that keeps the current setting, or lets the kept one go."""
    used = session.used()
    kept = used[pin.key] != pin.default
    entry = pin.default if kept else ";".join(used[quantity.key] for quantity in SHARED)
    label = "Unpin" if kept else "Pin this setting"
    st.button(label, key=f"{pin.key}_button", help=why, on_click=session.enter, args=(pin.key, entry))


def _take(parameter: Parameter, widget: str) -> None:
    session.enter(parameter.key, st.session_state[f"{parameter.key}_{widget}"])


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


def edited(key: str, taken: Any, shown: Any) -> None:
    """Take what the browser says on a session's first run, if it is another text than the link's."""
    if session.is_new() and isinstance(taken, str) and taken != shown:
        session.enter(key, taken)
        st.rerun()
