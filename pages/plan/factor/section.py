"""The section "Total against error": what a common factor on all wanted errors does to the total ε."""

from collections.abc import Iterator

from pages.framework.export.exhibit import Colours
from pages.framework.layout.section import Part, Section
from pages.plan import claims, code, text
from pages.plan.explanation import EXPLANATION
from pages.plan.factor import exhibits
from pages.plan.factor.text import answer_text, uniform_text
from pages.plan.fields import controls
from pages.plan.results import PlanResult


def parts(result: PlanResult, colours: Colours) -> Iterator[Part]:
    """Yield the picture, and what one mechanism for all would require."""
    yield exhibits.factor_chart(result, colours)
    yield text.exclusions_text(result)
    yield text.EDIT_LINK
    yield uniform_text(result)


SECTION = Section[PlanResult](
    key="factor",
    name="Total against error",
    controls=controls,
    parts=parts,
    answer_text=answer_text,
    explanation=lambda _: EXPLANATION,
    conditions=text.conditions,
    exhibits=(exhibits.factor_chart,),
    claims=claims.claims,
    snippets=code.snippets,
)
