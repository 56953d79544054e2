"""The start page: an answer to begin with, what published promises are today, and the glossary."""

from collections.abc import Iterator

from pages.gaussian_bounds import words
from pages.gaussian_bounds.exhibits import rows_of
from pages.shared.common import DELTA, EPSILON, L2_SENSITIVITY, SIGNIFICANCE, Setting, setting
from pages.shared.export import Colours
from pages.shared.parameters import Values
from pages.shared.sections import Part, Section
from pages.start import glossary, presets


def found(values: Values) -> Setting:
    """The shared parameters, of which the answer speaks."""
    return setting(Setting, values)


def answer(now: Setting) -> tuple[str, ...]:
    """How much noise the shared parameters ask for, and what to do with them."""
    return (
        words.answer(rows_of(now), now)[0],
        "Choose ε, δ and the sensitivity; they go with you from page to page. The address of a page holds every "
        "setting of it: copy it to share exactly what you see.",
    )


def _pages(_: Setting, __: Colours) -> Iterator[Part]:
    return iter(())


def _presets(_: Setting, __: Colours) -> Iterator[Part]:
    yield presets.READING


def _glossary(_: Setting, __: Colours) -> Iterator[Part]:
    yield "\n\n".join(f"**{term}**: {meaning}" for term, meaning in glossary.TERMS.items())


SECTIONS = {
    "pages": Section[Setting](lambda _: (EPSILON, DELTA, L2_SENSITIVITY, SIGNIFICANCE), _pages),
    "presets": Section[Setting](lambda _: (), _presets),
    "glossary": Section[Setting](lambda _: (), _glossary),
}
