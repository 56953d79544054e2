"""The language of the pages: answers of two short sentences, and the terms of the field on every screen.

The texts are those that `tests/benchmarks/text_collection.py` collects for reading, at fewer settings, and the literal
texts of the modules of `pages`, among them those of dialogs and uploads.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from pages.framework.layout.page import Page, load_page
from pages.framework.layout.section import Section
from pages.framework.parameters.number_format import escape_markdown
from pages.shared.site_map import PAGES
from tests import programs
from tests.benchmarks import text_collection

PAGES_FOLDER = Path(__file__).parents[2] / "pages"
MAX_WORDS, MAX_PIN_WORDS = (20, 30), 36
N_COMPUTED, N_RENDERED = 4, 2
"""How many settings of each section are computed, and how many of these are rendered with all their texts."""
FORBIDDEN = re.compile(
    r"told (apart|from)|apart by|\bask(s|ed)? for\b|reckon|takes? for granted|\bflatters\b|promis|\bsurer\b|"
    r"how sure\b|false alarm|adding up|betray|\bspeaks? of\b|says too much|who wins|\bwins\b|taken off again|"
    r"needs the least|grey print|white ground|but with probability δ|in place of it|\bnothing of it\b|"
    r"\b(keeps?|kept) (pure|probabilistic|its? guarantee|the guarantee|that δ|the budget|\(?ε)|Pure ε kept",
    re.IGNORECASE,
)
"""Inverted, idiomatic or private words for what the field has terms for."""
ANSWER_FORBIDDEN = re.compile(r"\b(asked|asks|caught|keeps|told)\b")
"""Words that stand for a term of the field in an answer, though not on every screen."""
_END = re.compile(r"(?<=[.?!])(?:\*\*)?\s+(?=[\"“*✗⚠±A-ZÀ-Ö0-9])")
_CODE = re.compile(r"\]\([^)]*\)|\bPromise\.|new Promise\(|\)\.promise|\bpromise=")
"""What no screen shows: the addresses of links, JavaScript, and the names of arguments and CSS classes."""
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


def literal_texts(module: Path) -> Iterator[tuple[int, str]]:
    """Yield the line and the text of each literal with a space; docstrings are not shown on any screen."""
    nodes = [*ast.walk(ast.parse(module.read_text(encoding="utf-8")))]
    documented = (ast.Module, ast.FunctionDef, ast.ClassDef)
    expressions = (node.body[0] for node in nodes if isinstance(node, documented) and node.body)
    docstrings = {id(node.value) for node in expressions if isinstance(node, ast.Expr)}
    for node in nodes:
        if not (isinstance(node, ast.Constant) and isinstance(node.value, str)):
            continue
        if " " in node.value and id(node) not in docstrings:
            yield node.lineno, node.value


def _without_conditions(sentence: str, curve: str) -> str:
    """Return a sentence of an answer without its conditions at the end, and without the name of a curve."""
    return sentence.replace(curve, "name").partition(", if ")[0]


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
            assert not ANSWER_FORBIDDEN.search(sentence), (link, sentence)
        assert all(len(words_of(part)) <= MAX_PIN_WORDS for part in parts[len(answer) :]), (link, parts)


@pytest.mark.parametrize("name", sorted(_SECTIONS.keys() - {"report-report", "start-pages"}))
def test_the_answer_at_the_defaults_begins_with_a_number(name):
    (_, section), (_, result) = _SECTIONS[name], results_of(name)[0]
    assert re.search(r"\d", section.answer_text(result)[0])


@pytest.mark.parametrize("name", _SECTIONS)
def test_every_text_of_a_section_is_in_plain_english(name):
    page, section = _SECTIONS[name]
    assert not FORBIDDEN.search(f"{page.entry.question} {section.name}")
    for link, result in results_of(name)[:N_RENDERED]:
        for kind, text in text_collection.texts(section, result):
            assert not FORBIDDEN.search(_CODE.sub("", text)), (link, kind, text)


def test_every_literal_text_of_the_pages_is_in_plain_english():
    wrong = [
        f"{module.relative_to(PAGES_FOLDER)}:{line}: {match[0]} in {text!r}"
        for module in PAGES_FOLDER.rglob("*.py")
        for line, text in literal_texts(module)
        if (match := FORBIDDEN.search(_CODE.sub("", text)))
    ]
    assert wrong == []


@pytest.mark.parametrize(
    ("text", "is_forbidden"),
    [
        ("Nothing can be told from an empty cell.", True),
        ("The noise keeps pure ε-DP.", True),
        ("The noise satisfies pure ε-DP and keeps counts whole.", False),
        ("Cells apart by commas", True),
        ("Ever flatter noise", False),
    ],
)
def test_the_forbidden_phrases_are_recognised(text, is_forbidden):
    assert bool(FORBIDDEN.search(text)) == is_forbidden
