"""The sections of the page, and its answer."""

from collections.abc import Iterator, Sequence

from pages.accuracy import budget_text, exhibits, mechanism_text, parameters, records_text, text
from pages.accuracy.exhibits import AccuracyResult
from pages.accuracy.parameters import ACCURACY, HIGH, KNOWN, LOW, MECHANISMS, N_RECORDS, NEIGHBOURS, PROMISE, QUERY
from pages.accuracy.query import AccuracySetting
from pages.framework.export.exhibit import Colours
from pages.framework.layout.section import Field, Fields, Part, Section
from pages.framework.parameters.kinds import Parameter
from pages.shared.shared_parameters import DELTA, EPSILON, L1_SENSITIVITY, L2_SENSITIVITY, SIGNIFICANCE

_QUERY = Field(QUERY, "Query")
_PROMISE = Field(
    PROMISE,
    "Promise",
    "Pure ε-DP bounds every probability by the factor e^ε. (ε, δ)-DP lets each exceed that by δ: it promises less.",
)


def answer(result: AccuracyResult) -> tuple[str, ...]:
    """The answer of the open section, what it means and, beside a kept setting, what has changed."""
    setting, kept = result.setting, result.pinned
    if setting.section == "records":
        return records_text.answer(result.least_records, setting, kept and (kept.least_records, kept.setting))
    if setting.section == "budget":
        if result.shares is None:
            return budget_text.too_much(setting.budget, setting.epsilon)
        return budget_text.answer(result.shares, setting, kept and (kept.shares, kept.setting))
    return text.answer(result.answers, setting, result.before)


def has_records(result: AccuracyResult) -> bool:
    """Whether the sensitivity of the query falls with the number of records."""
    return result.setting.asked.width is not None


def _accuracy_strip(result: AccuracyResult) -> Sequence[Field | Parameter]:
    known = EPSILON if result.setting.wanted is None else ACCURACY
    return known, DELTA, SIGNIFICANCE, Field(KNOWN, "I know"), _QUERY, _PROMISE


def _accuracy(result: AccuracyResult, colour: Colours) -> Iterator[Part]:
    setting = result.setting
    yield exhibits.ratios(result, colour) if setting.shown == "ratio" else exhibits.accuracies(result, colour)
    yield text.recommendation(result.answers, setting)
    yield Fields((Field(parameters.VIEW, "Draw"), Field(MECHANISMS, "Mechanisms")))
    yield Fields(_query_fields(setting))
    yield setting.reason
    yield text.tables_link(setting)
    yield exhibits.mechanisms(result, colour)
    yield mechanism_text.ROUNDING


def _query_fields(setting: AccuracySetting) -> Sequence[Field | Parameter]:
    """What the sensitivity of the query depends on, and its unit."""
    unit = (
        (Field(parameters.UNIT, "Unit of the query", mechanism_text.UNIT_HELPS[setting.query]),)
        if setting.query in mechanism_text.UNIT_HELPS
        else ()
    )
    if setting.query == "own":
        return L1_SENSITIVITY, L2_SENSITIVITY, *unit
    bounds = (LOW, HIGH) if setting.query in ("sum", "mean") else ()
    n = (N_RECORDS,) if setting.query in ("mean", "proportion") else ()
    return Field(NEIGHBOURS, "Neighbouring data sets"), *bounds, *n, *unit


def _records_strip(_: AccuracyResult) -> Sequence[Field | Parameter]:
    return EPSILON, ACCURACY, DELTA, SIGNIFICANCE, _QUERY, _PROMISE


def _records(result: AccuracyResult, colour: Colours) -> Iterator[Part]:
    setting = result.setting
    yield exhibits.records(result, colour)
    if setting.asked.width is not None:
        yield records_text.recommendation(result.least_records, setting)
        yield Fields((Field(MECHANISMS, "Mechanisms"), *_query_fields(setting)))
        yield setting.reason


def _budget(result: AccuracyResult, colour: Colours) -> Iterator[Part]:
    yield exhibits.shares(result, colour)
    if result.shares is not None:
        yield budget_text.recommendation(result.shares, result.setting)
    yield exhibits.shares_table(result, colour)
    yield budget_text.NOTE


SECTIONS = {
    "accuracy": Section[AccuracyResult](_accuracy_strip, _accuracy),
    "records": Section[AccuracyResult](_records_strip, _records, has_records),
    "budget": Section[AccuracyResult](lambda _: (EPSILON, DELTA, SIGNIFICANCE, _PROMISE), _budget),
}
