"""The fields for the results of an attack, which stay in the session and in the tab of the browser."""

from dataclasses import replace
from functools import partial

import streamlit as st

from dpcore.readers import AmbiguousNumberError
from pages.framework.layout import widgets
from pages.framework.layout.own_data_text import DATA_STAY, storage_text
from pages.framework.parameters.parameter import excerpt
from pages.framework.rendering.render_jobs import read_file
from pages.framework.session import session_state, tab_copies
from pages.framework.session.data_files import DataFiles
from pages.shared import decimal_choice
from pages.shared.decimal_choice_widgets import choice_buttons
from pages.tradeoff.attack import upload
from pages.tradeoff.attack.text import TRIALS
from pages.tradeoff.attack.upload import OWN, AttackFile, MeasuredAttack
from pages.tradeoff.parameters import ATTACK

_SLOT = "attack"
_ATTACK, _COUNTS, _FILE, _TYPED_ENTRY = "attack_file", "attack_counts", "attack_source", "attack_typed_entry"
_IS_STORED = "attack_is_stored"


def session_attack() -> MeasuredAttack | None:
    """Return the attack of this session, restored where the browser has just sent its copy; None without one."""
    copy = tab_copies.take_restored(_SLOT)
    if copy is not None and _ATTACK not in session_state.uploads():
        _restore(copy)
    if session_state.request().get("exclude"):
        _set_included(False)
    return session_state.uploads().get(_ATTACK)


def _restore(copy: DataFiles) -> None:
    counts = copy.choices.get("counts")
    try:
        if copy.files:
            mark = decimal_choice.known_mark(copy.choices.get("decimal"))
            file = AttackFile(*copy.file, mark, str(copy.choices.get("ambiguous", "")))
            measured = read_file(partial(upload.attack_of_file, file), lambda _: None)
            session_state.uploads()[_FILE] = file
        else:
            measured = upload.attack_of_counts(str(counts))
    except ValueError:
        return  # this page has not written the copy
    session_state.uploads()[_ATTACK], session_state.uploads()[_COUNTS] = measured, "" if copy.files else str(counts)
    session_state.uploads()[_IS_STORED] = True


def attack_fields() -> None:
    """Draw the fields for the results of an attack."""
    drafts = _drafts()
    if "counts" in drafts and session_state.page_is_new():
        st.session_state.attack_box = True  # a text with a problem must be visible
    if _has_attack():
        st.button("Remove the attack", key="attack_away", on_click=_accept_counts, args=(ATTACK.default,))
    else:
        st.button("Use an invented example", key="attack_example", on_click=_accept_counts, args=(upload.EXAMPLE,))
    with st.expander("Enter the results of an attack", key="attack_box", on_change="rerun") as box:
        if box.open:
            typed, _ = drafts.get("counts", (upload.typed_lines(_link_counts()), ""))
            st.text_area(
                "Counts, one line each: false positives, non-members, false negatives, members",
                height=120,
                help="One line per operating point of the attack, fixed before looking at these data. "
                f"{TRIALS} {DATA_STAY}",
                **widgets.mirror_value("attack_counts", typed, _take_counts),
            )
            st.file_uploader(
                "Or a CSV: member and score, or the four counts",
                ["csv", "txt"],
                key=widgets.field_key("attack_upload"),
                help=f"{TRIALS} {DATA_STAY}",
                on_change=_take_attack_file,
            )
    for field, key in (("counts", "attack"), ("file", "attack_file")):
        widgets.show_problem(key, drafts.get(field, ("", ""))[1])
    file, entry = session_state.uploads().get(_FILE), session_state.uploads().get(_TYPED_ENTRY, "")
    if "counts" in drafts:
        choice_buttons("attack_counts_decimal", entry, "", partial(_take_counts, drafts["counts"][0]))
    if file is not None:
        choice_buttons("attack_decimal", file.ambiguous, file.decimal, partial(_read, file))
    _include_button()


def _include_button() -> None:
    """Draw the button that puts the user's own results into the link, or takes them out."""
    text = session_state.used_texts()[ATTACK.key]
    linked = bool(ATTACK.data_in(text))
    if not linked and (text != OWN or _ATTACK not in session_state.uploads()):
        return
    problem = "" if linked or _link_counts() else "A link holds counts that are typed, and no file of results."
    widgets.include_button("attack_include", linked, _set_included, problem)
    if not linked:
        st.text(storage_text("results", bool(session_state.uploads().get(_IS_STORED))))


def _set_included(included: bool) -> None:
    """Put the counts into the link, or take them out of it; those that came with the link stay in the session."""
    text = session_state.used_texts().get(ATTACK.key, ATTACK.default)
    if included:
        session_state.set_text(ATTACK.key, _link_counts() or OWN)
    elif ATTACK.data_in(text):
        _store(upload.attack_of_counts(text), text, DataFiles(choices={"counts": text}))


def _store(measured: MeasuredAttack, counts: str, data: DataFiles) -> None:
    """Store results in the session; `counts` is their text, empty for those of a file."""
    session_state.uploads()[_ATTACK], session_state.uploads()[_COUNTS] = measured, counts
    session_state.uploads()[_IS_STORED] = tab_copies.store(_SLOT, data)
    session_state.set_text(ATTACK.key, OWN)


def _link_counts() -> str:
    """Return the counts as the text of a link: those of the link, or those of the session."""
    text = session_state.used_texts()[ATTACK.key]
    return session_state.uploads().get(_COUNTS, "") if text == OWN else "" if text == ATTACK.default else text


def _has_attack() -> bool:
    text = session_state.used_texts()[ATTACK.key]
    return _ATTACK in session_state.uploads() if text == OWN else text != ATTACK.default


def _drafts() -> dict[str, tuple[str, str]]:
    """Return the typed counts and the name of a file that can't be used, each with the sentence on its problem."""
    return session_state.drafts(ATTACK.key).setdefault(0, {})


def _accept_counts(counts: str) -> None:
    session_state.set_text(ATTACK.key, counts)
    for name in (_ATTACK, _COUNTS, _FILE, _TYPED_ENTRY):
        session_state.uploads().pop(name, None)
    tab_copies.store(_SLOT, None)
    widgets.empty_uploader("attack_upload")
    _drafts().clear()


def _take_counts(typed: str, decimal: str = "") -> None:
    session_state.uploads().pop(_TYPED_ENTRY, None)
    try:
        counts = upload.counts_of_lines(typed, decimal)
    except AmbiguousNumberError as error:
        question = decimal_choice.question_text("The text", error)
        session_state.uploads()[_TYPED_ENTRY] = error.entry
        _drafts()["counts"] = (typed, f"{question} {_replacement_sentence('until then')}")
        return
    except ValueError as error:
        _drafts()["counts"] = (typed, f"The counts can’t be read: {error}. {_replacement_sentence()}")
        return
    _drafts().clear()
    if counts == ATTACK.default:
        _accept_counts(counts)
    else:
        session_state.uploads().pop(_FILE, None)
        _store(upload.attack_of_counts(counts), counts, DataFiles(choices={"counts": counts}))
        widgets.empty_uploader(
            "attack_upload"
        )  # else the removal of its file, which is not used any more, would remove the counts


def _replacement_sentence(when: str = "instead") -> str:
    return f"{'The last good results are' if _has_attack() else 'No attack is'} used {when}."


def _take_attack_file() -> None:
    file, drafts = st.session_state[widgets.field_key("attack_upload")], _drafts()
    drafts.pop("file", None)
    if file is None:
        if session_state.used_texts()[ATTACK.key] == OWN:
            _accept_counts(ATTACK.default)
        return
    _read(AttackFile(file.name, file.getvalue()))


def _read(file: AttackFile, decimal: str = "") -> None:
    """Read a file, with the decimal mark that the user chose for it, and store its results in the session."""
    file, drafts = replace(file, decimal=decimal), _drafts()
    drafts.pop("file", None)
    try:
        measured = read_file(partial(upload.attack_of_file, file), lambda _: None)
    except AmbiguousNumberError as error:
        session_state.uploads()[_FILE] = replace(file, ambiguous=error.entry)
        question = decimal_choice.question_text(file.name, error)
        drafts["file"] = (file.name, f"{question} {_replacement_sentence('until then')}")
    except ValueError as error:
        drafts["file"] = (file.name, f"{excerpt(file.name)} can’t be read: {error}. {_replacement_sentence()}")
    else:
        session_state.uploads()[_FILE] = file
        options = {"decimal": file.decimal, "ambiguous": file.ambiguous}
        _store(measured, "", DataFiles({"file": (file.name, file.data)}, options))
