"""The page on a plan for several queries: its parameters, its result, and its section."""

from collections.abc import Iterator

from pages.framework.export.exhibit import Colours
from pages.framework.layout.page import Page
from pages.framework.layout.section import Fold, Part, Section
from pages.plan import code, factor_picture, figures, parameters, text
from pages.plan.code import explanation_text
from pages.plan.conditions import conditions
from pages.plan.factor_picture import factor_chart
from pages.plan.parameters import FACTOR, SHOW, controls, more_settings
from pages.plan.results import PlanResult, compute_result
from pages.plan.statements import downloads, has_statements, statements
from pages.shared.shared_parameters import EPSILON
from pages.shared.site_map import PLAN


def parts(result: PlanResult, colours: Colours) -> Iterator[Part]:
    """Yield the picture, the table, and how to go on; or the total against the errors."""
    if result.values[SHOW.key] == "factor":
        yield factor_chart(result, colours)
        yield text.exclusions_text(result)
        yield text.EDIT_LINK
        yield factor_picture.factor_steps_text(result)
        yield Fold((factor_picture.uniform_text(result),), "One mechanism for all")
        return
    yield figures.plan_chart(result, colours)
    yield text.exclusions_text(result)
    yield text.EDIT_LINK
    yield text.presets_text(result)
    yield text.steps_text(result)
    yield figures.plan_table(result, colours)
    yield text.links_text(result)
    yield Fold((text.rounding_text(result), text.meaning_text(result)), "What the numbers mean")


def answer_text(result: PlanResult) -> tuple[str, ...]:
    """Return the total or the factor, or first the totals at half and twice the errors, as the picture shows them."""
    return (factor_picture if result.values[SHOW.key] == "factor" else text).answer_text(result)


SECTION = Section[PlanResult](
    key="queries",
    name="Queries",
    controls=controls,
    idle=lambda result: (FACTOR if result.is_epsilon_set else EPSILON,),
    more_settings=more_settings,
    parts=parts,
    answer_text=answer_text,
    explanation=explanation_text,
    conditions=conditions,
    exhibits=(figures.plan_chart, figures.plan_table, factor_chart),
    claims=code.claims,
    snippets=code.snippets,
    statements=statements,
    has_statements=has_statements,
    downloads=downloads,
    former={"factor": {SHOW.key: "factor"}},
)

PAGE = Page(PLAN, parameters.PARAMETERS, compute_result, sections=(SECTION,))
