"""The parameters of this page alone: the curves, where and how they are read, an attack, and a pinned setting."""

from dpcore import audit, checks
from pages.framework.parameters.kinds import Choice, Quantity, steps
from pages.framework.parameters.list_parameter import Listing
from pages.framework.parameters.parameter import Parameter
from pages.framework.parameters.pin import Pin
from pages.shared.shared_parameters import SEED
from pages.tradeoff.attack.upload import AttackCounts
from pages.tradeoff.curve_list import CurveItem, curves_parameter
from pages.tradeoff.noise_from_risk import parameters as risk_parameters

# fmt: off
_ALPHAS = (  # small steps on the wide part of the linear axis too
    "0.01", "0.015", "0.02", "0.03", "0.04", "0.05", "0.06", "0.08", "0.1", "0.12", "0.15", "0.18", "0.2", "0.25",
    "0.3", "0.35", "0.4", "0.45", "0.5", "0.55", "0.6", "0.65", "0.7", "0.75", "0.8", "0.85", "0.9", "0.95", "0.99",
    "1",
)
# fmt: on
ALPHA = Quantity(
    "alpha",
    "α",
    "False positive rate α that the attacker accepts",
    checks.PROBABILITY_RANGE,
    "0.05",
    help="The false positive rate (type I error) is the share of people who are not in the data and whom the test "
    "accuses. It is not the share of wrong accusations, which depends on the prior. You can also click in the chart "
    "or drag its dashed line.",
    ends="← fewer false positives · α · more →",
    scale=(*steps(-10, -2, ("1", "2", "5"))[:-1], *_ALPHAS),
    caption="α · false positive rate",
)
PRIOR = Quantity(
    "prior",
    "prior probability",
    "Prior probability of membership",
    checks.PRIOR_RANGE,
    "0.1",
    help="The probability, before the test, that the person is in the data. Every posterior depends on it.",
    ends="← improbable · prior · nearly certain →",
    scale=("1e-6", "1e-5", "1e-4", "0.001", "0.01", "0.02", "0.05", "0.1", "0.2", "0.3", "0.5", "0.7", "0.9", "0.99"),
    caption="prior probability",
)
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
VIEW = Choice("view", "view", {"power": "Power", "errors": "Errors", "log": "Power, log–log"}, "power")
QUOTE = Choice("quote", "quoted", {"delta": "at this δ", "epsilon": "at this ε"}, "delta")
ATTACK = AttackCounts()


def _pin(curves: Listing[CurveItem]) -> Pin:
    return Pin((ALPHA, PRIOR, curves, *risk_parameters.PARAMETERS))


def own_parameters(curves: Listing[CurveItem]) -> tuple[Parameter, ...]:
    """Return the parameters of the page with this list of curves."""
    own = VIEW, curves, ALPHA, PRIOR, QUOTE, ATTACK, CONFIDENCE, SEED
    return *own, *risk_parameters.PARAMETERS, _pin(curves)


PARAMETERS = own_parameters(curves_parameter({}))
