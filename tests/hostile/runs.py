"""Compute a page from a link without Streamlit, and check it."""

import ast
import re
from collections.abc import Iterator
from io import BytesIO
from typing import Any
from urllib.parse import parse_qs, urlsplit
from zipfile import ZipFile

from pages.framework import link as links
from pages.framework.export.exhibit import Exhibit
from pages.framework.export.exhibit_files import csv_text
from pages.framework.layout import markup
from pages.framework.layout import panels as layout_panels
from pages.framework.layout.page import Page
from pages.framework.layout.page_run import PageState
from pages.framework.layout.section import exhibits_in
from pages.framework.parameters.kinds import FreeText
from pages.framework.parameters.parameter import Reading
from pages.framework.rendering import stage
from pages.framework.rendering.render import stage_of_page
from pages.framework.rendering.uploaded_files import UploadedFiles
from pages.shared import looks
from tests.hostile import holds
from tests.hostile.links import Link

_ADDRESS = "https://dp.example/app"
_UNKEPT = "a"  # a name for what is made, so that it is not kept for the next run


def page_state_of(topic: Page[Any], link: Link, files: tuple[Any, ...] = ()) -> tuple[PageState[Any], list[str]]:
    """Return a page at a link, and the sentences on unusable values of the link."""
    entered, problems = links.parse_link(link, topic.all_parameters)
    readings = topic.readings(entered)
    state = PageState(topic, readings, "light", UploadedFiles(_UNKEPT, files))
    return state, problems + [reading.problem for reading in readings.values() if reading.problem]


def wrong(topic: Page[Any], link: Link, files: tuple[Any, ...] = (), saved: bool = True) -> list[str]:
    """Return the problems of a page at a link and of its saved files."""
    state, sentences = page_state_of(topic, link, files)
    faults = [fault for sentence in sentences for fault in holds.wrong_in_words(_ours(sentence))]
    faults += [f"unsaid: {fault}" for fault in holds.unsaid(link, state.page.all_parameters, state.readings, sentences)]
    faults += _read_again(state)
    faults += [
        fault
        for fault in holds.wrong_in_stage(stage.unpack(stage_of_page(state)))
        if fault[:9] != "no number" or not _names_no_number(state)
    ]
    if saved:
        subjects = [f"{claim.subject} {claim.reason}" for claim in state.page.claims_of(state.result)]
        faults += [fault for subject in subjects for fault in holds.wrong_in_markup(markup.html(subject))]
    if saved:
        faults += [fault for exhibit in exhibits(state) for fault in holds.wrong_in_csv(csv_text(exhibit, state.link))]
    return faults


def wrong_beside(topic: Page[Any], link: Link) -> list[str]:
    """Return the problems of the outputs on request: the buttons' content and the files of a report."""
    result = page_state_of(topic, link)[0].result
    panels = layout_panels.proofs_html(topic.claims_of(result)), layout_panels.code_html(topic.snippets_of(result))
    wrong = [fault for panel in panels for fault in holds.wrong_in_marks(panel)]
    for snippet in topic.snippets_of(result):
        ast.parse(snippet.code)
        wrong += [f"{snippet.library} has what was sent in {snippet.code!r}"] if "evil" in snippet.code else []
    contents = {name: file(result, _ADDRESS, {}) for name, file in topic.files.items()}
    if "report.html" in contents:
        wrong += holds.wrong_in_document(contents["report.html"].decode(), _ADDRESS)
    if "report.zip" in contents:
        with ZipFile(BytesIO(contents["report.zip"])) as files:
            wrong += [f"a file named {name!r}" for name in files.namelist() if not re.fullmatch(r"[\w-]+\.\w+", name)]
            saved = [files.read(name).decode() for name in files.namelist() if name.endswith(".csv")]
        wrong += [
            problem
            for text in saved
            for problem in holds.wrong_in_csv(text.replace(f"# link: {_ADDRESS}/", "# link: /"))
        ]
    return wrong


def _ours(sentence: str) -> str:
    """Return a sentence on a link without the repeated input."""
    return sentence.split(";")[0] if " was given" in sentence else ""


def _names_no_number(state: PageState[Any]) -> bool:
    """Return whether a title or note by the user looks like NaN or infinity."""
    free_texts = [parameter.key for parameter in state.page.all_parameters if isinstance(parameter, FreeText)]
    return any(problem for key in free_texts for problem in holds.wrong_in_words(state.readings[key].used))


def _read_again(state: PageState[Any]) -> list[str]:
    """Return the differences between the page and the page at its own link."""
    link = parse_qs(urlsplit(state.link).query, keep_blank_values=True)
    again, sentences = page_state_of(state.page, link, state.uploads.files)
    problems = [f"its own link is refused: {sentence}" for sentence in sentences]
    if _used(again.readings) != _used(state.readings):
        problems.append(f"its own link is read otherwise: {again.link} instead of {state.link}")
    return problems


def _used(readings: dict[str, Reading]) -> dict[str, str]:
    return {key: reading.used for key, reading in readings.items()}


def exhibits(state: PageState[Any]) -> Iterator[Exhibit]:
    """Return the charts and tables of the open section."""
    return exhibits_in(state.page.section_by_key[state.section].parts(state.result, looks.COLOURS["light"]))
