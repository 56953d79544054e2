"""The fields of the page."""

from collections.abc import Sequence

from pages.framework.layout.section import Field
from pages.framework.parameters.parameter import Parameter
from pages.plan.parameters import DIRECTION, FACTOR, GUARANTEE, PERIODS, SHOW
from pages.plan.results import PlanResult
from pages.shared.counts.parameters import NEIGHBOURS
from pages.shared.shared_parameters import DELTA, EPSILON, SIGNIFICANCE


def controls(result: PlanResult) -> Sequence[Field | Parameter]:
    """Return what is known, its number, and how often all is published: the queries have an editor of their own."""
    return Field(DIRECTION, "I know"), EPSILON if result.is_epsilon_set else FACTOR, PERIODS, Field(SHOW, "Show")


def more_settings(result: PlanResult) -> Sequence[Field | Parameter]:
    """Return the fields that few users change: the terms of ± and of the guarantee."""
    delta = () if result.setting.plan_delta == 0 else (DELTA,)
    return SIGNIFICANCE, Field(GUARANTEE, "Guarantee"), *delta, Field(NEIGHBOURS, "Neighbouring data sets")
