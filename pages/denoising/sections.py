"""The sections of the page, and its answer."""

from pages.denoising.counts import exhibits as counts_exhibits
from pages.denoising.estimator_risk import exhibits as where_exhibits
from pages.denoising.map import exhibits as map_exhibits
from pages.denoising.means import exhibits as means_exhibits
from pages.denoising.parameters import SECTION
from pages.denoising.results import DenoisingResult
from pages.denoising.variance import exhibits as variance_exhibits
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
