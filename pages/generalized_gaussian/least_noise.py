"""The least noise of any shape beside that of the shapes: its density, and a map of what the best p leaves."""

from functools import lru_cache

import numpy as np
import pandas as pd

from dpcore import optimal_noise, truncated_laplace
from dpcore.calibrations import GENERALIZED_ADP
from dpcore.checks import Array
from pages.generalized_gaussian import grids
from pages.generalized_gaussian.parameters import GeneralizedGaussianSetting

LEAST_VARIANCE, TRUNCATED = "least variance", "truncated Laplace"
_N_ROWS = 2000  # of the linear program


def least_densities(setting: GeneralizedGaussianSetting, x: Array) -> pd.DataFrame | None:
    """Return the densities along x of the noise of the least variance that is known and of truncated Laplace noise.

    There are none where the densities share something else than (ε, δ)-DP, and beyond the ε and δ of linear programs.
    """
    if setting.match != "guarantee" or setting.calibration is not GENERALIZED_ADP:
        return None
    target = setting.epsilon, setting.delta, setting.l2_sensitivity
    try:
        least = optimal_noise.least_cost(*target, "variance", 0.0, _N_ROWS)
    except ValueError:
        return None
    noise = (
        truncated_laplace.bound_from_epsilon(*target),
        truncated_laplace.scale_from_epsilon(setting.epsilon, setting.l2_sensitivity),
    )
    densities = {LEAST_VARIANCE: least.density(x), TRUNCATED: truncated_laplace.pdf(x, *noise)}
    return pd.concat([pd.DataFrame({"noise": name, "x": x, "pdf": pdf}) for name, pdf in densities.items()])


@lru_cache(4)  # it depends on no other parameter
def remaining_map(measure: str) -> pd.DataFrame:
    """Return a frame over the map with the share that truncated Laplace or staircase noise has of the best p's size."""
    epsilon, delta = np.meshgrid(*grids.remaining_grid(), indexing="ij")
    frame = optimal_noise.closed_form_frame(epsilon, delta, measure)
    return frame.assign(share=100 * np.minimum(frame["truncated"], frame["staircase"]) / frame["best"])
