"""The sections of the page, and its answer."""

from collections.abc import Iterator

from pages.framework.export.exhibit import Colours
from pages.framework.layout.section import Field, Part, Section
from pages.framework.parameters.kinds import Quantity
from pages.shared.shared_parameters import DELTA, EPSILON, SEED
from pages.tradeoff import attack_text, exhibits, quotation_text, text
from pages.tradeoff.exhibits import TradeoffResult
from pages.tradeoff.parameters import ALPHA, CONFIDENCE, PRIOR, QUOTE, VIEW

_VIEW = Field(VIEW, "Show")


def answer(result: TradeoffResult) -> tuple[str, ...]:
    """The page's answer, what it means, what an attack has proved and, beside a kept setting, what has changed.

    Where an attack contradicts the chosen curve, that is the headline: what the curve says comes after it.
    """
    said = (*text.answer(result.row, result.alone), *filter(None, [result.attack_said]))
    if result.contradicted and result.attack_sentences is not None:
        proof, verdict = result.attack_sentences
        said = verdict, proof, attack_text.contradicted_curve(said[0], result.row)
    return said if result.pinned is None else (*said, text.compared(result.row, result.pinned.row))


def _curves(result: TradeoffResult, colour: Colours) -> Iterator[Part]:
    yield exhibits.curves(result, colour)
    yield text.rounding(result.rows)
    yield exhibits.table(result, colour)
    yield f"{text.GLOSSARY}\n\n{text.FOLLOWED}" if result.follows else text.GLOSSARY
    yield text.advice(result.row)


def _quote(result: TradeoffResult, colour: Colours) -> Iterator[Part]:
    yield exhibits.quotation(result, colour)
    yield from result.quotation_said
    yield quotation_text.WHY
    yield quotation_text.advice(result.row, *result.quoted)


def _attack(result: TradeoffResult, colour: Colours) -> Iterator[Part]:
    yield exhibits.attack(result, colour) or exhibits.curves(
        result, colour
    )  # without results, what they are held against
    if result.measured is None or result.proved is None:
        yield attack_text.NO_ATTACK
    else:
        yield attack_text.points_text(result.measured)
        yield attack_text.GLOSSARY
        yield attack_text.NOT_PROVED
        yield attack_text.advice(result.proved.broken[result.row.name], result.row)


def _here(result: TradeoffResult) -> tuple[Quantity, ...]:
    """ε, where it moves a curve."""
    return (EPSILON,) if result.follows else ()


def _strip_of_quote(result: TradeoffResult) -> tuple[Field | Quantity, ...]:
    asked = DELTA if result.setting.quote == "delta" else EPSILON
    return *((EPSILON, DELTA) if result.follows else (asked,)), ALPHA, Field(QUOTE, "Quote the chosen curve"), _VIEW


def _strip_of_attack(result: TradeoffResult) -> tuple[Field | Quantity, ...]:
    if result.measured is None:
        return *((EPSILON, DELTA) if result.follows else ()), ALPHA, _VIEW
    seed = (SEED,) if result.measured.attack.from_scores else ()
    return *_here(result), DELTA, ALPHA, CONFIDENCE, *seed, _VIEW


SECTIONS = {
    "curves": Section[TradeoffResult](lambda found: (*_here(found), DELTA, ALPHA, PRIOR, _VIEW), _curves),
    "quote": Section[TradeoffResult](_strip_of_quote, _quote),
    "attack": Section[TradeoffResult](_strip_of_attack, _attack),
}
