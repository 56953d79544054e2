"""The section on noise within the bounds of a statistic."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from pages.framework.export.exhibit import Colours
from pages.framework.layout.section import Field, Fields, Part, Section
from pages.framework.parameters.kinds import Quantity
from pages.framework.parameters.number_format import exact_text
from pages.framework.parameters.parameter import Parameter
from pages.generalized_gaussian import claims, code, parameters
from pages.generalized_gaussian.bounded import exhibits, text
from pages.generalized_gaussian.explanation import explanation_text
from pages.generalized_gaussian.parameters import VALUE
from pages.generalized_gaussian.results import GeneralizedGaussianResult
from pages.shared.bounded.parameters import HIGH, LOW, P
from pages.shared.bounded.text import sensitivity_text
from pages.shared.shared_parameters import DELTA, EPSILON, L2_SENSITIVITY

_N_STEPS = 40  # of the true value, between the bounds


def true_value_parameter(result: GeneralizedGaussianResult) -> Quantity:
    """Return the parameter of the true value with steps from bound to bound."""
    setting = result.setting
    steps = np.linspace(setting.bound_low, setting.bound_high, _N_STEPS + 1)
    return replace(VALUE, scale=tuple(dict.fromkeys(exact_text(float(f"{step:.6g}")) for step in steps)))


def controls(result: GeneralizedGaussianResult) -> Sequence[Field | Parameter]:
    """Return the parameters of the errors and densities within the bounds."""
    return EPSILON, P, L2_SENSITIVITY, true_value_parameter(result), Field(parameters.BOUNDED_VIEW, "Show")


def parts(result: GeneralizedGaussianResult, colours: Colours) -> Iterator[Part]:
    """Yield the errors or the densities within the bounds, and the table of the mechanisms."""
    shows_errors = result.setting.bounded_view == "errors"
    yield exhibits.bounded_errors(result, colours) if shows_errors else exhibits.bounded_densities(result, colours)
    error = (Field(parameters.ERROR, "Error"),) if shows_errors else ()
    yield Fields((LOW, HIGH, DELTA, *error))
    yield sensitivity_text(result.setting)
    if result.bounded is not None:
        yield exhibits.mechanism_table(result, colours)
        sentences = (text.errors_text(result.bounded), text.scales_text(result.bounded), text.CLIPPING)
        yield f"{' '.join(sentences)}\n\n{text.ROUNDING}"


SECTION = Section(
    controls=controls,
    parts=parts,
    key="bounded",
    name="Within bounds",
    answer_text=text.answer_text,
    explanation=explanation_text,
    exhibits=(exhibits.bounded_errors, exhibits.bounded_densities, exhibits.mechanism_table),
    claims=claims.bounded_claims,
    snippets=code.bounded_snippets,
)
