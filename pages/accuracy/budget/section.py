"""The section on a budget that several queries share."""

from collections.abc import Iterator, Sequence

from pages.accuracy.budget import claims, code, exhibits, text
from pages.accuracy.explanation import explanation_text
from pages.accuracy.fields import PROMISE_FIELD
from pages.accuracy.results import AccuracyResult
from pages.framework.export.exhibit import Colours
from pages.framework.layout.section import Field, Part, Section
from pages.framework.parameters.parameter import Parameter
from pages.shared.shared_parameters import DELTA, EPSILON, SIGNIFICANCE


def controls(_: AccuracyResult) -> Sequence[Field | Parameter]:
    """Return the fields that change the lead picture."""
    return EPSILON, DELTA, SIGNIFICANCE, PROMISE_FIELD


def answer_text(result: AccuracyResult) -> tuple[str, ...]:
    """Return what the queries spend together and what a pinned setting spent, or that the locks are too high."""
    setting, pinned = result.setting, result.pinned
    if result.shares is None:
        return text.excess_text(setting.budget, setting.epsilon)
    return text.answer_text(result.shares, setting, pinned and (pinned.shares, pinned.setting))


def parts(result: AccuracyResult, colours: Colours) -> Iterator[Part]:
    """Yield the shares in a picture, what to do, and the shares in numbers."""
    yield exhibits.shares(result, colours)
    if result.shares is not None:
        yield text.recommendation_text(result.shares, result.setting)
    yield exhibits.shares_table(result, colours)
    yield text.NOTE


SECTION = Section[AccuracyResult](
    key="budget",
    name="Budget",
    controls=controls,
    parts=parts,
    answer_text=answer_text,
    explanation=explanation_text,
    exhibits=(exhibits.shares, exhibits.shares_table),
    claims=claims.claims,
    snippets=code.snippets,
)
