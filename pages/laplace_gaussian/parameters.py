"""What only this page asks: the query, the Gaussian's formula, what is held equal, and how the noises are compared."""

from dpcore import laplace_gaussian as rivals
from pages.shared.common import DELTAS, L1_SENSITIVITY, MEASURE, SEED, l1_below_l2
from pages.shared.formulas import short_name
from pages.shared.parameters import Choice, Correction, Quantity, Values, steps

CASE = Choice("case", "query", {"counts": "Counts", "histogram": "Histogram", "own": "Own Δ₁ and Δ₂"}, "counts")
K = Quantity(
    "k",
    "k",
    "Number of counts k that one person is in",
    rivals.MOST_STATISTICS,
    "1",
    help="One person can move each of the k counts by 1, so Δ₁ = k and Δ₂ = √k.",
    ends="← fewer · k · more →",
    scale=("1", "2", "3", "4", "5", "6", "8", "9", "10", "13", "15", "20", "30", "50", "100", "200", "500", "1000"),
    whole=True,
)
GAUSSIAN = Choice("gaussian", "Gaussian", {each.key: short_name(each) for each in rivals.CALIBRATIONS}, "analytic")
HOLD = Choice(
    "hold", "what is equal", {"epsilon": "Same ε", "variance": "Same variance", "tail": "Same tail at t"}, "epsilon"
)
T = Quantity(
    "t",
    "t",
    "Distance t at which the tails agree, in query units",
    "[0, 1e12]",
    "5",
    help="Both noises then go beyond ±t equally often.",
    ends="← near · t · far →",
    scale=steps(-1, 3, ("1", "2", "5")),
)
CUTOFF = Quantity(
    "cutoff",
    "cutoff",
    "Grey where both tails are below",
    rivals.CUTOFF_RANGE,
    "1e-4",
    help="What happens less often than this is drawn in grey.",
)
OWN = (CASE, K, GAUSSIAN, HOLD, T, MEASURE, DELTAS, CUTOFF, L1_SENSITIVITY, SEED)


def correct(values: Values) -> list[Correction]:
    """Own sensitivities of which the ℓ₁ is below the ℓ₂ one, as none are: the latter is used for both."""
    return l1_below_l2(values) if values[CASE.key] == "own" else []
