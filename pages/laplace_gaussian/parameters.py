"""The parameters of this page: views, the query, the Gaussian's formula, what both noises have in common."""

from dataclasses import dataclass

from dpcore import laplace_gaussian
from dpcore.calibrations import Calibration
from dpcore.sensitivity import query_sensitivity, table_sensitivity
from pages.framework.parameters.kinds import Choice, Correction, Quantity, Values, steps
from pages.framework.parameters.number_format import format_input_up
from pages.framework.parameters.pin import Pin
from pages.shared.formulas import short_name
from pages.shared.shared_parameters import DELTAS, L1_SENSITIVITY, MEASURE, SEED, SharedSetting, l1_below_l2

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
    laplace_gaussian.MOST_STATISTICS,
    "1",
    help="One person can move each of the k counts by 1, so Δ₁ = k and Δ₂ = √k.",
    ends="← fewer · k · more →",
    scale=_COUNTS,
    whole=True,
    caption="k · counts per person",
)
GAUSSIAN = Choice(
    "gaussian",
    "Gaussian",
    {calibration.key: short_name(calibration) for calibration in laplace_gaussian.CALIBRATIONS},
    "analytic",
)
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
    caption="t · distance",
)
CUTOFF = Quantity(
    "cutoff",
    "cutoff",
    "Grey where both tails are below",
    laplace_gaussian.CUTOFF_RANGE,
    "1e-4",
    help="What happens less often than this is drawn in grey.",
    caption="grey below",
)


@dataclass(frozen=True)
class LaplaceGaussianSetting(SharedSetting):
    """The values of the parameters of the page."""

    case: str
    k: float
    gaussian: str
    hold: str
    t: float
    measure: str
    deltas: tuple[float, ...]
    cutoff: float
    l1_sensitivity: float
    seed: float

    @property
    def norms(self) -> tuple[float, float]:
        """Δ₁ and Δ₂ of the query."""
        if self.case == "own":
            return self.l1_sensitivity, self.l2_sensitivity
        person = query_sensitivity("histogram") if self.case == "histogram" else table_sensitivity(self.k)
        return float(person.l1), float(person.l2)

    @property
    def l1(self) -> float:
        """Δ₁ of the query."""
        return self.norms[0]

    @property
    def l2(self) -> float:
        """Δ₂ of the query."""
        return self.norms[1]

    @property
    def calibration(self) -> Calibration:
        """The formula of the Gaussian."""
        return next(calibration for calibration in laplace_gaussian.CALIBRATIONS if calibration.key == self.gaussian)

    @property
    def guarantee_text(self) -> str:
        """ε and δ in words."""
        return f"ε = {format_input_up(self.epsilon)}, δ = {format_input_up(self.delta)}"


def correct(values: Values) -> list[Correction]:
    """Return a correction where the user's ℓ₁ sensitivity is below the ℓ₂ one, as no query has."""
    return l1_below_l2(values) if values[CASE.key] == "own" else []


PINNED = Pin((CASE, K, L1_SENSITIVITY, GAUSSIAN, HOLD, T), correct)
PARAMETERS = (VIEW, FUNCTION, CASE, K, GAUSSIAN, HOLD, T, MEASURE, DELTAS, CUTOFF, L1_SENSITIVITY, SEED, PINNED)
