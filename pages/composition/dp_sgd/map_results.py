"""The ratios of RDP and of the CLT to the exact ε, over rate and noise, for a number of epochs."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dpcore import composition
from dpcore.checks import Array
from pages.composition.dp_sgd.results import exact_epsilons
from pages.shared.releases import MAX_COUNT

RATES, NOISES = np.geomspace(1e-4, 1, 9), np.geomspace(0.4, 10, 8)


@dataclass(frozen=True, eq=False)
class RatioMap:
    """RDP and the CLT over the exact ε, with a row for each noise and a column for each rate.

    The ratios are NaN where there is no exact ε. `is_too_long` marks the rates at which the epochs take more than a
    million steps, for which nothing is computed.
    """

    exact: Array
    rdp: Array
    clt: Array
    is_too_long: NDArray[np.bool_]


@lru_cache(32)
def ratio_map(epochs: float, delta: float) -> RatioMap:
    """Return the ratios over rate and noise for a number of epochs, which take epochs ÷ rate steps."""
    is_feasible = np.ceil(epochs / RATES) <= MAX_COUNT
    noise, rate, steps = NOISES[:, None], RATES[is_feasible], np.ceil(epochs / RATES[is_feasible])
    epsilons = np.full((3, NOISES.size, RATES.size), np.nan)
    epsilons[0, :, is_feasible] = exact_epsilons(noise, rate, steps, delta).T
    for row, name in ((1, "rdp"), (2, "clt")):
        epsilons[row, :, is_feasible] = composition.dp_sgd_epsilon(delta, noise, rate, steps, name).T
    exact = np.where(epsilons[0] > 0, epsilons[0], np.nan)
    return RatioMap(exact, epsilons[1] / exact, epsilons[2] / exact, ~is_feasible)
