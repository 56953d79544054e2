"""The best bound, the rule of thumb, and the errors of both and of the user's bound, over ε."""

from dataclasses import replace
from functools import lru_cache

import numpy as np
import pandas as pd

from dpcore import clipping
from dpcore.clipping import Distribution
from pages.clipping.bounds.search_results import BoundsSetting, Known, best_bounds_over, errors_at

_N_EPSILONS, _N_SOUGHT = 11, 7


def frame_over_epsilon(
    known: Known, setting: BoundsSetting, low: float, ends: tuple[int, int], has_thumb: bool
) -> pd.DataFrame:
    """Return the bounds and their errors over decades of ε, cached for a distribution; `low` is the lower bound."""
    own = replace(setting, epsilon=1.0, delta=setting.used_delta)
    if isinstance(known, Distribution):
        return _cached_frame(known, own, low, ends, has_thumb)
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


@lru_cache(256)
def _cached_frame(
    known: Distribution, setting: BoundsSetting, low: float, ends: tuple[int, int], has_thumb: bool
) -> pd.DataFrame:
    return _frame(known, setting, low, ends, has_thumb)
