"""Computations that settings share. All sessions share their results and never change them."""

from functools import lru_cache

import numpy as np
import pandas as pd

from dpcore import optimal_noise
from dpcore.calibrations import PROBABILISTIC_DP, Calibration
from dpcore.checks import Array
from dpcore.generalized_gaussian import delta_from_scale, optimal_shape, pdp_delta_from_scale
from dpcore.mechanism import Mechanism, calibrated_shapes
from pages.generalized_gaussian import grids

_LEAST_RATIO, _MOST_RATIO = 1e-12, 1e6  # of the sensitivity to b, in profiles

best_shape = lru_cache(1024)(optimal_shape.best_against)
size_curve = lru_cache(256)(optimal_shape.along)
several_statistics_curve = lru_cache(256)(optimal_shape.along_several)
floor = lru_cache(256)(optimal_noise.floor_frame)


@lru_cache(1024)
def calibrated_noises(
    guarantee: Calibration, epsilon: float, delta: float, shapes: tuple[float, ...], sensitivity: float
) -> dict[float, Mechanism]:
    """Return the noise of each shape, calibrated at one guarantee."""
    return dict(zip(shapes, calibrated_shapes(guarantee, epsilon, delta, shapes, sensitivity), strict=True))


@lru_cache(256)
def scales(
    guarantee: Calibration, epsilon: float, delta: float, shapes: tuple[float, ...], sensitivity: float
) -> Array | None:
    """Return the b of each shape; None below the least ε at which the guarantee has an answer."""
    if epsilon < guarantee.least_epsilon:
        return None
    return guarantee.scale(epsilon, delta, np.array(shapes), sensitivity)


def noise_sizes(noises: dict[float, Mechanism], significance: float) -> dict[str, Array]:
    """Return the b, standard deviation, mean |error| and half-width of each noise, each of them in one call."""
    b, p = np.array([noise.scale for noise in noises.values()]), np.array(list(noises))
    return {measure: optimal_shape.size(measure, b, p, significance) for measure in optimal_shape.SIZES}


@lru_cache(256)
def privacy_profiles(
    guarantee: Calibration, scales: tuple[float, ...], shapes: tuple[float, ...], sensitivity: float, epsilon: float
) -> pd.DataFrame | None:
    """Return the δ of the noise of each shape over ε, of the kind that is guaranteed; None where b is extreme."""
    if not all(_LEAST_RATIO <= sensitivity / scale <= _MOST_RATIO for scale in scales):
        return None
    profile = pdp_delta_from_scale if guarantee.guarantee == PROBABILISTIC_DP else delta_from_scale
    grid = grids.profile_grid(epsilon)
    delta = profile(grid, np.array(scales)[:, None], np.array(shapes)[:, None], sensitivity)
    columns = {"p": np.repeat(shapes, grid.size), "epsilon": np.tile(grid, len(shapes)), "delta": delta.ravel()}
    return pd.DataFrame(columns)


@lru_cache(64)
def best_map(guarantee: Calibration, measure: str, level: float) -> pd.DataFrame:
    """Return the best shape over a grid of ε and δ."""
    return optimal_shape.best_map(guarantee, measure, *grids.map_grid(), level)


@lru_cache(256)
def best_shape_curve(
    guarantee: Calibration, measure: str, delta: float, epsilons: tuple[float, ...], level: float
) -> pd.DataFrame:
    """Return the best shape at each ε."""
    return optimal_shape.best_frame(guarantee, measure, np.array(epsilons), delta, level)


@lru_cache(1024)
def simulated_sizes(
    epsilon: float, delta: float, p: float, sensitivities: tuple[float, ...], significance: float, n: int, seed: int
) -> pd.DataFrame:
    """Return the sizes of simulated noise on several statistics."""
    return optimal_shape.simulated(np.random.default_rng(seed), epsilon, delta, p, sensitivities, n, significance)
