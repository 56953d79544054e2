"""The section of the curves: the list of curves, and every curve in numbers."""

from collections.abc import Iterator, Sequence

from pages.framework.export.exhibit import Colours
from pages.framework.layout.section import Field, Part, Section
from pages.framework.parameters.kinds import Quantity
from pages.shared.formulas import BASIS
from pages.shared.shared_parameters import ALPHA, DELTA, EPSILON, PRIOR
from pages.tradeoff import claims, code
from pages.tradeoff.answer_text import answer_text, explanation_text
from pages.tradeoff.curves import exhibits
from pages.tradeoff.parameters import VIEW
from pages.tradeoff.results import TradeoffResult


def controls(result: TradeoffResult) -> Sequence[Field | Quantity]:
    """Return the parameters that change the chart, ε where a curve depends on it."""
    return *((EPSILON,) if result.follows_page else ()), DELTA, ALPHA, PRIOR, Field(VIEW, "Axes")


def parts(result: TradeoffResult, colours: Colours) -> Iterator[Part]:
    """Yield the chart, the table, a glossary and advice."""
    yield exhibits.curves(result, colours)
    notes = " ".join(filter(None, (exhibits.outcome_text(result.chosen_row), exhibits.rounding_text(result.rows))))
    yield f"{notes}\n\n{BASIS}"
    yield exhibits.readings(result, colours)
    yield f"{exhibits.GLOSSARY}\n\n{exhibits.FOLLOWED}" if result.follows_page else exhibits.GLOSSARY
    yield exhibits.advice_text(result.chosen_row)


SECTION = Section[TradeoffResult](
    key="curves",
    name="Curves",
    controls=controls,
    parts=parts,
    answer_text=answer_text,
    explanation=explanation_text,
    exhibits=(exhibits.curves, exhibits.readings),
    claims=claims.claims,
    snippets=code.snippets,
)
