"""What noise that meets a risk implies, and the detour over a guarantee, as a record."""

from dataclasses import dataclass


@dataclass(frozen=True)
class RiskCalibration:
    """Noise that meets a risk, what it implies, and the detour.

    Attributes
    ----------
    scale : the noise, rounded up: σ, b or s in query units; of DP-SGD the noise multiplier, of a list the factor.
    loss : μ of Gaussian noise, θ of Laplace and geometric noise; NaN of others.
    epsilon : the ε of this noise at `delta`, rounded up.
    delta : the δ of `epsilon` and of the detour.
    mu : the smallest μ of the noise's trade-off curve, rounded up; ∞ where none is proved.
    rho : ρ of zCDP, rounded up; ∞ where the noise has none.
    half_width : the half-width of the error interval in query units; NaN of DP-SGD and of a list.
    detour_epsilon : ε of the weakest guarantee with this δ that alone ensures the risk; NaN if none does.
    detour_scale : the noise that satisfies it, in the unit of `scale`; ∞ if there is none.
    """

    scale: float
    loss: float
    epsilon: float
    delta: float
    mu: float
    rho: float
    half_width: float
    detour_epsilon: float
    detour_scale: float

    @property
    def detour_ratio(self) -> float:
        """The factor by which the noise is larger with the detour."""
        return self.detour_scale / self.scale
