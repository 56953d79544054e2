"""The section on the densities of the shapes."""

from collections.abc import Iterator

from pages.framework.export.exhibit import Colours
from pages.framework.layout.section import Field, Fields, Part, Section
from pages.generalized_gaussian import claims, code, parameters
from pages.generalized_gaussian.densities import exhibits, text
from pages.generalized_gaussian.explanation import explanation_text
from pages.generalized_gaussian.results import GeneralizedGaussianResult
from pages.generalized_gaussian.text import GUARANTEE_HELP
from pages.shared.bounded.parameters import P
from pages.shared.formulas import THEORY
from pages.shared.shared_parameters import DELTA, EPSILON, L2_SENSITIVITY, SIGNIFICANCE


def parts(result: GeneralizedGaussianResult, colours: Colours) -> Iterator[Part]:
    """Yield the densities, and the table of the noise of each shape."""
    yield exhibits.densities(result, colours)
    shapes = Field(parameters.SHAPES, "p of the curves, comma-separated", parameters.SHAPES_HELP)
    yield Fields((shapes, Field(parameters.MATCH, "Compare densities at"), SIGNIFICANCE))
    yield exhibits.profiles(result, colours)
    yield text.profile_text(result)
    yield exhibits.noise_table(result, colours)
    yield text.rounding_text(result)


SECTION = Section[GeneralizedGaussianResult](
    controls=lambda _: (EPSILON, DELTA, P, L2_SENSITIVITY, Field(parameters.GUARANTEE, "Guarantee", GUARANTEE_HELP)),
    parts=parts,
    key="shapes",
    name="Shapes",
    answer_text=text.answer_text,
    aim=THEORY,
    explanation=explanation_text,
    exhibits=(exhibits.densities, exhibits.profiles, exhibits.noise_table),
    claims=claims.noise_claims,
    snippets=code.noise_snippets,
)
