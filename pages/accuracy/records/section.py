"""The section on how many records a wanted accuracy takes."""

from collections.abc import Iterator, Sequence

from pages.accuracy.conditions import conditions
from pages.accuracy.explanation import explanation_text
from pages.accuracy.fields import GUARANTEE_FIELD, QUERY_FIELD, limit_fields, query_fields
from pages.accuracy.parameters import ACCURACY, MECHANISMS
from pages.accuracy.records import claims, code, exhibits, text
from pages.accuracy.results import AccuracyResult
from pages.framework.export.exhibit import Colours
from pages.framework.layout.section import Field, Fields, Part, Section
from pages.framework.parameters.parameter import Parameter
from pages.shared.shared_parameters import DELTA, EPSILON, SIGNIFICANCE


def controls(result: AccuracyResult) -> Sequence[Field | Parameter]:
    """Return the fields that change the lead picture."""
    return EPSILON, ACCURACY, DELTA, SIGNIFICANCE, *limit_fields(result.values), QUERY_FIELD, GUARANTEE_FIELD


def answer_text(result: AccuracyResult) -> tuple[str, ...]:
    """Return the least n at the current ε, what it means, and what a pinned setting had."""
    pinned = result.pinned
    return text.answer_text(result.least_records, result.setting, pinned and (pinned.least_records, pinned.setting))


def parts(result: AccuracyResult, colours: Colours) -> Iterator[Part]:
    """Yield the least number of records against ε, what to do, and the fields of the query."""
    setting = result.setting
    yield exhibits.records(result, colours)
    if setting.facts.width is not None:
        yield text.recommendation_text(result.least_records, setting)
        yield Fields((Field(MECHANISMS, "Mechanisms"), *query_fields(setting)))
        yield setting.sensitivity_text


SECTION = Section[AccuracyResult](
    key="records",
    name="How many records",
    controls=controls,
    parts=parts,
    is_available=lambda result: result.setting.facts.width is not None,
    answer_text=answer_text,
    explanation=explanation_text,
    conditions=conditions,
    exhibits=(exhibits.records,),
    claims=claims.claims,
    snippets=code.snippets,
)
