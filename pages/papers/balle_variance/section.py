"""The section on Experiment 5.1."""

from collections.abc import Iterator

from pages.framework.export.exhibit import Colours
from pages.framework.layout.section import Field, Fields, Part, Section
from pages.papers.balle_variance import claims, code, exhibits, results, text
from pages.papers.balle_variance.explanation import explanation_text
from pages.papers.balle_variance.parameters import VARIANCE_AGAINST, VARIANCE_DELTAS, VARIANCE_EPSILONS
from pages.papers.results import PapersResult
from pages.shared.shared_parameters import DELTA, EPSILON


def parts(result: PapersResult, colours: Colours) -> Iterator[Part]:
    """Yield the ratio along ε or δ, what of the paper's claims is true, and the ratios in numbers."""
    yield exhibits.ratios(result, colours)
    yield Fields((_other_curves(result),))
    yield text.paper_claims_text(result)
    yield exhibits.ratio_table(result, colours)
    yield text.READING_TEXT


def _other_curves(result: PapersResult) -> Field:
    """Return the field of the δ, or ε, of the curves beside the page's own."""
    if results.curve_axis(result) == "epsilon":
        return Field(VARIANCE_DELTAS, "δ of the other curves", "At most four; the δ of the page is always drawn too.")
    return Field(VARIANCE_EPSILONS, "ε of the other curves", "At most four; the ε of the page is always drawn too.")


SECTION = Section[PapersResult](
    controls=lambda _: (EPSILON, DELTA, Field(VARIANCE_AGAINST, "Horizontal axis")),
    parts=parts,
    key="variance",
    name="Balle & Wang 5.1: variance",
    answer_text=text.answer_text,
    explanation=explanation_text,
    exhibits=(exhibits.ratios, exhibits.ratio_table),
    claims=claims.claims,
    snippets=code.snippets,
)
