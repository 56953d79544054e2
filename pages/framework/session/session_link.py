"""The link of a page in the session: which texts of the parameters a run of the page uses.

The session stores the text of every parameter under "entered", whichever page is open. A text that cannot be used stays
there, while the last usable one, under "used", is computed with. Widgets only mirror these texts.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qs

import streamlit as st

from pages.framework import link
from pages.framework.layout.page import Page
from pages.framework.link import APPEARANCE_KEYS, COMMON_PARAMETERS, SEQUENCE
from pages.framework.parameters import kinds
from pages.framework.parameters.kinds import Pin
from pages.framework.parameters.list_parameter import Listing, with_number
from pages.framework.parameters.parameter import Parameter, Reading
from pages.framework.session import session_state
from pages.framework.site import site

MAX_TYPED, MAX_LINK_LENGTH = 10_000, 50_000  # characters
_WITHDRAWN = "A condition that you confirmed has changed with the setting: confirm it again."
SITE_WIDE = {parameter.key for parameter in COMMON_PARAMETERS} | site().travelling  # the others belong to one page


def read_parameters(page: Page[Any]) -> dict[str, Reading]:
    """Return the reading of every parameter of a page, by key.

    They come from the link at a session's first run, at a change of page and if the browser went back to another link,
    and otherwise from the session; an edit has priority over the link that came with it. Each text is read once a run;
    one that cannot be used, alone or together with others, is replaced before anything is computed or written. The
    problems of the link are displayed until a field is edited. A section has the answers on its own subject alone.
    """
    own, parameters = page.own_parameters, page.all_parameters
    session = session_state.session()
    request = session.request
    new_keys: set[str] = set()
    if session.is_new or session.page_is_new:
        new_keys |= _store_link({key: st.query_params.get_all(key) for key in st.query_params}, parameters)
    is_outdated = session.page_is_new and not session.is_new
    if isinstance(request.get("link"), str) and not is_outdated:  # to which the browser went back
        if len(query := request["link"].removeprefix("?")) <= MAX_LINK_LENGTH:
            new_keys |= _store_link(parse_qs(query, keep_blank_values=True), parameters)
        else:
            problem = f"The link has more than {MAX_LINK_LENGTH:,} characters, so it is not read."
            session.link_problems[:] = [problem]
    known_keys = {parameter.key for parameter in parameters}
    edits = request["set"] if isinstance(request.get("set"), dict) else {}
    for key, entry in edits.items():
        if key in known_keys and isinstance(entry, str):
            cut_entry = f"{entry[:MAX_TYPED]}…"  # the ellipsis says that it was cut
            session_state.set_text(key, entry if len(entry) <= MAX_TYPED else cut_entry)
        elif isinstance(entry, str):
            for name, text in with_number(own, session.used, key, entry).items():
                session_state.set_text(name, text)
                _, place, field = key.split(".", 2)
                session_state.drafts(name).get(int(place), {}).pop(field, None)
    session.answered |= (new_keys | edits.keys()) & site().conditions.keys()
    session_state.change_subject(page.subjects, page.parameters_of_subject, new_keys | edits.keys())
    for pin in own:
        if isinstance(pin, Pin) and isinstance(request.get("pin"), bool):
            session_state.set_text(pin.key, pin.text(session.used) if request["pin"] else pin.default)
    for parameter in parameters:
        session.entered.setdefault(parameter.key, parameter.default)
    return _read_texts(page)


def _read_texts(page: Page[Any]) -> dict[str, Reading]:
    """Return the reading of every parameter at the texts of the session, and store what is used."""
    session, parameters = session_state.session(), page.all_parameters
    texts, used = session.entered, session.used
    readings = link.read_parameters(parameters, texts, used, page.correct)
    _store_shorter_sequence(readings)
    texts.update({key: reading.entry for key, reading in readings.items()})  # corrections may replace them
    new_used = {key: reading.used for key, reading in readings.items()}
    session_state.record_origins(new_used, (parameter for parameter in parameters if parameter.key in SITE_WIDE))
    used.update(new_used)
    session.readings = readings
    return readings


def without_outdated_answers(page: Page[Any], said: Mapping[str, str]) -> dict[str, Reading] | None:
    """Return the readings without the confirmations of other sentences than those that are `said`; None without such.

    `said` are the sentences of the confirmed conditions, by key; see `session_state.withdraw_answers`.
    """
    subject = page.subjects.get(session_state.session().used.get("section", ""), "")
    defaults = {parameter.key: parameter.default for parameter in page.own_parameters}
    if not session_state.withdraw_answers(said, subject, defaults):
        return None
    session_state.session().link_problems.append(_WITHDRAWN)
    return _read_texts(page)


def _store_shorter_sequence(readings: dict[str, Reading]) -> None:
    """Store the own sequence as the classroom has shortened it, for every page; what was left out is told once."""
    reading = readings[SEQUENCE.key]
    if reading.used == reading.entry.strip() or kinds.problem(SEQUENCE, reading.entry) is not None:
        return
    if reading.problem:
        session_state.session().link_problems[:] = [reading.problem]
    session_state.session().entered[SEQUENCE.key] = reading.used
    readings[SEQUENCE.key] = replace(reading, entry=reading.used, problem="")


def problems(parameters: tuple[Parameter, ...]) -> list[str]:
    """Return the sentences on all entered texts of this page that cannot be used; those on a list name the entry."""
    session = session_state.session()
    sentences = [reading.problem for reading in session.readings.values() if reading.problem]
    for parameter in parameters:
        for place, fields in session.drafts.get(parameter.key, {}).items():
            for _, sentence in fields.values():
                is_entry = isinstance(parameter, Listing)
                sentences.append(parameter.numbered_sentence(place + 1, sentence) if is_entry else sentence)
    return list(dict.fromkeys(sentences))  # two parameters that cannot be used together have the same sentence


def _store_link(query: Mapping[str, list[str]], parameters: tuple[Parameter, ...]) -> set[str]:
    """Store the texts of a link, except those that the session already uses: they may have been typed differently.

    Return the keys of the parameters that it has a text for.

    A demonstration, and one part of a page that is shown aside, leave no settings behind: those from before come back.
    """
    session = session_state.session()
    texts, problems = link.parse_link(link.with_demo_defaults(query, session.page or "", parameters), parameters)
    session.link_problems[:] = problems
    used = session.used
    before, after = link.leaves_no_settings(used), link.leaves_no_settings(texts)
    if after and not before:
        session_state.keep_texts()
    elif before and not after:
        session_state.restore_texts(SITE_WIDE, APPEARANCE_KEYS)
    session.entered.update({key: entry for key, entry in texts.items() if used.get(key) != entry})
    return {*texts}
