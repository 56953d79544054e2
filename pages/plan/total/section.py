"""The section "Queries": the noise of each query and what all cost together, or the total against the errors."""

from collections.abc import Iterator

from pages.framework.export.exhibit import Colours
from pages.framework.layout.section import Fold, Part, Section
from pages.plan import claims, code, exhibits, text
from pages.plan.explanation import explanation_text
from pages.plan.factor import text as factor_text
from pages.plan.factor.exhibits import factor_chart
from pages.plan.fields import controls, more_settings
from pages.plan.parameters import SHOW
from pages.plan.results import PlanResult
from pages.plan.statements import downloads, has_statements, statements


def parts(result: PlanResult, colours: Colours) -> Iterator[Part]:
    """Yield the picture, the table, and how to go on; or the total against the errors, and one mechanism for all."""
    if result.values[SHOW.key] == "factor":
        yield factor_chart(result, colours)
        yield text.exclusions_text(result)
        yield text.EDIT_LINK
        yield Fold((factor_text.uniform_text(result),), "One mechanism for all")
        return
    yield exhibits.plan_chart(result, colours)
    yield text.exclusions_text(result)
    yield text.EDIT_LINK
    yield text.steps_text(result)
    yield exhibits.plan_table(result, colours)
    yield text.links_text(result)
    yield text.presets_text(result)
    yield Fold((text.rounding_text(result), text.meaning_text(result)), "What the numbers mean")


def answer_text(result: PlanResult) -> tuple[str, ...]:
    """Return the total or the factor, or first the totals at half and twice the errors, as the picture shows them."""
    return (factor_text if result.values[SHOW.key] == "factor" else text).answer_text(result)


SECTION = Section[PlanResult](
    key="queries",
    name="Queries",
    controls=controls,
    more_settings=more_settings,
    parts=parts,
    answer_text=answer_text,
    explanation=explanation_text,
    conditions=text.conditions,
    exhibits=(exhibits.plan_chart, exhibits.plan_table, factor_chart),
    claims=claims.claims,
    snippets=code.snippets,
    statements=statements,
    has_statements=has_statements,
    downloads=downloads,
    former={"factor": {SHOW.key: "factor"}},
)
