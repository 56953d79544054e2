"""The results of an attack: counts, which are a parameter of the page, or a file, which stays in the session."""

import re
from dataclasses import dataclass

import streamlit as st

from dpcore import audit
from dpcore.audit import Attack
from pages.shared import inputs
from pages.shared.inputs import mirror

MOST_LINKED = 20
EXAMPLE = "3_1000_930_1000~25_1000_760_1000~120_1000_520_1000"
_HEADER = "false_alarms,non_members,misses,members"


@dataclass(frozen=True)
class Counts:
    """Counts of an attack as text: false alarms, non-members, misses, members, joined by _, points by ~; or "none"."""

    key: str = "attack"
    symbol: str = "attack"
    default: str = "none"

    @property
    def allowed(self) -> str:
        """The form in words."""
        return "none, or at most 20 points falsealarms_nonmembers_misses_members joined by ~"

    def read(self, entry: str) -> Attack | None:
        """Return the attack, or None; ValueError if the counts can't be used."""
        if entry == "none":
            return None
        if entry.count("~") >= MOST_LINKED:
            raise ValueError(entry)
        return audit.attack_from_csv("\n".join([_HEADER, *entry.replace("_", ",").split("~")]).encode())


def attack_field() -> tuple[Attack | None, str]:
    """Draw the fields for an attack's results; return the attack, if there is one, with its name."""
    counts = st.session_state.used["attack"]
    held, name, wrong = st.session_state.get("attack_file", (None, "", None))
    typed, refused = st.session_state.get("attack_draft", ("", None))
    if refused and st.session_state.page_is_new:
        st.session_state.attack_box = True  # what waits to be mended must be seen
    with st.expander("Bring an attack's results", key="attack_box", on_change="rerun") as box:
        if box.open:
            mirror("attack_counts", typed if refused else _lines(counts))
            st.text_area(
                "Counts, a line each: false alarms, non-members, misses, members",
                key="attack_counts",
                height=120,
                help="One line per operating point of the attack that was fixed before looking at these data.",
                on_change=_take_counts,
            )
            st.button("Use an invented example", key="attack_example", on_click=_use, args=(EXAMPLE,))
            st.file_uploader(
                "Or a CSV: member and score, or the four counts",
                ["csv", "txt"],
                key="attack_upload",
                help="The file stays on the machine that runs this page. The link does not hold it.",
                on_change=_take_file,
            )
    used = "The last good results are" if held is not None or counts != "none" else "No attack is"
    for key, sentence in (("attack", refused), ("attack_file", wrong)):
        if sentence:
            with st.container(key=f"problem_{key}"):
                st.text(f"{sentence}. {used} used instead.")
    if held is not None:
        return held, name
    return Counts().read(counts), "the counts"


def drop_button() -> None:
    """Draw the button that takes the attack away."""
    st.button("Remove the attack", key="attack_away", on_click=_use, args=("none",))


def _lines(counts: str) -> str:
    return "" if counts == "none" else counts.replace("_", ", ").replace("~", "\n")


def _use(counts: str) -> None:
    inputs.enter("attack", counts)
    st.session_state.pop("attack_file", None)
    st.session_state.pop("attack_draft", None)


def _take_counts() -> None:
    entry = st.session_state.attack_counts
    rows = [re.split(r"[\s,;]+", line.strip(" \t,;")) for line in entry.splitlines() if line.strip(" \t,;")]
    if rows and rows[0] == _HEADER.split(","):
        del rows[0]
    lines, counts = [",".join(row) for row in rows], "~".join("_".join(row) for row in rows)
    if not counts:
        _use("none")
        return
    try:
        if len(lines) > MOST_LINKED:
            raise ValueError(
                f"at most {MOST_LINKED} lines fit a link, and there are {len(lines)}; upload them as a file"
            )
        short = next((place for place, row in enumerate(rows, 1) if len(row) != 4), None)
        if short is not None:
            raise ValueError(f"line {short + 1}: four numbers are needed, and {len(rows[short - 1])} were given")
        audit.attack_from_csv("\n".join([_HEADER, *lines]).encode())
    except ValueError as error:
        st.session_state.attack_draft = (entry, f"The counts can't be read: {_without_header(str(error))}")
        return
    _use(counts)


def _without_header(error: str) -> str:
    """A sentence about line n of a file as one about line n − 1 of the field, which has no header."""
    word, _, rest = error.partition(" ")
    number, colon, words = rest.partition(":")
    return f"line {int(number) - 1}:{words}" if word == "line" and colon and number.isdigit() else error


def _take_file() -> None:
    file = st.session_state.attack_upload
    if file is None:
        st.session_state.pop("attack_file", None)
        return
    held, name, _ = st.session_state.get("attack_file", (None, "", None))
    try:
        st.session_state.attack_file = (audit.attack_from_csv(file.getvalue()), inputs.shown(file.name), None)
    except ValueError as error:
        st.session_state.attack_file = (held, name, f"{inputs.shown(file.name)} can't be read: {error}")
