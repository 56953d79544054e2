"""What only this page asks: the curves, where and how they are read, and an attack."""

from dpcore import audit, checks
from pages.shared.common import SEED
from pages.shared.listings import Listing
from pages.shared.parameters import Choice, Parameter, Quantity, steps
from pages.tradeoff.attack import Counts
from pages.tradeoff.curves import Item, listing

ALPHA = Quantity(
    "alpha",
    "α",
    "False alarms α that the attacker accepts",
    checks.PROBABILITY_RANGE,
    "0.05",
    help="The type I error: the share of tests that accuse somebody who is not in the data. Or click a curve in the "
    "chart.",
    ends="← fewer false alarms · α · more →",
    scale=(*steps(-10, -1, ("1", "2", "5")), "0.2", "0.5", "1"),
)
PRIOR = Quantity(
    "prior",
    "prior",
    "Prior: how sure the attacker is beforehand",
    checks.PRIOR_RANGE,
    "0.1",
    help="The probability, before the test, that the person is in the data. Every posterior depends on it.",
    ends="← a wild guess · prior · nearly sure →",
    scale=("1e-6", "1e-5", "1e-4", "0.001", "0.01", "0.02", "0.05", "0.1", "0.2", "0.3", "0.5", "0.7", "0.9", "0.99"),
)
CONFIDENCE = Quantity(
    "confidence",
    "confidence",
    "Confidence of the bounds",
    audit.CONFIDENCE_RANGE,
    "0.95",
    help="The bounds on the attack's true errors hold all at once with at least this probability.",
    ends="← bolder · confidence · surer →",
    scale=("0.5", "0.8", "0.9", "0.95", "0.99", "0.999"),
)
VIEW = Choice("view", "view", {"errors": "Errors", "power": "Power", "log": "Power, log–log"}, "errors")
QUOTE = Choice("quote", "quoted", {"delta": "at δ of the sidebar", "epsilon": "at ε of the sidebar"}, "delta")
ATTACK = Counts()


def own(curves: Listing[Item]) -> tuple[Parameter, ...]:
    """The page's own parameters, with this list of curves."""
    return curves, ALPHA, PRIOR, VIEW, QUOTE, ATTACK, CONFIDENCE, SEED


OWN = own(listing({}))
