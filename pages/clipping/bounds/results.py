"""The errors of a clipped sum or mean: at the best bound, at the user's, over all bounds, and over ε."""

from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.special import ndtri

from dpcore import clipping
from dpcore.checks import Array
from dpcore.clipping import ClippingError, Distribution
from pages.framework.chart.theme import decades

BINS_A_DECADE = 10
_BOUNDS_A_DECADE = 20
_N_EPSILONS = 11
MOST_VALUE = 1e13
"""The largest value of the page: bounds ten times as large are tried."""
MOST_DISCRETE_VALUE = 1e5
"""That of discrete Gaussian noise, whose tails are sums over whole numbers."""
_MOST_DECADE, _MOST_DISCRETE_DECADE = 14, 6
_MOST_VALUES = 1000  # that stand for all in the search for a private bound
Known = Distribution | Array


@dataclass(frozen=True)
class BoundsSetting:
    """What the errors of a clipped sum depend on, but for the values; `error` is the measure that is least."""

    epsilon: float
    delta: float
    significance: float
    low: float
    high: float
    query: str
    neighbours: str
    noise: str
    error: str

    @property
    def is_whole(self) -> bool:
        """Whether the noise, and so the bounds, are whole numbers."""
        return self.noise in ("geometric", "discrete_gaussian")


class PrivateBound(NamedTuple):
    """An upper bound that is released as a private quantile with a share of ε, and the error of the sum with it."""

    share: float
    quantile: float
    error: float


@dataclass(frozen=True)
class BoundsResult:
    """The errors of a clipped sum or mean of some values; of a distribution on average."""

    setting: BoundsSetting
    known: Known

    @property
    def n_values(self) -> int:
        """How many values there are."""
        return self.known.n if isinstance(self.known, Distribution) else self.known.size

    @property
    def unit_count(self) -> int:
        """What the errors of the sum are divided by: n for a mean, else 1."""
        return self.n_values if self.setting.query == "mean" else 1

    @cached_property
    def best_high(self) -> float:
        """The upper bound of the least error, to three digits: what the page recommends."""
        return rounded_bound(self.exact_best_high, self.setting)

    @cached_property
    def exact_best_high(self) -> float:
        """The upper bound of the least error, before it is rounded."""
        return float(best_bounds_over(self.known, self._searched, (self.setting.epsilon,))[0])

    @property
    def _searched(self) -> BoundsSetting:
        """The setting of the search, which does not depend on the user's own bound."""
        return replace(self.setting, high=0.0)

    def error_at(self, high: float | Array, epsilon: float | Array | None = None) -> ClippingError:
        """Return the errors at upper bounds, at the ε of the page or at others."""
        setting = self.setting
        function = clipping.mean_error if setting.query == "mean" else clipping.sum_error
        return function(
            self.known,
            setting.low,
            high,
            setting.epsilon if epsilon is None else epsilon,
            setting.noise,
            setting.neighbours,
            setting.delta,
            setting.significance,
        )

    def chosen_error(self, error: ClippingError) -> Array:
        """Return the measure of an error that is least at the best bound."""
        return error.root_mean_square_error if self.measure == "root_mean_square" else error.mean_absolute_error

    @property
    def measure(self) -> str:
        """The measure that is least at the best bound."""
        return self.setting.error

    @cached_property
    def best(self) -> ClippingError:
        """The errors at the best bound."""
        return self.error_at(self.best_high)

    @cached_property
    def yours(self) -> ClippingError:
        """The errors at the user's bound."""
        return self.error_at(self.setting.high)

    @property
    def ratio(self) -> float:
        """The error at the user's bound over that at the best."""
        return float(self.chosen_error(self.yours) / self.chosen_error(self.best))

    @cached_property
    def thumb_high(self) -> float:
        """The bound of the rule of thumb, which about 1/ε values exceed, to three digits; NaN where it has none."""
        if not self.has_thumb:
            return np.nan
        return rounded_bound(float(clipping.rule_of_thumb(self.known, self.setting.epsilon)), self.setting)

    @property
    def has_thumb(self) -> bool:
        """Whether the rule of thumb is proved for this query: values from 0 on, one person added or removed."""
        setting = self.setting
        return setting.low == 0 and setting.neighbours == "add_remove" and self._is_positive

    @property
    def _is_positive(self) -> bool:
        return isinstance(self.known, Distribution) or float(self.known[0]) >= 0

    @cached_property
    def private(self) -> PrivateBound | None:
        """A private bound within 0 and the user's bound, for Laplace noise; None where it is not known what it costs.

        Of many values some, each for as many, stand for all: with w times ε they have the same chances and the same
        noise in proportion.
        """
        if not (self.has_thumb and self.setting.noise == "laplace"):
            return None
        values = self._representatives()
        weight = self.n_values / values.size
        epsilon = min(weight * self.setting.epsilon, 1e6)
        share, quantile = clipping.best_share(values, epsilon, self.setting.high)
        error = float(clipping.quantile_bound_error(values, quantile, epsilon, self.setting.high, share))
        return PrivateBound(share, quantile, weight * error)

    def _representatives(self) -> Array:
        if isinstance(self.known, Distribution):
            n = min(self.n_values, _MOST_VALUES)
            m, s = self.known.parameters
            return np.minimum(np.exp(m + s * ndtri((np.arange(n) + 0.5) / n)), (10 * MOST_VALUE))
        if self.known.size <= _MOST_VALUES:
            return self.known
        places = (np.arange(_MOST_VALUES) + 0.5) / _MOST_VALUES * self.known.size
        return self.known[places.astype(np.intp)]

    @cached_property
    def axis_decades(self) -> tuple[int, int]:
        """The decades of bounds that the charts show."""
        least, greatest = self._extremes()
        ends = self.best_high, self.setting.high, greatest, max(least, self.setting.low, greatest / 1e6)
        start = int(np.floor(np.log10(self.best_high)))
        low, high = decades(start, start + 1, *ends)
        most = _MOST_DISCRETE_DECADE if self.setting.noise == "discrete_gaussian" else _MOST_DECADE
        return max(low, high - 12), min(high, most)

    def _extremes(self) -> tuple[float, float]:
        if isinstance(self.known, Distribution):
            return self.known.extremes()
        positive = self.known[self.known > 0]
        return float(positive[0]), float(positive[-1])

    @cached_property
    def curve(self) -> pd.DataFrame:
        """The error over the upper bound, its bias and its noise."""
        first, last = self.axis_decades
        high = 10.0 ** np.linspace(first, last, _BOUNDS_A_DECADE * (last - first) + 1)
        high = np.unique(np.append(np.rint(high) if self.setting.is_whole else high, self.best_high))
        errors = self.error_at(high[high > self.setting.low])
        frame = {
            "bound": errors.high,
            "error": self.chosen_error(errors),
            "bias": errors.bias,
            "noise": errors.deviation,
        }
        return pd.DataFrame(frame | {"half_width": errors.half_width, "n_clipped": errors.n_clipped})

    @cached_property
    def density(self) -> pd.DataFrame:
        """How many values a decade has, in bins of a tenth of one, split at the best bound."""
        first, last = self.axis_decades
        edges = 10.0 ** np.linspace(first, last, BINS_A_DECADE * (last - first) + 1)
        edges = np.unique(np.append(edges, self.best_high))
        edges = edges[np.append(True, np.diff(edges) > 1e-9 * edges[1:])]
        above = self.n_above(edges)
        n_values = above[:-1] - above[1:]
        frame = {"from": edges[:-1], "to": edges[1:], "middle": np.sqrt(edges[:-1] * edges[1:]), "n_values": n_values}
        frame |= {
            "per_decade": n_values / np.diff(np.log10(edges)),
            "is_cut": edges[:-1] >= self.best_high * (1 - 1e-9),
        }
        return pd.DataFrame(frame)

    def n_above(self, bound: Array) -> Array:
        """Return how many values are above a bound; of a distribution on average."""
        if isinstance(self.known, Distribution):
            return np.asarray(self.known.n_above(bound))
        return (self.known.size - np.searchsorted(self.known, bound, side="right")).astype(np.float64)

    @cached_property
    def over_epsilon(self) -> pd.DataFrame:
        """The best bound, the rule of thumb, and the errors of both and of the user's bound, over ε."""
        low, high = decades(-2, 1, self.setting.epsilon)
        grid = np.geomspace(10.0**low, min(10.0**high, 1e3), _N_EPSILONS)
        best = best_bounds_over(self.known, self._searched, tuple(grid.tolist()))
        errors = self.chosen_error(self.error_at(best, grid))
        frame = {"epsilon": grid, "best": best, "error": errors}
        frame["yours"] = self.chosen_error(self.error_at(self.setting.high, grid))
        if self.has_thumb:
            thumb = np.asarray(clipping.rule_of_thumb(self.known, grid))
            thumb = np.maximum(np.rint(thumb), 1) if self.setting.is_whole else thumb
            frame |= {"thumb": thumb, "thumb_error": self.chosen_error(self.error_at(thumb, grid))}
        return pd.DataFrame(frame)


def rounded_bound(high: float, setting: BoundsSetting) -> float:
    """Return a bound to three digits, or as it is where that is not above the lower bound."""
    short = float(f"{high:.3g}")
    short = round(short) if setting.is_whole else short
    return float(short if max(setting.low, 0) < short <= (10 * MOST_VALUE) else high)


def best_bounds_over(known: Known, setting: BoundsSetting, epsilons: tuple[float, ...]) -> Array:
    """Return the upper bounds of the least errors at several ε, cached for a distribution."""
    if isinstance(known, Distribution):
        return _cached_bounds(known, setting, epsilons)
    return _searched_bounds(known, setting, epsilons)


def _searched_bounds(known: Known, setting: BoundsSetting, epsilons: tuple[float, ...]) -> Array:
    options = setting.noise, setting.neighbours, setting.error, setting.delta
    best = [clipping.best_bounds(known, epsilon, setting.low, None, *options).high for epsilon in epsilons]
    least = max(setting.low, 0)
    room = 1.0 if setting.is_whole else max(1e-9 * least, 1e-9)
    return np.clip(best, least + room, (10 * MOST_VALUE))


@lru_cache(64)
def _cached_bounds(known: Distribution, setting: BoundsSetting, epsilons: tuple[float, ...]) -> Array:
    return _searched_bounds(known, setting, epsilons)
