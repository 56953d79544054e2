"""The least scale of noise at which releases meet a risk, by the certified profile of their losses in both directions.

A bound on power at α is met if, for one ε ≥ 0, the releases together satisfy (ε, δ)-DP with δ = power − e^ε α: the
line of that guarantee passes the point. With power + α > 1 the mirrored point (1 − power, 1 − α) says the same, since
the profile is the larger one of both directions, so that its curve is symmetric. A bound on the profile is one such ε.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from dpcore.checks import LEAST_DELTA, Array
from dpcore.composition import Release, certified_delta, certified_profile, exact_delta
from dpcore.composition._single_step import step_delta
from dpcore.composition._targets import least_satisfying
from dpcore.risk.guarantees import epsilon_at_point
from dpcore.rounding import ULP, round_sum_down, round_up

_N_LOSSES, _N_NEAR = 48, 24  # at which a line is tried: from end to end, and beside the best of these
_N_POOR = 192  # the same from end to end, for a profile that is poor unless it begins at 0
_LEAST_PART, _N_SPARSE = 1e-4, 64  # of the losses that are tried for a sparse training
_ROUGH, _FINE, _FINE_SLOW = 0.02, 4e-4, 1e-3  # the excess of δ, where to look and at the end
_FEW_CELLS, _MANY_CELLS = 2**15, 2**17
_NEAR, _NEAR_SAMPLED, _NEAR_SLOW = 2e-4, 6e-4, 4e-3  # relative, how far below the target δ may stay
_ESTIMATED, _UNSEEN = 1e-4, 1e-6  # errors of the contour integral that do not matter: relative, and to the wanted δ
_LEAST_EXCESS = 1e-6
_DIGITS, _NEAR_ONE = 5, 0.9  # of the contour integral, one more for a δ beyond
_FAR = 1e-3  # from the target, in ln of the odds, so that the contour integral is certain of the side
_SLOW_NOISE, _SLOW_SPARSE_NOISE, _SLOW_COUNT = 0.5, 1.0, 1000  # a sparse training takes a record in once or never
_FEW_TAKEN_IN = 0.1  # times that a record is taken in on average
_BESIDE = 4  # how many losses on either side of the last best one are tried first


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

    def epsilons(self, count: int = _N_LOSSES) -> Array:
        """So many ε that are tried, increasing; none if no δ is left."""
        if self.delta(self.start) < LEAST_DELTA:
            return np.array([])
        return np.linspace(0, self.pure_epsilon, count + 1)[:-1] if self.alpha > 0 else np.array([self.start])

    def sparse_epsilons(self) -> Array:
        """Return the ε that are tried for a sparse training, evenly in their logarithm."""
        return self.pure_epsilon * np.geomspace(_LEAST_PART, 1, _N_SPARSE)[:-1]

    def delta(self, epsilon: Array | float) -> Array:
        """Return the δ that is left at ε, rounded down."""
        spent = np.exp(epsilon) * self.alpha
        return round_sum_down(self.power - spent, (self.power + (1 + epsilon) * spent) * (self.alpha > 0), 2)


def power_target(power: float, alpha: float) -> Target:
    """Return the target of a bound on power at α."""
    return Target(power, alpha) if power + alpha <= 1 else Target(1 - alpha, round_up(1 - power))


def least_scale(
    releases_at: Callable[[float], Sequence[Release]], target: Target, estimate: float, ends: tuple[float, float]
) -> float | None:
    """Return about the least x between `ends` at which releases_at(x), more private with x, meet a target, or None.

    The returned scale was checked: its certified δ at one ε is at most that of the target. The start is `estimate`.
    """
    epsilon = target.epsilons()
    if not epsilon.size:
        return None
    has_samples = any(release.kind == "sampled" and release.numbers[1] < 1 for release in releases_at(estimate))
    nearest = _Nearest(target, epsilon, has_samples)
    is_slow = _has_slow(releases_at(estimate))
    fine, near = (_FINE_SLOW, _NEAR_SLOW) if is_slow else (_FINE, _NEAR_SAMPLED if has_samples else _NEAR)
    beyond = fine if has_samples else 0.0

    def ratio(x: float) -> float:
        releases = releases_at(x)
        at, log_ratio = nearest.best(releases)
        if nearest.by_contour and log_ratio > _FAR:  # a certified bound is not below δ
            return math.exp(min(log_ratio, 700.0))
        target_delta = target.delta(at)
        excess = max(fine, min(-log_ratio / 4, _ROUGH)) if nearest.by_contour else fine
        certified = certified_delta(releases, at, max(excess * (1 - float(target_delta)), _LEAST_EXCESS)).value
        return round_up(float(_odds(certified) / _odds(target_delta)), 8)

    try:
        return least_satisfying(lambda x: nearest(releases_at(x))[1] + beyond, ratio, 1.0, estimate, ends, near)
    except _NoEstimateError:
        epsilon = target.sparse_epsilons()
        return sparse_scale(releases_at, epsilon, target.delta(epsilon), ends)


class _NoEstimateError(Exception):
    """The contour integral does not converge for a training that hardly ever takes a record in."""


class _Nearest:
    """At which ε of some a target is nearest, and ln of what the odds of δ are there of the wanted ones, about right.

    δ is that of the contour integral, and without it or once it fails that of the certified profile on few cells.
    Scales that are tried after each other are near each other, and so are their ε: first only those beside the last one
    are looked at. A profile of rare large losses is poor, with a value far above δ unless it begins at ε = 0: there it
    is looked at from end to end.
    """

    def __init__(self, target: Target, epsilon: Array, by_contour: bool) -> None:
        self.target, self.epsilon, self.by_contour = target, epsilon, by_contour
        self.window = 0, epsilon.size

    def __call__(self, releases: Sequence[Release]) -> tuple[int, float]:
        if self._is_poor(releases):
            return self.among(releases, self.epsilon)
        low, high = self.window
        place, ratio = self.among(releases, self.epsilon[low:high])
        place += low
        if (place == low > 0) or (place == high - 1 < self.epsilon.size - 1):
            place, ratio = self.among(releases, self.epsilon)
        self.window = max(place - _BESIDE, 0), min(place + _BESIDE + 1, self.epsilon.size)
        return place, ratio

    def best(self, releases: Sequence[Release]) -> tuple[float, float]:
        """Return the ε, of many, at which releases are nearest, and the ratio there."""
        place = 0 if self._is_poor(releases) else self(releases)[0]
        if self._is_poor(releases):
            nearby = self.target.epsilons(_N_POOR)
        else:
            ends = self.epsilon[max(place - 1, 0)], self.epsilon[min(place + 1, self.epsilon.size - 1)]
            nearby = np.linspace(*ends, _N_NEAR + 1)
        place, ratio = self.among(releases, nearby)
        return float(nearby[place]), ratio

    def among(self, releases: Sequence[Release], epsilon: Array) -> tuple[int, float]:
        """Return the place among increasing ε at which releases are nearest, and the ratio there."""
        target_delta = self.target.delta(epsilon)
        ratio = np.log(_odds(self._delta(releases, epsilon, target_delta)) / _odds(target_delta))
        place = int(np.argmin(ratio))
        return place, float(ratio[place])

    def _delta(self, releases: Sequence[Release], epsilon: Array, target_delta: Array) -> Array:
        if self.by_contour:
            contour = exact_delta(releases, epsilon, _DIGITS + bool(np.max(target_delta) > _NEAR_ONE))
            if np.all(contour.error <= _ESTIMATED * contour.value * (1 - contour.value) + _UNSEEN * target_delta):
                return contour.value
            self.by_contour = False
            if self.target.alpha > 0 and is_sparse(releases):
                raise _NoEstimateError
        excess = max(_ROUGH * (1 - float(np.max(target_delta))), _LEAST_EXCESS)
        cells = _MANY_CELLS if _has_slow(releases) else _FEW_CELLS
        profile = certified_profile(releases, epsilon, excess, cells)
        return profile.value - profile.error

    def _is_poor(self, releases: Sequence[Release]) -> bool:
        return not self.by_contour and _has_slow(releases)


def _has_slow(releases: Sequence[Release]) -> bool:
    """Return whether rare large losses stand beside many small ones, so that certified bounds take long."""
    return any(
        release.kind == "sampled"
        and (release.count > _SLOW_COUNT or release.numbers[1] * release.count <= _FEW_TAKEN_IN)
        and release.numbers[0] < (_SLOW_NOISE if release.numbers[1] * release.count > 1 else _SLOW_SPARSE_NOISE)
        for release in releases
    )


def _odds(delta: Array) -> Array:
    """δ/(1 − δ), which rises evenly with the noise where δ is next to 1 too; kept where its logarithm is finite."""
    return np.maximum(delta, LEAST_DELTA) / np.maximum(1 - delta, ULP)


# A training that hardly ever takes a record in has rare and large losses. The contour integral does not converge then,
# and an estimate by few cells is far off, so that each scale is judged by a certified bound, by halving: T times the δ
# of a single step at ε/T, which is exact for one step, and else the profile at losses that are evenly spaced in their
# logarithm.
_MOST_TAKEN_IN, _MOST_OF_MANY = 0.005, 0.1  # times that a record is taken in on average, of few steps and of many
_MANY_STEPS = 1000  # of which other bounds take long
_NEAR_SPARSE = 4e-3  # relative, how far the scale is rounded up
_EXCESS, _CELLS = 0.02, 2**15


def is_sparse(releases: Sequence[Release]) -> bool:
    """Return whether the releases are one training that hardly ever takes a record in."""
    sampled = [release for release in releases if release.kind == "sampled"]
    is_long = sum(release.count for release in sampled) > _MANY_STEPS
    taken_in = sum(release.count * release.numbers[1] for release in sampled)
    return len(sampled) == len(releases) and taken_in <= (_MOST_OF_MANY if is_long else _MOST_TAKEN_IN)


def sparse_scale(
    releases_at: Callable[[float], Sequence[Release]], epsilon: Array, target_delta: Array, ends: tuple[float, float]
) -> float | None:
    """Return about the least x between `ends` at which δ is at most the target's at one of the ε, or None.

    `releases_at` is as in `least_scale`. The returned x was checked.
    """

    def meets_by_steps(x: float) -> bool:
        n_steps = sum(release.count for release in releases_at(x))
        steps = [
            round_up(release.count * step_delta(epsilon / n_steps, *release.numbers), 4) for release in releases_at(x)
        ]
        return bool(np.any(round_up(np.sum(steps, axis=0), 4) <= target_delta))

    def meets_by_profile(x: float) -> bool:
        return bool(np.any(certified_profile(releases_at(x), epsilon, _EXCESS, _CELLS).value <= target_delta))

    low, high = ends
    by_steps = _halved(meets_by_steps, low, high) if meets_by_steps(high) else None
    if by_steps is None and not meets_by_profile(high):
        return None
    return _halved(meets_by_profile, low, high if by_steps is None else by_steps)


def _halved(meets: Callable[[float], bool], low: float, high: float) -> float:
    """Return an x that meets the target as `high` does, at most `_NEAR_SPARSE` above one that does not, or `low`."""
    if high == low or meets(low):
        return low
    while high - low > _NEAR_SPARSE:
        middle = (low + high) / 2
        low, high = (low, middle) if meets(middle) else (middle, high)
    return high
