"""A map of counts, released with Gaussian noise and denoised: every number that the section on maps shows."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from dpcore import denoise, gaussian
from dpcore.checks import Array
from dpcore.denoise import Estimate
from dpcore.sensitivity import capped_sensitivity
from pages.denoising.map.places import Counted, Source, carshare
from pages.denoising.results import DenoisingResult
from pages.framework.rendering.workers.limits import Progress

MOST_SIGMA = 1e90  # more noise than the estimators take
AT_ONCE = 5000  # nodes of a graph, up to which the slow estimators are made at once
SLOW = ("laplacian", "trend_filtering")
KINDS = {  # what is drawn: of those of one kind, the one nearest to the truth
    "james_stein_plus": ("james_stein_plus",),
    "soft": ("soft_universal", "soft_sure"),
    "counts": ("non_negative", "with_total"),
    "wavelet": ("wavelet_universal", "wavelet_sure", "graph_wavelet"),
    "laplacian": ("laplacian",),
    "trend_filtering": ("trend_filtering",),
}
_KEYS = ("none", *(key for keys in KINDS.values() for key in keys))


@dataclass(frozen=True)
class Asked:
    """What a release depends on, besides the places."""

    grid: int
    trips: float
    at_place: float
    neighbours: str
    epsilon: float
    delta: float
    seed: int


@dataclass(frozen=True, eq=False)
class MapRelease:
    """One release of a map, and what each estimator makes of it; `slow` is what was made in the background."""

    source: Source
    asked: Asked
    slow: dict[str, Estimate]

    @cached_property
    def counted(self) -> Counted:
        """The true counts."""
        return self.source.counted(self.asked.grid, self.asked.trips, self.asked.at_place)

    @property
    def count(self) -> Array:
        """The true counts, by place."""
        return self.counted.count

    @cached_property
    def sensitivity(self) -> float:
        """Δ₂: how far one person moves the counts."""
        asked = self.asked
        return float(capped_sensitivity(asked.trips, asked.at_place, asked.neighbours).l2)

    @cached_property
    def sigma(self) -> float:
        """Standard deviation of the analytic Gaussian noise of each count."""
        return float(gaussian.analytic_sigma(self.asked.epsilon, self.asked.delta, self.sensitivity))

    @property
    def drowned(self) -> bool:
        """Whether there is more noise than the estimators take."""
        return self.sigma > MOST_SIGMA

    @cached_property
    def noisy(self) -> Array:
        """What is released."""
        return self.count + self.sigma * np.random.default_rng(self.asked.seed).standard_normal(self.count.shape)

    @property
    def is_large(self) -> bool:
        """Whether the slow estimators are made in the background."""
        return self.source.roads is not None and len(self.source.roads.ids) > AT_ONCE

    @property
    def waiting(self) -> tuple[str, ...]:
        """The estimators that are made in the background and are not yet."""
        return tuple(key for key in SLOW if self.is_large and key not in self.slow)

    def made(self, *keys: str) -> dict[str, Estimate]:
        """What these estimators make of the release; all of them where none is named."""
        structure = self.counted.structure
        return denoise.estimates(self.noisy, self.sigma, structure, keys=keys)

    @cached_property
    def estimates(self) -> dict[str, Estimate]:
        """What each estimator makes of the release, by key."""
        there = denoise.estimator_keys(self.count.shape, self.counted.structure)
        now = [key for key in _KEYS if key in there and not (self.is_large and key in SLOW)]
        found = self.made(*now) | self.slow
        return {key: found[key] for key in _KEYS if key in found}

    @cached_property
    def rmse(self) -> dict[str, float]:
        """The true error of each."""
        return {key: _root_mean((each.value - self.count) ** 2) for key, each in self.estimates.items()}

    @cached_property
    def expected(self) -> dict[str, float]:
        """The error of each that SURE expects from the release alone; 0 where SURE is negative."""
        return {key: float(np.sqrt(max(each.sure, 0) / self.count.size)) for key, each in self.estimates.items()}

    @property
    def blank(self) -> float:
        """The error of a map of zeros."""
        return _root_mean(self.count**2)

    @property
    def blur(self) -> float:
        """The error below which SURE tells next to nothing: where y is small, SURE/d has the s.d. σ²√(2/d)."""
        return self.sigma * (2 / self.count.size) ** 0.25

    @cached_property
    def best(self) -> str:
        """The estimator of least true error, the release itself among them."""
        return min(self.rmse, key=self.rmse.__getitem__)

    @cached_property
    def chosen(self) -> str:
        """The estimator that SURE ranks first."""
        return str(denoise.best(self.estimates))

    @cached_property
    def drawn(self) -> dict[str, str]:
        """The kinds that are drawn and, of each, the estimator nearest to the truth."""
        made = {kind: [key for key in keys if key in self.estimates] for kind, keys in KINDS.items()}
        return {kind: min(keys, key=self.rmse.__getitem__) for kind, keys in made.items() if keys}


def make_slow(made: MapRelease, report: Progress) -> None:
    """Make the slow estimators one after the other, and tell each when it is there."""
    for place, key in enumerate(SLOW):
        report.report(place / len(SLOW))
        report.add(made.made(key))


def map_source(result: DenoisingResult) -> Source | None:
    """The places that are asked for; None where they are the user's own and there are none."""
    return result.places if result.values["places"] == "own" else carshare()


def map_release(result: DenoisingResult) -> MapRelease | None:
    """The release that is asked for; None where there are no places."""
    source, values = map_source(result), result.values
    if source is None or source.problem:
        return None
    asked = Asked(
        int(values["grid"]) if source.roads is None else 0,
        values["trips"],
        min(values["at_place"], values["trips"]),
        values["neighbours"],
        values["epsilon"],
        values["delta"],
        int(values["seed"]),
    )
    slow = source.slow[1] if source.slow is not None and source.slow[0] == asked else {}
    return source.remembered((asked, *slow), lambda: MapRelease(source, asked, slow))


def _root_mean(squares: Array) -> float:
    return float(np.sqrt(np.mean(squares)))
