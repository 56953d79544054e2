"""The search for the bounds of the least error, and the setting that it depends on."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from dpcore import clipping
from dpcore.checks import Array
from dpcore.clipping import Distribution

MOST_VALUE = 1e13
"""The largest value of the page: bounds ten times as large are tried."""
Known = Distribution | Array


@dataclass(frozen=True)
class BoundsSetting:
    """What the errors of a clipped sum depend on, but for the values; `error` is the measure that is least.

    `low` and `bound` are None where they are sought; `high` is the maximum of the user's range.
    """

    epsilon: float
    delta: float
    significance: float
    low: float | None
    bound: float | None
    high: float
    query: str
    neighbours: str
    noise: str
    error: str
    count_share: float

    @property
    def is_whole(self) -> bool:
        """Whether the noise, and so the bounds, are whole numbers."""
        return self.noise in ("geometric", "discrete_gaussian")


def rounded_bound(high: float, low: float, setting: BoundsSetting) -> float:
    """Return an upper bound to three digits, or as it is where that is not above the lower bound, whole if need be."""
    short = float(f"{high:.3g}")
    short = round(short) if setting.is_whole else short
    usable = short if max(low, 0) < short <= (10 * MOST_VALUE) else high
    return float(max(np.ceil(usable), 1.0) if setting.is_whole else usable)


def rounded_low(low: float, setting: BoundsSetting) -> float:
    """Return a lower bound that was sought, to three digits; it is at most 0 where that costs nothing.

    If a person is added or removed, the sensitivity is the larger size: a lower bound above 0 saves no noise.
    """
    if setting.neighbours == "add_remove" and setting.query == "sum":
        low = min(low, 0.0)
    return float(round(float(f"{low:.3g}")) if setting.is_whole else float(f"{low:.3g}"))


def best_bounds_over(known: Known, setting: BoundsSetting, epsilons: tuple[float, ...]) -> Array:
    """Return the lower and upper bounds of the least errors at several ε, one row each, cached for a distribution."""
    if isinstance(known, Distribution):
        return _cached_bounds(known, setting, epsilons)
    return _searched_bounds(known, setting, epsilons)


def _searched_bounds(known: Known, setting: BoundsSetting, epsilons: tuple[float, ...]) -> Array:
    share = setting.count_share if setting.query == "counted_mean" else None
    options = setting.noise, setting.neighbours, setting.error, setting.delta, setting.significance, share
    best = [clipping.best_bounds(known, epsilon, setting.low, None, *options) for epsilon in epsilons]
    low = np.array([bounds.low for bounds in best])
    least = np.maximum(low, 0)
    room = np.maximum(1e-9 * least, 1.0 if setting.is_whole else 1e-9)
    high = np.clip([bounds.high for bounds in best], least + room, 10 * MOST_VALUE)
    return np.column_stack([low, high])


@lru_cache(64)
def _cached_bounds(known: Distribution, setting: BoundsSetting, epsilons: tuple[float, ...]) -> Array:
    return _searched_bounds(known, setting, epsilons)
