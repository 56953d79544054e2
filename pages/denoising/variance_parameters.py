"""What the section on Experiment 5.1 asks."""

from pages.shared.common import DELTAS
from pages.shared.parameters import Choice, Parameter

VARIANCE_AGAINST = Choice(
    "variance_against", "what the ratio is drawn against", {"epsilon": "ε", "delta": "δ"}, "epsilon"
)
OWN: tuple[Parameter, ...] = (VARIANCE_AGAINST, DELTAS)
