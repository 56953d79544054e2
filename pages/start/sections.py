"""The start page: an answer to begin with, questions, demonstrations, published promises, and the glossary."""

from collections.abc import Iterator

from pages.framework.export.exhibit import Colours
from pages.framework.layout.section import Cards, Part, Row, Section
from pages.framework.parameters.kinds import Values
from pages.framework.site import site
from pages.gaussian_bounds import words
from pages.gaussian_bounds.exhibits import rows_of
from pages.shared import site_map
from pages.shared.shared_parameters import DELTA, EPSILON, L2_SENSITIVITY, SIGNIFICANCE, Setting, read_setting
from pages.start import cards, classroom, glossary, presets
from pages.start.links import Link, shared


def found(values: Values) -> Setting:
    """The shared parameters, of which the answer speaks."""
    return read_setting(Setting, values)


def answer(now: Setting) -> tuple[str, ...]:
    """How much noise the shared parameters ask for, and what to do with them."""
    return (
        words.answer(rows_of(now), now)[0],
        "Under “Questions” the pictures follow ε, δ and the sensitivity, and each opens its page at your setting.",
    )


def _pages(now: Setting, colour: Colours) -> Iterator[Part]:
    yield Cards([*(card(now, colour) for card in cards.ALL), classroom.short()])
    yield Row((pages(now), presets.settings()))


def pages(now: Setting) -> str:
    """Every page with its question, in Markdown, each a link at this setting."""
    listed = [f"{Link(each, each.name, shared(now)).markdown}. {each.about}" for each in site_map.PAGES[1:]]
    return "\n\n".join(("## The pages", *listed))


def _class(_: Setting, __: Colours) -> Iterator[Part]:
    yield classroom.READING
    yield from (classroom.full(each) for each in site().demonstrations)


def _presets(_: Setting, __: Colours) -> Iterator[Part]:
    yield presets.READING


def _glossary(_: Setting, __: Colours) -> Iterator[Part]:
    yield "\n\n".join(f"**{term}**: {meaning}" for term, meaning in glossary.TERMS.items())


SECTIONS = {
    "pages": Section[Setting](lambda _: (EPSILON, DELTA, L2_SENSITIVITY, SIGNIFICANCE), _pages),
    "class": Section[Setting](lambda _: (), _class),
    "presets": Section[Setting](lambda _: (), _presets),
    "glossary": Section[Setting](lambda _: (), _glossary),
}
