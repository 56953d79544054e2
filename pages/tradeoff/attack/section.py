"""The section of the results of an attack, with what they prove."""

from collections.abc import Iterator, Sequence

from pages.framework.export.exhibit import Colours
from pages.framework.layout.section import Field, Part, Section
from pages.framework.parameters.kinds import Quantity
from pages.shared.shared_parameters import DELTA, EPSILON, SEED
from pages.tradeoff import claims, code
from pages.tradeoff.answer_text import attack_answer_text, curve_text
from pages.tradeoff.attack import exhibits, text
from pages.tradeoff.curves.exhibits import curves
from pages.tradeoff.explanation import explanation_text
from pages.tradeoff.parameters import ALPHA, CONFIDENCE, VIEW
from pages.tradeoff.results import TradeoffResult


def controls(result: TradeoffResult) -> Sequence[Field | Quantity]:
    """Return the parameters that change the chart: those of the bounds too, where there is an attack."""
    view = Field(VIEW, "Show")
    if result.attack is None:
        return *((EPSILON, DELTA) if result.follows_page else ()), ALPHA, view
    seed = (SEED,) if result.attack.measurements.from_scores else ()
    return *((EPSILON,) if result.follows_page else ()), DELTA, ALPHA, CONFIDENCE, *seed, view


def parts(result: TradeoffResult, colours: Colours) -> Iterator[Part]:
    """Yield the chart of the attack and what it proves; without results, the curves and what an attack requires."""
    yield exhibits.attack(result, colours) or curves(result, colours)
    if result.attack is None or result.attack_outcome is None:
        yield text.NO_ATTACK
    else:
        yield " ".join(
            filter(None, (curve_text(result), text.other_curves_text(result), text.source_text(result.attack)))
        )
        yield text.GLOSSARY
        yield text.NOT_PROVED
        yield text.advice_text(result.attack_outcome.contradictions[result.chosen_row.name], result.chosen_row)


SECTION = Section[TradeoffResult](
    key="attack",
    name="An attack’s results",
    controls=controls,
    parts=parts,
    answer_text=attack_answer_text,
    explanation=explanation_text,
    exhibits=(exhibits.attack,),
    claims=claims.claims,
    snippets=code.snippets,
)
