"""Computations that settings share. All sessions share their results and never change them."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import pandas as pd

from dpcore import optimal_noise
from dpcore.calibrations import PROBABILISTIC_DP, Calibration
from dpcore.checks import Array
from dpcore.generalized_gaussian import delta_from_scale, optimal_shape, pdp_delta_from_scale
from pages.generalized_gaussian import grids

_LEAST_RATIO, _MOST_RATIO = 1e-12, 1e6  # of the sensitivity to b, in profiles

best_shape = lru_cache(1024)(optimal_shape.best_against)
size_curve = lru_cache(256)(optimal_shape.along)
several_statistics_curve = lru_cache(256)(optimal_shape.along_several)
floor = lru_cache(256)(optimal_noise.floor_frame)


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


def unit_sizes(measure: str, shapes: tuple[float, ...], significance: float | None) -> Array:
    """Return one size of the noise of each shape with b = 1."""
    return optimal_shape.size(measure, 1.0, shapes, significance)


@lru_cache(256)
def scales(
    guarantee: Calibration, epsilon: float, delta: float, shapes: tuple[float, ...], sensitivity: float
) -> Array | None:
    """Return the b of each shape; None below the least ε at which the guarantee has an answer."""
    if epsilon < guarantee.least_epsilon:
        return None
    return guarantee.scale(epsilon, delta, np.array(shapes), sensitivity)


def privacy_profiles(
    guarantee: Calibration, scales: tuple[float, ...], shapes: tuple[float, ...], sensitivity: float, epsilon: float
) -> Array | None:
    """Return the δ of each shape, a row each, over the ε of `grids.profile_grid`; None where b is extreme."""
    if not all(_LEAST_RATIO <= sensitivity / scale <= _MOST_RATIO for scale in scales):
        return None
    profile = pdp_delta_from_scale if guarantee.guarantee == PROBABILISTIC_DP else delta_from_scale
    return profile(grids.profile_grid(epsilon), np.array(scales)[:, None], np.array(shapes)[:, None], sensitivity)


@lru_cache(64)
def best_map(guarantee: Calibration, measure: str, level: float | None) -> pd.DataFrame:
    """Return the best shape over a grid of ε and δ."""
    return optimal_shape.best_map(guarantee, measure, *grids.map_grid(), level)


@lru_cache(256)
def best_shape_curve(
    guarantee: Calibration, measure: str, delta: float, epsilons: tuple[float, ...], level: float | None
) -> pd.DataFrame:
    """Return the best shape at each ε."""
    return optimal_shape.best_frame(guarantee, measure, np.array(epsilons), delta, level)


def simulated_sizes(
    epsilon: float, delta: float, p: float, sensitivities: tuple[float, ...], significance: float, n: int, seed: int
) -> pd.DataFrame:
    """Return the sizes of simulated noise on several statistics."""
    return optimal_shape.simulated(np.random.default_rng(seed), epsilon, delta, p, sensitivities, n, significance)
