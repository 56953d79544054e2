"""A list of releases as one: its lines and directions, what adds up in closed form, and equal lines joined."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from dpcore.checks import Array
from dpcore.composition._coarse_losses import coarse_losses
from dpcore.composition._single_step import single_step
from dpcore.composition.cells import pair_numbers
from dpcore.composition.moments import PER_OCTAVE, tabled
from dpcore.composition.releases import DIRECTIONS, EXTREMES, SPREAD, Release
from dpcore.rounding import round_up, total_up

MOST_RELEASES = 400
_ROUGH_TAIL = -40.0  # which no loss of pure noise has


def joined(releases: Sequence[Release]) -> list[Release]:
    listed = list(releases)
    if not 1 <= len(listed) <= MOST_RELEASES:
        raise ValueError(f"releases must be from 1 to {MOST_RELEASES}, got {len(listed)}")
    for release in listed:
        if release.kind == "zcdp":
            pair_numbers(release)
    return merged(listed)


def merged(releases: Iterable[Release]) -> list[Release]:
    """Return the releases with equal ones as one line that runs more often."""
    counts: dict[tuple[str, tuple[float, ...]], int] = {}
    for release in releases:
        key = release.kind, release.numbers
        counts[key] = counts.get(key, 0) + release.count
    return [Release(kind, numbers, count) for (kind, numbers), count in counts.items()]


def directions(releases: Sequence[Release]) -> tuple[str, ...]:
    is_sampled = any(release.kind == "sampled" and not release.is_gaussian for release in releases)
    return DIRECTIONS if is_sampled else DIRECTIONS[:1]


def gaussian_mu(releases: Sequence[Release]) -> float | None:
    """μ of Gaussians alone, rounded up."""
    if not all(release.is_gaussian for release in releases):
        return None
    each = [math.sqrt(release.count) / release.numbers[0] for release in releases]
    return round_up(math.hypot(*each), 8 + len(each))


def pure_total(releases: Sequence[Release]) -> float:
    """Return the ε of pure guarantees together by basic composition, rounded up; ∞ if a release satisfies none."""
    if not all(release.has_epsilon for release in releases):
        return math.inf
    return total_up([release.numbers[0] for release in releases], [release.count for release in releases])


def gap_to_pure(releases: Sequence[Release], delta: float, pure: float) -> float:
    """Return how far ε may lie below that of pure guarantees: δ(ε) ≥ (1 − e^{ε − pure}) Pr(every loss is its largest).

    It is ∞ where that is not known, and for lists without noise whose losses take more cells the smaller δ is.
    """
    if math.isinf(pure) or all(release.losses != SPREAD for release in releases):
        return math.inf
    log_share = math.log(delta) - coarse_losses(releases, DIRECTIONS[0], _ROUGH_TAIL).log_chance_of_largest()
    return -math.log1p(-math.exp(log_share)) if log_share < 0 else math.inf


@dataclass(frozen=True)
class Whole:
    """All releases together: μ² of the Gaussians, and the others, equal ones as one; a guarantee is its ε alone."""

    square: float
    runs: tuple[Release, ...]

    def times(self, n_runs: int) -> "Whole":
        """Return the list that runs so many times."""
        runs = tuple(replace(release, count=release.count * n_runs) for release in self.runs)
        return Whole(self.square * n_runs, runs)

    @property
    def symmetric(self) -> bool:
        """Whether both directions are the same."""
        return all(release.kind != "sampled" for release in self.runs)

    @property
    def n_losses(self) -> float:
        """The largest number of values that the total loss can have; inf if the loss has a density."""
        if self.square > 0 or any(release.kind != "guarantee" for release in self.runs):
            return math.inf
        return math.prod(release.count + 1 for release in self.runs)

    @property
    def single_step(self) -> tuple[float, float] | None:
        """The noise multiplier and the rate of a list that is one sampled step, for which δ has a closed form."""
        return None if self.square > 0 else single_step(self.runs)

    @property
    def n_runs(self) -> int:
        """The largest count of a line."""
        return max(release.count for release in self.runs)

    @property
    def steepest(self) -> float:
        """The largest 1/z² of the steps of DP-SGD."""
        return max((release.numbers[0] ** -2 for release in self.runs if release.kind == "sampled"), default=0.0)

    def most(self, direction: str) -> float:
        """Return the largest loss."""
        if self.square > 0:
            return math.inf
        return sum(release.count * _most(release, direction) for release in self.runs)

    def log_moments(self, direction: str, low: int, high: int) -> Array:
        """K(2^{j/4}) for j = low, …, high; or more, where it would take too long."""
        s = 2.0 ** (np.arange(low, high + 1) / PER_OCTAVE)
        total = self.square * s * (s + 1) / 2
        for release in self.runs:
            total = total + release.count * tabled(release.kind, release.numbers, direction, low, high)
        return total


def _most(release: Release, direction: str) -> float:
    if release.kind == "sampled":
        return math.inf if direction == "remove" else -math.log1p(-release.numbers[1])
    return math.inf if release.kind == "discrete_gaussian" else release.numbers[0]


def whole(releases: Sequence[Release]) -> Whole:
    """Return the releases as one record; raise for an empty list and for zCDP, whose losses are not known."""
    if not releases:
        raise ValueError("releases must be at least one, got none")
    square, runs = 0.0, []
    for release in releases:
        first = release.numbers[0]
        if release.kind == "zcdp":
            raise ValueError(f"releases must be of kinds whose losses are known, got zCDP of ρ = {first:g}")
        if release.is_gaussian:
            square += release.count / first**2
        elif first > 0:
            is_bounded = release.losses == EXTREMES
            runs.append(Release("guarantee", (first,), release.count) if is_bounded else release)
    return Whole(square, tuple(merged(runs)))
