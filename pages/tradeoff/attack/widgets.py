"""The fields for the results of an attack, and the invented example."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.framework.layout.own_data import OwnData
from pages.framework.session import session_state
from pages.framework.session.data_files import OWN, FileInput, TextInput
from pages.framework.session.data_slot import text_of
from pages.tradeoff.attack.text import TRIALS
from pages.tradeoff.attack.upload import CHOICES, EXAMPLE, TYPED, MeasuredAttack, read_upload, typed_lines
from pages.tradeoff.parameters import ATTACK


def attack_fields(above_stage: DeltaGenerator) -> None:
    """Draw the fields for the results of an attack."""
    text = text_of(ATTACK)
    if text in (ATTACK.default, OWN):
        if not OWN_RESULTS.has_content:
            st.button("Use an invented example", key="attack_example", on_click=_use_example)
    elif not OWN_RESULTS.is_in_link:
        st.button("Remove the example", key="attack_example_away", on_click=OWN_RESULTS.forget)
    OWN_RESULTS.draw(above_stage)


def _use_example() -> None:
    OWN_RESULTS.forget()
    session_state.set_text(ATTACK.key, EXAMPLE)


def _shown_lines() -> str:
    """Return the counts in use as lines: those of the link, or those of the session."""
    text, reading = text_of(ATTACK), OWN_RESULTS.reading
    return typed_lines(reading.link_text if text == OWN and reading is not None else text)


OWN_RESULTS = OwnData[MeasuredAttack | None](
    slot="attack",
    noun="results",
    label="Enter the results of an attack",
    remove="Remove the attack",
    inputs=(
        TextInput(
            TYPED,
            "Counts, one line each: false positives, non-members, false negatives, members",
            f"One line per operating point of the attack, fixed before looking at these data. {TRIALS}",
            subject="The text",
            shown=_shown_lines,
        ),
        FileInput("file", "Or a CSV: member and score, or the four counts", ("csv", "txt"), TRIALS),
    ),
    choice=ATTACK,
    linked=ATTACK,
    choices=CHOICES,
    read=read_upload,
    refused=lambda _: None,
    is_edited=True,
)
