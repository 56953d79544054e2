"""The session state: all values that a session stores, with their keys under one prefix.

The session stores the text of every parameter under "entered", whichever page is open. A text that cannot be used stays
there, while the last usable one, under "used", is computed with. Widgets only mirror these texts.
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
from pages.framework.rendering.uploaded_files import NO_UPLOADS, UploadedFiles
from pages.framework.session.data_copies import Copy, copy_within_limit
from pages.framework.site import site

STAGE = "stage"  # the key of the component that draws the page
MAX_TYPED, MAX_LINK_LENGTH = 10_000, 50_000  # characters
_PREFIX = "dp_"
SITE_WIDE = {parameter.key for parameter in COMMON_PARAMETERS} | site().travelling  # the others belong to one page
Drafts = dict[int, dict[str, tuple[str, str]]]  # unusable texts with their sentences, by position and field


def _session_value(name: str, empty: Any) -> Any:
    return st.session_state.setdefault(_PREFIX + name, empty)


def entered_texts() -> dict[str, str]:
    """Return the text of every parameter of the page and of the site, as typed or linked."""
    return _session_value("entered", {})


def used_texts() -> dict[str, str]:
    """Return the last usable text of every parameter, with which the page computes."""
    return _session_value("used", {})


def readings() -> dict[str, Reading]:
    """Return the readings of the parameters at this run of the page, by key."""
    return _session_value("readings", {})


def read_values(own: tuple[Parameter, ...], correct: Correct = no_corrections) -> Values:
    """Return the value of every parameter of the page, the shared ones and its own.

    They come from the link at a session's first run, at a change of page and if the browser went back to another link,
    and otherwise from the session; an edit has priority over the link that came with it. Each text is read once a run;
    one that cannot be used, alone or together with others, is replaced before anything is computed or written. The
    problems of the link are displayed until a field is edited.
    """
    parameters = (*COMMON_PARAMETERS, *own)
    request = _session_value("request", {})
    if is_new() or page_is_new():
        _store_link({key: st.query_params.get_all(key) for key in st.query_params}, parameters)
    if isinstance(request.get("link"), str) and (is_new() or not page_is_new()):  # else it is outdated
        _store_earlier_link(request["link"].removeprefix("?"), parameters)
    known_keys = {parameter.key for parameter in parameters}
    edits = request.get("set")
    for key, entry in edits.items() if isinstance(edits, dict) else ():
        if key in known_keys and isinstance(entry, str):
            set_text(key, entry if len(entry) <= MAX_TYPED else f"{entry[:MAX_TYPED]}…")  # it shows that it was cut
    for pin in own:
        if isinstance(pin, Pin) and isinstance(request.get("pin"), bool):
            set_text(pin.key, pin.text(used_texts()) if request["pin"] else pin.default)
    texts, used, run_readings = entered_texts(), used_texts(), readings()
    for parameter in parameters:
        texts.setdefault(parameter.key, parameter.default)
    used_readings = link.read_parameters(parameters, texts, used, correct)
    used.update({key: parameter.used for key, parameter in used_readings.items()})
    run_readings.clear()
    run_readings.update(used_readings)
    return link.values(used_readings)


def _store_link(query: Mapping[str, list[str]], parameters: tuple[Parameter, ...]) -> None:
    """Store the texts of a link, except those that the session already uses: they may have been typed differently."""
    texts, problems = link.parse_link(link.with_demo_defaults(query, page(), parameters), parameters)
    link_problems()[:] = problems
    entered_texts().update({key: entry for key, entry in texts.items() if used_texts().get(key) != entry})


def _store_earlier_link(query: str, parameters: tuple[Parameter, ...]) -> None:
    """Store the texts of the link to which the browser went back, or nothing if the link is too long."""
    if len(query) > MAX_LINK_LENGTH:
        link_problems()[:] = [f"The link has more than {MAX_LINK_LENGTH:,} characters; nothing of it is read."]
        return
    _store_link(parse_qs(query, keep_blank_values=True), parameters)


def receive_event() -> None:
    """Store the request of the browser for this run: its number `n`, with edits, a link to go back to, or a file.

    Half a surrogate pair, which JSON can contain, cannot be sent back, and is replaced by a question mark. A request to
    a page that was left before it had drawn its stage is lost.
    """
    stage = st.session_state.get(STAGE)
    if stage is None:
        return
    event = json.loads(json.dumps(stage.request, ensure_ascii=False).encode(errors="replace"))
    event = event if isinstance(event, dict) else {}
    _receive_own_data(event.pop("restore", None))
    st.session_state[_PREFIX + "request"] = event


def _receive_own_data(copies: object) -> None:
    """Store the copies of the user's own data that the browser sends to a new session: a token and a text by slot."""
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
    """Return the request of the browser for this run."""
    return _session_value("request", {})


def session_id() -> str:
    """Return the id of this session, by which the browser notices that the server has lost the previous session."""
    if not _session_value("told", ""):
        st.session_state[_PREFIX + "told"] = token_hex(8)
    return _session_value("told", "")


def next_run_number() -> int:
    """Return the number of this run in the session, by which the browser orders the responses."""
    st.session_state[_PREFIX + "run"] = _session_value("run", 0) + 1
    return st.session_state[_PREFIX + "run"]


def end_run() -> None:
    """End a run: clear its request."""
    number = request().get("n")
    st.session_state[_PREFIX + "request"] = {"n": number} if isinstance(number, int) else {}


def link_problems() -> list[str]:
    """Return the sentences on what of the link cannot be used; they stay until a field is edited."""
    return _session_value("link_problems", [])


def drafts(list_key: str) -> Drafts:
    """Return the texts of an edited list that cannot be used, by the key of its parameter."""
    return _session_value("drafts", {}).setdefault(list_key, {})


def memory(list_key: str) -> dict[int, dict[str, Any]]:
    """Return what a page remembers of each position of an edited list, by the key of its parameter."""
    return _session_value("memory", {}).setdefault(list_key, {})


def is_stopped(view: str, stop: bool) -> bool:
    """Whether the user has stopped the computation of the open setting, at this run or before."""
    stop_record = _session_value("stopped", {})
    if stop:
        stop_record["view"] = view
    elif stop_record.get("view") != view:
        stop_record.clear()
    return bool(stop_record)


def problems() -> list[str]:
    """Return the sentences on all entered texts of this page that cannot be used."""
    sentences = [reading.problem for reading in readings().values() if reading.problem]
    drafts_by_list = _session_value("drafts", {})
    for key in readings():
        sentences += [sentence for fields in drafts_by_list.get(key, {}).values() for _, sentence in fields.values()]
    return list(dict.fromkeys(sentences))  # two parameters that cannot be used together have the same sentence


def uploads() -> dict[str, Any]:
    """Return the uploaded files and pasted texts, which no link contains, by name."""
    return _session_value("held", {})


def times_emptied() -> dict[str, int]:
    """Return how many times each upload field was emptied, by the name of the field."""
    return _session_value("times_emptied", {})


def own_data_slots() -> dict[str, Copy]:
    """Return the copies of the user's own data that the browser stores, by slot."""
    return _session_value("own_data", {})


def restored_data() -> dict[str, Copy]:
    """Return the copies that the browser has sent back and no page has read yet, by slot."""
    return _session_value("restored_data", {})


def uploaded_files_of(files: tuple[Any, ...]) -> UploadedFiles:
    """Return the uploads of a page with a token, which changes with them; an empty one without uploads.

    The link is the same with and without them, so the browser needs the token to distinguish the stages.
    """
    record = _session_value("marked", {"held": NO_UPLOADS})
    if all(file is None for file in files):
        record["held"] = NO_UPLOADS
    elif len(record["held"].files) != len(files) or any(
        a is not b for a, b in zip(record["held"].files, files, strict=True)
    ):
        record["held"] = UploadedFiles(token_hex(8), files)
    return record["held"]


def set_text(key: str, entry: str) -> None:
    """Store a text as the entered text of a parameter."""
    entered_texts()[key] = entry.strip()
    link_problems().clear()


def forget_elsewhere(key: str, is_obsolete: Callable[[str], bool]) -> None:
    """Remove those texts of a parameter that other pages of the session remember and for which `forgotten` is true."""
    for name in ("entered", "used"):
        for texts in _session_value(f"{name}_elsewhere", {}).values():
            if is_obsolete(texts.get(key, "")):
                texts.pop(key, None)


def start_run(page: str) -> None:
    """Begin a run of a page: record whether the session is new, and whether it comes from another page."""
    previous_page = st.session_state.get(_PREFIX + "page")
    st.session_state[_PREFIX + "is_new"] = previous_page is None
    st.session_state[_PREFIX + "page_is_new"] = previous_page != page
    st.session_state[_PREFIX + "page"] = page
    if previous_page is not None and previous_page != page:
        for name, texts in (("entered", entered_texts()), ("used", used_texts())):
            elsewhere = _session_value(f"{name}_elsewhere", {})
            elsewhere[previous_page] = {key: texts.pop(key) for key in [*texts] if key not in SITE_WIDE}
            texts.update(elsewhere.pop(page, {}))


def page() -> str:
    """Return the path of the page that is open."""
    return _session_value("page", "")


def is_new() -> bool:
    """Whether this is the session's first run: the browser's widgets may then have edits made on a lost server."""
    return _session_value("is_new", True)


def page_is_new() -> bool:
    """Whether the previous run was one of another page."""
    return _session_value("page_is_new", True)
