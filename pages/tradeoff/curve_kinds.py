"""The kinds of curve, and the numbers that each needs."""

from collections.abc import Callable
from dataclasses import dataclass

from dpcore import gaussian, tradeoff
from dpcore.checks import EPSILON_RANGE, PROBABILITY_RANGE, SHAPE_RANGE
from dpcore.tradeoff import (
    COUNT_RANGE,
    MOST_STEPS,
    MU_RANGE,
    NOISE_RANGE,
    RHO_RANGE,
    SAMPLING_RANGE,
    SCALE_RANGE,
    Curve,
)
from pages.framework.parameters.kinds import Quantity

DEFAULT_POINTS = "0.01_0.95~0.05_0.8~0.25_0.45~0.5_0.2"
INVENTED_POINTS = (DEFAULT_POINTS,)
"""Points that are nobody's data."""
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
    "claim": Kind("Promised points (α, β)", (), tradeoff.points_curve),
}
OF_POINTS = {"points": "What an attack reached", "claim": "What is promised, a claim"}


@dataclass(frozen=True)
class Following:
    """A curve that follows the page's ε and δ: the kind that it then is, its numbers, and its name."""

    label: str
    kind: str
    numbers: Callable[[float, float], tuple[float, ...]]
    name: str


FOLLOWING = {
    "here_approx": Following(
        "(ε, δ)-DP at this page's ε and δ", "approx", lambda epsilon, delta: (epsilon, delta), "({0}, {1})-DP"
    ),
    "here_gaussian": Following(
        "Gaussian noise at this page's ε and δ",
        "sigma",
        lambda epsilon, delta: (float(gaussian.analytic_sigma(epsilon, delta)), 1.0),
        "Gaussian at ({0}, {1})",
    ),
    "here_laplace": Following(
        "Laplace noise at this page's ε", "laplace", lambda epsilon, _: (epsilon,), "Laplace at ε = {0}"
    ),
}
LABELS = {key: kind.label for key, kind in FOLLOWING.items()} | {key: kind.label for key, kind in KINDS.items()}


def quantities(kind: str) -> tuple[Quantity, ...]:
    """The numbers that a kind of curve is given by: none for points and for what follows the page."""
    return KINDS[kind].quantities if kind in KINDS else ()
