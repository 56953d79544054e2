"""The query for which Laplace noise is compared with Gaussian noise: its parameters, its sensitivities, its names."""

from dataclasses import dataclass
from functools import cached_property

from dpcore import laplace_gaussian
from dpcore.calibrations import LAPLACE, PDP, Calibration
from dpcore.sensitivity import query_sensitivity, table_sensitivity
from pages.framework.parameters.kinds import Choice, Quantity, steps
from pages.framework.parameters.number_format import format_input_down, format_input_up, format_nearest, uncapitalized
from pages.framework.parameters.parameter import Correction, Values
from pages.shared.formulas import short_name
from pages.shared.shared_parameters import L1_SENSITIVITY, L2_SENSITIVITY, SharedSetting, l1_below_l2, more_text

CASE = Choice("case", "statistic", {"counts": "Counts", "histogram": "Histogram", "own": "Own Δ₁ and Δ₂"}, "counts")
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
    help="One person can move each of the k counts by 1, so Δ₁ = k and Δ₂ = √k."
    + more_text("sensitivity", "sensitivity"),
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


@dataclass(frozen=True)
class LaplaceQuerySetting(SharedSetting):
    """The values of the parameters of the query and of the Gaussian that is compared."""

    case: str
    k: float
    gaussian: str
    t: float
    l1_sensitivity: float

    @cached_property
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


def query_corrections(values: Values) -> list[Correction]:
    """Return a correction where the user's ℓ₁ sensitivity is below the ℓ₂ one, as no query has."""
    return l1_below_l2(values) if values[CASE.key] == "own" else []


def sensitivity_parameters(case: str) -> tuple[Quantity, ...]:
    """Return the parameters from which the sensitivities of the query follow."""
    return {"counts": (K,), "own": (L1_SENSITIVITY, L2_SENSITIVITY), "histogram": ()}[case]


def gaussian_name(calibration: Calibration) -> str:
    """Return the Gaussian's name within a sentence."""
    return calibration.name if calibration is PDP else uncapitalized(calibration.name)


def sensitivity_pair(setting: LaplaceQuerySetting) -> str:
    """Return both sensitivities."""
    return f"Δ₁ = {sensitivity_text(setting, setting.l1)}, Δ₂ = {sensitivity_text(setting, setting.l2)}"


def sensitivity_text(setting: LaplaceQuerySetting, sensitivity: float) -> str:
    """Return a sensitivity: an entered one is rounded down, a computed one up."""
    return format_input_down(sensitivity) if setting.case == "own" else format_input_up(sensitivity)


def no_laplace_text(epsilon: float) -> tuple[str, str]:
    """Return the sentences for an ε that is too small for Laplace noise."""
    return (
        f"At ε = {format_input_up(epsilon)} Laplace noise has no answer.",
        f"It would have to be infinite, or nearly so: choose an ε of at least {format_nearest(LAPLACE.least_epsilon)}.",
    )
