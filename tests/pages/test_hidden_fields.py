"""A parameter without a field changes no word of a page that recommends: what is read follows from what can be set."""

import re
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import pytest

from pages.framework.export.exhibit import Exhibit
from pages.framework.layout.section import Field, Fields, Fold, Row
from pages.shared.looks import COLOURS
from tests.pages.conftest import found_by, topic_named
from tests.pages.settings import setting

Link = dict[str, str]
TOPICS = ("accuracy", "tables", "clipping", "denoising")
WITHOUT_FIELD = {"section", "pinned"}  # tabs, and the button of a comparison
N_SETTINGS = 4


def flat(items: Iterable[Any]) -> Iterator[Any]:
    """Yield what a section shows, without the rows in which it stands."""
    for item in items:
        inner = item.parts if isinstance(item, Row | Fold) else item.fields if isinstance(item, Fields) else None
        yield from (item,) if inner is None else flat(inner)


def is_field(item: Any) -> bool:
    return isinstance(item, Field) or hasattr(item, "key")


def key_of(item: Any) -> str:
    return item.parameter.key if isinstance(item, Field) else item.key


def seen(topic: str, link: Link) -> tuple[set[str], list[str]]:
    """Return the keys of all fields, and the words of the page without the addresses of its links."""
    page, result = topic_named(topic), found_by(topic, **link)
    section, conditions = page.open_section(result), page.conditions_of(result)
    items = [*section.all_controls(result), *section.parts(result, COLOURS["light"])]
    questions = () if conditions is None else conditions.questions
    asked = () if conditions is None else (item.parameter for item in conditions.items)
    keys = {key_of(field) for field in flat((*items, *questions, *asked)) if is_field(field)}
    exhibits = [item.alternative for item in flat(items) if isinstance(item, Exhibit)]
    words = [*page.answer_text(result), page.explanation_text(result), *exhibits]
    words += [item for item in flat(items) if isinstance(item, str)]
    return keys, [re.sub(r"\]\([^)]*\)", "]", text) for text in words]


def links_of(topic: str) -> Iterator[Link]:
    """Yield the default and some random settings of every section."""
    for number, section in enumerate(topic_named(topic).keys_of_links):
        yield {"section": section}
        for place in range(N_SETTINGS):
            yield setting(topic, np.random.default_rng([place, number])) | {"section": section}


@pytest.mark.parametrize("topic", TOPICS)
def test_a_parameter_without_a_field_changes_no_word(topic):
    """At the default of each section for each parameter alone, at random settings for all of them together."""
    for place, link in enumerate(links_of(topic)):
        keys, words = seen(topic, link)
        other = setting(topic, np.random.default_rng([99, place]))
        hidden = {key: other[key] for key in other.keys() - keys - WITHOUT_FIELD}
        for changed in [{key: text} for key, text in hidden.items()] if len(link) == 1 else [hidden]:
            assert seen(topic, link | changed)[1] == words, (changed, link)
