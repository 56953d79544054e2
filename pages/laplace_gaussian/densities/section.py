"""The section on the densities of both noises."""

from collections.abc import Iterator, Sequence

from pages.framework.export.exhibit import Colours
from pages.framework.layout.section import Field, Fields, Part, Section
from pages.framework.parameters.parameter import Parameter
from pages.laplace_gaussian import claims, code
from pages.laplace_gaussian.crossover.text import UNAVAILABLE
from pages.laplace_gaussian.densities import exhibits, text
from pages.laplace_gaussian.explanation import explanation_text
from pages.laplace_gaussian.fields import COMPARISON_FIELDS, distance_parameters, sensitivity_parameters
from pages.laplace_gaussian.parameters import FUNCTION
from pages.laplace_gaussian.recommendation_text import recommendation_text
from pages.laplace_gaussian.results import LaplaceGaussianResult
from pages.shared.shared_parameters import DELTA, EPSILON


def controls(result: LaplaceGaussianResult) -> Sequence[Field | Parameter]:
    """Return the parameters of the densities."""
    return EPSILON, DELTA, *sensitivity_parameters(result), *distance_parameters(result), Field(FUNCTION, "Show")


def parts(result: LaplaceGaussianResult, colours: Colours) -> Iterator[Part]:
    """Yield the densities and the recommendation."""
    yield exhibits.densities(result, colours)
    yield Fields(COMPARISON_FIELDS)
    yield recommendation_text(result) if result.has_answer else UNAVAILABLE["epsilon"]


SECTION = Section(
    controls=controls,
    parts=parts,
    key="density",
    name="Density",
    answer_text=text.answer_text,
    explanation=explanation_text,
    exhibits=(exhibits.densities,),
    claims=claims.claims,
    snippets=code.snippets,
)
