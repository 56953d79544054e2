"""The section on the exponential mechanism within the bounds of a statistic."""

from collections.abc import Iterator, Sequence

from pages.framework.export.exhibit import Colours
from pages.framework.layout.section import Field, Fields, Part, Section
from pages.framework.parameters.kinds import Parameter
from pages.generalized_gaussian import claims, code, parameters
from pages.generalized_gaussian.bounded.text import sensitivity_text
from pages.generalized_gaussian.explanation import explanation_text
from pages.generalized_gaussian.exponential import exhibits, text
from pages.generalized_gaussian.results import GeneralizedGaussianResult
from pages.shared.shared_parameters import DELTA, EPSILON, L2_SENSITIVITY

_EXHIBITS = {"p": exhibits.scales_over_p, "width": exhibits.scales_over_width}


def controls(_: GeneralizedGaussianResult) -> Sequence[Field | Parameter]:
    """Return the parameters of the scales."""
    return (
        EPSILON,
        parameters.P,
        L2_SENSITIVITY,
        Field(parameters.OVER, "Horizontal axis"),
        Field(parameters.SCALE, "Show"),
    )


def parts(result: GeneralizedGaussianResult, colours: Colours) -> Iterator[Part]:
    """Yield the scales of the mechanisms over p or over the width of the bounds."""
    yield _EXHIBITS[result.setting.over](result, colours)
    yield Fields((parameters.LOW, parameters.HIGH, DELTA))
    yield sensitivity_text(result.setting)
    if result.bounded is not None:
        yield text.lemma_text(result.bounded)


SECTION = Section(
    controls=controls,
    parts=parts,
    key="exponential",
    name="Exponential mechanism",
    answer_text=text.answer_text,
    explanation=explanation_text,
    exhibits=tuple(_EXHIBITS.values()),
    claims=claims.bounded_claims,
    snippets=code.exponential_snippets,
)
