"""The parts of a list of releases that need no cells: its lines, its directions, and its sums in closed form."""

import math
from collections.abc import Iterable, Sequence

from dpcore.composition._coarse_losses import coarse_losses
from dpcore.composition.cells import pair_numbers
from dpcore.composition.releases import DIRECTIONS, PURE_KINDS, Release
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
