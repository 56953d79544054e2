"""The buttons by which a user says what a mark before three digits means in the data."""

from collections.abc import Callable

import streamlit as st

from dpcore.readers import decimal_readings
from pages.shared.decimal_choice import meaning_text


def choice_buttons(key: str, entry: str, mark: str, on_choice: Callable[[str], None]) -> None:
    """Draw a button for each meaning of an entry but the one in use; none without an entry.

    `mark` is the decimal mark in use, empty where the question is open; `on_choice` is called with the chosen one.
    """
    readings = decimal_readings(entry)
    for other in readings if len(set(readings.values())) > 1 else ():
        if other != mark:
            kind = "secondary" if mark else "primary"
            name = f"{key}_{'point' if other == '.' else 'comma'}"
            st.button(meaning_text(entry, other), key=name, type=kind, on_click=on_choice, args=(other,))
