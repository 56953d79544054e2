"""The kinds of release that a line of the list may have, and the numbers that each requires."""

from collections.abc import Callable
from dataclasses import dataclass

from dpcore import composition
from dpcore.checks import PURE_DELTA_RANGE, interval_bounds
from dpcore.composition import COUNT_RANGE, NOISE_RANGE, PURE_RANGE, RATE_RANGE, RHO_RANGE, Release
from pages.framework.parameters.kinds import Quantity

SIGMA_RANGE, STEPS_RANGE = "[0.1, 300]", "[1, 1e3]"
"""Of noise on whole numbers in a list: a page has to compose 20 such lines within its limit of processor time."""
_NOISE = Quantity(
    "noise", "noise multiplier", "σ ÷ Δ₂ · noise multiplier", NOISE_RANGE, "4", help="σ over the ℓ₂ sensitivity."
)
_LAPLACE = Quantity(
    "epsilon",
    "ε",
    "ε of one release · privacy loss (ℓ₁ sensitivity ÷ scale)",
    "(0, 1e3]",
    "0.1",
    help="In nats, of Laplace or geometric noise.",
)
_EPSILON = Quantity("epsilon", "ε", "ε of one release · privacy loss", PURE_RANGE, "0.1")
_DELTA = Quantity("delta", "δ", "δ of one release · excess probability", PURE_DELTA_RANGE, "1e-8")
_RHO = Quantity("rho", "ρ", "ρ of one release · zCDP parameter", RHO_RANGE, "0.01")
_RATE = Quantity(
    "rate",
    "sampling rate",
    "q · sampling rate",
    RATE_RANGE,
    "0.01",
    help="The chance of each record to take part in a step, independently of the others: Poisson sampling.",
)
_SIGMA = Quantity("sigma", "σ", "σ of the noise on whole numbers", SIGMA_RANGE, "10")
_STEPS = Quantity(
    "steps",
    "Δ",
    "Δ · by how much one person moves a number",
    STEPS_RANGE,
    "1",
    help="A whole number. Noise on several numbers that one person moves is as many releases.",
    whole=True,
)
COUNT = Quantity("count", "count", "Number of releases", COUNT_RANGE, "1", whole=True)
MAX_COUNT = int(interval_bounds(COUNT_RANGE)[1])  # of a line over all runs, and of the steps of a training


@dataclass(frozen=True)
class Kind:
    """A kind of release: its name, a short name with places for its numbers, its numbers, and what makes it."""

    label: str
    short: str
    quantities: tuple[Quantity, ...]
    release_of: Callable[..., Release]


KINDS = {
    "gaussian": Kind("Gaussian noise", "Gaussian σ/Δ = {0}", (_NOISE,), composition.gaussian_release),
    "laplace": Kind("Laplace noise", "Laplace ε = {0}", (_LAPLACE,), composition.laplace_release),
    "geometric": Kind("Geometric noise", "Geometric ε = {0}", (_LAPLACE, _STEPS), composition.geometric_release),
    "discrete": Kind(
        "Discrete Gaussian noise", "Discrete Gaussian σ = {0}", (_SIGMA, _STEPS), composition.discrete_gaussian_release
    ),
    "pure": Kind("Pure ε-DP, randomised response", "{0}-DP", (_EPSILON,), composition.guarantee_release),
    "approx": Kind("(ε, δ)-DP, any mechanism", "({0}, {1})-DP", (_EPSILON, _DELTA), composition.guarantee_release),
    "exponential": Kind("Exponential mechanism", "Exponential ε = {0}", (_EPSILON,), composition.exponential_release),
    "zcdp": Kind("zCDP, any mechanism", "{0}-zCDP", (_RHO,), composition.zcdp_release),
    "sampled": Kind("DP-SGD steps", "DP-SGD σ/Δ = {0}, q = {1}", (_NOISE, _RATE), composition.sampled_release),
}
LABELS = {key: kind.label for key, kind in KINDS.items()}
