"""The sections of the page, and its answer."""

from collections.abc import Iterator, Sequence

from pages.accuracy import budget_words, exhibits, mechanism_words, parameters, record_words, words
from pages.accuracy.exhibits import Found
from pages.accuracy.parameters import ACCURACY, HIGH, KNOWN, LOW, MECHANISMS, N_RECORDS, NEIGHBOURS, PROMISE, QUERY
from pages.accuracy.query import Setting
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


def answer(found: Found) -> tuple[str, ...]:
    """The answer of the open section, what it means and, beside a kept setting, what has changed."""
    now, kept = found.setting, found.pinned
    if now.section == "records":
        return record_words.answer(found.least_records, now, kept and (kept.least_records, kept.setting))
    if now.section == "budget":
        if found.shares is None:
            return budget_words.too_much(now.budget, now.epsilon)
        return budget_words.answer(found.shares, now, kept and (kept.shares, kept.setting))
    return words.answer(found.answers, now, found.before)


def has_records(found: Found) -> bool:
    """Whether the sensitivity of the query falls with the number of records."""
    return found.setting.asked.width is not None


def _accuracy_strip(found: Found) -> Sequence[Field | Parameter]:
    known = EPSILON if found.setting.wanted is None else ACCURACY
    return known, DELTA, SIGNIFICANCE, Field(KNOWN, "I know"), _QUERY, _PROMISE


def _accuracy(found: Found, colour: Colours) -> Iterator[Part]:
    now = found.setting
    yield exhibits.ratios(found, colour) if now.shown == "ratio" else exhibits.accuracies(found, colour)
    yield words.recommendation(found.answers, now)
    yield Fields((Field(parameters.VIEW, "Draw"), Field(MECHANISMS, "Mechanisms")))
    yield Fields(_query_fields(now))
    yield now.reason
    yield words.tables_link(now)
    yield exhibits.mechanisms(found, colour)
    yield mechanism_words.ROUNDING


def _query_fields(now: Setting) -> Sequence[Field | Parameter]:
    """What the sensitivity of the query depends on, and its unit."""
    unit = (
        (Field(parameters.UNIT, "Unit of the query", mechanism_words.UNIT_HELPS[now.query]),)
        if now.query in mechanism_words.UNIT_HELPS
        else ()
    )
    if now.query == "own":
        return L1_SENSITIVITY, L2_SENSITIVITY, *unit
    bounds = (LOW, HIGH) if now.query in ("sum", "mean") else ()
    n = (N_RECORDS,) if now.query in ("mean", "proportion") else ()
    return Field(NEIGHBOURS, "Neighbouring data sets"), *bounds, *n, *unit


def _records_strip(_: Found) -> Sequence[Field | Parameter]:
    return EPSILON, ACCURACY, DELTA, SIGNIFICANCE, _QUERY, _PROMISE


def _records(found: Found, colour: Colours) -> Iterator[Part]:
    now = found.setting
    yield exhibits.records(found, colour)
    if now.asked.width is not None:
        yield record_words.recommendation(found.least_records, now)
        yield Fields((Field(MECHANISMS, "Mechanisms"), *_query_fields(now)))
        yield now.reason


def _budget(found: Found, colour: Colours) -> Iterator[Part]:
    yield exhibits.shares(found, colour)
    if found.shares is not None:
        yield budget_words.recommendation(found.shares, found.setting)
    yield exhibits.shares_table(found, colour)
    yield budget_words.NOTE


SECTIONS = {
    "accuracy": Section[Found](_accuracy_strip, _accuracy),
    "records": Section[Found](_records_strip, _records, has_records),
    "budget": Section[Found](lambda _: (EPSILON, DELTA, SIGNIFICANCE, _PROMISE), _budget),
}
