"""The section of the quotation: one (ε, δ) or one μ instead of the chosen curve."""

from collections.abc import Iterator, Sequence

from pages.framework.export.exhibit import Colours
from pages.framework.layout.section import Field, Part, Section
from pages.framework.parameters.kinds import Quantity
from pages.shared.shared_parameters import DELTA, EPSILON
from pages.tradeoff import claims, code
from pages.tradeoff.answer_text import quotation_answer_text
from pages.tradeoff.explanation import explanation_text
from pages.tradeoff.parameters import ALPHA, QUOTE, VIEW
from pages.tradeoff.quotation import exhibits, text
from pages.tradeoff.results import TradeoffResult

_WITH_ONE_PAIR = ("here_approx", "here_gaussian")
"""The curves whose δ at the page's ε is the page's δ: both ways to quote them give the same pair."""


def controls(result: TradeoffResult) -> Sequence[Field | Quantity]:
    """Return the parameters that change the chart: ε and δ, or only the one at which the curve is quoted."""
    quoted_at = (DELTA,) if result.setting.quote == "delta" else (EPSILON,)
    target = (EPSILON, DELTA) if result.follows_page else quoted_at
    quote = (
        ()
        if result.setting.curves[result.chosen_position].kind in _WITH_ONE_PAIR
        else (Field(QUOTE, "Report the chosen curve"),)
    )
    view_fields = () if result.quotation[0] is None else (Field(VIEW, "Show"),)
    return *target, ALPHA, *quote, *view_fields


def parts(result: TradeoffResult, colours: Colours) -> Iterator[Part]:
    """Yield the chart, the two numbers, and advice."""
    yield exhibits.quotation(result, colours)
    yield from text.quotation_sentences(result)
    yield text.WHY
    yield text.advice_text(result)


SECTION = Section[TradeoffResult](
    key="quote",
    name="One number",
    controls=controls,
    parts=parts,
    answer_text=quotation_answer_text,
    explanation=explanation_text,
    exhibits=(exhibits.quotation,),
    claims=claims.claims,
    snippets=code.snippets,
)
