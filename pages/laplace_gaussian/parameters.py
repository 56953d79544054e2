"""What only this page asks: its section and views, the query, the Gaussian's formula, what is held equal."""

from dpcore import laplace_gaussian as rivals
from pages.framework.parameters.kinds import Choice, Correction, Quantity, Values, steps
from pages.framework.parameters.pin import Pin
from pages.shared.formulas import short_name
from pages.shared.shared_parameters import DELTAS, L1_SENSITIVITY, MEASURE, SEED, l1_below_l2

SECTION = Choice(
    "section",
    "section",
    {"reach": "How far", "wins": "Where each wins", "deltas": "Several δ", "density": "Density"},
    "reach",
)
VIEW = Choice("view", "view", {"draws": "Draws", "tails": "Tails"}, "draws")
FUNCTION = Choice("function", "function", {"pdf": "Density", "cdf": "Distribution"}, "pdf")
CASE = Choice("case", "query", {"counts": "Counts", "histogram": "Histogram", "own": "Own Δ₁ and Δ₂"}, "counts")
# fmt: off
_COUNTS = (
    "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "15", "17", "20", "25", "30", "40", "50", "70",
    "100", "150", "200", "300", "500", "700", "1000",
)
# fmt: on
K = Quantity(
    "k",
    "k",
    "Number of counts k that one person is in",
    rivals.MOST_STATISTICS,
    "1",
    help="One person can move each of the k counts by 1, so Δ₁ = k and Δ₂ = √k.",
    ends="← fewer · k · more →",
    scale=_COUNTS,
    whole=True,
)
GAUSSIAN = Choice("gaussian", "Gaussian", {each.key: short_name(each) for each in rivals.CALIBRATIONS}, "analytic")
HOLD = Choice(
    "hold", "what is equal", {"epsilon": "Same ε", "variance": "Same variance", "tail": "Same tail at t"}, "epsilon"
)
T = Quantity(
    "t",
    "t",
    "Distance t from the truth, in query units",
    "[0, 1e12]",
    "5",
    help="How often does each noise go beyond ±t? With “Same tail at t”, both do equally often.",
    ends="← near · t · far →",
    scale=steps(-1, 3, ("1", "1.2", "1.5", "2", "2.5", "3", "4", "5", "6", "7", "8", "9")),
)
CUTOFF = Quantity(
    "cutoff",
    "cutoff",
    "Grey where both tails are below",
    rivals.CUTOFF_RANGE,
    "1e-4",
    help="What happens less often than this is drawn in grey.",
)


def correct(values: Values) -> list[Correction]:
    """Own sensitivities of which the ℓ₁ is below the ℓ₂ one, as none are: the latter is used for both."""
    return l1_below_l2(values) if values[CASE.key] == "own" else []


PINNED = Pin((CASE, K, L1_SENSITIVITY, GAUSSIAN, HOLD, T), correct)
PARAMETERS = (
    SECTION,
    VIEW,
    FUNCTION,
    CASE,
    K,
    GAUSSIAN,
    HOLD,
    T,
    MEASURE,
    DELTAS,
    CUTOFF,
    L1_SENSITIVITY,
    SEED,
    PINNED,
)
