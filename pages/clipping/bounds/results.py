"""The errors of a clipped sum or mean at bounds: the search for the best bound, the user's, all bounds, and over ε."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pandas as pd
from scipy.special import ndtr, ndtri

from dpcore import clipping
from dpcore.checks import Array
from dpcore.clipping import BiasAndNoise, Distribution, PrivateBound, PrivateBounds
from dpcore.families import FAMILIES
from pages.framework.chart.theme import decades
from pages.framework.rendering.uploaded_files import kept

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

    @property
    def is_sought(self) -> bool:
        """Whether a bound is sought: it then follows from the values."""
        return self.low is None or self.bound is None

    def size(self, error: BiasAndNoise) -> Array:
        """Return the measure of an error that is least at the best bound."""
        return np.asarray(getattr(error, SIZES[self.error]))


SIZES = {
    "root_mean_square": "root_mean_square_error",
    "mean_absolute": "mean_absolute_error",
    "half_width": "half_width",
}
"""The measures of an error, with their names in `BiasAndNoise`."""


def errors_at(
    known: Known, setting: BoundsSetting, low: float | Array, high: float | Array, epsilon: float | Array
) -> BiasAndNoise:
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
        return kept(_searched_bounds, known, setting.of_search, epsilons)
    return _searched_bounds(known, setting.of_search, epsilons)


def _searched_bounds(known: Known, setting: BoundsSetting, epsilons: tuple[float, ...]) -> Array:
    alpha = setting.significance if setting.error == "half_width" else None
    options = setting.noise, setting.neighbours, setting.error, setting.delta, alpha, setting.share
    best = clipping.best_bounds(known, epsilons, setting.low, None, *options)
    least = np.maximum(best.low, 0)
    room = np.maximum(1e-9 * least, 1.0 if setting.is_whole else 1e-9)
    return np.column_stack([best.low, np.clip(best.high, least + room, 10 * MOST_VALUE)])


_MOST_VALUES = 1000  # that stand for all


def private_bounds(known: Known, epsilon: float, high: float) -> PrivateBounds:
    """Return the private bounds within 0 and the maximum of the range.

    Of many values some stand for all, for as many people.
    """
    values, n_people = _representatives(known)
    return clipping.private_bounds(values, epsilon, high, weight=n_people)


def _representatives(known: Known) -> tuple[Array, Array]:
    """Return means of values that are next to each other, and of how many people: few at the top, for the bias."""
    n = known.n if isinstance(known, Distribution) else known.size
    steps = np.geomspace(1, n + 1, _MOST_VALUES + 1) if n > _MOST_VALUES else np.arange(1.0, n + 2)
    ranks = np.unique(np.rint(steps)) - 1
    if isinstance(known, Distribution):
        sums = n * known.mean * ndtr(known.parameters[1] + ndtri(ranks / n))
    else:
        sums = np.concatenate([[0.0], np.cumsum(known[::-1])])[ranks.astype(np.intp)]
    return np.minimum(np.diff(sums) / np.diff(ranks), 10 * MOST_VALUE), np.diff(ranks)


_N_EPSILONS, _N_SOUGHT = 21, 7


def frame_over_epsilon(
    known: Known, setting: BoundsSetting, low: float, ends: tuple[int, int], has_thumb: bool
) -> pd.DataFrame:
    """Return the bounds and their errors over decades of ε, cached for a distribution; `low` is the lower bound."""
    own = replace(setting, epsilon=1.0)
    if isinstance(known, Distribution):
        return kept(_frame, known, own, low, ends, has_thumb)
    return _frame(known, own, low, ends, has_thumb)


def _frame(known: Known, setting: BoundsSetting, low: float, ends: tuple[int, int], has_thumb: bool) -> pd.DataFrame:
    is_slow = setting.low is None or setting.error == "half_width"
    grid = np.geomspace(10.0 ** ends[0], min(10.0 ** ends[1], 1e3), _N_SOUGHT if is_slow else _N_EPSILONS)
    best_low, best = best_bounds_over(known, setting, tuple(grid.tolist())).T
    lows, highs = {"error": best_low}, {"error": best}
    if setting.high > low:
        highs["maximum"] = np.full(grid.size, setting.high)
    if setting.bound is not None:
        highs["yours"] = np.full(grid.size, setting.bound)
    if has_thumb:
        thumb = np.asarray(clipping.rule_of_thumb(known, grid))
        highs["thumb_error"] = np.maximum(np.rint(thumb), 1) if setting.is_whole else thumb
    lows |= {name: np.full(grid.size, low) for name in highs.keys() - {"error"}}
    low_rows, high_rows = (np.stack([bounds[name] for name in highs]) for bounds in (lows, highs))
    errors = errors_at(known, setting, low_rows, high_rows, grid)
    frame = {"epsilon": grid, "best": best} | ({"low": best_low} if setting.low is None else {})
    frame |= dict(zip(highs, setting.size(errors), strict=True))
    return pd.DataFrame(frame | ({"thumb": highs["thumb_error"]} if has_thumb else {}))


_BOUNDS_A_DECADE = 80
_N_SIGNED_DECADES = 4
MOST_DISCRETE_VALUE = 1e5
"""That of discrete Gaussian noise, whose tails are sums over whole numbers."""
_MOST_DECADE, _MOST_DISCRETE_DECADE = 14, 6


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

    @cached_property
    def exact_best(self) -> tuple[float, float]:
        """The bounds of the least error, before they are rounded."""
        low, high = best_bounds_over(self.known, self.setting, (self.setting.epsilon,))[0]
        return float(low), float(high)

    @property
    def is_low_sought(self) -> bool:
        """Whether both bounds are sought."""
        return self.setting.low is None

    @cached_property
    def low(self) -> float:
        """The lower bound: the user's, or the best one to three digits."""
        return rounded_low(self.exact_best[0], self.setting) if self.setting.low is None else self.setting.low

    @cached_property
    def best_high(self) -> float:
        """The upper bound of the least error, to three digits: what the page recommends."""
        return rounded_bound(self.exact_best[1], self.low, self.setting)

    @property
    def high(self) -> float:
        """The upper bound that is chosen: the user's, or the best one."""
        return self.best_high if self.setting.bound is None else self.setting.bound

    def error_at(self, high: float | Array) -> BiasAndNoise:
        """Return the errors at upper bounds."""
        return errors_at(self.known, self.setting, self.low, high, self.setting.epsilon)

    @cached_property
    def choices(self) -> dict[str, float]:
        """The bounds that one may choose: the best one, that of the rule of thumb, the user's, and the maximum."""
        highs = {"best": self.best_high, "thumb": self.thumb_high, "yours": self.setting.bound or np.nan}
        highs["maximum"] = self.setting.high if self.has_maximum else np.nan
        return {name: high for name, high in highs.items() if not np.isnan(high)}

    @cached_property
    def choice_errors(self) -> BiasAndNoise:
        """The errors at the bounds that one may choose, in their order."""
        return self.error_at(np.array(list(self.choices.values())))

    def _error_of(self, choice: str) -> BiasAndNoise:
        return self.choice_errors.at(list(self.choices).index(choice))

    @cached_property
    def best(self) -> BiasAndNoise:
        """The errors at the best bound."""
        return self._error_of("best")

    @cached_property
    def chosen(self) -> BiasAndNoise:
        """The errors at the bound that is chosen."""
        return self.best if self.setting.bound is None else self._error_of("yours")

    @property
    def at_maximum(self) -> BiasAndNoise:
        """The errors at the maximum of the user's range, where it has one."""
        return self._error_of("maximum")

    @property
    def has_maximum(self) -> bool:
        """Whether the maximum of the range is above the lower bound."""
        return self.setting.high > self.low

    def ratio(self, error: BiasAndNoise) -> float:
        """Return an error over the least one."""
        return float(self.setting.size(error) / self.setting.size(self.best))

    @property
    def thumb_high(self) -> float:
        """The bound of the rule of thumb, which about 1/ε values exceed, to three digits; NaN where it has none."""
        if not self.has_thumb:
            return np.nan
        return rounded_bound(float(clipping.rule_of_thumb(self.known, self.setting.epsilon)), 0.0, self.setting)

    @property
    def has_thumb(self) -> bool:
        """Whether the rule of thumb is proved for this query: values from 0 on, whose sum is moved by at most U."""
        known = self.known
        is_positive = known.name == "lognormal" if isinstance(known, Distribution) else float(known[0]) >= 0
        return self.setting.low == 0 and self.setting.share is None and is_positive

    @cached_property
    def private(self) -> PrivateBound | None:
        """A private bound within 0 and the maximum of the range; None where it is not computed what it costs."""
        setting = self.setting
        if not self.has_thumb or setting.is_whole:
            return None
        best = private_bounds(self.known, setting.epsilon, setting.high).best(setting.noise, setting.delta)
        return best._replace(error=best.error / self.unit_count)

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

    @property
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
        if not isinstance(self.known, Distribution):  # the bias has a corner at each value, and falls to 0 at the last
            corners = self.known[:: max(self.known.size // 100, 1)], self.known[-1] * (1 - np.geomspace(0.3, 1e-4, 36))
            high = np.append(high, [*filter(lambda end: 10.0**first < end < 10.0**last, np.append(*corners))])
        high = np.unique(np.append(np.rint(high) if self.setting.is_whole else high, self.best_high))
        errors = self.error_at(high[high > self.low])
        frame = {
            "bound": errors.high,
            "error": self.setting.size(errors),
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
        ends = decades(-2, 1, self.setting.epsilon)
        return frame_over_epsilon(self.known, self.setting, self.low, ends, self.has_thumb)
