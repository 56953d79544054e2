"""The section on one release of a table, for trial, or on many."""

from collections.abc import Iterator, Sequence

from pages.framework.export.exhibit import Colours
from pages.framework.layout.section import Field, Part, Section
from pages.framework.parameters.parameter import Parameter
from pages.shared.counts.fields import TABLE_FIELD
from pages.shared.counts.table import contribution_fields
from pages.shared.shared_parameters import EPSILON, SEED
from pages.tables import claims, code
from pages.tables.cells.text import comparison_text
from pages.tables.explanation import explanation_text
from pages.tables.fields import ERROR_FIELD, MECHANISM_FIELD, delta_fields, guarantee_and_sensitivity
from pages.tables.parameters import CLIPPED, NAMES_OF_CELL_SECTIONS, REPEATED, ROUNDED
from pages.tables.release import exhibits, text
from pages.tables.results import TablesResult
from pages.tables.text import conditions, table_answer_text


def controls(result: TablesResult) -> Sequence[Field | Parameter]:
    """Return the fields that change the lead picture: rounding only where the noise is not an integer."""
    if result.is_missing:
        return (TABLE_FIELD,)
    whole = result.mechanism is not None and result.mechanism.whole
    processing = Field(CLIPPED, "Clip at 0"), *(() if whole else (Field(ROUNDED, "Round"),))
    return (
        EPSILON,
        *delta_fields(result),
        *contribution_fields(result.values),
        MECHANISM_FIELD,
        ERROR_FIELD,
        TABLE_FIELD,
        Field(REPEATED, "Show"),
        *processing,
        SEED,
    )


def parts(result: TablesResult, colours: Colours) -> Iterator[Part]:
    """Yield one release beside the true counts, or how often many preserve their order, and the release in numbers."""
    if result.is_missing:
        return
    if result.values["repeated"] == "on":
        yield exhibits.repeated_releases(result, colours)
        yield text.statistics_meaning()
    else:
        yield exhibits.release(result, colours)
        yield text.post_processing_text(result)
    yield guarantee_and_sensitivity(result)
    yield text.TRIAL
    yield exhibits.release_table(result, colours)


SECTION = Section[TablesResult](
    key="release",
    name=NAMES_OF_CELL_SECTIONS["release"],
    controls=controls,
    parts=parts,
    is_available=lambda result: result.has_cells,
    answer_text=lambda result: table_answer_text(result, text.answer_text, comparison_text),
    explanation=explanation_text,
    conditions=conditions,
    exhibits=(exhibits.release, exhibits.release_table, exhibits.repeated_releases),
    claims=claims.release_claims,
    snippets=code.snippets,
)
