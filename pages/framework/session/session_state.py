"""The session state: all values that a session stores, under one prefix; its own data, and when they are erased."""

import json
from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain
from secrets import token_hex
from threading import Thread
from typing import Any, Generic, TypeVar

import streamlit as st

from pages.framework import link
from pages.framework.parameters.parameter import Parameter, Reading
from pages.framework.rendering.uploaded_files import NO_UPLOADS, UploadedFiles
from pages.framework.session.data_files import OWN, Copy, DataFiles, ReadData, copy_within_limit
from pages.framework.site import site

STAGE = "stage"  # the key of the component that draws the page
_PREFIX = "dp_"
_MOST_FOLDS, _LONGEST_NAME = 20, 100  # texts and characters
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
    _receive_folds(event.pop("folds", None))
    st.session_state[_PREFIX + "request"] = event


def _receive_folds(folds: object) -> None:
    """Store which folds are open in the browser: their page, their section, and their names."""
    texts = folds[:_MOST_FOLDS] if isinstance(folds, list) and all(isinstance(text, str) for text in folds) else []
    st.session_state[_PREFIX + "folds"] = texts


def open_folds(page: str, section: str) -> tuple[str, ...]:
    """Return the names of the open folds of a section whose content is made when they are opened, each once."""
    *place, names = *_session_value("folds", [])[:2], _session_value("folds", [])[2:]
    return tuple(sorted({name[:_LONGEST_NAME] for name in names})) if place == [page, section] else ()


def _receive_own_data(copies: object) -> None:
    """Store the copies of the user's own data that the browser sends to a new session: a token and a text by slot."""
    for slot, copy in copies.items() if isinstance(copies, dict) else ():
        match copy:
            case [str(token), str(packed)] if len(token) <= 32 and slot in site().data_slots:
                restored = copy_within_limit(token, packed, 0)
                if restored is not None:
                    restored_data()[slot] = restored


def request() -> dict[str, Any]:
    """Return the request of the browser for this run."""
    return _session_value("request", {})


def session_id() -> str:
    """Return the id of this session, by which the browser notices that the server has lost the previous session."""
    return _session_value("session_id", token_hex(8))


def next_run_number() -> int:
    """Return the number of this run in the session, by which the browser orders the responses."""
    st.session_state[_PREFIX + "run"] = _session_value("run", 0) + 1
    return st.session_state[_PREFIX + "run"]


def end_run() -> None:
    """Clear the request of a run, but for its number."""
    number = request().get("n")
    st.session_state[_PREFIX + "request"] = {"n": number} if isinstance(number, int) else {}


def link_problems() -> list[str]:
    """Return the sentences on what of the link cannot be used; they stay until a field is edited."""
    return _session_value("link_problems", [])


def drafts(list_key: str) -> Drafts:
    """Return the texts of an edited list that cannot be used, by the key of its parameter."""
    return drafts_by_key().setdefault(list_key, {})


def drafts_by_key() -> dict[str, Drafts]:
    """Return the texts of all edited lists that cannot be used, by the keys of their parameters."""
    return _session_value("drafts", {})


def memory(list_key: str) -> dict[int, dict[str, Any]]:
    """Return what a page remembers of each position of an edited list, by the key of its parameter."""
    return _session_value("memory", {}).setdefault(list_key, {})


def is_stopped(view: str, stop: bool) -> bool:
    """Return whether the user has stopped the computation of the open setting, at this run or before."""
    stop_record = _session_value("stopped", {})
    if stop:
        stop_record["view"] = view
    elif stop_record.get("view") != view:
        stop_record.clear()
    return bool(stop_record)


def uploads() -> dict[str, Any]:
    """Return the uploaded files and pasted texts, which no link contains, by name."""
    return _session_value("uploads", {})


@dataclass
class FieldRecord:
    """What a session knows of the fields of Streamlit: a browser may still send what one contained before.

    `replacements` is how many times each field was replaced by a new one, by name; `edited` are the names of the fields
    that the user has edited and no run has drawn since. `drawn_keys` are the keys of the fields that this run of the
    page has drawn, and `previous_keys` those of the last run that was not interrupted.
    """

    replacements: dict[str, int] = field(default_factory=dict)
    edited: set[str] = field(default_factory=set)
    drawn_keys: set[str] = field(default_factory=set)
    previous_keys: set[str] = field(default_factory=set)

    def is_drawn(self, key: str) -> bool:
        """Return whether the browser shows a field, as far as the session knows."""
        return key in self.drawn_keys or key in self.previous_keys


def field_record() -> FieldRecord:
    """Return what the session knows of the fields of Streamlit."""
    return _session_value("field_record", FieldRecord())


def record_fields(draw: Callable[[], object]) -> None:
    """Draw a page, and record its fields; a run that is interrupted leaves those of the run before."""
    record = field_record()
    record.drawn_keys = set()
    draw()
    record.previous_keys = record.drawn_keys


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
    record = _session_value("uploaded_files", {"current": NO_UPLOADS})
    if all(file is None for file in files):
        record["current"] = NO_UPLOADS
    elif [*map(id, record["current"].files)] != [*map(id, files)]:
        record["current"] = UploadedFiles(token_hex(8), files)
    return record["current"]


@dataclass
class OwnDataRecord:
    """Whether a session has had own data, whether some have left it since the last run, and those of its last link."""

    is_used: bool = False
    is_outdated: bool = False
    linked_texts: list[str] = field(default_factory=list)


def own_data_record() -> OwnDataRecord:
    """Return what a session knows of its own data."""
    return _session_value("own_data_record", OwnDataRecord())


def set_text(key: str, entry: str) -> None:
    """Store a text as the entered text of a parameter."""
    entered_texts()[key] = entry.strip()
    link_problems().clear()


def forget_elsewhere(key: str, is_obsolete: Callable[[str], bool]) -> None:
    """Remove those texts of a parameter that other pages remember, or that are kept, and that are obsolete."""
    _, kept = st.session_state.get(_PREFIX + "kept", ("", {}))
    remembered = [_session_value(f"{name}_elsewhere", {}).values() for name in ("entered", "used")]
    for texts in chain(*remembered, *((texts, *elsewhere.values()) for texts, elsewhere in kept.values())):
        if is_obsolete(texts.get(key, "")):
            texts.pop(key, None)


def start_run(page: str, site_wide: Container[str]) -> None:
    """Begin a run of a page: record whether the session is new, and whether it comes from another page.

    The texts of the parameters stay with the page that is left, except for those whose keys are `site_wide`.
    """
    previous_page = st.session_state.get(_PREFIX + "page")
    st.session_state[_PREFIX + "is_new"] = previous_page is None
    st.session_state[_PREFIX + "page_is_new"] = previous_page != page
    st.session_state[_PREFIX + "page"] = page
    if previous_page is not None and previous_page != page:
        _session_value("left", {})[previous_page] = {
            key: text for key, text in used_texts().items() if key in site_wide
        }
        for name, texts in (("entered", entered_texts()), ("used", used_texts())):
            elsewhere = _session_value(f"{name}_elsewhere", {})
            elsewhere[previous_page] = {key: texts.pop(key) for key in [*texts] if key not in site_wide}
            texts.update(elsewhere.pop(page, {}))


def keep_texts() -> None:
    """Keep the texts of all pages as they are before a demonstration, whose steps have settings of their own."""
    st.session_state[_PREFIX + "kept"] = (
        page(),
        {
            name: (dict(texts), {left: dict(own) for left, own in _session_value(f"{name}_elsewhere", {}).items()})
            for name, texts in (("entered", entered_texts()), ("used", used_texts()))
        },
    )
    st.session_state[_PREFIX + "kept_origins"] = dict(origins())


def restore_texts(site_wide: Container[str], appearance: Container[str]) -> None:
    """Restore the kept texts of all pages, except for those whose keys are of the `appearance`."""
    kept_page, kept = st.session_state.pop(_PREFIX + "kept", ("", {}))
    for name, (texts, elsewhere) in kept.items():
        now = _session_value(name, {})
        elsewhere[kept_page] = {key: text for key, text in texts.items() if key not in site_wide}
        shared = {key: text for key, text in texts.items() if key in site_wide and key not in appearance}
        shared |= {key: text for key, text in now.items() if key in appearance}
        now.clear()
        now.update(elsewhere.pop(page(), {}) | shared)
        st.session_state[f"{_PREFIX}{name}_elsewhere"] = elsewhere
    st.session_state[_PREFIX + "origins"] = st.session_state.pop(_PREFIX + "kept_origins", {})


def change_subject(subjects: Mapping[str, str], conditions: Iterable[Parameter], new_keys: Container[str]) -> None:
    """Store the answers on the conditions with their subject where a section with another one is opened.

    Those on that subject take their place, or none, except for `new_keys`, which the link or the user has just given.
    """
    entered, used = entered_texts(), used_texts()
    before, after = (subjects.get(texts.get("section", "")) for texts in (used, entered))
    if before is None or after is None or before == after:
        return
    for parameter in conditions:
        used[f"{parameter.key} {before}"] = used.get(parameter.key, parameter.default)
        if parameter.key not in new_keys:
            entered[parameter.key] = used.get(f"{parameter.key} {after}", parameter.default)


def origins() -> dict[str, tuple[str, str]]:
    """Return the page and its section on which the text of a parameter of several pages was changed last, by key."""
    return _session_value("origins", {})


def record_origins(texts: Mapping[str, str], parameters: Iterable[Parameter]) -> None:
    """Record the open page for those parameters of several pages that have other texts than at the last run."""
    used, section = used_texts(), texts.get("section", "")
    changed = [item for item in parameters if texts[item.key] != used.get(item.key, item.default)]
    origins().update({parameter.key: (page(), section) for parameter in changed})


def texts_left(page: str) -> dict[str, str]:
    """Return the texts of the parameters of several pages with which a page was left; none if it was not open yet."""
    return _session_value("left", {}).get(page, {})


def section_left(page: str) -> str:
    """Return the key of the section that was open when a page was left; empty if it was not open yet."""
    return _session_value("used_elsewhere", {}).get(page, {}).get("section", "")


def page() -> str:
    """Return the path of the page that is open."""
    return _session_value("page", "")


def is_new() -> bool:
    """Return whether this is the session's first run: a browser may then have edits made on a lost server."""
    return _session_value("is_new", True)


def page_is_new() -> bool:
    """Return whether the previous run was one of another page."""
    return _session_value("page_is_new", True)


Erase = Callable[[str], object]
"""A function that erases what was computed from own data; it gets the id of the session that had them."""


def _erase_in_background(session_and_erase: tuple[str, Erase]) -> None:
    session, erase = session_and_erase
    Thread(target=erase, args=(session,), daemon=True).start()


@st.cache_resource(scope="session", show_spinner=False, on_release=_erase_in_background)
def _session_with_data(session: str, _erase: Erase) -> tuple[str, Erase]:
    """Return a session with own data, which Streamlit releases when the session has lost its browser."""
    return session, _erase


def follow_own_data(parameters: tuple[Parameter, ...], erase: Erase) -> None:
    """Erase what was computed from own data that the session or its link no longer has, and the rest when it ends."""
    linked_texts = link.texts_with_data(parameters, used_texts())
    record = own_data_record()
    if record.is_outdated or record.linked_texts not in ([], linked_texts):
        erase(session_id())
    record.is_outdated, record.linked_texts = False, linked_texts
    record.is_used |= bool(linked_texts)
    if record.is_used:
        _session_with_data(session_id(), erase)


T = TypeVar("T")


@dataclass(frozen=True)
class Held(Generic[T]):
    """What a session has of one kind of data; files that are not read yet have what was read of those before."""

    files: DataFiles
    reading: ReadData[T] | None = None
    is_read: bool = False
    is_stored: bool = False


@dataclass(frozen=True, kw_only=True)
class DataSlot(Generic[T]):
    """One kind of own data in the session and in the tab of the browser, under the name `slot`.

    `choice` is the parameter that chooses data, `OWN` among its texts; `linked`, which may be the same one, holds the
    data in a link.
    """

    slot: str
    choice: Parameter | None = None
    linked: Parameter | None = None

    @property
    def held(self) -> Held[T] | None:
        """The data of the session; None without any."""
        return uploads().get(self.slot)

    @property
    def reading(self) -> ReadData[T] | None:
        """What was read of them; None without any."""
        return None if self.held is None else self.held.reading

    @property
    def has_content(self) -> bool:
        """Whether the session has something for the page, if only the sentence on why it has no data."""
        return self.reading is not None and self.reading.content is not None

    @property
    def is_stored(self) -> bool:
        """Whether the tab of the browser stores them."""
        return self.held is not None and self.held.is_stored

    @property
    def is_in_link(self) -> bool:
        """Whether the link contains data of this kind."""
        return self.linked is not None and bool(self.linked.data_in(text_of(self.linked)))

    @property
    def is_set_aside(self) -> bool:
        """Whether the link has other data than the session: somebody went back, or edited the link.

        Those of the session are kept, since one step forward the link has none again.
        """
        is_in_link = self.has_content and self.is_in_link
        return is_in_link and self.reading is not None and text_of(self.linked) != self.reading.link_text

    def hold(self, held: Held[T]) -> None:
        """Hold data in the session."""
        uploads()[self.slot] = held

    def replace_content(self, content: T) -> None:
        """Replace the content by one with more that was computed from the same files."""
        if self.held is not None and self.held.reading is not None:
            self.hold(replace(self.held, reading=replace(self.held.reading, content=content)))

    def clear_link(self, is_obsolete: Callable[[str], bool]) -> None:
        """Take the data out of the link, and obsolete ones out of the links of other pages."""
        if self.linked is not None:
            set_text(self.linked.key, OWN if self.linked is self.choice else self.linked.default)
            forget_elsewhere(self.linked.key, is_obsolete)


def text_of(parameter: Parameter | None) -> str:
    """Return the text of a parameter in use; an empty one without a parameter."""
    return "" if parameter is None else used_texts().get(parameter.key, parameter.default)
