"""The sections of the page, and its answer."""

from pages.composition.accountants import exhibits as accountants_exhibits
from pages.composition.batch_sampling import exhibits as batching_exhibits
from pages.composition.dp_sgd import exhibits as training_exhibits
from pages.composition.parameters import SECTION
from pages.composition.privacy_profile import exhibits as profile_exhibits
from pages.composition.published import exhibits as published_exhibits
from pages.composition.results import CompositionResult
from pages.composition.total_epsilon import exhibits as together_exhibits
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
