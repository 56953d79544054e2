"""What the page compares: one setting, and the sensitivities of its query."""

from dataclasses import dataclass

from dpcore import laplace_gaussian as rivals
from dpcore.calibrations import Calibration
from dpcore.sensitivity import query_sensitivity, table_sensitivity
from pages.framework.parameters.number_format import format_input_up
from pages.shared.shared_parameters import SharedSetting as Shared

ErrorPair = tuple[dict[str, float], dict[str, float]]
"""The errors of the Laplace and the Gaussian noise, each by measure."""


@dataclass(frozen=True)
class LaplaceGaussianSetting(Shared):
    """What the page compares."""

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
        return next(each for each in rivals.CALIBRATIONS if each.key == self.gaussian)

    @property
    def promise(self) -> str:
        """ε and δ in words."""
        return f"ε = {format_input_up(self.epsilon)}, δ = {format_input_up(self.delta)}"
