"""The section "Queries": the noise of each query, its error, and what all of them cost together."""

from collections.abc import Iterator

from pages.framework.export.exhibit import Colours
from pages.framework.layout.section import Part, Section
from pages.plan import claims, code, exhibits, text
from pages.plan.explanation import EXPLANATION
from pages.plan.fields import controls
from pages.plan.results import PlanResult


def parts(result: PlanResult, colours: Colours) -> Iterator[Part]:
    """Yield the picture, the table, and how to go on."""
    yield exhibits.plan_chart(result, colours)
    yield text.exclusions_text(result)
    yield text.EDIT_LINK
    yield exhibits.plan_table(result, colours)
    yield text.rounding_text(result)
    yield text.meaning_text(result)
    yield text.links_text(result)
    yield text.presets_text(result)


SECTION = Section[PlanResult](
    key="queries",
    name="Queries",
    controls=controls,
    parts=parts,
    answer_text=text.answer_text,
    explanation=lambda _: EXPLANATION,
    conditions=text.conditions,
    exhibits=(exhibits.plan_chart, exhibits.plan_table),
    claims=claims.claims,
    snippets=code.snippets,
)
