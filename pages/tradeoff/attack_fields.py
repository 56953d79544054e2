"""The fields for an attack's results, folded until they are wanted."""

from functools import partial

import streamlit as st

from pages.shared import fields, session
from pages.shared.parameters import shown
from pages.shared.waiting import read
from pages.tradeoff import attack
from pages.tradeoff.attack import Measured
from pages.tradeoff.attack_words import TRIALS
from pages.tradeoff.parameters import ATTACK

_ATTACK = "attack_file"


def attack_held() -> Measured | None:
    """The attack of this session's file, if there is one."""
    return session.held().get(_ATTACK)


def attack_fields() -> None:
    """Draw the fields for an attack's results."""
    waiting = _waiting()
    if "counts" in waiting and session.page_is_new():
        st.session_state.attack_box = True  # what waits to be mended must be seen
    if _is_there():
        st.button("Remove the attack", key="attack_away", on_click=_use, args=(ATTACK.default,))
    else:
        st.button("Use an invented example", key="attack_example", on_click=_use, args=(attack.EXAMPLE,))
    with st.expander("Bring an attack's results", key="attack_box", on_change="rerun") as box:
        if box.open:
            typed, _ = waiting.get("counts", (attack.typed_lines(session.used()[ATTACK.key]), ""))
            st.text_area(
                "Counts, a line each: false alarms, non-members, misses, members",
                key="attack_counts",
                height=120,
                help="One line per operating point of the attack that was fixed before looking at these data. "
                f"{TRIALS}",
                on_change=lambda: _take_counts(st.session_state.attack_counts),
                **fields.mirrored("attack_counts", typed),
            )
            st.file_uploader(
                "Or a CSV: member and score, or the four counts",
                ["csv", "txt"],
                key="attack_upload",
                help=f"{TRIALS} The file stays on the machine that runs this page. The link does not hold it.",
                on_change=_take_attack_file,
            )
    for field, key in (("counts", "attack"), ("file", "attack_file")):
        fields.problem(key, waiting.get(field, ("", ""))[1])


def _is_there() -> bool:
    return attack_held() is not None or session.used()[ATTACK.key] != ATTACK.default


def _waiting() -> dict[str, tuple[str, str]]:
    """What was given and can't be used, and its sentence: the typed counts, and the name of a file."""
    return session.drafts(ATTACK.key).setdefault(0, {})


def _use(counts: str) -> None:
    session.enter(ATTACK.key, counts)
    session.held().pop(_ATTACK, None)
    _waiting().clear()


def _take_counts(typed: str) -> None:
    try:
        _use(attack.counts_of(typed))
    except ValueError as error:
        _waiting()["counts"] = (typed, f"The counts can't be read: {error}. {_instead()}")


def _instead() -> str:
    return f"{'The last good results are' if _is_there() else 'No attack is'} used instead."


def _take_attack_file() -> None:
    file, waiting = st.session_state.attack_upload, _waiting()
    waiting.pop("file", None)
    if file is None:
        session.held().pop(_ATTACK, None)
        return
    try:
        session.held()[_ATTACK] = read(partial(attack.of_file, file.getvalue(), shown(file.name)), lambda _: None)
    except ValueError as error:
        waiting["file"] = (file.name, f"{shown(file.name)} can't be read: {error}. {_instead()}")
