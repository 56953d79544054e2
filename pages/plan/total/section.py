"""The section "Queries": the noise of each query, its error, and what all of them cost together."""

from collections.abc import Iterator

from pages.framework.export.exhibit import Colours
from pages.framework.layout.section import Fold, Part, Section
from pages.plan import claims, code, exhibits, text
from pages.plan.explanation import explanation_text
from pages.plan.fields import controls, more_settings
from pages.plan.results import PlanResult
from pages.plan.statements import downloads, has_statements, statements


def parts(result: PlanResult, colours: Colours) -> Iterator[Part]:
    """Yield the picture, the table, and how to go on."""
    yield exhibits.plan_chart(result, colours)
    yield text.exclusions_text(result)
    yield text.EDIT_LINK
    yield text.steps_text(result)
    yield exhibits.plan_table(result, colours)
    yield text.links_text(result)
    yield text.presets_text(result)
    yield Fold((text.rounding_text(result), text.meaning_text(result)), "What the numbers mean")


SECTION = Section[PlanResult](
    key="queries",
    name="Queries",
    controls=controls,
    more_settings=more_settings,
    parts=parts,
    answer_text=text.answer_text,
    explanation=explanation_text,
    conditions=text.conditions,
    exhibits=(exhibits.plan_chart, exhibits.plan_table),
    claims=claims.claims,
    snippets=code.snippets,
    statements=statements,
    has_statements=has_statements,
    downloads=downloads,
)
