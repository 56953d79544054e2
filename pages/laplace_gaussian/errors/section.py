"""The section on how far the errors of both noises go."""

from collections.abc import Iterator, Sequence

from pages.framework.export.exhibit import Colours
from pages.framework.layout.section import Field, Fields, Part, Section
from pages.framework.parameters.parameter import Parameter
from pages.laplace_gaussian import claims, code, text
from pages.laplace_gaussian.crossover.text import UNAVAILABLE
from pages.laplace_gaussian.errors import exhibits
from pages.laplace_gaussian.errors.tables import ROUNDING
from pages.laplace_gaussian.explanation import explanation_text
from pages.laplace_gaussian.fields import COMPARISON_FIELDS, distance_parameters, sensitivity_parameters
from pages.laplace_gaussian.parameters import VIEW
from pages.laplace_gaussian.recommendation_text import recommendation_text
from pages.laplace_gaussian.results import LaplaceGaussianResult
from pages.shared.shared_parameters import DELTA, EPSILON, SEED, SIGNIFICANCE


def controls(result: LaplaceGaussianResult) -> Sequence[Field | Parameter]:
    """Return the parameters of the draws and the tails."""
    return EPSILON, DELTA, *sensitivity_parameters(result), *distance_parameters(result), Field(VIEW, "Show")


def parts(result: LaplaceGaussianResult, colours: Colours) -> Iterator[Part]:
    """Yield the draws or the tails, the table of both noises, and the recommendation."""
    yield (exhibits.draws if result.view == "draws" else exhibits.tails)(result, colours)
    yield Fields((*COMPARISON_FIELDS, SIGNIFICANCE, *((SEED,) if result.view == "draws" else ())))
    yield text.sensitivities_text(result.setting)
    if not result.has_answer:
        yield UNAVAILABLE["epsilon"]
        return
    yield exhibits.noise_table(result, colours)
    yield ROUNDING
    yield text.GUARANTEES
    yield recommendation_text(result)


SECTION = Section(
    controls=controls,
    parts=parts,
    key="reach",
    name="Errors",
    answer_text=text.answer_text,
    explanation=explanation_text,
    exhibits=(exhibits.draws, exhibits.tails, exhibits.noise_table),
    claims=claims.claims,
    snippets=code.snippets,
)
