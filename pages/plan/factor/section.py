"""The section "Total against error": what a common factor on all wanted errors does to the total ε."""

from collections.abc import Iterator

from pages.framework.export.exhibit import Colours
from pages.framework.layout.section import Fold, Part, Section
from pages.plan import claims, code, text
from pages.plan.explanation import explanation_text
from pages.plan.factor import exhibits
from pages.plan.factor.text import answer_text, uniform_text
from pages.plan.fields import controls, more_settings
from pages.plan.results import PlanResult
from pages.plan.statements import has_statements, statements


def parts(result: PlanResult, colours: Colours) -> Iterator[Part]:
    """Yield the picture, and what one mechanism for all would require."""
    yield exhibits.factor_chart(result, colours)
    yield text.exclusions_text(result)
    yield text.EDIT_LINK
    yield Fold((uniform_text(result),), "One mechanism for all")


SECTION = Section[PlanResult](
    key="factor",
    name="Total against error",
    controls=controls,
    more_settings=more_settings,
    parts=parts,
    answer_text=answer_text,
    explanation=explanation_text,
    conditions=text.conditions,
    exhibits=(exhibits.factor_chart,),
    claims=claims.claims,
    snippets=code.snippets,
    statements=statements,
    has_statements=has_statements,
)
