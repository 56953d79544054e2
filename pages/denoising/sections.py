"""The sections of the page, and its answer."""

from pages.denoising import counts_exhibits, map_exhibits, means_exhibits, variance_exhibits, where_exhibits
from pages.denoising.found import DenoisingResult
from pages.denoising.parameters import SECTION
from pages.framework.layout.section import Section

_PARTS = {
    "counts": counts_exhibits,
    "where": where_exhibits,
    "map": map_exhibits,
    "variance": variance_exhibits,
    "means": means_exhibits,
}


def answer(result: DenoisingResult) -> tuple[str, ...]:
    """The answer of the open section and, beside a kept setting, what has changed."""
    return _PARTS[result.values.get("section", SECTION.default)].answer(result)


def explanation(result: DenoisingResult) -> str:
    """How what the open section shows is computed."""
    return _PARTS[result.values.get("section", SECTION.default)].explanation(result)


SECTIONS = {key: Section[DenoisingResult](each.strip, each.parts) for key, each in _PARTS.items()}
