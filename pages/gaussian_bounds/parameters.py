"""The parameters of this page alone: the view of the first section, and the pinned setting."""

from pages.framework.parameters.kinds import Choice
from pages.framework.parameters.pin import Pin

VIEW = Choice(
    "view", "view", {"ratio": "Ratio to the minimum", "epsilon": "σ against ε", "delta": "σ against δ"}, "ratio"
)
PINNED = Pin(retired_keys=("bound",))  # the bound that set the noise on a table of counts
PARAMETERS = (VIEW, PINNED)
