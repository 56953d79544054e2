"""A map of counts, released with Gaussian noise and denoised: every number of the section on maps."""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from dpcore import denoise, gaussian
from dpcore.accuracy import each_significance
from dpcore.checks import Array
from dpcore.denoise import Estimate
from dpcore.mechanism import Mechanism
from dpcore.sensitivity import Sensitivity, capped_sensitivity
from pages.denoising.comparison import Comparison, recommended_noise
from pages.denoising.map.places import PlaceCounts, PlaceSource, carshare
from pages.denoising.results import DenoisingResult
from pages.framework.parameters.parameter import Values
from pages.framework.rendering.workers.jobs import Progress
from pages.shared.conditions import CONTRIBUTION

MOST_SIGMA = 1e90  # the estimators are not applied to more noise
MOST_NODES_AT_ONCE = 5000  # of a graph; the slow estimates of a larger one are computed in the background
SLOW_KEYS = ("laplacian", "trend_filtering")
ESTIMATOR_KINDS = {  # of each kind the estimator of least true error is drawn
    "james_stein_plus": ("james_stein_plus",),
    "soft": ("soft_universal", "soft_sure"),
    "counts": ("non_negative", "with_total"),
    "wavelet": ("wavelet_universal", "wavelet_sure", "graph_wavelet"),
    "laplacian": ("laplacian",),
    "trend_filtering": ("trend_filtering",),
}
_ESTIMATOR_KEYS = ("none", *(key for keys in ESTIMATOR_KINDS.values() for key in keys))


@dataclass(frozen=True)
class MapSetting:
    """The parameters of a release, besides the places."""

    grid: int
    trips: float
    at_place: float
    neighbours: str
    epsilon: float
    delta: float
    significance: float
    seed: int


@dataclass(frozen=True, eq=False)
class MapRelease:
    """One release of a map and its estimates; `slow_estimates` were computed in the background."""

    source: PlaceSource
    setting: MapSetting
    slow_estimates: dict[str, Estimate]

    @cached_property
    def place_counts(self) -> PlaceCounts:
        """The true counts, with how they are drawn."""
        return self.source.place_counts(self.setting.grid, self.setting.trips, self.setting.at_place)

    @property
    def count(self) -> Array:
        """The true counts, by place."""
        return self.place_counts.count

    @cached_property
    def person(self) -> Sensitivity:
        """The sensitivity of the counts under the limits of a person."""
        setting = self.setting
        return capped_sensitivity(setting.trips, setting.at_place, setting.neighbours)

    @property
    def sensitivity(self) -> float:
        """Δ₂ of the counts."""
        return float(self.person.l2)

    @cached_property
    def sigma(self) -> float:
        """Standard deviation of the analytic Gaussian noise of each count."""
        return float(gaussian.analytic_sigma(self.setting.epsilon, self.setting.delta, self.sensitivity))

    @property
    def is_drowned(self) -> bool:
        """Whether σ is larger than the estimators support."""
        return self.sigma > MOST_SIGMA

    @cached_property
    def noisy_counts(self) -> Array:
        """The release."""
        return self.count + self.sigma * np.random.default_rng(self.setting.seed).standard_normal(self.count.shape)

    @property
    def is_large(self) -> bool:
        """Whether the slow estimators are computed in the background."""
        return self.source.roads is not None and len(self.source.roads.ids) > MOST_NODES_AT_ONCE

    @property
    def pending(self) -> tuple[str, ...]:
        """The estimators for the background that are not computed yet."""
        return tuple(key for key in SLOW_KEYS if self.is_large and key not in self.slow_estimates)

    def estimate(self, *keys: str) -> dict[str, Estimate]:
        """Return the estimates by these estimators, or by all where none is named."""
        knowledge = denoise.Knowledge(self.place_counts.structure)
        return denoise.estimates(self.noisy_counts, self.sigma, knowledge, keys)

    @cached_property
    def estimates(self) -> dict[str, Estimate]:
        """The estimates by key."""
        applicable = denoise.estimator_keys(self.count.shape, denoise.Knowledge(self.place_counts.structure))
        keys = [key for key in _ESTIMATOR_KEYS if key in applicable and not (self.is_large and key in SLOW_KEYS)]
        estimates = self.estimate(*keys) | self.slow_estimates
        return {key: estimates[key] for key in _ESTIMATOR_KEYS if key in estimates}

    @cached_property
    def rmse(self) -> dict[str, float]:
        """The true error of each estimate."""
        return {key: _root_mean_square(self._squares(key)) for key in self.estimates}

    def _squares(self, key: str) -> Array:
        return (self.estimates[key].value - self.count) ** 2

    @cached_property
    def recommended(self) -> Mechanism | None:
        """The noise that is recommended for all places under the same limits of a person, which needs no denoising."""
        alpha = float(each_significance(self.setting.significance, self.count.size))
        return recommended_noise(self.setting.epsilon, self.setting.delta, self.person, alpha)

    @cached_property
    def comparison(self) -> Comparison:
        """The estimator that SURE selects against the recommended noise left as it is.

        The spread of the RMSE from release to release is estimated by that of the squared errors over the places.
        """
        chosen, noise = self.best_by_sure, self.recommended
        other = self.sigma if noise is None else math.sqrt(noise.variance)
        squares, released = self._squares(chosen), self._squares("none")
        low, high = (math.sqrt(max(bound, 0)) for bound in _bounds(squares))
        rmse = self.rmse[chosen]
        if noise is not None and other < self.sigma:
            gain = (1 - high / other, 1 - low / other) if other else (0.0, 0.0)
            return Comparison(chosen, rmse, high - rmse, noise, other, gain)
        less, more = (bound / float(np.mean(released)) for bound in _bounds(released - squares))
        gain = 1 - math.sqrt(max(1 - less, 0)), 1 - math.sqrt(max(1 - more, 0))
        return Comparison(chosen, rmse, high - rmse, None, other, gain)

    @cached_property
    def rmse_by_sure(self) -> dict[str, float]:
        """The error that SURE expects of each estimator, from the release alone; 0 where SURE is negative."""
        size, estimates = self.count.size, self.estimates.items()
        return {key: float(np.sqrt(max(estimate.sure, 0) / size)) for key, estimate in estimates}

    @property
    def zeros_rmse(self) -> float:
        """The error of a map of zeros."""
        return _root_mean_square(self.count**2)

    @property
    def sure_resolution(self) -> float:
        """The error below which SURE says little: where y is small, SURE/d has the standard deviation σ²√(2/d)."""
        return self.sigma * (2 / self.count.size) ** 0.25

    @cached_property
    def best(self) -> str:
        """The estimator of least true error, possibly the release itself."""
        return min(self.rmse, key=self.rmse.__getitem__)

    @cached_property
    def best_by_sure(self) -> str:
        """The estimator that SURE ranks first."""
        return str(denoise.best(self.estimates))

    @cached_property
    def panel_keys(self) -> dict[str, str]:
        """The estimator of least true error of each kind, by kind."""
        keys_of_kinds = {kind: [key for key in keys if key in self.estimates] for kind, keys in ESTIMATOR_KINDS.items()}
        return {kind: min(keys, key=self.rmse.__getitem__) for kind, keys in keys_of_kinds.items() if keys}


def compute_slow_estimates(release: MapRelease, progress: Progress) -> None:
    """Compute the slow estimates one after the other, and report each when it is complete."""
    for place, key in enumerate(SLOW_KEYS):
        progress.report(place / len(SLOW_KEYS))
        progress.add_piece(release.estimate(key))


def map_source(result: DenoisingResult) -> PlaceSource | None:
    """Return the places of the setting; None if they are the user's own and there are none."""
    return result.places if result.values["places"] == "own" else carshare()


def person_limits(values: Values) -> tuple[float, float]:
    """Return what one person adds at most in all, L, and at one place, c: 1 where each person counts once."""
    if values[CONTRIBUTION.key] == "once":
        return 1.0, 1.0
    return values["trips"], min(values["at_place"], values["trips"])


def map_release(result: DenoisingResult) -> MapRelease | None:
    """Return the release of the setting; None if there are no places."""
    source, values = map_source(result), result.values
    if source is None or source.problem:
        return None
    grid = int(values["grid"]) if source.roads is None else 0
    person, guarantee = person_limits(values), (values["epsilon"], values["delta"], values["significance"])
    setting = MapSetting(grid, *person, values["neighbours"], *guarantee, int(values["seed"]))
    slow = source.slow_estimates[1] if source.slow_estimates is not None and source.slow_estimates[0] == setting else {}
    return source.cached((setting, *slow), lambda: MapRelease(source, setting, slow))


def _bounds(values: Array) -> tuple[float, float]:
    """Return the mean of independent values less and plus two standard errors; no bounds of fewer than two."""
    mean = float(np.mean(values))
    spread = 2 * float(np.std(values, ddof=1)) / math.sqrt(values.size) if values.size > 1 else math.inf
    return mean - spread, mean + spread


def _root_mean_square(squares: Array) -> float:
    return float(np.sqrt(np.mean(squares)))
