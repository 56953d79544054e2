"""The section on where each noise is the smaller."""

from collections.abc import Iterator, Sequence

from pages.framework.export.exhibit import Colours
from pages.framework.layout.section import Field, Fields, Part, Section
from pages.framework.parameters.parameter import Parameter
from pages.laplace_gaussian import claims, code
from pages.laplace_gaussian.crossover import exhibits, text
from pages.laplace_gaussian.explanation import explanation_text
from pages.laplace_gaussian.fields import QUERY_FIELDS, sensitivity_parameters
from pages.laplace_gaussian.recommendation_text import recommendation_by_measure_text
from pages.laplace_gaussian.results import LaplaceGaussianResult
from pages.shared.formulas import THEORY
from pages.shared.shared_parameters import DELTA, EPSILON, MEASURE, SIGNIFICANCE


def controls(result: LaplaceGaussianResult) -> Sequence[Field | Parameter]:
    """Return the parameters of the map."""
    return EPSILON, DELTA, *sensitivity_parameters(result), SIGNIFICANCE, Field(MEASURE, "Compare by")


def parts(result: LaplaceGaussianResult, colours: Colours) -> Iterator[Part]:
    """Yield the map, the size of both noises over the number of counts, and the recommendation by the measure."""
    yield exhibits.noise_map(result, colours)
    yield Fields(QUERY_FIELDS)
    yield text.crossover_text(result)
    yield exhibits.size_over_counts(result, colours)
    if result.has_answer:
        yield recommendation_by_measure_text(result)


SECTION = Section(
    controls=controls,
    parts=parts,
    key="wins",
    name="Where each is smaller",
    answer_text=text.answer_text,
    aim=THEORY,
    explanation=explanation_text,
    exhibits=(exhibits.noise_map, exhibits.size_over_counts),
    claims=claims.claims,
    snippets=code.snippets,
)
