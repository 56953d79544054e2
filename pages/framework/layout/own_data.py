"""The flow of the user's own data, one for all kinds: read, repaired, stored, in the link on request, and forgotten.

A page that takes own data declares them in one record, `OwnData`: which reader, which words, which parameters. The data
stay in the session and in the tab of the browser, and go from page to page; no link contains them unless the user
includes them.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import cycle
from typing import Any, TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.framework.layout import widgets
from pages.framework.parameters.parameter import Parameter, excerpt
from pages.framework.rendering import render_jobs
from pages.framework.rendering.workers.jobs import Progress
from pages.framework.session import session_state, tab_copies
from pages.framework.session.data_files import (
    LINKED,
    NOTHING_DRAWN,
    OWN,
    ChoiceField,
    DataFiles,
    FileInput,
    Offer,
    ReadData,
    TextInput,
    box_key,
    unreadable_text,
)
from pages.framework.session.session_state import DataSlot, Held, text_of

DATA_STAY = (
    "Your data stay on the machine that runs this page until the session ends, and in this tab of your browser, also "
    "through a reload, until you close it, unless they are too large for it. The link does not contain them."
)
_SET_ASIDE = (
    "The page uses the {noun} in the link. The session also has the {noun} that you uploaded last, and uses {pronoun} "
    "if the link contains none, for example one step forward in the history. If you take the {noun} out of the link, "
    "{verb} in the session instead of the uploaded {noun}."
)


def these(noun: str) -> str:
    """Return a noun after this or these."""
    return f"these {noun}" if noun.endswith("s") else f"this {noun}"


def storage_text(noun: str, is_stored: bool) -> str:
    """Return where data of the session are that the link does not contain.

    >>> storage_text("table", True), storage_text("values", False)
    ('The table is not in the link. This tab stores it, also through a reload, until you close the tab.', \
'The values are not in the link, and too large for this tab to store: after a reload, upload them again.')
    """
    verb, pronoun = ("are", "them") if noun.endswith("s") else ("is", "it")
    outside = f"The {noun} {verb} not in the link"
    if is_stored:
        return f"{outside}. This tab stores {pronoun}, also through a reload, until you close the tab."
    return f"{outside}, and too large for this tab to store: after a reload, upload {pronoun} again."


def link_text(noun: str) -> str:
    """Return that the link contains data."""
    verb, pronoun = ("are", "them") if noun.endswith("s") else ("is", "it")
    return f"The {noun} {verb} in the link: whoever gets it can read {pronoun}."


def unlinkable_text(noun: str, reason: str) -> str:
    """Return why a link can't contain data; an empty text where it can."""
    return reason and f"{these(noun).capitalize()} can’t be included: {reason}."


T = TypeVar("T")


def _nothing(*_: object) -> tuple[()]:
    return ()


@dataclass(frozen=True, kw_only=True)
class OwnData(DataSlot[T]):
    """One kind of the user's own data: how they are read, in which words, and which parameters depend on them.

    `noun` is what they are called, `label` and `remove` are the words on the box with their fields and on the button
    that forgets them. `read` is called in a worker process, and raises ValueError where it can't read them; `refused`
    makes the content for the page from the sentence on that. `conditions` are parameters that are asked for with the
    answer, and asked for again with new data. `choices` are those of `DataFiles` with their defaults, `fields` the
    fields for them, and `offers` further offers for the content. Data that are edited stay in use where new ones can't
    be read. Data that are combined are made of several files, one for each field. `on_change` is called before data
    change or go. `draw_next` draws what the user does next with the content, in the place of a link to its answer.
    """

    noun: str
    read: Callable[[DataFiles, Progress], ReadData[T]]
    refused: Callable[[str], T]
    label: str = ""
    remove: str = ""
    inputs: tuple[FileInput | TextInput, ...] = ()
    conditions: tuple[Parameter, ...] = ()
    choices: Mapping[str, Any] = field(default_factory=dict)
    fields: Callable[[DataFiles], Iterable[ChoiceField]] = _nothing
    offers: Callable[[T], Iterable[Offer]] = _nothing
    is_edited: bool = False
    is_combined: bool = False
    on_change: Callable[[], object] = _nothing
    draw_next: Callable[[T], object] | None = None

    def content(self) -> T | None:
        """Return the content that the session has, read again where the browser has just sent its copy; else None."""
        copy = tab_copies.take_restored(self.slot)
        if copy is not None and copy.files and self.held is None:
            copy = copy.with_choices(self.choices)  # which may hold anything
            reading = self._read(copy)
            if not (self.is_edited and reading.problem):
                self.hold(Held(replace(copy, memory=reading.memory), reading, True, True))
        if session_state.session().request.get("exclude"):
            self._set_included(False)
        return None if self.reading is None else self.reading.content

    def store(self, files: DataFiles, content: T) -> None:
        """Store data that were read elsewhere, in the session and in the tab."""
        self.hold(Held(files, ReadData(content), True, tab_copies.store(self.slot, files)))

    def remember(self, choices: Mapping[str, Any]) -> None:
        """Store choices with the data, in the session and in the tab; nothing is read or computed from them."""
        if self.held is not None:
            files = replace(self.held.files, choices={**self.held.files.choices, **choices})
            self.hold(replace(self.held, files=files, is_stored=tab_copies.store(self.slot, files, erases=False)))

    def forget(self) -> None:
        """Forget the data, and the copies of them in the links of other pages, which would bring them back."""
        self.on_change()
        session_state.uploads().pop(self.slot, None)
        tab_copies.store(self.slot, None)
        for source in self.inputs:
            if isinstance(source, TextInput) and source.text_in_use is None:
                st.session_state[f"{self.slot}_{source.name}"] = ""
        self.clear_link(bool)
        if self.choice is not None:
            session_state.drafts(self.choice.key).clear()
            session_state.set_text(self.choice.key, self.choice.default)
            session_state.forget_elsewhere(self.choice.key, lambda text: text == OWN)

    def draw(self, above_stage: DeltaGenerator) -> None:
        """Draw the box with the fields, what is wrong with the data and offers to repair it, and where the data are.

        It stands in the place above the stage while it is open (`widgets.place_above_stage`) and has no data with an
        answer, which then comes first; else below it. What the user does next with data is done there, too.
        """
        is_own = text_of(self.choice) == OWN
        self._open_box(is_own and not self.is_in_link and self.held is None and not session_state.session().is_new)
        is_above = st.session_state.get(box_key(self.slot)) and (
            self.is_combined or self.draw_next or not self._has_answer
        )
        with above_stage if is_above else st.container():
            self._draw_box(is_own)

    def _draw_box(self, is_own: bool) -> None:
        with st.expander(self.label, key=box_key(self.slot), on_change="rerun") as box:
            if box.open:
                self._draw_inputs()
            self._read_new_files()
            if box.open:
                self._draw_reading()
        reading = None if self.is_set_aside and not self._has_draft else self.reading
        if reading is not None:
            widgets.show_problem(self.slot, reading.problem)
            for offer in (*reading.offers, *self.offers(reading.content)):
                more = {"type": "primary" if offer.is_primary else "secondary", "args": (offer,)}
                label = widgets.literal(offer.label)
                st.button(label, key=f"{self.slot}_{offer.key}", on_click=self._accept_offer, **more)
            if reading.details and box.open:
                st.text(reading.details)
        if self.has_content or self.is_in_link or is_own:
            self._draw_inclusion()
            st.button(self.remove, key=f"{self.slot}_away", on_click=self.forget)

    def draw_inclusion(self, is_included: bool, on_change: Callable[[bool], None], unlinkable: str = "") -> None:
        """Draw the button that puts the data into the link, or takes them out of it, and where they are."""
        problem = "" if is_included else unlinkable_text(self.noun, unlinkable)
        widgets.include_button(f"{self.slot}_include", is_included, on_change, problem)
        place = link_text(self.noun) if is_included else storage_text(self.noun, self.is_stored)
        if self.is_set_aside:  # the data of the link stand before those of the session
            verb, pronoun = ("they stay", "them") if self.noun.endswith("s") else ("it stays", "it")
            place = _SET_ASIDE.format(noun=self.noun, verb=verb, pronoun=pronoun)
        st.text(place)

    @property
    def _has_answer(self) -> bool:
        """Whether the last data were read, and can be used."""
        held = self.held
        is_usable = held is not None and held.is_read and held.reading is not None and not held.reading.problem
        return is_usable and not self._has_draft and not self.is_set_aside

    @property
    def _has_draft(self) -> bool:
        """Whether the last data could not be read, and those before are used on."""
        return self.choice is not None and any(session_state.drafts(self.choice.key).values())

    def _open_box(self, needs_data: bool) -> None:
        """Open the box where own data are chosen and missing, and where a page opens with some that are wrong."""
        needed, is_page_new = f"{self.slot}_are_needed", session_state.session().page_is_new
        is_wrong = self._has_draft or (self.reading is not None and bool(self.reading.problem))
        if (is_page_new and is_wrong) or (needs_data and (is_page_new or not st.session_state.get(needed))):
            st.session_state[box_key(self.slot)] = True
        st.session_state[needed] = needs_data

    def _draw_inputs(self) -> None:
        places = cycle(st.columns(2) if self.is_combined else [st.container()])
        files = {} if self.held is None else self.held.files.files
        for source, place in zip(self.inputs, places, strict=False):
            name, help_text = f"{self.slot}_{source.name}", f"{source.help} {DATA_STAY}".strip()
            if isinstance(source, FileInput):
                key = widgets.field_key(name)
                more = {"key": key, "help": help_text, "on_change": self._take_file, "args": (source, key)}
                place.file_uploader(source.label, source.types, **more)
                if source.name in files:
                    label = f"Remove {widgets.literal(excerpt(files[source.name][0]))}"
                    more = {"on_click": self._remove_file, "args": (source,), "type": "tertiary"}
                    place.button(label, key=f"{name}_remove", icon=":material/close:", **more)
                continue
            arguments = {"key": name, "on_change": self._take_text, "args": (source,)}
            if source.text_in_use is not None:
                text = self._unused_text(source) or source.text_in_use()
                arguments = widgets.mirror_value(name, text, partial(self._take_text, source))
            place.text_area(source.label, height=120, help=help_text, placeholder=source.placeholder, **arguments)

    def _draw_reading(self) -> None:
        """Draw the fields for the choices on how to read the data, and how they were read."""
        if self.held is None or self.reading is None or self.is_set_aside:
            return
        places = cycle(st.columns(3) if self.is_combined else [st.container()])
        for choice, place in zip(self.fields(self.held.files), places, strict=False):
            widgets.choice_field(place, f"{self.slot}_{choice.name}", choice, self._choose)
        if self.reading.notes:
            st.text("\n".join(self.reading.notes))
        if self.draw_next is not None:
            self.draw_next(self.reading.content)
        elif not self.reading.problem:
            st.html(f'<a class="dp-to-answer" href="#answer">Go to the answer for {these(self.noun)}</a>')

    def _draw_inclusion(self) -> None:
        reading = self.reading
        if self.is_in_link or (reading is not None and (reading.link_text or reading.unlinkable)):
            self.draw_inclusion(self.is_in_link, self._set_included, "" if reading is None else reading.unlinkable)
        elif self.has_content:
            st.text(storage_text(self.noun, self.is_stored))

    def _unused_text(self, source: TextInput) -> str:
        """Return the text of a field that is not read yet, or that can't be used while earlier data are."""
        held = self.held
        if held is None or (held.is_read and held.reading is not None and not held.reading.problem):
            return ""
        return held.files.files.get(source.name, ("", b""))[1].decode()

    def _take_file(self, source: FileInput, key: str) -> None:
        """Take a file out of its field, which a new and empty one replaces.

        An uploader that Streamlit draws again may have lost its file, and sends that with whatever the user does next.
        """
        file, name = st.session_state[key], f"{self.slot}_{source.name}"
        if file is not None and key == widgets.field_key(name):
            widgets.empty_uploader(name)
            self._take(source.name, (file.name, file.getvalue()), source.resets)

    def _remove_file(self, source: FileInput) -> None:
        """Remove one of several files, or all data with the only one; one that can't be used leaves those before."""
        if self._has_draft and text_of(self.choice) != OWN:
            session_state.uploads().pop(self.slot, None)
            session_state.drafts(self.choice.key if self.choice else "").clear()
        elif self.is_combined and self.held is not None and len(self.held.files.files) > 1:
            self._take(source.name, None, source.resets)
        else:
            self.forget()

    def _take_text(self, source: TextInput, typed: str | None = None) -> None:
        text = st.session_state[f"{self.slot}_{source.name}"] if typed is None else typed
        if text.strip():
            self._take(source.name, (source.subject, text.encode("utf-8", "replace")))
        elif typed is not None:
            self.forget()

    def _take(self, source: str, file: tuple[str, bytes] | None, resets: Iterable[str] | None = None) -> None:
        """Take a new file or text, whose kind is recognized anew, and whose conditions are asked for anew."""
        if not session_state.session().is_new:  # where the browser sends the text of a lost session again
            widgets.reset_parameters(*self.conditions)
        before = self.held.files if self.held is not None and self.is_combined else DataFiles(choices=self.choices)
        resets = self.choices if resets is None else resets
        for name in resets:
            widgets.replace_field(f"{self.slot}_{name}")  # a choice that was made for another file is not followed
        others = {name: other for name, other in before.files.items() if name != source}
        files = others if file is None else {**others, source: file}
        defaults = {name: self.choices[name] for name in resets}
        self._set_files(DataFiles(files, {**before.choices, **defaults}, before.memory))

    def _accept_offer(self, offer: Offer) -> None:
        for key, text in offer.texts.items():
            session_state.set_text(key, text)
        if offer.choices:
            self._choose(offer.choices)

    def _choose(self, choices: Mapping[str, Any]) -> None:
        if self.held is not None:
            self._set_files(replace(self.held.files, choices={**self.held.files.choices, **choices}))

    def _set_files(self, files: DataFiles) -> None:
        """Set files that are read when the page draws them; until then the data before stay: one step back."""
        self.on_change()
        self.hold(replace(self.held or Held(files), files=files, is_read=False))

    def _read_new_files(self) -> None:
        if self.held is None or self.held.is_read:
            return
        place = st.empty()
        reading = self._read(self.held.files, lambda share: place.progress(share, f"Reading the {self.noun}"))
        place.empty()
        self._hold_reading(self.held.files, reading)
        # Of two runs, Streamlit sends a browser only the second. If the fields below were set to new values in the
        # first run, the browser would keep what they showed for the previous file and send it as a choice for this one.
        st.rerun()

    def _read(self, files: DataFiles, progress: Callable[[float], object] = _nothing) -> ReadData[T]:
        """Return what a worker reads of files, or why it can't read them."""
        try:
            return render_jobs.read_file(partial(self.read, files), progress)
        except ValueError as error:
            problem = unreadable_text(" and ".join(name for name, _ in files.files.values()), error)
            return ReadData(self.refused(problem), problem, memory=files.memory)

    def _hold_reading(self, files: DataFiles, reading: ReadData[T]) -> None:
        """Hold what was read, and choose it; where it can't be used, data that are edited stay as they were."""
        files, last = replace(files, memory=reading.memory), self.reading
        drafts: session_state.Drafts = {} if self.choice is None else session_state.drafts(self.choice.key)
        drafts.clear()
        if self.is_edited and reading.problem:
            is_used = self.has_content
            is_used |= self.choice is not None and text_of(self.choice) not in (self.choice.default, OWN)
            problem = f"{reading.problem.removesuffix(NOTHING_DRAWN).strip()} "
            problem += f"{'The last good' if is_used else 'No'} {self.noun} are used instead."
            drafts[0] = {self.slot: ("", problem)}
            last_texts = {} if last is None else {"content": last.content, "link_text": last.link_text}
            self.hold(Held(files, replace(reading, problem=problem, **last_texts), True, self.is_stored))
            return
        self.hold(Held(files, reading, True, tab_copies.store(self.slot, reading.copy or files)))
        self.clear_link(bool)
        if self.choice is not None:
            session_state.set_text(self.choice.key, OWN)

    def _set_included(self, is_included: bool) -> None:
        """Put the data into the link, or take them out of it; those that came with the link stay in the session."""
        text = text_of(self.linked)
        if self.linked is not None and is_included and self.reading is not None:
            session_state.set_text(self.linked.key, self.reading.link_text)
        elif self.is_in_link and not is_included:
            if self.reading is None or self.reading.link_text != text:
                files = DataFiles({LINKED: (f"The {self.noun} of the link", text.encode())}, self.choices)
                self._hold_reading(files, self._read(files))
            self.clear_link(lambda other: other == text)
            if self.choice is not None:
                session_state.set_text(self.choice.key, OWN)
