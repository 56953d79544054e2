"""The section of the quotation: one (ε, δ) or one μ instead of the chosen curve."""

from collections.abc import Iterator, Sequence

from pages.framework.export.exhibit import Colours, Exhibit
from pages.framework.layout.section import Field, Part, Section
from pages.framework.parameters.kinds import Quantity
from pages.framework.parameters.number_format import without_markdown
from pages.shared.shared_parameters import ALPHA, DELTA, EPSILON
from pages.tradeoff import claims, code
from pages.tradeoff.answer_text import quotation_answer_text
from pages.tradeoff.curves.exhibits import PICKS
from pages.tradeoff.explanation import explanation_text
from pages.tradeoff.parameters import QUOTE, VIEW
from pages.tradeoff.quotation import text
from pages.tradeoff.quotation.figures import quotation_figure
from pages.tradeoff.results import TradeoffResult
from pages.tradeoff.tables import csv_header


def quotation(result: TradeoffResult, colours: Colours) -> Exhibit | None:
    """Return the chart of one (ε, δ) and one μ beside the chosen curve; None where no ε goes with the δ."""
    pair, conceded = result.quotation
    if pair is None or conceded is None:
        return None
    subtitle, names = text.chart_texts(result.chosen_row, pair, result.setting)
    figure = quotation_figure(result, pair, conceded, names, subtitle, colours)
    entries = {"curve": result.chosen_row.display_name, "quoted epsilon": pair.epsilon, "quoted delta": pair.delta}
    header = csv_header(result, **entries, **{"smallest mu": pair.limited_mu.mu})
    alternative = without_markdown(" ".join(text.quotation_sentences(result)))
    return Exhibit("quotation", figure, alternative, conceded, header, PICKS, result.confidential)


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
    yield quotation(result, colours)
    yield from text.quotation_sentences(result)
    yield text.WHY
    yield text.advice_text(result)


SECTION = Section[TradeoffResult](
    key="quote",
    name="As one (ε, δ) or μ",
    controls=controls,
    parts=parts,
    answer_text=quotation_answer_text,
    explanation=explanation_text,
    exhibits=(quotation,),
    claims=claims.claims,
    snippets=code.snippets,
)
