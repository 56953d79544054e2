"""How many times the exact ε RDP and the CLT give, over rate and noise, for so many epochs."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dpcore import composition
from dpcore.checks import Array
from pages.composition.dp_sgd.results import exactly
from pages.composition.parameters import MOST_RUNS

RATES, NOISES = np.geomspace(1e-4, 1, 9), np.geomspace(0.4, 10, 8)


@dataclass(frozen=True, eq=False)
class Ratios:
    """RDP and the CLT over the exact ε, a row for each noise and a column for each rate; NaN where there is no exact ε.

    `beyond` are the rates at which so many epochs take more than a million steps, for which nothing is computed.
    """

    exact: Array
    rdp: Array
    clt: Array
    beyond: NDArray[np.bool_]


@lru_cache(32)
def ratios(epochs: float, delta: float) -> Ratios:
    """The ratios over rate and noise for so many epochs: epochs ÷ rate steps."""
    there = np.ceil(epochs / RATES) <= MOST_RUNS
    noise, rate, steps = NOISES[:, None], RATES[there], np.ceil(epochs / RATES[there])
    found = np.full((3, NOISES.size, RATES.size), np.nan)
    found[0, :, there] = exactly(noise, rate, steps, delta).T
    for row, name in ((1, "rdp"), (2, "clt")):
        found[row, :, there] = composition.dp_sgd_epsilon(delta, noise, rate, steps, name).T
    exact = np.where(found[0] > 0, found[0], np.nan)
    return Ratios(exact, found[1] / exact, found[2] / exact, ~there)
