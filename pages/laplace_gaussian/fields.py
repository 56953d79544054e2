"""The fields that several sections have."""

from pages.framework.layout.section import Field
from pages.framework.parameters.kinds import Quantity
from pages.laplace_gaussian.parameters import HOLD
from pages.laplace_gaussian.results import LaplaceGaussianResult
from pages.shared import laplace_query
from pages.shared.laplace_query import CASE, GAUSSIAN, T

QUERY_FIELDS = (Field(CASE, "Query"), Field(GAUSSIAN, "Gaussian calibration"))
COMPARISON_FIELDS = (*QUERY_FIELDS, Field(HOLD, "Held equal"))


def sensitivity_parameters(result: LaplaceGaussianResult) -> tuple[Quantity, ...]:
    """Return the parameters from which the sensitivities of the query follow."""
    return laplace_query.sensitivity_parameters(result.setting.case)


def distance_parameters(result: LaplaceGaussianResult) -> tuple[Quantity, ...]:
    """Return the parameter of the distance at which both noises have the same tail, where they have."""
    return (T,) if result.setting.hold == "tail" else ()
