"""The section on the error that each ε brings."""

from collections.abc import Iterator, Sequence

from pages.accuracy.conditions import conditions
from pages.accuracy.error import claims, code, exhibits, text
from pages.accuracy.error.tables import ROUNDING, tight_constant_text
from pages.accuracy.explanation import explanation_text
from pages.accuracy.fields import GUARANTEE_FIELD, QUERY_FIELD, limit_fields, query_fields
from pages.accuracy.parameters import ACCURACY, KNOWN, MECHANISMS, VIEW
from pages.accuracy.results import AccuracyResult
from pages.framework.export.exhibit import Colours
from pages.framework.layout.section import Field, Fields, Part, Section
from pages.framework.parameters.parameter import Parameter
from pages.shared.page_links import risk_link_text
from pages.shared.shared_parameters import DELTA, EPSILON, SIGNIFICANCE


def controls(result: AccuracyResult) -> Sequence[Field | Parameter]:
    """Return the fields that change the lead picture."""
    known = EPSILON if result.setting.target is None else ACCURACY
    limit = limit_fields(result.values)
    return known, DELTA, SIGNIFICANCE, *limit, Field(KNOWN, "I know"), QUERY_FIELD, GUARANTEE_FIELD


def parts(result: AccuracyResult, colours: Colours) -> Iterator[Part]:
    """Yield the half-widths against ε, what to do, the fields of the query, and the mechanisms in numbers."""
    setting = result.setting
    yield exhibits.ratios(result, colours) if setting.shown == "ratio" else exhibits.accuracy(result, colours)
    yield text.recommendation_text(result.rows, setting)
    yield Fields((Field(VIEW, "Show"), Field(MECHANISMS, "Mechanisms")))
    yield Fields(query_fields(setting))
    yield setting.sensitivity_text
    yield text.population_text(setting, result.rows) or None
    yield text.tables_link_text(setting)
    yield risk_link_text(setting) if setting.target is None else None
    yield exhibits.mechanisms(result, colours)
    yield f"{ROUNDING} {tight_constant_text(result.rows, setting)}".strip()


SECTION = Section[AccuracyResult](
    key="accuracy",
    name="Error at each ε",
    controls=controls,
    parts=parts,
    answer_text=lambda result: text.answer_text(result.rows, result.setting, result.pinned_rows),
    explanation=explanation_text,
    conditions=conditions,
    exhibits=(exhibits.accuracy, exhibits.ratios, exhibits.mechanisms),
    claims=claims.claims,
    snippets=code.snippets,
)
