"""The sections of the page, and its answer."""

from collections.abc import Iterator

from pages.framework.export.exhibit import Colours
from pages.framework.layout.section import Field, Fields, Part, Section
from pages.framework.parameters.kinds import Quantity
from pages.laplace_gaussian import exhibits, map_text, text
from pages.laplace_gaussian.exhibits import LaplaceGaussianResult
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


def answer(result: LaplaceGaussianResult) -> tuple[str, ...]:
    """The page's answer, what it means and, beside a kept setting, what has changed."""
    return result.answer


def _sizes(result: LaplaceGaussianResult) -> tuple[Quantity, ...]:
    """What the sensitivities of the query come from."""
    return {"counts": (K,), "own": (L1_SENSITIVITY, L2_SENSITIVITY), "histogram": ()}[result.setting.case]


def _distance(result: LaplaceGaussianResult) -> tuple[Quantity, ...]:
    return (T,) if result.setting.hold == "tail" else ()


def _reach(result: LaplaceGaussianResult, colour: Colours) -> Iterator[Part]:
    yield (exhibits.draws if result.view == "draws" else exhibits.tails)(result, colour)
    yield Fields((*_COMPARED, SIGNIFICANCE, *((SEED,) if result.view == "draws" else ())))
    yield text.sensitivity_words(result.setting)
    if not result.possible:
        yield map_text.NO_CROSSING["epsilon"]
        return
    yield exhibits.noises(result, colour)
    yield text.ROUNDING
    yield text.PROMISES
    yield result.advice


def _wins(result: LaplaceGaussianResult, colour: Colours) -> Iterator[Part]:
    yield exhibits.winners(result, colour)
    yield Fields((_QUERY, _FORMULA))
    yield result.where_said
    yield exhibits.statistics(result, colour)
    if result.possible:
        yield result.advice_by


def _deltas(result: LaplaceGaussianResult, colour: Colours) -> Iterator[Part]:
    yield exhibits.ratio(result, colour)
    if result.possible:
        yield result.distance_said
    yield Fields((Field(DELTAS, "δ of the curves, apart by commas", DELTAS_HELP), CUTOFF, _QUERY, _FORMULA))
    yield exhibits.cost(result, colour)
    yield result.same_epsilon.advice if result.possible else map_text.NO_CROSSING["epsilon"]


def _density(result: LaplaceGaussianResult, colour: Colours) -> Iterator[Part]:
    yield exhibits.density(result, colour)
    yield Fields(_COMPARED)
    yield result.advice if result.possible else map_text.NO_CROSSING["epsilon"]


def _strip_of_wins(result: LaplaceGaussianResult) -> tuple[Field | Quantity, ...]:
    level = (SIGNIFICANCE,) if result.setting.measure == "accuracy" else ()
    return EPSILON, DELTA, *_sizes(result), *level, Field(MEASURE, "Compare by")


SECTIONS = {
    "reach": Section[LaplaceGaussianResult](
        lambda found: (EPSILON, DELTA, *_sizes(found), *_distance(found), Field(VIEW, "Show")), _reach
    ),
    "wins": Section[LaplaceGaussianResult](_strip_of_wins, _wins),
    "deltas": Section[LaplaceGaussianResult](lambda found: (EPSILON, DELTA, T, *_sizes(found)), _deltas),
    "density": Section[LaplaceGaussianResult](
        lambda found: (EPSILON, DELTA, *_sizes(found), *_distance(found), Field(FUNCTION, "Show")), _density
    ),
}
