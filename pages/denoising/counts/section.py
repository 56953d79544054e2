"""The section on the user's own counts."""

from collections.abc import Iterator, Sequence

from pages.denoising.claims import counts_claims
from pages.denoising.code import counts_snippets
from pages.denoising.counts import advice_text, exhibits
from pages.denoising.counts.explanation import explanation_text
from pages.denoising.counts.parameters import ESTIMATOR, ORDER, PRIOR_SD, SIGNAL, TABLE, TOTAL
from pages.denoising.counts.text import answer_text, conditions
from pages.denoising.results import DenoisingResult
from pages.framework.export.exhibit import Colours
from pages.framework.layout.section import Field, Fields, Part, Row, Section
from pages.framework.parameters.parameter import Parameter
from pages.shared.conditions import CONTRIBUTION
from pages.shared.counts.fields import TABLE_LINK
from pages.shared.counts.parameters import NEIGHBOURS, PER_CELL
from pages.shared.counts.table import contribution_fields
from pages.shared.shared_parameters import DELTA, EPSILON, SEED, SIGNIFICANCE


def controls(result: DenoisingResult) -> Sequence[Field | Parameter]:
    """Return the parameters that change the lead picture."""
    signal, table = Field(SIGNAL, "Counts"), Field(TABLE, "Table", link=TABLE_LINK)
    if result.release is None:
        return signal, table
    table_fields = () if result.release.is_trial else (table, Field(ORDER, "Order"))
    return EPSILON, DELTA, *contribution_fields(result.values), signal, *table_fields, SEED


def parts(result: DenoisingResult, colours: Colours) -> Iterator[Part]:
    """Yield the errors, which estimator to use, the counts themselves, and every estimator in numbers."""
    release = result.denoisable_release
    if release is None:
        return
    yield exhibits.errors(result, colours)
    per_cell = (PER_CELL,) if result.values[CONTRIBUTION.key] not in ("once", "limited") else ()
    yield Fields(
        (*per_cell, Field(NEIGHBOURS, "Neighbours"), PRIOR_SD, Field(TOTAL, "Total of the counts"), SIGNIFICANCE)
    )
    yield Row(advice_text.advice_texts(release))
    yield Fields((Field(ESTIMATOR, "Denoised by"),))
    yield exhibits.values(result, colours)
    yield exhibits.table(result, colours)


SECTION = Section[DenoisingResult](
    controls=controls,
    parts=parts,
    key="counts",
    name="My counts",
    answer_text=answer_text,
    explanation=explanation_text,
    conditions=conditions,
    exhibits=(exhibits.errors, exhibits.values, exhibits.table),
    claims=counts_claims,
    snippets=counts_snippets,
)
