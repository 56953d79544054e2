"""The kinds of curve, and the numbers that each needs."""

from collections.abc import Callable
from dataclasses import dataclass

from dpcore import tradeoff
from dpcore.checks import EPSILON_RANGE, PROBABILITY_RANGE
from dpcore.tradeoff import (
    COUNT_RANGE,
    MOST_STEPS,
    MU_RANGE,
    NOISE_RANGE,
    RHO_RANGE,
    SAMPLING_RANGE,
    SCALE_RANGE,
    SHAPE_RANGE,
    Curve,
)
from pages.shared.parameters import Quantity

DEFAULT_POINTS = "0.01_0.95~0.05_0.8~0.25_0.45~0.5_0.2"
_MU = Quantity("mu", "μ", "μ", MU_RANGE, "1")
_EPSILON = Quantity("epsilon", "ε", "ε of the curve, in nats", EPSILON_RANGE, "1")
_DELTA = Quantity("delta", "δ", "δ of the curve", PROBABILITY_RANGE, "1e-6")
_THETA = Quantity("theta", "θ", "θ = sensitivity ÷ scale", EPSILON_RANGE, "1")
_STEPS = Quantity("sensitivity", "Δ", "Sensitivity, whole number", f"[1, {MOST_STEPS}]", "5", whole=True)
_P = Quantity("p", "p", "Shape p (1 Laplace, 2 Gaussian)", SHAPE_RANGE, "3")
_SCALE = Quantity("scale", "b", "Scale b, in query units", SCALE_RANGE, "2")
_SENSITIVITY = Quantity("sensitivity", "Δ", "Sensitivity Δ, in query units", SCALE_RANGE, "1")
_SIGMA = Quantity("sigma", "σ", "σ, in query units", "(0, inf)", "1")
_RHO = Quantity("rho", "ρ", "ρ", RHO_RANGE, "0.5")
_MULTIPLIER = Quantity("multiplier", "noise multiplier", "Noise multiplier σ ÷ Δ₂", NOISE_RANGE, "1")
_RATE = Quantity("rate", "sampling rate", "Sampling rate", SAMPLING_RANGE, "0.01")
_TIMES = Quantity("steps", "steps", "Steps", COUNT_RANGE, "1000", whole=True)
RELEASES = Quantity("releases", "releases", "Released how often (composition)", COUNT_RANGE, "1", whole=True)


@dataclass(frozen=True)
class Kind:
    """A kind of curve: its name, the numbers it needs, how it is made, and whether releases have a closed form."""

    label: str
    quantities: tuple[Quantity, ...]
    make: Callable[..., Curve]
    closed: bool = False


KINDS = {
    "gdp": Kind("μ-GDP", (_MU,), tradeoff.gaussian_curve, closed=True),
    "approx": Kind("(ε, δ)-DP", (_EPSILON, _DELTA), tradeoff.epsilon_delta_curve, closed=True),
    "pure": Kind("Pure ε-DP", (_EPSILON,), tradeoff.epsilon_delta_curve, closed=True),
    "laplace": Kind("Laplace noise", (_THETA,), tradeoff.laplace_curve),
    "geometric": Kind("Geometric noise", (_THETA, _STEPS), tradeoff.geometric_curve),
    "gg": Kind("Generalized Gaussian noise", (_P, _SCALE, _SENSITIVITY), tradeoff.generalized_gaussian_curve),
    "sigma": Kind("Gaussian noise by σ", (_SIGMA, _SENSITIVITY), tradeoff.sigma_curve, closed=True),
    "zcdp": Kind("zCDP by ρ", (_RHO,), tradeoff.zcdp_curve, closed=True),
    "sgm": Kind("Subsampled Gaussian (DP-SGD)", (_MULTIPLIER, _RATE, _TIMES), tradeoff.subsampled_gaussian_curve),
    "points": Kind("Points (α, β)", (), tradeoff.points_curve),
}
