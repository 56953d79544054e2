"""The session state: all values that a session stores, under one prefix; its own data, and when they are erased."""

import json
from collections.abc import Callable, Container, Iterable, Mapping
from copy import deepcopy
from dataclasses import dataclass, field, replace
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
_KEY = "dp_session"
_MOST_FOLDS, _LONGEST_NAME = 20, 100  # texts and characters
Drafts = dict[int, dict[str, tuple[str, str]]]  # unusable texts with their sentences, by position and field


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


@dataclass
class Session:
    """What a session stores, beside the fields of Streamlit.

    By its `id` the browser notices that the server has lost the previous session. `request` is that of the browser for
    this run, of the number `run`. `page` is the path of the open page, None before the first run, which `is_new`: the
    browser may then have edits made on a lost server. `page_is_new` where the run before was one of another page.

    `entered` has the text of every parameter of the page and of the site, as typed or linked, `used` the last usable
    ones, with which the page computes, and `readings` those of this run. `elsewhere` has both of the pages that were
    left, and `kept` all of them from before a demonstration. `link_problems` are the sentences on what of the link
    cannot be used, until a field is edited. `origins` names the page and the section on which the text of a parameter
    of several pages was changed last, and `left` has those texts with which each page was left.

    `answered` has the keys of the conditions that the link or the user has answered since `withdraw_answers` has read
    what they say.

    `drafts` are the unusable texts of each edited list, and `memory` what a page remembers of its positions. `uploads`
    are files and pasted texts, which no link contains, by name. `copies` are those of own data that the browser stores,
    and `restored` those that it has sent back and no page has read yet, by slot. `has_data` says whether the session
    has had own data, `data_left` whether some have left it since the last run, and `linked_data` are those of its link.
    `folds` are the open page, its section and its open folds, and `stopped` is the view that the user has stopped.
    """

    id: str = field(default_factory=lambda: token_hex(8))
    request: dict[str, Any] = field(default_factory=dict)
    run: int = 0
    page: str | None = None
    is_new: bool = True
    page_is_new: bool = True
    entered: dict[str, str] = field(default_factory=dict)
    used: dict[str, str] = field(default_factory=dict)
    readings: dict[str, Reading] = field(default_factory=dict)
    elsewhere: dict[str, dict[str, dict[str, str]]] = field(default_factory=lambda: {"entered": {}, "used": {}})
    kept: "Session | None" = None
    link_problems: list[str] = field(default_factory=list)
    origins: dict[str, tuple[str, str]] = field(default_factory=dict)
    left: dict[str, dict[str, str]] = field(default_factory=dict)
    answered: set[str] = field(default_factory=set)
    drafts: dict[str, Drafts] = field(default_factory=dict)
    memory: dict[str, dict[int, dict[str, Any]]] = field(default_factory=dict)
    uploads: dict[str, Any] = field(default_factory=dict)
    uploaded: UploadedFiles = NO_UPLOADS
    fields: FieldRecord = field(default_factory=FieldRecord)
    copies: dict[str, Copy] = field(default_factory=dict)
    restored: dict[str, Copy] = field(default_factory=dict)
    has_data: bool = False
    data_left: bool = False
    linked_data: list[str] = field(default_factory=list)
    folds: list[str] = field(default_factory=list)
    stopped: str | None = None


def session() -> Session:
    """Return what this session stores."""
    stored = st.session_state.get(_KEY)
    if stored is None:
        stored = st.session_state[_KEY] = Session()
    return stored


def uploads() -> dict[str, Any]:
    """Return the uploaded files and pasted texts, which no link contains, by name."""
    return session().uploads


def drafts(list_key: str) -> Drafts:
    """Return the texts of an edited list that cannot be used, by the key of its parameter."""
    return session().drafts.setdefault(list_key, {})


def memory(list_key: str) -> dict[int, dict[str, Any]]:
    """Return what a page remembers of each position of an edited list, by the key of its parameter."""
    return session().memory.setdefault(list_key, {})


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
    folds = event.pop("folds", None)
    is_list = isinstance(folds, list) and all(isinstance(text, str) for text in folds)
    session().folds = folds[:_MOST_FOLDS] if is_list else []
    session().request = event


def open_folds(page: str, section: str) -> tuple[str, ...]:
    """Return the names of the open folds of a section whose content is made when they are opened, each once."""
    place, names = session().folds[:2], session().folds[2:]
    return tuple(sorted({name[:_LONGEST_NAME] for name in names})) if place == [page, section] else ()


def _receive_own_data(copies: object) -> None:
    """Store the copies of the user's own data that the browser sends to a new session: a token and a text by slot."""
    for slot, copy in copies.items() if isinstance(copies, dict) else ():
        match copy:
            case [str(token), str(packed)] if len(token) <= 32 and slot in site().data_slots:
                restored = copy_within_limit(token, packed, 0)
                if restored is not None:
                    session().restored[slot] = restored


def end_run() -> None:
    """Clear the request of a run, but for its number."""
    number = session().request.get("n")
    session().request = {"n": number} if isinstance(number, int) else {}


def is_stopped(view: str, stop: bool) -> bool:
    """Return whether the user has stopped the computation of the open setting, at this run or before."""
    if stop:
        session().stopped = view
    elif session().stopped != view:
        session().stopped = None
    return session().stopped is not None


def record_fields(draw: Callable[[], object]) -> None:
    """Draw a page, and record its fields; a run that is interrupted leaves those of the run before."""
    record = session().fields
    record.drawn_keys = set()
    draw()
    record.previous_keys = record.drawn_keys


def uploaded_files_of(files: tuple[Any, ...]) -> UploadedFiles:
    """Return the uploads of a page with a token, which changes with them; an empty one without uploads.

    The link is the same with and without them, so the browser needs the token to distinguish the stages.
    """
    if all(file is None for file in files):
        session().uploaded = NO_UPLOADS
    elif [*map(id, session().uploaded.files)] != [*map(id, files)]:
        session().uploaded = UploadedFiles(token_hex(8), files)
    return session().uploaded


def set_text(key: str, entry: str) -> None:
    """Store a text as the entered text of a parameter."""
    session().entered[key] = entry.strip()
    session().link_problems.clear()


def forget_elsewhere(key: str, is_obsolete: Callable[[str], bool]) -> None:
    """Remove those texts of a parameter that other pages remember, or that are kept, and that are obsolete."""
    now, kept = session(), session().kept
    remembered = [texts for name in now.elsewhere.values() for texts in name.values()]
    if kept is not None:
        remembered += [kept.entered, kept.used, *(texts for name in kept.elsewhere.values() for texts in name.values())]
    for texts in remembered:
        if is_obsolete(texts.get(key, "")):
            texts.pop(key, None)


def start_run(page: str, site_wide: Container[str]) -> None:
    """Begin a run of a page: record whether the session is new, and whether it comes from another page.

    The texts of the parameters stay with the page that is left, except for those whose keys are `site_wide`.
    """
    now = session()
    before, now.page = now.page, page
    now.is_new, now.page_is_new = before is None, before != page
    if before is None or before == page:
        return
    now.answered.clear()
    now.left[before] = {key: text for key, text in now.used.items() if key in site_wide}
    for name, texts in (("entered", now.entered), ("used", now.used)):
        elsewhere = now.elsewhere[name]
        elsewhere[before] = {key: texts.pop(key) for key in [*texts] if key not in site_wide}
        texts.update(elsewhere.pop(page, {}))


def keep_texts() -> None:
    """Keep the texts of all pages as they are before a demonstration, or what a link shows aside."""
    now = session()
    texts = {"entered": now.entered, "used": now.used, "elsewhere": now.elsewhere, "origins": now.origins}
    now.kept = Session(page=now.page, **deepcopy(texts))


def restore_texts(site_wide: Container[str], appearance: Container[str]) -> None:
    """Restore the kept texts of all pages, except for those whose keys are of the `appearance`."""
    now, kept = session(), session().kept or Session()
    pairs = ("entered", now.entered, kept.entered), ("used", now.used, kept.used)
    for name, texts, before in () if kept.page is None else pairs:
        elsewhere = now.elsewhere[name] = kept.elsewhere[name]
        elsewhere[kept.page or ""] = {key: text for key, text in before.items() if key not in site_wide}
        shared = {key: text for key, text in before.items() if key in site_wide and key not in appearance}
        shared |= {key: text for key, text in texts.items() if key in appearance}
        texts.clear()
        texts.update(elsewhere.pop(now.page or "", {}) | shared)
    now.origins, now.kept = kept.origins, None


def change_subject(subjects: Mapping[str, str], of_subject: Iterable[Parameter], new_keys: Container[str]) -> None:
    """Store the texts that hold for one subject alone with it, where a section with another one is opened.

    Those of that subject take their place, or none, except for `new_keys`, which the link or the user has just given.
    """
    entered, used = session().entered, session().used
    before, after = (subjects.get(texts.get("section", "")) for texts in (used, entered))
    if before is None or after is None or before == after:
        return
    for parameter in of_subject:
        used[f"{parameter.key} {before}"] = used.get(parameter.key, parameter.default)
        if parameter.key not in new_keys:
            entered[parameter.key] = used.get(f"{parameter.key} {after}", parameter.default)


def withdraw_answers(said: Mapping[str, str], subject: str, defaults: Mapping[str, str]) -> bool:
    """Withdraw each confirmation of another sentence than that which is `said` now; return whether one was.

    `said` are the sentences that are confirmed on a `subject`, by the keys of their parameters. They are compared with
    those that were confirmed, which stay among the used texts of the page, under keys that no link has. What the link
    or the user has just answered is an answer on the sentence of now. A denial stays, whatever changes.
    """
    now, withdrawn = session(), False
    for key, sentence in said.items():
        name = f"{key} says {subject}"
        if key in now.answered or now.used.get(name, sentence) == sentence:
            now.used[name] = sentence
        else:
            now.entered[key] = site().conditions[key].get(now.used[key], defaults[key])
            withdrawn = True
    now.answered.clear()
    return withdrawn


def record_origins(texts: Mapping[str, str], parameters: Iterable[Parameter]) -> None:
    """Record the open page for those parameters of several pages that have other texts than at the last run."""
    now, section = session(), texts.get("section", "")
    changed = [item for item in parameters if texts[item.key] != now.used.get(item.key, item.default)]
    now.origins.update({parameter.key: (now.page or "", section) for parameter in changed})


def section_left(page: str) -> str:
    """Return the key of the section that was open when a page was left; empty if it was not open yet."""
    return session().elsewhere["used"].get(page, {}).get("section", "")


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
    now, linked = session(), link.texts_with_data(parameters, session().used)
    if now.data_left or now.linked_data not in ([], linked):
        erase(now.id)
    now.data_left, now.linked_data = False, linked
    now.has_data |= bool(linked)
    if now.has_data:
        _session_with_data(now.id, erase)


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
    return "" if parameter is None else session().used.get(parameter.key, parameter.default)
