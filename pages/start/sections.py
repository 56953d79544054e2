"""The start page: an answer to begin with, settings to start from, and the glossary."""

from collections.abc import Iterator

from pages.gaussian_bounds import words
from pages.gaussian_bounds.exhibits import rows_of
from pages.shared.common import DELTA, EPSILON, L2_SENSITIVITY, SIGNIFICANCE, Setting, setting
from pages.shared.contents import GAUSSIAN_BOUNDS, TABLES
from pages.shared.export import Colours
from pages.shared.parameters import Values
from pages.shared.sections import Part, Section
from pages.start import glossary

PRESETS = (
    (
        "A first look",
        GAUSSIAN_BOUNDS,
        {"epsilon": "1", "delta": "1e-6"},
        "ε = 1 and δ one in a million, for one count.",
    ),
    (
        "Where the classical formula breaks",
        GAUSSIAN_BOUNDS,
        {"epsilon": "10", "delta": "1e-5"},
        "Outside its proof (ε < 1) it asks for too little noise: its true δ is more than twice the target.",
    ),
    (
        "Liu's experiments",
        TABLES,
        {"epsilon": "0.5", "delta": "0.01", "section": "paper"},
        "Liu 2019, §4, on tables of counts, at its strictest setting. Its δ is meant as probabilistic DP.",
    ),
    (
        "Almost no privacy loss",
        GAUSSIAN_BOUNDS,
        {"epsilon": "0", "delta": "1e-3"},
        "At ε = 0 only the analytic Gaussian has an answer (Balle & Wang 2018, Theorem 2).",
    ),
)
PRESET = {"l2_sensitivity": "1", "significance": "0.05"}


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


def _glossary(_: Setting, __: Colours) -> Iterator[Part]:
    yield "\n\n".join(f"**{term}**: {meaning}" for term, meaning in glossary.TERMS.items())


SECTIONS = {
    "pages": Section[Setting](lambda _: (EPSILON, DELTA, L2_SENSITIVITY, SIGNIFICANCE), _pages),
    "glossary": Section[Setting](lambda _: (), _glossary),
}
