"""The section on the densities of both noises."""

from collections.abc import Iterator, Sequence

from dpcore import gaussian, laplace
from dpcore.calibrations import FAILS
from pages.framework.export.exhibit import Colours
from pages.framework.layout.section import Field, Fields, Part, Section
from pages.framework.parameters.number_format import format_nearest, format_up
from pages.framework.parameters.parameter import Parameter
from pages.laplace_gaussian import claims, code
from pages.laplace_gaussian.crossover.text import UNAVAILABLE
from pages.laplace_gaussian.densities import exhibits
from pages.laplace_gaussian.explanation import explanation_text
from pages.laplace_gaussian.fields import COMPARISON_FIELDS, distance_parameters, sensitivity_parameters
from pages.laplace_gaussian.parameters import FUNCTION
from pages.laplace_gaussian.recommendation_text import recommendation_text
from pages.laplace_gaussian.results import LaplaceGaussianResult
from pages.laplace_gaussian.text import common_text, no_answer_text, pinned_text
from pages.shared.formulas import THEORY
from pages.shared.laplace_query import gaussian_name
from pages.shared.shared_parameters import DELTA, EPSILON, SIGNIFICANCE

_RATIO_AT_ZERO = float(laplace.pdf(0.0, 1.0) / gaussian.pdf(0.0, 1.0))  # of the densities, both of scale 1


def answer_text(result: LaplaceGaussianResult) -> tuple[str, ...]:
    """Return the error within which half of the releases of each noise are, and how their densities differ."""
    if not result.has_answer:
        return no_answer_text(result.setting)
    setting, name = result.setting, gaussian_name(result.calibration)
    place = f"At {setting.guarantee_text}" if setting.hold == "epsilon" else f"With the {common_text(setting)}"
    half_laplace, half_gaussian = (format_up(noise.half_width(0.5)) for noise in result.noises)
    first = f"{place}, half of all errors are within ±{half_laplace} (Laplace noise) and ±{half_gaussian} ({name})."
    pinned = () if result.pinned is None else (pinned_text(result, result.pinned),)
    return first, _shapes_sentence(result), *pinned


def _shapes_sentence(result: LaplaceGaussianResult) -> str:
    """Return how much higher the density of Laplace noise is at 0, and which noise has the heavier tails."""
    ratio = format_nearest(_RATIO_AT_ZERO * (result.noises.gaussian.scale / result.noises.laplace.scale), 3)
    at_zero = "the same density at 0 as the Gaussian" if ratio == "1" else f"{ratio} times the Gaussian’s density at 0"
    if result.noises.gaussian.status == FAILS:
        return f"Laplace noise has {at_zero}, but this Gaussian violates its guarantee: do not use it."
    return f"Laplace noise has {at_zero}, but heavier tails; “Errors” compares them at your confidence."


def controls(result: LaplaceGaussianResult) -> Sequence[Field | Parameter]:
    """Return the parameters of the densities."""
    own = *sensitivity_parameters(result), *distance_parameters(result)
    return EPSILON, DELTA, *own, SIGNIFICANCE, Field(FUNCTION, "Show")


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
    answer_text=answer_text,
    aim=THEORY,
    explanation=explanation_text,
    exhibits=(exhibits.densities,),
    claims=claims.claims,
    snippets=code.snippets,
)
