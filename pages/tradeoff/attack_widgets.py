"""The fields for an attack's results, folded until they are wanted; the results stay in the session and in the tab."""

from functools import partial

import streamlit as st

from pages.framework.layout import widgets
from pages.framework.parameters.kinds import shown
from pages.framework.rendering.render_jobs import read_file
from pages.framework.session import own_data, session_state
from pages.framework.session.own_data import OwnData
from pages.tradeoff import attack
from pages.tradeoff.attack import OWN, Measured
from pages.tradeoff.attack_text import TRIALS
from pages.tradeoff.parameters import ATTACK

_SLOT = "attack"
_ATTACK, _COUNTS = "attack_file", "attack_counts"
_STAYS = (
    "The results stay on the machine that runs this page, as long as the session, and in this tab of your browser "
    "until you close it. They are not in the link."
)


def attack_held() -> Measured | None:
    """The attack that this session has, read again where the browser has just sent its copy; None without one."""
    copy = own_data.take_restored(_SLOT)
    if copy is not None and _ATTACK not in session_state.uploads():
        _restore(copy)
    if session_state.request().get("exclude"):
        _include(False)
    return session_state.uploads().get(_ATTACK)


def _restore(copy: OwnData) -> None:
    counts = copy.options.get("counts")
    try:
        if copy.files:
            measured = read_file(partial(attack.of_file, copy.files[0][1]), lambda _: None)
        else:
            measured = attack.of_counts(str(counts))
    except ValueError:
        return  # the copy is no longer what this page wrote
    session_state.uploads()[_ATTACK], session_state.uploads()[_COUNTS] = measured, "" if copy.files else str(counts)


def attack_fields() -> None:
    """Draw the fields for an attack's results."""
    waiting = _waiting()
    if "counts" in waiting and session_state.page_is_new():
        st.session_state.attack_box = True  # what waits to be mended must be seen
    if _is_there():
        st.button("Remove the attack", key="attack_away", on_click=_use, args=(ATTACK.default,))
    else:
        st.button("Use an invented example", key="attack_example", on_click=_use, args=(attack.EXAMPLE,))
    with st.expander("Bring an attack's results", key="attack_box", on_change="rerun") as box:
        if box.open:
            typed, _ = waiting.get("counts", (attack.typed_lines(_counts()), ""))
            st.text_area(
                "Counts, a line each: false alarms, non-members, misses, members",
                key="attack_counts",
                height=120,
                help="One line per operating point of the attack, fixed before looking at these data. "
                f"{TRIALS} {_STAYS}",
                on_change=lambda: _take_counts(st.session_state.attack_counts),
                **widgets.mirror_value("attack_counts", typed),
            )
            st.file_uploader(
                "Or a CSV: member and score, or the four counts",
                ["csv", "txt"],
                key=widgets.uploader_key("attack_upload"),
                help=f"{TRIALS} {_STAYS}",
                on_change=_take_attack_file,
            )
    for field, key in (("counts", "attack"), ("file", "attack_file")):
        widgets.show_problem(key, waiting.get(field, ("", ""))[1])
    _include_field()


def _include_field() -> None:
    """Offer to put results of the user's own into the link, or to take them out."""
    text = session_state.used()[ATTACK.key]
    linked = bool(ATTACK.data_in(text))
    if not linked and (text != OWN or _ATTACK not in session_state.uploads()):
        return
    problem = "" if linked or _counts() else "A link holds counts that are typed, and no file of results."
    widgets.include_button("attack_include", linked, _include, problem)


def _include(wanted: bool) -> None:
    """Put the counts into the link, or take them out of it; those that came with the link stay in the session."""
    text = session_state.used().get(ATTACK.key, ATTACK.default)
    if wanted:
        session_state.set_text(ATTACK.key, _counts() or OWN)
    elif ATTACK.data_in(text):
        _hold(attack.of_counts(text), text, OwnData(options={"counts": text}))


def _hold(measured: Measured, counts: str, data: OwnData) -> None:
    """Take results as those of the session; `counts` is their text, empty for those of a file."""
    session_state.uploads()[_ATTACK], session_state.uploads()[_COUNTS] = measured, counts
    own_data.store(_SLOT, data)
    session_state.set_text(ATTACK.key, OWN)


def _counts() -> str:
    """The counts as the text of a link: those of the session or, where the link has some, those."""
    text = session_state.used()[ATTACK.key]
    return session_state.uploads().get(_COUNTS, "") if text == OWN else "" if text == ATTACK.default else text


def _is_there() -> bool:
    return session_state.used()[ATTACK.key] not in (ATTACK.default, OWN) or (
        session_state.used()[ATTACK.key] == OWN and _ATTACK in session_state.uploads()
    )


def _waiting() -> dict[str, tuple[str, str]]:
    """What was given and can't be used, and its sentence: the typed counts, and the name of a file."""
    return session_state.drafts(ATTACK.key).setdefault(0, {})


def _use(counts: str) -> None:
    session_state.set_text(ATTACK.key, counts)
    _let_go()
    _waiting().clear()


def _let_go() -> None:
    for name in (_ATTACK, _COUNTS):
        session_state.uploads().pop(name, None)
    own_data.store(_SLOT, None)
    widgets.empty_uploader("attack_upload")


def _take_counts(typed: str) -> None:
    try:
        counts = attack.counts_of(typed)
    except ValueError as error:
        _waiting()["counts"] = (typed, f"The counts can't be read: {error}. {_instead()}")
        return
    _waiting().clear()
    if counts == ATTACK.default:
        _use(counts)
    else:
        _hold(attack.of_counts(counts), counts, OwnData(options={"counts": counts}))
        widgets.empty_uploader("attack_upload")  # to remove its file, which is used no more, removed the counts too


def _instead() -> str:
    return f"{'The last good results are' if _is_there() else 'No attack is'} used instead."


def _take_attack_file() -> None:
    file, waiting = st.session_state[widgets.uploader_key("attack_upload")], _waiting()
    waiting.pop("file", None)
    if file is None:
        if session_state.used()[ATTACK.key] == OWN:
            _use(ATTACK.default)
        return
    try:
        measured = read_file(partial(attack.of_file, file.getvalue()), lambda _: None)
    except ValueError as error:
        waiting["file"] = (file.name, f"{shown(file.name)} can't be read: {error}. {_instead()}")
    else:
        _hold(measured, "", OwnData(((file.name, file.getvalue()),)))
