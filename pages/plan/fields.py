"""The fields of the page, which its sections share."""

from collections.abc import Sequence

from pages.framework.layout.section import Field
from pages.framework.parameters.parameter import Parameter
from pages.plan.parameters import DIRECTION, FACTOR, GUARANTEE, PERIODS
from pages.plan.results import PlanResult
from pages.shared.counts.parameters import NEIGHBOURS
from pages.shared.shared_parameters import DELTA, EPSILON, SIGNIFICANCE


def controls(result: PlanResult) -> Sequence[Field | Parameter]:
    """Return the fields that change the lead picture: those of what is known, and of the guarantee."""
    setting = result.setting
    known = (EPSILON,) if result.is_epsilon_set else (FACTOR,)
    delta = () if setting.plan_delta == 0 else (DELTA,)
    return (
        Field(DIRECTION, "What you know"),
        *known,
        *delta,
        SIGNIFICANCE,
        PERIODS,
        Field(GUARANTEE, "Guarantee"),
        Field(NEIGHBOURS, "Neighbouring data sets"),
    )
