"""The sections of the page, and its answer."""

from collections.abc import Iterator

from pages.framework.export.exhibit import Colours
from pages.framework.layout.section import Field, Fields, Part, Section
from pages.framework.parameters.kinds import Quantity
from pages.laplace_gaussian import exhibits, map_words, words
from pages.laplace_gaussian.exhibits import Found
from pages.laplace_gaussian.parameters import CASE, CUTOFF, FUNCTION, GAUSSIAN, HOLD, VIEW, K, T
from pages.shared.shared_parameters import (
    DELTA,
    DELTAS,
    DELTAS_HELP,
    EPSILON,
    L1_SENSITIVITY,
    L2_SENSITIVITY,
    MEASURE,
    SEED,
    SIGNIFICANCE,
)

_QUERY, _FORMULA = Field(CASE, "Query"), Field(GAUSSIAN, "The Gaussian's formula")
_COMPARED = (_QUERY, _FORMULA, Field(HOLD, "Held equal"))


def answer(found: Found) -> tuple[str, ...]:
    """The page's answer, what it means and, beside a kept setting, what has changed."""
    return found.answer


def _sizes(found: Found) -> tuple[Quantity, ...]:
    """What the sensitivities of the query come from."""
    return {"counts": (K,), "own": (L1_SENSITIVITY, L2_SENSITIVITY), "histogram": ()}[found.setting.case]


def _distance(found: Found) -> tuple[Quantity, ...]:
    return (T,) if found.setting.hold == "tail" else ()


def _reach(found: Found, colour: Colours) -> Iterator[Part]:
    yield (exhibits.draws if found.view == "draws" else exhibits.tails)(found, colour)
    yield Fields((*_COMPARED, SIGNIFICANCE, *((SEED,) if found.view == "draws" else ())))
    yield words.sensitivity_words(found.setting)
    if not found.possible:
        yield map_words.NO_CROSSING["epsilon"]
        return
    yield exhibits.noises(found, colour)
    yield words.ROUNDING
    yield words.PROMISES
    yield found.advice


def _wins(found: Found, colour: Colours) -> Iterator[Part]:
    yield exhibits.winners(found, colour)
    yield Fields((_QUERY, _FORMULA))
    yield found.where_said
    yield exhibits.statistics(found, colour)
    if found.possible:
        yield found.advice_by


def _deltas(found: Found, colour: Colours) -> Iterator[Part]:
    yield exhibits.ratio(found, colour)
    if found.possible:
        yield found.distance_said
    yield Fields((Field(DELTAS, "δ of the curves, apart by commas", DELTAS_HELP), CUTOFF, _QUERY, _FORMULA))
    yield exhibits.cost(found, colour)
    yield found.same_epsilon.advice if found.possible else map_words.NO_CROSSING["epsilon"]


def _density(found: Found, colour: Colours) -> Iterator[Part]:
    yield exhibits.density(found, colour)
    yield Fields(_COMPARED)
    yield found.advice if found.possible else map_words.NO_CROSSING["epsilon"]


def _strip_of_wins(found: Found) -> tuple[Field | Quantity, ...]:
    level = (SIGNIFICANCE,) if found.setting.measure == "accuracy" else ()
    return EPSILON, DELTA, *_sizes(found), *level, Field(MEASURE, "Compare by")


SECTIONS = {
    "reach": Section[Found](
        lambda found: (EPSILON, DELTA, *_sizes(found), *_distance(found), Field(VIEW, "Show")), _reach
    ),
    "wins": Section[Found](_strip_of_wins, _wins),
    "deltas": Section[Found](lambda found: (EPSILON, DELTA, T, *_sizes(found)), _deltas),
    "density": Section[Found](
        lambda found: (EPSILON, DELTA, *_sizes(found), *_distance(found), Field(FUNCTION, "Show")), _density
    ),
}
