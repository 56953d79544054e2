"""The errors at bounds, the search for those of the least error, and the setting that both depend on."""

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from dpcore import clipping
from dpcore.checks import Array
from dpcore.clipping import ClippingError, Distribution
from dpcore.families import FAMILIES

MOST_VALUE = 1e13
"""The largest value of the page: bounds ten times as large are tried."""
Known = Distribution | Array


@dataclass(frozen=True)
class BoundsSetting:
    """What the errors of a clipped sum depend on, but for the values; `error` is the measure that is least.

    `low` and `bound` are None where they are sought; `high` is the maximum of the user's range.
    """

    epsilon: float
    delta: float | None
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
        return FAMILIES[self.noise].whole

    @property
    def share(self) -> float | None:
        """The share of ε for the count of a mean whose n is not public, else None."""
        return self.count_share if self.query == "counted_mean" else None

    @property
    def of_search(self) -> "BoundsSetting":
        """The same setting in all that the best bounds at an ε of their own do not depend on."""
        significance = self.significance if self.error == "half_width" else 0.5
        own = {"significance": significance, "count_share": self.share or 0.5}
        return replace(self, epsilon=1.0, bound=None, high=0.0, **own)

    def size(self, error: ClippingError) -> Array:
        """Return the measure of an error that is least at the best bound."""
        return np.asarray(getattr(error, self.error + "_error" * (self.error != "half_width")))


def errors_at(
    known: Known, setting: BoundsSetting, low: float | Array, high: float | Array, epsilon: float | Array
) -> ClippingError:
    """Return the errors of the sum or mean at bounds and ε."""
    arguments = known, low, high, epsilon, setting.noise, setting.neighbours, setting.delta, setting.significance
    if setting.query == "sum":
        return clipping.sum_error(*arguments, "gross")
    return clipping.mean_error(*arguments, "gross", setting.share)


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
        return _cached_bounds(known, setting.of_search, epsilons)
    return _searched_bounds(known, setting.of_search, epsilons)


def _searched_bounds(known: Known, setting: BoundsSetting, epsilons: tuple[float, ...]) -> Array:
    alpha = setting.significance if setting.error == "half_width" else None
    options = setting.noise, setting.neighbours, setting.error, setting.delta, alpha, setting.share
    best = clipping.best_bounds(known, epsilons, setting.low, None, *options)
    least = np.maximum(best.low, 0)
    room = np.maximum(1e-9 * least, 1.0 if setting.is_whole else 1e-9)
    return np.column_stack([best.low, np.clip(best.high, least + room, 10 * MOST_VALUE)])


@lru_cache(256)
def _cached_bounds(known: Distribution, setting: BoundsSetting, epsilons: tuple[float, ...]) -> Array:
    return _searched_bounds(known, setting, epsilons)
