"""The section on which noise to add to a table."""

from collections.abc import Iterator, Sequence

from pages.framework.export.exhibit import Colours
from pages.framework.layout.section import Field, Fields, Part, Section
from pages.framework.parameters.parameter import Parameter
from pages.shared.counts.fields import TABLE_FIELD
from pages.shared.page_links import risk_link_text
from pages.shared.shared_parameters import DELTA, EPSILON
from pages.tables import claims, code
from pages.tables.explanation import explanation_text
from pages.tables.fields import ERROR_FIELD, GUARANTEE_FIELD, contribution_controls, sensitivity_fields
from pages.tables.mechanisms import exhibits, text
from pages.tables.mechanisms.questions_text import questions_text
from pages.tables.mechanisms.reasons_text import reasons_text
from pages.tables.parameters import AGAINST, CELLS, SHAPE, SHARE, SMALLEST
from pages.tables.results import TablesResult
from pages.tables.text import conditions, sample_text, table_answer_text


def controls(result: TablesResult) -> Sequence[Field | Parameter]:
    """Return the fields that change the lead picture; without a table only its choice."""
    if result.is_missing:
        return (TABLE_FIELD,)
    size = (CELLS,) if result.setting.table == "size" else ()
    return (EPSILON, DELTA, *contribution_controls(result), GUARANTEE_FIELD, ERROR_FIELD, TABLE_FIELD, *size)


def parts(result: TablesResult, colours: Colours) -> Iterator[Part]:
    """Yield ± over k or ε, why the noise is recommended, the noises in numbers, and what they leave of the cells."""
    if result.is_missing:
        return
    yield exhibits.half_widths(result, colours)
    yield Fields((Field(AGAINST, "Horizontal axis"), *sensitivity_fields(result)))
    yield " ".join(filter(None, (sample_text(result), reasons_text(result))))
    yield exhibits.mechanisms_table(result, colours)
    yield Fields((SHAPE, SMALLEST) if result.has_cells else (SHAPE, SHARE, SMALLEST))
    yield f"{questions_text(result)}\n\n{risk_link_text(result.setting)}"


SECTION = Section[TablesResult](
    key="noise",
    name="Which noise",
    controls=controls,
    parts=parts,
    answer_text=lambda result: table_answer_text(result, text.answer_text, text.comparison_text),
    explanation=explanation_text,
    conditions=conditions,
    exhibits=(exhibits.half_widths_over_persons, exhibits.half_widths_over_epsilon, exhibits.mechanisms_table),
    claims=claims.mechanism_claims,
    snippets=code.snippets,
)
