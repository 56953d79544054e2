"""A list of releases as one: its lines and directions, what adds up in closed form, and equal lines joined."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from dpcore.checks import Array
from dpcore.composition._coarse_losses import coarse_losses
from dpcore.composition.cells import pair_numbers
from dpcore.composition.moments import PER_OCTAVE, tabled
from dpcore.composition.releases import DIRECTIONS, PURE_KINDS, Release, failure_up, own_delta
from dpcore.rounding import round_up, total_up

MOST_RELEASES = 400
SPREAD_KINDS = ("laplace", "truncated_laplace")
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
    alike = all(release.kind != "sampled" or release.numbers[1] == 1 for release in releases)
    return DIRECTIONS[:1] if alike else DIRECTIONS


def gaussian_mu(releases: Sequence[Release]) -> float | None:
    """μ of Gaussians alone, rounded up."""
    noises = []
    for release in releases:
        if release.kind not in ("gaussian", "sampled") or pair_numbers(release)[1] < 1:
            return None
        noises.append(math.sqrt(release.count) / release.numbers[0])
    return round_up(math.hypot(*noises), 8 + len(noises))


def pure_total(releases: Sequence[Release]) -> float:
    """Return the ε of pure guarantees together by basic composition, rounded up; ∞ if a release satisfies none."""
    if any(release.kind not in PURE_KINDS for release in releases):
        return math.inf
    return total_up([release.numbers[0] for release in releases], [release.count for release in releases])


def gap_to_pure(releases: Sequence[Release], delta: float, pure: float) -> float:
    """Return how far ε may lie below that of pure guarantees: δ(ε) ≥ (1 − e^{ε − pure}) Pr(every loss is its largest).

    It is ∞ where that is not known, and for lists without noise whose losses take more cells the smaller δ is.
    """
    if math.isinf(pure) or all(release.kind not in SPREAD_KINDS for release in releases):
        return math.inf
    log_share = math.log(delta) - coarse_losses(releases, DIRECTIONS[0], _ROUGH_TAIL).log_chance_of_largest()
    return -math.log1p(-math.exp(log_share)) if log_share < 0 else math.inf


@dataclass(frozen=True)
class Whole:
    """All releases together.

    Attributes
    ----------
    square : μ² of the Gaussians.
    runs : kind, numbers and count of all other releases; `"guarantee"` has only its ε.
    leaks : the δ of guarantees, above 0, each with how often it is risked.
    """

    square: float
    runs: tuple[tuple[str, tuple[float, ...], int], ...]
    leaks: tuple[tuple[float, int], ...]

    def times(self, n_runs: int) -> "Whole":
        """Return the list that runs so many times."""
        if n_runs == 1:
            return self
        runs = tuple((kind, numbers, count * n_runs) for kind, numbers, count in self.runs)
        return Whole(self.square * n_runs, runs, tuple((delta, count * n_runs) for delta, count in self.leaks))

    def failure(self, n_runs: float = 1) -> float:
        """Return the probability that at least one guarantee fails with its δ in so many runs, rounded up."""
        return failure_up([delta for delta, _ in self.leaks], [count * int(n_runs) for _, count in self.leaks])

    @property
    def symmetric(self) -> bool:
        """Whether both directions are the same."""
        return all(kind != "sampled" for kind, _, _ in self.runs)

    @property
    def n_losses(self) -> float:
        """The largest number of values that the total loss can have; inf if the loss has a density."""
        if self.square > 0 or any(kind != "guarantee" for kind, _, _ in self.runs):
            return math.inf
        return math.prod(count + 1 for _, _, count in self.runs)

    @property
    def single_step(self) -> tuple[float, float] | None:
        """The noise multiplier and the rate of a list that is one sampled step, for which δ has a closed form."""
        if self.square > 0 or len(self.runs) != 1:
            return None
        ((kind, numbers, count),) = self.runs
        return (numbers[0], numbers[1]) if kind == "sampled" and count == 1 else None

    @property
    def n_runs(self) -> int:
        """The largest count of a line."""
        return max(count for _, _, count in self.runs)

    @property
    def steepest(self) -> float:
        """The largest 1/z² of the steps of DP-SGD."""
        return max((numbers[0] ** -2 for kind, numbers, _ in self.runs if kind == "sampled"), default=0.0)

    def most(self, direction: str) -> float:
        """Return the largest loss."""
        if self.square > 0:
            return math.inf
        return sum(count * _most(kind, numbers, direction) for kind, numbers, count in self.runs)

    def log_moments(self, direction: str, low: int, high: int) -> Array:
        """K(2^{j/4}) for j = low, …, high; or more, where it would take too long."""
        s = 2.0 ** (np.arange(low, high + 1) / PER_OCTAVE)
        total = self.square * s * (s + 1) / 2
        for kind, numbers, count in self.runs:
            total = total + count * tabled(kind, numbers, direction, low, high)
        return total


def _most(kind: str, numbers: tuple[float, ...], direction: str) -> float:
    if kind == "sampled":
        return math.inf if direction == "remove" else -math.log1p(-numbers[1])
    return math.inf if kind == "discrete_gaussian" else numbers[0]


def whole(releases: Sequence[Release]) -> Whole:
    """Return the releases as one record; raise for an empty list and for zCDP, whose losses are not known."""
    if not releases:
        raise ValueError("releases must be at least one, got none")
    square, leaks = 0.0, [(own_delta(release), release.count) for release in releases if own_delta(release) > 0]
    runs: dict[tuple[str, tuple[float, ...]], int] = {}
    for release in releases:
        kind, numbers = release.kind, release.numbers
        if kind == "zcdp":
            raise ValueError(f"releases must be of kinds whose losses are known, got zCDP of ρ = {numbers[0]:g}")
        if kind == "gaussian" or (kind == "sampled" and numbers[1] == 1):
            square += release.count / numbers[0] ** 2
            continue
        if kind in ("guarantee", "exponential"):
            kind, numbers = "guarantee", numbers[:1]
        if numbers[0] > 0:
            runs[kind, numbers] = runs.get((kind, numbers), 0) + release.count
    joined = tuple((kind, numbers, count) for (kind, numbers), count in runs.items())
    return Whole(square, joined, tuple(leaks))
