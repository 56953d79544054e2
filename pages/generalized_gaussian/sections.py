"""The sections of the page, and its answer."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from pages.framework.export.exhibit import Colours, Exhibit
from pages.framework.layout.section import Field, Fields, Part, Section
from pages.framework.parameters.kinds import Parameter, Quantity
from pages.framework.parameters.number_format import exact_text
from pages.generalized_gaussian import best_text, bounded_text, exhibits, parameters, scale_text, text
from pages.generalized_gaussian.parameters import GUARANTEE, HIGH, LOW, VALUE, P
from pages.generalized_gaussian.results import GeneralizedGaussianResult
from pages.shared.shared_parameters import (
    DELTA,
    DELTAS,
    DELTAS_HELP,
    EPSILON,
    L2_SENSITIVITY,
    MEASURE,
    SEED,
    SIGNIFICANCE,
)

_N_STEPS = 40  # of the true value, between the bounds
_PROMISE = Field(GUARANTEE, "Promise", text.PROMISE_HELP)
Drawn = Callable[[GeneralizedGaussianResult, Colours], Exhibit | None]


def answer(result: GeneralizedGaussianResult) -> tuple[str, ...]:
    """The answer of the open section, what it means and, beside a kept setting, what has changed."""
    section = result.setting.section
    if section == "best":
        return best_text.answer(result) or text.no_answer(result.setting)
    if section == "bounded":
        return bounded_text.answer(result) or bounded_text.no_answer(result.setting)
    if section == "exponential":
        return bounded_text.exponential_answer(result) or bounded_text.no_answer(result.setting)
    return text.answer(result)


def _shapes_strip(_: GeneralizedGaussianResult) -> Sequence[Field | Parameter]:
    return EPSILON, DELTA, P, L2_SENSITIVITY, _PROMISE


def _shapes(result: GeneralizedGaussianResult, colour: Colours) -> Iterator[Part]:
    yield exhibits.densities(result, colour)
    listed = Field(parameters.SHAPES, "p of the curves, apart by commas", parameters.SHAPES_HELP)
    yield Fields((listed, Field(parameters.MATCH, "Densities with the"), SIGNIFICANCE))
    yield exhibits.shapes(result, colour)
    yield text.table_words(result.setting)


def _size_strip(result: GeneralizedGaussianResult) -> Sequence[Field | Parameter]:
    several = Field(parameters.SENSITIVITIES, "Δ of each", parameters.SENSITIVITIES_HELP)
    moved = {"one": (L2_SENSITIVITY,), "three": (), "own": (several,)}[result.setting.statistics]
    return EPSILON, DELTA, P, *moved, Field(parameters.AGAINST, "Against")


def _size(result: GeneralizedGaussianResult, colour: Colours) -> Iterator[Part]:
    views: dict[str, Drawn] = {
        "p": exhibits.size_p,
        "epsilon": exhibits.size_epsilon,
        "delta": exhibits.size_delta,
    }
    setting = result.setting
    yield views[setting.against](result, colour)
    level = (SIGNIFICANCE,) if setting.size == "accuracy" else ()
    yield Fields((Field(parameters.SIZE, "Show"), Field(parameters.STATISTICS, "Statistics"), *level))
    if setting.together:
        draws = (parameters.DRAWS, SEED) if setting.monte_carlo == "on" else ()
        yield Fields((Field(parameters.MONTE_CARLO, "The paper's Monte Carlo"), *draws))
    yield scale_text.statistics_words(result)
    yield scale_text.draws_words(result) if setting.together else None


def _best_strip(result: GeneralizedGaussianResult) -> Sequence[Field | Parameter]:
    level = (SIGNIFICANCE,) if result.setting.measure == "accuracy" else ()
    measure, view = Field(MEASURE, "Least"), Field(parameters.BEST_VIEW, "Show")
    return EPSILON, DELTA, *level, _PROMISE, measure, view


def _best(result: GeneralizedGaussianResult, colour: Colours) -> Iterator[Part]:
    views: dict[str, Drawn] = {"map": exhibits.best_map, "curves": exhibits.best_p, "saving": exhibits.saving}
    view = result.setting.best_view
    yield views[view](result, colour)
    if view == "curves":
        yield Fields((Field(DELTAS, "δ of the curves, apart by commas", DELTAS_HELP),))
    if view == "map":
        yield best_text.map_words(result.setting)


def _bounded_strip(result: GeneralizedGaussianResult) -> Sequence[Field | Parameter]:
    return EPSILON, P, L2_SENSITIVITY, value_between(result), Field(parameters.BOUNDED_VIEW, "Show")


def value_between(result: GeneralizedGaussianResult) -> Quantity:
    """The true value with steps from bound to bound."""
    setting = result.setting
    steps = np.linspace(setting.bound_low, setting.bound_high, _N_STEPS + 1)
    return replace(VALUE, scale=tuple(dict.fromkeys(exact_text(float(f"{step:.6g}")) for step in steps)))


def _bounded(result: GeneralizedGaussianResult, colour: Colours) -> Iterator[Part]:
    errors = result.setting.bounded_view == "errors"
    yield exhibits.bounded_errors(result, colour) if errors else exhibits.bounded_densities(result, colour)
    error = (Field(parameters.ERROR, "Error"),) if errors else ()
    yield Fields((LOW, HIGH, DELTA, *error))
    yield bounded_text.sensitivity_words(result.setting)
    if result.bounded is not None:
        yield exhibits.bounded(result, colour)
        yield f"{bounded_text.scales_words(result.bounded)} {bounded_text.CLIPPING}\n\n{bounded_text.ROUNDING}"


def _exponential_strip(_: GeneralizedGaussianResult) -> Sequence[Field | Parameter]:
    return EPSILON, P, L2_SENSITIVITY, Field(parameters.OVER, "Over"), Field(parameters.SCALE, "Show")


def _exponential(result: GeneralizedGaussianResult, colour: Colours) -> Iterator[Part]:
    over_p = result.setting.over == "p"
    yield exhibits.bounded_shapes(result, colour) if over_p else exhibits.bounded_widths(result, colour)
    yield Fields((LOW, HIGH, DELTA))
    yield bounded_text.sensitivity_words(result.setting)
    if result.bounded is not None:
        yield bounded_text.exponential_words(result.bounded)


SECTIONS = {
    "shapes": Section[GeneralizedGaussianResult](_shapes_strip, _shapes),
    "size": Section[GeneralizedGaussianResult](_size_strip, _size),
    "best": Section[GeneralizedGaussianResult](_best_strip, _best),
    "bounded": Section[GeneralizedGaussianResult](_bounded_strip, _bounded),
    "exponential": Section[GeneralizedGaussianResult](_exponential_strip, _exponential),
}
