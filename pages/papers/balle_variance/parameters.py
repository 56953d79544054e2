"""The parameters of the section on Experiment 5.1: the axis of the picture, and the other curves."""

from dpcore import checks
from pages.framework.parameters.kinds import Choice, NumberList, Quantity
from pages.framework.parameters.parameter import Parameter
from pages.shared.shared_parameters import DELTA

VARIANCE_AGAINST = Choice(
    "variance_against",
    "what the ratio is drawn against",
    {"epsilon": "Privacy loss ε", "delta": "Excess probability δ"},
    "epsilon",
)
_EPSILON = Quantity("variance_epsilons", "ε", "Privacy loss parameter ε", checks.POSITIVE_EPSILON_RANGE, "1")
VARIANCE_DELTAS = NumberList("variance_deltas", "δ of the other curves", DELTA, "1e-3, 1e-9, 1e-12", 4)
VARIANCE_EPSILONS = NumberList("variance_epsilons", "ε of the other curves", _EPSILON, "0.01, 0.1, 10", 4)
PARAMETERS: tuple[Parameter, ...] = (VARIANCE_AGAINST, VARIANCE_DELTAS, VARIANCE_EPSILONS)
