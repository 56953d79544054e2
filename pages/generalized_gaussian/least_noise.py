"""The least noise of any shape beside that of the shapes: its density, and a map of what the best p leaves.

The map has too many linear programs for a page. Its bounds stand in a table, which is computed anew, in half a minute,
by python -m pages.generalized_gaussian.least_noise.
"""

from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal, localcontext
from functools import lru_cache, partial
from pathlib import Path

import numpy as np
import pandas as pd

from dpcore import optimal_noise, truncated_laplace
from dpcore.calibrations import GENERALIZED_ADP
from dpcore.checks import Array
from pages.generalized_gaussian import grids
from pages.generalized_gaussian.parameters import GeneralizedGaussianSetting

LEAST_VARIANCE, TRUNCATED = "least variance", "truncated Laplace"
FLOOR_TABLE = Path(__file__).with_name("floors.csv")
N_ROWS = 2000  # of a linear program


def least_densities(setting: GeneralizedGaussianSetting, x: Array) -> dict[str, Array] | None:
    """Return the densities at x of the noise of least known variance and of truncated Laplace noise, by name.

    There are none where the densities share something else than (ε, δ)-DP, and beyond the ε and δ of linear programs.
    """
    if not _has_least_noise(setting):
        return None
    target = setting.epsilon, setting.delta, setting.l2_sensitivity
    try:
        least = optimal_noise.best_known_noise(*target, "variance", N_ROWS)
    except ValueError:
        return None
    return {LEAST_VARIANCE: least.density(x), TRUNCATED: truncated_laplace.pdf(x, *_truncated_noise(setting))}


def truncated_profile(setting: GeneralizedGaussianSetting, epsilon: Array) -> Array | None:
    """Return the δ of truncated Laplace noise over ε; None where the noises share something else than (ε, δ)-DP."""
    if not _has_least_noise(setting):
        return None
    return truncated_laplace.delta_from_bound(epsilon, *_truncated_noise(setting), setting.l2_sensitivity)


def _has_least_noise(setting: GeneralizedGaussianSetting) -> bool:
    return setting.match == "guarantee" and setting.calibration is GENERALIZED_ADP


def _truncated_noise(setting: GeneralizedGaussianSetting) -> tuple[float, float]:
    """Return the bound and the scale of truncated Laplace noise of the setting's guarantee."""
    bound = truncated_laplace.bound_from_epsilon(setting.epsilon, setting.delta, setting.l2_sensitivity)
    return float(bound), float(truncated_laplace.scale_from_epsilon(setting.epsilon, setting.l2_sensitivity))


@lru_cache(4)  # it depends on no other parameter
def remaining_map(measure: str) -> pd.DataFrame:
    """Return a frame over the map with the bounds on the least noise of any shape, in percent of the best p's size."""
    table = pd.read_csv(FLOOR_TABLE)
    table = pd.DataFrame(table[table["measure"] == measure])
    frame = optimal_noise.closed_form_frame(*np.meshgrid(*grids.remaining_grid(), indexing="ij"), measure)
    bounds = {key: table[key].to_numpy() for key in ("lower", "upper")}
    shares = {key: 100 * bound / frame["best"] for key, bound in bounds.items()}
    return frame.assign(**bounds, share=shares["lower"], reached=shares["upper"])


def floor_table() -> pd.DataFrame:
    """Return the bounds on the least noise of any shape over the map, at 5 digits, by some 900 linear programs."""
    epsilon, delta = np.meshgrid(*grids.remaining_grid(), indexing="ij")
    frames = []
    for measure in ("variance", "mean_error"):
        frame = optimal_noise.floor_frame(epsilon, delta, measure, N_ROWS)
        roundings = {"lower": ROUND_FLOOR, "upper": ROUND_CEILING}
        rounded = {key: frame[key].map(partial(_rounded, rounding=mode)) for key, mode in roundings.items()}
        frames.append(frame[["epsilon", "delta"]].assign(measure=measure, **rounded))
    return pd.concat(frames)


def _rounded(value: float, rounding: str) -> float:
    """Return a value with five digits, rounded by a mode of `decimal`."""
    with localcontext(prec=5, rounding=rounding):
        return float(+Decimal(value))


if __name__ == "__main__":
    floor_table().to_csv(FLOOR_TABLE, index=False, float_format="%.6g")
