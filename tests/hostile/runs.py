"""Compute a page from a link without Streamlit, and check it."""

import ast
import re
from collections.abc import Iterator
from io import BytesIO
from typing import Any
from urllib.parse import parse_qs, urlsplit
from zipfile import ZipFile

from pages.framework import link as links
from pages.framework.export.csv_file import csv_text
from pages.framework.export.exhibit import Exhibit
from pages.framework.layout import code_panel, markup, verify_panel
from pages.framework.layout.page import Page
from pages.framework.layout.page_run import PageState
from pages.framework.layout.section import exhibits_in
from pages.framework.parameters.kinds import FreeText
from pages.framework.parameters.parameter import Reading
from pages.framework.rendering import packing
from pages.framework.rendering.render import stage_of_page
from pages.framework.rendering.uploaded_files import UploadedFiles
from pages.shared import mechanism_colours
from tests.hostile import holds
from tests.hostile.links import Link

_ADDRESS = "https://dp.example/app"
_UNKEPT = "a"  # a name for what is made, so that it is not kept for the next run


def opened(topic: Page[Any], link: Link, held: tuple[Any, ...] = ()) -> tuple[PageState[Any], list[str]]:
    """Return a page at a link, and the sentences on unusable values of the link."""
    every = (*links.COMMON_PARAMETERS, *topic.own_parameters)
    entered, problems = links.parse_link(link, every)
    readings = links.read_parameters(every, entered, {}, topic.correct)
    made = PageState(topic, links.values(readings), readings, UploadedFiles(_UNKEPT, held), "light")
    return made, problems + [each.problem for each in readings.values() if each.problem]


def wrong(topic: Page[Any], link: Link, held: tuple[Any, ...] = (), saved: bool = True) -> list[str]:
    """Return the problems of a page at a link and of its saved files."""
    made, sentences = opened(topic, link, held)
    found = [each for sentence in sentences for each in holds.wrong_in_words(_ours(sentence))]
    found += [f"unsaid: {each}" for each in holds.unsaid(link, made.all_parameters, made.readings, sentences)]
    found += _read_again(made)
    found += [
        each
        for each in holds.wrong_in_stage(packing.unpack(stage_of_page(made.page_view)))
        if each[:9] != "no number" or not _names_no_number(made)
    ]
    if saved:
        subjects = [f"{each.subject} {each.reason}" for each in made.page.claims_of(made.result)]
        found += [each for subject in subjects for each in holds.wrong_in_markup(markup.html(subject))]
    if saved:
        found += [each for shown in exhibits(made) for each in holds.wrong_in_csv(csv_text(shown, made.link))]
    return found


def wrong_beside(topic: Page[Any], link: Link) -> list[str]:
    """Return the problems of the outputs on request: the buttons' content and the files of a report."""
    found = opened(topic, link)[0].result
    panels = verify_panel.panel(topic.claims_of(found)), code_panel.html(topic.snippets_of(found))
    wrong = [each for panel in panels for each in holds.wrong_in_marks(panel)]
    for each in topic.snippets_of(found):
        ast.parse(each.code)
        wrong += [f"{each.library} has what was sent in {each.code!r}"] if "evil" in each.code else []
    made = {name: file(found, _ADDRESS) for name, file in topic.files.items()}
    if "report.html" in made:
        wrong += holds.wrong_in_document(made["report.html"].decode(), _ADDRESS)
    if "report.zip" in made:
        with ZipFile(BytesIO(made["report.zip"])) as files:
            wrong += [f"a file named {name!r}" for name in files.namelist() if not re.fullmatch(r"[\w-]+\.\w+", name)]
            saved = [files.read(name).decode() for name in files.namelist() if name.endswith(".csv")]
        wrong += [
            each for text in saved for each in holds.wrong_in_csv(text.replace(f"# link: {_ADDRESS}/", "# link: /"))
        ]
    return wrong


def _ours(sentence: str) -> str:
    """Return a sentence on a link without the repeated input."""
    return sentence.split(";")[0] if " was given" in sentence else ""


def _names_no_number(made: PageState[Any]) -> bool:
    """Return whether a title or note by the user looks like NaN or infinity."""
    free_texts = [each.key for each in made.all_parameters if isinstance(each, FreeText)]
    return any(problem for key in free_texts for problem in holds.wrong_in_words(made.readings[key].used))


def _read_again(made: PageState[Any]) -> list[str]:
    """Return the differences between the page and the page at its own link."""
    link = parse_qs(urlsplit(made.link).query, keep_blank_values=True)
    again, sentences = opened(made.page, link, made.uploads.files)
    found = [f"its own link is refused: {each}" for each in sentences]
    if _used(again.readings) != _used(made.readings):
        found.append(f"its own link is read otherwise: {again.link} instead of {made.link}")
    return found


def _used(readings: dict[str, Reading]) -> dict[str, str]:
    return {key: each.used for key, each in readings.items()}


def exhibits(made: PageState[Any]) -> Iterator[Exhibit]:
    """Return the charts and tables of the open section."""
    return exhibits_in(made.page.section_by_key[made.section].parts(made.result, mechanism_colours.COLOURS["light"]))
