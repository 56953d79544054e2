"""The parameters of this page alone: the curves, where and how they are read, an attack, and a pinned setting."""

from dpcore import audit
from pages.framework.layout.merged_section import picture_choice
from pages.framework.parameters.kinds import Choice, Quantity
from pages.framework.parameters.list_parameter import Listing
from pages.framework.parameters.parameter import Parameter
from pages.framework.parameters.pin import Pin
from pages.shared.shared_parameters import ALPHA, PRIOR, SEED
from pages.tradeoff.attack.upload import AttackCounts
from pages.tradeoff.curve_list import CurveItem, curves_parameter
from pages.tradeoff.noise_from_risk import parameters as risk_parameters

CONFIDENCE = Quantity(
    "confidence",
    "confidence",
    "Confidence of the bounds",
    audit.CONFIDENCE_RANGE,
    "0.95",
    help="All bounds on the true error rates of the attack hold at once with at least this probability.",
    ends="← lower · confidence · higher →",
    scale=("0.5", "0.8", "0.9", "0.95", "0.99", "0.999"),
    caption="confidence of the bounds",
)
SHOW = picture_choice("show", {"curves": "All curves", "quote": "One (ε, δ) or μ"})
VIEW = Choice("view", "view", {"power": "Power", "errors": "Errors", "log": "Power, log–log"}, "power")
QUOTE = Choice("quote", "quoted", {"delta": "at this δ", "epsilon": "at this ε"}, "delta")
ATTACK = AttackCounts()


def own_parameters(curves: Listing[CurveItem]) -> tuple[Parameter, ...]:
    """Return the parameters of the page with this list of curves."""
    own = SHOW, VIEW, curves, ALPHA, PRIOR, QUOTE, ATTACK, CONFIDENCE, SEED
    return *own, *risk_parameters.PARAMETERS, Pin((ALPHA, PRIOR, curves, *risk_parameters.PARAMETERS))


PARAMETERS = own_parameters(curves_parameter({}))
