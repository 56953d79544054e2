"""What only this page asks: its section and view, the bound that sets the noise on counts, and a kept setting."""

from dpcore import comparison
from pages.shared.common import Pin
from pages.shared.formulas import short_name
from pages.shared.parameters import Choice

SECTION = Choice(
    "section",
    "section",
    {
        "bounds": "Which bound",
        "profile": "What each σ gives",
        "pdp": "pDP against classical",
        "counts": "On a real table",
    },
    "bounds",
)
VIEW = Choice(
    "view", "view", {"ratio": "Ratio to what is needed", "epsilon": "σ against ε", "delta": "σ against δ"}, "ratio"
)
BOUND = Choice("bound", "bound", {each.key: short_name(each) for each in comparison.CALIBRATIONS}, "analytic")
PINNED = Pin((BOUND,))
OWN = (SECTION, VIEW, BOUND, PINNED)
