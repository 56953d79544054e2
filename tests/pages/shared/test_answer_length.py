"""The answers of Composition, Trade-off curves and the start page: two sentences of few words, and no jargon."""

from collections.abc import Iterator

import pytest

from pages.framework.layout.page import load_page
from pages.shared.site_map import COMPOSITION, START, TRADEOFF
from tests.pages import figure_checks
from tests.pages.conftest import found_by

MAX_WORDS = (20, 30)
_JARGON = ("promise", "reckon", "asked", "asks", "keeps", "caught", "false alarm", "told", "surer")


def settings() -> Iterator[tuple[str, str, dict[str, str]]]:
    """Yield each section at its defaults and at the settings of its picture checks."""
    for entry in (START, TRADEOFF, COMPOSITION):
        topic = entry.topic or "start"
        groups = figure_checks.tables_of(topic).SETTINGS.values() if topic in figure_checks.TOPICS else ()
        for section in load_page(entry).sections:
            links = [{}, *(dict(link) for group in groups for link in group)]
            for link in links:
                if link.get("section", section.key) == section.key and not {"pinned", "attack"} & link.keys():
                    yield topic, section.key, link | {"section": section.key}


SETTINGS = list({str(setting): setting for setting in settings()}.values())


def words_of(sentence: str) -> list[str]:
    return [word for word in sentence.split() if any(letter.isalnum() for letter in word)]


@pytest.mark.parametrize(
    ("topic", "section", "link"), SETTINGS, ids=[f"{item[0]}-{item[1]}-{i}" for i, item in enumerate(SETTINGS)]
)
def test_an_answer_has_two_sentences_of_few_words_in_the_terms_of_the_field(topic, section, link):
    page = load_page({"start": START, "tradeoff": TRADEOFF, "composition": COMPOSITION}[topic])
    sentences = page.answer_text(found_by(topic, **link))
    assert len(sentences) <= 2
    for sentence, most in zip(sentences, MAX_WORDS, strict=False):
        assert len(words_of(sentence)) <= most, sentence
        assert not any(word in sentence for word in _JARGON), sentence
