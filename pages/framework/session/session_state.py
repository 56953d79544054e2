"""What a session remembers: all its keys stand here, under one prefix.

The text of every parameter lives in the session under "entered" as long as the session, whichever page is open; a text
that can't be used stays there, while the last good one ("used") is computed with. Widgets only mirror it.
"""

import json
from collections.abc import Callable, Mapping
from secrets import token_hex
from typing import Any
from urllib.parse import parse_qs

import streamlit as st

from pages.framework import link
from pages.framework.link import COMMON_PARAMETERS
from pages.framework.parameters.kinds import Correct, Parameter, Reading, Values, no_corrections
from pages.framework.parameters.pin import Pin
from pages.framework.rendering.render import NO_UPLOADS, UploadedFiles
from pages.framework.session.data_copies import Copy, copy_within_limit
from pages.framework.site import site

STAGE = "stage"  # the key of the component that draws the page
MAX_TYPED, MAX_LINK_LENGTH = 10_000, 50_000  # characters
_PREFIX = "dp_"
SITE_WIDE = {parameter.key for parameter in COMMON_PARAMETERS} | site().travelling  # the rest is its page's own
Drafts = dict[int, dict[str, tuple[str, str]]]  # what was typed and can't be used, and its sentence, by place and field


def _session_value(name: str, empty: Any) -> Any:
    return st.session_state.setdefault(_PREFIX + name, empty)


def entered_texts() -> dict[str, str]:
    """The text of every parameter of the page, and of those that travel from page to page, as typed or linked."""
    return _session_value("entered", {})


def used_texts() -> dict[str, str]:
    """The text of every parameter that is computed with."""
    return _session_value("used", {})


def readings() -> dict[str, Reading]:
    """What this run of the page reads of its parameters, by key."""
    return _session_value("readings", {})


def read_values(own: tuple[Parameter, ...], correct: Correct = no_corrections) -> Values:
    """Return the value of every parameter of the page, the shared ones and its own.

    They come from the link on a session's first run, at another page and where the browser went back to another link,
    and from the session after that; what was edited wins over the link it came with. Each is read once a run; what
    can't be used, alone or together with the rest, is replaced before anything is computed or written. Problems with
    the link itself stay until a field is edited.
    """
    parameters = (*COMMON_PARAMETERS, *own)
    request = _session_value("asked", {})
    if is_new() or page_is_new():
        _take_link({key: st.query_params.get_all(key) for key in st.query_params}, parameters)
    if isinstance(request.get("link"), str) and (is_new() or not page_is_new()):  # one of the page before is overtaken
        _go_back_to(request["link"].removeprefix("?"), parameters)
    known_keys = {parameter.key for parameter in parameters}
    edits = request.get("set")
    for key, entry in edits.items() if isinstance(edits, dict) else ():
        if key in known_keys and isinstance(entry, str):
            set_text(key, entry if len(entry) <= MAX_TYPED else f"{entry[:MAX_TYPED]}…")  # never a part as the whole
    for pin in own:
        if isinstance(pin, Pin) and isinstance(request.get("pin"), bool):
            set_text(pin.key, pin.text(used_texts()) if request["pin"] else pin.default)
    texts, before, last = entered_texts(), used_texts(), readings()
    for parameter in parameters:
        texts.setdefault(parameter.key, parameter.default)
    used_readings = link.read_parameters(parameters, texts, before, correct)
    before.update({key: parameter.used for key, parameter in used_readings.items()})
    last.clear()
    last.update(used_readings)
    return link.values(used_readings)


def _take_link(query: Mapping[str, list[str]], parameters: tuple[Parameter, ...]) -> None:
    """Take what a link says, but what the session knows already: it may have been typed in another way."""
    texts, problems = link.parse_link(link.with_demo_defaults(query, page(), parameters), parameters)
    link_problems()[:] = problems
    entered_texts().update({key: entry for key, entry in texts.items() if used_texts().get(key) != entry})


def _go_back_to(query: str, parameters: tuple[Parameter, ...]) -> None:
    """Take the link to which the browser went back, or nothing of one that is too long."""
    if len(query) > MAX_LINK_LENGTH:
        link_problems()[:] = [f"The link has more than {MAX_LINK_LENGTH:,} characters; nothing of it is read."]
        return
    _take_link(parse_qs(query, keep_blank_values=True), parameters)


def receive_event() -> None:
    """Keep what the browser asks for this run: `n`, and with it entries, a link to go back to, or a file.

    Half a character, as half an emoji is in JSON, can't be sent back: it is a question mark from here on. What was
    asked of a page that was left before it had drawn its stage is gone.
    """
    stage = st.session_state.get(STAGE)
    if stage is None:
        return
    event = json.loads(json.dumps(stage.asked, ensure_ascii=False).encode(errors="replace"))
    event = event if isinstance(event, dict) else {}
    _receive_own_data(event.pop("restore", None))
    st.session_state[_PREFIX + "asked"] = event


def _receive_own_data(copies: object) -> None:
    """Take the copies of the user's own data that the browser sends to a new session: by slot, a name and a text."""
    for slot, copy in copies.items() if isinstance(copies, dict) else ():
        token, packed = copy if isinstance(copy, list) and len(copy) == 2 else (None, None)
        if (
            not isinstance(token, str)
            or not isinstance(packed, str)
            or len(token) > 32
            or slot not in site().data_slots
        ):
            continue
        if (restored := copy_within_limit(token, packed, 0)) is not None:
            restored_data()[slot] = restored


def request() -> dict[str, Any]:
    """What the browser asked for before this run."""
    return _session_value("asked", {})


def session_id() -> str:
    """A name of this session by which the browser sees that the server has lost the one before."""
    if not _session_value("told", ""):
        st.session_state[_PREFIX + "told"] = token_hex(8)
    return _session_value("told", "")


def next_run_number() -> int:
    """The number of this run among the session's, by which the browser sees which of two is the later."""
    st.session_state[_PREFIX + "run"] = _session_value("run", 0) + 1
    return st.session_state[_PREFIX + "run"]


def end_run() -> None:
    """End a run: what was asked is done."""
    number = request().get("n")
    st.session_state[_PREFIX + "asked"] = {"n": number} if isinstance(number, int) else {}


def link_problems() -> list[str]:
    """The sentences on what of the link can't be used, until a field is edited."""
    return _session_value("link_problems", [])


def drafts(list_key: str) -> Drafts:
    """The texts of an edited list that can't be used, by the key of its parameter."""
    return _session_value("drafts", {}).setdefault(list_key, {})


def memory(list_key: str) -> dict[int, dict[str, Any]]:
    """What each place of an edited list was before, by the key of its parameter."""
    return _session_value("memory", {}).setdefault(list_key, {})


def is_stopped(view: str, stop: bool) -> bool:
    """Whether what is made of the open setting shall not be waited for, now or since it was stopped."""
    at = _session_value("stopped", {})
    if stop:
        at["view"] = view
    elif at.get("view") != view:
        at.clear()
    return bool(at)


def problems() -> list[str]:
    """The sentences on everything entered on this page that can't be used."""
    wrong = [reading.problem for reading in readings().values() if reading.problem]
    waiting = _session_value("drafts", {})
    for key in readings():
        wrong += [sentence for fields in waiting.get(key, {}).values() for _, sentence in fields.values()]
    return list(dict.fromkeys(wrong))  # one may stand at both parameters that don't go together


def uploads() -> dict[str, Any]:
    """Files and pasted texts, which no link holds, by their name."""
    return _session_value("held", {})


def times_emptied() -> dict[str, int]:
    """How often the files of each field were let go of, by the name of the field."""
    return _session_value("times_emptied", {})


def own_data_slots() -> dict[str, Copy]:
    """The copies of the user's own data that the browser keeps, by slot."""
    return _session_value("own_data", {})


def restored_data() -> dict[str, Copy]:
    """The copies that the browser has sent back and no page has read yet, by slot."""
    return _session_value("restored_data", {})


def uploaded_files_of(files: tuple[Any, ...]) -> UploadedFiles:
    """Files and pasted texts with a name, another one when they change; none without any.

    Their link is the same as without them, so the browser needs it to keep apart what it has drawn.
    """
    last = _session_value("marked", {"held": NO_UPLOADS})
    if all(file is None for file in files):
        last["held"] = NO_UPLOADS
    elif len(last["held"].files) != len(files) or any(
        a is not b for a, b in zip(last["held"].files, files, strict=True)
    ):
        last["held"] = UploadedFiles(token_hex(8), files)
    return last["held"]


def set_text(key: str, entry: str) -> None:
    """Take a text as what the user now wants for a parameter."""
    entered_texts()[key] = entry.strip()
    link_problems().clear()


def forget_elsewhere(key: str, forgotten: Callable[[str], bool]) -> None:
    """Forget what other pages, to which the user may come back, remember of a parameter, where `forgotten` says so."""
    for name in ("entered", "used"):
        for texts in _session_value(f"{name}_elsewhere", {}).values():
            if forgotten(texts.get(key, "")):
                texts.pop(key, None)


def start_run(page: str) -> None:
    """Begin a run of a page: note whether the session is new, and whether it comes from another page."""
    before = st.session_state.get(_PREFIX + "page")
    st.session_state[_PREFIX + "is_new"] = before is None
    st.session_state[_PREFIX + "page_is_new"] = before != page
    st.session_state[_PREFIX + "page"] = page
    if before is not None and before != page:
        for name, texts in (("entered", entered_texts()), ("used", used_texts())):
            elsewhere = _session_value(f"{name}_elsewhere", {})
            elsewhere[before] = {key: texts.pop(key) for key in [*texts] if key not in SITE_WIDE}
            texts.update(elsewhere.pop(page, {}))


def page() -> str:
    """The path of the page that is open."""
    return _session_value("page", "")


def is_new() -> bool:
    """Whether this is the session's first run: what the browser's widgets say then was edited on a lost server."""
    return _session_value("is_new", True)


def page_is_new() -> bool:
    """Whether the last run was one of another page."""
    return _session_value("page_is_new", True)
