"""The section "Published": published guarantees as printed and by the conversions of today."""

from collections.abc import Iterator, Sequence

from pages.composition.parameters import AT_DELTA
from pages.composition.published import code, exhibits, results, text
from pages.composition.published.explanation import explanation_text
from pages.composition.results import CompositionResult
from pages.framework.export.exhibit import Colours
from pages.framework.layout.section import Claim, Field, Part, Section
from pages.framework.parameters.parameter import Parameter
from pages.shared.shared_parameters import DELTA, EPSILON

_WHY_UNPROVED = (
    "Each published guarantee has its own: by its formula, by RDP, certified, or, for shuffled batches, without "
    "amplification, as the table says."
)


def controls(result: CompositionResult) -> Sequence[Field | Parameter]:
    """Return the parameters that change the lead picture."""
    at = Field(AT_DELTA, "δ of the guarantees")
    return (EPSILON, at) if results.uses_own_deltas(result) else (EPSILON, at, DELTA)


def parts(result: CompositionResult, colours: Colours) -> Iterator[Part]:
    """Yield the guarantees in a chart and a table, and how to read them."""
    yield exhibits.guarantees_chart(result, colours)
    yield text.uncovered_text(result)
    yield exhibits.guarantees_table(result, colours)
    yield text.READING_TEXT


SECTION = Section[CompositionResult](
    controls=controls,
    parts=parts,
    key="published",
    name="Published",
    answer_text=text.answer_text,
    explanation=explanation_text,
    exhibits=(exhibits.guarantees_chart, exhibits.guarantees_table),
    claims=lambda _: (Claim("The ε of the answer", reason=_WHY_UNPROVED),),
    snippets=code.snippets,
)
