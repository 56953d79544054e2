"""Which groups appear in a release of counts above a threshold: each noise with its threshold, and what it keeps."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
import pandas as pd

from dpcore import truncated_geometric, unknown_groups
from dpcore.checks import Array
from dpcore.mechanism import NoiseDistribution
from dpcore.unknown_groups import Split, ThresholdRelease
from pages.framework.chart.theme import round_axis_end
from pages.framework.parameters.number_format import rounded_up
from pages.framework.rendering.uploaded_files import kept
from pages.tables.parameters import THRESHOLD_NOISES

ONLY_NAMES = "only_names"
MOST_GROUPS = 1e4  # per person
_GROUPS_DRAWN = (1, 2, 3, 5, 10)  # k at which the ways are compared
_EPSILONS_DRAWN = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)
_N_SIZES = 240
_LEAST_END = 20.0  # of the axis of sizes
Way = ThresholdRelease | Split


class GroupLimits(NamedTuple):
    """What one person adds at most: to `k` groups, `c` to each of them, and `total` to all together."""

    k: int
    c: int
    total: float


def way_at(key: str, epsilon: float, delta: float, limits: GroupLimits, probability: float) -> Way | None:
    """Return a release with the digits that are shown, or the guarantee of each name; None where there is none."""
    k, c, total = limits
    try:
        if key == ONLY_NAMES:
            return unknown_groups.best_split(epsilon, delta, min(k, total), probability) if c == 1 else None
        least_probability = probability if key == "truncated_geometric" else None
        release = unknown_groups.threshold(epsilon, delta, k, key, c, probability=least_probability, total=total)
    except ValueError:
        return None
    if key == "truncated_geometric":
        return _truncated_in_short(release, epsilon, delta, probability) if np.isfinite(release.scale) else None
    return _in_short(release)


def _truncated_in_short(
    release: ThresholdRelease, epsilon: float, delta: float, probability: float
) -> ThresholdRelease:
    """Return truncated noise with its scale rounded up to as few digits as its δ and the least size have room for."""
    for digits in (4, 6, 9, 12):
        scale = np.asarray(rounded_up(float(release.scale), digits))
        short = replace(release, scale=scale)
        limits = (
            release.groups_per_person,
            release.noise,
            release.contributions,
            release.rule,
            release.bound,
            release.total,
        )
        is_private = unknown_groups.delta_from_threshold(epsilon, scale, release.threshold, *limits) <= delta
        sizes = (unknown_groups.least_size(each, probability) for each in (short, release))
        if is_private and len({*map(float, sizes)}) == 1:
            return short
    return release


def _in_short(release: ThresholdRelease) -> ThresholdRelease:
    """Return a release whose scale and threshold have four digits, rounded up.

    The threshold is moved with the scale, so that a group of one person appears as rarely, and more noise has no
    larger δ for the others.
    """
    scale, c = rounded_up(float(release.scale)), float(release.contributions)
    moved = c + (float(release.threshold) - c) * max(scale / float(release.scale), 1.0)
    return replace(release, scale=np.asarray(scale), threshold=np.asarray(rounded_up(moved)))


def _with_threshold(way: Way, threshold: float) -> Way:
    """Return a release with a threshold, where that is above its own; whole where the noise is."""
    if not isinstance(way, ThresholdRelease) or not threshold > float(way.threshold):
        return way
    whole = way.noise == "truncated_geometric"
    return replace(way, threshold=np.asarray(math.ceil(threshold) if whole else threshold, np.float64))


@dataclass(frozen=True, eq=False)
class Appearance:
    """Groups of these counts, a person in at most k of them with c in each, and the noise: a key, or "recommended".

    A person adds at most `total` to all groups together. The threshold of the noise that is shown is the own one, NaN
    for none, where that is above the least that is safe.
    """

    epsilon: float
    delta: float
    groups_per_person: float
    contributions: float
    counts: Array
    probability: float
    noise: str
    own_threshold: float = math.nan
    total: float = math.inf

    @property
    def problem(self) -> str:
        """Why there is no answer; empty where there is one."""
        if self.groups_per_person > MOST_GROUPS:
            return "This section has no threshold for a person in more than 10,000 groups"
        if self.contributions > 1e6:
            return "This section has no threshold for a person who adds more than 1e6 to a group"
        if np.any(self.counts != np.floor(self.counts)) or np.any(self.counts > 1e15):
            return "This section needs counts of people: whole numbers of at most 1e15"
        if self.key not in self.least_ways:
            return "No noise with a threshold satisfies this ε and δ here"
        return ""

    @property
    def c(self) -> int:
        """What a person adds to a count at most, in whole numbers."""
        return int(np.ceil(self.contributions))

    def _least_ways_at(self, epsilon: float, k: float) -> dict[str, Way]:
        limits = GroupLimits(int(k), self.c, self.total)
        keys = (*THRESHOLD_NOISES, ONLY_NAMES)
        ways = {key: kept(way_at, key, epsilon, self.delta, limits, self.probability) for key in keys}
        return {key: way for key, way in ways.items() if way is not None}

    def ways_at(self, epsilon: float, k: float) -> dict[str, Way]:
        """Return the noises, and only names, that satisfy the guarantee with this ε for people in k groups."""
        ways = self._least_ways_at(epsilon, k)
        return {key: _with_threshold(way, self.own_threshold) if key == self.key else way for key, way in ways.items()}

    @cached_property
    def least_ways(self) -> dict[str, Way]:
        """The noises with the least thresholds that are safe, and only names."""
        return self._least_ways_at(self.epsilon, self.groups_per_person)

    @cached_property
    def ways(self) -> dict[str, Way]:
        """The noises, and only names, that satisfy the guarantee; what is shown with its own threshold."""
        return self.ways_at(self.epsilon, self.groups_per_person)

    @property
    def least_threshold(self) -> float:
        """The least threshold that is safe with the noise that is shown."""
        way = self.least_ways[self.key]
        assert isinstance(way, ThresholdRelease)
        return float(way.threshold)

    @property
    def is_own_too_low(self) -> bool:
        """Whether the own threshold is below the least that is safe, which is then used."""
        return self.own_threshold < self.least_threshold

    @cached_property
    def recommended(self) -> str:
        """The noise by which the smallest groups appear with the wanted probability; empty where there is none."""
        ways = self.least_ways
        noises = [key for key in THRESHOLD_NOISES if key in ways]
        sizes = {key: float(unknown_groups.least_size(ways[key], self.probability)) for key in noises}
        return min(sizes, key=lambda key: sizes[key], default="")

    @property
    def key(self) -> str:
        """The noise that is shown."""
        return self.recommended if self.noise == "recommended" else self.noise

    @property
    def shown_release(self) -> ThresholdRelease:
        """The release that is shown."""
        way = self.ways[self.key]
        assert isinstance(way, ThresholdRelease)
        return way

    def count_half_width(self, significance: float) -> float:
        """Return the half-width of the noise of each count by the noise that is shown."""
        release = self.shown_release
        if release.noise == "truncated_geometric":
            return float(truncated_geometric.half_width(significance, release.bound, release.scale))
        scale = float(release.scale)
        return float(NoiseDistribution(release.noise, (scale,), scale).half_width(significance))

    def least_size(self, key: str) -> float:
        """Return from how many on a group appears with the wanted probability."""
        return float(unknown_groups.least_size(self.ways[key], self.probability))

    @cached_property
    def groups(self) -> tuple[Array, Array]:
        """The sizes of the groups that somebody is in, and how many groups have each."""
        sizes, times = np.unique(self.counts[self.counts > 0], return_counts=True)
        return sizes, times.astype(np.float64)

    @property
    def n_groups(self) -> int:
        """The number of groups that somebody is in."""
        return int(self.groups[1].sum())

    def expected(self, way: Way) -> tuple[float, float]:
        """Return how many groups appear on average, and the share of the total count that they have."""
        sizes, times = self.groups
        if not sizes.size:
            return 0.0, 0.0
        appearing = unknown_groups.keep_probability(way, sizes) * times
        return float(appearing.sum()), float(appearing @ sizes / (times @ sizes))

    @cached_property
    def over_size(self) -> pd.DataFrame:
        """The probability of appearing over the size of a group, by each way."""
        end = round_axis_end(max(_LEAST_END, 2 * self.least_size(self.key)))
        sizes = np.unique(np.rint(np.linspace(0, end, _N_SIZES + 1)))
        return pd.DataFrame(
            {"size": sizes} | {key: unknown_groups.keep_probability(way, sizes) for key, way in self.ways.items()}
        )

    @cached_property
    def over_groups(self) -> pd.DataFrame:
        """How many groups appear, and their share of the total, by each way over k: a row for each k and way."""
        settings = [(k, self.ways_at(self.epsilon, k)) for k in sorted({*_GROUPS_DRAWN, int(self.groups_per_person)})]
        return self._groups_frame("groups_per_person", settings)

    @cached_property
    def over_epsilon(self) -> pd.DataFrame:
        """How many groups appear, and their share of the total, by each way over ε: a row for each ε and way."""
        settings = [(at, self.ways_at(at, self.groups_per_person)) for at in sorted({*_EPSILONS_DRAWN, self.epsilon})]
        return self._groups_frame("epsilon", settings)

    def _groups_frame(self, column: str, settings: Sequence[tuple[float, dict[str, Way]]]) -> pd.DataFrame:
        rows = [(value, key, *self.expected(way)) for value, ways in settings for key, way in ways.items()]
        return pd.DataFrame(rows, columns=[column, "way", "groups", "share"])

    @cached_property
    def chances(self) -> Array:
        """The probability of each group to appear by the noise that is shown, in the order of the counts."""
        return np.asarray(unknown_groups.keep_probability(self.shown_release, np.maximum(self.counts, 0)))
