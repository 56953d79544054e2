"""The sections of the page, and its answer."""

from pages.composition import (
    accountants_exhibits,
    batching_exhibits,
    profile_exhibits,
    published_exhibits,
    together_exhibits,
    training_exhibits,
)
from pages.composition.found import CompositionResult
from pages.composition.parameters import SECTION
from pages.framework.layout.section import Section

_PARTS = {
    "together": together_exhibits,
    "accountants": accountants_exhibits,
    "profile": profile_exhibits,
    "training": training_exhibits,
    "batching": batching_exhibits,
    "published": published_exhibits,
}


def answer(result: CompositionResult) -> tuple[str, ...]:
    """The answer of the open section and, beside a kept setting, what has changed."""
    return _PARTS[result.values.get("section", SECTION.default)].answer(result)


def explanation(result: CompositionResult) -> str:
    """How what the open section shows is computed."""
    return _PARTS[result.values.get("section", SECTION.default)].explanation(result)


SECTIONS = {key: Section[CompositionResult](each.strip, each.parts) for key, each in _PARTS.items()}
