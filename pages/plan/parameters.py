"""The parameters of this page alone: what is known, the guarantee, the periods, the list, the pin; and their fields."""

from collections.abc import Sequence
from dataclasses import replace

from pages.framework.layout.section import Field
from pages.framework.parameters.kinds import Choice, Pin, Quantity
from pages.framework.parameters.parameter import Parameter
from pages.plan.queries import QUERIES
from pages.plan.results import PlanResult
from pages.shared import shared_parameters
from pages.shared.conditions import CONDITION_PARAMETERS
from pages.shared.counts.table import NEIGHBOURS
from pages.shared.shared_parameters import DELTA, EPSILON, SIGNIFICANCE

DIRECTION = Choice("direction", "what you know", {"errors": "The errors", "total": "The total"}, "errors")
SHOW = Choice("show", "picture", {"queries": "Each query", "factor": "Total against error"}, "queries")
GUARANTEE = replace(shared_parameters.GUARANTEE, older_default="delta")
PERIODS = Quantity(
    "periods",
    "times released",
    "Times the whole list is released",
    "[1, 1e4]",
    "1",
    help="1 for once; 12 for a list that is released every month of a year, with fresh noise. ε and δ are those of all "
    "times together.",
    whole=True,
    scale=("1", "2", "3", "4", "5", "6", "7", "8", "10", "12", "20", "24", "30", "52", "100", "200", "365"),
    caption="times released",
)
FACTOR = Quantity(
    "factor",
    "factor",
    "Common factor on all wanted errors",
    "[1e-3, 1e3]",
    "1",
    help="2 makes every wanted error twice as large. Fixed noise stays.",
    ends="← smaller errors · factor · larger errors →",
    scale=(
        *("0.1", "0.12", "0.15", "0.2", "0.25", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9", "1", "1.1", "1.2"),
        *("1.3", "1.5", "1.7", "2", "2.5", "3", "4", "5", "6", "8", "10"),
    ),
    caption="common factor",
)
_PINNABLE: tuple[Parameter, ...] = (DIRECTION, GUARANTEE, NEIGHBOURS, PERIODS, QUERIES, FACTOR, *CONDITION_PARAMETERS)
PARAMETERS: tuple[Parameter, ...] = (SHOW, *_PINNABLE, Pin(_PINNABLE))
_TOTAL = Field(EPSILON, help=f"Of all queries and all times together. {EPSILON.help}")


def controls(result: PlanResult) -> Sequence[Field | Parameter]:
    """Return what is known, its number, and how often all is published: the queries have an editor of their own."""
    return Field(DIRECTION, "I know"), _TOTAL if result.is_epsilon_set else FACTOR, PERIODS, Field(SHOW, "Show")


def more_settings(result: PlanResult) -> Sequence[Field | Parameter]:
    """Return the fields that few users change: the terms of ± and of the guarantee."""
    delta = () if result.setting.plan_delta == 0 else (DELTA,)
    return SIGNIFICANCE, Field(GUARANTEE, "Guarantee"), *delta, Field(NEIGHBOURS, "Neighbours")
