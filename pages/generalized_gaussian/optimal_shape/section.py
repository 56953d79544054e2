"""The section on the shape p with the least noise."""

from collections.abc import Iterator, Sequence

from pages.framework.export.exhibit import Colours
from pages.framework.layout.section import Field, Fields, Part, Section
from pages.framework.parameters.parameter import Parameter
from pages.generalized_gaussian import claims, code, parameters
from pages.generalized_gaussian.explanation import explanation_text
from pages.generalized_gaussian.optimal_shape import exhibits, text
from pages.generalized_gaussian.results import GeneralizedGaussianResult
from pages.generalized_gaussian.text import GUARANTEE_HELP
from pages.shared.formulas import BASIS, SAMPLER, THEORY
from pages.shared.shared_parameters import DELTA, DELTAS, DELTAS_HELP, EPSILON, MEASURE, SIGNIFICANCE

_EXHIBITS = {
    "map": exhibits.best_map,
    "curves": exhibits.best_p,
    "saving": exhibits.saving,
    "floor": exhibits.floor,
    "floor_delta": exhibits.floor_delta,
    "floor_map": exhibits.floor_map,
}


def controls(result: GeneralizedGaussianResult) -> Sequence[Field | Parameter]:
    """Return the parameters of the map and the curves of the best p."""
    level = (SIGNIFICANCE,) if result.setting.measure == "accuracy" else ()
    guarantee = Field(parameters.GUARANTEE, "Guarantee", GUARANTEE_HELP)
    measure, view = Field(MEASURE, "Minimised error"), Field(parameters.BEST_VIEW, "Show")
    return EPSILON, DELTA, *level, guarantee, measure, view


def parts(result: GeneralizedGaussianResult, colours: Colours) -> Iterator[Part]:
    """Yield the map or the curves of the best p."""
    view = result.setting.best_view
    yield _EXHIBITS[view](result, colours)
    if view == "curves":
        yield Fields((Field(DELTAS, "δ of the curves, comma-separated", DELTAS_HELP),))
    if view == "map":
        yield text.map_text(result.setting)
    if view in ("floor", "floor_delta"):
        yield text.FLOOR_TEXT
    if view == "floor_map":
        yield text.remaining_map_text(result)
    yield f"{text.floor_text(result)}\n\n{BASIS}\n\n{SAMPLER}".strip()


SECTION = Section(
    controls=controls,
    parts=parts,
    key="best",
    name="Which p",
    answer_text=text.answer_text,
    aim=THEORY,
    explanation=explanation_text,
    exhibits=tuple(_EXHIBITS.values()),
    claims=claims.optimal_shape_claims,
    snippets=code.optimal_shape_snippets,
)
