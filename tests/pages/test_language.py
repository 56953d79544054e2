"""The answers of the pages: two short sentences, the first of them with a number.

The settings are the first of those that `tests/benchmarks/text_collection.py` collects for reading.
"""

import re
from functools import cache
from typing import Any

import pytest

from pages.framework.layout.page import Page, load_page
from pages.framework.layout.section import Section
from pages.framework.parameters.number_format import escape_markdown
from pages.shared.site_map import PAGES
from tests import programs
from tests.benchmarks import text_collection

MAX_WORDS, MAX_PIN_WORDS = (20, 30), 36
N_COMPUTED = 4
"""How many settings of each section are computed."""
_END = re.compile(r"(?<=[.?!])(?:\*\*)?\s+(?=[\"“*✗⚠±A-ZÀ-Ö0-9])")
_SECTIONS: dict[str, tuple[Page[Any], Section[Any]]] = {
    f"{entry.topic or 'start'}-{key}": (load_page(entry), section)
    for entry in PAGES
    for section in load_page(entry).sections
    for key in (section.key, *section.former)
}


def words_of(sentence: str) -> list[str]:
    return [word for word in sentence.split() if any(letter.isalnum() for letter in word)]


@cache
def results_of(name: str) -> list[tuple[str, Any]]:
    """Return the results of a section at its defaults and at the settings of its programs and pictures,
    with their links.
    """
    page, section = _SECTIONS[name]
    topic = page.entry.topic or "start"
    links = text_collection.links_of(topic, page, name.partition("-")[2], n_random=0)[:N_COMPUTED]
    pairs = ((str(link), programs.found_by(page, {key: [text] for key, text in link.items()})[0]) for link in links)
    return [(link, result) for link, result in pairs if page.open_section(result).key == section.key]


def _without_conditions(sentence: str, curve: str) -> str:
    """Return a sentence of an answer without its conditions at the end, and without the name of a curve."""
    return re.split("[,;] if ", sentence.replace(curve, "name"))[0]


@pytest.mark.parametrize("name", _SECTIONS)
def test_an_answer_has_at_most_two_sentences_of_20_and_30_words(name):
    _, section = _SECTIONS[name]
    for link, result in results_of(name):
        parts = section.answer_text(result)
        answer = [part for part in parts if not part.startswith(("Compared with the pin", "Pinned"))]
        curve = escape_markdown(getattr(getattr(result, "chosen_row", None), "name", "") or "–")
        sentences = [sentence for part in answer for sentence in _END.split(_without_conditions(part, curve))]
        assert len(sentences) <= 2, (link, answer)
        for sentence, most in zip(sentences, MAX_WORDS, strict=False):
            assert len(words_of(sentence)) <= most, (link, sentence)
        assert all(len(words_of(part)) <= MAX_PIN_WORDS for part in parts[len(answer) :]), (link, parts)


@pytest.mark.parametrize("name", sorted(_SECTIONS.keys() - {"report-report", "start-pages"}))
def test_the_answer_at_the_defaults_begins_with_a_number(name):
    (_, section), (_, result) = _SECTIONS[name], results_of(name)[0]
    assert re.search(r"\d", section.answer_text(result)[0])
