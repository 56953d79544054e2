"""Computations that settings share, also of bounded noise. All sessions share their results and never change them."""

from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from typing import NamedTuple

import numpy as np
import pandas as pd

from dpcore import optimal_noise
from dpcore.calibrations import PROBABILISTIC_DP, Calibration
from dpcore.checks import Array
from dpcore.generalized_gaussian import bounded_comparison as comparison
from dpcore.generalized_gaussian import delta_from_scale, optimal_shape, pdp_delta_from_scale, sample
from dpcore.generalized_gaussian.bounded_comparison import BIT, CLIPPED, TRUNCATED
from pages.framework.rendering.uploaded_files import kept
from pages.generalized_gaussian import grids
from pages.generalized_gaussian.parameters import GeneralizedGaussianSetting
from pages.shared.bounded_noise import BoundedNoise, bounded_noise
from pages.shared.shared_parameters import EPSILON, N_DRAWS
from pages.shared.status_lines import refined

_N_BINS = 100
_LEAST_RATIO, _MOST_RATIO = 1e-12, 1e6  # of the sensitivity to b, in profiles

best_shape = partial(kept, optimal_shape.best_against)
size_curve = partial(kept, optimal_shape.along)
several_statistics_curve = partial(kept, optimal_shape.along_several)
floor = partial(kept, optimal_noise.floor_frame)


class NoiseSize(NamedTuple):
    """The b, standard deviation, mean |error| and half-width of the noise of one shape, in query units."""

    scale: float
    deviation: float
    mean_error: float
    half_width: float


def noise_sizes(shapes: tuple[float, ...], scales: Array, significance: float) -> dict[float, NoiseSize]:
    """Return the size of the noise of each shape, given the b of each."""
    sizes = (
        scales * unit_sizes(measure, shapes, significance if measure == "accuracy" else None)
        for measure in optimal_shape.SIZES
    )
    return {p: NoiseSize(*map(float, size)) for p, *size in zip(shapes, *sizes, strict=True)}


def half_widths_of_steps(
    guarantee: Calibration, delta: float, p: float, sensitivity: float, significance: float
) -> tuple[float, ...]:
    """Return the half-width of the noise of a shape at each step of the slider of ε."""
    epsilons = np.array([float(step) for step in EPSILON.scale])
    scales = guarantee.scale(np.maximum(epsilons, guarantee.least_epsilon), delta, p, sensitivity)
    return tuple((scales * unit_sizes("accuracy", (p,), significance)).tolist())


class ShapeDraws(NamedTuple):
    """How many of the first `drawn` draws of a noise are in each bin between `edges`, and beyond its half-width.

    `most` is how many of all draws are in the fullest bin.
    """

    edges: Array
    counts: Array
    beyond: int
    most: int
    drawn: int

    @property
    def densities(self) -> pd.DataFrame:
        """The densities of the draws at the middles of the bins, in shares of all draws."""
        low, high = self.edges[:-1], self.edges[1:]
        pdf = self.counts / (N_DRAWS * (high - low))
        columns = {"noise": "draws", "x": (low + high) / 2, "pdf": pdf, "low": low, "high": high, "draws": self.counts}
        return pd.DataFrame(columns)


@lru_cache(8)
def _unit_draws(p: float, seed: int) -> Array:
    return sample(np.random.default_rng(seed), 1.0, p, N_DRAWS)


def shape_draws(p: float, scale: float, half_width: float, end: float, seed: int, drawn: int) -> ShapeDraws:
    """Return the first draws of the noise of a shape in bins from −end to end."""
    draws, edges = scale * _unit_draws(p, seed), np.linspace(-end, end, _N_BINS + 1)
    counts = np.histogram(draws[:drawn], edges)[0]
    beyond = int(np.count_nonzero(np.abs(draws[:drawn]) > half_width))
    return ShapeDraws(edges, counts, beyond, int(np.histogram(draws, edges)[0].max()), drawn)


def unit_sizes(measure: str, shapes: tuple[float, ...], significance: float | None) -> Array:
    """Return one size of the noise of each shape with b = 1."""
    return optimal_shape.size(measure, 1.0, shapes, significance)


def scales(
    guarantee: Calibration, epsilon: float, delta: float, shapes: tuple[float, ...], sensitivity: float
) -> Array | None:
    """Return the b of each shape; None below the least ε at which the guarantee has an answer."""
    if epsilon < guarantee.least_epsilon:
        return None
    return guarantee.scale(epsilon, delta, np.array(shapes), sensitivity)


def privacy_profiles(
    guarantee: Calibration, scales: tuple[float, ...], shapes: tuple[float, ...], sensitivity: float, epsilon: Array
) -> Array | None:
    """Return the δ of each shape, a row each, over ε; None where b is extreme."""
    if not all(_LEAST_RATIO <= sensitivity / scale <= _MOST_RATIO for scale in scales):
        return None
    profile = pdp_delta_from_scale if guarantee.guarantee == PROBABILISTIC_DP else delta_from_scale
    return profile(epsilon, np.array(scales)[:, None], np.array(shapes)[:, None], sensitivity)


def best_map(guarantee: Calibration, measure: str, level: float | None) -> pd.DataFrame:
    """Return the best shape over a grid of ε and δ."""
    return optimal_shape.best_map(guarantee, measure, *grids.map_grid(), level)


def best_shape_curve(
    guarantee: Calibration, measure: str, delta: float, epsilons: tuple[float, ...], level: float | None
) -> pd.DataFrame:
    """Return the best shape at each ε, and at more where a straight line between two would miss its curve."""
    frames: list[pd.DataFrame] = []

    def values_at(epsilon: Array) -> Array:
        frames.append(optimal_shape.best_frame(guarantee, measure, epsilon, delta, level))
        return frames[-1]["p"].to_numpy()

    refined(np.array(epsilons), values_at)
    return pd.concat(frames).sort_values("epsilon", ignore_index=True)


@dataclass(frozen=True)
class BoundedResult:
    """What is computed for the bounds of one setting."""

    setting: GeneralizedGaussianSetting

    @property
    def scale(self) -> dict[str, float]:
        """The b of each mechanism, by its key."""
        return self.certified.scale

    @property
    def certified(self) -> BoundedNoise:
        """The numbers that do not depend on the true value."""
        return bounded_noise(self.setting)

    @cached_property
    def errors_at_value(self) -> pd.DataFrame:
        """The errors at the true value, in one row."""
        return comparison.errors(self.setting.true_value, self.scale, *self._range)

    def bias(self, key: str) -> float:
        """Return the bias of a mechanism at the true value."""
        return float(self.errors_at_value[f"{key}_bias"].to_numpy()[0])

    def error(self, key: str) -> float:
        """Return the root mean squared error of a mechanism at the true value."""
        return float(self.errors_at_value[f"{key}_rmse"].to_numpy()[0])

    def errors(self, key: str) -> Array:
        """Return the root mean squared error of a mechanism over the true value, from bound to bound."""
        return self.certified.errors_over_values[f"{key}_rmse"].to_numpy()

    @property
    def _range(self) -> tuple[float, float, float]:
        """The shape p, and both bounds."""
        return self.setting.p, self.setting.bound_low, self.setting.bound_high

    @property
    def _released_scales(self) -> dict[str, float]:
        return {mechanism.key: self.scale[mechanism.key] for mechanism in (TRUNCATED, BIT, CLIPPED)}

    @cached_property
    def densities(self) -> pd.DataFrame:
        """The densities of the releases at the true value."""
        scales, value, (_, low, high) = self._released_scales, self.setting.true_value, self._range
        return comparison.densities(grids.place_grid(scales, value, low, high), value, scales, *self._range)

    @cached_property
    def masses(self) -> dict[str, tuple[float, float]]:
        """The probabilities of both bounds themselves, of the mechanisms that clip."""
        masses = comparison.end_masses(self.setting.true_value, self._released_scales, *self._range)
        return {key: (float(low), float(high)) for key, (low, high) in masses.items()}
