"""The start page: an answer to begin with, questions, demonstrations, published promises, and the glossary."""

from collections.abc import Iterator

from pages.framework.export.exhibit import Colours
from pages.framework.layout.section import Cards, Part, Row, Section
from pages.framework.parameters.kinds import Values
from pages.framework.site import site
from pages.gaussian_bounds import text
from pages.gaussian_bounds.exhibits import rows_of
from pages.shared import site_map
from pages.shared.shared_parameters import DELTA, EPSILON, L2_SENSITIVITY, SIGNIFICANCE, SharedSetting, read_setting
from pages.start import cards, classroom, glossary, presets
from pages.start.links import Link, shared


def compute_result(values: Values) -> SharedSetting:
    """The shared parameters, of which the answer speaks."""
    return read_setting(SharedSetting, values)


def answer(setting: SharedSetting) -> tuple[str, ...]:
    """How much noise the shared parameters ask for, and what to do with them."""
    return (
        text.answer(rows_of(setting), setting)[0],
        "Under “Questions” the pictures follow ε, δ and the sensitivity, and each opens its page at your setting.",
    )


def _pages(setting: SharedSetting, colour: Colours) -> Iterator[Part]:
    yield Cards([*(card(setting, colour) for card in cards.ALL), classroom.short()])
    yield Row((pages(setting), presets.settings()))


def pages(setting: SharedSetting) -> str:
    """Every page with its question, in Markdown, each a link at this setting."""
    listed = [f"{Link(each, each.name, shared(setting)).markdown}. {each.about}" for each in site_map.PAGES[1:]]
    return "\n\n".join(("## The pages", *listed))


def _class(_: SharedSetting, __: Colours) -> Iterator[Part]:
    yield classroom.READING
    yield from (classroom.full(each) for each in site().demonstrations)


def _presets(_: SharedSetting, __: Colours) -> Iterator[Part]:
    yield presets.READING


def _glossary(_: SharedSetting, __: Colours) -> Iterator[Part]:
    yield "\n\n".join(f"**{term}**: {meaning}" for term, meaning in glossary.TERMS.items())


SECTIONS = {
    "pages": Section[SharedSetting](lambda _: (EPSILON, DELTA, L2_SENSITIVITY, SIGNIFICANCE), _pages),
    "class": Section[SharedSetting](lambda _: (), _class),
    "presets": Section[SharedSetting](lambda _: (), _presets),
    "glossary": Section[SharedSetting](lambda _: (), _glossary),
}
