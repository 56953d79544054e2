"""The least scale of noise at which releases meet a risk, by the certified profile of their losses in both directions.

A bound on power at α is met if, for one ε ≥ 0, the releases together satisfy (ε, δ)-DP with δ = power − e^ε α: the
line of that guarantee passes the point. With power + α > 1 the mirrored point (1 − power, 1 − α) says the same, since
the profile is the larger one of both directions, so that its curve is symmetric. A bound on the profile is one such ε.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from dpcore.checks import DELTA_RANGE, Array, interval_bounds
from dpcore.composition import Release, certified_delta, certified_profile
from dpcore.composition._targets import least_satisfying
from dpcore.risk.guarantees import epsilon_at_point
from dpcore.rounding import ULP, round_sum_down, round_up

_LEAST_DELTA = interval_bounds(DELTA_RANGE)[0]
_N_LOSSES, _N_NEAR = 48, 24  # at which a line is tried: from end to end, and beside the best of these
_ROUGH, _FINE, _FEW_CELLS = 0.02, 4e-4, 2**15  # the excess of δ, where to look and at the end
_NEAR = 2e-4  # relative, how far below the target δ may stay
_LEAST_EXCESS = 1e-6


@dataclass(frozen=True)
class Target:
    """Guarantees of which any one meets a risk: δ = `power` − e^ε `alpha` at every ε of a range.

    With `alpha` = 0 it is δ = `power` at the one ε `start`.
    """

    power: float
    alpha: float = 0.0
    start: float = 0.0

    @property
    def pure_epsilon(self) -> float:
        """The largest ε of a pure guarantee that meets the risk by itself, rounded down."""
        return float(epsilon_at_point(np.array(self.power), np.array(self.alpha))) if self.alpha > 0 else self.start

    def epsilons(self) -> Array:
        """The ε that are tried, increasing; none if no δ is left."""
        if self.delta(self.start) < _LEAST_DELTA:
            return np.array([])
        return np.linspace(0, self.pure_epsilon, _N_LOSSES + 1)[:-1] if self.alpha > 0 else np.array([self.start])

    def delta(self, epsilon: Array | float) -> Array:
        """The δ that is left at ε, rounded down."""
        spent = np.exp(epsilon) * self.alpha
        return round_sum_down(self.power - spent, (self.power + (1 + epsilon) * spent) * (self.alpha > 0), 2)


def power_target(power: float, alpha: float) -> Target:
    """The target of a bound on power at α."""
    return Target(power, alpha) if power + alpha <= 1 else Target(1 - alpha, round_up(1 - power))


def least_scale(
    releases_at: Callable[[float], Sequence[Release]], target: Target, rough: float, ends: tuple[float, float]
) -> float | None:
    """About the least x between `ends` at which releases_at(x), more private with x, meet a target; None if none do.

    What is returned was checked: its certified δ at one ε is at most that of the target. The search begins at `rough`.
    """
    epsilon = target.epsilons()
    if not epsilon.size:
        return None

    def nearest(x: float, epsilon: Array) -> tuple[int, float]:
        """The ε at which the target is nearest, and ln of what the odds of δ are of the wanted ones."""
        wanted = target.delta(epsilon)
        excess = max(_ROUGH * (1 - float(np.max(wanted))), _LEAST_EXCESS)
        delta = certified_profile(releases_at(x), epsilon, excess, _FEW_CELLS).value
        ratio = np.log(_odds(delta) / _odds(wanted))
        place = int(np.argmin(ratio))
        return place, float(ratio[place])

    def ratio(x: float) -> float:
        place, _ = nearest(x, epsilon)
        beside = np.linspace(epsilon[max(place - 1, 0)], epsilon[min(place + 1, epsilon.size - 1)], _N_NEAR + 1)
        at = float(beside[nearest(x, beside)[0]])
        wanted = target.delta(at)
        certified = certified_delta(releases_at(x), at, max(_FINE * (1 - float(wanted)), _LEAST_EXCESS)).value
        return round_up(float(_odds(certified) / _odds(wanted)), 8)

    return least_satisfying(lambda x: nearest(x, epsilon)[1], ratio, 1.0, rough, ends, _NEAR)


def _odds(delta: Array) -> Array:
    """δ/(1 − δ), which rises evenly with the noise where δ is next to 1 too; kept where its logarithm is finite."""
    return np.maximum(delta, _LEAST_DELTA) / np.maximum(1 - delta, ULP)
