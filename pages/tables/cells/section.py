"""The section on the cells of a table, each with the error that the noise brings."""

from collections.abc import Iterator, Sequence

from pages.framework.export.exhibit import Colours
from pages.framework.layout.section import Field, Fields, Part, Section
from pages.framework.parameters.parameter import Parameter
from pages.shared.counts.fields import TABLE_FIELD
from pages.shared.shared_parameters import EPSILON
from pages.tables import claims, code
from pages.tables.cells import exhibits, text
from pages.tables.explanation import explanation_text
from pages.tables.fields import (
    ERROR_FIELD,
    MECHANISM_FIELD,
    contribution_controls,
    delta_fields,
    guarantee_and_sensitivity,
)
from pages.tables.mechanisms.questions_text import cell_questions_with_bars
from pages.tables.parameters import AXIS, NAMES_OF_CELL_SECTIONS, SHARE, SMALLEST
from pages.tables.results import TablesResult
from pages.tables.text import conditions, sample_text, table_answer_text


def controls(result: TablesResult) -> Sequence[Field | Parameter]:
    """Return the fields that change the lead picture; without a table only its choice."""
    if result.is_missing:
        return (TABLE_FIELD,)
    return (
        EPSILON,
        *delta_fields(result),
        *contribution_controls(result),
        MECHANISM_FIELD,
        ERROR_FIELD,
        TABLE_FIELD,
        Field(AXIS, "Axis"),
    )


def parts(result: TablesResult, colours: Colours) -> Iterator[Part]:
    """Yield the cells with their error bars, what the noise leaves of them, and the first of them in numbers."""
    if result.is_missing:
        return
    yield exhibits.cells(result, colours)
    yield sample_text(result)
    yield guarantee_and_sensitivity(result)
    if result.mechanism is not None:
        yield cell_questions_with_bars(result, result.mechanism)
    yield Fields((SHARE, SMALLEST))
    yield text.WHY_NOISE
    yield exhibits.cells_table(result, colours)


SECTION = Section[TablesResult](
    key="table",
    name=NAMES_OF_CELL_SECTIONS["table"],
    controls=controls,
    parts=parts,
    is_available=lambda result: result.has_cells,
    answer_text=lambda result: table_answer_text(result, text.answer_text, text.comparison_text),
    explanation=explanation_text,
    conditions=conditions,
    exhibits=(exhibits.cells, exhibits.cells_table),
    claims=claims.mechanism_claims,
    snippets=code.snippets,
)
