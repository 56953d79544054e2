"""The sections of the page, and its answer."""

from collections.abc import Iterator

from pages.framework.export.exhibit import Colours
from pages.framework.layout.section import Field, Part, Section
from pages.framework.parameters.kinds import Quantity
from pages.shared.shared_parameters import DELTA, EPSILON, SEED
from pages.tradeoff import attack_words, exhibits, quotation_words, words
from pages.tradeoff.exhibits import Found
from pages.tradeoff.parameters import ALPHA, CONFIDENCE, PRIOR, QUOTE, VIEW

_VIEW = Field(VIEW, "Show")


def answer(found: Found) -> tuple[str, ...]:
    """The page's answer, what it means, what an attack has proved and, beside a kept setting, what has changed.

    Where an attack contradicts the chosen curve, that is the headline: what the curve says comes after it.
    """
    said = (*words.answer(found.row, found.alone), *filter(None, [found.attack_said]))
    if found.contradicted and found.attack_sentences is not None:
        proof, verdict = found.attack_sentences
        said = verdict, proof, attack_words.contradicted_curve(said[0], found.row)
    return said if found.pinned is None else (*said, words.compared(found.row, found.pinned.row))


def _curves(found: Found, colour: Colours) -> Iterator[Part]:
    yield exhibits.curves(found, colour)
    yield words.rounding(found.rows)
    yield exhibits.table(found, colour)
    yield f"{words.GLOSSARY}\n\n{words.FOLLOWED}" if found.follows else words.GLOSSARY
    yield words.advice(found.row)


def _quote(found: Found, colour: Colours) -> Iterator[Part]:
    yield exhibits.quotation(found, colour)
    yield from found.quotation_said
    yield quotation_words.WHY
    yield quotation_words.advice(found.row, *found.quoted)


def _attack(found: Found, colour: Colours) -> Iterator[Part]:
    yield exhibits.attack(found, colour) or exhibits.curves(
        found, colour
    )  # without results, what they are held against
    if found.measured is None or found.proved is None:
        yield attack_words.NO_ATTACK
    else:
        yield attack_words.points_text(found.measured)
        yield attack_words.GLOSSARY
        yield attack_words.NOT_PROVED
        yield attack_words.advice(found.proved.broken[found.row.name], found.row)


def _here(found: Found) -> tuple[Quantity, ...]:
    """ε, where it moves a curve."""
    return (EPSILON,) if found.follows else ()


def _strip_of_quote(found: Found) -> tuple[Field | Quantity, ...]:
    asked = DELTA if found.setting.quote == "delta" else EPSILON
    return *((EPSILON, DELTA) if found.follows else (asked,)), ALPHA, Field(QUOTE, "Quote the chosen curve"), _VIEW


def _strip_of_attack(found: Found) -> tuple[Field | Quantity, ...]:
    if found.measured is None:
        return *((EPSILON, DELTA) if found.follows else ()), ALPHA, _VIEW
    seed = (SEED,) if found.measured.attack.from_scores else ()
    return *_here(found), DELTA, ALPHA, CONFIDENCE, *seed, _VIEW


SECTIONS = {
    "curves": Section[Found](lambda found: (*_here(found), DELTA, ALPHA, PRIOR, _VIEW), _curves),
    "quote": Section[Found](_strip_of_quote, _quote),
    "attack": Section[Found](_strip_of_attack, _attack),
}
