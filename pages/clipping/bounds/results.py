"""The errors of a clipped sum or mean: at the best bound, at the user's, over all bounds, and over ε."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.special import ndtr, ndtri

from dpcore import clipping
from dpcore.checks import Array
from dpcore.clipping import ClippingError, Distribution
from pages.clipping.bounds.search_results import (
    MOST_VALUE,
    BoundsSetting,
    Known,
    best_bounds_over,
    rounded_bound,
    rounded_low,
)
from pages.framework.chart.theme import decades

_BOUNDS_A_DECADE = 20
_N_EPSILONS, _N_SOUGHT = 11, 7
_N_SIGNED_DECADES = 4
MOST_DISCRETE_VALUE = 1e5
"""That of discrete Gaussian noise, whose tails are sums over whole numbers."""
_MOST_DECADE, _MOST_DISCRETE_DECADE = 14, 6
_MOST_VALUES = 1000  # that stand for all in the search for a private bound


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
        return 1 if self.setting.query == "sum" else self.n_values

    @property
    def count_share(self) -> float | None:
        """The share of ε for the count of a mean whose n is not public, else None."""
        return self.setting.count_share if self.setting.query == "counted_mean" else None

    @cached_property
    def _best_pair(self) -> tuple[float, float]:
        """The bounds of the least error, before they are rounded."""
        low, high = best_bounds_over(self.known, self._search_setting, (self.setting.epsilon,))[0]
        return float(low), float(high)

    @property
    def exact_best_high(self) -> float:
        """The upper bound of the least error, before it is rounded."""
        return self._best_pair[1]

    @property
    def is_low_sought(self) -> bool:
        """Whether both bounds are sought."""
        return self.setting.low is None

    @cached_property
    def low(self) -> float:
        """The lower bound: the user's, or the best one to three digits."""
        return rounded_low(self._best_pair[0], self.setting) if self.setting.low is None else self.setting.low

    @cached_property
    def best_high(self) -> float:
        """The upper bound of the least error, to three digits: what the page recommends."""
        return rounded_bound(self.exact_best_high, self.low, self.setting)

    @property
    def high(self) -> float:
        """The upper bound that is chosen: the user's, or the best one."""
        return self.best_high if self.setting.bound is None else self.setting.bound

    @property
    def _search_setting(self) -> BoundsSetting:
        """The setting of the search, which does not depend on the user's own upper bounds."""
        return replace(self.setting, bound=None, high=0.0)

    def error_at(
        self, high: float | Array, epsilon: float | Array | None = None, low: float | Array | None = None
    ) -> ClippingError:
        """Return the errors at upper bounds, at the ε and the lower bound of the page or at others."""
        setting = self.setting
        arguments = (
            *(self.known, self.low if low is None else low, high, setting.epsilon if epsilon is None else epsilon),
            *(setting.noise, setting.neighbours, setting.delta, setting.significance),
            "gross",
        )
        if setting.query == "sum":
            return clipping.sum_error(*arguments)
        return clipping.mean_error(*arguments, self.count_share)

    def chosen_error(self, error: ClippingError) -> Array:
        """Return the measure of an error that is least at the best bound."""
        return np.asarray(getattr(error, self.setting.error + "_error" * (self.setting.error != "half_width")))

    @cached_property
    def best(self) -> ClippingError:
        """The errors at the best bound."""
        return self.error_at(self.best_high)

    @cached_property
    def chosen(self) -> ClippingError:
        """The errors at the bound that is chosen."""
        return self.error_at(self.high)

    @cached_property
    def at_maximum(self) -> ClippingError:
        """The errors at the maximum of the user's range."""
        return self.error_at(self.setting.high)

    @property
    def has_maximum(self) -> bool:
        """Whether the maximum of the range is above the lower bound."""
        return self.setting.high > self.low

    def ratio(self, error: ClippingError) -> float:
        """Return an error over the least one."""
        return float(self.chosen_error(error) / self.chosen_error(self.best))

    @cached_property
    def thumb_high(self) -> float:
        """The bound of the rule of thumb, which about 1/ε values exceed, to three digits; NaN where it has none."""
        if not self.has_thumb:
            return np.nan
        return rounded_bound(float(clipping.rule_of_thumb(self.known, self.setting.epsilon)), 0.0, self.setting)

    @property
    def has_thumb(self) -> bool:
        """Whether the rule of thumb is proved for this query: values from 0 on, whose sum is moved by at most U."""
        return self.setting.low == 0 and self.count_share is None and self._is_positive

    @property
    def _is_positive(self) -> bool:
        return self.known.name == "lognormal" if isinstance(self.known, Distribution) else float(self.known[0]) >= 0

    @cached_property
    def private(self) -> PrivateBound | None:
        """A private bound within 0 and the maximum of the range; None where it is not computed what it costs.

        Of many values some stand for all, for as many people.
        """
        setting = self.setting
        if not self.has_thumb or setting.is_whole:
            return None
        values, n_people = self._representatives()
        options = setting.noise, setting.delta, n_people
        share, quantile = clipping.best_share(values, setting.epsilon, setting.high, None, *options)
        error = clipping.quantile_bound_error(values, quantile, setting.epsilon, setting.high, share, *options)
        return PrivateBound(share, quantile, float(error) / self.unit_count)

    def _representatives(self) -> tuple[Array, Array]:
        """Return means of values that are next to each other, and of how many people: few at the top, for the bias."""
        n = self.n_values
        steps = np.geomspace(1, n + 1, _MOST_VALUES + 1) if n > _MOST_VALUES else np.arange(1.0, n + 2)
        ranks = np.unique(np.rint(steps)) - 1
        if isinstance(self.known, Distribution):
            sums = n * self.known.mean * ndtr(self.known.parameters[1] + ndtri(ranks / n))
        else:
            sums = np.concatenate([[0.0], np.cumsum(self.known[::-1])])[ranks.astype(np.intp)]
        return np.minimum(np.diff(sums) / np.diff(ranks), 10 * MOST_VALUE), np.diff(ranks)

    @cached_property
    def axis_decades(self) -> tuple[int, int]:
        """The decades of bounds that the charts show."""
        least, greatest = self.extremes
        ends = self.best_high, self.high, self.setting.high, greatest, max(least, self.low, greatest / 1e6)
        start = int(np.floor(np.log10(self.best_high)))
        low, high = decades(start, start + 1, *ends)
        most = _MOST_DISCRETE_DECADE if self.setting.noise == "discrete_gaussian" else _MOST_DECADE
        return max(low, high - (_N_SIGNED_DECADES if self.is_signed else 12)), min(high, most)

    @cached_property
    def extremes(self) -> tuple[float, float]:
        """The least and the greatest value, the least positive one where none is negative."""
        if isinstance(self.known, Distribution):
            return self.known.extremes()
        values = self.known if self.known[0] < 0 else self.known[self.known > 0]
        return float(values[0]), float(values[-1])

    @property
    def is_signed(self) -> bool:
        """Whether some values are negative."""
        return self.extremes[0] < 0

    @cached_property
    def n_below(self) -> float:
        """How many values are below the lower bound; of a distribution on average."""
        if isinstance(self.known, Distribution):
            return float(self.known.n_below(self.low))
        return float(np.searchsorted(self.known, self.low))

    @cached_property
    def curve(self) -> pd.DataFrame:
        """The error over the upper bound, its bias and its noise."""
        first, last = self.axis_decades
        high = 10.0 ** np.linspace(first, last, _BOUNDS_A_DECADE * (last - first) + 1)
        high = np.unique(np.append(np.rint(high) if self.setting.is_whole else high, self.best_high))
        errors = self.error_at(high[high > self.low])
        frame = {
            "bound": errors.high,
            "error": self.chosen_error(errors),
            "bias": errors.bias,
            "noise": errors.deviation,
        }
        return pd.DataFrame(frame | {"half_width": errors.half_width, "n_clipped": errors.n_clipped})

    def n_above(self, bound: Array) -> Array:
        """Return how many values are above a bound; of a distribution on average."""
        if isinstance(self.known, Distribution):
            return np.asarray(self.known.n_above(bound))
        return (self.known.size - np.searchsorted(self.known, bound, side="right")).astype(np.float64)

    @cached_property
    def over_epsilon(self) -> pd.DataFrame:
        """The best bound, the rule of thumb, and the errors of both and of the user's bound, over ε."""
        first, last = decades(-2, 1, self.setting.epsilon)
        is_slow = self.is_low_sought or self.setting.error == "half_width"
        n_epsilons = _N_SOUGHT if is_slow else _N_EPSILONS
        grid = np.geomspace(10.0**first, min(10.0**last, 1e3), n_epsilons)
        low, high = best_bounds_over(self.known, self._search_setting, tuple(grid.tolist())).T
        frame = {"epsilon": grid, "best": high, "error": self.chosen_error(self.error_at(high, grid, low))}
        frame |= {"low": low} if self.is_low_sought else {}
        if self.has_maximum:
            frame["maximum"] = self.chosen_error(self.error_at(self.setting.high, grid))
        if self.setting.bound is not None:
            frame["yours"] = self.chosen_error(self.error_at(self.high, grid))
        if self.has_thumb:
            thumb = np.asarray(clipping.rule_of_thumb(self.known, grid))
            thumb = np.maximum(np.rint(thumb), 1) if self.setting.is_whole else thumb
            frame |= {"thumb": thumb, "thumb_error": self.chosen_error(self.error_at(thumb, grid))}
        return pd.DataFrame(frame)
