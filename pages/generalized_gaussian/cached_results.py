"""Computations that settings share. All sessions share their results and never change them."""

from functools import lru_cache

import numpy as np
import pandas as pd

from dpcore import optimal_noise
from dpcore.calibrations import Calibration
from dpcore.generalized_gaussian import optimal_shape
from dpcore.mechanism import Mechanism, calibrated_shapes
from pages.generalized_gaussian import grids

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
