"""The sections of the page, and its answer."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from pages.framework.export.exhibit import Colours, Exhibit
from pages.framework.layout.section import Field, Fields, Part, Section
from pages.framework.parameters.kinds import Parameter, Quantity
from pages.framework.parameters.number_format import exact_text
from pages.generalized_gaussian import best_words, bounded_words, exhibits, parameters, scale_words, words
from pages.generalized_gaussian.found import Found
from pages.generalized_gaussian.parameters import GUARANTEE, HIGH, LOW, VALUE, P
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
_PROMISE = Field(GUARANTEE, "Promise", words.PROMISE_HELP)
Drawn = Callable[[Found, Colours], Exhibit | None]


def answer(found: Found) -> tuple[str, ...]:
    """The answer of the open section, what it means and, beside a kept setting, what has changed."""
    section = found.setting.section
    if section == "best":
        return best_words.answer(found) or words.no_answer(found.setting)
    if section == "bounded":
        return bounded_words.answer(found) or bounded_words.no_answer(found.setting)
    if section == "exponential":
        return bounded_words.exponential_answer(found) or bounded_words.no_answer(found.setting)
    return words.answer(found)


def _shapes_strip(_: Found) -> Sequence[Field | Parameter]:
    return EPSILON, DELTA, P, L2_SENSITIVITY, _PROMISE


def _shapes(found: Found, colour: Colours) -> Iterator[Part]:
    yield exhibits.densities(found, colour)
    listed = Field(parameters.SHAPES, "p of the curves, apart by commas", parameters.SHAPES_HELP)
    yield Fields((listed, Field(parameters.MATCH, "Densities with the"), SIGNIFICANCE))
    yield exhibits.shapes(found, colour)
    yield words.table_words(found.setting)


def _size_strip(found: Found) -> Sequence[Field | Parameter]:
    several = Field(parameters.SENSITIVITIES, "Δ of each", parameters.SENSITIVITIES_HELP)
    moved = {"one": (L2_SENSITIVITY,), "three": (), "own": (several,)}[found.setting.statistics]
    return EPSILON, DELTA, P, *moved, Field(parameters.AGAINST, "Against")


def _size(found: Found, colour: Colours) -> Iterator[Part]:
    views: dict[str, Drawn] = {
        "p": exhibits.size_p,
        "epsilon": exhibits.size_epsilon,
        "delta": exhibits.size_delta,
    }
    now = found.setting
    yield views[now.against](found, colour)
    level = (SIGNIFICANCE,) if now.size == "accuracy" else ()
    yield Fields((Field(parameters.SIZE, "Show"), Field(parameters.STATISTICS, "Statistics"), *level))
    if now.together:
        draws = (parameters.DRAWS, SEED) if now.monte_carlo == "on" else ()
        yield Fields((Field(parameters.MONTE_CARLO, "The paper's Monte Carlo"), *draws))
    yield scale_words.statistics_words(found)
    yield scale_words.draws_words(found) if now.together else None


def _best_strip(found: Found) -> Sequence[Field | Parameter]:
    level = (SIGNIFICANCE,) if found.setting.measure == "accuracy" else ()
    measure, view = Field(MEASURE, "Least"), Field(parameters.BEST_VIEW, "Show")
    return EPSILON, DELTA, *level, _PROMISE, measure, view


def _best(found: Found, colour: Colours) -> Iterator[Part]:
    views: dict[str, Drawn] = {"map": exhibits.best_map, "curves": exhibits.best_p, "saving": exhibits.saving}
    view = found.setting.best_view
    yield views[view](found, colour)
    if view == "curves":
        yield Fields((Field(DELTAS, "δ of the curves, apart by commas", DELTAS_HELP),))
    if view == "map":
        yield best_words.map_words(found.setting)


def _bounded_strip(found: Found) -> Sequence[Field | Parameter]:
    return EPSILON, P, L2_SENSITIVITY, value_between(found), Field(parameters.BOUNDED_VIEW, "Show")


def value_between(found: Found) -> Quantity:
    """The true value with steps from bound to bound."""
    now = found.setting
    steps = np.linspace(now.bound_low, now.bound_high, _N_STEPS + 1)
    return replace(VALUE, scale=tuple(dict.fromkeys(exact_text(float(f"{step:.6g}")) for step in steps)))


def _bounded(found: Found, colour: Colours) -> Iterator[Part]:
    errors = found.setting.bounded_view == "errors"
    yield exhibits.bounded_errors(found, colour) if errors else exhibits.bounded_densities(found, colour)
    error = (Field(parameters.ERROR, "Error"),) if errors else ()
    yield Fields((LOW, HIGH, DELTA, *error))
    yield bounded_words.sensitivity_words(found.setting)
    if found.bounded is not None:
        yield exhibits.bounded(found, colour)
        yield f"{bounded_words.scales_words(found.bounded)} {bounded_words.CLIPPING}\n\n{bounded_words.ROUNDING}"


def _exponential_strip(_: Found) -> Sequence[Field | Parameter]:
    return EPSILON, P, L2_SENSITIVITY, Field(parameters.OVER, "Over"), Field(parameters.SCALE, "Show")


def _exponential(found: Found, colour: Colours) -> Iterator[Part]:
    over_p = found.setting.over == "p"
    yield exhibits.bounded_shapes(found, colour) if over_p else exhibits.bounded_widths(found, colour)
    yield Fields((LOW, HIGH, DELTA))
    yield bounded_words.sensitivity_words(found.setting)
    if found.bounded is not None:
        yield bounded_words.exponential_words(found.bounded)


SECTIONS = {
    "shapes": Section[Found](_shapes_strip, _shapes),
    "size": Section[Found](_size_strip, _size),
    "best": Section[Found](_best_strip, _best),
    "bounded": Section[Found](_bounded_strip, _bounded),
    "exponential": Section[Found](_exponential_strip, _exponential),
}
